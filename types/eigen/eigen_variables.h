/* Eigenvalues' variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_BAND, TW_INTEGER(1, 1024), "a number of sub-diagonals",
            "the bandwidth of the two-stage reductions to tridiagonal and bidiagonal form, where no other is asked for")
TW_VARIABLE(TILEWORK_ROUTE, TW_WORDS("auto", "lapack", "one", "two"), "auto, lapack, one or two",
            "how eigenvalues (and singular values, but for `one`) of a dense matrix are found: by LAPACK alone, in one "
            "stage, or by way of a band (--route)")
TW_VARIABLE(TILEWORK_LEAF, TW_INTEGER(1, 1 << 20), "an order",
            "parts of a tridiagonal matrix up to this order are not divided (for tests)")
TW_VARIABLE(TILEWORK_CHASE, TW_WORDS("auto", "cpu", "gpu"), "auto, cpu or gpu",
            "where bulge chasing, from a band to a tridiagonal matrix, is done: as tasks for cores or for a GPU")
