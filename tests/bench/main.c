/* tilework-bench: Tilework beside other libraries, in one process, on the same cores, with the same BLAS kernels. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/common.h"
#include "cli/count.h"
#include "cli/stack.h"
#include "cli/stdout.h"
#include "cli/words.h"

static const char usage[] =
    "usage: tilework bench BENCH [flags]      (or: tilework-bench BENCH [flags])\n"
    "  potrf      Cholesky: Tilework through its doors beside LAPACK, cuSOLVER and cuSOLVERMg, with the split of the "
    "time\n"
    "  syevd, syevr, sygvd, stedc  eigenvalues alone, and with eigenvectors: Tilework beside LAPACK, ELPA and "
    "cuSOLVER\n"
    "  gesdd      singular values alone, and with vectors of both sides: Tilework beside LAPACK and cuSOLVER\n"
    "  geev       eigenvalues of a general matrix, and with right eigenvectors: the same peers\n"
    "  gels       least squares of --m x --n: Tilework through its doors beside LAPACK, and what one copy of A takes\n"
    "  getrf, geqrf, gelqf, geqp3, geqp3_random, potri, trtri, lauum, gesv, posv, gesv_mixed, posv_mixed, gesv_half,\n"
    "  posv_half  each on a square matrix of the library beside LAPACK, cuSOLVER (getrf, geqrf, gesv_mixed,\n"
    "             gesv_half), gemm, and the routine that it is told by: gesv or posv of mixed precision, geqrf of\n"
    "             pivoted and LQ factorizations\n"
    "  cholqr     QR of a tall matrix with Q, --m x --n: an array that stays on a GPU, and from and to main memory\n"
    "  lookahead  getrf, geqrf and potrf with --lookahead 0,1,2,auto [these], run by run in turn\n"
    "  overhead   microseconds per empty task, plain StarPU and Tilework; --record: what recording adds\n"
    "  memory     main memory beyond the matrix of an in-place factorization\n"
    "  gemm       sustained rate of gemm by size on CPU cores and GPU: the ceiling\n"
    "  blas3      gemm, symm, syrk, syr2k, trmm, trsm in double precision beside OpenBLAS, run by run in turn, and\n"
    "             gemm's sustained rate\n"
    "  cutoff     localized interactions (Verlet steps) beside the sum over all pairs; --n atoms\n"
    "  cusolver   potrf of cuSOLVER, data resident and host to host\n"
    "  field      PATH [KEY=VALUE...] < LINES: a value from the JSON lines of the others, for scripts\n"
    "flags (defaults in brackets):\n"
    "  --n N,N,...    orders          --type s|d|c|z  [d]      --repeat R  [3; of potrf 301 up to\n"
    "                                 n = 512] runs after the first\n"
    "  --nb NB        of Tilework's tiles [chosen]             --tasks T   of overhead [100000]\n"
    "  --seconds S    of each gemm [0.3]                       --json      one JSON object per result\n"
    "of potrf:\n"
    "  --vs PEER,...  lapack, cusolver, cusolvermg, none [lapack]; cusolver-resident and cusolvermg-resident leave "
    "the\n"
    "                 runs with transfers (and the pinned n x n array) out\n"
    "  --door DOOR,.. tiles (the library's pinned memory), lapack (a plain malloc'ed array) [both; tiles from n = 513 "
    "on]\n"
    "  --kind K       generator of the input [spd]             --check     scaled residuals of all factors\n"
    "  --no-gemm      do not measure the ceiling\n"
    "of syevd and its like, besides --vs, --door, --kind [symmetric] and --check:\n"
    "                 --vs also elpa (of syevd and syevr, where it was built)\n"
    "  --jobz N|V|N,V values alone, with vectors, or one after the other [N,V]\n"
    "  --share S      of the spectrum that syevr finds, from below [0.1]\n"
    "  --m M          rows of gesdd's matrix [as many as columns]; at least as many; of gels', cholqr's [200000]\n"
    "  --nrhs K       right-hand sides of gels [1]; it has --vs (lapack, none), --door, --kind [random], --check\n"
    "  --barriers     the same runs with barriers between stages, too, in turn (not stedc, geev; with --door tiles)\n"
    "of getrf ... posv_half: --vs (lapack, cusolver, cusolver-resident, none; device: Tilework on an array that stays "
    "on\n"
    "                 a GPU, of getrf, geqrf, gelqf), --kind [random; spd of potri, trtri, lauum and posv...],\n"
    "                 --nrhs of solvers [1], --check, --no-gemm\n"
    "of blas3: --vs (lapack: OpenBLAS; none), --door [lapack: BLAS's names on plain arrays; tiles: the library's "
    "matrices,\n"
    "                 without OpenBLAS], --only gemm,symm,syrk,syr2k,trmm,trsm [all], --no-gemm\n"
    "of cholqr: --m, --kind [svd:1e6], --check\n"
    "of lookahead, of getrf, geqrf and potrf by turns:\n"
    "  --lookahead D,...  depths, in turn: block columns worked on ahead of the others; auto: by priorities\n"
    "                 [0,1,2,auto]\n"
    "tilework bench BENCH --help: also the flags of that one, its orders and its --kind\n";

/* What --vs may name, by bench. */
enum {
    ON_ONE_GPU = BENCH_CUSOLVER_RESIDENT | BENCH_CUSOLVER_HOST,
    ON_GPUS = ON_ONE_GPU | BENCH_CUSOLVERMG_RESIDENT | BENCH_CUSOLVERMG_HOST,
    DENSE = BENCH_LAPACK | ON_ONE_GPU | BENCH_DEVICE,
    CHOLESKY = BENCH_LAPACK | ON_GPUS,
    EIGEN = CHOLESKY | BENCH_ELPA
};
static const struct bench {
    const char *name;
    int (*run)(const struct bench_options *o);
    const char *sizes;
    const char *kind;  /* of the input; NULL: spd */
    int peers;         /* of --vs */
    const char *flags; /* the letters of those that it has (parse) */
} benches[] = {{"potrf", bench_potrf, "256,1024,2048,4096,8192", NULL, CHOLESKY, "nrtbjvdicg"},
               {"syevd", bench_syevd, "1000,2000,4000", "symmetric", EIGEN, "nrtbjvdicza"},
               {"syevr", bench_syevr, "1000,2000,4000", "symmetric", EIGEN, "nrtbjvdiczap"},
               {"sygvd", bench_sygvd, "1000,2000,4000", "symmetric", EIGEN, "nrtbjvdicza"},
               {"stedc", bench_stedc, "1000,2000,4000", "symmetric", EIGEN, "nrtbjvdicz"},
               {"gesdd", bench_gesdd, "1000,2000,4000", "random", EIGEN, "nrtbjvdiczam"},
               {"geev", bench_geev, "500,1000,2000", "random", EIGEN, "nrtbjvdicz"},
               {"gels", bench_gels, "256", "random", BENCH_LAPACK, "nrtbjvdicmh"},
               {"getrf", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicg"},
               {"geqrf", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicg"},
               {"gelqf", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicg"},
               {"geqp3", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicg"},
               {"geqp3_random", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicg"},
               {"potri", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicg"},
               {"trtri", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicg"},
               {"lauum", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicg"},
               {"gesv", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicgh"},
               {"posv", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicgh"},
               {"gesv_mixed", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicgh"},
               {"posv_mixed", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicgh"},
               {"gesv_half", bench_dense, "1000,2000,4000", "random", DENSE, "nrtbjvicgh"},
               {"posv_half", bench_dense, "1000,2000,4000", "spd", DENSE, "nrtbjvicgh"},
               {"cholqr", bench_cholqr, "256", "svd:1e6", 0, "nrtbjicm"},
               {"lookahead", bench_lookahead, "3000", "random", 0, "nrtbjl"},
               {"overhead", bench_overhead, "1", NULL, 0, "rjko"},
               {"memory", bench_memory, "8192", NULL, 0, "ntj"},
               {"gemm", bench_gemm, "64,128,256,512,1024,2048,4096", NULL, 0, "ntjs"},
               {"blas3", bench_blas3, "1024,4096", NULL, BENCH_LAPACK, "nrtbjvdgy"},
               {"cutoff", bench_cutoff, "1000000", NULL, 0, "nrtj"},
               {"cusolver", bench_cusolver, "4096,8192,16384,32768", NULL, 0, "nrtji"}};
#define NBENCHES (sizeof benches / sizeof *benches)

static const char *name_of(int k)
{
    static const char *const others[] = {"field", "fft", NULL}; /* fft: `tilework bench fft` is a program of its own */
    return k < (int)NBENCHES ? benches[k].name : others[k - (int)NBENCHES];
}

struct word {
    const char *name;
    int bits;
};

static const struct word products[] = {{"gemm", 1},   {"symm", 4},  {"syrk", 8}, /* bits of blas3.c's list */
                                       {"syr2k", 16}, {"trmm", 32}, {"trsm", 64}, {NULL, 0}};

/* 0 after a message, with the nearest name or all of them. */
static int is_known(const char *word)
{
    const char *nearest = cli_nearest(word, name_of), *name;

    for (int k = 0; (name = name_of(k)); k++)
        if (!strcmp(word, name)) return 1;
    if (!strcmp(word, "help") || !strcmp(word, "version")) return 1;
    for (size_t k = 0; k < sizeof products / sizeof *products - 1; k++)
        if (!strcmp(word, products[k].name)) {
            bench_fail("%s: there is no benchmark of this name: blas3 --only %s", word, word);
            return 0;
        }
    if (nearest)
        bench_fail("%s: there is no benchmark of this name; did you mean %s?", word, nearest);
    else
        bench_fail("%s: there is no benchmark of this name\n%s", word, usage);
    return 0;
}

/* Up to a comma, if there is one. */
static int whole_number(const char *flag, const char *text, long long low, long long high, tw_int *value)
{
    char copy[64];
    long long v = 0;

    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(text, ","), text);
    if (strcspn(text, ",") >= sizeof copy || !cli_count(copy, &v) || v < low || v > high)
        return bench_fail("%s %s: expected whole numbers from %lld to %lld, such as 1000, 1e3, 2^10 or 64K", flag, text,
                          low, high);
    *value = v;
    return 0;
}

static int sizes(const char *text, struct bench_options *o)
{
    o->sizes = 0;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (o->sizes == BENCH_MAX_SIZES) return bench_fail("--n: at most %d orders", BENCH_MAX_SIZES);
        if (whole_number("--n", at, 1, 1000000, &o->n[o->sizes++])) return 1;
    }
    return 0;
}

/* Words with commas between them: the bits of all. */
static int words(const char *flag, const char *text, const struct word *known, int *bits)
{
    char copy[256], *state = NULL;

    snprintf(copy, sizeof copy, "%s", text);
    *bits = 0;
    for (char *name = strtok_r(copy, ",", &state); name; name = strtok_r(NULL, ",", &state)) {
        const struct word *w = known;
        while (w->name && strcmp(w->name, name) != 0)
            w++;
        if (!w->name) {
            fprintf(stderr, "tilework-bench: %s %s: expected, with commas between them:", flag, text);
            for (w = known; w->name; w++)
                fprintf(stderr, " %s", w->name);
            fputc('\n', stderr);
            return 1;
        }
        *bits |= w->bits;
    }
    return 0;
}

static const struct word peers[] = {{"lapack", BENCH_LAPACK},
                                    {"cusolver", BENCH_CUSOLVER_RESIDENT | BENCH_CUSOLVER_HOST},
                                    {"cusolver-resident", BENCH_CUSOLVER_RESIDENT},
                                    {"cusolver_resident", BENCH_CUSOLVER_RESIDENT}, /* as in the records */
                                    {"cusolvermg", BENCH_CUSOLVERMG_RESIDENT | BENCH_CUSOLVERMG_HOST},
                                    {"cusolvermg-resident", BENCH_CUSOLVERMG_RESIDENT},
                                    {"elpa", BENCH_ELPA},
                                    {"device", BENCH_DEVICE}, /* Tilework itself there */
                                    {"none", 0},
                                    {NULL, 0}};
static const struct word doors[] = {{"tiles", BENCH_TILES}, {"lapack", BENCH_ARRAY}, {NULL, 0}};

static const struct word jobs[] = {{"N", BENCH_VALUES}, {"V", BENCH_VECTORS}, {NULL, 0}};

static int one_flag(int c, const char *value, struct bench_options *o)
{
    tw_int v;
    char *end;

    switch (c) {
    case 'n': return sizes(value, o);
    case 'v': return words("--vs", value, peers, &o->peers);
    case 'd':
        if (words("--door", value, doors, &o->doors)) return 1;
        return o->doors ? 0 : bench_fail("--door: expected tiles, lapack, or both with a comma");
    case 'y':
        if (words("--only", value, products, &o->only)) return 1;
        return o->only ? 0 : bench_fail("--only: expected a routine of BLAS-3, or several with commas");
    case 'i': o->kind = value; return 0;
    case 'z':
        if (words("--jobz", value, jobs, &o->jobz)) return 1;
        return o->jobz ? 0 : bench_fail("--jobz: expected N, V, or both with a comma");
    case 'p':
        o->share = strtod(value, &end);
        return end == value || *end || !(o->share > 0 && o->share <= 1)
                   ? bench_fail("--share %s: expected a number above 0, at most 1", value)
                   : 0;
    case 'c': o->check = 1; return 0;
    case 'g': o->gemm = 0; return 0;
    case 'r':
        if (whole_number("--repeat", value, 1, 1000000, &v)) return 1;
        o->repeat = (int)v;
        return 0;
    case 'k': return whole_number("--tasks", value, 1, 100000000, &o->tasks);
    case 'm': return whole_number("--m", value, 1, 1 << 30, &o->m);
    case 'l': o->ahead = value; return 0;
    case 'h': return whole_number("--nrhs", value, 1, 1 << 30, &o->nrhs);
    case 'b': return whole_number("--nb", value, 1, 1 << 20, &o->nb);
    case 'j': o->json = 1; return 0;
    case 'o': o->record = 1; return 0;
    case 'a': o->barriers = 1; return 0;
    case 's':
        o->seconds = strtod(value, &end);
        return end == value || *end || !(o->seconds > 0) ? bench_fail("--seconds %s: expected a positive number", value)
                                                         : 0;
    default:
        if (strlen(value) != 1 || !strchr("sdcz", *value)) return bench_fail("--type %s: expected s, d, c or z", value);
        o->type = (enum tw_type)(strchr("sdcz", *value) - "sdcz");
        return 0;
    }
}

static const struct option flags[] = {{"n", 1, NULL, 'n'},         {"vs", 1, NULL, 'v'},      {"repeat", 1, NULL, 'r'},
                                      {"tasks", 1, NULL, 'k'},     {"nb", 1, NULL, 'b'},      {"type", 1, NULL, 't'},
                                      {"json", 0, NULL, 'j'},      {"seconds", 1, NULL, 's'}, {"door", 1, NULL, 'd'},
                                      {"kind", 1, NULL, 'i'},      {"check", 0, NULL, 'c'},   {"no-gemm", 0, NULL, 'g'},
                                      {"jobz", 1, NULL, 'z'},      {"share", 1, NULL, 'p'},   {"record", 0, NULL, 'o'},
                                      {"barriers", 0, NULL, 'a'},  {"m", 1, NULL, 'm'},       {"nrhs", 1, NULL, 'h'},
                                      {"lookahead", 1, NULL, 'l'}, {"only", 1, NULL, 'y'},    {NULL, 0, NULL, 0}};

static const char *flag_name(int k)
{
    return flags[k].name;
}

/* A flag that nobody knows, or another bench' alone. */
static int not_a_flag(const char *word)
{
    const char *nearest = cli_nearest(word + strspn(word, "-"), flag_name);

    return bench_fail(nearest ? "%s: no such flag; did you mean --%s? (tilework bench --help)"
                              : "%s: no such flag (tilework bench --help)",
                      word, nearest);
}
static int another_bench(const struct bench *b, int letter)
{
    fputs("tilework-bench: --", stderr);
    for (const struct option *f = flags; f->name; f++)
        if (f->val == letter) fputs(f->name, stderr);
    fprintf(stderr, ": not a flag of %s, which has", b->name);
    for (const struct option *f = flags; f->name; f++)
        if (strchr(b->flags, f->val)) fprintf(stderr, " --%s", f->name);
    fputc('\n', stderr);
    return 1;
}
static int another_peer(const struct bench *b)
{
    fprintf(stderr, "tilework-bench: --vs: %s has", b->name);
    for (const struct word *w = peers; w->name; w++)
        if (!(w->bits & ~b->peers)) fprintf(stderr, " %s", w->name);
    fputc('\n', stderr);
    return 1;
}

static int parse(int argc, char **argv, const struct bench *b, struct bench_options *o)
{
    int c;

    opterr = 0;
    optind = 2;
    while ((c = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        if (c == ':') return bench_fail("%s: needs a value", argv[optind - 1]);
        if (c == '?') return not_a_flag(argv[optind - 1]);
        if (!strchr(b->flags, c)) return another_bench(b, c);
        if (one_flag(c, optarg, o)) return 1;
        if (c == 'v' && o->peers & ~b->peers) return another_peer(b);
    }
    if (optind < argc) return bench_fail("%s: not a flag (tilework bench --help)", argv[optind]);
    o->peers &= b->peers;
    return 0;
}

/* Behind the help: what the one benchmark has that was asked for. */
static void told_of(int argc, char **argv)
{
    if (argc < 3 || cli_word_asked(argc, argv) != CLI_WORD_HELP) return;
    for (const struct bench *b = benches; b < benches + NBENCHES; b++) {
        if (strcmp(argv[1], b->name) != 0) continue;
        printf("\n%s has", b->name);
        for (const struct option *f = flags; f->name; f++) {
            if (!strchr(b->flags, f->val)) continue;
            printf(" --%s", f->name);
            if (f->val == 'n') printf(" [%s]", b->sizes);
            if (f->val == 'i') printf(" [%s]", b->kind ? b->kind : "spd");
        }
        putchar('\n');
        if (!b->peers) continue;
        printf("--vs:");
        for (const struct word *w = peers; w->name; w++)
            if (!(w->bits & ~b->peers)) printf(" %s", w->name);
        putchar('\n');
    }
}

static int run(int argc, char **argv)
{
    struct bench_options o = {.type = TW_DOUBLE,
                              .peers = BENCH_LAPACK,
                              .doors = BENCH_TILES | BENCH_ARRAY,
                              .gemm = 1,
                              .tasks = 100000,
                              .seconds = 0.3,
                              .kind = "spd",
                              .jobz = BENCH_VALUES | BENCH_VECTORS,
                              .share = 0.1,
                              .argc = argc,
                              .argv = argv};

    if (argc > 1 && *argv[1] != '-' && cli_word_asked(argc, argv) == CLI_WORD_HELP && !is_known(argv[1])) return 2;
    if (cli_word_answered(argc, argv, "tilework-bench", usage)) return told_of(argc, argv), 0;
    if (argc > 1 && !strcmp(argv[1], "memory-child")) return bench_memory_child(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "field")) return bench_field(argc, argv);
    for (size_t i = 0; i < NBENCHES && argc > 1; i++)
        if (!strcmp(argv[1], benches[i].name)) {
            if (benches[i].kind) o.kind = benches[i].kind;
            if (sizes(benches[i].sizes, &o) || parse(argc, argv, &benches[i], &o)) return 2;
            if (cli_small_stack()) /* nor could it be raised */
                return bench_fail("the stack's limit is too small for OpenBLAS' threads: ulimit -s 8192");
            tw_blas_reexec(argv);
            o.repeat_given = o.repeat > 0;
            if (!o.repeat_given) o.repeat = 3;
            return benches[i].run(&o);
        }
    if (argc > 1 && !is_known(argv[1])) return 2;
    fputs(usage, stderr);
    return 2;
}

int main(int argc, char **argv)
{
    return cli_close_stdout("tilework-bench", cli_with_stack(argc, argv, run));
}
