// The values of merged entities, and the references in them.
#include "merge/merging.h"

#include "image/pin.h"
#include "store/store.h"

#include <string.h>

// ---- the snapshot

uint32_t kin__merging_find(const kin__merging *merging, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    if (entity == 0 || slot >= merging->slot_count || merging->numbers[slot] == 0)
        return 0;
    return kin__image_ids(kin__merging_head(merging, slot))[slot % KIN__CHUNK_SLOTS] == entity ? merging->numbers[slot]
                                                                                               : 0;
}

static const kin__image *column_of(const kin__merging *merging, uint32_t slot, kin_component_id id)
{
    return kin__part_image(merging->part, slot / KIN__CHUNK_SLOTS, id);
}

size_t kin__merging_value_size(kin__merging *merging, uint32_t slot, kin_component_id id)
{
    const kin_component_info *info = &merging->context->info->components[id];
    if (info->size == 0 || !kin__has_references(info))
        return kin__round_up(info->size);
    if (!info->has_lists) {
        merging->reference_count += kin__references_count(info, NULL);
        return kin__round_up(info->size);
    }
    const void *value =
        kin__image_value(merging->context->info, column_of(merging, slot, id), slot % KIN__CHUNK_SLOTS, NULL);
    merging->reference_count += kin__references_count(info, value);
    return kin__round_up(info->size) + kin__lists_size(info, value);
}

// ---- expected entities

// Returns the number of the context whose entity a reference names, and that entity's number + 1 in `*found`. A
// reference to any context names the one of its own context, else that of the only other context in which it is alive.
static uint16_t find_home(const kin__merging *merging, const kin_field_info *field, kin_entity entity, uint32_t *found)
{
    const kin__merge *merge = merging->merge;
    uint16_t home = KIN__NO_HOME;
    *found = field->target == NULL ? kin__merging_find(merging, entity) : 0;
    if (*found > 0)
        return (uint16_t)(merging - merge->mergings);
    for (uint32_t i = 0; i < merge->count; i++) {
        const kin__merging *other = &merge->mergings[i];
        if (field->target != NULL && strcmp(field->target, other->context->info->name) != 0)
            continue;
        uint32_t number = kin__merging_find(other, entity);
        if (number == 0)
            continue;
        if (home != KIN__NO_HOME)
            return KIN__NO_HOME;
        home = (uint16_t)i;
        *found = number;
    }
    return home;
}

static void name_expected(kin_entity *place, const kin_field_info *field, void *data)
{
    kin__merging *merging = data;
    uint32_t found;
    uint16_t home = *place == 0 ? KIN__NO_HOME : find_home(merging, field, *place, &found);
    merging->homes[merging->reference++] = home;
    *place = home == KIN__NO_HOME ? 0 : merging->merge->mergings[home].entities[found - 1];
}

// Writes the value of a part, and returns the end.
static char *write_value(kin__merging *merging, uint32_t slot, kin_component_id id, char *to)
{
    const kin_context_info *context_info = merging->context->info;
    const kin_component_info *info = &context_info->components[id];
    char *end = to + kin__round_up(info->size);
    memset(to, 0, info->size);
    const void *value = kin__image_value(context_info, column_of(merging, slot, id), slot % KIN__CHUNK_SLOTS, to);
    if (value != to)
        memcpy(to, value, info->size);
    if (!kin__has_references(info))
        return end;
    if (info->has_lists)
        end = kin__lists_detach(info, to, end);
    kin__references_visit(info, to, name_expected, merging);
    return end;
}

void kin__merging_write_values(kin__merging *merging)
{
    char *values = merging->values;
    for (uint32_t i = 0; i < merging->count; i++) {
        uint32_t slot = merging->slots[i];
        kin__part *part = merging->parts + merging->firsts[i];
        EACH_OF_ROW(id, kin__merging_row(merging, slot), merging->context->row_words)
        {
            if (!kin__is_merged(merging->context->info, id))
                continue;
            uint32_t size = (uint32_t)merging->context->info->components[id].size;
            *part++ = (kin__part){(kin_component_id)id, size, size == 0 ? NULL : values};
            if (size > 0)
                values = write_value(merging, slot, (kin_component_id)id, values);
        }
    }
    KIN_ASSERT(merging->reference == merging->reference_count);
    KIN_ASSERT((size_t)(values - merging->values) == merging->values_size);
}

// ---- made entities

static void name_made(kin_entity *place, const kin_field_info *field, void *data)
{
    kin__merging *merging = data;
    uint16_t home = merging->homes[merging->reference++];
    (void)field;
    if (home == KIN__NO_HOME)
        return;
    const kin__merging *other = &merging->merge->mergings[home];
    *place = other->entities[kin_entity_creation_index(*place) - other->first];
}

// Takes another shared value, equal but for the entities that it names. False when out of memory.
static bool relink_shared(kin__merging *merging, kin__plan_step *step)
{
    kin_context *context = merging->context;
    const kin_component_info *info = &context->info->components[step->id];
    size_t size = kin__round_up(info->size) + kin__lists_size(info, step->storage.value);
    char *copy = kin__allocate(&context->core->memory, size);
    kin__value_storage storage;
    if (copy == NULL)
        return false;
    memcpy(copy, step->storage.value, info->size);
    kin__lists_detach(info, copy, copy + kin__round_up(info->size));
    kin__references_visit(info, copy, name_made, merging);
    bool made = kin__value_storage_make(context, step->id, copy, &storage);
    kin__release(&context->core->memory, copy, size);
    if (made) {
        kin__value_storage_release(context, step->id, &step->storage);
        step->storage = storage;
    }
    return made;
}

static bool relink_step(kin__merging *merging, kin__plan_step *step)
{
    const kin_component_info *info = &merging->context->info->components[step->id];
    if (step->storage.value == NULL || !kin__has_references(info))
        return true;
    if (kin__is_shared(merging->context, step->id))
        return relink_shared(merging, step);
    kin__references_visit(info, (void *)(uintptr_t)step->storage.value, name_made, merging);
    return true;
}

bool kin__merging_relink(kin__merging *merging)
{
    merging->reference = 0;
    for (size_t i = 0; i < merging->plan.count; i++)
        if (!relink_step(merging, &merging->plan.steps[i]))
            return false;
    return true;
}
