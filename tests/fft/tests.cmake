# The FFT family is a library of its own; its tests also link FFTW in long double, the reference.
pkg_check_modules(FFTW3L REQUIRED IMPORTED_TARGET fftw3l)
file(GLOB fft_tests CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/fft" fft/test_*.c)
foreach(source IN LISTS fft_tests)
  string(REGEX REPLACE "^test_(.*)\\.c$" "\\1" name ${source})
  # before libtilework_static, whose symbols it needs
  set_property(TARGET test_fft_${name} PROPERTY LINK_LIBRARIES tilework_fft_static PkgConfig::FFTW3L ${test_libraries})
  target_include_directories(test_fft_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/fft")
endforeach()
# `core`: what the sanitizer builds run; the address sanitizer's can also inject faults.
foreach(name shapes doors fault)
  if(TEST fft/${name})
    set_property(TEST fft/${name} APPEND PROPERTY LABELS core)
  endif()
endforeach()
if(NOT TILEWORK_SANITIZE AND NOT TILEWORK_COVERAGE AND NOT TILEWORK_FUZZ)
  tw_add_test(fft/install bash "${CMAKE_CURRENT_SOURCE_DIR}/fft/_install.sh")
endif()
