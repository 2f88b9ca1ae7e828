/* Checkpoints of motions. */
#ifndef TW_IO_MD_CHECKPOINT_H
#define TW_IO_MD_CHECKPOINT_H
#include <stdio.h>
#include <tilework/nbody.h>

/* As tw_motion_load, from an open file that can be rewound; name: for messages. */
int tw_checkpoint_parse(FILE *f, const char *name, tw_particles *p, tw_motion *motion);
#endif
