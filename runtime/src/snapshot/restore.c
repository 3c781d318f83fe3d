#include "snapshot/restore.h"

#include "base/base.h"
#include "notify/notify.h"
#include "image/store.h"
#include "lookup/lookup.h"
#include "store/store.h"
#include "snapshot/adopt.h"
#include "snapshot/column_restore.h"

#include <string.h>

// ---- checking

kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb)
{
    kin__attempt attempt = {.verb = verb};
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

static bool reserve_column(kin_context *context, uint32_t chunk, const kin__image *image)
{
    return kin__column_reserve(context, chunk * KIN__CHUNK_SLOTS, (kin_component_id)image->number) != NULL;
}

static bool reserve_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk)
{
    const kin_context_info *info = context->info;
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        if (image != NULL && !reserve_column(context, chunk, image))
            return false;
    }
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (kin__part_image(part, chunk, kin__links_number(info, i)) != NULL &&
            !kin__relations_restore_reserve(context, i, chunk))
            return false;
    return true;
}

static bool reserve_chunks(kin_context *context, const kin__context_snapshot *part)
{
    while (context->chunk_count < part->chunk_count)
        if (!kin__chunk_append(context))
            return false;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        if (!reserve_chunk(context, part, chunk))
            return false;
    return true;
}

// Boxes that become free are not subtracted: their chunks may be restored later.
static bool reserve_boxes(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (!context->info->components[id].is_boxed || context->info->components[id].is_shared)
            continue;
        uint32_t count = kin__keepsakes_cells(context, part->keepsakes.at, part->keepsakes.size, id);
        for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            count += image == NULL ? 0 : kin__column_restore_boxes(context, chunk, image);
        }
        if (count > 0 && !kin__slab_reserve_cells(context, id, count))
            return false;
    }
    return true;
}

static bool reserve_shared(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        if (part->limits[id] > 0 && !kin__shared_numbers_reserve(context, (kin_component_id)id, part->limits[id]))
            return false;
    return true;
}

// Counts the entities with each component, in a table of the store.
static void count_holders(const kin_context *context, const kin__context_snapshot *part)
{
    uint32_t *holders = context->core->store->holders;
    memset(holders, 0, context->info->component_count * sizeof *holders);
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t id = 0; id < context->info->component_count; id++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            holders[id] += image == NULL ? 0 : kin__count_chunk_bits(kin__image_has(image));
        }
}

static bool reserve(kin_context *context, const kin__context_snapshot *part)
{
    uint32_t chunk_count = context->chunk_count > part->chunk_count ? context->chunk_count : part->chunk_count;
    if (!kin__store_reserve(context, chunk_count) || !reserve_chunks(context, part) ||
        !kin__keepsakes_reserve(context, part->keepsakes.at, part->keepsakes.size) || !reserve_boxes(context, part) ||
        !reserve_shared(context, part) ||
        !kin__holds_restore_reserve(context, part->owners.elements, part->owner_count))
        return false;
    if (context->core->indices == NULL)
        return true;
    count_holders(context, part);
    kin__index_plan plan = kin__restore_index_plan(context, part);
    return kin__indices_restore_reserve(context, &plan);
}

bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *part)
{
    if (part->context != context && !kin__adopt(context, part))
        return false;
    if (reserve(context, kin__adopted(context, part)))
        return true;
    kin__restore_cancel(context);
    return false;
}

void kin__restore_cancel(kin_context *context)
{
    kin__adopted_release(context);
}

kin__index_plan kin__restore_index_plan(const kin_context *context, const kin__context_snapshot *part)
{
    return (kin__index_plan){context->core->store->holders, part->keys.size == 0 ? NULL : part->keys.at};
}
