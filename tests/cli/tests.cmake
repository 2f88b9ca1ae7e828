# A hundred starts of the command and more: time for machines that are busy.
foreach(test cli/bench cli/cli cli/endings cli/files cli/flags cli/mistakes cli/words)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900)
  endif()
endforeach()
# The statistics of `tilework compare` are the command's, not the library's.
target_sources(test_cli_compare_statistics PRIVATE "${PROJECT_SOURCE_DIR}/cli/compare/statistics.c")
# So is what a report sums up by GPU.
target_sources(test_cli_gpus PRIVATE "${PROJECT_SOURCE_DIR}/cli/dense/gpus.c")
target_link_libraries(test_cli_gpus PRIVATE PkgConfig::JANSSON)
add_executable(test_cli_wrong_profile ${CMAKE_CURRENT_SOURCE_DIR}/cli/wrong_profile.c)
target_link_libraries(test_cli_wrong_profile PRIVATE tilework_static)
tw_link_as_c(test_cli_wrong_profile)
set_target_properties(test_cli_wrong_profile PROPERTIES OUTPUT_NAME wrong_profile RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/cli")
if(TEST cli/doctor)
  set_tests_properties(cli/doctor PROPERTIES TIMEOUT 900)
endif()
