/* Files of the machine profile. Whatever is accepted has numbers that a machine can have, and answers like one. The key
 * is fixed, so that the corpus does not depend on the machine. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "runtime/machine/machine_profile.h"

static struct tw_profile_key fixed_key(void)
{
    struct tw_profile_key key;
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        snprintf(key.value[k], sizeof key.value[k], "value %d", k);
    return key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tw_profile_key key = fixed_key();
    struct tw_profile p, before;
    const char *why = NULL;
    char path[64];
    int fd = memfd_create("profile", 0);

    REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    memset(&p, 0, sizeof p);
    tw_profile_guess(&p);
    before = p;
    if (tw_profile_read(path, &key, &p, &why)) {
        REQUIRE(tw_profile_plausible(&p) && tw_key_same(&p.key, &key));
        tw_profile = p;
        for (double n = 1; n < 1e5; n *= 3) {
            REQUIRE(tw_profile_rate(0, TW_RATE_GEMM, TW_DOUBLE, n) > 0);
            REQUIRE(isfinite(tw_profile_streams(TW_COMPLEX_FLOAT, n, 3)));
        }
    } else {
        REQUIRE(why && !memcmp(&p, &before, sizeof p));
    }
    close(fd);
    return 0;
}
