# `core`: what the sanitizer builds run.
foreach(name cutoff cutoff_motion)
  set_property(TEST md/${name} APPEND PROPERTY LABELS core)
endforeach()
# The kernels of lesser instruction sets, where this CPU would take better ones.
foreach(isa generic avx2)
  foreach(name cutoff)
    tw_add_test(md/${name}-${isa} env TILEWORK_NBODY_ISA=${isa} $<TARGET_FILE:test_md_${name}>)
  endforeach()
endforeach()
