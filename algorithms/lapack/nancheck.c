/* Whether LAPACKE's functions look for NaNs in their input. */
#include <stdlib.h>
#include <tilework/lapacke.h>

static int nancheck = -1; /* -1: the environment decides */

void tw_LAPACKE_set_nancheck(int flag)
{
    __atomic_store_n(&nancheck, flag != 0, __ATOMIC_RELAXED);
}

int tw_LAPACKE_get_nancheck(void)
{
    const int known = __atomic_load_n(&nancheck, __ATOMIC_RELAXED);
    const char *text = known < 0 ? getenv("LAPACKE_NANCHECK") : NULL;
    return known >= 0 ? known : text ? atoi(text) != 0 : 1;
}
