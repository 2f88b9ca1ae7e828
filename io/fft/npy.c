/* Signals in NumPy's .npy: io/npy.h reads and writes the headers. */
#include "io/npy.h"

#include <stdlib.h>
#include <string.h>

#include "io/fft/signal.h"

int tw_npy_parse(struct tw_input *f, tw_signal *s)
{
    struct tw_npy h;
    int e = tw_npy_header(f->name, f->data, f->size, &h);

    if (e) return e;
    if (h.fortran && h.rank > 1)
        return tw_fail(TW_E_FORMAT, "%s: NumPy header: Fortran order is not read (numpy.ascontiguousarray changes it)",
                       f->name);
    s->type = h.type;
    s->rank = h.rank;
    s->real_last = h.whole;
    memcpy(s->n, h.n, sizeof s->n);
    if ((e = tw_signal_allocate(f->name, s, (tw_int)((f->size - h.start) / (size_t)h.bytes)))) return e;
    tw_npy_convert(&h, f->data + h.start, s->count, s->data);
    return 0;
}

void tw_npy_write(FILE *out, const tw_signal *s)
{
    struct tw_npy h = {.type = s->type, .rank = s->rank, .whole = s->real_last};

    memcpy(h.n, s->n, sizeof h.n);
    tw_npy_begin(out, &h);
    fwrite(s->data, tw_signal_element(s->type), (size_t)s->count, out);
}
