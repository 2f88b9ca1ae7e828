/* What .tw files are made of: numbers and texts in blocks, tasks and ranges (docs/trace-format.md). */
#include "traces/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void put_byte(struct tw_block *b, unsigned v)
{
    if (b->count == b->room) {
        unsigned char *more = realloc(b->byte, 2 * b->room + 4096);
        if (!more) {
            b->failed = 1;
            return;
        }
        b->byte = more;
        b->room = 2 * b->room + 4096;
    }
    b->byte[b->count++] = (unsigned char)v;
}

void tw_block_number(struct tw_block *b, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        put_byte(b, (unsigned)(v & 127) | 128);
    put_byte(b, (unsigned)v);
}
void tw_block_signed(struct tw_block *b, int64_t v)
{
    tw_block_number(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}
void tw_block_text(struct tw_block *b, const char *text)
{
    tw_block_number(b, strlen(text));
    for (; *text; text++)
        put_byte(b, (unsigned char)*text);
}
void tw_block_real(struct tw_block *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    for (int k = 0; k < 8; k++)
        put_byte(b, (unsigned)(bits >> 8 * k & 255));
}

static void put_fixed(FILE *f, uint32_t v)
{
    for (int k = 0; k < 4; k++)
        fputc((int)(v >> 8 * k & 255), f);
}

/* Tag, length, content, checksum of all three. The block is empty then. */
void tw_block_end(struct tw_block *b, const char tag[4])
{
    unsigned char head[8];
    uint32_t sum;

    memcpy(head, tag, 4);
    for (int k = 0; k < 4; k++)
        head[4 + k] = (unsigned char)(b->count >> 8 * k & 255);
    sum = tw_crc32(tw_crc32(0, head, 8), b->byte, b->count);
    fwrite(head, 1, 8, b->f);
    if (b->count) fwrite(b->byte, 1, b->count, b->f);
    put_fixed(b->f, sum);
    b->count = 0;
}

void tw_block_fact(struct tw_block *b, const char *key, const char *value)
{
    tw_block_text(b, key);
    tw_block_text(b, value);
}

void tw_block_workers(struct tw_block *b, const struct tw_recording *r)
{
    for (int w = 0; w < r->nworkers; w++) {
        tw_block_number(b, r->workers[w].is_cuda != 0);
        tw_block_signed(b, r->workers[w].device);
        tw_block_text(b, r->workers[w].name);
    }
    tw_block_end(b, "WORK");
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct tw_record *t)
{
    return t->name ? t->name : "(unnamed)";
}

int tw_lists_find(struct tw_lists *l, const struct tw_recording *r)
{
    for (size_t i = 0; i < r->nrecords; i++) {
        const int before = l->kernel.count, k = tw_index_of(&l->kernel, name_of(&r->records[i]), 0);
        if (k < 0 || (r->records[i].stage && tw_index_of(&l->stage, r->records[i].stage, 0) < 0)) return TW_E_MEMORY;
        if (l->kernel.count == before) continue;
        if (k >= l->colors) {
            unsigned *more = realloc(l->color, (2 * (size_t)k + 16) * sizeof *more);
            if (!more) return TW_E_MEMORY;
            l->color = more;
            l->colors = 2 * k + 16;
        }
        l->color[k] = r->records[i].color & 0xFFFFFF;
    }
    return 0;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static int64_t ns(double seconds)
{
    return isfinite(seconds) && fabs(seconds) < 4e9 ? (int64_t)llround(seconds * 1e9) : 0;
}

static uint64_t length_of(double seconds)
{
    const int64_t v = ns(seconds);
    return v > 0 ? (uint64_t)v : 0;
}

/* 0: not known. */
static void put_phase(struct tw_block *b, int64_t start, double t)
{
    const int64_t v = start - ns(t);
    tw_block_number(b, t > 0 ? ((uint64_t)v << 1 ^ (uint64_t)(v >> 63)) + 1 : 0);
}

void tw_block_task(struct tw_block *b, const struct tw_recording *r, const struct tw_lists *l, size_t i,
                   struct tw_format_last *last)
{
    const struct tw_record *t = &r->records[i];
    const int64_t start = ns(t->start), end = ns(t->end);
    const int lost = t->lost > 0 || t->lost_before > 0, phases = t->ready > 0 || t->taken > 0 || t->loaded > 0,
              models = t->predicted[0] > 0 || t->predicted[1] > 0;
    const size_t first = r->first_edge ? r->first_edge[i] + t->values : 0,
                 count = r->first_edge ? r->first_edge[i + 1] - first : 0;

    tw_block_number(b, (unsigned)((t->part ? TW_FORMAT_PART : 0) | (t->flops > 0 ? TW_FORMAT_FLOPS : 0) |
                                  (t->moved > 0 ? TW_FORMAT_MOVED : 0) | (phases ? TW_FORMAT_PHASES : 0) |
                                  (models ? TW_FORMAT_MODELS : 0) | (lost ? TW_FORMAT_LOST : 0)));
    tw_block_signed(b, (int64_t)(t->id - last->id));
    tw_block_number(b, (uint64_t)tw_index_find(&l->kernel, name_of(t), 0));
    tw_block_number(b, t->type);
    tw_block_number(b, (uint64_t)(t->worker < 0 ? 0 : t->worker));
    tw_block_number(b, (uint64_t)(t->routine < 0 ? 0 : t->routine));
    tw_block_number(b, (uint64_t)(t->stage ? tw_index_find(&l->stage, t->stage, 0) + 1 : 0));
    tw_block_signed(b, t->priority);
    for (int k = 0; k < 4; k++)
        tw_block_signed(b, t->coord[k]);
    tw_block_signed(b, start - last->start);
    tw_block_number(b, (uint64_t)(end > start ? end - start : 0));
    tw_block_signed(b, start - ns(t->submit));
    if (phases) {
        put_phase(b, start, t->ready);
        put_phase(b, start, t->taken);
        put_phase(b, start, t->loaded);
    }
    if (t->flops > 0) tw_block_real(b, t->flops);
    if (t->moved > 0) tw_block_real(b, t->moved);
    for (int k = 0; models && k < 2; k++)
        tw_block_number(b, length_of(t->predicted[k]));
    if (lost) {
        tw_block_number(b, length_of(t->lost));
        tw_block_number(b, length_of(t->lost_before));
    }
    tw_block_number(b, count);
    for (size_t j = first; j < first + count; j++)
        tw_block_signed(b, (int64_t)i - (int64_t)r->edge[j]);
    *last = (struct tw_format_last){t->id, start};
}

/* ---- beside tasks ------------------------------------------------------------------------------------------------ */

void tw_block_marks(struct tw_block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->nmarks; k++) {
        const struct tw_mark *m = &r->marks[k];
        tw_block_signed(b, ns(m->from));
        tw_block_number(b, length_of(m->to - m->from));
        tw_block_number(b, (uint64_t)m->depth);
        tw_block_number(b, (uint64_t)m->thread);
        tw_block_text(b, m->name);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->nmarks) tw_block_end(b, "MARK");
    }
}

/* Calls that made no tasks have a block of their own, which older readers pass over. */
static void put_stays(struct tw_block *b, const struct tw_recording *r, int direct)
{
    for (size_t k = 0; k < r->nstays; k++) {
        const struct tw_stay *s = &r->stays[k];
        if ((s->what >= TW_DOING_LAPACK) != direct) continue;
        tw_block_signed(b, ns(s->from));
        tw_block_number(b, length_of(s->to - s->from));
        tw_block_number(b, (uint64_t)(s->what - (direct ? TW_DOING_LAPACK : 0)));
        tw_block_number(b, (uint64_t)s->thread);
        if (b->count > TW_FORMAT_BLOCK) tw_block_end(b, direct ? "CALL" : "STAY");
    }
    if (b->count) tw_block_end(b, direct ? "CALL" : "STAY");
}

void tw_block_stays(struct tw_block *b, const struct tw_recording *r)
{
    put_stays(b, r, 0);
    put_stays(b, r, 1);
}

void tw_block_transfers(struct tw_block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->ntransfers; k++) {
        const struct tw_transfer *t = &r->transfers[k];
        tw_block_signed(b, ns(t->from));
        tw_block_number(b, length_of(t->to - t->from));
        tw_block_number(b, (uint64_t)(t->source + 1));
        tw_block_number(b, (uint64_t)(t->target + 1));
        tw_block_real(b, t->bytes);
        tw_block_number(b, t->task);
        tw_block_number(b, t->inferred != 0);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->ntransfers) tw_block_end(b, "MOVE");
    }
}

/* By numbers, in a block of their own, which older readers pass over. */
void tw_block_values(struct tw_block *b, const struct tw_recording *r)
{
    unsigned long last = 0;

    for (size_t i = 0; r->first_edge && i < r->nrecords; i++)
        for (size_t j = r->first_edge[i]; j < r->first_edge[i] + r->records[i].values; j++) {
            const unsigned long id = r->records[i].id;
            tw_block_signed(b, (int64_t)(id - last));
            tw_block_signed(b, (int64_t)(id - r->records[r->edge[j]].id));
            last = id;
            if (b->count > TW_FORMAT_BLOCK) tw_block_end(b, "VALU"), last = 0;
        }
    if (b->count) tw_block_end(b, "VALU");
}

/* How many before have the host's, how many there are. */
void tw_block_clocks(struct tw_block *b, const struct tw_recording *r, size_t before)
{
    size_t known = 0;

    for (size_t i = 0, next; i < r->nrecords; i = next) {
        for (next = i + 1; next < r->nrecords && r->records[next].by_gpu == r->records[i].by_gpu;)
            next++;
        if (!r->records[i].by_gpu) continue;
        tw_block_number(b, before + i - known);
        tw_block_number(b, next - i);
        known = before + next;
    }
    if (known) tw_block_end(b, "CLCK");
}

void tw_block_used(struct tw_block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->nused; k++) {
        const struct tw_used *u = &r->used[k];
        tw_block_signed(b, ns(u->time));
        tw_block_number(b, (uint64_t)(u->memory + 1));
        tw_block_number(b, u->bytes > 0 && u->bytes < 1e18 ? (uint64_t)u->bytes : 0);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->nused) tw_block_end(b, "USED");
    }
}

void tw_lists_free(struct tw_lists *l)
{
    tw_index_free(&l->kernel), tw_index_free(&l->stage);
    free(l->color);
}
