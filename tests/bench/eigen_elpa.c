/* A peer on all cores: ELPA's two-stage solver, by a process for each core under mpirun (tests/bench_elpa/, a program
 * of its own, which is built where ELPA is), started anew for each run: processes of MPI that wait would take the
 * others' cores. Its time is the solver's, the matrix spread over the processes before. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/eigen.h"

struct eigen_elpa {
    const struct eigen_problem *p;
    char program[PATH_MAX], file[PATH_MAX];
    size_t matrix;
    FILE *data;
};

/* peers/tilework-bench-elpa beside this program: nobody else is to run it. */
static int find(struct eigen_elpa *e, char *why)
{
    ssize_t length = readlink("/proc/self/exe", e->program, sizeof e->program - 1);
    char *end;

    e->program[length > 0 ? length : 0] = 0;
    end = strrchr(e->program, '/');
    if (!end || (size_t)(end - e->program) + sizeof "/peers/tilework-bench-elpa" > sizeof e->program) return 1;
    strcpy(end, "/peers/tilework-bench-elpa");
    if (strchr(e->program, '\'') || access(e->program, X_OK) != 0) {
        snprintf(why, 256,
                 "peers/tilework-bench-elpa is not beside tilework-bench: it is built where ELPA (libelpa-dev) and "
                 "Open MPI are");
        return 1;
    }
    if (system("command -v mpirun > /dev/null 2>&1") != 0) {
        snprintf(why, 256, "there is no mpirun");
        return 1;
    }
    return 0;
}

/* The file through which the matrix goes there, and results come back: in memory where there is such a place. */
static int enter(struct eigen_elpa *e, char *why)
{
    const char *const folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    int file;

    snprintf(e->file, sizeof e->file, "%s/tilework-bench-elpa-XXXXXX", folder);
    if ((file = mkstemp(e->file)) < 0 || !(e->data = fdopen(file, "r+"))) {
        if (file >= 0) close(file), unlink(e->file);
        e->file[0] = 0;
        snprintf(why, 256, "no file can be made in %s", folder);
        return 1;
    }
    if (fwrite(e->p->a, 1, e->matrix, e->data) != e->matrix || fflush(e->data)) {
        snprintf(why, 256, "%s has no room for %zu bytes", folder, e->matrix);
        return 1;
    }
    return 0;
}

struct eigen_elpa *eigen_elpa_open(const struct eigen_problem *p, char *why)
{
    struct eigen_elpa *e;

    if (p->routine != SYEVD && p->routine != SYEVR) {
        snprintf(why, 256, "it takes part in syevd and syevr");
        return NULL;
    }
    e = bench_alloc(sizeof *e);
    *e = (struct eigen_elpa){.p = p, .matrix = (size_t)p->n * (size_t)p->n * bench_sizeof(p->type)};
    if (!find(e, why) && !enter(e, why)) return e;
    eigen_elpa_close(e);
    return NULL;
}

int eigen_elpa_run(struct eigen_elpa *e, double *w, void *z, double *seconds)
{
    const struct eigen_problem *p = e->p;
    const size_t values = (size_t)p->m * sizeof *w,
                 vectors = p->vectors ? (size_t)p->m * (size_t)p->n * bench_sizeof(p->type) : 0;
    char command[2 * PATH_MAX + 256], line[64] = "";
    FILE *out;
    int status;

    snprintf(command, sizeof command,
             "%s OPENBLAS_NUM_THREADS=1 mpirun --bind-to none -np %d '%s' '%s' %lld %lld %c %d < /dev/null",
             geteuid() == 0 ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" : "", bench_cores(),
             e->program, e->file, (long long)p->n, (long long)p->m, tw_type_letter(p->type), p->vectors);
    if (!(out = popen(command, "r"))) return bench_fail("ELPA: mpirun does not start");
    if (!fgets(line, sizeof line, out)) line[0] = 0;
    status = pclose(out);
    *seconds = strtod(line, NULL);
    if (status != 0 || !(*seconds > 0)) return bench_fail("ELPA: %s: status %d", command, status);
    if (fseek(e->data, (long)e->matrix, SEEK_SET) || fread(w, 1, values, e->data) != values ||
        (vectors && fread(z, 1, vectors, e->data) != vectors))
        return bench_fail("ELPA: its results cannot be read");
    return 0;
}

void eigen_elpa_close(struct eigen_elpa *e)
{
    if (!e) return;
    if (e->data) fclose(e->data);
    if (e->file[0]) unlink(e->file);
    free(e);
}
