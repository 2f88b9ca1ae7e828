# Everything at once: half a minute in every run of the suite, one under ThreadSanitizer, three in ./quickstart sanitizers; longer by hand (tests/soak/soak.c).
add_executable(soak soak/soak.c)
if(TARGET tilework_fft)
  target_compile_definitions(soak PRIVATE SOAK_FFT)
  target_link_libraries(soak PRIVATE tilework_fft_static)
endif()
target_link_libraries(soak PRIVATE ${test_libraries})
tw_link_as_c(soak)
set_target_properties(soak PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/soak")
if(TILEWORK_SANITIZE STREQUAL "thread" AND TILEWORK_LONG_SANITIZED)
  tw_add_test(soak/soak $<TARGET_FILE:soak> 180)
elseif(TILEWORK_SANITIZE STREQUAL "thread")
  tw_add_test(soak/soak $<TARGET_FILE:soak> 60)
else()
  tw_add_test(soak/soak $<TARGET_FILE:soak> 30)
endif()
set_property(TEST soak/soak APPEND PROPERTY LABELS core)
set_property(TEST soak/soak APPEND PROPERTY ENVIRONMENT TILEWORK_REST=0)      # workers that spin, as users have them
set_tests_properties(soak/soak PROPERTIES COST 200)      # begun first: at the end one core would wait for it
