/* A small real data set: 31 felled black cherry trees. Diameter at breast height (inches), height (feet) and volume
 * of timber (cubic feet), measured in the Allegheny National Forest, Pennsylvania; published in B. F. Ryan, B. L.
 * Joiner and T. A. Ryan, The Minitab Student Handbook (1976), and in many textbooks since. Sorted by diameter. */
#ifndef EXAMPLES_DATA_H
#define EXAMPLES_DATA_H

enum { TREES = 31 };
struct tree {
    double diameter, height, volume;
};
extern const struct tree trees[TREES];

#endif
