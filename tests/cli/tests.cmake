# A hundred starts of the command and more: time for machines that are busy.
foreach(test cli/endings cli/files cli/flags cli/mistakes cli/words)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900)
  endif()
endforeach()
