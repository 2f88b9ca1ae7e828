# `core`: what the sanitizer builds run.
foreach(name direct lists fmm particles leapfrog counting fmm2d periodic yukawa stokes function)
  set_property(TEST nbody/${name} APPEND PROPERTY LABELS core)
endforeach()
# The kernels of lesser instruction sets, where this CPU would take better ones.
foreach(isa generic avx2)
  foreach(name direct fmm fmm2d forces)
    tw_add_test(nbody/${name}-${isa} env TILEWORK_NBODY_ISA=${isa} $<TARGET_FILE:test_nbody_${name}>)
  endforeach()
endforeach()
