# tensortidy_cuda(TARGET) embeds the stand-ins for CUDA's headers in the target,
# as a table in CudaStandIns.inc, and copies them to share/tensortidy/cuda of
# the build, from where they are installed for clang-tidy and clangd. The same
# file, run as a script, does both.

if(CMAKE_SCRIPT_MODE_FILE)
  set(Text "// Generated from tool/cuda. Do not edit.\n")
  set(Table "")
  function(stand_in Path Content)
    file(WRITE ${OUTPUT}/${Path} "${Content}")
    set(Table "${Table}    {\"${Path}\",\n     R\"TENSORTIDY(${Content})TENSORTIDY\"},\n" PARENT_SCOPE)
  endfunction()
  foreach(File IN LISTS FILES)
    file(RELATIVE_PATH Path ${SOURCE} ${File})
    file(READ ${File} Content)
    if(Path STREQUAL "forwards.txt")
      string(REGEX REPLACE "#[^\n]*\n" "" Content "${Content}")
      string(REGEX MATCHALL "[^ \n]+" Words "${Content}")
      foreach(Word IN LISTS Words)
        if(Word MATCHES "^(.*):$")
          set(Target ${CMAKE_MATCH_1})
        else()
          stand_in(include/${Word} "#pragma once\n#include <${Target}>\n")
        endif()
      endforeach()
    else()
      stand_in(${Path} "${Content}")
    endif()
  endforeach()
  string(APPEND Text "inline constexpr std::pair<const char *, const char *> kCudaStandIns[] = {\n${Table}};\n")
  file(WRITE ${INC} "${Text}")
  return()
endif()

set(TENSORTIDY_CUDA_DIR ${CMAKE_CURRENT_LIST_DIR})

function(tensortidy_cuda Target)
  file(GLOB_RECURSE Files CONFIGURE_DEPENDS ${TENSORTIDY_CUDA_DIR}/prelude.h ${TENSORTIDY_CUDA_DIR}/forwards.txt
    ${TENSORTIDY_CUDA_DIR}/include/*.h ${TENSORTIDY_CUDA_DIR}/include/*.cuh)
  set(Inc ${CMAKE_CURRENT_BINARY_DIR}/CudaStandIns.inc)
  set(Dir ${CMAKE_BINARY_DIR}/share/tensortidy/cuda)
  add_custom_command(OUTPUT ${Inc}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${Dir}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${Files}" -DSOURCE=${TENSORTIDY_CUDA_DIR} -DOUTPUT=${Dir} -DINC=${Inc}
      -P ${TENSORTIDY_CUDA_DIR}/StandIns.cmake
    DEPENDS ${Files} ${TENSORTIDY_CUDA_DIR}/StandIns.cmake
    COMMENT "Embedding the stand-ins for CUDA's headers" VERBATIM)
  target_sources(${Target} PRIVATE ${Inc})
  install(DIRECTORY ${Dir} DESTINATION ${CMAKE_INSTALL_DATADIR}/tensortidy)
endfunction()
