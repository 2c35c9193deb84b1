# What `cmake --install` brings beside programs and libraries, man pages and
# completions, and the Debian packages that cpack makes:
#
#   package             component     what is in it
#   tensortidy          Unspecified   the command line, the plugin, the pages, find_package(Tensortidy)
#   tensortidy-clangd   clangd        the language server
#   libtensortidy-dev   runtime       the checked tensor library

set(PACKAGING ${PROJECT_SOURCE_DIR}/tool/packaging)
set(Generated ${CMAKE_BINARY_DIR}/share/generated)

# --- man pages, from --help ---
find_program(HELP2MAN help2man)
set(ManPages "")
# tensortidy_man(PROGRAM COMPONENT DEPENDENCY...)
function(tensortidy_man Program Component)
  set(Page ${Generated}/${Program}.1)
  # From the build directory: help2man takes the program and its arguments as one
  # word and would not know a path with a space.
  add_custom_command(OUTPUT ${Page}
    COMMAND ${HELP2MAN} --no-info --include=${PACKAGING}/${Program}.h2m --version-string=${PROJECT_VERSION}
      --output=${Page} "sh share/generated/help.sh bin/${Program}"
    DEPENDS ${PACKAGING}/${Program}.h2m ${PACKAGING}/help.sh ${ARGN}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Man page of ${Program}" VERBATIM)
  install(FILES ${Page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${Component})
  set(ManPages ${ManPages} ${Page} PARENT_SCOPE)
endfunction()
if(HELP2MAN)
  configure_file(${PACKAGING}/help.sh ${Generated}/help.sh COPYONLY)
  tensortidy_man(tensortidy Unspecified tensortidy)
  tensortidy_man(tensortidy-changed Unspecified ${PROJECT_SOURCE_DIR}/tool/tensortidy-changed)
  if(TARGET tensortidy-clangd)
    tensortidy_man(tensortidy-clangd clangd tensortidy-clangd)
  endif()
else()
  message(STATUS "no help2man: no man pages")
endif()

# --- completions, from the table of options ---
set(Completions "")
# tensortidy_completion(SHELL FILE FOLDER)
function(tensortidy_completion Shell Name Folder)
  set(Script ${Generated}/${Name})
  add_custom_command(OUTPUT ${Script}
    COMMAND tensortidy --completion=${Shell} > ${Script}
    DEPENDS tensortidy COMMENT "Completion for ${Shell}" VERBATIM)
  install(FILES ${Script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${Folder} RENAME ${ARGN})
  set(Completions ${Completions} ${Script} PARENT_SCOPE)
endfunction()
tensortidy_completion(bash completion.bash bash-completion/completions tensortidy)
tensortidy_completion(zsh completion.zsh zsh/site-functions _tensortidy)
tensortidy_completion(fish completion.fish fish/vendor_completions.d tensortidy.fish)
add_custom_target(tensortidy_shells ALL DEPENDS ${ManPages} ${Completions})

# --- Debian packages ---
set(TENSORTIDY_MAINTAINER "Tensortidy maintainers <maintainers@tensortidy.invalid>" CACHE STRING
  "Who answers for the Debian packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tensortidy)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL Unspecified runtime)
if(TARGET tensortidy-clangd)
  list(APPEND CPACK_COMPONENTS_ALL clangd)
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${PACKAGING}/debian/Staged.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${TENSORTIDY_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(SameVersion "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME tensortidy)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION devel)
# tensortidy-changed is Python and asks git.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "libclang-common-${TENSORTIDY_LLVM}-dev, python3")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS git)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "clang-tidy-${TENSORTIDY_LLVM}, libtensortidy-dev, tensortidy-clangd")
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION "finds memory-layout bugs in C++ tensor code
Reads code that uses libtorch or ggml, follows shapes, strides and storage
of tensors through each function, and reports views that will throw, copies
that do nothing, allocations that every iteration of a loop repeats, and
more. Findings come as text, SARIF or in the formats of code hosts, with
fixes where they are right on every path.
.
This package has the command line, a plugin for clang-tidy-${TENSORTIDY_LLVM}, and the
functions for CMake.")

set(CPACK_DEBIAN_CLANGD_PACKAGE_NAME tensortidy-clangd)
set(CPACK_DEBIAN_CLANGD_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_CLANGD_PACKAGE_DEPENDS "libclang-common-${TENSORTIDY_LLVM}-dev")
set(CPACK_DEBIAN_CLANGD_PACKAGE_RECOMMENDS "tensortidy ${SameVersion}")
set(CPACK_DEBIAN_CLANGD_DESCRIPTION "language server with the findings of tensortidy
Takes the place of clangd in an editor: shows memory-layout bugs of C++
tensor code while one types, and the layout of each tensor in hovers and
inlay hints.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtensortidy-dev)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(RuntimeNeeds "tensortidy ${SameVersion}")
if(BLAS_FOUND)
  string(APPEND RuntimeNeeds ", libopenblas-dev | libblas-dev")
endif()
if(LAPACK_FOUND)
  string(APPEND RuntimeNeeds ", libopenblas-dev | liblapack-dev")
endif()
if(ZLIB_FOUND)
  string(APPEND RuntimeNeeds ", zlib1g-dev")
endif()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${RuntimeNeeds})
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "checked tensor library for C++
A small tensor library that checks each operation on layouts and explains
what it rejects. It takes code written for libtorch, with headers of its
own, and executes the rules by which tensortidy analyses such code.
.
This package has the headers and the static library.")
include(CPack)
