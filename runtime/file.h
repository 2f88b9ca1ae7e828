/* Writing files so that a full disk or a kill leaves no half file: a temporary name in the same directory, flushed, renamed. */
#ifndef TW_RUNTIME_FILE_H
#define TW_RUNTIME_FILE_H
#include <stdio.h>

struct tw_outfile {
    FILE *stream;
    char *path, *temporary;
};
/* 0 or TW_E_IO / TW_E_MEMORY with the message set. */
int tw_outfile_open(struct tw_outfile *f, const char *path);
/* Flush, fsync, rename. On any error the temporary file is removed and TW_E_IO returned. */
int tw_outfile_commit(struct tw_outfile *f);
void tw_outfile_abandon(struct tw_outfile *f);
#endif
