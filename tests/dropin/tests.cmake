# A program that links libtilework_lapack.so as a user's does; not the static library.
add_executable(test_dropin_doors ${CMAKE_CURRENT_SOURCE_DIR}/dropin/doors.c)
target_link_libraries(test_dropin_doors PRIVATE tilework_lapack -Wl,--no-as-needed tilework_blas PkgConfig::CMOCKA Threads::Threads)
set_target_properties(test_dropin_doors PROPERTIES OUTPUT_NAME doors RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/dropin")
tw_add_test(dropin/doors $<TARGET_FILE:test_dropin_doors>)
set_property(TEST dropin/doors APPEND PROPERTY LABELS core)
tw_add_test(dropin/doors-fork $<TARGET_FILE:test_dropin_doors> fork)

# LAPACK's own programs know no sanitizers.
if(NOT TILEWORK_SANITIZE)
  tw_add_test(dropin/lapack_tests bash ${CMAKE_CURRENT_SOURCE_DIR}/dropin/common_lapack_tests.sh)
  set_tests_properties(dropin/lapack_tests PROPERTIES TIMEOUT 900)     # ten thousands of small graphs: time for machines that are busy
  # All of them, as ./quickstart lapack-tests: ctest -C long -L lapack-tests
  add_test(NAME dropin/lapack_tests-all CONFIGURATIONS long
           COMMAND bash "${PROJECT_SOURCE_DIR}/dropin/lapack-tests.sh" "${PROJECT_BINARY_DIR}")
  set_tests_properties(dropin/lapack_tests-all PROPERTIES LABELS lapack-tests TIMEOUT 3600 SKIP_RETURN_CODE 77)
endif()
# As a program has BLAS that does not know us.
add_executable(test_dropin_calls ${CMAKE_CURRENT_SOURCE_DIR}/dropin/calls.c)
target_link_libraries(test_dropin_calls PRIVATE tilework_blas Threads::Threads m)
set_target_properties(test_dropin_calls PROPERTIES OUTPUT_NAME calls RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/dropin")
add_executable(test_dropin_crowd ${CMAKE_CURRENT_SOURCE_DIR}/dropin/crowd.c)
target_link_libraries(test_dropin_crowd PRIVATE tilework_blas Threads::Threads m)
set_target_properties(test_dropin_crowd PROPERTIES OUTPUT_NAME crowd RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/dropin")
add_executable(test_dropin_surroundings ${CMAKE_CURRENT_SOURCE_DIR}/dropin/surroundings.c)
target_link_libraries(test_dropin_surroundings PRIVATE tilework_blas Threads::Threads m)
set_target_properties(test_dropin_surroundings PROPERTIES OUTPUT_NAME surroundings RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/dropin")
# What LAPACK's own programs call with illegal arguments alone, for dropin/lapack-tests.sh, a program for each type: they know nothing of us, either.
foreach(type s d c z)
  add_executable(test_dropin_ormbr_${type} ${CMAKE_CURRENT_SOURCE_DIR}/dropin/ormbr.c)
  string(TOUPPER ${type} letter)
  target_compile_definitions(test_dropin_ormbr_${type} PRIVATE TYPE_${letter}=1)
  target_link_libraries(test_dropin_ormbr_${type} PRIVATE tilework_blas m)
  set_target_properties(test_dropin_ormbr_${type} PROPERTIES OUTPUT_NAME ormbr-${type} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/dropin")
  list(APPEND lapack_programs test_dropin_ormbr_${type})
endforeach()
add_custom_target(lapack_programs DEPENDS ${lapack_programs})
