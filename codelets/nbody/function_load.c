/* Before a user's kernel can run on GPUs: its source is compiled for each kind of GPU in use, and loaded into each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/nbody/function.h"
#include "runtime/base/variables.h"

#include "kernels/nbody/cuda/pairs.h"

struct request {
    struct tw_nbody_function *f;
    int device, arch;
    const char *image; /* NULL: only the GPU's kind is asked for */
    char message[1024];
};

static int on_gpu(const struct tw_cuda *cuda, void *arg)
{
    struct request *r = arg;
    int e = tw_pairs_arch(&r->device, &r->arch);

    (void)cuda;
    if (!e && r->device >= TW_FUNCTION_GPUS)
        e = tw_fail(TW_E_UNSUPPORTED, "GPU %d is beyond the number that fits", r->device);
    if (!e && r->image) e = tw_pairs_load(r->image, &r->f->module[r->device]);
    if (e) snprintf(r->message, sizeof r->message, "%s", tw_last_message());
    return e;
}

static int load_into(struct tw_nbody_function *f, int gpu, char **image, int *image_arch)
{
    struct request r = {.f = f};
    int e = tw_cuda_on_gpu(gpu, on_gpu, &r);

    if (!e && (!*image || *image_arch != r.arch)) {
        free(*image);
        *image_arch = r.arch;
        if ((e = tw_pairs_compile(&f->shape, f->source, r.arch, image))) return e;
    }
    r.image = *image;
    if (!e) e = tw_cuda_on_gpu(gpu, on_gpu, &r);
    return e && *r.message ? tw_fail(e, "%s", r.message) : e;
}

/* Without GPUs the source is compiled for one that every toolkit of today knows, so that its errors show, and
 * forgotten; where there is no NVRTC and no variable insists, it is not. */
static int check(const struct tw_nbody_function *f)
{
    char *image;
    int e = tw_pairs_compile(&f->shape, f->source, 80, &image);

    free(image);
    if (e != TW_E_UNSUPPORTED || tw_variable_text(TW_TILEWORK_NVRTC)) return e;
    tw_clear_message();
    return 0;
}

static int unload(const struct tw_cuda *cuda, void *arg)
{
    struct request *r = arg;

    (void)cuda;
    if (!tw_pairs_arch(&r->device, &r->arch) && r->device < TW_FUNCTION_GPUS) tw_pairs_unload(&r->f->module[r->device]);
    return 0;
}

void tw_function_unload(struct tw_nbody_function *f)
{
    struct request r = {.f = f};
    (void)tw_cuda_on_each_gpu(unload, &r); /* it returns 0 */
}

static int load(struct tw_nbody_function *f)
{
    char *image = NULL;
    int arch = 0, e = 0;

    memset(f->module, 0, sizeof f->module); /* those of an earlier start of the library went with it */
    f->gpus = 0;
    if (tw_gpus() == 0) return check(f);
    for (int g = 0; g < tw_gpus() && !e; g++)
        e = load_into(f, g, &image, &arch);
    free(image);
    if (e)
        tw_function_unload(f);
    else
        f->gpus = tw_gpus();
    return e;
}

int tw_function_load(struct tw_sequence *seq, struct tw_nbody_function *f)
{
    int e = 0;

    starpu_pthread_mutex_lock(&f->lock);
    if (f->source && f->start != tw_starts()) e = load(f);
    if (!e) f->start = tw_starts();
    starpu_pthread_mutex_unlock(&f->lock);
    if (e) tw_loop_fail(seq, e, "%s", tw_last_message());
    return e;
}
