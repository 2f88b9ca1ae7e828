/* What routines make of the machine profile, for info and calibrate: orders of tiles in double precision, and in all
 * types the order up to which LAPACK itself is taken. */
#include <jansson.h>

#include "cli/cli.h"

static const char *const routines[] = {"potrf", "getrf", "geqrf", "gemm"};
static const tw_int orders[] = {1024, 4096, 16384};
enum { ROUTINES = sizeof routines / sizeof *routines, ORDERS = sizeof orders / sizeof *orders };
static const char *const letters[TW_NTYPES] = {"s", "d", "c", "z"};

void cli_print_tiles(FILE *f)
{
    const char *source = "";

    for (int r = 0; r < ROUTINES; r++) {
        fprintf(f, "%s%-6s", r ? "             " : "tiles        ", routines[r]);
        for (int k = 0; k < ORDERS; k++)
            fprintf(f, "%s nb = %lld at n = %lld", k ? "," : "",
                    (long long)tw_routine_nb(routines[r], TW_DOUBLE, orders[k], orders[k], orders[k], &source),
                    (long long)orders[k]);
        fprintf(f, " (%s)", source);
        for (int t = 0; t < TW_NTYPES; t++)
            fprintf(f, "%s %s %lld", t ? "," : "; LAPACK itself up to", letters[t],
                    (long long)tw_routine_crossover(routines[r], (enum tw_type)t, &source));
        fprintf(f, " (%s)\n", source);
    }
}

struct json_t *cli_tiles_json(void)
{
    json_t *list = json_array();

    for (int r = 0; r < ROUTINES; r++) {
        const char *from = "", *why = "";
        json_t *nb = json_object(), *crossovers = json_object();
        for (int k = 0; k < ORDERS; k++) {
            char n[24];
            snprintf(n, sizeof n, "%lld", (long long)orders[k]);
            json_object_set_new(
                nb, n, json_integer(tw_routine_nb(routines[r], TW_DOUBLE, orders[k], orders[k], orders[k], &from)));
        }
        for (int t = 0; t < TW_NTYPES; t++)
            json_object_set_new(crossovers, letters[t],
                                json_integer(tw_routine_crossover(routines[r], (enum tw_type)t, &why)));
        json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:I, s:o, s:s}", "routine", routines[r], "nb", nb,
                                              "nb_source", from, "crossover",
                                              (json_int_t)tw_routine_crossover(routines[r], TW_DOUBLE, NULL),
                                              "crossovers", crossovers, "crossover_source", why));
    }
    return list;
}
