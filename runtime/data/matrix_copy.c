/* Matrices and column-major arrays: copies both ways. */
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/grid.h"
#include "runtime/data/staging.h"

int tw_open_tile(struct tw_data *d, char mode, struct tw_opened *o)
{
    starpu_data_handle_t h = tw_data_used(d);

    *o = (struct tw_opened){d->host, (size_t)d->ld, NULL};
    if (!h && d->home == STARPU_MAIN_RAM) return 0;
    if (!h) h = tw_data_handle(d);
    if (!h || starpu_data_acquire_on_node(h, STARPU_MAIN_RAM, mode == 'r' ? STARPU_R : STARPU_RW) != 0)
        return tw_fail(TW_E_STARPU, "a tile could not be acquired (called from inside a task?)");
    *o = (struct tw_opened){(char *)starpu_matrix_get_local_ptr(h), starpu_matrix_get_local_ld(h), h};
    return 0;
}

void tw_close_tile(const struct tw_opened *o)
{
    if (o->acquired) starpu_data_release_on_node(o->acquired, STARPU_MAIN_RAM);
}

static int copy_tiles(struct tw_matrix *A, char *a, tw_int lda, int to_array)
{
    const size_t s = tw_sizeof(A->type);
    struct tw_opened o;
    int e;

    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        struct tw_data *d = &A->objects[k];
        const tw_int i0 = d->coord[0] * A->mb, j0 = d->coord[1] * A->nb;
        if ((e = tw_open_tile(d, to_array ? 'r' : 'w', &o))) return e;
        for (int c = 0; c < d->n; c++) {
            tw_int first, last;
            tw_triangle_part(A->uplo, j0 + c, i0, d->m, &first, &last);
            char *in_tile = o.at + ((size_t)c * o.ld + (size_t)first) * s;
            char *in_array = a + ((size_t)(j0 + c) * (size_t)lda + (size_t)(i0 + first)) * s;
            if (last > first)
                memcpy(to_array ? in_array : in_tile, to_array ? in_tile : in_array, (size_t)(last - first) * s);
        }
        tw_close_tile(&o);
    }
    return 0;
}

static void copy_array(const struct tw_matrix *A, const char *from, tw_int ld_from, char *to, tw_int ld_to)
{
    size_t s = tw_sizeof(A->type);

    for (tw_int c = 0; c < A->n && from != to; c++) {
        tw_int first, last;
        tw_triangle_part(A->uplo, c, 0, A->m, &first, &last);
        if (last > first)
            memcpy(to + (size_t)(c * ld_to + first) * s, from + (size_t)(c * ld_from + first) * s,
                   (size_t)(last - first) * s);
    }
}

/* A staged matrix: its own array holds the content, before the tiles are loaded and after they came home. */
static int copy_staged(struct tw_matrix *A, char *a, tw_int lda, int to_array)
{
    size_t count = tw_count_tiles(A);

    if (to_array) {
        int e = tw_staging_settle(A->staging, A->objects, count);
        if (!e) copy_array(A, A->base, A->lda, a, lda);
        return e;
    }
    tw_staging_forget(A->objects, count);
    copy_array(A, a, lda, A->base, A->lda);
    return tw_staging_renew(A->objects, count);
}

static int copy(const char *routine, struct tw_matrix *A, void *a, tw_int lda, int to_array)
{
    int e;
    tw_clear_message();
    if (!A) return tw_illegal(routine, 1, "NULL");
    if (A->band) return tw_illegal(routine, 1, "a band matrix: use tw_matrix_set_band, tw_matrix_to_band");
    if (!a && A->m > 0 && A->n > 0) return tw_illegal(routine, 2, "NULL array");
    if (lda < tw_max(1, A->m)) return tw_illegal(routine, 3, "leading dimension below max(1, m)");
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (A->gone) return tw_matrix_gone(routine);
    tw_living_wait(&A->life);
    tw_enter();
    if (to_array && !A->staging) (void)tw_release_to_host(A);
    e = A->staging ? copy_staged(A, a, lda, to_array) : copy_tiles(A, a, lda, to_array);
    tw_leave();
    return e;
}

int tw_matrix_to_lapack(tw_matrix *A, void *a, tw_int lda)
{
    return copy("tw_matrix_to_lapack", A, a, lda, 1);
}
int tw_matrix_set_lapack(tw_matrix *A, const void *a, tw_int lda)
{
    return copy("tw_matrix_set_lapack", A, (void *)a, lda, 0);
}
