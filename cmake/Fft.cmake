# libtilework_fft.so (and tilework_fft_static for its tests), the command tilework-fft and the FFT examples, where FFTW is.
#
# FFTW is GPL and the rest of Tilework is BSD: nothing in libtilework.so or `tilework` links it. `tilework fft` starts the program
# tilework-fft beside it.
set(TILEWORK_FFT AUTO CACHE STRING "libtilework_fft: AUTO (where FFTW is), ON, OFF")
set_property(CACHE TILEWORK_FFT PROPERTY STRINGS AUTO ON OFF)
if(TILEWORK_FFT STREQUAL "OFF")
  return()
endif()
foreach(name fftw3 fftw3f)
  string(TOUPPER ${name} upper)
  pkg_check_modules(${upper} QUIET IMPORTED_TARGET ${name}>=3.3)
endforeach()
if(NOT FFTW3_FOUND OR NOT FFTW3F_FOUND)
  if(TILEWORK_FFT STREQUAL "ON")
    message(FATAL_ERROR "TILEWORK_FFT=ON, but pkg-config does not know fftw3 and fftw3f (package libfftw3-dev)")
  endif()
  message(STATUS "FFTW was not found (package libfftw3-dev): libtilework_fft is left out")
  return()
endif()

tw_outside_paths(${FFTW3_LIBRARY_DIRS} ${FFTW3F_LIBRARY_DIRS})
add_library(tilework_fft_deps INTERFACE)
target_link_libraries(tilework_fft_deps INTERFACE PkgConfig::FFTW3 PkgConfig::FFTW3F Threads::Threads m)
if(use_cuda)
  target_link_libraries(tilework_fft_deps INTERFACE CUDA::cudart CUDA::cufft)
endif()

# Many kernels: a third of the size, decompressed when they are loaded.
set(fft_cuda_options "")
if(use_cuda AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
  set(fft_cuda_options CUDA_OPTIONS --compress-mode=size)
endif()
tw_family(fft LIBRARY fft CPU_TYPES C Z DEPS tilework_fft_deps ${fft_cuda_options})
get_property(tilework_fft_objects GLOBAL PROPERTY tilework_fft_objects)

add_library(tilework_fft SHARED ${tilework_fft_objects})
add_library(tilework::tilework_fft ALIAS tilework_fft)
set_target_properties(tilework_fft PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_link_libraries(tilework_fft PUBLIC tilework PRIVATE tilework_fft_deps)
if(use_cuda)
  target_link_libraries(tilework_fft PRIVATE stdc++)
endif()
if(NOT TILEWORK_SANITIZE AND NOT TILEWORK_FUZZ)
  target_link_options(tilework_fft PRIVATE -Wl,--no-undefined)
endif()

add_library(tilework_fft_static STATIC ${tilework_fft_objects})
set_target_properties(tilework_fft_static PROPERTIES
  LINKER_LANGUAGE C ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_link_libraries(tilework_fft_static PUBLIC tilework_static tilework_fft_deps)

file(GLOB sources CONFIGURE_DEPENDS cli/fft/*.c)
foreach(name message number nearest refused interrupt files machine parallel repeat variables) # what cli/common.h declares
  list(APPEND sources cli/${name}.c)
endforeach()
if(sources)
  add_executable(tilework-fft ${sources})
  target_include_directories(tilework-fft PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(tilework-fft PRIVATE tilework_fft PkgConfig::JANSSON Threads::Threads m)
  set_target_properties(tilework-fft PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

file(GLOB sources CONFIGURE_DEPENDS examples/fft/*.c)
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(example_fft_${name} ${source})
  target_link_libraries(example_fft_${name} PRIVATE tilework_fft m)
  set_target_properties(example_fft_${name} PROPERTIES OUTPUT_NAME fft_${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/examples")
endforeach()

if(TILEWORK_TESTS)
  # The benchmark beside FFTW with threads.
  find_library(FFTW3_THREADS_LIBRARY fftw3_threads HINTS ${FFTW3_LIBRARY_DIRS})
  find_library(FFTW3F_THREADS_LIBRARY fftw3f_threads HINTS ${FFTW3F_LIBRARY_DIRS})
  mark_as_advanced(FFTW3_THREADS_LIBRARY FFTW3F_THREADS_LIBRARY)
  if(FFTW3_THREADS_LIBRARY AND FFTW3F_THREADS_LIBRARY)
    file(GLOB sources CONFIGURE_DEPENDS tests/bench_fft/*.c)
    add_executable(tilework-bench-fft ${sources})
    target_include_directories(tilework-bench-fft PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(tilework-bench-fft PRIVATE tilework_fft ${FFTW3_THREADS_LIBRARY} ${FFTW3F_THREADS_LIBRARY} tilework_fft_deps
                          PkgConfig::JANSSON)
    set_target_properties(tilework-bench-fft PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  endif()
endif()

# The benchmark on GPUs beside cuFFT.
if(TILEWORK_TESTS AND use_cuda)
  file(GLOB sources CONFIGURE_DEPENDS tests/bench_fft/gpu/*.c)
  add_executable(tilework-bench-fft-gpu ${sources})
  target_include_directories(tilework-bench-fft-gpu PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(tilework-bench-fft-gpu PRIVATE tilework_fft tilework_fft_deps PkgConfig::JANSSON m)
  set_target_properties(tilework-bench-fft-gpu PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  # Kernels of short transforms, which the library does not export.
  file(GLOB sources CONFIGURE_DEPENDS tests/bench_fft/small/*.c)
  add_executable(tilework-bench-fft-small ${sources})
  target_include_directories(tilework-bench-fft-small PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(tilework-bench-fft-small PRIVATE tilework_fft_static PkgConfig::JANSSON m)
  set_target_properties(tilework-bench-fft-small PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

tw_installed_library(tilework_fft)
install(TARGETS tilework_fft EXPORT tilework-targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(program tilework-fft tilework-bench-fft tilework-bench-fft-gpu tilework-bench-fft-small)
  if(TARGET ${program})
    tw_installed_program(${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
file(RELATIVE_PATH TILEWORK_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/tilework_fft.pc.in "${PROJECT_BINARY_DIR}/generated/tilework_fft.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/tilework_fft.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
