/* The rows of the dense routines against the public header, and operands in any number. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/dense/dense_loops.h"
#include "runtime/base/living.h"
#include <tilework/starpu.h>
#include "tt.h"

static char *header(void)
{
    static char text[1 << 17];
    static const char *const names[] = {"dense.h", "matrix.h"};
    size_t length = 0;

    for (int k = 0; k < 2; k++) {
        char path[4096];
        FILE *f;
        snprintf(path, sizeof path, "%s/include/tilework/%s", getenv("TILEWORK_SOURCE"), names[k]);
        if (!(f = fopen(path, "r"))) return NULL; /* a bundle without sources */
        length += fread(text + length, 1, sizeof text - 1 - length, f);
        assert_int_equal(fclose(f), 0);
    }
    text[length] = 0;
    return text;
}

/* The parameters of a prototype, or NULL. */
static const char *prototype(const char *text, const char *name)
{
    char word[128];
    snprintf(word, sizeof word, "int %s(", name);
    const char *at = strstr(text, word);
    return at ? at + strlen(word) : NULL;
}

static int count(const char *parameters, const char *what)
{
    const char *end = strchr(parameters, ')');
    int n = 0;
    for (const char *at = strstr(parameters, what); at && at < end; at = strstr(at + 1, what))
        n++;
    return n;
}

static void rows_are_the_header(void **state)
{
    const char *text = header();

    (void)state;
    if (!text) skip();
    for (const struct tw_routine *const *r = tw_dense_routines; *r; r++) {
        char name[96];
        const char *p;
        int operands = 0;

        for (const struct tw_operand *o = (*r)->operand; o->mode; o++)
            operands++;
        snprintf(name, sizeof name, "tw_%s", (*r)->name);
        p = prototype(text, (*r)->function ? (*r)->function : name);
        if (!p) fail_msg("%s: no prototype", name);
        if (count(p, ",") + 1 != (*r)->arguments || count(p, "tw_matrix *") != operands)
            fail_msg("%s: the row says %d arguments, %d of them matrices", name, (*r)->arguments, operands);
        snprintf(name, sizeof name, "tw_%s_async", (*r)->name);
        p = prototype(text, name);
        if (!p) fail_msg("%s: no prototype", name);
        if (count(p, ",") != (*r)->arguments || count(p, "tw_sequence *") != 1)
            fail_msg("%s: not the row's arguments and a sequence", name);
    }
}

/* Every prototype of the header that takes a sequence has a row. */
static void the_header_is_rows(void **state)
{
    const char *text = header();
    int found = 0;

    (void)state;
    if (!text) skip();
    for (const char *at = strstr(text, "int tw_"); at; at = strstr(at + 1, "int tw_")) {
        char name[96];
        size_t length = strcspn(at + 7, "(");
        int known = 0;
        if (length < 7 || length > sizeof name || memcmp(at + 7 + length - 6, "_async", 6)) continue;
        snprintf(name, sizeof name, "%.*s", (int)(length - 6), at + 7);
        for (const struct tw_routine *const *r = tw_dense_routines; *r; r++)
            known |= !strcmp((*r)->name, name);
        if (!known) fail_msg("tw_%s_async has no row", name);
        found++;
    }
    assert_true(found >= 17);
}

/* Rows refuse what is not there. */
static void null_arguments(void **state)
{
    (void)state;
    for (const struct tw_routine *const *r = tw_dense_routines; *r; r++) {
        char args[256] = {0};
        tw_sequence *seq;
        assert_true((*r)->size <= sizeof args);
        assert_true((*r)->check("test", args) < 0);
        assert_int_equal(tw_queue(*r, NULL, args), -((*r)->arguments + 1));
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_true(tw_queue(*r, seq, args) < 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    }
}

/* ---- forty matrices ---------------------------------------------------------------------------------------------- */

enum { MANY = 40, N = 60 };
struct args {
    int n;
    struct tw_matrix **list;
    struct tw_matrix *sum;
};

static void add_all(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    for (int k = 0; k < a->n; k++)
        for (int j = 0; j < a->sum->nt; j++)
            for (int i = 0; i < a->sum->mt; i++)
                tw_task_gemm(seq, 0, 'N', 'N', tw_one, tw_tile(a->list[k], i, j), tw_tile(a->list[0], j, j), tw_one,
                             tw_tile(a->sum, i, j));
}

static const struct tw_routine add_row = {.name = "add",
                                          .arguments = 3,
                                          .size = sizeof(struct args),
                                          .loop = add_all,
                                          .operand =
                                              TW_OPERANDS(TW_OPERAND_LIST(TW_R, list, n), TW_OPERAND(TW_RW, sum))};

/* A loop that holds the queue up, until it is told to go on. */
static atomic_int opened;
static void gate(struct tw_sequence *seq, void *p)
{
    (void)seq, (void)p;
    while (!atomic_load(&opened))
        usleep(1000);
}

struct destroyer {
    struct tw_matrix **list;
    atomic_int done;
};
static void *destroy_all(void *p)
{
    struct destroyer *d = p;
    for (int k = 0; k < MANY; k++) {
        assert_int_equal(tw_matrix_destroy(d->list[k]), 0);
        atomic_fetch_add(&d->done, 1);
    }
    return NULL;
}

static void forty_operands_destroyed_while_queued(void **state)
{
    static double one[N * N], sum[N * N];
    struct tw_matrix *list[MANY], *copy[MANY], *S;
    tw_sequence *seq;
    pthread_t thread;

    (void)state;
    for (int k = 0; k < N; k++)
        one[k + k * N] = 1;
    for (int k = 0; k < MANY; k++)
        assert_int_equal(tw_matrix_from_lapack(&list[k], TW_DOUBLE, TW_GENERAL, N, N, one, N, N), 0);
    assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, N, N, sum, N, N), 0);
    memcpy(copy, list, sizeof copy);
    assert_int_equal(tw_sequence_create(&seq), 0);
    atomic_store(&opened, 0);
    assert_int_equal(tw_call_async(seq, "gate", gate, NULL, 0, 0), 0);
    assert_int_equal(tw_queue(&add_row, seq, &(struct args){MANY, list, S}), 0);
    memset(list, 0, sizeof list); /* the caller's array is his again */
    struct destroyer d = {copy, 0};
    assert_int_equal(pthread_create(&thread, NULL, destroy_all, &d), 0);
    usleep(50000);
    assert_int_equal(atomic_load(&d.done), 0); /* the first one waits: its tasks are not submitted yet */
    atomic_store(&opened, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_to_lapack(S, sum, N), 0);
    assert_int_equal(tw_matrix_destroy(S), 0);
    for (int k = 0; k < N; k++)
        assert_true(sum[k + k * N] == MANY);
}

/* ---- posv's solve does not wait for the factorization ------------------------------------------------------------ */

enum { ORDER = 800, TILE = 100, TILES = 8, RHS = 7 };

/* While somebody holds the last diagonal tile the factorization cannot end; tasks of the solve run all the same. */
static void the_solve_overlaps_the_factorization(void **state)
{
    const unsigned long factor = TILES * (TILES + 1) * (TILES + 2) / 6, behind_the_tile = TILES, copies = TILES;
    double *a = tt_array(TW_DOUBLE, ORDER, ORDER), *b = tt_array(TW_DOUBLE, ORDER, RHS);
    struct tw_matrix *A, *B;
    tw_sequence *seq;
    unsigned long ran = 0;

    (void)state;
    tt_spd(TW_DOUBLE, 'L', ORDER, a, ORDER, 3);
    tt_random(TW_DOUBLE, 'G', ORDER, RHS, b, ORDER, 4);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, ORDER, ORDER, a, ORDER, TILE), 0);
    assert_int_equal(tw_matrix_from_lapack(&B, TW_DOUBLE, TW_GENERAL, ORDER, RHS, b, ORDER, TILE), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_workers_hold(), 0);
    assert_int_equal(tw_trace_start(), 0);
    (void)tw_data_acquire(tw_tile(A, TILES - 1, TILES - 1), 'w');
    assert_int_equal(tw_posv_async(TW_LOWER, A, B, seq), 0);
    for (int k = 0; k < 60000 && ran <= factor - behind_the_tile + copies; k++) {
        usleep(1000);
        ran = (unsigned long)tw_trace_count();
    }
    assert_int_equal(tw_sequence_test(seq), 0);
    tw_data_release(tw_tile(A, TILES - 1, TILES - 1));
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_trace_stop(), 0);
    if (ran <= factor - behind_the_tile + copies) fail_msg("only %lu tasks ran beside the factorization", ran);
    assert_int_equal(tw_workers_release(), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_the_header), cmocka_unit_test(the_header_is_rows),
                                       cmocka_unit_test(null_arguments),
                                       cmocka_unit_test(forty_operands_destroyed_while_queued),
                                       cmocka_unit_test(the_solve_overlaps_the_factorization)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
