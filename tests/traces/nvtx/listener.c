/* A tool as NVTX' headers look for one (NVTX_INJECTION64_PATH): keeps the ranges that it is told of, for
 * test_nvtx.c. */
#include "listener.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <nvtx3/nvToolsExt.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heard heard[HEARD_MOST];
static int count, domains;

static struct heard *next(void)
{
    struct heard *h = &heard[count < HEARD_MOST ? count++ : HEARD_MOST - 1];
    *h = (struct heard){.thread = (unsigned long)pthread_self(), .number = -1};
    return h;
}

static nvtxDomainHandle_t create(const char *name)
{
    pthread_mutex_lock(&lock);
    domains += !strcmp(name, "Tilework");
    pthread_mutex_unlock(&lock);
    return (nvtxDomainHandle_t)heard;
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    pthread_mutex_lock(&lock);
    struct heard *h = next();
    h->push = 1;
    h->ours = domain == (nvtxDomainHandle_t)heard;
    if (a->messageType == NVTX_MESSAGE_TYPE_ASCII) snprintf(h->name, sizeof h->name, "%s", a->message.ascii);
    if (a->colorType == NVTX_COLOR_ARGB) h->color = a->color;
    if (a->payloadType == NVTX_PAYLOAD_TYPE_INT64) h->number = a->payload.llValue;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int pop(nvtxDomainHandle_t domain)
{
    pthread_mutex_lock(&lock);
    next()->ours = domain == (nvtxDomainHandle_t)heard;
    pthread_mutex_unlock(&lock);
    return 0;
}

int listener_heard(const struct heard **list, int *created)
{
    pthread_mutex_lock(&lock);
    const int n = count;
    *list = heard;
    *created = domains;
    pthread_mutex_unlock(&lock);
    return n;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    const NvtxExportTableCallbacks *table = get(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable functions = NULL;
    unsigned size = 0;

    if (!table || !table->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size) ||
        size <= NVTX_CBID_CORE2_DomainCreateA)
        return 0;
    *functions[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create;
    *functions[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
    *functions[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
    return 1;
}
