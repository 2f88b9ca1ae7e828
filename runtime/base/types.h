/* Small facts about the four types. */
#ifndef TW_RUNTIME_BASE_TYPES_H
#define TW_RUNTIME_BASE_TYPES_H
#include <tilework/runtime.h>

static inline int tw_type_ok(enum tw_type t)
{
    return (int)t >= 0 && (int)t < TW_NTYPES;
}
static inline int tw_is_complex(enum tw_type t)
{
    return t >= TW_COMPLEX_FLOAT;
}
static inline int tw_is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static inline size_t tw_sizeof(enum tw_type t)
{
    return (size_t)(tw_is_single(t) ? 4 : 8) * (tw_is_complex(t) ? 2 : 1);
}
static inline char tw_letter(enum tw_type t)
{
    return "sdcz"[t];
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
