/* tilework run: another program, with libtilework_lapack.so before its BLAS and libtilework_fftw.so before its FFTW. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/preload.h"

static int usage(void)
{
    printf("usage: tilework run [--report[=FILE]] [--min N] [--] PROGRAM [arguments]\n"
           "\n"
           "Runs a program, and what it starts, with libtilework_lapack.so loaded before its BLAS and LAPACK, and "
           "libtilework_fftw.so\n"
           "(where it is) before FFTW: calls of these that are large enough to gain are Tilework's, all others go "
           "where they would have gone.\n"
           "  --report       what was called, taken and forwarded, with times: on stderr when each process ends that "
           "made calls\n"
           "  --report=FILE  the same as a line of JSON for each process, appended to FILE\n"
           "  --min N        take every problem of order N and more (cube root of the product of its dimensions), "
           "whether it\n"
           "                 gains or not; 0: all\n"
           "Programs in Python gain more by their functions of numpy.linalg and scipy.linalg, also without a GPU:\n"
           "  PYTHONPATH=PREFIX/share/tilework/python python3 -m tilework [--report] program.py   (docs/python.md)\n"
           "The variables behind this: tilework help variables (TILEWORK_DROPIN...). More: docs/dropin.md.\n");
    return CLI_OK;
}

static int set(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 ? 0 : cli_error(CLI_FAILED, "run: %s: %s", name, strerror(errno));
}

/* What is to be loaded before stays, and comes first: such as a sanitizer's library. */
static int preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char list[12288];

    if (!others || !*others) return set("LD_PRELOAD", library);
    if (strstr(others, library)) return 0;
    if (snprintf(list, sizeof list, "%s:%s", others, library) >= (int)sizeof list)
        return cli_error(CLI_FAILED, "run: LD_PRELOAD is too long");
    return set("LD_PRELOAD", list);
}

/* Processes append to it when they end, wherever they are by then: the name from the root on, and a trial, which leaves
 * nothing. */
static int report_to(const char *file)
{
    char path[8192], here[4096];
    struct stat s;
    const int there = lstat(file, &s) == 0; /* a link to nothing, too: it stays */
    int f;

    if (!*file) return cli_error(CLI_USAGE, "run: --report=: expected the name of a file, or --report alone");
    if (!strcmp(file, "1") || !strcmp(file, "0")) return set("TILEWORK_DROPIN_REPORT", file);
    f = open(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
    if (f < 0 && !(errno == ENXIO && there)) /* a pipe without a reader yet */
        return cli_error(CLI_USAGE, "run: --report=%s: cannot write: %s", file, strerror(errno));
    if (f >= 0) close(f);
    if (*file == '/')
        snprintf(path, sizeof path, "%s", file);
    else if (!getcwd(here, sizeof here))
        return cli_error(CLI_FAILED, "run: --report=%s: %s", file, strerror(errno));
    else
        snprintf(path, sizeof path, "%s/%s", here, file);
    if (!there) unlink(path);
    return set("TILEWORK_DROPIN_REPORT", path);
}

/* file: what might have been meant as --report's, behind a blank. */
static int no_program(const char *word, int file)
{
    const char *why = cli_preload_no_program(word);

    if (file) return cli_error(CLI_USAGE, "run: '%s': %s. Did you mean --report=%s?", word, why, word);
    return cli_error(CLI_USAGE, "run: '%s': %s", word, why);
}

/* A script without "#!" is the shell's, as for execvp. */
static void by_the_shell(const char *program, char **argv)
{
    size_t n = 0;
    char **words;

    while (argv[n])
        n++;
    words = calloc(n + 2, sizeof *words);
    if (!words) return;
    words[0] = "/bin/sh";
    words[1] = (char *)program;
    memcpy(words + 2, argv + 1, n * sizeof *words); /* the NULL, too */
    execv(words[0], words);
    free(words);
}

static int start(char **argv, int file)
{
    char real[4096], library[4096], fftw[4096 + 32], program[4096], why[600], self[32];
    const char *kernels = tw_blas_advice();

    if (!cli_preload_library(real))
        return cli_error(CLI_FAILED, "run: libtilework_lapack.so.0 is not beside libtilework.so");
    if (!cli_preload_name(real, library))
        return cli_error(CLI_USAGE,
                         "run: %s: the loader cannot be given a name with a blank, a colon or a '$', and neither "
                         "$TMPDIR nor /tmp takes a link to it",
                         real);
    /* FFTW's names are a library apart, which builds without FFTW do not have. */
    memcpy(fftw, library, sizeof library);
    memcpy(strrchr(fftw, '/') + 1, "libtilework_fftw.so.0", sizeof "libtilework_fftw.so.0");
    if (!cli_preload_program(argv[0], program)) return no_program(argv[0], file);
    if (cli_preload_obstacle(program, why)) cli_error(0, "run: nothing will be taken: %s", why);
    snprintf(self, sizeof self, "%ld", (long)getpid());
    if ((access(fftw, R_OK) == 0 && preload(fftw)) || preload(library) || set("TILEWORK_DROPIN_RUN", self) ||
        (kernels && !getenv("OPENBLAS_CORETYPE") && set("OPENBLAS_CORETYPE", kernels)))
        return CLI_FAILED;
    execv(program, argv);
    if (errno == ENOEXEC) by_the_shell(program, argv);
    return cli_error(CLI_FAILED, "run: %s: %s", program, strerror(errno));
}

static int run(int argc, char **argv)
{
    static const struct option flags[] = {{"report", optional_argument, NULL, 'r'},
                                          {"min", required_argument, NULL, 'm'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    char number[32];
    const char *from;
    long long min;
    int c, e, said = 0;

    opterr = 0;
    optind = 0; /* glibc: begin again, and look for a leading '+' */
    while ((c = getopt_long(argc, argv, "+h", flags, NULL)) != -1)
        switch (c) {
        case 'h': return usage();
        case 'r':
            if ((e = optarg ? report_to(optarg) : set("TILEWORK_DROPIN_REPORT", "1"))) return e;
            said = 1;
            break;
        case 'm':
            if (cli_whole_number("--min", optarg, 0, 1000000, &min)) return CLI_USAGE;
            snprintf(number, sizeof number, "%lld", min);
            if (set("TILEWORK_DROPIN_MIN", number)) return CLI_FAILED;
            break;
        default: return cli_unknown_flag(cli_refused(argv), flags, "tilework run -h");
        }
    if (optind >= argc) return cli_error(CLI_USAGE, "run: which program? See: tilework run -h");
    from = cli_variable("TILEWORK_DROPIN_REPORT");
    if (!said && from && *from && (e = report_to(from))) return e;
    return start(argv + optind, optind > 0 && !strcmp(argv[optind - 1], "--report"));
}

CLI_COMMAND(85, run) = {
    .name = "run",
    .summary = "another program, with its large BLAS and LAPACK calls taken:  tilework run -- python3 program.py",
    .run = run,
};
