/* Tables of an order: made in long double where factorials meet. */
#include "kernels/nbody/cpu/tables.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(size_t n)
{
    double *p = NULL;
    return posix_memalign((void **)&p, 64, (n ? n : 1) * sizeof *p) ? NULL : memset(p, 0, n * sizeof *p);
}
static int at_c(int l, int m)
{
    return l * l + m;
}
static int at_s(int l, int m)
{
    return l * l + l + m;
}

/* ---- recurrences, gradient ------------------------------------------------------------------------------------- */

static int make_recurrences(struct tw_fmm_tables *t)
{
    const int p = t->p;

    t->diagonal = numbers((size_t)p + 1);
    t->a = numbers((size_t)(p + 1) * (p + 2) / 2);
    t->b = numbers((size_t)(p + 1) * (p + 2) / 2);
    if (!t->diagonal || !t->a || !t->b) return -1;
    for (int m = 1; m <= p; m++)
        t->diagonal[m] = m == 1 ? 1 : sqrt((2.0 * m - 1) / (2.0 * m));
    for (int l = 1; l <= p; l++)
        for (int m = 0; m < l; m++) {
            const double d = (double)(l * l - m * m);
            t->a[l * (l + 1) / 2 + m] = (2.0 * l - 1) / sqrt(d);
            t->b[l * (l + 1) / 2 + m] = sqrt(((l - 1.0) * (l - 1.0) - m * m) / d);
        }
    return 0;
}

static void slope(struct tw_fmm_tables *t, int axis, int from, int to, double value)
{
    t->slope[axis][t->nslope[axis]++] = (struct tw_fmm_slope){from, to, value};
}

/* From (d/dx - i d/dy) F_l^m = F_l-1^m-1, (d/dx + i d/dy) F_l^m = -F_l-1^m+1, d/dz F_l^m = F_l-1^m for
 * F_l^m = r^l P_l^m e^(i m phi) / (l + m)!. */
static int make_slopes(struct tw_fmm_tables *t)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(t->slope[axis] = malloc((size_t)t->nc * 2 * sizeof *t->slope[axis]))) return -1;
    for (int l = 1; l <= t->p; l++)
        for (int m = 0; m <= l; m++) {
            const double up = sqrt((double)(l - m) * (l - m - 1)) * (m == 0 ? sqrt(0.5) : 0.5),
                         down = 0.5 * sqrt((double)(l + m) * (l + m - 1)) * (m == 1 ? sqrt(2.0) : 1),
                         level = sqrt((double)(l - m) * (l + m));
            if (m < l) {
                slope(t, 2, at_c(l, m), at_c(l - 1, m), level);
                if (m) slope(t, 2, at_s(l, m), at_s(l - 1, m), level);
            }
            if (m + 1 <= l - 1) {
                slope(t, 0, at_c(l, m), at_c(l - 1, m + 1), -up);
                slope(t, 1, at_c(l, m), at_s(l - 1, m + 1), -up);
                if (m) slope(t, 0, at_s(l, m), at_s(l - 1, m + 1), -up);
                if (m) slope(t, 1, at_s(l, m), at_c(l - 1, m + 1), up);
            }
            if (m < 1) continue;
            slope(t, 0, at_c(l, m), at_c(l - 1, m - 1), down);
            slope(t, 1, at_s(l, m), at_c(l - 1, m - 1), down);
            if (m < 2) continue;
            slope(t, 1, at_c(l, m), at_s(l - 1, m - 1), -down);
            slope(t, 0, at_s(l, m), at_s(l - 1, m - 1), down);
        }
    return 0;
}

static void clear(const struct tw_fmm_tables *t, double *const G[3])
{
    for (int axis = 0; axis < 3; axis++)
        memset(G[axis], 0, (size_t)t->stride * sizeof(double));
}
void tw_fmm_slope_local(const struct tw_fmm_tables *t, const double *E, double *const G[3])
{
    clear(t, G);
    for (int axis = 0; axis < 3; axis++)
        for (const struct tw_fmm_slope *s = t->slope[axis]; s < t->slope[axis] + t->nslope[axis]; s++)
            G[axis][s->to] += s->value * E[s->from];
}
void tw_fmm_slope_multipole(const struct tw_fmm_tables *t, const double *E, double *const G[3])
{
    clear(t, G);
    for (int axis = 0; axis < 3; axis++)
        for (const struct tw_fmm_slope *s = t->slope[axis]; s < t->slope[axis] + t->nslope[axis]; s++)
            G[axis][s->from] -= s->value * E[s->to];
}

/* ---- turning about y ------------------------------------------------------------------------------------------- */

struct rotation {
    const double *before; /* degree l - 1, (2 l - 1)^2 */
    double one[3][3];     /* degree 1, in the order y, z, x */
    int l;
};
static double before(const struct rotation *r, int m, int n)
{
    return r->before[(m + r->l - 1) * (2 * r->l - 1) + n + r->l - 1];
}
static double part(const struct rotation *r, int i, int m, int n)
{
    const int l = r->l;
    if (n == -l) return r->one[i + 1][2] * before(r, m, -l + 1) + r->one[i + 1][0] * before(r, m, l - 1);
    if (n == l) return r->one[i + 1][2] * before(r, m, l - 1) - r->one[i + 1][0] * before(r, m, -l + 1);
    return r->one[i + 1][1] * before(r, m, n);
}
static double part_v(const struct rotation *r, int m, int n)
{
    if (m == 0) return part(r, 1, 1, n) + part(r, -1, -1, n);
    if (m > 0) return part(r, 1, m - 1, n) * (m == 1 ? sqrt(2.0) : 1) - (m == 1 ? 0 : part(r, -1, -m + 1, n));
    return (m == -1 ? 0 : part(r, 1, m + 1, n)) + part(r, -1, -m - 1, n) * (m == -1 ? sqrt(2.0) : 1);
}
static double part_w(const struct rotation *r, int m, int n)
{
    if (m > 0) return part(r, 1, m + 1, n) + part(r, -1, -m - 1, n);
    return part(r, 1, m - 1, n) - part(r, -1, -m + 1, n);
}
static double element(const struct rotation *r, int m, int n)
{
    const int l = r->l, k = abs(m);
    const double d = abs(n) < l ? (double)(l + n) * (l - n) : 2.0 * l * (2.0 * l - 1),
                 u = sqrt((double)(l + m) * (l - m) / d),
                 v = 0.5 * sqrt((m == 0 ? 2.0 : 1.0) * (l + k - 1) * (l + k) / d) * (m == 0 ? -1 : 1),
                 w = m == 0 ? 0 : -0.5 * sqrt((double)(l - k - 1) * (l - k) / d);
    return (u != 0 ? u * part(r, 0, m, n) : 0) + (v != 0 ? v * part_v(r, m, n) : 0) +
           (w != 0 ? w * part_w(r, m, n) : 0);
}

/* The turn that takes (sin theta, 0, cos theta) to the z axis, degree by degree; a turn about y mixes C with C and S
 * with S only. */
static double *make_rotation(const struct tw_fmm_tables *t, double sine, double cosine)
{
    const size_t side = (size_t)(2 * t->p + 1);
    double *old = numbers(side * side), *now = numbers(side * side), *out = numbers((size_t)t->turn_s[t->p + 1]);
    struct rotation r = {.one = {{1, 0, 0}, {0, cosine, sine}, {0, -sine, cosine}}};

    if (!old || !now || !out) {
        free(old), free(now), free(out);
        return NULL;
    }
    old[0] = out[t->turn_c[0]] = 1;
    for (int l = 1; l <= t->p; l++) {
        double *swap = old;
        r.before = old;
        r.l = l;
        for (int m = -l; m <= l; m++)
            for (int n = -l; n <= l; n++) {
                const double e = l == 1 ? r.one[m + 1][n + 1] : element(&r, m, n); /* the recursion starts at 2 */
                now[(m + l) * (2 * l + 1) + n + l] = e;
                if (m >= 0 && n >= 0) out[t->turn_c[l] + m * (l + 1) + n] = e;
                if (m < 0 && n < 0) out[t->turn_s[l] + (-m - 1) * l + (-n - 1)] = e;
            }
        old = now;
        now = swap;
    }
    free(old);
    free(now);
    return out;
}

/* ---- shifts along z -------------------------------------------------------------------------------------------- */

/* n! and its root, n <= 255. */
static struct factorials {
    long double value[256], root[256];
} factorial;
static void make_factorials(void)
{
    for (int k = 0; k < 256; k++) {
        factorial.value[k] = k ? k * factorial.value[k - 1] : 1;
        factorial.root[k] = sqrtl(factorial.value[k]);
    }
}
static const struct factorials *factorials(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_factorials);
    return &factorial;
}

enum shift { M2L, M2M, L2L };
/* Result j from source l, both of order m; power: of the distance along +z. */
static double shift_element(enum shift s, int m, int j, int l, const long double *power)
{
    const struct factorials *f = factorials();
    const int a = s == L2L ? l : j, b = s == L2L ? j : l; /* a >= b: the larger cell's degree */
    if (s == M2L) {
        const long double root = f->root[l - m] * f->root[l + m] * f->root[j - m] * f->root[j + m];
        return (double)((((j + m) & 1) ? -1 : 1) * f->value[l + j] / root / power[l + j + 1]);
    }
    if (a < b) return 0;
    /* Units: the child's side is half the parent's; a local expansion also has 1 / side in front. */
    return (double)(f->root[a - m] / f->root[b - m] * (f->root[a + m] / f->root[b + m]) / f->value[a - b] *
                    power[a - b] * ldexpl(1, -(b + (s == L2L))));
}

static double *make_shift(const struct tw_fmm_tables *t, enum shift s, long double d)
{
    const int p = t->p;
    double *out = numbers((size_t)t->shift_at[p + 1]);
    long double power[256];

    for (int k = 0; k < 256; k++)
        power[k] = k ? d * power[k - 1] : 1;
    for (int m = 0; out && m <= p; m++)
        for (int j = m; j <= p; j++)
            for (int l = m; l <= p; l++)
                out[t->shift_at[m] + (j - m) * (p - m + 1) + l - m] = shift_element(s, m, j, l, power);
    return out;
}

/* ---- directions -------------------------------------------------------------------------------------------------- */

static int add_rotation(struct tw_fmm_tables *t, double *known, double sine, double cosine)
{
    double **r;
    for (int k = 0; k < t->nrotations; k++)
        if (fabs(known[k] - cosine) < 1e-12) return k;
    if (!(r = realloc(t->rotation, (size_t)(t->nrotations + 1) * sizeof *r))) return -1;
    t->rotation = r;
    if (!(r[t->nrotations] = make_rotation(t, sine, cosine))) return -1;
    known[t->nrotations] = cosine;
    return t->nrotations++;
}
static int add_shift(struct tw_fmm_tables *t, enum shift s, long double d)
{
    double **x = realloc(t->shift, (size_t)(t->nshifts + 1) * sizeof *x);
    if (!x) return -1;
    t->shift = x;
    if (!(x[t->nshifts] = make_shift(t, s, d))) return -1;
    return t->nshifts++;
}
static int add_phi(struct tw_fmm_tables *t, double *known, double phi)
{
    for (int k = 0; k < t->nphi; k++)
        if (fabs(known[k] - phi) < 1e-12) return k;
    for (int m = 0; m <= t->p; m++) {
        t->cosine[t->nphi * (t->p + 1) + m] = cos(m * phi);
        t->sine[t->nphi * (t->p + 1) + m] = sin(m * phi);
    }
    known[t->nphi] = phi;
    return t->nphi++;
}

struct known {
    double cosine[80], phi[64];
    int shift[28]; /* by squared distance; -1: not made yet */
};

static int make_m2l(struct tw_fmm_tables *t, struct known *known)
{
    int of[19][7]; /* class by (i^2 + j^2, k) */

    memset(of, -1, sizeof of);
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
            for (int k = -3; k <= 3; k++) {
                const int at = 49 * (i + 3) + 7 * (j + 3) + k + 3, flat = i * i + j * j, d2 = flat + k * k;
                const double d = sqrt(d2);
                int *c = &of[flat][k + 3];
                if (abs(i) < 2 && abs(j) < 2 && abs(k) < 2) continue;
                if (known->shift[d2] < 0 && (known->shift[d2] = add_shift(t, M2L, sqrtl(d2))) < 0) return -1;
                if (*c < 0) {
                    int turn = add_rotation(t, known->cosine, sqrt(flat) / d, k / d);
                    if (turn < 0) return -1;
                    t->m2l[ *c = t->nm2l++] = (struct tw_fmm_class){turn, known->shift[d2]};
                }
                t->m2l_class[at] = (unsigned char)*c;
                t->m2l_phi[at] = (unsigned char)add_phi(t, known->phi, atan2(j, i));
            }
    return 0;
}

static int make_children(struct tw_fmm_tables *t, struct known *known)
{
    const long double d = sqrtl(3) / 4;
    const int up = add_shift(t, M2M, d), down = add_shift(t, L2L, d);

    if (up < 0 || down < 0) return -1;
    for (int k = 0; k < 2; k++) {
        int turn = add_rotation(t, known->cosine, sqrt(2.0 / 3), (k ? 1 : -1) * sqrt(1.0 / 3));
        if (turn < 0) return -1;
        t->m2m[k] = (struct tw_fmm_class){turn, up};
        t->l2l[k] = (struct tw_fmm_class){turn, down};
    }
    for (int c = 0; c < 8; c++) {
        t->child_class[c] = c & 1;
        t->child_phi[c] = (unsigned char)add_phi(t, known->phi, atan2(c & 2 ? 1 : -1, c & 4 ? 1 : -1));
    }
    return 0;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static int make_order(struct tw_fmm_tables *t)
{
    const int p = t->p;
    int at = 0;

    t->identity = malloc(((size_t)t->stride + 1) * sizeof(int));
    t->order_c = calloc((size_t)p + 1, sizeof(int *));
    t->order_s = calloc((size_t)p + 1, sizeof(int *));
    t->turn_c = malloc(((size_t)p + 2) * sizeof(int));
    t->turn_s = malloc(((size_t)p + 2) * sizeof(int));
    t->shift_at = malloc(((size_t)p + 2) * sizeof(int));
    if (!t->identity || !t->order_c || !t->order_s || !t->turn_c || !t->turn_s || !t->shift_at) return -1;
    for (int k = 0; k < t->stride; k++)
        t->identity[k] = k;
    for (int l = 0; l <= p + 1; l++) { /* the last entry is the total */
        t->turn_c[l] = at;
        at += l <= p ? (l + 1) * (l + 1) : 0;
        t->turn_s[l] = at;
        at += l <= p ? l * l : 0;
    }
    at = 0;
    for (int m = 0; m <= p + 1; m++) {
        t->shift_at[m] = at;
        at += m <= p ? (p - m + 1) * (p - m + 1) : 0;
    }
    for (int m = 0; m <= p; m++) {
        t->order_c[m] = malloc(((size_t)(p - m) + 1) * sizeof(int));
        t->order_s[m] = malloc(((size_t)(p - m) + 1) * sizeof(int));
        if (!t->order_c[m] || !t->order_s[m]) return -1;
        for (int l = m; l <= p; l++) {
            t->order_c[m][l - m] = at_c(l, m);
            t->order_s[m][l - m] = at_s(l, m);
        }
    }
    return 0;
}

void tw_fmm_tables_free(struct tw_fmm_tables *t)
{
    if (!t) return;
    for (int k = 0; k < t->nrotations; k++)
        free(t->rotation[k]);
    for (int k = 0; k < t->nshifts; k++)
        free(t->shift[k]);
    for (int m = 0; m <= t->p; m++) {
        if (t->order_c) free(t->order_c[m]);
        if (t->order_s) free(t->order_s[m]);
    }
    for (int axis = 0; axis < 3; axis++)
        free(t->slope[axis]);
    free(t->rotation), free(t->shift), free(t->order_c), free(t->order_s), free(t->identity);
    free(t->turn_c), free(t->turn_s), free(t->shift_at);
    free(t->diagonal), free(t->a), free(t->b), free(t->cosine), free(t->sine);
    free(t);
}

struct tw_fmm_tables *tw_fmm_tables_make(int p)
{
    struct tw_fmm_tables *t = calloc(1, sizeof *t);
    struct known known;

    if (!t) return NULL;
    memset(known.shift, -1, sizeof known.shift);
    t->p = p;
    t->nc = (p + 1) * (p + 1);
    t->stride = (t->nc + 7) & ~7;
    t->work = (size_t)(2 * t->stride + 2 * (p + 2)) * TW_FMM_LANES + 64;
    t->cosine = numbers((size_t)64 * (p + 1));
    t->sine = numbers((size_t)64 * (p + 1));
    if (!t->cosine || !t->sine || make_recurrences(t) || make_slopes(t) || make_order(t) || make_m2l(t, &known) ||
        make_children(t, &known)) {
        tw_fmm_tables_free(t);
        return NULL;
    }
    return t;
}
