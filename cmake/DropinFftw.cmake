# libtilework_fftw.so: FFTW's names, for programs that load it before FFTW (dropin/fft/). GPL, as libtilework_fft, which it opens itself; it needs libc only.
if(NOT TARGET tilework_fft)
  return()
endif()
add_library(tilework_fftw SHARED dropin/fft/doors.c dropin/fft/arrays.c)
set_target_properties(tilework_fftw PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_include_directories(tilework_fftw PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_compile_options(tilework_fftw PRIVATE -Wno-missing-prototypes -ftls-model=initial-exec)
target_link_options(tilework_fftw PRIVATE -Wl,-z,nodelete -Wl,--as-needed)
if(NOT TILEWORK_SANITIZE AND NOT TILEWORK_FUZZ)
  target_link_options(tilework_fftw PRIVATE -Wl,--no-undefined)
endif()
add_dependencies(tilework_fftw tilework_fft)
install(TARGETS tilework_fftw LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
