/* What the commands on particles (nbody, fmm) share. */
#ifndef TW_CLI_NBODY_PARTICLES_H
#define TW_CLI_NBODY_PARTICLES_H
#include <getopt.h>
#include <jansson.h>

#include "cli/cli.h"

struct cli_cloud { /* which particles */
    const char *kind, *input;
    tw_int n;
    uint64_t seed;
};
/* Flags --n, --kind, --seed, --input: 1 if c was one of them, 0 if not, -1 after a message. */
enum { CLI_N = 1, CLI_KIND, CLI_SEED, CLI_INPUT, CLI_NEXT };
#define CLI_CLOUD_FLAGS                                                                                                \
    {"n", required_argument, NULL, CLI_N}, {"kind", required_argument, NULL, CLI_KIND},                                \
        {"seed", required_argument, NULL, CLI_SEED},                                                                   \
    {                                                                                                                  \
        "input", required_argument, NULL, CLI_INPUT                                                                    \
    }
/* Takes a flag of a struct cli_cloud: 1, 0 if it is none, -1 after a message. */
int cli_cloud_flag(int c, const char *value, void *cloud);
/* cli/nbody/flags.c: all flags of a command. shared: takes those it has in common with others, as cli_cloud_flag does;
 * one: takes the rest: 0, or -1 after a message. Returns 0, or an exit status + 1 after a message or the usage. */
struct cli_flags {
    const char *command;
    const struct option *flags;
    int (*usage)(void);
    int (*shared)(int c, const char *value, void *shared_options);
    int (*one)(int c, const char *value, void *options);
};
int cli_flags_parse(const struct cli_flags *f, int argc, char **argv, void *shared_options, void *options);
/* Make or read them: 0 or an exit status after a message. */
int cli_cloud_make(const struct cli_cloud *cloud, tw_particles *p);

/* After getopt_long failed: the message, CLI_USAGE + 1; c is what it returned. */
int cli_bad_flag(int c, char **argv, const struct option *flags, const char *command);

/* Relative errors in the 2-norm at up to 1000 particles, against this command's own sums in long double. u and grad (3
 * per particle) may be NULL: error 0. Returns how many particles were looked at; -1 after a message. */
tw_int cli_field_error(const tw_particles *p, double softening, const double *u, const double *grad, double error[2]);
/* The same against given potentials and gradients (dim components) at every step-th particle. */
void cli_field_distance(tw_int count, int dim, tw_int step, long double (*field)[4], const double *u,
                        const double *grad, double error[2]);

/* cli/nbody/kernels.c: the same in a periodic box with its corner in the origin, by Ewald's sum, at up to 30 particles;
 * -1 after a message. */
tw_int cli_periodic_error(const tw_particles *p, enum tw_boundary boundary, double side, const double *u,
                          const double *grad, double error[2]);

/* The same with e^(-kappa r) / r; kappa < 0: with log r in the plane (x and y only, 2 components of the gradient per
 * particle). */
tw_int cli_kernel_error(const tw_particles *p, double kappa, const double *u, const double *grad, double error[2]);

/* JSON: null where there is no number. */
void cli_put(json_t *o, const char *key, json_t *value);
void cli_put_real(json_t *o, const char *key, double value);
/* Print the object on one line and forget it; 0 or CLI_FAILED. */
int cli_print_json(json_t *o);

/* cli/nbody/frames.c: PREFIX_00000.ppm, PREFIX_00001.ppm, …: the density of particles projected on the x-y plane, size
 * x size pixels over [-width / 2, width / 2]^2 around the centre of mass at the first frame. */
struct cli_frames {
    const char *prefix;
    int size, count, started;
    double width, centre[2];
};
int cli_frame(struct cli_frames *f, const tw_particles *p);
#endif
