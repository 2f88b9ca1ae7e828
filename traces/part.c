/* PREFIX.tw.part: a recording that grows while tasks run, for runs that are killed (docs/trace-format.md). What comes
 * is put into whole blocks, which go to the file in one piece: a process that dies between two leaves a sound file, and
 * one that dies in one leaves a sound file and some bytes. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "traces/encode.h"
#include "traces/writers.h"

struct growing {
    int fd;
    char *path;
    off_t size; /* of its whole blocks */
    char *head; /* what it begins with */
    size_t head_size;
    struct tw_lists lists; /* of what is in the file: */
    int kernels, stages;
    struct tw_format_last last;
    size_t tasks;
};

static int no_memory(void)
{
    return tw_fail(TW_E_MEMORY, "no memory to write a trace");
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static int failed(struct growing *g, int why)
{
    if (ftruncate(g->fd, g->size)) {} /* else a reader stops there */
    return tw_fail(TW_E_IO, "%s: writing failed: %s", g->path, strerror(why));
}

static int send_bytes(struct growing *g, const char *bytes, size_t n)
{
    size_t sent = 0;

    while (sent < n) {
        const ssize_t k = write(g->fd, bytes + sent, n - sent);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return failed(g, k ? errno : ENOSPC);
        sent += (size_t)k;
    }
    g->size += (off_t)n;
    return 0;
}

/* ---- a file of this process' own --------------------------------------------------------------------------------- */

/* Its lock goes with the last descriptor of it: a child that was forked while it was open would keep it beyond this
 * process' end. */
enum { LIVING = 4 };
static struct growing *living[LIVING];
static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
    pthread_mutex_lock(&living_lock);
}
static void after_fork(void)
{
    pthread_mutex_unlock(&living_lock);
}
static void in_child(void)
{
    for (int k = 0; k < LIVING; k++)
        if (living[k] && living[k]->fd >= 0) {
            close(living[k]->fd);
            living[k]->fd = -1; /* nothing is written, and nothing removed: see has_name */
        }
    pthread_mutex_unlock(&living_lock);
}
static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, in_child);
}

static void close_file(struct growing *g)
{
    pthread_mutex_lock(&living_lock);
    for (int k = 0; k < LIVING; k++)
        if (living[k] == g) living[k] = NULL;
    if (g->fd >= 0) close(g->fd);
    g->fd = -1;
    pthread_mutex_unlock(&living_lock);
}

/* O_NONBLOCK: a pipe is no regular file, which shows only when it is open. */
static int open_only(struct growing *g)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int k = 0, e;

    (void)pthread_once(&once, watch_forks);
    close_file(g);
    pthread_mutex_lock(&living_lock);
    while (k < LIVING - 1 && living[k])
        k++;
    living[k] = g;
    g->fd = open(g->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    e = errno;
    pthread_mutex_unlock(&living_lock);
    return g->fd < 0 ? e : 0;
}

/* The file has its name still: it was not removed or replaced. */
static int has_name(const struct growing *g, const struct stat *s)
{
    struct stat there;
    return lstat(g->path, &there) == 0 && there.st_dev == s->st_dev && there.st_ino == s->st_ino;
}
static int is_mine(const struct growing *g)
{
    struct stat s;
    return fstat(g->fd, &s) == 0 && has_name(g, &s);
}

/* As recordings do, as far as it goes: its first write may have been cut off. */
static int begins_as_recording(int fd)
{
    char first[8];
    const ssize_t n = pread(fd, first, sizeof first, 0);
    return n >= 0 && !memcmp(first, TW_FORMAT_MAGIC, (size_t)n);
}

/* A name that may be taken: there is nothing of it, or a recording. */
static int may_go(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat s;

    if (fd < 0) return errno == ENOENT;
    const int may = !fstat(fd, &s) && S_ISREG(s.st_mode) && begins_as_recording(fd);
    close(fd);
    return may;
}

static char *joined(const char *name, const char *ending)
{
    char *path = malloc(strlen(name) + strlen(ending) + 1);
    return path ? strcat(strcpy(path, name), ending) : NULL;
}

/* A run that was killed has left nothing but its file: it stays, as PREFIX.tw.part.old. */
static int put_aside(const struct growing *g)
{
    char *old = joined(g->path, ".old");
    int e = 0;

    if (!old)
        e = no_memory();
    else if (!may_go(old))
        e = tw_fail(TW_E_IO, "%s: no recording, and in the place for the one that an earlier run has left", old);
    else if (rename(g->path, old))
        e = tw_fail(TW_E_IO, "%s: cannot be renamed to %s: %s", g->path, old, strerror(errno));
    free(old);
    return e;
}

/* Opened for this process alone: several that were given the same name would write into each other's blocks. What is
 * locked may have lost its name to another process meanwhile, which ended: then once more. */
static int open_file(struct growing *g)
{
    struct stat s;
    int e;

    for (int tries = 0; tries < 100; tries++) {
        if ((e = open_only(g))) return tw_fail(TW_E_IO, "%s: cannot create the file: %s", g->path, strerror(e));
        if (fstat(g->fd, &s) || !S_ISREG(s.st_mode)) return tw_fail(TW_E_IO, "%s: no regular file", g->path);
        if (flock(g->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) break;
        if (fstat(g->fd, &s) || !has_name(g, &s)) continue;
        if (s.st_size == 0) return 0;
        if (!begins_as_recording(g->fd))
            return tw_fail(TW_E_IO, "%s: a file that is no recording; it stays as it is", g->path);
        if ((e = put_aside(g))) return e;
    }
    return tw_fail(TW_E_STATE, "%s: another process writes it", g->path);
}

static int forget(struct growing *g, int e)
{
    close_file(g);
    free(g->path), free(g->head);
    tw_lists_free(&g->lists);
    free(g);
    return e;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void put_facts(struct tw_block *b, const struct tw_recording *r)
{
    for (int k = 0; k < r->nfacts; k++)
        tw_block_fact(b, r->facts[k].key, r->facts[k].value);
    if (r->nfacts) tw_block_end(b, "META");
}

static void put_head(struct tw_block *b, const struct tw_recording *r)
{
    fwrite(TW_FORMAT_MAGIC, 1, 8, b->f);
    tw_block_fact(b, TW_FORMAT_UNFINISHED, "1");
    tw_block_fact(b, "machine", r->machine);
    tw_block_fact(b, "scheduler", r->sched);
    put_facts(b, r);
    tw_block_workers(b, r);
    tw_block_end(b, "ROUT");
    tw_block_end(b, "STAG");
    tw_block_end(b, "KERN");
}

/* Lists go on where they ended. */
static void put_names(struct tw_block *b, struct growing *g, const struct tw_recording *r)
{
    for (int k = 0; k < r->nroutines; k++)
        tw_block_text(b, r->routines[k]);
    if (b->count) tw_block_end(b, "ROUT");
    for (; g->stages < g->lists.stage.count; g->stages++)
        tw_block_text(b, g->lists.stage.key[g->stages].text);
    if (b->count) tw_block_end(b, "STAG");
    for (; g->kernels < g->lists.kernel.count; g->kernels++) {
        tw_block_number(b, g->lists.color[g->kernels]);
        tw_block_text(b, g->lists.kernel.key[g->kernels].text);
    }
    if (b->count) tw_block_end(b, "KERN");
}

static void put_waits(struct tw_block *b, const struct tw_waits *pairs, size_t n, unsigned value)
{
    unsigned long last = 0;

    for (size_t k = 0; k < n; k++) {
        if (pairs[k].value != value) continue;
        tw_block_signed(b, (int64_t)(pairs[k].task - last));
        tw_block_signed(b, (int64_t)(pairs[k].task - pairs[k].before));
        last = pairs[k].task;
    }
    if (b->count) tw_block_end(b, value ? "VALU" : "WAIT");
}

static int add(void *file, const struct tw_recording *more, const struct tw_waits *pairs, size_t npairs)
{
    struct growing *g = file;
    char *bytes = NULL;
    size_t size = 0;
    struct tw_block b = {.f = open_memstream(&bytes, &size)};
    int e = b.f ? tw_lists_find(&g->lists, more) : TW_E_MEMORY;

    if (!e) {
        put_names(&b, g, more);
        tw_block_marks(&b, more), tw_block_stays(&b, more), tw_block_transfers(&b, more);
        tw_block_used(&b, more);
        for (size_t k = 0; k < more->nrecords; k++)
            tw_block_task(&b, more, &g->lists, k, &g->last);
        if (b.count) tw_block_end(&b, "TASK");
        tw_block_clocks(&b, more, g->tasks);
        g->tasks += more->nrecords;
        put_waits(&b, pairs, npairs, 0), put_waits(&b, pairs, npairs, 1);
        put_facts(&b, more);
    }
    if (b.f && fclose(b.f)) b.failed = 1;
    e = e || b.failed ? no_memory() : send_bytes(g, bytes, size);
    free(bytes), free(b.byte);
    return e;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

static int begin(struct growing **made, char *path, char *head, size_t size)
{
    struct growing *g = calloc(1, sizeof *g);
    int e;

    *made = NULL;
    if (!g) {
        free(path), free(head);
        return no_memory();
    }
    *g = (struct growing){.fd = -1, .path = path, .head = head, .head_size = size};
    if (!path || !head) return forget(g, no_memory());
    if ((e = open_file(g))) return forget(g, e);
    if ((e = send_bytes(g, head, size))) {
        if (is_mine(g)) unlink(path);
        return forget(g, e);
    }
    *made = g;
    return 0;
}

static int open_part(void **file, const char *prefix, const struct tw_recording *frame)
{
    char *head = NULL;
    size_t size = 0;
    struct tw_block b = {0};

    *file = NULL;
    if (!tw_trace_wants("tw") || !strcmp(prefix, "-")) return 0; /* -.tw is standard output */
    if (!(b.f = open_memstream(&head, &size))) return no_memory();
    put_head(&b, frame);
    if (fclose(b.f) || b.failed) free(head), head = NULL;
    free(b.byte);
    struct growing *g;
    const int e = begin(&g, joined(prefix, ".tw.part"), head, size);
    char *left = e ? NULL : joined(prefix, ".tw.part.new"); /* of a run that was killed while its file began anew */
    if (left && may_go(left)) unlink(left);
    free(left);
    *file = g;
    return e;
}

static int again(void *file, void **next)
{
    const struct growing *g = file;
    char *head = malloc(g->head_size);

    if (head) memcpy(head, g->head, g->head_size);
    struct growing *other;
    const int e = begin(&other, joined(g->path, ".new"), head, g->head_size);
    *next = other;
    return e;
}

static void close_part(void *file, int keep)
{
    struct growing *g = file;

    if (!keep && is_mine(g)) unlink(g->path);
    (void)forget(g, 0);
}

static int replace(void *file, void *next)
{
    struct growing *old = file, *g = next;
    char *path = old->path;
    struct stat there;
    const int taken = !is_mine(old) && lstat(path, &there) == 0;

    if (taken || rename(g->path, path)) {
        const int e = tw_fail(TW_E_IO, "%s: cannot be replaced: %s", path,
                              taken ? "another file has taken its place" : strerror(errno));
        close_part(old, 0);
        return e;
    }
    free(g->path);
    g->path = path;
    old->path = NULL;
    return forget(old, 0);
}

const struct tw_trace_part tw_part = {open_part, add, again, replace, close_part};
