/* Kernels by the names that users say: gemm, or dgemm for that of one type. */
#include <stdio.h>
#include <string.h>

#include "traces/analysis.h"
#include "traces/index.h"

int tw_kernel_is(const char *name, unsigned char type, const char *word, size_t length)
{
    const char letter = tw_kernel_letter(name, (enum tw_type)type);
    const size_t n = strlen(name);

    if (n == length && !strncmp(name, word, n)) return 1;
    return letter != ' ' && length == n + 1 && *word == letter && !strncmp(name, word + 1, n);
}

void tw_kernel_names(const struct tw_recording *r, char *list, size_t size)
{
    struct tw_index seen = {0};
    size_t used = 0;

    *list = 0;
    for (size_t k = 0; k < r->nrecords && used + 80 < size; k++) {
        const char *name = r->records[k].name ? r->records[k].name : "(unnamed)";
        const int before = seen.count;
        if (!tw_counts(r, &r->records[k]) || tw_index_of(&seen, name, 0) < before) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%.60s", used ? ", " : "", name);
    }
    tw_index_free(&seen);
}
