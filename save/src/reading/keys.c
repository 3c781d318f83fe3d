#include "reading/internal.h"

#include "writing/writing.h"

#include <inttypes.h>

static bool refuse(kin__reading *reading, const char *what, bool is_decided, kin_entity one, kin_entity other)
{
    KIN_ASSERT(one != other);
    const char *advice = "write 'migrate: true' at the component, and decide in its function";
    if (is_decided)
        advice = "correct the function that migrates it";
    return kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                           "entity %" PRIu64 " in slot %" PRIu32 " and entity %" PRIu64 " in slot %" PRIu32
                           " both have %.100s, which only one entity may have; %s [K1308]",
                           kin_entity_creation_index(one), kin_entity_slot(one), kin_entity_creation_index(other),
                           kin_entity_slot(other), what, advice);
}

// ---- unique components

static bool check_unique(kin__reading *reading, kin_component_id id)
{
    kin_entity carrier = 0;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(reading->part, chunk, id);
        const kin__image *head = kin__reading_head(reading, chunk);
        for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
            if (!kin__bits_have(kin__image_has(image), place))
                continue;
            kin_entity entity = kin__image_ids(head)[place];
            if (carrier != 0)
                return !kin__migrating_ask(reading, id) &&
                       refuse(reading, reading->context->info->components[id].name,
                              kin__decided_of(reading, id) != NULL, carrier, entity);
            carrier = entity;
        }
    }
    return true;
}

// ---- keys

// Refuses a key that two entities have, unless the migration of a component of the key is to be asked.
static bool refuse_key(kin__reading *reading, const kin_index_info *index, const kin_entity twice[2])
{
    bool is_asked = false;
    bool is_decided = false;
    for (uint32_t i = 0; i < index->of_count + index->key_count; i++) {
        kin_component_id id;
        if (i < index->of_count)
            id = index->of[i];
        else
            id = index->key[i - index->of_count].component;
        is_asked = kin__migrating_ask(reading, id) || is_asked;
        is_decided = kin__decided_of(reading, id) != NULL || is_decided;
    }
    return !is_asked && refuse(reading, index->name, is_decided, twice[0], twice[1]);
}

static bool check_index(kin__reading *reading, const kin_index_info *index)
{
    kin_entity twice[2];
    return kin__key_find_twice(reading->part, index, &reading->value_heap, twice) &&
           (twice[0] == 0 || refuse_key(reading, index, twice));
}

bool kin__keys_check(kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (info->components[id].is_unique && !check_unique(reading, (kin_component_id)id))
            return false;
    for (uint32_t i = 0; i < info->index_count; i++)
        if (info->indices[i].is_primary && !check_index(reading, &info->indices[i]))
            return false;
    return true;
}
