/* Cholesky factor of a tile: halve it, over the fast trsm and syrk, down to what OpenBLAS does itself.
 *
 * One core, SkylakeX kernels, double, OpenBLAS -> this file, in GF: lower n = 256 / 512 / 1024: 44 / 56 / 63 -> 55 /
 * 71 / 83; upper: 30 / 46 / 58 -> 48 / 67 / 79 (leading dimension 1040; the other types gain as much). */
#include "kernels/dense/cpu/typed.h"

#define SMALL 16 /* order that OpenBLAS gets */

/* 1-based index of the first NaN on the diagonal, 0 if there is none. */
static int first_nan(int n, const T *a, int lda)
{
    for (int i = 0; i < n; i++)
        if (__builtin_isnan(TW_RE(*TW_AT(a, lda, i, i)))) return i + 1;
    return 0;
}

/* The reference LAPACK calls a NaN pivot "not positive definite"; OpenBLAS goes on and returns 0 or a later index. */
static int factor_small(char uplo, int n, T *a, int lda)
{
    int info, nan;

    tw_account_vendor("potrf", n);
    info = (int)LAPACKE(potrf_work)(LAPACK_COL_MAJOR, uplo, n, a, lda);
    nan = first_nan(n, a, lda);
    return nan && (info == 0 || nan < info) ? nan : info;
}

/* ---- by several threads: the solve by rows (columns) of the panel, the update by columns of the triangle --------- */

enum { TEAM = 192, STRIP = 48 }; /* smallest order, and width of a part at least */

struct step {
    char uplo;
    int n1, n2, lda, parts;
    T *a11, *panel, *a22;
};

static void solve_part(void *args, int i)
{
    const struct step *s = args;
    const int from = tw_part_begin(i, s->parts, s->n2, 16), count = tw_part_begin(i + 1, s->parts, s->n2, 16) - from;

    if (count == 0) return;
    if (s->uplo == 'L')
        CPU(trsm)('R', 'L', 'C', 'N', count, s->n1, tw_one, s->a11, s->lda, s->panel + from, s->lda);
    else
        CPU(trsm)('L', 'U', 'C', 'N', s->n1, count, tw_one, s->a11, s->lda, TW_AT(s->panel, s->lda, 0, from), s->lda);
}

/* Columns (rows, where U is wanted) of A22's triangle: the square on the diagonal, and what is beside it. Parts of the
 * same size are unequal work: the long ones are taken first. */
static void update_part(void *args, int i)
{
    const struct step *s = args;
    const int from = tw_part_begin(i, s->parts, s->n2, 16), to = tw_part_begin(i + 1, s->parts, s->n2, 16),
              count = to - from, rest = s->n2 - to, lda = s->lda;

    if (count == 0) return;
    if (s->uplo == 'L') {
        CPU(herk)('L', 'N', count, s->n1, -1, s->panel + from, lda, 1, TW_AT(s->a22, lda, from, from), lda);
        if (rest > 0) CPU(gemm)
        ('N', 'C', rest, count, s->n1, tw_minus_one, s->panel + to, lda, s->panel + from, lda, tw_one,
         TW_AT(s->a22, lda, to, from), lda);
    } else {
        const T *here = TW_AT(s->panel, lda, 0, from);
        CPU(herk)('U', 'C', count, s->n1, -1, here, lda, 1, TW_AT(s->a22, lda, from, from), lda);
        if (rest > 0) CPU(gemm)
        ('C', 'N', count, rest, s->n1, tw_minus_one, here, lda, TW_AT(s->panel, lda, 0, to), lda, tw_one,
         TW_AT(s->a22, lda, from, to), lda);
    }
}

int CPU(potrf_team)(struct tw_team *team, char uplo, int n, void *a_, int lda)
{
    T *a = a_;
    const int n1 = tw_half(n), n2 = n - n1;
    struct step s = {uplo, n1, n2, lda, tw_min(8, n2 / STRIP), a, NULL, NULL};
    int info;

    if (n < TEAM) return CPU(potrf)(uplo, n, a, lda);
    s.panel = uplo == 'L' ? TW_AT(a, lda, n1, 0) : TW_AT(a, lda, 0, n1);
    s.a22 = TW_AT(a, lda, n1, n1);
    if ((info = CPU(potrf_team)(team, uplo, n1, a, lda))) return info;
    tw_team_run(team, s.parts, solve_part, &s);
    tw_team_run(team, s.parts, update_part, &s);
    info = CPU(potrf_team)(team, uplo, n2, s.a22, lda);
    return info ? info + n1 : 0;
}

int CPU(potrf)(char uplo, int n, void *a_, int lda)
{
    T *a = a_;
    int n1 = tw_half(n), n2 = n - n1, info;
    T *a22 = TW_AT(a, lda, n1, n1);
    if (n <= 0) return 0;
    if (n <= SMALL) return factor_small(uplo, n, a, lda);

    info = CPU(potrf)(uplo, n1, a, lda);
    if (info) return info;
    if (uplo == 'L') {
        T *a21 = TW_AT(a, lda, n1, 0);
        CPU(trsm)('R', 'L', 'C', 'N', n2, n1, tw_one, a, lda, a21, lda);
        CPU(herk)('L', 'N', n2, n1, -1, a21, lda, 1, a22, lda);
    } else {
        T *a12 = TW_AT(a, lda, 0, n1);
        CPU(trsm)('L', 'U', 'C', 'N', n1, n2, tw_one, a, lda, a12, lda);
        CPU(herk)('U', 'C', n2, n1, -1, a12, lda, 1, a22, lda);
    }
    info = CPU(potrf)(uplo, n2, a22, lda);
    return info ? info + n1 : 0;
}
