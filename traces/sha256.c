/* SHA-256, by the text of FIPS 180-4, sections 5 and 6. */
#include "traces/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t turned(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void block(uint32_t h[8], const unsigned char *m)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], v[8];

    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)m[4 * t] << 24 | (uint32_t)m[4 * t + 1] << 16 | (uint32_t)m[4 * t + 2] << 8 | m[4 * t + 3];
    for (int t = 16; t < 64; t++)
        w[t] = w[t - 16] + (turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 7] +
               (turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; t++) {
        const uint32_t a = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                           ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[t] + w[t];
        const uint32_t b =
            (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += a;
        v[0] = a + b;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

struct tw_policy_hash tw_policy_hash(const char *text, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[128] = {0}, sum[33] = {0};
    const size_t whole = length / 64, rest = length % 64, end = rest < 56 ? 64 : 128;
    struct tw_policy_hash out;
    int n = snprintf(out.text, sizeof out.text, "'sha256-");

    for (size_t k = 0; k < whole; k++)
        block(h, (const unsigned char *)text + 64 * k);
    memcpy(last, text + 64 * whole, rest);
    last[rest] = 0x80;
    for (int k = 0; k < 8; k++)
        last[end - 1 - (size_t)k] = (unsigned char)((uint64_t)length * 8 >> 8 * k);
    block(h, last);
    if (end == 128) block(h, last + 64);
    for (int k = 0; k < 32; k++)
        sum[k] = (unsigned char)(h[k / 4] >> (24 - 8 * (k % 4)));
    for (int k = 0; k < 33; k += 3) {
        const unsigned v = (unsigned)sum[k] << 16 | (unsigned)sum[k + 1] << 8 | (k + 2 < 32 ? sum[k + 2] : 0);
        for (int i = 0; i < 4; i++)
            out.text[n++] = k == 30 && i == 3 ? '=' : letters[v >> (18 - 6 * i) & 63];
    }
    snprintf(out.text + n, sizeof out.text - (size_t)n, "'");
    return out;
}
