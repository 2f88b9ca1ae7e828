/* Blocks cut from large pieces (runtime/data/pieces.h): they do not overlap and keep their bytes; what is freed is one
 * again, and empty pieces go back; a source that refuses, always, above a limit or by chance; strangers; several
 * threads. */
#include <pthread.h>
#include <stdatomic.h>

#include "runtime/data/pieces.h"
#include "tt.h"

#define KIB ((size_t)1024)
/* What one thread does alone tells ThreadSanitizer nothing: a fifth of it. */
#ifdef __SANITIZE_THREAD__
#define ONE_THREADED 5
#else
#define ONE_THREADED 1
#endif

/* ---- a source that counts ---------------------------------------------------------------------------------------- */

struct source {
    struct tw_pieces pieces;
    atomic_size_t bytes, gets, gives, asked;
    size_t limit, smallest, largest;
    unsigned refuse, seed; /* of 16 requests so many, by chance */
    atomic_int inside;
};

static void *get(void *whose, size_t bytes)
{
    struct source *s = whose;

    assert_int_equal(atomic_fetch_add(&s->inside, 1), 0); /* one at a time */
    s->asked++;
    if (bytes < s->smallest) s->smallest = bytes;
    if (bytes > s->largest) s->largest = bytes;
    s->seed = s->seed * 1103515245u + 12345u;
    void *p = s->bytes + bytes <= s->limit && (s->seed >> 16) % 16 >= s->refuse ? malloc(bytes) : NULL;
    if (p) atomic_fetch_add(&s->bytes, bytes), atomic_fetch_add(&s->gets, 1);
    atomic_fetch_sub(&s->inside, 1);
    return p;
}
static void give(void *whose, void *piece, size_t bytes)
{
    struct source *s = whose;

    memset(piece, 0x5a, bytes); /* all of it: who still uses it is found out, and a size that is wrong */
    free(piece);
    s->bytes -= bytes;
    s->gives++;
}
static void begin(struct source *s, size_t most, size_t limit)
{
    *s = (struct source){.pieces = TW_PIECES(get, give, s, most), .limit = limit, .smallest = SIZE_MAX, .seed = 7};
}
static void is_empty(const struct source *s)
{
    assert_int_equal(s->bytes, 0);
    assert_int_equal(s->gets, s->gives);
    assert_int_equal(s->pieces.held, 0);
    assert_int_equal(s->pieces.taken, 0);
    assert_int_equal(s->pieces.blocks, 0);
    assert_int_equal(s->pieces.count, 0);
    assert_null(s->pieces.open);
    assert_null(s->pieces.all);
}

/* ---- blocks that know what was written to them ------------------------------------------------------------------- */

struct mine {
    unsigned char *at;
    size_t bytes;
    unsigned char fill;
};
static int take(struct source *s, struct mine *m, size_t bytes, unsigned char fill)
{
    *m = (struct mine){tw_pieces_take(&s->pieces, bytes), bytes, fill};
    if (m->at) memset(m->at, fill, bytes);
    return m->at != NULL;
}
static void check(const struct mine *m)
{
    for (size_t k = 0; k < m->bytes; k++)
        if (m->at[k] != m->fill) fail_msg("byte %zu of %zu was overwritten", k, m->bytes);
}
static void drop(struct source *s, struct mine *m)
{
    check(m);
    assert_int_equal(tw_pieces_return(&s->pieces, m->at), 1);
    m->at = NULL;
}
static unsigned roll(unsigned *seed, unsigned sides)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % sides;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static void equal_sizes(void **state)
{
    struct source s;
    struct mine m[24];
    (void)state;
    begin(&s, 1024 * KIB, SIZE_MAX);
    for (int k = 0; k < 24; k++) /* ten in a piece of 1000 KiB */
        assert_true(take(&s, &m[k], 100 * KIB - 5, (unsigned char)k));
    assert_int_equal(s.gets, 3);
    assert_int_equal(s.largest, 1000 * KIB); /* no more than what blocks fill */
    assert_int_equal(s.pieces.taken, 24 * 100 * KIB);
    for (int k = 0; k < 24; k++) {
        for (int j = 0; j < k; j++)
            if (m[k].at > m[j].at && m[k].at < m[j].at + 100 * KIB) fail_msg("blocks %d and %d overlap", j, k);
        check(&m[k]);
    }
    for (int k = 0; k < 10; k++) /* the first piece is empty, and back */
        drop(&s, &m[(k * 7) % 10]);
    assert_int_equal(s.gives, 1);
    assert_true(take(&s, &m[0], 100 * KIB,
                     200)); /* the fullest one is taken from: the second has no room, the third four blocks */
    assert_int_equal(s.gets, 3);
    drop(&s, &m[0]);
    drop(&s, &m[12]); /* one hole in the second, four blocks in the third */
    assert_true(take(&s, &m[12], 100 * KIB, 12));
    assert_true(m[12].at > m[10].at && m[12].at < m[10].at + 1000 * KIB);
    for (int k = 10; k < 17; k++) /* the second has room for seven, the third for six */
        drop(&s, &m[k]);
    assert_true(take(&s, &m[0], 100 * KIB, 77));
    assert_true(m[0].at > m[20].at && m[0].at < m[20].at + 1000 * KIB);
    drop(&s, &m[0]);
    for (int k = 17; k < 24; k++)
        drop(&s, &m[k]);
    is_empty(&s);
}

static void neighbours_merge(void **state)
{
    struct source s;
    struct mine m[8], whole;
    unsigned seed = 3;
    (void)state;
    for (int round = 0; round < 200; round += ONE_THREADED) {
        int order[8];
        begin(&s, 64 * KIB, SIZE_MAX);
        for (int k = 0; k < 8; k++) {
            assert_true(take(&s, &m[k], 8 * KIB, (unsigned char)(k + 1)));
            const int j = (int)roll(&seed, (unsigned)k + 1);
            order[k] = order[j], order[j] = k;
        }
        assert_int_equal(s.gets, 1);
        for (int k = 0; k < 7; k++)
            drop(&s, &m[order[k]]);
        const int last = order[7], before = last, behind = 7 - last; /* free blocks on both sides */
        if (before) assert_true(take(&s, &whole, 8 * KIB * (size_t)before, 99));
        if (before) drop(&s, &whole);
        if (behind) assert_true(take(&s, &whole, 8 * KIB * (size_t)behind, 98));
        assert_int_equal(s.gets, 1);
        if (behind) drop(&s, &whole);
        drop(&s, &m[last]);
        is_empty(&s);
    }
}

static void sizes(void **state)
{
    struct source s;
    struct mine m;
    (void)state;
    begin(&s, 64 * KIB, SIZE_MAX);
    assert_null(tw_pieces_take(&s.pieces, 32 * KIB + 1)); /* two would not fit */
    assert_null(tw_pieces_take(&s.pieces, SIZE_MAX));
    assert_null(tw_pieces_take(&s.pieces, SIZE_MAX / 2 + 1));
    assert_int_equal(s.asked, 0);
    assert_true(take(&s, &m, 32 * KIB, 1));
    drop(&s, &m);
    assert_true(take(&s, &m, 0, 1));
    assert_int_equal(tw_pieces_return(&s.pieces, m.at), 1);
    tw_pieces_choose(&s.pieces, 0);
    assert_null(tw_pieces_take(&s.pieces, 1));
    is_empty(&s);
}

static void strangers(void **state)
{
    struct source s;
    struct mine m[4];
    char elsewhere[16];
    (void)state;
    begin(&s, 64 * KIB, SIZE_MAX);
    assert_int_equal(tw_pieces_return(&s.pieces, elsewhere), 0);
    for (int k = 0; k < 4; k++)
        assert_true(take(&s, &m[k], 16 * KIB, (unsigned char)k));
    assert_int_equal(tw_pieces_return(&s.pieces, NULL), 0);
    assert_int_equal(tw_pieces_return(&s.pieces, elsewhere), 0);
    assert_int_equal(tw_pieces_return(&s.pieces, m[0].at + 64 * KIB), 0);
    assert_int_equal(tw_pieces_return(&s.pieces, m[1].at + 4096), -1); /* inside of a block */
    drop(&s, &m[1]);
    assert_int_equal(tw_pieces_return(&s.pieces, m[0].at + 16 * KIB), -1); /* twice */
    assert_int_equal(s.pieces.blocks, 3);
    for (int k = 0; k < 4; k++)
        if (k != 1) drop(&s, &m[k]);
    is_empty(&s);
}

/* ---- a source that refuses --------------------------------------------------------------------------------------- */

static void limits(void **state)
{
    struct source s;
    struct mine m[64];
    int n = 0;
    (void)state;
    begin(&s, 1024 * KIB, 300 * KIB);
    while (n < 64 && take(&s, &m[n], 16 * KIB, (unsigned char)n))
        n++;
    /* 16 blocks in a piece of 256 KiB, then two of 32 KiB in what is left: no block is lost that could be had by
     * two. */
    assert_int_equal(n, 18);
    assert_int_equal(s.bytes, 288 * KIB);
    assert_int_equal(s.smallest, 32 * KIB);
    const size_t before = s.asked;
    assert_null(tw_pieces_take(&s.pieces, 16 * KIB)); /* once more in vain: one question, not one for each size */
    assert_int_equal(s.asked, before + 1);
    s.limit = SIZE_MAX;
    for (int k = 0; k < n; k++)
        drop(&s, &m[k]);
    is_empty(&s);
    s.largest = 0;
    assert_true(take(&s, &m[0], 16 * KIB, 1)); /* large ones again */
    assert_int_equal(s.largest, 1024 * KIB);
    drop(&s, &m[0]);
    begin(&s, 1024 * KIB, 0);
    for (int k = 0; k < 3; k++)
        assert_null(tw_pieces_take(&s.pieces, 16 * KIB));
    is_empty(&s);
}

static void grows_again(void **state) /* where nothing is given back, but others' memory is */
{
    struct source s;
    struct mine m[200];
    int n = 0;
    (void)state;
    begin(&s, 1024 * KIB, 64 * KIB);
    while (take(&s, &m[n], 32 * KIB, (unsigned char)n))
        n++;
    assert_int_equal(n, 2);
    s.limit = SIZE_MAX;
    for (; n < 200; n++)
        assert_true(take(&s, &m[n], 32 * KIB, (unsigned char)n));
    assert_int_equal(s.largest, 1024 * KIB);
    assert_true(s.gets < 15);
    for (int k = 0; k < n; k++)
        drop(&s, &m[k]);
    is_empty(&s);
}

/* Random sizes, limits and refusals: what is asked for is either had and one's own, or refused. */
static void mixture(void **state)
{
    unsigned seed = 11;
    long all_refused = 0;
    (void)state;
    for (unsigned round = 0; round < 24; round += ONE_THREADED) {
        enum { LIVE = 150 };
        struct source s;
        struct mine m[LIVE] = {{0}};
        long had = 0, refused = 0;

        begin(&s, (16 << round % 5) * 4 * KIB, round % 3 ? SIZE_MAX : 700 * KIB);
        s.refuse = round % 4 * 4;
        s.seed = round;
        for (int step = 0; step < 3000; step++) {
            struct mine *one = &m[roll(&seed, LIVE)];
            if (one->at)
                drop(&s, one);
            else if (take(&s, one, 1 + roll(&seed, round % 2 ? 20000 : 9000), (unsigned char)step))
                had++;
            else
                refused++;
            assert_true(s.bytes == s.pieces.held && s.pieces.taken <= s.pieces.held);
            assert_true(s.bytes <= s.limit);
        }
        assert_true(had > 100);
        if (s.refuse == 0 && s.limit == SIZE_MAX) assert_int_equal(refused, 0);
        all_refused += refused;
        for (int k = 0; k < LIVE; k++)
            if (m[k].at) drop(&s, &m[k]);
        is_empty(&s);
    }
    assert_true(all_refused > 1000 / ONE_THREADED);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

struct worker {
    struct source *s;
    unsigned seed;
};
static void *work(void *arg)
{
    struct worker *w = arg;
    struct mine m[12] = {{0}};

    for (int step = 0; step < 4000; step++) {
        struct mine *one = &m[roll(&w->seed, 12)];
        if (one->at)
            drop(w->s, one);
        else
            (void)take(w->s, one, 1 + roll(&w->seed, 9000), (unsigned char)w->seed);
    }
    for (int k = 0; k < 12; k++)
        if (m[k].at) drop(w->s, &m[k]);
    return NULL;
}
static void threads(void **state)
{
    pthread_t thread[6];
    struct worker w[6];
    struct source s;
    (void)state;
    begin(&s, 32 * KIB, 400 * KIB);
    s.refuse = 2;
    for (unsigned t = 0; t < 6; t++) {
        w[t] = (struct worker){&s, 100 + t};
        assert_int_equal(pthread_create(&thread[t], NULL, work, &w[t]), 0);
    }
    for (int t = 0; t < 6; t++)
        pthread_join(thread[t], NULL);
    assert_true(s.gets > 10);
    is_empty(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_sizes), cmocka_unit_test(neighbours_merge),
                                       cmocka_unit_test(sizes),       cmocka_unit_test(strangers),
                                       cmocka_unit_test(limits),      cmocka_unit_test(grows_again),
                                       cmocka_unit_test(mixture),     cmocka_unit_test(threads)};
    return tt_run(tests);
}
