# Finds the release of LLVM and Clang named by TENSORTIDY_LLVM and gives
#
#   tensortidy_llvm_headers   include directories and compile flags
#   tensortidy_llvm           the above and libLLVM
#   tensortidy_clang_tidy     the above, libclang-cpp and clang-tidy's library
#   tensortidy_clang          libclang-cpp and libLLVM, for who brings the rest
#   TENSORTIDY_RESOURCE_DIR   clang's own headers
#   TENSORTIDY_LLVM_BIN       clang, clang-tidy, FileCheck ... of that release
#
# Clang's libraries are looked up by file and not through ClangConfig.cmake,
# which insists on packages this build has no use for.

if(NOT TENSORTIDY_LLVM IN_LIST TENSORTIDY_LLVM_RELEASES)
  list(JOIN TENSORTIDY_LLVM_RELEASES ", " Releases)
  message(FATAL_ERROR "TENSORTIDY_LLVM is ${TENSORTIDY_LLVM}; this source builds with ${Releases}")
endif()

find_package(LLVM CONFIG QUIET NO_DEFAULT_PATH
  PATHS ${LLVM_ROOT} /usr/lib/llvm-${TENSORTIDY_LLVM} /usr/local/lib/llvm-${TENSORTIDY_LLVM})
if(NOT LLVM_FOUND)
  find_package(LLVM CONFIG QUIET)
endif()
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL TENSORTIDY_LLVM)
  message(FATAL_ERROR "LLVM ${TENSORTIDY_LLVM} not found: install llvm-${TENSORTIDY_LLVM}-dev "
    "and libclang-${TENSORTIDY_LLVM}-dev, or give its place with -DLLVM_ROOT=")
endif()

set(TENSORTIDY_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
set(TENSORTIDY_RESOURCE_DIR ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR})

# A program that has LLVM and Clang inside needs no package of theirs where it
# runs. Their headers are installed with it.
option(TENSORTIDY_STATIC "Link LLVM and Clang into the programs" OFF)

# One cache entry per release, so that a build directory may change its mind.
set(Libraries clangTidy clangTidyUtils)
if(NOT TENSORTIDY_STATIC)
  list(APPEND Libraries LLVM clang-cpp)
endif()
foreach(Name IN LISTS Libraries)
  set(Var TENSORTIDY_${Name}_${TENSORTIDY_LLVM})
  # Debian has no unversioned link to libclang-cpp.
  find_library(${Var} NO_DEFAULT_PATH PATHS ${LLVM_LIBRARY_DIR} NAMES
    ${Name} lib${Name}.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} lib${Name}.so.${LLVM_VERSION_MAJOR}
    lib${Name}-${LLVM_VERSION_MAJOR}.so.1)
  if(NOT ${Var})
    message(FATAL_ERROR "lib${Name} not found in ${LLVM_LIBRARY_DIR}: install libclang-${TENSORTIDY_LLVM}-dev")
  endif()
endforeach()

add_library(tensortidy_llvm_headers INTERFACE)
target_include_directories(tensortidy_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(Definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(tensortidy_llvm_headers INTERFACE ${Definitions})
# Whatever the release was built with: type information of LLVM's classes is
# not to be relied on in a plugin.
target_compile_options(tensortidy_llvm_headers INTERFACE -fno-rtti
  # g++ sees a null `this` in clang's AST headers that cannot be.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>)

# Instead of parts of LLVM's archives; tool/static says which.
add_library(tensortidy_left_out OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tool/static/LeftOut.cpp
  ${PROJECT_SOURCE_DIR}/tool/static/OlderGlibc.cpp)
target_link_libraries(tensortidy_left_out PRIVATE tensortidy_llvm_headers)

add_library(tensortidy_llvm INTERFACE)
add_library(tensortidy_clang INTERFACE)
add_library(tensortidy_clang_tidy INTERFACE)
if(TENSORTIDY_STATIC)
  include(TensortidyStatic)
else()
  target_link_libraries(tensortidy_llvm INTERFACE tensortidy_llvm_headers ${TENSORTIDY_LLVM_${TENSORTIDY_LLVM}})
  target_link_libraries(tensortidy_clang INTERFACE ${TENSORTIDY_clang-cpp_${TENSORTIDY_LLVM}} tensortidy_llvm)
  target_link_libraries(tensortidy_clang_tidy INTERFACE
    ${TENSORTIDY_clangTidy_${TENSORTIDY_LLVM}} ${TENSORTIDY_clangTidyUtils_${TENSORTIDY_LLVM}} tensortidy_clang)
endif()

message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_LIBRARY_DIR}")
