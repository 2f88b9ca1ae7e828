/* The writers make themselves known when the library is loaded: the runtime calls none of them by name. */
#include "traces/writers.h"

/* Programs that link the static library ask for this symbol (-u tw_traces_register), as nothing else refers to it. */
void tw_traces_register(void);

__attribute__((constructor)) void tw_traces_register(void)
{
    static int done;

    if (done) return;
    done = 1;
    tw_trace_register_format("tw", 1, tw_write_tw);
    tw_trace_register_format("paje", 1, tw_write_paje);
    tw_trace_register_format("json", 1, tw_write_perfetto);
    tw_trace_register_format("svg", 1, tw_write_svg);
    tw_trace_register_format("html", 1, tw_write_html);
    tw_trace_register_format("csv", 0, tw_write_csv);
    tw_trace_register_format("dot", 0, tw_write_dot);
    tw_trace_register_part(&tw_part);
}
