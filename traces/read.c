/* Reading PREFIX.tw (and StarPU's tasks.rec, by tasks_rec.c). Files come from anywhere: every number is looked at
 * before it is used, memory grows with what was read, and an error says at which byte. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "traces/format.h"
#include "traces/read.h"
#include "traces/recorded.h"
#include "traces/tasks_rec.h"

struct reader {
    FILE *f;
    const char *name;
    struct tw_recorded *r;
    size_t at;                /* of the block, in the file */
    unsigned char *byte;      /* the block's content */
    size_t count, room, next; /* next: the byte to be read */
    struct tw_format_last last;
    size_t seen; /* tags that have been, a bit each */
    int part;    /* it has no end (part.c) */
    size_t rest; /* bytes behind its last whole block */
    struct tw_waits *waits;
    size_t nwaits, wait_room;
    struct tw_numbered *numbers; /* of a file with an end: its tasks' */
    size_t nnumbers;
    int error;
};

static int wrong(struct reader *b, size_t at, const char *why)
{
    if (!b->error) b->error = tw_fail(TW_E_FORMAT, "%s: byte %zu: %s", b->name, at, why);
    return b->error;
}
/* At the byte that was read last. */
static int wrong_here(struct reader *b, const char *why)
{
    return wrong(b, b->at + 8 + (b->next ? b->next - 1 : 0), why);
}

/* ---- numbers and texts in a block -------------------------------------------------------------------------------- */

static uint64_t get(struct reader *b)
{
    uint64_t v = 0;

    for (int shift = 0; shift < 64; shift += 7) {
        if (b->next == b->count) {
            wrong(b, b->at + 8 + b->next, "the block ends inside of what it says");
            return 0;
        }
        const unsigned char c = b->byte[b->next++];
        if (shift == 63 && c > 1) break;
        v |= (uint64_t)(c & 127) << shift;
        if (c < 128) return v;
    }
    wrong_here(b, "a number of more than 64 bits");
    return 0;
}
static int64_t unfold(uint64_t v)
{
    return (int64_t)(v >> 1 ^ -(v & 1));
}
static int64_t get_signed(struct reader *b)
{
    return unfold(get(b));
}
static uint64_t get_below(struct reader *b, uint64_t end, const char *why)
{
    const uint64_t v = get(b);

    if (!b->error && v >= end) wrong_here(b, why);
    return b->error ? 0 : v;
}
static int get_int(struct reader *b, const char *why)
{
    const int64_t v = get_signed(b);

    if (!b->error && (v < INT_MIN || v > INT_MAX)) wrong_here(b, why);
    return b->error ? 0 : (int)v;
}
static double get_real(struct reader *b)
{
    uint64_t bits = 0;
    double v;

    for (int k = 0; k < 8; k++) {
        if (b->next == b->count) {
            wrong(b, b->at + 8 + b->next, "the block ends inside of what it says");
            return 0;
        }
        bits |= (uint64_t)b->byte[b->next++] << 8 * k;
    }
    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v) || v < 0) wrong_here(b, "a number that is negative, infinite or none");
    return b->error ? 0 : v;
}
/* Points into the block. Zero bytes in it would end it early: refused. */
static const char *get_string(struct reader *b, size_t *length)
{
    const size_t n = (size_t)get_below(b, b->count - b->next + 1 > 0 ? TW_FORMAT_MOST : 1, "a text that is too long");
    const char *text = (const char *)b->byte + b->next;

    *length = 0;
    if (b->error) return "";
    if (n > b->count - b->next) {
        wrong_here(b, "a text that goes on beyond the block");
        return "";
    }
    if (memchr(text, 0, n)) {
        wrong_here(b, "a text with a zero byte");
        return "";
    }
    b->next += n;
    *length = n;
    return text;
}

#define TIME_MOST ((int64_t)4000000000000000000)
/* Nanoseconds; sums of them with `from` stay within 64 bits. */
static int64_t sound_time(struct reader *b, int64_t v, int64_t from)
{
    if (b->error) return 0;
    if (v > TIME_MOST || v < -TIME_MOST || from - v > TIME_MOST || from - v < -TIME_MOST || from + v > TIME_MOST ||
        from + v < -TIME_MOST)
        wrong_here(b, "a time beyond a hundred years");
    return b->error ? 0 : v;
}
static int64_t get_time(struct reader *b, int64_t from)
{
    return sound_time(b, get_signed(b), from);
}
/* Seconds; 0: not known. */
static double get_phase(struct reader *b, int64_t start)
{
    const uint64_t v = get(b);
    return v ? 1e-9 * (double)(start - sound_time(b, unfold(v - 1), start)) : 0;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void keep(struct reader *b, int e)
{
    if (e && !b->error) b->error = e;
}

static const char tags[][5] = {"META", "WORK", "ROUT", "STAG", "KERN", "MARK", "STAY", "CALL",
                               "MOVE", "USED", "TASK", "CLCK", "WAIT", "VALU", "DONE"};
enum { META, WORK, ROUT, STAG, KERN, MARK, STAY, CALL, MOVE, USED, TASK, CLCK, WAIT, VALU, DONE, UNKNOWN };

/* In a file that grows what was said last counts. */
static void read_meta(struct reader *b)
{
    size_t m, n;
    const char *key, *value;

    while (!b->error && b->next < b->count) {
        key = get_string(b, &m);
        value = get_string(b, &n);
        if (!b->error && b->seen >> META & 1 && b->r->nfacts > 1000) wrong_here(b, "more than 1000 facts");
        if (!b->error) keep(b, tw_recorded_set_fact(b->r, key, m, value, n, b->seen >> META & 1));
        if (m == strlen(TW_FORMAT_UNFINISHED) && !strncmp(key, TW_FORMAT_UNFINISHED, m)) b->part = 1;
    }
}

static void read_workers(struct reader *b)
{
    size_t n;

    while (!b->error && b->next < b->count) {
        const int cuda = (int)get_below(b, 2, "an unknown kind of worker"),
                  device = get_int(b, "a number of a device beyond 32 bits");
        const char *name = get_string(b, &n);
        if (!b->error && b->r->nworkers == 100000) wrong_here(b, "more than 100000 workers");
        if (!b->error) keep(b, tw_recorded_add_worker(b->r, name, n, cuda, device));
    }
}

static void read_names(struct reader *b, struct tw_names *names)
{
    size_t n;

    while (!b->error && b->next < b->count) {
        const char *name = get_string(b, &n);
        if (!b->error) keep(b, tw_names_add(names, name, n));
    }
}

static void read_kernels(struct reader *b)
{
    size_t n;

    while (!b->error && b->next < b->count) {
        const unsigned color = (unsigned)get_below(b, 1 << 24, "a colour of more than 24 bits");
        const char *name = get_string(b, &n);
        if (!b->error) keep(b, tw_recorded_add_kernel(b->r, name, n, color));
    }
}

static void read_marks(struct reader *b)
{
    size_t n;

    while (!b->error && b->next < b->count) {
        struct tw_mark m = {0};
        const int64_t from = get_time(b, 0);
        const uint64_t length = get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");
        m.depth = (int)get_below(b, 1000, "a mark that lies too deep");
        m.thread = (int)get_below(b, 1000000, "too many threads");
        const char *name = get_string(b, &n);
        m.from = 1e-9 * (double)from;
        m.to = 1e-9 * ((double)from + (double)length);
        if (!b->error) keep(b, tw_recorded_add_mark(b->r, &m, name, n));
    }
}

/* Of ranges: STAY, MOVE. */
static void read_range(struct reader *b, double *from, double *to)
{
    const int64_t at = get_time(b, 0);
    const uint64_t length = get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");

    *from = 1e-9 * (double)at;
    *to = 1e-9 * ((double)at + (double)length);
}

/* Kinds from `first` on, below `end`; those of a later version are passed over where that is so. */
static void read_stays(struct reader *b, int first, int end, int passes)
{
    while (!b->error && b->next < b->count) {
        struct tw_stay s;
        read_range(b, &s.from, &s.to);
        s.what = first + (int)get_below(b, passes ? 1000 : (uint64_t)(end - first), "an unknown thing to do");
        s.thread = (int)get_below(b, 10000, "too many threads");
        if (!b->error && s.what < end) keep(b, tw_recorded_add_stay(b->r, &s));
    }
}

enum { DEVICES = 1000 };

static void read_transfers(struct reader *b)
{
    while (!b->error && b->next < b->count) {
        struct tw_transfer t;
        read_range(b, &t.from, &t.to);
        t.source = (int)get_below(b, DEVICES + 1, "a memory that cannot be") - 1;
        t.target = (int)get_below(b, DEVICES + 1, "a memory that cannot be") - 1;
        t.bytes = get_real(b);
        t.task = (unsigned long)get(b);
        t.inferred = (int)get_below(b, 2, "an unknown kind of transfer");
        if (!b->error) keep(b, tw_recorded_add_transfer(b->r, &t));
    }
}

static void read_used(struct reader *b)
{
    while (!b->error && b->next < b->count) {
        struct tw_used u;
        u.time = 1e-9 * (double)get_time(b, 0);
        u.memory = (int)get_below(b, DEVICES + 1, "a memory that cannot be") - 1;
        u.bytes = (double)get_below(b, (uint64_t)1 << 60, "more bytes than there are");
        if (!b->error) keep(b, tw_recorded_add_used(b->r, &u));
    }
}

static void read_edges(struct reader *b)
{
    const int64_t self = (int64_t)b->r->nrecords - 1;
    uint64_t n = get(b);

    for (; !b->error && n > 0; n--) {
        const int64_t d = get_signed(b);
        if (b->error) return;
        if (d == 0 || d > self || d <= self - UINT_MAX) /* later ones are looked at in the end */
            wrong_here(b, "a task waits for itself, or for one that is not there");
        else
            keep(b, tw_recorded_add_edge(b->r, (unsigned)(self - d)));
    }
}

static void read_task(struct reader *b)
{
    struct tw_record t = {0};
    const unsigned flags = (unsigned)get_below(b, TW_FORMAT_KNOWN + 1, "an unknown flag of a task");
    int64_t start;
    uint64_t seconds;

    t.part = flags & TW_FORMAT_PART ? 1 : 0;
    t.id = b->last.id + (unsigned long)get_signed(b);
    const uint64_t kernel = get_below(b, (uint64_t)b->r->kernels.count, "a kernel that is not there");
    t.type = (unsigned char)get_below(b, 9, "an unknown type");
    t.worker = (int)get_below(b, (uint64_t)b->r->nworkers, "a worker that is not there");
    t.routine =
        (int)get_below(b, b->r->routines.count ? (uint64_t)b->r->routines.count : 1, "a routine that is not there");
    const uint64_t stage = get_below(b, (uint64_t)b->r->stages.count + 1, "a stage that is not there");
    t.priority = get_int(b, "a priority beyond 32 bits");
    for (int k = 0; k < 4; k++)
        t.coord[k] = get_int(b, "a coordinate beyond 32 bits");
    start = b->last.start + get_time(b, b->last.start);
    seconds = get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");
    if (b->error) return;
    t.start = 1e-9 * (double)start;
    t.end = 1e-9 * ((double)start + (double)seconds);
    t.submit = 1e-9 * (double)(start - get_time(b, start));
    if (flags & TW_FORMAT_PHASES) {
        t.ready = get_phase(b, start);
        t.taken = get_phase(b, start);
        t.loaded = get_phase(b, start);
    }
    if (flags & TW_FORMAT_FLOPS) t.flops = get_real(b);
    if (flags & TW_FORMAT_MOVED) t.moved = get_real(b);
    for (int k = 0; flags & TW_FORMAT_MODELS && k < 2; k++)
        t.predicted[k] = 1e-9 * (double)get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");
    if (flags & TW_FORMAT_LOST) {
        t.lost = 1e-9 * (double)get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");
        t.lost_before = 1e-9 * (double)get_below(b, (uint64_t)TIME_MOST, "a time beyond a hundred years");
    }
    if (b->error) return;
    t.name = b->r->kernels.name[kernel];
    t.color = b->r->colors[kernel];
    t.stage = stage ? b->r->stages.name[stage - 1] : NULL;
    b->last = (struct tw_format_last){t.id, start};
    keep(b, tw_recorded_add_task(b->r, &t));
    if (!b->error) read_edges(b);
}

static void read_clocks(struct reader *b)
{
    size_t at = 0;

    while (!b->error && b->next < b->count) {
        at += (size_t)get_below(b, b->r->nrecords - at + 1, "the clock of a task that is not there");
        size_t n = (size_t)get_below(b, b->r->nrecords - at + 1, "the clock of a task that is not there");
        for (; !b->error && n > 0; n--)
            b->r->records[at++].by_gpu = 1;
    }
}

/* Which tasks wait for which, by their numbers, or for whose value its submission did. A file that grows may name tasks
 * that are not there. */
static void read_waits(struct reader *b, unsigned value)
{
    unsigned long last = 0;

    if (!b->part && !b->numbers) keep(b, tw_recorded_numbers(b->r, &b->numbers, &b->nnumbers));
    while (!b->error && b->next < b->count) {
        const unsigned long task = last + (unsigned long)get_signed(b);
        if (!b->part && !b->error && !tw_numbered_find(b->numbers, b->nnumbers, task))
            wrong_here(b, "what a task's submission waited for, and there is no such task");
        const unsigned long before = task - (unsigned long)get_signed(b);
        if (!b->part && !b->error && (task == before || !tw_numbered_find(b->numbers, b->nnumbers, before)))
            wrong_here(b, "the submission of a task waits for its own value, or for that of one that is not there");
        if (b->error) return;
        if (b->nwaits == b->wait_room) {
            struct tw_waits *more = realloc(b->waits, (2 * b->wait_room + 1024) * sizeof *more);
            if (!more) {
                b->error = tw_fail(TW_E_MEMORY, "%s: no memory to read it", b->name);
                return;
            }
            b->waits = more;
            b->wait_room = 2 * b->wait_room + 1024;
        }
        b->waits[b->nwaits++] = (struct tw_waits){task, before, value};
        last = task;
    }
}

static void read_end(struct reader *b)
{
    const uint64_t tasks = get(b), edges = get(b);

    if (!b->error && (tasks != b->r->nrecords || edges != b->r->nedges))
        wrong_here(b, "other numbers of tasks and edges than the file has");
    if (!b->error && b->next < b->count) wrong_here(b, "more behind the end");
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static size_t fill(struct reader *b, size_t n)
{
    size_t got = 0, more;

    while (got < n) { /* the memory follows what comes, not what was announced */
        const size_t piece = n - got < 65536 ? n - got : 65536;
        if (got + piece > b->room) {
            unsigned char *bigger = realloc(b->byte, 2 * b->room + 65536);
            if (!bigger) {
                b->error = tw_fail(TW_E_MEMORY, "%s: no memory to read it", b->name);
                return got;
            }
            b->byte = bigger;
            b->room = 2 * b->room + 65536;
        }
        more = fread(b->byte + got, 1, piece, b->f);
        got += more;
        if (more < piece) break;
    }
    return got;
}

static uint32_t fixed(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void read_content(struct reader *b, int tag)
{
    if (tag == WAIT && !b->part) tag = UNKNOWN;
    if (tag == TASK && b->numbers) {
        wrong(b, b->at, "tasks behind what submissions waited for");
        return;
    }
    if (tag < MARK && b->seen & 1u << tag && !(b->part && tag != WORK)) {
        wrong(b, b->at, "this block was there already");
        return;
    }
    if (tag >= MARK && tag < UNKNOWN && (b->seen & 31) != 31) {
        wrong(b, b->at, "tasks before the lists that they need");
        return;
    }
    switch (tag) {
    case META: read_meta(b); break;
    case WORK: read_workers(b); break;
    case ROUT: read_names(b, &b->r->routines); break;
    case STAG: read_names(b, &b->r->stages); break;
    case KERN: read_kernels(b); break;
    case MARK: read_marks(b); break;
    case STAY: read_stays(b, 0, TW_DOING_LAPACK, 0); break;
    case CALL: read_stays(b, TW_DOING_LAPACK, TW_DOING_KINDS, 1); break;
    case MOVE: read_transfers(b); break;
    case USED: read_used(b); break;
    case TASK:
        while (!b->error && b->next < b->count)
            read_task(b);
        break;
    case CLCK: read_clocks(b); break;
    case WAIT: read_waits(b, 0); break;
    case VALU: read_waits(b, 1); break;
    case DONE: read_end(b); break;
    default: break; /* of a later version: its checksum is right, and its content not needed */
    }
    if (tag < UNKNOWN) b->seen |= (size_t)1 << tag;
}

/* 1: there was one, 0: that was the last, or an error. */
static int read_block(struct reader *b)
{
    unsigned char head[8], sum[4];
    size_t n = fread(head, 1, 8, b->f), length;
    int tag = 0;

    if (n < 8 && b->part) { /* as far as it came */
        b->rest = n;
        return 0;
    }
    if (n < 8) {
        wrong(b, b->at + n, "the file ends early: its last block is missing");
        return 0;
    }
    length = fixed(head + 4);
    while (tag < UNKNOWN && memcmp(head, tags[tag], 4) != 0)
        tag++;
    if (length > TW_FORMAT_MOST) {
        wrong(b, b->at + 4, "a block of more than 16 MiB");
        return 0;
    }
    b->count = fill(b, length);
    b->next = 0;
    if (b->error) return 0;
    n = b->count == length ? fread(sum, 1, 4, b->f) : 0;
    if ((b->count < length || n < 4) && b->part) {
        b->rest = 8 + b->count + n;
        return 0;
    }
    if (b->count < length || n < 4) {
        wrong(b, b->at + 8 + b->count + n, "the file ends inside of a block");
        return 0;
    }
    if (fixed(sum) != tw_crc32(tw_crc32(0, head, 8), b->byte, length)) {
        wrong(b, b->at, "this block was altered: its checksum is wrong");
        return 0;
    }
    read_content(b, tag);
    b->at += 12 + length;
    if (tag == DONE && !b->error && fgetc(b->f) != EOF) wrong(b, b->at, "more behind the last block");
    return tag != DONE && !b->error;
}

static size_t fact_number(const struct reader *b, const char *key)
{
    for (int k = 0; k < b->r->nfacts; k++)
        if (!strcmp(b->r->facts[k].key, key)) return strtoull(b->r->facts[k].value, NULL, 10);
    return 0;
}

/* Of a file without an end: edges, and what is not there. */
static void finish_part(struct reader *b)
{
    const struct tw_recorded *r = b->r;
    const char *until = "?";
    char text[400], rest[80] = "";
    size_t tasks = 0;

    if ((b->seen & 31) != 31) {
        wrong(b, b->at, "the file ends before the lists that tasks need");
        return;
    }
    for (size_t k = 0; k < r->nrecords; k++)
        tasks += !r->records[k].part;
    for (int k = 0; k < r->nfacts; k++)
        if (!strcmp(r->facts[k].key, "written until")) until = r->facts[k].value;
    if (b->rest) snprintf(rest, sizeof rest, "; %zu bytes at the file's end are no whole block", b->rest);
    if (fact_number(b, "submitted") < tasks) /* it was killed before it could say */
        snprintf(
            text, sizeof text,
            "its end, for the run was killed or goes on: there are %zu tasks, and how many had been submitted is not "
            "known%s",
            tasks, rest);
    else
        snprintf(
            text, sizeof text,
            "its end, for the run was killed or goes on: there are %zu of the %zu tasks that had been submitted after "
            "%.20s s%s",
            tasks, fact_number(b, "submitted"), until, rest);
    keep(b, tw_recorded_set_fact(b->r, "lacks", 5, text, strlen(text), 1));
}

int tw_recorded_read_stream(struct tw_recorded **recorded, FILE *f, const char *name)
{
    struct reader b = {.f = f, .name = name, .at = 8};
    unsigned char magic[8];
    const char *why = NULL;
    int e;

    *recorded = NULL;
    const size_t n = fread(magic, 1, 8, f);
    if (tw_is_tasks_rec(magic, n) && (n < 7 || memcmp(magic, TW_FORMAT_MAGIC, 7) != 0))
        return tw_read_tasks_rec(recorded, f, name, magic, n);
    if ((e = tw_recorded_new(&b.r))) return e;
    if (n < 8 || memcmp(magic, TW_FORMAT_MAGIC, 7) != 0)
        wrong(&b, n < 8 ? n : 0, "no recording of Tilework's (it would begin with TWTRACE)");
    else if (magic[7] != TW_FORMAT_MAGIC[7])
        wrong(&b, 7, "a recording of another version of the format");
    while (!b.error && read_block(&b)) {}
    if (b.part && !b.error && !(b.seen >> DONE & 1)) finish_part(&b);
    if (!b.error && b.nwaits) keep(&b, tw_recorded_set_waits(b.r, b.waits, b.nwaits));
    free(b.byte), free(b.waits), free(b.numbers);
    if (!b.error) b.error = tw_recorded_finish(b.r, &why);
    if (why) b.error = tw_fail(TW_E_FORMAT, "%s: byte %zu: %s", name, b.at, why);
    if (b.error) {
        const int kept = b.error;
        char text[600];
        snprintf(text, sizeof text, "%s", tw_last_message());
        tw_recorded_destroy(b.r);
        return tw_fail(kept, "%s", text);
    }
    *recorded = b.r;
    return 0;
}

int tw_recorded_read(tw_recorded **recorded, const char *file)
{
    struct stat s;
    FILE *f;
    int e;

    tw_clear_message();
    if (!recorded) return tw_illegal("tw_recorded_read", 1, "NULL");
    *recorded = NULL;
    if (!file) return tw_illegal("tw_recorded_read", 2, "NULL");
    if (!(f = fopen(file, "rb"))) return tw_fail(TW_E_IO, "%s: %s", file, strerror(errno));
    if (fstat(fileno(f), &s) == 0 && S_ISDIR(s.st_mode))
        e = tw_fail(TW_E_IO, "%s: a folder", file);
    else
        e = tw_recorded_read_stream(recorded, f, file);
    fclose(f);
    return e;
}
