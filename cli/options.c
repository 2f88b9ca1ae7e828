/* The flags that all routines share, but those of cli/machine.c: strict values, messages that name the flag, exit
 * status 2. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/count.h"

static int number(const char *flag, const char *text, long long low, long long high, tw_int *value)
{
    long long v;
    if (cli_whole_number(flag, text, low, high, &v)) return -1;
    *value = v;
    return 0;
}

static int small_number(const char *flag, const char *text, long long low, long long high, int *value)
{
    long long v;
    if (cli_whole_number(flag, text, low, high, &v)) return -1;
    *value = (int)v;
    return 0;
}

static int seed(const char *text, uint64_t *value)
{
    long long v;
    if (cli_whole_number("--seed", text, 0, INT64_MAX, &v)) return -1;
    *value = (uint64_t)v;
    return 0;
}

/* One letter of `letters`, in either case; its index, or -1. */
static int letter(const char *flag, const char *text, const char *letters, const char *expected)
{
    const char *at = text[0] && !text[1] ? strchr(letters, text[0] | 0x20) : NULL;
    if (!at) return cli_error(-1, "%s %s: expected %s", flag, text, expected);
    return (int)(at - letters);
}

static int condition(const char *text, char *kind, size_t length)
{
    char *end;
    double c;

    errno = 0;
    c = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(c) || c < 1)
        return cli_error(-1, "--cond %s: expected a condition number of at least 1, such as 1e12", text);
    snprintf(kind, length, "spectrum:%.17g", c);
    return 0;
}

enum {
    N = 256,
    M,
    NRHS,
    TYPE,
    UPLO,
    NB,
    KIND,
    COND,
    SEED,
    INPUT,
    RHS,
    OUTPUT,
    REPEAT,
    CHECK,
    TRACE,
    JSON,
    LAPACK_DOOR,
    IN_PLACE,
    PROGRESS,
    NO_PROGRESS,
    PRIORITY,
    WINDOW,
    JOBZ,
    BAND,
    ROUTE,
    KD,
    RANGE,
    VALUES,
    VT,
    VL,
    PIVOTS,
    TAU,
    R,
    H,
    T,
    FUNCTION,
    ITYPE,
    RCOND,
    TOL,
    RANK,
    KMAX,
    TRANS,
    ABSTOL,
    RELTOL,
    OVERSAMPLING,
    POWER,
    JOBVL,
    JOBVR,
    JOBVS,
    SELECT
};

static const struct option flags[] = {{"n", 1, NULL, N},
                                      {"m", 1, NULL, M},
                                      {"nrhs", 1, NULL, NRHS},
                                      {"type", 1, NULL, TYPE},
                                      {"uplo", 1, NULL, UPLO},
                                      {"nb", 1, NULL, NB},
                                      {"kind", 1, NULL, KIND},
                                      {"cond", 1, NULL, COND},
                                      {"seed", 1, NULL, SEED},
                                      {"input", 1, NULL, INPUT},
                                      {"rhs", 1, NULL, RHS},
                                      {"output", 1, NULL, OUTPUT},
                                      {"repeat", 1, NULL, REPEAT},
                                      {"check", 0, NULL, CHECK},
                                      {"trace", 1, NULL, TRACE},
                                      {"json", 0, NULL, JSON},
                                      {"lapack-door", 0, NULL, LAPACK_DOOR},
                                      {"in-place", 0, NULL, IN_PLACE},
                                      {"progress", 0, NULL, PROGRESS},
                                      {"no-progress", 0, NULL, NO_PROGRESS},
                                      {"priority", 1, NULL, PRIORITY},
                                      {"window", 1, NULL, WINDOW},
                                      {"jobz", 1, NULL, JOBZ},
                                      {"band", 1, NULL, BAND},
                                      {"route", 1, NULL, ROUTE},
                                      {"kd", 1, NULL, KD},
                                      {"range", 1, NULL, RANGE},
                                      {"values", 1, NULL, VALUES},
                                      {"vt", 1, NULL, VT},
                                      {"vl", 1, NULL, VL},
                                      {"pivots", 1, NULL, PIVOTS},
                                      {"tau", 1, NULL, TAU},
                                      {"r", 1, NULL, R},
                                      {"h", 1, NULL, H},
                                      {"schur", 1, NULL, T},
                                      {"f", 1, NULL, FUNCTION},
                                      {"itype", 1, NULL, ITYPE},
                                      {"rcond", 1, NULL, RCOND},
                                      {"tol", 1, NULL, TOL},
                                      {"rank", 1, NULL, RANK},
                                      {"kmax", 1, NULL, KMAX},
                                      {"trans", 1, NULL, TRANS},
                                      {"abstol", 1, NULL, ABSTOL},
                                      {"reltol", 1, NULL, RELTOL},
                                      {"oversampling", 1, NULL, OVERSAMPLING},
                                      {"power", 1, NULL, POWER},
                                      {"jobvl", 1, NULL, JOBVL},
                                      {"jobvr", 1, NULL, JOBVR},
                                      {"jobvs", 1, NULL, JOBVS},
                                      {"select", 1, NULL, SELECT},
                                      {"help", 0, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* What is remembered while parsing, for the rules between flags. */
struct seen {
    int kind, cond, seed, doors, progress, eigen, band, jobz, function, itype, range, truncation, sides, schur, stops,
        vt, vl, trans;
    tw_int m;
    const struct cli_routine *routine;
};

/* The letters of its --jobz. */
static const char *jobs(const struct cli_routine *routine)
{
    return routine->singular && !routine->ranges ? "N, S, A or O" : "N or V";
}

static int priority(const char *value, struct cli_options *o)
{
    if (strcmp(value, "none") && strcmp(value, "panel") && strcmp(value, "bottom-level"))
        return cli_error(-1, "--priority %s: expected none, panel or bottom-level", value);
    o->priority = value;
    return 0;
}

static int kind(const char *value, struct cli_options *o)
{
    if ((size_t)snprintf(o->kind, sizeof o->kind, "%s", value) >= sizeof o->kind || !*value)
        return cli_error(-1, "--kind %s: expected 1 to %zu characters (see: tilework help kinds)", value,
                         sizeof o->kind - 1);
    return 0;
}

static int text(const char *flag, const char *value, const char **to)
{
    if (!*value) return cli_error(-1, "%s: the name is empty", flag);
    *to = value;
    return 0;
}

/* LAPACK's and NumPy's -1, their own choice, is what no --rcond means here. */
static int rcond(const char *value, struct cli_options *o)
{
    char *end;

    if (strtod(value, &end) < 0 && end != value && !*end)
        return cli_error(-1, "--rcond %s: expected a number from 0 to 1; leave it out for the default", value);
    return cli_real("--rcond", value, 0, 1, &o->rcond);
}

/* The functions of a matrix, by the numbers of enum tw_function. */
static int function(const char *value, struct cli_options *o)
{
    static const char *const names[] = {"sqrt", "inverse", "inverse-sqrt", "exp", "log", "abs"};

    for (int k = 0; k < (int)(sizeof names / sizeof *names); k++)
        if (!strcmp(value, names[k])) {
            o->function = (enum tw_function)k;
            o->function_name = names[k];
            return 0;
        }
    return cli_error(-1, "--f %s: expected sqrt, inverse, inverse-sqrt, exp, log or abs", value);
}

/* :il:iu, whole numbers as everywhere. 1:0 is LAPACK's range of a matrix of order 0. */
static int numbers(const char *text, struct cli_options *o)
{
    char first[32];
    long long il, iu;
    const char *colon = *text == ':' ? strchr(text + 1, ':') : NULL;
    const size_t length = colon ? (size_t)(colon - text - 1) : sizeof first;

    if (length >= sizeof first) return 0;
    memcpy(first, text + 1, length);
    first[length] = 0;
    if (!cli_count(first, &il) || !cli_count(colon + 1, &iu) || il < 1 || (iu < il && !(il == 1 && iu == 0))) return 0;
    o->il = il, o->iu = iu;
    return 1;
}

/* A, I:il:iu or V:vl:vu. */
static int range(const char *value, struct cli_options *o)
{
    static const char expected[] = "expected A, I:FIRST:LAST with 1 <= FIRST <= LAST, or V:LOW:HIGH with LOW < HIGH";
    int end = 0;

    if (!strcmp(value, "A") || !strcmp(value, "a")) {
        o->which = TW_ALL;
        return 0;
    }
    o->which = *value == 'I' || *value == 'i' ? TW_INDICES : TW_INTERVAL;
    if (o->which == TW_INDICES) {
        if (!numbers(value + 1, o)) return cli_error(-1, "--range %s: %s", value, expected);
    } else if ((*value != 'V' && *value != 'v') || sscanf(value + 1, ":%lf:%lf%n", &o->vl, &o->vu, &end) < 2 ||
               value[1 + end] || !(o->vl < o->vu)) {
        return cli_error(-1, "--range %s: %s", value, expected);
    }
    return 0;
}

static int one_flag(int c, const char *value, struct cli_options *o, struct seen *seen)
{
    int i;

    switch (c) {
    case N: return number("--n", value, 0, INT64_MAX, &o->n);
    case M: return number("--m", value, 0, INT64_MAX, &seen->m);
    case NRHS: return number("--nrhs", value, 0, INT32_MAX, &o->nrhs);
    case TYPE:
        if ((i = letter("--type", value, "sdcz", "s, d, c or z")) >= 0) o->type = (enum tw_type)i;
        return i < 0 ? -1 : 0;
    case UPLO:
        if (seen->routine->general) /* before its value: --u is short for it, too */
            return cli_error(-1, "--uplo: %s takes all of the matrix, not a triangle%s", seen->routine->name,
                             seen->routine->singular ? "; --output writes U" : "");
        o->uplo_given = 1;
        if ((i = letter("--uplo", value, "lu", "L or U")) >= 0) o->uplo = i ? TW_UPPER : TW_LOWER;
        return i < 0 ? -1 : 0;
    case NB: return strcmp(value, "auto") ? number("--nb", value, 1, 1 << 20, &o->nb) : (o->nb = 0, 0);
    case KIND: seen->kind = 1; return kind(value, o);
    case COND: seen->cond = 1; return condition(value, o->kind, sizeof o->kind);
    case SEED: seen->seed = 1; return seed(value, &o->seed);
    case INPUT: return text("--input", value, &o->input);
    case RHS: return text("--rhs", value, &o->rhs);
    case OUTPUT: return text("--output", value, &o->output);
    case REPEAT: return small_number("--repeat", value, 1, 1000000, &o->repeat);
    case CHECK: o->check = 1; return 0;
    case TRACE: return text("--trace", value, &o->trace);
    case JSON: o->json = 1; return 0;
    case LAPACK_DOOR:
        seen->doors++;
        o->door = CLI_LAPACK;
        return 0;
    case IN_PLACE:
        seen->doors++;
        o->door = CLI_IN_PLACE;
        return 0;
    case PROGRESS:
        seen->progress = 1;
        o->progress = 1;
        return 0;
    case NO_PROGRESS:
        seen->progress = 1;
        o->progress = 0;
        return 0;
    case JOBZ:
        seen->eigen = seen->jobz = 1;
        if ((i = letter("--jobz", value, "nvaso", jobs(seen->routine))) < 0) return -1;
        o->jobz = "NVASO"[i], o -> values_only = i == 0;
        return 0;
    case BAND: seen->eigen = seen->band = 1; return number("--band", value, 1, 1024, &o->band);
    case ROUTE:
        seen->eigen = 1;
        if (!strcmp(value, "auto") || !strcmp(value, "lapack") || !strcmp(value, "one") || !strcmp(value, "two"))
            return o->route = value, 0;
        return cli_error(-1, "--route %s: expected auto, lapack, one or two", value);
    case RANGE: seen->eigen = seen->range = 1; return range(value, o);
    case KD: seen->eigen = 1; return number("--kd", value, 0, INT32_MAX / 4, &o->kd);
    case VALUES: seen->eigen |= !seen->routine->nonsymmetric; return text("--values", value, &o->values);
    case VT: seen->vt = 1; return text("--vt", value, &o->other_side);
    case VL: seen->vl = 1; return text("--vl", value, &o->other_side);
    case PIVOTS: return text("--pivots", value, &o->pivots);
    case TAU: return text("--tau", value, &o->tau);
    case R: return text("--r", value, &o->r);
    case H: return text("--h", value, &o->h);
    case T: return text("--schur", value, &o->t);
    case FUNCTION: seen->function = 1; return function(value, o);
    case ITYPE: seen->itype = 1; return small_number("--itype", value, 1, 3, &o->itype);
    case RCOND: return rcond(value, o);
    case TOL: seen->truncation = 1; return cli_real("--tol", value, 0, 1e300, &o->tol);
    case RANK: seen->truncation = 1; return number("--rank", value, 1, INT32_MAX, &o->rank);
    case TRANS:
        seen->trans = 1;
        if ((i = letter("--trans", value, "ntc", "N, T or C")) >= 0) o->trans = (enum tw_trans) "NTC"[i];
        return i < 0 ? -1 : 0;
    case KMAX: seen->stops = 1; return number("--kmax", value, 0, INT32_MAX, &o->kmax);
    case ABSTOL: seen->stops = 1; return cli_real("--abstol", value, 0, 1e300, &o->abstol);
    case RELTOL: seen->stops = 1; return cli_real("--reltol", value, 0, 1, &o->reltol);
    case OVERSAMPLING: seen->truncation = 1; return small_number("--oversampling", value, 0, 1000000, &o->oversampling);
    case POWER: seen->truncation = 1; return small_number("--power", value, 0, 100, &o->power);
    case JOBVL:
    case JOBVR:
        seen->sides = 1;
        if ((i = letter(c == JOBVL ? "--jobvl" : "--jobvr", value, "nv", "N or V")) >= 0)
            *(c == JOBVL ? &o->jobvl : &o->jobvr) = "NV"[i];
        return i < 0 ? -1 : 0;
    case JOBVS:
        seen->schur = 1;
        if ((i = letter("--jobvs", value, "nv", "N or V")) >= 0) o->jobvr = "NV"[i];
        return i < 0 ? -1 : 0;
    case SELECT:
        seen->schur = 1, o->select = value;
        return !strcmp(value, "none") || !strcmp(value, "left") || !strcmp(value, "disk")
                   ? 0
                   : cli_error(-1, "--select %s: expected none, left or disk", value);
    case PRIORITY: return priority(value, o);
    default: return number("--window", value, 1, INT32_MAX, &o->window);
    }
}

/* A flag of eigenvalue and singular value routines was given to one that is none. */
static int no_such_values(const struct cli_routine *routine, const struct cli_options *o, const struct seen *seen)
{
    const char *flag = seen->range  ? "--range"
                       : seen->jobz ? "--jobz"
                       : seen->band ? "--band"
                       : o->route   ? "--route"
                       : o->values  ? "--values"
                                    : "--kd";

    if (routine->rectangular &&
        (routine->told || routine->second == 'P' || routine->second == 'H' || !strcmp(routine->name, "gelsd")))
        return cli_error(-1, "%s: %s gives no singular values of its own: use gesdd", flag, routine->name);
    if (!routine->nonsymmetric) return cli_error(-1, "%s: %s computes no eigenvalues", flag, routine->name);
    return cli_error(-1, "%s: %s has no such flag; all eigenvalues are computed, and %s", flag, routine->name,
                     routine->schur ? "--select says which come first, --jobvs whether there are Schur vectors"
                                    : "--jobvl and --jobvr say which eigenvectors");
}

/* --range was given to one that has none. */
static int all_values(const struct cli_routine *routine)
{
    static const char *const some[][2] = {{"syevd", "syevr"}, {"syev", "syevx"},   {"sygvd", "sygvx"},
                                          {"sbevd", "sbevx"}, {"stedc", "stevr"},  {"stevd", "stevr"},
                                          {"sterf", "stebz"}, {"gesdd", "gesvdx"}, {"gesvd", "gesvdx"}};

    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        if (!strcmp(routine->name, some[k][0]))
            return cli_error(-1, "--range: %s computes all %svalues: use %s", routine->name,
                             routine->singular ? "singular " : "eigen", some[k][1]);
    return cli_error(-1, "--range: %s computes %s", routine->name,
                     routine->truncated ? "the largest singular values, --rank of them" : "all eigenvalues");
}

/* What flags forbid each other. */
static int rules(const struct cli_routine *routine, const struct cli_options *o, const struct seen *seen)
{
    if (seen->m >= 0 && o->n >= 0 && seen->m != o->n && !routine->rectangular)
        return cli_error(-1, "--m %" PRId64 ": the matrix of %s is square, and --n is %" PRId64, seen->m, routine->name,
                         o->n);
    if (seen->kind && seen->cond)
        return cli_error(-1, "--cond: cannot be combined with --kind (it is --kind spectrum:C)");
    if (o->input && (seen->kind || seen->cond))
        return cli_error(-1, "--input: cannot be combined with %s", seen->kind ? "--kind" : "--cond");
    if (routine->mixed && (o->type == TW_FLOAT || o->type == TW_COMPLEX_FLOAT))
        return cli_error(-1, "--type: %s takes matrices of double precision, d or z", routine->name);
    if (seen->eigen && !routine->values) return no_such_values(routine, o, seen);
    if (seen->jobz && o->jobz != 'N' && (o->jobz == 'V') == (routine->singular && !routine->ranges))
        return cli_error(-1, "--jobz %c: expected %s", o->jobz, jobs(routine));
    if (seen->range && routine->singular && o->which == TW_INTERVAL && o->vl < 0)
        return cli_error(-1, "--range V:%g:%g: singular values are never below 0", o->vl, o->vu);
    if (seen->range && !routine->ranges) return all_values(routine);
    if (o->kd >= 0 && routine->banded != 2)
        return cli_error(-1, "--kd: %s does not take a band matrix of so many sub-diagonals: use %s", routine->name,
                         routine->ranges ? "sbevx" : "sbevd");
    if (seen->band && routine->banded) return cli_error(-1, "--band: %s has no stage 1", routine->name);
    if (o->route && routine->banded) return cli_error(-1, "--route: %s has no dense matrix to reduce", routine->name);
    if (o->route && !strcmp(o->route, "one") && routine->singular)
        return cli_error(-1, "--route one: %s has no such: auto, lapack or two", routine->name);
    if (o->route && seen->band && (!strcmp(o->route, "lapack") || !strcmp(o->route, "one")))
        return cli_error(-1, "--band: --route %s has no band", o->route);
    if (seen->jobz && routine->only_values)
        return cli_error(-1, "--jobz: %s computes eigenvalues alone", routine->name);
    if (routine->real && o->type != TW_FLOAT && o->type != TW_DOUBLE)
        return cli_error(-1, "--type: %s is for real matrices, %s", routine->name,
                         routine->mixed ? "type d" : "types s and d");
    if (o->rcond >= 0 && !routine->ranked) return cli_error(-1, "--rcond: %s finds no rank by it", routine->name);
    if (seen->truncation && !routine->truncated)
        return cli_error(-1, "--rank, --tol, --oversampling, --power: %s truncates nothing", routine->name);
    if (seen->stops && !routine->stops)
        return cli_error(-1, "--kmax, --abstol, --reltol: %s does not stop at a rank", routine->name);
    if (seen->trans && !routine->transposes) return cli_error(-1, "--trans: %s takes A as it is", routine->name);
    if (o->trans == TW_TRANS && routine->transposes == 2 && check_is_complex(o->type))
        return cli_error(-1, "--trans T: %s of complex matrices takes N or C, as LAPACK's", routine->name);
    if (seen->jobz && routine->truncated) return cli_error(-1, "--jobz: %s computes vectors always", routine->name);
    if (seen->function && !routine->functions)
        return cli_error(-1, "--f: %s computes no function of a matrix", routine->name);
    if (seen->schur && !routine->schur) return cli_error(-1, "--jobvs, --select: %s has no Schur form", routine->name);
    if (seen->sides && (!routine->nonsymmetric || routine->schur))
        return cli_error(-1, "--jobvl, --jobvr: %s has no left and right eigenvectors", routine->name);
    if (seen->vt && !routine->singular) return cli_error(-1, "--vt: %s has no singular vectors", routine->name);
    if (seen->vt && o->values_only) return cli_error(-1, "--vt: with --jobz N there are no singular vectors");
    if (seen->vl && (!routine->nonsymmetric || routine->schur))
        return cli_error(-1, "--vl: %s has no left eigenvectors", routine->name);
    if (seen->vl && o->jobvl == 'N') return cli_error(-1, "--vl: left eigenvectors want --jobvl V");
    if (o->pivots && !CLI_HAS_PIVOTS(routine))
        return cli_error(-1, "--pivots: %s writes none; getrf does, and QR with column pivoting", routine->name);
    if (o->tau && !CLI_HAS_TAU(routine))
        return cli_error(-1, "--tau: %s writes none; geqrf and its like do", routine->name);
    if (o->r && !CLI_HAS_R(routine))
        return cli_error(-1, "--r: %s has no R beside its result, as cholqr has", routine->name);
    if (o->t && !routine->schur) return cli_error(-1, "--schur: %s has no Schur form, as gees has", routine->name);
    if (seen->jobz && routine->functions)
        return cli_error(-1, "--jobz: %s computes a matrix, and the eigenvalues on the way", routine->name);
    if (o->door == CLI_LAPACK && !routine->lapack)
        return cli_error(-1, "--lapack-door: LAPACK has no %s", routine->name);
    if (o->rhs && !routine->has_rhs) return cli_error(-1, "--rhs: %s has no right-hand side", routine->name);
    if (seen->itype && !routine->pencil) return cli_error(-1, "--itype: %s has no matrix B beside A", routine->name);
    if (o->nrhs >= 0 && (!routine->has_rhs || routine->pencil))
        return cli_error(-1, "--nrhs: %s has no right-hand side", routine->name);
    if (seen->doors > 1) return cli_error(-1, "--lapack-door and --in-place exclude each other");
    if (o->output && routine->factor && !routine->solves && routine->flops == NULL)
        return cli_error(-1, "--output: %s computes a number, not a matrix", routine->name);
    return 0;
}

/* What can be said about files before any work: 0 or an exit status after a message. */
static int files(const struct cli_routine *routine, struct cli_options *o)
{
    const char *other = routine->nonsymmetric ? "--vl" : "--vt";
    static const char *const suffixes[] = {".mtx", ".npy", ".raw", ".bin", NULL};
    int e = cli_input_file("--input", &o->input);
    const struct {
        const char *flag, *path;
    } out[] = {{"--output", o->output}, {"--values", o->values}, {other, o->other_side}, {"--pivots", o->pivots},
               {"--tau", o->tau},       {"--r", o->r},           {"--h", o->h},          {"--schur", o->t}};

    if (!e) e = cli_input_file("--rhs", &o->rhs);
    for (size_t k = 0; k < sizeof out / sizeof *out && !e; k++) {
        if (out[k].path) e = cli_output_file(out[k].flag, out[k].path, suffixes, 1);
        for (size_t i = 0; i < k && !e && out[k].path; i++)
            if (out[i].path) e = cli_two_files(out[k].flag, out[k].path, out[i].flag, out[i].path);
    }
    if (!e && o->trace) e = cli_can_write_prefix("--trace", o->trace);
    if (!e && o->trace) o->trace = cli_trace_of_policy(o->trace);
    return e;
}

/* Flag, then variable, then: on at a terminal, but not in the middle of JSON. */
static int progress_default(struct cli_options *o)
{
    const char *value = cli_variable("TILEWORK_PROGRESS");

    if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return cli_error(CLI_USAGE, "TILEWORK_PROGRESS=%.40s: expected 0 or 1", value);
    o->progress = value ? *value == '1' : isatty(STDERR_FILENO) && !o->json;
    return 0;
}

int cli_parse(const struct cli_routine *routine, int argc, char **argv, struct cli_options *o)
{
    struct seen seen = {.m = -1, .routine = routine};
    int c;

    memset(o, 0, sizeof *o);
    *o = (struct cli_options){.m = -1,
                              .n = -1,
                              .nrhs = -1,
                              .kd = -1,
                              .rcond = -1,
                              .tol = -1,
                              .rank = -1,
                              .kmax = -1,
                              .abstol = -1,
                              .reltol = -1,
                              .oversampling = 10,
                              .power = 1,
                              .which = TW_ALL,
                              .values_only = routine->only_values,
                              .type = TW_DOUBLE,
                              .trans = TW_NOTRANS,
                              .uplo = TW_LOWER,
                              .seed = 1,
                              .repeat = 1,
                              .jobvl = 'N',
                              .jobvr = 'V',
                              .select = "none",
                              .function_name = "sqrt",
                              .itype = 1};
    snprintf(o->kind, sizeof o->kind, "%s", routine->kind ? routine->kind : routine->general ? "random" : "spd");
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":h", flags, NULL)) != -1) {
        /* --h: short for --help, but for the routine that has an H */
        if (c == 'h' || (c == H && !CLI_HAS_H(routine)) || (c == ':' && optopt == H && !CLI_HAS_H(routine)))
            return CLI_ASKED_HELP;
        if (c == ':') return cli_error(CLI_USAGE + 1, "%s: needs a value", argv[optind - 1]);
        if (c == '?') {
            char page[64];
            snprintf(page, sizeof page, "tilework help %s", routine->name);
            return cli_unknown_flag(cli_refused(argv), flags, page) + 1;
        }
        if (one_flag(c, optarg, o, &seen)) return CLI_USAGE + 1;
    }
    if (optind < argc)
        return cli_error(CLI_USAGE + 1, "%s: not a flag; see: tilework help %s", argv[optind], routine->name);
    if (rules(routine, o, &seen)) return CLI_USAGE + 1;
    if ((c = files(routine, o))) return c + 1;
    if (seen.m >= 0 && o->n < 0 && !(routine->rectangular && o->input)) o->n = seen.m;
    o->m = seen.m;
    if (o->n < 0 && !o->input) o->n = 4096;
    /* positive definite matrices' eigenvalues are near n, where exp overflows from 710 on; a symmetric one's near the
     * root of n */
    if (routine->functions && o->function == TW_EXP && !seen.kind && !seen.cond) strcpy(o->kind, "symmetric");
    return !seen.progress && progress_default(o) ? CLI_USAGE + 1 : 0;
}

int cli_start(const struct cli_options *o)
{
    tw_options options;
    char band[32];
    int e;

    snprintf(band, sizeof band, "%lld", (long long)o->band);
    if (o->band && setenv("TILEWORK_BAND", band, 1)) return cli_error(CLI_FAILED, "--band: no memory");
    if ((o->route || o->band) && setenv("TILEWORK_ROUTE", o->route ? o->route : "two", 1)) /* --band is of two stages */
        return cli_error(CLI_FAILED, "--route: no memory");
    tw_options_init(&options);
    options.nb = o->nb;
    options.window = o->window;
    options.priority = o->priority;
    options.progress = 0; /* the command draws its own bar, which knows the run's flops */
    if ((e = tw_init(&options))) return cli_library_error("starting", e);
    cli_warn_of_workers();
    return 0;
}
