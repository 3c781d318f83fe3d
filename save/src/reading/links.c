#include "reading/internal.h"

#include "lookup/lookup.h"

#include <inttypes.h>
#include <string.h>

static bool wrong(kin__reading *reading, const char *what)
{
    return kin__block_reader_fault(reading->blocks, 1307, "%s", what);
}

// ---- reading

uint32_t kin__links_relation(const kin__reading *reading, const kin__file_component *component, uint32_t leaf)
{
    const kin_context_info *info = reading->context->info;
    const kin__value_leaf *now = component->leaves[leaf].now;
    if (now == NULL)
        return info->relation_count;
    uint32_t number = 0;
    while (number < info->relation_count && info->relations[number].field != now->field)
        number++;
    return number;
}

void kin__holders_append(kin__reading *reading, kin__file_holders *holders)
{
    KIN_ASSERT(holders->next == NULL);
    if (reading->last_holders == NULL)
        reading->first_holders = holders;
    else
        reading->last_holders->next = holders;
    reading->last_holders = holders;
}

static bool read_holders(kin__reading *reading, kin__decoder *decoder, uint32_t relation, uint32_t chunk)
{
    kin__file_holders *holders = kin__heap_take(&reading->heap, 1, sizeof *holders);
    if (holders == NULL)
        return false;
    holders->relation = relation;
    holders->target = kin__decode_32(decoder);
    holders->count = kin__decode_32(decoder);
    bool has_room = !decoder->is_short && holders->count <= kin__decoder_left(decoder) / sizeof(uint32_t);
    if (!has_room || holders->target / KIN__CHUNK_SLOTS != chunk)
        return wrong(reading, "its counts exceed its size, or a target is of another chunk");
    holders->slots = kin__heap_take(&reading->heap, holders->count, sizeof *holders->slots);
    for (uint32_t i = 0; holders->slots != NULL && i < holders->count; i++)
        holders->slots[i] = kin__decode_32(decoder);
    kin__holders_append(reading, holders);
    return holders->slots != NULL;
}

bool kin__links_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    uint32_t component = kin__decode_32(decoder);
    uint16_t leaf = kin__decode_16(decoder);
    uint32_t count = kin__decode_32(decoder);
    if (component >= reading->file->component_count || leaf >= reading->file->components[component].leaf_count)
        return wrong(reading, "no field has its number");
    uint32_t relation = kin__links_relation(reading, &reading->file->components[component], leaf);
    for (uint32_t i = 0; i < count; i++)
        if (!read_holders(reading, decoder, relation, chunk))
            return false;
    return kin__decoder_end(decoder, reading->blocks);
}

// ---- targets that are not alive

static bool is_alive(const kin__reading *reading, kin_entity entity)
{
    uint32_t chunk = kin_entity_slot(entity) / KIN__CHUNK_SLOTS;
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (chunk >= reading->part->chunk_count)
        return false;
    const kin__image *head = kin__reading_head(reading, chunk);
    if (head == NULL || !kin__bits_have(kin__image_alive(head), place))
        return false;
    return kin__image_ids(head)[place] == entity;
}

// What becomes of the holders of one chunk that name an entity which is not alive.
typedef struct repair {
    kin__reading *reading;
    const kin_relation_info *relation;
    uint32_t chunk;
    uint64_t holders[KIN__CHUNK_WORDS];
    bool has_destroyed;
} repair;

static kin_entity target_at(const repair *repair, const kin__image *image, uint32_t place)
{
    kin_entity target;
    const kin__reading *reading = repair->reading;
    const char *value = kin__image_value(reading->context->info, image, place, reading->context->core->store->scratch);
    memcpy(&target, value + repair->relation->field->offset, sizeof target);
    return target;
}

// Finds the holders of a chunk. Returns their number.
static uint32_t find_holders(repair *repair)
{
    uint32_t count = 0;
    const kin__image *image = kin__part_image(repair->reading->part, repair->chunk, repair->relation->component);
    memset(repair->holders, 0, sizeof repair->holders);
    for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(kin__image_has(image), place))
            continue;
        kin_entity target = target_at(repair, image, place);
        if (target == 0 || is_alive(repair->reading, target))
            continue;
        kin__bits_add(repair->holders, place);
        count++;
    }
    return count;
}

// Replaces the image of a column by a copy that some places are missing from. Returns the copy; NULL, with a fault
// noted, when out of memory.
static kin__image *copy_without(const repair *repair, kin__image *image, const uint64_t gone[KIN__CHUNK_WORDS])
{
    uint64_t has[KIN__CHUNK_WORDS];
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        has[word] = kin__image_has(image)[word] & ~gone[word];
    KIN_ASSERT(image != NULL);
    kin__image *copy = kin__column_copy(repair->reading, image, has);
    if (copy == NULL)
        return NULL;
    kin__part_put(repair->reading->part, repair->chunk, copy);
    kin__image_let_go(repair->reading->context, image);
    return copy;
}

static bool clear_fields(const repair *repair)
{
    static const uint64_t none[KIN__CHUNK_WORDS];
    kin__reading *reading = repair->reading;
    kin__image *image = kin__part_image(reading->part, repair->chunk, repair->relation->component);
    image = copy_without(repair, image, none);
    for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(repair->holders, place))
            continue;
        if (!kin__column_clear(reading, image, place, repair->relation->field))
            return false;
        reading->report.converted++;
    }
    return image != NULL;
}

// Takes a component from the holders that have it.
static bool remove_component(const repair *repair, kin_component_id id)
{
    kin__reading *reading = repair->reading;
    kin__image *image = kin__part_image(reading->part, repair->chunk, id);
    uint64_t gone[KIN__CHUNK_WORDS];
    uint32_t dropped = 0;
    uint32_t left = 0;
    for (uint32_t word = 0; image != NULL && word < KIN__CHUNK_WORDS; word++) {
        gone[word] = kin__image_has(image)[word] & repair->holders[word];
        dropped += kin__bits_count(&gone[word], 1);
        left += kin__bits_count(&kin__image_has(image)[word], 1);
    }
    KIN_ASSERT(dropped <= left);
    if (dropped == 0)
        return true;
    if (dropped == left)
        kin__part_remove(reading->part, repair->chunk, image);
    else if (copy_without(repair, image, gone) == NULL)
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(gone, place))
            kin__bits_remove(kin__reading_row(reading, kin__reading_head(reading, repair->chunk), place), id);
    reading->report.dropped += dropped;
    return true;
}

static bool destroy_holders(repair *repair)
{
    kin__reading *reading = repair->reading;
    for (uint32_t id = 0; id < reading->context->info->component_count; id++)
        if (!remove_component(repair, (kin_component_id)id))
            return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(repair->holders, place))
            continue;
        kin__slots_destroy(reading, repair->chunk * KIN__CHUNK_SLOTS + place);
        kin__kept_forget(reading, repair->chunk * KIN__CHUNK_SLOTS + place);
    }
    repair->has_destroyed = true;
    return true;
}

static bool repair_chunk(repair *repair)
{
    const kin_relation_info *relation = repair->relation;
    KIN_ASSERT(relation->component < repair->reading->context->info->component_count);
    if (find_holders(repair) == 0)
        return true;
    if (kin__migrating_ask(repair->reading, relation->component))
        return false;
    repair->reading->has_repairs = true;
    if (relation->on_destroy == KIN_ON_DESTROY_DESTROY)
        return destroy_holders(repair);
    if (relation->on_destroy == KIN_ON_DESTROY_REMOVE)
        return remove_component(repair, relation->component);
    return clear_fields(repair);
}

bool kin__links_repair(kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    repair repair = {.reading = reading, .has_destroyed = true};
    while (info->relation_count > 0 && repair.has_destroyed) {
        repair.has_destroyed = false;
        for (uint32_t i = 0; i < info->relation_count; i++) {
            repair.relation = &info->relations[i];
            for (repair.chunk = 0; repair.chunk < reading->part->chunk_count; repair.chunk++)
                if (!repair_chunk(&repair))
                    return false;
        }
    }
    return true;
}

// ---- links

typedef struct linking {
    kin__reading *reading;
    uint32_t number;
    kin_component_id component;
    size_t offset;        // of the field in a value
    unsigned char *is_in; // by slot: the holder is in a list
    kin_entity *targets;  // by slot: the target of the holder, or 0
    unsigned char *scratch;
} linking;

// Notes that an entity is below itself: saves of a schema in which the field was no tree may have that.
static bool refuse_circle(const linking *linking, uint32_t slot)
{
    kin__reading *reading = linking->reading;
    const kin_component_info *info = &reading->context->info->components[linking->component];
    const kin__decided *decided = kin__decided_of(reading, linking->component);
    kin_entity entity = kin__image_ids(kin__reading_head(reading, slot / KIN__CHUNK_SLOTS))[slot % KIN__CHUNK_SLOTS];
    if (decided != NULL)
        return kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                               "after the migration of '%.100s', an entity is below itself in a tree; correct the "
                               "function [K1308]",
                               info->name);
    return !kin__migrating_ask(reading, linking->component) &&
           kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                           "by its '%.100s' entity %" PRIu64 " in slot %" PRIu32
                           " is below itself in a tree; write 'migrate: true' at the component, and decide in its "
                           "function [K1308]",
                           info->name, kin_entity_creation_index(entity), slot);
}

static kin__relation_block *block_of(const linking *linking, uint32_t slot)
{
    const kin__reading *reading = linking->reading;
    return (kin__relation_block *)(uintptr_t)kin__image_links(kin__part_image(
        reading->part, slot / KIN__CHUNK_SLOTS, kin__links_number(reading->context->info, linking->number)));
}

static bool make_block(kin__reading *reading, uint32_t relation, uint32_t chunk)
{
    uint32_t number = kin__links_number(reading->context->info, relation);
    if (kin__part_image(reading->part, chunk, number) != NULL)
        return true;
    kin__image *image = kin__store_take(reading->context, number);
    if (image == NULL)
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for links; free some and try again");
    kin__relation_block *block = (kin__relation_block *)(void *)image->bytes;
    memset(block, 0, sizeof *block);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        uint32_t target = kin__relation_target_node(chunk * KIN__CHUNK_SLOTS + place);
        block->nodes[place] = (kin__relation_node){KIN__NO_NODE, KIN__NO_NODE};
        block->nodes[KIN__CHUNK_SLOTS + place] = (kin__relation_node){target, target};
    }
    kin__part_put(reading->part, chunk, image);
    return true;
}

static kin__relation_node *node_at(const linking *linking, uint32_t number)
{
    return &block_of(linking, kin__relation_slot_of(number))->nodes[number % (2 * KIN__CHUNK_SLOTS)];
}

// Appends a holder to the list of its target.
static void attach(const linking *linking, uint32_t holder)
{
    uint32_t target = kin_entity_slot(linking->targets[holder]);
    uint32_t end = kin__relation_target_node(target);
    uint32_t number = kin__relation_holder_node(holder);
    uint32_t last = node_at(linking, end)->previous;
    KIN_ASSERT(linking->targets[holder] != 0 && !linking->is_in[holder]);
    *node_at(linking, number) = (kin__relation_node){end, last};
    node_at(linking, last)->next = number;
    node_at(linking, end)->previous = number;
    block_of(linking, target)->counts[target % KIN__CHUNK_SLOTS]++;
    linking->is_in[holder] = 1;
}

static bool find_targets(linking *linking)
{
    kin__reading *reading = linking->reading;
    const kin_context_info *info = reading->context->info;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(reading->part, chunk, linking->component);
        if (image == NULL)
            continue;
        if (!make_block(reading, linking->number, chunk))
            return false;
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            kin_entity *target = &linking->targets[chunk * KIN__CHUNK_SLOTS + place];
            if (!kin__bits_have(kin__image_has(image), place))
                continue;
            const char *value = kin__image_value(info, image, place, linking->scratch);
            memcpy(target, value + linking->offset, sizeof *target);
            if (*target == 0)
                continue;
            KIN_ASSERT(is_alive(reading, *target));
            if (!make_block(reading, linking->number, kin_entity_slot(*target) / KIN__CHUNK_SLOTS))
                return false;
        }
    }
    return true;
}

static bool attach_listed(linking *linking)
{
    kin__reading *reading = linking->reading;
    uint32_t slot_count = reading->part->chunk_count * KIN__CHUNK_SLOTS;
    bool is_changed = linking->reading->has_repairs || kin__decided_of(reading, linking->component) != NULL;
    for (const kin__file_holders *each = reading->first_holders; each != NULL; each = each->next)
        for (uint32_t i = 0; each->relation == linking->number && i < each->count; i++) {
            uint32_t holder = each->slots[i];
            kin_entity target = 0;
            if (holder < slot_count)
                target = linking->targets[holder];
            bool names_target = target != 0 && kin_entity_slot(target) == each->target;
            if (is_changed && !names_target)
                continue;
            if (!names_target || linking->is_in[holder])
                return wrong(reading, "an entity is in the list of a target that it does not name");
            attach(linking, holder);
        }
    return true;
}

// Follows an entity to the root. `is_in` is 2 on the current path, and 3 for entities known to be in no circle.
static bool has_circle(linking *linking, uint32_t slot)
{
    uint32_t at = slot;
    while (linking->targets[at] != 0 && linking->is_in[at] == 1) {
        linking->is_in[at] = 2;
        at = kin_entity_slot(linking->targets[at]);
    }
    bool found = linking->is_in[at] == 2;
    KIN_ASSERT(found || linking->targets[at] == 0 || linking->is_in[at] == 3);
    for (at = slot; linking->is_in[at] == 2; at = kin_entity_slot(linking->targets[at]))
        linking->is_in[at] = 3;
    return found;
}

static bool link_relation(linking *linking, const kin_relation_info *info)
{
    uint32_t slot_count = linking->reading->part->chunk_count * KIN__CHUNK_SLOTS;
    if (!find_targets(linking) || !attach_listed(linking))
        return false;
    for (uint32_t slot = 0; slot < slot_count; slot++)
        if (linking->targets[slot] != 0 && !linking->is_in[slot])
            attach(linking, slot);
    for (uint32_t slot = 0; info->is_tree && slot < slot_count; slot++)
        if (has_circle(linking, slot))
            return refuse_circle(linking, slot);
    return true;
}

bool kin__links_finish(kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    size_t slot_count = (size_t)reading->part->chunk_count * KIN__CHUNK_SLOTS;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        const kin_relation_info *relation = &info->relations[i];
        linking linking = {.reading = reading, .number = i, .component = relation->component};
        linking.offset = relation->field->offset;
        linking.is_in = kin__heap_take(&reading->value_heap, slot_count, 1);
        linking.targets = kin__heap_take(&reading->value_heap, slot_count, sizeof *linking.targets);
        linking.scratch = kin__heap_take(&reading->value_heap, 1, reading->context->core->store->scratch_size);
        bool has_slots = linking.is_in != NULL && linking.targets != NULL;
        bool has_memory = has_slots && linking.scratch != NULL;
        bool is_linked = has_memory && link_relation(&linking, relation);
        kin__heap_release(&reading->value_heap);
        if (!is_linked)
            return false;
    }
    return true;
}
