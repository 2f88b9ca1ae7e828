/* FFTW's wisdom in the cache directory: read before the first plan, written when the program ends or is asked to,
 * together with what other programs have written there meanwhile. A file that cannot be read or used is none.
 *
 * FFTW believes what it reads: damaged wisdom may end the program in an assertion of its planner. So the file is FFTW's
 * text under one line of ours, with FFTW's version and a checksum, and only a file that they fit is shown to FFTW. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"

enum { MAX_BYTES = 64 << 20 };
#define HEAD "tilework-wisdom 1 " /* then FFTW's version, the bytes of its text and their checksum */
static const char *const names[2] = {"fftwf-wisdom", "fftw-wisdom"};
static const enum tw_type types[2] = {TW_COMPLEX_FLOAT, TW_COMPLEX_DOUBLE};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int saved[2]; /* plans measured when the file was last written */

static int path_of(int single_or_double, char *path, size_t length)
{
    char dir[512];
    int e = tw_cache_dir(dir, sizeof dir);
    if (e) return e;
    snprintf(path, length, "%s/%s", dir, names[single_or_double]);
    return 0;
}

static uint64_t sum_of(const char *text, size_t length)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (size_t k = 0; k < length; k++)
        h = (h ^ (unsigned char)text[k]) * 1099511628211u;
    return h;
}

/* The whole of a small regular file, with a 0 behind it; NULL where there is none. */
static char *read_file(const char *path, size_t *length)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe would block */
    struct stat s;
    char *text = NULL;

    if (fd < 0) return NULL;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size < MAX_BYTES &&
        (text = malloc((size_t)s.st_size + 1))) {
        ssize_t got = read(fd, text, (size_t)s.st_size);
        *length = got > 0 ? (size_t)got : 0;
        text[*length] = 0;
    }
    close(fd);
    return text;
}

const char *tw_fft_wisdom_fault(enum tw_type type, const char *text, size_t length, const char **wisdom, int *useless)
{
    char version[100];
    unsigned long long bytes, sum;
    int head = 0;

    *useless = 1;
    if (sscanf(text, HEAD "%99s %llu %llx%n", version, &bytes, &sum, &head) != 3 ||
        (size_t)head != strcspn(text, "\n") || text[head] != '\n')
        return "not written by this version of Tilework, or damaged";
    *wisdom = text + head + 1;
    if (bytes != length - (size_t)(*wisdom - text) || sum != sum_of(*wisdom, bytes)) return "damaged";
    *useless = 0;
    return strcmp(version, tw_fft_wisdom_version(type)) != 0 ? "of another version of FFTW" : NULL;
}

static void import(int which)
{
    char path[640], *text;
    const char *wisdom, *why;
    size_t length = 0;
    int useless;

    if (path_of(which, path, sizeof path) || !(text = read_file(path, &length))) return;
    why = tw_fft_wisdom_fault(types[which], text, length, &wisdom, &useless);
    if (!why && !tw_fft_wisdom_import(types[which], wisdom)) why = "refused by FFTW";
    if (why) tw_log(useless ? TW_LOG_WARNING : TW_LOG_INFO, "FFTW's wisdom in %s is %s: thrown away", path, why);
    if (why && useless) (void)unlink(path);
    free(text);
}

static void load(void)
{
    import(0);
    import(1);
}
void tw_fft_wisdom_load(void)
{
    pthread_once(&once, load);
}

static int save(int which)
{
    char path[640], dir[512], *text;
    struct tw_outfile f;
    int e, planned = tw_fft_wisdom_planned(types[which]);

    if (planned == saved[which]) return 0;
    if ((e = path_of(which, path, sizeof path)))
        return tw_fail(TW_E_IO, "there is no cache directory for FFTW's wisdom: set TILEWORK_CACHE_DIR");
    if (!tw_cache_dir(dir, sizeof dir)) tw_make_directories(dir);
    import(which);
    if (!(text = tw_fft_wisdom_export(types[which]))) return tw_fail(TW_E_MEMORY, "no memory for FFTW's wisdom");
    if (!(e = tw_outfile_open(&f, path))) {
        fprintf(f.stream, HEAD "%s %zu %016llx\n%s", tw_fft_wisdom_version(types[which]), strlen(text),
                (unsigned long long)sum_of(text, strlen(text)), text);
        e = tw_outfile_commit(&f);
    }
    free(text);
    if (!e) saved[which] = planned;
    return e;
}

int tw_fft_save_wisdom(void)
{
    static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
    int e;

    starpu_pthread_mutex_lock(&lock);
    e = save(0);
    if (!e) e = save(1);
    starpu_pthread_mutex_unlock(&lock);
    return e;
}

static __attribute__((destructor)) void save_at_exit(void)
{
    tw_set_log(NULL, NULL); /* the program's log may be gone */
    (void)tw_fft_save_wisdom();
}
