/* NVTX is headers only: its functions look for a tool at their first call, and do nothing where there is none. */
#include "runtime/cuda/nvtx.h"

#include <stdatomic.h>

#include "runtime/base/variables.h"

static atomic_int asked = -1; /* -1: nobody has said */

int tw_nvtx_on(void)
{
    int on = atomic_load_explicit(&asked, memory_order_relaxed);

    if (on < 0) {
        on = tw_nvtx_built() && tw_variable_is_on(TW_TILEWORK_NVTX);
        atomic_store_explicit(&asked, on, memory_order_relaxed);
    }
    return on;
}

void tw_nvtx_use(int on)
{
    atomic_store_explicit(&asked, on && tw_nvtx_built(), memory_order_relaxed);
}

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <pthread.h>
#include <nvtx3/nvToolsExt.h>

static nvtxDomainHandle_t domain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_domain(void)
{
    domain = nvtxDomainCreateA("Tilework");
}

int tw_nvtx_built(void)
{
    return 1;
}

void tw_nvtx_push(const char *name, unsigned color, long number)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                               .messageType = NVTX_MESSAGE_TYPE_ASCII,
                               .message.ascii = name};

    pthread_once(&once, make_domain);
    if (color) a.colorType = NVTX_COLOR_ARGB, a.color = 0xFF000000u | color;
    if (number >= 0) a.payloadType = NVTX_PAYLOAD_TYPE_INT64, a.payload.llValue = number;
    (void)nvtxDomainRangePushEx(domain, &a);
}

void tw_nvtx_pop(void)
{
    (void)nvtxDomainRangePop(domain);
}

#else

int tw_nvtx_built(void)
{
    return 0;
}
void tw_nvtx_push(const char *name, unsigned color, long number)
{
    (void)name, (void)color, (void)number;
}
void tw_nvtx_pop(void)
{
}
#endif
