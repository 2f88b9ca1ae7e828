/* Contestants take turns on one input, and what all such contests begin with. */
#include <tilework/tilework.h>

#include "bench/bench.h"

int bench_take_turns(const struct bench_options *o, const struct bench_turns *t)
{
    for (int round = -1; round < o->repeat; round++)
        for (int k = 0; k < t->contestants; k++) {
            const int who = t->order ? t->order[k] : k;
            struct bench_runs *r = &t->runs[who];
            if (!r->takes_part) continue;
            if (t->run(t->contest, who, round < 0 ? &r->first : &r->seconds[round])) return 1;
            if (round < 0 && t->judge(t->contest, who)) return 1;
        }
    return 0;
}

json_t *bench_contest_record(const struct bench_options *o, const char *name, tw_int m, tw_int n)
{
    const char letter[2] = {tw_type_letter(o->type), 0};
    json_t *record = bench_record(o, name);

    bench_put(record, "type", json_string(letter));
    if (m) bench_put(record, "m", json_integer(m));
    bench_put(record, "n", json_integer(n));
    bench_put(record, "kind", json_string(o->kind));
    bench_put(record, "runs", json_integer(o->repeat));
    return record;
}
