#include "common/picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/program.h"

/* Both axes have the same range, so that the identity is the diagonal. Lengths are in pixels. */
enum {
    LEFT = 96,
    TOP = 66,
    SIDE = 560,
    BOTTOM = 62,
    RIGHT = 26,
    WIDTH = LEFT + SIDE + RIGHT,
    HEIGHT = TOP + SIDE + BOTTOM
};
enum { MAX_POINTS = 6000 };

struct range {
    double low, high, tick;
};

static struct range range_of(const struct picture *p)
{
    struct range r = {INFINITY, -INFINITY, 1};
    for (tw_int i = 0; i < p->count; i++) {
        r.low = fmin(r.low, fmin(p->truth[i], p->predicted[i]));
        r.high = fmax(r.high, fmax(p->truth[i], p->predicted[i]));
    }
    if (!(r.high > r.low)) { /* one value, or none */
        r.low = isfinite(r.low) ? r.low - 1 : 0;
        r.high = r.low + 2;
    }
    double raw = (r.high - r.low) / 6, power = pow(10, floor(log10(raw)));
    r.tick = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    r.low = r.tick * floor(r.low / r.tick);
    r.high = r.tick * ceil(r.high / r.tick);
    return r;
}

static double across(const struct range *r, double v)
{
    return LEFT + SIDE * (v - r->low) / (r->high - r->low);
}

static double down(const struct range *r, double v)
{
    return TOP + SIDE * (r->high - v) / (r->high - r->low);
}

static void write_text(FILE *f, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        default: fputc(*s, f);
        }
}

/* 350000 -> "350 000": long numbers are read in groups of three digits. */
static void write_number(FILE *f, double v)
{
    char digits[64];
    if (fabs(v) < 1e-12) v = 0;
    if (fabs(v) < 1e4 || fabs(v) >= 1e12 || v != floor(v)) {
        fprintf(f, "%.6g", v);
        return;
    }
    int n = snprintf(digits, sizeof digits, "%.0f", fabs(v));
    if (v < 0) fputs("\xe2\x88\x92", f); /* a minus sign in UTF-8 */
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) fputs("\xe2\x80\xaf", f); /* a narrow space */
        fputc(digits[i], f);
    }
}

static void write_axes(FILE *f, const struct picture *p, const struct range *r)
{
    fprintf(f, "<rect x='%d' y='%d' width='%d' height='%d' fill='#f7f8fa'/>\n", LEFT, TOP, SIDE, SIDE);
    int ticks = (int)lround((r->high - r->low) / r->tick);
    for (int k = 0; k <= ticks; k++) {
        double v = r->low + k * r->tick, x = across(r, v), y = down(r, v);
        fprintf(f, "<path d='M%.1f %dV%dM%d %.1fH%d' stroke='#dfe3e8' fill='none'/>\n", x, TOP, TOP + SIDE, LEFT, y,
                LEFT + SIDE);
        fprintf(f, "<text x='%.1f' y='%d' text-anchor='middle' font-size='12' fill='#555'>", x, TOP + SIDE + 18);
        write_number(f, v);
        fprintf(f, "</text><text x='%d' y='%.1f' text-anchor='end' font-size='12' fill='#555'>", LEFT - 8, y + 4);
        write_number(f, v);
        fprintf(f, "</text>\n");
    }
    fprintf(f, "<text x='%d' y='%d' text-anchor='middle' font-size='14'>true ", LEFT + SIDE / 2, TOP + SIDE + 44);
    write_text(f, p->name);
    fprintf(f, "</text>\n<text transform='translate(18 %d) rotate(-90)' text-anchor='middle' font-size='14'>predicted ",
            TOP + SIDE / 2);
    write_text(f, p->name);
    fprintf(f, "</text>\n");
}

/* A point is a stroke of no length with round ends, a tenth of the size of a circle in the file. Points of one path
 * do not darken each other, so there are several paths: crowded places look crowded. */
static void write_points(FILE *f, const struct picture *p, const struct range *r)
{
    enum { PER_PATH = 40 };
    tw_int drawn = p->count < MAX_POINTS ? p->count : MAX_POINTS;
    fprintf(f, "<g fill='none' stroke='#1769aa' stroke-width='%g' stroke-linecap='round' stroke-opacity='%g'>\n",
            drawn > 1000 ? 3.2 : 5.5, drawn > 1000 ? 0.35 : 0.6);
    for (tw_int k = 0; k < drawn; k++) {
        tw_int i = (tw_int)((double)k * (double)p->count / (double)drawn);
        if (k % PER_PATH == 0) fputs("<path d='", f);
        fprintf(f, "M%.1f %.1fh0", across(r, p->truth[i]), down(r, p->predicted[i]));
        if (k % PER_PATH == PER_PATH - 1 || k == drawn - 1) fputs("'/>\n", f);
    }
    fprintf(f, "</g>\n<path d='M%d %dL%d %d' stroke='#d1495b' stroke-width='1.5' fill='none'/>\n", LEFT, TOP + SIDE,
            LEFT + SIDE, TOP);
}

static void write_svg(FILE *f, const struct picture *p)
{
    struct range r = range_of(p);
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='sans-serif'>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(f,
            "<rect width='100%%' height='100%%' fill='white'/>\n<text x='%d' y='30' font-size='18' font-weight='bold'>",
            LEFT);
    write_text(f, p->title);
    fprintf(f, "</text>\n<text x='%d' y='52' font-size='13' fill='#555'>", LEFT);
    write_text(f, p->subtitle);
    fprintf(f, "</text>\n");
    write_axes(f, p, &r);
    write_points(f, p, &r);
    fprintf(f, "</svg>\n");
}

/* "FILE.tmpPID" in the directory of FILE. */
static char *temporary_name(const char *path)
{
    size_t size = strlen(path) + 40;
    char *name = must_alloc(size);
    snprintf(name, size, "%s.tmp%ld", path, (long)getpid());
    return name;
}

int picture_writable(const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    char *temporary = temporary_name(path);
    FILE *f = fopen(temporary, "wx");
    int saved = errno;
    if (f) {
        fclose(f);
        unlink(temporary);
    }
    free(temporary);
    errno = saved;
    return f ? 0 : -1;
}

int picture_write(const char *path, const struct picture *p)
{
    char *temporary = temporary_name(path);
    FILE *f = fopen(temporary, "wx");
    int failed = 1;
    if (f) {
        write_svg(f, p);
        failed = ferror(f) || fflush(f) != 0 || fsync(fileno(f)) != 0;
        failed |= fclose(f) != 0;
        if (!failed) failed = rename(temporary, path) != 0;
        int saved = errno;
        if (failed) unlink(temporary);
        errno = saved;
    }
    free(temporary);
    return failed ? -1 : 0;
}
