# Tables of other libraries' functions (runtime/base/foreign.h), of one list each: a line has the letters of the types, of which `-' is none, and the name, with ? for the letter.
# In the build's generated/NAME_table_list.h: PREFIX_FUNCTIONS(X), and what sends calls of these names to the table.
function(tw_function_table name prefix list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  set(functions "")
  set(calls "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) ([^ ]+)$" found "${line}")
    if(NOT found)
      message(FATAL_ERROR "${list}: not letters and a name: ${line}")
    endif()
    set(pattern "${CMAKE_MATCH_2}")
    string(REGEX MATCHALL "." letters "${CMAKE_MATCH_1}")
    foreach(letter IN LISTS letters)
      string(REPLACE "-" "" letter "${letter}")
      string(REPLACE "?" "${letter}" function "${pattern}")
      string(APPEND functions " \\\n    X(${function})")
      string(APPEND calls "#define ${function} tw_${name}_table.${function}\n")
    endforeach()
  endforeach()
  string(TOUPPER "${prefix}" upper)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${name}_table_list.h" @ONLY CONTENT
"/* Made by cmake/Tables.cmake. */
#define ${upper}_FUNCTIONS(X)${functions}
")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${name}_table_calls.h" @ONLY CONTENT
"/* Made by cmake/Tables.cmake. */
${calls}")
endfunction()

tw_function_table(blas TW_BLAS "${PROJECT_SOURCE_DIR}/runtime/base/blas_functions.txt")
tw_function_table(fftw TW_FFTW "${PROJECT_SOURCE_DIR}/kernels/fft/cpu/fftw_functions.txt")

# docs/coverage.md, which kernel has a body for CPUs and which one for GPUs: made of the codelets when it is asked for, compared by a test.
add_custom_target(coverage-page
                  COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/coverage-page.sh" > docs/coverage.md.new
                  COMMAND "${CMAKE_COMMAND}" -E rename docs/coverage.md.new docs/coverage.md
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
