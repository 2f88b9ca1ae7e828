/* Particles' variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_FMM_PATH, TW_WORDS("auto", "cpu", "gpu"), "auto, cpu or gpu", "where the multipole method runs")
TW_VARIABLE(TILEWORK_NVRTC, TW_ANY, NULL,
            "the NVRTC library that compiles CUDA source of users' kernels, where its usual names are not found")
TW_VARIABLE(TILEWORK_NBODY_ISA, TW_WORDS("generic", "avx2", "avx512"), "generic, avx2 or avx512",
            "the widest instruction set of kernels that are compiled for several: particles', atoms', some of "
            "eigenvalues' and singular values' (for tests)")
