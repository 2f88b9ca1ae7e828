/* What routines make for a while, counted: every temporary matrix, tile and band passes by the linker's wraps of the
 * functions that make them, first use them and let them go (tw_count_what_is_made in tests/CMakeLists.txt). For one
 * program: it defines the wraps. */
#ifndef TILEWORK_TEST_MADE_H
#define TILEWORK_TEST_MADE_H
#include <pthread.h>
#include <math.h>
#include "runtime/data/data.h"
#include "tt.h"

/* Bytes in all; there, at the moment and at the most, as loops submit: what is given back counts as gone, though its
 * last tasks may still run. And held, at the moment and at the most: an object has memory from the first task that uses
 * it on, so that of a triangle's copy one half never has any. */
static struct {
    double all, live, most, held, most_held;
} tt_made;

enum { TT_MADE_ROOM = 1 << 18 };
static struct {
    const void *object;
    double bytes;
    int used;
} tt_made_object[TT_MADE_ROOM];
static pthread_mutex_t tt_made_lock = PTHREAD_MUTEX_INITIALIZER;

/* The object's entry, or where it would be. */
static size_t tt_made_place(const void *object)
{
    size_t k = ((size_t)object / 16 * 0x9E3779B97F4A7C15u) >> (64 - 18);
    while (tt_made_object[k].object && tt_made_object[k].object != object)
        k = (k + 1) % TT_MADE_ROOM;
    return k;
}

static void tt_made_bytes(const struct tw_data *d, double bytes)
{
    pthread_mutex_lock(&tt_made_lock);
    const size_t k = tt_made_place(d);
    tt_made_object[k].object = d;
    tt_made_object[k].bytes = bytes;
    tt_made_object[k].used = 0;
    tt_made.all += bytes;
    tt_made.live += bytes;
    tt_made.most = fmax(tt_made.most, tt_made.live);
    pthread_mutex_unlock(&tt_made_lock);
}

static void tt_made_count(const struct tw_data *d)
{
    if (d) tt_made_bytes(d, (double)d->m * (double)d->n * (double)tw_sizeof(d->type));
}

void __real_tw_times_freed(const void *object);
void __wrap_tw_times_freed(const void *object);
void __wrap_tw_times_freed(const void *object)
{
    pthread_mutex_lock(&tt_made_lock);
    const size_t k = tt_made_place(object);
    tt_made.live -= tt_made_object[k].bytes;
    if (tt_made_object[k].used) tt_made.held -= tt_made_object[k].bytes;
    tt_made_object[k].bytes = 0;
    tt_made_object[k].used = 0;
    pthread_mutex_unlock(&tt_made_lock);
    __real_tw_times_freed(object);
}

struct _starpu_data_state *__real_tw_data_make_handle(struct tw_data *d);
struct _starpu_data_state *__wrap_tw_data_make_handle(struct tw_data *d);
struct _starpu_data_state *__wrap_tw_data_make_handle(struct tw_data *d)
{
    pthread_mutex_lock(&tt_made_lock);
    const size_t k = tt_made_place(d);
    if (tt_made_object[k].bytes > 0 && !tt_made_object[k].used) {
        tt_made_object[k].used = 1;
        tt_made.held += tt_made_object[k].bytes;
        tt_made.most_held = fmax(tt_made.most_held, tt_made.held);
    }
    pthread_mutex_unlock(&tt_made_lock);
    return __real_tw_data_make_handle(d);
}

struct tw_matrix *__real_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    struct tw_matrix *A = __real_tw_matrix_temporary(type, m, n, mb, nb);
    for (int j = 0; A && j < A->nt; j++)
        for (int i = 0; i < A->mt; i++)
            tt_made_count(tw_tile(A, i, j));
    return A;
}
struct tw_data *__real_tw_data_tile(enum tw_type type, int m, int n);
struct tw_data *__wrap_tw_data_tile(enum tw_type type, int m, int n);
struct tw_data *__wrap_tw_data_tile(enum tw_type type, int m, int n)
{
    struct tw_data *d = __real_tw_data_tile(type, m, n);
    tt_made_count(d);
    return d;
}
/* A band with its bulges. */
struct tw_data *__real_tw_data_of(const struct tw_data_kind *kind, enum tw_type type, int m, int n, const int shape[4]);
struct tw_data *__wrap_tw_data_of(const struct tw_data_kind *kind, enum tw_type type, int m, int n, const int shape[4]);
struct tw_data *__wrap_tw_data_of(const struct tw_data_kind *kind, enum tw_type type, int m, int n, const int shape[4])
{
    struct tw_data *d = __real_tw_data_of(kind, type, m, n, shape);
    tt_made_count(d);
    return d;
}
/* Vectors of numbers do not count; those of n numbers for each right-hand side are no such. */
struct tw_data *__real_tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
struct tw_data *__wrap_tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
static size_t tt_made_vector; /* elements from which on a vector counts; 0: none does */
struct tw_data *__wrap_tw_data_vector(size_t length, size_t elemsize, const int coord[2])
{
    struct tw_data *d = __real_tw_data_vector(length, elemsize, coord);
    if (d && tt_made_vector && length >= tt_made_vector) tt_made_bytes(d, (double)length * (double)elemsize);
    return d;
}

static inline void tt_made_begin(void)
{
    pthread_mutex_lock(&tt_made_lock);
    memset(tt_made_object, 0, sizeof tt_made_object);
    memset(&tt_made, 0, sizeof tt_made);
    pthread_mutex_unlock(&tt_made_lock);
}

/* A matrix of the library's with random content of that kind. */
static inline tw_matrix *tt_made_matrix(enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb,
                                        const char *kind)
{
    tw_generator *g;
    tw_matrix *A;

    assert_int_equal(tw_matrix_create(&A, t, uplo, m, n, nb, NULL), 0);
    assert_int_equal(tw_generator_create(&g, kind, t, m, n, 7), 0);
    assert_int_equal(tw_matrix_generate(A, g), 0);
    tw_generator_destroy(g);
    return A;
}

/* What a routine is compared with: all that it made, if that may be there at the same time, or the most that was.
 * `least`: the part of it that is to be said, 1 where it is counted; never more is. Or the most that it held, as far as
 * that is known before: up to a half more, for what is deflated. */
enum tt_made_how { TT_ALL, TT_MOST, TT_HELD };
struct tt_made_problem {
    const char *routine;
    enum tw_type type;
    tw_int m, n, k, nb;
};
/* The routine has run since tt_made_begin on these matrices, which are all that it says it is given. They are
 * destroyed. */
static inline void tt_made_compare(const struct tt_made_problem *p, enum tt_made_how how, double least,
                                   tw_matrix *const *list, int operands)
{
    const double seen = how == TT_ALL    ? tt_made.all
                        : how == TT_MOST ? tt_made.most
                                         : tt_made.most_held,
                 more = how == TT_HELD ? 1.5 : 1.02;
    double given = 0;
    tw_memory said;

    assert_int_equal(tw_routine_memory(p->routine, p->type, p->m, p->n, p->k, p->nb, &said), 0);
    assert_int_equal(said.nb, p->nb);
    for (int i = 0; i < operands; i++)
        given += (double)list[i]->bytes;
    if ((double)said.host != given)
        fail_msg("%s: operands take %zu bytes, it says, and take %.0f", p->routine, said.host, given);
    if (tw_has_cuda()) {
        assert_true(said.gpus >= said.host + said.own && said.per_gpu <= said.gpus);
    } else {
        assert_int_equal(said.gpus, 0);
        if ((double)said.own > more * seen + 4096 || (double)said.own < least * 0.98 * seen - 4096)
            fail_msg("%s, type %c, k = %lld: %zu bytes of its own, it says, and makes %.0f (at a time %.0f, held %.0f)",
                     p->routine, tw_type_letter(p->type), (long long)p->k, said.own, tt_made.all, tt_made.most,
                     tt_made.most_held);
    }
    for (int i = 0; i < operands; i++)
        assert_int_equal(tw_matrix_destroy(list[i]), 0);
}
#endif
