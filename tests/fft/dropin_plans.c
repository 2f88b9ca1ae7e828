/* A program that uses FFTW through every planner, in both precisions, from C and under Fortran's names; it knows
 * nothing of Tilework. dropin.sh runs it with and without libtilework_fftw.so.
 *
 *   dropin_plans write FILE SEED COUNT     transforms of random shapes, results into FILE
 *   dropin_plans compare A B               are they equal but for rounding?
 *   dropin_plans threads                   plans and executions from 4 threads, forks in between */
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;
static int pick(int least, int most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return least + (int)((state >> 33) % (uint64_t)(most - least + 1));
}
static void fill(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = pick(-1000, 1000) / 1000.0;
}

/* Fortran's names, as its compilers call them. */
#define F(name) extern void name
F(dfftw_plan_dft_2d_)(fftw_plan *, int *, int *, fftw_complex *, fftw_complex *, int *, int *);
F(dfftw_plan_dft_)(fftw_plan *, int *, int *, fftw_complex *, fftw_complex *, int *, int *);
F(dfftw_plan_dft_r2c_3d__)(fftw_plan *, int *, int *, int *, double *, fftw_complex *, int *);
F(dfftw_plan_many_dft_)
(fftw_plan *, int *, int *, int *, fftw_complex *, int *, int *, int *, fftw_complex *, int *, int *, int *, int *,
 int *);
F(dfftw_plan_r2r_2d_)(fftw_plan *, int *, int *, double *, double *, int *, int *, int *);
F(dfftw_plan_r2r_)(fftw_plan *, int *, int *, double *, double *, int *, int *);
F(dfftw_plan_guru_dft_)
(fftw_plan *, int *, int *, int *, int *, int *, int *, int *, int *, fftw_complex *, fftw_complex *, int *, int *);
F(dfftw_plan_guru_r2r_)
(fftw_plan *, int *, int *, int *, int *, int *, int *, int *, int *, double *, double *, int *, int *);
F(dfftw_execute_)(fftw_plan *);
F(dfftw_execute_dft__)(fftw_plan *, fftw_complex *, fftw_complex *);
F(dfftw_destroy_plan_)(fftw_plan *);

enum { ROOM = 20000 };
static double *a, *b, *c, *d;
static FILE *file;
static void keep(int n)
{
    const double tag[2] = {12345, n};
    fwrite(tag, sizeof *tag, 2, file);
    fwrite(b, sizeof *b, (size_t)n, file);
}
/* What every plan answers, executed on its own and on other arrays. */
static void run(fftw_plan p, int kind, int n, int in_place)
{
    double add, mul, fma;
    char *text;
    if (!p) {
        printf("no plan\n");
        exit(1);
    }
    fftw_flops(p, &add, &mul, &fma);
    if (add + mul + fma < 0 || fftw_cost(p) < 0 || fftw_estimate_cost(p) < 0 || !(text = fftw_sprint_plan(p))) exit(1);
    free(text);
    fill(a, ROOM);
    fill(b, ROOM);
    if (in_place) memcpy(b, a, ROOM * sizeof *a); /* plans in place are of b */
    memcpy(c, a, ROOM * sizeof *a);
    memcpy(d, b, ROOM * sizeof *b);
    fftw_execute(p);
    keep(n);
    /* new arrays */
    double *in = in_place ? d : c;
    switch (kind) {
    case 0: fftw_execute_dft(p, (fftw_complex *)in, (fftw_complex *)d); break;
    case 1: fftw_execute_dft_r2c(p, in, (fftw_complex *)d); break;
    case 2: fftw_execute_dft_c2r(p, (fftw_complex *)in, d); break;
    case 3: fftw_execute_r2r(p, in, d); break;
    default: memcpy(d, b, ROOM * sizeof *b);
    }
    if (memcmp(b, d, (size_t)n * sizeof *b)) {
        double worst = 0;
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(b[i] - d[i]));
        if (!(worst < 1e-9)) {
            printf("new arrays: kind %d, off by %g\n", kind, worst);
            exit(1);
        }
    }
    fftw_destroy_plan(p);
}
static unsigned flags(void)
{
    static const unsigned of[] = {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_DESTROY_INPUT, FFTW_MEASURE,
                                  FFTW_ESTIMATE | FFTW_UNALIGNED};
    return of[pick(0, 3)];
}
static void one(void)
{
    int n[3] = {pick(1, 20), pick(1, 20), pick(1, 20)}, rank = pick(1, 3), in_place = pick(0, 1), howmany = pick(1, 3),
        i = 0;
    double *in = in_place ? b : a;
    fftw_complex *ca = (fftw_complex *)in, *cb = (fftw_complex *)b;
    fftw_r2r_kind kinds[3];
    int fkinds[3], one_ = 1, estimate = FFTW_ESTIMATE, sign = pick(0, 1) ? 1 : -1, points = 1, real = 1, half = 1;
    for (i = 0; i < 3; i++) {
        static const fftw_r2r_kind all[] = {FFTW_DHT,     FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10,
                                            FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10,
                                            FFTW_RODFT11, FFTW_R2HC,    FFTW_HC2R};
        kinds[i] = all[pick(0, 10)];
        if (kinds[i] == FFTW_REDFT00 && n[i] < 2) n[i] = 2;
        fkinds[i] = (int)kinds[i];
    }
    for (i = 0; i < rank; i++)
        points *= n[i];
    half = points / n[rank - 1] * (n[rank - 1] / 2 + 1);
    real = points;
    switch (pick(0, 24)) {
    case 0: run(fftw_plan_dft(rank, n, ca, cb, sign, flags()), 0, 2 * points, in_place); break;
    case 1: run(fftw_plan_dft_1d(n[0], ca, cb, sign, flags()), 0, 2 * n[0], in_place); break;
    case 2: run(fftw_plan_dft_2d(n[0], n[1], ca, cb, sign, flags()), 0, 2 * n[0] * n[1], in_place); break;
    case 3: run(fftw_plan_dft_3d(n[0], n[1], n[2], ca, cb, sign, flags()), 0, 2 * n[0] * n[1] * n[2], in_place); break;
    case 4: run(fftw_plan_dft_r2c(rank, n, in, cb, flags()), 1, 2 * half, in_place); break;
    case 5: run(fftw_plan_dft_r2c_1d(n[0], in, cb, flags()), 1, 2 * (n[0] / 2 + 1), in_place); break;
    case 6: run(fftw_plan_dft_r2c_2d(n[0], n[1], in, cb, flags()), 1, 2 * n[0] * (n[1] / 2 + 1), in_place); break;
    case 7:
        run(fftw_plan_dft_r2c_3d(n[0], n[1], n[2], in, cb, flags()), 1, 2 * n[0] * n[1] * (n[2] / 2 + 1), in_place);
        break;
    case 8:
        /* Out of place; half-complex arrays of real ones' transforms: the imaginary parts that have to be 0 are ignored
         * by both. */
        run(fftw_plan_dft_c2r_1d(n[0], (fftw_complex *)a, b, flags()), 2, n[0], 0);
        break;
    case 9: run(fftw_plan_r2r(rank, n, in, b, kinds, flags()), 3, points, in_place); break;
    case 10: run(fftw_plan_r2r_1d(n[0], in, b, kinds[0], flags()), 3, n[0], in_place); break;
    case 11: run(fftw_plan_r2r_2d(n[0], n[1], in, b, kinds[0], kinds[1], flags()), 3, n[0] * n[1], in_place); break;
    case 12:
        run(fftw_plan_r2r_3d(n[0], n[1], n[2], in, b, kinds[0], kinds[1], kinds[2], flags()), 3, n[0] * n[1] * n[2],
            in_place);
        break;
    case 13: { /* several, side by side or one after the other */
        const int side = pick(0, 1), stride = side ? howmany : 1, dist = side ? 1 : points;
        if (points * howmany * 2 > ROOM) return;
        run(fftw_plan_many_dft(rank, n, howmany, ca, NULL, stride, dist, cb, NULL, stride, dist, sign, flags()), 0,
            2 * points * howmany, in_place);
        break;
    }
    case 14: { /* with gaps */
        int embed[3] = {n[0] + 1, n[1] + 2, n[2] + 1}, size = 1;
        for (i = 0; i < rank; i++)
            size *= embed[i];
        if (size * howmany * 2 > ROOM) return;
        run(fftw_plan_many_dft(rank, n, howmany, ca, embed, 1, size, cb, embed, 1, size, sign, flags()), 0,
            2 * size * howmany, in_place);
        break;
    }
    case 15:
        if (2 * half * howmany > ROOM) return;
        run(fftw_plan_many_dft_r2c(rank, n, howmany, in, NULL, 1, in_place ? 2 * half : real, cb, NULL, 1, half,
                                   flags()),
            1, 2 * half * howmany, in_place);
        break;
    case 16:
        if (real * howmany > ROOM) return;
        run(fftw_plan_many_r2r(rank, n, howmany, in, NULL, howmany, 1, b, NULL, howmany, 1, kinds, flags()), 3,
            real * howmany, in_place);
        break;
    case 17: { /* guru: transposed on the way */
        fftw_iodim dims[1] = {{n[0], n[1], 1}}, loops[1] = {{n[1], 1, n[0]}};
        run(fftw_plan_guru_dft(1, dims, 1, loops, (fftw_complex *)a, cb, sign, flags()), 0, 2 * n[0] * n[1], 0);
        break;
    }
    case 18: {
        fftw_iodim64 dims[2] = {{n[0], n[1], n[1]}, {n[1], 1, 1}};
        run(fftw_plan_guru64_dft(2, dims, 0, NULL, ca, cb, sign, flags()), 0, 2 * n[0] * n[1], in_place);
        break;
    }
    case 19: { /* split: interleaved ones, and really split ones */
        const int apart = pick(0, 1);
        fftw_iodim64 dims[2] = {{n[0], apart ? n[1] : 2 * n[1], apart ? n[1] : 2 * n[1]},
                                {n[1], apart ? 1 : 2, apart ? 1 : 2}};
        const int other = apart ? n[0] * n[1] : 1, swap = pick(0, 1);
        run(swap ? fftw_plan_guru64_split_dft(2, dims, 0, NULL, in + other, in, b + other, b, flags())
                 : fftw_plan_guru64_split_dft(2, dims, 0, NULL, in, in + other, b, b + other, flags()),
            9, 2 * n[0] * n[1], in_place);
        break;
    }
    case 20: {
        fftw_plan p;
        int z = pick(0, 1);
        if (z)
            dfftw_plan_dft_2d_(&p, n, n + 1, ca, cb, &sign, &estimate);
        else
            dfftw_plan_dft_(&p, &rank, n, ca, cb, &sign, &estimate);
        fill(a, ROOM), fill(b, ROOM);
        dfftw_execute_(&p);
        keep(2 * (z ? n[0] * n[1] : points));
        dfftw_execute_dft__(&p, ca, cb);
        dfftw_destroy_plan_(&p);
        break;
    }
    case 21: {
        fftw_plan p;
        dfftw_plan_dft_r2c_3d__(&p, n, n + 1, n + 2, a, cb, &estimate);
        run(p, 1, 2 * (n[0] / 2 + 1) * n[1] * n[2], 0);
        break;
    }
    case 22: {
        fftw_plan p;
        int size = points;
        if (points * howmany * 2 > ROOM) return;
        dfftw_plan_many_dft_(&p, &rank, n, &howmany, ca, n, &one_, &size, cb, n, &one_, &size, &sign, &estimate);
        run(p, 0, 2 * points * howmany, in_place);
        break;
    }
    case 23: {
        fftw_plan p;
        if (pick(0, 1))
            dfftw_plan_r2r_2d_(&p, n, n + 1, in, b, fkinds, fkinds + 1, &estimate), points = n[0] * n[1];
        else
            dfftw_plan_r2r_(&p, &rank, n, in, b, fkinds, &estimate);
        run(p, 3, points, in_place);
        break;
    }
    default: {
        fftw_plan p;
        int is[2] = {n[1], 1}, two = 2, none = 0;
        if (pick(0, 1)) {
            dfftw_plan_guru_dft_(&p, &two, n, is, is, &none, n, n, n, ca, cb, &sign, &estimate);
            run(p, 0, 2 * n[0] * n[1], in_place);
        } else {
            dfftw_plan_guru_r2r_(&p, &two, n, is, is, &none, n, n, n, in, b, fkinds, &estimate);
            run(p, 3, n[0] * n[1], in_place);
        }
    }
    }
}
static void singles(void)
{
    enum { n = 48 };
    static fftwf_complex x[n], y[n];
    for (int i = 0; i < n; i++)
        x[i][0] = (float)pick(-9, 9), x[i][1] = (float)pick(-9, 9);
    fftwf_plan p = fftwf_plan_dft_2d(6, 8, x, y, FFTW_FORWARD, FFTW_ESTIMATE),
               q = fftwf_plan_dft_2d(6, 8, y, y, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftwf_execute(p);
    fftwf_execute(q);
    for (int i = 0; i < n; i++)
        if (fabsf(y[i][0] / n - x[i][0]) + fabsf(y[i][1] / n - x[i][1]) > 1e-4) printf("single precision\n"), exit(1);
    fftwf_destroy_plan(p);
    fftwf_destroy_plan(q);
}
static int compare(const char *one_file, const char *other)
{
    FILE *f = fopen(one_file, "r"), *g = fopen(other, "r");
    double x, y, worst = 0;
    long n = 0;
    if (!f || !g) return 1;
    while (fread(&x, sizeof x, 1, f) == 1) {
        if (fread(&y, sizeof y, 1, g) != 1) return printf("one ends after %ld numbers\n", n), 1;
        worst = fmax(worst, fabs(x - y) / (1 + fabs(x)));
        n++;
    }
    if (fread(&y, sizeof y, 1, g) == 1) return printf("one goes on after %ld numbers\n", n), 1;
    printf("%ld numbers, largest difference %.2e\n", n, worst);
    return !(n > 10000 && worst < 1e-11);
}
static void *worker(void *seed)
{
    static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER; /* FFTW asks programs for that */
    const int n = 16 + (int)(intptr_t)seed;
    fftw_complex *x = fftw_malloc(sizeof *x * (size_t)n * (size_t)n);
    for (int turn = 0; turn < 12; turn++) {
        pthread_mutex_lock(&planner);
        fftw_plan p = fftw_plan_dft_2d(n, n, x, x, FFTW_FORWARD, FFTW_ESTIMATE),
                  q = fftw_plan_dft_2d(n, n, x, x, FFTW_BACKWARD, FFTW_ESTIMATE);
        pthread_mutex_unlock(&planner);
        for (int i = 0; i < n * n; i++)
            x[i][0] = i % 7, x[i][1] = turn;
        fftw_execute(p);
        if (turn % 4 == 1 && n == 16) {
            const pid_t child = fork();
            if (child == 0) { /* plans made before, and new ones */
                fftw_execute(q);
                fftw_plan r = fftw_plan_dft_1d(n, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
                const int right = fabs(x[8][0] / (n * n) - 1) < 1e-9 && fabs(x[8][1] / (n * n) - turn) < 1e-9;
                fftw_execute(r);
                fftw_destroy_plan(r);
                _exit(right ? 0 : 3);
            }
            int status;
            waitpid(child, &status, 0);
            if (status) printf("child: status %d\n", status), exit(1);
        }
        fftw_execute(q);
        for (int i = 0; i < n * n; i++)
            if (fabs(x[i][0] / (n * n) - i % 7) > 1e-9 || fabs(x[i][1] / (n * n) - turn) > 1e-9)
                printf("wrong in a thread\n"), exit(1);
        pthread_mutex_lock(&planner);
        fftw_destroy_plan(p);
        fftw_destroy_plan(q);
        pthread_mutex_unlock(&planner);
    }
    fftw_free(x);
    return NULL;
}
int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "write")) {
        a = fftw_malloc(4 * ROOM * sizeof *a);
        b = a + ROOM, c = b + ROOM, d = c + ROOM;
        file = fopen(argv[2], "w");
        state = strtoull(argv[3], NULL, 10);
        fftw_set_timelimit(0.01);
        fftw_init_threads();
        fftw_plan_with_nthreads(2);
        for (int i = 0; i < atoi(argv[4]); i++) {
            memset(a, 0, 4 * ROOM * sizeof *a);
            one();
        }
        singles();
        fclose(file);
        fftw_free(a);
        char *wisdom = fftw_export_wisdom_to_string();
        if (!wisdom || !fftw_import_wisdom_from_string(wisdom)) return 1;
        free(wisdom);
        fftw_cleanup();
        fftw_cleanup_threads();
        fftw_complex z[4] = {{1, 0}};
        fftw_plan p = fftw_plan_dft_1d(4, z, z, FFTW_FORWARD, FFTW_ESTIMATE);
        fftw_execute(p);
        fftw_destroy_plan(p);
        return z[3][0] != 1;
    }
    if (argc == 4 && !strcmp(argv[1], "compare")) return compare(argv[2], argv[3]);
    if (argc == 2 && !strcmp(argv[1], "threads")) {
        pthread_t t[4];
        for (intptr_t i = 0; i < 4; i++)
            pthread_create(t + i, NULL, worker, (void *)i);
        for (int i = 0; i < 4; i++)
            pthread_join(t[i], NULL);
        printf("threads: right\n");
        return 0;
    }
    return 2;
}
