/* Data objects other than a matrix' tiles: small vectors (infos, norms), recycled; temporaries; batches; workspaces;
 * tokens. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/base/state.h"
#include "runtime/data/data_private.h"
#include "runtime/data/grid.h"
#include "runtime/data/tile_memory.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/staging.h"

const struct tw_data_kind tw_kind_tile = {.name = "tile", .form = TW_FORM_MATRIX},
                          tw_kind_vector = {.name = "vector", .form = TW_FORM_VECTOR},
                          tw_kind_batch = {.name = "batch", .form = TW_FORM_BLOCK},
                          tw_kind_scratch = {.name = "scratch", .form = TW_FORM_VECTOR},
                          tw_kind_token = {.name = "token", .form = TW_FORM_NOTHING};

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static starpu_pthread_mutex_t making = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_data *free_vectors, *free_tokens;
static struct tw_data *scratches;
static int freeing; /* vectors on their way back to the free list */
static starpu_pthread_cond_t all_freed = STARPU_PTHREAD_COND_INITIALIZER;

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static starpu_data_handle_t register_at(const struct tw_data *d, const struct tw_layout *l)
{
    const uintptr_t at = d->home >= 0 ? (uintptr_t)d->host : 0;
    const uint32_t m = (uint32_t)l->m, n = (uint32_t)l->n, ld = d->home >= 0 ? (uint32_t)l->ld : m;
    const size_t own = (size_t)l->m * (size_t)l->n * d->elemsize;
    starpu_data_handle_t h = NULL;

    switch (d->kind->form) {
    case TW_FORM_MATRIX: /* with its size: StarPU would compute it in 32 bits */
        tw_tile_register(&h, d->home, at, ld, m, n, d->elemsize, d->room > own ? d->room : own);
        break;
    case TW_FORM_VECTOR: starpu_vector_data_register(&h, d->home, at, m, d->elemsize); break;
    case TW_FORM_BLOCK:
        starpu_block_data_register(&h, d->home, at, ld, d->home >= 0 ? (uint32_t)l->stride : m * n, m, n,
                                   (uint32_t)l->count, d->elemsize);
        break;
    case TW_FORM_NOTHING: starpu_void_data_register(&h); break;
    }
    if (h && d->coord[0] >= 0) starpu_data_set_coordinates(h, 2, d->coord[0], d->coord[1]);
    return h;
}

struct _starpu_data_state *tw_data_make_handle(struct tw_data *d)
{
    struct tw_layout l = {d->m, d->n, d->ld, d->count, d->stride};
    starpu_data_handle_t h;

    if (d->home == TW_HOME_GONE) return NULL;
    starpu_pthread_mutex_lock(&making);
    if (!(h = d->handle)) {
        if (d->kind->layout) d->kind->layout(d, &l);
        h = register_at(d, &l);
        __atomic_store_n(&d->handle, h, __ATOMIC_RELEASE);
    }
    starpu_pthread_mutex_unlock(&making);
    return h;
}

double tw_data_bytes(const struct tw_data *d)
{
    return d->kind->bytes ? d->kind->bytes(d) : (double)d->m * d->n * d->count * (double)d->elemsize;
}

/* What has no handle was not used: there is nothing to wait for. */
static void unregister(struct tw_data *d)
{
    if (d->handle) starpu_data_unregister(d->handle);
    if (d->kind == &tw_kind_vector) tw_pool_free(d->host, (size_t)d->m * d->elemsize);
    free(d);
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static struct tw_data *find_free(size_t length, size_t elemsize)
{
    struct tw_data *hit = NULL;
    starpu_pthread_mutex_lock(&lock);
    for (struct tw_data **d = &free_vectors; *d; d = &(*d)->next)
        if ((size_t)(*d)->m == length && (*d)->elemsize == elemsize) {
            hit = *d;
            *d = hit->next;
            break;
        }
    starpu_pthread_mutex_unlock(&lock);
    return hit;
}

struct tw_data *tw_data_vector(size_t length, size_t elemsize, const int coord[2])
{
    struct tw_data *d = find_free(length, elemsize);

    if (!d) {
        if (length > INT32_MAX || !(d = calloc(1, sizeof *d))) return NULL;
        *d = (struct tw_data){.kind = &tw_kind_vector, .m = (int)length, .n = 1, .count = 1, .elemsize = elemsize};
        if (!(d->host = tw_pool_alloc(length * elemsize))) {
            free(d);
            return NULL;
        }
        memset(d->host, 0, length * elemsize);
    }
    d->type = TW_DOUBLE;
    d->owner = 0;
    memcpy(d->coord, (int[4]){coord[0], coord[1], -1, -1}, sizeof d->coord);
    d->next = NULL;
    return d;
}

struct tw_data *tw_data_vector_of(enum tw_type type, size_t length, const int coord[2])
{
    struct tw_data *d = tw_data_vector(length, tw_sizeof(type), coord);
    if (d) d->type = type;
    return d;
}

/* ---- temporaries ------------------------------------------------------------------------------------------------- */

static struct tw_data *temporary(const struct tw_data *like)
{
    struct tw_data *d = malloc(sizeof *d);

    if (!d) return NULL;
    *d = *like;
    d->elemsize = tw_sizeof(like->type);
    d->home = -1;
    memset(d->coord, -1, sizeof d->coord);
    return d;
}

struct tw_data *tw_data_tile(enum tw_type type, int m, int n)
{
    return temporary(&(struct tw_data){.kind = &tw_kind_tile, .type = type, .m = m, .n = n, .count = 1, .ld = m});
}

struct tw_data *tw_data_of(const struct tw_data_kind *kind, enum tw_type type, int m, int n, const int shape[4])
{
    struct tw_data *d = temporary(&(struct tw_data){.kind = kind, .type = type, .m = m, .n = n, .count = 1, .ld = m});
    if (d) memcpy(d->shape, shape, sizeof d->shape);
    return d;
}

struct tw_data *tw_data_over(const struct tw_data_kind *kind, enum tw_type type, void *ptr, int m, int n, int ld,
                             const int shape[4], int i, int j)
{
    struct tw_data *d = malloc(sizeof *d);

    if (!d) return NULL;
    *d = (struct tw_data){.kind = kind,
                          .type = type,
                          .coord = {i, j, -1, -1},
                          .m = m,
                          .n = n,
                          .count = 1,
                          .ld = ld,
                          .elemsize = tw_sizeof(type),
                          .host = ptr};
    memcpy(d->shape, shape, sizeof d->shape);
    return d;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

/* StarPU keeps a block's strides in 32 bits, and its size, too. */
static int batch_fits(enum tw_type type, tw_int m, tw_int n, tw_int ld, tw_int stride, tw_int count)
{
    return m >= 0 && n >= 0 && count >= 0 && ld <= INT32_MAX && stride <= INT32_MAX && count <= INT32_MAX && m <= ld &&
           (double)ld * (double)n <= (double)stride + (double)(ld - m) &&
           (double)m * (double)n * (double)count * (double)tw_sizeof(type) <= (double)UINT32_MAX;
}

struct tw_data *tw_data_batch(enum tw_type type, tw_int m, tw_int n, tw_int count)
{
    if (!batch_fits(type, m, n, m, m * n, count)) return NULL;
    return temporary(&(struct tw_data){.kind = &tw_kind_batch,
                                       .type = type,
                                       .m = (int)m,
                                       .n = (int)n,
                                       .count = (int)count,
                                       .ld = (int)m,
                                       .stride = (size_t)(m * n)});
}

struct tw_data *tw_data_batch_over(void *ptr, enum tw_type type, tw_int m, tw_int n, tw_int ld, tw_int stride,
                                   tw_int count, int chunk)
{
    struct tw_data *d;

    if (!batch_fits(type, m, n, ld, stride, count) || !(d = malloc(sizeof *d))) return NULL;
    *d = (struct tw_data){.kind = &tw_kind_batch,
                          .type = type,
                          .coord = {chunk, -1, -1, -1},
                          .m = (int)m,
                          .n = (int)n,
                          .count = (int)count,
                          .ld = (int)ld,
                          .stride = (size_t)stride,
                          .elemsize = tw_sizeof(type),
                          .host = ptr};
    return d;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

struct tw_data *tw_data_token(void)
{
    struct tw_data *d;

    starpu_pthread_mutex_lock(&lock);
    d = free_tokens;
    if (d) free_tokens = d->next;
    starpu_pthread_mutex_unlock(&lock);
    if (d || !(d = malloc(sizeof *d))) return d;
    *d = (struct tw_data){.kind = &tw_kind_token, .coord = {-1, -1, -1, -1}, .home = -1};
    return d;
}

/* ---- giving back ------------------------------------------------------------------------------------------------- */

void tw_vector_pointer_zero(struct tw_data *d)
{
    memset(d->host, 0, (size_t)d->m * d->elemsize);
}

void tw_data_recycle(struct tw_data *d)
{
    tw_times_freed(d);
    if (tw_data_used(d)) tw_edges_freed(tw_data_used(d));
    starpu_pthread_mutex_lock(&lock);
    d->next = free_vectors;
    free_vectors = d;
    starpu_pthread_mutex_unlock(&lock);
}

static void count_freeing(int change)
{
    starpu_pthread_mutex_lock(&lock);
    freeing += change;
    if (freeing == 0) starpu_pthread_cond_broadcast(&all_freed);
    starpu_pthread_mutex_unlock(&lock);
}

static void freed(void *arg)
{
    struct tw_data *d = arg;
    tw_vector_pointer_zero(d);
    starpu_data_release(d->handle);
    tw_data_recycle(d);
    count_freeing(-1);
}

static void free_vector(struct tw_data *d)
{
    if (!tw_data_used(d)) { /* the owner may have written it */
        tw_vector_pointer_zero(d);
        tw_data_recycle(d);
        return;
    }
    count_freeing(1);
    /* W: what a GPU holds need not come home. If StarPU refuses, the vector is lost: 4 KiB, and nothing else to be done
     * here. */
    if (starpu_data_acquire_cb(d->handle, STARPU_W, freed, d) != 0) {
        count_freeing(-1);
        tw_log(TW_LOG_ERROR, "starpu_data_acquire_cb refused to free a vector");
    }
}

void tw_data_free_later(struct tw_data *d)
{
    if (!d) return;
    if (d->held_back > 0) {
        d->doomed = 1;
        return;
    }
    if (d->kind == &tw_kind_vector) {
        free_vector(d);
    } else if (d->kind == &tw_kind_token) { /* the next user's tasks follow those that still use it */
        starpu_pthread_mutex_lock(&lock);
        d->next = free_tokens;
        free_tokens = d;
        starpu_pthread_mutex_unlock(&lock);
    } else {
        tw_data_drop(d);
        free(d);
    }
}

void tw_data_held(struct tw_data *d, int change)
{
    struct tw_matrix *A = d->grid;

    if (__atomic_add_fetch(&d->held_back, change, __ATOMIC_RELAXED) > 0 || !d->doomed) return;
    d->doomed = 0;
    if (!A) {
        tw_data_free_later(d);
        return;
    }
    tw_data_drop(d);
    if (--A->doomed == 0) tw_grid_free(A);
}

void tw_data_drop(struct tw_data *d)
{
    if (tw_data_used(d)) {
        tw_edges_freed(tw_data_used(d));
        starpu_data_unregister_submit(tw_data_used(d)); /* the tasks that use it are submitted */
    }
    tw_times_freed(d);
}

void *tw_data_acquire(struct tw_data *d, char mode)
{
    starpu_data_handle_t h = tw_data_handle(d);
    int e = 1;

    tw_enter(); /* content that lies on a GPU comes by its workers, which would not do it asleep */
    if (h) e = starpu_data_acquire(h, mode == 'r' ? STARPU_R : STARPU_RW);
    tw_leave();
    return e ? NULL : d->host;
}
void tw_data_release(struct tw_data *d)
{
    starpu_data_release(tw_data_used(d));
}

/* ---- workspaces -------------------------------------------------------------------------------------------------- */

struct tw_data *tw_scratch(size_t bytes)
{
    struct tw_data *d;

    if (bytes == 0) bytes = 1;
    starpu_pthread_mutex_lock(&lock);
    for (d = scratches; d; d = d->next)
        if ((size_t)d->m * d->elemsize >= bytes && (size_t)d->m * d->elemsize < bytes + 256) break;
    if (!d && (d = malloc(sizeof *d))) { /* counted in 256-byte units, so that 32-bit lengths reach 1 TiB */
        *d = (struct tw_data){.kind = &tw_kind_scratch,
                              .coord = {-1, -1, -1, -1},
                              .m = (int)((bytes + 255) / 256),
                              .n = 1,
                              .count = 1,
                              .elemsize = 256,
                              .home = -1,
                              .next = scratches};
        scratches = d;
    }
    starpu_pthread_mutex_unlock(&lock);
    return d;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static int unregister_list(struct tw_data **list)
{
    int n = 0;

    while (*list) {
        struct tw_data *d = *list;
        *list = d->next;
        unregister(d);
        n++;
    }
    return n;
}

static void wait_until_freed(void)
{
    starpu_pthread_mutex_lock(&lock);
    while (freeing > 0)
        starpu_pthread_cond_wait(&all_freed, &lock);
    starpu_pthread_mutex_unlock(&lock);
}

/* Every task has finished. */
int tw_data_trim(void)
{
    wait_until_freed();
    if (tw_living_count() == 0) tw_staging_stop(); /* staged matrices need its slots */
    (void)unregister_list(&free_vectors);
    (void)unregister_list(&free_tokens);
    return unregister_list(&scratches);
}
void tw_data_clear(void)
{
    wait_until_freed();
    tw_staging_stop();
    tw_hold_clear();
    (void)tw_data_trim();
}
