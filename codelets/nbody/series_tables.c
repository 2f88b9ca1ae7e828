/* What the kernels of the multipole method need before their tasks: a lattice's sums, the plane's tables, Yukawa's
 * translations. */
#include "codelets/nbody/series.h"
#include "kernels/nbody/cpu/lattice.h"
#include "kernels/nbody/cpu/plane.h"
#include "kernels/nbody/cpu/yukawa.h"

const struct tw_lattice *tw_series_lattice(int order)
{
    static struct tw_lattice *all[TW_SERIES_LATTICE_MOST + 1];
    struct tw_lattice *kept = __atomic_load_n(&all[order], __ATOMIC_ACQUIRE), *made;

    if (kept || !(made = tw_lattice_make(order))) return kept;
    if (__atomic_compare_exchange_n(&all[order], &kept, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    tw_lattice_free(made); /* another thread was faster */
    return kept;
}

double tw_series_lattice_self(void)
{
    return (double)(tw_lattice_self() - tw_lattice_neighbours());
}

struct tw_plane *tw_series_plane_make(int order)
{
    return tw_plane_make(order);
}

void tw_series_plane_free(struct tw_plane *kernel)
{
    tw_plane_free(kernel);
}

int tw_series_yukawa_order(int p, double kappa, int most)
{
    return tw_yukawa_order(p, kappa, most);
}

int tw_series_yukawa_level(struct tw_series_yukawa *kernel, int level)
{
    struct tw_yukawa_level *y = &kernel->level[level];
    return tw_yukawa_level_make(y, kernel->tables, y->kappa);
}

void tw_series_yukawa_free(struct tw_series_yukawa *kernel)
{
    for (int level = 0; level <= TW_FMM_DEPTH && kernel->tables; level++)
        tw_yukawa_level_free(&kernel->level[level], kernel->tables);
    tw_fmm_tables_put(kernel->tables);
    kernel->tables = NULL;
}
