/* The two stages alone: A = U1 (B; 0) V1^H with a triangular band B, B = U2 C V2^H with a real bidiagonal C; unitary
 * factors applied to the identity as gesdd applies them; exact zeros outside of band and bidiagonal; tasks in any
 * order, and sweeps that run beside each other, give the bits of what is done one after another. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/eigen/chase_private.h"
#include "algorithms/svd/svd_loops.h"
#include "kernels/svd/cpu/tb2bd.h"
#include "runtime/task/routine.h"
#include <tilework/starpu.h>
#include "tt.h"

struct args {
    struct tw_matrix *A, *U1, *V1, *U2, *V2; /* the last four: identities at first */
    int b, nb;
    void *band;                      /* 3 b x n, after stage 1 */
    struct tw_data *d, *e, *d1, *e1; /* the last two: sweep by sweep */
};

static struct tw_matrix *blocks(struct tw_sequence *seq, struct tw_matrix *Q)
{
    struct tw_matrix *Z = tw_copied(seq, Q, Q->m, 40);
    assert_non_null(Z);
    return Z;
}
static void give_back(struct tw_sequence *seq, struct tw_matrix *Z, struct tw_matrix *Q)
{
    tw_copy_loop(seq, Z, Q, 1);
    tw_matrix_free_later(Z);
}

static void reduce(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const enum tw_type t = a->A->type;
    const tw_int m = a->A->m, n = a->A->n;
    struct tw_matrix *X = tw_copied(seq, a->A, a->nb, a->nb), *U1 = blocks(seq, a->U1), *V1 = blocks(seq, a->V1),
                     *U2 = blocks(seq, a->U2), *V2 = blocks(seq, a->V2);
    struct tw_band *B = tw_band_create_triangular(seq, t, n, a->b);
    struct tw_chase *u = tw_chase_create(seq, t, n, a->b), *v = tw_chase_create(seq, t, n, a->b);
    struct tw_ge2tb q;

    assert_true(X && B && u && v);
    assert_int_equal(tw_ge2tb_begin(seq, &q, m, n, a->b), 0);
    tw_ge2tb_loop(seq, &q, X, B, 1, 1);
    tw_ge2tb_left_loop(seq, &q, U1);
    tw_ge2tb_right_loop(seq, &q, V1);
    tw_ge2tb_end(&q);
    tw_loop_wait(seq);
    assert_int_equal(starpu_data_acquire(tw_data_handle(B->memory), STARPU_R), 0);
    memcpy(a->band, starpu_data_get_local_ptr(tw_data_handle(B->memory)),
           (size_t)B->ld * (size_t)B->n * tw_sizeof(B->type));
    starpu_data_release(tw_data_handle(B->memory));
    tw_tb2bd_loop(seq, B, a->d, a->e, u, v, tw_info(seq));
    tw_chase_apply_loop(seq, u, "back_bidiagonal", U2, 0);
    tw_chase_apply_loop(seq, v, "back_bidiagonal", V2, 1);
    give_back(seq, U1, a->U1), give_back(seq, V1, a->V1), give_back(seq, U2, a->U2), give_back(seq, V2, a->V2);
    tw_chase_free_later(u), tw_chase_free_later(v);
    tw_band_free_later(B);
    tw_matrix_free_later(X);
}

/* Stage 2 of the band by whole sweeps, as GPUs do it, one in flight. */
static void sweep_by_sweep(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int n = (int)a->A->n, b = a->b;
    struct tw_band *B = tw_band_create_triangular(seq, a->A->type, n, b);
    struct tw_chase_task t = {.shape = tw_chase_shape(n, b), .B = B, .d = a->d1, .e = a->e1};

    assert_non_null(B);
    assert_int_equal(starpu_data_acquire(tw_data_handle(B->memory), STARPU_W), 0);
    memcpy(starpu_data_get_local_ptr(tw_data_handle(B->memory)), a->band,
           (size_t)B->ld * (size_t)B->n * tw_sizeof(B->type));
    starpu_data_release(tw_data_handle(B->memory));
    t.shape.depth = t.shape.width = 1;
    for (t.S = 0; t.S < tw_chase_groups(&t.shape); t.S++)
        tw_task_tb2bd_sweeps(seq, 1, &t, 1, NULL, NULL);
    tw_band_free_later(B);
}

/* m x n, the band's b super-diagonals on top; the room for bulges is empty. */
static tt_z *whole_band(enum tw_type t, int m, int n, int b, const void *band)
{
    tt_z *B = calloc((size_t)m * (size_t)n, sizeof *B);

    assert_non_null(B);
    for (int j = 0; j < n; j++)
        for (int i = j - 2 * b + 1; i <= j + b; i++) {
            const tt_z z = tt_get(t, band, (size_t)(i - j + 2 * b - 1) + (size_t)j * 3 * (size_t)b);
            if (i >= 0 && i <= j && j - i <= b)
                B[i + (size_t)j * (size_t)m] = z;
            else
                assert_true(z == 0);
        }
    return B;
}

static tt_z *bidiagonal(enum tw_type real, int n, const void *d, const void *e)
{
    tt_z *C = calloc((size_t)n * (size_t)n, sizeof *C);

    assert_non_null(C);
    for (int i = 0; i < n; i++) {
        C[i * (n + 1)] = tt_get(real, d, (size_t)i);
        if (i + 1 < n) C[i + (i + 1) * n] = tt_get(real, e, (size_t)i);
    }
    return C;
}

/* |X V - U B| with full ones, U m x m, V n x n, and their orthogonality. */
static void judge(const char *what, enum tw_type t, int m, int n, const tt_z *X, const void *u, const tt_z *B,
                  const void *v, int b, int nb)
{
    tt_z *U = tt_full(TT_GENERAL, t, 'G', 'N', m, m, u, m), *V = tt_full(TT_GENERAL, t, 'G', 'N', n, n, v, n),
         *XV = calloc((size_t)m * (size_t)n, sizeof *XV);
    char name[64];

    tt_multiply(m, n, n, 1, X, V, 0, XV);
    snprintf(name, sizeof name, "%s: |X V - U B|", what);
    tt_expect(name, t, tt_equation_residual(t, m, n, m, U, B, XV), 0, "%d x %d, b = %d, nb = %d", m, n, b, nb);
    snprintf(name, sizeof name, "%s: |I - U^H U|", what);
    tt_expect(name, t, tt_orthogonality(t, m, m, U), 0, "%d x %d, b = %d, nb = %d", m, n, b, nb);
    snprintf(name, sizeof name, "%s: |I - V^H V|", what);
    tt_expect(name, t, tt_orthogonality(t, n, n, V), 0, "%d x %d, b = %d, nb = %d", m, n, b, nb);
    free(U), free(V), free(XV);
}

/* Stage 2 of the band, one task after the other. */
static void one_by_one(enum tw_type t, int n, int b, void *band, void *d, void *e)
{
    struct tw_tb2bd step = {.shape = tw_chase_shape(n, b), .a = band, .ld = 3 * b, .d = d, .e = e};

    step.carry = malloc((size_t)b * (size_t)step.shape.depth * tt_size(t));
    step.work = malloc(tw_tb2bd_work(t, b));
    for (step.group = 0; step.group < tw_chase_groups(&step.shape); step.group++)
        for (step.task = 0; step.task < tw_chase_tasks(&step.shape, step.group); step.task++)
            assert_int_equal(tw_tb2bd_kernel(t)(&step), 0);
    free(step.carry), free(step.work);
}

static void *identity(enum tw_type t, int n)
{
    void *a = tt_array(t, n, n);
    for (int i = 0; i < n * n; i++)
        tt_put(t, a, (size_t)i, i % (n + 1) == 0);
    return a;
}

static void take(struct tw_data *from, void *to, size_t bytes)
{
    memcpy(to, tw_data_acquire(from, 'r'), bytes);
    tw_data_release(from);
    tw_data_free_later(from);
}

static void one(enum tw_type t, int m, int n, int b, int nb, int sweeps)
{
    const enum tw_type real = tw_real_type(t);
    const size_t bytes = (size_t)n * tw_sizeof(real);
    void *a = tt_array(t, m, n), *q[4] = {identity(t, m), identity(t, n), identity(t, n), identity(t, n)},
         *band = calloc(3 * (size_t)b * (size_t)n, tt_size(t)), *d = malloc(bytes), *e = calloc(1, bytes),
         *again[2] = {malloc(bytes), calloc(1, bytes)};
    const int rows[4] = {m, n, n, n};
    struct tt_place pa, pq[4];
    struct args args = {.b = b, .nb = nb, .band = band};
    struct tw_matrix **const to[4] = {&args.U1, &args.V1, &args.U2, &args.V2};
    tt_z *A, *B, *top, *C;

    if (!tw_is_running()) tt_expect_info(tw_init(NULL), 0, "start");
    tt_random(t, 'G', m, n, a, m, 5);
    args.A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 25);
    for (int k = 0; k < 4; k++)
        *to[k] = tt_enter(&pq[k], TT_CREATED, t, TW_GENERAL, rows[k], rows[k], q[k], rows[k], 30);
    args.d = tw_data_vector_of(real, (size_t)n, (const int[2]){0, 0});
    args.e = tw_data_vector_of(real, (size_t)n, (const int[2]){0, 0});
    args.d1 = tw_data_vector_of(real, (size_t)n, (const int[2]){0, 0});
    args.e1 = tw_data_vector_of(real, (size_t)n, (const int[2]){0, 0});
    tt_expect_info(tw_call("ge2tb", reduce, &args, 0), 0, "%d x %d, b = %d", m, n, b);
    if (sweeps) tt_expect_info(tw_call("tb2bd", sweep_by_sweep, &args, 0), 0, "%d x %d, b = %d", m, n, b);
    tt_leave(&pa);
    for (int k = 0; k < 4; k++)
        tt_leave(&pq[k]);
    take(args.d, d, bytes), take(args.e, e, bytes);
    if (sweeps) {
        take(args.d1, again[0], bytes), take(args.e1, again[1], bytes);
    } else {
        tw_data_free_later(args.d1), tw_data_free_later(args.e1);
    }
    A = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m);
    B = whole_band(t, m, n, b, band);
    judge("stage 1", t, m, n, A, q[0], B, q[1], b, nb);
    top = whole_band(t, n, n, b, band);
    C = bidiagonal(real, n, d, e);
    judge("stage 2", t, n, n, top, q[2], C, q[3], b, nb);
    if (!sweeps) one_by_one(t, n, b, band, again[0], again[1]);
    assert_memory_equal(d, again[0], bytes);
    assert_memory_equal(e, again[1], bytes - tw_sizeof(real));
    free(a), free(band), free(d), free(e), free(again[0]), free(again[1]), free(A), free(B), free(top), free(C);
    for (int k = 0; k < 4; k++)
        free(q[k]);
}

static void shapes(void **state)
{
    static const struct {
        int m, n, b, nb;
    } cases[] = {{1, 1, 1, 1},     {2, 2, 1, 1},    {3, 3, 1, 2},      {3, 3, 2, 2},       {5, 4, 2, 4},
                 {17, 16, 4, 8},   {33, 33, 8, 16}, {40, 9, 8, 8},     {64, 63, 16, 16},   {97, 97, 8, 32},
                 {97, 65, 16, 32}, {60, 40, 1, 16}, {100, 90, 32, 96}, {131, 130, 64, 64}, {220, 200, 24, 48}};
    for (int sweeps = 0; sweeps < 2; sweeps++) {
        setenv("TILEWORK_CHASE", sweeps ? "gpu" : "cpu", 1);
        TT_TYPES(t)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                const int b = (int)tw_max(1, tw_min(cases[k].b, cases[k].n - 1));
                if (!sweeps || b > 1) one(t, cases[k].m, cases[k].n, b, cases[k].nb, sweeps);
            }
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {tt_test_of_bits(shapes)};
    return tt_run(tests);
}
