/* The elimination of trsm_small.c on vectors of BYTES; included once for each length that a CPU may have. GCC 12 takes
 * vectors that are longer than the CPU's apart into single numbers. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define VEC         JOIN(vec, BYTES)
#define ELIMINATE   JOIN(eliminate, BYTES)
#define IN_ONE      (64 / BYTES) /* of these vectors for one of LANES numbers */

typedef R VEC __attribute__((vector_size(BYTES), may_alias));

/* The first `count` vectors of each row (of each half for complex numbers); inlined with constant counts. */
static inline __attribute__((always_inline)) void ELIMINATE(int n, int count, struct panel *p)
{
    enum { imag = IMAG * IN_ONE };
    for (int i = 0; i < n; i++) {
        VEC x[VECTORS * IN_ONE], *row = (VEC *)p->x[i];
        for (int v = 0; v < count; v++) {
            x[v] = row[v];
            if (TW_IS_COMPLEX) x[v + imag] = row[v + imag];
        }
        for (int k = 0; k < i; k++) {
            const VEC *above = (const VEC *)p->x[k];
            for (int v = 0; v < count; v++) {
                x[v] -= p->re[i][k] * above[v];
                if (TW_IS_COMPLEX) {
                    x[v] += p->im[i][k] * above[v + imag];
                    x[v + imag] -= p->re[i][k] * above[v + imag];
                    x[v + imag] -= p->im[i][k] * above[v];
                }
            }
        }
        for (int v = 0; v < count; v++) {
            row[v] = p->re[i][i] * x[v];
            if (TW_IS_COMPLEX) {
                row[v] -= p->im[i][i] * x[v + imag];
                row[v + imag] = p->re[i][i] * x[v + imag] + p->im[i][i] * x[v];
            }
        }
    }
}

static inline __attribute__((always_inline)) void JOIN(ELIMINATE, _some)(int n, int width, struct panel *p)
{
    if (width <= LANES)
        ELIMINATE(n, IN_ONE, p);
    else
        ELIMINATE(n, (TW_IS_COMPLEX ? IMAG : VECTORS) * IN_ONE, p);
}

#undef JOIN_
#undef JOIN
#undef VEC
#undef ELIMINATE
#undef IN_ONE
#undef BYTES
