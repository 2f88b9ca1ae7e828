# libtilework_lapack.so: the routines under LAPACK's and BLAS' own Fortran names, for programs that load it before LAPACK (dropin/dropin.h).
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
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_link_libraries(tilework_lapack PRIVATE tilework_flags tilework tilework_blas Threads::Threads ${CMAKE_DL_LIBS})
tw_installed_library(tilework_lapack)
install(TARGETS tilework_lapack LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
