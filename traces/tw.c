/* PREFIX.tw: the whole recording, in the format of docs/trace-format.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/format.h"
#include "traces/index.h"
#include "traces/recorded.h"
#include "traces/text.h"
#include "traces/writers.h"

struct block {
    unsigned char *byte;
    size_t count, room;
    FILE *f;
    int failed; /* no memory */
};

static void put_byte(struct block *b, unsigned v)
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

static void put(struct block *b, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        put_byte(b, (unsigned)(v & 127) | 128);
    put_byte(b, (unsigned)v);
}
static void put_signed(struct block *b, int64_t v)
{
    put(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}
static void put_string(struct block *b, const char *text)
{
    put(b, strlen(text));
    for (; *text; text++)
        put_byte(b, (unsigned char)*text);
}
static void put_real(struct block *b, double v)
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
static void end_block(struct block *b, const char tag[4])
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

/* ---- what does not grow with the tasks ---------------------------------------------------------------------------------- */

struct lists {
    struct tw_index kernel, stage;
    unsigned *color; /* of the kernels */
    int colors;
};

static const char *name_of(const struct tw_record *t)
{
    return t->name ? t->name : "(unnamed)";
}

static int find_lists(struct lists *l, const struct tw_recording *r)
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

static void put_fact(struct block *b, const char *key, const char *value)
{
    put_string(b, key);
    put_string(b, value);
}

static const char *fact_or(const struct tw_recording *r, const char *key, const char *usual)
{
    const char *value = tw_recorded_fact(r, key);
    return value ? value : usual;
}

static void put_lists(struct block *b, const struct tw_recording *r, const struct lists *l)
{
    char number[32];

    put_fact(b, "machine", r->machine ? r->machine : "?");
    put_fact(b, "scheduler", r->sched ? r->sched : "?");
    put_fact(b, "rank", fact_or(r, "rank", "0"));
    put_fact(b, "clock offset ns", fact_or(r, "clock offset ns", "0"));
    snprintf(number, sizeof number, "%zu", r->dropped);
    put_fact(b, "dropped", number);
    for (int k = 0; k < r->nfacts; k++)
        if (!tw_format_own_fact(r->facts[k].key)) put_fact(b, r->facts[k].key, r->facts[k].value);
    end_block(b, "META");
    for (int w = 0; w < r->nworkers; w++) {
        put(b, r->workers[w].is_cuda != 0);
        put_signed(b, r->workers[w].device);
        put_string(b, r->workers[w].name);
    }
    end_block(b, "WORK");
    for (int k = 0; k < r->nroutines; k++)
        put_string(b, r->routines[k]);
    end_block(b, "ROUT");
    for (int k = 0; k < l->stage.count; k++)
        put_string(b, l->stage.key[k].text);
    end_block(b, "STAG");
    for (int k = 0; k < l->kernel.count; k++) {
        put(b, l->color[k]);
        put_string(b, l->kernel.key[k].text);
    }
    end_block(b, "KERN");
}

/* ---- tasks ---------------------------------------------------------------------------------------------------------------- */

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
static void put_phase(struct block *b, int64_t start, double t)
{
    const int64_t v = start - ns(t);
    put(b, t > 0 ? ((uint64_t)v << 1 ^ (uint64_t)(v >> 63)) + 1 : 0);
}

static void put_task(struct block *b, const struct tw_recording *r, const struct lists *l, size_t i,
                     struct tw_format_last *last)
{
    const struct tw_record *t = &r->records[i];
    const int64_t start = ns(t->start), end = ns(t->end);
    const int lost = t->lost > 0 || t->lost_before > 0, phases = t->ready > 0 || t->taken > 0 || t->loaded > 0,
              models = t->predicted[0] > 0 || t->predicted[1] > 0;
    const size_t first = r->first_edge ? r->first_edge[i] : 0, count = r->first_edge ? r->first_edge[i + 1] - first : 0;

    put(b, (unsigned)((t->part ? TW_FORMAT_PART : 0) | (t->flops > 0 ? TW_FORMAT_FLOPS : 0) |
                      (t->moved > 0 ? TW_FORMAT_MOVED : 0) | (phases ? TW_FORMAT_PHASES : 0) |
                      (models ? TW_FORMAT_MODELS : 0) | (lost ? TW_FORMAT_LOST : 0)));
    put_signed(b, (int64_t)(t->id - last->id));
    put(b, (uint64_t)tw_index_find(&l->kernel, name_of(t), 0));
    put(b, t->type);
    put(b, (uint64_t)(t->worker < 0 ? 0 : t->worker));
    put(b, (uint64_t)(t->routine < 0 ? 0 : t->routine));
    put(b, (uint64_t)(t->stage ? tw_index_find(&l->stage, t->stage, 0) + 1 : 0));
    put_signed(b, t->priority);
    for (int k = 0; k < 4; k++)
        put_signed(b, t->coord[k]);
    put_signed(b, start - last->start);
    put(b, (uint64_t)(end > start ? end - start : 0));
    put_signed(b, start - ns(t->submit));
    if (phases) {
        put_phase(b, start, t->ready);
        put_phase(b, start, t->taken);
        put_phase(b, start, t->loaded);
    }
    if (t->flops > 0) put_real(b, t->flops);
    if (t->moved > 0) put_real(b, t->moved);
    for (int k = 0; models && k < 2; k++)
        put(b, length_of(t->predicted[k]));
    if (lost) {
        put(b, length_of(t->lost));
        put(b, length_of(t->lost_before));
    }
    put(b, count);
    for (size_t j = first; j < first + count; j++)
        put_signed(b, (int64_t)i - (int64_t)r->edge[j]);
    *last = (struct tw_format_last){t->id, start};
}

/* ---- beside tasks --------------------------------------------------------------------------------------------------------- */

static void put_marks(struct block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->nmarks; k++) {
        const struct tw_mark *m = &r->marks[k];
        put_signed(b, ns(m->from));
        put(b, length_of(m->to - m->from));
        put(b, (uint64_t)m->depth);
        put(b, (uint64_t)m->thread);
        put_string(b, m->name);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->nmarks) end_block(b, "MARK");
    }
}

static void put_stays(struct block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->nstays; k++) {
        const struct tw_stay *s = &r->stays[k];
        put_signed(b, ns(s->from));
        put(b, length_of(s->to - s->from));
        put(b, (uint64_t)s->what);
        put(b, (uint64_t)s->thread);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->nstays) end_block(b, "STAY");
    }
}

static void put_transfers(struct block *b, const struct tw_recording *r)
{
    for (size_t k = 0; k < r->ntransfers; k++) {
        const struct tw_transfer *t = &r->transfers[k];
        put_signed(b, ns(t->from));
        put(b, length_of(t->to - t->from));
        put(b, (uint64_t)(t->source + 1));
        put(b, (uint64_t)(t->target + 1));
        put_real(b, t->bytes);
        put(b, t->task);
        put(b, t->inferred != 0);
        if (b->count > TW_FORMAT_BLOCK || k + 1 == r->ntransfers) end_block(b, "MOVE");
    }
}

/* Runs of tasks whose times are the GPU's own: how many before have the host's, how many there are. */
static void put_clocks(struct block *b, const struct tw_recording *r)
{
    size_t known = 0;

    for (size_t i = 0, next; i < r->nrecords; i = next) {
        for (next = i + 1; next < r->nrecords && r->records[next].by_gpu == r->records[i].by_gpu;)
            next++;
        if (!r->records[i].by_gpu) continue;
        put(b, i - known);
        put(b, next - i);
        known = next;
    }
    if (known) end_block(b, "CLCK");
}

static int put_all(FILE *f, const struct tw_recording *r)
{
    struct block b = {.f = f};
    struct lists l = {0};
    struct tw_format_last last = {0, 0};
    int e = find_lists(&l, r);

    fwrite(TW_FORMAT_MAGIC, 1, 8, f);
    if (!e) put_lists(&b, r, &l);
    if (!e) put_marks(&b, r), put_stays(&b, r), put_transfers(&b, r);
    for (size_t i = 0; !e && i < r->nrecords; i++) {
        put_task(&b, r, &l, i, &last);
        if (b.count > TW_FORMAT_BLOCK || i + 1 == r->nrecords) end_block(&b, "TASK");
    }
    if (!e) put_clocks(&b, r);
    put(&b, r->nrecords);
    put(&b, r->first_edge && r->nrecords ? r->first_edge[r->nrecords] : 0);
    end_block(&b, "DONE");
    if (b.failed) e = TW_E_MEMORY;
    tw_index_free(&l.kernel), tw_index_free(&l.stage);
    free(b.byte), free(l.color);
    return e ? tw_fail(e, "no memory to write a trace") : 0;
}

int tw_write_tw(const struct tw_recording *recording, const char *prefix)
{
    struct tw_tracefile file;
    int status = tw_tracefile_open(&file, prefix, ".tw");

    return status ? status : tw_tracefile_close(&file, put_all(file.out.stream, recording));
}
