# The bindings: tilework/tilework.hpp and fft.hpp for C++, tilework.f90 and tilework_fft.f90 for Fortran, made of the public headers (bindings/generate). Plain text: nothing here
# needs those languages' compilers.
set(bindings "${PROJECT_BINARY_DIR}/generated/bindings")
set(made_bindings "${bindings}/tilework/tilework.hpp" "${bindings}/tilework.f90")
set(with_fft "")
if(TARGET tilework_fft)
  set(with_fft fft)
  list(APPEND made_bindings "${bindings}/tilework/fft.hpp" "${bindings}/tilework_fft.f90")
endif()
file(GLOB headers CONFIGURE_DEPENDS include/tilework/*.h)
file(GLOB sources CONFIGURE_DEPENDS bindings/*)
add_custom_command(OUTPUT ${made_bindings}
  COMMAND sh "${PROJECT_SOURCE_DIR}/bindings/generate" ${CMAKE_C_COMPILER} "${PROJECT_SOURCE_DIR}/include" "${bindings}" ${with_fft}
  DEPENDS ${sources} ${headers} VERBATIM)
add_custom_target(bindings ALL DEPENDS ${made_bindings})
foreach(file IN LISTS made_bindings)
  if(file MATCHES "hpp$")
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tilework")
  else()
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tilework/fortran")
  endif()
endforeach()
