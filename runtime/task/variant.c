/* Variants: what StarPU knows of a codelet for operands of some types, made at its first submission. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/state.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/task_private.h"
#include "runtime/task/task_state.h"

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_variant *variants;

/* Per architecture, not per worker: some policies (dmdasd, pheft, heteroprio) ask for the former only. Each GPU is one,
 * unless STARPU_PERF_MODEL_HOMOGENEOUS_CUDA says otherwise. */
static double cost_us(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    const struct tw_task_state *s = tw_handed_over(task->cl_arg);
    const struct starpu_perfmodel_device *d = &arch->devices[0];
    (void)nimpl;
    return 1e6 * tw_model_seconds(s->variant->cost,
                                  d->type == STARPU_CUDA_WORKER ? TW_COST_GPU + d->devid : TW_COST_CPU, &s->work);
}

static struct tw_variant *make_variant(struct tw_codelet *c, enum tw_type type, int second)
{
    struct tw_variant *v = calloc(1, sizeof *v);
    char letters[3] = {tw_letter(type), 0, 0};

    if (!v) return NULL;
    v->codelet = c;
    v->type = type;
    v->second = second;
    if (second) letters[1] = tw_letter((enum tw_type)(second - 1));
    snprintf(v->symbol, sizeof v->symbol, "tw_%s%s", letters, c->name);
    if (!(v->cost = tw_model_of(v->symbol, c->rate, type, c->share))) {
        free(v);
        return NULL;
    }
    v->model.type = STARPU_PER_ARCH;
    v->model.arch_cost_function = cost_us;
    v->model.symbol = v->symbol;
    starpu_codelet_init(&v->starpu);
    v->starpu.name = c->name;
    v->starpu.color = c->color;
    v->starpu.model = &v->model;
    v->starpu.nbuffers = STARPU_VARIABLE_NBUFFERS;
    if (c->cpu) {
        v->starpu.cpu_funcs[0] = tw_run_on_cpu;
        v->starpu.where |= STARPU_CPU;
    }
    if (c->cuda) {
        v->starpu.cuda_funcs[0] = tw_run_on_gpu;
        v->starpu.cuda_flags[0] = STARPU_CUDA_ASYNC;
        /* Reproducible: one kind of worker per kernel, since the two kinds round differently. */
        if ((tw_rt.config.force_cuda || tw_rt.config.reproducible) && tw_rt.ncuda > 0)
            v->starpu.where = STARPU_CUDA;
        else
            v->starpu.where |= STARPU_CUDA;
    }
    return v;
}

static struct tw_variant *find(struct tw_variant *v, enum tw_type type, int second)
{
    while (v && (v->type != type || v->second != second))
        v = v->sibling;
    return v;
}

struct tw_variant *tw_variant_of(struct tw_codelet *c, enum tw_type type, int second)
{
    struct tw_variant *v = find(__atomic_load_n(&c->variant, __ATOMIC_ACQUIRE), type, second);
    if (v) return v;
    starpu_pthread_mutex_lock(&lock);
    v = find(c->variant, type, second);
    if (!v && (v = make_variant(c, type, second))) {
        v->next = variants;
        variants = v;
        v->sibling = c->variant;
        __atomic_store_n(&c->variant, v, __ATOMIC_RELEASE);
    }
    starpu_pthread_mutex_unlock(&lock);
    return v;
}

/* After StarPU has stopped (a StarPU that is not ours keeps using its models). */
void tw_variants_clear(void)
{
    if (!tw_rt.owns_starpu) return;
    while (variants) {
        struct tw_variant *v = variants;
        variants = v->next;
        v->codelet->variant = NULL;
        free(v);
    }
    tw_models_clear();
}
