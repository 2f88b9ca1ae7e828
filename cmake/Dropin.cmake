# libtilework_lapack.so: the routines under the names of LAPACK, BLAS, CBLAS and LAPACKE, for programs that load it before these (dropin/dropin.h). For x86-64.
# Its functions are made of the public prototypes: the preprocessor writes them out for the four types, dropin/doors.awk makes the doors.
set(doors "${PROJECT_BINARY_DIR}/generated/dropin_doors.c")
set(include_flags "-I${PROJECT_SOURCE_DIR}/include")
foreach(dir IN LISTS OPENBLAS_INCLUDE_DIRS LAPACKE_INCLUDE_DIRS)
  list(APPEND include_flags "-I${dir}")
endforeach()
file(GLOB headers CONFIGURE_DEPENDS include/tilework/*.h)
add_custom_command(OUTPUT "${doors}"
  COMMAND ${CMAKE_C_COMPILER} -E -P ${include_flags} "${PROJECT_SOURCE_DIR}/include/tilework/lapacke.h" -o dropin_lapacke.txt
  COMMAND ${CMAKE_C_COMPILER} -E -P ${include_flags} "${PROJECT_SOURCE_DIR}/include/tilework/lapack.h" -o dropin_lapack.txt
  COMMAND awk -f "${PROJECT_SOURCE_DIR}/dropin/doors.awk" dropin_lapacke.txt dropin_lapack.txt > "${doors}"
  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/generated"
  DEPENDS dropin/doors.awk ${headers} VERBATIM)

file(GLOB sources CONFIGURE_DEPENDS dropin/*.c)
add_library(tilework_lapack SHARED ${sources} "${doors}")
set_target_properties(tilework_lapack PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" # one of the build folder would be padded with colons, which are the current folder
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
# It needs libc only, and opens libtilework.so itself: a program that preloads it for nothing pays for nothing.
target_include_directories(tilework_lapack PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
if(use_cuda)
  target_compile_definitions(tilework_lapack PRIVATE TILEWORK_CUDA=1)
endif()
target_compile_options(tilework_lapack PRIVATE -ftls-model=initial-exec)
target_link_options(tilework_lapack PRIVATE -Wl,-z,nodelete -Wl,--as-needed)
if(NOT TILEWORK_SANITIZE AND NOT TILEWORK_FUZZ)
  target_link_options(tilework_lapack PRIVATE -Wl,--no-undefined)
endif()
add_dependencies(tilework_lapack tilework)
install(TARGETS tilework_lapack LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")

# Behind the program's BLAS in Julia's LBT_DEFAULT_LIBS: libtilework_lapack.so and the functions by which libblastrampoline finds out about a library, of either width.
foreach(name tilework_lbt tilework_lbt64)
  add_library(${name} SHARED dropin/lbt/probes.c)
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_link_libraries(${name} PRIVATE tilework_lapack)
  target_link_options(${name} PRIVATE -Wl,-z,nodelete)
  install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()
target_compile_definitions(tilework_lbt64 PRIVATE TW_LBT_64=1)
