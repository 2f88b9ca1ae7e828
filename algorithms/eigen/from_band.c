/* A hermitian eigenvalue problem from its band on: tridiagonal form, eigenvalues, and for eigenvectors divide and
 * conquer and the way back, Z = Q1 (Q2 S). Only the columns that are wanted go back. How many an interval holds is
 * counted when the tridiagonal matrix is there; a continuation goes on then. */
#include <float.h>
#include <math.h>
#include "algorithms/eigen/footprint.h"
#include "algorithms/eigen/from_band.h"
#include "codelets/eigen/stedc_tasks.h"
#include "runtime/base/account.h"
#include "runtime/task/arrays.h"
#include "runtime/task/when.h"

enum { BISECTED = 256 };

static struct tw_data *real_vector(const struct tw_spectrum *p, tw_int length)
{
    return tw_data_vector_of(tw_real_type(p->type), (size_t)tw_max(1, length), (int[2]){-1, -1});
}

int tw_from_band_begin(struct tw_sequence *seq, struct tw_spectrum *p)
{
    p->B = p->b ? tw_band_create(seq, p->type, p->n, p->b) : NULL;
    p->chase = p->b && (p->Z || p->Q) ? tw_chase_create(seq, p->type, p->n, p->b) : NULL;
    p->d = real_vector(p, p->n);
    p->e = real_vector(p, p->n - 1);
    p->q = (struct tw_he2hb){.n = p->n};
    if (p->b) tw_account_figure("route", TW_ROUTE_TWO), tw_account_figure("band", p->b);
    if (p->d && p->e && (!p->b || (p->B && (!(p->Z || p->Q) || p->chase)))) return 0;
    if (!tw_loop_status(seq)) tw_loop_fail(seq, TW_E_MEMORY, "order %lld: %s", (long long)p->n, tw_last_message());
    return -1;
}

void tw_from_band_end(struct tw_spectrum *p)
{
    if (p->d) tw_data_free_later(p->d);
    if (p->e) tw_data_free_later(p->e);
    if (p->B) tw_band_free_later(p->B);
    tw_chase_free_later(p->chase);
    tw_he2hb_end(&p->q);
    p->d = p->e = NULL, p->B = NULL, p->chase = NULL;
}
static void release(void *p)
{
    tw_from_band_end(p);
}

/* inv(L^H) Y or inv(U) Y, of itype 3 L Y or U^H Y, in tiles as B has them. */
static void of_pencil(struct tw_sequence *seq, const struct tw_pencil *p, struct tw_matrix *Y)
{
    const int solve = p->itype != 3;
    const enum tw_trans trans = (p->uplo == TW_LOWER) == solve ? TW_CONJTRANS : TW_NOTRANS;

    if (solve)
        tw_trsm_loop(seq, TW_LEFT, p->uplo, trans, TW_NONUNIT, tw_one, p->B, Y, 0);
    else
        tw_trmm_loop(seq, TW_LEFT, p->uplo, trans, TW_NONUNIT, tw_one, p->B, Y);
}

void tw_leave_vectors(struct tw_sequence *seq, const struct tw_spectrum *p, struct tw_matrix *S)
{
    const char *before;
    struct tw_matrix *Y;

    if (p->pencil.B) tw_loop_barrier(seq);
    before = tw_loop_in_stage(seq, p->pencil.B ? "back_standard" : NULL);
    Y = p->pencil.B ? tw_retiled(seq, S, p->pencil.B->nb, S->nb) : S;
    if (Y && p->pencil.B) of_pencil(seq, &p->pencil, Y);
    (void)tw_loop_in_stage(seq, before);
    if (Y) tw_copy_loop(seq, Y, p->Z, p->final);
    if (Y && Y != S) tw_matrix_free_later(Y);
    tw_matrix_free_later(S);
}

int tw_too_many(struct tw_sequence *seq, const struct tw_spectrum *p, tw_int m)
{
    if (!p->Z || m <= p->Z->n) return 0;
    tw_loop_fail(seq, TW_E_MEMORY,
                 "the interval holds %lld eigenvalues, and the matrix for eigenvectors has %lld columns", (long long)m,
                 (long long)p->Z->n);
    return 1;
}

/* Z's first columns := Q1 Q2 S, and of a generalized problem what makes them its own. */
static void vectors(struct tw_sequence *seq, const struct tw_spectrum *p, tw_int first, tw_int m)
{
    struct tw_matrix *S = tw_matrix_temporary(p->type, p->n, m, p->n, tw_columns_of_block(m));

    if (!S) {
        tw_loop_fail(seq, TW_E_MEMORY, "%lld eigenvectors of order %lld: %s", (long long)m, (long long)p->n,
                     tw_last_message());
        return;
    }
    tw_stedc_loop(seq, 1 / p->scale, p->d, p->e, first, p->w, S);
    tw_loop_barrier(seq);
    if (p->chase) {
        const struct tw_footprint f = {
            .type = p->type, .n = p->n, .b = p->b, .sides = 1, .wanted = 1, .columns = (double)m};
        tw_chase_apply_loop(seq, p->chase, "back_tridiagonal", S, tw_footprint_late(&f));
        tw_loop_barrier(seq);
    }
    tw_he2hb_apply_loop(seq, &p->q, S);
    tw_leave_vectors(seq, p, S);
}

/* On a core bisection of all 4000 eigenvalues takes about as long as sterf, which is one core's work; below some
 * hundred, sterf has the fewer tasks. GPUs have one of their own. */
static void values(struct tw_sequence *seq, const struct tw_spectrum *p, tw_int first, tw_int m)
{
    const struct tw_wanted wanted = {.which = m == p->n ? TW_ALL : TW_INDICES, .il = first + 1, .iu = first + m};

    if (tw_gpus() == 0 && (m <= p->n / 4 || p->n >= BISECTED))
        tw_stebz_loop(seq, 1 / p->scale, p->d, p->e, &wanted, 0, 'E', &(struct tw_bisection){.w = p->w});
    else
        tw_sterf_loop(seq, 1 / p->scale, p->d, p->e, first, m, p->w);
}

/* Eigenvalues number first (from 0) ..., m of them. */
static void solve(struct tw_sequence *seq, const struct tw_spectrum *p, tw_int first, tw_int m)
{
    if (p->m) *p->m = m;
    if (tw_too_many(seq, p, m) || m <= 0) return;
    if (p->Z)
        vectors(seq, p, first, m);
    else
        values(seq, p, first, m);
}

static void counted(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *below = value; /* at both ends */
    solve(seq, args, (tw_int)below[0], (tw_int)tw_max(0, below[1] - below[0]));
}

/* Q2 itself: what the reflectors make of the identity. */
static void leave_q(struct tw_sequence *seq, const struct tw_spectrum *p)
{
    struct tw_matrix *S = tw_matrix_temporary(p->type, p->n, p->n, p->n, tw_columns_of_block(p->n));

    if (!S) {
        tw_loop_fail(seq, TW_E_MEMORY, "Q of order %lld: %s", (long long)p->n, tw_last_message());
        return;
    }
    for (int j = 0; j < S->nt; j++)
        tw_task_laset_diagonal(seq, tw_priority(seq, 1, 2, 0), tw_zero, tw_one, j * S->nb, tw_tile(S, 0, j));
    tw_chase_apply_loop(seq, p->chase, "back_tridiagonal", S, 0);
    tw_copy_loop(seq, S, p->Q, 1);
    tw_matrix_free_later(S);
}

/* The continuation has its own *p then, and p is left empty. */
static void count(struct tw_sequence *seq, struct tw_spectrum *p)
{
    const int64_t modelled[2] = {0, tw_max(1, p->n / 10)};
    const struct tw_use uses[] = {{NULL, p->Z, TW_RW}, {NULL, p->pencil.B, TW_R}};
    struct tw_data *below = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});
    const char *before;

    if (!below) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for two numbers");
        tw_from_band_end(p);
        return;
    }
    before = tw_loop_in_stage(seq, "solve");
    tw_task_laebz(seq, tw_priority(seq, 2, 2, 1), p->wanted.vl * p->scale, p->wanted.vu * p->scale, p->d, p->e, below);
    (void)tw_loop_in_stage(seq, before);
    tw_when_owning(seq, below, modelled, uses, 2, counted, release, p, sizeof *p);
    tw_data_free_later(below);
    *p = (struct tw_spectrum){.n = 0};
}

void tw_from_band_loop(struct tw_sequence *seq, struct tw_spectrum *p)
{
    if (p->b) {
        tw_hb2st_loop(seq, p->B, p->d, p->e, p->chase, tw_info(seq));
        tw_loop_barrier(seq);
    }
    if (p->Q) leave_q(seq, p);
    if (p->wanted.which == TW_INTERVAL) {
        count(seq, p);
        return;
    }
    if (p->wanted.which == TW_ALL)
        solve(seq, p, 0, p->n);
    else
        solve(seq, p, p->wanted.il - 1, tw_numbers(p->wanted.il, p->wanted.iu));
    tw_from_band_end(p);
}

double tw_scale_of(enum tw_type type, double norm)
{
    const double small = tw_is_single(type) ? (double)FLT_MIN / (double)FLT_EPSILON : DBL_MIN / DBL_EPSILON,
                 low = sqrt(small), high = sqrt(1 / small);

    /* by powers of two: numbers keep their digits, so that the ends of an interval mean the same as before */
    if (norm > 0 && norm < low) return ldexp(1, ilogb(low / norm) + 1);
    return norm > high ? ldexp(1, ilogb(high / norm)) : 1;
}

void tw_not_finite(struct tw_sequence *seq, tw_int n, struct tw_wanted wanted, double *w, tw_int *m)
{
    for (tw_int i = 0; i < (wanted.which == TW_INDICES ? tw_numbers(wanted.il, wanted.iu) : n); i++)
        w[i] = NAN;
    if (m) *m = 0;
    tw_loop_info(seq, n);
}

int tw_check_wanted(const char *who, int first, const struct tw_wanted *x, tw_int n)
{
    if (x->which == TW_INTERVAL)
        TW_CHECK(who, isnan(x->vl) ? first : first + 1, x->vl < x->vu ? NULL : "vl < vu does not hold");
    if (x->which == TW_INDICES) {
        TW_CHECK(who, first + 2, x->il < 1 || x->il > tw_max(1, n) ? "not 1 <= il <= max(1, n)" : NULL);
        TW_CHECK(who, first + 3, x->iu < tw_min(n, x->il) || x->iu > n ? "not min(n, il) <= iu <= n" : NULL);
    }
    return 0;
}
