/* Matrices: grids of tiles in pool memory, or over a user's array, in place or staged. */
#include <stdlib.h>
#include <string.h>

#include "runtime/internal.h"
#include "runtime/machine/warm.h"
#include "runtime/data/staging.h"
#include <tilework/starpu.h>

#define TILE_ALIGN 256 /* bytes: cache lines here, texture and vector alignment on a GPU */

static int stored(enum tw_uplo uplo, int i, int j)
{
    return uplo == TW_GENERAL || (uplo == TW_LOWER ? i >= j : i <= j);
}

/* Leading dimension of a pool tile with `rows` rows. On CPUs, columns a multiple of 1 KiB apart fall into the same few cache sets
 * (a gemm of order 512 halves its speed), so such tiles get one cache line more; for GPUs contiguous tiles copy fastest. */
static tw_int tile_ld(enum tw_type type, tw_int rows)
{
    size_t s = tw_sizeof(type);
    return tw_rt.ncuda == 0 && rows >= 64 && (size_t)rows * s % 1024 == 0 ? rows + (tw_int)(64 / s) : rows;
}

static size_t tile_bytes(const struct tw_matrix *A, int i, int j)
{
    size_t b = (size_t)tile_ld(A->type, tw_tile_rows(A, i)) * (size_t)tw_tile_cols(A, j) * tw_sizeof(A->type);
    return (b + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
}

static int check_shape(const char *routine, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb,
                       int nb_arg)
{
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if (uplo != TW_LOWER && uplo != TW_UPPER && uplo != TW_GENERAL)
        return tw_illegal(routine, 3, "not TW_LOWER, TW_UPPER or TW_GENERAL");
    if (m < 0) return tw_illegal(routine, 4, "negative number of rows");
    if (n < 0) return tw_illegal(routine, 5, "negative number of columns");
    if (nb < 0 || nb > 1 << 20) return tw_illegal(routine, nb_arg, "tile order outside 0 to 1048576");
    return 0;
}

/* More bytes than addresses, or more tiles than the grid's indices hold. */
static int too_large(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nb)
{
    double bytes = (double)m * (double)n * (double)tw_sizeof(type);

    if (bytes <= 4e18 && m / nb < INT32_MAX / 4 && n / nb < INT32_MAX / 4) return 0;
    return tw_fail(TW_E_MEMORY, "%s: %lld x %lld elements need %.0f bytes: too large for one matrix", routine,
                   (long long)m, (long long)n, bytes);
}

/* The grid without data. */
static struct tw_matrix *grid(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb)
{
    struct tw_matrix *A = calloc(1, sizeof *A);

    if (!A) return NULL;
    A->type = type;
    A->uplo = uplo;
    A->m = m;
    A->n = n;
    A->nb = nb;
    A->mt = (int)((m + A->nb - 1) / A->nb);
    A->nt = (int)((n + A->nb - 1) / A->nb);
    return A;
}

static size_t count_tiles(const struct tw_matrix *A)
{
    double tiles = (double)A->mt * A->nt;
    if (A->uplo == TW_GENERAL) return (size_t)A->mt * (size_t)A->nt;
    if (tiles == 0) return 0;
    size_t c = 0;
    for (int j = 0; j < A->nt; j++)
        c += (size_t)(A->uplo == TW_LOWER ? tw_max(A->mt - j, 0) : tw_min(j + 1, A->mt));
    return c;
}

/* What the handles and pointers themselves take: about 3 KiB a tile. */
static double overhead_bytes(const struct tw_matrix *A)
{
    return (double)A->mt * A->nt * sizeof(void *) + (double)count_tiles(A) * (sizeof(struct tw_data) + 4096);
}

static int make_objects(struct tw_matrix *A)
{
    size_t count = count_tiles(A), k = 0;

    A->tile = calloc((size_t)A->mt * (size_t)A->nt + 1, sizeof *A->tile);
    A->objects = calloc(count + 1, sizeof *A->objects);
    if (!A->tile || !A->objects) return TW_E_MEMORY;
    for (int j = 0; j < A->nt; j++)
        for (int i = 0; i < A->mt; i++) {
            if (!stored(A->uplo, i, j)) continue;
            struct tw_data *d = &A->objects[k++];
            *d = (struct tw_data){.kind = TW_DATA_TILE,
                                  .type = A->type,
                                  .coord = {i, j, -1, -1},
                                  .m = tw_tile_rows(A, i),
                                  .n = tw_tile_cols(A, j),
                                  .elemsize = tw_sizeof(A->type),
                                  .on_device = A->storage == TW_STORAGE_DEVICE,
                                  .owner = A->dist.owner ? A->dist.owner(i, j, A->dist.user) : 0};
            A->tile[i + (size_t)j * A->mt] = d;
        }
    return 0;
}

/* One handle per tile. Ragged tiles ask GPUs for as much memory as full ones, so that StarPU can reuse the buffers. */
static void register_tile(struct tw_matrix *A, struct tw_data *d, int node, void *ptr, tw_int ld)
{
    size_t full = (size_t)tw_min(A->nb, A->m) * (size_t)tw_min(A->nb, A->n) * d->elemsize;
    starpu_matrix_data_register_allocsize(&d->handle, node, (uintptr_t)ptr, (uint32_t)ld, (uint32_t)d->m,
                                          (uint32_t)d->n, d->elemsize, full);
    starpu_data_set_coordinates(d->handle, 2, d->coord[0], d->coord[1]);
}

static void destroy_grid(struct tw_matrix *A)
{
    if (!A) return;
    free(A->tile);
    free(A->objects);
    free(A);
}

/* Tiles over the user's array: where they are, or loaded from there when they are needed. */
static void register_wrapped(struct tw_matrix *A, int node)
{
    for (size_t k = 0, count = count_tiles(A); k < count; k++) {
        struct tw_data *d = &A->objects[k];
        size_t offset = ((size_t)d->coord[0] * A->nb + (size_t)d->coord[1] * A->nb * A->lda) * d->elemsize;
        if (A->stage) {
            tw_stage_adopt(A->stage, A, d);
            register_tile(A, d, -1, NULL, d->m);
        } else {
            register_tile(A, d, node, (char *)A->base + offset, A->lda);
        }
    }
}

static struct tw_matrix *prepare(const char *routine, int *error, enum tw_type type, enum tw_uplo uplo, tw_int m,
                                 tw_int n, tw_int nb, int nb_arg)
{
    struct tw_matrix *A;

    tw_clear_message();
    if ((*error = check_shape(routine, type, uplo, m, n, nb, nb_arg))) return NULL;
    if ((*error = tw_start())) return NULL;
    if (nb == 0) nb = tw_choose_nb(type, m, n, NULL);
    if ((*error = too_large(routine, type, m, n, nb))) return NULL;
    tw_warm(type);
    if (!(A = grid(type, uplo, m, n, nb)))
        *error = tw_fail(TW_E_MEMORY, "%s: no memory for %lld x %lld tiles", routine, (long long)m, (long long)n);
    return A;
}

int tw_matrix_create(tw_matrix **out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb,
                     const tw_distribution *dist)
{
    struct tw_matrix *A;
    size_t offset = 0;
    int e;

    if (!out) return tw_illegal("tw_matrix_create", 1, "NULL");
    *out = NULL;
    if (!(A = prepare("tw_matrix_create", &e, type, uplo, m, n, nb, 6))) return e;
    if (dist) A->dist = *dist;
    A->storage = TW_STORAGE_POOL;
    {
        size_t host;
        (void)tw_matrix_memory(type, uplo, m, n, A->nb, &host, NULL);
        A->bytes = host;
    }
    if ((e = tw_memory_check("the matrix", (double)A->bytes + overhead_bytes(A))) || make_objects(A) ||
        !(A->base = tw_pool_alloc(A->bytes))) {
        if (!e) e = tw_fail(TW_E_MEMORY, "tw_matrix_create: the allocation of %zu bytes failed", A->bytes);
        destroy_grid(A);
        return e;
    }
    tw_enter();
    for (int j = 0; j < A->nt; j++)
        for (int i = 0; i < A->mt; i++) {
            struct tw_data *d = tw_tile(A, i, j);
            if (!d) continue;
            register_tile(A, d, STARPU_MAIN_RAM, (char *)A->base + offset, tile_ld(type, d->m));
            offset += tile_bytes(A, i, j);
        }
    tw_leave();
    tw_matrix_born(A);
    *out = A;
    return 0;
}

static int wrap(const char *routine, tw_matrix **out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a,
                tw_int lda, tw_int nb, int node, int device)
{
    struct tw_matrix *A;
    int e;

    if (!out) return tw_illegal(routine, 1, "NULL");
    *out = NULL;
    if (m > 0 && n > 0 && !a) return tw_illegal(routine, 6, "NULL array");
    if (lda < tw_max(1, m)) return tw_illegal(routine, 7, "leading dimension below max(1, m)");
    if (lda > INT32_MAX) /* kernels and BLAS take an int */
        return tw_fail(
            TW_E_UNSUPPORTED,
            "%s: a leading dimension above 2^31 - 1 cannot be used in place: copy with tw_matrix_from_lapack", routine);
    if (!(A = prepare(routine, &e, type, uplo, m, n, nb, 8))) return e;
    A->storage = device >= 0 ? TW_STORAGE_DEVICE : TW_STORAGE_HOST;
    A->device = device;
    A->base = a;
    A->lda = lda;
    if ((e = tw_memory_check("the tiles' bookkeeping", overhead_bytes(A))) || make_objects(A)) {
        if (!e) e = tw_fail(TW_E_MEMORY, "%s: no memory for %zu tiles", routine, count_tiles(A));
        destroy_grid(A);
        return e;
    }
    tw_enter();
    if (A->storage == TW_STORAGE_HOST && tw_stage_wanted(A) && (A->stage = tw_stage_open(A)))
        A->storage = TW_STORAGE_STAGED;
    register_wrapped(A, node);
    tw_leave();
    tw_matrix_born(A);
    *out = A;
    return 0;
}

int tw_matrix_wrap(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                   tw_int nb)
{
    return wrap("tw_matrix_wrap", A, type, uplo, m, n, a, lda, nb, STARPU_MAIN_RAM, -1);
}

int tw_matrix_wrap_device(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                          tw_int nb, int device)
{
    int e = tw_start();
    if (e) return e;
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        if (starpu_worker_get_type((int)w) == STARPU_CUDA_WORKER && starpu_worker_get_devid((int)w) == device)
            return wrap("tw_matrix_wrap_device", A, type, uplo, m, n, a, lda, nb, (int)starpu_worker_get_memory_node(w),
                        device);
    if (A) *A = NULL;
    return tw_fail(TW_E_NO_WORKER, "tw_matrix_wrap_device: no CUDA worker runs on device %d", device);
}

int tw_matrix_from_lapack(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                          tw_int lda, tw_int nb)
{
    int e;
    if (A) *A = NULL;
    if (lda < tw_max(1, m)) return tw_illegal("tw_matrix_from_lapack", 7, "leading dimension below max(1, m)");
    if (m > 0 && n > 0 && !a) return tw_illegal("tw_matrix_from_lapack", 6, "NULL array");
    if ((e = tw_matrix_create(A, type, uplo, m, n, nb, NULL))) return e;
    if ((e = tw_matrix_set_lapack(*A, a, lda))) {
        tw_matrix_destroy(*A);
        *A = NULL;
    }
    return e;
}

int tw_matrix_destroy(tw_matrix *A)
{
    int e = 0;

    if (!A) return 0;
    if (tw_is_running() && (e = tw_start())) return e; /* a forked child */
    if (!tw_is_running()) return tw_fail(TW_E_STATE, "tw_matrix_destroy after tw_finalize");
    tw_wait_submitted(A);
    tw_matrix_dies(A);
    tw_enter();
    if (A->storage == TW_STORAGE_HOST)
        (void)tw_release_to_host(A); /* all copies home at once, not one handle after another */
    if (A->stage) e = tw_stage_settle(A->stage, A->objects, count_tiles(A));
    for (size_t k = 0, count = count_tiles(A); k < count; k++) {
        if (A->storage == TW_STORAGE_POOL || A->storage == TW_STORAGE_STAGED)
            starpu_data_unregister_no_coherency(A->objects[k].handle);
        else
            starpu_data_unregister(A->objects[k].handle);
    }
    tw_leave();
    if (A->storage == TW_STORAGE_POOL) tw_pool_free(A->base, A->bytes);
    tw_stage_close(A->stage);
    destroy_grid(A);
    return e;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------ */

static int copy_tiles(struct tw_matrix *A, char *a, tw_int lda, int to_array)
{
    size_t s = tw_sizeof(A->type);

    for (int j = 0; j < A->nt; j++)
        for (int i = 0; i < A->mt; i++) {
            struct tw_data *d = tw_tile(A, i, j);
            if (!d) continue;
            if (starpu_data_acquire_on_node(d->handle, STARPU_MAIN_RAM, to_array ? STARPU_R : STARPU_RW) != 0)
                return tw_fail(TW_E_STARPU, "a tile could not be acquired (called from inside a task?)");
            char *t = (char *)starpu_matrix_get_local_ptr(d->handle);
            size_t ld = starpu_matrix_get_local_ld(d->handle);
            for (int c = 0; c < d->n; c++) {
                tw_int first, last;
                tw_triangle_part(A->uplo, (tw_int)j * A->nb + c, (tw_int)i * A->nb, d->m, &first, &last);
                char *in_tile = t + ((size_t)c * ld + (size_t)first) * s;
                char *in_array = a + (((size_t)j * A->nb + c) * (size_t)lda + (size_t)i * A->nb + (size_t)first) * s;
                if (last > first)
                    memcpy(to_array ? in_array : in_tile, to_array ? in_tile : in_array, (size_t)(last - first) * s);
            }
            starpu_data_release_on_node(d->handle, STARPU_MAIN_RAM);
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
    size_t count = count_tiles(A);

    if (to_array) {
        int e = tw_stage_settle(A->stage, A->objects, count);
        if (!e) copy_array(A, A->base, A->lda, a, lda);
        return e;
    }
    tw_stage_forget(A->objects, count);
    copy_array(A, a, lda, A->base, A->lda);
    return tw_stage_renew(A->objects, count);
}

static int copy(const char *routine, struct tw_matrix *A, void *a, tw_int lda, int to_array)
{
    int e;
    tw_clear_message();
    if (!A) return tw_illegal(routine, 1, "NULL");
    if (!a && A->m > 0 && A->n > 0) return tw_illegal(routine, 2, "NULL array");
    if (lda < tw_max(1, A->m)) return tw_illegal(routine, 3, "leading dimension below max(1, m)");
    if ((e = tw_start())) return e;
    tw_wait_submitted(A);
    tw_enter();
    if (to_array && !A->stage) (void)tw_release_to_host(A);
    e = A->stage ? copy_staged(A, a, lda, to_array) : copy_tiles(A, a, lda, to_array);
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

/* ---- where the data is ---------------------------------------------------------------------------------------------------------- */

struct latch {
    starpu_pthread_mutex_t lock;
    starpu_pthread_cond_t done;
    size_t left;
    int detached;
};
struct fetched {
    struct latch *latch;
    starpu_data_handle_t handle;
    int node;
};

static void latch_free(struct latch *l)
{
    starpu_pthread_cond_destroy(&l->done);
    starpu_pthread_mutex_destroy(&l->lock);
    free(l);
}

static void latch_down(struct latch *l)
{
    starpu_pthread_mutex_lock(&l->lock);
    int last = --l->left == 0, detached = l->detached;
    if (last) starpu_pthread_cond_broadcast(&l->done);
    starpu_pthread_mutex_unlock(&l->lock);
    if (last && detached) {
        latch_free(l);
        tw_leave();
    }
}

static void tile_arrived(void *arg)
{
    struct fetched *f = arg;
    struct latch *l = f->latch;
    starpu_data_release_on_node(f->handle, f->node);
    free(f);
    latch_down(l);
}

/* Ask for all tiles on a node at once. */
static int fetch_all(struct tw_matrix *A, int node, struct latch *l, int *error)
{
    size_t count = count_tiles(A);

    *error = 0;
    l->left = count + 1;
    for (size_t k = 0; k < count; k++) {
        struct fetched *f = malloc(sizeof *f);
        int e = f ? 0 : TW_E_MEMORY;
        if (f) {
            *f = (struct fetched){l, A->objects[k].handle, node};
            e = starpu_data_acquire_on_node_cb(f->handle, node, STARPU_R, tile_arrived, f);
            if (e) free(f);
        }
        if (e) {
            *error = tw_fail(f ? TW_E_STARPU : TW_E_MEMORY, "a tile could not be fetched");
            latch_down(l);
        }
    }
    return *error;
}

static struct latch *latch_new(int detached)
{
    struct latch *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    starpu_pthread_mutex_init(&l->lock, NULL);
    starpu_pthread_cond_init(&l->done, NULL);
    l->detached = detached;
    return l;
}

int tw_release_to_host(tw_matrix *A)
{
    struct latch *l;
    int e;

    if (!A) return tw_illegal("tw_release_to_host", 1, "NULL");
    if ((e = tw_start())) return e;
    tw_wait_submitted(A);
    if (A->stage) {
        tw_enter();
        e = tw_stage_settle(A->stage, A->objects, count_tiles(A));
        tw_leave();
        return e;
    }
    if (!(l = latch_new(0))) return tw_fail(TW_E_MEMORY, "no memory to wait for tiles");
    tw_enter();
    (void)fetch_all(A, STARPU_MAIN_RAM, l, &e);
    starpu_pthread_mutex_lock(&l->lock);
    l->left--;
    while (l->left > 0)
        starpu_pthread_cond_wait(&l->done, &l->lock);
    starpu_pthread_mutex_unlock(&l->lock);
    tw_leave();
    latch_free(l);
    return e;
}

/* Home is all there is to do; to a GPU, the tiles have to be loaded before they can be asked for. */
static int prefetch_staged(struct tw_matrix *A, int gpu)
{
    int e = 0;

    tw_enter();
    if (gpu < 0)
        tw_stage_send_home(A->objects, count_tiles(A));
    else
        e = tw_stage_bring_in(NULL, A->objects, count_tiles(A));
    tw_leave();
    return e;
}

int tw_prefetch(tw_matrix *A, int gpu)
{
    struct latch *l;
    int e, node = gpu < 0 ? STARPU_MAIN_RAM : -1, seen = 0;

    if (!A) return tw_illegal("tw_prefetch", 1, "NULL");
    if ((e = tw_start())) return e;
    for (unsigned n = 0; node < 0 && n < starpu_memory_nodes_get_count(); n++)
        if (starpu_node_get_kind(n) == STARPU_CUDA_RAM && seen++ == gpu) node = (int)n;
    if (node < 0) return tw_illegal("tw_prefetch", 2, "no such GPU in use");
    tw_wait_submitted(A);
    if (A->stage && (e = prefetch_staged(A, gpu))) return e;
    if (A->stage && gpu < 0) return 0;
    if (!(l = latch_new(1))) return tw_fail(TW_E_MEMORY, "no memory to prefetch");
    tw_enter(); /* left by whoever brings the last tile */
    (void)fetch_all(A, node, l, &e);
    latch_down(l);
    return e;
}

int tw_matrix_memory(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb, size_t *host_bytes,
                     size_t *device_bytes)
{
    struct tw_matrix A = {.type = type, .uplo = uplo, .m = m, .n = n};
    int e = check_shape("tw_matrix_memory", type, uplo, m, n, nb, 5);
    double bytes = 0;

    if (e) return e;
    A.nb = nb > 0 ? nb : tw_choose_nb(type, m, n, NULL);
    if ((e = too_large("tw_matrix_memory", type, m, n, A.nb))) return e;
    A.mt = (int)((m + A.nb - 1) / A.nb);
    A.nt = (int)((n + A.nb - 1) / A.nb);
    /* Column of tiles by column of tiles; rows within one are full ones and at most one ragged one. */
    for (int j = 0; j < A.nt; j++) {
        int first = uplo == TW_LOWER ? (int)tw_min(j, A.mt) : 0,
            last = uplo == TW_UPPER ? (int)tw_min(j + 1, A.mt) : A.mt;
        int ragged = last == A.mt && last > first && m % A.nb != 0;
        if (last > first + ragged) bytes += (double)(last - first - ragged) * (double)tile_bytes(&A, 0, j);
        if (ragged) bytes += (double)tile_bytes(&A, A.mt - 1, j);
    }
    if (host_bytes) *host_bytes = (size_t)bytes;
    if (device_bytes) *device_bytes = (size_t)bytes;
    return 0;
}

/* ---- accessors --------------------------------------------------------------------------------------------------------------------- */

enum tw_type tw_matrix_type(const tw_matrix *A)
{
    return A->type;
}
enum tw_uplo tw_matrix_uplo(const tw_matrix *A)
{
    return A->uplo;
}
tw_int tw_matrix_rows(const tw_matrix *A)
{
    return A->m;
}
tw_int tw_matrix_cols(const tw_matrix *A)
{
    return A->n;
}
tw_int tw_matrix_nb(const tw_matrix *A)
{
    return A->nb;
}

starpu_data_handle_t tw_tile_handle(tw_matrix *A, tw_int i, tw_int j)
{
    struct tw_data *d = A && i >= 0 && j >= 0 && i < A->mt && j < A->nt ? tw_tile(A, (int)i, (int)j) : NULL;
    if (d && d->stage && tw_stage_share(d) != 0) return NULL;
    return d ? d->handle : NULL;
}
