/* tilework gemm, symm, …: flags, matrices, runs, reports. The matrices are random; triangles that are solved with have
 * a large diagonal. */
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dense/blas3.h"

/* ---- flags ------------------------------------------------------------------------------------------------------- */

enum {
    M = 256,
    N,
    K,
    TYPE,
    SIDE,
    UPLO,
    TRANSA,
    TRANSB,
    TRANS,
    DIAG,
    ALPHA,
    BETA,
    NB,
    SEED,
    REPEAT,
    CHECK,
    JSON,
    LAPACK_DOOR
};
static const struct option flags[] = {{"m", 1, NULL, M},
                                      {"n", 1, NULL, N},
                                      {"k", 1, NULL, K},
                                      {"type", 1, NULL, TYPE},
                                      {"side", 1, NULL, SIDE},
                                      {"uplo", 1, NULL, UPLO},
                                      {"transa", 1, NULL, TRANSA},
                                      {"transb", 1, NULL, TRANSB},
                                      {"trans", 1, NULL, TRANS}, /* BLAS' name of it where there is one */
                                      {"diag", 1, NULL, DIAG},
                                      {"alpha", 1, NULL, ALPHA},
                                      {"beta", 1, NULL, BETA},
                                      {"nb", 1, NULL, NB},
                                      {"seed", 1, NULL, SEED},
                                      {"repeat", 1, NULL, REPEAT},
                                      {"check", 0, NULL, CHECK},
                                      {"json", 0, NULL, JSON},
                                      {"lapack-door", 0, NULL, LAPACK_DOOR},
                                      {"help", 0, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* Which letter of a row's `flags` allows the flag; 0: every row has it. */
static char own(int flag)
{
    switch (flag) {
    case M: return 'm';
    case K: return 'k';
    case SIDE: return 's';
    case UPLO: return 'u';
    case TRANSA:
    case TRANS: return 'a';
    case TRANSB: return 'b';
    case DIAG: return 'd';
    case BETA: return 'c';
    default: return 0;
    }
}

static int usage(const struct cli_blas3 *row)
{
    const char *h = row->flags;

    printf("tilework %s: BLAS' %s on random matrices\n\n%s\n\nFlags (defaults in brackets):\n", row->name, row->name,
           row->text);
    printf("  --n N                columns of the result, 4096 or 2^12 [4096]\n");
    if (strchr(h, 'm')) printf("  --m M                rows of the result [N]\n");
    if (strchr(h, 'k')) printf("  --k K                products for each element [N]\n");
    if (strchr(h, 's')) printf("  --side L|R           where A stands [L]\n");
    if (strchr(h, 'u')) printf("  --uplo L|U           the triangle that is stored [L]\n");
    if (strchr(h, 'a')) printf("  --transa N|T|C       A, A^T or A^H [N]\n");
    if (strchr(h, 'b')) printf("  --transb N|T|C       B, B^T or B^H [N]\n");
    if (strchr(h, 'd')) printf("  --diag N|U           U: ones on the diagonal of A, whatever is stored there [N]\n");
    printf("  --alpha X            [1]\n");
    if (strchr(h, 'c')) printf("  --beta X             with 0 C is not read [1]\n");
    printf("  --type s|d|c|z       single, double, and complex [d]\n"
           "  --nb NB|auto         order of the tiles [auto: from the machine profile]\n"
           "  --seed S             of the generator [1]\n"
           "  --repeat R           runs, one line each, then median, least and spread [1]\n"
           "  --check              the result against OpenBLAS' products; fails above 30, warns above 3\n"
           "  --lapack-door        BLAS' interface (tw_d%s, ...) on plain malloc'ed arrays\n"
           "  --json               one JSON object per run\n%s",
           row->name, cli_machine_help);
    printf("\nExample:\n  tilework %s --n 2000 --check\n", row->name);
    return CLI_OK;
}

static int one_letter(const char *flag, const char *value, const char *letters, int *to)
{
    const char *at = value[0] && !value[1] ? strchr(letters, value[0] & ~0x20) : NULL;

    if (!at) {
        char text[32] = "";
        for (const char *l = letters; *l; l++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c",
                     l == letters ? ""
                     : l[1]       ? ", "
                                  : " or ",
                     *l);
        return cli_error(-1, "%s %s: expected %s", flag, value, text);
    }
    *to = *at;
    return 0;
}
static int whole_number(const char *flag, const char *value, long long low, long long high, tw_int *to)
{
    long long v;
    if (cli_whole_number(flag, value, low, high, &v)) return -1;
    *to = v;
    return 0;
}

static int one_flag(int c, const char *value, struct cli_blas3_options *o)
{
    const struct cli_blas3 *row = o->row;
    const int symmetric = row->form == CLI_RANK_K || row->form == CLI_RANK_2K;
    int letter = 0, e = 0;
    tw_int v = 0;

    switch (c) {
    case M: return whole_number("--m", value, 0, INT32_MAX, &o->m);
    case N: return whole_number("--n", value, 0, INT32_MAX, &o->n);
    case K: return whole_number("--k", value, 0, INT32_MAX, &o->k);
    case TYPE:
        e = one_letter("--type", value, "SDCZ", &letter);
        if (!e)
            o->type = letter == 'S'   ? TW_FLOAT
                      : letter == 'D' ? TW_DOUBLE
                      : letter == 'C' ? TW_COMPLEX_FLOAT
                                      : TW_COMPLEX_DOUBLE;
        return e;
    case SIDE: e = one_letter("--side", value, "LR", &letter), o->side = (enum tw_side)letter; return e;
    case UPLO: e = one_letter("--uplo", value, "LU", &letter), o->uplo = (enum tw_uplo)letter; return e;
    case TRANS:
        if (strchr(row->flags, 'b'))
            return cli_error(-1, "--trans: %s has --transa and --transb; see: tilework help %s", row->name, row->name);
        /* fall through */
    case TRANSA:
        e = one_letter(c == TRANS ? "--trans" : "--transa", value,
                       !symmetric       ? "NTC"
                       : row->hermitian ? "NC"
                                        : "NT",
                       &letter);
        o->ta = (enum tw_trans)letter;
        return e;
    case TRANSB: e = one_letter("--transb", value, "NTC", &letter), o->tb = (enum tw_trans)letter; return e;
    case DIAG: e = one_letter("--diag", value, "NU", &letter), o->diag = (enum tw_diag)letter; return e;
    case ALPHA: return cli_real("--alpha", value, -1e30, 1e30, &o->alpha);
    case BETA: return cli_real("--beta", value, -1e30, 1e30, &o->beta);
    case NB: return strcmp(value, "auto") ? whole_number("--nb", value, 1, 1 << 20, &o->nb) : (o->nb = 0, 0);
    case SEED: e = whole_number("--seed", value, 0, INT64_MAX, &v), o->seed = (uint64_t)v; return e;
    case REPEAT: e = whole_number("--repeat", value, 1, 1000000, &v), o->repeat = (int)v; return e;
    case CHECK: o->check = 1; return 0;
    case JSON: o->json = 1; return 0;
    default: o->lapack_door = 1; return 0;
    }
}

/* 0, or an exit status + 1 after a message or the usage. */
static int parse(const struct cli_blas3 *row, int argc, char **argv, struct cli_blas3_options *o)
{
    int c, index = 0;

    *o = (struct cli_blas3_options){.row = row,
                                    .m = -1,
                                    .n = -1,
                                    .k = -1,
                                    .type = TW_DOUBLE,
                                    .side = TW_LEFT,
                                    .uplo = TW_LOWER,
                                    .ta = TW_NOTRANS,
                                    .tb = TW_NOTRANS,
                                    .diag = TW_NONUNIT,
                                    .alpha = 1,
                                    .beta = 1,
                                    .seed = 1,
                                    .repeat = 1};
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", flags, &index)) != -1) {
        if (c == 'h') return usage(row), CLI_OK + 1;
        if (c == ':') return cli_error(CLI_USAGE + 1, "%s: needs a value", argv[optind - 1]);
        if (c == '?') {
            char page[64];
            snprintf(page, sizeof page, "tilework help %s", row->name);
            return cli_unknown_flag(cli_refused(argv), flags, page) + 1;
        }
        if (own(c) && !strchr(row->flags, own(c)))
            return cli_error(CLI_USAGE + 1, "--%s: %s has no such flag; see: tilework help %s", flags[index].name,
                             row->name, row->name);
        if (one_flag(c, optarg, o)) return CLI_USAGE + 1;
    }
    if (optind < argc)
        return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework help %s", argv[optind], row->name);
    if (o->n < 0) o->n = o->m >= 0 ? o->m : 4096;
    if (row->form == CLI_RANK_K || row->form == CLI_RANK_2K) o->m = o->n;
    if (o->m < 0) o->m = o->n;
    if (!strchr(row->flags, 'k')) o->k = o->side == TW_LEFT ? o->m : o->n;
    if (o->k < 0) o->k = o->n;
    return 0;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

static int solves(const struct cli_blas3_options *o)
{
    return o->row->form == CLI_TRSM || o->row->form == CLI_TRMM;
}
/* Triangles have the generator's large diagonal and are divided by a power of two near it. */
static double divisor(const struct cli_blas3_options *o)
{
    return ldexp(1, ilogb((double)(o->k > 1 ? o->k : 1)));
}
static int generator(const struct cli_blas3_options *o, int operand, tw_int m, tw_int n, tw_generator **g)
{
    const int e = tw_generator_create(g, operand == 0 && solves(o) ? "spd" : "random", o->type, m, n,
                                      o->seed + (uint64_t)operand);
    return e ? cli_library_error("the input", e) : 0;
}

static void divide(enum tw_type type, double count, void *a, double by)
{
    const size_t reals = (size_t)count * (check_is_complex(type) ? 2 : 1);

    if (type == TW_FLOAT || type == TW_COMPLEX_FLOAT)
        for (size_t i = 0; i < reals; i++)
            ((float *)a)[i] /= (float)by;
    else
        for (size_t i = 0; i < reals; i++)
            ((double *)a)[i] /= by;
}

void *cli_blas3_input(const struct cli_blas3_options *o, int operand, tw_int m, tw_int n)
{
    const double count = (double)m * (double)n;
    void *a = cli_alloc(count * (double)check_sizeof(o->type), "an array");
    struct cli_source s = {.m = m, .n = n, .type = o->type, .random = 1};
    int e = CLI_FAILED;

    if (a && !(e = generator(o, operand, m, n, &s.generator)) && (e = cli_source_fill(&s, a, m > 1 ? m : 1)))
        e = cli_library_error("the input", e);
    if (!e && operand == 0 && solves(o)) divide(o->type, count, a, divisor(o));
    tw_generator_destroy(s.generator);
    if (e) free(a);
    return e ? NULL : a;
}

static void shapes(struct cli_blas3_run *r)
{
    const struct cli_blas3_options *o = r->o;
    const enum cli_blas3_form form = o->row->form;
    const int rank = form == CLI_RANK_K || form == CLI_RANK_2K, plain = o->ta == TW_NOTRANS;

    r->C = (struct cli_blas3_operand){.m = o->m, .n = o->n, .used = 1};
    r->A = (struct cli_blas3_operand){.m = plain ? o->m : o->k, .n = plain ? o->k : o->m, .used = 1};
    if (form == CLI_SYMM || solves(o)) r->A.m = r->A.n = o->k;
    r->B = (struct cli_blas3_operand){.m = o->m, .n = o->n, .used = form == CLI_SYMM};
    if (form == CLI_GEMM) r->B.m = o->tb == TW_NOTRANS ? o->k : o->n, r->B.n = o->tb == TW_NOTRANS ? o->n : o->k;
    if (form == CLI_GEMM || form == CLI_RANK_2K) r->B.used = 1;
    if (rank) r->B.m = r->A.m, r->B.n = r->A.n;
}

/* The stored part of an operand: A is a triangle for all but gemm and the updates, and their C is one. */
static enum tw_uplo part_of(const struct cli_blas3_options *o, int operand)
{
    const enum cli_blas3_form form = o->row->form;
    const int triangle = operand == 0   ? form == CLI_SYMM || solves(o)
                         : operand == 2 ? form == CLI_RANK_K || form == CLI_RANK_2K
                                        : 0;
    return triangle ? o->uplo : TW_GENERAL;
}

/* Make it, or its content again: what is valid is in main memory. */
static int fill(struct cli_blas3_run *r, int operand, struct cli_blas3_operand *x)
{
    const struct cli_blas3_options *o = r->o;
    tw_generator *g = NULL;
    int e;

    if (!x->used) return 0;
    if (o->lapack_door) {
        free(x->a);
        return (x->a = cli_blas3_input(o, operand, x->m, x->n)) ? 0 : CLI_FAILED;
    }
    if (!x->M && (e = tw_matrix_create(&x->M, o->type, part_of(o, operand), x->m, x->n, r->nb, NULL)))
        return cli_library_error(o->row->name, e);
    if ((e = generator(o, operand, x->m, x->n, &g))) return e;
    e = tw_matrix_generate(x->M, g);
    tw_generator_destroy(g);
    if (!e && operand == 0 && solves(o)) e = tw_lascl(o->uplo, divisor(o), 1, x->M);
    if (!e) e = tw_release_to_host(x->M);
    return e ? cli_library_error("the input", e) : 0;
}

static void drop(struct cli_blas3_operand *x)
{
    tw_matrix_destroy(x->M);
    free(x->a);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* LAPACK Working Note 41's counts, as the library's. */
static double flops(const struct cli_blas3_options *o)
{
    const double m = (double)o->m, n = (double)o->n, k = (double)o->k, factor = check_is_complex(o->type) ? 4 : 1;

    switch (o->row->form) {
    case CLI_RANK_K: return factor * k * n * (n + 1);
    case CLI_RANK_2K: return factor * 2 * k * n * (n + 1);
    case CLI_TRMM:
    case CLI_TRSM: return factor * m * n * k;
    default: return factor * 2 * m * n * k;
    }
}
/* The letters in force, as BLAS has them. */
static void letters(const struct cli_blas3_options *o, char text[8])
{
    const char *h = o->row->flags;
    size_t used = 0;

    if (strchr(h, 's')) text[used++] = (char)o->side;
    if (strchr(h, 'u')) text[used++] = (char)o->uplo;
    if (strchr(h, 'a')) text[used++] = (char)o->ta;
    if (strchr(h, 'b')) text[used++] = (char)o->tb;
    if (strchr(h, 'd')) text[used++] = (char)o->diag;
    text[used] = 0;
}
static const char *nb_source(const struct cli_blas3_run *r, const tw_counters *c)
{
    return c->tasks > 0 ? r->nb_source : r->o->lapack_door ? "BLAS called directly" : "no tasks";
}

static void put(json_t *j, const char *key, json_t *value)
{
    if (json_object_set_new(j, key, value)) cli_error(0, "--json: not enough memory for '%s'", key);
}
static void put_real(json_t *j, const char *key, double value)
{
    put(j, key, isfinite(value) ? json_real(value) : json_null());
}
static void put_letter(json_t *j, const struct cli_blas3_options *o, char flag, const char *key, int letter)
{
    const char text[2] = {(char)letter, 0};
    if (strchr(o->row->flags, flag)) put(j, key, json_string(text));
}

static int report_json(const struct cli_blas3_run *r, int repeat, const tw_counters *c, const tw_machine *m)
{
    const struct cli_blas3_options *o = r->o;
    const char type[2] = {tw_type_letter(o->type), 0};
    json_t *j = json_object();
    char version[32];
    int e;

    if (!j) return cli_error(CLI_FAILED, "--json: not enough memory");
    put(j, "routine", json_string(o->row->name));
    put(j, "type", json_string(type));
    put_letter(j, o, 's', "side", o->side);
    put_letter(j, o, 'u', "uplo", o->uplo);
    put_letter(j, o, 'a', "transa", o->ta);
    put_letter(j, o, 'b', "transb", o->tb);
    put_letter(j, o, 'd', "diag", o->diag);
    put(j, "m", json_integer(o->m));
    put(j, "n", json_integer(o->n));
    put(j, "k", json_integer(o->k));
    put_real(j, "alpha", o->alpha);
    if (strchr(o->row->flags, 'c')) put_real(j, "beta", o->beta);
    put(j, "nb", json_integer(r->nb));
    put(j, "nb_source", json_string(nb_source(r, c)));
    put(j, "kind", json_string("random"));
    put(j, "seed", json_integer((json_int_t)o->seed));
    put(j, "repeat", json_integer(repeat));
    put(j, "door", json_string(o->lapack_door ? "lapack" : "tiles"));
    put_real(j, "seconds", r->seconds);
    put_real(j, "gflops", r->seconds > 0 ? flops(o) / r->seconds * 1e-9 : 0);
    put(j, "info", json_integer(0));
    if (o->check) {
        put_real(j, "residual", r->verdict.residual);
        put(j, "check", json_string(r->verdict.word));
        put(j, "check_formula", json_string(r->verdict.formula));
        put(j, "check_method",
            json_string(o->m > CHECK_FULL_MAX || o->n > CHECK_FULL_MAX || o->k > CHECK_FULL_MAX ? "vectors" : "full"));
        put_real(j, "seconds_check", r->seconds_check);
    }
    put(j, "sched", json_string(m->sched));
    put(j, "cpu_workers", json_integer(m->cpu_workers));
    put(j, "cuda_workers", json_integer(m->cuda_workers));
    put(j, "cuda_devices", json_integer(m->cuda_devices));
    put(j, "tasks", json_integer((json_int_t)c->tasks));
    put(j, "cpu_tasks", json_integer((json_int_t)c->cpu_tasks));
    put(j, "cuda_tasks", json_integer((json_int_t)c->cuda_tasks));
    put_real(j, "cpu_flops", c->cpu_flops);
    put_real(j, "cuda_flops", c->cuda_flops);
    put(j, "bytes_to_gpu", json_integer((json_int_t)c->bytes_to_gpu));
    put(j, "bytes_from_gpu", json_integer((json_int_t)c->bytes_from_gpu));
    put(j, "bytes_gpu_to_gpu", json_integer((json_int_t)c->bytes_gpu_to_gpu));
    put(j, "blas_core", json_string(m->blas_core));
    put(j, "cpu", json_string(m->cpu_name));
    put(j, "gpu", m->cuda_devices > 0 ? json_string(m->gpu_name) : json_null());
    put(j, "cores", json_integer(m->cores));
    put(j, "starpu", json_string(m->starpu_version));
    snprintf(version, sizeof version, "%d.%d.%d", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
    put(j, "version", json_string(version));
    e = json_dumpf(j, cli_reports(), JSON_COMPACT | JSON_REAL_PRECISION(9));
    fputc('\n', cli_reports());
    json_decref(j);
    return e ? cli_error(CLI_FAILED, "--json: could not be written") : 0;
}

static void report_line(const struct cli_blas3_run *r, const tw_counters *c, const tw_machine *m)
{
    const struct cli_blas3_options *o = r->o;
    const struct cli_verdict *v = &r->verdict;
    FILE *f = cli_reports();
    char text[8];

    letters(o, text);
    fprintf(f, "%c%s %s m=%" PRId64 " n=%" PRId64 " k=%" PRId64 " nb=%" PRId64 " (%s):  %.4f s  %.1f Gflop/s",
            tw_type_letter(o->type), o->row->name, text, o->m, o->n, o->k, r->nb, nb_source(r, c), r->seconds,
            r->seconds > 0 ? flops(o) / r->seconds * 1e-9 : 0);
    if (o->check) fprintf(f, "  residual %.3g %s (%.2g s)", v->residual, v->word, r->seconds_check);
    fprintf(f, "  | %" PRIu64 " tasks on CPU, %" PRIu64 " on GPU; %s, %d CPU + %d CUDA workers, %s, door %s\n",
            c->cpu_tasks, c->cuda_tasks, m->sched, m->cpu_workers, m->cuda_workers, m->blas_core,
            o->lapack_door ? "lapack" : "tiles");
    if (o->check && !v->passed)
        fprintf(f, "    check failed: %s = %g, allowed: %g\n", v->formula, v->residual, v->fail);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int timed(struct cli_blas3_run *r)
{
    char title[64];
    double begin;
    tw_int info;

    snprintf(title, sizeof title, "%c%s", tw_type_letter(r->o->type), r->o->row->name);
    cli_watch_start(title, flops(r->o), 0);
    begin = cli_seconds();
    info = r->o->lapack_door ? r->o->row->lapack(r) : r->o->row->tiles(r);
    if (!info && r->C.M) info = tw_release_to_host(r->C.M);
    r->seconds = cli_seconds() - begin;
    cli_watch_stop();
    return info ? cli_library_error(r->o->row->name, (int)info) : 0;
}

static int check(struct cli_blas3_run *r)
{
    const double begin = cli_seconds();
    const int before = cli_blas_threads(cli_cores()), e = cli_blas3_check(r);

    if (before > 0) cli_blas_threads(before);
    r->seconds_check = cli_seconds() - begin;
    return e;
}

static int one_run(struct cli_blas3_run *r, int repeat, struct cli_times *times)
{
    tw_counters c;
    tw_machine m;
    int e;

    if ((e = fill(r, 2, &r->C)) || (e = fill(r, 0, &r->A)) || (e = fill(r, 1, &r->B))) return e;
    if (cli_interrupted()) return 128 + cli_interrupted();
    tw_counters_reset();
    if ((e = timed(r))) return e;
    if ((e = tw_counters_get(&c)) || (e = tw_machine_info(&m))) return cli_library_error("counters", e);
    if (cli_interrupted()) return 128 + cli_interrupted();
    if (r->o->check && (e = check(r))) return e;
    if (cli_interrupted()) return 128 + cli_interrupted();
    if (r->o->json && (e = report_json(r, repeat, &c, &m))) return e;
    if (!r->o->json) report_line(r, &c, &m);
    if (cli_flush()) return CLI_FAILED;
    cli_times_add(times, r->seconds);
    return r->o->check && !r->verdict.passed ? CLI_FAILED : 0;
}

int cli_blas3_run(int argc, char **argv)
{
    const struct cli_blas3 *row = cli_blas3_rows;
    struct cli_blas3_options o;
    struct cli_blas3_run r = {.o = &o};
    struct cli_times times = {0};
    int e;

    while (row->name && strcmp(row->name, argv[0]))
        row++;
    if (!row->name) return cli_error(CLI_USAGE, "%s: no routine of BLAS", argv[0]);
    if ((e = parse(row, argc, argv, &o))) return e - 1;
    if ((e = cli_start(&(struct cli_options){.nb = o.nb}))) return e;
    shapes(&r);
    r.nb = tw_routine_nb(row->name, o.type, r.C.m, r.C.n, o.k, &r.nb_source);
    if (r.nb < 0) e = cli_library_error(row->name, (int)r.nb);
    for (int k = 0; k < o.repeat && !e; k++)
        e = one_run(&r, k, &times);
    cli_times_report(&times, row->name, o.json);
    drop(&r.A), drop(&r.B), drop(&r.C);
    const int stopped = tw_finalize();
    if (stopped < 0 && !e) e = cli_library_error("stopping", stopped);
    return e;
}
