/* SHA-256 (FIPS 180-4) of a text, as a content security policy wants it: 'sha256-BASE64'. */
#ifndef TW_TRACES_SHA256_H
#define TW_TRACES_SHA256_H
#include <stddef.h>

struct tw_policy_hash {
    char text[64];
};
struct tw_policy_hash tw_policy_hash(const char *text, size_t length);
#endif
