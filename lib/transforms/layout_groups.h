/* SPDX-License-Identifier: MIT */
/* Groups of tensor values that can share one layout, and the rewriting of a function to the
   layouts chosen for them.

   Values joined by an elementwise operation, a memory access, a broadcast or a loop variable are
   one group: whoever holds an element of one of them had best hold the same element of the others.
   tile.expand_dims joins two groups of different rank: its source group follows, as a slice of the
   result's layout, and so does the result of a reduction as one of the operand's. A reshape,
   permutation, join or split leaves each value in its register: of the groups on its two sides that
   with fewer accesses to memory takes the layout (a linear one) that follows from the other's,
   unless its accesses would suffer more than a conversion costs. Values that are cheap to make
   again (ranges, splats, constants, and all arithmetic on such integers: addresses and masks) are
   first copied per use, so that they tie nothing together.

       %m = range                     group A (1-D)  --slice(1)-->  group B (2-D)
       %r = expand_dims %m {axis = 1} ................................^
       %p = broadcast %r              group B: %r, %p, the loaded tile, ...

   tile-assign-layouts and tile-gpu-coalesce differ only in how they choose a root group's layout.
   */
#ifndef TILE_TRANSFORMS_LAYOUT_GROUPS_H
#define TILE_TRANSFORMS_LAYOUT_GROUPS_H

#include "base/arena.h"
#include "ir/session.h"

/* An operation that only relabels, and others on the same side of a group. */
struct relabelling {
  MlirOperation op;
  struct relabelling *next;
};

struct layout_group {
  struct layout_group *representative; /* union-find; itself at the root */
  MlirType largest;                    /* the type with most elements in the group */
  struct layout_group *slice_of;       /* group of an expand_dims result or a reduction's operand,
                                          or NULL */
  int axis;                            /* the dimension that expand_dims inserts or reduce takes out
                                        */
  struct layout_group *keeps;          /* what was reduced, where the dimension is put back: equal
                                          layouts have equal slices; or NULL */
  struct relabelling *relabels;        /* reshapes, permutes, joins or splits that make a value */
  MlirOperation relabelled;            /* one that takes a value; or null */
  unsigned reduced;                    /* set of dimensions that reductions and scans run along */
  int64_t bytes;                       /* of the memory accesses that have a say in the layout */
  bool visiting;                       /* its layout is being found out */
  MlirAttribute layout;                /* chosen; null until then */
};

struct layout_groups {
  struct session *session;
  struct arena arena;
  struct map of_value; /* MlirValue.ptr -> struct layout_group */
  int num_warps;
};

/* Chooses the layout of a root group. `followed`: under which it would be relabelled to, or from,
   what a group with more accesses has; or null. */
typedef MlirAttribute choose_layout(struct layout_groups *groups, struct layout_group *group,
                                    MlirAttribute followed, void *data);

void layout_groups_build(struct layout_groups *groups, struct session *session,
                         MlirOperation function, int num_warps);
void layout_groups_destroy(struct layout_groups *groups);
/* The one that stands for all that are united with `group`. */
struct layout_group *layout_group_root(struct layout_group *group);
/* The group of a tensor value; NULL for scalars. */
struct layout_group *layout_group_of(struct layout_groups *groups, MlirValue value);

/* The layout of a group, which is chosen if it has none yet. */
MlirAttribute layout_group_layout(struct layout_groups *groups, struct layout_group *group,
                                  choose_layout *choose, void *data);

/* Gives every tensor of `function` its group's layout, asking `choose` once per root group;
   inserts tile_gpu.convert_layout where an expand_dims would need a second layout of its source;
   then rematerialises converted values from their inputs where that needs no data movement. */
MlirLogicalResult layout_groups_apply(struct layout_groups *groups, MlirOperation function,
                                      choose_layout *choose, void *data);

/* A blocked layout for a group: `per_thread` consecutive elements along order[0], lanes spread
   along `order` from the fastest dimension on; warps likewise, but first along dimensions that
   nothing is reduced along: a row that lies in one warp is reduced without shared memory. */
MlirAttribute default_blocked(struct layout_groups *groups, const struct layout_group *group,
                              const int32_t *order, int32_t per_thread);

#endif
