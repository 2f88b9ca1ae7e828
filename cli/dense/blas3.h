/* What the commands of BLAS-3 share: the rows, the flags, the arrays, the check. */
#ifndef CLI_DENSE_BLAS3_H
#define CLI_DENSE_BLAS3_H
#include "cli/cli.h"

enum cli_blas3_form { CLI_GEMM, CLI_SYMM, CLI_RANK_K, CLI_RANK_2K, CLI_TRMM, CLI_TRSM };
struct cli_blas3_options {
    const struct cli_blas3 *row;
    tw_int m, n, k, nb; /* C, or the B that is overwritten, is m x n */
    enum tw_type type;
    enum tw_side side;
    enum tw_uplo uplo;
    enum tw_trans ta, tb;
    enum tw_diag diag;
    double alpha, beta;
    uint64_t seed;
    int repeat, check, json, lapack_door;
};
struct cli_blas3_operand {
    tw_int m, n;
    int used;
    tw_matrix *M;
    void *a; /* BLAS' names: the array, m rows apart */
};
struct cli_blas3_run {
    const struct cli_blas3_options *o;
    struct cli_blas3_operand A, B, C; /* C is the result, of every routine */
    double seconds, seconds_check;
    tw_int nb;
    const char *nb_source;
    struct cli_verdict verdict;
};
struct cli_blas3 {
    const char *name, *text;
    enum cli_blas3_form form;
    int hermitian;
    const char *flags; /* of its own: 's'ide, 'u'plo, trans'a', trans'b', 'd'iag, 'm', 'k', bet'c' */
    int (*tiles)(const struct cli_blas3_run *r);
    tw_int (*lapack)(const struct cli_blas3_run *r);
};
extern const struct cli_blas3 cli_blas3_rows[]; /* a NULL name ends them */

/* The input again, as column-major array to be freed: operand 0, 1, 2 is A, B, C. NULL after a message. */
void *cli_blas3_input(const struct cli_blas3_options *o, int operand, tw_int m, tw_int n);
/* r->verdict; 0, or an exit status after a message. */
int cli_blas3_check(struct cli_blas3_run *r);
/* One command's run. */
int cli_blas3_run(int argc, char **argv);
#endif
