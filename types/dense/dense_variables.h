/* Dense's variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_CROSSOVER, NULL, "LAPACK door: matrices up to this order go straight to LAPACK (0: none)")
TW_VARIABLE(TILEWORK_DROPIN, "all, lapack, blas or none",
            "which names libtilework_lapack.so takes; the others are LAPACK's own")
TW_VARIABLE(TILEWORK_DROPIN_CALLS, NULL,
            "file for libtilework_lapack.so's count of calls, written when the program ends")
TW_VARIABLE(TILEWORK_TRSM, "auto, solve or inverse", "panels solved, or multiplied with their diagonal tile's inverse")
