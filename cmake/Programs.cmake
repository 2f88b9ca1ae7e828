# The command (build/bin/tilework) and the examples (build/bin/examples/NAME, one file each).
# Both see the public headers only; the command also sees the generated private header, for its version. Examples may
# use StarPU itself, through <tilework/starpu.h>; --as-needed drops it where they do not.

# The checks of results, for the command, the tests, the benchmarks and the examples: public headers and BLAS.
file(GLOB sources CONFIGURE_DEPENDS checks/*.c)
add_library(tilework_checks STATIC ${sources})
target_include_directories(tilework_checks PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_link_libraries(tilework_checks PUBLIC tilework_blas m)

file(GLOB sources CONFIGURE_DEPENDS cli/*.c cli/*/*.c)
list(FILTER sources EXCLUDE REGEX "/cli/fft/")     # tilework-fft's: cmake/Fft.cmake
if(sources)
  set(rows "${PROJECT_BINARY_DIR}/generated/cli_rows.h")
  add_custom_command(OUTPUT "${rows}"
    COMMAND ${CMAKE_COMMAND} "-DSOURCES=${sources}" "-DOUTPUT=${rows}" -P "${PROJECT_SOURCE_DIR}/cmake/CliRows.cmake"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/cmake/CliRows.cmake" VERBATIM)
  add_executable(tilework_cli ${sources} "${rows}")
  target_include_directories(tilework_cli PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(tilework_cli PRIVATE tilework_checks tilework PkgConfig::JANSSON tilework_blas Threads::Threads m)
  set_target_properties(tilework_cli PROPERTIES OUTPUT_NAME tilework RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  tw_installed_program(tilework_cli)
endif()

file(GLOB helpers CONFIGURE_DEPENDS examples/common/*.c)
if(helpers)
  add_library(tilework_examples_common STATIC ${helpers})
  target_include_directories(tilework_examples_common PUBLIC "${PROJECT_SOURCE_DIR}/examples")
  target_link_libraries(tilework_examples_common PUBLIC tilework tilework_blas m)
endif()
file(GLOB sources CONFIGURE_DEPENDS examples/*.c)
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(example_${name} ${source})
  target_include_directories(example_${name} PRIVATE "${PROJECT_SOURCE_DIR}/examples")
  target_link_libraries(example_${name} PRIVATE tilework tilework_blas PkgConfig::STARPU Threads::Threads m)
  if(helpers)
    target_link_libraries(example_${name} PRIVATE tilework_examples_common)
  endif()
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/examples")
endforeach()
