/* Particle files: XYZ and CSV. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/nbody/particles.h"
#include "runtime/base/file.h"

void tw_particles_free(tw_particles *p)
{
    if (!p) return;
    free(p->x), free(p->v), free(p->q);
    *p = (tw_particles){0};
}

int tw_particles_alloc(tw_particles *p, const char *what, tw_int n)
{
    int e = 0;

    *p = (tw_particles){0};
    if (n < 0 || n > INT64_MAX / 64) return tw_fail(TW_E_MEMORY, "%s: %" PRId64 " particles", what, n);
    if ((e = tw_io_fits(what, 56.0 * (double)n))) return e;
    p->x = tw_io_alloc(what, 3 * n, sizeof(double), &e);
    if (!e) p->v = tw_io_alloc(what, 3 * n, sizeof(double), &e);
    if (!e) p->q = tw_io_alloc(what, n, sizeof(double), &e);
    if (e) {
        tw_particles_free(p);
        return e;
    }
    p->n = n;
    memset(p->v, 0, 3 * (size_t)n * sizeof(double));
    return 0;
}

/* ---- XYZ --------------------------------------------------------------------------------------------------------- */

static const char *skip(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static int bad(const struct tw_reader *r, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s, line %" PRId64 ": %s", r->name, r->line, what);
}

/* "name x y z [charge [vx vy vz]]" */
static int parse_particle(const struct tw_reader *r, const char *s, tw_particles *p, tw_int i, double charge)
{
    double value[7] = {0, 0, 0, charge};
    int count = 0;

    s = skip(s);
    s += strcspn(s, " \t"); /* the name */
    for (s = skip(s); *s && count < 7; s = skip(s), count++)
        if (tw_number_parse(s, &s, &value[count]) != TW_NUMBER_OK || (*s && *s != ' ' && *s != '\t'))
            return bad(r, "expected a name and finite numbers");
    if (*s) return bad(r, "more than a name and 7 numbers");
    if (count != 3 && count != 4 && count != 7)
        return bad(r, "expected a name, x, y, z, and at most a charge and a velocity");
    memcpy(p->x + 3 * i, value, 3 * sizeof(double));
    memcpy(p->v + 3 * i, value + 4, 3 * sizeof(double));
    p->q[i] = value[3];
    return 0;
}

static int parse_xyz(struct tw_reader *r, int atoms, tw_particles *p)
{
    const char *s;
    char *line;
    size_t length;
    tw_int n = -1;
    int e;

    if ((e = tw_reader_line(r, 0, &line, &length)) < 0) return e;
    s = skip(line);
    if (tw_integer_parse(s, &s, &n) != TW_NUMBER_OK || *skip(s) || n < 0)
        return bad(r, "expected the number of particles");
    if ((e = tw_reader_line(r, 0, &line, &length)) < 0) return e;
    if (e == 0 && n > 0) return bad(r, "the comment line is missing");
    if ((e = tw_particles_alloc(p, r->name, n))) return e;
    for (tw_int i = 0; i < n; i++) {
        if ((e = tw_reader_line(r, 0, &line, &length)) < 0) return e;
        if (e == 0) return tw_fail(TW_E_FORMAT, "%s: ends behind %" PRId64 " of %" PRId64 " particles", r->name, i, n);
        if ((e = parse_particle(r, line, p, i, atoms ? 0 : 1))) return e;
    }
    while ((e = tw_reader_line(r, 0, &line, &length)) > 0)
        if (*skip(line)) return bad(r, "text behind the last particle");
    return e;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static tw_int find(const tw_table *t, const char *const *names)
{
    for (; *names; names++)
        for (tw_int c = 0; c < t->cols; c++)
            if (!strcasecmp(t->names[c], *names)) return c;
    return -1;
}

/* Column of that name into every `stride`-th number of `to`; `needed`: it must be there. */
static int column(const struct tw_reader *r, const tw_table *t, const char *const *names, int needed, double *to,
                  int stride)
{
    const tw_int c = find(t, names);

    if (c < 0) return needed ? tw_fail(TW_E_FORMAT, "%s: there is no column \"%s\"", r->name, names[0]) : 0;
    for (tw_int i = 0; i < t->rows; i++) {
        to[i * stride] = t->data[i + c * t->rows];
        if (!isfinite(to[i * stride]))
            return tw_fail(TW_E_FORMAT, "%s: row %" PRId64 " behind the header: column \"%s\" is no finite number",
                           r->name, i + 1, names[0]);
    }
    return 0;
}

static int parse_csv(struct tw_reader *r, int atoms, tw_particles *p)
{
    const char *const axis[3][2] = {{"x", NULL}, {"y", NULL}, {"z", NULL}},
                      *const speed[3][2] = {{"vx", NULL}, {"vy", NULL}, {"vz", NULL}},
                      *const charge[] = {"q", "charge", atoms ? NULL : "m", "mass", NULL};
    tw_table t = {0};
    int e = tw_table_parse(r, &t);

    if (!e) e = tw_particles_alloc(p, r->name, t.rows);
    for (tw_int i = 0; !e && i < t.rows; i++)
        p->q[i] = atoms ? 0 : 1;
    for (int k = 0; k < 3 && !e; k++) {
        e = column(r, &t, axis[k], 1, p->x + k, 3);
        if (!e) e = column(r, &t, speed[k], 0, p->v + k, 3);
    }
    if (!e) e = column(r, &t, charge, 0, p->q, 1);
    tw_table_free(&t);
    return e;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* XYZ files begin with a line of one integer, CSV files with names. */
static int looks_like_xyz(struct tw_reader *r)
{
    const char *p = NULL;
    tw_int n = tw_reader_peek(r, 64, &p);
    for (tw_int k = 0; k < n; k++) {
        if (p[k] >= '0' && p[k] <= '9') return 1;
        if (p[k] != ' ' && p[k] != '\t') return 0;
    }
    return 0;
}

int tw_particles_parse(struct tw_reader *r, int atoms, tw_particles *p)
{
    *p = (tw_particles){0};
    const int e = looks_like_xyz(r) ? parse_xyz(r, atoms, p) : parse_csv(r, atoms, p);
    if (e) tw_particles_free(p);
    return e;
}

int tw_particles_read(const char *path, tw_particles *p)
{
    struct tw_reader r;
    int e;

    if (!p) return tw_illegal("tw_particles_read", 2, "NULL");
    *p = (tw_particles){0};
    if (!path) return tw_illegal("tw_particles_read", 1, "NULL");
    if ((e = tw_reader_open(&r, path))) return e;
    e = tw_particles_parse(&r, 0, p);
    tw_reader_close(&r);
    return e;
}

int tw_particles_write(const char *path, const tw_particles *p)
{
    struct tw_outfile f;
    int e, xyz;
    void *locale;

    if (!path) return tw_illegal("tw_particles_write", 1, "NULL");
    if (!p) return tw_illegal("tw_particles_write", 2, "NULL");
    if ((e = tw_outfile_open(&f, path))) return e;
    xyz = strlen(path) > 4 && !strcasecmp(path + strlen(path) - 4, ".xyz");
    locale = tw_c_locale_enter();
    fprintf(f.stream, xyz ? "%" PRId64 "\nx y z charge vx vy vz\n" : "x,y,z,q,vx,vy,vz\n", p->n);
    for (tw_int i = 0; i < p->n; i++) {
        const double *x = p->x + 3 * i, *v = p->v + 3 * i;
        fprintf(f.stream,
                xyz ? "P %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n" : "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                x[0], x[1], x[2], p->q[i], v[0], v[1], v[2]);
    }
    tw_c_locale_leave(locale);
    return tw_outfile_commit(&f);
}
