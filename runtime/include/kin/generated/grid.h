/// Look-ups in grids, for generated code only. Changes with the interface version.
///
/// A walk stands at a cell and a slot, and goes on after these whatever has changed meanwhile: cells in the order of z,
/// y and x, the entities of a cell in order of slot. It collects the entities that come next before it looks at their
/// values, so that it does not wait for each; a change of the index makes it collect again, from where it stands.
///
///   cells   low_cell … [ stand | slot ] … ahead … [ cell | next ] … high_cell     those that can have what is wanted
///
/// A walk over more cells than there are entities visits the cells that have entities alone.
#ifndef KIN_INTERNAL_GRID_H
#define KIN_INTERNAL_GRID_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__grid_cell {
    int32_t x, y, z; // z is 0 with two coordinates
} kin__grid_cell;

enum { KIN__GRID_AHEAD = 32 };

typedef struct kin__grid_walk {
    const kin_context *context;
    const struct kin__index *index;
    double at[3];            // the point, or the low corner of a box
    double high[3];          // the high corner
    double limit;            // the greatest squared distance from the point
    double distance_squared; // of the entity that was returned last; 0 in a box
    uint64_t version;        // of the index, for which `next` and `ahead` are valid; 0: none
    uint64_t listing;        // of the list of cells, for which `sorted` and `recent` are valid
    kin__grid_cell low_cell, high_cell;
    kin__grid_cell stand; // where the walk is
    uint32_t slot;        // slot + 1 of the entity there that was returned last; 0: before the first one
    uint32_t before;      // slot + 1 of one before those in `ahead`, which may be gone; 0: none
    kin__grid_cell cell;  // where it collects
    uint32_t row;         // of that cell
    uint32_t next;        // slot + 1 of the next entity to collect; 0: those of the next cell
    uint32_t sorted, recent;
    uint32_t first, end;  // those of `ahead` that come next
    uint32_t limit_ahead; // how many are collected at once
    bool is_box;
    bool is_listed;    // it visits the list of cells
    bool is_collected; // up to the end
    bool is_done;
    uint32_t ahead[KIN__GRID_AHEAD]; // slots + 1
} kin__grid_walk;

// The pairs of entities: `outer` comes to each entity, `inner` to those after it and near it.
typedef struct kin__grid_pairs {
    kin__grid_walk outer, inner;
    double radius;
    kin_entity first; // 0: none yet
    bool is_whole;    // `ahead` of the inner walk has all that are filed near `first` and after it
    uint32_t place;   // where these begin
} kin__grid_pairs;

// Begin a walk. Points have two or three coordinates. A radius that is negative, and what is not a number, is reported
// as KIN_ERROR_INVALID; the walk is then at its end.
KIN_API void kin__grid_near(const kin_context *context, uint32_t index, const double *at, double radius,
                            kin__grid_walk *walk);
KIN_API void kin__grid_box(const kin_context *context, uint32_t index, const double *low, const double *high,
                           kin__grid_walk *walk);
KIN_API void kin__grid_pairs_within(const kin_context *context, uint32_t index, double radius, kin__grid_pairs *pairs);

// Moves a walk, and returns the entity; 0 at its end. Moves one of pairs, and returns the second entity.
KIN_API kin_entity kin__grid_next(kin__grid_walk *walk);
KIN_API kin_entity kin__grid_pairs_next(kin__grid_pairs *pairs);

// Writes up to `count` entities, by distance and slot, that are at most `limit` away; returns how many. Errors as
// above.
KIN_API uint32_t kin__grid_nearest(const kin_context *context, uint32_t index, const double *at, uint32_t count,
                                   double limit, kin_entity *entities);

// Brings an index up to date with values that were written in place; returns how many entities were moved in it. For
// grids and ordered indices.
KIN_API uint32_t kin__index_refresh(kin_context *context, uint32_t index);

KIN_END_DECLARATIONS

#endif
