#include "read/shared.h"

#include "storage/chunk.h"
#include "storage/keepsake.h"
#include "storage/shared_restore.h"

#include <stdlib.h>

typedef struct use {
    const void *value;
    uint32_t at; // its position among all uses
} use;

typedef struct uses {
    use *uses;
    uint32_t count;
} uses;

static int compare_values(const void *one, const void *other)
{
    const use *a = one, *b = other;
    uintptr_t value = (uintptr_t)a->value, others = (uintptr_t)b->value;
    return value != others ? (value < others ? -1 : 1) : a->at < b->at ? -1 : a->at > b->at;
}

static int compare_places(const void *one, const void *other)
{
    const use *a = one, *b = other;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void add(uses *uses, const void *value)
{
    if (uses->uses != NULL)
        uses->uses[uses->count] = (use){value, uses->count};
    uses->count++;
}

// Adds, or only counts, all uses of a component's values: first by slot, then the stashed values.
static void add_uses(const kin__reading *reading, kin_component_id id, uses *uses)
{
    const kin__context_snapshot *part = reading->part;
    size_t at = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++)
            if (kin__bits_have(kin__image_has(image), place))
                add(uses, kin__image_value(part->info, image, place, NULL));
    }
    for (kin__keepsake *each;
         (each = kin__keepsake_next(reading->context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;)
        if (each->id == id)
            add(uses, *(void *const *)kin__keepsake_value(each));
}

// Keeps the first use of each value, in order.
static void leave_first(uses *uses)
{
    uint32_t count = 0;
    qsort(uses->uses, uses->count, sizeof *uses->uses, compare_values);
    for (uint32_t i = 0; i < uses->count; i++)
        if (i == 0 || uses->uses[i].value != uses->uses[i - 1].value)
            uses->uses[count++] = uses->uses[i];
    qsort(uses->uses, count, sizeof *uses->uses, compare_places);
    uses->count = count;
}

static bool number_values(kin__reading *reading, kin_component_id id)
{
    kin__context_snapshot *part = reading->part;
    uses uses = {NULL, 0};
    add_uses(reading, id, &uses);
    if (uses.count == 0)
        return true;
    uses.uses = kin__heap_take(&reading->heap, uses.count, sizeof *uses.uses);
    if (uses.uses == NULL)
        return false;
    uses.count = 0;
    add_uses(reading, id, &uses);
    leave_first(&uses);
    if (!kin__array_reserve(&reading->context->core->snapshot_memory, &part->shared, part->shared_count + uses.count,
                            sizeof(void *)) ||
        !kin__shared_images_reserve(reading->context, id))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for shared values; free some and try again");
    const void **values = (const void **)part->shared.elements + part->shared_count;
    for (uint32_t i = 0; i < uses.count; i++) {
        values[i] = uses.uses[i].value;
        kin__shared_image_pin(values[i]);
    }
    part->limits[id] = uses.count;
    part->shared_count += uses.count;
    return true;
}

bool kin__shared_values_finish(kin__reading *reading)
{
    for (uint32_t id = 0; id < reading->context->info->component_count; id++)
        if (kin__is_shared(reading->context, (kin_component_id)id) && !number_values(reading, (kin_component_id)id))
            return false;
    return true;
}
