/* PREFIX.tw: the whole recording, in the format of docs/trace-format.md. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/encode.h"
#include "traces/recorded.h"
#include "traces/text.h"
#include "traces/writers.h"

/* ---- what does not grow with the tasks --------------------------------------------------------------------------- */

static const char *fact_or(const struct tw_recording *r, const char *key, const char *usual)
{
    const char *value = tw_recorded_fact(r, key);
    return value ? value : usual;
}

static void put_lists(struct tw_block *b, const struct tw_recording *r, const struct tw_lists *l)
{
    char number[32];

    tw_block_fact(b, "machine", r->machine ? r->machine : "?");
    tw_block_fact(b, "scheduler", r->sched ? r->sched : "?");
    tw_block_fact(b, "rank", fact_or(r, "rank", "0"));
    tw_block_fact(b, "clock offset ns", fact_or(r, "clock offset ns", "0"));
    snprintf(number, sizeof number, "%zu", r->dropped);
    tw_block_fact(b, "dropped", number);
    for (int k = 0; k < r->nfacts; k++)
        if (!tw_format_own_fact(r->facts[k].key)) tw_block_fact(b, r->facts[k].key, r->facts[k].value);
    tw_block_end(b, "META");
    tw_block_workers(b, r);
    for (int k = 0; k < r->nroutines; k++)
        tw_block_text(b, r->routines[k]);
    tw_block_end(b, "ROUT");
    for (int k = 0; k < l->stage.count; k++)
        tw_block_text(b, l->stage.key[k].text);
    tw_block_end(b, "STAG");
    for (int k = 0; k < l->kernel.count; k++) {
        tw_block_number(b, l->color[k]);
        tw_block_text(b, l->kernel.key[k].text);
    }
    tw_block_end(b, "KERN");
}

static int put_all(FILE *f, const struct tw_recording *r)
{
    struct tw_block b = {.f = f};
    struct tw_lists l = {0};
    struct tw_format_last last = {0, 0};
    size_t edges = r->first_edge && r->nrecords ? r->first_edge[r->nrecords] : 0;
    int e = tw_lists_find(&l, r);

    fwrite(TW_FORMAT_MAGIC, 1, 8, f);
    if (!e) put_lists(&b, r, &l);
    if (!e) tw_block_marks(&b, r), tw_block_stays(&b, r), tw_block_transfers(&b, r), tw_block_used(&b, r);
    for (size_t i = 0; !e && i < r->nrecords; i++) {
        tw_block_task(&b, r, &l, i, &last);
        if (b.count > TW_FORMAT_BLOCK || i + 1 == r->nrecords) tw_block_end(&b, "TASK");
    }
    for (size_t i = 0; i < r->nrecords && edges; i++)
        edges -= r->records[i].values;
    if (!e) tw_block_clocks(&b, r, 0), tw_block_values(&b, r);
    tw_block_number(&b, r->nrecords);
    tw_block_number(&b, edges);
    tw_block_end(&b, "DONE");
    if (b.failed) e = TW_E_MEMORY;
    tw_lists_free(&l);
    free(b.byte);
    return e ? tw_fail(e, "no memory to write a trace") : 0;
}

int tw_write_tw(const struct tw_recording *recording, const char *prefix)
{
    struct tw_tracefile file;
    int status = tw_tracefile_open(&file, prefix, ".tw");

    return status ? status : tw_tracefile_close(&file, put_all(file.out.stream, recording));
}
