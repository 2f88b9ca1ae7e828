/* Products by the Q and the P of a reduction to bidiagonal form under LAPACK's own names, ormbr of real types and unmbr
 * of complex ones, which LAPACK's test programs call with illegal arguments alone. dropin/lapack-tests.sh runs this as
 * it runs those, and it speaks as they do: legal calls with every letter, orders on both sides of the number of
 * reflectors, several leading dimensions, and |op(X) C - result| / (max(m, n) eps |C|) (norms of columns) below their
 * 30. X is multiplied together from the reflectors here, in more digits, by no routine of a library.
 *
 * A program for each type: -DTYPE_S, _D, _C or _Z. Without arguments; exit status 0, or 1 if a test failed. */
#include <complex.h>
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined TYPE_S
#define NAMES(X) X(sgebrd_, sormbr_, "SORMBR", "SBR", float, float, double, FLT_EPSILON)
#elif defined TYPE_D
#define NAMES(X) X(dgebrd_, dormbr_, "DORMBR", "DBR", double, double, long double, DBL_EPSILON)
#elif defined TYPE_C
#define NAMES(X) X(cgebrd_, cunmbr_, "CUNMBR", "CBR", float, float complex, double complex, FLT_EPSILON)
#else
#define NAMES(X) X(zgebrd_, zunmbr_, "ZUNMBR", "ZBR", double, double complex, long double complex, DBL_EPSILON)
#endif
#if defined TYPE_C || defined TYPE_Z
enum { COMPLEX = 1 };
#define CONJ(x) ((wide)conjl(x))
#else
enum { COMPLEX = 0 };
#define CONJ(x) (x)
#endif
#define DECLARE(GEBRD, ORMBR, routine, path, REAL, NUMBER, WIDE, EPS)                                                  \
    typedef REAL real;                                                                                                 \
    typedef NUMBER number;                                                                                             \
    typedef WIDE wide;                                                                                                 \
    void GEBRD(const int *, const int *, number *, const int *, real *, real *, number *, number *, number *,          \
               const int *, int *);                                                                                    \
    void ORMBR(const char *, const char *, const char *, const int *, const int *, const int *, number *, const int *, \
               const number *, number *, const int *, number *, const int *, int *, size_t, size_t, size_t);           \
    static void (*const gebrd)(const int *, const int *, number *, const int *, real *, real *, number *, number *,    \
                               number *, const int *, int *) = GEBRD;                                                  \
    static void (*const ormbr)(const char *, const char *, const char *, const int *, const int *, const int *,        \
                               number *, const int *, const number *, number *, const int *, number *, const int *,    \
                               int *, size_t, size_t, size_t) = ORMBR;                                                 \
    static const char *const name = routine, *const tests_name = path;                                                 \
    static const double eps = EPS / 2; /* LAPACK's, which rounds */
NAMES(DECLARE)

enum { BEHIND = 64, LENGTH = 64 * 100 }; /* OpenBLAS' kernels read behind arrays */
static const double threshold = 30;
static int run, failed;

static int least(int a, int b)
{
    return a < b ? a : b;
}
static int most(int a, int b)
{
    return a > b ? a : b;
}

static double uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 33) / 2147483648.0 - 0.5;
}
static void *room(size_t count, size_t size)
{
    void *a = calloc(count + BEHIND, size);
    if (!a) {
        fprintf(stderr, "%s: no memory\n", name);
        exit(1);
    }
    return a;
}
/* An array of so many numbers, what lies between columns and behind it, too. */
static number *random_array(int count)
{
    number *a = room((size_t)count, sizeof *a);
    for (int i = 0; i < count + BEHIND; i++) {
        a[i] = (number)uniform();
#if defined TYPE_C || defined TYPE_Z
        a[i] += (number)(uniform() * I);
#endif
    }
    return a;
}
static number *copy_of(const number *a, int count)
{
    number *b = room((size_t)count, sizeof *b);
    memcpy(b, a, (size_t)(count + BEHIND) * sizeof *b);
    return b;
}
static int same(const number *a, const number *b, int count)
{
    return !memcmp(a, b, (size_t)count * sizeof *a);
}

/* What ormbr has of a reduction: k columns' reflectors of Q ('Q'), or k rows' of P, of order nq; X is Q or P itself. */
struct factor {
    char vect;
    int order, k, lda, columns;
    number *a, *tau;
    wide *x;
};

/* X = H(1) H(2) ..., H = I - tau v v^H: v is 1 at its first place, its others are in columns of A, or, conjugate, in
 * rows. Where A has no more lines than X has, its first reflector begins at the second place. */
static void multiply_together(struct factor *f)
{
    const int q = f->vect == 'Q', n = f->order, later = q ? n < f->k : n <= f->k, count = later ? n - 1 : f->k;
    wide v[128] = {0};

    f->x = room((size_t)n * (size_t)n, sizeof *f->x);
    for (int i = 0; i < n; i++)
        f->x[i + i * n] = 1;
    for (int r = count - 1; r >= 0; r--) {
        const int first = r + later;
        v[first] = 1;
        for (int i = first + 1; i < n; i++)
            v[i] = q ? (wide)f->a[i + r * f->lda] : CONJ((wide)f->a[r + i * f->lda]);
        for (int j = 0; j < n; j++) {
            wide sum = 0;
            for (int i = first; i < n; i++)
                sum += CONJ(v[i]) * f->x[i + j * n];
            for (int i = first; i < n; i++)
                f->x[i + j * n] -= (wide)f->tau[r] * sum * v[i];
        }
    }
}

/* Of a random matrix, order x k ('Q') or k x order; the lines that ormbr has are copied from the reduced one. */
static struct factor reduced(char vect, int order, int k, int more)
{
    const int q = vect == 'Q', m = q ? order : k, n = q ? k : order, few = least(m, n), lines = most(few, 1),
              ld = most(m, 1), length = LENGTH;
    struct factor f = {.vect = vect, .order = order, .k = k};
    number *a = random_array(ld * n), *tauq = room((size_t)lines, sizeof *tauq),
           *taup = room((size_t)lines, sizeof *taup), *work = room(LENGTH, sizeof *work);
    real *d = room((size_t)lines, sizeof *d), *e = room((size_t)lines, sizeof *e);
    const int rows = q ? order : few;
    int info = 0;

    f.lda = most(rows, 1) + more, f.columns = q ? few : order;
    gebrd(&m, &n, a, &ld, d, e, tauq, taup, work, &length, &info);
    if (info) {
        fprintf(stderr, "%s: the reduction of %d x %d ends with %d\n", name, m, n, info);
        exit(1);
    }
    f.a = random_array(f.lda * f.columns);
    for (int j = 0; j < f.columns; j++)
        memcpy(f.a + j * f.lda, a + j * ld, (size_t)rows * sizeof *a);
    f.tau = q ? tauq : taup;
    free(q ? taup : tauq), free(a), free(work), free(d), free(e);
    multiply_together(&f);
    return f;
}

/* C is m x n; the norms of columns of op(X) C or C op(X) less the result, over that of C. */
static double residual(const struct factor *f, char side, int adjoint, int m, int n, const number *c,
                       const number *result, int ldc)
{
    double difference = 0, norm = 0;

    for (int j = 0; j < n; j++) {
        double off = 0, size = 0;
        for (int i = 0; i < m; i++) {
            wide sum = 0;
            for (int l = 0; l < f->order; l++) {
                const int row = side == 'L' ? i : l, column = side == 'L' ? l : j;
                const wide x = adjoint ? CONJ(f->x[column + row * f->order]) : f->x[row + column * f->order];
                sum += x * (wide)(side == 'L' ? c[l + j * ldc] : c[i + l * ldc]);
            }
            off += (double)cabsl((long double complex)(sum - (wide)result[i + j * ldc]));
            size += (double)cabsl((long double complex)c[i + j * ldc]);
        }
        if (!(off <= difference)) difference = off; /* NaN stays */
        if (size > norm) norm = size;
    }
    return difference == 0 ? 0 : difference / (most(m, n) * eps * norm);
}

static void one_call(struct factor *f, char side, int adjoint, int other, int more)
{
    const int left = side == 'L', m = left ? f->order : other, n = left ? other : f->order, ldc = most(m, 1) + more;
    const int factors = least(f->order, f->k), query = -1;
    const char trans = !adjoint ? 'N' : COMPLEX ? 'C' : 'T';
    number *c = random_array(ldc * n), *result = copy_of(c, ldc * n), *a = copy_of(f->a, f->lda * f->columns),
           *tau = copy_of(f->tau, factors), asked[1] = {0}, *work;
    char letters[3] = {f->vect, side, trans};
    const char *wrong = NULL;
    int length = most(left ? n : m, 1), info = 0;
    double ratio = 0;

    if (more == 1) /* both cases of letters */
        for (int i = 0; i < 3; i++)
            letters[i] = (char)(letters[i] | 0x20);
#define CALL(work, length)                                                                                             \
    ormbr(&letters[0], &letters[1], &letters[2], &m, &n, &f->k, a, &f->lda, tau, result, &ldc, work, length, &info, 1, \
          1, 1)
    CALL(asked, &query);
    if (info || !same(result, c, ldc * n)) wrong = "a query";
    if (more) length = most(length, (int)asked[0]); /* the least, and what is wanted */
    work = room((size_t)length, sizeof *work);
    CALL(work, &length);
#undef CALL
    if (info) wrong = "INFO";
    if (!same(a, f->a, f->lda * f->columns + BEHIND) || !same(tau, f->tau, factors)) wrong = "A or TAU is another";
    for (int j = 0; j < n; j++)
        if (!same(result + m + j * ldc, c + m + j * ldc, ldc - m)) wrong = "what is not C's was written";
    if (!same(result + n * ldc, c + n * ldc, BEHIND)) wrong = "what is behind C was written";
    if (!wrong && m > 0 && n > 0) ratio = residual(f, side, adjoint, m, n, c, result, ldc);
    run++;
    if (wrong || !(ratio < threshold)) {
        failed++;
        printf(" %s: VECT='%c', SIDE='%c', TRANS='%c', M=%5d, N=%5d, K=%5d, LDA=%5d, LDC=%5d", name, letters[0],
               letters[1], letters[2], m, n, f->k, f->lda, ldc);
        if (wrong)
            printf(", %s, INFO=%d\n", wrong, info);
        else
            printf(", ratio=%12.5g\n", ratio);
    }
    free(c), free(result), free(a), free(tau), free(work);
}

int main(void)
{
    static const int size[][2] = {{1, 1},   {1, 5},  {5, 1},  {5, 0},   {2, 2},   {2, 3},   {3, 2},
                                  {17, 17}, {9, 31}, {31, 9}, {32, 33}, {33, 32}, {41, 67}, {67, 41}};
    static const int others[] = {0, 1, 7, 45}, more[] = {0, 1, 6};

    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
        for (int p = 0; p < 2; p++)
            for (size_t w = 0; w < sizeof more / sizeof *more; w++) {
                struct factor f = reduced(p ? 'P' : 'Q', size[s][0], size[s][1], more[w]);
                for (size_t o = 0; o < sizeof others / sizeof *others; o++)
                    for (int letters = 0; letters < 4; letters++)
                        one_call(&f, letters / 2 ? 'R' : 'L', letters % 2, others[o], more[w]);
                free(f.a), free(f.tau), free(f.x);
            }
    if (failed)
        printf(" %s: %6d out of %6d tests failed to pass the threshold\n", tests_name, failed, run);
    else
        printf(" All tests for %s routines passed the threshold ( %6d tests run)\n", tests_name, run);
    return failed > 0;
}
