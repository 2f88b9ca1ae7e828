/* Random numbers of generators of any family. */
#ifndef TW_TYPES_RANDOM_H
#define TW_TYPES_RANDOM_H
#include <stdint.h>
#include <tilework/runtime.h>

/* The counter-based random numbers of all kinds: SplitMix64's finaliser (Steele, Lea, Flood 2014) of a word that
 * is affine in the counters. Multipliers: odd, from the golden ratio and from sqrt(3) - 1. */
static inline uint64_t tw_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline uint64_t tw_hash(uint64_t stream, tw_int i, tw_int j)
{
    return tw_mix(stream + (uint64_t)i * 0x9E3779B97F4A7C15u + (uint64_t)j * 0xBB67AE8584CAA73Bu);
}
/* Uniform in (-1, 1), symmetric about 0, never 0: the upper 52 bits become a double in [2, 4). */
static inline double tw_uniform(uint64_t stream, tw_int i, tw_int j)
{
    union {
        uint64_t u;
        double d;
    } x = {.u = tw_hash(stream, i, j) >> 12 | 0x4000000000000000u};
    return x.d - (3.0 - 0x1p-52);
}
#endif
