/* What programs may ask about types. */
#include <tilework/type.h>

#include "runtime/base/types.h"

static int known(enum tw_type t)
{
    return (int)t >= 0 && (int)t < TW_NELEMENTS;
}

size_t tw_type_size(enum tw_type type)
{
    return known(type) ? tw_sizeof(type) : 0;
}

double tw_type_eps(enum tw_type type)
{
    if (!known(type) || tw_is_integer(type)) return 0;
    if (type == TW_HALF) return 0x1p-11;
    if (type == TW_BFLOAT16) return 0x1p-8;
    return tw_is_single(type) ? 0x1p-24 : 0x1p-53;
}

char tw_type_letter(enum tw_type type)
{
    return known(type) ? tw_letter(type) : 0;
}

int tw_type_is_complex(enum tw_type type)
{
    return tw_is_complex(type);
}

enum tw_type tw_type_real(enum tw_type type)
{
    return tw_real_type(type);
}
