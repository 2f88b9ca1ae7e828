/* What the generated calls (calls.awk) are made of. */
#ifndef BAD_CALLS_H
#define BAD_CALLS_H
#include <stdint.h>

/* Argument `argument` is bad, or all of them if it is ALL, none if it is NONE; `which` of the bad values. */
enum { NONE = -1, ALL = -2, VALUES = 9 };
struct bad {
    int argument, which;
};
/* kinds: for each argument 'n' takes all bad values, 'p' (a structure) NULL and zeros, '0' only NULL, '-' none. */
struct call {
    const char *name;
    void (*call)(const struct bad *b);
    const char *kinds;
};
extern const struct call calls[];
extern const int ncalls;

int64_t number(const struct bad *b, int k, const char *name);
double real(const struct bad *b, int k, const char *name);
void *pointer(const struct bad *b, int k, const char *type, int stars, const char *name);
void (*function(const struct bad *b, int k, const char *type))(void);
void before(const char *name);
void after(const char *name);
enum { USED_UP = 78 }; /* exit status of a child that has no memory left for arguments */
#endif
