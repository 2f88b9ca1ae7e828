/* Dense's variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_CROSSOVER, TW_INTEGER(0, LONG_MAX), "a number",
            "LAPACK door: matrices up to this order go straight to LAPACK (0: none)")
TW_VARIABLE(
    TILEWORK_DROPIN, TW_ANY, "all, 1, lapack, blas, fftw, none or 0",
    "which names libtilework_lapack.so and libtilework_fftw.so take; the others are LAPACK's, BLAS' and FFTW's own")
TW_VARIABLE(TILEWORK_DROPIN_MIN, TW_ANY, "any order",
            "it takes calls from this order on, 0 all of them (tilework run --min)")
TW_VARIABLE(TILEWORK_DROPIN_BACKEND, TW_ANY, NULL,
            "the library that it forwards to, in place of the one that a caller would have had")
TW_VARIABLE(TILEWORK_DROPIN_REPORT, TW_ANY, NULL,
            "1: it says on stderr what it did; a file: a line of JSON for each process (tilework run --report)")
TW_VARIABLE(TILEWORK_DOCTOR_ROOT, TW_ANY, NULL,
            "tilework doctor looks for /proc, /sys and /dev below this folder (for tests)")
TW_VARIABLE(TILEWORK_DROPIN_ROOT, TW_ANY, NULL,
            "libtilework_lapack.so and libtilework_fftw.so look for /proc and /dev below this folder (for tests)")
TW_VARIABLE(TILEWORK_DROPIN_RUN, TW_ANY, NULL,
            "the process that `tilework run` started, which reports even if it made no call")
TW_VARIABLE(TILEWORK_DROPIN_CALLS, TW_ANY, NULL, "file for its count of calls, written when the program ends")
TW_VARIABLE(TILEWORK_DROPIN_SELECT, TW_ANY, "0 or 1",
            "1: it also takes calls with a function that selects eigenvalues, which another thread will call")
TW_VARIABLE(TILEWORK_FP32, TW_WORDS("auto", "plain", "tf32"), "auto, plain or tf32",
            "products of single precision on GPUs: by its own arithmetic, or of three products of TF32 each")
TW_VARIABLE(
    TILEWORK_TALL, TW_INTEGER(0, INT32_MAX), "a number",
    "rows of a tall matrix that one task of gels factors, and tall matrices as with GPUs on cores, too; 0: as on "
    "cores; default: up to 32,768 where there are GPUs (for measurements)")
TW_VARIABLE(TILEWORK_TRSM, TW_WORDS("auto", "solve", "inverse"), "auto, solve or inverse",
            "panels solved, or multiplied with their diagonal tile's inverse")
