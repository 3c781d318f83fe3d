// Grids: walks, pairs and the nearest entities (kin/generated/grid.h).
//
// Distances are computed in double from the present values: an entity is near if the sum of the squares of the
// differences is at most the square of the radius. A walk visits the cells in which such entities can be filed: the
// bounds are a few ulps wider than the circle, as the differences are rounded.
#include "lookup/internal.h"

#include <float.h>
#include <math.h>

enum { FEW_AHEAD = 4 }; // collected after a change

// The same distances on every machine: products and sums are rounded one after the other.
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static const kin__index *index_of(const kin_context *context, uint32_t number)
{
    KIN_ASSERT(number < context->info->index_count && context->core->indices->indices[number].grid != NULL);
    return &context->core->indices->indices[number];
}

static kin_entity entity_of(const kin_context *context, uint32_t slot)
{
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// ---- distances

static inline void read_flat(const kin_context *context, const kin__grid *grid, uint32_t slot, double at[3])
{
    const kin__column *column = kin__column_of(context, slot, grid->component);
    float numbers[2];
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(&numbers[i], kin__grid_address(column, &grid->parts[i], slot % KIN__CHUNK_SLOTS), sizeof *numbers);
        at[i] = numbers[i];
    }
    at[2] = 0;
}

static void read_any(const kin_context *context, const kin__grid *grid, uint32_t slot, double at[3])
{
    at[2] = 0;
    for (uint32_t i = 0; i < 2 + (uint32_t)grid->has_z; i++)
        at[i] = kin__grid_number(kin__value_part(context, slot, grid->component, grid->parts[i].in_value),
                                 grid->parts[i].type);
}

static inline bool is_flat(const kin__grid *grid)
{
    return grid->is_direct && grid->is_float && !grid->has_z;
}

static inline void read_point(const kin_context *context, const kin__grid *grid, uint32_t slot, double at[3])
{
    if (is_flat(grid))
        read_flat(context, grid, slot, at);
    else
        read_any(context, grid, slot, at);
}

static inline double square_of_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0];
    double y = a[1] - b[1];
    double z = a[2] - b[2];
    double sum = x * x + y * y;
    return sum + z * z;
}

static inline bool is_in_box(const kin__grid_walk *walk, const double at[3])
{
    bool is_in = true;
    for (uint32_t i = 0; i < 3; i++)
        is_in = is_in && at[i] >= walk->at[i] && at[i] <= walk->high[i];
    return is_in;
}

// Whether the walk returns the entity of a slot, by its present value. Sets the distance.
static inline bool is_wanted(kin__grid_walk *walk, const kin__grid *grid, uint32_t slot)
{
    double at[3];
    read_point(walk->context, grid, slot, at);
    if (walk->is_box)
        return is_in_box(walk, at);
    double square = square_of_distance(at, walk->at);
    walk->distance_squared = square;
    return square <= walk->limit;
}

// ---- cells

// Returns the first slot + 1 of a bucket, which is then in order.
static inline uint32_t enter_bucket(const kin__index *index, uint32_t bucket)
{
    const kin__grid *grid = index->grid;
    if (grid->unsorted_count > 0)
        kin__grid_sort(index, bucket);
    return grid->heads[bucket];
}

// The same for the cell where the walk collects.
static inline uint32_t enter_cell(const kin__index *index, const kin__grid_walk *walk)
{
    return enter_bucket(index, kin__grid_bucket(index->grid, walk->row, walk->cell.x));
}

static inline void find_row(const kin__grid *grid, kin__grid_walk *walk)
{
    walk->row = kin__grid_row(grid, walk->cell.y, walk->cell.z);
}

static bool next_cell(const kin__grid *grid, kin__grid_walk *walk)
{
    kin__grid_cell cell = walk->cell;
    if (cell.x < walk->high_cell.x) {
        walk->cell.x++;
        return true;
    }
    cell.x = walk->low_cell.x;
    if (cell.y < walk->high_cell.y) {
        cell.y++;
    } else {
        if (cell.z == walk->high_cell.z)
            return false;
        cell.y = walk->low_cell.y;
        cell.z++;
    }
    walk->cell = cell;
    find_row(grid, walk);
    return true;
}

// Returns the place of the first of some sorted cells that is not below another.
static uint32_t find_listed(const kin__grid_cell *cells, uint32_t count, kin__grid_cell cell)
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (kin__grid_compare(cells[middle], cell) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static void find_places(const kin__grid *grid, kin__grid_walk *walk)
{
    walk->sorted = find_listed(grid->cells, grid->cell_count, walk->cell);
    walk->recent = find_listed(grid->cells + grid->cell_capacity, grid->recent_count, walk->cell);
    walk->listing = grid->listing;
}

// Returns the listed cell at which the walk is, or the next one; NULL if there is none.
static const kin__grid_cell *listed_cell(const kin__grid *grid, const kin__grid_walk *walk)
{
    const kin__grid_cell *sorted = grid->cells + walk->sorted;
    const kin__grid_cell *recent = grid->cells + grid->cell_capacity + walk->recent;
    bool has_sorted = walk->sorted < grid->cell_count;
    bool has_recent = walk->recent < grid->recent_count;
    if (has_sorted && (!has_recent || kin__grid_compare(*sorted, *recent) <= 0))
        return sorted;
    return has_recent ? recent : NULL;
}

static void pass_listed(const kin__grid *grid, kin__grid_walk *walk, kin__grid_cell cell)
{
    const kin__grid_cell *recent = grid->cells + grid->cell_capacity;
    if (walk->sorted < grid->cell_count && kin__grid_compare(grid->cells[walk->sorted], cell) == 0)
        walk->sorted++;
    if (walk->recent < grid->recent_count && kin__grid_compare(recent[walk->recent], cell) == 0)
        walk->recent++;
}

static bool is_between(int32_t place, int32_t low, int32_t high)
{
    return place >= low && place <= high;
}

// Moves the walk to the next listed cell of its bounds, after the one where it collects.
static bool enter_listed(const kin__index *index, kin__grid_walk *walk)
{
    const kin__grid *grid = index->grid;
    if (walk->listing == 0 || walk->listing != grid->listing) {
        kin__grid_list(walk->context, index);
        find_places(grid, walk);
    }
    pass_listed(grid, walk, walk->cell);
    for (const kin__grid_cell *at; (at = listed_cell(grid, walk)) != NULL; pass_listed(grid, walk, *at)) {
        if (at->z > walk->high_cell.z)
            return false;
        if (!is_between(at->x, walk->low_cell.x, walk->high_cell.x) ||
            !is_between(at->y, walk->low_cell.y, walk->high_cell.y))
            continue;
        walk->cell = *at;
        find_row(grid, walk);
        return true;
    }
    return false;
}

// ---- collecting

// Whether an entity is filed in the bucket of a cell.
static bool is_in_bucket(const kin__index *index, uint32_t slot, uint32_t bucket)
{
    const kin__grid *grid = index->grid;
    if (!kin__grid_has(index, slot))
        return false;
    kin__grid_cell cell = kin__grid_cell_of(grid, kin__grid_record_of(index, slot));
    return kin__grid_bucket(grid, kin__grid_row(grid, cell.y, cell.z), cell.x) == bucket;
}

// Collects again after a change, from where the walk stands. Begins at an entity before that which is still in the
// bucket, so that a long list is not walked again.
static void resume(kin__grid_walk *walk)
{
    const kin__index *index = walk->index;
    const uint32_t known[3] = {walk->before, walk->first > 1 ? walk->ahead[walk->first - 2] : 0, walk->slot};
    walk->cell = walk->stand;
    find_row(index->grid, walk);
    uint32_t bucket = kin__grid_bucket(index->grid, walk->row, walk->cell.x);
    walk->next = enter_cell(index, walk);
    walk->before = 0;
    for (uint32_t i = 0; i < 3; i++) // the later ones are nearer, if they are still there
        if (known[i] != 0 && known[i] <= walk->slot && is_in_bucket(index, known[i] - 1, bucket)) {
            walk->before = known[i];
            walk->next = kin__grid_record_of(index, known[i] - 1)->next;
        }
    while (walk->next != 0 && walk->next <= walk->slot)
        walk->next = kin__grid_record_of(index, walk->next - 1)->next;
    walk->listing = 0;
    walk->first = walk->end = 0;
    walk->limit_ahead = FEW_AHEAD;
    walk->is_collected = false;
    walk->version = index->grid->version;
}

// Moves to the next cell that may have entities. False if there is none.
static bool advance(const kin__index *index, kin__grid_walk *walk)
{
    bool has_cell = walk->is_listed ? enter_listed(index, walk) : next_cell(index->grid, walk);
    if (has_cell)
        walk->next = enter_cell(index, walk);
    return has_cell;
}

// Collects entities that are filed in cells of the bounds. Most of the time of look-ups is here and in `take`: there is
// one for two coordinates, whose records have a known size.
static inline void collect_in(kin__grid_walk *walk, bool has_z)
{
    const kin__index *index = walk->index;
    const size_t size = has_z ? sizeof(kin__grid_record) : offsetof(kin__grid_record, z);
    char *const *blocks = index->blocks.elements;
    const uint32_t limit = walk->limit_ahead;
    const kin__grid *grid = index->grid;
    kin__grid_cell cell = walk->cell;
    int32_t last = walk->is_listed ? cell.x : walk->high_cell.x; // of a row, whose buckets lie side by side
    uint32_t at = walk->next;
    uint32_t end = 0;
    walk->before = walk->end > 0 ? walk->ahead[walk->end - 1] : walk->before;
    for (;;) {
        while (at != 0 && end < limit) {
            uint32_t slot = at - 1;
            const kin__grid_record *record =
                (const void *)(blocks[slot / KIN__CHUNK_SLOTS] + slot % KIN__CHUNK_SLOTS * size);
            bool is_here = (record->x == cell.x) & (record->y == cell.y);
            walk->ahead[end] = at;
            end += has_z ? is_here & (record->z == cell.z) : is_here;
            at = record->next;
        }
        if (at != 0)
            break;
        if (cell.x < last) {
            cell.x++;
            at = enter_bucket(index, kin__grid_bucket(grid, walk->row, cell.x));
            continue;
        }
        walk->cell = cell;
        walk->is_collected = !advance(index, walk);
        if (walk->is_collected)
            break;
        cell = walk->cell;
        at = walk->next;
        last = walk->is_listed ? cell.x : last;
    }
    walk->cell = cell;
    walk->next = at;
    walk->first = 0;
    walk->end = end;
    walk->limit_ahead = kin__min_32(limit * 2, KIN__GRID_AHEAD);
}

static void collect(kin__grid_walk *walk)
{
    if (walk->index->grid->has_z)
        collect_in(walk, true);
    else
        collect_in(walk, false);
}

// ---- steps

static inline kin_entity stand_at(kin__grid_walk *walk, uint32_t i)
{
    uint32_t slot = walk->ahead[i] - 1;
    walk->first = i + 1;
    walk->slot = slot + 1;
    walk->stand = kin__grid_cell_of(walk->index->grid, kin__grid_record_of(walk->index, slot));
    return entity_of(walk->context, slot);
}

static inline bool is_in_flat_box(const kin__grid_walk *walk, const double at[2])
{
    bool is_right = (at[0] >= walk->at[0]) & (at[0] <= walk->high[0]); // no branches, which could not be foreseen
    return is_right & (at[1] >= walk->at[1]) & (at[1] <= walk->high[1]);
}

// Returns the next of the collected entities whose point is wanted; 0 if there is none. Points of two floats.
static inline kin_entity take_flat(kin__grid_walk *walk, bool is_box)
{
    const kin__grid *grid = walk->index->grid;
    kin__column *const *columns = kin__component_of(walk->context, grid->component)->columns;
    const size_t strides[2] = {grid->parts[0].stride, grid->parts[1].stride};
    const size_t offsets[2] = {sizeof(kin__column) + grid->parts[0].offset,
                               sizeof(kin__column) + grid->parts[1].offset};
    const double center[2] = {walk->at[0], walk->at[1]};
    const double limit = walk->limit;
    const uint32_t end = walk->end;
    for (uint32_t i = walk->first; i < end; i++) {
        uint32_t slot = walk->ahead[i] - 1;
        const char *values = (const char *)columns[slot / KIN__CHUNK_SLOTS];
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        float numbers[2];
        memcpy(&numbers[0], values + offsets[0] + place * strides[0], sizeof *numbers);
        memcpy(&numbers[1], values + offsets[1] + place * strides[1], sizeof *numbers);
        const double at[2] = {numbers[0], numbers[1]};
        double x = at[0] - center[0];
        double y = at[1] - center[1];
        double square = x * x + y * y;
        if (is_box ? !is_in_flat_box(walk, at) : !(square <= limit))
            continue;
        walk->distance_squared = is_box ? 0 : square;
        return stand_at(walk, i);
    }
    return 0;
}

static kin_entity take_any(kin__grid_walk *walk)
{
    for (uint32_t i = walk->first; i < walk->end; i++)
        if (is_wanted(walk, walk->index->grid, walk->ahead[i] - 1))
            return stand_at(walk, i);
    return 0;
}

static inline kin_entity take(kin__grid_walk *walk)
{
    if (!is_flat(walk->index->grid))
        return take_any(walk);
    return walk->is_box ? take_flat(walk, true) : take_flat(walk, false);
}

// Collects and takes until there is one.
static kin_entity find_next(kin__grid_walk *walk)
{
    while (!walk->is_collected) {
        collect(walk);
        kin_entity entity = take(walk);
        if (entity != 0)
            return entity;
    }
    walk->is_done = true;
    return 0;
}

static inline kin_entity step(kin__grid_walk *walk)
{
    if (walk->is_done)
        return 0;
    if (walk->version != walk->index->grid->version)
        resume(walk);
    kin_entity entity = take(walk);
    return entity != 0 ? entity : find_next(walk);
}

kin_entity kin__grid_next(kin__grid_walk *walk)
{
    return step(walk);
}

// ---- beginning

static void refuse(const kin_context *context, uint32_t number, const char *reason)
{
    kin__attempt attempt = {
        .verb = "look up entities in index", .component = context->info->indices[number].name, .reason = reason};
    attempt.is_unique = true; // names no entity
    kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

static bool is_number(const double *at, const kin__grid *grid)
{
    return at[0] == at[0] && at[1] == at[1] && (!grid->has_z || at[2] == at[2]);
}

// Whether so many cells are more than there are entities. The result of a walk is the same either way.
static bool has_many_cells(const kin__grid *grid, kin__grid_cell low, kin__grid_cell high)
{
    uint64_t width = (uint64_t)((int64_t)high.x - low.x + 1);
    uint64_t height = (uint64_t)((int64_t)high.y - low.y + 1);
    uint64_t depth = (uint64_t)((int64_t)high.z - low.z + 1);
    return width * height > grid->count || width * height * depth > grid->count; // the first is below 2^63
}

// Moves the walk to the first cell of its bounds that is not below a cell.
static void enter_bounds(const kin__grid *grid, kin__grid_walk *walk, kin__grid_cell from)
{
    kin__grid_cell low = walk->low_cell;
    kin__grid_cell high = walk->high_cell;
    kin__grid_cell cell = from;
    if (cell.x > high.x) {
        cell.x = low.x;
        cell.y++;
    } else if (cell.x < low.x) {
        cell.x = low.x;
    }
    if (cell.y > high.y) {
        cell = (kin__grid_cell){low.x, low.y, cell.z + 1};
    } else if (cell.y < low.y) {
        cell = (kin__grid_cell){low.x, low.y, cell.z};
    }
    if (cell.z < low.z)
        cell = low;
    walk->is_done = cell.z > high.z;
    walk->cell = cell;
    find_row(grid, walk);
}

// Begins a walk through the cells of its bounds, at the first one or after an entity in a cell. That has just been
// returned, so that its bucket is in order.
static void begin(const kin__index *index, kin__grid_walk *walk, const kin__grid_cell *after, uint32_t slot)
{
    const kin__grid *grid = index->grid;
    walk->is_listed = has_many_cells(grid, walk->low_cell, walk->high_cell);
    walk->is_done = false;
    if (after != NULL) {
        enter_bounds(grid, walk, *after);
    } else {
        walk->cell = walk->low_cell;
        find_row(grid, walk);
    }
    if (walk->is_done)
        return;
    walk->stand = walk->cell;
    if (after != NULL && kin__grid_compare(walk->cell, *after) == 0) {
        walk->slot = slot + 1;
        walk->next = kin__grid_record_of(index, slot)->next;
    } else {
        walk->next = enter_cell(index, walk);
    }
    walk->version = grid->version;
}

static void empty(kin__grid_walk *walk)
{
    walk->listing = 0;
    walk->slot = walk->before = 0;
    walk->first = walk->end = 0;
    walk->limit_ahead = KIN__GRID_AHEAD;
    walk->is_collected = false;
}

// Sets what all walks have. They are at their end until they begin.
static void set_walk(kin__grid_walk *walk, const kin_context *context, uint32_t number, bool is_box)
{
    walk->context = context;
    walk->index = index_of(context, number);
    walk->at[2] = walk->high[2] = walk->distance_squared = 0;
    walk->is_box = is_box;
    walk->is_done = true;
    empty(walk);
}

// Returns the least and the greatest coordinate that may be within a radius. The differences are rounded, and so are
// their squares: where these are 0, the radius counts for nothing.
static double bound_of(double at, double radius)
{
    static const double share = 16 * DBL_EPSILON;
    static const double smallest = 1e-150;
    double size = at < 0 ? -at : at;
    return radius + (size + radius) * share + smallest;
}

// Returns the cell of an upper bound: the last one if that is a NaN, the sum of two infinities.
static inline int32_t place_above(double bound, double inverse)
{
    return bound == bound ? kin__grid_place(bound, inverse) : KIN__GRID_LIMIT;
}

static inline void set_circle(const kin__grid *grid, kin__grid_walk *walk, const double *at, double radius)
{
    const double inverse = grid->inverse;
    double x = bound_of(at[0], radius);
    double y = bound_of(at[1], radius);
    walk->at[0] = at[0];
    walk->at[1] = at[1];
    walk->low_cell = (kin__grid_cell){kin__grid_place(at[0] - x, inverse), kin__grid_place(at[1] - y, inverse), 0};
    walk->high_cell = (kin__grid_cell){place_above(at[0] + x, inverse), place_above(at[1] + y, inverse), 0};
    walk->limit = radius * radius;
    if (!grid->has_z)
        return;
    double z = bound_of(at[2], radius);
    walk->at[2] = at[2];
    walk->low_cell.z = kin__grid_place(at[2] - z, inverse);
    walk->high_cell.z = place_above(at[2] + z, inverse);
}

void kin__grid_near(const kin_context *context, uint32_t number, const double *at, double radius, kin__grid_walk *walk)
{
    const kin__index *index = index_of(context, number);
    set_walk(walk, context, number, false);
    if (!is_number(at, index->grid)) {
        refuse(context, number, "the point has a NaN; use numbers");
        return;
    }
    if (!(radius >= 0)) {
        refuse(context, number, "the radius is negative or a NaN; use 0 or more");
        return;
    }
    set_circle(index->grid, walk, at, radius);
    begin(index, walk, NULL, 0);
}

void kin__grid_box(const kin_context *context, uint32_t number, const double *low, const double *high,
                   kin__grid_walk *walk)
{
    const kin__index *index = index_of(context, number);
    const kin__grid *grid = index->grid;
    int32_t places[2][3] = {{0}};
    bool is_empty = false;
    set_walk(walk, context, number, true);
    if (!is_number(low, grid) || !is_number(high, grid)) {
        refuse(context, number, "a corner has a NaN; use numbers");
        return;
    }
    for (uint32_t i = 0; i < 2 + (uint32_t)grid->has_z; i++) {
        walk->at[i] = low[i];
        walk->high[i] = high[i];
        is_empty = is_empty || low[i] > high[i];
        places[0][i] = kin__grid_place(low[i], grid->inverse);
        places[1][i] = kin__grid_place(high[i], grid->inverse);
    }
    walk->low_cell = (kin__grid_cell){places[0][0], places[0][1], places[0][2]};
    walk->high_cell = (kin__grid_cell){places[1][0], places[1][1], places[1][2]};
    if (!is_empty)
        begin(index, walk, NULL, 0);
}

// ---- pairs

void kin__grid_pairs_within(const kin_context *context, uint32_t number, double radius, kin__grid_pairs *pairs)
{
    const kin__index *index = index_of(context, number);
    kin__grid_walk *outer = &pairs->outer;
    pairs->first = 0;
    pairs->is_whole = false;
    pairs->place = 0;
    pairs->radius = radius;
    set_walk(outer, context, number, true);
    set_walk(&pairs->inner, context, number, false);
    if (!(radius >= 0)) {
        refuse(context, number, "the radius is negative or a NaN; use 0 or more");
        return;
    }
    int32_t limit = KIN__GRID_LIMIT;
    for (uint32_t i = 0; i < 3; i++) {
        outer->at[i] = -INFINITY;
        outer->high[i] = INFINITY;
    }
    outer->low_cell = (kin__grid_cell){-limit, -limit, index->grid->has_z ? -limit : 0};
    outer->high_cell = (kin__grid_cell){limit, limit, index->grid->has_z ? limit : 0};
    begin(index, outer, NULL, 0);
}

// Begins the walk of those after the entity at which `outer` is, and near it. If the walk before it has collected all
// in the same bounds, this entity is one of those, and what comes after it need not be collected again.
static void begin_inner(const kin__index *index, kin__grid_pairs *pairs)
{
    kin__grid_walk *inner = &pairs->inner;
    const kin__grid_walk *outer = &pairs->outer;
    kin__grid_cell low = inner->low_cell;
    kin__grid_cell high = inner->high_cell;
    double at[3];
    read_point(outer->context, index->grid, outer->slot - 1, at);
    inner->is_done = true;
    if (!is_number(at, index->grid)) {
        pairs->is_whole = false;
        return;
    }
    set_circle(index->grid, inner, at, pairs->radius);
    bool has_bounds = kin__grid_compare(low, inner->low_cell) == 0 && kin__grid_compare(high, inner->high_cell) == 0;
    bool is_next = pairs->place < inner->end && inner->ahead[pairs->place] == outer->slot;
    if (pairs->is_whole && has_bounds && is_next) {
        inner->stand = outer->stand;
        inner->slot = outer->slot;
        inner->first = ++pairs->place;
        inner->is_done = false;
        return;
    }
    empty(inner);
    begin(index, inner, &outer->stand, outer->slot - 1);
    pairs->place = 0;
    pairs->is_whole = !inner->is_done;
    if (pairs->is_whole) {
        collect(inner);
        pairs->is_whole = inner->is_collected;
    }
}

// Whether the first entity is still where the outer walk is. Its present value is the centre of the inner one.
static inline bool keeps_first(const kin__index *index, kin__grid_pairs *pairs)
{
    const kin__grid_walk *outer = &pairs->outer;
    uint32_t slot = kin_entity_slot(pairs->first);
    bool is_there = outer->version == index->grid->version ||
                    (entity_of(outer->context, slot) == pairs->first && kin__grid_has(index, slot) &&
                     kin__grid_is_in(index->grid, kin__grid_record_of(index, slot), outer->stand));
    if (is_there)
        read_point(outer->context, index->grid, slot, pairs->inner.at);
    return is_there;
}

kin_entity kin__grid_pairs_next(kin__grid_pairs *pairs)
{
    const kin__index *index = pairs->outer.index;
    for (;;) {
        bool has_first = pairs->first != 0 && !pairs->inner.is_done && keeps_first(index, pairs);
        pairs->is_whole = pairs->is_whole && pairs->inner.version == index->grid->version;
        kin_entity second = has_first ? step(&pairs->inner) : 0;
        if (second != 0)
            return second;
        pairs->first = kin__grid_next(&pairs->outer);
        if (pairs->first == 0)
            return 0;
        begin_inner(index, pairs);
    }
}

// ---- the nearest

// Entities are found in rounds, those of a round in order of distance and slot after the last one of the round before.
enum { ROUND = 64, MANY_WANTED = 2 }; // more than one cell is likely to have

typedef struct candidate {
    double square;
    uint32_t slot;
} candidate;

typedef struct nearest {
    const kin_context *context;
    const kin__index *index;
    double at[3];
    double limit; // squared
    candidate last;
    bool has_last;
    candidate found[ROUND]; // in order
    uint32_t count, wanted;
} nearest;

static bool is_nearer(candidate a, candidate b)
{
    return a.square != b.square ? a.square < b.square : a.slot < b.slot;
}

static inline void offer(nearest *nearest, uint32_t slot)
{
    double at[3];
    read_point(nearest->context, nearest->index->grid, slot, at);
    candidate offered = {square_of_distance(at, nearest->at), slot};
    bool is_full = nearest->count == nearest->wanted;
    if (!(offered.square <= nearest->limit) || (is_full && !is_nearer(offered, nearest->found[nearest->count - 1])))
        return;
    if (nearest->has_last && !is_nearer(nearest->last, offered))
        return;
    uint32_t place = is_full ? nearest->count - 1 : nearest->count++;
    for (; place > 0 && is_nearer(offered, nearest->found[place - 1]); place--)
        nearest->found[place] = nearest->found[place - 1];
    nearest->found[place] = offered;
}

static void offer_cells(nearest *nearest, uint32_t row, kin__grid_cell cell, int32_t end)
{
    const kin__index *index = nearest->index;
    const kin__grid *grid = index->grid;
    for (;; cell.x++) {
        uint32_t at = grid->heads[kin__grid_bucket(grid, row, cell.x)];
        while (at != 0) {
            const kin__grid_record *record = kin__grid_record_of(index, at - 1);
            if (kin__grid_is_in(grid, record, cell))
                offer(nearest, at - 1);
            at = record->next;
        }
        if (cell.x == end)
            return;
    }
}

static void offer_all(nearest *nearest)
{
    for (uint32_t slot = 0; slot < nearest->index->block_count * KIN__CHUNK_SLOTS; slot++)
        if (kin__grid_has(nearest->index, slot))
            offer(nearest, slot);
}

static int32_t clamp(int64_t place)
{
    if (place > KIN__GRID_LIMIT)
        return KIN__GRID_LIMIT;
    return (int32_t)(place < -KIN__GRID_LIMIT ? -KIN__GRID_LIMIT : place);
}

// The cells at most `ring` away from the middle, in one direction.
typedef struct reach {
    int32_t low, high;
} reach;

static reach reach_of(int32_t middle, int32_t ring)
{
    return (reach){clamp((int64_t)middle - ring), clamp((int64_t)middle + ring)};
}

// Returns whether no entity in cells at a place of an axis is nearer than those found so far, if these are enough.
static bool is_too_far(const nearest *nearest, uint32_t axis, int32_t place)
{
    if (nearest->count < nearest->wanted || place == -KIN__GRID_LIMIT || place == KIN__GRID_LIMIT)
        return false;
    double side = 1 / nearest->index->grid->inverse;
    double at = nearest->at[axis];
    double below = place * side - at;
    double above = at - (place + 1.0) * side;
    double gap = (below > above ? below : above) - bound_of(at, 0) * 4;
    return gap > 0 && gap * gap > nearest->found[nearest->count - 1].square;
}

// Offers the entities of the middle and the cells around it.
static void offer_block(nearest *nearest, kin__grid_cell middle)
{
    const kin__grid *grid = nearest->index->grid;
    reach x = reach_of(middle.x, 1);
    reach y = reach_of(middle.y, 1);
    reach z = reach_of(middle.z, grid->has_z ? 1 : 0);
    for (int32_t at_z = z.low; at_z <= z.high; at_z++)
        for (int32_t at_y = y.low; at_y <= y.high; at_y++)
            offer_cells(nearest, kin__grid_row(grid, at_y, at_z), (kin__grid_cell){x.low, at_y, at_z}, x.high);
}

// Offers the entities of the cells that are `ring` away from the middle.
static void offer_ring(nearest *nearest, kin__grid_cell middle, int32_t ring)
{
    const kin__grid *grid = nearest->index->grid;
    reach x = reach_of(middle.x, ring);
    reach y = reach_of(middle.y, ring);
    reach z = reach_of(middle.z, grid->has_z ? ring : 0);
    for (int32_t at_z = z.low; at_z <= z.high; at_z++)
        for (int32_t at_y = y.low; at_y <= y.high; at_y++) {
            if (is_too_far(nearest, 1, at_y) || (grid->has_z && is_too_far(nearest, 2, at_z)))
                continue;
            uint32_t row = kin__grid_row(grid, at_y, at_z);
            int64_t off_y = (int64_t)at_y - middle.y;
            int64_t off_z = (int64_t)at_z - middle.z;
            if (off_y == ring || off_y == -ring || (ring > 0 && (off_z == ring || off_z == -ring))) {
                offer_cells(nearest, row, (kin__grid_cell){x.low, at_y, at_z}, x.high);
                continue;
            }
            if ((int64_t)middle.x - ring == x.low && !is_too_far(nearest, 0, x.low))
                offer_cells(nearest, row, (kin__grid_cell){x.low, at_y, at_z}, x.low);
            if ((int64_t)middle.x + ring == x.high && !is_too_far(nearest, 0, x.high))
                offer_cells(nearest, row, (kin__grid_cell){x.high, at_y, at_z}, x.high);
        }
}

// Returns a distance that no entity outside of the cells of the rings so far is below.
static double outside_of(const nearest *nearest, kin__grid_cell middle, int32_t ring)
{
    const kin__grid *grid = nearest->index->grid;
    int32_t places[3] = {middle.x, middle.y, middle.z};
    double least = INFINITY;
    for (uint32_t i = 0; i < 2 + (uint32_t)grid->has_z; i++) {
        reach reach = reach_of(places[i], ring);
        double at = nearest->at[i];
        double low = at - reach.low / grid->inverse;
        double high = (reach.high + 1.0) / grid->inverse - at;
        double slack = bound_of(at, 0) * 4;
        if (reach.low > -KIN__GRID_LIMIT && low - slack < least)
            least = low - slack;
        if (reach.high < KIN__GRID_LIMIT && high - slack < least)
            least = high - slack;
    }
    return least < 0 ? 0 : least * (1 - 64 * DBL_EPSILON);
}

// Returns how many cells the rings so far have.
static double count_cells(const kin__grid *grid, int32_t ring)
{
    double side = 2.0 * ring + 1;
    return grid->has_z ? side * side * side : side * side;
}

// Finds the next entities, at most as many as are wanted.
static void find_round(nearest *nearest, kin__grid_cell middle)
{
    const kin__grid *grid = nearest->index->grid;
    nearest->count = 0;
    for (int32_t ring = nearest->wanted > MANY_WANTED ? 1 : 0;; ring++) {
        if (count_cells(grid, ring) > grid->count + 64.0) {
            nearest->count = 0;
            offer_all(nearest);
            return;
        }
        if (ring == 1 && nearest->wanted > MANY_WANTED)
            offer_block(nearest, middle);
        else
            offer_ring(nearest, middle, ring);
        double outside = outside_of(nearest, middle, ring);
        double square = outside * outside;
        bool is_full = nearest->count == nearest->wanted;
        if (square > nearest->limit || (is_full && nearest->found[nearest->count - 1].square < square))
            return;
    }
}

static uint32_t find_nearest(nearest *nearest, uint32_t count, kin_entity *entities)
{
    const kin__grid *grid = nearest->index->grid;
    kin__grid_cell middle = {kin__grid_place(nearest->at[0], grid->inverse),
                             kin__grid_place(nearest->at[1], grid->inverse), 0};
    uint32_t total = 0;
    if (grid->has_z)
        middle.z = kin__grid_place(nearest->at[2], grid->inverse);
    while (total < count) {
        nearest->wanted = kin__min_32(ROUND, count - total);
        find_round(nearest, middle);
        for (uint32_t i = 0; i < nearest->count; i++)
            entities[total++] = entity_of(nearest->context, nearest->found[i].slot);
        if (nearest->count < nearest->wanted)
            break;
        nearest->last = nearest->found[nearest->count - 1];
        nearest->has_last = true;
    }
    return total;
}

uint32_t kin__grid_nearest(const kin_context *context, uint32_t number, const double *at, uint32_t count, double limit,
                           kin_entity *entities)
{
    const kin__index *index = index_of(context, number);
    nearest nearest = {.context = context, .index = index, .limit = limit * limit};
    if (!is_number(at, index->grid)) {
        refuse(context, number, "the point has a NaN; use numbers");
        return 0;
    }
    if (!(limit >= 0)) {
        refuse(context, number, "the limit is negative or a NaN; use 0 or more");
        return 0;
    }
    if (entities == NULL && count > 0) {
        refuse(context, number, "the array of entities is NULL; pass one for as many as you ask for");
        return 0;
    }
    for (uint32_t i = 0; i < 2 + (uint32_t)index->grid->has_z; i++)
        nearest.at[i] = at[i];
    return find_nearest(&nearest, count, entities);
}
