# What the experiments show is what workers that spin do.
if(TEST docs/experiments)
  set_property(TEST docs/experiments APPEND PROPERTY ENVIRONMENT TILEWORK_REST=0)
endif()
# Samples are run as a reader runs them: not in instrumented builds, and with time for large ones on busy machines.
foreach(test docs/samples docs/experiments)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 1800)
    if(TILEWORK_SANITIZE OR TILEWORK_COVERAGE OR TILEWORK_FUZZ)
      set_tests_properties(${test} PROPERTIES DISABLED TRUE)
    endif()
  endif()
endforeach()
