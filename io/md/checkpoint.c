/* Checkpoints of motions: a header, positions, velocities, charges, a checksum of all that. */
#include "io/md/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io/nbody/particles.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"

struct header {
    char magic[8];
    uint32_t version, order; /* order: ORDER in the writer's byte order */
    int64_t n, step;
    double g, softening, eps, dt;
};
static const char magic[8] = {'T', 'W', 'M', 'O', 'T', 'I', 'O', 'N'};
enum { VERSION = 1, ORDER = 0x01020304 };

/* FNV-1a over 8 bytes at a time; every part of the file is a multiple of that. */
static uint64_t checksum(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t k = 0; k < bytes; k += 8) {
        uint64_t word;
        memcpy(&word, p + k, 8);
        h = (h ^ word) * 0x100000001b3u;
    }
    return h;
}
static const uint64_t start = 0xcbf29ce484222325u;

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static uint64_t put(FILE *f, uint64_t h, const void *data, size_t bytes)
{
    if (bytes) fwrite(data, 1, bytes, f); /* tw_outfile_commit sees errors */
    return checksum(h, data, bytes);
}

int tw_motion_save(const char *path, const tw_particles *p, const tw_motion *motion, tw_int step)
{
    const char *routine = "tw_motion_save";
    struct tw_outfile out;
    uint64_t h = start;
    int e;

    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!p || p->n < 0 || (p->n && (!p->x || !p->v || !p->q))) return tw_illegal(routine, 2, "no particles");
    if (!motion) return tw_illegal(routine, 3, "NULL");
    if (step < 0) return tw_illegal(routine, 4, "negative");
    if ((e = tw_outfile_open(&out, path))) return e;
    struct header head = {.version = VERSION,
                          .order = ORDER,
                          .n = p->n,
                          .step = step,
                          .g = motion->g,
                          .softening = motion->softening,
                          .eps = motion->eps,
                          .dt = motion->dt};
    memcpy(head.magic, magic, sizeof magic);
    h = put(out.stream, h, &head, sizeof head);
    h = put(out.stream, h, p->x, (size_t)p->n * 24);
    h = put(out.stream, h, p->v, (size_t)p->n * 24);
    h = put(out.stream, h, p->q, (size_t)p->n * 8);
    fwrite(&h, sizeof h, 1, out.stream);
    return tw_outfile_commit(&out);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static const char *bad_header(const struct header *head, int64_t size)
{
    if (memcmp(head->magic, magic, sizeof magic)) return "not a checkpoint of a motion";
    if (head->order != ORDER) return "a checkpoint from a machine of the other byte order";
    if (head->version != VERSION) return "a checkpoint of another version";
    if (head->n < 0 || head->n > INT64_MAX / 64 || (int64_t)sizeof *head + 56 * head->n + 8 != size)
        return "the checkpoint is cut off or has something behind its end";
    if (head->step < 0 || !isfinite(head->g) || !isfinite(head->dt) || !(head->softening >= 0) || !(head->eps >= 0) ||
        !isfinite(head->softening) || !(head->eps < 1))
        return "the checkpoint's settings are no settings of a motion";
    return NULL;
}

static int all_finite(const double *x, tw_int n)
{
    for (tw_int i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

static int get(FILE *f, uint64_t *h, void *data, size_t bytes)
{
    if (bytes && fread(data, 1, bytes, f) != bytes) return -1;
    *h = checksum(*h, data, bytes);
    return 0;
}

/* n particles and the checksum; NULL, or what is wrong. */
static const char *read_particles(FILE *f, uint64_t h, tw_particles *p)
{
    const size_t n = (size_t)p->n;
    uint64_t stored;

    if (get(f, &h, p->x, 24 * n) || get(f, &h, p->v, 24 * n) || get(f, &h, p->q, 8 * n) ||
        fread(&stored, 1, sizeof stored, f) != sizeof stored)
        return "the checkpoint cannot be read to its end";
    if (stored != h) return "the checkpoint is damaged: its checksum is not that of its content";
    return all_finite(p->x, 3 * p->n) && all_finite(p->v, 3 * p->n) && all_finite(p->q, p->n)
               ? NULL
               : "the checkpoint has numbers that are not finite";
}

int tw_checkpoint_parse(FILE *f, const char *name, tw_particles *p, tw_motion *motion)
{
    struct header head = {.version = 0};
    const char *why = NULL;
    uint64_t h = start;
    off_t size = -1;
    int e;

    *p = (tw_particles){0};
    if (fseeko(f, 0, SEEK_END) || (size = ftello(f)) < 0 || fseeko(f, 0, SEEK_SET))
        return tw_fail(TW_E_FORMAT, "%s: not a file of a known size", name);
    if (get(f, &h, &head, sizeof head)) memset(&head, 0, sizeof head);
    if ((why = bad_header(&head, size))) return tw_fail(TW_E_FORMAT, "%s: %s", name, why);
    if ((e = tw_particles_alloc(p, name, head.n))) return e;
    if ((why = read_particles(f, h, p))) {
        tw_particles_free(p);
        return tw_fail(TW_E_FORMAT, "%s: %s", name, why);
    }
    *motion = (tw_motion){.g = head.g, .softening = head.softening, .eps = head.eps, .dt = head.dt, .start = head.step};
    return 0;
}

int tw_motion_load(const char *path, tw_particles *p, tw_motion *motion)
{
    const char *routine = "tw_motion_load";
    FILE *f;
    int e;

    if (p) *p = (tw_particles){0};
    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!p) return tw_illegal(routine, 2, "NULL");
    if (!motion) return tw_illegal(routine, 3, "NULL");
    if (!(f = fopen(path, "rb"))) return tw_fail(TW_E_IO, "%s: cannot read: %s", path, strerror(errno));
    e = tw_checkpoint_parse(f, path, p, motion);
    fclose(f);
    return e;
}
