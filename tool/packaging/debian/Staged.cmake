# Run by CPack between staging the files and packing them: gives the packages
# what Debian's policy asks of each, and nothing that the policy has elsewhere.

file(GLOB Roots ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(Root IN LISTS Roots)
  get_filename_component(Component ${Root} NAME)
  string(TOUPPER ${Component} Upper)
  set(Package ${CPACK_DEBIAN_${Upper}_PACKAGE_NAME})
  if(NOT Package)
    continue() # not a component's
  endif()
  set(Share ${Root}/usr/share)

  file(REMOVE ${Share}/doc/tensortidy/LICENSE) # it is in the copyright file
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${Share}/doc/${Package})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog ${Share}/doc/${Package}/changelog.Debian COPYONLY)
  file(GLOB Compressed ${Share}/man/man1/*.1)
  foreach(File IN LISTS Compressed ITEMS ${Share}/doc/${Package}/changelog.Debian)
    execute_process(COMMAND gzip --best --no-name --force ${File} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()

  if(EXISTS ${Share}/doc/tensortidy/changelog.md)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${Share}/lintian/overrides/${Package} COPYONLY)
  endif()

  # zsh looks for what packages bring in a folder of Debian's own.
  if(IS_DIRECTORY ${Share}/zsh/site-functions)
    file(RENAME ${Share}/zsh/site-functions ${Share}/zsh/vendor-completions)
  endif()

  # As dh_strip does; CPack leaves archives alone.
  file(GLOB_RECURSE Archives ${Root}/*.a)
  foreach(File IN LISTS Archives)
    execute_process(COMMAND strip --strip-debug --enable-deterministic-archives
      --remove-section=.comment --remove-section=.note ${File} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()

  # Nothing is writable for a group, whatever the umask of who builds.
  execute_process(COMMAND chmod -R u=rwX,go=rX ${Root} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
