/* Programs that run with libtilework_lapack.so loaded before their BLAS: what `tilework run` and `tilework doctor`
 * share. */
#ifndef CLI_PRELOAD_H
#define CLI_PRELOAD_H

/* The library's path, beside libtilework.so; 0 if it is not there. */
int cli_preload_library(char path[4096]);
/* The same file by a name that LD_PRELOAD can hold: the loader takes it apart at blanks and colons and replaces what
 * follows a '$'. Where the path has such a letter, the name goes by a link in a folder of the user's own. 0: there is
 * no place for that link. */
int cli_preload_name(const char *library, char name[4096]);
/* The file that a shell would run for this word; 0: there is none that may be run. */
int cli_preload_program(const char *word, char path[4096]);
/* Why there is none, in words: what the word names is a folder, or may not be run. */
const char *cli_preload_no_program(const char *word);
/* What keeps a library from being loaded into this program (a script's interpreter, after it), in words; 0: nothing
 * that its file shows. */
int cli_preload_obstacle(const char *path, char why[600]);
#endif
