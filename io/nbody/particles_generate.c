/* Particles by recipe. */
#include <math.h>
#include <string.h>

#include "io/nbody/particles.h"

/* Uniform in (0, 1): draw number k of particle i. */
static double draw(uint64_t seed, tw_int i, tw_int k)
{
    return 0.5 + 0.5 * tw_uniform(tw_mix(seed + 0x7061727469636C65u), i, k);
}

/* A vector of that length in a random direction (draws k and k + 1). */
static void direction(uint64_t seed, tw_int i, tw_int k, double length, double out[3])
{
    const double z = 2 * draw(seed, i, k) - 1, angle = 2 * M_PI * draw(seed, i, k + 1), flat = sqrt(1 - z * z);
    out[0] = length * flat * cos(angle);
    out[1] = length * flat * sin(angle);
    out[2] = length * z;
}

static void uniform(const tw_particles *p, uint64_t seed, tw_int i)
{
    for (int k = 0; k < 3; k++)
        p->x[3 * i + k] = draw(seed, i, k);
    p->q[i] = 2 * draw(seed, i, 3) - 1;
}

static void sphere(const tw_particles *p, uint64_t seed, tw_int i)
{
    direction(seed, i, 0, 1, p->x + 3 * i);
    p->q[i] = 1 / (double)p->n;
}

/* Radius from the mass inside it, m = r^3 / (1 + r^2)^(3/2), up to that of r = 10; speed by rejection from q^2 (1 -
 * q^2)^(7/2) in units of the escape speed. */
static void plummer(const tw_particles *p, uint64_t seed, tw_int i)
{
    const double inside = 0.985185 * draw(seed, i, 0), r = 1 / sqrt(pow(inside, -2.0 / 3) - 1);
    double q = 0;

    direction(seed, i, 1, r, p->x + 3 * i);
    for (tw_int k = 3;; k += 2) {
        q = draw(seed, i, 100 + k);
        if (0.1 * draw(seed, i, 101 + k) < q * q * pow(1 - q * q, 3.5)) break;
    }
    direction(seed, i, 3, q * sqrt(2.0) * pow(1 + r * r, -0.25), p->v + 3 * i);
    p->q[i] = 1 / (double)p->n;
}

/* Each half: mass 1/2 and scale 1, so velocities are smaller by sqrt(1/2); then apart and towards each other. */
static void collision(const tw_particles *p, uint64_t seed, tw_int i)
{
    const double side = i % 2 ? 1 : -1;
    plummer(p, seed, i);
    for (int k = 0; k < 3; k++)
        p->v[3 * i + k] *= sqrt(0.5);
    p->x[3 * i] += 3 * side;
    p->x[3 * i + 1] += 0.75 * side;
    p->v[3 * i] -= 0.3 * side;
}

static const struct recipe {
    const char *name;
    void (*place)(const tw_particles *p, uint64_t seed, tw_int i);
} recipes[] = {{"uniform", uniform}, {"sphere", sphere}, {"plummer", plummer}, {"collision", collision}};

int tw_particles_generate(tw_particles *p, const char *kind, tw_int n, uint64_t seed)
{
    char quoted[TW_QUOTE_MAX];

    if (!p) return tw_illegal("tw_particles_generate", 1, "NULL");
    *p = (tw_particles){0};
    if (!kind) return tw_illegal("tw_particles_generate", 2, "NULL");
    if (n < 0) return tw_illegal("tw_particles_generate", 3, "negative");
    for (size_t k = 0; k < sizeof recipes / sizeof *recipes; k++) {
        if (strcmp(kind, recipes[k].name)) continue;
        const int e = tw_particles_alloc(p, kind, n);
        for (tw_int i = 0; !e && i < n; i++)
            recipes[k].place(p, seed, i);
        return e;
    }
    return tw_fail(TW_E_OPTION, "kind %s: there are uniform, sphere, plummer, collision", tw_quote(quoted, kind));
}
