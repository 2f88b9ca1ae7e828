/* The formulas of pairs, written once. Before including: T (an element), R (an element or a vector of them), TW_FN
 * (storage class), TW_EXP(R), TW_ROOT(R) = 1 / sqrt.
 *
 * Energies of a pair and `fr` = -(dE/dr) / r: the force on i is fr (x_i - x_j). */

struct tw_cut_constants {
    T rc2, irc2, kin, ktau, ca2, ca, cb, cc, elec, on2, iswitch;
};
TW_FN struct tw_cut_constants tw_cut_constants_of(const struct tw_cut_shape *s)
{
    struct tw_cut_constants k;
    const double rc2 = s->cutoff * s->cutoff, on2 = s->on * s->on, width = rc2 - on2;
    k.rc2 = (T)rc2;
    k.irc2 = (T)(1 / rc2);
    k.kin = (T)(s->elec * s->inverse_in);
    k.ktau = (T)(s->elec * s->tau);
    k.elec = (T)s->elec;
    k.ca = (T)s->ca;
    k.ca2 = (T)(2 * s->ca);
    k.cb = (T)s->cb;
    k.cc = (T)s->cc;
    k.on2 = (T)on2;
    k.iswitch = (T)(width > 0 ? 1 / (width * width * width) : 0);
    return k;
}

/* Van der Waals with a = (rm^2 / r^2)^3: depth (a^2 - 2 a), cut, shifted to 0 at the cutoff, or with value and slope 0
 * there (b and s as in tilework/cutoff.h). twelve: 12 times the pair's depth. Returns fr r^2. */
TW_FN R tw_cut_vdw_pair(const struct tw_cut_constants *k, int vdw, R r2, R irr, R rm, R twelve, R *energy)
{
    const R rm2 = rm * rm, a1 = rm2 * irr, a = a1 * a1 * a1;
    if (vdw == TW_CUT_VDW_CUT) {
        *energy = twelve * (T)(1.0 / 12) * (a * a - a - a);
        return twelve * (a * a - a);
    }
    if (vdw == TW_CUT_VDW_SHIFT) {
        const R b1 = rm2 * k->irc2, b = b1 * b1 * b1;
        *energy = twelve * (T)(1.0 / 12) * (a * a - a - a - b * b + b + b);
        return twelve * (a * a - a);
    }
    const R s1 = r2 * k->irc2, s = s1 * s1 * s1, b = a * s, bb = b * b - b;
    *energy = twelve * (T)(1.0 / 12) * (a * a - a - a + b * (4 - 2 * s) + b * b * (2 * s - 3));
    return twelve * (a * a - a - s * bb);
}

/* Coulomb: q q (1/r + ca r^2 + cb r + cc); qq holds the constant. Returns fr r^2. */
TW_FN R tw_cut_coulomb_pair(const struct tw_cut_constants *k, int coulomb, R r2, R ir, R qq, R *energy)
{
    if (coulomb == TW_CUT_COULOMB_FIELD) {
        *energy = qq * (ir + k->ca * r2 + k->cc);
        return qq * (ir - k->ca2 * r2);
    }
    const R r = r2 * ir;
    *energy = qq * (ir + k->cb * r + k->cc);
    return qq * (ir - k->cb * r);
}

/* CHARMM's switch of an energy e: 1 up to `on`, then to 0 at the cutoff with slope 0. de = (de/dr) / r in and out. far:
 * r > on. */
TW_FN void tw_cut_switch(const struct tw_cut_constants *k, R r2, R far, R *e, R *de)
{
    const R left = k->rc2 - r2, sw = left * left * (left + 3 * (r2 - k->on2)) * k->iswitch,
            dsw = 12 * left * (k->on2 - r2) * k->iswitch;
    const R value = 1 + far * (sw - 1), slope = far * dsw;
    *de = *de * value + *e * slope;
    *e = *e * value;
}

/* ACE: what atom k takes from the solvent around atom i, without tau q^2 (Schaefer and Karplus 1996). */
TW_FN void tw_cut_brace(const struct tw_cut_constants *k, R iomega, R isigma2, R mu4, R volume, R r2, R irr, R far,
                        R *e, R *de)
{
    const R g = iomega * TW_EXP(-r2 * isigma2), r4 = r2 * r2, id = 1 / (r4 + mu4), u = r2 * r4 * id * id,
            h = volume * u * u;
    *e = g + h;
    *de = -2 * isigma2 * g + h * (12 * irr - 16 * r2 * id);
    tw_cut_switch(k, r2, far, e, de);
}

/* Generalized Born with the Coulomb term; qq without the constant. db: dE / d(Born radius of i). Returns fr. */
TW_FN R tw_cut_born_pair(const struct tw_cut_constants *k, R r2, R ir, R far, R qq, R bi, R bj, R *energy, R *db)
{
    const R bb = bi * bj, x = r2 / (4 * bb), ex = TW_EXP(-x), fi = TW_ROOT(r2 + bb * ex),
            f3 = k->ktau * qq * fi * fi * fi;
    R e = qq * (k->kin * ir - k->ktau * fi), de = f3 * (1 - ex / 4) - k->kin * qq * ir * ir * ir;
    R half = f3 / 2 * bj * ex * (1 + x), nothing = 0 * r2;
    tw_cut_switch(k, r2, far, &e, &de);
    tw_cut_switch(k, r2, far, &half, &nothing);
    *energy = e;
    *db = half;
    return -de;
}
