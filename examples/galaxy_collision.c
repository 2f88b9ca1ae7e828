/* Two Plummer spheres meet: 2000 particles fall through each other by the leapfrog, with softened direct sums.
 *
 *   galaxy_collision [PREFIX]    with PREFIX: pictures of the density, PREFIX_000.pgm, PREFIX_001.pgm, …, and a table
 *                                of the energies, PREFIX.csv; to plot the drift: gnuplot -p -e "set datafile separator
 *                                ','; plot 'PREFIX.csv' using 2:6 with lines"
 *
 * The check: energy and momentum stay what they were. For pictures in colour and many particles: tilework nbody
 * --frames. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

enum { PARTICLES = 2000, STEPS = 480, EVERY = 40, SIDE = 256 };

struct film {
    const char *prefix;
    FILE *table;
    double energy0, momentum0[3], drift, slip; /* largest changes of energy (relative) and momentum */
};

/* The particles seen along z, 20 units wide; brighter where there are more. */
static void picture(const char *prefix, int number, const tw_particles *p)
{
    static unsigned char pixel[SIDE][SIDE];
    char path[512];

    memset(pixel, 0, sizeof pixel);
    for (tw_int i = 0; i < p->n; i++) {
        const double column = (p->x[3 * i] / 20 + 0.5) * SIDE, row = (0.5 - p->x[3 * i + 1] / 20) * SIDE;
        if (column < 0 || column >= SIDE || row < 0 || row >= SIDE) continue;
        unsigned char *light = &pixel[(int)row][(int)column];
        *light = (unsigned char)(*light + (255 - *light) / 2);
    }
    snprintf(path, sizeof path, "%.480s_%03d.pgm", prefix, number);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(1);
    }
    fprintf(f, "P5\n%d %d\n255\n", SIDE, SIDE);
    fwrite(pixel, 1, sizeof pixel, f);
    fclose(f);
}

/* The library calls this after every step. */
static int on_step(void *user, const tw_particles *p, const tw_motion_state *s)
{
    struct film *film = user;
    const double energy = s->kinetic + s->potential;

    if (s->step == 0) {
        film->energy0 = energy;
        memcpy(film->momentum0, s->momentum, sizeof film->momentum0);
    }
    film->drift = fmax(film->drift, fabs((energy - film->energy0) / film->energy0));
    for (int k = 0; k < 3; k++)
        film->slip = fmax(film->slip, fabs(s->momentum[k] - film->momentum0[k]));
    if (film->table)
        fprintf(film->table, "%d,%g,%.15g,%.15g,%.15g,%.6e\n", (int)s->step, s->time, s->kinetic, s->potential, energy,
                (energy - film->energy0) / fabs(film->energy0));
    if (s->step % EVERY) return 0;
    printf("t = %5.2f  kinetic %.5f  potential %.5f  energy %.7f\n", s->time, s->kinetic, s->potential, energy);
    if (film->prefix) picture(film->prefix, (int)(s->step / EVERY), p);
    return 0;
}

int main(int argc, char **argv)
{
    struct film film = {.prefix = argc > 1 ? argv[1] : NULL};
    tw_motion motion = {.g = 1, .softening = 0.1, .dt = 0.025};
    tw_particles p;
    int e = arguments(argc, argv, 1,
                      "galaxy_collision [PREFIX]     PREFIX_000.pgm, ... and PREFIX.csv are written with a PREFIX");

    if (e >= 0) return e;
    tw_blas_reexec(argv);
    if (film.prefix) {
        char path[512];
        snprintf(path, sizeof path, "%.500s.csv", film.prefix);
        if (!(film.table = fopen(path, "w"))) {
            perror(path);
            return 1;
        }
        fprintf(film.table, "step,time,kinetic,potential,energy,drift\n");
    }
    e = tw_particles_generate(&p, "collision", PARTICLES, 1);
    if (!e) e = tw_leapfrog(&p, &motion, STEPS, on_step, &film);
    if (e) {
        fprintf(stderr, "%s %s\n", tw_strerror(e), tw_last_message());
        return 1;
    }
    if (film.table && fclose(film.table)) {
        perror("the table of energies");
        return 1;
    }
    printf("energy changed by %.1e of its value, momentum by %.1e\n", film.drift, film.slip);
    tw_particles_free(&p);
    tw_finalize();
    return film.drift < 2e-3 && film.slip < 1e-12 ? 0 : 1;
}
