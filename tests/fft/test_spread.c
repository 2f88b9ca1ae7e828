/* Arrays spread over several memories, pieces of main memory worked on by CPU workers and, where there are GPUs,
 * theirs: set, forward, get, backward, get, for numbers of pieces and of parts that do not divide the sizes, or exceed
 * them; float and double. One large transform through them. */
#include "arrays.h"
#include "algorithms/fft/fft_plan.h"

struct job {
    struct tw_fft *there, *back;
    void *x, *y, *z; /* input; forward; there and back */
    int gpus, each, on_cpus, status;
};

static void transform(struct tw_sequence *seq, struct tw_fft *p, struct tw_fft_spread *s, int turned)
{
    struct tw_fft_rows r = tw_fft_rows_of(p, 0);
    struct tw_fft_cols c = tw_fft_columns_of(p, s->width, p->scale, 0);

    if (s->on_cpus) {
        /* no piece is known to be aligned as FFTW likes */
        char *any = (char *)s->rows[0].ptr + s->size;
        const struct tw_fft_variant *v = tw_fft_variant_for(p, any, any);
        assert_non_null(v);
        r.many = v->many, r.one = v->one;
    }
    tw_fft_spread_transform(seq, s, &r, &c, turned);
}

static void loop(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    struct tw_fft *p = j->there;
    struct tw_fft_spread s;

    if ((j->status = tw_fft_spread_make(&s, p->type, j->gpus, j->each, j->on_cpus, p->nrows, p->rows.m_in))) return;
    tw_fft_spread_travel(seq, &s, j->x, 0, 0);
    transform(seq, p, &s, 0);
    tw_fft_spread_travel(seq, &s, j->y, 1, 1);
    transform(seq, j->back, &s, 1);
    tw_fft_spread_travel(seq, &s, j->z, 0, 1);
    tw_fft_spread_free(&s);
}

static tw_fft *planned(enum tw_type type, int rank, const tw_int *n, int sign, enum tw_fft_norm norm)
{
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    o.norm = norm;
    assert_int_equal(tw_fft_plan(&p, type, TW_FFT_C2C, rank, n, 1, sign, &o), 0);
    assert_ptr_equal(p->method, &tw_fft_by_slabs);
    return p;
}

static void against_execute(int single, int rank, const tw_int *n, int gpus, int each, int on_cpus)
{
    struct job j = {.there = planned(single ? TW_FLOAT : TW_DOUBLE, rank, n, -1, TW_FFT_UNSCALED),
                    .back = planned(single ? TW_FLOAT : TW_DOUBLE, rank, n, 1, TW_FFT_BY_N),
                    .gpus = gpus,
                    .each = each,
                    .on_cpus = on_cpus};
    const size_t bytes = j.there->in_bytes;
    void *want = numbers(single, bytes);

    j.x = numbers(single, bytes), j.y = numbers(single, bytes), j.z = calloc(1, bytes);
    assert_int_equal(tw_fft_execute(j.there, j.x, want), 0);
    assert_int_equal(tw_call("spread", loop, &j, 0), 0);
    assert_int_equal(j.status, 0);
    if (!(distance(single, j.y, want, bytes) < (single ? 1e-6 : 2e-15)))
        fail_msg("forward, %d x %d parts: %.3g", gpus, each, distance(single, j.y, want, bytes));
    if (!(distance(single, j.z, j.x, bytes) < (single ? 1e-6 : 2e-15)))
        fail_msg("back, %d x %d parts: %.3g", gpus, each, distance(single, j.z, j.x, bytes));
    tw_fft_destroy(j.there);
    tw_fft_destroy(j.back);
    free(want), free(j.x), free(j.y), free(j.z);
}

static void shapes(void **state)
{
    static const tw_int cube[] = {20, 18, 26}, plane[] = {37, 101}, flat[] = {7, 50};
    (void)state;
    if (!tw_is_running()) assert_int_equal(tw_init(NULL), 0); /* GPUs are counted */
    for (int on_cpus = 0; on_cpus < 2; on_cpus++)
        for (int gpus = on_cpus ? 2 : 1; gpus <= (on_cpus ? 4 : tw_gpus()); gpus++)
            for (int each = 1; each <= 3; each++)
                for (int single = 0; single < 2; single++) {
                    against_execute(single, 3, cube, gpus, each, on_cpus);
                    against_execute(single, 2, plane, gpus, each, on_cpus);
                    against_execute(single, 2, flat, gpus, each, on_cpus);
                }
}

/* ---- one large transform through several memories ---------------------------------------------------------------- */

static struct tw_fft_cols half(const struct tw_fft *p, int which, int gpus)
{
    return (struct tw_fft_cols){.plan = p->columns[which].plan,
                                .n = p->columns[which].n,
                                .chunk = p->columns[which].chunk,
                                .pitch = p->columns[which].pitch,
                                .sign = p->problem.sign,
                                .scale = 1,
                                .type = p->type,
                                .gpus = gpus};
}

static void long_loop(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    struct tw_fft *p = j->there;
    const tw_int n1 = p->columns[0].n, n2 = p->columns[1].n;
    struct tw_fft_sixstep h = {.first = half(p, 0, j->on_cpus ? 0 : j->gpus),
                               .second = half(p, 1, j->on_cpus ? 0 : j->gpus),
                               .x = {j->x, n1, n2, n2, tw_sizeof(p->type)},
                               .t = {NULL, n2, n1, n1, tw_sizeof(p->type)},
                               .y = {j->y, n2, n1, n1, tw_sizeof(p->type)},
                               .w1 = n2 / j->each + 1,
                               .w2 = n1 / (j->each + 2) + 1};

    h.first.transposed = 1;
    h.first.roots = &p->roots;
    j->status = tw_fft_sixstep_gpus(seq, &h, j->gpus, j->on_cpus);
}

static void against_one(int single, tw_int n, int gpus, int each, int on_cpus)
{
    struct job j = {.gpus = gpus, .each = each, .on_cpus = on_cpus};
    tw_fft_options o;
    size_t bytes;
    void *want;
    tw_int n1, n2;

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    assert_int_equal(tw_fft_plan(&j.there, single ? TW_FLOAT : TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, &o), 0);
    assert_ptr_equal(j.there->method, &tw_fft_by_six_steps);
    n1 = j.there->columns[0].n, n2 = j.there->columns[1].n;
    bytes = j.there->in_bytes;
    j.x = numbers(single, bytes), j.y = numbers(single, bytes), want = numbers(single, bytes);
    assert_int_equal(tw_fft_execute(j.there, j.x, want), 0);
    assert_int_equal(tw_call("through", long_loop, &j, 0), 0);
    /* the first part of each memory is cut once more, if it is wide enough */
    assert_true(j.status >= 2 * (int)(tw_fft_ceil(n2, n2 / each + 1) + tw_fft_ceil(n1, n1 / (each + 2) + 1)));
    if (!(distance(single, j.y, want, bytes) < (single ? 1e-6 : 4e-15)))
        fail_msg("%d x %d parts: %.3g", gpus, each, distance(single, j.y, want, bytes));
    tw_fft_destroy(j.there);
    free(want), free(j.x), free(j.y);
}

static void long_transforms(void **state)
{
    const tw_int n = 5000 * 616; /* parts of some thousand columns: the first is cut */
    (void)state;
    for (int single = 0; single < 2; single++)
        for (int each = 1; each <= 5; each += 4) {
            for (int gpus = 1; gpus <= 4; gpus += 3)
                against_one(single, n, gpus, each, 1);
            for (int gpus = 1; gpus <= (tw_gpu_peers() ? tw_gpus() : tw_min(1, tw_gpus())); gpus++) {
                against_one(single, n, gpus, each, 0);
                against_one(single, 5000 * 5040, gpus, each, 0); /* columns that are transposed */
            }
        }
}

/* What is still held when the library stops is given back then. */
static void hold_one(struct tw_sequence *seq, void *args)
{
    struct tw_held *h = args;
    (void)seq;
    assert_int_equal(tw_hold(h, TW_DOUBLE, 1000, 10, -1), 0);
    memset(h->ptr, 1, 80000);
}
static void held_at_the_end(void **state)
{
    struct tw_held a, b;
    (void)state;
    assert_int_equal(tw_call("hold", hold_one, &a, 0), 0);
    assert_int_equal(tw_call("hold", hold_one, &b, 0), 0);
    tw_let_go(&a);
    tw_let_go(&a); /* once is enough */
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(tw_init(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(long_transforms),
                                       cmocka_unit_test(held_at_the_end)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
