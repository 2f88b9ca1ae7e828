/* A value out of JSON lines, for scripts that run where no JSON tool is installed:
 *   tilework-bench field tiles.split.devices.0.kernels bench=potrf n=8192 < results.jsonl
 * prints that value of the last line whose fields are as the KEY=VALUE pairs (paths, too) say. Exit status 1: there is
 * none. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

static const json_t *at(const json_t *o, const char *path)
{
    char key[128];

    while (o && *path) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        o = json_is_array(o) ? json_array_get(o, (size_t)atol(key)) : json_object_get(o, key);
        path += length + (path[length] == '.');
    }
    return o;
}

static char *text(const json_t *v)
{
    return json_is_string(v) ? strdup(json_string_value(v))
           : v               ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9))
                             : NULL;
}

static int matches(const json_t *o, int count, char **pairs)
{
    for (int i = 0; i < count; i++) {
        const char *equal = strchr(pairs[i], '=');
        char path[128], *value;
        int same;
        snprintf(path, sizeof path, "%.*s", (int)(equal - pairs[i]), pairs[i]);
        value = text(at(o, path));
        same = value && !strcmp(value, equal + 1);
        free(value);
        if (!same) return 0;
    }
    return 1;
}

int bench_field(int argc, char **argv)
{
    char *line = NULL, *last = NULL;
    size_t size = 0;

    if (argc < 3) return bench_fail("field: which one?");
    for (int i = 3; i < argc; i++)
        if (!strchr(argv[i], '=')) return bench_fail("field: %s: expected KEY=VALUE", argv[i]);
    while (getline(&line, &size, stdin) > 0) {
        json_t *o = json_loads(line, 0, NULL); /* other lines may stand between those of JSON */
        char *value = o && matches(o, argc - 3, argv + 3) ? text(at(o, argv[2])) : NULL;
        json_decref(o);
        if (!value) continue;
        free(last);
        last = value;
    }
    free(line);
    if (!last) return 1;
    puts(last);
    free(last);
    return 0;
}
