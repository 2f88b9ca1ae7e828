/* One routine, --repeat times: make the input, run through the door asked for, check, report; write the result at the
 * end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

double cli_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double total_flops(const struct cli_problem *p, const struct cli_routine *routine)
{
    const double flops = cli_flops(p, routine);
    return flops > 0 ? flops : 0;
}

/* The routine through the problem's door: info, or a library code. */
static tw_int through_door(struct cli_problem *p, const struct cli_routine *routine)
{
    tw_int info;
    int e;

    if (p->door == CLI_LAPACK) return routine->lapack(p);
    if ((e = cli_problem_wrap(p))) return e;
    info = routine->tiles(p);
    if (info < 0) return info;
    e = cli_problem_home(p);
    return e ? e : info;
}

/* The same with the clock, and with the bar and the signals' watcher beside it. */
static tw_int timed(struct cli_problem *p, const struct cli_routine *routine, double *seconds)
{
    char title[64];
    double begin;
    tw_int info;

    snprintf(title, sizeof title, "%c%s n=%lld", tw_type_letter(p->type), routine->name, (long long)p->n);
    cli_watch_start(title, total_flops(p, routine), p->o->progress && (routine->flops || routine->flops_of));
    begin = cli_seconds();
    info = through_door(p, routine);
    *seconds = cli_seconds() - begin;
    cli_watch_stop();
    return info;
}

/* Why nb is what it is. The LAPACK door keeps its tiles to itself: the library is asked the same question. */
static void explain_nb(struct cli_problem *p, struct cli_report *r)
{
    const tw_int nb = cli_problem_nb(p, &r->nb_source);

    if (p->A) {
        r->nb = tw_matrix_nb(p->A);
        r->mb = tw_matrix_mb(p->A) != r->nb ? tw_matrix_mb(p->A) : 0;
    } else if (r->counters.tasks == 0 && (r->info == 0 || (p->door == CLI_LAPACK && !p->routine->banded))) {
        r->nb = p->n;
        r->nb_source = "LAPACK called directly";
    } else {
        r->nb = nb;
    }
}

static int interrupted(void)
{
    return cli_interrupted() ? 128 + cli_interrupted() : 0;
}

/* For getrf's growth: the largest element of A, and then of U beside it. */
static int largest_of(struct cli_problem *p, int upper, double *value)
{
    double v[2];
    void *f, *copy;
    int e;

    if (p->m == p->n && p->A) {
        e = upper ? tw_lantr(TW_MAX_NORM, TW_UPPER, TW_NONUNIT, p->A, value) : tw_lange(TW_MAX_NORM, p->A, value);
        return e ? cli_library_error(upper ? "the growth" : "the largest element", e) : 0;
    }
    if (p->m == p->n) {
        *value = upper ? check_norm_tr(p->type, 'M', TW_UPPER, p->n, p->a, p->ld)
                       : check_norm_max(p->type, p->n, p->a, p->ld);
        return 0;
    }
    if ((e = cli_result_a(p, &f, &copy))) return e;
    *value = 0;
    for (tw_int j = 0; j < p->n; j++)
        for (tw_int i = 0; i < (upper && j + 1 < p->m ? j + 1 : p->m); i++) {
            check_get(p->type, f, (size_t)(i + j * p->ld), v);
            *value = check_worse(*value, hypot(v[0], v[1]));
        }
    free(copy);
    return 0;
}
static int largest(struct cli_problem *p)
{
    return largest_of(p, 0, &p->largest);
}
static int growth(struct cli_problem *p)
{
    double u = 0;
    const int e = largest_of(p, 1, &u);

    p->growth = p->largest > 0 ? u / p->largest : p->n > 0 ? 0 : 1;
    return e;
}

/* What comes before the clock: the input, and the factor for routines that start from it. */
static int prepare(struct cli_problem *p, struct cli_report *r)
{
    const struct cli_routine *factor;
    double begin = cli_seconds();
    tw_int info;
    int e;

    if ((e = cli_problem_fill(p))) return e;
    if (p->routine->before && (e = p->routine->before(p))) return e;
    if (p->routine->condition && (e = cli_exact_anorm(p))) return e;
    r->seconds_generate = cli_seconds() - begin;
    if (p->routine->growth && ((e = largest(p)) || (e = cli_problem_fill(p)))) return e; /* in main memory again */
    if (!(factor = p->routine->factor) || interrupted()) return interrupted();
    info = timed(p, factor, &r->seconds_factor);
    if (info < 0) return cli_library_error(factor->name, (int)info);
    if (info > 0 && p->routine->general)
        return cli_error(CLI_FAILED, "getrf: info = %lld: U has a zero there on its diagonal, so %s cannot solve",
                         (long long)info, p->routine->name);
    if (info > 0)
        return cli_error(CLI_FAILED,
                         "potrf: info = %lld: the leading minor of that order is not positive definite, so %s has no "
                         "factor to start from",
                         (long long)info, p->routine->name);
    return interrupted();
}

static int check(struct cli_problem *p, struct cli_report *r, struct cli_verdict *v)
{
    double begin = cli_seconds();
    int before, e;

    if (!p->o->check || (r->info != 0 && !p->routine->goes_on)) return 0;
    before = cli_blas_threads(cli_cores());
    e = p->routine->check(p, v);
    if (before > 0) cli_blas_threads(before);
    r->seconds_check = cli_seconds() - begin;
    r->verdict = v;
    return e;
}

/* --tol of truncated routines, which may take more than --rank values. */
static int reached(const struct cli_report *r)
{
    const struct cli_problem *p = r->p;
    return !p->routine->truncated || r->info != 0 || !(p->o->tol > 0) || p->error <= p->o->tol;
}

/* One run. *good: info is 0 and the check, if any, passed. */
static int one_run(struct cli_problem *p, int repeat, struct cli_times *times, int *good)
{
    struct cli_report r = {.p = p, .repeat = repeat};
    struct cli_verdict v = {0};
    int e;

    if ((e = prepare(p, &r))) return e;
    if (p->o->trace && (e = tw_trace_start_to(p->o->trace))) return cli_library_error("--trace", e);
    tw_counters_reset();
    r.info = timed(p, p->routine, &r.seconds);
    if (p->o->trace && (e = tw_trace_stop())) return cli_library_error("--trace", e);
    if (r.info < 0) return cli_library_error(p->routine->name, (int)r.info);
    if ((e = tw_counters_get(&r.counters))) return cli_library_error("counters", e);
    cli_gpus_take(&r.gpus);
    cli_told_take(&r.told);
    explain_nb(p, &r);
    if (p->routine->growth && (e = growth(p))) return e;
    if (interrupted()) return interrupted();
    if ((e = check(p, &r, &v))) return e;
    if (interrupted()) return interrupted();
    cli_report(&r);
    if (cli_flush()) return CLI_FAILED;
    cli_times_add(times, r.seconds);
    if (!reached(&r)) {
        *good = 0;
        return cli_error(0, "%s: tolerance not reached: error %.3e > %g with all %d values: a larger --rank, or --tol",
                         p->routine->name, p->error, p->o->tol, p->rank);
    }
    *good = r.info == 0 && (!p->o->check || v.passed);
    return 0;
}

/* LAPACK's own routine, which the LAPACK door calls for small matrices, has no tasks to trace. */
static int traceable(const struct cli_routine *routine, const struct cli_options *o)
{
    const char *crossover = cli_variable("TILEWORK_CROSSOVER"), *route = cli_variable("TILEWORK_ROUTE");
    const tw_int before = tw_routine_crossover(routine->name, TW_DOUBLE, NULL);

    if (!o->trace || o->door != CLI_LAPACK) return 0;
    if (routine->values && !routine->banded && (o->route ? o->route : route ? route : "")[0] == 'l')
        return cli_error(CLI_USAGE,
                         "--trace: with the route lapack LAPACK is called directly: there is nothing to trace");
    if (crossover) {
        if (o->n < 0 || o->n > atoll(crossover)) return 0;
        return cli_error(CLI_USAGE,
                         "--trace: with TILEWORK_CROSSOVER=%s LAPACK is called directly for n = %lld: there is "
                         "nothing to trace",
                         crossover, (long long)o->n);
    }
    if (setenv("TILEWORK_CROSSOVER", "0", 1)) return cli_error(CLI_FAILED, "--trace: no memory");
    if (o->n < 0 || o->n <= before)
        cli_error(0, "note: --trace: with TILEWORK_CROSSOVER=0, for small matrices go to LAPACK directly otherwise, "
                     "without tasks");
    return 0;
}

int cli_run(const struct cli_routine *routine, int argc, char **argv)
{
    struct cli_options o;
    struct cli_problem p;
    struct cli_times times = {0};
    int e = cli_parse(routine, argc, argv, &o), good = 1;

    if (e) return e == CLI_ASKED_HELP ? e : e - 1;
    if ((e = traceable(routine, &o))) return e;
    if ((e = cli_problem_create(&p, routine, &o))) return interrupted() ? interrupted() : e;
    for (int i = 0; i < o.repeat && !e && good; i++)
        e = one_run(&p, i, &times, &good);
    cli_times_report(&times, routine->name, o.json);
    if (!e && o.trace && (e = tw_trace_write(o.trace))) e = cli_library_error("--trace", e);
    if (!e && good && (o.output || o.values || o.other_side || o.pivots || o.tau || o.r) && !(e = interrupted()))
        e = cli_problem_save(&p);
    cli_problem_destroy(&p);
    const int stopped = tw_finalize();
    if (stopped < 0 && !e) e = cli_library_error("stopping", stopped);
    return e ? e : good ? CLI_OK : CLI_FAILED;
}
