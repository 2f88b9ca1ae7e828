/* Recordings: PREFIX.tw, and StarPU's tasks.rec. To get past the checksums every second input has them put right first.
 * What is read must be sound enough for all that is made of it. */
#include "common.h"
#include <tilework/trace.h>
#include "traces/format.h"
#include "traces/read.h"
#include "traces/recorded.h"

/* The blocks that are there get the checksums of their content. */
static void put_right(unsigned char *bytes, size_t n)
{
    for (size_t at = 8; at + 12 <= n;) {
        const size_t length = (size_t)bytes[at + 4] | (size_t)bytes[at + 5] << 8 | (size_t)bytes[at + 6] << 16 |
                              (size_t)bytes[at + 7] << 24;
        if (length > n - at - 12) return;
        const uint32_t sum = tw_crc32(0, bytes + at, 8 + length);
        for (int k = 0; k < 4; k++)
            bytes[at + 8 + length + (size_t)k] = (unsigned char)(sum >> 8 * k);
        at += 12 + length;
    }
}

/* With a recording that is sound: what the file says of its rank, clock, memories and threads is looked at. */
static void merge(const tw_recorded *r)
{
    tw_recorded *other, *both, *again;
    tw_trace_facts f;

    REQUIRE(tw_recorded_example(&other, "fork:n=3,workers=2,rank=77") == 0);
    for (int k = 0; k < other->nfacts; k++) /* of about the same time */
        if (!strcmp(other->facts[k].key, "began ns since 1970") && tw_recorded_fact(&r->view, other->facts[k].key))
            other->facts[k].value = tw_recorded_fact(&r->view, other->facts[k].key);
    const int e = tw_recorded_merge(&both, r, other);
    REQUIRE(e == 0 || e == TW_E_FORMAT);
    if (!e) {
        REQUIRE(tw_recorded_facts(both, &f) == 0 && both->view.nrecords == r->view.nrecords + 5);
        REQUIRE(tw_recorded_merge(&again, other, both) == TW_E_FORMAT);
    }
    tw_recorded_destroy(both), tw_recorded_destroy(other);
}

static void look_at(tw_recorded *r)
{
    tw_trace_facts f;
    tw_trace_kernel kernel[4];
    tw_trace_step step[4];
    tw_trace_advice advice[4];
    double seconds;

    REQUIRE(tw_recorded_facts(r, &f) == 0);
    REQUIRE(isfinite(f.seconds) && f.seconds >= 0 && isfinite(f.graph) && f.graph >= 0);
    const double sum =
        f.path_tasks + f.path_submission + f.path_scheduler + f.path_lost + f.path_data + f.path_start + f.path_return;
    REQUIRE(fabs(sum - f.seconds) <= 1e-6 * (1 + f.seconds) * (1 + (double)f.path_length));
    REQUIRE(tw_recorded_kernels(r, kernel, 4) >= 0);
    REQUIRE(tw_recorded_path(r, step, 0, 4) == (tw_int)f.path_length);
    static const char *const changes[] = {"order=priority,cores=2,gpus=1", "link=3x", "link=0.5x,order=fifo"};
    for (int k = 0; k < 3; k++) {
        const int e = tw_recorded_replay(r, changes[k], &seconds);
        REQUIRE(e ? e == TW_E_STATE || e == TW_E_OPTION : isfinite(seconds) && seconds >= 0); /* no GPU may be there */
    }
    const int n = tw_recorded_advice(r, advice, 4);
    REQUIRE(n >= 0);
    for (int k = 0; k < n && k < 4; k++)
        REQUIRE(isfinite(advice[k].gain) && advice[k].gain >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size + 1);

    limit_memory();
    REQUIRE(bytes);
    if (size) memcpy(bytes, data, size);
    for (int right = 0; right < 2; right++) {
        FILE *f = open_input(bytes, size);
        tw_recorded *r = NULL;
        const int e = tw_recorded_read_stream(&r, f, "fuzzed.tw");
        fclose(f);
        check_answer(e, "fuzzed.tw");
        REQUIRE(e == 0 || strstr(tw_last_message(), "byte ") || e == TW_E_MEMORY);
        REQUIRE(!e == !!r);
        if (r) look_at(r), merge(r);
        tw_recorded_destroy(r);
        put_right(bytes, size);
    }
    free(bytes);
    return 0;
}
