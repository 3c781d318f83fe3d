// Grids: the table of the kind, the buckets, and the list of cells (internal.h).
#include "lookup/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_BUCKETS = 16, LEAST_CELLS = 16, SEARCHED = 4 };

// ---- points

static bool is_finite(double number)
{
    return number - number == 0;
}

// Reads the cell of a point. False if a coordinate is not finite.
static bool find_cell(const kin__grid *grid, const double at[3], kin__grid_cell *cell)
{
    *cell = (kin__grid_cell){.x = kin__grid_place(at[0], grid->inverse), .y = kin__grid_place(at[1], grid->inverse)};
    if (grid->has_z)
        cell->z = kin__grid_place(at[2], grid->inverse);
    return is_finite(at[0]) && is_finite(at[1]) && (!grid->has_z || is_finite(at[2]));
}

// Reads the point of the entity in a slot, or of a value that is about to replace that of its component.
static void read_point(const kin_context *context, const kin__grid *grid, uint32_t slot, const void *value,
                       double at[3])
{
    for (uint32_t i = 0; i < 2 + (uint32_t)grid->has_z; i++) {
        const kin__grid_part *part = &grid->parts[i];
        const void *address = value != NULL ? (const char *)value + part->in_value
                                            : kin__value_part(context, slot, grid->component, part->in_value);
        at[i] = kin__grid_number(address, part->type);
    }
}

// ---- buckets

static bool is_unsorted(const kin__grid *grid, uint32_t bucket)
{
    return (grid->unsorted[bucket / 64] >> bucket % 64 & 1) != 0;
}

static void mark(kin__grid *grid, uint32_t bucket, bool unsorted)
{
    if (is_unsorted(grid, bucket) == unsorted)
        return;
    grid->unsorted[bucket / 64] ^= kin__bit_of(bucket);
    grid->unsorted_count += unsorted ? 1 : UINT32_MAX;
}

static kin__grid_record *linked(const kin__index *index, uint32_t link)
{
    KIN_ASSERT(link > 0);
    return kin__grid_record_of(index, link - 1);
}

// Puts a record before the one that `next` names, which is in the bucket; 0: behind the last one.
static void link_before(const kin__index *index, uint32_t bucket, uint32_t link, uint32_t next)
{
    kin__grid *grid = index->grid;
    kin__grid_record *record = linked(index, link);
    uint32_t head = grid->heads[bucket];
    KIN_ASSERT(head != 0);
    kin__grid_record *after = linked(index, next != 0 ? next : head);
    record->next = next;
    record->previous = after->previous;
    after->previous = link;
    if (next == head)
        grid->heads[bucket] = link;
    else
        linked(index, record->previous)->next = link;
}

// Returns the record of a sorted bucket before which one belongs, 0 for the end. Sets `*found` to false if a longer
// search would have to find it.
static uint32_t find_place(const kin__index *index, uint32_t bucket, uint32_t link, bool *found)
{
    uint32_t at = index->grid->heads[bucket];
    *found = true;
    if (linked(index, at)->previous < link)
        return 0;
    for (uint32_t i = 0; i < SEARCHED; i++, at = linked(index, at)->next)
        if (at > link)
            return at;
    *found = false;
    return index->grid->heads[bucket];
}

static void link_record(const kin__index *index, uint32_t slot)
{
    kin__grid *grid = index->grid;
    kin__grid_record *record = kin__grid_record_of(index, slot);
    kin__grid_cell cell = kin__grid_cell_of(grid, record);
    uint32_t bucket = kin__grid_bucket(grid, kin__grid_row(grid, cell.y, cell.z), cell.x);
    uint32_t link = slot + 1;
    bool found = true;
    if (grid->heads[bucket] == 0) {
        grid->heads[bucket] = record->previous = link;
        record->next = 0;
    } else if (is_unsorted(grid, bucket)) {
        link_before(index, bucket, link, grid->heads[bucket]);
    } else {
        uint32_t next = find_place(index, bucket, link, &found);
        link_before(index, bucket, link, next);
        mark(grid, bucket, !found);
    }
    grid->version++;
}

static void unlink_record(const kin__index *index, uint32_t slot)
{
    kin__grid *grid = index->grid;
    kin__grid_record *record = kin__grid_record_of(index, slot);
    kin__grid_cell cell = kin__grid_cell_of(grid, record);
    uint32_t bucket = kin__grid_bucket(grid, kin__grid_row(grid, cell.y, cell.z), cell.x);
    uint32_t head = grid->heads[bucket];
    KIN_ASSERT(record->previous != 0 && head != 0);
    if (head == slot + 1)
        grid->heads[bucket] = record->next;
    else
        linked(index, record->previous)->next = record->next;
    uint32_t follower = record->next != 0 ? record->next : grid->heads[bucket];
    if (follower != 0)
        linked(index, follower)->previous = record->previous;
    else
        mark(grid, bucket, false);
    record->next = record->previous = 0;
    grid->version++;
}

// ---- sorting a bucket

// Merges two lists of records, each in ascending slot. They have no `previous`.
static uint32_t merge(const kin__index *index, uint32_t a, uint32_t b)
{
    uint32_t first = 0;
    uint32_t *end = &first;
    while (a != 0 && b != 0) {
        uint32_t *lower = a < b ? &a : &b;
        *end = *lower;
        end = &linked(index, *lower)->next;
        *lower = *end;
    }
    *end = a != 0 ? a : b;
    return first;
}

// Takes a run of ascending or descending slots from a list; returns it in ascending order.
static uint32_t take_run(const kin__index *index, uint32_t *list)
{
    uint32_t first = *list;
    uint32_t last = first;
    uint32_t next = linked(index, first)->next;
    bool is_descending = next != 0 && next < first;
    while (next != 0 && (next < last) == is_descending) {
        uint32_t after = linked(index, next)->next;
        linked(index, is_descending ? next : last)->next = is_descending ? last : next;
        last = next;
        next = after;
    }
    *list = next;
    linked(index, is_descending ? first : last)->next = 0;
    return is_descending ? last : first;
}

// Merges runs of a length with those of the same, as bits are carried in a sum.
void kin__grid_sort(const kin__index *index, uint32_t bucket)
{
    uint32_t sorted[32] = {0};
    kin__grid *grid = index->grid;
    if (!is_unsorted(grid, bucket))
        return;
    uint32_t all = 0;
    for (uint32_t list = grid->heads[bucket]; list != 0;) {
        uint32_t run = take_run(index, &list);
        uint32_t i = 0;
        for (; i < 31 && sorted[i] != 0; i++) {
            run = merge(index, sorted[i], run);
            sorted[i] = 0;
        }
        sorted[i] = sorted[i] == 0 ? run : merge(index, sorted[i], run);
    }
    for (uint32_t i = 0; i < 32; i++)
        if (sorted[i] != 0)
            all = merge(index, sorted[i], all);
    uint32_t last = 0;
    for (uint32_t at = all; at != 0; at = linked(index, at)->next) {
        linked(index, at)->previous = last;
        last = at;
    }
    linked(index, all)->previous = last;
    grid->heads[bucket] = all;
    mark(grid, bucket, false);
}

void kin__grids_sort(kin_context *context)
{
    for (uint32_t i = 0; context->core->indices != NULL && i < context->info->index_count; i++) {
        const kin__index *index = &context->core->indices->indices[i];
        const kin__grid *grid = index->grid;
        for (uint32_t word = 0; grid != NULL && grid->unsorted_count > 0 && word <= grid->mask / 64; word++)
            for (uint64_t bits = grid->unsorted[word]; bits != 0; bits &= bits - 1)
                kin__grid_sort(index, word * 64 + kin__lowest_bit(bits));
    }
}

// ---- the list of cells

static uint32_t recent_limit(const kin__grid *grid)
{
    return kin__min_32(grid->cell_capacity, KIN__GRID_RECENT);
}

// Inserts a cell in which an entity is filed now, or forgets the list if it has too many such.
static void list_cell(kin__grid *grid, kin__grid_cell cell)
{
    kin__grid_cell *recent = grid->cells + grid->cell_capacity;
    uint32_t at = grid->recent_count;
    grid->listing++;
    if (at == recent_limit(grid)) {
        grid->is_listed = false;
        return;
    }
    while (at > 0 && kin__grid_compare(cell, recent[at - 1]) < 0)
        at--;
    if (at > 0 && kin__grid_compare(cell, recent[at - 1]) == 0)
        return;
    memmove(recent + at + 1, recent + at, (grid->recent_count - at) * sizeof *recent);
    recent[at] = cell;
    grid->recent_count++;
}

// Whether a neighbour in its bucket shows that the cell of a record is listed.
static bool is_known(const kin__index *index, const kin__grid_record *record)
{
    const kin__grid *grid = index->grid;
    kin__grid_cell cell = kin__grid_cell_of(grid, record);
    const kin__grid_record *previous = linked(index, record->previous);
    if (previous != record && kin__grid_is_in(grid, previous, cell))
        return true;
    return record->next != 0 && kin__grid_is_in(grid, linked(index, record->next), cell);
}

static uint32_t key_of(kin__grid_cell cell, uint32_t coordinate)
{
    int32_t places[3] = {cell.x, cell.y, cell.z};
    return (uint32_t)places[coordinate] ^ UINT32_C(1) << 31;
}

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

// Sorts cells by one digit of a coordinate, stably. Returns whether they are in `to` now: if all have the same digit,
// they are not moved.
static bool sort_by_digit(const kin__grid_cell *from, kin__grid_cell *to, uint32_t count, uint32_t coordinate,
                          uint32_t shift)
{
    uint32_t ends[DIGITS] = {0};
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; i++)
        ends[key_of(from[i], coordinate) >> shift & (DIGITS - 1)]++;
    if (ends[key_of(from[0], coordinate) >> shift & (DIGITS - 1)] == count)
        return false;
    for (uint32_t i = 0; i < DIGITS; i++) {
        uint32_t begin = end;
        end += ends[i];
        ends[i] = begin;
    }
    for (uint32_t i = 0; i < count; i++)
        to[ends[key_of(from[i], coordinate) >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

static void sort_cells(kin__grid *grid, uint32_t count)
{
    kin__grid_cell *cells = grid->cells;
    kin__grid_cell *others = grid->cells + grid->cell_capacity;
    for (uint32_t coordinate = 0; count > 0 && coordinate < 3; coordinate++)
        for (uint32_t shift = 0; shift < 32; shift += DIGIT)
            if (sort_by_digit(cells, others, count, coordinate, shift)) {
                kin__grid_cell *sorted = others;
                others = cells;
                cells = sorted;
            }
    grid->cell_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || kin__grid_compare(cells[i], cells[i - 1]) != 0)
            grid->cells[grid->cell_count++] = cells[i];
}

// Appends the cells of a chunk in which entities are filed, some of them more than once.
static uint32_t append_cells(const kin__index *index, uint32_t number, uint32_t count)
{
    const kin__grid *grid = index->grid;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        const kin__grid_record *record = kin__grid_record_of(index, number * KIN__CHUNK_SLOTS + place);
        if (record->previous == 0)
            continue;
        kin__grid_cell cell = kin__grid_cell_of(grid, record);
        if (count == 0 || kin__grid_compare(grid->cells[count - 1], cell) != 0)
            grid->cells[count++] = cell;
    }
    return count;
}

static void list_cells(const kin__index *index)
{
    kin__grid *grid = index->grid;
    uint32_t count = 0;
    for (uint32_t number = 0; number < index->block_count; number++)
        if (kin__index_has_block(index, number * KIN__CHUNK_SLOTS))
            count = append_cells(index, number, count);
    KIN_ASSERT(count <= grid->cell_capacity);
    sort_cells(grid, count);
    grid->recent_count = 0;
    grid->listing++;
    grid->is_listed = true;
}

// Whether many listed cells may be empty.
static bool is_sparse(const kin__grid *grid)
{
    return (grid->cell_count + grid->recent_count) / 4 > grid->count + LEAST_CELLS;
}

void kin__grid_list(const kin_context *context, const kin__index *index)
{
    kin__grid *grid = index->grid;
    bool is_shared = kin__context_is_shared(context);
    if (is_shared)
        kin__lock_acquire(&grid->lock);
    if (!grid->is_listed || (!is_shared && is_sparse(grid)))
        list_cells(index);
    if (is_shared)
        kin__lock_release(&grid->lock);
}

// ---- filing

// Files an entity that matches under its point, and counts it as lost if it has none. Returns whether it was moved.
static bool file(const kin__index *index, uint32_t slot, const double at[3], bool was_lost)
{
    kin__grid *grid = index->grid;
    kin__grid_record *record = kin__grid_record_of(index, slot);
    kin__grid_cell cell;
    bool has_cell = find_cell(grid, at, &cell);
    bool was_filed = record->previous != 0;
    KIN_ASSERT(!was_filed || !was_lost);
    if ((was_filed && has_cell && kin__grid_is_in(grid, record, cell)) || (was_lost && !has_cell))
        return false;
    if (was_filed)
        unlink_record(index, slot);
    grid->lost += (uint32_t)!has_cell - (uint32_t)was_lost;
    grid->count += (uint32_t)has_cell - (uint32_t)was_filed;
    if (!has_cell)
        return true;
    record->x = cell.x;
    record->y = cell.y;
    if (grid->has_z)
        record->z = cell.z;
    link_record(index, slot);
    if (grid->is_listed && !is_known(index, record))
        list_cell(grid, cell);
    return true;
}

// Takes out an entity that matched.
static void take_out(const kin__index *index, uint32_t slot)
{
    kin__grid *grid = index->grid;
    bool is_filed = kin__grid_has(index, slot);
    KIN_ASSERT(is_filed ? grid->count > 0 : grid->lost > 0);
    if (is_filed)
        unlink_record(index, slot);
    grid->count -= is_filed;
    grid->lost -= !is_filed;
}

// ---- the table

static kin__grid_part part_of(const kin_component_info *info, const kin__leaf *leaf)
{
    kin__grid_part part = {
        .offset = leaf->offset, .stride = info->size, .in_value = leaf->offset, .type = (kin_type)leaf->type};
    if (!info->is_soa)
        return part;
    part.offset = 0;
    const kin_field_info *field = info->fields;
    for (; leaf->offset >= field->offset + field->size; field++)
        part.offset += KIN__CHUNK_SLOTS * field->size;
    part.offset += leaf->offset - field->offset;
    part.stride = field->size;
    return part;
}

static bool make_buckets(kin__memory *memory, kin__grid *grid, uint64_t count)
{
    grid->mask = (uint32_t)(count - 1);
    grid->unsorted_count = 0;
    grid->heads = kin__allocate_zero(memory, kin__bytes_of((uint32_t)count, sizeof *grid->heads));
    grid->unsorted = kin__allocate_zero(memory, ((size_t)grid->mask / 64 + 1) * sizeof *grid->unsorted);
    return grid->heads != NULL && grid->unsorted != NULL;
}

static void release_buckets(kin__memory *memory, const kin__grid *grid)
{
    kin__release(memory, grid->heads, ((size_t)grid->mask + 1) * sizeof *grid->heads);
    kin__release(memory, grid->unsorted, ((size_t)grid->mask / 64 + 1) * sizeof *grid->unsorted);
}

static bool make_cells(kin__memory *memory, kin__grid *grid, uint32_t capacity)
{
    grid->cell_capacity = capacity;
    grid->cells = kin__allocate(memory, kin__bytes_of(capacity, 2 * sizeof *grid->cells));
    return grid->cells != NULL;
}

static void release_cells(kin__memory *memory, const kin__grid *grid)
{
    kin__release(memory, grid->cells, kin__bytes_of(grid->cell_capacity, 2 * sizeof *grid->cells));
}

static bool make(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__grid *grid = kin__allocate_zero(memory, sizeof *grid);
    if (grid == NULL)
        return false;
    const kin_component_info *info = &context->info->components[index->leaves[0].component];
    index->grid = grid;
    kin__lock_init(&grid->lock);
    grid->version = grid->listing = 1;
    grid->inverse = 1 / index->info->cell;
    grid->component = index->leaves[0].component;
    grid->has_z = index->leaf_count == 3;
    grid->is_direct = !info->is_boxed;
    grid->is_float = true;
    memcpy(grid->factors, context->core->factors, sizeof grid->factors);
    KIN_ASSERT(index->leaf_count == 2 || index->leaf_count == 3);
    for (uint32_t i = 0; i < index->leaf_count; i++) {
        grid->parts[i] = part_of(info, &index->leaves[i]);
        grid->is_float = grid->is_float && grid->parts[i].type == KIN_TYPE_FLOAT;
    }
    index->slot_size = grid->has_z ? sizeof(kin__grid_record) : offsetof(kin__grid_record, z);
    return make_buckets(memory, grid, LEAST_BUCKETS) && make_cells(memory, grid, LEAST_CELLS);
}

static void release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    if (index->grid == NULL)
        return;
    release_buckets(memory, index->grid);
    release_cells(memory, index->grid);
    kin__release(memory, index->grid, sizeof *index->grid);
    index->grid = NULL;
}

// ---- room

static uint64_t power_for(uint64_t from, uint32_t least)
{
    while (from < least)
        from *= 2;
    return from;
}

// Moves the records to other buckets. From the highest slot on, so that each is the first of its bucket.
static void link_all(const kin__index *index)
{
    for (uint32_t number = index->block_count; number-- > 0;)
        for (uint32_t place = KIN__CHUNK_SLOTS; place-- > 0;) {
            uint32_t slot = number * KIN__CHUNK_SLOTS + place;
            if (!kin__index_has_block(index, slot))
                break;
            if (kin__grid_record_of(index, slot)->previous != 0)
                link_record(index, slot);
        }
}

static bool resize_buckets(kin__memory *memory, const kin__index *index, uint64_t count)
{
    kin__grid *grid = index->grid;
    kin__grid resized = {.mask = 0};
    if (!make_buckets(memory, &resized, count)) {
        release_buckets(memory, &resized);
        return false;
    }
    release_buckets(memory, grid);
    grid->heads = resized.heads;
    grid->unsorted = resized.unsorted;
    grid->mask = resized.mask;
    grid->unsorted_count = 0;
    link_all(index);
    return true;
}

// Moves the list of cells to other memory, without what is recent.
static bool resize_cells(kin__memory *memory, kin__grid *grid, uint32_t capacity)
{
    kin__grid resized = {.mask = 0};
    if (!make_cells(memory, &resized, capacity))
        return false;
    bool fits = grid->is_listed && grid->recent_count == 0 && grid->cell_count <= capacity;
    if (fits)
        memcpy(resized.cells, grid->cells, grid->cell_count * sizeof *grid->cells);
    release_cells(memory, grid);
    grid->cells = resized.cells;
    grid->cell_capacity = capacity;
    grid->is_listed = fits;
    grid->listing++;
    return true;
}

static bool reserve_room(kin_context *context, const kin__index *index, uint32_t least)
{
    kin__memory *memory = &context->core->index_memory;
    kin__grid *grid = index->grid;
    uint64_t buckets = power_for((uint64_t)grid->mask + 1, least);
    if (buckets > (uint64_t)grid->mask + 1 && !resize_buckets(memory, index, buckets))
        return false;
    return least <= grid->cell_capacity || resize_cells(memory, grid, (uint32_t)power_for(grid->cell_capacity, least));
}

static bool reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count)
{
    return kin__index_reserve_block(context, index, slot) && reserve_room(context, index, index->potential + count);
}

static void trim(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__grid *grid = index->grid;
    uint64_t buckets = power_for(LEAST_BUCKETS, index->potential);
    uint32_t cells = (uint32_t)power_for(LEAST_CELLS, index->potential);
    kin__index_trim_blocks(context, index);
    if (buckets < (uint64_t)grid->mask + 1)
        resize_buckets(memory, index, buckets);
    if (cells < grid->cell_capacity)
        resize_cells(memory, grid, cells);
    kin__array_release(memory, &index->marks, sizeof(uint64_t));
}

static size_t used(const kin_context *context, const kin__index *index)
{
    (void)context;
    const kin__grid *grid = index->grid;
    return sizeof *grid + grid->count * (sizeof *grid->heads + 2 * sizeof *grid->cells + index->slot_size);
}

// ---- changes

static void insert(kin_context *context, kin__index *index, kin_entity entity)
{
    double at[3];
    read_point(context, index->grid, kin_entity_slot(entity), NULL, at);
    file(index, kin_entity_slot(entity), at, false);
}

static void update(kin_context *context, kin__index *index, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    kin__step_rows rows = kin__index_step_rows(context, step);
    bool matched = kin__index_holds(context, index, rows.before);
    bool matches = kin__index_holds(context, index, rows.after);
    double at[3];
    index->potential +=
        (uint32_t)kin__index_may_hold(index, rows.after) - (uint32_t)kin__index_may_hold(index, rows.before);
    if (matched && !matches)
        take_out(index, slot);
    if (!matches)
        return;
    const void *value = step->id == index->grid->component ? step->value : NULL;
    read_point(context, index->grid, slot, value, at);
    file(index, slot, at, matched && !kin__grid_has(index, slot));
}

static void remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row)
{
    KIN_ASSERT(index->potential > 0);
    index->potential--;
    if (kin__index_holds(context, index, row))
        take_out(index, kin_entity_slot(entity));
}

// ---- refreshing

// Files the entity of a slot again, which has the component.
static uint32_t refresh_slot(const kin_context *context, const kin__index *index, uint32_t slot)
{
    const kin__grid *grid = index->grid;
    bool is_filed = kin__grid_has(index, slot);
    double at[3];
    if (!is_filed && (grid->lost == 0 || !kin__index_holds(context, index, kin__row_of(context, slot))))
        return 0;
    read_point(context, grid, slot, NULL, at);
    return file(index, slot, at, !is_filed);
}

// The places of a word whose entities have the component.
typedef struct places {
    const kin__column *column;
    uint32_t first; // in the chunk
    uint64_t bits;
} places;

// Returns whether a coordinate, in cells, is surely in a cell: the difference is 0 or more, and below 1. As bits such
// numbers are below those of 1, and negative ones, infinities and NaN are above. So no cell is computed.
static inline bool is_within(double place, int32_t cell)
{
    static const double one = 1;
    double difference = place - cell;
    uint64_t bits, limit;
    memcpy(&bits, &difference, sizeof bits);
    memcpy(&limit, &one, sizeof limit);
    return bits < limit;
}

// Returns those that may not be filed in the cell of their point. Points of two floats.
static uint64_t find_moved_flat(const kin__grid *grid, const char *records, places places)
{
    const double inverse = grid->inverse;
    const size_t strides[2] = {grid->parts[0].stride, grid->parts[1].stride};
    const char *x_values = kin__grid_address(places.column, &grid->parts[0], places.first);
    const char *y_values = kin__grid_address(places.column, &grid->parts[1], places.first);
    uint64_t moved = 0;
    for (uint32_t i = 0; i < 64; i++) { // a place that is not in use is compared, too
        float x, y;
        memcpy(&x, x_values + i * strides[0], sizeof x);
        memcpy(&y, y_values + i * strides[1], sizeof y);
        const kin__grid_record *record = (const void *)(records + i * offsetof(kin__grid_record, z));
        bool is_same = is_within(x * inverse, record->x);
        is_same &= is_within(y * inverse, record->y);
        is_same &= record->previous != 0;
        moved |= (uint64_t)!is_same << i;
    }
    return moved & places.bits;
}

static uint32_t refresh_word(const kin_context *context, const kin__index *index, uint32_t slot, places places)
{
    const kin__grid *grid = index->grid;
    uint64_t moved = places.bits;
    uint32_t count = 0;
    if (grid->is_direct && grid->is_float && !grid->has_z)
        moved = find_moved_flat(grid, kin__index_slot_data(index, slot), places);
    for (uint64_t bits = moved; bits != 0; bits &= bits - 1)
        count += refresh_slot(context, index, slot + kin__lowest_bit(bits));
    return count;
}

static uint32_t refresh(kin_context *context, kin__index *index)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot += 64) {
        places places = {.column = kin__column_of(context, slot, index->grid->component),
                         .first = slot % KIN__CHUNK_SLOTS};
        places.bits = places.column->has[places.first / 64];
        if (places.bits != 0 && kin__index_has_block(index, slot))
            count += refresh_word(context, index, slot, places);
    }
    return count;
}

// ---- restoring

static bool restore_reserve(kin_context *context, kin__index *index, const uint32_t *holders,
                            const unsigned char **saved)
{
    (void)saved;
    uint32_t least = kin__max_32(holders[index->grid->component], index->potential);
    return kin__index_reserve_marks(context, index) && kin__index_reserve_blocks(context, index) &&
           reserve_room(context, index, least);
}

static void clear(kin_context *context, kin__index *index)
{
    (void)context;
    kin__grid *grid = index->grid;
    void **blocks = index->blocks.elements;
    for (uint32_t i = 0; i < index->block_count; i++)
        if (blocks[i] != NULL)
            memset(blocks[i], 0, KIN__CHUNK_SLOTS * index->slot_size);
    memset(grid->heads, 0, ((size_t)grid->mask + 1) * sizeof *grid->heads);
    memset(grid->unsorted, 0, ((size_t)grid->mask / 64 + 1) * sizeof *grid->unsorted);
    grid->unsorted_count = grid->count = grid->lost = index->potential = 0;
    grid->is_listed = false;
    grid->version++;
    grid->listing++;
}

// ---- looking

static uint32_t count_entries(const kin_context *context, const kin__index *index)
{
    (void)context;
    return index->grid->count;
}

// Returns how many entities are filed in a cell of a sorted bucket.
static uint32_t count_in_cell(const kin__index *index, uint32_t bucket, kin__grid_cell cell)
{
    uint32_t count = 0;
    for (uint32_t at = index->grid->heads[bucket]; at != 0; at = linked(index, at)->next)
        count += kin__grid_is_in(index->grid, linked(index, at), cell);
    return count;
}

// The key of an entry is the cell.
static void visit_cell(const kin_context *context, const kin__index *index, kin__grid_cell cell,
                       kin_index_visitor *visit, void *user)
{
    const kin__grid *grid = index->grid;
    char key[64];
    uint32_t bucket = kin__grid_bucket(grid, kin__grid_row(grid, cell.y, cell.z), cell.x);
    kin__grid_sort(index, bucket);
    kin_index_entry entry = {.key = key, .count = count_in_cell(index, bucket, cell)};
    if (grid->has_z)
        snprintf(key, sizeof key, "(%" PRId32 ", %" PRId32 ", %" PRId32 ")", cell.x, cell.y, cell.z);
    else
        snprintf(key, sizeof key, "(%" PRId32 ", %" PRId32 ")", cell.x, cell.y);
    for (uint32_t at = grid->heads[bucket]; at != 0; at = linked(index, at)->next) {
        if (!kin__grid_is_in(grid, linked(index, at), cell))
            continue;
        entry.entity = kin__chunk_of_slot(context, at - 1)->ids[(at - 1) % KIN__CHUNK_SLOTS];
        visit(&entry, user);
        entry.place++;
    }
}

// Visits the listed cells and the recent ones in one order. The visitor changes nothing, so that both stay; threads
// that share the context may walk at once.
static void visit_entries(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user)
{
    const kin__grid *grid = index->grid;
    kin__grid_list(context, index);
    const kin__grid_cell *cell = grid->cells;
    const kin__grid_cell *recent = grid->cells + grid->cell_capacity;
    const kin__grid_cell *end = cell + grid->cell_count;
    const kin__grid_cell *recent_end = recent + grid->recent_count;
    while (cell < end || recent < recent_end) {
        int order = cell < end ? -1 : 1;
        if (cell < end && recent < recent_end)
            order = kin__grid_compare(*cell, *recent);
        visit_cell(context, index, order <= 0 ? *cell : *recent, visit, user);
        cell += order <= 0;
        recent += order >= 0;
    }
}

// ---- validation

// Invariants 2 and 3, and 4 for the entities of a bucket. Returns how many it has; UINT32_MAX if one is broken.
static uint32_t check_bucket(const kin__index *index, uint32_t bucket)
{
    const kin__grid *grid = index->grid;
    uint32_t last = 0;
    uint32_t count = 0;
    for (uint32_t at = grid->heads[bucket]; at != 0; at = linked(index, at)->next) {
        const kin__grid_record *record = linked(index, at);
        kin__grid_cell cell = kin__grid_cell_of(grid, record);
        bool is_linked = last == 0 || record->previous == last;
        bool is_placed = kin__grid_bucket(grid, kin__grid_row(grid, cell.y, cell.z), cell.x) == bucket;
        if (!is_linked || !is_placed || (!is_unsorted(grid, bucket) && at <= last))
            return UINT32_MAX;
        last = at;
        count++;
    }
    bool is_closed = last == 0 || linked(index, grid->heads[bucket])->previous == last;
    return is_closed ? count : UINT32_MAX;
}

static bool are_buckets_valid(const kin__index *index)
{
    const kin__grid *grid = index->grid;
    uint64_t count = 0;
    uint32_t unsorted = 0;
    for (uint32_t bucket = 0; bucket <= grid->mask; bucket++) {
        count += check_bucket(index, bucket);
        unsorted += is_unsorted(grid, bucket);
    }
    return count == grid->count && unsorted == grid->unsorted_count;
}

static bool has_cell(const kin__grid_cell *cells, uint32_t count, kin__grid_cell cell)
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        int order = kin__grid_compare(cells[middle], cell);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return false;
}

// Invariant 1 for a slot, and 4. `entity` 0: it has none.
static bool is_slot_valid(const kin_context *context, const kin__index *index, uint32_t slot, kin_entity entity)
{
    const kin__grid *grid = index->grid;
    bool has = kin__grid_has(index, slot);
    if (has && grid->is_listed) {
        kin__grid_cell cell = kin__grid_cell_of(grid, kin__grid_record_of(index, slot));
        if (!has_cell(grid->cells, grid->cell_count, cell) &&
            !has_cell(grid->cells + grid->cell_capacity, grid->recent_count, cell))
            return false;
    }
    return !has || (entity != 0 && kin__index_holds(context, index, kin__row_of(context, slot)));
}

static bool is_valid(const kin_context *context, const kin__index *index)
{
    const kin__grid *grid = index->grid;
    uint32_t potential = 0;
    uint32_t members = 0;
    uint32_t filed = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (kin_entity_creation_index(entity) == 0)
            entity = 0;
        const uint64_t *row = kin__row_of(context, slot);
        potential += entity != 0 && kin__index_may_hold(index, row);
        members += entity != 0 && kin__index_holds(context, index, row);
        filed += kin__grid_has(index, slot);
        if (!is_slot_valid(context, index, slot, entity))
            return false;
    }
    bool has_room = potential <= (uint64_t)grid->mask + 1 && potential <= grid->cell_capacity;
    bool are_counted = filed == grid->count && members == grid->count + grid->lost;
    return potential == index->potential && has_room && are_counted && are_buckets_valid(index);
}

const kin__index_kind kin__grid_index = {
    .make = make,
    .release = release,
    .reserve = reserve,
    .update = update,
    .remove = remove_entity,
    .insert = insert,
    .refresh = refresh,
    .restore_reserve = restore_reserve,
    .clear = clear,
    .fill = kin__index_fill,
    .count = count_entries,
    .walk = visit_entries,
    .trim = trim,
    .used = used,
    .is_valid = is_valid,
};
