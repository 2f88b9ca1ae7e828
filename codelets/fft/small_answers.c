/* The file of answers: a head, then a line `s|d kind m ours|cufft` for each. */
#include "codelets/fft/small_answers.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "runtime/task/submit.h" /* tw_cache_dir */

/* To be changed when the kernels become faster or slower. */
#define HEAD "tilework fft-small 1"

static const char *const names[TW_SMALL_KINDS] = {"c2c", "r2c", "c2r", "dht", "t1", "t2", "t3", "t4"};

static int path_of(const char *gpu, int cufft, char *path, size_t length)
{
    char dir[512], name[64];
    size_t n = 0;

    if (tw_cache_dir(dir, sizeof dir)) return -1;
    for (; gpu[n] && n + 1 < sizeof name; n++)
        name[n] = isalnum((unsigned char)gpu[n]) ? gpu[n] : '-';
    name[n] = 0;
    tw_make_directories(dir);
    return (size_t)snprintf(path, length, "%s/fft-small-%s-%d", dir, name, cufft) < length ? 0 : -1;
}

static void line(const char *text, struct tw_small_answers *a)
{
    char type, kind[8], who[8];
    int m;

    if (sscanf(text, "%c %7s %d %7s", &type, kind, &m, who) != 4 || m < 1 || m > TW_SMALL_SIZES) return;
    for (int k = 0; k < TW_SMALL_KINDS; k++) {
        unsigned char *at = &a->of[type == 's'][k][m];
        if (strcmp(kind, names[k]) != 0 || *at != TW_SMALL_UNKNOWN) continue;
        if (!strcmp(who, "ours")) *at = TW_SMALL_OURS;
        if (!strcmp(who, "cufft")) *at = TW_SMALL_THEIRS;
    }
}

void tw_small_answers_read(const char *gpu, int cufft, struct tw_small_answers *a)
{
    char path[640], text[80];
    FILE *f;

    if (path_of(gpu, cufft, path, sizeof path) || !(f = fopen(path, "r"))) return;
    if (fgets(text, sizeof text, f) && !strcmp(text, HEAD "\n"))
        while (fgets(text, sizeof text, f))
            line(text, a);
    fclose(f);
}

void tw_small_answers_write(const char *gpu, int cufft, const struct tw_small_answers *a)
{
    struct tw_small_answers all = *a;
    struct tw_outfile f;
    char path[640];

    if (path_of(gpu, cufft, path, sizeof path)) return;
    tw_small_answers_read(gpu, cufft, &all);
    if (tw_outfile_open(&f, path) == 0) {
        fputs(HEAD "\n", f.stream);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < TW_SMALL_KINDS; k++)
                for (int m = 1; m <= TW_SMALL_SIZES; m++)
                    if (all.of[s][k][m] != TW_SMALL_UNKNOWN)
                        fprintf(f.stream, "%c %s %d %s\n", s ? 's' : 'd', names[k], m,
                                all.of[s][k][m] == TW_SMALL_OURS ? "ours" : "cufft");
        if (tw_outfile_commit(&f) == 0) return;
    }
    tw_clear_message();
}
