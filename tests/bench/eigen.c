/* Eigenvalues, and singular values (gesdd): Tilework through its doors, LAPACK and cuSOLVER, in one process, on the
 * same input, taking turns; for values alone and with vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/eigen.h"
#include "checks/checks.h"

static const char *const routines[] = {"syevd", "syevr", "sygvd", "stedc", "gesdd", "geev"};
static const char *const names[EIGEN_CONTESTANTS] = {"tiles",  "lapack_door",         "barriers",
                                                     "lapack", "cusolver_resident",   "cusolver",
                                                     "elpa",   "cusolvermg_resident", "cusolvermg"};
static const char *const titles[EIGEN_CONTESTANTS] = {
    "Tilework, tiles",        "Tilework, LAPACK door", "Tilework, barriers",
    "LAPACK of OpenBLAS",     "cuSOLVER, resident",    "cuSOLVER, host to host",
    "ELPA, a process a core", "cuSOLVERMg, resident",  "cuSOLVERMg, host to host"};
enum { STAGES = 16, RESIDUAL_FAILS = 30 };

struct run {
    double seconds;
    int stages; /* Tilework's */
    tw_stage_report stage[STAGES];
};
struct result {
    int takes_part;
    char skipped[256];
    double first;
    struct run *run;
    double overlap;              /* of barriers: tiles' time over its own, median of pairs */
    double residual, difference; /* negative: not done */
};
struct contest {
    const struct bench_options *o;
    struct eigen_problem p;
    struct eigen_place at;
    int rounds;
    struct result result[EIGEN_CONTESTANTS];
    tw_generator *a, *b;
    tw_matrix *A, *B, *Z, *Vt;
    double *w, *reference; /* of the latest run; LAPACK's */
    int have_reference;
    struct bench_gpu_peer *cusolver;
    struct bench_gpu_peer *cusolvermg; /* NULL: it takes no part */
    struct eigen_elpa *elpa;
};

static int is_own(enum eigen_contestant who)
{
    return who <= EIGEN_BARRIERS;
}
static int by_matrices(enum eigen_contestant who)
{
    return who == EIGEN_TILES || who == EIGEN_BARRIERS;
}
static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static size_t square(const struct eigen_problem *p)
{
    return (size_t)p->rows * (size_t)p->n * bench_sizeof(p->type);
}
static int is_complex(enum tw_type t)
{
    return t == TW_COMPLEX_FLOAT || t == TW_COMPLEX_DOUBLE;
}
/* Real numbers that a run leaves. */
static tw_int values_of(const struct eigen_problem *p)
{
    return p->routine == GEEV ? 2 * p->n : p->m;
}
/* Complex eigenvalues as real matrices' are: all real parts, then all imaginary ones. */
static void part(const struct eigen_problem *p, double *w)
{
    double *parts;

    if (p->routine != GEEV || !is_complex(p->type)) return;
    parts = bench_alloc((double)p->n * 2 * sizeof *parts);
    for (tw_int i = 0; i < 2 * p->n; i++)
        parts[i / 2 + (i % 2) * p->n] = w[i];
    memcpy(w, parts, (size_t)p->n * 2 * sizeof *w);
    free(parts);
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

static void put_reals(const struct eigen_problem *p, void *to, const double *from, tw_int n)
{
    for (tw_int i = 0; i < n; i++)
        if (is_single(p->type))
            ((float *)to)[i] = (float)from[i];
        else
            ((double *)to)[i] = from[i];
}
static void get_reals(const struct eigen_problem *p, double *to, const void *from, tw_int n)
{
    for (tw_int i = 0; i < n; i++)
        to[i] = is_single(p->type) ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

/* The caller's arrays as the routine wants them. */
static void fill(struct contest *c)
{
    const struct eigen_problem *p = &c->p;

    if (p->routine == STEDC) {
        put_reals(p, c->at.d, p->d, p->n);
        put_reals(p, c->at.e, p->e, p->n - 1);
        return;
    }
    memcpy(c->at.a, p->a, square(p));
    if (p->b) memcpy(c->at.b, p->b, square(p));
}

static int by_arrays(struct contest *c, int (*call)(const struct eigen_problem *, const struct eigen_place *), int rest,
                     double *seconds)
{
    const struct eigen_problem *p = &c->p;
    double begin;
    int e;

    fill(c);
    if (rest) bench_rest();
    bench_blas_threads(bench_cores());
    tw_counters_reset();
    begin = bench_seconds();
    e = call(p, &c->at);
    *seconds = bench_seconds() - begin;
    get_reals(p, c->w, p->routine == STEDC ? c->at.d : c->at.w, values_of(p));
    part(p, c->w);
    return e;
}

static int generate(struct contest *c)
{
    const int e = c->p.routine == STEDC ? 0
                  : c->B                ? tw_matrix_generate(c->A, c->a) | tw_matrix_generate(c->B, c->b)
                                        : tw_matrix_generate(c->A, c->a);
    if (e || (c->A && tw_release_to_host(c->A)) || (c->B && tw_release_to_host(c->B)))
        return bench_fail("tiles: %s", tw_last_message());
    return 0;
}

static int call_tiles(struct contest *c)
{
    const struct eigen_problem *p = &c->p;
    const enum tw_jobz jobz = p->vectors ? TW_VECTORS : TW_NOVECTORS;
    tw_int found = 0;

    switch (p->routine) {
    case SYEVD: return tw_syevd(jobz, TW_LOWER, c->A, c->w, c->Z);
    case SYEVR: return tw_syevr(jobz, TW_INDICES, TW_LOWER, c->A, 0, 0, 1, p->m, &found, c->w, c->Z);
    case SYGVD: return tw_sygvd(1, jobz, TW_LOWER, c->A, c->B, c->w, c->Z);
    case GEEV: return tw_geev(TW_NOVECTORS, jobz, c->A, c->w, c->w + p->n, NULL, c->Z);
    case GESDD: return tw_gesdd(p->vectors ? TW_SVD_SOME : TW_SVD_NONE, c->A, c->w, c->Z, c->Vt);
    default: return tw_stedc(p->vectors ? TW_COMPZ_I : TW_COMPZ_N, p->n, p->d, p->e, c->w, c->Z);
    }
}

static int by_tiles(struct contest *c, double *seconds)
{
    double begin;
    int e;

    if (generate(c)) return 1;
    if (c->result[EIGEN_LAPACK].takes_part) bench_rest();
    tw_counters_reset();
    begin = bench_seconds();
    e = call_tiles(c);
    if (!e && c->Z) e = tw_release_to_host(c->Z);
    if (!e && c->Vt) e = tw_release_to_host(c->Vt);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("tiles: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

/* The library reads the variable when a call begins, and nothing is at work between two of them. */
static int by_barriers(struct contest *c, double *seconds)
{
    int e = setenv("TILEWORK_BARRIERS", "1", 1) ? bench_fail("TILEWORK_BARRIERS could not be set") : 0;

    if (!e) e = by_tiles(c, seconds);
    unsetenv("TILEWORK_BARRIERS");
    return e;
}

static int by_cusolver(struct contest *c, int host, double *seconds)
{
    if ((host ? bench_gpu_peer_host(c->cusolver, seconds) : bench_gpu_peer_resident(c->cusolver, seconds)) ||
        eigen_cusolver_values(c->cusolver, c->w))
        return 1;
    part(&c->p, c->w);
    return 0;
}

static int by_cusolvermg(struct contest *c, int host, double *seconds)
{
    return (host ? bench_gpu_peer_host(c->cusolvermg, seconds) : bench_gpu_peer_resident(c->cusolvermg, seconds)) ||
           eigen_cusolvermg_values(c->cusolvermg, c->w);
}

static int one_run(struct contest *c, enum eigen_contestant who, struct run *r)
{
    int e, stages;

    switch (who) {
    case EIGEN_TILES: e = by_tiles(c, &r->seconds); break;
    case EIGEN_ARRAY: e = by_arrays(c, eigen_array, c->result[EIGEN_LAPACK].takes_part, &r->seconds); break;
    case EIGEN_BARRIERS: e = by_barriers(c, &r->seconds); break;
    case EIGEN_LAPACK: e = by_arrays(c, eigen_lapack, 1, &r->seconds); break;
    case EIGEN_ELPA:
        if (c->result[EIGEN_LAPACK].takes_part) bench_rest();
        e = eigen_elpa_run(c->elpa, c->w, c->at.z, &r->seconds);
        break;
    case EIGEN_MG_RESIDENT:
    case EIGEN_MG_HOST: e = by_cusolvermg(c, who == EIGEN_MG_HOST, &r->seconds); break;
    default: e = by_cusolver(c, who == EIGEN_HOST, &r->seconds);
    }
    stages = is_own(who) ? tw_stage_reports(r->stage, STAGES) : 0;
    r->stages = stages < STAGES ? stages : STAGES;
    return e;
}

/* ---- right answers: nobody wins by being wrong ------------------------------------------------------------------- */

/* *z: the eigenvectors that a run has left, n x m, of leading dimension n; NULL: not here. */
static int vectors_of(struct contest *c, enum eigen_contestant who, const void **z)
{
    const struct eigen_problem *p = &c->p;

    *z = NULL;
    if (!p->vectors || who == EIGEN_RESIDENT || who == EIGEN_MG_RESIDENT) return 0;
    if (who == EIGEN_HOST && p->routine == GESDD) return 0; /* V lies beside it, not transposed */
    if (by_matrices(who) &&
        (tw_matrix_to_lapack(c->Z, c->at.z, p->rows) || (c->Vt && tw_matrix_to_lapack(c->Vt, c->at.vt, p->n))))
        return bench_fail("tiles: %s", tw_last_message());
    *z = who == EIGEN_HOST      ? bench_gpu_peer_factor(c->cusolver)
         : who == EIGEN_MG_HOST ? bench_gpu_peer_factor(c->cusolvermg)
         : by_matrices(who) || who == EIGEN_ELPA || p->routine == SYEVR || p->routine >= STEDC ? c->at.z
                                                                                               : c->at.a;
    return 0;
}

static int is_general(const struct eigen_problem *p)
{
    return p->routine == GESDD || p->routine == GEEV;
}

static int residual(struct contest *c, const void *z, double *worst)
{
    const struct eigen_problem *p = &c->p;
    struct check_array arrays[2] = {
        {is_general(p) ? CHECK_GENERAL : CHECK_HERMITIAN, p->type, TW_LOWER, TW_NONUNIT, p->rows, p->n, p->a, p->rows},
        {CHECK_HERMITIAN, p->type, TW_LOWER, TW_NONUNIT, p->n, p->n, p->b, p->n}};
    const struct check_matrix A = check_of_array(&arrays[0]), B = check_of_array(&arrays[1]);
    double r[3] = {0, 0, 0};
    int e;

    bench_blas_threads(bench_cores());
    e = p->routine == GESDD ? check_gesdd(&A, c->w, p->n, z, p->rows, p->n, c->at.vt, p->n, r)
        : p->routine == GEEV
            ? z ? check_geev(&A, c->w, c->w + p->n, 0, z, p->n, r) : check_general_values(&A, c->w, c->w + p->n, r)
        : p->routine == SYGVD ? check_sygvd(1, &A, &B, p->m, c->w, z, p->n, r)
                              : check_syevd(&A, p->m, c->w, z, p->n, r);
    *worst = r[0];
    for (int k = 1; k < 3; k++)
        *worst = check_worse(*worst, r[k]);
    return e ? bench_fail("--check: not enough memory") : 0;
}

static int judge(struct contest *c, enum eigen_contestant who)
{
    struct result *r = &c->result[who];
    const void *z = NULL;
    double most = 0, largest = 0;

    if (c->o->check && vectors_of(c, who, &z)) return 1;
    if ((z || (c->o->check && c->p.routine == GEEV && !c->p.vectors)) && residual(c, z, &r->residual)) return 1;
    if (c->p.routine == GEEV) return 0; /* in no order */
    if (who == EIGEN_LAPACK) {
        memcpy(c->reference, c->w, (size_t)c->p.m * sizeof *c->w);
        c->have_reference = 1;
    } else if (c->have_reference) {
        for (tw_int i = 0; i < c->p.m; i++) {
            most = check_worse(most, fabs(c->w[i] - c->reference[i]));
            largest = fmax(largest, fabs(c->reference[i]));
        }
        r->difference = largest > 0 ? most / largest : most;
    }
    return 0;
}

static int compete(struct contest *c)
{
    static const enum eigen_contestant order[EIGEN_CONTESTANTS] = {EIGEN_LAPACK, EIGEN_TILES,       EIGEN_BARRIERS,
                                                                   EIGEN_ARRAY,  EIGEN_RESIDENT,    EIGEN_HOST,
                                                                   EIGEN_ELPA,   EIGEN_MG_RESIDENT, EIGEN_MG_HOST};

    for (int round = -1; round < c->rounds; round++)
        for (int k = 0; k < EIGEN_CONTESTANTS; k++) {
            struct result *r = &c->result[order[k]];
            struct run first;
            if (!r->takes_part) continue;
            if (one_run(c, order[k], round < 0 ? &first : &r->run[round])) return 1;
            if (round >= 0) continue;
            r->first = first.seconds;
            if (judge(c, order[k])) return 1;
        }
    return 0;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static int by_seconds(const void *a, const void *b)
{
    const double x = ((const struct run *)a)->seconds, y = ((const struct run *)b)->seconds;
    return (x > y) - (x < y);
}
/* Runs are in the order of their times. */
static double median(const struct contest *c, enum eigen_contestant who)
{
    const struct run *r = c->result[who].run;
    const int n = c->rounds;
    return n % 2 ? r[n / 2].seconds : (r[n / 2 - 1].seconds + r[n / 2].seconds) / 2;
}
static enum eigen_contestant own(const struct contest *c)
{
    return c->result[EIGEN_TILES].takes_part ? EIGEN_TILES : EIGEN_ARRAY;
}

static json_t *stages_json(const struct run *r)
{
    json_t *o = json_object();

    for (int k = 0; k < r->stages; k++)
        bench_put(o, r->stage[k].name,
                  json_pack("{s:f, s:f, s:f, s:I, s:I}", "seconds", r->stage[k].seconds, "first_start",
                            r->stage[k].first_start, "last_end", r->stage[k].last_end, "cpu_tasks",
                            (json_int_t)r->stage[k].cpu_tasks, "cuda_tasks", (json_int_t)r->stage[k].cuda_tasks));
    return o;
}

static json_t *one_result(const struct contest *c, enum eigen_contestant who)
{
    const struct result *r = &c->result[who];
    json_t *o = json_object(), *all = json_array();

    for (int i = 0; i < c->rounds && r->takes_part; i++)
        json_array_append_new(all, json_real(r->run[i].seconds));
    if (!r->takes_part) {
        json_decref(all);
        bench_put(o, "skipped", json_string(r->skipped));
        return o;
    }
    bench_put(o, "seconds", json_real(median(c, who)));
    bench_put(o, "min_seconds", json_real(r->run[0].seconds));
    bench_put(o, "first_seconds", json_real(r->first));
    bench_put(o, "all_seconds", all);
    if (who != own(c)) bench_put(o, "times_tilework", bench_real(median(c, who) / median(c, own(c))));
    if (r->residual >= 0 || isnan(r->residual)) bench_put(o, "residual", bench_real(r->residual));
    if (r->difference >= 0 || isnan(r->difference)) bench_put(o, "difference", bench_real(r->difference));
    if (who == EIGEN_BARRIERS) bench_put(o, "overlap", bench_real(r->overlap));
    if (is_own(who)) bench_put(o, "stages", stages_json(&r->run[(c->rounds - 1) / 2]));
    if (who == EIGEN_LAPACK) bench_put(o, "threads", json_integer(bench_cores()));
    if (who == EIGEN_ELPA) bench_put(o, "processes", json_integer(bench_cores()));
    return o;
}

static void line(const struct contest *c, enum eigen_contestant who)
{
    const struct result *r = &c->result[who];

    if (!r->takes_part) {
        if (*r->skipped) printf("  %-24s left out: %s\n", titles[who], r->skipped);
        return;
    }
    printf("  %-24s %.6f s (min %.6f, first %.6f)", titles[who], median(c, who), r->run[0].seconds, r->first);
    if (who != own(c)) printf("  %.3f x Tilework's time", median(c, who) / median(c, own(c)));
    if (r->residual >= 0 || isnan(r->residual)) printf("  residual %.2g", r->residual);
    if (r->difference >= 0 || isnan(r->difference)) printf("  difference %.1e", r->difference);
    if (who == EIGEN_BARRIERS) printf("  without them %.3f x (pairs)", r->overlap);
    printf("\n");
    if (is_own(who) && r->run[(c->rounds - 1) / 2].stages) {
        const struct run *m = &r->run[(c->rounds - 1) / 2];
        printf("    stages, seconds from to:");
        for (int k = 0; k < m->stages; k++)
            printf("  %s %.3f..%.3f", m->stage[k].name, m->stage[k].first_start, m->stage[k].last_end);
        printf("\n");
    }
}

/* While runs are in the order in which they were. */
static double overlap(const struct contest *c)
{
    double *of = bench_alloc((double)c->rounds * sizeof *of), gain;

    for (int k = 0; k < c->rounds; k++)
        of[k] = c->result[EIGEN_TILES].run[k].seconds / c->result[EIGEN_BARRIERS].run[k].seconds;
    gain = bench_median(c->rounds, of);
    free(of);
    return gain;
}

static int report(struct contest *c)
{
    const struct eigen_problem *p = &c->p;
    char letter[2] = {tw_type_letter(p->type), 0}, jobz[2] = {p->vectors ? 'V' : 'N', 0};
    json_t *record = bench_record(c->o, routines[p->routine]);
    int e = 0;

    if (c->result[EIGEN_BARRIERS].takes_part) c->result[EIGEN_BARRIERS].overlap = overlap(c);
    for (int k = 0; k < EIGEN_CONTESTANTS; k++)
        if (c->result[k].takes_part) qsort(c->result[k].run, (size_t)c->rounds, sizeof *c->result[k].run, by_seconds);
    bench_put(record, "type", json_string(letter));
    if (p->rows != p->n) bench_put(record, "rows", json_integer(p->rows));
    bench_put(record, "n", json_integer(p->n));
    bench_put(record, "jobz", json_string(jobz));
    if (p->routine == SYEVR) bench_put(record, "m", json_integer(p->m));
    bench_put(record, "kind", json_string(c->o->kind));
    bench_put(record, "runs", json_integer(c->rounds));
    for (int k = 0; k < EIGEN_CONTESTANTS; k++)
        if (c->result[k].takes_part || *c->result[k].skipped)
            bench_put(record, names[k], one_result(c, (enum eigen_contestant)k));
    if (!c->o->json) {
        printf("%s%s ", letter, routines[p->routine]);
        if (p->rows != p->n) printf("%lld rows, ", (long long)p->rows);
        printf("n=%lld jobz %s", (long long)p->n, jobz);
        if (p->routine == SYEVR) printf(", the lowest %lld", (long long)p->m);
        printf(", %s, %d runs\n", c->o->kind, c->rounds);
        for (int k = 0; k < EIGEN_CONTESTANTS; k++)
            line(c, (enum eigen_contestant)k);
    }
    bench_print(c->o, record);
    for (int k = 0; k < EIGEN_CONTESTANTS; k++) {
        const struct result *r = &c->result[k];
        const double limit = 100 * (double)p->n * bench_eps(p->type);
        if (isnan(r->difference) || r->difference > limit || isnan(r->residual) || r->residual > RESIDUAL_FAILS)
            e = bench_fail("n = %lld: %s: residual %g, difference from LAPACK's values %g", (long long)p->n, titles[k],
                           r->residual, r->difference);
    }
    return e;
}

/* ---- one order --------------------------------------------------------------------------------------------------- */

static int enter_tiles(struct contest *c)
{
    const struct eigen_problem *p = &c->p;
    const int in_place = p->vectors && (p->routine == SYEVD || p->routine == SYGVD);
    tw_int mb = c->o->nb, nb = c->o->nb;
    int e = nb ? 0 : tw_routine_tiles(routines[p->routine], p->type, p->rows, p->n, 0, &mb, &nb);

    if (!e && p->routine != STEDC)
        e = tw_matrix_create_tiles(&c->A, p->type, in_place || is_general(p) ? TW_GENERAL : TW_LOWER, p->rows, p->n, mb,
                                   nb, NULL);
    if (!e && p->routine == SYGVD) e = tw_matrix_create(&c->B, p->type, TW_LOWER, p->n, p->n, tw_matrix_nb(c->A), NULL);
    if (in_place)
        c->Z = c->A;
    else if (!e && p->vectors) {
        if (!c->o->nb) e = tw_routine_tiles(routines[p->routine], p->type, p->rows, p->m, 0, &mb, &nb);
        if (!e) e = tw_matrix_create_tiles(&c->Z, p->type, TW_GENERAL, p->rows, p->m, mb, nb, NULL);
    }
    if (!e && p->vectors && p->routine == GESDD)
        e = tw_matrix_create(&c->Vt, p->type, TW_GENERAL, p->n, p->n, tw_matrix_nb(c->Z), NULL);
    return e ? bench_fail("tiles: %s", tw_last_message()) : 0;
}

/* The input, and of stedc its two diagonals. */
static int input(struct contest *c)
{
    struct eigen_problem *p = &c->p;
    const double bytes = (double)square(p);
    const size_t size = bench_sizeof(p->type);

    if (tw_generator_create(&c->a, c->o->kind, p->type, p->rows, p->n, 1)) return bench_fail("%s", tw_last_message());
    p->a = bench_alloc(bytes);
    if (p->rows != p->n && tw_generator_block(c->a, 0, 0, p->rows, p->n, p->a, p->rows))
        return bench_fail("the input: %s", tw_last_message());
    if (p->rows == p->n && bench_generate(c->a, p->n, p->a)) return 1;
    if (p->routine == SYGVD) {
        if (tw_generator_create(&c->b, "spd", p->type, p->n, p->n, 2)) return bench_fail("%s", tw_last_message());
        p->b = bench_alloc(bytes);
        return bench_generate(c->b, p->n, p->b);
    }
    if (p->routine != STEDC) return 0;
    p->d = bench_alloc((double)p->n * sizeof *p->d), p->e = bench_alloc((double)p->n * sizeof *p->e);
    for (tw_int i = 0; i < p->n; i++) {
        double v[2] = {0, 0};
        check_get(p->type, p->a, (size_t)(i + i * p->n), v);
        p->d[i] = v[0];
        if (i + 1 < p->n) check_get(p->type, p->a, (size_t)(i + 1 + i * p->n), v);
        p->e[i] = v[0];
    }
    memset(p->a, 0, (size_t)bytes); /* for --check: the tridiagonal matrix */
    for (tw_int i = 0; i < p->n; i++) {
        memset((char *)p->a + (size_t)(i + i * p->n) * size, 0, size);
        check_set(p->type, p->a, (size_t)(i + i * p->n), p->d[i], 0);
        if (i + 1 < p->n) check_set(p->type, p->a, (size_t)(i + 1 + i * p->n), p->e[i], 0);
    }
    return 0;
}

/* Those who cannot take part, and why (256 bytes). */
static void leave_out(struct contest *c, enum eigen_contestant first, enum eigen_contestant last, const char *why)
{
    for (enum eigen_contestant k = first; k <= last; k++) {
        if (c->result[k].takes_part) memcpy(c->result[k].skipped, why, sizeof c->result[k].skipped);
        c->result[k].takes_part = 0;
    }
}

static int enter(struct contest *c)
{
    struct eigen_problem *p = &c->p;
    const double bytes = (double)square(p), reals = (double)p->n * 2 * sizeof(double);
    char why[256] = "";

    if (input(c)) return 1;
    c->w = bench_alloc(reals), c->reference = bench_alloc(reals);
    if (c->result[EIGEN_TILES].takes_part && enter_tiles(c)) return 1;
    c->at.w = bench_alloc(reals), c->at.d = bench_alloc(reals), c->at.e = bench_alloc(reals);
    c->at.each = bench_alloc((double)p->n * 2 * sizeof *c->at.each);
    if (p->routine != STEDC) c->at.a = bench_alloc(bytes);
    if (p->b) c->at.b = bench_alloc(bytes);
    if (p->vectors) c->at.z = bench_alloc(bytes);
    if (p->vectors && p->routine == GESDD)
        c->at.vt = bench_alloc((double)p->n * (double)p->n * (double)bench_sizeof(p->type));
    if (c->result[EIGEN_ELPA].takes_part && !(c->elpa = eigen_elpa_open(p, why)))
        leave_out(c, EIGEN_ELPA, EIGEN_ELPA, why);
    if ((c->result[EIGEN_MG_RESIDENT].takes_part || c->result[EIGEN_MG_HOST].takes_part) &&
        !(c->cusolvermg = eigen_cusolvermg_open(p, c->a, c->result[EIGEN_MG_HOST].takes_part, why)))
        leave_out(c, EIGEN_MG_RESIDENT, EIGEN_MG_HOST, why);
    if (!c->result[EIGEN_RESIDENT].takes_part && !c->result[EIGEN_HOST].takes_part) return 0;
    if ((c->cusolver = eigen_cusolver_open(p, c->result[EIGEN_HOST].takes_part, why))) return 0;
    leave_out(c, EIGEN_RESIDENT, EIGEN_HOST, why);
    return 0;
}

static void leave(struct contest *c)
{
    bench_gpu_peer_close(c->cusolver);
    bench_gpu_peer_close(c->cusolvermg);
    eigen_elpa_close(c->elpa);
    if (c->Z != c->A) tw_matrix_destroy(c->Z);
    tw_matrix_destroy(c->Vt);
    tw_matrix_destroy(c->A), tw_matrix_destroy(c->B);
    tw_generator_destroy(c->a), tw_generator_destroy(c->b);
    free(c->p.a), free(c->p.b), free(c->p.d), free(c->p.e);
    free(c->at.a), free(c->at.b), free(c->at.z), free(c->at.vt), free(c->at.w), free(c->at.d), free(c->at.e),
        free(c->at.each);
    free(c->w), free(c->reference);
    for (int k = 0; k < EIGEN_CONTESTANTS; k++)
        free(c->result[k].run);
}

static int one(const struct bench_options *o, enum eigen_routine routine, tw_int n, int vectors)
{
    static const int peer[EIGEN_CONTESTANTS] = {0,
                                                0,
                                                0,
                                                BENCH_LAPACK,
                                                BENCH_CUSOLVER_RESIDENT,
                                                BENCH_CUSOLVER_HOST,
                                                BENCH_ELPA,
                                                BENCH_CUSOLVERMG_RESIDENT,
                                                BENCH_CUSOLVERMG_HOST};
    struct contest c = {
        .o = o, .rounds = o->repeat, .p = {.routine = routine, .type = o->type, .n = n, .m = n, .vectors = vectors}};
    int e;

    c.p.rows = routine == GESDD && o->m ? o->m : n;
    if (routine == SYEVR) c.p.m = (tw_int)ceil(o->share * (double)n);
    for (int k = 0; k < EIGEN_CONTESTANTS; k++) {
        struct result *r = &c.result[k];
        r->takes_part = k == EIGEN_TILES      ? (o->doors & BENCH_TILES) != 0
                        : k == EIGEN_BARRIERS ? o->barriers
                        : k == EIGEN_ARRAY    ? (o->doors & BENCH_ARRAY) != 0
                                              : (o->peers & peer[k]) != 0;
        r->residual = r->difference = -1;
        r->run = bench_alloc((double)c.rounds * sizeof *r->run);
    }
    e = enter(&c);
    if (!e) e = compete(&c);
    if (!e) e = report(&c);
    leave(&c);
    return e;
}

static int contest(const struct bench_options *o, enum eigen_routine routine)
{
    int e = 0;

    if (o->share_given && routine != SYEVR) return bench_fail("--share: of syevr alone") + 1;
    if (o->m && routine != GESDD) return bench_fail("--m: of gesdd alone") + 1;
    for (int i = 0; i < o->sizes && o->m; i++)
        if (o->n[i] > o->m) return bench_fail("--m: not fewer rows than columns") + 1;
    if (o->barriers && (routine == STEDC || routine == GEEV || !(o->doors & BENCH_TILES)))
        return bench_fail("--barriers: goes with stages and --door tiles") + 1;
    if (bench_start(o)) return 1;
    for (int i = 0; i < o->sizes && !e; i++) {
        tw_generator *g = NULL;
        if (tw_generator_create(&g, o->kind, o->type, o->m ? o->m : o->n[i], o->n[i], 1))
            e = bench_fail("--kind %s: %s", o->kind, tw_last_message()) + 1;
        tw_generator_destroy(g);
    }
    if (e) return tw_finalize(), e;
    for (int i = 0; i < o->sizes; i++)
        for (int vectors = 0; vectors <= 1; vectors++)
            if (o->jobz & (vectors ? BENCH_VECTORS : BENCH_VALUES)) e |= one(o, routine, o->n[i], vectors);
    bench_gpu_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}

int bench_syevd(const struct bench_options *o)
{
    return contest(o, SYEVD);
}
int bench_syevr(const struct bench_options *o)
{
    return contest(o, SYEVR);
}
int bench_sygvd(const struct bench_options *o)
{
    return contest(o, SYGVD);
}
int bench_stedc(const struct bench_options *o)
{
    return contest(o, STEDC);
}
int bench_gesdd(const struct bench_options *o)
{
    return contest(o, GESDD);
}
int bench_geev(const struct bench_options *o)
{
    return contest(o, GEEV);
}
