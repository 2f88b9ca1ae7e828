# A hundred starts of the command and more: time for machines that are busy.
foreach(test cli/endings cli/files cli/flags cli/mistakes cli/words)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900)
  endif()
endforeach()
# The statistics of `tilework compare` are the command's, not the library's.
target_sources(test_cli_compare_statistics PRIVATE "${PROJECT_SOURCE_DIR}/cli/compare/statistics.c")
