#include "entity/entity.h"

#include <kin/journal.h>

#include <string.h>

// The last values of the chunk in which the slot has a stashed value; NULL when it has none.
static kin__last_value_block *find(const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = context->core->stashed == 0 ? NULL : kin__last_values_of(context, id);
    kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    return block != NULL && kin__last_value_block_stashes(block, slot % KIN__CHUNK_SLOTS) ? block : NULL;
}

static void flip(kin_context *context, kin__last_value_block *block, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    uint32_t one = kin__last_value_block_stashes(block, place) ? (uint32_t)-1 : 1;
    kin__bits_flip(block->stashed, place);
    context->core->stashed += one;
    context->core->events.destroy_subscribers += one;
    KIN_ASSERT(context->core->events.destroy_subscribers >= context->core->stashed);
}

static bool stash_has(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return find(context, slot, id) != NULL;
}

// Makes last values for the component if it has none for the stash, so that a loss can be stashed. They stay. False
// without memory.
static bool stash_reserve(kin_context *context, kin_component_id id)
{
    kin__last_values *last_values = kin__last_values_of(context, id);
    if (last_values != NULL && last_values->is_stash)
        return true;
    last_values = kin__last_values_add_user(context, id);
    if (last_values != NULL)
        last_values->is_stash = true;
    return last_values != NULL;
}

// Stashes the value that the slot has just lost.
static void stash_add(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    KIN_ASSERT(last_values != NULL && last_values->is_stash && find(context, slot, id) == NULL);
    flip(context, kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS), slot);
    kin__last_value_add_hold(last_values, slot);
}

// Discards the stashed value of one component. Does nothing where none is stashed.
static void stash_discard(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__last_value_block *block = find(context, slot, id);
    if (block == NULL)
        return;
    flip(context, block, slot);
    kin__last_value_remove_hold(context, kin__last_values_of(context, id), slot);
}

void kin__stash_discard_all(kin_context *context, uint32_t slot)
{
    for (uint32_t id = 0; context->core->stashed > 0 && id < context->info->component_count; id++)
        stash_discard(context, slot, (kin_component_id)id);
}

// ---- before the first write

// Checks the entities that the value names, then the keys that it gives.
static inline kin_status check_links(const kin_context *context, const kin__step *step)
{
    kin_status status = context->core->relations == NULL ? KIN_OK : kin__relations_check(context, step);
    return status == KIN_OK ? kin__indices_check(context, step) : status;
}

static kin_status check(const kin_context *context, const kin__step *step)
{
    if (kin__chunk_of(context, step->entity) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    bool has = kin__has(context, step->entity, step->id, context->row_words);
    if (has != (step->kind != KIN__STEP_ADD))
        return has ? KIN_ERROR_HAS_COMPONENT : KIN_ERROR_NO_COMPONENT;
    if (step->kind == KIN__STEP_ADD && context->carriers[step->id] != 0)
        return KIN_ERROR_UNIQUE;
    return check_links(context, step);
}

// While threads share the context, nothing is checked: that may call functions of the program, and needs room.
static kin_status check_at_limit(const kin_context *context, const kin__step *step)
{
    if (kin__context_is_shared(context))
        return KIN_ERROR_INVALID;
    kin_status status = check(context, step);
    return status == KIN_OK ? KIN_ERROR_LIMIT : status;
}

// Returns KIN_OK, or why the step cannot be made now. Memory is not checked.
static kin_status change_check(const kin_context *context, const kin__step *step)
{
    KIN_ASSERT(step->id < context->info->component_count);
    return kin__dispatch_may_nest(context) ? check(context, step) : check_at_limit(context, step);
}

bool kin__change_describe(const kin_context *context, kin_status status, const kin__step *step,
                          char reason[KIN__CHANGE_REASON_SIZE])
{
    if (kin__context_is_shared(context))
        return false;
    bool is_about_key = status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID;
    if (is_about_key)
        kin__indices_describe(context, step, reason);
    bool may_be_target = status == KIN_ERROR_CIRCLE || status == KIN_ERROR_NOT_ALIVE;
    if (may_be_target && kin__chunk_of(context, step->entity) != NULL)
        return kin__relations_describe(context, step, reason);
    return is_about_key;
}

bool kin__change_reserve_entries(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count)
{
    KIN_ASSERT(count > 0);
    if (kin__column_reserve(context, slot, id) == NULL || !kin__indices_reserve(context, slot, id, count))
        return false;
    return context->core->relations == NULL || kin__relations_reserve(context, slot, id);
}

// A value that is replaced keeps its box.
bool kin__change_reserve(kin_context *context, uint32_t slot, const kin__step *step, kin__value_storage *storage)
{
    if (context->core->relations != NULL && !kin__relations_reserve_targets(context, step->id, step->value))
        return false;
    if (step->kind == KIN__STEP_ADD)
        return kin__change_reserve_entries(context, slot, step->id, 1) &&
               kin__value_storage_make(context, step->id, step->value, storage);
    *storage = (kin__value_storage){.value = step->value};
    if (step->kind == KIN__STEP_REPLACE && !kin__indices_reserve_replacement(context, slot, step->id))
        return false;
    return step->kind == KIN__STEP_REMOVE ||
           kin__owned_block_make(context, step->id, &storage->value, &storage->owned_block);
}

// ---- writing

// Sets the carrier of a unique component, counts one holder less of a shared value, and notes the change in journals.
static void make_side_effects(kin_context *context, const kin__step *step, bool on)
{
    kin_entity entity = step->entity;
    kin_component_id id = step->id;
    uint32_t side_effects = context->core->watches[id].side_effects;
    if ((side_effects & KIN__SIDE_EFFECT_NOTED) != 0)
        kin__note_change(context, entity, id, on ? KIN_RECORD_ADDED : KIN_RECORD_REMOVED, step->value);
    if ((side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0)
        kin__journal_note(context, id, kin_entity_slot(entity));
    if ((side_effects & KIN__SIDE_EFFECT_SHARED) != 0 && !on)
        kin__value_end_sharing(context, kin_entity_slot(entity), id);
    if ((side_effects & KIN__SIDE_EFFECT_CARRIER) == 0)
        return;
    KIN_ASSERT((context->carriers[id] == 0) == on);
    context->carriers[id] = on ? entity : 0;
}

static inline void toggle(kin_context *context, const kin__step *step, bool on)
{
    kin_entity entity = step->entity;
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__has(context, entity, id, context->row_words) != on);
    kin__flip(kin__chunk_of_slot(context, slot), kin__column_of(context, slot, id), id, context->row_words,
              slot % KIN__CHUNK_SLOTS);
    context->components[id].changes++;
    if (context->core->watches[id].side_effects != 0)
        make_side_effects(context, step, on);
}

// Updates all that other entities find the entity by.
static void update_links(kin_context *context, const kin__step *step)
{
    kin__indices_update(context, step);
    if (context->core->relations != NULL)
        kin__relations_update(context, step);
}

static void write_addition(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    uint32_t slot = kin_entity_slot(step->entity);
    update_links(context, step);
    toggle(context, step, true);
    kin__value_write(context, slot, step->id, storage);
    if (context->core->stashed > 0)
        stash_discard(context, slot, step->id);
    if (kin__is_watched(context, step->entity, step->id))
        kin__notify_added(context, step->entity, step->id, step->value);
}

static void write_replacement(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    uint32_t slot = kin_entity_slot(step->entity);
    bool watched = kin__is_watched(context, step->entity, step->id);
    const void *previous = watched ? kin__value_keep(context, slot, step->id) : NULL;
    if (kin__is_noted(context, step->id))
        kin__note_change(context, step->entity, step->id, KIN_RECORD_REPLACED, step->value);
    update_links(context, step);
    kin__value_replace(context, slot, step->id, storage);
    if (watched)
        kin__notify_replaced(context, step->entity, step->id, previous, step->value);
    kin__owned_settle(context);
}

void kin__change_overwrite(kin_context *context, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    bool watched = kin__is_watched(context, step->entity, step->id);
    const void *previous = watched ? kin__value_keep(context, slot, step->id) : NULL;
    KIN_ASSERT(step->kind == KIN__STEP_REPLACE && kin__dispatch_may_nest(context));
    if (kin__is_noted(context, step->id))
        kin__note_change(context, step->entity, step->id, KIN_RECORD_REPLACED, step->value);
    update_links(context, step);
    kin__value_overwrite(context, slot, step->id, step->value);
    if (watched)
        kin__notify_replaced(context, step->entity, step->id, previous, step->value);
}

static void write_removal(kin_context *context, const kin__step *step, bool stashes)
{
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(step->entity);
    update_links(context, step);
    bool watched = kin__is_watched(context, step->entity, id);
    const void *previous = watched ? kin__value_keep(context, slot, id) : NULL;
    toggle(context, step, false);
    if ((!watched && !stashes) || !kin__last_value_save(context, slot, id))
        kin__value_drop(context, slot, id);
    if (stashes)
        stash_add(context, slot, id);
    if (watched)
        kin__notify_removed(context, step->entity, id, previous);
    kin__last_value_settle(context, slot, id);
    kin__owned_settle(context);
}

// Writes a step that is checked and reserved, then notifies. The entity then owns the storage, whose value is written
// instead of the step's.
static void change_write(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    KIN_ASSERT(kin__chunk_of(context, step->entity) != NULL && kin__dispatch_may_nest(context));
    if (step->kind == KIN__STEP_REMOVE) {
        write_removal(context, step, false);
    } else {
        kin__step written = {step->kind, step->entity, step->id, storage->value};
        if (step->kind == KIN__STEP_ADD)
            write_addition(context, &written, storage);
        else
            write_replacement(context, &written, storage);
    }
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(step->entity)));
}

// Writes a checked removal that keeps the value stashed, then notifies.
static void change_write_stash(kin_context *context, const kin__step *step)
{
    KIN_ASSERT(step->kind == KIN__STEP_REMOVE && kin__last_values_of(context, step->id) != NULL);
    write_removal(context, step, true);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(step->entity)));
}

// ---- all of it

// Checks, reserves and writes the step. Returns KIN_OK, or why it could not be made.
static kin_status change_make(kin_context *context, const kin__step *step)
{
    kin__value_storage storage;
    kin_status status = change_check(context, step);
    if (status != KIN_OK)
        return status;
    if (!kin__change_reserve(context, kin_entity_slot(step->entity), step, &storage))
        return KIN_ERROR_NO_MEMORY;
    change_write(context, step, &storage);
    return KIN_OK;
}

// Listeners leave the depth of nesting as it was, so that a step that was checked is never refused for it here.
kin_status kin__change_commit(kin_context *context, const kin__step *step, const kin__value_storage *storage,
                              uint64_t epoch)
{
    if (epoch != context->core->dispatch.epoch)
        return KIN_ERROR_NOT_ALIVE;
    kin_status status = change_check(context, step);
    KIN_ASSERT(status != KIN_ERROR_LIMIT);
    if (status != KIN_OK)
        return status;
    uint32_t slot = kin_entity_slot(step->entity);
    bool is_reserved = step->kind == KIN__STEP_ADD ? kin__change_reserve_entries(context, slot, step->id, 1)
                                                   : kin__indices_reserve_replacement(context, slot, step->id);
    if (!is_reserved)
        return KIN_ERROR_NO_MEMORY;
    change_write(context, step, storage);
    return KIN_OK;
}

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

static kin_status component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step step = {KIN__STEP_ADD, entity, id, value};
    kin_status status = change_make(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "add", &step);
}

kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REMOVE, entity, id, NULL};
    kin_status status = change_make(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_report_error(context, status, "remove", &step);
}

kin_status kin__component_try_replace(kin_context *context, kin__step *step)
{
    bool has = kin__has(context, step->entity, step->id, context->row_words);
    step->kind = has ? KIN__STEP_REPLACE : KIN__STEP_ADD;
    return change_make(context, step);
}

// Replaces a value where only its bytes and its keys change. False, with nothing changed, where more does or the step
// is refused. A third fewer instructions than the general case, for a key in a table or one that keeps its place.
static bool replace_keyed(kin_context *context, const kin__step *step)
{
    const kin__watch *watch = &context->core->watches[step->id];
    const kin__chunk *chunk = kin__chunk_of(context, step->entity);
    uint32_t place = kin_entity_slot(step->entity) % KIN__CHUNK_SLOTS;
    if (!watch->is_keyed || chunk == NULL || !kin__dispatch_may_nest(context))
        return false;
    kin__column *column = kin__chunk_columns(chunk, context->row_words)[step->id];
    if (!kin__column_has(column, place) || kin__is_watched(context, step->entity, step->id))
        return false;
    if (kin__is_noted(context, step->id) || kin__indices_check(context, step) != KIN_OK)
        return false;
    kin__indices_update(context, step);
    kin__value_copy(kin__column_value(column, place, watch->size), step->value, watch->size);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(step->entity)));
    return true;
}

kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step step = {KIN__STEP_REPLACE, entity, id, value};
    if (replace_keyed(context, &step))
        return KIN_OK;
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
    kin_status status = change_check(context, &step);
    if (status == KIN_OK && !stash_reserve(context, id))
        status = KIN_ERROR_NO_MEMORY;
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "stash", &step);
    change_write_stash(context, &step);
    return KIN_OK;
}

bool kin__component_has_stashed(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return kin__chunk_of(context, entity) != NULL && stash_has(context, kin_entity_slot(entity), id);
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
    kin_status status = change_check(context, &addition);
    if (status == KIN_OK && !kin__change_reserve(context, kin_entity_slot(step->entity), &addition, &storage))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_OK) {
        kin__owned_block_move_opaque(context, storage.owned_block, stashed);
        change_write(context, &addition, &storage);
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
    if (!stash_has(context, kin_entity_slot(entity), id)) {
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
// its strings may be those of the value that is removed. Reserves what the addition reserves again: an entity that an
// index has only with other components may need more there than its removal gives back. Reports a refusal.
static kin_status reserve_readd(kin_context *context, const kin__step *step, kin__value_storage *storage)
{
    kin__step removal = {KIN__STEP_REMOVE, step->entity, step->id, NULL};
    kin_status status = change_check(context, &removal);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "readd", &removal);
    status = kin__relations_check(context, step);
    if (status == KIN_OK)
        status = kin__indices_check(context, step);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "readd", step);
    uint32_t slot = kin_entity_slot(step->entity);
    if (kin__change_reserve_entries(context, slot, step->id, 1) &&
        kin__relations_reserve_targets(context, step->id, step->value) &&
        kin__value_storage_make(context, step->id, step->value, storage))
        return KIN_OK;
    return kin__component_report_error(context, KIN_ERROR_NO_MEMORY, "readd", step);
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
    kin__step removal = {KIN__STEP_REMOVE, entity, id, NULL};
    kin__step replacement = {KIN__STEP_REPLACE, entity, id, value};
    uint64_t epoch = context->core->dispatch.epoch;
    kin__value_storage storage;
    if (!kin__has(context, entity, id, context->row_words))
        return component_add(context, entity, id, value);
    kin_status status = reserve_readd(context, &replacement, &storage);
    if (status != KIN_OK)
        return status;
    kin__owned_block_move_opaque(context, storage.owned_block,
                                 kin__owned_block_of(context, kin_entity_slot(entity), id));
    change_write(context, &removal, &(kin__value_storage){0});
    kin__step addition = {KIN__STEP_ADD, entity, id, storage.value};
    status = kin__change_commit(context, &addition, &storage, epoch);
    return status == KIN_OK ? KIN_OK : report_readd_error(context, status, &addition, &storage);
}

// A listener may move and destroy entities of the tree: a walk goes on from there.
kin_status kin__flag_set_below(kin_context *context, uint32_t number, kin_entity root, kin_component_id id, bool on)
{
    kin__relation_walk walk = {.context = context, .root = root, .number = number};
    if (kin__chunk_of(context, root) == NULL)
        return kin__set(context, root, id, context->row_words, on); // reports that it is not alive
    kin_status status = KIN_OK;
    while (status == KIN_OK && kin__relation_walk_next(&walk))
        status = kin__set(context, walk.entity, id, context->row_words, on);
    return status;
}

// ---- fast paths

// Inverts the bits of the component, and notes that in the journal of a tool and in that of the component. The slot
// still has the value before the change.
static inline void toggle_fast(kin_context *context, const kin__fast_change *change, kin_entity entity,
                               kin_component_id id, uint8_t kind, const void *value)
{
    KIN_ASSERT(change->column != context->empty);
    kin__flip(change->chunk, change->column, id, context->row_words, change->place);
    context->components[id].changes++;
    uint32_t side_effects = change->watch->side_effects;
    if ((side_effects & KIN__SIDE_EFFECT_NOTED) != 0)
        kin__note_change(context, entity, id, kind, value);
    if ((side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0)
        kin__journal_note(context, id, kin_entity_slot(entity));
}

// Whether a change calls listeners. If not, collectors gather it without copies of the row and of the old value.
static inline bool is_listened(const kin_context *context, const kin__fast_change *change, kin_entity entity)
{
    return change->watch->listened != 0 || kin__has_change_subscribers(context, kin_entity_slot(entity));
}

static inline kin_status notify_toggled(kin_context *context, kin_entity entity, kin_component_id id,
                                        const void *previous, const void *value, bool added)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    kin__notify_toggled(&frame, kin__row_of(context, kin_entity_slot(entity)), added);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_add_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id);
    if (change.chunk == NULL || change.has || change.column == context->empty)
        return component_add(context, entity, id, value);
    size_t size = change.watch->size;
    KIN_ASSERT(context->carriers[id] == 0);
    toggle_fast(context, &change, entity, id, KIN_RECORD_ADDED, value);
    if (size > 0)
        kin__value_copy(kin__column_value(change.column, change.place, size), value, size);
    if (is_listened(context, &change, entity))
        return notify_toggled(context, entity, id, NULL, size > 0 ? value : NULL, true);
    kin__gather_crossed(context, id, kin__fast_change_row(context, &change), true, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove_fast(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id);
    if (change.chunk == NULL || !change.has || kin__last_values_of(context, id) != NULL)
        return kin__component_remove(context, entity, id);
    bool notifies = is_listened(context, &change, entity);
    const void *previous = kin__column_value(change.column, change.place, change.watch->size);
    if (notifies)
        previous = kin__payload_keep(context, previous, change.watch->size);
    toggle_fast(context, &change, entity, id, KIN_RECORD_REMOVED, NULL);
    if (notifies)
        return notify_toggled(context, entity, id, previous, NULL, false);
    kin__gather_crossed(context, id, kin__fast_change_row(context, &change), false, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

static inline kin_status replace_and_notify(kin_context *context, const kin__fast_change *change, kin_entity entity,
                                            kin_component_id id, const void *value)
{
    size_t size = change->watch->size;
    void *place = kin__column_value(change->column, change->place, size);
    const void *previous = kin__payload_keep(context, place, size);
    kin__value_copy(place, value, size);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    kin__notify_replacement(&frame, (kin__replaced_values){previous, value}, kin__fast_change_row(context, change));
    return KIN_OK;
}

kin_status kin__component_replace_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id);
    if (change.chunk == NULL || !change.has)
        return kin__component_replace(context, entity, id, value);
    size_t size = change.watch->size;
    KIN_ASSERT(size == kin__value_size(context, id) && size > 0);
    if ((change.watch->side_effects & KIN__SIDE_EFFECT_NOTED) != 0)
        kin__note_change(context, entity, id, KIN_RECORD_REPLACED, value);
    if (is_listened(context, &change, entity))
        return replace_and_notify(context, &change, entity, id, value);
    kin__value_copy(kin__column_value(change.column, change.place, size), value, size);
    kin__gather_members(context, id, kin__fast_change_row(context, &change), KIN__EVENTS_OF_GROUPS, entity);
    return KIN_OK;
}
