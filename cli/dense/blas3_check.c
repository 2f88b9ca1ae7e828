/* Checks of BLAS-3: the input made again, the same result from plain products of whole matrices by BLAS (up to
 * CHECK_FULL_MAX), or what input and result do to four random vectors. What is not stored of A, or of a triangle C, is
 * filled in before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dense/blas3.h"

/* A column-major m x n array, lda = m. */
struct array {
    tw_int m, n;
    void *a;
};
static tw_int ld(const struct array *x)
{
    return x->m > 1 ? x->m : 1;
}

/* From its uplo triangle: the other one, mirrored; or zeros, and ones on a unit diagonal. */
static void complete(enum tw_type type, const struct array *x, const struct cli_blas3_options *o, int triangular)
{
    for (tw_int j = 0; j < x->n; j++)
        for (tw_int i = j; i < x->m; i++) {
            const tw_int low = i + j * x->m, high = j + i * x->m, from = o->uplo == TW_LOWER ? low : high,
                         to = o->uplo == TW_LOWER ? high : low;
            double v[2];
            check_get(type, x->a, (size_t)from, v);
            if (i == j && triangular && o->diag == TW_UNIT) v[0] = 1, v[1] = 0;
            if (i == j && o->row->hermitian) v[1] = 0;
            if (i == j)
                check_set(type, x->a, (size_t)to, v[0], v[1]);
            else if (triangular)
                check_set(type, x->a, (size_t)to, 0, 0);
            else
                check_set(type, x->a, (size_t)to, v[0], o->row->hermitian ? -v[1] : v[1]);
        }
}

/* Y = alpha op(P) op(Q) + beta Y; with X it is the same times X: Y = alpha op(P) (op(Q) X) + beta Y. */
struct product {
    enum tw_type type;
    const struct array *P, *Q, *X; /* X NULL: all */
    enum tw_trans tp, tq;
    tw_int k;
};
/* With the sums' links from `from` on, all of X. */
static void part(const struct product *p, tw_int from, tw_int count, double alpha, double beta, struct array *Y)
{
    const size_t size = check_sizeof(p->type);
    const tw_int at_p = p->tp == TW_NOTRANS ? from * ld(p->P) : from,
                 at_q = p->tq == TW_NOTRANS ? from : from * ld(p->Q);
    check_gemm(p->type, p->tp, p->tq, Y->m, Y->n, count, alpha, (const char *)p->P->a + (size_t)at_p * size, ld(p->P),
               (const char *)p->Q->a + (size_t)at_q * size, ld(p->Q), beta, Y->a, ld(Y));
}
static int multiply(const struct product *p, double alpha, double beta, struct array *Y)
{
    const struct array *Q = p->Q;
    struct array T = {p->k, Y->n, NULL};

    if (!p->X) { /* the second half of the sums first: then no sound result has the same bits */
        const tw_int half = p->k / 2;
        part(p, half, p->k - half, alpha, beta, Y);
        if (half > 0) part(p, 0, half, alpha, 1, Y);
        return 0;
    }
    T.a = cli_alloc((double)T.m * (double)T.n * (double)check_sizeof(p->type), "the check");
    if (!T.a) return CLI_FAILED;
    check_gemm(p->type, p->tq, TW_NOTRANS, T.m, T.n, p->X->m, 1, Q->a, ld(Q), p->X->a, ld(p->X), 0, T.a, ld(&T));
    check_gemm(p->type, p->tp, TW_NOTRANS, Y->m, Y->n, p->k, alpha, p->P->a, ld(p->P), T.a, ld(&T), beta, Y->a, ld(Y));
    free(T.a);
    return 0;
}
static double norm(enum tw_type type, const struct array *x, enum tw_trans op)
{
    double worst = 0, v[2];

    if (op == TW_NOTRANS) return check_norm_ge(type, x->m, x->n, x->a, ld(x));
    for (tw_int i = 0; i < x->m; i++) {
        double sum = 0;
        for (tw_int j = 0; j < x->n; j++)
            check_get(type, x->a, (size_t)(i + j * x->m), v), sum += hypot(v[0], v[1]);
        worst = check_worse(worst, sum);
    }
    return worst;
}

/* Y = M X, or a copy of M without X. */
static int start(enum tw_type type, const struct array *M, const struct array *X, struct array *Y)
{
    *Y = (struct array){M->m, X ? X->n : M->n, NULL};
    Y->a = cli_alloc((double)Y->m * (double)Y->n * (double)check_sizeof(type), "the check");
    if (!Y->a) return CLI_FAILED;
    if (X)
        check_gemm(type, TW_NOTRANS, TW_NOTRANS, Y->m, Y->n, X->m, 1, M->a, ld(M), X->a, ld(X), 0, Y->a, ld(Y));
    else
        check_copy(type, M->m, M->n, M->a, ld(M), Y->a, ld(Y));
    return 0;
}

/* The error of C, times X, into Y, and in *scale the norms that it is measured by. Before: A, B and C0 (the C, or B,
 * that was overwritten). */
static int error_of(const struct cli_blas3_options *o, const struct array *A, const struct array *B,
                    const struct array *C0, const struct array *C, const struct array *X, struct array *Y,
                    double *scale)
{
    const enum tw_type type = o->type;
    const int left = o->side == TW_LEFT, plain = o->ta == TW_NOTRANS;
    const enum tw_trans other = o->row->hermitian ? TW_CONJTRANS : TW_TRANS;
    struct product p = {type, A, B, X, o->ta, o->tb, o->k};
    struct array Z;
    double beta = o->beta;
    int e;

    switch (o->row->form) {
    case CLI_GEMM: break;
    case CLI_SYMM: p.P = left ? A : B, p.Q = left ? B : A, p.tp = p.tq = TW_NOTRANS; break;
    case CLI_RANK_K:
    case CLI_RANK_2K:
        p.Q = o->row->form == CLI_RANK_K ? A : B, p.tp = plain ? TW_NOTRANS : other, p.tq = plain ? other : TW_NOTRANS;
        break;
    case CLI_TRSM: C0 = C, C = NULL; /* op(A) X is compared with alpha B: */ /* fall through */
    default:
        p.P = left ? A : C0, p.Q = left ? C0 : A;
        p.tp = left ? o->ta : TW_NOTRANS, p.tq = left ? TW_NOTRANS : o->ta;
        beta = 0;
    }
    *scale = fabs(o->row->form == CLI_TRSM ? 1 : o->alpha) * norm(type, p.P, p.tp) * norm(type, p.Q, p.tq);
    if (o->row->form == CLI_RANK_2K) *scale *= 2;
    if (beta != 0) *scale += fabs(beta) * norm(type, C0, TW_NOTRANS);
    if ((e = start(type, C0, X, Y))) return e;
    if ((e = multiply(&p, o->row->form == CLI_TRSM ? 1 : o->alpha, beta, Y))) return e;
    if (o->row->form == CLI_RANK_2K) {
        p.P = B, p.Q = A;
        if ((e = multiply(&p, o->alpha, 1, Y))) return e;
    }
    if ((e = start(type, C ? C : B, X, &Z))) return e;
    if (!C && o->alpha != 1) { /* trsm: B is what was overwritten */
        double v[2];
        for (tw_int i = 0; i < Z.m * Z.n; i++)
            check_get(type, Z.a, (size_t)i, v), check_set(type, Z.a, (size_t)i, o->alpha * v[0], o->alpha * v[1]);
    }
    check_subtract(type, Y->m, Y->n, Y->a, ld(Y), Z.a, ld(&Z));
    free(Z.a);
    return 0;
}

static int made_again(const struct cli_blas3_options *o, int operand, const struct cli_blas3_operand *x,
                      struct array *to)
{
    *to = (struct array){x->m, x->n, NULL};
    return !x->used || (to->a = cli_blas3_input(o, operand, x->m, x->n)) ? 0 : CLI_FAILED;
}

static int result(struct cli_blas3_run *r, struct array *C)
{
    const enum tw_type type = r->o->type;
    int e;

    *C = (struct array){r->C.m, r->C.n, NULL};
    C->a = cli_alloc((double)C->m * (double)C->n * (double)check_sizeof(type), "the check");
    if (!C->a) return CLI_FAILED;
    if (!r->C.M) {
        check_copy(type, C->m, C->n, r->C.a, ld(C), C->a, ld(C));
        return 0;
    }
    e = tw_matrix_to_lapack(r->C.M, C->a, ld(C));
    return e ? cli_library_error("the result", e) : 0;
}

int cli_blas3_check(struct cli_blas3_run *r)
{
    const struct cli_blas3_options *o = r->o;
    const int symmetric = o->row->form == CLI_RANK_K || o->row->form == CLI_RANK_2K, solve = o->row->form == CLI_TRSM,
              triangular = solve || o->row->form == CLI_TRMM;
    const int full = o->m <= CHECK_FULL_MAX && o->n <= CHECK_FULL_MAX && o->k <= CHECK_FULL_MAX;
    struct array A = {0}, B = {0}, C0 = {0}, C = {0}, X = {o->n, 4, NULL}, Y = {0};
    struct cli_verdict *v = &r->verdict;
    double scale = 0, error;
    int e;

    cli_verdict_begin(v, solve        ? "|op(A) X - alpha B| / (k eps |A| |X|)"
                         : triangular ? "|R - alpha op(A) B| / (k eps |alpha| |A| |B|)"
                                      : "|R - (alpha A B + beta C)| / (k eps (|alpha| |A| |B| + |beta| |C|))");
    e = made_again(o, 0, &r->A, &A);
    if (!e) e = made_again(o, 1, &r->B, &B);
    if (!e) e = made_again(o, 2, &r->C, &C0);
    if (!e) e = result(r, &C);
    if (!e && !full && !(X.a = cli_blas3_input(o, 3, X.m, X.n))) e = CLI_FAILED;
    if (!e) {
        if (triangular || o->row->form == CLI_SYMM) complete(o->type, &A, o, triangular);
        if (symmetric) complete(o->type, &C0, o, 0), complete(o->type, &C, o, 0);
        e = error_of(o, &A, solve ? &C0 : &B, &C0, &C, full ? NULL : &X, &Y, &scale);
    }
    if (!e) {
        error = check_norm_ge(o->type, Y.m, Y.n, Y.a, ld(&Y));
        if (!full) scale *= check_norm_ge(o->type, X.m, X.n, X.a, ld(&X));
        v->residual = check_quotient(error, scale) / ((double)(o->k > 1 ? o->k : 1) * check_eps(o->type));
        v->done = 1;
        v->passed = v->residual <= v->fail; /* a NaN is not */
        v->word = !v->passed ? "failed" : v->residual <= v->warn ? "ok" : "warning";
        if (v->residual == 0 && o->alpha != 0 && o->k >= 64 && o->m >= 64 && o->n >= 64) {
            v->passed = 0;
            v->word = "failed: exactly 0 on random input";
        }
    }
    free(A.a), free(B.a), free(C0.a), free(C.a), free(X.a), free(Y.a);
    return e;
}
