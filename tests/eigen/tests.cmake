foreach(name hb2st hb2st_kernels he2hb syevd sygvd syfun syev stedc stebz stevr syevr sbevd sbevx sytrd gehrd geev geevx gees hseqr bounds fault route route_model reproducible spectra)
  set_property(TEST eigen/${name} APPEND PROPERTY LABELS core)
endforeach()
set_property(TEST eigen/bounds APPEND PROPERTY LABELS notsan)   # the same tasks between guard pages
# The kernels of lesser instruction sets.
foreach(isa generic avx2)
  tw_add_test(eigen/hb2st_kernels-${isa} env TILEWORK_NBODY_ISA=${isa} $<TARGET_FILE:test_eigen_hb2st_kernels>)
endforeach()
# Many processes, one for each scheduler: long on busy machines.
set_tests_properties(eigen/hb2st PROPERTIES TIMEOUT 900)
# All spectra, orders, triangles, scales and routes: ctest -C long -L eigen-spectra.
add_test(NAME eigen/spectra-all CONFIGURATIONS long COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/run-test.sh" $<TARGET_FILE:test_eigen_spectra> all)
set_tests_properties(eigen/spectra-all PROPERTIES LABELS eigen-spectra TIMEOUT 3600 ENVIRONMENT
                     "TILEWORK_BUILD=${PROJECT_BINARY_DIR};TILEWORK_SOURCE=${PROJECT_SOURCE_DIR}")
tw_count_what_is_made(test_eigen_memory)
