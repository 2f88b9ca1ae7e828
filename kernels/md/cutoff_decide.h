/* What is decided between the stages, by one thread, from the control's numbers: the same code on CPUs and GPUs, in
 * double. Before including: TW_FN. */

TW_FN double tw_cut_number(uint64_t bits)
{
    union {
        uint64_t u;
        double d;
    } x;
    x.u = bits;
    return x.d;
}
TW_FN uint64_t tw_cut_bits(double x)
{
    union {
        uint64_t u;
        double d;
    } y;
    y.d = x;
    return y.u;
}

/* The larger of two; NaN if one is. */
TW_FN double tw_cut_larger(double a, double b)
{
    return a != a ? a : b <= a ? a : b;
}

/* Before each evaluation: are the lists still complete, and their pruned copies? An atom's way is bounded by the sum of
 * its hops. */
TW_FN void tw_cut_begin(const struct tw_cut_shape *s, struct tw_cut_control *c)
{
    const double moved = tw_cut_number(c->moved), hop = tw_cut_number(c->hop), skin = s->outer - s->cutoff,
                 inner = s->inner - s->cutoff;

    c->go = 0;
    c->prune = 0;
    if (c->state != TW_CUT_RUN) return;
    if (!(moved <= 1e300)) { /* NaN, too */
        c->state = TW_CUT_BROKEN;
        return;
    }
    if (4 * moved > skin * skin) {
        c->state = TW_CUT_STALE;
        return;
    }
    c->path += sqrt(hop);
    c->hop = 0;
    if (c->path < 0 || 2 * c->path > inner) { /* < 0: the lists are new */
        c->prune = 1;
        c->path = 0;
    }
    c->energy = s->mode != TW_CUT_VERLET || c->step == 0 || c->step == c->steps;
}

/* The part of the direction that is walked: no atom farther than `most`; steepest descent: the farthest exactly as far
 * as scale. */
TW_FN double tw_cut_walk(const struct tw_cut_shape *s, const struct tw_cut_control *c)
{
    const double reach = sqrt(tw_cut_number(c->reach));
    if (!(reach > 0)) return 0;
    if (c->pairs == 0) return c->t * c->scale / reach;
    return c->t * reach > s->most ? s->most / reach : c->t;
}

/* A pair s = t d, y into slot k of the history: the Gram matrix' rows from the totals. */
TW_FN void tw_cut_remember(const struct tw_cut_shape *s, struct tw_cut_control *c, int k, double t)
{
    const int m = s->history;
    const double *v = c->total;

    for (int b = 0; b < 2 * m; b++) {
        c->gram[k][b] = c->gram[b][k] = t * v[TW_TOTAL_BASIS + 3 * b];
        c->gram[m + k][b] = c->gram[b][m + k] = v[TW_TOTAL_BASIS + 3 * b + 1];
    }
    c->gram[k][k] = t * t * v[TW_TOTAL_DD];
    c->gram[m + k][m + k] = v[TW_TOTAL_YY];
    c->gram[k][m + k] = c->gram[m + k][k] = t * v[TW_TOTAL_DY];
}

/* Coefficients of the new direction in the basis s_0 …, y_0 …, g: L-BFGS' two loops on inner products only (Chen, Wang
 * and Zhou 2014). Returns its slope. */
TW_FN double tw_cut_two_loops(const struct tw_cut_shape *s, struct tw_cut_control *c)
{
    const int m = s->history, g = 2 * m;
    double *x = c->coefficient, alpha[TW_CUT_HISTORY], slope = 0;

    for (int b = 0; b <= g; b++)
        x[b] = b == g ? -1 : 0;
    for (int i = 0; i < c->pairs; i++) { /* newest first */
        const int k = (c->newest - i + m) % m;
        double sum = 0;
        for (int b = 0; b <= g; b++)
            sum += x[b] * c->gram[b][k];
        alpha[k] = sum / c->gram[k][m + k];
        x[m + k] -= alpha[k];
    }
    if (c->pairs > 0) {
        const double gamma = c->gram[c->newest][m + c->newest] / c->gram[m + c->newest][m + c->newest];
        for (int b = 0; b <= g; b++)
            x[b] *= gamma;
    }
    for (int i = c->pairs - 1; i >= 0; i--) {
        const int k = (c->newest - i + m) % m;
        double sum = 0;
        for (int b = 0; b <= g; b++)
            sum += x[b] * c->gram[b][m + k];
        x[k] += alpha[k] - sum / c->gram[k][m + k];
    }
    for (int b = 0; b <= g; b++)
        slope += x[b] * c->gram[b][g];
    return slope;
}

/* The trial was good: a new direction from here. */
TW_FN void tw_cut_accept(const struct tw_cut_shape *s, struct tw_cut_control *c, double energy)
{
    const double *v = c->total;
    const int m = s->history, g = 2 * m;

    c->store = -1;
    if (c->started) {
        const double t = c->before = tw_cut_walk(s, c), sy = t * v[TW_TOTAL_DY];
        if (m > 0 && sy > 1e-10 * t * sqrt(v[TW_TOTAL_DD] * v[TW_TOTAL_YY])) {
            c->store = c->pairs == 0 ? 0 : (c->newest + 1) % m;
            tw_cut_remember(s, c, c->store, t);
        }
        for (int b = 0; b < g; b++)
            c->gram[b][g] = c->gram[g][b] = v[TW_TOTAL_BASIS + 3 * b + 2];
        if (c->store >= 0) {
            c->gram[c->store][g] = c->gram[g][c->store] = t * v[TW_TOTAL_GD];
            c->gram[m + c->store][g] = c->gram[g][m + c->store] = v[TW_TOTAL_GY];
            c->newest = c->store;
            if (c->pairs < m) c->pairs++;
        }
        if (m == 0) c->scale = c->scale * 1.2 < s->most ? c->scale * 1.2 : s->most;
        c->step++;
    }
    c->started = 1;
    c->force = sqrt(v[TW_TOTAL_FORCE]);
    for (int k = 0; k <= TW_TOTAL_LINK; k++)
        c->kept[k] = v[k];
    c->gram[g][g] = v[TW_TOTAL_GG];
    c->energy0 = energy;
    c->slope = tw_cut_two_loops(s, c);
    if (!(c->slope < 0)) { /* no way down: forget, and go along the forces */
        c->pairs = 0;
        c->slope = tw_cut_two_loops(s, c);
    }
    c->t = 1;
    c->accept = 1;
    c->reach = 0;
}

/* Minimisers: accept the trial (Armijo's rule, with room for rounding) or take a shorter way along the same
 * direction. */
TW_FN void tw_cut_decide_trial(const struct tw_cut_shape *s, struct tw_cut_control *c)
{
    const double energy = c->total[TW_TOTAL_VDW] + c->total[TW_TOTAL_ELEC] + c->total[TW_TOTAL_LINK],
                 t = c->started ? tw_cut_walk(s, c) : 0, size = fabs(c->energy0) + fabs(energy),
                 wanted = c->energy0 + (c->slope < 0 ? 1e-4 * t * c->slope : 0) + s->noise * size;

    if (!c->started || energy <= wanted) {
        tw_cut_accept(s, c, energy);
        c->converged = c->total[TW_TOTAL_FORCE] <= s->tolerance * s->tolerance;
        c->last = c->converged || c->step >= c->steps || !(c->total[TW_TOTAL_FORCE] > 0);
        if (c->last) c->state = TW_CUT_DONE;
        return;
    }
    /* The minimum of the parabola through both energies and the slope, if it lies in a sensible place. */
    const double curved = energy - c->energy0 - t * c->slope, best = curved > 0 ? -0.5 * c->slope * t / curved : 0;
    const double shorter = best > 0.1 && best < 0.5 ? best : energy < 1e300 ? 0.3 : 0.1; /* NaN: 0.1 */
    c->accept = 0;
    c->before = t;
    if (c->pairs > 0)
        c->t = t * shorter;
    else
        c->scale *= shorter;
    if (!(tw_cut_walk(s, c) * sqrt(tw_cut_number(c->reach)) >
          1e-14 * s->cutoff)) { /* no shorter way makes a difference */
        c->t = 0;
        c->stalled = 1;
        c->last = 1;
        c->state = TW_CUT_DONE;
    }
}

/* After the totals: what the move shall do. wide: a reaction was out of range, so that these forces do not count. */
TW_FN void tw_cut_decide(const struct tw_cut_shape *s, struct tw_cut_control *c, int wide)
{
    c->go = 0;
    if (c->state != TW_CUT_RUN) return;
    if (wide) {
        c->state = TW_CUT_WIDE;
        return;
    }
    c->go = 1;
    c->evaluations++;
    if (s->mode == TW_CUT_ENERGY) {
        c->last = 1;
        c->state = TW_CUT_DONE;
    } else if (s->mode == TW_CUT_VERLET) {
        c->kick = c->step > 0;
        c->last = c->step >= c->steps;
        if (c->last)
            c->state = TW_CUT_DONE;
        else
            c->step++;
    } else {
        tw_cut_decide_trial(s, c);
    }
}
