/* What the readers and writers of signals share. */
#ifndef TW_IO_FFT_SIGNAL_H
#define TW_IO_FFT_SIGNAL_H
#include <stdio.h>
#include <tilework/fft.h>
#include "runtime/base/error.h"

/* A file being read: all of it that is known to be there. Readers never allocate more than the file's size
 * justifies. */
struct tw_input {
    const char *name; /* for messages */
    const unsigned char *data;
    size_t size, at;
};
/* Read from memory: what tw_signal_read does after loading the file, and what the fuzzers call. */
int tw_signal_parse(const char *name, const void *data, size_t size, tw_signal *s);

int tw_npy_parse(struct tw_input *f, tw_signal *s);
int tw_wav_parse(struct tw_input *f, tw_signal *s);
int tw_pnm_parse(struct tw_input *f, tw_signal *s);
void tw_npy_write(FILE *out, const tw_signal *s);
void tw_wav_write(FILE *out, const tw_signal *s);
void tw_pnm_write(FILE *out, const tw_signal *s);
void tw_png_write(FILE *out, const tw_signal *s);

size_t tw_signal_element(enum tw_type type); /* bytes */
/* Element k's real part as a double. */
double tw_signal_real(const tw_signal *s, tw_int k);
/* The same of an image as a byte: [0, 1] to 0 … 255, clipped. */
int tw_pixel(const tw_signal *s, tw_int k);
/* Allocate s->data for type and n[0…rank-1], whose product is at most `limit`; 0 or an error. */
int tw_signal_allocate(const char *name, tw_signal *s, tw_int limit);

static inline uint32_t tw_little(const unsigned char *p, int bytes)
{
    uint32_t x = 0;
    for (int k = 0; k < bytes; k++)
        x |= (uint32_t)p[k] << 8 * k;
    return x;
}
#endif
