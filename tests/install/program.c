/* Built by the test against the installed tree, as C and as C++: every public header, and one real call. */
#include "all_headers.h" /* written by the test: every header that was installed */
#include <stdio.h>

int main(void)
{
    /* A 3 x 3 system with a known factor: A = L L' with L = [2; 1 2; 3 1 2], column-major. */
    double a[9] = {4, 2, 6, 2, 5, 5, 6, 5, 14};
    const double l[9] = {2, 1, 3, 2, 2, 1, 6, 5, 2}; /* the strictly upper triangle stays as it was */
    tw_int info = tw_dpotrf('L', 3, a, 3);
    for (int i = 0; i < 9; i++)
        if (a[i] != l[i]) info = -1000 - i;
    printf("tilework %d.%d.%d: info %d (%s)\n", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH, (int)info,
           tw_strerror((int)info));
    tw_finalize();
    return info != 0;
}
