/* Small facts about types. */
#ifndef TW_RUNTIME_BASE_TYPES_H
#define TW_RUNTIME_BASE_TYPES_H
#include <tilework/runtime.h>

/* One of the four that routines compute in. */
static inline int tw_type_ok(enum tw_type t)
{
    return (int)t >= 0 && (int)t < TW_NTYPES;
}
static inline int tw_is_complex(enum tw_type t)
{
    return t == TW_COMPLEX_FLOAT || t == TW_COMPLEX_DOUBLE;
}
static inline int tw_is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static inline int tw_is_integer(enum tw_type t)
{
    return t == TW_INT32 || t == TW_INT64 || t == TW_INT8;
}
/* The real type of the same precision: of norms, eigenvalues, … beside a complex matrix. */
static inline enum tw_type tw_real_type(enum tw_type t)
{
    return t == TW_COMPLEX_FLOAT ? TW_FLOAT : t == TW_COMPLEX_DOUBLE ? TW_DOUBLE : t;
}
static inline size_t tw_sizeof(enum tw_type t)
{
    static const unsigned char size[TW_NELEMENTS] = {4, 8, 8, 16, 4, 8, 2, 2, 1};
    return size[t];
}
/* LAPACK's for the four; i and l are C's int and long, h, b and q: half, bfloat16, quarter of an int. */
static inline char tw_letter(enum tw_type t)
{
    return "sdczilhbq"[t];
}
/* Flops of one multiply-add pair: counts below are for real arithmetic, complex costs 4 times as much. */
static inline double tw_flop_factor(enum tw_type t)
{
    return tw_is_complex(t) ? 4.0 : 1.0;
}
static inline tw_int tw_min(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
static inline tw_int tw_max(tw_int a, tw_int b)
{
    return a > b ? a : b;
}
#endif
