/* PREFIX.csv and PREFIX.dot: for scripts, and for looking at small graphs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/text.h"
#include "traces/writers.h"

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* Quoted where need be. A field that a spreadsheet would take for a formula begins with an apostrophe, as one types it
 * there. */
static void put_field(FILE *f, const char *text)
{
    fputs(",\"", f);
    if (*text && strchr("=+-@\t\r", *text)) fputc('\'', f);
    tw_put_csv(f, text);
    fputc('"', f);
}

static void put_seconds(FILE *f, double t, int known)
{
    if (known)
        fprintf(f, ",%.9f", t);
    else
        fputc(',', f);
}

/* Numbers of predecessors. */
static void put_ids(FILE *f, const struct tw_recording *r, size_t from, size_t to)
{
    for (size_t j = from; j < to; j++)
        fprintf(f, "%s%lu", j > from ? " " : "", r->records[r->edge[j]].id);
}

static void put_row(FILE *f, const struct tw_recording *r, size_t i)
{
    const struct tw_record *t = &r->records[i];

    fprintf(f, "%lu", t->id);
    put_field(f, t->name ? t->name : "(unnamed)");
    if (tw_kernel_is_own(t->name ? t->name : ""))
        fputc(',', f);
    else
        fprintf(f, ",%c", tw_letter((enum tw_type)t->type));
    for (int k = 0; k < 4; k++)
        if (t->coord[k] == -1)
            fputc(',', f);
        else
            fprintf(f, ",%d", t->coord[k]);
    put_field(f, t->worker >= 0 && t->worker < r->nworkers ? r->workers[t->worker].name : "?");
    put_field(f, t->routine >= 0 && t->routine < r->nroutines ? r->routines[t->routine] : "");
    put_field(f, t->stage ? t->stage : "");
    fprintf(f, ",%d", t->priority);
    put_seconds(f, t->submit, 1);
    put_seconds(f, t->ready, t->ready > 0);
    put_seconds(f, t->taken, t->taken > 0);
    put_seconds(f, t->loaded, t->loaded > 0);
    put_seconds(f, t->start, 1);
    put_seconds(f, t->end, 1);
    fprintf(f, ",%.17g,%.17g", t->flops, t->moved);
    put_seconds(f, t->predicted[0], t->predicted[0] > 0);
    put_seconds(f, t->predicted[1], t->predicted[1] > 0);
    fputs(",", f);
    const size_t first = r->first_edge ? r->first_edge[i] : 0, end = r->first_edge ? r->first_edge[i + 1] : 0;
    put_ids(f, r, first + t->values, end);
    fprintf(f, ",%s,", t->by_gpu ? "gpu" : "host");
    put_ids(f, r, first, first + t->values);
    fputc('\n', f);
}

int tw_write_csv(const struct tw_recording *r, const char *prefix)
{
    struct tw_tracefile file;
    int status = tw_tracefile_open(&file, prefix, ".csv");

    if (status) return status;
    fputs("id,kernel,type,i,j,k,l,worker,routine,stage,priority,submit,ready,taken,loaded,start,end,flops,moved_bytes,"
          "predicted_core,predicted_gpu,"
          "predecessors,clock,values\n",
          file.out.stream);
    for (size_t i = 0; i < r->nrecords; i++)
        if (!r->records[i].part) put_row(file.out.stream, r, i);
    return tw_tracefile_close(&file, 0);
}

/* ---- DOT --------------------------------------------------------------------------------------------------------- */

enum { DOT_MOST = 5000 };

int tw_write_dot(const struct tw_recording *r, const char *prefix)
{
    struct tw_tracefile file;
    FILE *f;
    int status;

    if (r->nrecords > DOT_MOST)
        return tw_fail(TW_E_UNSUPPORTED, "%s.dot: %zu tasks: a graph of more than %d is no picture", prefix,
                       r->nrecords, DOT_MOST);
    if ((status = tw_tracefile_open(&file, prefix, ".dot"))) return status;
    f = file.out.stream;
    fputs("digraph tasks {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n", f);
    for (size_t i = 0; i < r->nrecords; i++) {
        const struct tw_record *t = &r->records[i];
        if (t->part) continue;
        fprintf(f, "  t%zu [label=\"", i);
        tw_put_json(f, t->name ? t->name : "(unnamed)");
        fprintf(f, "%s\\n%s\", fillcolor=\"#%06X80\"];\n", tw_coord_text(t->coord).text,
                tw_time_text(t->end - t->start).text, t->color & 0xFFFFFF);
        for (size_t j = r->first_edge ? r->first_edge[i] : 0; r->first_edge && j < r->first_edge[i + 1]; j++)
            fprintf(f, "  t%u -> t%zu%s;\n", r->edge[j], i, j < r->first_edge[i] + t->values ? " [style=dashed]" : "");
    }
    fputs("}\n", f);
    return tw_tracefile_close(&file, 0);
}
