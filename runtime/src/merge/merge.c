#include "merge/merging.h"

#include "store/store.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

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
        status = kin__merge_prepare(merge);
    bool is_prepared = status == KIN_OK;
    if (is_prepared)
        status = kin__merge_make(merge);
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
