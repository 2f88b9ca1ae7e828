/* Matrices: grids of tiles in pool memory, or over a user's array, in place or staged; made, asked and destroyed. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/claims.h"
#include "runtime/data/grid.h"
#include "runtime/data/staging.h"
#include "runtime/machine/warm.h"
#include <tilework/starpu.h>

#define TILE_ALIGN 256 /* bytes: cache lines here, texture and vector alignment on a GPU */

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* On machines without GPUs the tiles of a block column lie one under the other in one array, so that panels are
 * factored where they are and several tiles can be updated by one tall product; for GPUs contiguous tiles copy fastest.
 * So they do for the trees of tall matrices, whose kernels go through a tile again and again (200,000 x 256 on two
 * cores: 1.4 times as long in one array, whose columns are all on pages of their own). Leading dimensions are ints, and
 * columns are gone through one by one to find out how large a matrix would be. */
static int lies_in_columns(const struct tw_matrix *A)
{
    return tw_rt.ncuda == 0 && A->m <= 1 << 30 && A->nt <= 1 << 20 && A->mt <= 4 * A->nt;
}
/* Leading dimension of a tile or block column of the pool with `rows` rows. On CPUs, columns a multiple of 1 KiB apart
 * fall into the same few cache sets (a gemm of order 512 halves its speed), so such get one cache line more. */
static tw_int pool_ld(enum tw_type type, tw_int rows)
{
    size_t s = tw_sizeof(type);
    return tw_rt.ncuda == 0 && rows >= 64 && (size_t)rows * s % 1024 == 0 ? rows + (tw_int)(64 / s) : rows;
}
static size_t pool_bytes_of(enum tw_type type, tw_int rows, tw_int columns)
{
    size_t b = (size_t)pool_ld(type, rows) * (size_t)columns * tw_sizeof(type);
    return (b + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
}
static size_t tile_bytes(const struct tw_matrix *A, int i, int j)
{
    return pool_bytes_of(A->type, tw_tile_rows(A, i), tw_tile_cols(A, j));
}

void tw_stored_rows(const struct tw_matrix *A, int j, int *first, int *last)
{
    *first = A->uplo == TW_LOWER ? (int)tw_min(j, A->mt) : 0;
    *last = A->uplo == TW_UPPER ? (int)tw_min(j + 1, A->mt) : A->mt;
    if (!A->band) return;
    *first = (int)tw_max(*first, tw_max((tw_int)j * A->nb - A->ku, 0) / A->mb);
    *last = (int)tw_min(*last, (tw_min((tw_int)(j + 1) * A->nb, A->n) - 1 + A->kl) / A->mb + 1);
    if ((tw_int)j * A->nb - A->ku >= A->m) *first = *last; /* the band has left by the lower edge */
    *last = (int)tw_max(*first, *last);
}

/* Of the upper left `rows` x `cols` tiles those that are stored; of the first `cols` of row `row`; whether one is. */
static tw_int tiles_of(enum tw_uplo uplo, tw_int rows, tw_int cols)
{
    const tw_int t = tw_min(rows, cols);
    if (uplo == TW_LOWER) return t * rows - t * (t - 1) / 2;
    if (uplo == TW_UPPER) return t * (t + 1) / 2 + (cols - t) * rows;
    return rows * cols;
}
static tw_int tiles_of_row(enum tw_uplo uplo, tw_int row, tw_int cols)
{
    return tiles_of(uplo, row + 1, cols) - tiles_of(uplo, row, cols);
}
static tw_int tiles_of_column(enum tw_uplo uplo, tw_int rows, tw_int col)
{
    return tiles_of(uplo, rows, col + 1) - tiles_of(uplo, rows, col);
}
static int is_stored(enum tw_uplo uplo, tw_int row, tw_int col)
{
    return uplo == TW_GENERAL || (uplo == TW_LOWER ? row >= col : row <= col);
}

size_t tw_count_tiles(const struct tw_matrix *A)
{
    size_t count = 0;

    if (!A->band) return (size_t)tiles_of(A->uplo, A->mt, A->nt);
    for (int j = 0, first, last; j < A->nt; j++) {
        tw_stored_rows(A, j, &first, &last);
        count += (size_t)(last - first);
    }
    return count;
}

static double band_bytes(const struct tw_matrix *A)
{
    double bytes = 0;

    for (int j = 0, first, last; j < A->nt; j++) {
        tw_stored_rows(A, j, &first, &last);
        const int ragged = last == A->mt && last > first && A->m % A->mb != 0;
        if (last > first + ragged) bytes += (double)(last - first - ragged) * (double)tile_bytes(A, 0, j);
        if (ragged) bytes += (double)tile_bytes(A, A->mt - 1, j);
    }
    return bytes;
}

/* Full tiles, and those of a ragged last row and column: counted, not gone through one by one, for there may be 2^58 of
 * them in a matrix of which somebody only asks how large it would be. */
static double bytes_in_tiles(const struct tw_matrix *A)
{
    const int rows = (int)(A->m / A->mb), cols = (int)(A->n / A->nb), ragged_row = A->mt > rows,
              ragged_column = A->nt > cols;
    double bytes = 0;

    if (A->band) return band_bytes(A);
    if (rows && cols) bytes = (double)tiles_of(A->uplo, rows, cols) * (double)tile_bytes(A, 0, 0);
    if (ragged_row && cols) bytes += (double)tiles_of_row(A->uplo, rows, cols) * (double)tile_bytes(A, rows, 0);
    if (ragged_column && rows) bytes += (double)tiles_of_column(A->uplo, rows, cols) * (double)tile_bytes(A, 0, cols);
    if (ragged_row && ragged_column && is_stored(A->uplo, rows, cols)) bytes += (double)tile_bytes(A, rows, cols);
    return bytes;
}

/* Rows of block column j that are stored. */
static tw_int column_rows(const struct tw_matrix *A, int j)
{
    int first, last;
    tw_stored_rows(A, j, &first, &last);
    return last > first ? tw_min((tw_int)last * A->mb, A->m) - (tw_int)first * A->mb : 0;
}
static size_t column_bytes(const struct tw_matrix *A, int j)
{
    return pool_bytes_of(A->type, column_rows(A, j), tw_tile_cols(A, j));
}
static double bytes_in_columns(const struct tw_matrix *A)
{
    const int whole = A->uplo == TW_GENERAL && !A->band; /* then all are alike but the last */
    double bytes = 0;

    if (whole && A->nt > 1)
        return (double)(A->nt - 1) * (double)column_bytes(A, 0) + (double)column_bytes(A, A->nt - 1);
    for (int j = 0; j < A->nt; j++)
        bytes += (double)column_bytes(A, j);
    return bytes;
}

static double pool_bytes(const struct tw_matrix *A)
{
    return lies_in_columns(A) ? bytes_in_columns(A) : bytes_in_tiles(A);
}

static int check_shape(const char *routine, const struct tw_shape *s, int tile)
{
    /* integers: pivots, of which nobody can choose the tiles */
    if (!tw_type_ok(s->type) && !(s->type == TW_INT32 && s->uplo == TW_GENERAL && s->mb > 0 && s->nb > 0))
        return tw_illegal(routine, 2, "not a type (TW_INT32, for pivots, needs TW_GENERAL and tiles that are stated)");
    if (s->uplo != TW_LOWER && s->uplo != TW_UPPER && s->uplo != TW_GENERAL)
        return tw_illegal(routine, 3, "not TW_LOWER, TW_UPPER or TW_GENERAL");
    if (s->m < 0) return tw_illegal(routine, 4, "negative number of rows");
    if (s->n < 0) return tw_illegal(routine, 5, "negative number of columns");
    if (s->mb < 0 || s->mb > 1 << 20) return tw_illegal(routine, tile, "tile order outside 0 to 1048576");
    if (s->nb < 0 || s->nb > 1 << 20) return tw_illegal(routine, tile + 1, "tile order outside 0 to 1048576");
    if (s->uplo != TW_GENERAL && s->mb != s->nb)
        return tw_illegal(routine, tile, "a triangle is stored in square tiles: mb and nb differ");
    return 0;
}

/* mb and nb 0: one order for both, chosen; one of them 0: the other's. */
static void choose_tiles(struct tw_matrix *A, tw_int mb, tw_int nb)
{
    if (mb == 0 && nb == 0) mb = nb = tw_choose_nb(NULL, &(struct tw_sizes){A->type, A->m, A->n, 0}, NULL);
    A->mb = mb ? mb : nb;
    A->nb = nb ? nb : mb;
}

/* More bytes than addresses, or more tiles than the grid's indices hold. */
static int too_large(const char *routine, const struct tw_matrix *A)
{
    double bytes = (double)(A->band ? tw_min(A->m, A->kl + A->ku + A->mb + A->nb) : A->m) * (double)A->n *
                   (double)tw_sizeof(A->type);

    if (bytes <= 4e18 && A->m / A->mb < INT32_MAX / 4 && A->n / A->nb < INT32_MAX / 4) return 0;
    return tw_fail(TW_E_MEMORY, "%s: %lld x %lld elements need %.0f bytes: too large for one matrix", routine,
                   (long long)A->m, (long long)A->n, bytes);
}

static int set_shape(struct tw_matrix *A, const char *routine, const struct tw_shape *s)
{
    int e;

    *A = (struct tw_matrix){
        .type = s->type, .uplo = s->uplo, .m = s->m, .n = s->n, .band = s->band, .kl = s->kl, .ku = s->ku};
    choose_tiles(A, s->mb, s->nb);
    if ((e = too_large(routine, A))) return e;
    A->mt = (int)((A->m + A->mb - 1) / A->mb);
    A->nt = (int)((A->n + A->nb - 1) / A->nb);
    A->tall = A->mt;
    if (A->band) {
        A->tall = 0;
        for (int j = 0, first, last; j < A->nt; j++) {
            tw_stored_rows(A, j, &first, &last);
            A->tall = (int)tw_max(A->tall, last - first);
        }
    }
    return 0;
}

/* What the handles and pointers themselves take, once all tiles are in use: about 4 KiB a tile. */
static double overhead_bytes(const struct tw_matrix *A)
{
    return (double)A->tall * A->nt * sizeof(void *) + (double)tw_count_tiles(A) * (sizeof(struct tw_data) + 4096);
}

/* Ragged tiles ask GPUs for as much memory as full ones, so that StarPU can reuse the buffers. */
static int make_objects(struct tw_matrix *A)
{
    const size_t size = tw_sizeof(A->type), room = (size_t)tw_min(A->mb, A->m) * (size_t)tw_min(A->nb, A->n) * size;
    struct tw_data *d;

    A->tile = calloc((size_t)A->tall * (size_t)A->nt + 1, sizeof *A->tile);
    A->objects = d = calloc(tw_count_tiles(A) + 1, sizeof *A->objects);
    if (!A->tile || !A->objects) return TW_E_MEMORY;
    for (int j = 0, first, last; j < A->nt; j++) {
        tw_stored_rows(A, j, &first, &last);
        for (int i = first; i < last; i++, d++) {
            *d = (struct tw_data){.kind = &tw_kind_tile,
                                  .type = A->type,
                                  .coord = {i, j, -1, -1},
                                  .m = tw_tile_rows(A, i),
                                  .n = tw_tile_cols(A, j),
                                  .count = 1,
                                  .elemsize = size,
                                  .room = room,
                                  .home = -1,
                                  .owner = A->dist.owner ? A->dist.owner(i, j, A->dist.user) : 0};
            d->ld = d->m;
            A->tile[i - (A->band ? first : 0) + (size_t)j * (size_t)A->tall] = d;
        }
    }
    return 0;
}

struct tw_data *tw_band_tile(const struct tw_matrix *A, int i, int j)
{
    int first, last;
    tw_stored_rows(A, j, &first, &last);
    return i >= first && i < last ? A->tile[i - first + (size_t)j * (size_t)A->tall] : NULL;
}

/* Wrong arguments start nothing. With a matrix, and only then, the caller is inside (tw_begin) and has to go
 * (tw_end). */
static struct tw_matrix *grid_new(const char *routine, int *error, const struct tw_shape *s, int tile)
{
    struct tw_matrix *A;

    tw_clear_message();
    if ((*error = check_shape(routine, s, tile)) || (*error = tw_begin())) return NULL;
    if (!(A = malloc(sizeof *A))) {
        *error = tw_fail(TW_E_MEMORY, "%s: no memory for a matrix", routine);
    } else if ((*error = set_shape(A, routine, s))) {
        free(A);
        A = NULL;
    } else {
        if (tw_type_ok(s->type)) tw_warm(s->type);
    }
    if (!A) tw_end();
    return A;
}

void tw_grid_free(struct tw_matrix *A)
{
    if (!A) return;
    free(A->tile);
    free(A->objects);
    free(A);
}

/* ---- in the pool ------------------------------------------------------------------------------------------------- */

static void abandon(struct tw_living *life);

/* The objects are sorted by block columns. */
static void place_tiles(struct tw_matrix *A)
{
    const int columns = lies_in_columns(A);
    char *at = A->base, *next = at;

    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        struct tw_data *d = &A->objects[k];
        const int j = d->coord[1], below = columns && k > 0 && A->objects[k - 1].coord[1] == j;

        at = below ? at + (size_t)A->mb * d->elemsize : next;
        if (!below) next += columns ? column_bytes(A, j) : tile_bytes(A, d->coord[0], j);
        d->home = STARPU_MAIN_RAM;
        d->host = at;
        d->ld = (int)pool_ld(A->type, columns ? column_rows(A, j) : d->m);
    }
}

/* On failure A is freed. */
static int grid_fill(const char *routine, struct tw_matrix *A, const tw_distribution *dist)
{
    int e;

    if (dist) A->dist = *dist;
    A->storage = TW_STORAGE_POOL;
    A->bytes = (size_t)pool_bytes(A);
    if ((e = tw_memory_check("the matrix", (double)A->bytes + overhead_bytes(A))) || make_objects(A) ||
        !(A->base = tw_pool_alloc(A->bytes))) {
        if (!e) e = tw_fail(TW_E_MEMORY, "%s: the allocation of %zu bytes failed", routine, A->bytes);
        tw_grid_free(A);
        return e;
    }
    place_tiles(A);
    tw_living_born(&A->life, abandon);
    return 0;
}

int tw_grid_create(const char *routine, tw_matrix **out, const struct tw_shape *s, int tile,
                   const tw_distribution *dist)
{
    struct tw_matrix *A;
    int e;

    if (!out) return tw_illegal(routine, 1, "NULL");
    *out = NULL;
    if (!(A = grid_new(routine, &e, s, tile))) return e;
    e = grid_fill(routine, A, dist);
    if (!e) *out = A;
    tw_end();
    return e;
}

int tw_matrix_create(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb,
                     const tw_distribution *dist)
{
    return tw_grid_create("tw_matrix_create", A, &(struct tw_shape){type, uplo, m, n, nb, nb, 0, 0, 0}, 6, dist);
}

int tw_matrix_create_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int mb,
                           tw_int nb, const tw_distribution *dist)
{
    return tw_grid_create("tw_matrix_create_tiles", A, &(struct tw_shape){type, uplo, m, n, mb, nb, 0, 0, 0}, 6, dist);
}

int tw_pivots_create(tw_matrix **ipiv, const tw_matrix *A)
{
    if (ipiv) *ipiv = NULL;
    if (!A) return tw_illegal("tw_pivots_create", 2, "NULL");
    return tw_grid_create("tw_pivots_create", ipiv,
                          &(struct tw_shape){TW_INT32, TW_GENERAL, tw_min(A->m, A->n), 1, A->nb, A->nb, 0, 0, 0}, 2,
                          NULL);
}

int tw_tau_create(tw_matrix **tau, const tw_matrix *A)
{
    if (tau) *tau = NULL;
    if (!A || !tw_type_ok(A->type)) return tw_illegal("tw_tau_create", 2, A ? "it holds pivots" : "NULL");
    return tw_grid_create("tw_tau_create", tau,
                          &(struct tw_shape){A->type, TW_GENERAL, tw_min(A->m, A->n), 1, A->nb, A->nb, 0, 0, 0}, 2,
                          NULL);
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

/* ---- over an array of the user ----------------------------------------------------------------------------------- */

/* Where the tiles are, or loaded from when they are needed. */
static void adopt_array(struct tw_matrix *A, int node)
{
    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        struct tw_data *d = &A->objects[k];
        if (A->staging) {
            tw_staging_adopt(A->staging, A, d);
            continue;
        }
        d->home = node;
        d->host =
            (char *)A->base +
            ((size_t)d->coord[0] * (size_t)A->mb + (size_t)d->coord[1] * (size_t)A->nb * (size_t)A->lda) * d->elemsize;
        d->ld = (int)A->lda;
    }
}

static int wrap(const char *routine, tw_matrix **out, const struct tw_shape *s, void *a, tw_int lda, int node,
                int device)
{
    struct tw_matrix *A;
    int e;

    if (!out) return tw_illegal(routine, 1, "NULL");
    *out = NULL;
    if (s->m > 0 && s->n > 0 && !a) return tw_illegal(routine, 6, "NULL array");
    if (lda < tw_max(1, s->m)) return tw_illegal(routine, 7, "leading dimension below max(1, m)");
    if (lda > INT32_MAX) /* kernels and BLAS take an int */
        return tw_fail(
            TW_E_UNSUPPORTED,
            "%s: a leading dimension above 2^31 - 1 cannot be used in place: copy with tw_matrix_from_lapack", routine);
    if (!(A = grid_new(routine, &e, s, 8))) return e;
    A->storage = device >= 0 ? TW_STORAGE_DEVICE : TW_STORAGE_HOST;
    A->device = device;
    A->base = a;
    A->lda = lda;
    if ((e = tw_memory_check("the tiles' bookkeeping", overhead_bytes(A))) || make_objects(A)) {
        if (!e) e = tw_fail(TW_E_MEMORY, "%s: no memory for %zu tiles", routine, tw_count_tiles(A));
        tw_grid_free(A);
        tw_end();
        return e;
    }
    tw_enter();
    if (A->storage == TW_STORAGE_HOST && tw_staging_wanted(A) && (A->staging = tw_staging_open(A)))
        A->storage = TW_STORAGE_STAGED;
    tw_leave();
    adopt_array(A, node);
    tw_living_born(&A->life, abandon);
    *out = A;
    tw_end();
    return 0;
}

int tw_matrix_wrap(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                   tw_int nb)
{
    return wrap("tw_matrix_wrap", A, &(struct tw_shape){type, uplo, m, n, nb, nb, 0, 0, 0}, a, lda, STARPU_MAIN_RAM,
                -1);
}

int tw_matrix_wrap_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                         tw_int mb, tw_int nb)
{
    return wrap("tw_matrix_wrap_tiles", A, &(struct tw_shape){type, uplo, m, n, mb, nb, 0, 0, 0}, a, lda,
                STARPU_MAIN_RAM, -1);
}

static int wrap_device(const char *who, tw_matrix **A, const struct tw_shape *s, void *a, tw_int lda, int device)
{
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        if (starpu_worker_get_type((int)w) == STARPU_CUDA_WORKER && starpu_worker_get_devid((int)w) == device)
            return wrap(who, A, s, a, lda, (int)starpu_worker_get_memory_node(w), device);
    if (A) *A = NULL;
    return tw_fail(TW_E_NO_WORKER, "%s: no CUDA worker runs on device %d", who, device);
}

int tw_matrix_wrap_device(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                          tw_int nb, int device)
{
    return wrap_device("tw_matrix_wrap_device", A, &(struct tw_shape){type, uplo, m, n, nb, nb, 0, 0, 0}, a, lda,
                       device);
}

int tw_matrix_wrap_device_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a,
                                tw_int lda, tw_int mb, tw_int nb, int device)
{
    return wrap_device("tw_matrix_wrap_device_tiles", A, &(struct tw_shape){type, uplo, m, n, mb, nb, 0, 0, 0}, a, lda,
                       device);
}

/* ---- a routine's own --------------------------------------------------------------------------------------------- */

struct over {
    const struct tw_range *range;
    int n, room, count;
    struct tw_matrix **matrix;
};
int tw_matrix_range(const struct tw_living *life, struct tw_range *r)
{
    const struct tw_matrix *A =
        (const struct tw_matrix *)(const void *)life; /* its first member, where abandon is the matrices' */

    if (!life || life->abandon != abandon || !A->n) return 0;
    if (A->storage != TW_STORAGE_HOST && A->storage != TW_STORAGE_STAGED) return 0;
    *r = (struct tw_range){A->base, ((size_t)(A->n - 1) * (size_t)A->lda + (size_t)A->m) * tw_sizeof(A->type), TW_RW};
    return 1;
}

static void find_over(struct tw_living *life, void *arg)
{
    struct over *o = arg;
    struct tw_range mine;

    if (!tw_matrix_range(life, &mine)) return;
    const uintptr_t from = (uintptr_t)mine.from, to = from + mine.bytes;
    for (int k = 0; k < o->n; k++) {
        const uintptr_t first = (uintptr_t)o->range[k].from;
        if (first >= to || from >= first + o->range[k].bytes) continue;
        if (o->count++ < o->room) o->matrix[o->count - 1] = (struct tw_matrix *)(void *)life;
        return;
    }
}

int tw_matrices_over(const struct tw_range *range, int n, struct tw_matrix **matrix, int room)
{
    struct over o = {range, n, room, 0, matrix};
    tw_living_each(find_over, &o);
    return o.count;
}

struct tw_matrix *tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    struct tw_matrix *A = malloc(sizeof *A);
    const struct tw_shape s = {type, TW_GENERAL, m, n, mb, nb, 0, 0, 0};

    if (!A) return NULL;
    if (set_shape(A, "a temporary matrix", &s) || tw_memory_check("a temporary matrix", pool_bytes(A)) ||
        make_objects(A)) {
        tw_grid_free(A);
        return NULL;
    }
    A->storage = TW_STORAGE_NONE;
    return A;
}

void tw_matrix_free_later(struct tw_matrix *A)
{
    if (!A) return;
    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        struct tw_data *d = &A->objects[k];
        if (d->held_back > 0) {
            d->doomed = 1;
            d->grid = A;
            A->doomed++;
        } else {
            tw_data_drop(d);
        }
    }
    if (A->doomed == 0) tw_grid_free(A);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

int tw_matrix_gone(const char *routine)
{
    return tw_fail(TW_E_STATE, "%s: the library was stopped since the matrix was made, which can only be destroyed",
                   routine);
}

/* No task that uses them is still to be submitted. */
static int give_back_tiles(struct tw_matrix *A)
{
    int e = 0;

    tw_enter();
    if (A->storage == TW_STORAGE_HOST)
        (void)tw_release_to_host(A); /* all copies home at once, not one handle after another */
    if (A->staging) e = tw_staging_settle(A->staging, A->objects, tw_count_tiles(A));
    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        starpu_data_handle_t h = tw_data_used(&A->objects[k]);
        if (!h) continue; /* no task has used it */
        tw_edges_freed(h);
        if (A->storage == TW_STORAGE_POOL || A->storage == TW_STORAGE_STAGED)
            starpu_data_unregister_no_coherency(h);
        else
            starpu_data_unregister(h);
    }
    tw_leave();
    tw_staging_close(A->staging);
    return e;
}

/* The library stops: what StarPU knows of the matrix is given back, so that all that is left is to free it. */
static void abandon(struct tw_living *life)
{
    struct tw_matrix *A = (struct tw_matrix *)life;

    const int running = starpu_is_initialized(); /* unless the program has shut it down too early */

    if (running) (void)give_back_tiles(A);
    for (size_t k = 0, count = tw_count_tiles(A); k < count; k++) {
        A->objects[k].handle = NULL;
        A->objects[k].staging = NULL;
        A->objects[k].home = TW_HOME_GONE;
    }
    if (running && A->storage == TW_STORAGE_POOL) tw_pool_let_go(A->base, A->bytes);
    A->staging = NULL;
    A->gone = 1;
}

int tw_matrix_destroy(tw_matrix *A)
{
    int e;

    if (!A) return 0;
    TW_INSIDE int refused = tw_begin_return();
    if (refused && (refused != TW_E_STATE || !A->gone)) return refused; /* a forked child */
    if (A->gone) {
        e = tw_matrix_gone("tw_matrix_destroy: its memory is freed all the same");
        if (A->storage == TW_STORAGE_POOL) free(A->base);
    } else {
        tw_living_wait(&A->life);
        tw_living_dies(&A->life);
        e = give_back_tiles(A);
        if (A->storage == TW_STORAGE_POOL) tw_pool_free(A->base, A->bytes);
    }
    tw_grid_free(A);
    return e;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

double tw_matrix_bytes(const struct tw_shape *s)
{
    struct tw_matrix A;

    if (set_shape(&A, "tw_matrix_bytes", s)) { /* larger than any memory */
        tw_clear_message();
        return (double)s->m * (double)(s->band ? tw_min(s->n, s->kl + s->ku + 1) : s->n) * (double)tw_sizeof(s->type);
    }
    return pool_bytes(&A);
}

int tw_matrix_memory(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb, size_t *host_bytes,
                     size_t *device_bytes)
{
    const struct tw_shape s = {type, uplo, m, n, nb, nb, 0, 0, 0};
    struct tw_matrix A;
    int e = check_shape("tw_matrix_memory", &s, 5);

    if (e) return e;
    TW_INSIDE int refused = nb ? TW_E_STATE : tw_begin(); /* the order of tiles is chosen from the machine's profile */
    if (refused && !nb) return refused;
    if ((e = set_shape(&A, "tw_matrix_memory", &s))) return e;
    if (host_bytes) *host_bytes = (size_t)pool_bytes(&A);
    if (device_bytes) *device_bytes = (size_t)pool_bytes(&A);
    return 0;
}

enum tw_type tw_matrix_type(const tw_matrix *A)
{
    return A ? A->type : (enum tw_type) - 1;
}
enum tw_uplo tw_matrix_uplo(const tw_matrix *A)
{
    return A ? A->uplo : (enum tw_uplo) - 1;
}
tw_int tw_matrix_rows(const tw_matrix *A)
{
    return A ? A->m : -1;
}
tw_int tw_matrix_cols(const tw_matrix *A)
{
    return A ? A->n : -1;
}
tw_int tw_matrix_mb(const tw_matrix *A)
{
    return A ? A->mb : -1;
}
tw_int tw_matrix_nb(const tw_matrix *A)
{
    return A ? A->nb : -1;
}

starpu_data_handle_t tw_tile_handle(tw_matrix *A, tw_int i, tw_int j)
{
    struct tw_data *d = A && i >= 0 && j >= 0 && i < A->mt && j < A->nt ? tw_tile(A, (int)i, (int)j) : NULL;
    TW_INSIDE int refused = tw_begin_running();
    if (refused || (d && d->staging && tw_staging_share(d) != 0)) return NULL;
    return d ? tw_data_handle(d) : NULL;
}
