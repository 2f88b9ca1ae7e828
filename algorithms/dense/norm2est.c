/* |A|_2, estimated by the power method on A^H A (Golub and Van Loan, "Matrix Computations", 8.2): v, of length 1,
 * becomes A v, of length 1 again, A^H of that, and so on. Every length on the way is a lower bound of the norm, and
 * none is smaller than the one before, but for rounding. No square of a singular value is formed, so that nothing
 * overflows before the norm itself does.
 *
 * Each step's length is looked at when it is there (tw_when): nothing waits. The first vector is random, the same for
 * all types and tiles. */
#include <float.h>
#include <math.h>
#include "algorithms/dense/dense_loops.h"
#include "types/random.h"

enum { STEPS = 200 };

struct args {
    struct tw_matrix *A;
    double tol, *value;
};
struct state {
    struct args a;
    struct tw_matrix *v; /* the last one: n x 1 in even steps, m x 1 in odd ones */
    double last;
    int step;
};

static int entries(const void *user, tw_int i0, tw_int j0, tw_int m, tw_int n, void *to, tw_int ld)
{
    const enum tw_type type = *(const enum tw_type *)user;
    (void)j0, (void)n, (void)ld;
    for (tw_int i = 0, re = tw_is_complex(type) ? 2 : 1; i < m; i++)
        for (tw_int part = 0; part < re; part++) {
            const double x = tw_uniform(20 + (uint64_t)part, i0 + i, 0);
            if (tw_is_single(type))
                ((float *)to)[re * i + part] = (float)x;
            else
                ((double *)to)[re * i + part] = x;
        }
    return 0;
}

static struct tw_matrix *vector(struct tw_sequence *seq, enum tw_type type, tw_int m, tw_int mb)
{
    struct tw_matrix *v = tw_matrix_temporary(type, m, 1, mb, 1);
    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "norm2est: a vector: %s", tw_last_message());
    return v;
}

/* w = A v or A^H v. */
static void product(struct tw_sequence *seq, int priority, int plain, const struct tw_matrix *A,
                    const struct tw_matrix *v, const struct tw_matrix *w)
{
    for (int i = 0; i < w->mt && !tw_loop_status(seq); i++)
        for (int k = 0; k < v->mt; k++)
            tw_task_gemm(seq, priority, plain ? 'N' : 'C', 'N', tw_one, plain ? tw_tile(A, i, k) : tw_tile(A, k, i),
                         tw_tile(v, k, 0), k == 0 ? tw_zero : tw_one, tw_tile(w, i, 0));
}

static void go_on(struct tw_sequence *seq, const void *length, void *p);

/* When the length of s->v is known, go on. */
static void measure(struct tw_sequence *seq, int priority, const struct state *s)
{
    static const double modelled[2] = {1, 1};
    struct tw_data *acc = tw_data_vector(2, sizeof(double), (int[2]){-1, -1});

    if (acc) {
        for (int i = 0; i < s->v->mt; i++)
            tw_task_normfro(seq, priority, TW_STRUCT_GENERAL, 'G', 'N', 1, tw_tile(s->v, i, 0), acc);
        tw_when(seq, acc, modelled, (const struct tw_use[]){{NULL, s->v, TW_RW}, {NULL, s->a.A, TW_R}}, 2, go_on, s,
                sizeof *s);
        tw_data_free_later(acc);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "norm2est: no memory for a length");
    }
    tw_matrix_free_later(s->v);
}

static void go_on(struct tw_sequence *seq, const void *acc, void *p)
{
    const struct state *s = p;
    struct tw_matrix *A = s->a.A;
    const double *sum = acc, length = sum[0] * sqrt(sum[1]);
    const int plain = s->step % 2 == 0, priority = tw_priority(seq, 0, 1, 0);
    const int in_range =
        tw_is_single(A->type) ? length >= FLT_MIN && length <= FLT_MAX : length >= DBL_MIN && length <= DBL_MAX;
    struct state next = {s->a, NULL, length, s->step + 1};

    if (s->step > 0 && (!in_range || fabs(length - s->last) <= s->a.tol * length || s->step == STEPS)) {
        *s->a.value = length;
        return;
    }
    for (int i = 0; i < s->v->mt; i++)
        tw_task_scale(seq, priority, 'G', length, 1, tw_tile(s->v, i, 0));
    next.v = plain ? vector(seq, A->type, A->m, A->mb) : vector(seq, A->type, A->n, A->nb);
    if (!next.v) return;
    product(seq, priority, plain, A, s->v, next.v);
    measure(seq, priority, &next);
}

static void loop(struct tw_sequence *seq, void *p)
{
    static const enum tw_type types[TW_NTYPES] = {TW_FLOAT, TW_DOUBLE, TW_COMPLEX_FLOAT, TW_COMPLEX_DOUBLE};
    const struct args *a = p;
    const struct state s = {*a, vector(seq, a->A->type, a->A->n, a->A->nb), 0, 0};

    if (!s.v) return;
    for (int i = 0; i < s.v->mt; i++)
        tw_task_generate(seq, entries, &types[a->A->type], 'G', i * s.v->mb, 0, tw_tile(s.v, i, 0));
    measure(seq, tw_priority(seq, 0, 1, 0), &s);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 2, a->tol > 0 && a->tol < 1 ? NULL : "not between 0 and 1");
    TW_CHECK(who, 3, a->value ? NULL : "NULL");
    *a->value = 0;
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return 10 * tw_flops_gemm(A->type, (double)A->m, 1, (double)A->n); /* ten steps, as a rule */
}

const struct tw_routine tw_routine_norm2est = {.name = "norm2est",
                                               .arguments = 3,
                                               .size = sizeof(struct args),
                                               .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                               .check = check,
                                               .loop = loop,
                                               .flops = flops,
                                               .needs = {"mn"}};

int tw_norm2est(tw_matrix *A, double tol, double *value)
{
    return tw_run(&tw_routine_norm2est, &(struct args){A, tol, value});
}

int tw_norm2est_async(tw_matrix *A, double tol, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_norm2est, seq, &(struct args){A, tol, value});
}
