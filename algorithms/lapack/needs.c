/* How much memory a routine needs, from the shapes in its row.
 *
 * A list of shapes is words with blanks between, each [COUNT][T or B]ROWS COLUMNS[:TYPE], without the blank in it: "Tnn
 * 2nk:r" is a triangle of order n and two real matrices of n x k, "Bmn" the lower band of m sub-diagonals of a matrix
 * of order n. ROWS and COLUMNS: m, n, k of the problem, l the less and g the greater of m and n, h the less of m and k,
 * b the order of tiles, e and f what k and l leave of the last tile if there are others, 1. TYPE: of elements, if it is
 * not the routine's: r the real type, s single precision's, d double, i 32 bits. */
#include <string.h>
#include <tilework/dense.h>
#include "algorithms/dense/dense_loops.h"
#include "algorithms/lapack/named.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/data/grid.h"
#include "runtime/machine/gpus.h"

struct problem {
    struct tw_sizes s;
    tw_int nb;
};

static tw_int side(const struct problem *p, char c)
{
    const tw_int least = tw_min(p->s.m, p->s.n), most = tw_max(p->s.m, p->s.n);

    switch (c) {
    case 'm': return p->s.m;
    case 'n': return p->s.n;
    case 'k': return p->s.k;
    case 'l': return least;
    case 'g': return most;
    case 'h': return tw_min(p->s.m, p->s.k);
    case 'b': return tw_min(p->nb, tw_max(1, least));
    case 'e': return p->s.k > p->nb ? p->s.k % p->nb : 0;
    case 'f': return least > p->nb ? least % p->nb : 0;
    default: return 1;
    }
}

static enum tw_type element(enum tw_type type, char c)
{
    switch (c) {
    case 'r': return tw_real_type(type);
    case 's': return tw_is_complex(type) ? TW_COMPLEX_FLOAT : TW_FLOAT;
    case 'd': return TW_DOUBLE;
    case 'i': return TW_INT32;
    default: return type;
    }
}

/* As the library stores them where they stay: in tiles, with what these are padded by. */
static double in_tiles(const struct problem *p, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n)
{
    size_t bytes;

    if (tw_matrix_memory(type, uplo, m, n, p->nb, &bytes, NULL) == 0) return (double)bytes;
    tw_clear_message(); /* larger than any memory */
    return (double)m * (double)n * (double)tw_sizeof(type);
}

/* Of kd sub-diagonals: the tiles that these and the diagonal reach. Block columns are gone through one by one, but for
 * more of them than any memory holds. */
static double band_in_tiles(const struct problem *p, enum tw_type type, tw_int kd, tw_int n)
{
    const tw_int nb = tw_min(p->nb, tw_max(1, n));

    if (tw_tiles_along(n, nb) > 1 << 20) return (double)n * (double)tw_min(n, kd + nb) * (double)tw_sizeof(type);
    return tw_matrix_bytes(&(struct tw_shape){type, TW_GENERAL, n, n, nb, nb, 1, tw_min(kd, n), 0});
}

static double bytes_of(const struct problem *p, const char *list, int stored)
{
    double all = 0;

    for (const char *at = list ? list : ""; *at; at += strspn(at, " ")) {
        const int count = *at >= '2' && *at <= '9' ? *at++ - '0' : 1, triangle = *at == 'T', band = *at == 'B';
        at += triangle || band;
        const tw_int m = side(p, at[0]), n = side(p, at[1]);
        at += 2;
        const enum tw_type type = element(p->s.type, *at == ':' ? at[1] : 0);
        if (*at == ':') at += 2;
        all += count * (stored && band ? band_in_tiles(p, type, m, n)
                        : stored       ? in_tiles(p, type, triangle ? TW_LOWER : TW_GENERAL, m, n)
                                       : (double)m * (double)n * (double)tw_sizeof(type) / (triangle ? 2 : 1));
    }
    return all;
}

/* Dimensions up to here are counted, with room for what is made of them; beyond, whatever is needed is too much. */
static const tw_int longest = (tw_int)1 << 50;

static size_t to_size(const struct tw_sizes *asked, double bytes)
{
    const int beyond = asked->m > longest || asked->n > longest || asked->k > longest;
    return bytes > 0 && (beyond || bytes >= 18e18) ? SIZE_MAX : (size_t)bytes;
}

int tw_routine_memory(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, tw_int nb,
                      tw_memory *memory)
{
    static const char who[] = "tw_routine_memory";
    const struct tw_routine *r = tw_routine_named(routine);

    TW_CHECK(who, 1, r ? NULL : "no routine on matrices has this name");
    TW_CHECK(who, 1, r->needs.given ? NULL : "what this routine needs was not counted");
    TW_CHECK(who, 2, tw_type_ok(type) ? NULL : "not a type");
    TW_CHECK(who, 3, m < 0 ? "negative number of rows" : NULL);
    TW_CHECK(who, 4, n < 0 ? "negative number of columns" : NULL);
    TW_CHECK(who, 5, k < 0 ? "negative inner size" : NULL);
    TW_CHECK(who, 6, nb < 0 || nb > 1 << 20 ? "tile order outside 0 to 1048576" : NULL);
    TW_CHECK(who, 7, memory ? NULL : "NULL");
    TW_INSIDE int refused = tw_begin(); /* the machine's profile, and whether there are GPUs */
    if (refused) return refused;

    const struct tw_sizes asked = {type, m, n, k};
    struct problem p = {{type, tw_min(m, longest), tw_min(n, longest), tw_min(k, longest)}, nb};
    if (tw_routine_has_side(r)) p.s.k = p.s.m; /* it is counted on the left */
    if (nb == 0)
        p.nb = *r->needs.given == 'B' ? tw_max(16, tw_min(256, p.s.m)) /* tw_matrix_create_band's */
                                      : tw_choose_nb(r->tuning, &p.s, NULL);
    const double given =
                     bytes_of(&p, r->needs.given, 1) + (r->needs.given_bytes ? r->needs.given_bytes(&p.s, p.nb) : 0),
                 own = bytes_of(&p, r->needs.own, 0) + (r->needs.own_bytes ? r->needs.own_bytes(&p.s, p.nb) : 0);
    *memory = (tw_memory){.nb = p.nb, .host = to_size(&asked, given), .own = to_size(&asked, own)};
    if (tw_gpus() > 0) {
        memory->gpus = to_size(&asked, given + own + bytes_of(&p, r->needs.on_gpus, 0));
        memory->per_gpu = memory->gpus / (size_t)tw_gpus();
    }
    return 0;
}
