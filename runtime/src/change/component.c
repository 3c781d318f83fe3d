#include "change/component.h"

#include "base/base.h"
#include "change/stash.h"
#include "store/store.h"
#include "notify/notify.h"
#include "lookup/lookup.h"

#include <string.h>

kin_status kin__component_report_error(const kin_context *context, kin_status status, const char *verb,
                                       const kin__step *step)
{
    char reason[KIN__CHANGE_REASON_SIZE];
    KIN_ASSERT(status != KIN_OK);
    if (!kin__change_describe(context, status, step, reason))
        return kin__report_component_error(context, status, verb, step->entity, step->id);
    kin__attempt attempt = {.verb = verb, .entity = step->entity, .reason = reason};
    attempt.component = context->info->components[step->id].name;
    return kin__report_error(context, status, &attempt);
}

// ---- add, replace, remove, touch

kin_status kin__component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step step = {KIN__STEP_ADD, entity, id, value};
    kin_status status = kin__change_make(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "add", &step);
}

kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REMOVE, entity, id, NULL};
    kin_status status = kin__change_make(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "remove", &step);
}

kin_status kin__component_try_replace(kin_context *context, kin__step *step)
{
    bool has = kin__has(context, step->entity, step->id, context->row_words);
    step->kind = has ? KIN__STEP_REPLACE : KIN__STEP_ADD;
    return kin__change_make(context, step);
}

kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step step = {KIN__STEP_ADD, entity, id, value};
    kin_status status = kin__component_try_replace(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "replace", &step);
}

// Updates the keys that functions give; other keys cannot have changed. False when out of memory.
static bool touch_keys(kin_context *context, const kin__step *step)
{
    if (!kin__indices_reserve_replacement(context, kin_entity_slot(step->entity), step->id))
        return false;
    kin__indices_update(context, step);
    return true;
}

// A replace by the value that stands there: that need not be the value for which a function gave keys.
kin_status kin__component_begin_touch(kin_context *context, const kin__step *step)
{
    kin_status status = KIN_OK;
    if (kin__context_is_shared(context))
        return KIN_ERROR_INVALID;
    if (kin__chunk_of(context, step->entity) == NULL)
        status = KIN_ERROR_NOT_ALIVE;
    else if (!kin__has(context, step->entity, step->id, context->row_words))
        status = KIN_ERROR_NO_COMPONENT;
    else
        status = kin__indices_check(context, step);
    if (status == KIN_OK && !kin__dispatch_may_nest(context))
        status = KIN_ERROR_LIMIT;
    return status == KIN_OK && !touch_keys(context, step) ? KIN_ERROR_NO_MEMORY : status;
}

void kin__component_end_touch(kin_context *context, kin_entity entity, kin_component_id id)
{
    if (kin__is_noted(context, id))
        kin__note_change(context, entity, id, KIN_RECORD_TOUCHED, NULL);
    if (!kin__is_watched(context, entity, id))
        return;
    const void *kept = kin__value_keep(context, kin_entity_slot(entity), id);
    kin__notify_replaced(context, entity, id, kept, kept);
}

kin_status kin__component_touch(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REPLACE, entity, id, NULL};
    kin_status status = kin__component_begin_touch(context, &step);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "touch", &step);
    kin__component_end_touch(context, entity, id);
    return KIN_OK;
}

// ---- stash, restore

kin_status kin__component_stash(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REMOVE, entity, id, NULL};
    kin_status status = kin__change_check(context, &step);
    if (status == KIN_OK && !kin__stash_reserve(context, id))
        status = KIN_ERROR_NO_MEMORY;
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "stash", &step);
    kin__change_write_stash(context, &step);
    return KIN_OK;
}

bool kin__component_has_stashed(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return kin__chunk_of(context, entity) != NULL && kin__stash_has(context, kin_entity_slot(entity), id);
}

// Adds a copy of the stashed value, which is discarded before listeners are called.
static kin_status restore(kin_context *context, const kin__step *step, kin__owned_block *stashed)
{
    kin__memory *memory = &context->core->column_memory;
    size_t size = kin__value_size(context, step->id);
    void *copy = kin__allocate(memory, size);
    kin__value_storage storage;
    KIN_ASSERT(size > 0);
    if (copy == NULL)
        return KIN_ERROR_NO_MEMORY;
    kin__step addition = {KIN__STEP_ADD, step->entity, step->id, memcpy(copy, step->value, size)};
    kin_status status = kin__change_check(context, &addition);
    if (status == KIN_OK && !kin__change_reserve(context, kin_entity_slot(step->entity), &addition, &storage))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_OK) {
        kin__owned_block_move_opaque(context, storage.owned_block, stashed);
        kin__change_write(context, &addition, &storage);
    }
    kin__release(memory, copy, size);
    return status;
}

kin_status kin__component_restore(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_ADD, entity, id, NULL};
    const char *verb = "restore";
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, entity) == NULL)
        return kin__component_report_error(context, KIN_ERROR_NOT_ALIVE, verb, &step);
    if (!kin__stash_has(context, kin_entity_slot(entity), id)) {
        kin__attempt attempt = {.verb = verb, .entity = entity, .component = context->info->components[id].name};
        attempt.reason = "no value is stashed; stash it first, or add it";
        return kin__report_error(context, KIN_ERROR_NO_COMPONENT, &attempt);
    }
    kin__value_storage stashed =
        kin__last_value_storage(context, kin__last_values_of(context, id), kin_entity_slot(entity));
    step.value = stashed.value;
    kin_status status = restore(context, &step, stashed.owned_block);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, verb, &step);
}

// ---- readd

// Checks the removal, and the key as a replace by the value would have it. Copies the value to its storage at once, as
// its strings may be those of the value that is removed. The component has its column and index entries. Reports a
// refusal.
static kin_status reserve_readd(kin_context *context, const kin__step *step, kin__value_storage *storage)
{
    kin__step removal = {KIN__STEP_REMOVE, step->entity, step->id, NULL};
    kin_status status = kin__change_check(context, &removal);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "readd", &removal);
    status = kin__relations_check(context, step);
    if (status == KIN_OK)
        status = kin__indices_check(context, step);
    if (status == KIN_OK && !(kin__indices_reserve_replacement(context, kin_entity_slot(step->entity), step->id) &&
                              kin__relations_reserve_targets(context, step->id, step->value) &&
                              kin__value_storage_make(context, step->id, step->value, storage)))
        status = KIN_ERROR_NO_MEMORY;
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "readd", step);
}

// Describes the refusal before it releases the storage of the value, and reports last: `on_error` may call Kin.
static kin_status report_readd_error(kin_context *context, kin_status status, const kin__step *step,
                                     const kin__value_storage *storage)
{
    char reason[KIN__CHANGE_REASON_SIZE];
    kin__attempt attempt = {.verb = "readd", .entity = step->entity};
    attempt.component = context->info->components[step->id].name;
    attempt.reason = kin__change_describe(context, status, step, reason) ? reason : NULL;
    kin__value_storage_release(context, step->id, storage);
    return attempt.reason != NULL ? kin__report_error(context, status, &attempt)
                                  : kin__report_component_error(context, status, attempt.verb, step->entity, step->id);
}

// The removal does not drop opaque values that the old and the new value both have: the new value owns them, or the
// caller, if a listener of the removal makes the addition impossible.
kin_status kin__component_readd(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step removal = {KIN__STEP_REMOVE, entity, id, NULL}, replacement = {KIN__STEP_REPLACE, entity, id, value};
    uint64_t epoch = context->core->dispatch.epoch;
    kin__value_storage storage;
    if (!kin__has(context, entity, id, context->row_words))
        return kin__component_add(context, entity, id, value);
    kin_status status = reserve_readd(context, &replacement, &storage);
    if (status != KIN_OK)
        return status;
    kin__owned_block_move_opaque(context, storage.owned_block,
                                 kin__owned_block_of(context, kin_entity_slot(entity), id));
    kin__change_write(context, &removal, &(kin__value_storage){0});
    kin__step addition = {KIN__STEP_ADD, entity, id, storage.value};
    status = kin__change_commit(context, &addition, &storage, epoch);
    return status == KIN_OK ? KIN_OK : report_readd_error(context, status, &addition, &storage);
}
