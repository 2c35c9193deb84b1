# The release of libtorch that is installed and what it needs:
#
#   LIBTORCH_RELEASE      1.13, 2.6 ...; empty where the headers do not say
#   LIBTORCH_STANDARD     the C++ its headers are to be read as: 17 or 20
#   LIBTORCH_RULES        the release whose behaviour the rules describe
#   LIBTORCH_IS_THAT_OF_RULES
#
# libtorch changes what it does: a test that compares the rules with it is only
# run with that release, and elsewhere skipped with a word why.

set(LIBTORCH_RULES 1.13)

set(LIBTORCH_RELEASE "")
foreach(Header IN ITEMS ${LIBTORCH_HEADERS}/torch/headeronly/version.h ${LIBTORCH_API_HEADERS}/torch/version.h)
  if(LIBTORCH_RELEASE STREQUAL "" AND EXISTS ${Header})
    file(STRINGS ${Header} Lines REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
    if("${Lines}" MATCHES "MAJOR ([0-9]+).*MINOR ([0-9]+)")
      set(LIBTORCH_RELEASE ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${Header})
    endif()
  endif()
endforeach()

# tool/Database.cpp looks for the same.
set(LIBTORCH_STANDARD 17)
file(STRINGS ${LIBTORCH_HEADERS}/ATen/ATen.h Lines REGEX "__cplusplus < 202002L")
if(Lines)
  set(LIBTORCH_STANDARD 20)
endif()

set(LIBTORCH_IS_THAT_OF_RULES OFF)
if(LIBTORCH_RELEASE STREQUAL LIBTORCH_RULES)
  set(LIBTORCH_IS_THAT_OF_RULES ON)
endif()
message(STATUS "libtorch ${LIBTORCH_RELEASE}, read as C++${LIBTORCH_STANDARD}")

# A tensortidy_test() that is skipped with other releases.
function(tensortidy_rules_test Name Size Cost)
  if(LIBTORCH_IS_THAT_OF_RULES)
    tensortidy_test(${Name} ${Size} ${Cost} ${ARGN})
  else()
    tensortidy_test(${Name} ${Size} 1 ${CMAKE_COMMAND} -E echo
      "skipped: the rules are those of libtorch ${LIBTORCH_RULES}, and ${LIBTORCH_RELEASE} is installed")
    set_tests_properties(${Name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
  endif()
endfunction()
