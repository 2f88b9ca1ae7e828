# `core`: what the sanitizer builds run.
foreach(name async threads task_error many_buffers options starpu_interop memory_limit leak blas_threads)
  set_property(TEST runtime/${name} APPEND PROPERTY LABELS core)
endforeach()
