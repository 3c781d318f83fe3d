#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

// ---- the order in the file

// Returns the component of now with a number of the file; NULL if its values have no order. False, with a fault noted,
// if there is none.
static bool find_component(kin__reading *reading, uint32_t number, const kin__component_shape **now)
{
    if (number >= reading->file->component_count)
        return kin__block_reader_fault(reading->blocks, 1307, "there is no component with its number");
    *now = reading->file->components[number].now;
    if (*now != NULL && !(*now)->info->is_shared)
        *now = NULL;
    return true;
}

// Returns the order of a component; NULL, with a fault noted, when out of memory.
static kin__file_order *order_of(kin__reading *reading, kin_component_id id)
{
    if (reading->orders == NULL)
        reading->orders =
            kin__heap_take(&reading->heap, reading->context->info->component_count, sizeof *reading->orders);
    if (reading->orders == NULL)
        return NULL;
    return &reading->orders[id];
}

static bool reserve(kin__reading *reading, kin__file_order *order, uint32_t count)
{
    if (count <= order->capacity)
        return true;
    uint32_t capacity = 2 * count;
    uint32_t *first_uses = kin__heap_take(&reading->heap, capacity, sizeof *first_uses);
    if (first_uses == NULL)
        return false;
    if (order->count > 0)
        memcpy(first_uses, order->first_uses, order->count * sizeof *first_uses);
    order->first_uses = first_uses;
    order->capacity = capacity;
    return true;
}

static bool add_row(kin__reading *reading, kin__file_order *order, kin__decoder *decoder, uint32_t row)
{
    uint32_t first = row * KIN__CHUNK_SLOTS;
    uint32_t count = (uint32_t)(kin__decoder_left(decoder) / sizeof(uint32_t));
    if (count == 0 || count > KIN__CHUNK_SLOTS)
        return kin__block_reader_fault(reading->blocks, 1307, "it has no values, or too many");
    if (first > order->count)
        return kin__block_reader_fault(reading->blocks, 1309, "the row before it is missing or not full");
    if (!reserve(reading, order, first + count))
        return false;
    KIN_ASSERT(first + count <= order->capacity);
    for (uint32_t i = 0; i < count; i++)
        order->first_uses[first + i] = kin__decode_32(decoder);
    if (first + count > order->count || count < KIN__CHUNK_SLOTS)
        order->count = first + count;
    return kin__decoder_end(decoder, reading->blocks);
}

bool kin__shared_order_read(kin__reading *reading, kin__decoder *decoder, uint32_t row)
{
    const kin__component_shape *now = NULL;
    if (!find_component(reading, kin__decode_32(decoder), &now))
        return false;
    if (now == NULL)
        return true;
    kin__file_order *order = order_of(reading, now->id);
    return order != NULL && add_row(reading, order, decoder, row);
}

bool kin__shared_order_cut(kin__reading *reading, uint32_t component, uint32_t row)
{
    const kin__component_shape *now = NULL;
    if (!find_component(reading, component, &now))
        return false;
    if (now != NULL && reading->orders != NULL) {
        kin__file_order *order = &reading->orders[now->id];
        order->count = kin__min_32(order->count, row * KIN__CHUNK_SLOTS);
    }
    return true;
}

bool kin__shared_order_share(kin__reading *reading, const kin__context_snapshot *present, kin_component_id id)
{
    if (kin__shared_rows(present, id) == 0)
        return true;
    kin__part_numbers numbers = kin__part_numbers_of(present, id);
    kin__file_order *order = order_of(reading, id);
    if (order == NULL || !reserve(reading, order, numbers.count))
        return false;
    memcpy(order->first_uses, numbers.first_uses, numbers.count * sizeof *numbers.first_uses);
    order->count = numbers.count;
    return true;
}

// ---- uses

typedef struct use {
    const void *value;
    uint32_t first_use; // as in snapshot/snapshot.h
    bool has_number;
} use;

typedef struct uses {
    use *uses;
    uint32_t count;
} uses;

static int compare_values(const void *one, const void *other)
{
    const use *a = one;
    const use *b = other;
    uintptr_t value = (uintptr_t)a->value;
    uintptr_t others = (uintptr_t)b->value;
    if (value != others)
        return (value > others) - (value < others);
    return (a->first_use > b->first_use) - (a->first_use < b->first_use);
}

static int compare_uses(const void *one, const void *other)
{
    const use *a = one;
    const use *b = other;
    return (a->first_use > b->first_use) - (a->first_use < b->first_use);
}

static void add(uses *uses, const void *value, uint32_t use_at)
{
    if (uses->uses != NULL)
        uses->uses[uses->count] = (use){.value = value, .first_use = use_at};
    uses->count++;
}

// Adds, or only counts, all uses of a component's values.
static void add_uses(const kin__reading *reading, kin_component_id id, uses *uses)
{
    const kin__context_snapshot *part = reading->part;
    size_t at = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++)
            if (kin__bits_have(kin__image_has(image), place))
                add(uses, kin__image_value(part->info, image, place, NULL), chunk * KIN__CHUNK_SLOTS + place);
    }
    for (kin__keepsake *each;
         (each = kin__keepsake_next(reading->context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;)
        if (each->id == id)
            add(uses, *(void *const *)kin__keepsake_value(each), KIN__SHARED_KEPT | each->slot);
}

// Keeps the first use of each value, in order.
static void leave_first(uses *uses)
{
    uint32_t count = 0;
    qsort(uses->uses, uses->count, sizeof *uses->uses, compare_values);
    for (uint32_t i = 0; i < uses->count; i++)
        if (i == 0 || uses->uses[i].value != uses->uses[i - 1].value)
            uses->uses[count++] = uses->uses[i];
    qsort(uses->uses, count, sizeof *uses->uses, compare_uses);
    uses->count = count;
}

static bool find_uses(kin__reading *reading, kin_component_id id, uses *uses)
{
    *uses = (struct uses){NULL, 0};
    add_uses(reading, id, uses);
    if (uses->count == 0)
        return true;
    uses->uses = kin__heap_take(&reading->heap, uses->count, sizeof *uses->uses);
    if (uses->uses == NULL)
        return false;
    uint32_t counted = uses->count;
    uses->count = 0;
    add_uses(reading, id, uses);
    KIN_ASSERT(uses->count == counted);
    (void)counted;
    leave_first(uses);
    return true;
}

// ---- numbers

// The numbers of a component at the end of those of the part.
typedef struct numbering {
    const void **values;
    uint32_t *first_uses;
    uint32_t next; // no lower number is free
} numbering;

static void set_number(const numbering *numbering, uint32_t number, use *use)
{
    KIN_ASSERT(numbering->values[number] == NULL && !use->has_number);
    numbering->values[number] = use->value;
    numbering->first_uses[number] = use->first_use;
    kin__shared_image_pin(use->value);
    use->has_number = true;
}

static void number_ordered(const numbering *numbering, const uses *uses, const kin__file_order *order)
{
    for (uint32_t number = 0; number < order->count; number++) {
        use key = {.first_use = order->first_uses[number]};
        use *found = bsearch(&key, uses->uses, uses->count, sizeof *uses->uses, compare_uses);
        if (found != NULL && !found->has_number)
            set_number(numbering, number, found);
    }
}

static void number_others(numbering *numbering, const uses *uses)
{
    for (uint32_t i = 0; i < uses->count; i++) {
        if (uses->uses[i].has_number)
            continue;
        while (numbering->values[numbering->next] != NULL)
            numbering->next++;
        set_number(numbering, numbering->next, &uses->uses[i]);
    }
}

static bool number_values(kin__reading *reading, kin_component_id id)
{
    kin__context_snapshot *part = reading->part;
    static const kin__file_order none;
    const kin__file_order *order = &none;
    if (reading->orders != NULL)
        order = &reading->orders[id];
    uses uses;
    if (!find_uses(reading, id, &uses))
        return false;
    if (uses.count == 0)
        return true;
    uint32_t room = order->count + uses.count;
    uint32_t first = kin__part_shared_count(part);
    if (!kin__part_reserve_shared(part, first + room) || !kin__shared_images_reserve(reading->context, id))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for shared values; free some and try again");
    numbering numbering = {.values = (const void **)part->shared.at + first,
                           .first_uses = (uint32_t *)part->first_uses.at + first};
    memset(numbering.values, 0, room * sizeof *numbering.values);
    memset(numbering.first_uses, 0xFF, room * sizeof *numbering.first_uses);
    number_ordered(&numbering, &uses, order);
    number_others(&numbering, &uses);
    while (numbering.values[room - 1] == NULL)
        room--;
    KIN_ASSERT(room >= uses.count);
    part->limits[id] = room;
    kin__part_append_shared(part, room);
    return true;
}

bool kin__shared_values_finish(kin__reading *reading)
{
    for (uint32_t id = 0; id < reading->context->info->component_count; id++)
        if (kin__is_shared(reading->context, (kin_component_id)id) && !number_values(reading, (kin_component_id)id))
            return false;
    return true;
}
