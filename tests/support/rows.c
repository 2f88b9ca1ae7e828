/* The rows of all families, and one case of one row: operands made, entered, run and brought back. */
#include "rows.h"

const struct tt_row *tt_row(int k)
{
    const struct tt_row *const families[] = {tt_rows_cholesky, tt_rows_lu, tt_rows_qr, tt_rows_blas};

    for (int f = 0; f < 4; f++)
        for (const struct tt_row *r = families[f]; r->name; r++)
            if (k-- == 0) return r;
    return NULL;
}

int tt_row_has(const struct tt_row *r, enum tw_type t)
{
    return !r->types || strchr(r->types, tt_letter(t));
}

static int is_whole(const struct tt_row *r)
{
    return r->a >= TT_A_GENERAL;
}

/* A copy with room for just its elements. */
static void *worked_on(const struct tt_case *c, int m, int n, int ld, const void *from, tt_room room, void *context)
{
    const size_t size = tt_size(c->type);
    char *to;

    if (!room) return tt_copy(c->type, ld, n, from);
    to = room(context, n > 0 && m > 0 ? ((size_t)ld * (size_t)(n - 1) + (size_t)m) * size : 1);
    for (int j = 0; j < n && m > 0; j++)
        memcpy(to + (size_t)j * (size_t)ld * size, (const char *)from + (size_t)j * (size_t)ld * size,
               (size_t)m * size);
    return to;
}

static void fill_first(struct tt_case *c)
{
    const enum tw_type t = c->type;

    switch (c->row->a) {
    case TT_A_SPD:
    case TT_A_SPD_FACTORED: tt_spd(t, c->uplo, c->n, c->a, c->lda, 1); break;
    case TT_A_TRIANGLE:
        tt_spd(t, c->uplo, c->n, c->a, c->lda, 1);
        assert_int_equal(tt_lapack_potrf(t, c->uplo, c->n, c->a, c->lda), 0);
        break;
    case TT_A_HERMITIAN: tt_random(t, c->uplo, c->n, c->n, c->a, c->lda, 5); break;
    default: tt_random(t, 'G', c->m, c->k, c->a, c->lda, 1);
    }
    for (int i = 0; c->row->a == TT_A_DOMINANT && i < c->n; i++)
        tt_put(t, c->a, (size_t)i * (size_t)(c->lda + 1),
               tt_get(t, c->a, (size_t)i * (size_t)(c->lda + 1)) + (double)c->n);
}

/* What LAPACK does before. */
static void factor(struct tt_case *c)
{
    int *of_lapack;

    switch (c->row->a) {
    case TT_A_SPD_FACTORED: assert_int_equal(tt_lapack_potrf(c->type, c->uplo, c->n, c->f, c->lda), 0); break;
    case TT_A_LU:
        assert_non_null(of_lapack = calloc((size_t)c->n + 1, sizeof *of_lapack));
        assert_int_equal(tt_lapack_getrf(c->type, c->n, c->n, c->f, c->lda, of_lapack), 0);
        for (int i = 0; i < c->n; i++)
            c->ipiv[i] = of_lapack[i];
        free(of_lapack);
        break;
    case TT_A_QR:
        assert_int_equal(
            (c->uplo == 'L' ? tt_lapack_geqrf : tt_lapack_gelqf)(c->type, c->n, c->n, c->f, c->lda, c->tau), 0);
        break;
    default: break;
    }
}

void tt_case_make(struct tt_case *c, const struct tt_row *row, enum tw_type type, char uplo, int n, int nrhs, int pad,
                  tt_room room, void *context)
{
    *c = (struct tt_case){.row = row, .type = type, .uplo = uplo, .n = n, .nrhs = nrhs, .m = n, .k = n, .lda = n + pad};
    if (row->narrow && uplo == 'L') c->k -= nrhs;
    if (row->narrow && uplo == 'U') c->m -= nrhs;
    c->a = tt_array(type, c->lda, c->k);
    fill_first(c);
    c->f = worked_on(c, c->m, c->k, c->lda, c->a, room, context);
    if (row->b) {
        c->b = tt_array(type, c->lda, nrhs);
        tt_random(type, 'G', n, nrhs, c->b, c->lda, 2);
        c->x = worked_on(c, n, nrhs, c->lda, c->b, room, context);
    }
    if (row->c[0]) {
        c->cm = row->c[0] == 'n' ? n : nrhs, c->cn = row->c[1] == 'n' ? n : nrhs;
        c->c = tt_array(type, c->cm, c->cn);
        tt_random(type, 'G', c->cm, c->cn, c->c, c->cm, 3);
        c->y = worked_on(c, c->cm, c->cn, c->cm, c->c, room, context);
    }
    assert_non_null(c->ipiv = calloc((size_t)n + 1, sizeof *c->ipiv));
    c->tau = tt_array(type, n, 1);
    factor(c);
}

static void vector_in(struct tt_case *c)
{
    int32_t *few = calloc((size_t)c->n + 1, sizeof *few);

    assert_non_null(few);
    if (c->row->vector == TT_PIVOTS) assert_int_equal(tw_pivots_create(&c->V, c->A), 0);
    if (c->row->vector == TT_TAU) assert_int_equal(tw_tau_create(&c->V, c->A), 0);
    for (int i = 0; i < c->n; i++)
        few[i] = (int32_t)c->ipiv[i];
    if (c->row->a == TT_A_LU) assert_int_equal(tw_matrix_set_lapack(c->V, few, c->n), 0);
    if (c->row->a == TT_A_QR) assert_int_equal(tw_matrix_set_lapack(c->V, c->tau, c->n), 0);
    free(few);
}

static void vector_out(struct tt_case *c)
{
    int32_t *few = calloc((size_t)c->n + 1, sizeof *few);

    assert_non_null(few);
    if (c->row->vector == TT_PIVOTS) {
        assert_int_equal(tw_matrix_to_lapack(c->V, few, c->n), 0);
        for (int i = 0; i < c->n; i++)
            c->ipiv[i] = few[i];
    }
    if (c->row->vector == TT_TAU) assert_int_equal(tw_matrix_to_lapack(c->V, c->tau, c->n), 0);
    assert_int_equal(tw_matrix_destroy(c->V), 0);
    free(few);
}

int tt_case_run(struct tt_case *c, enum tt_storage storage, int nb, int async)
{
    const enum tw_uplo stored = is_whole(c->row) ? TW_GENERAL : (enum tw_uplo)c->uplo;
    tw_sequence *seq = NULL;
    int info;

    c->A = tt_enter(&c->pa, storage, c->type, stored, c->m, c->k, c->f, c->lda, nb);
    if (c->row->b) c->B = tt_enter(&c->pb, storage, c->type, TW_GENERAL, c->n, c->nrhs, c->x, c->lda, nb);
    if (c->row->c[0]) c->C = tt_enter(&c->pc, storage, c->type, TW_GENERAL, c->cm, c->cn, c->y, c->cm, nb);
    vector_in(c);
    if (async) assert_int_equal(tw_sequence_create(&seq), 0);
    info = c->row->matrix(c, seq);
    if (async) {
        const int waited = tw_sequence_wait(seq);
        info = info ? info : waited;
        assert_int_equal(tw_sequence_destroy(seq), 0);
    }
    vector_out(c);
    tt_leave(&c->pa);
    if (c->row->b) tt_leave(&c->pb);
    if (c->row->c[0]) tt_leave(&c->pc);
    return info;
}

void tt_case_free(struct tt_case *c, int with_room)
{
    free(c->a), free(c->b), free(c->c), free(c->ipiv), free(c->tau);
    if (!with_room) free(c->f), free(c->x), free(c->y);
}
