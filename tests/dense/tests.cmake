# `core`: what the sanitizer builds run. The others are left out there for their time; they run the same code.
foreach(name rows matrix_door lapacke_door blas3 copies norms bounds tilings band lu lapacke_lu qr gels tall qr_doors gesv_nopiv inverse condition refine mixed half geqp3 geqp3_random geqp3rk geqrf_tree cholqr gelsy equilibrate expert hard partial stacks)
  set_property(TEST dense/${name} APPEND PROPERTY LABELS core)
endforeach()

# The same over staged tiles (docs/memory.md): in small slots, where every column is cut, and in the usual ones.
tw_add_test(dense/lapack_door-staged env TILEWORK_STAGE=300 TILEWORK_CROSSOVER=0 TILEWORK_NB=19
            $<TARGET_FILE:test_dense_lapack_door> small-tiles)
tw_add_test(dense/matrix_door-staged env TILEWORK_STAGE=1 $<TARGET_FILE:test_dense_matrix_door>)
tw_add_test(dense/tilings-staged env TILEWORK_STAGE=300 $<TARGET_FILE:test_dense_tilings>)
# BLAS' names by tiles, small ones.
# the order that products have on GPUs, by squares
tw_add_test(dense/blas3-squares env TILEWORK_GPU_TILES=1000000 TILEWORK_CROSSOVER=0 TILEWORK_NB=6 $<TARGET_FILE:test_dense_blas3> tiles)
tw_add_test(dense/blas3-tiles env TILEWORK_CROSSOVER=0 TILEWORK_NB=19 $<TARGET_FILE:test_dense_blas3> tiles)
set_property(TEST dense/lapack_door-staged APPEND PROPERTY LABELS core)

# Panels by inverses and factorizations by blocks of columns, as GPUs have them, with the CPUs' bodies.
tw_add_test(dense/matrix_door-inverse env TILEWORK_TRSM=inverse $<TARGET_FILE:test_dense_matrix_door>)
tw_add_test(dense/lapack_door-inverse env TILEWORK_TRSM=inverse TILEWORK_CROSSOVER=0 TILEWORK_NB=64
            $<TARGET_FILE:test_dense_lapack_door>)
foreach(name matrix_door lu qr)
  tw_add_test(dense/${name}-blocks env TILEWORK_GPU_TILES=7 $<TARGET_FILE:test_dense_${name}>)
endforeach()
tw_add_test(dense/gels-blocks env TILEWORK_GPU_TILES=20 $<TARGET_FILE:test_dense_gels>)
# What is left of a factorization that fails: by tiles under LAPACK's names, and where panels go by inverses, and by blocks.
tw_add_test(dense/partial-tiles env TILEWORK_CROSSOVER=0 TILEWORK_NB=19 $<TARGET_FILE:test_dense_partial> arrays)
tw_add_test(dense/partial-inverse env TILEWORK_TRSM=inverse TILEWORK_CROSSOVER=0 TILEWORK_NB=64 $<TARGET_FILE:test_dense_partial> arrays)
tw_add_test(dense/partial-blocks env TILEWORK_GPU_TILES=7 TILEWORK_CROSSOVER=0 TILEWORK_NB=19 $<TARGET_FILE:test_dense_partial> arrays)
# The scheduler that GPUs bring.
tw_add_test(dense/matrix_door-policy env STARPU_SCHED=tilework $<TARGET_FILE:test_dense_matrix_door>)
foreach(name matrix_door-inverse matrix_door-blocks matrix_door-policy lu-blocks qr-blocks blas3-squares)
  set_property(TEST dense/${name} APPEND PROPERTY LABELS core)
endforeach()

# ThreadSanitizer's builds do not repeat the same tasks behind LAPACKE's names, in LAPACK's storage or between guard pages.
foreach(name bounds hard lapacke_door lapacke_lu qr_doors lapack_door-staged)
  set_property(TEST dense/${name} APPEND PROPERTY LABELS notsan)
endforeach()

tw_count_what_is_made(test_dense_memory)

# Least squares by domains, as GPUs have them: all of gels' cases, with two levels and with many, with the CPUs'
# bodies.
tw_add_test(dense/gels-tall env TILEWORK_TALL=40 $<TARGET_FILE:test_dense_gels>)
tw_add_test(dense/gels-levels env TILEWORK_TALL=1 $<TARGET_FILE:test_dense_gels>)
# Likewise cholqr's Gram matrices and reflectors.
tw_add_test(dense/cholqr-tall env TILEWORK_TALL=40 $<TARGET_FILE:test_dense_cholqr>)
# And what they say that they need.
tw_add_test(dense/memory-tall env TILEWORK_TALL=40 $<TARGET_FILE:test_dense_memory>)
set_property(TEST dense/gels-tall dense/cholqr-tall APPEND PROPERTY LABELS core)
target_link_options(test_dense_tall PRIVATE -Wl,--wrap=tw_matrix_temporary -Wl,--wrap=tw_data_vector)

# More than 2^31 elements, 13 GB; two minutes. `long`.
set_tests_properties(dense/thin PROPERTIES TIMEOUT 900 RUN_SERIAL ON)
set_property(TEST dense/thin APPEND PROPERTY LABELS nosan)
