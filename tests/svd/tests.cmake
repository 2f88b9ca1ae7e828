foreach(name stages bdsdc bdsqr bdsvdx gebrd gesdd gesvd gesvdx gelsd gepinv gersvd gepolar fault)
  set_property(TEST svd/${name} APPEND PROPERTY LABELS core)
endforeach()
# The kernels of lesser instruction sets.
foreach(isa generic avx2)
  tw_add_test(svd/stages-${isa} env TILEWORK_NBODY_ISA=${isa} $<TARGET_FILE:test_svd_stages>)
endforeach()
tw_count_what_is_made(test_svd_memory)
