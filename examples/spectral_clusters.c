/* Neighbourhoods found by eigenvectors: places, each linked to its nearest ones, and the graph's Laplacian (A. Ng, M.
 * Jordan, Y. Weiss, "On spectral clustering", 2001).
 *
 *   spectral_clusters [FILE.csv|- [PLACES [CLUSTERS [PICTURE.ppm]]]]
 *
 * FILE.csv has columns longitude and latitude, as tables of housing districts do; of its rows so many are taken, evenly
 * [4000]. Without one, or with -, places are made: rings and clouds. The map colours them by cluster [8]. The check: I
 * - D^(-1/2) W D^(-1/2) has as many zero eigenvalues as the graph, searched from place to place, has components; no
 *   eigenvalue is negative or above 2; and eigenvectors leave no residual. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/arguments.h"
#include "common/ppm.h"

enum { NEAREST = 8, CLUSTERS_MOST = 64 };

struct places {
    int n;
    double *x, *y; /* about equal units */
};

/* ---- places ------------------------------------------------------------------------------------------------------ */

static int column_of(char *header, const char *name)
{
    int k = 0;
    for (char *word = strtok(header, ",\r\n"); word; word = strtok(NULL, ",\r\n"), k++)
        if (!strcmp(word, name)) return k;
    return -1;
}
/* Field k of a line of numbers; NAN if there is none. */
static double field(const char *line, int k)
{
    char *end;
    double v;

    for (; k > 0 && line; k--)
        if ((line = strchr(line, ','))) line++;
    if (!line) return NAN;
    v = strtod(line, &end);
    return end == line ? NAN : v;
}

/* 0, or -1 after a message. At most `most` rows, evenly chosen. */
static int read_places(struct places *p, const char *path, int most)
{
    char line[4096], again[4096];
    FILE *f = fopen(path, "r");
    int lon, lat, rows = 0, room = 0;
    double middle = 0;

    if (!f) return perror(path), -1;
    if (!fgets(line, sizeof line, f)) line[0] = 0;
    strcpy(again, line);
    lon = column_of(line, "longitude"), lat = column_of(again, "latitude");
    if (lon < 0 || lat < 0) return fclose(f), fprintf(stderr, "%s: no columns longitude and latitude\n", path), -1;
    while (fgets(line, sizeof line, f)) {
        const double x = field(line, lon), y = field(line, lat);
        if (!isfinite(x) || !isfinite(y)) continue;
        if (rows == room) {
            room = room ? 2 * room : 1024;
            p->x = realloc(p->x, (size_t)room * sizeof *p->x), p->y = realloc(p->y, (size_t)room * sizeof *p->y);
            if (!p->x || !p->y) return fclose(f), fprintf(stderr, "no memory\n"), -1;
        }
        p->x[rows] = x, p->y[rows++] = y;
    }
    fclose(f);
    p->n = rows < most ? rows : most;
    for (int i = 0; i < p->n; i++) {
        const int from = (int)((double)i * rows / p->n);
        p->x[i] = p->x[from], p->y[i] = p->y[from], middle += p->y[i] / p->n;
    }
    for (int i = 0; i < p->n; i++) /* a degree of longitude is shorter than one of latitude */
        p->x[i] *= cos(middle * acos(-1) / 180);
    return 0;
}

static double uniform(void)
{
    static uint64_t state = 2026;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}
/* Two rings around each other, and three clouds. */
static int make_places(struct places *p, int n)
{
    *p = (struct places){n, malloc((size_t)n * sizeof *p->x), malloc((size_t)n * sizeof *p->y)};
    for (int i = 0; p->x && p->y && i < n; i++) {
        const double turn = 2 * acos(-1) * uniform(), away = sqrt(-2 * log(uniform()));
        const double r = i % 5 < 2 ? (i % 5 ? 3 : 1) + 0.1 * away : 0.35 * away;
        p->x[i] = r * cos(turn) + (i % 5 < 2 ? 0 : 6), p->y[i] = r * sin(turn) + (i % 5 < 2 ? 0 : 2.5 * (i % 5 - 3));
    }
    return p->x && p->y ? 0 : -1;
}

/* ---- the graph --------------------------------------------------------------------------------------------------- */

/* W: 1 where either is among the other's nearest; n x n. */
static void link_nearest(const struct places *p, double *w)
{
    for (int i = 0; i < p->n; i++) {
        double near[NEAREST];
        int who[NEAREST], count = 0;
        for (int j = 0; j < p->n; j++) {
            const double d = hypot(p->x[i] - p->x[j], p->y[i] - p->y[j]);
            int at = count < NEAREST ? count++ : NEAREST;
            if (i == j) {
                count -= at < NEAREST;
                continue;
            }
            if (at == NEAREST && d >= near[NEAREST - 1]) continue;
            at = at == NEAREST ? NEAREST - 1 : at;
            for (; at > 0 && near[at - 1] > d; at--)
                near[at] = near[at - 1], who[at] = who[at - 1];
            near[at] = d, who[at] = j;
        }
        for (int k = 0; k < count; k++)
            w[i + (size_t)who[k] * (size_t)p->n] = w[who[k] + (size_t)i * (size_t)p->n] = 1;
    }
}

/* Components, by going from place to place. */
static int components(int n, const double *w)
{
    int *stack = malloc((size_t)n * sizeof *stack), count = 0, depth = 0;
    char *seen = calloc((size_t)n, 1);

    for (int from = 0; stack && seen && from < n; from++) {
        if (seen[from]) continue;
        count++;
        seen[from] = 1, stack[depth++] = from;
        while (depth > 0) {
            const int i = stack[--depth];
            for (int j = 0; j < n; j++)
                if (w[j + (size_t)i * (size_t)n] != 0 && !seen[j]) seen[j] = 1, stack[depth++] = j;
        }
    }
    free(stack), free(seen);
    return count;
}

/* W becomes I - D^(-1/2) W D^(-1/2). */
static void laplacian(int n, double *w, double *root)
{
    for (int j = 0; j < n; j++) {
        double degree = 0;
        for (int i = 0; i < n; i++)
            degree += w[i + (size_t)j * (size_t)n];
        root[j] = 1 / sqrt(degree);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            w[i + (size_t)j * (size_t)n] = (i == j) - root[i] * w[i + (size_t)j * (size_t)n] * root[j];
}

static double residual(int n, const double *a, const double *w, const double *z, int count)
{
    double worst = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++) {
            double sum = -w[k] * z[i + (size_t)k * (size_t)n];
            for (int j = 0; j < n; j++)
                sum += a[j + (size_t)i * (size_t)n] * z[j + (size_t)k * (size_t)n];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

/* ---- clusters: rows of the first eigenvectors, of length 1, by k-means from rows far from each other ------------- */

static double apart(int c, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < c; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}
static void clusters(int n, int c, const double *z, int *cluster)
{
    double *row = malloc((size_t)n * (size_t)c * sizeof *row), *far = malloc((size_t)n * sizeof *far),
           middle[CLUSTERS_MOST][CLUSTERS_MOST];
    int next = 0, size[CLUSTERS_MOST];

    if (!row || !far) exit(1);
    for (int i = 0; i < n; i++) {
        double length = 0;
        for (int k = 0; k < c; k++)
            length += pow(z[i + (size_t)k * (size_t)n], 2);
        for (int k = 0; k < c; k++)
            row[i * (size_t)c + (size_t)k] = length > 0 ? z[i + (size_t)k * (size_t)n] / sqrt(length) : 0;
        far[i] = INFINITY;
    }
    for (int m = 0; m < c; m++) {
        memcpy(middle[m], row + (size_t)next * (size_t)c, (size_t)c * sizeof *row);
        for (int i = 0; i < n; i++)
            far[i] = fmin(far[i], apart(c, row + (size_t)i * (size_t)c, middle[m]));
        for (int i = next = 0; i < n; i++)
            if (far[i] > far[next]) next = i;
    }
    for (int turn = 0; turn < 50; turn++) {
        for (int i = 0; i < n; i++) {
            cluster[i] = 0;
            for (int m = 1; m < c; m++)
                if (apart(c, row + (size_t)i * (size_t)c, middle[m]) <
                    apart(c, row + (size_t)i * (size_t)c, middle[cluster[i]]))
                    cluster[i] = m;
        }
        memset(size, 0, sizeof size), memset(middle, 0, sizeof middle);
        for (int i = 0; i < n; i++) {
            size[cluster[i]]++;
            for (int k = 0; k < c; k++)
                middle[cluster[i]][k] += row[(size_t)i * (size_t)c + (size_t)k];
        }
        for (int m = 0; m < c; m++)
            for (int k = 0; k < c && size[m]; k++)
                middle[m][k] /= size[m];
    }
    printf("places in each cluster:");
    for (int m = 0; m < c; m++)
        printf(" %d", size[m]);
    printf("\n");
    free(row), free(far);
}

static int draw(const struct places *p, const int *cluster, const char *path)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, scale;
    struct ppm picture;

    for (int i = 0; i < p->n; i++) {
        low[0] = fmin(low[0], p->x[i]), high[0] = fmax(high[0], p->x[i]);
        low[1] = fmin(low[1], p->y[i]), high[1] = fmax(high[1], p->y[i]);
    }
    scale = 760 / fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9);
    if (ppm_create(&picture, 40 + (int)(scale * (high[0] - low[0])), 40 + (int)(scale * (high[1] - low[1])))) return -1;
    for (int i = 0; i < p->n; i++)
        ppm_square(&picture, 19 + (int)(scale * (p->x[i] - low[0])), 19 + (int)(scale * (high[1] - p->y[i])), 3,
                   ppm_class(cluster[i]));
    return ppm_write(&picture, path);
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "spectral_clusters [FILE.csv|- [PLACES [CLUSTERS [PICTURE.ppm]]]]     - makes places; at least 20 [4000] and 2 "
        "to 64 clusters [8]";
    const int made = argc < 2 || !strcmp(argv[1], "-"),
              status = argc > 1 && made ? arguments(argc - 1, argv + 1, 3, usage) : arguments(argc, argv, 4, usage);
    const double wanted = argument_number(argc, argv, 2, 4000), groups = argument_number(argc, argv, 3, 8);
    const int sensible = wanted >= 20 && wanted <= 30000 && groups >= 2 && groups <= CLUSTERS_MOST;
    struct places p = {0, NULL, NULL};
    double *laplace, *z, *w, *root, left, least, most;
    int n, zeros = 0, found, *cluster;
    tw_int info;

    if (status >= 0) return status;
    if (!sensible) return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);
    if (made ? make_places(&p, (int)wanted) : read_places(&p, argv[1], (int)wanted)) return 2;
    n = p.n;
    if (n < 20) return fprintf(stderr, "%s: %d places are too few\n", argv[1], n), 2;
    laplace = calloc((size_t)n * (size_t)n, sizeof *laplace), z = malloc((size_t)n * (size_t)n * sizeof *z);
    w = malloc((size_t)n * sizeof *w), root = malloc((size_t)n * sizeof *root),
    cluster = malloc((size_t)n * sizeof *cluster);
    if (!laplace || !z || !w || !root || !cluster) return fprintf(stderr, "no memory for %d places\n", n), 1;
    link_nearest(&p, laplace);
    found = components(n, laplace);
    laplacian(n, laplace, root);
    memcpy(z, laplace, (size_t)n * (size_t)n * sizeof *z);
    if ((info = tw_dsyevd('V', 'L', n, z, n, w)))
        return fprintf(stderr, "tw_dsyevd: info %lld: %s\n", (long long)info, tw_last_message()), 1;
    while (zeros < n && fabs(w[zeros]) < 1e-10)
        zeros++;
    least = w[0], most = w[n - 1];
    left = residual(n, laplace, w, z, 8);
    printf("%d places, %d components by search, %d zero eigenvalues; the next is %.3g, the last %.3f; residual %.1g\n",
           n, found, zeros, zeros < n ? w[zeros] : NAN, w[n - 1], left);
    clusters(n, (int)groups, z, cluster);
    if (argc > 4 && draw(&p, cluster, argv[4])) return 1;
    free(laplace), free(z), free(w), free(root), free(cluster), free(p.x), free(p.y);
    tw_finalize();
    return !(zeros == found && left < 1e-11 && least > -1e-10 && most < 2 + 1e-10);
}
