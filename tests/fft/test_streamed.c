/* The passes over arrays larger than the GPUs' memory, run here by CPU workers part by part: rows, then columns in
 * place, against the same plan's own way; columns transposed with their factors and the columns after them, against one
 * long transform. Parts that do not divide the array, float and double, real and complex, padded rows. */
#include "arrays.h"
#include "algorithms/fft/fft_plan.h"

struct job {
    struct tw_fft *plan;
    void *in, *middle, *out;
    tw_int rows, columns; /* of a part */
    int tasks;
};

static tw_fft *planned(enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n)
{
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    assert_int_equal(tw_fft_plan(&p, type, kind, rank, n, 1, TW_FFT_FORWARD, &o), 0);
    return p;
}

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

static void slabs(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    struct tw_fft *p = j->plan;
    const struct tw_fft_variant *v = tw_fft_variant_for(p, j->in, j->out);
    struct tw_fft_rows r = tw_fft_rows_of(p, 0);
    const int real = r.kind == TW_FFT_R2C;
    const struct tw_fft_rectangle x = {j->in, p->nrows, r.m_in, r.ld_in,
                                       real ? tw_sizeof(p->type) / 2 : tw_sizeof(p->type)},
                                  y = {j->out, p->nrows, r.m_out, r.ld_out, tw_sizeof(p->type)};
    struct tw_fft_cols c = tw_fft_columns_of(p, r.m_out, p->scale, 0);

    assert_non_null(v);
    r.many = v->many, r.one = v->one;
    j->tasks = tw_fft_stream_rows(seq, &r, &x, &y, j->rows);
    j->tasks += tw_fft_stream_columns(seq, &c, &y, NULL, j->columns);
}

static void against_slabs(enum tw_type type, enum tw_fft_kind kind)
{
    static const tw_int n[3] = {20, 18, 26};
    const int single = tw_is_single(type);
    tw_fft *p = planned(type, kind, 3, n);
    void *x = numbers(single, p->in_bytes), *y = numbers(single, p->out_bytes), *z = numbers(single, p->out_bytes);
    struct job j = {.plan = p, .in = x, .out = y, .rows = 7, .columns = 100};

    assert_ptr_equal(p->method, &tw_fft_by_slabs);
    assert_int_equal(tw_fft_execute(p, x, z), 0);
    assert_int_equal(tw_call("streamed", slabs, &j, 0), 0);
    assert_int_equal(j.tasks, 3 + (int)tw_fft_ceil(p->rows.m_out, 100));
    assert_true(distance(single, y, z, p->out_bytes) < (single ? 1e-6 : 1e-15));
    tw_fft_destroy(p);
    free(x), free(y), free(z);
}

static void rows_and_columns(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        against_slabs(t ? TW_DOUBLE : TW_FLOAT, TW_FFT_C2C);
        against_slabs(t ? TW_DOUBLE : TW_FLOAT, TW_FFT_R2C);
    }
}

/* ---- one long transform ------------------------------------------------------------------------------------------ */

static struct tw_fft_cols columns(const struct tw_fft *p, int which)
{
    return (struct tw_fft_cols){.plan = p->columns[which].plan,
                                .n = p->columns[which].n,
                                .chunk = p->columns[which].chunk,
                                .pitch = p->columns[which].pitch,
                                .sign = p->problem.sign,
                                .scale = 1,
                                .type = p->type};
}

static void steps(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    struct tw_fft *p = j->plan;
    const tw_int n1 = p->columns[0].n, n2 = p->columns[1].n;
    const size_t size = tw_sizeof(p->type);
    const struct tw_fft_rectangle x = {j->in, n1, n2, n2, size}, t = {j->middle, n2, n1, n1, size},
                                  y = {j->out, n2, n1, n1, size};
    struct tw_fft_cols first = columns(p, 0), second = columns(p, 1);

    first.transposed = 1;
    first.roots = &p->roots;
    j->tasks = tw_fft_stream_columns(seq, &first, &x, &t, j->columns);
    j->tasks += tw_fft_stream_columns(seq, &second, &t, &y, j->rows);
}

static void long_transform(void **state)
{
    static const tw_int n = 90 * 110;
    (void)state;
    for (int single = 0; single < 2; single++) {
        tw_fft *p = planned(single ? TW_FLOAT : TW_DOUBLE, TW_FFT_C2C, 1, &n);
        void *x = numbers(single, p->in_bytes), *t = numbers(single, p->in_bytes), *y = numbers(single, p->in_bytes),
             *z = numbers(single, p->in_bytes);
        struct job j = {.plan = p, .in = x, .middle = t, .out = y, .rows = 32, .columns = 40};

        assert_ptr_equal(p->method, &tw_fft_by_six_steps);
        assert_int_equal(tw_fft_execute(p, x, z), 0);
        assert_int_equal(tw_call("streamed", steps, &j, 0), 0);
        assert_int_equal(j.tasks, (int)(tw_fft_ceil(p->columns[1].n, 40) + tw_fft_ceil(p->columns[0].n, 32)));
        assert_true(distance(single, y, z, p->in_bytes) < (single ? 1e-6 : 1e-15));
        tw_fft_destroy(p);
        free(x), free(t), free(y), free(z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_and_columns), cmocka_unit_test(long_transform)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
