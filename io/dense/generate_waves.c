/* Kinds made of cosines: tables of them over one period, so that an entry is looked up.
 *
 * orthogonal: H(p_i, q_j) times signs, where p and q are permutations and H, of order N = max(m, n), is Hartley's
 * matrix
 *   (cos + sin)(2 pi p q / N) / sqrt(N), for complex types Fourier's, exp(2 pi i p q / N) / sqrt(N).
 * chebyshev: T_j(x_i), T_j the Chebyshev polynomial of degree j, x_i its points, the zeros of T_m: cos(j (2 i + 1) pi /
 * (2 m)). */
#include <math.h>

#include "io/dense/generate.h"

enum { ROWS = -2, COLUMNS = -3 };              /* random numbers that no entry uses; -1: the signs */
static const tw_int LARGEST = (tw_int)1 << 31; /* p q, j (2 i + 1) stay below 2^63 */

/* Fisher and Yates' shuffle. Double holds the numbers exactly. */
static void permute(const tw_generator *g, tw_int n, tw_int column, double *p)
{
    for (tw_int i = 0; i < n; i++) {
        const tw_int k = (tw_int)(tw_hash(g->stream[0], i, column) % (uint64_t)(i + 1));
        p[i] = p[k];
        p[k] = (double)i;
    }
}

int tw_setup_orthogonal(tw_generator *g, const char *parameters)
{
    const tw_int n = tw_max(g->m, g->n);
    const long double scale = n > 0 ? 1.0L / sqrtl((long double)n) : 0.0L,
                      step = n > 0 ? 2.0L * acosl(-1.0L) / (long double)n : 0.0L;
    int e;

    if (parameters) return tw_kind_fail(g, "it takes no parameters, but \"%.200s\" was given", parameters);
    if (n > LARGEST) return tw_kind_fail(g, "at most 2^31 rows and columns, not %lld", (long long)n);
    if (!(g->work = tw_io_alloc("kind \"orthogonal\": its tables", n, 4 * sizeof *g->work, &e))) return e;
    for (tw_int k = 0; k < n; k++) {
        const long double c = scale * cosl(step * (long double)k), s = scale * sinl(step * (long double)k);
        g->work[k] = (double)(tw_is_complex(g->type) ? c : c + s);
        g->work[n + k] = (double)s;
    }
    permute(g, n, ROWS, g->work + 2 * n);
    permute(g, n, COLUMNS, g->work + 3 * n);
    return 0;
}

int tw_setup_chebyshev(tw_generator *g, const char *parameters)
{
    const long double step = g->m > 0 ? acosl(-1.0L) / (2.0L * (long double)g->m) : 0.0L;
    tw_int period;
    int e;

    if (parameters) return tw_kind_fail(g, "it takes no parameters, but \"%.200s\" was given", parameters);
    if (tw_max(g->m, g->n) > LARGEST)
        return tw_kind_fail(g, "at most 2^31 rows and columns, not %lld x %lld", (long long)g->m, (long long)g->n);
    period = 4 * g->m;
    if (!(g->work = tw_io_alloc("kind \"chebyshev\": its table", period, sizeof *g->work, &e))) return e;
    for (tw_int k = 0; k < period; k++) /* its zeros are exact ones */
        g->work[k] = k == g->m || k == 3 * g->m ? 0.0 : (double)cosl(step * (long double)k);
    return 0;
}
