/* The writers make themselves known when the library is loaded: the runtime calls none of them by name. */
#include "traces/writers.h"

/* Programs that link the static library ask for this symbol (-u tw_traces_register), as nothing else refers to it. */
void tw_traces_register(void);

__attribute__((constructor)) void tw_traces_register(void)
{
    static int done;

    if (done) return;
    done = 1;
    tw_trace_register_writer(tw_write_paje);
    tw_trace_register_writer(tw_write_perfetto);
    tw_trace_register_writer(tw_write_svg);
    tw_trace_register_writer(tw_write_html);
}
