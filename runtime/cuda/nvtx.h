/* Ranges that Nsight Systems and other tools of NVIDIA's show, by NVTX: TILEWORK_NVTX=1. Where no tool listens a range
 * costs nothing that can be measured; each thread's ranges nest. A build without the CUDA toolkit, or whose toolkit
 * lacks NVTX' headers, has none. */
#ifndef TW_RUNTIME_CUDA_NVTX_H
#define TW_RUNTIME_CUDA_NVTX_H

int tw_nvtx_built(void);
/* Are they asked for? Before the library has started: by the variable. */
int tw_nvtx_on(void);
void tw_nvtx_use(int on);
/* number: shown beside the name, as a task's id; negative: none. color: 0xRRGGBB; 0: the tool's choice. */
void tw_nvtx_push(const char *name, unsigned color, long number);
void tw_nvtx_pop(void);
#endif
