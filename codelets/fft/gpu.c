/* What the FFT's CUDA kernels keep (plans, tables, streams), one for the process; and the answers to what they ask. */
#include <stdio.h>
#include "codelets/fft/gpu.h"
#include "codelets/fft/small_answers.h"
#include "runtime/base/threads.h"
#include "runtime/task/submit.h"

static struct tw_fft_cache cache = {.lock = STARPU_PTHREAD_MUTEX_INITIALIZER};
static struct tw_small_answers answers[TW_FFT_DEVICES];
static int asked_before[TW_FFT_DEVICES]; /* the file was read */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

struct tw_fft_gpu tw_fft_gpu_of(const struct tw_cuda *cuda)
{
    return (struct tw_fft_gpu){.stream = cuda->stream, .cache = &cache, .answers = answers};
}

/* ---- the answers: of each device, and in the file that its model has. Kernels read them at any time. ------------- */

static unsigned char *place_of(const struct tw_small_question *w)
{
    return &answers[w->device].of[w->single][w->kind][w->m];
}

/* From the file, if it was not read yet. 1 if there is one now. */
static int known(const struct tw_small_question *w)
{
    struct tw_small_answers read = {0};
    char model[256];
    int cufft;

    starpu_pthread_mutex_lock(&lock);
    if (!asked_before[w->device] && !tw_fft_cuda_small_model(w->device, model, sizeof model, &cufft)) {
        tw_small_answers_read(model, cufft, &read);
        for (int s = 0; s < 2; s++)
            for (int kind = 0; kind < TW_SMALL_KINDS; kind++)
                for (int m = 0; m <= TW_SMALL_SIZES; m++) {
                    unsigned char *at = &answers[w->device].of[s][kind][m];
                    if (*at == TW_SMALL_UNKNOWN) __atomic_store_n(at, read.of[s][kind][m], __ATOMIC_RELAXED);
                }
    }
    asked_before[w->device] = 1;
    starpu_pthread_mutex_unlock(&lock);
    return __atomic_load_n(place_of(w), __ATOMIC_RELAXED) != TW_SMALL_UNKNOWN;
}

static void remember(const struct tw_small_question *w, enum tw_small_answer a, int for_others)
{
    char model[256];
    int cufft;

    starpu_pthread_mutex_lock(&lock);
    __atomic_store_n(place_of(w), (unsigned char)a, __ATOMIC_RELAXED);
    if (for_others && !tw_fft_cuda_small_model(w->device, model, sizeof model, &cufft))
        tw_small_answers_write(model, cufft, &answers[w->device]);
    starpu_pthread_mutex_unlock(&lock);
}

static void answer(const struct tw_fft_gpu *q, const struct tw_small_question *w)
{
    enum tw_small_answer a = TW_SMALL_UNKNOWN;

    if (!tw_reproducible()) {
        if (known(w)) return;
        a = tw_fft_cuda_small_measure(q, &w->lines);
    }
    if (a != TW_SMALL_UNKNOWN)
        remember(w, a, 1);
    else
        remember(w, w->lines.kind == TW_FFT_R2R ? TW_SMALL_OURS : TW_SMALL_THEIRS, 0);
}

int tw_fft_gpu_plan(const struct tw_cuda *cuda, tw_fft_plan_fn plan, void *arg, char why[512])
{
    struct tw_fft_gpu q = tw_fft_gpu_of(cuda);
    struct tw_small_question question;
    int e;

    q.question = &question;
    while ((e = plan(&q, arg)) == TW_FFT_ASKS)
        answer(&q, &question);
    if (!e) return 0;
    snprintf(why, 512, "%s", tw_last_message());
    return TW_E_DEVICE;
}
