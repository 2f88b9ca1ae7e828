/* FFT's variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_FFT_PATH, TW_WORDS("auto", "direct", "tasks"), "auto, direct or tasks",
            "FFTs in the caller's thread or as tasks (fft --path)")
TW_VARIABLE(TILEWORK_FFT_RIGOR, TW_WORDS("estimate", "measure", "patient"), "estimate, measure or patient",
            "how FFTW plans (fft --rigor)")
TW_VARIABLE(TILEWORK_FFT_TIMELIMIT, TW_SECONDS(1e6), "seconds", "seconds for each of FFTW's plans (fft --time-limit)")
TW_VARIABLE(TILEWORK_FFT_PLACE, TW_WORDS("auto", "cpu", "gpu", "both"), "auto, cpu, gpu or both",
            "where FFTs by tasks run")
