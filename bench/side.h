// Side: one of the two programs that do the same work, on hand-written arrays or on Kin.
//
// A work creates a world once for a size, then is prepared (not timed) and run (timed) repeatedly. Its checksum covers
// the final content of the world and the values that it read, and is equal on both sides.
#ifndef KIN_BENCH_SIDE_H
#define KIN_BENCH_SIDE_H

#include <stdint.h>

typedef struct side_work {
    const char *id; // NULL after the last of a table
    void *(*create)(uint32_t count);
    void (*prepare)(void *world); // NULL: nothing
    void (*run)(void *world);
    uint64_t (*checksum)(void *world);
    void (*destroy)(void *world);
} side_work;

extern const side_work hand_life_works[], kin_life_works[];     // create, destroy, clone
extern const side_work hand_walk_works[], kin_walk_works[];     // iterate
extern const side_work hand_access_works[], kin_access_works[]; // get, has, add and remove
extern const side_work hand_watch_works[], kin_watch_works[];   // groups that watch
extern const side_work hand_react_works[], kin_react_works[];   // listeners and collectors
extern const side_work hand_index_works[], kin_index_works[];   // look-ups by a key
extern const side_work hand_group_works[], kin_group_works[];   // count and array
extern const side_work hand_list_works[], kin_list_works[];     // fields with many elements
extern const side_work hand_frame_works[], kin_frame_works[];   // a game's frame
// Trees of entities. There is nothing to compare with by hand: the yardstick is Kin without relations.
extern const side_work kin_plain_works[], kin_relation_works[];
extern const side_work kin_plain_prefab_works[], kin_prefab_works[]; // spawn trees
extern const side_work hand_tree_works[], kin_tree_works[];          // systems over trees
extern const side_work kin_whole_works[];                            // systems that visit all, for those that do not
// Shared values, against boxed values and a component with an index.
extern const side_work kin_unshared_works[], kin_shared_works[];
// Snapshots, against copies of the same memory.
extern const side_work kin_copied_works[], kin_saved_works[];
// Ordered indices, against multi indices and sorted arrays.
extern const side_work kin_unordered_works[], kin_ordered_works[];
// Grids, against cells with lists by hand.
extern const side_work kin_cell_works[], kin_grid_works[];

// Return the work of a side. An unknown id ends the program.
const side_work *side_find_hand(const char *id);
const side_work *side_find_kin(const char *id);

#endif
