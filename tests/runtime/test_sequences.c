/* Random programs of routines in one sequence, many of which wait for values and hold others back (posv, trtri, potri,
 * gels, mixed precision, estimates): in reproducible mode they give the bits that the same routines give one after
 * another through the matrix door. Temporaries are destroyed while their routines are queued, and infos are the first
 * in call order. */
#include <stdlib.h>
#include <string.h>

#include "tt.h"

enum { N = 76, NB = 16, RHS = 20, SQUARES = 4, SIDES = 3, STEPS = 24, VALUES = RHS * STEPS };

struct state {
    enum tw_type t;
    tw_matrix *square[SQUARES], *side[SIDES], *ipiv, *r, *single;
    double value[VALUES];
    int count[STEPS];
    tw_generator *spd, *random, *thin, *spd_single;
};

static unsigned next(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u, *state >> 8;
}

static void make(struct state *s, enum tw_type t)
{
    const tw_scalar zero = {0, 0};

    *s = (struct state){.t = t};
    for (int k = 0; k < SQUARES; k++)
        assert_int_equal(tw_matrix_create(&s->square[k], t, TW_GENERAL, N, N, NB, NULL), 0);
    for (int k = 0; k < SIDES; k++)
        assert_int_equal(tw_matrix_create(&s->side[k], t, TW_GENERAL, N, RHS, NB, NULL), 0);
    assert_int_equal(tw_pivots_create(&s->ipiv, s->square[0]), 0);
    assert_int_equal(tw_matrix_create(&s->r, t, TW_GENERAL, RHS, RHS, NB, NULL), 0);
    assert_int_equal(tw_generator_create(&s->spd, "spd", t, N, N, 3), 0);
    assert_int_equal(tw_generator_create(&s->random, "random", t, N, N, 5), 0);
    assert_int_equal(tw_generator_create(&s->spd_single, "spd", tt_complex(t) ? TW_COMPLEX_FLOAT : TW_FLOAT, N, N, 9),
                     0);
    assert_int_equal(
        tw_matrix_create(&s->single, tt_complex(t) ? TW_COMPLEX_FLOAT : TW_FLOAT, TW_GENERAL, N, N, NB, NULL), 0);
    assert_int_equal(tw_matrix_generate(s->single, s->spd_single), 0);
    assert_int_equal(tw_generator_create(&s->thin, "random", t, N, RHS, 7), 0);
    for (int k = 0; k < SQUARES; k++)
        assert_int_equal(tw_matrix_generate(s->square[k], s->spd), 0);
    for (int k = 0; k < SIDES; k++)
        assert_int_equal(tw_matrix_generate(s->side[k], s->thin), 0);
    assert_int_equal(tw_laset(TW_GENERAL, zero, zero, s->r), 0);
    for (int k = 0; k < VALUES; k++)
        s->value[k] = -1;
}

static int tw_generate(tw_matrix *A, const tw_generator *g)
{
    return tw_matrix_generate(A, g);
}
/* Which routine: through the sequence, or with seq NULL by the matrix door. */
#define DO(routine, ...) (seq ? tw_##routine##_async(__VA_ARGS__, seq) : tw_##routine(__VA_ARGS__))

static int step(struct state *s, unsigned random, int at, tw_sequence *seq)
{
    static const tw_scalar little = {0.01, 0}, one = {1, 0};
    unsigned r = random;
    const unsigned what = next(&r) % 15;
    tw_matrix *A = s->square[next(&r) % SQUARES], *C = s->square[next(&r) % SQUARES], *B = s->side[next(&r) % SIDES],
              *X = s->side[next(&r) % SIDES], *T;
    const enum tw_uplo uplo = next(&r) % 2 ? TW_LOWER : TW_UPPER;
    double *value = &s->value[RHS * at];
    int e = 0;

    if (tt_single(s->t) && what >= 11) return 0;
    switch (what) {
    case 0: return DO(generate, A, s->spd) | DO(posv, uplo, A, B);
    case 1: return DO(generate, A, s->spd) | DO(potrf, uplo, A) | DO(potri, uplo, A);
    case 2: return DO(generate, A, s->spd) | DO(trtri, uplo, TW_NONUNIT, A);
    case 3: return DO(generate, A, s->spd) | DO(gesv, A, s->ipiv, B);
    case 4: return A == C || B == X ? 0 : DO(gemm, TW_NOTRANS, TW_NOTRANS, little, A, B, one, X);
    case 5: return DO(generate, A, s->random) | DO(gels, TW_NOTRANS, A, B);
    case 6: return DO(lange, TW_ONE_NORM, A, value) | DO(lange, TW_FROBENIUS_NORM, B, value + 1);
    case 7: return DO(generate, B, s->thin) | DO(cholqr, B, s->r, &s->count[at]);
    case 8: return DO(generate, A, s->spd) | DO(potrf, uplo, A) | DO(pocon, uplo, A, 2.0 * N, value);
    case 9: /* a temporary, destroyed while its routines are queued */
        if (A == C) return 0;
        if ((e = tw_matrix_create(&T, s->t, TW_GENERAL, N, N, NB, NULL))) return e;
        e = DO(generate, A, s->spd) | DO(lacpy, TW_GENERAL, A, T) | DO(trtri, uplo, TW_NONUNIT, T) |
            DO(lacpy, uplo, T, C);
        return e | tw_matrix_destroy(T);
    case 10: return DO(generate, A, s->spd) | DO(norm2est, A, 1e-3, value);
    case 11: return B == X ? 0 : DO(generate, A, s->spd) | DO(gesv_mixed, A, s->ipiv, B, X, &s->count[at], value);
    case 12: return B == X ? 0 : DO(generate, A, s->spd) | DO(gesv_half, A, s->ipiv, B, X, &s->count[at], value);
    case 13: /* in single precision, beside products of half precision */
        return DO(generate, s->single, s->spd_single) | DO(trtri, uplo, TW_NONUNIT, s->single);
    default: return B == X ? 0 : DO(generate, A, s->spd) | DO(posv_mixed, uplo, A, B, X, &s->count[at], value);
    }
}

static void program(struct state *s, unsigned random, int in_sequence)
{
    tw_sequence *seq = NULL;

    if (in_sequence) assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < STEPS; k++)
        tt_expect_info(step(s, next(&random), k, seq), 0, "step %d of %u", k, random);
    if (!in_sequence) return;
    tt_expect_info(tw_sequence_wait(seq), 0, "%u", random);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static int same(const tw_matrix *x, const tw_matrix *y, enum tw_type t, tw_int m, tw_int n)
{
    void *a = tt_array(t, m, n), *b = tt_array(t, m, n);
    assert_int_equal(
        tw_matrix_to_lapack((tw_matrix *)(uintptr_t)x, a, m) | tw_matrix_to_lapack((tw_matrix *)(uintptr_t)y, b, m), 0);
    const int r = memcmp(a, b, (size_t)(m * n) * tt_size(t)) == 0;
    free(a), free(b);
    return r;
}

static void compare(struct state *x, struct state *y, unsigned random)
{
    for (int k = 0; k < SQUARES; k++)
        if (!same(x->square[k], y->square[k], x->t, N, N)) fail_msg("program %u: square %d differs", random, k);
    for (int k = 0; k < SIDES; k++)
        if (!same(x->side[k], y->side[k], x->t, N, RHS)) fail_msg("program %u: side %d differs", random, k);
    if (!same(x->r, y->r, x->t, RHS, RHS)) fail_msg("program %u: R differs", random);
    if (!same(x->single, y->single, tt_complex(x->t) ? TW_COMPLEX_FLOAT : TW_FLOAT, N, N))
        fail_msg("program %u: the single one differs", random);
    assert_memory_equal(x->value, y->value, sizeof x->value);
    assert_memory_equal(x->count, y->count, sizeof x->count);
}

static void unmake(struct state *s)
{
    for (int k = 0; k < SQUARES; k++)
        tw_matrix_destroy(s->square[k]);
    for (int k = 0; k < SIDES; k++)
        tw_matrix_destroy(s->side[k]);
    tw_matrix_destroy(s->ipiv), tw_matrix_destroy(s->r), tw_matrix_destroy(s->single);
    tw_generator_destroy(s->spd), tw_generator_destroy(s->random), tw_generator_destroy(s->thin),
        tw_generator_destroy(s->spd_single);
}

static void programs(void **state)
{
    const char *count = getenv("TT_PROGRAMS"), *first = getenv("TT_FIRST");
    (void)state;
    TT_TYPES(t)
        for (unsigned k = first ? (unsigned)atoi(first) : 0, end = k + (count ? (unsigned)atoi(count) : 6); k < end;
             k++) {
            struct state x, y;
            make(&x, t), make(&y, t);
            program(&x, k * 7919u + (unsigned)t, 0);
            program(&y, k * 7919u + (unsigned)t, 1);
            compare(&x, &y, k);
            unmake(&x), unmake(&y);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs)};
    if (setenv("TILEWORK_REPRODUCIBLE", "1", 1)) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
