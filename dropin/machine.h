/* What is known of the machine before Tilework's library is opened: seen by libc alone (machine.c), and the rates that
 * an earlier start has measured (rates.c). */
#ifndef TW_DROPIN_MACHINE_H
#define TW_DROPIN_MACHINE_H
#include "dropin/dropin.h"

/* Cores that this process may use. */
int tw_here_cores(void);
/* Those that the program's BLAS uses: whoever gives it fewer threads than there are cores wants the others for
 * something else. */
int tw_here_threads(void);
/* GPUs that the library would use: no driver is woken for this. */
int tw_here_gpus(void);
/* Other programs' threads fill all of the machine's cores: looked at every 0.1 s at most. */
int tw_here_busy(void);

enum { TW_HERE_TYPES = 4, TW_HERE_ORDERS = 5 };
struct tw_here_rates {
    char path[1024];                                  /* the machine profile's file */
    double core[TW_HERE_TYPES];                       /* flops a second of one core's gemm, s, d, c, z */
    double gpu[TW_HERE_TYPES][TW_HERE_ORDERS];        /* of one GPU's, one stream, at the orders of tw_here_orders */
    double streams[TW_HERE_TYPES][TW_HERE_ORDERS][2]; /* times that with two and four streams */
    double to_gpu, from_gpu, copy;                    /* bytes a second of the links, of one core's memcpy */
    int cores;                                        /* that the profile was measured for */
};
extern const int tw_here_orders[TW_HERE_ORDERS];
/* Those of the newest machine profile of this machine, read once, and where none was found once more when the library
 * has started; NULL: there is none. */
const struct tw_here_rates *tw_here_profile(void);
#endif
