#include "snapshot/snapshot.h"

#include <string.h>

// ---- remembering

static const kin_entity *ids_of(const kin__image *head)
{
    return head == NULL ? NULL : kin__image_ids(head);
}

static bool add_leaving(kin_context *context, const kin__context_snapshot *saved, kin__leaving *leaving)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++) {
        const kin__image *head = kin__part_head(saved, chunk);
        if (!kin__leaving_add(context, leaving, chunk, ids_of(head), head == NULL ? NULL : kin__image_alive(head)))
            return false;
    }
    return true;
}

bool kin__restore_watch_begin(kin_context *context, const kin__context_snapshot *saved, kin__restore_watch *watch)
{
    KIN_ASSERT(watch->before == NULL && watch->after == NULL);
    watch->before = kin__part_save(context, true);
    if (watch->before == NULL)
        return false;
    size_t size = context->core->store->scratch_size;
    watch->after = kin__part_take(context);
    if (watch->after == NULL || !kin__part_reserve(watch->after, saved->chunk_count))
        return false;
    watch->room[0] = kin__allocate(&context->core->snapshot_memory, 2 * size);
    if (watch->room[0] == NULL || !add_leaving(context, saved, &watch->leaving))
        return false;
    watch->room[1] = (char *)watch->room[0] + size;
    kin__collectors_restore_keep(context, true);
    return true;
}

// Lets the part have the images that the context now equals.
void kin__restore_watch_commit(kin_context *context, kin__restore_watch *watch)
{
    uint32_t numbers = kin__image_numbers(context->info);
    for (uint32_t chunk = 0; chunk < watch->after->chunk_count; chunk++)
        for (uint32_t number = 0; number < numbers; number++) {
            kin__image *image = kin__store_last(context->core->store, chunk, number);
            if (image == NULL)
                continue;
            image->references++;
            kin__part_put(watch->after, chunk, image);
        }
    kin__collectors_restore_drop_dead(context);
}

void kin__restore_unwatch(kin_context *context, kin__restore_watch *watch)
{
    if (watch->room[0] != NULL)
        kin__release(&context->core->snapshot_memory, watch->room[0], 2 * context->core->store->scratch_size);
    kin__part_release(watch->before);
    kin__part_release(watch->after);
    kin__leaving_release(context, &watch->leaving);
    kin__collectors_restore_keep(context, false);
    *watch = (kin__restore_watch){0};
}

// ---- notifying

typedef struct notifying {
    kin_context *context;
    const kin__restore_watch *watch;
    kin__shown shown;
    uint64_t epoch;   // of the context: after a reset no difference is true any more
    bool has_pending; // the entity was destroyed, which is notified after its components
} notifying;

static const uint64_t *row_of(const kin_context *context, const kin__context_snapshot *part, kin_entity entity)
{
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    const kin__image *head = kin__part_head(part, kin_entity_slot(entity) / KIN__CHUNK_SLOTS);
    if (head == NULL || !kin__bits_have(kin__image_alive(head), place) || kin__image_ids(head)[place] != entity)
        return NULL;
    return kin__image_row(head, context->row_words, place);
}

static void finish_entity(notifying *notifying)
{
    if (notifying->has_pending)
        kin__notify_went(notifying->context, &notifying->shown);
    notifying->has_pending = false;
}

static void begin_entity(notifying *notifying, kin_entity entity)
{
    finish_entity(notifying);
    notifying->shown.entity = entity;
    notifying->shown.before = row_of(notifying->context, notifying->watch->before, entity);
    notifying->shown.after = row_of(notifying->context, notifying->watch->after, entity);
}

// Whether the difference is still true: a listener of an earlier one may have changed the entity.
static bool is_true(const notifying *notifying, const kin_difference *difference)
{
    const kin_context *context = notifying->context;
    if (notifying->shown.after == NULL)
        return true;
    if (kin__chunk_of(context, difference->entity) == NULL)
        return false;
    return kin__has(context, difference->entity, difference->component, context->row_words) ==
           (difference->after != NULL);
}

static bool may_be_watched(const notifying *notifying, kin_component_id id)
{
    return notifying->context->components[id].watchers > 0 || notifying->watch->leaving.count > 0;
}

static void notify_entity(notifying *notifying)
{
    if (notifying->shown.after == NULL)
        notifying->has_pending = true;
    else if (kin__chunk_of(notifying->context, notifying->shown.entity) != NULL)
        kin__notify_came(notifying->context, &notifying->shown);
}

static bool notify(const kin_difference *difference, void *user)
{
    notifying *notifying = user;
    const kin_context *context = notifying->context;
    kin_component_id id = difference->component;
    if (context->core->dispatch.epoch != notifying->epoch)
        return false;
    if (difference->entity != notifying->shown.entity)
        begin_entity(notifying, difference->entity);
    if (id == context->info->component_count) {
        notify_entity(notifying);
    } else if (may_be_watched(notifying, id) && is_true(notifying, difference)) {
        bool is_flag = context->info->components[id].size == 0;
        kin__notify_difference(notifying->context, &notifying->shown, id, is_flag ? NULL : difference->before,
                               is_flag ? NULL : difference->after);
    }
    return true;
}

void kin__restore_notify(kin_context *context, kin__restore_watch *watch)
{
    notifying notifying = {.context = context, .watch = watch, .epoch = context->core->dispatch.epoch};
    notifying.shown.leaving = &watch->leaving;
    // A component without watchers has nobody to notify, unless entities had listeners of their own.
    kin__compared compared = {watch->room, watch->leaving.count == 0 ? context->watched : NULL};
    kin__parts_compare(watch->before, watch->after, &compared, notify, &notifying);
    if (context->core->dispatch.epoch == notifying.epoch)
        finish_entity(&notifying);
}
