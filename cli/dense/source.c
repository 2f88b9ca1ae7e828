/* Where the input comes from, as often as it is needed: blocks of a generator or of a file's array, made by several
 * threads. The checker multiplies with the input this way, without a second copy of the matrix. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define BLOCK 256 /* order of one block: small enough for a core's cache */

static tw_int min(tw_int a, tw_int b)
{
    return a < b ? a : b;
}

/* The part of the block that lies in the other triangle becomes what the stored one has; the diagonal is real. */
static int mirror(const struct cli_source *s, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    const int low = s->mirrored == TW_LOWER;
    const double sign = check_is_complex(s->type) ? -1 : 0;
    void *other;
    double v[2];
    int e;

    if (low ? i0 >= j0 + n : i0 + m <= j0) return 0;
    if (!(other = malloc((size_t)m * (size_t)n * check_sizeof(s->type)))) return TW_E_MEMORY;
    e = tw_generator_block(s->generator, j0, i0, n, m, other, n);
    for (tw_int j = 0; j < n && !e; j++)
        for (tw_int i = 0; i < m; i++) {
            const tw_int below = i0 + i - j0 - j;
            if (below ? (below > 0) == low : !sign) continue;
            check_get(s->type, other, (size_t)(j + i * n), v);
            check_set(s->type, a, (size_t)(i + j * lda), v[0], below ? sign * v[1] : 0);
        }
    free(other);
    return e;
}

static int block(const struct cli_source *s, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    size_t size = check_sizeof(s->type);
    int e;

    if (s->mirrored && m > 0 && n > 0) {
        e = tw_generator_block(s->generator, i0, j0, m, n, a, lda);
        return e ? e : mirror(s, i0, j0, m, n, a, lda);
    }
    if (s->generator) return tw_generator_block(s->generator, i0, j0, m, n, a, lda);
    for (tw_int j = 0; j < n; j++)
        memcpy((char *)a + (size_t)j * (size_t)lda * size,
               (const char *)s->array + ((size_t)(j0 + j) * (size_t)s->m + (size_t)i0) * size, (size_t)m * size);
    return 0;
}

/* ---- several threads over the panels of one job ------------------------------------------------------------------ */

struct job {
    const struct cli_source *s;
    enum tw_uplo uplo;
    enum tw_trans op;
    tw_int k;
    const void *x;
    void *y;
    double *colsum, *rowsum; /* of the whole job; added to under the lock */
    void *a;                 /* filling: where to */
    tw_int lda;
    int (*panel)(struct job *job, tw_int p, void *work, double *cols, double *rows);
    tw_int npanels;
    atomic_llong next;
    atomic_int error;
    pthread_mutex_t lock;
};

static void add(tw_int n, double *to, const double *from)
{
    if (to)
        for (tw_int i = 0; i < n; i++)
            to[i] += from[i];
}

static void *worker(void *argument)
{
    struct job *job = argument;
    const struct cli_source *s = job->s;
    void *work = malloc(BLOCK * BLOCK * check_sizeof(s->type));
    double *cols = calloc((size_t)s->n + 1, sizeof *cols), *rows = calloc((size_t)s->m + 1, sizeof *rows);
    tw_int p;
    int e = work && cols && rows ? 0 : TW_E_MEMORY;

    while (!e && !atomic_load(&job->error) && (p = atomic_fetch_add(&job->next, 1)) < job->npanels)
        e = cli_interrupted() ? TW_E_CANCELLED : job->panel(job, p, work, cols, rows);
    if (e) atomic_store(&job->error, e);
    pthread_mutex_lock(&job->lock);
    if (!e) add(s->n, job->colsum, cols);
    if (!e) add(s->m, job->rowsum, rows);
    pthread_mutex_unlock(&job->lock);
    free(work);
    free(cols);
    free(rows);
    return NULL;
}

/* BLAS at one thread inside: the parallelism is over panels. */
static int run_job(struct job *job)
{
    pthread_t threads[64];
    int started = 0, wanted = cli_cores(), before = cli_blas_threads(1);

    atomic_init(&job->next, 0);
    atomic_init(&job->error, 0);
    pthread_mutex_init(&job->lock, NULL);
    if (wanted > 64) wanted = 64;
    while (started < wanted - 1 && pthread_create(&threads[started], NULL, worker, job) == 0)
        started++;
    worker(job);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&job->lock);
    if (before > 0) cli_blas_threads(before);
    return atomic_load(&job->error);
}

/* ---- filling an array -------------------------------------------------------------------------------------------- */

static int fill_panel(struct job *job, tw_int p, void *work, double *cols, double *rows)
{
    const struct cli_source *s = job->s;
    tw_int j0 = p * BLOCK, n = min(BLOCK, s->n - j0);

    (void)work, (void)cols, (void)rows;
    return block(s, 0, j0, s->m, n, (char *)job->a + (size_t)j0 * (size_t)job->lda * check_sizeof(s->type), job->lda);
}

int cli_source_fill(const struct cli_source *s, void *a, tw_int lda)
{
    struct job job = {.s = s, .a = a, .lda = lda, .panel = fill_panel, .npanels = (s->n + BLOCK - 1) / BLOCK};
    if (s->m == 0) return 0;
    return run_job(&job);
}

/* ---- multiplying ------------------------------------------------------------------------------------------------- */

/* Zero what lies outside the triangle; 1 if nothing is left. */
static int mask(const struct job *job, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a)
{
    size_t size = check_sizeof(job->s->type);

    if (job->uplo == TW_GENERAL) return 0;
    if (job->uplo == TW_LOWER ? i0 + m <= j0 : j0 + n <= i0) return 1;
    if (!a) return 0;
    for (tw_int j = 0; j < n; j++) {
        tw_int diagonal = j0 + j - i0; /* row of the diagonal in this block's column */
        tw_int from = job->uplo == TW_LOWER ? 0 : diagonal + 1, to = job->uplo == TW_LOWER ? diagonal : m;
        if (from < 0) from = 0;
        if (to > m) to = m;
        if (from < to) memset((char *)a + (size_t)(j * m + from) * size, 0, (size_t)(to - from) * size);
    }
    return 0;
}

static void sums(enum tw_type type, tw_int m, tw_int n, const void *a, double *cols, double *rows)
{
    double v[2], size;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            check_get(type, a, (size_t)(i + j * m), v);
            size = v[1] != 0 ? sqrt(v[0] * v[0] + v[1] * v[1]) : fabs(v[0]);
            cols[j] += size;
            rows[i] += size;
        }
}

/* Rows of X that this block meets: all zero? (True for most blocks when X holds unit vectors.) */
static int nothing_in(const struct job *job, tw_int r0, tw_int nr, tw_int ldx)
{
    double v[2];

    for (tw_int c = 0; c < job->k; c++)
        for (tw_int r = r0; r < r0 + nr; r++) {
            check_get(job->s->type, job->x, (size_t)(r + c * ldx), v);
            if (v[0] != 0 || v[1] != 0) return 0;
        }
    return 1;
}

/* One panel of Y: a row of blocks for op = N, a column of them otherwise, so that no two threads write the same
 * rows. */
static int apply_panel(struct job *job, tw_int p, void *work, double *cols, double *rows)
{
    const struct cli_source *s = job->s;
    const int plain = job->op == TW_NOTRANS, wants_sums = job->colsum || job->rowsum;
    const tw_int length = plain ? s->n : s->m, ldx = length, ldy = plain ? s->m : s->n;
    const size_t size = check_sizeof(s->type);
    int e;

    for (tw_int q = 0; q * BLOCK < length; q++) {
        tw_int i0 = (plain ? p : q) * BLOCK, j0 = (plain ? q : p) * BLOCK;
        tw_int m = min(BLOCK, s->m - i0), n = min(BLOCK, s->n - j0);
        if (mask(job, i0, j0, m, n, NULL)) continue;
        if (!wants_sums && nothing_in(job, q * BLOCK, plain ? n : m, ldx)) continue;
        if ((e = block(s, i0, j0, m, n, work, m))) return e;
        mask(job, i0, j0, m, n, work);
        if (wants_sums) sums(s->type, m, n, work, cols + j0, rows + i0);
        if (job->y && job->k)
            check_gemm(s->type, job->op, TW_NOTRANS, plain ? m : n, job->k, plain ? n : m, 1, work, m,
                       (const char *)job->x + (size_t)(q * BLOCK) * size, ldx, 1,
                       (char *)job->y + (size_t)(p * BLOCK) * size, ldy);
    }
    return 0;
}

int cli_source_apply(const struct cli_source *s, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                     double *colsum, double *rowsum)
{
    tw_int rows = op == TW_NOTRANS ? s->m : s->n;
    struct job job = {.s = s,
                      .uplo = uplo,
                      .op = op,
                      .k = k,
                      .x = x,
                      .y = y,
                      .colsum = colsum,
                      .rowsum = rowsum,
                      .panel = apply_panel,
                      .npanels = (rows + BLOCK - 1) / BLOCK};

    if (y) memset(y, 0, (size_t)rows * (size_t)k * check_sizeof(s->type));
    if (colsum) memset(colsum, 0, (size_t)s->n * sizeof *colsum);
    if (rowsum) memset(rowsum, 0, (size_t)s->m * sizeof *rowsum);
    if (s->m == 0 || s->n == 0) return 0;
    return run_job(&job);
}

static int matrix_fill(const void *source, void *a, tw_int lda)
{
    return cli_source_fill(source, a, lda);
}

static int matrix_apply(const void *source, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                        double *colsum, double *rowsum)
{
    return cli_source_apply(source, uplo, op, k, x, y, colsum, rowsum);
}

struct check_matrix cli_source_matrix(const struct cli_source *s)
{
    return (struct check_matrix){s->type, s->m, s->n, s, matrix_fill, matrix_apply};
}
