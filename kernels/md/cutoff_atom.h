/* What happens to one atom once its neighbours' sums are there: the same code on CPUs and GPUs. Before including: T,
 * TW_FN, TW_PART(c, g). */

/* Sum number `which` of an atom's place over the items of its cluster, in their order. */
TW_FN T tw_cut_total(const struct tw_cut *c, int slot, int which)
{
    const int cluster = slot / TW_CUT_LANES, lane = slot % TW_CUT_LANES, clusters = c->head->clusters;
    int g = 0, from = 0, to = clusters;
    T sum = 0;

    for (; c->s.groups > 1 && g < c->s.groups; g++) {
        from = (int)((int64_t)clusters * g / c->s.groups); /* tw_cut_range */
        to = (int)((int64_t)clusters * (g + 1) / c->s.groups);
        if (cluster < to) break;
    }
    const struct tw_cut_part *p = TW_PART(c, g);
    for (int k = p->first[cluster - from]; k >= 0; k = p->item[k].next)
        sum += ((const T *)p->sum)[((size_t)k * TW_CUT_SUMS + (size_t)which) * TW_CUT_LANES + (size_t)lane];
    return sum;
}

/* The Born radius of an atom from its sum S, and d(radius) / dS. kind: radius, 1 / radius + 2 w, of its kind. */
TW_FN void tw_cut_radius(const struct tw_cut *c, int slot)
{
    const T *kind = (const T *)c->kind + 3 * (size_t)c->types[slot], largest = (T)c->s.largest;
    const T S = tw_cut_total(c, slot, 5), inverse = kind[1] - 2 * S;
    T *born = (T *)c->born + 2 * (size_t)slot;

    if (inverse * largest < 1) { /* deep inside: no longer 1 / inverse, which may be negative */
        born[0] = largest * (2 - largest * inverse);
        born[1] = 2 * largest * largest;
    } else {
        born[0] = 1 / inverse;
        born[1] = 2 / (inverse * inverse);
    }
}

/* dE / dS of an atom: its self energy's part and, through its radius, that of its pairs; replaces the radius'
 * derivative. */
TW_FN void tw_cut_gain(const struct tw_cut *c, int slot)
{
    T *born = (T *)c->born + 2 * (size_t)slot;
    const T q = ((const T *)c->sorted)[4 * (size_t)slot + 3];
    born[1] = tw_cut_total(c, slot, 5) * born[1] + (T)(c->s.elec * c->s.tau) * q * q;
}

/* Harmonic links k (r - length)^2 / 2, each seen from both ends: half its energy at each. */
TW_FN T tw_cut_links(const struct tw_cut *c, int i, T f[3])
{
    const T *x = (const T *)c->sorted + 4 * (size_t)c->slot[i];
    T energy = 0;

    for (int l = c->link_first[i]; l < c->link_first[i + 1]; l++) {
        const T stiff = ((const T *)c->link_k)[l];
        const T *y = (const T *)c->sorted + 4 * (size_t)c->slot[c->link_to[l]];
        T d[3], r2 = 0;
        if (!(stiff > 0)) continue;
        for (int k = 0; k < 3; k++) {
            const T length = (T)c->s.box[k];
            d[k] = x[k] - y[k];
            if (length > 0) d[k] -= length * (T)floor((double)(d[k] / length) + 0.5);
            r2 += d[k] * d[k];
        }
        const T r = (T)sqrt((double)r2), stretch = r - ((const T *)c->link_r)[l];
        for (int k = 0; k < 3 && r > 0; k++)
            f[k] -= stiff * stretch / r * d[k];
        energy += stiff * stretch * stretch / 4;
    }
    return energy;
}

/* Force on an atom and its energies: half of its pairs', its own, half of its links'. once: the force of pairs that
 * only others' lists have, or NULL. The first two energies only if they are asked for. */
TW_FN void tw_cut_felt(const struct tw_cut *c, int i, int slot, const T *once, T f[3], T e[3])
{
    for (int k = 0; k < 3; k++)
        f[k] = tw_cut_total(c, slot, k) + (once ? once[k] : 0);
    e[2] = tw_cut_links(c, i, f);
    if (!c->control->energy) return;
    const T share = once ? 1 : (T)0.5;
    e[0] = share * tw_cut_total(c, slot, 3);
    e[1] = share * tw_cut_total(c, slot, 4);
    if (c->s.born) {
        /* tau q^2 S, with S from the radius: the sums hold something else by now. */
        const T *kind = (const T *)c->kind + 3 * (size_t)c->types[slot], b = ((const T *)c->born)[2 * (size_t)slot],
                largest = (T)c->s.largest, inverse = b > largest ? (2 - b / largest) / largest : 1 / b,
                q = ((const T *)c->charge)[i];
        e[1] += (T)c->s.elec * q * q * (kind[2] + (T)c->s.tau * (kind[1] - inverse) / 2);
    }
}

TW_FN void tw_cut_collect_atom(const struct tw_cut *c, int i, int slot, const T *once)
{
    T f[3], *e = (T *)c->e + 3 * (size_t)i;

    tw_cut_felt(c, i, slot, once, f, e);
    for (int k = 0; k < 3; k++)
        ((T *)c->f)[3 * (size_t)i + k] = f[k];
}

/* Verlet: an atom's kinetic energy and momentum along axis k. Within a run the velocity is half a step behind. */
TW_FN void tw_cut_measure_motion(const struct tw_cut *c, int k, T v, T light, T f, double *total)
{
    const double now = (double)v + (c->control->step > 0 ? 0.5 * c->s.dt * (double)light * (double)f : 0);
    total[TW_TOTAL_KINETIC] += light > 0 ? 0.5 * now * now / (double)light : 0;
    total[TW_TOTAL_MOMENTUM + k] += light > 0 ? now / (double)light : 0;
}

/* An atom's part of the totals. */
TW_FN void tw_cut_measure_atom(const struct tw_cut *c, int i, double *total)
{
    const size_t n3 = 3 * (size_t)c->s.n;
    const T *e = (const T *)c->e + 3 * (size_t)i;
    const int m = c->s.history;
    double force2 = 0;

    total[TW_TOTAL_VDW] += (double)e[0];
    total[TW_TOTAL_ELEC] += (double)e[1];
    total[TW_TOTAL_LINK] += (double)e[2];
    for (int k = 0; k < 3; k++) {
        const size_t at = 3 * (size_t)i + k;
        const T f = ((const T *)c->f)[at];
        force2 += (double)f * (double)f;
        if (c->s.mode == TW_CUT_VERLET) {
            tw_cut_measure_motion(c, k, ((const T *)c->v)[at], ((const T *)c->lightness)[i], f, total);
        } else if (c->s.mode != TW_CUT_ENERGY) {
            const double g = -(double)f, d = (double)((const T *)c->d)[at], y = (double)((const T *)c->fp)[at] + g;
            total[TW_TOTAL_GD] += g * d;
            total[TW_TOTAL_GG] += g * g;
            total[TW_TOTAL_DD] += d * d;
            total[TW_TOTAL_YY] += y * y;
            total[TW_TOTAL_DY] += d * y;
            total[TW_TOTAL_GY] += g * y;
            for (int b = 0; b < 2 * m; b++) {
                const double w = (double)((const T *)c->history)[(size_t)b * n3 + at];
                total[TW_TOTAL_BASIS + 3 * b] += d * w;
                total[TW_TOTAL_BASIS + 3 * b + 1] += y * w;
                total[TW_TOTAL_BASIS + 3 * b + 2] += g * w;
            }
        }
    }
    total[TW_TOTAL_FORCE] = tw_cut_larger(total[TW_TOTAL_FORCE], force2);
}

/* Minimisers, after a good trial: remember the pair, the new direction. Its squared length. */
TW_FN double tw_cut_direct_atom(const struct tw_cut *c, int i)
{
    const struct tw_cut_control *control = c->control;
    const size_t n3 = 3 * (size_t)c->s.n;
    const int m = c->s.history;
    double reach = 0;

    for (int k = 0; k < 3; k++) {
        const size_t at = 3 * (size_t)i + k;
        const T f = ((const T *)c->f)[at];
        T *d = (T *)c->d + at, *fp = (T *)c->fp + at, *h = (T *)c->history + at;
        double sum = -control->coefficient[2 * m] * (double)f; /* the gradient is -f */
        if (control->store >= 0) {
            h[(size_t)control->store * n3] = (T)(control->before * (double)*d);
            h[(size_t)(m + control->store) * n3] = (T)((double)*fp - (double)f);
        }
        for (int b = 0; b < 2 * m && control->pairs > 0; b++)
            sum += control->coefficient[b] * (double)h[(size_t)b * n3];
        *d = (T)sum;
        *fp = f;
        reach += sum * sum;
    }
    return reach;
}

/* Verlet, one axis. kick: the force completes the step before; last: no further step. The way it goes. */
TW_FN T tw_cut_kick(const struct tw_cut *c, int kick, int last, T light, T f, T *v)
{
    const T a = (T)(0.5 * c->s.dt) * light * f;
    if (kick) *v += a;
    if (last) return 0;
    *v += a;
    return (T)c->s.dt * *v;
}

/* Move an atom; its sorted copy follows. Squared way since the lists were built, and in this move. */
TW_FN void tw_cut_move_atom(const struct tw_cut *c, int i, double walk, double *moved, double *hop)
{
    const struct tw_cut_control *control = c->control;
    T *x = (T *)c->x + 3 * (size_t)i, *sorted = (T *)c->sorted + 4 * (size_t)c->slot[i];
    const T *ref = (const T *)c->ref + 3 * (size_t)i, *f = (const T *)c->f + 3 * (size_t)i;

    *moved = *hop = 0;
    for (int k = 0; k < 3; k++) {
        T step;
        if (c->s.mode == TW_CUT_VERLET) {
            step = tw_cut_kick(c, control->kick, control->last, ((const T *)c->lightness)[i], f[k],
                               (T *)c->v + 3 * (size_t)i + k);
            if (control->last) continue;
        } else {
            step = (T)walk * ((const T *)c->d)[3 * (size_t)i + k];
        }
        x[k] += step;
        sorted[k] = x[k];
        *hop += (double)step * (double)step;
        const double way = (double)x[k] - (double)ref[k];
        *moved += way * way;
    }
}
/* How far along the direction the move goes, from where the atoms are now. */
TW_FN double tw_cut_way(const struct tw_cut *c)
{
    const struct tw_cut_control *control = c->control;
    if (c->s.mode < TW_CUT_DESCENT) return 0;
    if (control->accept) return control->last ? 0 : tw_cut_walk(&c->s, control);
    return tw_cut_walk(&c->s, control) - control->before;
}
