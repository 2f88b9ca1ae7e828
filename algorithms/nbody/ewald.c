/* Ewald's sum (Ann. Phys. 369, 1921), to rounding: with alpha = 5 / side the images next to a pair's nearest one are
 * all that the real space needs (erfc(7.5) = 3e-26), and wave vectors up to 11 the reciprocal one (e^(-(11 pi / 5)^2) =
 * 2e-21). */
#include <float.h>
#include <stdlib.h>

#include "algorithms/nbody/periodic.h"
#include "runtime/base/sequence.h"

enum { WAVES = 10 }; /* largest component */
#define ALPHA 5.0    /* times the side */

struct wave {
    int k[3];
    double factor, s[2]; /* 2 e^(-(pi k / alpha)^2) / (pi k^2); sum_j q_j e^(-2 pi i k y_j) */
};

/* e^(2 pi i m x) for m = 0…WAVES and the three components of x. */
static void powers(const double x[3], double e[3][WAVES + 1][2])
{
    for (int axis = 0; axis < 3; axis++)
        for (int m = 0; m <= WAVES; m++) {
            e[axis][m][0] = cos(2 * M_PI * m * x[axis]);
            e[axis][m][1] = sin(2 * M_PI * m * x[axis]);
        }
}
static void wave_at(const struct wave *w, double e[3][WAVES + 1][2], double z[2])
{
    z[0] = 1, z[1] = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double *f = e[axis][abs(w->k[axis])], c = f[0], s = w->k[axis] < 0 ? -f[1] : f[1];
        const double re = z[0] * c - z[1] * s;
        z[1] = z[0] * s + z[1] * c;
        z[0] = re;
    }
}

/* Half of the wave vectors: k and -k are conjugate. */
static int make_waves(struct wave *w)
{
    int n = 0;
    for (int a = 0; a <= WAVES; a++)
        for (int b = a ? -WAVES : 0; b <= WAVES; b++)
            for (int c = a || b ? -WAVES : 1; c <= WAVES; c++) {
                const double k2 = a * a + b * b + c * c;
                if (k2 > (WAVES + 1) * (WAVES + 1)) continue;
                if (w)
                    w[n] = (struct wave){{a, b, c}, 2 * exp(-M_PI * M_PI * k2 / (ALPHA * ALPHA)) / (M_PI * k2), {0, 0}};
                n++;
            }
    return n;
}

struct box {
    const double *corner;
    double side;
    tw_int n;
    double *x; /* sources in units of the side, from the corner */
    const double *q;
    struct wave *wave;
    int nwaves, vacuum;
    double charge, dipole[3]; /* about the centre */
    unsigned long epoch;      /* of cancellations, when the call began */
};

static void place(const struct box *b, const double *from, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = (tw_into_box(from[k], b->corner[k], b->side) - b->corner[k]) / b->side;
}

/* No sequence is under this sum that tw_cancel_all could cancel: it is asked for here, once for each point. */
static int cancelled(const struct box *b)
{
    return tw_cancel_epoch() != b->epoch;
}

static void sum_waves(struct box *b)
{
    for (tw_int j = 0; j < b->n && !cancelled(b); j++) {
        double e[3][WAVES + 1][2], z[2];
        powers(b->x + 3 * j, e);
        for (struct wave *w = b->wave; w < b->wave + b->nwaves; w++) {
            wave_at(w, e, z);
            w->s[0] += b->q[j] * z[0];
            w->s[1] -= b->q[j] * z[1];
        }
        b->charge += b->q[j];
        for (int k = 0; k < 3; k++)
            b->dipole[k] += b->q[j] * (b->x[3 * j + k] - 0.5);
    }
}

/* One source and its 26 images next to the nearest one. */
static void add_source(const struct box *b, const double x[3], tw_int j, double u[4])
{
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = x[k] - b->x[3 * j + k];
        d[k] -= rint(d[k]);
    }
    for (int n = 0; n < 27; n++) {
        const double r[3] = {d[0] + n / 9 - 1, d[1] + n / 3 % 3 - 1, d[2] + n % 3 - 1},
                     r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], distance = sqrt(r2);
        if (r2 < DBL_MIN) {
            u[0] -= b->q[j] * 2 * ALPHA / sqrt(M_PI);
            continue;
        }
        const double f = b->q[j] * erfc(ALPHA * distance) / distance,
                     g = (f + b->q[j] * 2 * ALPHA / sqrt(M_PI) * exp(-ALPHA * ALPHA * r2)) / r2;
        u[0] += f;
        for (int k = 0; k < 3; k++)
            u[1 + k] -= g * r[k];
    }
}

static void field(const struct box *b, const double x[3], double u[4])
{
    double e[3][WAVES + 1][2], z[2];

    u[0] = -M_PI / (ALPHA * ALPHA) * b->charge;
    u[1] = u[2] = u[3] = 0;
    for (tw_int j = 0; j < b->n && (j % 4096 || !cancelled(b)); j++)
        add_source(b, x, j, u);
    powers(x, e);
    for (const struct wave *w = b->wave; w < b->wave + b->nwaves; w++) {
        wave_at(w, e, z);
        u[0] += w->factor * (w->s[0] * z[0] - w->s[1] * z[1]);
        for (int k = 0; k < 3; k++)
            u[1 + k] -= 2 * M_PI * w->k[k] * w->factor * (w->s[0] * z[1] + w->s[1] * z[0]);
    }
    for (int k = 0; k < 3 && b->vacuum; k++) {
        u[0] += 4 * M_PI / 3 * b->dipole[k] * (x[k] - 0.5);
        u[1 + k] += 4 * M_PI / 3 * b->dipole[k];
    }
}

/* By pieces, so that a cancelled call ends; a number's place is counted from the array's beginning. */
static const char *bad_numbers(const struct box *b, const double *x, tw_int count, double limit, char text[128])
{
    const tw_int piece = 1 << 22;

    for (tw_int k = 0; k < count && !cancelled(b); k += piece)
        if (tw_bad_numbers(TW_DOUBLE, x + k, tw_min(piece, count - k), limit, text))
            return k ? tw_bad_numbers(TW_DOUBLE, x, count, limit, text) : text; /* which one? */
    return NULL;
}

int tw_ewald3d(enum tw_boundary boundary, const double *corner, double side, tw_int nsource, const double *source,
               const double *charge, tw_int ntarget, const double *target, double *pot, double *grad)
{
    const char *routine = "tw_ewald3d";
    struct box b = {.corner = corner,
                    .side = side,
                    .n = nsource,
                    .q = charge,
                    .vacuum = boundary == TW_VACUUM,
                    .epoch = tw_cancel_epoch()};
    char text[128];

    TW_ARGUMENT(routine, 1, tw_bad_boundary(boundary));
    TW_ARGUMENT(routine, 2, tw_bad_corner(corner));
    TW_ARGUMENT(routine, 3, tw_bad_side(side));
    TW_ARGUMENT(routine, 4, nsource >= 0 && nsource <= INT32_MAX ? NULL : "not between 0 and 2^31 - 1");
    TW_ARGUMENT(routine, 7, ntarget >= 0 && ntarget <= INT32_MAX ? NULL : "not between 0 and 2^31 - 1");
    TW_ARGUMENT(routine, 5, nsource && !source ? "NULL" : NULL);
    TW_ARGUMENT(routine, 6, nsource && !charge ? "NULL" : NULL);
    TW_ARGUMENT(routine, 8, ntarget && !target ? "NULL" : NULL);
    TW_ARGUMENT(routine, 5, bad_numbers(&b, source, 3 * nsource, TW_NBODY_COORDINATE_MAX, text));
    TW_ARGUMENT(routine, 6, bad_numbers(&b, charge, nsource, DBL_MAX, text));
    TW_ARGUMENT(routine, 8, bad_numbers(&b, target, 3 * ntarget, TW_NBODY_COORDINATE_MAX, text));
    b.nwaves = make_waves(NULL);
    b.wave = malloc((size_t)b.nwaves * sizeof *b.wave);
    b.x = malloc(((size_t)nsource * 3 + 1) * sizeof *b.x);
    if (!b.wave || !b.x) {
        free(b.wave), free(b.x);
        return tw_fail(TW_E_MEMORY, "%s: no memory for %lld sources", routine, (long long)nsource);
    }
    make_waves(b.wave);
    for (tw_int j = 0; j < nsource && !cancelled(&b); j++)
        place(&b, source + 3 * j, b.x + 3 * j);
    sum_waves(&b);
    for (tw_int i = 0; i < ntarget && !cancelled(&b); i++) {
        double x[3], u[4];
        place(&b, target + 3 * i, x);
        field(&b, x, u);
        if (pot) pot[i] = u[0] / side;
        for (int k = 0; grad && k < 3; k++)
            grad[3 * i + k] = u[1 + k] / side / side;
    }
    free(b.wave), free(b.x);
    return cancelled(&b) ? tw_fail(TW_E_CANCELLED, "%s: cancelled", routine) : 0;
}
