# Quick, and about hostile input: the sanitizer builds run them all.
foreach(name generate generate_general matrix_market raw npy table files atoms)
  set_property(TEST io/${name} APPEND PROPERTY LABELS core)
endforeach()
