/* Arrays of LAPACKE's two layouts. */
#include <lapacke.h>
#include <stdlib.h>
#include "tt.h"

size_t tt_layout_at(int layout, int i, int j, int ld)
{
    return layout == LAPACK_COL_MAJOR ? (size_t)i + (size_t)j * (size_t)ld : (size_t)j + (size_t)i * (size_t)ld;
}

void *tt_layout_random(enum tw_type t, int layout, int m, int n, int ld, uint64_t seed)
{
    const int lines = layout == LAPACK_COL_MAJOR ? n : m;
    void *plain = tt_array(t, m, n), *a = tt_array(t, ld, lines);
    tt_random(t, 'G', m, n, plain, m > 0 ? m : 1, seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, tt_layout_at(layout, i, j, ld), tt_get(t, plain, (size_t)i + (size_t)j * (size_t)m));
    free(plain);
    return a;
}
