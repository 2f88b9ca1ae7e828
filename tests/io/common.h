/* What the tests of io/ share: a folder of their own, files made of strings. */
#ifndef TESTS_IO_COMMON_H
#define TESTS_IO_COMMON_H
#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "tt.h"

static char folder[512];

static int make_folder(void **state)
{
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/tilework-io-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes every file of the folder; returns how many there were. */
static inline int empty_folder(void)
{
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[1024];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        count += unlink(path) == 0;
    }
    if (dir) closedir(dir);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

/* FOLDER/name; four of them live at a time. */
static inline const char *in_folder(const char *name)
{
    static char path[4][1024];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

static inline const char *test_data(const char *name)
{
    static char path[1024];
    const char *source = getenv("TILEWORK_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/%s", source && *source ? source : ".", name);
    return path;
}

static inline const char *make_file(const char *name, const void *content, size_t size)
{
    const char *path = in_folder(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

static inline void expect_in_message(const char *what)
{
    if (strstr(tw_last_message(), what)) return;
    print_error("the message \"%s\" does not contain \"%s\"\n", tw_last_message(), what);
    fail();
}

/* The message names the file and, if line > 0, the line. */
static inline void expect_place(const char *path, int line)
{
    char place[1100];
    snprintf(place, sizeof place, line > 0 ? "%s:%d:" : "%s", path, line);
    expect_in_message(place);
}
#endif
