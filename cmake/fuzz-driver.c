/* Replays a fuzzing corpus without libFuzzer: every file named on the command line, and every file of every folder
 * named there, goes through LLVMFuzzerTestOneInput once. A crash or a sanitizer report is the failure. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!f || !data || fread(data, 1, size, f) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(f);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st)) {
        fprintf(stderr, "cannot find %s\n", path);
        exit(1);
    }
    if (!S_ISDIR(st.st_mode)) return replay_file(path, (size_t)st.st_size);
    DIR *dir = opendir(path);
    if (!dir) {
        fprintf(stderr, "cannot list %s\n", path);
        exit(1);
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        count += replay(child);
    }
    closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    int count = 1; /* the empty input is always tried */
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        count += replay(argv[i]);
    printf("%d inputs replayed\n", count);
    return 0;
}
