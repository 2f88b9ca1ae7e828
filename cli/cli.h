/* What the files of the tilework command share. One file per subcommand, which defines its row, a CLI_ROUTINE or
 * CLI_COMMAND: nothing else has to name it. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <tilework/tilework.h>

#include "checks/checks.h"
#include "cli/common.h"

/* ---- options.c ------------------------------------------------------------------------------------------------ */

enum cli_door { CLI_TILES, CLI_IN_PLACE, CLI_LAPACK };

struct cli_options {
    tw_int m, n, nrhs, nb, window; /* m, n < 0: not given; nb 0: the library chooses */
    enum tw_type type;
    enum tw_uplo uplo;
    enum cli_door door;
    char kind[512]; /* the generator; unused with --input */
    const char *input, *rhs, *output, *trace, *priority;
    const char *values;                   /* eigenvalues: the file that they are written to */
    const char *pivots, *tau, *r, *h, *t; /* files of a factorization beside --output */
    const char *other_side;               /* the same of V^H beside U, or of left eigenvectors beside right ones */
    int uplo_given;
    int values_only;     /* without eigenvectors */
    char jobz;           /* the letter that was said; 0: none */
    char jobvl, jobvr;   /* left and right eigenvectors of a general matrix: V or N; jobvr also Schur vectors */
    const char *select;  /* which eigenvalues come first: none, left or disk */
    tw_int band;         /* 0: the library chooses */
    const char *route;   /* the same, NULL */
    enum tw_which which; /* eigenvalues: all, those in (vl, vu], or numbers il ... iu */
    double vl, vu;
    tw_int il, iu;
    tw_int kd; /* sub-diagonals of a band matrix that is given; < 0: not said */
    int itype;
    enum tw_trans trans;   /* op(A) of a solve */
    double rcond, tol;     /* < 0: not said */
    tw_int rank;           /* < 0: not said */
    tw_int kmax;           /* < 0: not said */
    double abstol, reltol; /* < 0: not said */
    int oversampling, power;
    enum tw_function function; /* of a matrix */
    const char *function_name;
    uint64_t seed;
    int repeat, check, json, progress;
};
struct cli_routine;
/* Parse argv[1…]; 0, or an exit status + 1 after a message, or CLI_ASKED_HELP. */
#define CLI_ASKED_HELP (-1)
int cli_parse(const struct cli_routine *routine, int argc, char **argv, struct cli_options *o);
/* Start the library with the flags and variables in force; 0 or an exit status after a message. */
int cli_start(const struct cli_options *o);

/* ---- problem.c: what is solved, and where its data lives --------------------------------------------------------- */

/* Where a matrix comes from: a generator, or an array read from a file. */
struct cli_source {
    tw_generator *generator;
    void *array; /* column-major, leading dimension m */
    tw_int m, n;
    enum tw_type type;
    int random; /* random input: an error of exactly 0 is suspicious */
    /* of a generator: that triangle stands for a symmetric or hermitian matrix; 0: it is taken as it is */
    enum tw_uplo mirrored;
};
struct cli_problem {
    const struct cli_options *o;
    const struct cli_routine *routine;
    enum tw_type type;
    enum tw_uplo uplo;
    enum cli_door door;
    tw_int m, n, nrhs, ld; /* A is m x n, m = n but for rectangular routines; ld: leading dimension of a and b */
    tw_int rows;           /* of B */
    struct cli_source source, rhs;
    tw_matrix *A, *B;  /* doors CLI_TILES and CLI_IN_PLACE */
    tw_matrix *Z;      /* and of routines with --range the eigenvectors */
    tw_matrix *U, *Vt; /* singular vectors, where A does not become them; U: others' second matrix */
    void *u, *vt;      /* and of the LAPACK door, with leading dimension ld */
    void *a, *b;       /* doors CLI_LAPACK and CLI_IN_PLACE */
    double anorm;      /* 1-norm of A, exact; < 0: not computed yet */
    double rcond;
    tw_matrix *P; /* general routines: the pivots of the tiles' doors, or the reflectors' factors tau */
    tw_int *ipiv; /* and of the LAPACK door */
    void *tau;
    tw_matrix *P2; /* of routines with reflectors on both sides (reflectors = 2) those of the second one */
    void *tau2;
    int rank;
    tw_int sdim;         /* eigenvalues that came first */
    double error;        /* of truncated routines: what they say of their distance from A */
    double left, of_all; /* of routines that stop: the largest norm of a column of what is left, and over A's */
    tw_int *jpvt;        /* of routines that choose columns: zeros before, the columns' numbers afterwards */
    double *w;           /* eigenvalues */
    tw_int found;        /* how many, of routines with --range; of others n */
    void *z;             /* LAPACK door of these: the eigenvectors, n x n */
    void *ab; /* banded routines: the matrix in LAPACK's band storage, of kd + 1 rows; A becomes the eigenvectors */
    void *q;  /* sbevx with --check: its Q, n x n */
    double *d, *e; /* and its diagonals, if it is tridiagonal */
    tw_int kd;
    double berr, ferr;      /* of routines with bounds: the worst of all right-hand sides */
    int corrections;        /* that refinement made; < 0: not known */
    double largest, growth; /* getrf: the largest |a_ij|, and the largest |u_ij| over it; < 0: not known */
    char kind[600];         /* for reports */
    int vector;             /* the right-hand side is a file of one dimension: so is the answer */
};
/* The order of its tiles, by --nb or the routine's choice, and where it comes from (NULL: not asked); negative: an
 * error of the library's. */
tw_int cli_problem_nb(const struct cli_problem *p, const char **source);
/* Rows and columns of the tiles of its matrix in the library's memory. 0, or a library error. */
int cli_problem_tiles(const struct cli_problem *p, tw_int *mb, tw_int *nb);
int cli_problem_create(struct cli_problem *p, const struct cli_routine *routine, const struct cli_options *o);
void cli_problem_destroy(struct cli_problem *p);
/* (Re)fill A and B; 0 or an exit status after a message. */
int cli_problem_fill(struct cli_problem *p);
/* Door CLI_IN_PLACE: hand the arrays to the library, which registers them (part of the time measured), and take them
 * back. */
int cli_problem_wrap(struct cli_problem *p); /* 0 or a library code */
void cli_problem_unwrap(struct cli_problem *p);
/* Make the results valid in main memory (part of the time measured): 0 or a library code. */
int cli_problem_home(struct cli_problem *p);
/* Real flops of a routine on this problem; NaN: none are stated. */
double cli_flops(const struct cli_problem *p, const struct cli_routine *routine);
/* tau, min(m, n) elements, whichever door it came from: to be freed; NULL after a message. And the second side's. */
void *cli_result_tau(struct cli_problem *p);
void *cli_result_tau2(struct cli_problem *p);
/* The result A or B as a column-major array. *copy is what to free afterwards (NULL for arrays of the problem). Only
 * the uplo triangle of A is meaningful. 0, or an exit status after a message. */
int cli_result_a(struct cli_problem *p, void **array, void **copy);
int cli_result_of(struct cli_problem *p, tw_matrix *matrix, void *mine, tw_int columns, void **array, void **copy);
int cli_result_b(struct cli_problem *p, void **array, void **copy);
/* Eigenvectors, p->found columns of it; and how many there may be, of routines with --range. */
int cli_result_z(struct cli_problem *p, void **array, void **copy);
tw_int cli_vectors_most(const struct cli_problem *p);
/* The pivots, n of them, whichever door they came from: to be freed; NULL after a message. */
tw_int *cli_result_pivots(struct cli_problem *p);
/* Write the routine's result to o->output. */
int cli_problem_save(struct cli_problem *p);
/* What of a factorization has a file beside --output: its row's. */
#define CLI_HAS_PIVOTS(r) ((r)->pivoted || (r)->exchanges)
#define CLI_HAS_TAU(r)    ((r)->reflectors == 1 && !(r)->has_rhs && !(r)->told)
#define CLI_HAS_R(r)      ((r)->second == 'R')
#define CLI_HAS_H(r)      ((r)->second == 'H')
/* malloc, with a message and NULL on failure; a size of 0 gives a pointer, too. */
void *cli_alloc(double bytes, const char *what);

/* ---- dense/band.c: the band of the source, of banded routines ---------------------------------------------------- */

int cli_band_allocate(struct cli_problem *p); /* 0 or an exit status after a message */
int cli_band_fill(struct cli_problem *p);     /* 0 or a library code */
void cli_band_free(struct cli_problem *p);

/* ---- eigen/values.c: what routines with eigenvalues share -------------------------------------------------------- */

struct cli_verdict;
enum tw_jobz cli_jobz(const struct cli_problem *p);
/* The check of eigenvalues, and eigenvectors in A's place, or B's. */
int cli_check_values(struct cli_problem *p, struct cli_verdict *v);
/* Eigenvalues of single precision, from an array of n that cli_single_values gave, to p->w. */
float *cli_single_values(const struct cli_problem *p);
tw_int cli_keep_single_values(struct cli_problem *p, float *single, tw_int info);

/* ---- dense/singular.c: where singular vectors are ---------------------------------------------------------------- */

/* Their shapes: U is m x left, V^T right x n; in_u, in_vt: they are in U or Vt, and not in A or nowhere. */
struct cli_singular {
    tw_int k, left, right;
    int in_u, in_vt;
};
struct cli_singular cli_singular(const struct cli_problem *p);
int cli_singular_allocate(struct cli_problem *p, tw_int mb, tw_int nb); /* 0 or an exit status after a message */
/* Routines with a second matrix: its shape. */
tw_int cli_second_rows(const struct cli_problem *p);
tw_int cli_second_columns(const struct cli_problem *p);
/* 0 or a library code. */
int cli_singular_home(struct cli_problem *p);
void cli_singular_free(struct cli_problem *p);
/* The result U or V^T as an array of leading dimension ld, as cli_result_a; NULL: there is none. */
int cli_result_u(struct cli_problem *p, void **array, void **copy);
int cli_result_vt(struct cli_problem *p, void **array, void **copy);

/* ---- svd/vectors.c: what routines of singular values and vectors share ------------------------------------------- */

int cli_check_some_singular(struct cli_problem *p, struct cli_verdict *v); /* of routines with --range */
double cli_gebrd_flops(double m, double n, double nrhs); /* LAPACK's for real types: the reduction to bidiagonal form */
void cli_find_rank(struct cli_problem *p);               /* values that count beside the largest one */
char cli_svd_job(const struct cli_problem *p);
int cli_check_singular(struct cli_problem *p, struct cli_verdict *v);

/* ---- source.c ---------------------------------------------------------------------------------------------------- */

/* The whole matrix into a (leading dimension lda), by several threads; 0 or a library code. */
int cli_source_fill(const struct cli_source *s, void *a, tw_int lda);
/* Y = op(M) X (Y may be NULL: only sums), where M is the source's matrix or its triangle (uplo TW_GENERAL: all of it);
 * X and Y have k columns. Computed from blocks made again by several threads: no copy of M is needed. colsum and rowsum
 * (both or either may be NULL) receive the sums of |m_ij| by column and by row. 0 or a library code. */
int cli_source_apply(const struct cli_source *s, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                     double *colsum, double *rowsum);
/* The source for the checks. */
struct check_matrix cli_source_matrix(const struct cli_source *s);

/* ---- the routines: one file each --------------------------------------------------------------------------------- */

struct cli_verdict {
    int done;        /* 0: there was nothing to check */
    double residual; /* in units of the formula, warn at `warn`, fail at `fail` */
    double warn, fail;
    const char *formula;
    int zero_is_odd;  /* exactly 0 cannot happen on random input */
    const char *word; /* "ok", "warning", "failed"; filled by cli_judge */
    int passed;
    double reference;                       /* pocon: LAPACK's value */
    double orthogonality, eigenvalue_error; /* of eigenvectors and eigenvalues, parts of the residual; NaN: not known */
    const char *reason;                     /* of a failure that no residual tells of; NULL: the residual does */
    double orthogonality_v;                 /* of right singular vectors; `orthogonality` is that of left ones */
};
struct cli_routine {
    const char *name;
    const char *summary; /* one line */
    const char *text;    /* what it computes and what is checked */
    const char *example;
    const struct cli_routine *factor; /* what factors A before the clock starts; NULL: nothing */
    const char *failure;              /* info > 0 in words, with %lld for the info */
    int general;                      /* all of A counts: no --uplo, and pivots if it is not rectangular */
    int triangular;                   /* the uplo triangle is all of the matrix */
    int rectangular;                  /* --m and --n may differ */
    int tall;                         /* but there are no fewer rows than columns */
    int pivoted;                      /* columns are chosen */
    int exchanges;                    /* its pivots are a result */
    int stops;        /* up to a rank: --kmax, --abstol, --reltol, and the report has the rank and what is left */
    int ranked;       /* the report has the rank */
    int reflectors;   /* with their factors tau; 2: of both sides */
    int tree;         /* Q by a tree of tiles: with T, by tw_tree_create, where others have tau */
    const char *kind; /* the generator where none is named; NULL: spd, of general ones random */
    int has_rhs;
    int solves;     /* the result is B */
    int transposes; /* --trans: with op(A) in A's place; 2: of complex matrices not A^T */
    int condition;  /* the result is p->rcond; A's exact norm is known before */
    int values;     /* eigenvalues of the matrix of which the uplo triangle is read; A becomes the eigenvectors */
    int banded; /* with values: only the band of the matrix counts: 1: a tridiagonal matrix; 2: --kd sub-diagonals */
    int told;   /* the report has what the library tells of its stages, as that of routines with values */
    int ranges; /* with values: --range; A stays, and Z, or with `singular` U and Vt, is for the vectors */
    int only_values; /* never eigenvectors */
    /* with values, of general, rectangular matrices: singular values; U and Vt are for the vectors, A if --jobz says
     * O */
    int singular;
    char second; /* a second matrix: 'P' n x m, the result; 'H' and 'R' n x n, beside A, which is one, too. 0: none */
    /* of a general matrix: eigenvalues in d and e, left eigenvectors in Vt or vt and right ones in U or u, as --jobvl
     * and --jobvr say */
    int nonsymmetric;
    /* with nonsymmetric: A becomes the Schur form, and --jobvs and --select say whether U or u gets its vectors, and
     * which eigenvalues come first */
    int schur;
    int truncated; /* with singular: --rank, --tol, --oversampling, --power, and both vectors always */
    int real;      /* types s and d only */
    int pencil;    /* with values and has_rhs: B is a positive definite matrix, --rhs or made, and --itype counts */
    int functions; /* of the matrix: --f, and the result is its value, in A's place; with `values` */
    const char *tiles_of; /* the routine whose tiles it takes, if there is none of its name; NULL: there is */
    int bounds;           /* the report has rcond, growth, berr, ferr and the corrections */
    int mixed;            /* double precision only; the report has iter (the corrections) and berr */
    int half;             /* with mixed: its factors are of half precision's products, as the report says */
    int method;           /* the report has the method (nopiv or pivoted), iter, growth and berr */
    int copies;           /* of A and B that it needs besides */
    int growth;           /* the report has the growth of the elements of U */
    int goes_on;          /* with info > 0 the result is whole, and is checked, too */
    int symmetric_result; /* the result triangle stands for a symmetric or hermitian matrix */
    double (*flops)(double n, double nrhs);              /* LAPACK's count for real types; NULL: none is stated */
    double (*flops_of)(double m, double n, double nrhs); /* instead, of rectangular routines */
    int (*tiles)(struct cli_problem *p);                 /* the matrix door */
    tw_int (*lapack)(struct cli_problem *p);             /* the LAPACK door */
    /* what comes before the clock, once A and B are filled; NULL: nothing. 0 or an exit status after a message */
    int (*before)(struct cli_problem *p);
    int (*check)(struct cli_problem *p, struct cli_verdict *v); /* 0 or an exit status after a message */
    double check_arrays; /* n x n arrays that the full check needs besides the result */
};
/* A row's definition, CLI_ROUTINE(80, getrf) = {…}; help lists the routines in the order of their places.
 * cmake/CliRows.cmake finds them and declares them in cli_rows.h, for files that need another's. */
#define CLI_ROUTINE(place, name) const struct cli_routine cli_##name
extern const struct cli_routine *const cli_routines[]; /* NULL at the end */

/* The LAPACK letter of --trans; of least squares with real matrices A^H is A^T. */
char cli_trans(const struct cli_problem *p);
/* Rows of a right-hand side, and of X, where A is not square. */
tw_int cli_rows_of_b(const struct cli_problem *p);
tw_int cli_rows_of_x(const struct cli_problem *p);

/* return tw_<letter>NAME(args) for the problem's type; in args, T is the element type. */
#define CLI_LAPACK_DOOR(name, p, args)                                                                                 \
    switch ((p)->type) {                                                                                               \
    case TW_FLOAT: {                                                                                                   \
        typedef float T;                                                                                               \
        return tw_s##name args;                                                                                        \
    }                                                                                                                  \
    case TW_DOUBLE: {                                                                                                  \
        typedef double T;                                                                                              \
        return tw_d##name args;                                                                                        \
    }                                                                                                                  \
    case TW_COMPLEX_FLOAT: {                                                                                           \
        typedef tw_complex_float T;                                                                                    \
        return tw_c##name args;                                                                                        \
    }                                                                                                                  \
    default: {                                                                                                         \
        typedef tw_complex_double T;                                                                                   \
        return tw_z##name args;                                                                                        \
    }                                                                                                                  \
    }

/* return CALL(LETTERname, R, w) for the problem's type, R its real type and w where the values go; those of single
 * precision come to p->w then. */
#define CLI_VALUES_DOOR(name, p, CALL)                                                                                 \
    do {                                                                                                               \
        const int single_ = (p)->type == TW_FLOAT || (p)->type == TW_COMPLEX_FLOAT;                                    \
        float *w_ = single_ ? cli_single_values(p) : NULL;                                                             \
        if (single_ && !w_) return TW_E_MEMORY;                                                                        \
        switch ((p)->type) {                                                                                           \
        case TW_FLOAT: return cli_keep_single_values(p, w_, CALL(s##name, float, w_));                                 \
        case TW_DOUBLE: return CALL(d##name, double, (p)->w);                                                          \
        case TW_COMPLEX_FLOAT: return cli_keep_single_values(p, w_, CALL(c##name, float, w_));                         \
        default: return CALL(z##name, double, (p)->w);                                                                 \
        }                                                                                                              \
    } while (0)

/* ---- elsewhere.c: 1 after a message that says what the name stands for here; 0: it is unknown ---- */

int cli_elsewhere(const char *name);
/* The routine that it stands for, or the word that it is nearest to; NULL: neither, or the library alone has it. */
const char *cli_meant(const char *name);

/* ---- run.c ------------------------------------------------------------------------------------------------------- */

/* An exit status, or CLI_ASKED_HELP, with nothing done. */
int cli_run(const struct cli_routine *routine, int argc, char **argv);
double cli_seconds(void); /* a monotonic clock */

/* ---- check.c: verdicts on what checks/ computes ------------------------------------------------------------------ */

void cli_judge(const struct cli_problem *p, struct cli_verdict *v);
/* A verdict with the formula and the usual limits, to be filled; and its end: what a check returned (0, a library code)
 * and its residual. 0, or an exit status after a message. */
void cli_verdict_begin(struct cli_verdict *v, const char *formula);
int cli_verdict_end(struct cli_problem *p, struct cli_verdict *v, int error, double residual);
/* A check of a triangle that the routine left in A's place. */
int cli_check_triangle(struct cli_problem *p, struct cli_verdict *v, const char *formula,
                       int (*check)(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf,
                                    double *residual));
/* p->rcond beside LAPACK's, from the same array. */
int cli_check_condition(struct cli_problem *p, struct cli_verdict *v,
                        int (*of_lapack)(const struct cli_problem *p, const void *f, double *rcond));
/* Least squares of a matrix of rank p->rank. */
int cli_check_ranked(struct cli_problem *p, struct cli_verdict *v);
/* What --rcond says, or 10 max(m, n) eps: what is less than so much of the largest is taken for rounding (LAPACK's own
 * default, eps, takes rounding for rank). */
double cli_rcond(const struct cli_problem *p);
int cli_check_solve(struct cli_problem *p, struct cli_verdict *v);
int cli_check_solve_part(struct cli_problem *p, struct cli_verdict *v, enum tw_uplo uplo); /* a triangle's */
/* p->anorm, if it is not known yet. */
int cli_exact_anorm(struct cli_problem *p);
/* OpenBLAS' threads from now on; returns the number before, 0 without OpenBLAS. */
int cli_blas_threads(int threads);

/* ---- stages.c: what the library tells of a run ------------------------------------------------------------------- */

enum { CLI_TOLD_MOST = 32 };
struct cli_told {
    int stages, vendors;
    tw_stage_report stage[CLI_TOLD_MOST];
    tw_vendor_report vendor[CLI_TOLD_MOST];
    double route, band, deflated, predicted[3]; /* NaN: not said; seconds by LAPACK, one stage, two */
};
void cli_told_take(struct cli_told *t);
const char *cli_told_route(const struct cli_told *t); /* NULL: not said */
/* New jansson objects. */
struct json_t *cli_told_vendor(const struct cli_told *t);
struct json_t *cli_told_predicted(const struct cli_told *t);
struct json_t *cli_told_stages(const struct cli_told *t);

/* ---- gpus.c ------------------------------------------------------------------------------------------------------ */

#define CLI_MOST_GPUS 64
struct cli_gpus {
    int count, device[CLI_MOST_GPUS]; /* by CUDA's numbers */
    uint64_t tasks[CLI_MOST_GPUS];
    double flops[CLI_MOST_GPUS];
};
void cli_gpus_take(struct cli_gpus *g); /* since the counters were reset */
void cli_gpus_add(struct cli_gpus *g, const tw_worker_report *workers, int count);
struct json_t *cli_gpus_json(const struct cli_gpus *g);

/* ---- report.c ---------------------------------------------------------------------------------------------------- */

struct cli_report {
    const struct cli_problem *p;
    const struct cli_verdict *verdict;
    double seconds, seconds_generate, seconds_check, seconds_factor;
    tw_int info, nb;
    tw_int mb; /* rows of a tile, where they are not nb; else 0 */
    const char *nb_source;
    int repeat;
    tw_counters counters;
    struct cli_gpus gpus;
    struct cli_told told;
};
void cli_report(const struct cli_report *r);

/* ---- progress.c -------------------------------------------------------------------------------------------------- */

/* Between these, a thread draws the bar (when asked to) and passes a caught signal on to what the library runs. */
void cli_watch_start(const char *title, double flops, int bar);
void cli_watch_stop(void);

/* ---- the other subcommands --------------------------------------------------------------------------------------- */

void cli_print_profile(FILE *f);
struct json_t *cli_profile_json(void); /* a new jansson object, or null */
/* ---- tiles.c: what routines make of it ------------------------------------------------------------------------- */
void cli_print_tiles(FILE *f);
struct json_t *cli_tiles_json(void); /* a new jansson array */
struct cli_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* -h prints its page */
    int computes; /* 1: worth the right BLAS kernels; 2: and takes the flags that say on what to run */
    int execs;    /* starts a program of its own, and does not come back */
};
#define CLI_COMMAND(place, name) const struct cli_command cli_command_##name
extern const struct cli_command *const cli_commands[]; /* besides the routines; NULL at the end */
void cli_print_commands(FILE *f);
/* Routines and commands by number, NULL behind the last. */
const char *cli_word(int k);
/* Replace this process by `program`, which lies beside the command or in ../libexec; returns an exit status after a
 * message. */
int cli_exec(const char *command, const char *program, const char *built_with, char **argv);
int cli_help(int argc, char **argv);
int cli_routine_help(const struct cli_routine *routine); /* prints it, returns CLI_OK */
/* Start the command again where OpenBLAS has chosen the wrong kernels. */
void cli_right_kernels(char **argv);
/* 1: OPENBLAS_CORETYPE is the command's own choice, not the user's. */
extern int cli_coretype_was_unset;
#endif
