/* FFT's variables: see runtime/base/own_variables.h. */
TW_VARIABLE(TILEWORK_FFT_PATH, "auto, direct or tasks", "FFTs in the caller's thread or as tasks (fft --path)")
TW_VARIABLE(TILEWORK_FFT_RIGOR, "estimate, measure or patient", "how FFTW plans (fft --rigor)")
TW_VARIABLE(TILEWORK_FFT_TIMELIMIT, "seconds", "seconds for each of FFTW's plans (fft --time-limit)")
TW_VARIABLE(TILEWORK_FFT_PLACE, "auto, cpu, gpu or both", "where FFTs by tasks run")
