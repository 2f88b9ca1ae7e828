/* What tasks cost: shares are learned for each codelet, operand types and size alone, bounded, and kept in the profile;
 * orders from (m, n, k); reported flops; sizes of workspaces. */
#include <math.h>
#include <stdatomic.h>
#include <starpu.h>
#include <unistd.h>

#include "tt.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"

/* ---- particles do not move dgemm's prediction -------------------------------------------------------------------- */

enum { N = 256 };
static atomic_int asked, done;
static double before, after;

/* As a product of tiles to the models; it waits: its prediction is asked for before the other work and after it. */
static double predicted(void)
{
    return starpu_task_expected_length(starpu_task_get_current(),
                                       starpu_worker_get_perf_archtype(starpu_worker_get_id(), 0), 0);
}
static int product(const struct tw_body *body)
{
    memset(body->buf[0].ptr, 0, (size_t)body->buf[0].ld * N * sizeof(double));
    before = predicted();
    atomic_store(&asked, 1);
    while (!atomic_load(&done))
        usleep(1000);
    after = predicted();
    return 0;
}
static struct tw_codelet product_codelet = {.name = "gemm", .color = 0x117733, .rate = TW_RATE_GEMM, .cpu = product};

static void product_loop(struct tw_sequence *seq, void *args)
{
    struct tw_data *c = *(struct tw_data **)args;
    tw_submit(seq, &(struct tw_task){.codelet = &product_codelet,
                                     .type = TW_DOUBLE,
                                     .access = &(struct tw_access){c, TW_W},
                                     .naccess = 1,
                                     .flops = 2.0 * N * N * N,
                                     .size = N,
                                     .coord = {-1, -1, -1, -1}});
}

static tw_matrix *random_matrix(tw_int m, tw_int n)
{
    double *a = tt_array(TW_DOUBLE, m, n);
    tw_matrix *A;

    tt_random(TW_DOUBLE, 'G', m, n, a, m, 1);
    tt_expect_info(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, m, n, a, m, N), 0, "matrix");
    free(a);
    return A;
}

static void all_pairs(void)
{
    tw_matrix *sources = random_matrix(24 * N, 4), *result;

    tt_expect_info(tw_matrix_create(&result, TW_DOUBLE, TW_GENERAL, 24 * N, 4, N, NULL), 0, "result");
    tt_expect_info(tw_nbody_direct(0.1, sources, NULL, result), 0, "tw_nbody_direct");
    tw_matrix_destroy(sources), tw_matrix_destroy(result);
}

static void cut_off(void)
{
    tw_cutoff c;
    tw_atoms a;
    tw_cutoff_energy energy;

    tt_expect_info(tw_atoms_generate(&a, "liquid", 20000, 1), 0, "atoms");
    tw_cutoff_init(&c, 8);
    for (int k = 0; k < 3; k++)
        tt_expect_info(tw_cutoff_forces(&c, &a, &energy, NULL), 0, "tw_cutoff_forces");
    tw_atoms_free(&a);
}

static void particles_leave_products_alone(void **state)
{
    struct tw_data *c;
    tw_matrix *A, *C;
    tw_sequence *seq;
    tw_machine m;

    (void)state;
    tt_expect_info(tw_init(NULL), 0, "tw_init");
    tt_expect_info(tw_machine_info(&m), 0, "machine");
    if (m.cpu_workers < 2) {
        tw_finalize();
        skip(); /* one worker waits, another works */
    }
    A = random_matrix(4 * N, 4 * N);
    tt_expect_info(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 4 * N, 4 * N, N, NULL), 0, "matrix");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A, A, (tw_scalar){0, 0}, C), 0, "tw_gemm");
    assert_non_null(c = tw_data_tile(TW_DOUBLE, N, N));
    tt_expect_info(tw_sequence_create(&seq), 0, "sequence");
    tt_expect_info(tw_call_async(seq, "product", product_loop, &c, sizeof c, 0), 0, "product");
    while (!atomic_load(&asked))
        usleep(1000);
    all_pairs();
    cut_off();
    atomic_store(&done, 1);
    tt_expect_info(tw_sequence_destroy(seq), 0, "sequence");
    assert_true(before > 0);
    if (!(fabs(after / before - 1) <= 0.05)) fail_msg("dgemm: %g us before particles, %g after", before, after);
    tw_data_free_later(c);
    tw_matrix_destroy(A), tw_matrix_destroy(C);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

static const struct tw_work some_work = {.flops = 2e6, .bytes = 1e5, .order = 100};

static void learn(struct tw_model *m, int is_cuda, const struct tw_work *w, double seconds, int times)
{
    for (int k = 0; k < times; k++)
        tw_model_learn(m, is_cuda, w, seconds);
}

/* Nobody has learned anything there. */
static void new_folder(char folder[4200])
{
    const char *build = getenv("TILEWORK_BUILD");
    snprintf(folder, 4200, "%.4100s/test-state/cost-XXXXXX", build ? build : "/tmp");
    assert_non_null(mkdtemp(folder));
}
static void restart(const char *cache)
{
    tw_options o;

    tw_options_init(&o);
    o.cache_dir = cache;
    tt_expect_info(tw_init(&o), 0, "tw_init");
}

static void shares_are_learned_apart_and_bounded(void **state)
{
    const struct tw_work larger = {.flops = 2e9, .order = 1000}, none = {.order = 100};
    struct tw_model *a, *b, *half;
    double seconds;
    char folder[4200];

    (void)state;
    new_folder(folder);
    restart(folder);
    a = tw_model_of("tw_dtest_a", TW_RATE_GEMM, TW_DOUBLE, 0);
    b = tw_model_of("tw_stest_a", TW_RATE_GEMM, TW_FLOAT, 0);
    half = tw_model_of("tw_dtest_half", TW_RATE_GEMM, TW_DOUBLE, 0.5);
    assert_true(a && b && half && a != b);
    assert_ptr_equal(tw_model_of("tw_dtest_a", TW_RATE_GEMM, TW_DOUBLE, 0), a);
    seconds = tw_model_seconds(a, 0, &some_work);
    assert_true(seconds > 0 && tw_model_share(a, 0, 100) == 1);
    assert_true(fabs(tw_model_seconds(half, 0, &some_work) / seconds - 2) < 1e-6);
    learn(a, 0, &some_work, 2 * seconds, 400);
    assert_true(fabs(tw_model_seconds(a, 0, &some_work) / seconds - 2) < 1e-3);
    assert_true(fabs(tw_model_share(a, 0, 127) - 0.5) < 1e-3);
    assert_true(tw_model_share(a, 0, 128) == 1 && tw_model_share(a, 1, 100) == 1 && tw_model_share(b, 0, 100) == 1);
    assert_true(tw_model_seconds(a, 0, &larger) == tw_model_seconds(a, 0, &larger));
    learn(a, 0, &some_work, 1e6 * seconds, 400);
    assert_true(fabs(tw_model_seconds(a, 0, &some_work) / seconds - 4) < 1e-3);
    learn(half, 0, &some_work, 1e-9 * seconds, 400);
    assert_true(fabs(tw_model_share(half, 0, 100) - 2) < 1e-3); /* 4 times what it declares */
    learn(b, 0, &some_work, NAN, 50);
    learn(b, 0, &some_work, 0, 50);
    learn(b, 0, &some_work, -1, 50);
    learn(b, 0, &none, 1, 50);
    assert_true(tw_model_share(b, 0, 100) == 1);
    for (double order = -1; order < 1e9; order = order * 3 + 4)
        assert_true(tw_model_share(b, 0, order) == 1);
    assert_true(tw_model_share(b, 0, NAN) == 1 && tw_model_share(b, 0, INFINITY) == 1);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

static void shares_are_kept(void **state)
{
    char folder[4200], text[4300];
    static tw_profile_entry e[1024];
    struct tw_model *m;
    double share;
    int count, listed = 0;
    FILE *f;

    (void)state;
    new_folder(folder);
    restart(folder);
    m = tw_model_of("tw_dskept", TW_RATE_SYRK, TW_DOUBLE, 0);
    learn(m, 0, &some_work, 3 * tw_model_seconds(m, 0, &some_work), 40);
    learn(m, 0, &(struct tw_work){.flops = 2e9, .order = 1000}, 1e-3, 4); /* too few to be kept */
    share = tw_model_share(m, 0, 100);
    assert_true(share < 0.6);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");

    restart(folder);
    m = tw_model_of("tw_dskept", TW_RATE_SYRK, TW_DOUBLE, 0);
    assert_true(fabs(tw_model_share(m, 0, 100) / share - 1) < 1e-4);
    assert_true(tw_model_share(m, 0, 1000) == 1);
    /* another base rate, or a codelet that by now declares what is far from it: what was learned is not for them */
    assert_true(tw_model_share(tw_model_of("tw_dskept", TW_RATE_TRSM, TW_DOUBLE, 0), 0, 100) == 1);
    count = tw_profile_entries(e, 1024);
    for (int k = 0; k < count; k++)
        if (!strcmp(e[k].what, "tw_dskept")) {
            assert_true(!strcmp(e[k].device, "cpu") && !strcmp(e[k].unit, "of syrk") && e[k].order == 64);
            assert_true(fabs(e[k].value / share - 1) < 1e-4);
            listed++;
        }
    assert_int_equal(listed, 1);
    /* a second model's share goes beside the first's */
    m = tw_model_of("tw_zkept", TW_RATE_GEMM, TW_COMPLEX_DOUBLE, 0);
    learn(m, 1, &some_work, 2 * tw_model_seconds(m, 1, &some_work), 40);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    restart(folder);
    assert_true(fabs(tw_model_share(tw_model_of("tw_dskept", TW_RATE_SYRK, TW_DOUBLE, 0), 0, 100) / share - 1) < 1e-4);
    assert_true(tw_model_share(tw_model_of("tw_zkept", TW_RATE_GEMM, TW_COMPLEX_DOUBLE, 0), 1, 100) < 0.8);
    assert_true(tw_model_share(tw_model_of("tw_zkept", TW_RATE_GEMM, TW_COMPLEX_DOUBLE, 0), 0, 100) == 1);
    assert_int_equal(tw_profile.nshares, 2);
    /* measured anew, everything is; what has gone meanwhile is not brought back */
    snprintf(text, sizeof text, "%s", tw_profile.path);
    m = tw_model_of("tw_cgone", TW_RATE_GEMM, TW_COMPLEX_FLOAT, 0);
    learn(m, 0, &some_work, 2 * tw_model_seconds(m, 0, &some_work), 40);
    assert_int_equal(unlink(text), 0);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    assert_null(f = fopen(text, "r"));
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

static void orders(void **state)
{
    (void)state;
    for (double n = 1; n < 1e5; n *= 7)
        assert_true(fabs(tw_order(n, n, n) / n - 1) < 1e-12 && fabs(tw_order(n, n, 0) / n - 1) < 1e-12);
    assert_true(tw_order(1000, 1000, 8) < 24 && tw_order(1000, 1000, 8) > 8);
    assert_true(tw_order(100, 20, 3) == tw_order(3, 100, 20) ||
                fabs(tw_order(100, 20, 3) - tw_order(3, 100, 20)) < 1e-12);
    assert_true(tw_order(0, 0, 0) == 0 && tw_order(-1, 0, 5) == 5);
}

/* ---- two types, two nb: y (double) += A (float) x (double) ------------------------------------------------------- */

static atomic_int mixed, same;
/* Buffers: A R m x n, x R n, y RW m */
static int gemv(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    const double *x = body->buf[1].ptr;
    double *y = body->buf[2].ptr;

    if (body->type != TW_DOUBLE || body->buf[1].m != a->n || body->buf[2].m != a->m) return TW_E_INTERNAL;
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++) {
            const size_t at = (size_t)i + (size_t)j * (size_t)a->ld;
            y[i] +=
                x[j] * (body->second == TW_FLOAT ? (double)((const float *)a->ptr)[at] : ((const double *)a->ptr)[at]);
        }
    atomic_fetch_add(body->second == TW_FLOAT ? &mixed : &same, 1);
    tw_body_flops(body, 2.0 * a->m * a->n);
    return 0;
}
static struct tw_codelet gemv_codelet = {
    .name = "testgemv", .color = 0x808080, .rate = TW_RATE_MEMORY, .share = 0.5, .cpu = gemv};

struct system {
    tw_matrix *A;
    struct tw_data *x[16], *y[16];
};
static void gemv_loop(struct tw_sequence *seq, void *args)
{
    const struct system *s = args;

    for (int i = 0; i < s->A->mt; i++)
        for (int j = 0; j < s->A->nt; j++)
            tw_submit(
                seq, &(struct tw_task){
                         .codelet = &gemv_codelet,
                         .type = TW_DOUBLE,
                         .second = s->A->type == TW_DOUBLE ? 0 : TW_SECOND(s->A->type),
                         .access = (struct tw_access[]){{tw_tile(s->A, i, j), TW_R}, {s->x[j], TW_R}, {s->y[i], TW_RW}},
                         .naccess = 3,
                         .flops = 1e6, /* a wrong guess: the body knows */
                         .m = tw_tile_rows(s->A, i),
                         .n = tw_tile_cols(s->A, j),
                         .coord = {i, j, -1, -1}});
}

static void multiply(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    void *a = tt_array(type, m, n);
    struct system s;
    tw_times times;
    int rows = 0, found = 0;

    tt_random(type, 'G', m, n, a, m, 7);
    tt_expect_info(tw_matrix_create_tiles(&s.A, type, TW_GENERAL, m, n, mb, nb, NULL), 0, "matrix");
    tt_expect_info(tw_matrix_set_lapack(s.A, a, m), 0, "set");
    for (int j = 0; j < s.A->nt; j++) {
        double *x;
        assert_non_null(s.x[j] = tw_data_vector_of(TW_DOUBLE, (size_t)tw_tile_cols(s.A, j), (int[2]){j, -1}));
        x = tw_data_acquire(s.x[j], 'w');
        for (int k = 0; k < tw_tile_cols(s.A, j); k++)
            x[k] = tt_uniform(3, j * nb + k, 0);
        tw_data_release(s.x[j]);
    }
    for (int i = 0; i < s.A->mt; i++)
        assert_non_null(s.y[i] = tw_data_vector_of(TW_DOUBLE, (size_t)tw_tile_rows(s.A, i), (int[2]){i, -1}));
    tw_counters_reset();
    tt_expect_info(tw_times_start(), 0, "times");
    tt_expect_info(tw_call("testgemv", gemv_loop, &s, 0), 0, "gemv");
    tt_expect_info(tw_times_stop(&times), 0, "times");
    for (int i = 0; i < s.A->mt; i++) {
        const double *y = tw_data_acquire(s.y[i], 'r');
        for (int k = 0; k < tw_tile_rows(s.A, i); k++, rows++) {
            double want = 0;
            for (tw_int j = 0; j < n; j++)
                want += creal(tt_get(type, a, (size_t)rows + (size_t)(j * m))) * tt_uniform(3, j, 0);
            if (!(fabs(y[k] - want) <= 1e-13 * (double)n)) fail_msg("row %d: %g, expected %g", rows, y[k], want);
        }
        tw_data_release(s.y[i]);
    }
    assert_int_equal(rows, m);
    /* what the bodies said, not what was guessed */
    tw_counters counters;
    tt_expect_info(tw_counters_get(&counters), 0, "counters");
    assert_true(fabs(counters.flops / (2.0 * (double)(m * n)) - 1) < 1e-12);
    assert_true(fabs(times.device[0].flops / (2.0 * (double)(m * n)) - 1) < 1e-12);
    for (int k = 0; k < times.kernels; k++)
        found += !strcmp(times.kernel[k].name, type == TW_FLOAT ? "dstestgemv" : "dtestgemv");
    assert_int_equal(found, 1);
    for (int j = 0; j < s.A->nt; j++)
        tw_data_free_later(s.x[j]);
    for (int i = 0; i < s.A->mt; i++)
        tw_data_free_later(s.y[i]);
    tw_matrix_destroy(s.A);
    free(a);
}

static void two_types_two_orders(void **state)
{
    (void)state;
    tt_expect_info(tw_init(NULL), 0, "tw_init");
    multiply(TW_FLOAT, 200, 130, 48, 20);
    multiply(TW_FLOAT, 101, 97, 17, 31);
    assert_int_equal(mixed, 5 * 7 + 6 * 4);
    multiply(TW_DOUBLE, 200, 130, 48, 20);
    assert_int_equal(same, 5 * 7);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

/* ---- sizes of workspaces ----------------------------------------------------------------------------------------- */

static int query(const struct tw_cuda *cuda, enum tw_type type, const struct tw_extent *extent, size_t *bytes)
{
    (void)cuda, (void)type, (void)extent, (void)bytes;
    return 0;
}
static int other_query(const struct tw_cuda *cuda, enum tw_type type, const struct tw_extent *extent, size_t *bytes)
{
    return query(cuda, type, extent, bytes) + 0;
}
static int questions, failing;
static size_t size_of(const struct tw_workspace_key *key)
{
    const int *v = key->extent.v;
    return (size_t)(v[0] % 3 ? v[0] * 64 + v[1] * 8 + v[2] + 1000 * key->type + (key->query == query) : 0);
}
static int ask(const struct tw_workspace_key *key, size_t *bytes)
{
    questions++;
    *bytes = size_of(key);
    return failing;
}

static void every_workspace_is_asked_for_once(void **state)
{
    size_t bytes;

    (void)state;
    for (int round = 0; round < 3; round++) {
        questions = 0;
        for (int k = 0; k < 2000; k++) {
            const struct tw_workspace_key key = {k % 2 ? query : other_query, k % 4, {{k, -k, k * 77, k & 8}}};
            assert_int_equal(tw_workspace_known(&key, ask, &bytes), 0);
            assert_true(bytes == size_of(&key)); /* 0 among them, which is known as well */
        }
        assert_int_equal(questions, round ? 0 : 2000);
    }
    const struct tw_workspace_key key = {query, TW_DOUBLE, {{7, 7, 7, 7}}};
    failing = 3;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tw_workspace_known(&key, ask, &bytes), 3);
        assert_true(bytes == 0);
    }
    failing = 0;
    assert_int_equal(tw_workspace_known(&key, ask, &bytes), 0);
    assert_int_equal(questions, 3);
    tw_workspace_forget();
    assert_int_equal(tw_workspace_known(&key, ask, &bytes), 0);
    assert_int_equal(questions, 4);
    tw_workspace_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_leave_products_alone),
        cmocka_unit_test(shares_are_learned_apart_and_bounded),
        cmocka_unit_test(shares_are_kept),
        cmocka_unit_test(orders),
        cmocka_unit_test(two_types_two_orders),
        cmocka_unit_test(every_workspace_is_asked_for_once),
    };
    return tt_run(tests);
}
