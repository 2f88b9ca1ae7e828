/* Which tasks a GPU's streams may have together (runtime/task/admit.h): the arithmetic, and a model of a GPU whose
 * memory gives tasks their operands one by one and takes none back. There all tasks end, and without the rule some
 * streams wait for each other for ever. */
#include "runtime/task/admit.h"
#include "tt.h"

#define MIB ((double)(1 << 20))

static void sums(void **state)
{
    (void)state;
    assert_true(tw_admits(0, 1e15, 1e9, 0)); /* alone: nobody else would make room */
    assert_true(tw_admits(1, 1e15, -1, 0));  /* no limit known */
    assert_true(tw_admits(1, 1e15, 0, 0));
    assert_true(tw_admits(100 * MIB, 100 * MIB, 360 * MIB, 0));
    assert_false(tw_admits(100 * MIB, 101 * MIB, 360 * MIB, 0));
    assert_false(tw_admits(101 * MIB, 100 * MIB, 360 * MIB, 0));
    assert_false(tw_admits(100 * MIB, 100 * MIB, 360 * MIB, 1));
    assert_true(tw_admits(100 * MIB, 100 * MIB, 400 * MIB, 40 * MIB));
    assert_false(
        tw_admits(1, 1, 100 * MIB, 0)); /* one after another where memory is less than what StarPU keeps for itself */
}

static void small_ones(void **state)
{
    (void)state;
    assert_true(tw_keeps(1, 600 * MIB) == 32 * MIB); /* it may be alone in a piece */
    assert_true(tw_keeps(4 * MIB, 600 * MIB) == 32 * MIB);
    assert_true(tw_keeps(4 * MIB + 1, 600 * MIB) == 4 * MIB + 1); /* StarPU asks for it by itself */
    assert_true(tw_keeps(0, 600 * MIB) == 0);
    assert_true(tw_keeps(8, 8192 * MIB) == 8);
    assert_true(tw_keeps(8, -1) == 8);
}

/* A stream's tasks, and those of others that end on it: StarPU hands some to a worker past the policy. */
static void what_a_stream_has(void **state)
{
    struct tw_stream_has s = {0};
    int a, b, other;

    (void)state;
    assert_false(tw_stream_gives(&s, &other));
    tw_stream_takes(&s, &a, 3 * MIB);
    tw_stream_takes(&s, &b, 5 * MIB);
    assert_true(tw_stream_bytes(&s) == 8 * MIB);
    assert_false(tw_stream_gives(&s, &other));
    assert_true(tw_stream_bytes(&s) == 8 * MIB);
    assert_true(tw_stream_gives(&s, &a));
    assert_true(tw_stream_bytes(&s) == 5 * MIB);
    assert_false(tw_stream_gives(&s, &a));
    assert_true(tw_stream_gives(&s, &b));
    assert_true(tw_stream_bytes(&s) == 0);
    for (int k = 0; k < 1000; k++) {
        tw_stream_takes(&s, &a, MIB);
        (void)tw_stream_gives(&s, &other);
        assert_true(tw_stream_gives(&s, &a));
    }
    assert_true(tw_stream_bytes(&s) == 0);
    for (int k = 0; k < 2 * TW_STREAM_TASKS; k++)
        tw_stream_takes(&s, &a, MIB); /* more than StarPU's pipelines hold: those that have no place do not count */
    assert_true(tw_stream_bytes(&s) == TW_STREAM_TASKS * MIB);
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

enum { STREAMS = 3, OPERANDS = 5, TASKS = 200 };

struct stream {
    double operand[OPERANDS], needs, has;
    int next; /* operand that it waits for; OPERANDS: none */
    int busy;
};

static unsigned draw(unsigned *seed)
{
    return (*seed = *seed * 1103515245u + 12345u) >> 16;
}

static void next_task(struct stream *s, unsigned *seed)
{
    *s = (struct stream){0};
    for (int k = 0; k < OPERANDS; k++)
        s->needs += s->operand[k] = (1 + draw(seed) % 64) * MIB;
}

/* How many tasks end. Each turn one stream, by chance, gets its next operand if there is room, or ends its task. */
static int ended(int by_the_rule, unsigned seed, double total)
{
    struct stream stream[STREAMS] = {0}, waiting;
    double used = TW_SMALL_PIECES;
    int begun = 0, done = 0, still = 0;

    next_task(&waiting, &seed);
    while (done < TASKS && still < 100 * STREAMS) {
        struct stream *s = &stream[draw(&seed) % STREAMS];
        double others = 0;

        for (int k = 0; k < STREAMS; k++)
            others += stream[k].busy ? stream[k].needs : 0;
        still++;
        if (!s->busy) {
            if (begun == TASKS || (by_the_rule && !tw_admits(others, waiting.needs, total, 0))) continue;
            *s = waiting;
            s->busy = 1;
            begun++;
            next_task(&waiting, &seed);
        } else if (s->next == OPERANDS) {
            used -= s->has;
            s->busy = 0;
            done++;
        } else if (used + s->operand[s->next] <= total) {
            used += s->operand[s->next];
            s->has += s->operand[s->next++];
        } else {
            continue;
        }
        still = 0;
    }
    return done;
}

static void streams(void **state)
{
    int stuck = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 50; seed++) {
        assert_int_equal(ended(1, seed, TW_SMALL_PIECES + 64 * OPERANDS * MIB), TASKS);
        assert_int_equal(ended(1, seed, TW_SMALL_PIECES + 400 * MIB), TASKS);
        stuck += ended(0, seed, TW_SMALL_PIECES + 64 * OPERANDS * MIB) < TASKS;
    }
    assert_true(stuck > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(small_ones),
                                       cmocka_unit_test(what_a_stream_has), cmocka_unit_test(streams)};
    return tt_run(tests);
}
