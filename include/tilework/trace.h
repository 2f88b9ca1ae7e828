/* Tilework: recording what ran, and writing it for ViTE (Paje), Perfetto (JSON) and a browser (SVG). Needs no FxT. */
#ifndef TILEWORK_TRACE_H
#define TILEWORK_TRACE_H

#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start recording tasks (starts the library if need be). */
TW_API int tw_trace_start(void);
/* Stop recording; what was recorded is kept until the next start. */
TW_API int tw_trace_stop(void);
/* Write PREFIX.paje, PREFIX.json, PREFIX.svg and PREFIX.html from what was recorded. Errors: TW_E_IO, TW_E_STATE when there is nothing. */
TW_API int tw_trace_write(const char *prefix);
/* Tasks recorded so far. */
TW_API size_t tw_trace_count(void);

#ifdef __cplusplus
}
#endif
#endif
