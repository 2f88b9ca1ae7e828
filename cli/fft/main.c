/* tilework-fft, which `tilework fft` starts. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cli/fft/fft_cli.h"
#include "cli/stack.h"
#include "cli/words.h"

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int library_error(const char *what, int code)
{
    const char *message = cli_last_message();

    if (cli_interrupted()) return 128 + cli_interrupted();
    return cli_error(code == TW_E_OPTION ? USAGE : FAILED, "%s: %s", what, *message ? message : tw_strerror(code));
}

static int interrupted(void)
{
    return cli_interrupted() ? 128 + cli_interrupted() : OK;
}

/* ---- a transform ------------------------------------------------------------------------------------------------- */

static int plan_it(struct problem *p, tw_fft **plan)
{
    const struct options *o = &p->o;
    tw_int is = p->in.pitch, os = p->out.pitch;
    tw_fft_dim dim[3], loop;

    dim[o->rank - 1] = (tw_fft_dim){o->n[o->rank - 1], 1, 1};
    for (int d = o->rank - 2; d >= 0; d--) {
        dim[d] = (tw_fft_dim){o->n[d], is, os};
        is *= o->n[d];
        os *= o->n[d];
    }
    loop = (tw_fft_dim){o->batch, is, os};
    return tw_fft_plan_guru(plan, o->type, p->kind, o->rank, dim, 1, &loop, o->sign, &o->fft);
}

static int transform(struct problem *p, void *plan)
{
    return tw_fft_execute(plan, p->in.data, p->out.data);
}

/* ---- two transforms with a product between them ------------------------------------------------------------------ */

static int convolve(struct problem *p, void *plan)
{
    (void)plan;
    return tw_fft_convolve(p->o.type, p->o.rank, p->o.n, p->in.data, p->other.data, p->out.data,
                           p->o.operation == CORRELATE);
}

static int filter(struct problem *p, void *plan)
{
    return tw_fft_filter_execute(plan, p->in.data, p->out.data);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int repeat(struct problem *p, int (*once)(struct problem *, void *), void *plan, tw_fft *asked, double planning)
{
    const struct options *o = &p->o;
    struct cli_times times = {0};
    int status = OK;

    for (int r = 0; r < o->repeat; r++) {
        struct timing t = {.planning = planning, .passed = 1};
        struct array before = p->in;
        int e;

        if (p->pristine) memcpy(p->in.data, p->pristine, p->in.bytes);
        t.seconds = seconds();
        e = once(p, plan);
        t.seconds = seconds() - t.seconds;
        if (interrupted()) return interrupted();
        if (e) return library_error("computing", e);
        if (p->pristine) before.data = p->pristine;
        t.checking = seconds();
        if (o->check) {
            t.residual =
                o->operation == TRANSFORM ? check_transform(p, &before, &p->out) : check_operation(p, &before, &p->out);
            t.checking = seconds() - t.checking;
            if (interrupted()) return interrupted();
            if (t.residual < 0) return cli_error(FAILED, "no memory for the check");
            if (!(t.residual <= 1)) t.passed = 0, status = FAILED;
        }
        report(p, asked, &t);
        if (cli_flush()) return FAILED;
        cli_times_add(&times, t.seconds);
    }
    cli_times_report(&times, "fft", o->json);
    return status;
}

/* Starting the library is not part of a transform's time. */
static int start(void)
{
    const int e = tw_is_running() ? 0 : tw_init(NULL);
    if (!e) cli_warn_of_workers();
    return e;
}

static int run_transform(struct problem *p)
{
    double planning = seconds();
    tw_fft_info info;
    tw_fft *plan;
    int e;

    if ((e = plan_it(p, &plan))) return library_error("the plan", e);
    planning = seconds() - planning;
    if ((e = tw_fft_get_info(plan, &info)) || (strcmp(info.path, "direct") != 0 && (e = start())))
        e = library_error("starting the library", e);
    else
        e = repeat(p, transform, plan, plan, planning);
    tw_fft_destroy(plan);
    return e;
}

static int run_filter(struct problem *p)
{
    double planning = seconds();
    tw_fft_filter *f;
    int e = tw_fft_filter_create(&f, p->o.type, p->kind, p->o.rank, p->o.n, p->other.data, &p->o.fft);

    if (e) return library_error("the filter", e);
    e = repeat(p, filter, f, NULL, seconds() - planning);
    tw_fft_filter_destroy(f);
    return e;
}

static int run(struct problem *p)
{
    switch (p->o.operation) {
    case TRANSFORM: return run_transform(p);
    case FILTER: return run_filter(p);
    default: return repeat(p, convolve, NULL, NULL, 0);
    }
}

/* What is overwritten is kept for the next run and for the check. */
static int keep_input(struct problem *p)
{
    if (!p->o.in_place && p->kind != TW_FFT_C2R) return 0;
    if (!(p->pristine = malloc(p->in.bytes + 1))) return cli_error(FAILED, "no memory for a copy of the input");
    memcpy(p->pristine, p->in.data, p->in.bytes);
    return 0;
}

static int command(int argc, char **argv)
{
    struct problem p = {0};
    int e = options_parse(argc, argv, &p.o);

    if (e) return e - 1;
    p.o.fft.norm = p.o.norm;
    if (!(e = load_input(&p)) && !(e = output_fits(&p)) && !(e = keep_input(&p)) && !(e = run(&p)) && p.o.output &&
        !(e = interrupted()))
        e = save_output(&p);
    if (!e && cli_variable("TILEWORK_TRACE") && !tw_is_running())
        cli_error(0, "note: no trace: it was computed directly, without tasks (--path tasks makes some)");
    if (tw_finalize() && !e) e = FAILED;
    free(p.pristine);
    free(p.other.data);
    if (p.out.data != p.in.data) free(p.out.data);
    free(p.in.data);
    return e;
}

static int program(int argc, char **argv)
{
    static char *help[] = {"tilework-fft", "--help", NULL};
    const enum cli_word word = cli_word_asked(argc, argv);

    cli_begin();
    if (word == CLI_WORD_VERSION) return cli_print_version("tilework-fft"), cli_end(OK);
    if (word == CLI_WORD_HELP) return cli_end(command(2, help));
    cli_catch_signals();
    return cli_end(cli_run_on_machine(argc, argv, 1, command));
}

int main(int argc, char **argv)
{
    cli_program = "tilework fft";
    return cli_with_stack(argc, argv, program);
}
