# `core`: what the sanitizer builds run. The others are left out there for their time; they run the same code.
foreach(name matrix_door lapacke_door norms bounds)
  set_property(TEST dense/${name} APPEND PROPERTY LABELS core)
endforeach()
