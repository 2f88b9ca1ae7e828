/* What the listener has heard, in the order in which it came. */
#ifndef TW_TESTS_TRACES_NVTX_LISTENER_H
#define TW_TESTS_TRACES_NVTX_LISTENER_H

enum { HEARD_MOST = 20000 };
struct heard {
    int push, ours; /* 0: a pop; of the domain that Tilework made */
    unsigned color; /* 0: none */
    long long number;
    unsigned long thread;
    char name[48];
};
int listener_heard(const struct heard **list, int *created);
#endif
