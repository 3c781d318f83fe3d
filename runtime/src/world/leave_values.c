#include "world/leave_values.h"

#include "base/base.h"
#include "context_systems/component_collector.h"

#include <string.h>

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
        values->collector = kin__component_collector(context, id, KIN_REMOVED, &status);
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
    uint32_t low = 0, high = membership->left_count;
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
