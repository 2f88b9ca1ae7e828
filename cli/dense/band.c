/* The band of the source in LAPACK's storage, for routines that are given a band or a tridiagonal matrix. */
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

int cli_band_allocate(struct cli_problem *p)
{
    const double n = (double)p->n;

    if (p->n > 0 && p->kd > p->n - 1) p->kd = p->n - 1;
    if (p->routine->banded == 1) p->kd = 1;
    p->ab = cli_alloc((double)(p->kd + 1) * n * (double)check_sizeof(p->type), "--kd");
    p->d = cli_alloc(n * sizeof *p->d, "--n");
    p->e = cli_alloc(n * sizeof *p->e, "--n");
    return p->ab && p->d && p->e ? 0 : CLI_USAGE;
}

void cli_band_free(struct cli_problem *p)
{
    free(p->ab), free(p->d), free(p->e), free(p->q);
    p->ab = p->q = NULL;
    p->d = p->e = NULL;
}

/* Column j of ab. */
static int column(struct cli_problem *p, tw_int j)
{
    const struct cli_source *s = &p->source;
    const int low = p->uplo == TW_LOWER;
    const size_t size = check_sizeof(p->type);
    const tw_int first = low         ? j
                         : j > p->kd ? j - p->kd
                                     : 0,
                 last = low ? (j + p->kd < p->n - 1 ? j + p->kd : p->n - 1) : j, rows = last - first + 1;
    char *to = (char *)p->ab + (size_t)(j * (p->kd + 1)) * size;

    memset(to, 0, (size_t)(p->kd + 1) * size);
    if (!low) to += (size_t)(p->kd - (j - first)) * size;
    if (s->generator) return tw_generator_block(s->generator, first, j, rows, 1, to, rows);
    memcpy(to, (const char *)s->array + (size_t)(first + j * s->m) * size, (size_t)rows * size);
    return 0;
}

int cli_band_fill(struct cli_problem *p)
{
    const int low = p->uplo == TW_LOWER;
    int e = 0;

    for (tw_int j = 0; j < p->n && !e; j++)
        e = column(p, j);
    for (tw_int j = 0; j < p->n && !e && p->routine->banded == 1; j++) { /* of complex numbers the real parts */
        double v[2];
        for (int i = 0; i < 2; i++) {
            check_get(p->type, p->ab, (size_t)(2 * j + i), v);
            check_set(p->type, p->ab, (size_t)(2 * j + i), v[0], 0);
        }
        check_get(p->type, p->ab, (size_t)(2 * j + !low), v);
        p->d[j] = v[0];
        check_get(p->type, p->ab, (size_t)(2 * j + low), v); /* e(j), or e(j - 1) */
        if (low && j + 1 < p->n) p->e[j] = v[0];
        if (!low && j > 0) p->e[j - 1] = v[0];
    }
    return e;
}
