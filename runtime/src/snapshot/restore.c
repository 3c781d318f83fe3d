#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <kin/generated/blueprint.h>
#include <kin/generated/direct.h>

#include <stdio.h>
#include <string.h>

// Returns whether the entity is in a group whose additions the collector collects.
static bool collects(const kin_collector *collector, const kin_context *context, kin_entity entity)
{
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        const kin__subscriber *trigger = &collector->subscribers[i];
        bool is_of_context = trigger->group != NULL && trigger->group->context == context;
        bool collects_additions = (trigger->events & KIN__EVENT_ADDED) != 0;
        if (is_of_context && collects_additions && kin_group_contains(trigger->group, entity))
            return true;
    }
    return false;
}

static void collect(kin__source *source)
{
    const kin_context *context = source->context;
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        const kin__chunk *chunk = context->chunks[i];
        EACH_OF_ROW(place, chunk->alive, KIN__CHUNK_WORDS)
        {
            if (collects(source->collector, context, chunk->ids[place]))
                kin__collect_entity(source, chunk->ids[place]);
        }
    }
}

void kin__restore_anew(kin_context *context)
{
    context->core->dispatch.epoch++;
    for (kin__slot_extension *extension = context->core->slot_extensions; extension != NULL;
         extension = extension->next)
        if (kin__source_of(extension) != NULL && kin__source_of(extension)->collector->active)
            collect((kin__source *)(void *)extension);
}

// ---- committing

// Counts more changes than any journal has room for, so that every cache that was computed before is out of date.
static void forget_caches(kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t id = 0; id <= context->info->component_count; id++)
        context->components[id].changes += KIN__JOURNAL_ENTRIES + 1;
    for (uint32_t i = 0; i < context->core->group_count; i++) {
        groups[i]->counted_at = KIN__NEVER;
        groups[i]->members->listed_at = KIN__NEVER;
    }
    context->core->listed_at = KIN__NEVER;
}

// Returns the part itself if it belongs to the context, else its copy.
static const kin__context_snapshot *adopted(const kin_context *context, const kin__context_snapshot *part)
{
    KIN_ASSERT(part->context == context || context->core->store->adopted != NULL);
    return part->context == context ? part : context->core->store->adopted;
}

static void release_adopted(kin_context *context)
{
    kin__store *store = context->core->store;
    if (store == NULL)
        return;
    kin__part_release(store->adopted);
    store->adopted = NULL;
}

// Everything was reserved, so nothing here can fail.
void kin__restore_commit(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = adopted(context, saved);
    KIN_ASSERT(context->depth == 0 && context->chunk_count >= part->chunk_count);
    EACH_SECTION(section)
    {
        if (section->leave != NULL)
            section->leave(context, part);
    }
    EACH_SECTION(section)
    {
        if (section->restore != NULL)
            section->restore(context, part);
    }
    kin__relations_restore_end(context);
    forget_caches(context);
    kin__store_note_heads(context);
}

void kin__restore_settle(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = adopted(context, saved);
    EACH_SECTION(section)
    {
        if (section->settle != NULL)
            section->settle(context, part);
    }
    release_adopted(context);
    KIN_VALIDATE(kin__context_is_valid(context));
}

void kin__restore_tell(kin_context *context)
{
    kin__notify_restored(context);
}

// ---- checking

// Returns a component of the part that has opaque values with a drop; NULL if no component has.
static const kin_component_info *find_opaque(const kin__context_snapshot *part)
{
    size_t at = 0;
    for (uint32_t id = 0; id < part->info->component_count; id++)
        for (uint32_t chunk = 0; part->info->components[id].has_drops && chunk < part->chunk_count; chunk++)
            if (kin__part_image(part, chunk, id) != NULL)
                return &part->info->components[id];
    for (const kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;)
        if (part->info->components[each->id].has_drops)
            return &part->info->components[each->id];
    return NULL;
}

const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE])
{
    const kin_component_info *opaque = find_opaque(part);
    if (part->owners.size > 0 && part->context->core->options.fast_retain != context->core->options.fast_retain)
        return "the snapshot is of another context, and only one of the two has fast_retain; give both the same "
               "options";
    if (opaque == NULL)
        return NULL;
    snprintf(reason, KIN__ADOPT_REASON_SIZE,
             "the snapshot is of another context, and opaque values of %s cannot be copied; restore it there",
             opaque->name);
    return reason;
}

kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb)
{
    kin__attempt attempt = {.verb = verb};
    if (context->core->is_sealed)
        return kin__report_error(context, KIN_ERROR_REPLICA, &attempt);
    if (part == NULL) {
        attempt.reason = "the snapshot has no such context, or its context has ended; save it again";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    if (part->info->stamp != context->info->stamp || strcmp(part->info->name, context->info->name) != 0) {
        attempt.reason = "the snapshot is of another schema; restore it in a context like the one that was saved";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    if (kin__part_count(part) > context->core->options.max_entities) {
        attempt.reason = "the snapshot has more entities than max_entities of the context; raise it";
        return kin__report_error(context, KIN_ERROR_LIMIT, &attempt);
    }
    char reason[KIN__ADOPT_REASON_SIZE];
    attempt.reason = part->context == context ? NULL : kin__adopt_find_fault(context, part, reason);
    return attempt.reason == NULL ? KIN_OK : kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

// ---- reserving

// Copies the part for the restore that follows. False when out of memory.
static bool adopt(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = kin__part_copy(context, part);
    if (own != NULL)
        context->core->store->adopted = own;
    return own != NULL;
}

bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *saved)
{
    if (saved->context != context && !adopt(context, saved))
        return false;
    const kin__context_snapshot *part = adopted(context, saved);
    bool is_reserved = true;
    EACH_SECTION(section)
    {
        if (section->reserve != NULL)
            is_reserved = is_reserved && section->reserve(context, part);
    }
    if (!is_reserved)
        kin__restore_cancel(context);
    return is_reserved;
}

void kin__restore_cancel(kin_context *context)
{
    release_adopted(context);
}
