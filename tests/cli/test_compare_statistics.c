/* The statistics of `tilework compare`, on made-up times with known answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/compare/statistics.h"

enum { BLOCKS = 10, MOST = 12 };

static double uniform(unsigned long long *state)
{
    return ((double)(compare_random(state) >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(unsigned long long *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1.0) * uniform(state));
}

/* Times of settings whose true ones are `truth`: noise of 2 %, what a block does to all of its runs, and (outliers) one
 * run in twenty that takes half as long again. */
static void make(double *seconds, const double *truth, int settings, int blocks, int outliers, unsigned long long seed)
{
    unsigned long long state = seed * 1000003 + 17;

    for (int b = 0; b < blocks; b++) {
        const double block = 1 + 0.1 * uniform(&state);
        for (int s = 0; s < settings; s++) {
            double t = truth[s] * block * (1 + 0.02 * normal(&state));
            if (uniform(&state) < 0.05 && outliers) t *= 1.5;
            seconds[s * blocks + b] = t;
        }
    }
}

/* Of so many seeds, in how many some verdict says that settings differ; checks that the same seed gives the same
 * again. */
static int called_different(const double *truth, int settings, int blocks, int outliers, int seeds)
{
    int different = 0;

    for (int seed = 1; seed <= seeds; seed++) {
        double t[MOST * 100];
        struct compare_verdict v[MOST + 1], again[MOST + 1];
        int best, next, n, some = 0;
        make(t, truth, settings, blocks, outliers, (unsigned long long)seed);
        n = compare_all(t, settings, blocks, 0.02, v, &best, &next);
        memset(again, 0, sizeof again);
        make(t, truth, settings, blocks, outliers, (unsigned long long)seed);
        assert_int_equal(compare_all(t, settings, blocks, 0.02, again, &best, &next), n);
        for (int k = 0; k < n; k++) {
            some |= v[k].call == COMPARE_FASTER || v[k].call == COMPARE_SLOWER;
            assert_int_equal(v[k].call, again[k].call);
            assert_true(v[k].low == again[k].low && v[k].high == again[k].high && v[k].more == again[k].more);
        }
        different += some;
    }
    return different;
}

static void effects_are_found(void **state)
{
    const double five[] = {1, 0.95}, slower[] = {1, 1.05}, four[] = {1, 1, 0.95, 1};
    (void)state;
    for (int outliers = 0; outliers < 2; outliers++) {
        const int a = called_different(five, 2, BLOCKS, outliers, 100);
        const int b = called_different(slower, 2, BLOCKS, outliers, 100);
        const int c = called_different(four, 4, BLOCKS, outliers, 100);
        printf("5 %% at 2 %% noise%s, 10 blocks: found in %d, %d (slower), %d (one of four) of 100\n",
               outliers ? " and outliers" : "", a, b, c);
        assert_true(outliers ? a >= 50 && b >= 50 && c >= 50 : a >= 95 && b >= 95 && c >= 95);
    }
}

static void equals_are_not_told_apart(void **state)
{
    const double one[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    for (int settings = 2; settings <= MOST; settings += 5)
        for (int outliers = 0; outliers < 2; outliers++)
            for (int blocks = 6; blocks <= 80; blocks = blocks == 6 ? 10 : blocks == 10 && settings == 2 ? 80 : 100) {
                const int wrong = called_different(one, settings, blocks, outliers, blocks > 10 ? 200 : 1000);
                printf("%d equal settings%s, %d blocks: called different in %d of %d\n", settings,
                       outliers ? " with outliers" : "", blocks, wrong, blocks > 10 ? 200 : 1000);
                assert_true(wrong <= (blocks > 10 ? 16 : 60));
            }
}

/* The interval of the ratio covers it. */
static void intervals_cover(void **state)
{
    const double truth[] = {1, 0.93};
    int covered = 0, medians = 0;
    (void)state;
    for (int seed = 1; seed <= 1000; seed++) {
        double t[2 * BLOCKS], single[BLOCKS];
        unsigned long long random = (unsigned long long)seed;
        make(t, truth, 2, BLOCKS, 0, (unsigned long long)seed);
        const struct compare_verdict v = compare_pair(t, t + BLOCKS, BLOCKS, 0.05, 0.02);
        covered += v.low <= 0.93 && 0.93 <= v.high;
        for (int k = 0; k < BLOCKS; k++)
            single[k] = 3 + 0.1 * normal(&random);
        const struct compare_median m = compare_median(single, BLOCKS);
        medians += m.low <= 3 && 3 <= m.high;
    }
    printf("ratios covered: %d of 1000; medians: %d\n", covered, medians);
    assert_true(covered >= 935 && covered < 1000 && medians >= 935 && medians < 1000);
}

/* "N more blocks" is about right: with so many (and a half more) it is decided, mostly. */
static void as_many_more(void **state)
{
    const double near[] = {1, 0.975};
    int undecided = 0, decided = 0;
    (void)state;
    for (int seed = 1; seed <= 200; seed++) {
        double t[2 * 100];
        make(t, near, 2, 6, 0, (unsigned long long)seed);
        const struct compare_verdict v = compare_pair(t, t + 6, 6, 0.04, 0.005);
        if (v.call != COMPARE_UNDECIDED || v.more == 0 || v.more > 90) continue;
        undecided++;
        make(t, near, 2, 6 + v.more, 0, (unsigned long long)seed + 1000);
        decided += compare_pair(t, t + 6 + v.more, 6 + v.more, 0.04, 0.005).call != COMPARE_UNDECIDED;
    }
    printf("undecided: %d of 200; as many more blocks decided %d of them\n", undecided, decided);
    assert_true(undecided > 20 && 2 * decided > undecided);
}

static void corners(void **state)
{
    const double t[] = {2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, NAN, 1}, few[] = {1, 1.1, 0.9, 2, 2.1, 1.9};
    struct compare_verdict v[3];
    struct compare_median m;
    int best, next;
    (void)state;
    m = compare_median(t, 8);
    assert_true(m.median == 2 && m.low == 2 && m.high == 2 && m.count == 8);
    m = compare_median(t + 8, 8);
    assert_int_equal(m.count, 7);
    m = compare_median(few, 3);
    assert_true(m.median == 1 && isnan(m.low) && isnan(m.high));
    m = compare_median(t, 0);
    assert_true(isnan(m.median) && m.count == 0);

    v[0] = compare_pair(t, t, 8, 0.04, 0.02); /* identical */
    assert_true(v[0].call == COMPARE_SAME && v[0].ratio == 1 && v[0].low == 1 && v[0].high == 1);
    v[0] = compare_pair(t, t + 8, 8, 0.04, 0.02); /* a block without a time for one of them is left out */
    assert_true(v[0].call == COMPARE_FASTER && v[0].blocks == 7 && fabs(v[0].ratio - 0.5) < 1e-12);
    v[0] = compare_pair(few, few + 3, 3, 0.04, 0.02); /* no verdict however clear: 3 blocks are as good as 3 coins */
    assert_true(v[0].call == COMPARE_UNDECIDED && v[0].more == 3 && isinf(v[0].high) && v[0].low == 0);
    v[0] = compare_pair((const double[]){NAN}, few, 1, 0.04, 0.02);
    assert_int_equal(v[0].call, COMPARE_NO_DATA);

    /* Two settings: one verdict. The one that failed once is nobody's best. */
    assert_int_equal(compare_all(t, 2, 8, 0.02, v, &best, &next), 1);
    assert_true(best == 0 && next == -1 && v[0].other == 1);
    /* Three, the first of which is neither best nor next: the pair of these is one more. */
    double three[3 * 8];
    for (int k = 0; k < 8; k++)
        three[k] = 3, three[8 + k] = 2, three[16 + k] = 1;
    assert_int_equal(compare_all(three, 3, 8, 0.02, v, &best, &next), 3);
    assert_true(best == 2 && next == 1 && v[2].reference == 1 && v[2].other == 2 && v[2].call == COMPARE_FASTER);

    int order[100], seen[100] = {0}, same = 1;
    unsigned long long a = 5, b = 5, c = 6;
    int other[100], third[100];
    for (int k = 0; k < 100; k++)
        order[k] = other[k] = third[k] = k;
    compare_shuffle(order, 100, &a), compare_shuffle(other, 100, &b), compare_shuffle(third, 100, &c);
    assert_memory_equal(order, other, sizeof order);
    for (int k = 0; k < 100; k++)
        seen[order[k]]++, same &= order[k] == third[k];
    for (int k = 0; k < 100; k++)
        assert_int_equal(seen[k], 1);
    assert_false(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(effects_are_found), cmocka_unit_test(equals_are_not_told_apart),
                                       cmocka_unit_test(intervals_cover), cmocka_unit_test(as_many_more),
                                       cmocka_unit_test(corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
