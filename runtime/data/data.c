/* Data objects other than tiles: small vectors (infos, norms), recycled, and workspaces. */
#include <stdlib.h>
#include <string.h>

#include "runtime/internal.h"
#include "runtime/data/staging.h"

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_data *free_vectors, *free_signs;
static struct tw_data *scratches;
static int freeing; /* vectors on their way back to the free list */
static starpu_pthread_cond_t all_freed = STARPU_PTHREAD_COND_INITIALIZER;

static void unregister(struct tw_data *d)
{
    starpu_data_unregister(d->handle);
    if (d->host) tw_pool_free(d->host, (size_t)d->m * d->elemsize);
    free(d);
}

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
        if (!(d = calloc(1, sizeof *d))) return NULL;
        d->kind = TW_DATA_VECTOR;
        d->m = (int)length;
        d->n = 1;
        d->elemsize = elemsize;
        if (!(d->host = tw_pool_alloc(length * elemsize))) {
            free(d);
            return NULL;
        }
        memset(d->host, 0, length * elemsize);
        starpu_vector_data_register(&d->handle, STARPU_MAIN_RAM, (uintptr_t)d->host, (uint32_t)length, elemsize);
        if (!d->handle) {
            tw_pool_free(d->host, length * elemsize);
            free(d);
            return NULL;
        }
    }
    d->coord[0] = coord[0];
    d->coord[1] = coord[1];
    d->coord[2] = d->coord[3] = -1;
    d->next = NULL;
    return d;
}

struct tw_data *tw_data_tile(enum tw_type type, int m, int n)
{
    struct tw_data *d = calloc(1, sizeof *d);

    if (!d) return NULL;
    *d = (struct tw_data){
        .kind = TW_DATA_TILE, .type = type, .m = m, .n = n, .elemsize = tw_sizeof(type), .coord = {-1, -1, -1, -1}};
    /* with its size: StarPU would compute it in 32 bits */
    starpu_matrix_data_register_allocsize(&d->handle, -1, 0, (uint32_t)m, (uint32_t)m, (uint32_t)n, d->elemsize,
                                          (size_t)m * (size_t)n * d->elemsize);
    if (d->handle) return d;
    free(d);
    return NULL;
}

struct tw_data *tw_data_sign(void)
{
    struct tw_data *d;

    starpu_pthread_mutex_lock(&lock);
    d = free_signs;
    if (d) free_signs = d->next;
    starpu_pthread_mutex_unlock(&lock);
    if (d || !(d = calloc(1, sizeof *d))) return d;
    *d = (struct tw_data){.kind = TW_DATA_SIGN, .coord = {-1, -1, -1, -1}};
    starpu_void_data_register(&d->handle);
    if (d->handle) return d;
    free(d);
    return NULL;
}

void tw_vector_pointer_zero(struct tw_data *d)
{
    memset(d->host, 0, (size_t)d->m * d->elemsize);
}

void tw_data_recycle(struct tw_data *d)
{
    tw_times_freed(d);
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

void tw_data_free_later(struct tw_data *d)
{
    if (!d) return;
    if (d->kind == TW_DATA_SIGN) { /* the next user's tasks follow those that still use it */
        starpu_pthread_mutex_lock(&lock);
        d->next = free_signs;
        free_signs = d;
        starpu_pthread_mutex_unlock(&lock);
        return;
    }
    if (d->kind == TW_DATA_TILE) {
        starpu_data_unregister_submit(d->handle); /* the tasks that use it are submitted */
        tw_times_freed(d);
        free(d);
        return;
    }
    count_freeing(1);
    /* W: what a GPU holds need not come home. If StarPU refuses, the vector is lost: 4 KiB, and nothing else to be done here. */
    if (starpu_data_acquire_cb(d->handle, STARPU_W, freed, d) != 0) {
        count_freeing(-1);
        tw_log(TW_LOG_ERROR, "starpu_data_acquire_cb refused to free a vector");
    }
}

void *tw_data_acquire(struct tw_data *d, char mode)
{
    if (starpu_data_acquire(d->handle, mode == 'r' ? STARPU_R : STARPU_RW) != 0) return NULL;
    return d->host;
}
void tw_data_release(struct tw_data *d)
{
    starpu_data_release(d->handle);
}

struct tw_data *tw_scratch(size_t bytes)
{
    struct tw_data *d;

    if (bytes == 0) bytes = 1;
    starpu_pthread_mutex_lock(&lock);
    for (d = scratches; d; d = d->next)
        if ((size_t)d->m * d->elemsize >= bytes && (size_t)d->m * d->elemsize < bytes + 256) break;
    if (!d && (d = calloc(1, sizeof *d))) {
        d->kind = TW_DATA_SCRATCH;
        d->elemsize = 256; /* counted in 256-byte units, so that 32-bit lengths reach 1 TiB */
        d->m = (int)((bytes + 255) / 256);
        d->n = 1;
        starpu_vector_data_register(&d->handle, -1, 0, (uint32_t)d->m, d->elemsize);
        d->next = scratches;
        scratches = d;
    }
    starpu_pthread_mutex_unlock(&lock);
    return d;
}

/* At the end: every task has finished. */
void tw_data_clear(void)
{
    starpu_pthread_mutex_lock(&lock);
    while (freeing > 0)
        starpu_pthread_cond_wait(&all_freed, &lock);
    starpu_pthread_mutex_unlock(&lock);
    tw_stage_stop();
    tw_hold_clear();
    while (free_vectors) {
        struct tw_data *d = free_vectors;
        free_vectors = d->next;
        unregister(d);
    }
    while (free_signs) {
        struct tw_data *d = free_signs;
        free_signs = d->next;
        unregister(d);
    }
    while (scratches) {
        struct tw_data *d = scratches;
        scratches = d->next;
        unregister(d);
    }
}
