/* The singular values of a real bidiagonal matrix B = Q S P^T, and its vectors applied to matrices: LAPACK's bdsqr.
 *
 * LAPACK's QR iteration rotates all columns for each of its steps; here the vectors come from divide and conquer, and
 * are applied by products. The values are not those of its last merge, which are exact to n eps of the largest alone,
 * but dqds', each exact to some n eps of its own size, as LAPACK's are. */
#include "algorithms/svd/svd_loops.h"

struct args {
    enum tw_uplo uplo;
    tw_int n;
    const double *d, *e;
    double *s;
    struct tw_matrix *Vt, *U, *C;
};

static const struct tw_matrix *any(const struct args *a)
{
    return a->Vt ? a->Vt : a->U ? a->U : a->C;
}
static enum tw_type type_of(const struct args *a)
{
    return any(a) ? any(a)->type : TW_DOUBLE;
}
static int has_elements(const struct tw_matrix *A)
{
    return A && A->m > 0 && A->n > 0;
}

static struct tw_data *copy_of(struct tw_sequence *seq, struct tw_data *x)
{
    struct tw_data *y = tw_data_vector_of(x->type, (size_t)x->m, (int[2]){-1, -1});

    if (y) tw_task_lacpy_block(seq, tw_priority(seq, 2, 2, 1), &(struct tw_block){.m = x->m, .n = 1}, x, y, 1);
    return y;
}

/* X := X Z (from the right) or Z^H X. */
static void apply(struct tw_sequence *seq, struct tw_matrix *Z, struct tw_matrix *X, int right)
{
    struct tw_matrix *old = tw_copied(seq, X, X->mb, X->nb);

    if (!old) return;
    if (right)
        tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, old, Z, tw_zero, X);
    else
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, Z, old, tw_zero, X);
    tw_matrix_free_later(old);
}

/* Q and P of the bidiagonal matrix as it is; those of an upper one's transpose change places. */
static void vectors(struct tw_sequence *seq, const struct args *a, struct tw_tridiagonal *t)
{
    const int q = a->uplo == TW_LOWER;
    const int wanted[2] = {has_elements(a->U) || has_elements(a->C), has_elements(a->Vt)};
    struct tw_matrix *Z[2] = {NULL, NULL};
    const tw_int width = tw_min(a->n, any(a)->nb); /* as the matrices that they are multiplied with are cut */
    int sound = 1;

    for (int k = 0; k < 2; k++)
        if (wanted[k]) {
            Z[k ^ q] = tw_matrix_temporary(type_of(a), a->n, a->n, a->n, width);
            if (!Z[k ^ q])
                tw_loop_fail(seq, TW_E_MEMORY, "singular vectors of order %lld: %s", (long long)a->n,
                             tw_last_message());
            sound = sound && Z[k ^ q];
        }
    if (sound) {
        tw_bdsdc_loop(seq, 1, t->d, t->e, NULL, NULL, Z[0], Z[1]);
        if (has_elements(a->Vt)) apply(seq, Z[1 ^ q], a->Vt, 0);
        if (has_elements(a->U)) apply(seq, Z[q], a->U, 1);
        if (has_elements(a->C)) apply(seq, Z[q], a->C, 0);
    }
    for (int k = 0; k < 2; k++)
        if (Z[k]) tw_matrix_free_later(Z[k]);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_tridiagonal t, again = {NULL, NULL};

    if (!tw_tridiagonal_begin(seq, &t, type_of(a), a->n, a->d, a->e, a->s)) {
        if (has_elements(a->Vt) || has_elements(a->U) || has_elements(a->C)) {
            again = (struct tw_tridiagonal){copy_of(seq, t.d), copy_of(seq, t.e)};
            if (again.d && again.e)
                vectors(seq, a, &again);
            else
                tw_loop_fail(seq, TW_E_MEMORY, "no memory for a bidiagonal matrix of order %lld", (long long)a->n);
        }
        tw_bdsdc_loop(seq, 1, t.d, t.e, a->s, NULL, NULL, NULL);
    }
    tw_tridiagonal_end(&again);
    tw_tridiagonal_end(&t);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

/* Of one type, each another matrix. */
static const char *bad(const struct args *a, const struct tw_matrix *X, tw_int order, const char *shape)
{
    const char *why = X ? tw_bad_general(X) : NULL;
    return why ? why : !X ? NULL : order != a->n ? shape : X->type != type_of(a) ? "its type is another one" : NULL;
}

/* Both sides of a merge and of its halves, and what they are multiplied with. */
static double bytes(enum tw_type type, double order)
{
    return (4.5 * (double)tw_sizeof(tw_real_type(type)) + 2 * (double)tw_sizeof(type)) * order * order;
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return s->k > 0 ? bytes(s->type, (double)s->n) : 0;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, a->uplo == TW_UPPER || a->uplo == TW_LOWER ? NULL : "neither TW_UPPER nor TW_LOWER");
    TW_CHECK(who, 2, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 3, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 4, a->e || a->n <= 1 ? NULL : "NULL");
    TW_CHECK(who, 5, a->s || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 6, bad(a, a->Vt, a->Vt ? a->Vt->m : 0, "it has not n rows"));
    TW_CHECK(who, 7, bad(a, a->U, a->U ? a->U->n : 0, "it has not n columns"));
    TW_CHECK(who, 7, a->U && a->U == a->Vt ? "it is Vt, too" : NULL);
    TW_CHECK(who, 8, bad(a, a->C, a->C ? a->C->m : 0, "it has not n rows"));
    TW_CHECK(who, 8, a->C && (a->C == a->Vt || a->C == a->U) ? "it is Vt or U, too" : NULL);
    if (a->n == 0) return TW_NOTHING;
    if ((e = tw_stedc_leaf(&(tw_int){0})) || (!a->Vt && !a->U && !a->C)) return e;
    return tw_eigen_memory(who, bytes(type_of(a), (double)a->n), a->Vt, a->U, a->C);
}

/* Without deflation. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->n,
                 columns = (a->Vt ? (double)a->Vt->n : 0) + (a->U ? (double)a->U->m : 0) + (a->C ? (double)a->C->n : 0);
    return columns > 0 ? 8 * n * n * n / 3 + tw_flops_gemm(type_of(a), n, columns, n) : 20 * n * n;
}

/* Two cores, double, both sides, seconds beside LAPACK's rotations: n = 128 0.002 and 0.008, 256 0.01 and 0.06, 512
 * 0.02 and 0.66; but the first call starts the library. */
static const struct tw_tuning tuning = {.crossover = 256};

const struct tw_routine tw_routine_bdsqr = {
    .name = "bdsqr",
    .tuning = &tuning,
    .arguments = 8,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, Vt), TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, C)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .needs = {.given = "2nk kn", .own_bytes = own_bytes}};

int tw_bdsqr(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *Vt, tw_matrix *U,
             tw_matrix *C)
{
    return tw_run(&tw_routine_bdsqr, &(struct args){uplo, n, d, e, s, Vt, U, C});
}
int tw_bdsqr_async(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *Vt,
                   tw_matrix *U, tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_bdsqr, seq, &(struct args){uplo, n, d, e, s, Vt, U, C});
}
