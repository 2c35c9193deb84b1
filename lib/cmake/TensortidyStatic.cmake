# tensortidy_llvm, tensortidy_clang and tensortidy_clang_tidy as LLVM's and
# Clang's archives. Used by TensortidyLLVM.cmake.

# One group of them all, from which the linker takes what is used. A single flag,
# for CMake to leave in its order.
file(GLOB Archives ${LLVM_LIBRARY_DIR}/libclang*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(FILTER Archives EXCLUDE REGEX "Plugin|BOLT|libclangd|libclangDaemon")
list(JOIN Archives "," Archives)

foreach(Name IN ITEMS z zstd)
  find_library(TENSORTIDY_${Name}_ARCHIVE lib${Name}.a)
  if(NOT TENSORTIDY_${Name}_ARCHIVE)
    message(FATAL_ERROR "TENSORTIDY_STATIC: lib${Name}.a not found: install zlib1g-dev and libzstd-dev")
  endif()
endforeach()
# Such a link takes gigabytes: one at a time.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS tensortidy_link=1)
set(CMAKE_JOB_POOL_LINK tensortidy_link)
find_package(Threads REQUIRED)
target_link_libraries(tensortidy_llvm INTERFACE tensortidy_llvm_headers $<TARGET_OBJECTS:tensortidy_left_out>
  "-Wl,--start-group,${Archives},--end-group" ${TENSORTIDY_z_ARCHIVE} ${TENSORTIDY_zstd_ARCHIVE}
  Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(tensortidy_llvm INTERFACE -static-libstdc++ -Wl,--gc-sections)
target_link_libraries(tensortidy_clang INTERFACE tensortidy_llvm)
target_link_libraries(tensortidy_clang_tidy INTERFACE tensortidy_llvm)

# Clang's own headers, where it looks for them: beside the programs.
install(DIRECTORY ${TENSORTIDY_RESOURCE_DIR}/include DESTINATION lib/clang/${LLVM_VERSION_MAJOR})
# Under which terms the parts are that come from elsewhere.
foreach(Package IN ITEMS libclang-${TENSORTIDY_LLVM}-dev zlib1g-dev libzstd-dev libstdc++6)
  install(FILES /usr/share/doc/${Package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tensortidy/licenses
    RENAME ${Package} OPTIONAL)
endforeach()
