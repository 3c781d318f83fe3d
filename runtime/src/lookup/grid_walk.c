// Grids: walks, pairs and the nearest entities (kin/generated/grid.h).
//
// Distances are computed in double from the present values: an entity is near if the sum of the squares of the
// differences is at most the square of the radius. A walk visits the cells in which such entities can be filed: the
// bounds are a few ulps wider than the circle, as the differences are rounded.
#include "lookup/internal.h"

#include <float.h>
#include <math.h>

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

static void stand_before(kin__grid_walk *walk, kin__grid_cell cell)
{
    walk->cell = cell;
    walk->slot = walk->next = walk->before = 0;
}

// Returns the first slot + 1 of the bucket of the cell where the walk is.
static inline uint32_t enter_cell(const kin__index *index, const kin__grid_walk *walk)
{
    const kin__grid *grid = index->grid;
    uint32_t bucket = kin__grid_bucket(grid, walk->row, walk->cell.x);
    if (grid->unsorted_count > 0)
        kin__grid_sort(index, bucket);
    return grid->heads[bucket];
}

static inline void find_row(const kin__grid *grid, kin__grid_walk *walk)
{
    walk->row = kin__grid_row(grid, walk->cell.y, walk->cell.z);
}

static bool next_cell(const kin__grid *grid, kin__grid_walk *walk)
{
    kin__grid_cell cell = walk->cell;
    if (cell.x < walk->high_cell.x) {
        cell.x++;
        stand_before(walk, cell);
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
    stand_before(walk, cell);
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

// Moves the walk to the first listed cell that is not below `from`.
static bool enter_listed(const kin__index *index, kin__grid_walk *walk, bool passes)
{
    const kin__grid *grid = index->grid;
    if (walk->listing == 0 || walk->listing != grid->listing) {
        kin__grid_list(walk->context, index);
        find_places(grid, walk);
    }
    if (passes)
        pass_listed(grid, walk, walk->cell);
    for (const kin__grid_cell *at; (at = listed_cell(grid, walk)) != NULL; pass_listed(grid, walk, *at)) {
        if (at->z > walk->high_cell.z)
            return false;
        if (!is_between(at->x, walk->low_cell.x, walk->high_cell.x) ||
            !is_between(at->y, walk->low_cell.y, walk->high_cell.y))
            continue;
        bool stays = kin__grid_compare(*at, walk->cell) == 0;
        if (!stays)
            stand_before(walk, *at);
        find_row(grid, walk);
        return true;
    }
    return false;
}

// ---- steps

// Returns the slot + 1 from which the walk goes on in its cell after a change. `before` is set to the one before it if
// that is known, so that a long list is not walked again.
static uint32_t resume(const kin__index *index, const kin__grid_walk *walk, uint32_t *before)
{
    const kin__grid *grid = index->grid;
    uint32_t at = enter_cell(index, walk);
    uint32_t known[2] = {walk->before, walk->slot};
    *before = 0;
    for (uint32_t i = 0; i < 2; i++) { // the second one is nearer, if it is still there
        if (known[i] == 0 || !kin__grid_has(index, known[i] - 1))
            continue;
        const kin__grid_record *record = kin__grid_record_of(index, known[i] - 1);
        if (!kin__grid_is_in(grid, record, walk->cell))
            continue;
        at = record->next;
        *before = known[i];
    }
    while (at != 0 && at <= walk->slot)
        at = kin__grid_record_of(index, at - 1)->next;
    return at;
}

static inline kin_entity stop_at(kin__grid_walk *walk, const kin__grid *grid, uint32_t at, uint32_t next)
{
    walk->slot = at;
    walk->next = next;
    walk->version = grid->version;
    return entity_of(walk->context, at - 1);
}

static inline bool is_in_flat_box(const kin__grid_walk *walk, const float numbers[2])
{
    bool is_right = numbers[0] >= walk->at[0] && numbers[0] <= walk->high[0];
    return is_right && numbers[1] >= walk->at[1] && numbers[1] <= walk->high[1];
}

// Returns the next entity of a walk through bounds, among points of two floats, from `at` on, which is a slot + 1. Most
// of the time of look-ups is here, so it keeps all in registers, and there is one for circles and one for boxes.
static inline kin_entity step_flat(const kin__index *index, kin__grid_walk *walk, uint32_t at, uint32_t before,
                                   bool is_box)
{
    const kin__grid *grid = index->grid;
    char *const *blocks = index->blocks.elements;
    kin__column *const *columns = kin__component_of(walk->context, grid->component)->columns;
    const kin__grid_part parts[2] = {grid->parts[0], grid->parts[1]};
    const double point[2] = {walk->at[0], walk->at[1]};
    const double limit = walk->limit;
    kin__grid_cell cell = walk->cell;
    uint32_t row = walk->row;
    for (;;) {
        while (at != 0) {
            uint32_t chunk = (at - 1) / KIN__CHUNK_SLOTS;
            uint32_t place = (at - 1) % KIN__CHUNK_SLOTS;
            const kin__grid_record *record = (const void *)(blocks[chunk] + place * offsetof(kin__grid_record, z));
            if (record->x == cell.x && record->y == cell.y) {
                float numbers[2];
                memcpy(&numbers[0], kin__grid_address(columns[chunk], &parts[0], place), sizeof *numbers);
                memcpy(&numbers[1], kin__grid_address(columns[chunk], &parts[1], place), sizeof *numbers);
                double off_x = numbers[0] - point[0];
                double off_y = numbers[1] - point[1];
                double square = off_x * off_x + off_y * off_y;
                bool is_wanted = is_box ? is_in_flat_box(walk, numbers) : square <= limit;
                if (is_wanted) {
                    walk->distance_squared = is_box ? 0 : square;
                    walk->cell = cell;
                    walk->row = row;
                    walk->before = before;
                    return stop_at(walk, grid, at, record->next);
                }
                before = at;
            }
            at = record->next;
        }
        if (cell.x < walk->high_cell.x) {
            cell.x++;
        } else if (cell.y < walk->high_cell.y) {
            cell.x = walk->low_cell.x;
            cell.y++;
            row = kin__grid_row(grid, cell.y, 0);
        } else {
            walk->is_done = true;
            return 0;
        }
        before = 0;
        uint32_t bucket = kin__grid_bucket(grid, row, cell.x);
        if (grid->unsorted_count > 0)
            kin__grid_sort(index, bucket);
        at = grid->heads[bucket];
    }
}

// The same for any walk.
static kin_entity step_any(const kin__index *index, kin__grid_walk *walk, uint32_t at, uint32_t before)
{
    const kin__grid *grid = index->grid;
    for (;; before = 0) {
        while (at != 0) {
            const kin__grid_record *record = kin__grid_record_of(index, at - 1);
            if (kin__grid_is_in(grid, record, walk->cell)) {
                if (is_wanted(walk, grid, at - 1)) {
                    walk->before = before;
                    return stop_at(walk, grid, at, record->next);
                }
                before = at;
            }
            at = record->next;
        }
        walk->is_done = walk->is_listed ? !enter_listed(index, walk, true) : !next_cell(grid, walk);
        if (walk->is_done)
            return 0;
        at = enter_cell(index, walk);
    }
}

kin_entity kin__grid_next(kin__grid_walk *walk)
{
    if (walk->is_done)
        return 0;
    const kin__index *index = &walk->context->core->indices->indices[walk->index];
    const kin__grid *grid = index->grid;
    uint32_t before = walk->slot;
    uint32_t at = walk->version == grid->version ? walk->next : resume(index, walk, &before);
    if (!is_flat(grid) || walk->is_listed)
        return step_any(index, walk, at, before);
    if (walk->is_box)
        return step_flat(index, walk, at, before, true);
    return step_flat(index, walk, at, before, false);
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
    stand_before(walk, cell);
    find_row(grid, walk);
}

// Begins a walk through the cells of its bounds, at the first one or after a cell and slot.
static void begin(const kin__index *index, kin__grid_walk *walk, const kin__grid_cell *after, uint32_t slot)
{
    const kin__grid *grid = index->grid;
    walk->version = walk->listing = 0;
    walk->is_done = false;
    walk->is_listed = has_many_cells(grid, walk->low_cell, walk->high_cell);
    if (after != NULL) {
        enter_bounds(grid, walk, *after);
    } else {
        stand_before(walk, walk->low_cell);
        find_row(grid, walk);
    }
    if (walk->is_done)
        return;
    if (after != NULL && kin__grid_compare(walk->cell, *after) == 0)
        walk->slot = slot + 1;
    if (walk->is_listed)
        walk->is_done = !enter_listed(index, walk, false);
    if (walk->slot > 0 || walk->is_done)
        return;
    walk->next = enter_cell(index, walk);
    walk->version = grid->version;
}

// Sets what all walks have. They are at their end until they begin.
static void set_walk(kin__grid_walk *walk, const kin_context *context, uint32_t number, bool is_box)
{
    walk->context = context;
    walk->index = number;
    walk->at[2] = walk->high[2] = walk->distance_squared = 0;
    walk->is_box = is_box;
    walk->is_done = true;
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

static inline void set_circle(const kin__grid *grid, kin__grid_walk *walk, const double *at, double radius)
{
    const double inverse = grid->inverse;
    double x = bound_of(at[0], radius);
    double y = bound_of(at[1], radius);
    walk->at[0] = at[0];
    walk->at[1] = at[1];
    walk->low_cell = (kin__grid_cell){kin__grid_place(at[0] - x, inverse), kin__grid_place(at[1] - y, inverse), 0};
    walk->high_cell = (kin__grid_cell){kin__grid_place(at[0] + x, inverse), kin__grid_place(at[1] + y, inverse), 0};
    walk->limit = radius * radius;
    if (!grid->has_z)
        return;
    double z = bound_of(at[2], radius);
    walk->at[2] = at[2];
    walk->low_cell.z = kin__grid_place(at[2] - z, inverse);
    walk->high_cell.z = kin__grid_place(at[2] + z, inverse);
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

// Begins the walk of those after the entity at which `outer` is, and near it.
static void begin_inner(const kin__index *index, kin__grid_pairs *pairs)
{
    double at[3];
    read_point(pairs->outer.context, index->grid, pairs->outer.slot - 1, at);
    pairs->inner.is_done = true;
    if (!is_number(at, index->grid))
        return;
    set_circle(index->grid, &pairs->inner, at, pairs->radius);
    begin(index, &pairs->inner, &pairs->outer.cell, pairs->outer.slot - 1);
}

// Whether the first entity is still where the outer walk is. Its present value is the centre of the inner one.
static bool keeps_first(const kin__index *index, kin__grid_pairs *pairs)
{
    const kin__grid_walk *outer = &pairs->outer;
    uint32_t slot = kin_entity_slot(pairs->first);
    bool is_there = outer->version == index->grid->version ||
                    (entity_of(outer->context, slot) == pairs->first && kin__grid_has(index, slot) &&
                     kin__grid_is_in(index->grid, kin__grid_record_of(index, slot), outer->cell));
    if (is_there)
        read_point(outer->context, index->grid, slot, pairs->inner.at);
    return is_there;
}

kin_entity kin__grid_pairs_next(kin__grid_pairs *pairs)
{
    const kin__index *index = index_of(pairs->outer.context, pairs->outer.index);
    for (;;) {
        bool has_first = pairs->first != 0 && !pairs->inner.is_done && keeps_first(index, pairs);
        kin_entity second = has_first ? kin__grid_next(&pairs->inner) : 0;
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
enum { ROUND = 64 };

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
    for (;; cell.x++) {
        uint32_t at = index->grid->heads[kin__grid_bucket(index->grid, row, cell.x)];
        while (at != 0) {
            const kin__grid_record *record = kin__grid_record_of(index, at - 1);
            if (kin__grid_is_in(index->grid, record, cell))
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
    for (int32_t ring = 0;; ring++) {
        if (count_cells(grid, ring) > grid->count + 64.0) {
            nearest->count = 0;
            offer_all(nearest);
            return;
        }
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
