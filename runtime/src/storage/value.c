#include "storage/value.h"

#include "base/base.h"
#include "storage/payload.h"
#include "storage/shared.h"
#include "storage/slab.h"

#include <string.h>

static bool is_boxed(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed;
}

static bool is_soa(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_soa;
}

static void *place_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(!is_soa(context, id) && kin__column_of(context, slot, id) != context->empty);
    return kin__column_value(kin__column_of(context, slot, id), slot % KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(!is_soa(context, id) && id < context->info->component_count);
    if (kin__value_size(context, id) == 0)
        return NULL;
    void *place = place_of(context, slot, id);
    return is_boxed(context, id) ? *(void **)place : place;
}

// ---- soa components

// Copies a value from its columns to a struct, with zeros as padding.
static void gather(const kin_context *context, uint32_t slot, kin_component_id id, char *value)
{
    const kin_component_info *info = &context->info->components[id];
    const char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(kin__column_of(context, slot, id) != context->empty);
    memset(value, 0, info->size);
    for (const kin_field_info *field = info->fields; field < info->fields + info->field_count; field++) {
        memcpy(value + field->offset, column + slot % KIN__CHUNK_SLOTS * field->size, field->size);
        column += KIN__CHUNK_SLOTS * field->size;
    }
}

static void scatter(const kin_context *context, uint32_t slot, kin_component_id id, const char *value)
{
    const kin_component_info *info = &context->info->components[id];
    char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(kin__column_of(context, slot, id) != context->empty);
    for (const kin_field_info *field = info->fields; field < info->fields + info->field_count; field++) {
        memcpy(column + slot % KIN__CHUNK_SLOTS * field->size, value + field->offset, field->size);
        column += KIN__CHUNK_SLOTS * field->size;
    }
}

// The fields of a component are in the order of their offsets.
static const char *find_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset)
{
    const kin_field_info *field = context->info->components[id].fields;
    const char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(offset < kin__value_size(context, id));
    for (; offset >= field->offset + field->size; field++)
        column += KIN__CHUNK_SLOTS * field->size;
    return column + slot % KIN__CHUNK_SLOTS * field->size + (offset - field->offset);
}

// ---- all components

const void *kin__value_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset)
{
    return is_soa(context, id) ? find_part(context, slot, id, offset)
                               : (const char *)kin__value_of(context, slot, id) + offset;
}

void kin__value_read(const kin_context *context, uint32_t slot, kin_component_id id, void *value)
{
    size_t size = kin__value_size(context, id);
    if (is_soa(context, id))
        gather(context, slot, id, value);
    else if (size > 0)
        memcpy(value, kin__value_of(context, slot, id), size);
}

const void *kin__value_keep(const kin_context *context, uint32_t slot, kin_component_id id)
{
    size_t size = kin__value_size(context, id);
    if (!is_soa(context, id))
        return kin__payload_keep(context, kin__value_of(context, slot, id), size);
    void *kept = kin__payload_at(context, context->depth, size);
    gather(context, slot, id, kept);
    return kept;
}

// A subscriber that needs the value reserved memory for it when it subscribed (payload.h).
const void *kin__value_lost(const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    size_t size = kin__value_size(context, id);
    if (!is_soa(context, id))
        return kin__value_of(context, slot, id);
    if (dispatch->kept == NULL || dispatch->kept->value_size < size)
        return NULL;
    KIN_ASSERT(context->depth > 0);
    void *kept = kin__payload_at(context, context->depth - 1, size);
    gather(context, slot, id, kept);
    return kept;
}

void kin__value_overwrite(kin_context *context, uint32_t slot, kin_component_id id, const void *value)
{
    KIN_ASSERT(value != NULL && kin__value_size(context, id) > 0 && !kin__is_shared(context, id));
    if (is_soa(context, id))
        scatter(context, slot, id, value);
    else
        memcpy(kin__value_of(context, slot, id), value, kin__value_size(context, id));
}

// ---- storage of values

bool kin__value_storage_make(kin_context *context, kin_component_id id, const void *value, kin__value_storage *storage)
{
    KIN_ASSERT(value != NULL || kin__value_size(context, id) == 0);
    *storage = (kin__value_storage){.value = kin__value_size(context, id) == 0 ? NULL : value};
    if (is_boxed(context, id) && !kin__is_shared(context, id)) {
        storage->box = kin__slab_take(context, id);
        if (storage->box == NULL)
            return false;
    }
    if (kin__owned_block_make(context, id, &storage->value, &storage->owned_block))
        return true;
    kin__slab_put(context, id, storage->box);
    storage->box = NULL;
    return false;
}

void kin__value_storage_release(kin_context *context, kin_component_id id, const kin__value_storage *storage)
{
    kin__slab_put(context, id, storage->box);
    if (kin__is_shared(context, id))
        kin__shared_release(context, storage->owned_block);
    else
        kin__owned_block_release(context, storage->owned_block);
}

// The place of a shared value then counts as its holder.
static void point_at_shared(const kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *block)
{
    *(void **)place_of(context, slot, id) = kin__shared_value_of(block);
    kin__shared_add_holder(block);
}

void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    if (storage->value == NULL)
        return;
    if (ownership == KIN__OWNERSHIP_SHARED) {
        point_at_shared(context, slot, id, storage->owned_block);
        return;
    }
    KIN_ASSERT((storage->box != NULL) == is_boxed(context, id));
    if (storage->box != NULL)
        *(void **)place_of(context, slot, id) = storage->box;
    kin__value_overwrite(context, slot, id, storage->value);
    if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_put(context, slot, id, storage->owned_block);
}

void kin__value_replace(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    KIN_ASSERT(storage->box == NULL);
    if (ownership == KIN__OWNERSHIP_SHARED) {
        kin__owned_block *replaced = kin__shared_block_of(kin__value_of(context, slot, id));
        kin__shared_remove_holder(replaced);
        point_at_shared(context, slot, id, storage->owned_block);
        kin__shared_let_go(context, replaced);
        return;
    }
    kin__value_overwrite(context, slot, id, storage->value);
    if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_replace(context, slot, id, storage->owned_block);
}

kin__value_storage kin__value_storage_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    uint8_t ownership = context->core->watches[id].ownership;
    void *value = is_soa(context, id) ? NULL : kin__value_of(context, slot, id);
    if (ownership == KIN__OWNERSHIP_SHARED)
        return (kin__value_storage){.value = value, .owned_block = kin__shared_block_of(value)};
    return (kin__value_storage){.value = value,
                                .box = is_boxed(context, id) ? value : NULL,
                                .owned_block =
                                    ownership == KIN__OWNERSHIP_NONE ? NULL : kin__owned_block_of(context, slot, id)};
}

void kin__value_detach(const kin_context *context, uint32_t slot, kin_component_id id)
{
    if (is_boxed(context, id))
        *(void **)place_of(context, slot, id) = kin__slab_spare(context, id);
}

void kin__value_end_sharing(const kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__shared_remove_holder(kin__shared_block_of(kin__value_of(context, slot, id)));
}

void kin__value_storage_retire(kin_context *context, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    kin__slab_put(context, id, storage->box);
    if (ownership == KIN__OWNERSHIP_SHARED)
        kin__shared_let_go(context, storage->owned_block);
    else if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_block_retire(context, storage->owned_block);
}

void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__value_storage storage = kin__value_storage_of(context, slot, id);
    kin__value_detach(context, slot, id);
    kin__value_storage_retire(context, id, &storage);
}
