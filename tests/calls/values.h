/* Once for each process: the memory and the folder that arguments are made of. */
#ifndef VALUES_H
#define VALUES_H
int values_begin(void); /* 1, or 0 where there is no address space */
void values_end(void);
#endif
