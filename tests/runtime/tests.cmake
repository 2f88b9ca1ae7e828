# `core`: what the sanitizer builds run.
foreach(name async environment data access when threads pieces tile_memory times profile task_error many_buffers give_back options starpu_interop memory_limit leak blas_threads staging)
  set_property(TEST runtime/${name} APPEND PROPERTY LABELS core)
endforeach()
# Under every scheduler once with workers that spin, as users have them (cmake/run-test.sh has them sleep).
set_property(TEST runtime/schedulers APPEND PROPERTY ENVIRONMENT TILEWORK_REST=0)
# Its routines, queued and from several threads, over staged tiles, too; these then in pieces of memory, too.
tw_add_test(runtime/shares-staged env TILEWORK_STAGE=1 $<TARGET_FILE:test_runtime_shares>)
tw_add_test(runtime/async-staged env TILEWORK_STAGE=1 $<TARGET_FILE:test_runtime_async>)
tw_add_test(runtime/threads-staged env TILEWORK_STAGE=1 TILEWORK_GPU_PIECE=main:1 $<TARGET_FILE:test_runtime_threads>)
foreach(name async-staged threads-staged)
  set_property(TEST runtime/${name} APPEND PROPERTY LABELS core)
endforeach()
# Users' scheduling policies: the example's, and one that is not complete.
foreach(policy "${PROJECT_SOURCE_DIR}/examples/scheduler/mine.c" "${CMAKE_CURRENT_SOURCE_DIR}/runtime/policies/incomplete.c")
  get_filename_component(name "${policy}" NAME_WE)
  add_library(policy_${name} MODULE "${policy}")
  target_link_libraries(policy_${name} PRIVATE PkgConfig::STARPU)
  set_target_properties(policy_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/runtime")
  add_dependencies(test_runtime_sched_library policy_${name})
endforeach()
# StarPU's threads hand tasks to these policies in ways that the thread sanitizer cannot see.
set_property(TEST runtime/sched_library APPEND PROPERTY LABELS notsan)
