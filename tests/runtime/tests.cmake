# `core`: what the sanitizer builds run.
foreach(name async data access when threads times profile task_error many_buffers options starpu_interop memory_limit leak blas_threads staging)
  set_property(TEST runtime/${name} APPEND PROPERTY LABELS core)
endforeach()
# Its routines, queued and from several threads, over staged tiles, too.
tw_add_test(runtime/async-staged env TILEWORK_STAGE=1 $<TARGET_FILE:test_runtime_async>)
tw_add_test(runtime/threads-staged env TILEWORK_STAGE=1 $<TARGET_FILE:test_runtime_threads>)
foreach(name async-staged threads-staged)
  set_property(TEST runtime/${name} APPEND PROPERTY LABELS core)
endforeach()
