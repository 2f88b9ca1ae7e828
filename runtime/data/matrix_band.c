/* Band matrices: of a grid of tiles only those that hold a diagonal of the band, and copies from and to LAPACK's band
 * arrays. */
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/data/grid.h"

int tw_matrix_create_band(tw_matrix **out, enum tw_type type, tw_int m, tw_int n, tw_int kl, tw_int ku, tw_int nb)
{
    static const char routine[] = "tw_matrix_create_band";
    struct tw_shape s = {type, TW_GENERAL, m, n, nb, nb, 1, kl, ku};

    if (!out) return tw_illegal(routine, 1, "NULL");
    *out = NULL;
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if (m < 0) return tw_illegal(routine, 3, "negative number of rows");
    if (n < 0) return tw_illegal(routine, 4, "negative number of columns");
    if (kl < 0 || kl > INT32_MAX) return tw_illegal(routine, 5, "number of diagonals outside 0 to 2^31 - 1");
    if (ku < 0 || ku > INT32_MAX) return tw_illegal(routine, 6, "number of diagonals outside 0 to 2^31 - 1");
    if (nb < 0 || nb > 1 << 20) return tw_illegal(routine, 7, "tile order outside 0 to 1048576");
    if (nb == 0) s.mb = s.nb = tw_max(16, tw_min(256, tw_max(kl, ku))); /* tiles about as wide as the band are full */
    return tw_grid_create(routine, out, &s, 7, NULL);
}

/* Rows of column c that the band has: [first, last). */
static void band_rows(const struct tw_matrix *A, tw_int c, tw_int *first, tw_int *last)
{
    *first = tw_max(0, c - A->ku);
    *last = tw_max(*first, tw_min(A->m, c + A->kl + 1));
}

/* Column c of a tile: what is in the band travels, and what is not becomes 0. */
static void copy_column(const struct tw_matrix *A, const struct tw_data *d, int c, char *tile, char *ab, tw_int ldab,
                        int to_array)
{
    const size_t s = d->elemsize;
    const tw_int i0 = d->coord[0] * A->mb, j = d->coord[1] * A->nb + c;
    tw_int first, last;

    band_rows(A, j, &first, &last);
    first = tw_min(tw_max(first - i0, 0), d->m);
    last = tw_min(tw_max(last - i0, first), d->m);
    if (!to_array) {
        memset(tile, 0, (size_t)first * s);
        memset(tile + (size_t)last * s, 0, (size_t)(d->m - last) * s);
    }
    if (last <= first) return;
    tile += (size_t)first * s;
    ab += (size_t)(A->ku + i0 + first - j + j * ldab) * s;
    memcpy(to_array ? ab : tile, to_array ? tile : ab, (size_t)(last - first) * s);
}

static int copy(const char *routine, struct tw_matrix *A, void *ab, tw_int ldab, int to_array)
{
    struct tw_opened o;
    int e = 0;

    tw_clear_message();
    if (!A) return tw_illegal(routine, 1, "NULL");
    if (!A->band) return tw_illegal(routine, 1, "not a band matrix");
    if (!ab && A->m > 0 && A->n > 0) return tw_illegal(routine, 2, "NULL array");
    if (ldab < A->kl + A->ku + 1) return tw_illegal(routine, 3, "leading dimension below kl + ku + 1");
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (A->gone) return tw_matrix_gone(routine);
    tw_living_wait(&A->life);
    tw_enter();
    if (to_array) (void)tw_release_to_host(A);
    for (size_t k = 0, count = tw_count_tiles(A); k < count && !e; k++) {
        struct tw_data *d = &A->objects[k];
        if ((e = tw_open_tile(d, to_array ? 'r' : 'w', &o))) break;
        for (int c = 0; c < d->n; c++)
            copy_column(A, d, c, o.at + (size_t)c * o.ld * d->elemsize, ab, ldab, to_array);
        tw_close_tile(&o);
    }
    tw_leave();
    return e;
}

int tw_matrix_to_band(tw_matrix *A, void *ab, tw_int ldab)
{
    return copy("tw_matrix_to_band", A, ab, ldab, 1);
}
int tw_matrix_set_band(tw_matrix *A, const void *ab, tw_int ldab)
{
    return copy("tw_matrix_set_band", A, (void *)ab, ldab, 0);
}
