#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

// ---- counting

static size_t count_fields(const kin_field_info *fields, uint32_t count);

// Returns the number of references in one element of a field, or in the field if it is no array.
static size_t count_element(const kin_field_info *field)
{
    if (field->type == KIN_TYPE_ENTITY)
        return 1;
    return field->type == KIN_TYPE_STRUCT ? count_fields(field->of->fields, field->of->field_count) : 0;
}

static size_t elements_of(const kin_field_info *field)
{
    return field->count == 0 ? 1 : field->count;
}

// Leaves lists out.
static size_t count_fields(const kin_field_info *fields, uint32_t count)
{
    size_t found = 0;
    for (const kin_field_info *field = fields; field < fields + count; field++)
        if (!field->is_list)
            found += elements_of(field) * count_element(field);
    return found;
}

bool kin__has_references(const kin_component_info *info)
{
    if (count_fields(info->fields, info->field_count) > 0)
        return true;
    KIN__EACH_LIST(field, info)
    {
        if (count_element(field) > 0)
            return true;
    }
    return false;
}

// Returns the number of references in a value, which is read only if the component has lists.
static size_t references_count(const kin_component_info *info, const void *value)
{
    size_t found = count_fields(info->fields, info->field_count);
    KIN__EACH_LIST(field, info)
    {
        found += kin__list_field_read(value, field).count * count_element(field);
    }
    return found;
}

// ---- visiting

typedef struct walk {
    kin__reference_visit *visit;
    void *data;
} walk;

static void visit_fields(const walk *walk, const kin_field_info *fields, uint32_t count, char *value);

static void visit_elements(const walk *walk, const kin_field_info *field, char *first, size_t count)
{
    size_t size = field->is_list ? field->element_size : field->size / elements_of(field);
    for (size_t i = 0; i < count; i++)
        if (field->type == KIN_TYPE_ENTITY)
            walk->visit((kin_entity *)(void *)(first + i * size), field, walk->data);
        else if (field->type == KIN_TYPE_STRUCT)
            visit_fields(walk, field->of->fields, field->of->field_count, first + i * size);
}

static void visit_fields(const walk *walk, const kin_field_info *fields, uint32_t count, char *value)
{
    for (const kin_field_info *field = fields; field < fields + count; field++)
        if (field->is_list) {
            kin__list_field list = kin__list_field_read(value, field);
            visit_elements(walk, field, list.at, list.count);
        } else if (field->type == KIN_TYPE_ENTITY || field->type == KIN_TYPE_STRUCT) {
            visit_elements(walk, field, value + field->offset, elements_of(field));
        }
}

void kin__references_visit(const kin_component_info *info, void *value, kin__reference_visit *visit, void *data)
{
    kin__field_references_visit(info->fields, info->field_count, value, visit, data);
}

void kin__field_references_visit(const kin_field_info *fields, uint32_t count, void *value, kin__reference_visit *visit,
                                 void *data)
{
    visit_fields(&(walk){visit, data}, fields, count, value);
}

// The holders of one target stand in the order of the snapshot. A merge adds them by ascending slot, so that only lists
// in another order need moves: from the last holder to the first, each directly before the next one.

// The list of one target in the snapshot, at one of its nodes.
typedef struct sibling_walk {
    const kin__merging *merging;
    uint32_t relation;
    uint32_t node;
} sibling_walk;

// ---- the snapshot

// Returns the node before that of the walk. Its chunk has links, as it has a holder or the target.
static uint32_t previous_of(const sibling_walk *sibling_walk)
{
    const kin__context_snapshot *part = sibling_walk->merging->part;
    const kin__image *image = kin__part_image(part, sibling_walk->node / (2 * KIN__CHUNK_SLOTS),
                                              kin__links_number(part->info, sibling_walk->relation));
    return image == NULL ? KIN__NO_NODE
                         : kin__image_links(image)->nodes[sibling_walk->node % (2 * KIN__CHUNK_SLOTS)].previous;
}

static bool is_ascending(sibling_walk sibling_walk)
{
    for (sibling_walk.node = previous_of(&sibling_walk); kin__is_holder_node(sibling_walk.node);) {
        uint32_t node = sibling_walk.node;
        sibling_walk.node = previous_of(&sibling_walk);
        if (kin__is_holder_node(sibling_walk.node) && sibling_walk.node > node)
            return false;
    }
    return true;
}

// Lists the moves of one target; `walk` is at its node.
static uint32_t list_target(sibling_walk sibling_walk, kin__merge_move *moves)
{
    const uint32_t *numbers = sibling_walk.merging->numbers;
    uint32_t count = 0;
    uint32_t target = kin__relation_slot_of(sibling_walk.node);
    if (is_ascending(sibling_walk))
        return 0;
    for (sibling_walk.node = previous_of(&sibling_walk); kin__is_holder_node(sibling_walk.node);) {
        uint32_t sibling = kin__relation_slot_of(sibling_walk.node);
        sibling_walk.node = previous_of(&sibling_walk);
        if (!kin__is_holder_node(sibling_walk.node))
            break;
        uint32_t holder = kin__relation_slot_of(sibling_walk.node);
        if (moves != NULL)
            moves[count] = (kin__merge_move){sibling_walk.relation, numbers[target] - 1, numbers[holder] - 1,
                                             numbers[sibling] - 1};
        count++;
    }
    return count;
}

static uint32_t list_relation(const kin__merging *merging, uint32_t relation, kin__merge_move *moves)
{
    const kin__context_snapshot *part = merging->part;
    uint32_t count = 0;
    for (uint32_t i = 0; i < merging->count; i++) {
        uint32_t slot = merging->slots[i];
        const kin__image *image =
            kin__part_image(part, slot / KIN__CHUNK_SLOTS, kin__links_number(part->info, relation));
        if (image == NULL || kin__image_links(image)->counts[slot % KIN__CHUNK_SLOTS] < 2)
            continue;
        sibling_walk sibling_walk = {merging, relation, kin__relation_target_node(slot)};
        count += list_target(sibling_walk, moves == NULL ? NULL : moves + count);
    }
    return count;
}

// Lists the moves; returns their number. NULL: only counts them.
static uint32_t merging_list_moves(const kin__merging *merging, kin__merge_move *moves)
{
    const kin_context_info *info = merging->context->info;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (kin__is_merged(info, info->relations[i].component))
            count += list_relation(merging, i, moves == NULL ? NULL : moves + count);
    return count;
}

// ---- the context

// Returns whether both still hold the target, and do not stand side by side.
static bool is_due(const kin__merging *merging, const kin__merge_move *move)
{
    const kin_context *context = merging->context;
    const kin__relation *relation = kin__relation_at(context, move->relation);
    kin_entity target = merging->entities[move->target];
    kin_entity holder = merging->entities[move->holder];
    kin_entity sibling = merging->entities[move->sibling];
    if (merging->plan.epoch != context->core->dispatch.epoch || kin__chunk_of(context, target) == NULL)
        return false;
    if (kin__relation_target(context, relation, holder) != target ||
        kin__relation_target(context, relation, sibling) != target)
        return false;
    return kin__relation_next_of(context, relation, kin_entity_slot(holder)) != sibling;
}

// Moves as kin__relation_place_before does, with its calls.
static kin_status move_holder(const kin__merging *merging, const kin__merge_move *move)
{
    kin_context *context = merging->context;
    kin__relation *relation = kin__relation_at(context, move->relation);
    kin_component_id id = relation->info->component;
    kin__step step = {KIN__STEP_REPLACE, merging->entities[move->holder], id, NULL};
    kin_status status = kin__component_begin_touch(context, &step);
    if (status != KIN_OK)
        return status;
    kin__relation_move(context, relation, kin_entity_slot(step.entity), merging->entities[move->sibling]);
    kin__component_end_touch(context, step.entity, id);
    return KIN_OK;
}

// Puts siblings in the order of the snapshot. Returns the status of the first move that is impossible.
static kin_status merging_move_siblings(const kin__merging *merging, kin__merge_failure *failure)
{
    for (uint32_t i = 0; i < merging->move_count; i++) {
        const kin__merge_move *move = &merging->moves[i];
        if (!is_due(merging, move))
            continue;
        kin_status status = move_holder(merging, move);
        if (status == KIN_OK)
            continue;
        failure->entity = merging->entities[move->holder];
        failure->plan = (kin__plan_failure){.id = merging->context->info->relations[move->relation].component};
        return status;
    }
    return KIN_OK;
}

// The values of merged entities, and the references in them.

// ---- the snapshot

// Returns the number + 1 of an entity that is alive in the snapshot; 0 if it is not.
static uint32_t merging_find(const kin__merging *merging, kin_entity entity)
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

// Returns the bytes of a value with its lists, and counts its references.
static size_t merging_value_size(kin__merging *merging, uint32_t slot, kin_component_id id)
{
    const kin_component_info *info = &merging->context->info->components[id];
    if (info->size == 0 || !kin__has_references(info))
        return kin__round_up(info->size);
    if (!info->has_lists) {
        merging->reference_count += references_count(info, NULL);
        return kin__round_up(info->size);
    }
    const void *value =
        kin__image_value(merging->context->info, column_of(merging, slot, id), slot % KIN__CHUNK_SLOTS, NULL);
    merging->reference_count += references_count(info, value);
    return kin__round_up(info->size) + kin__lists_size(info, value);
}

// ---- expected entities

// Returns the number of the context whose entity a reference names, and that entity's number + 1 in `*found`. A
// reference to any context names the one of its own context, else that of the only other context in which it is alive.
static uint16_t find_home(const kin__merging *merging, const kin_field_info *field, kin_entity entity, uint32_t *found)
{
    const kin__merge *merge = merging->merge;
    uint16_t home = KIN__NO_HOME;
    *found = field->target == NULL ? merging_find(merging, entity) : 0;
    if (*found > 0)
        return (uint16_t)(merging - merge->mergings);
    for (uint32_t i = 0; i < merge->count; i++) {
        const kin__merging *other = &merge->mergings[i];
        if (field->target != NULL && strcmp(field->target, other->context->info->name) != 0)
            continue;
        uint32_t number = merging_find(other, entity);
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

// Copies the values of the snapshot to the parts. They name expected entities.
static void merging_write_values(kin__merging *merging)
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

// Makes the values in the plan name the entities that were made, if those differ from the expected ones. False when out
// of memory.
static bool merging_relink(kin__merging *merging)
{
    merging->reference = 0;
    for (size_t i = 0; i < merging->plan.count; i++)
        if (!relink_step(merging, &merging->plan.steps[i]))
            return false;
    return true;
}

// All that a merge can be refused for, in this order: unique components, keys, limits, memory. Nothing that can be seen
// changes.

static kin_status report(const kin__merging *merging, kin_status status, const char *reason)
{
    return kin__report_error(merging->context, status,
                             &(kin__attempt){.verb = KIN__MERGE_VERB, .reason = reason, .is_unique = true});
}

// ---- room

static uint32_t pool_count_of(const kin__merging *merging)
{
    return kin__part_pool_count(merging->context->info);
}

// Counts what the entities of a slot needs.
static void measure_slot(kin__merging *merging, uint32_t slot)
{
    merging->count++;
    EACH_OF_ROW(id, kin__merging_row(merging, slot), merging->context->row_words)
    {
        if (!kin__is_merged(merging->context->info, id))
            continue;
        merging->part_count++;
        merging->values_size += merging_value_size(merging, slot, (kin_component_id)id);
    }
}

static bool is_alive(const kin__merging *merging, uint32_t slot)
{
    const kin__image *head = kin__merging_head(merging, slot);
    return head != NULL && kin__bits_have(kin__image_alive(head), slot % KIN__CHUNK_SLOTS);
}

static void measure(kin__merging *merging)
{
    merging->slot_count = kin__part_slot_count(merging->part);
    for (uint32_t slot = 0; slot < merging->slot_count; slot++)
        if (is_alive(merging, slot))
            measure_slot(merging, slot);
}

static void *take(char **room, size_t count, size_t size)
{
    void *taken = *room;
    *room += kin__round_up(count * size);
    return taken;
}

// Lays the arrays out from `room` on, and returns their end.
static char *lay_out(kin__merging *merging, char *room)
{
    size_t count = merging->count;
    size_t components = merging->context->info->component_count;
    merging->entities = take(&room, count, sizeof *merging->entities);
    merging->firsts = take(&room, count + 1, sizeof *merging->firsts);
    merging->slots = take(&room, count, sizeof *merging->slots);
    merging->numbers = take(&room, merging->slot_count, sizeof *merging->numbers);
    merging->chunk_pools = take(&room, merging->part->chunk_count, sizeof *merging->chunk_pools);
    merging->entries = take(&room, components, sizeof *merging->entries);
    merging->previews = take(&room, pool_count_of(merging), sizeof *merging->previews);
    merging->parts = take(&room, merging->part_count, sizeof *merging->parts);
    merging->homes = take(&room, merging->reference_count, sizeof *merging->homes);
    merging->row = take(&room, merging->context->row_words, sizeof *merging->row);
    merging->items = take(&room, 4 * components, sizeof *merging->items);
    merging->values = take(&room, merging->values_size, 1);
    return room;
}

static bool make_room(kin__merging *merging)
{
    char *room = NULL;
    char nothing;
    size_t size = (size_t)(lay_out(merging, &nothing) - &nothing);
    if (!kin__plan_begin(&merging->plan, merging->part_count, size, &room))
        return false;
    lay_out(merging, room);
    memset(merging->numbers, 0, merging->slot_count * sizeof *merging->numbers);
    memset(merging->entries, 0, merging->context->info->component_count * sizeof *merging->entries);
    memset(merging->previews, 0, pool_count_of(merging) * sizeof *merging->previews);
    memset(merging->row, 0, merging->context->row_words * sizeof *merging->row);
    memcpy(merging->chunk_pools, merging->part->chunk_pools.at,
           merging->part->chunk_count * sizeof *merging->chunk_pools);
    return true;
}

// ---- entities

static void list_entities(kin__merging *merging)
{
    uint32_t number = 0;
    size_t first = 0;
    for (uint32_t slot = 0; slot < merging->slot_count; slot++) {
        if (!is_alive(merging, slot))
            continue;
        merging->slots[number] = slot;
        merging->firsts[number++] = first;
        merging->numbers[slot] = number;
        EACH_OF_ROW(id, kin__merging_row(merging, slot), merging->context->row_words)
        {
            if (!kin__is_merged(merging->context->info, id))
                continue;
            kin__bits_add(merging->row, id);
            first++;
        }
    }
    merging->firsts[number] = first;
    KIN_ASSERT(number == merging->count && first == merging->part_count);
}

static kin__pool_preview *preview_of(kin__merging *merging, uint32_t number)
{
    kin__pool *pool = kin__merging_pool(merging, number);
    kin__pool_preview *preview = &merging->previews[kin__pool_number(merging->context, pool)];
    if (preview->context == NULL)
        *preview = kin__pool_preview_begin(merging->context, pool);
    return preview;
}

// Computes the entities that will be made if no listener makes others. Each pool takes the next chunk when it needs
// one.
static kin_status expect(kin__merging *merging)
{
    uint32_t next_chunk = merging->context->core->slots.assigned_chunks;
    kin_status status = KIN_OK;
    merging->first = merging->context->next_creation_index;
    for (uint32_t i = 0; status == KIN_OK && i < merging->count; i++) {
        kin__pool_preview *preview = preview_of(merging, i);
        kin__run run = {.count = 0};
        preview->number = next_chunk;
        status = kin__pool_preview_next(preview, 1, &run);
        next_chunk = preview->number;
        merging->entities[i] = (merging->first + i) << 24 | run.first;
    }
    return status;
}

// Lists the holders to move. False when out of memory.
static bool list_moves(kin__merging *merging)
{
    merging->move_count = merging_list_moves(merging, NULL);
    if (merging->move_count == 0)
        return true;
    merging->moves =
        kin__allocate(&merging->context->core->memory, kin__bytes_of(merging->move_count, sizeof *merging->moves));
    return merging->moves != NULL && merging_list_moves(merging, merging->moves) == merging->move_count;
}

static kin_status make_room_for_all(kin__merging *merging)
{
    if (merging->part == NULL)
        return KIN_OK;
    measure(merging);
    if (merging->count == 0)
        return KIN_OK;
    kin_status status = make_room(merging) ? KIN_OK : KIN_ERROR_NO_MEMORY;
    if (status == KIN_OK) {
        list_entities(merging);
        status = list_moves(merging) ? expect(merging) : KIN_ERROR_NO_MEMORY;
    }
    if (status == KIN_OK)
        return KIN_OK;
    return report(merging, status, status == KIN_ERROR_LIMIT ? KIN__NO_SLOT_LEFT : NULL);
}

// ---- checks

// Returns a use that spawns the entity alone.
static const kin__blueprint_use *use_of(void *data, uint32_t number, kin__entity_role role)
{
    kin__merging *merging = data;
    size_t first = merging->firsts[number];
    size_t next = merging->firsts[number + 1];
    uint32_t slot = merging->slots[number];
    merging->blueprints[role] =
        (kin__blueprint){.parts = merging->parts + first,
                         .part_count = (uint32_t)(next - first),
                         .items = merging->items + 2 * role * merging->context->info->component_count};
    merging->uses[role] = merging->whole;
    merging->uses[role].blueprint = &merging->blueprints[role];
    merging->uses[role].merged = kin__image_ids(kin__merging_head(merging, slot))[slot % KIN__CHUNK_SLOTS];
    return &merging->uses[role];
}

static kin_status check_unique(kin__merging *merging)
{
    const kin_context *context = merging->context;
    bool has_carrier = false;
    kin_status status = KIN_OK;
    EACH_OF_ROW(id, merging->row, context->row_words)
    {
        has_carrier = has_carrier || context->carriers[id] != 0;
    }
    for (uint32_t i = 0; has_carrier && status == KIN_OK && i < merging->count; i++)
        status = kin__blueprint_use_check_unique(context, use_of(merging, i, KIN__CURRENT_ENTITY));
    return status;
}

static kin_status check(kin__merging *merging)
{
    char text[KIN__LIMIT_SIZE];
    if (merging->count == 0)
        return KIN_OK;
    merging->batch = (kin__batch){.count = 1};
    merging->whole =
        (kin__blueprint_use){.blueprint = &merging->blueprints[0], .batch = &merging->batch, .merges = true};
    kin_status status = check_unique(merging);
    kin__entity_list list = {merging->count, merging->row, &merging->whole, use_of, merging};
    if (status == KIN_OK && merging->context->core->indices != NULL)
        status = kin__entity_list_check_keys(merging->context, &list);
    if (status != KIN_OK)
        return status;
    const char *limit = kin__entities_find_limit(merging->context, merging->count, text);
    return limit == NULL ? KIN_OK : report(merging, KIN_ERROR_LIMIT, limit);
}

// ---- memory

static bool reserve_part(kin__merging *merging, uint32_t number, const kin__part *part)
{
    kin_context *context = merging->context;
    uint32_t slot = kin_entity_slot(merging->entities[number]);
    kin__step step = {KIN__STEP_ADD, 0, part->id, part->value};
    return kin__change_reserve_entries(context, slot, part->id, ++merging->entries[part->id]) &&
           kin__relations_reserve_targets(context, part->id, part->value) &&
           kin__plan_append(&merging->plan, &step, KIN__NO_SLOT);
}

static kin_status reserve(kin__merging *merging)
{
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < merging->count; i++)
        for (size_t at = merging->firsts[i]; reserved && at < merging->firsts[i + 1]; at++)
            reserved = reserve_part(merging, i, &merging->parts[at]);
    return reserved ? KIN_OK : report(merging, KIN_ERROR_NO_MEMORY, NULL);
}

// ---- all of it

// Does all that can fail, for all contexts. Returns KIN_OK, or the status of the error that was reported.
static kin_status merge_prepare(kin__merge *merge)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = make_room_for_all(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        if (merge->mergings[i].count > 0)
            merging_write_values(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = check(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = reserve(&merge->mergings[i]);
    return status;
}

// Makes the entities: first all of them without components, then their components. Listeners may do anything meanwhile.

static const char was_reset[] = "a listener has reset the context";

// Whether the context was reset since its first entity was made: then handles of before may be given out again.
static bool is_reset(const kin__merging *merging)
{
    return merging->plan.epoch != merging->context->core->dispatch.epoch;
}

static bool is_made_alive(const kin__merging *merging, uint32_t number)
{
    return kin__chunk_of(merging->context, merging->entities[number]) != NULL;
}

// ---- entities

// Creates the next entity. A listener may have taken its slot. `*differs` if it is not the one that was expected.
static kin_status create_next(kin__merging *merging, kin__merge_failure *failure, bool *differs)
{
    kin__pool *pool = kin__merging_pool(merging, merging->made);
    uint32_t slot;
    kin_status status = kin__entity_find_slot(merging->context, pool, &slot, failure->text, &failure->reason);
    if (status != KIN_OK)
        return status;
    kin_entity *made = &merging->entities[merging->made++];
    kin_entity expected = *made;
    *made = kin__entity_create_reserved(merging->context, pool);
    *differs = *differs || *made != expected;
    failure->reason = was_reset;
    return is_reset(merging) ? KIN_ERROR_NOT_ALIVE : KIN_OK;
}

static kin_status create_all(kin__merging *merging, kin__merge_failure *failure, bool *differs)
{
    kin_status status = KIN_OK;
    failure->merging = merging;
    merging->plan.epoch = merging->context->core->dispatch.epoch;
    while (status == KIN_OK && merging->made < merging->count)
        status = create_next(merging, failure, differs);
    return status;
}

// ---- components

// Adds the components of an entity, unless a listener destroys it.
static kin_status add_parts(kin__merging *merging, uint32_t number, kin__merge_failure *failure)
{
    for (size_t i = merging->firsts[number]; i < merging->firsts[number + 1]; i++) {
        if (!is_reset(merging) && !is_made_alive(merging, number)) {
            kin__plan_skip(&merging->plan);
            continue;
        }
        kin_status status = kin__plan_commit(&merging->plan, merging->entities[number]);
        if (status == KIN_OK)
            continue;
        failure->entity = is_reset(merging) ? 0 : merging->entities[number];
        kin__plan_describe(&merging->plan, merging->entities[number], status, &failure->plan);
        return status;
    }
    return KIN_OK;
}

static kin_status add_all(kin__merging *merging, kin__merge_failure *failure)
{
    kin_status status = KIN_OK;
    failure->merging = merging;
    failure->reason = was_reset;
    for (uint32_t i = 0; status == KIN_OK && i < merging->count; i++)
        status = add_parts(merging, i, failure);
    KIN_ASSERT(status != KIN_OK || merging->plan.done == merging->plan.count);
    return status;
}

static kin_status relink_all(kin__merge *merge)
{
    for (uint32_t i = 0; i < merge->count; i++) {
        merge->failure.merging = &merge->mergings[i];
        merge->failure.reason = NULL;
        if (!merging_relink(&merge->mergings[i]))
            return KIN_ERROR_NO_MEMORY;
    }
    return KIN_OK;
}

// ---- all of it

static kin_status make_all(kin__merge *merge)
{
    kin_status status = KIN_OK;
    bool differs = false;
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = create_all(&merge->mergings[i], &merge->failure, &differs);
    if (status == KIN_OK && differs)
        status = relink_all(merge);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = add_all(&merge->mergings[i], &merge->failure);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++) {
        merge->failure.merging = &merge->mergings[i];
        status = merging_move_siblings(&merge->mergings[i], &merge->failure);
    }
    return status;
}

// Listeners of the end of one may end others, or reset the context.
static void destroy_all(const kin__merging *merging)
{
    for (uint32_t i = merging->made; i-- > 0 && !is_reset(merging);)
        if (is_made_alive(merging, i))
            kin__entity_destroy_checked_fast(merging->context, merging->entities[i]);
}

// Creates and completes all entities, or destroys them again and fills in the failure.
static kin_status merge_make(kin__merge *merge)
{
    kin_status status = make_all(merge);
    for (uint32_t i = merge->count; status != KIN_OK && i-- > 0;)
        destroy_all(&merge->mergings[i]);
    return status;
}

static kin_status refuse(const kin_context *context, kin_status status, const char *reason)
{
    return kin__report_error(context, status, &(kin__attempt){.verb = KIN__MERGE_VERB, .reason = reason});
}

// ---- checking

// Returns the component of an opaque value that would have to be copied; NULL if there is none.
static const kin_component_info *find_opaque(const kin__context_snapshot *part)
{
    for (uint32_t id = 0; id < part->info->component_count; id++)
        for (uint32_t chunk = 0; part->info->components[id].has_drops && chunk < part->chunk_count; chunk++)
            if (kin__is_merged(part->info, id) && kin__part_image(part, chunk, id) != NULL)
                return &part->info->components[id];
    return NULL;
}

static bool is_of(const kin__context_snapshot *part, const kin_context *context)
{
    return part->info->stamp == context->info->stamp && strcmp(part->info->name, context->info->name) == 0;
}

static kin_status check_part(const kin_context *context, const kin__context_snapshot *part)
{
    char reason[200];
    if (!is_of(part, context))
        return refuse(context, KIN_ERROR_INVALID,
                      "the snapshot is of another schema; merge it into a context like the one that was saved");
    const kin_component_info *opaque = find_opaque(part);
    if (opaque == NULL)
        return KIN_OK;
    snprintf(reason, sizeof reason, "opaque values of %s cannot be copied; remove them before saving", opaque->name);
    return refuse(context, KIN_ERROR_INVALID, reason);
}

// Finds the part of each context. Refuses a snapshot without any.
static kin_status find_parts(const kin__merge *merge, const kin_snapshot *snapshot)
{
    const kin_context *first = merge->mergings[0].context;
    kin_status status = KIN_OK;
    bool found = false;
    if (snapshot == NULL)
        return refuse(first, KIN_ERROR_INVALID, "the snapshot is NULL; save it first");
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++) {
        kin__merging *merging = &merge->mergings[i];
        merging->part = kin__snapshot_part(snapshot, merging->context->info);
        if (merging->part != NULL)
            status = check_part(merging->context, merging->part);
        found = found || merging->part != NULL;
    }
    if (status != KIN_OK || found)
        return status;
    return refuse(first, KIN_ERROR_INVALID,
                  "the snapshot has no such context, or its context has ended; save it again");
}

// ---- reporting

static kin_status report_failure(const kin__merge_failure *failure, kin_status status)
{
    const kin_context *context = failure->merging->context;
    if (failure->entity == 0)
        return refuse(context, status, failure->reason);
    return kin__plan_report_failure(context, status, &failure->plan,
                                    (kin__attempt){"complete a merged entity with", .entity = failure->entity});
}

// ---- merging

// While contexts are pinned no listener or error handler can destroy, save or restore them.
static void pin(const kin__merge *merge, bool on)
{
    for (uint32_t i = 0; i < merge->count; i++)
        merge->mergings[i].context->core->busy += on ? 1u : (uint32_t)-1;
}

static void release(const kin__merge *merge)
{
    for (uint32_t i = 0; i < merge->count; i++) {
        kin__merging *merging = &merge->mergings[i];
        kin__plan_end(&merging->plan);
        kin__release(&merging->context->core->memory, merging->moves, merging->move_count * sizeof *merging->moves);
    }
}

// Writes the entities that were made, by slot of the snapshot.
static void give(const kin__merging *merging, kin_entity *entities)
{
    for (uint32_t i = 0; i < merging->count; i++)
        entities[merging->slots[i]] = merging->entities[i];
}

static kin_status carry_out(kin__merge *merge, const kin_snapshot *snapshot, kin_entity *entities)
{
    kin_status status = find_parts(merge, snapshot);
    if (status == KIN_OK)
        status = merge_prepare(merge);
    bool is_prepared = status == KIN_OK;
    if (is_prepared)
        status = merge_make(merge);
    if (status == KIN_OK && entities != NULL)
        give(&merge->mergings[0], entities);
    release(merge);
    return is_prepared && status != KIN_OK ? report_failure(&merge->failure, status) : status;
}

// Returns KIN_OK unless threads share one of the contexts.
static kin_status check_sharing(kin_context *const *contexts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (kin__context_is_shared(contexts[i]))
            return kin__refuse_shared(contexts[i]);
    return KIN_OK;
}

static kin_status merge_into(kin__merge *merge, kin_context *const *contexts, const kin_snapshot *snapshot,
                             kin_entity *entities)
{
    for (uint32_t i = 0; i < merge->count; i++)
        merge->mergings[i] = (kin__merging){.context = contexts[i], .merge = merge, .plan = {.context = contexts[i]}};
    pin(merge, true);
    kin_status status = carry_out(merge, snapshot, entities);
    pin(merge, false);
    return status;
}

kin_status kin__context_merge(kin_context *context, const kin_snapshot *snapshot, kin_entity *entities)
{
    kin__merging only;
    kin__merge merge = {.mergings = &only, .count = 1};
    uint32_t slots = entities == NULL ? 0 : kin_snapshot_slot_count(snapshot, context->info);
    if (slots > 0)
        memset(entities, 0, slots * sizeof *entities);
    kin_status status = check_sharing(&context, 1);
    return status == KIN_OK ? merge_into(&merge, &context, snapshot, entities) : status;
}

// Refuses contexts if one is NULL, and reports that to the error handler of another one.
static kin_status check_contexts(kin_context *const *contexts, uint32_t count)
{
    static const char reason[] = "a context is NULL; create all contexts first";
    const kin_context *present = NULL;
    bool are_present = true;
    for (uint32_t i = 0; i < count; i++) {
        present = present == NULL ? contexts[i] : present;
        are_present = are_present && contexts[i] != NULL;
    }
    if (are_present)
        return KIN_OK;
    return present != NULL ? refuse(present, KIN_ERROR_INVALID, reason)
                           : kin__report_error_to(NULL, KIN_ERROR_INVALID,
                                                  &(kin__attempt){.verb = KIN__MERGE_VERB, .reason = reason}, 0);
}

kin_status kin__contexts_merge(kin_context *const *contexts, uint32_t count, const kin_snapshot *snapshot)
{
    kin_status status = check_contexts(contexts, count);
    if (status == KIN_OK)
        status = check_sharing(contexts, count);
    if (status != KIN_OK)
        return status;
    kin__memory *memory = &contexts[0]->core->memory;
    size_t size = count * sizeof(kin__merging);
    kin__merge merge = {.mergings = kin__allocate(memory, size), .count = count};
    if (merge.mergings == NULL)
        return refuse(contexts[0], KIN_ERROR_NO_MEMORY, NULL);
    status = merge_into(&merge, contexts, snapshot, NULL);
    kin__release(memory, merge.mergings, size);
    return status;
}
