/* Localized interactions: against sums over all pairs in long double, for every model, box and type; the published
 * values; forces as the energy's gradient; groups of any size; what is illegal. */
#include <math.h>

#include "algorithms/md/md_loops.h"
#include "tt.h"

typedef long double real;

/* ---- the reference: everything by its definition ----------------------------------------------------------------- */

struct sum {
    real energy[3];
    real *f; /* 3 n */
};
static real nearest(const tw_atoms *a, int i, int j, real d[3])
{
    real r2 = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = (real)a->x[3 * i + k] - (real)a->x[3 * j + k];
        if (a->box[k] > 0) d[k] -= (real)a->box[k] * rintl(d[k] / (real)a->box[k]);
        r2 += d[k] * d[k];
    }
    return r2;
}
static int linked(const tw_atoms *a, int i, int j)
{
    for (tw_int l = 0; l < a->nlinks; l++)
        if ((a->link[l].i == i && a->link[l].j == j) || (a->link[l].i == j && a->link[l].j == i)) return 1;
    return 0;
}
static void push(struct sum *s, int i, int j, const real d[3], real minus_slope_by_r)
{
    for (int k = 0; k < 3; k++) {
        s->f[3 * i + k] += minus_slope_by_r * d[k];
        s->f[3 * j + k] -= minus_slope_by_r * d[k];
    }
}
/* CHARMM's switch and its slope. */
static real switched(const tw_cutoff *c, real r, real *slope)
{
    const real rc2 = (real)c->cutoff * (real)c->cutoff, on2 = (real)c->switch_on * (real)c->switch_on, r2 = r * r,
               w = (rc2 - on2) * (rc2 - on2) * (rc2 - on2);
    *slope = 0;
    if (r2 <= on2) return 1;
    *slope = 12 * r * (rc2 - r2) * (on2 - r2) / w;
    return (rc2 - r2) * (rc2 - r2) * (rc2 + 2 * r2 - 3 * on2) / w;
}

struct ace {
    real *S, *b, *slope, *gain;
};
static real volume(const tw_atoms *a, int i)
{
    const real r = (real)a->radius[i];
    return 4 * (real)M_PI / 3 * r * r * r;
}
/* What atom i loses to k, and its slope. */
static real brace(const tw_cutoff *c, const tw_atoms *a, int i, int k, real r, real *slope)
{
    double row[4];
    real sw, dsw;
    tw_cut_ace(a->radius[i], a->radius[k], (double)volume(a, k), row);
    const real g = (real)row[0] * expl(-r * r * (real)row[1]), u = r * r * r / (powl(r, 4) + (real)row[2]),
               h = (real)row[3] * powl(u, 4), e = g + h,
               de = -2 * r * (real)row[1] * g +
                    4 * (real)row[3] * powl(u, 3) * (3 * r * r / (powl(r, 4) + (real)row[2]) - 4 * u * u);
    sw = switched(c, r, &dsw);
    *slope = de * sw + e * dsw;
    return e * sw;
}

static void vdw_pair(const tw_cutoff *c, const tw_atoms *a, int i, int j, real r, const real d[3], struct sum *s)
{
    const real rm = (real)a->radius[i] + (real)a->radius[j], depth = sqrtl((real)a->depth[i] * (real)a->depth[j]),
               A = powl(rm / r, 6), B = powl(rm / (real)c->cutoff, 6), t = powl(r / (real)c->cutoff, 6);
    if (c->vdw == TW_VDW_NONE) return;
    if (c->vdw == TW_VDW_SMOOTH) {
        s->energy[0] += depth * (A * A - 2 * A + B * (4 - 2 * t) + B * B * (2 * t - 3));
        push(s, i, j, d, -12 * depth / (r * r) * (-A * A + A + t * (B * B - B)));
        return;
    }
    s->energy[0] += depth * (A * A - 2 * A - (c->vdw == TW_VDW_SHIFT ? B * B - 2 * B : 0));
    push(s, i, j, d, 12 * depth / (r * r) * (A * A - A));
}

static void elec_pair(const tw_cutoff *c, const tw_atoms *a, int i, int j, real r, const real d[3], struct ace *m,
                      struct sum *s)
{
    const real q = (real)c->constant * (real)a->charge[i] * (real)a->charge[j], rc = (real)c->cutoff,
               in = (real)c->eps_in, out = (real)c->eps_out;
    if (c->electrostatics == TW_ELECTROSTATICS_REACTION_FIELD) {
        const real k = (out / in - 1) / ((2 * out / in + 1) * rc * rc * rc);
        s->energy[1] += q / in * (1 / r + k * r * r - 1 / rc - k * rc * rc);
        push(s, i, j, d, q / in * (1 / (r * r * r) - 2 * k));
    } else if (c->electrostatics == TW_ELECTROSTATICS_SHIFT) {
        s->energy[1] += q / in * (1 / r + r / (rc * rc) - 2 / rc);
        push(s, i, j, d, q / in * (1 / (r * r) - 1 / (rc * rc)) / r);
    } else if (c->electrostatics == TW_ELECTROSTATICS_BORN) {
        const real tau = 1 / in - 1 / out, bb = m->b[i] * m->b[j], x = expl(-r * r / (4 * bb)), f2 = r * r + bb * x,
                   f = sqrtl(f2);
        const real e = q * (1 / (in * r) - tau / f), de = q * (-1 / (in * r * r) + tau / (f2 * f) * (r - r * x / 4));
        real dsw;
        const real sw = switched(c, r, &dsw), db = sw * q * tau / (2 * f2 * f) * x * (1 + r * r / (4 * bb));
        s->energy[1] += e * sw;
        push(s, i, j, d, -(de * sw + e * dsw) / r);
        m->gain[i] += db * m->b[j];
        m->gain[j] += db * m->b[i];
    }
}

static void born_radii(const tw_cutoff *c, const tw_atoms *a, struct ace *m, struct sum *s)
{
    const real tau = 1 / (real)c->eps_in - 1 / (real)c->eps_out;
    real all = 0;
    for (int i = 0; i < a->n; i++)
        all += volume(a, i);
    all = cbrtl(3 * all / (4 * (real)M_PI));
    for (int i = 0; i < a->n; i++) {
        const real r = (real)a->radius[i], t = (real)M_PI / 2 * 1.44L, Q = t / sqrtl(1 + 2 * t), P = Q - atanl(Q),
                   own = (4 * r * r * r / (3 * (real)M_PI) - volume(a, i) / ((real)M_PI * (real)M_PI)) * P /
                         (1.44L * 1.44L * powl(r, 4)),
                   inverse = 1 / r + 2 * own - 2 * m->S[i],
                   q2 = (real)c->constant * (real)a->charge[i] * (real)a->charge[i];
        m->b[i] = inverse < 1 / all ? all * (2 - all * inverse) : 1 / inverse;
        m->slope[i] = inverse < 1 / all ? 2 * all * all : 2 / (inverse * inverse);
        s->energy[1] += q2 * (1 / (2 * (real)c->eps_out * r) + tau * m->S[i]);
    }
}

static struct sum reference(const tw_cutoff *c, const tw_atoms *a)
{
    const size_t n = (size_t)a->n;
    const int born = c->electrostatics == TW_ELECTROSTATICS_BORN;
    struct sum s = {.f = calloc(3 * n, sizeof(real))};
    struct ace m = {calloc(n, sizeof(real)), calloc(n, sizeof(real)), calloc(n, sizeof(real)), calloc(n, sizeof(real))};
    real d[3], slope, back;
    for (int pass = born ? 0 : 1; pass < (born ? 3 : 2); pass++) {
        if (pass == 1 && born) born_radii(c, a, &m, &s);
        for (size_t i = 0; i < n && pass == 2; i++)
            m.gain[i] = m.gain[i] * m.slope[i] + (real)c->constant * (1 / (real)c->eps_in - 1 / (real)c->eps_out) *
                                                     (real)a->charge[i] * (real)a->charge[i];
        for (int i = 0; i < a->n; i++)
            for (int j = 0; j < i; j++) {
                const real r2 = nearest(a, i, j, d), r = sqrtl(r2);
                if (r >= (real)c->cutoff || (a->nlinks > 0 && linked(a, i, j))) continue;
                if (pass == 0) {
                    m.S[i] += brace(c, a, i, j, r, &slope);
                    m.S[j] += brace(c, a, j, i, r, &slope);
                } else if (pass == 1) {
                    vdw_pair(c, a, i, j, r, d, &s);
                    elec_pair(c, a, i, j, r, d, &m, &s);
                } else {
                    brace(c, a, i, j, r, &slope);
                    brace(c, a, j, i, r, &back);
                    push(&s, i, j, d, -(m.gain[i] * slope + m.gain[j] * back) / r);
                }
            }
    }
    for (tw_int l = 0; l < a->nlinks; l++) {
        const tw_bond *b = &a->link[l];
        const real r = sqrtl(nearest(a, (int)b->i, (int)b->j, d)), t = r - (real)b->length;
        s.energy[2] += (real)b->stiffness * t * t / 2;
        push(&s, (int)b->i, (int)b->j, d, -(real)b->stiffness * t / r);
    }
    free(m.S), free(m.b), free(m.slope), free(m.gain);
    return s;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

/* A shaken lattice of spacing 2; bit k of open: no period along k. */
static void make(tw_atoms *a, int n, int open, int links)
{
    const int m = (int)ceil(cbrt(n));
    assert_int_equal(tw_atoms_alloc(a, n, links ? n / 4 : 0), 0);
    for (int i = 0; i < n; i++) {
        const int cell[3] = {i % m, i / m % m, i / m / m};
        for (int k = 0; k < 3; k++) {
            a->x[3 * i + k] = 2 * (cell[k] + 0.2 * tt_uniform(3, i, k));
            a->v[3 * i + k] = 0.1 * tt_uniform(4, i, k);
        }
        a->charge[i] = tt_uniform(5, i, 0);
        a->radius[i] = 0.8 + 0.1 * (i % 3);
        a->depth[i] = 0.1 * (1 + i % 4);
        a->mass[i] = 1 + i % 5;
    }
    for (tw_int l = 0; l < a->nlinks; l++)
        a->link[l] = (tw_bond){4 * l, 4 * l + 1 + l % 3, 3, 2};
    for (int k = 0; k < 3; k++)
        a->box[k] = open >> k & 1 ? 0 : 2 * m;
}

/* room: rounding errors allowed, in units of the norm; 20 but where large forces cancel. */
static void compare(const tw_cutoff *c, const tw_atoms *a, double room)
{
    const double unit = c->type == TW_FLOAT ? 0x1p-24 : 0x1p-53;
    struct sum s = reference(c, a);
    tw_cutoff_energy e;
    double *f = malloc(3 * (size_t)a->n * sizeof *f);
    real error = 0, norm = 0, total[3] = {0}, size = 0, energies = 0;
    tt_expect_info(tw_cutoff_forces(c, a, &e, f), 0, "forces");
    for (int i = 0; i < 3 * a->n; i++) {
        const real d = (real)f[i] - s.f[i];
        error += d * d;
        norm += s.f[i] * s.f[i];
        total[i % 3] += (real)f[i];
        size += fabsl(s.f[i]);
    }
    tt_expect("forces", c->type, (double)(sqrtl(error / norm)) / (room * unit), 0, "vdw %d electrostatics %d",
              (int)c->vdw, (int)c->electrostatics);
    for (int k = 0; k < 3; k++) { /* energies' terms are some times larger than their sum */
        const double value[3] = {e.vdw, e.electrostatic, e.links};
        energies = fmaxl(energies, fabsl(s.energy[k]));
        assert_true(fabsl((real)value[k] - s.energy[k]) <= 3000 * (real)unit * (fabsl(s.energy[k]) + energies + 1));
        assert_true(fabsl(total[k]) <= 100 * (real)unit * size); /* Newton's third law */
    }
    free(s.f), free(f);
}

static void models(void **state)
{
    tw_cutoff c;
    tw_atoms a;
    (void)state;
    tw_cutoff_init(&c, 4.9);
    c.eps_in = 2;
    for (int t = 0; t < 2; t++)
        for (int vdw = 0; vdw < 4; vdw++)
            for (int el = 0; el < 4; el++) {
                if (!vdw && !el) continue;
                c.type = t ? TW_DOUBLE : TW_FLOAT;
                c.vdw = (enum tw_vdw)vdw;
                c.electrostatics = (enum tw_electrostatics)el;
                c.skin = el == 1 ? 0 : 0.7;
                make(&a, 250, (vdw + 3 * el) % 8, vdw == 2);
                compare(&c, &a, 20);
                tw_atoms_free(&a);
            }
}

static void sizes(void **state)
{
    static const int n[] = {1, 2, 7, 8, 9, 65, 600};
    tw_cutoff c;
    tw_atoms a;
    tw_cutoff_energy e;
    (void)state;
    tw_cutoff_init(&c, 5);
    for (size_t k = 1; k < sizeof n / sizeof *n; k++) {
        make(&a, n[k], n[k] < 300 ? 7 : 0, 0);
        compare(&c, &a, 20);
        tw_atoms_free(&a);
    }
    a = (tw_atoms){0};
    tt_expect_info(tw_cutoff_forces(&c, &a, &e, NULL), 0, "no atoms");
    assert_true(e.vdw == 0 && e.electrostatic == 0);
    make(&a, 1, 7, 0);
    double f[3] = {9, 9, 9};
    tt_expect_info(tw_cutoff_forces(&c, &a, &e, f), 0, "one atom");
    assert_true(e.vdw == 0 && f[0] == 0 && f[1] == 0 && f[2] == 0);
    /* Alone in the solvent: Born's energy. */
    c.electrostatics = TW_ELECTROSTATICS_BORN;
    tt_expect_info(tw_cutoff_forces(&c, &a, &e, f), 0, "one ion");
    assert_true(fabs(e.electrostatic - c.constant * a.charge[0] * a.charge[0] / (2 * 78 * a.radius[0])) < 1e-12);
    tw_atoms_free(&a);
}

/* An atom far larger than an item's room of neighbours; the others have few. And all of them near each other. */
static void large_groups(void **state)
{
    enum { N = 5001 };
    tw_cutoff c;
    tw_atoms a;
    (void)state;
    tw_cutoff_init(&c, 10);
    c.electrostatics = TW_ELECTROSTATICS_NONE;
    c.vdw = TW_VDW_CUT;
    for (int all = 0; all < 2; all++) {
        const int n = all ? 2600 : N;
        assert_int_equal(tw_atoms_alloc(&a, n, 0), 0);
        for (int i = 1; i < n; i++) { /* on a sphere around atom 0, spread by the golden angle; or filling a ball */
            const double z = 1 - 2.0 * i / n, r = sqrt(1 - z * z),
                         far = all ? 4.9 * cbrt((i * 7919 % n + 1.0) / n) : 9.5;
            a.x[3 * i] = far * r * cos(2.399963 * i);
            a.x[3 * i + 1] = far * r * sin(2.399963 * i);
            a.x[3 * i + 2] = far * z;
        }
        for (int i = 0; i < n; i++) {
            a.radius[i] = all ? 0.05 : i == 0 ? 9 : 0.1;
            a.depth[i] = 0.3;
        }
        compare(&c, &a, 300);
        tw_atoms_free(&a);
    }
}

/* All atoms but two in a heap: the lists become far longer than for atoms that are spread evenly, and may not fit into
 * the memory. */
static void heap(void **state)
{
    enum { N = 1002 };
    const char *forced = getenv("TILEWORK_FORCE_CUDA");
    tw_cutoff c;
    tw_atoms a;
    tw_cutoff_energy e;
    (void)state;
    tw_cutoff_init(&c, 10);
    c.electrostatics = TW_ELECTROSTATICS_NONE;
    assert_int_equal(tw_atoms_alloc(&a, N, 0), 0);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            a.x[3 * i + k] = 0.5 * (i / (k == 0 ? 1 : k == 1 ? 13 : 169) % 13) + 0.1 * tt_uniform(3, i, k);
        a.radius[i] = 0.2;
        a.depth[i] = 0.3;
    }
    a.x[3 * N - 3] = 1e4;
    a.x[3 * N - 5] = a.x[3 * N - 4] = -1e4;
    if (!forced || strcmp(forced, "1")) { /* on a GPU the host's memory does not matter */
        assert_int_equal(setenv("TILEWORK_HOST_MEMORY", "2M", 1), 0);
        tt_expect_info(tw_cutoff_forces(&c, &a, &e, NULL), TW_E_MEMORY, "lists that outgrow the memory");
        assert_non_null(strstr(tw_last_message(), "entries"));
        assert_int_equal(unsetenv("TILEWORK_HOST_MEMORY"), 0);
    }
    compare(&c, &a, 100);
    tw_atoms_free(&a);
}

/* Two atoms so near each other that their force is beyond what reactions are summed with on a GPU; and not so near. */
static void near_pairs(void **state)
{
    tw_cutoff c;
    tw_atoms a;
    (void)state;
    tw_cutoff_init(&c, 4.9);
    for (int k = 0; k < 6; k++) {
        const double apart = 1.6 * pow(0.6, k);
        c.type = k % 2 ? TW_DOUBLE : TW_FLOAT;
        make(&a, 250, 0, 0);
        for (int d = 0; d < 3; d++)
            a.x[3 * 100 + d] = a.x[3 * 200 + d] + (d == 0 ? apart : 0);
        compare(&c, &a, 300);
        tw_atoms_free(&a);
    }
}

/* Values that were published, or recomputed independently (seed chapters' checks). */
static void values(void **state)
{
    static const double r[] = {3.4, 3.8, 5}, energy[] = {-0.0076727295, -0.0977497700, -0.0326031724},
                        slope[] = {-0.6528806724, 0, 0.0372962482};
    double row[4];
    tw_cutoff c;
    tw_cutoff_energy e;
    (void)state;
    tw_cutoff_init(&c, 9);
    c.electrostatics = TW_ELECTROSTATICS_NONE;
    for (int k = 0; k < 3; k++) {
        double x[6] = {0, 0, 0, r[k], 0, 0}, radius[2] = {1.9, 1.9}, depth[2] = {0.1, 0.1}, f[6];
        tw_atoms a = {.n = 2, .x = x, .radius = radius, .depth = depth};
        tt_expect_info(tw_cutoff_forces(&c, &a, &e, f), 0, "two atoms");
        assert_true(fabs(e.vdw - energy[k]) < 1e-10);
        if (slope[k] != 0) assert_true(fabs(f[0] - slope[k]) < 1e-9 && fabs(f[3] + slope[k]) < 1e-9);
    }
    tw_cut_ace(1.9, 1.9, 0.6 * 4 * M_PI / 3 * 1.9 * 1.9 * 1.9, row);
    assert_true(fabs(row[0] - 0.0126789) < 1e-7 && fabs(1 / row[1] - 12.84828) < 1e-5 &&
                fabs(pow(row[2], 0.25) - 4.481676) < 1e-6);
}

/* Forces are minus the gradient: central differences of the energy. */
static void gradient(void **state)
{
    const double h = 1e-4;
    tw_cutoff c;
    tw_atoms a;
    tw_cutoff_energy e;
    (void)state;
    tw_cutoff_init(&c, 4.5);
    c.eps_in = 4;
    for (int el = 1; el < 4; el++) {
        c.electrostatics = (enum tw_electrostatics)el;
        make(&a, 125, 2, 1);
        double *f = malloc(3 * (size_t)a.n * sizeof *f), error = 0, norm = 0;
        tt_expect_info(tw_cutoff_forces(&c, &a, NULL, f), 0, "forces");
        for (int i = 0; i < 3 * a.n; i += 17) {
            double value[2];
            for (int k = 0; k < 2; k++) {
                a.x[i] += k ? 2 * h : -h;
                tt_expect_info(tw_cutoff_forces(&c, &a, &e, NULL), 0, "energy");
                value[k] = e.vdw + e.electrostatic + e.links;
            }
            a.x[i] -= h;
            error = fmax(error, fabs(f[i] + (value[1] - value[0]) / (2 * h)));
            norm = fmax(norm, fabs(f[i]));
        }
        if (error > 1e-6 * norm)
            fail_msg("electrostatics %d: force and difference are %g apart of %g", el, error, norm);
        free(f);
        tw_atoms_free(&a);
    }
}

static void illegal(void **state)
{
    tw_cutoff c, odd;
    tw_atoms a, b;
    (void)state;
    tw_cutoff_init(&c, 4);
    make(&a, 125, 0, 1);
    tt_expect_info(tw_cutoff_forces(NULL, &a, NULL, NULL), -1, "no model");
    tt_expect_info(tw_cutoff_forces(&c, NULL, NULL, NULL), -2, "no atoms");
#define ODD(field, value, what)                                                                                        \
    odd = c, odd.field = value, tt_expect_info(tw_cutoff_forces(&odd, &a, NULL, NULL), -1, what)
    ODD(cutoff, 0, "cutoff 0");
    ODD(cutoff, NAN, "cutoff NaN");
    ODD(skin, -1, "skin");
    ODD(vdw, (enum tw_vdw)9, "vdw");
    ODD(electrostatics, (enum tw_electrostatics)9, "electrostatics");
    ODD(constant, NAN, "constant");
    ODD(eps_in, 0, "eps_in");
    ODD(type, TW_COMPLEX_FLOAT, "type");
    ODD(reuse, 0, "reuse");
    odd = c, odd.cutoff = 5.1;
    tt_expect_info(tw_cutoff_forces(&odd, &a, NULL, NULL), -2, "larger than half the box");
    assert_non_null(strstr(tw_last_message(), "half the period"));
#define BAD(change, what) b = a, change, tt_expect_info(tw_cutoff_forces(&c, &b, NULL, NULL), -2, what)
    BAD(b.x = NULL, "no positions");
    BAD(b.box[1] = -1, "box");
    BAD(b.nlinks = 10000, "links");
    a.link[3].j = 125;
    tt_expect_info(tw_cutoff_forces(&c, &a, NULL, NULL), -2, "a link to nowhere");
    a.link[3].j = 13;
    for (int k = 0; k < 2; k++) {
        const double bad = k ? INFINITY : NAN, good = a.x[100];
        a.x[100] = bad;
        tt_expect_info(tw_cutoff_forces(&c, &a, NULL, NULL), -2, "positions");
        a.x[100] = good;
    }
    a.mass[5] = 0;
    tt_expect_info(tw_cutoff_forces(&c, &a, NULL, NULL), -2, "mass");
    a.mass[5] = 1;
    memcpy(a.x, a.x + 18, 3 * sizeof(double));
    tt_expect_info(tw_cutoff_forces(&c, &a, NULL, NULL), TW_E_STATE, "two atoms at one place");
    tw_atoms_free(&a);
}

static void behind_the_async_door(void **state)
{
    tw_cutoff c;
    tw_atoms a;
    tw_cutoff_energy one, two;
    tw_sequence *seq;
    double f[2][3 * 343];
    (void)state;
    tw_cutoff_init(&c, 5);
    make(&a, 343, 0, 0);
    tt_expect_info(tw_cutoff_forces(&c, &a, &one, f[0]), 0, "sync");
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_cutoff_forces_async(&c, &a, &two, f[1], seq), 0, "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    assert_memory_equal(f[0], f[1], sizeof f[0]); /* and the same bits in every run */
    assert_memory_equal(&one, &two, sizeof one);
    tw_atoms_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),   cmocka_unit_test(sizes),      cmocka_unit_test(large_groups),
        cmocka_unit_test(heap),     cmocka_unit_test(near_pairs), cmocka_unit_test(values),
        cmocka_unit_test(gradient), cmocka_unit_test(illegal),    cmocka_unit_test(behind_the_async_door)};
    return tt_run(tests);
}
