/* FFTW's wisdom in the cache directory: read before the first plan, written when the program ends or is asked to, together with what
 * other programs have written there meanwhile. A file that cannot be read or used is none. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"

enum { MAX_BYTES = 64 << 20 };
static const char *const names[2] = {"fftwf-wisdom", "fftw-wisdom"};
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

static void import(int which)
{
    char path[640], *text;
    struct stat s;
    FILE *f;

    if (path_of(which, path, sizeof path) || !(f = fopen(path, "r"))) return;
    if (fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size < MAX_BYTES &&
        (text = malloc((size_t)s.st_size + 1))) {
        text[fread(text, 1, (size_t)s.st_size, f)] = 0;
        if (!tw_fft_cpu[which]->wisdom_import(text)) tw_log(TW_LOG_INFO, "%s is no wisdom of this FFTW: ignored", path);
        free(text);
    }
    fclose(f);
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
    int e, planned = tw_fft_cpu[which]->planned();

    if (planned == saved[which]) return 0;
    if ((e = path_of(which, path, sizeof path)))
        return tw_fail(TW_E_IO, "there is no cache directory for FFTW's wisdom: set TILEWORK_CACHE_DIR");
    if (!tw_cache_dir(dir, sizeof dir)) tw_make_directories(dir);
    import(which);
    if (!(text = tw_fft_cpu[which]->wisdom_export())) return tw_fail(TW_E_MEMORY, "no memory for FFTW's wisdom");
    if (!(e = tw_outfile_open(&f, path))) {
        fputs(text, f.stream);
        e = tw_outfile_commit(&f);
    }
    free(text);
    if (!e) saved[which] = planned;
    return e;
}

int tw_fft_save_wisdom(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int e;

    pthread_mutex_lock(&lock);
    e = save(0);
    if (!e) e = save(1);
    pthread_mutex_unlock(&lock);
    return e;
}

static __attribute__((destructor)) void save_at_exit(void)
{
    tw_set_log(NULL, NULL); /* the program's log may be gone */
    (void)tw_fft_save_wisdom();
}
