# tensortidy_lint(TARGET... [OPTIONS OPTION...] [NAME NAME] [NO_TEST])
#
# For each TARGET a build target and a test of its C++ sources:
#
#   cmake --build build --target lint-TARGET
#   ctest --test-dir build -R lint-TARGET
#
# Findings make either fail. TARGET is built first, with what generates its
# sources. OPTIONS are the command line's; NAME takes the place of lint-TARGET
# for a single target; with NO_TEST there is no test.

function(tensortidy_lint)
  cmake_parse_arguments(PARSE_ARGV 0 Lint "NO_TEST" "NAME" "OPTIONS")
  set(Targets ${Lint_UNPARSED_ARGUMENTS})
  list(LENGTH Targets Count)
  if(Count EQUAL 0)
    message(FATAL_ERROR "tensortidy_lint() needs a target")
  endif()
  if(Lint_NAME AND Count GREATER 1)
    message(FATAL_ERROR "tensortidy_lint(): NAME is for one target, and there are ${Count}: ${Targets}")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "tensortidy_lint() needs compile_commands.json, which the generator ${CMAKE_GENERATOR} does not write")
  endif()
  foreach(Target IN LISTS Targets)
    if(NOT TARGET ${Target})
      message(FATAL_ERROR "tensortidy_lint(): there is no target ${Target}")
    endif()
    get_target_property(Real ${Target} ALIASED_TARGET)
    if(Real)
      set(Target ${Real})
    endif()
    get_target_property(Type ${Target} TYPE)
    get_target_property(Imported ${Target} IMPORTED)
    if(Imported OR NOT Type MATCHES "LIBRARY|EXECUTABLE" OR Type STREQUAL "INTERFACE_LIBRARY")
      message(FATAL_ERROR "tensortidy_lint(): ${Target} has no sources that are compiled here")
    endif()
    set_property(TARGET ${Target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
    get_target_property(Folder ${Target} SOURCE_DIR)
    set(Name lint-${Target})
    if(Lint_NAME)
      set(Name ${Lint_NAME})
    endif()
    set(Sources "$<FILTER:$<TARGET_PROPERTY:${Target},SOURCES>,INCLUDE,\\.(c|cc|cpp|cxx|c\\+\\+|C|cppm|cu|m|mm)$>")
    set(Command tensortidy::tensortidy -p ${CMAKE_BINARY_DIR} ${Lint_OPTIONS} ${Sources})
    # Sources without a folder are meant from the target's.
    add_custom_target(${Name} COMMAND ${Command} WORKING_DIRECTORY ${Folder}
      COMMENT "Linting ${Target}" COMMAND_EXPAND_LISTS VERBATIM)
    add_dependencies(${Name} ${Target})
    if(NOT Lint_NO_TEST)
      add_test(NAME ${Name} COMMAND ${Command} WORKING_DIRECTORY ${Folder} COMMAND_EXPAND_LISTS)
    endif()
  endforeach()
endfunction()
