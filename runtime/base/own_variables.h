/* The runtime's own variables. TW_VARIABLE(name, what is legal, the same in words (of TW_ANY tilework doctor reads
 * them: `bytes`, `numbers...`, `any order`) or NULL, what it says): defined by the file that includes this one, as for
 * a family's list in types/. What is legal is one of runtime/base/variables.c: TW_WORDS, TW_INTEGER and its like,
 * TW_SECONDS; TW_ANY: what reads it says. No include guard: it is read several times. */
TW_VARIABLE(TILEWORK_NB, TW_INTEGER_OR("auto", 1, 1 << 20), "auto or a number", "order of the tiles (--nb)")
TW_VARIABLE(TILEWORK_PRIORITY, TW_WORDS("none", "panel", "bottom-level"), "none, panel or bottom-level",
            "how tasks are ranked (--priority)")
TW_VARIABLE(
    TILEWORK_LOOKAHEAD, TW_INTEGER_OR("auto", 0, 1 << 20), "auto or a number",
    "block columns that LU, QR and Cholesky work ahead of the others; auto: by the longest path (for measurements)")
TW_VARIABLE(TILEWORK_WINDOW, TW_INTEGER(1, LONG_MAX), "a number",
            "submitted, unfinished tasks of one sequence at most; default: 16384 (--window)")
TW_VARIABLE(TILEWORK_TEAM, TW_INTEGER(1, 1024), "a number", "cores that may work on one task at most; 1: never several")
TW_VARIABLE(TILEWORK_TRACE, TW_ANY, NULL, "prefix of the trace files written when the library stops (--trace)")
TW_VARIABLE(TILEWORK_TRACE_FORMATS, TW_ANY, NULL,
            "which of a trace's files are written, such as tw,html; default: tw, paje, json, svg, html")
TW_VARIABLE(TILEWORK_TRACE_LIMIT, TW_INTEGER_WITH("last:", 1, LONG_MAX / 4), "a number or last:N",
            "tasks that are recorded at most, the first ones or the last ones; what is missing is counted and said")
TW_VARIABLE(TILEWORK_TRACE_GPU, TW_WORDS("host", "events"), "host or events",
            "whose clock GPU tasks' times in recordings are: the host's, or the GPU's own by CUDA events")
TW_VARIABLE(TILEWORK_NVTX, TW_WORDS("0", "1"), "0 or 1",
            "1: marks, calls and tasks as NVTX ranges, which Nsight Systems shows")
TW_VARIABLE(TILEWORK_RANK, TW_INTEGER(0, TW_RANK_MOST), "a number",
            "this process' number among those of one run, for recordings; default: what mpirun or srun says")
TW_VARIABLE(TILEWORK_PROGRESS, TW_WORDS("0", "1"), "0 or 1", "1: progress bar, 0: none (--progress, --no-progress)")
TW_VARIABLE(TILEWORK_REPRODUCIBLE, TW_WORDS("0", "1"), "0 or 1", "1: bit-identical results run to run")
TW_VARIABLE(TILEWORK_VERBOSE, TW_INTEGER(0, 3), "0, 1, 2 or 3", "how much the library says on stderr")
TW_VARIABLE(TILEWORK_CACHE_DIR, TW_ANY, NULL, "where the machine profile and FFTW's wisdom are kept")
TW_VARIABLE(TILEWORK_REPROBE, TW_WORDS("0", "1"), "0 or 1",
            "1: measure the machine profile at this start (tilework calibrate does so for longer)")
TW_VARIABLE(TILEWORK_GPU_RATES, TW_ANY, "numbers from 0.01 to 100 with commas",
            "relative rates of GPUs by CUDA's numbers, such as 1,0.5, in place of what was measured (for experiments)")
TW_VARIABLE(TILEWORK_HOST_MEMORY, TW_ANY, "bytes",
            "bytes of main memory to plan with, such as 100G; default: the least of memory, cgroup, rlimit")
TW_VARIABLE(TILEWORK_IDLE, TW_SECONDS(1e6), "seconds",
            "after so many seconds without a call pinned memory, workspaces and unused GPU memory are given back; 0: "
            "never; default: 10 in "
            "programs that do not know Tilework (drop-ins), else 0")
TW_VARIABLE(TILEWORK_REST, TW_INTEGER(0, 100000), "a number from 0 to 100000",
            "microseconds that a CPU worker without tasks sleeps at a time, so that other threads have its core; 0: "
            "never (default)")
TW_VARIABLE(TILEWORK_STAGE, TW_ANY, "auto, 0, 1 or bytes",
            "plain arrays staged through pinned memory: 0 never, 1 always, or with slots of so many bytes")
TW_VARIABLE(TILEWORK_GPU_PIECE, TW_INTEGER_WITH("main:", 0, 65536), "a number or main:N",
            "MiB of the pieces from which tiles on GPUs are cut; 0: memory for each tile by itself; default: 256; "
            "main:N: in main memory, too (for tests)")
TW_VARIABLE(TILEWORK_BARRIERS, TW_WORDS("0", "1"), "0 or 1",
            "1: no stage of eigenvalues and singular values begins beside the one before it (for measurements)")
TW_VARIABLE(TILEWORK_GPU_TILES, TW_INTEGER(1, LONG_MAX), "a number",
            "act as if the GPUs held so many tiles (for tests)")
TW_VARIABLE(TILEWORK_MODELLED, TW_WORDS("0", "1"), "0 or 1",
            "1: values that loops read while tasks run are their modelled ones (for tests)")
TW_VARIABLE(TILEWORK_FORCE_CUDA, TW_WORDS("0", "1"), "0 or 1",
            "1: every task that has a CUDA body runs on a GPU (for tests)")
TW_VARIABLE(TILEWORK_FAULT, TW_WORDS("0", "1"), "0 or 1",
            "1: perturbs one tile, in builds made for testing the checkers")
