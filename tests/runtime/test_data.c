/* Kinds of data objects: vectors of any type, batches behind one handle, a kind of a family's own (columns of LAPACK's
 * band array, in place), handles that are made at first use. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "tt.h"
#include "runtime/data/data.h"
#include "runtime/task/submit.h"

static const int none[2] = {-1, -1}, no_shape[4] = {0, 0, 0, 0};

static void submit(struct tw_sequence *seq, struct tw_codelet *c, enum tw_type type, const struct tw_access *access,
                   int n)
{
    tw_submit(seq,
              &(struct tw_task){
                  .codelet = c, .type = type, .access = access, .naccess = n, .size = 8, .coord = {-1, -1, -1, -1}});
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static void types(void **state)
{
    static const struct {
        enum tw_type type, real;
        size_t size;
        char letter;
        int pairs, integer;
    } all[TW_NELEMENTS] = {{TW_FLOAT, TW_FLOAT, 4, 's', 0, 0},
                           {TW_DOUBLE, TW_DOUBLE, 8, 'd', 0, 0},
                           {TW_COMPLEX_FLOAT, TW_FLOAT, 8, 'c', 1, 0},
                           {TW_COMPLEX_DOUBLE, TW_DOUBLE, 16, 'z', 1, 0},
                           {TW_INT32, TW_INT32, 4, 'i', 0, 1},
                           {TW_INT64, TW_INT64, 8, 'l', 0, 1},
                           {TW_HALF, TW_HALF, 2, 'h', 0, 0},
                           {TW_BFLOAT16, TW_BFLOAT16, 2, 'b', 0, 0},
                           {TW_INT8, TW_INT8, 1, 'q', 0, 1}};
    tw_matrix *A;
    (void)state;
    for (int t = 0; t < TW_NELEMENTS; t++) {
        assert_int_equal(all[t].type, t);
        assert_int_equal(tw_sizeof(t), all[t].size);
        assert_int_equal(tw_letter(t), all[t].letter);
        assert_int_equal(tw_is_complex(t), all[t].pairs);
        assert_int_equal(tw_is_integer(t), all[t].integer);
        assert_int_equal(tw_real_type(t), all[t].real);
        if (t >= TW_NTYPES && t != TW_INT32) /* pivots are matrices of these */
            tt_expect_info(tw_matrix_create(&A, (enum tw_type)t, TW_GENERAL, 4, 4, 2, NULL), -2, "no matrix type");
    }
}

/* ---- vectors beside a matrix' tile: LU's pivots, and real row sums of a complex tile ----------------------------- */

enum { N = 24 };

static int factor(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
}
/* rows (real) = sums of |a_ij| of P L U, which is the tile before: the 64-bit pivots are a copy of the others. */
static int widen(const struct tw_body *body)
{
    for (int i = 0; i < body->buf[0].m; i++)
        ((int64_t *)body->buf[1].ptr)[i] = ((const int32_t *)body->buf[0].ptr)[i];
    return body->buf[0].bytes == N * 4 && body->buf[1].bytes == N * 8 ? 0 : TW_E_INTERNAL;
}
static int row_sums(const struct tw_body *body)
{
    const struct tw_buffer *f = &body->buf[0];
    const int64_t *pivot = body->buf[1].ptr;
    double *sum = body->buf[2].ptr;

    for (int j = 0; j < f->n; j++) {
        tt_z column[N];
        for (int i = 0; i < f->m; i++) {
            column[i] = 0;
            for (int k = 0; k <= (i < j ? i : j); k++)
                column[i] +=
                    (k == i ? 1 : ((const tt_z *)f->ptr)[i + k * f->ld]) * ((const tt_z *)f->ptr)[k + j * f->ld];
        }
        for (int i = f->m - 1; i >= 0; i--) {
            tt_z swap = column[i];
            column[i] = column[pivot[i] - 1], column[pivot[i] - 1] = swap;
        }
        for (int i = 0; i < f->m; i++)
            sum[i] += cabs(column[i]);
    }
    return 0;
}
static struct tw_codelet factor_codelet = {.name = "getrf", .rate = TW_RATE_POTRF, .cpu = factor},
                         widen_codelet = {.name = "widen", .rate = TW_RATE_MEMORY, .cpu = widen},
                         sums_codelet = {.name = "rowsums", .rate = TW_RATE_MEMORY, .cpu = row_sums};

struct lu {
    struct tw_data *a, *pivots, *wide, *sums;
};
static void lu_loop(struct tw_sequence *seq, void *args)
{
    const struct lu *l = args;
    submit(seq, &factor_codelet, TW_COMPLEX_DOUBLE, (struct tw_access[]){{l->a, TW_RW}, {l->pivots, TW_W}}, 2);
    submit(seq, &widen_codelet, TW_DOUBLE, (struct tw_access[]){{l->pivots, TW_R}, {l->wide, TW_W}}, 2);
    submit(seq, &sums_codelet, TW_COMPLEX_DOUBLE, (struct tw_access[]){{l->a, TW_R}, {l->wide, TW_R}, {l->sums, TW_RW}},
           3);
}

static void vectors(void **state)
{
    tt_z *a = tt_array(TW_COMPLEX_DOUBLE, N, N), *f;
    double *sums;
    int swapped = 0;
    struct lu l;
    (void)state;
    tt_random(TW_COMPLEX_DOUBLE, 'G', N, N, a, N, 3);
    f = tt_copy(TW_COMPLEX_DOUBLE, N, N, a);
    l = (struct lu){tw_data_over(&tw_kind_tile, TW_COMPLEX_DOUBLE, f, N, N, N, no_shape, 0, 0),
                    tw_data_vector_of(TW_INT32, N, none), tw_data_vector_of(TW_INT64, N, none),
                    tw_data_vector_of(TW_DOUBLE, N, none)};
    assert_true(l.a && l.pivots && l.wide && l.sums);
    assert_int_equal(l.pivots->type, TW_INT32);
    assert_int_equal(l.wide->type, TW_INT64);
    assert_true(tw_data_bytes(l.pivots) == 4 * N && tw_data_bytes(l.a) == 16 * N * N);
    tt_expect_info(tw_call("lu", lu_loop, &l, 0), 0, "lu");
    sums = tw_data_acquire(l.sums, 'r');
    for (int i = 0; i < N; i++) {
        double want = 0;
        for (int j = 0; j < N; j++)
            want += cabs(a[i + j * N]);
        assert_true(fabs(sums[i] - want) < 1e-12 * want);
    }
    tw_data_release(l.sums);
    const int64_t *p = tw_data_acquire(l.wide, 'r');
    for (int i = 0; i < N; i++)
        swapped += p[i] != i + 1;
    tw_data_release(l.wide);
    assert_true(swapped > 0);
    tw_data_free_later(l.pivots), tw_data_free_later(l.wide), tw_data_free_later(l.sums);
    tw_data_forget(l.a, 1);
    free(a), free(f);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

/* C_k = A_k B_k for all matrices of a chunk. */
static int products(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];

    if (a->count != c->count || b->count != c->count) return TW_E_INTERNAL;
    for (int k = 0; k < c->count; k++) {
        const double *x = (const double *)a->ptr + (size_t)k * a->stride,
                     *y = (const double *)b->ptr + (size_t)k * b->stride;
        double *z = (double *)c->ptr + (size_t)k * c->stride;
        for (int j = 0; j < c->n; j++)
            for (int i = 0; i < c->m; i++) {
                z[i + j * c->ld] = 0;
                for (int l = 0; l < a->n; l++)
                    z[i + j * c->ld] += x[i + l * a->ld] * y[l + j * b->ld];
            }
    }
    return 0;
}
static struct tw_codelet batch_codelet = {.name = "batchgemm", .rate = TW_RATE_GEMM, .cpu = products};

/* D = (A B) C, the product in brackets in a temporary batch. */
struct batches {
    struct tw_data *a, *b, *c, *d;
};
static void batch_loop(struct tw_sequence *seq, void *args)
{
    const struct batches *s = args;
    struct tw_data *t = tw_data_batch(TW_DOUBLE, s->a->m, s->b->n, s->a->count);

    if (!t) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a batch");
        return;
    }
    submit(seq, &batch_codelet, TW_DOUBLE, (struct tw_access[]){{s->a, TW_R}, {s->b, TW_R}, {t, TW_W}}, 3);
    submit(seq, &batch_codelet, TW_DOUBLE, (struct tw_access[]){{t, TW_R}, {s->c, TW_R}, {s->d, TW_W}}, 3);
    tw_data_free_later(t);
}

static void batches(void **state)
{
    enum { COUNT = 50, CHUNK = 16, M = 5, K = 7, LD = 9, STRIDE = 80 };
    double *x[4];
    (void)state;
    for (int o = 0; o < 4; o++) {
        x[o] = tt_array(TW_DOUBLE, STRIDE, COUNT);
        if (o < 3) tt_random(TW_DOUBLE, 'G', STRIDE, COUNT, x[o], STRIDE, 4 + (uint64_t)o);
    }
    for (int from = 0, chunk = 0; from < COUNT; from += CHUNK, chunk++) {
        const int count = COUNT - from < CHUNK ? COUNT - from : CHUNK, m[4] = {M, K, M, M}, n[4] = {K, M, K, K};
        struct tw_data *d[4];
        for (int o = 0; o < 4; o++) {
            d[o] = tw_data_batch_over(x[o] + from * STRIDE, TW_DOUBLE, m[o], n[o], LD, STRIDE, count, chunk);
            assert_non_null(d[o]);
            assert_true(tw_data_bytes(d[o]) == 8.0 * M * K * count);
        }
        tt_expect_info(tw_call("batch", batch_loop, &(struct batches){d[0], d[1], d[2], d[3]}, 0), 0, "batch");
        for (int o = 0; o < 4; o++)
            tw_data_forget(d[o], o == 3);
    }
    for (int k = 0; k < COUNT; k++) {
        const double *a = x[0] + k * STRIDE, *b = x[1] + k * STRIDE, *c = x[2] + k * STRIDE, *d = x[3] + k * STRIDE;
        for (int j = 0; j < K; j++)
            for (int i = 0; i < M; i++) {
                double want = 0;
                for (int p = 0; p < M; p++)
                    for (int l = 0; l < K; l++)
                        want += a[i + l * LD] * b[l + p * LD] * c[p + j * LD];
                assert_true(fabs(d[i + j * LD] - want) < 1e-13);
            }
        for (int j = 0; j < K; j++) /* what lies between the columns is as it was: tt_array's NaN */
            assert_true(isnan(d[M + j * LD]));
    }
    assert_null(tw_data_batch_over(x[0], TW_DOUBLE, 5, 7, 4, 80, 3, 0)); /* columns overlap */
    assert_null(tw_data_batch_over(x[0], TW_DOUBLE, 5, 7, 9, 50, 3, 0)); /* matrices overlap */
    assert_null(tw_data_batch(TW_DOUBLE, 1 << 15, 1 << 15, 2));          /* too many bytes for StarPU's blocks */
    for (int o = 0; o < 4; o++)
        free(x[o]);
}

/* ---- a family's own kind: some columns of a band matrix in LAPACK's array ---------------------------------------- */

enum { KL, KU, FIRST, ROWS };
static void band_layout(const struct tw_data *d, struct tw_layout *l)
{
    l->m = d->shape[KL] + d->shape[KU] + 1;
}
/* A body sees the columns of A, all rows: element (i, j) at ptr[i + j * ld], as in LAPACK's own band routines. */
static void band_view(const int shape[4], struct tw_buffer *b)
{
    b->m = shape[ROWS];
    b->ld -= 1;
}
static double band_bytes(const struct tw_data *d)
{
    return (double)(d->shape[KL] + d->shape[KU] + 1) * d->n * (double)d->elemsize;
}
static const struct tw_data_kind band_columns = {"band columns", TW_FORM_MATRIX, band_layout, band_view, band_bytes};

/* y += A(:, columns) x(columns), then the columns are halved. */
static int band_product(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    const double *x = body->buf[1].ptr;
    double *y = body->buf[2].ptr, *at = (double *)a->ptr + a->shape[KU] - a->shape[FIRST];

    for (int j = 0; j < a->n; j++)
        for (int c = a->shape[FIRST] + j, i = c > a->shape[KU] ? c - a->shape[KU] : 0;
             i < a->m && i <= c + a->shape[KL]; i++) {
            y[i] += at[i + (size_t)j * (size_t)a->ld] * x[c];
            at[i + (size_t)j * (size_t)a->ld] /= 2;
        }
    return 0;
}
static struct tw_codelet band_codelet = {.name = "bandmv", .rate = TW_RATE_MEMORY, .cpu = band_product};

struct band {
    struct tw_data **part, *x, *y;
    int parts;
};
static void band_loop(struct tw_sequence *seq, void *args)
{
    const struct band *b = args;
    for (int k = 0; k < b->parts; k++)
        submit(seq, &band_codelet, TW_DOUBLE, (struct tw_access[]){{b->part[k], TW_RW}, {b->x, TW_R}, {b->y, TW_RW}},
               3);
}

static void own_kind(void **state)
{
    enum { M = 90, WIDTH = 16, PARTS = 6, LOW = 4, UP = 9, LDAB = LOW + UP + 3 };
    double *ab = tt_array(TW_DOUBLE, LDAB, M), *before, *x, *y;
    struct tw_data *part[PARTS];
    struct band b = {part, tw_data_vector_of(TW_DOUBLE, M, none), tw_data_vector_of(TW_DOUBLE, M, none), PARTS};
    (void)state;
    tt_random(TW_DOUBLE, 'G', LDAB, M, ab, LDAB, 11);
    before = tt_copy(TW_DOUBLE, LDAB, M, ab);
    for (int k = 0; k < PARTS; k++) {
        const int first = k * WIDTH, n = M - first < WIDTH ? M - first : WIDTH, shape[4] = {LOW, UP, first, M};
        part[k] = tw_data_over(&band_columns, TW_DOUBLE, ab + first * LDAB, M, n, LDAB, shape, -1, k);
        assert_non_null(part[k]);
        assert_true(tw_data_bytes(part[k]) == 8.0 * (LOW + UP + 1) * n);
    }
    x = tw_data_acquire(b.x, 'w');
    for (int i = 0; i < M; i++)
        x[i] = 1 + i % 7;
    tw_data_release(b.x);
    tt_expect_info(tw_call("bandmv", band_loop, &b, 0), 0, "bandmv");
    y = tw_data_acquire(b.y, 'r');
    for (int i = 0; i < M; i++) {
        double want = 0;
        for (int j = 0; j < M; j++)
            if (i - j <= LOW && j - i <= UP) want += before[UP + i - j + j * LDAB] * (1 + j % 7);
        assert_true(fabs(y[i] - want) < 1e-12);
    }
    tw_data_release(b.y);
    for (int k = 0; k < PARTS; k++)
        tw_data_forget(part[k], 1);
    for (int j = 0; j < M; j++)
        for (int r = 0; r < LDAB; r++) {
            const int i = r + j - UP, in = i >= 0 && i < M && r <= LOW + UP;
            assert_true(ab[r + j * LDAB] == before[r + j * LDAB] / (in ? 2 : 1));
        }
    tw_data_free_later(b.x), tw_data_free_later(b.y);
    free(ab), free(before);
}

/* The same kind as a temporary that is freed while its tasks are still queued: what a body sees of it does not depend
 * on the object. */
static int fill(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    for (int j = 0; j < a->n; j++)
        for (int r = 0; r <= a->shape[KL] + a->shape[KU]; r++)
            ((double *)a->ptr)[r + (size_t)j * (size_t)(a->ld + 1)] = r + 100.0 * j;
    return 0;
}
static int gather(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    double *sum = body->buf[1].ptr;
    for (int j = 0; j < a->n; j++)
        for (int r = 0; r <= a->shape[KL] + a->shape[KU]; r++)
            *sum += ((const double *)a->ptr)[r + (size_t)j * (size_t)(a->ld + 1)];
    return 0;
}
static struct tw_codelet fill_codelet = {.name = "fill", .rate = TW_RATE_MEMORY, .cpu = fill},
                         gather_codelet = {.name = "gather", .rate = TW_RATE_MEMORY, .cpu = gather};
static void short_lived(struct tw_sequence *seq, void *args)
{
    struct tw_data *sum = *(struct tw_data **)args;

    for (int k = 0; k < 40; k++) {
        struct tw_data *d = tw_data_of(&band_columns, TW_DOUBLE, 50, 10, (const int[4]){2, 3, 0, 50});
        tw_data_set_owner(d, 0);
        submit(seq, &fill_codelet, TW_DOUBLE, &(struct tw_access){d, TW_W}, 1);
        submit(seq, &gather_codelet, TW_DOUBLE, (struct tw_access[]){{d, TW_R}, {sum, TW_RW}}, 2);
        tw_data_free_later(d);
    }
}
static void own_kind_temporary(void **state)
{
    struct tw_data *sum = tw_data_vector_of(TW_DOUBLE, 1, none);
    (void)state;
    tt_expect_info(tw_call("short", short_lived, &sum, 0), 0, "short-lived");
    assert_true(*(double *)tw_data_acquire(sum, 'r') == 40 * (10 * 15 + 6 * 100 * 45.0));
    tw_data_release(sum);
    tw_data_free_later(sum);
}

/* ---- handles at first use ---------------------------------------------------------------------------------------- */

static size_t handles(const tw_matrix *A)
{
    size_t used = 0;
    for (int j = 0; j < A->nt; j++)
        for (int i = 0; i < A->mt; i++)
            used += tw_tile(A, i, j) && tw_data_used(tw_tile(A, i, j));
    return used;
}
static void first_use(void **state)
{
    enum { M = 60, NB = 10 };
    double *a = tt_array(TW_DOUBLE, M, M), *b = tt_array(TW_DOUBLE, M, M), *c = tt_array(TW_DOUBLE, M, 5);
    tw_matrix *A, *B, *C;
    (void)state;
    tt_random(TW_DOUBLE, 'G', M, M, a, M, 5);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, M, M, a, M, NB), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, M, 5, NB, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, a, M), 0);
    assert_int_equal(tw_matrix_wrap(&C, TW_DOUBLE, TW_GENERAL, 10, 5, c, M, NB), 0);
    assert_int_equal(tw_matrix_to_lapack(A, b, M), 0);
    assert_memory_equal(a, b, M * M * sizeof *a);
    assert_int_equal(tw_release_to_host(A), 0);
    assert_int_equal(handles(A), 0);
    /* one row of A's tiles times B */
    tw_matrix *R;
    assert_int_equal(tw_matrix_wrap(&R, TW_DOUBLE, TW_GENERAL, 10, M, a, M, NB), 0);
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, R, B, (tw_scalar){0, 0}, C), 0, "gemm");
    assert_int_equal(handles(R), 6);
    assert_int_equal(handles(B), 6);
    assert_int_equal(handles(C), 1);
    assert_int_equal(handles(A), 0);
    assert_int_equal(tw_matrix_destroy(R) | tw_matrix_destroy(A) | tw_matrix_destroy(B) | tw_matrix_destroy(C), 0);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 10; i++) {
            double want = 0;
            for (int k = 0; k < M; k++)
                want += a[i + k * M] * a[k + j * M];
            assert_true(fabs(c[i + j * M] - want) < 1e-13 * M);
        }
    free(a), free(b), free(c);
}

/* Several submitter threads ask for the handles of the same tiles at once. */
static void first_use_by_many(void **state)
{
    enum { M = 96, NB = 8, SEQUENCES = 4 };
    double *a = tt_array(TW_DOUBLE, M, M);
    tt_z *full, *zero = calloc((size_t)M * M, sizeof *zero);
    (void)state;
    tt_random(TW_DOUBLE, 'G', M, M, a, M, 5);
    full = tt_full(TT_GENERAL, TW_DOUBLE, 'G', 'N', M, M, a, M);
    for (int round = 0; round < 3; round++) {
        tw_matrix *A, *C[SEQUENCES];
        tw_sequence *seq[SEQUENCES];

        assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, M, M, a, M, NB), 0);
        for (int k = 0; k < SEQUENCES; k++) {
            assert_int_equal(tw_matrix_create(&C[k], TW_DOUBLE, TW_GENERAL, M, M, NB, NULL), 0);
            assert_int_equal(tw_sequence_create(&seq[k]), 0);
        }
        for (int k = 0; k < SEQUENCES; k++)
            tt_expect_info(
                tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A, A, (tw_scalar){0, 0}, C[k], seq[k]), 0,
                "gemm");
        for (int k = 0; k < SEQUENCES; k++) {
            double *c = tt_array(TW_DOUBLE, M, M);
            tt_expect_info(tw_sequence_wait(seq[k]), 0, "wait");
            assert_int_equal(tw_sequence_destroy(seq[k]), 0);
            assert_int_equal(tw_matrix_to_lapack(C[k], c, M), 0);
            tt_expect("gemm", TW_DOUBLE, tt_product_residual(TW_DOUBLE, 'G', M, M, M, 1, full, full, 0, zero, c, M), M,
                      "sequence %d", k);
            assert_int_equal(tw_matrix_destroy(C[k]), 0);
            free(c);
        }
        assert_int_equal(handles(A), (M / NB) * (M / NB));
        assert_int_equal(tw_matrix_destroy(A), 0);
    }
    free(a), free(full), free(zero);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(vectors),
        cmocka_unit_test(batches),
        cmocka_unit_test(own_kind),
        cmocka_unit_test(own_kind_temporary),
        cmocka_unit_test(first_use),
        cmocka_unit_test(first_use_by_many),
    };
    if (tw_init(NULL) < 0) return 1;
    int e = tt_run(tests);
    return tw_finalize() < 0 ? 1 : e;
}
