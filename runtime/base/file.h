/* Writing files so that a full disk or a kill leaves no half file: a temporary name in the same directory, flushed,
 * renamed. */
#ifndef TW_RUNTIME_BASE_FILE_H
#define TW_RUNTIME_BASE_FILE_H
#include <stdio.h>

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

struct tw_outfile {
    FILE *stream;
    char *path, *temporary;
    int slot; /* where tw_outfiles_cancel finds it; 0: nowhere */
};
/* Path "-", or "-.npy" and so on, is standard output. 0 or TW_E_IO / TW_E_MEMORY with the message set. */
int tw_outfile_open(struct tw_outfile *f, const char *path);
/* Flush, fsync, rename. On any error the temporary file is removed and TW_E_IO returned; TW_E_CANCELLED after
 * tw_outfiles_cancel. */
int tw_outfile_commit(struct tw_outfile *f);
void tw_outfile_abandon(struct tw_outfile *f);
/* Several files, all or none: what this thread commits from the first call on keeps its temporary name until the second
 * one, which renames (keep) or removes them. 0 or TW_E_IO, TW_E_CANCELLED: that file and those behind it are gone. */
void tw_outfiles_hold(void);
int tw_outfiles_release(int keep);
/* Every file that is being written is given up (tw_cancel_all; async-signal-safe): its temporary name goes, so that it
 * cannot appear under its own. */
void tw_outfiles_cancel(void);
/* A lock among processes that ends with its holder: waits up to so many seconds. Returns what tw_unlock_file takes;
 * where no lock is to be had (a read-only folder, a file system without locks, too long a wait) it returns all the
 * same. */
int tw_lock_file(const char *path, double seconds);
void tw_unlock_file(int lock);
/* mkdir -p. Failures show when the folder is used. */
void tw_make_directories(const char *dir);
#pragma GCC visibility pop
#endif
