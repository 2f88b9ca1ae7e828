/* Flags, checks and JSON of the commands on particles. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nbody/particles.h"

int cli_cloud_flag(int c, const char *value, void *to)
{
    struct cli_cloud *cloud = to;
    long long number = 0;

    switch (c) {
    case CLI_N:
        if (cli_whole_number("--n", value, 0, 1 << 30, &number)) return -1;
        cloud->n = number;
        return 1;
    case CLI_KIND: cloud->kind = value; return 1;
    case CLI_INPUT: cloud->input = value; return 1;
    case CLI_SEED:
        if (cli_whole_number("--seed", value, 0, INT64_MAX, &number)) return -1;
        cloud->seed = (uint64_t)number;
        return 1;
    default: return 0;
    }
}

int cli_cloud_make(const struct cli_cloud *cloud, tw_particles *p)
{
    const char *input = cloud->input;
    int e = cli_input_file("--input", &input);

    *p = (tw_particles){0};
    if (e) return e;
    e = input ? tw_particles_read(input, p) : tw_particles_generate(p, cloud->kind, cloud->n, cloud->seed);
    return e ? cli_input_error(input ? "--input" : e == TW_E_MEMORY ? "--n" : "--kind", e) : CLI_OK;
}

int cli_bad_flag(int c, char **argv, const struct option *flags, const char *command)
{
    char page[64];

    if (c == ':') return cli_error(CLI_USAGE + 1, "%s: needs a value", argv[optind - 1]);
    snprintf(page, sizeof page, "tilework %s -h", command);
    return cli_unknown_flag(cli_refused(argv), flags, page) + 1;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

static void sum(const tw_particles *p, double softening, tw_int i, long double f[4])
{
    const double soft2 = softening * softening;

    for (int k = 0; k < 4; k++)
        f[k] = 0;
    for (tw_int j = 0; j < p->n; j++) {
        const double dx = p->x[3 * j] - p->x[3 * i], dy = p->x[3 * j + 1] - p->x[3 * i + 1],
                     dz = p->x[3 * j + 2] - p->x[3 * i + 2], d2 = dx * dx + dy * dy + dz * dz, r2 = d2 + soft2,
                     w = p->q[j] / sqrt(r2);
        if (d2 == 0) continue;
        f[0] += w;
        f[1] += w / r2 * dx;
        f[2] += w / r2 * dy;
        f[3] += w / r2 * dz;
    }
}

struct look {
    const tw_particles *p;
    double softening;
    tw_int step;
    long double (*field)[4];
};
static void look(void *context, long k)
{
    const struct look *l = context;
    sum(l->p, l->softening, k * l->step, l->field[k]);
}

tw_int cli_field_error(const tw_particles *p, double softening, const double *u, const double *grad, double error[2])
{
    const tw_int step = p->n > 1000 ? p->n / 1000 : 1, count = (p->n + step - 1) / step;
    struct look l = {p, softening, step, cli_alloc((double)count * sizeof *l.field, "the check")};

    if (!l.field) return -1;
    cli_parallel(count, look, &l);
    cli_field_distance(count, 3, step, l.field, u, grad, error);
    free(l.field);
    return count;
}

void cli_field_distance(tw_int count, int dim, tw_int step, long double (*field)[4], const double *u,
                        const double *grad, double error[2])
{
    long double e[2] = {0, 0}, norm[2] = {0, 0}, d;

    for (tw_int k = 0; k < count; k++) {
        const tw_int i = k * step;
        const long double *f = field[k];
        if (u) d = u[i] - f[0], e[0] += d * d, norm[0] += f[0] * f[0];
        for (int c = 0; grad && c < dim; c++) {
            d = grad[dim * i + c] - f[1 + c];
            e[1] += d * d;
            norm[1] += f[1 + c] * f[1 + c];
        }
    }
    for (int k = 0; k < 2; k++)
        error[k] = (double)sqrtl(norm[k] > 0 ? e[k] / norm[k] : e[k]);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

void cli_put(json_t *o, const char *key, json_t *value)
{
    if (json_object_set_new(o, key, value)) cli_error(0, "--json: not enough memory for '%s'", key);
}
void cli_put_real(json_t *o, const char *key, double value)
{
    cli_put(o, key, isfinite(value) ? json_real(value) : json_null());
}
int cli_print_json(json_t *o)
{
    FILE *f = cli_reports();
    const int e = json_dumpf(o, f, JSON_REAL_PRECISION(12));
    fprintf(f, "\n");
    json_decref(o);
    if (cli_flush()) return CLI_FAILED;
    return e ? cli_error(CLI_FAILED, "--json: writing failed") : CLI_OK;
}
