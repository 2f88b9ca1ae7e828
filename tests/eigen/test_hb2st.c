/* Stage 2 as tasks: a band filled by tasks, chased, and Q2 applied to the identity in blocks of columns. */
#include <stdint.h>
#include "algorithms/eigen/chase_private.h"
#include "bands.h"
#include "runtime/task/routine.h"
#include "runtime/task/submit.h"

/* ---- a band filled by tasks, as stage 1 does --------------------------------------------------------------------- */

struct fill {
    const struct band_case *c;
    int first, last;
};
static int fill_body(const struct tw_body *body)
{
    const struct fill *g = body->args;
    band_columns(g->c, g->first, g->last, body->buf[0].ptr, body->buf[0].ld);
    return 0;
}
static struct tw_codelet fill_codelet = {.name = "fill", .rate = TW_RATE_MEMORY, .cpu = fill_body};

static void fill(struct tw_sequence *seq, struct tw_band *B, const struct band_case *c)
{
    const int step = B->b;
    for (int first = 0; first < B->n; first += step) {
        const struct fill args = {c, first, (int)tw_min(first + step, B->n)};
        struct tw_access access[8];
        assert_true(tw_band_accesses_most(B, step) <= 8);
        const int naccess = tw_band_accesses(B, args.first, args.last, TW_RW, access);
        tw_submit(seq, &(struct tw_task){.codelet = &fill_codelet,
                                         .type = B->type,
                                         .args = &args,
                                         .args_size = sizeof args,
                                         .access = access,
                                         .naccess = naccess,
                                         .coord = {first, -1, -1, -1}});
    }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

struct run {
    const struct band_case *c;
    const struct tw_chase_shape *shape; /* NULL: the usual one */
    struct tw_data *d, *e;
    tw_matrix *Z; /* NULL: values only */
};

static void loop(struct tw_sequence *seq, void *p)
{
    struct run *r = p;
    struct tw_band *B = tw_band_create(seq, r->c->t, r->c->n, r->c->b);
    struct tw_chase *chase = !r->Z      ? NULL
                             : r->shape ? tw_chase_shaped(seq, r->c->t, *r->shape)
                                        : tw_chase_create(seq, r->c->t, r->c->n, r->c->b);

    if (B && (chase || !r->Z)) {
        fill(seq, B, r->c);
        tw_hb2st_loop(seq, B, r->d, r->e, chase, tw_info(seq));
        if (chase) tw_chase_apply_loop(seq, chase, "back_tridiagonal", r->Z, r->c->n % 2);
    }
    tw_chase_free_later(chase);
    tw_band_free_later(B);
}

struct outcome {
    int info, n;
    size_t real;
    void *d, *e, *z; /* z: n x n */
};

static void *copy_of(struct tw_data *v, size_t bytes)
{
    void *to = calloc(1, bytes + 16);
    memcpy(to, tw_data_acquire(v, 'r'), bytes);
    tw_data_release(v);
    tw_data_free_later(v);
    return to;
}

static struct outcome run(const struct band_case *c, int block, const struct tw_chase_shape *shape)
{
    const enum tw_type real = tw_real_type(c->t);
    const size_t length = c->n > 0 ? (size_t)c->n : 1;
    struct run r = {.c = c, .shape = shape};
    struct outcome o = {.n = c->n, .real = tw_sizeof(real)};

    if (!tw_is_running()) tt_expect_info(tw_init(NULL), 0, "start");
    r.d = tw_data_vector_of(real, length, (const int[2]){0, 0});
    r.e = tw_data_vector_of(real, length, (const int[2]){0, 0});
    if (block > 0) {
        o.z = tt_array(c->t, c->n, c->n);
        for (int j = 0; j < c->n; j++)
            for (int i = 0; i < c->n; i++)
                tt_put(c->t, o.z, (size_t)i + (size_t)j * (size_t)c->n, i == j);
        tt_expect_info(tw_matrix_create_tiles(&r.Z, c->t, TW_GENERAL, c->n, c->n, c->n > 0 ? c->n : 1, block, NULL), 0,
                       "Z");
        tt_expect_info(tw_matrix_set_lapack(r.Z, o.z, c->n > 0 ? c->n : 1), 0, "Z");
    }
    o.info = tw_call("hb2st", loop, &r, 0);
    if (block > 0) {
        tt_expect_info(tw_matrix_to_lapack(r.Z, o.z, c->n > 0 ? c->n : 1), 0, "Z");
        tt_expect_info(tw_matrix_destroy(r.Z), 0, "Z");
    }
    o.d = copy_of(r.d, length * o.real), o.e = copy_of(r.e, length * o.real);
    return o;
}
static void drop(struct outcome *o)
{
    free(o->d), free(o->e), free(o->z);
}

static void check(const struct band_case *c, const struct outcome *o, const char *what)
{
    const enum tw_type real = tw_real_type(c->t);
    double *d = calloc((size_t)c->n + 1, sizeof *d), *e = calloc((size_t)c->n + 1, sizeof *e);
    char name[2][64];

    tt_expect_info(o->info, 0, "info");
    for (int i = 0; i < c->n; i++)
        d[i] = creal(tt_get(real, o->d, (size_t)i)), e[i] = creal(tt_get(real, o->e, (size_t)i));
    snprintf(name[0], sizeof name[0], "%s: values", what);
    band_expect(name[0], c, band_values_error(c, d, e));
    if (o->z && c->n > 0) {
        tt_z *q = tt_full(TT_GENERAL, c->t, 'G', 'N', c->n, c->n, o->z, c->n);
        const double orthogonality = tt_orthogonality(c->t, c->n, c->n, q);
        snprintf(name[0], sizeof name[0], "%s: B - Q T Q^H", what);
        snprintf(name[1], sizeof name[1], "%s: I - Q^H Q", what);
        band_expect(name[0], c, band_residual(c, d, e, q));
        tt_expect(name[1], c->t, orthogonality, 0, "n %d, b %d", c->n, c->b);
        assert_true(orthogonality < 3);
        free(q);
    }
    free(d), free(e);
}

static void one_case(enum tw_type t, int n, int b, enum kind kind)
{
    struct band_case c = {t, n, b, kind, NULL};
    struct outcome values, all;

    band_make(&c);
    values = run(&c, 0, NULL);
    all = run(&c, n > 50 ? 50 : 2, NULL);
    check(&c, &values, "values only");
    check(&c, &all, "with Q");
    assert_memory_equal(values.d, all.d, (size_t)n * values.real);
    if (n > 1) assert_memory_equal(values.e, all.e, (size_t)(n - 1) * values.real);
    drop(&values), drop(&all);
    free(c.full);
}

static void sizes(void **state)
{
    static const int widths[] = {1, 2, 8, 32};
    (void)state;
    TT_TYPES(t)
        for (int w = 0; w < 4; w++) {
            const int b = widths[w], sizes[] = {0, 1, 2, 3, b - 1, b, b + 1, 97};
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                one_case(t, sizes[k], b, RANDOM);
        }
}
static void larger(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int b = t == TW_DOUBLE ? 1 : 32; b <= 32; b *= b < 8 ? 2 : 4)
            one_case(t, b == 32 || b == 2 ? 500 : 333, b, RANDOM);
}
static void kinds(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (enum kind k = RANDOM; k < KINDS; k++)
            one_case(t, 131, 8, k);
}

/* Blocks of columns do not know of each other; tasks of other sizes give the same T. */
static void partitions(void **state)
{
    (void)state;
    TT_TYPES(t) {
        struct band_case c = {t, 200, 16, RANDOM, NULL};
        const struct tw_chase_shape small = {200, 16, 2, 6, 0};
        struct outcome whole, parts, other;

        band_make(&c);
        whole = run(&c, 200, NULL);
        parts = run(&c, 48, NULL);
        other = run(&c, 200, &small);
        check(&c, &other, "with Q");
        assert_memory_equal(whole.d, other.d, 200 * whole.real);
        check(&c, &parts, "with Q");
        if (tw_gpus() == 0) /* cuBLAS' sums depend on how many columns there are */
            assert_memory_equal(whole.z, parts.z, 200 * 200 * tw_sizeof(t));
        drop(&whole), drop(&parts), drop(&other);
        free(c.full);
    }
}

/* Whole sweeps as tasks, which GPUs do: on CPUs the same bits. */
static void sweeps(void **state)
{
    static const int n[] = {2, 33, 300, 300, 300, 130}, b[] = {1, 2, 3, 32, 48, 100};
    (void)state;
    TT_TYPES(t)
        for (int i = 0; i < 6; i++) {
            struct band_case c = {t, n[i], b[i], i == 2 ? GRADED : RANDOM, NULL};
            struct outcome tasks, all, values;
            const size_t bytes = (size_t)n[i];

            band_make(&c);
            tasks = run(&c, n[i], NULL);
            assert_int_equal(setenv("TILEWORK_CHASE", "gpu", 1), 0);
            all = run(&c, n[i], NULL);
            values = run(&c, 0, NULL);
            unsetenv("TILEWORK_CHASE");
            check(&c, &all, "sweeps");
            check(&c, &values, "sweeps, values");
            assert_memory_equal(values.d, all.d, bytes * all.real);
            assert_memory_equal(values.e, all.e, (bytes - 1) * all.real);
            if (tw_gpus() == 0) {
                assert_memory_equal(tasks.d, all.d, bytes * all.real);
                assert_memory_equal(tasks.e, all.e, (bytes - 1) * all.real);
                assert_memory_equal(tasks.z, all.z, bytes * bytes * tw_sizeof(t));
            }
            drop(&tasks), drop(&all), drop(&values);
            free(c.full);
        }
}

/* NaN in the band: an info that says which, and T has it. */
static void not_finite(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 4; k++) {
            struct band_case c = {t, 120, 8, RANDOM, NULL};
            struct outcome o;
            band_make(&c);
            setenv("TILEWORK_CHASE", k < 2 ? "cpu" : "gpu", 1);
            c.full[70 + 66 * 120] = k % 2 ? NAN : INFINITY;
            o = run(&c, 60, NULL);
            unsetenv("TILEWORK_CHASE");
            assert_in_range(o.info, 1, 120);
            drop(&o);
            free(c.full);
        }
}

/* ---- do the checks notice a fault? ----------------------------------------------------------------------------------
 * A build with fault injection spoils what the first task computes; others have to pass. */

static int fault_child(void)
{
    int wrong = 0;
    TT_TYPES(t)
        for (int vectors = 0; vectors < 2; vectors++) {
            struct band_case c = {t, 120, 8, RANDOM, NULL};
            const enum tw_type real = tw_real_type(t);
            double d[120], e[120], residual;
            struct outcome o;
            int bad;

            band_make(&c);
            o = run(&c, vectors ? 40 : 0, NULL);
            for (int i = 0; i < c.n; i++)
                d[i] = creal(tt_get(real, o.d, (size_t)i)), e[i] = creal(tt_get(real, o.e, (size_t)i));
            if (vectors) {
                tt_z *q = tt_full(TT_GENERAL, t, 'G', 'N', c.n, c.n, o.z, c.n);
                residual = band_residual(&c, d, e, q);
                free(q);
            } else {
                residual = band_values_error(&c, d, e);
            }
            bad = tt_judge(residual, c.n) == TT_FAIL;
#ifdef TILEWORK_FAULT_INJECTION
            bad = !bad;
#endif
            printf("%c %s: %g%s\n", tt_letter(t), vectors ? "Q" : "values", residual, bad ? "  WRONG VERDICT" : "");
            wrong += bad;
            drop(&o);
            free(c.full);
        }
    return wrong || tw_finalize() != 0;
}
static void faults(void **state)
{
    char out[4096] = "";
    (void)state;
    for (int gpu = 0; gpu < 2; gpu++) {
        const char *chase = gpu ? "TILEWORK_CHASE=gpu" : "TILEWORK_CHASE=cpu";
        if (tt_run_self("fault", (const char *[]){"TILEWORK_FAULT=1", chase, "STARPU_NCUDA=0", NULL}, 120, out,
                        sizeof out) != 0)
            fail_msg("%s: %s", chase, out);
    }
}

/* ---- the same bits with every scheduler and number of workers, each in a process of its own ---------------------- */

static uint64_t hash(uint64_t h, const void *p, size_t bytes)
{
    const unsigned char *x = p;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ x[i]) * 1099511628211u;
    return h;
}
static int child(void)
{
    uint64_t h = 14695981039346656037u;
    TT_TYPES(t) {
        struct band_case c = {t, 230, 6, RANDOM, NULL};
        const struct tw_chase_shape small = {230, 6, 3, 6, 1};
        struct outcome o;
        band_make(&c);
        o = run(&c, 64, &small);
        h = hash(hash(hash(h, o.d, 230 * o.real), o.e, 229 * o.real), o.z, 230 * 230 * tw_sizeof(t));
        drop(&o);
        free(c.full);
    }
    printf("hash %016llx\n", (unsigned long long)h);
    return tw_finalize() != 0;
}

static void same_bits(void **state)
{
    static const char *const sched[] = {"lws",  "eager", "prio",       "random",       "ws",      "dmdas",
                                        "dmda", "pheft", "heteroprio", "modular-heft", "tilework"};
    char first[64] = "";
    (void)state;
    for (size_t s = 0; s < sizeof sched / sizeof *sched; s++)
        for (int workers = 1; workers <= 4; workers++) {
            const int used = workers;
            if (s > 0 && workers != 1 + (int)s % 4)
                continue; /* the first one with any number, the others with one each */
            char policy[64], count[64], out[4096] = "";
            snprintf(policy, sizeof policy, "STARPU_SCHED=%s", sched[s]);
            snprintf(count, sizeof count, "STARPU_NCPU=%d", used);
            const int rc =
                tt_run_self("child", (const char *[]){policy, count, "STARPU_NCUDA=0", NULL}, 120, out, sizeof out);
            const char *line = strstr(out, "hash ");
            if (rc != 0 || !line)
                fail_msg("%s, %d workers: %d\n%s", sched[s], used, rc, out);
            else if (!*first)
                snprintf(first, sizeof first, "%.21s", line);
            else if (strncmp(first, line, 21) != 0)
                fail_msg("%s, %d workers: other bits", sched[s], used);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes), cmocka_unit_test(kinds),  cmocka_unit_test(larger),     cmocka_unit_test(partitions),
        tt_test_of_bits(sweeps), cmocka_unit_test(faults), cmocka_unit_test(not_finite), cmocka_unit_test(same_bits)};
    if (argc > 1) return !strcmp(argv[1], "fault") ? fault_child() : child();
    return tt_run(tests);
}
