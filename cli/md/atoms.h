/* What the commands on atoms with a cut-off (md, minimize) share. */
#ifndef TW_CLI_MD_ATOMS_H
#define TW_CLI_MD_ATOMS_H
#include "cli/nbody/particles.h"

struct cli_atoms { /* which atoms, and how they interact */
    struct cli_cloud cloud;
    const char *restart, *output, *checkpoint, *box;
    int bonds, json, check;
    double cutoff, skin;                /* < 0: the kind's, or the checkpoint's */
    double dt;                          /* of a checkpoint; 0: it has none */
    tw_cutoff model;                    /* the rest of it */
    enum tw_electrostatics of_peptides; /* where none are asked for */
    unsigned given;                     /* bit c % 32: flag c was given, and beats the checkpoint */
};
#define CLI_ATOMS_DEFAULTS                                                                                             \
    {                                                                                                                  \
        .cloud = {.kind = "argon", .n = 4000, .seed = 1}, .cutoff = -1, .skin = -1,                                    \
        .of_peptides = TW_ELECTROSTATICS_BORN                                                                          \
    }
enum {
    CLI_RESTART = CLI_NEXT,
    CLI_OUTPUT,
    CLI_CHECKPOINT,
    CLI_BOX,
    CLI_BONDS,
    CLI_JSON,
    CLI_CHECK,
    CLI_CUTOFF,
    CLI_SKIN,
    CLI_VDW,
    CLI_ELECTROSTATICS,
    CLI_CONSTANT,
    CLI_EPS_IN,
    CLI_EPS_OUT,
    CLI_TYPE,
    CLI_REUSE,
    CLI_ATOMS_NEXT
};
#define CLI_ATOMS_FLAGS                                                                                                \
    CLI_CLOUD_FLAGS, {"restart", required_argument, NULL, CLI_RESTART},                                                \
        {"output", required_argument, NULL, CLI_OUTPUT}, {"checkpoint", required_argument, NULL, CLI_CHECKPOINT},      \
        {"box", required_argument, NULL, CLI_BOX}, {"bonds", no_argument, NULL, CLI_BONDS},                            \
        {"json", no_argument, NULL, CLI_JSON}, {"check", no_argument, NULL, CLI_CHECK},                                \
        {"cutoff", required_argument, NULL, CLI_CUTOFF}, {"skin", required_argument, NULL, CLI_SKIN},                  \
        {"vdw", required_argument, NULL, CLI_VDW}, {"electrostatics", required_argument, NULL, CLI_ELECTROSTATICS},    \
        {"constant", required_argument, NULL, CLI_CONSTANT}, {"eps-in", required_argument, NULL, CLI_EPS_IN},          \
        {"eps-out", required_argument, NULL, CLI_EPS_OUT}, {"type", required_argument, NULL, CLI_TYPE},                \
        {"reuse", required_argument, NULL, CLI_REUSE},                                                                 \
    {                                                                                                                  \
        "help", no_argument, NULL, 'h'                                                                                 \
    }
/* What they mean, for the usage texts. */
extern const char cli_atoms_help[];
/* 1 if c was one of these flags, 0 if not, -1 after a message. */
int cli_atoms_flag(int c, const char *value, void *atoms);
/* Make or read the atoms, complete the model: flags, then the checkpoint's settings, then the kind's. *step is a
 * checkpoint's, or 0. 0 or an exit status after a message. */
int cli_atoms_make(struct cli_atoms *o, tw_atoms *a, tw_int *step);
/* Forces of the library against this command's own at up to 500 atoms, or (Born) against differences of the energy: a
 * report, and 0 or CLI_FAILED. */
int cli_atoms_check(const struct cli_atoms *o, tw_atoms *a);
/* A library call of `command` gave a negative code: its message, and the exit status; settings that cannot be are bad
 * usage. */
int cli_atoms_error(const char *command, int code);
/* What can be said about files before any work: 0 or an exit status after a message. */
int cli_atoms_files(const struct cli_atoms *o);
/* At a report: --checkpoint, if there is one and it is a file, which holds the last. 0 or an exit status after a
 * message. */
int cli_atoms_report_checkpoint(const struct cli_atoms *o, const tw_atoms *a, double dt, tw_int step);
/* --output and --checkpoint. */
int cli_atoms_save(const struct cli_atoms *o, const tw_atoms *a, double dt, tw_int step);
/* The part of a JSON report that all share. */
void cli_atoms_json(json_t *j, const char *routine, const struct cli_atoms *o, const tw_atoms *a,
                    const tw_cutoff_energy *e);
#endif
