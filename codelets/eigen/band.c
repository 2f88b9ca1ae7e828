/* The band's memory and its tokens; and its first task, which fills it with zeros.
 *
 * Buffers    band  W  ld x n */
#include <stdlib.h>
#include <string.h>
#include "codelets/eigen/band.h"

/* What a task moves of it, its submission says: not all of the band. */
static double no_bytes(const struct tw_data *d)
{
    (void)d;
    return 0;
}
static const struct tw_data_kind kind = {.name = "band", .form = TW_FORM_MATRIX, .bytes = no_bytes};

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *band = &body->buf[0];
    memset(band->ptr, 0, (size_t)band->ld * (size_t)band->n * tw_sizeof(body->type));
    return 0;
}

static struct tw_codelet codelet = {.name = "laset_band", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = cpu};

static void submit(struct tw_sequence *seq, const struct tw_band *B)
{
    const struct tw_access access[] = {{B->memory, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = tw_priority(seq, 1, 1, 1),
                                     .bytes = (double)B->ld * B->n * (double)tw_sizeof(B->type),
                                     .size = B->ld,
                                     .coord = {-1, -1, -1, -1}});
}

/* As wide as some blocks, and not so many that naming them costs. */
static int segment_width(int n, int b)
{
    const tw_int blocks = 4, least = (n + 255) / 256;
    return (int)tw_min(b * tw_max(blocks, (least + b - 1) / b), INT32_MAX);
}

static int make(struct tw_band *B)
{
    B->width = segment_width(B->n, B->b);
    B->segments = (int)(((tw_int)B->n + B->width - 1) / B->width);
    if (!(B->token = calloc((size_t)B->segments + 1, sizeof *B->token))) return -1;
    for (int k = 0; k < B->segments; k++)
        if (!(B->token[k] = tw_data_token())) return -1;
    return (B->memory = tw_data_of(&kind, B->type, B->ld, (int)tw_max(B->n, 1), (const int[4]){0})) ? 0 : -1;
}

/* ld: rows of memory for each of b. */
static struct tw_band *create(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b, int ld)
{
    struct tw_band *B = calloc(1, sizeof *B);

    if (B && n <= INT32_MAX / 2) {
        B->type = type;
        B->n = (int)n;
        B->b = (int)tw_max(1, tw_min(b, n - 1));
        B->ld = ld * B->b;
        if (make(B) == 0) {
            submit(seq, B);
            return B;
        }
    }
    tw_band_free_later(B);
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for a band matrix of order %lld", (long long)n);
    return NULL;
}

struct tw_band *tw_band_create(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b)
{
    return create(seq, type, n, b, 2);
}
struct tw_band *tw_band_create_triangular(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b)
{
    return create(seq, type, n, b, 3);
}

void tw_band_free_later(struct tw_band *B)
{
    if (!B) return;
    for (int k = 0; B->token && k < B->segments; k++)
        tw_data_free_later(B->token[k]);
    tw_data_free_later(B->memory);
    free(B->token);
    free(B);
}

int tw_band_accesses(const struct tw_band *B, int first, int last, enum tw_mode mode, struct tw_access *access)
{
    int count = 0;

    access[count++] = (struct tw_access){B->memory, TW_R};
    if (first < last)
        for (int k = first / B->width; k <= (int)tw_min(last - 1, B->n - 1) / B->width; k++)
            access[count++] = (struct tw_access){B->token[k], mode};
    return count;
}
