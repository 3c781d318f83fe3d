#include "world/world.h"

#include <string.h>

kin__membership kin__membership_of(kin_group *group, kin__memory *memory)
{
    kin__listing none = {.stamp = KIN__NEVER};
    return (kin__membership){.group = group, .memory = memory, .before = none, .now = none};
}

static bool is_current(const kin__listing *listing, const kin_group *group)
{
    return listing->stamp == kin__group_stamp(group) && listing->epoch == group->context->core->dispatch.epoch;
}

// Lists the current members in `now`. Returns false when out of memory.
static bool list(kin__membership *membership)
{
    kin__listing *now = &membership->now;
    if (is_current(now, membership->group))
        return true;
    uint32_t count = kin_group_count(membership->group);
    if (!kin__array_reserve(membership->memory, &now->array, count, sizeof(kin_entity)))
        return false;
    now->count = kin_group_copy_entities(membership->group, now->array.elements, count);
    KIN_ASSERT(now->count == count);
    now->stamp = kin__group_stamp(membership->group);
    now->epoch = membership->group->context->core->dispatch.epoch;
    return true;
}

// Merges both arrays by slot. A slot with another entity than before is in both results.
static void compare(kin__membership *membership)
{
    const kin_entity *before = membership->before.array.elements;
    const kin_entity *now = membership->now.array.elements;
    kin_entity *left = membership->left.elements;
    kin_entity *entered = membership->entered.elements;
    KIN_ASSERT(membership->left_count == 0 && membership->entered_count == 0);
    membership->is_reset = membership->before.epoch != membership->now.epoch;
    uint32_t b = 0;
    uint32_t n = 0;
    while (b < membership->before.count || n < membership->now.count) {
        uint32_t old_slot = b < membership->before.count ? kin_entity_slot(before[b]) : KIN__NO_SLOT;
        uint32_t new_slot = n < membership->now.count ? kin_entity_slot(now[n]) : KIN__NO_SLOT;
        bool stays = old_slot == new_slot && before[b] == now[n] && !membership->is_reset;
        if (old_slot <= new_slot && !stays)
            left[membership->left_count++] = before[b];
        if (new_slot <= old_slot && !stays)
            entered[membership->entered_count++] = now[n];
        b += old_slot <= new_slot;
        n += new_slot <= old_slot;
    }
    KIN_ASSERT(membership->left_count <= membership->before.count);
    KIN_ASSERT(membership->entered_count <= membership->now.count);
}

// `now` then has counters of the past, so it is not mistaken for a current listing.
static void swap(kin__membership *membership)
{
    kin__listing former = membership->before;
    membership->before = membership->now;
    membership->now = former;
}

bool kin__membership_turn(kin__membership *membership)
{
    membership->left_count = membership->entered_count = 0;
    if (is_current(&membership->before, membership->group))
        return true;
    if (!list(membership) ||
        !kin__array_reserve(membership->memory, &membership->left, membership->before.count, sizeof(kin_entity)) ||
        !kin__array_reserve(membership->memory, &membership->entered, membership->now.count, sizeof(kin_entity)))
        return false;
    compare(membership);
    swap(membership);
    return true;
}

void kin__membership_undo(kin__membership *membership)
{
    membership->left_count = membership->entered_count = 0;
    swap(membership);
}

bool kin__membership_reserve_leave(kin__membership *membership)
{
    return kin__array_reserve(membership->memory, &membership->left, membership->before.count, sizeof(kin_entity));
}

void kin__membership_leave_all(kin__membership *membership)
{
    kin__listing *before = &membership->before;
    KIN_ASSERT(before->count == 0 || membership->left.capacity >= before->count);
    if (before->count > 0)
        memcpy(membership->left.elements, before->array.elements, before->count * sizeof(kin_entity));
    membership->left_count = before->count;
    membership->entered_count = 0;
    membership->is_reset = before->epoch != membership->group->context->core->dispatch.epoch;
    before->count = 0;
    before->stamp = KIN__NEVER;
}

bool kin__membership_list(kin__membership *membership, const kin_entity **entities, uint32_t *count)
{
    const kin__listing *listing =
        is_current(&membership->before, membership->group) ? &membership->before : &membership->now;
    if (listing == &membership->now && !list(membership))
        return false;
    *entities = listing->array.elements;
    *count = listing->count;
    return true;
}

// ---- snapshots

static uint64_t epoch_of(const kin__membership *membership)
{
    return membership->group->context->core->dispatch.epoch;
}

bool kin__membership_save(const kin__membership *membership, kin__state *state)
{
    const kin__listing *before = &membership->before;
    kin__state_put_count(state, before->count);
    kin__state_put(state, before->array.elements, before->count * sizeof(kin_entity));
    return before->epoch == epoch_of(membership);
}

bool kin__membership_reserve(kin__membership *membership, kin__state *state)
{
    uint32_t count = (uint32_t)kin__state_take_count(state);
    kin__state_take(state, count * sizeof(kin_entity));
    return kin__array_reserve(membership->memory, &membership->before.array, count, sizeof(kin_entity));
}

void kin__membership_restore(kin__membership *membership, kin__state *state, bool is_current)
{
    kin__listing *before = &membership->before;
    uint32_t count = (uint32_t)kin__state_take_count(state);
    const kin_entity *members = kin__state_take(state, count * sizeof *members);
    bool is_anew = state->mode == KIN_RESTORE_ANEW;
    before->stamp = membership->now.stamp = KIN__NEVER;
    before->epoch = is_current && !is_anew ? epoch_of(membership) : KIN__NEVER;
    if (is_anew)
        return;
    KIN_ASSERT(count <= before->array.capacity);
    before->count = count;
    if (count > 0)
        memcpy(before->array.elements, members, count * sizeof *members);
}

void kin__membership_release(kin__membership *membership)
{
    kin__array *const arrays[] = {&membership->before.array, &membership->now.array, &membership->left,
                                  &membership->entered};
    for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        kin__array_release(membership->memory, arrays[i], sizeof(kin_entity));
}

kin_status kin__leave_values_make(kin__leave_values *values, kin_context *context, kin_component_id id,
                                  const char *system)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    KIN_ASSERT(values->last_values == NULL && values->collector == NULL && values->memory != NULL);
    KIN_ASSERT(kin__value_size(context, id) > 0);
    values->id = id;
    values->context = context;
    values->last_values = kin__last_values_add_user(context, id);
    if (values->last_values != NULL)
        values->collector = kin__component_collector(context, id, KIN_REMOVED, NULL, &status);
    if (values->collector == NULL)
        return status;
    kin__collector_borrow_name(values->collector, system);
    kin__collector_keep_last_values(values->collector, values->last_values);
    return KIN_OK;
}

void kin__leave_values_release(kin__leave_values *values)
{
    kin_collector_destroy(values->collector);
    if (values->last_values != NULL)
        kin__last_values_remove_user(values->context, values->last_values);
    kin__array_release(values->memory, &values->last, sizeof(kin__leave_value));
    if (values->values.capacity > 0)
        kin__array_release(values->memory, &values->values, kin__value_size(values->context, values->id));
}

bool kin__leave_values_reserve(kin__leave_values *values, uint32_t count)
{
    size_t size = kin__value_size(values->context, values->id);
    return kin__array_reserve(values->memory, &values->last, count, sizeof(kin__leave_value)) &&
           kin__array_reserve(values->memory, &values->values, count, size);
}

// Returns the index of an entity in `left`, or `left_count` when it has not left. Binary search by slot.
static uint32_t find_left(const kin__membership *membership, kin_entity entity)
{
    const kin_entity *left = membership->left.elements;
    uint32_t low = 0;
    uint32_t high = membership->left_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kin_entity_slot(left[middle]) < kin_entity_slot(entity))
            low = middle + 1;
        else
            high = middle;
    }
    return low < membership->left_count && left[low] == entity ? low : membership->left_count;
}

static void *value_at(const kin__leave_values *values, uint32_t index)
{
    return (char *)values->values.elements + index * kin__value_size(values->context, values->id);
}

// Marks the entities that left and lost the component.
static void mark_lost(kin__leave_values *values, const kin__membership *membership)
{
    kin__leave_value *last = values->last.elements;
    uint32_t count = 0;
    KIN_ASSERT(values->last.capacity >= membership->left_count);
    const kin_entity *lost = kin__collector_taken(&values->collector->sources[0], &count);
    for (uint32_t i = 0; i < membership->left_count; i++)
        last[i] = (kin__leave_value){0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = find_left(membership, lost[i]);
        if (index < membership->left_count)
            last[index].exists = true;
    }
}

// Copies the value of the component if the entity still has it, otherwise its last value, if there is one.
static void copy_value(const kin__leave_values *values, const kin__membership *membership, uint32_t index)
{
    kin__leave_value *last = &((kin__leave_value *)values->last.elements)[index];
    kin_entity entity = ((const kin_entity *)membership->left.elements)[index];
    uint32_t slot = kin_entity_slot(entity);
    if (!membership->is_reset && kin_has(values->context, entity, values->id)) {
        kin__value_read(values->context, slot, values->id, value_at(values, index));
        last->owned_block = kin__value_storage_of(values->context, slot, values->id).owned_block;
        last->exists = true;
    } else if (last->exists) {
        kin__value_storage storage = kin__last_value_storage(values->context, values->last_values, slot);
        KIN_ASSERT(storage.value != NULL);
        memcpy(value_at(values, index), storage.value, kin__value_size(values->context, values->id));
        last->owned_block = storage.owned_block;
    }
    kin__owned_block_pin(last->owned_block);
}

void kin__leave_values_begin(kin__leave_values *values, const kin__membership *membership)
{
    kin__collector_take(values->collector);
    mark_lost(values, membership);
    for (uint32_t index = 0; index < membership->left_count; index++)
        copy_value(values, membership, index);
}

void kin__leave_values_end(kin__leave_values *values, const kin__membership *membership)
{
    const kin__leave_value *last = values->last.elements;
    for (uint32_t index = 0; index < membership->left_count; index++)
        kin__owned_block_unpin(values->context, last[index].owned_block);
    kin__collector_drop_taken(values->collector);
}

const void *kin__leave_values_get(const kin__leave_values *values, uint32_t index)
{
    return ((const kin__leave_value *)values->last.elements)[index].exists ? value_at(values, index) : NULL;
}
