#include "create/blueprint.h"

#include "base/base.h"
#include "create/spawn_tree.h"
#include "lookup/lookup.h"
#include "notify/notify.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>

enum { VERB_SIZE = 112 }; // names have at most 63 bytes

static size_t parts_size(const kin_blueprint_info *info)
{
    return kin__round_up(info->component_count * sizeof(kin__part));
}

static size_t row_size(const kin_context *context)
{
    return kin__round_up(context->row_words * sizeof(uint64_t));
}

static size_t items_size(const kin_blueprint_info *info)
{
    return kin__round_up(2 * info->component_count * sizeof(kin__item));
}

static size_t values_size(const kin_context *context, const kin_blueprint_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->component_count; i++)
        size += kin__round_up(kin__value_size(context, info->components[i]));
    return size;
}

static bool needs_library(const kin_context *context, const kin__blueprint *blueprint, kin_component_id id)
{
    return kin__is_special(context, id) && !kin__is_fast_parent(context, blueprint, id);
}

static void list_parts(kin_context *context, kin__blueprint *blueprint, char *values)
{
    kin__part *parts = (kin__part *)(uintptr_t)blueprint->parts;
    uint64_t *row = (uint64_t *)(uintptr_t)blueprint->row;
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        kin_component_id id = blueprint->info->components[i];
        size_t size = kin__value_size(context, id);
        KIN_ASSERT(i == 0 || id > parts[i - 1].id);
        parts[i] = (kin__part){id, (uint32_t)size, size == 0 ? NULL : values};
        values += kin__round_up(size);
        kin__bits_add(row, id);
        blueprint->is_rich = blueprint->is_rich || kin__is_owned(context, id) || context->info->components[id].is_boxed;
        blueprint->watchers += needs_library(context, blueprint, id);
    }
    blueprint->watchers += kin__indices_count_reached(context, row);
}

static bool write_values(kin_context *context, const kin__blueprint *blueprint)
{
    if (blueprint->info->write_values == NULL)
        return true;
    size_t size = blueprint->part_count * sizeof(void *);
    void **values = kin__allocate(&context->core->memory, size);
    if (values == NULL)
        return false;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        values[i] = (void *)(uintptr_t)blueprint->parts[i].value;
    blueprint->info->write_values(values);
    kin__release(&context->core->memory, values, size);
    return true;
}

static bool make(kin_context *context, kin__blueprint *blueprint, const kin_blueprint_info *info)
{
    size_t parts = parts_size(info), row = row_size(context), items = items_size(info);
    size_t size = parts + row + items + values_size(context, info);
    char *block = kin__allocate_zero(&context->core->memory, size);
    if (block == NULL)
        return false;
    *blueprint = (kin__blueprint){.pool = {.free_slot = KIN__NO_SLOT},
                                  .part_count = info->component_count,
                                  .parts = (const kin__part *)(const void *)block,
                                  .row = (const uint64_t *)(const void *)(block + parts),
                                  .items = (kin__item *)(void *)(block + parts + row),
                                  .block = block,
                                  .block_size = size,
                                  .info = info};
    list_parts(context, blueprint, block + parts + row + items);
    return write_values(context, blueprint);
}

static size_t table_size(const kin_context *context)
{
    return context->core->blueprint_count * sizeof(kin__blueprint);
}

static const kin_blueprint_info *info_of(const kin_context *context, uint32_t number)
{
    uint32_t count = context->info->blueprint_count;
    return number < count ? &context->info->blueprints[number] : &context->info->children[number - count].entity;
}

bool kin__blueprints_make(kin_context *context)
{
    if (context->info->blueprint_count == 0)
        return true;
    context->core->blueprint_count = context->info->blueprint_count + context->info->child_count;
    context->blueprints = kin__allocate_zero(&context->core->memory, table_size(context));
    if (context->blueprints == NULL)
        return false;
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        if (!make(context, &context->blueprints[i], info_of(context, i)))
            return false;
    return kin__blueprint_trees_make(context);
}

void kin__blueprints_release(kin_context *context)
{
    kin__memory *memory = &context->core->memory;
    if (context->blueprints != NULL)
        kin__blueprint_trees_release(context);
    for (uint32_t i = 0; context->blueprints != NULL && i < context->core->blueprint_count; i++)
        kin__release(memory, context->blueprints[i].block, context->blueprints[i].block_size);
    kin__release(memory, context->blueprints, table_size(context));
}

size_t kin__blueprints_used(const kin_context *context)
{
    size_t used = table_size(context) + kin__blueprint_trees_used(context);
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        used += context->blueprints[i].block_size;
    return used;
}

// ---- validation

static uint32_t count_watchers(const kin_context *context, const kin__blueprint *blueprint)
{
    uint32_t watchers = kin__indices_count_reached(context, blueprint->row);
    watchers += context->core->events.any_change_subscribers > 0;
    watchers += context->core->tool_journal != NULL;
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        watchers += needs_library(context, blueprint, blueprint->parts[i].id);
    for (uint32_t i = 0; i < context->core->group_count; i++)
        watchers += groups[i]->subscriber_count > 0 && kin__spawn_passes(blueprint, &groups[i]->matcher);
    return watchers;
}

bool kin__blueprints_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        if (context->blueprints[i].watchers != count_watchers(context, &context->blueprints[i]))
            return false;
    return true;
}

// ---- refusals

static void describe_merge(const kin__blueprint_use *use, uint32_t part, char verb[VERB_SIZE])
{
    if (part == KIN__NO_PART)
        snprintf(verb, VERB_SIZE, "merge the snapshot");
    else
        snprintf(verb, VERB_SIZE, "merge entity %" PRIu64 " in slot %" PRIu32 " of the snapshot with",
                 kin_entity_creation_index(use->merged), kin_entity_slot(use->merged));
}

static void describe_use(const kin__blueprint_use *use, uint32_t part, char verb[VERB_SIZE])
{
    const kin_blueprint_info *info = use->blueprint->info;
    const char *name = info == NULL ? "" : info->name, *with = part == KIN__NO_PART ? "" : " with";
    if (use->merges)
        describe_merge(use, part, verb);
    else if (info == NULL)
        snprintf(verb, VERB_SIZE, "%s", part == KIN__NO_PART ? "copy components to" : "copy");
    else if (use->batch == NULL)
        snprintf(verb, VERB_SIZE, "apply %s%s", name, part == KIN__NO_PART ? " to" : with);
    else if (use->batch->count == 1)
        snprintf(verb, VERB_SIZE, "spawn %s%s", name, with);
    else
        snprintf(verb, VERB_SIZE, "spawn %" PRIu32 " of %s%s", use->batch->count, name, with);
}

kin_status kin__blueprint_use_report_error(const kin_context *context, const kin__blueprint_use *use, kin_status status,
                                           uint32_t part, const char *reason)
{
    char verb[VERB_SIZE];
    KIN_ASSERT(part == KIN__NO_PART || part < use->blueprint->part_count);
    describe_use(use, part, verb);
    kin__attempt attempt = {.verb = verb, .reason = reason, .entity = use->entity, .preposition = "to"};
    attempt.is_unique = use->batch != NULL;
    if (part != KIN__NO_PART)
        attempt.component = context->info->components[use->blueprint->parts[part].id].name;
    if (use->plan != NULL)
        kin__plan_end(use->plan);
    return kin__report_error(context, status, &attempt);
}

// ---- unique parts

kin_status kin__blueprint_use_check_unique(const kin_context *context, const kin__blueprint_use *use)
{
    char reason[160];
    for (uint32_t i = 0; i < use->blueprint->part_count; i++) {
        kin_component_id id = use->blueprint->parts[i].id;
        kin_entity carrier = context->carriers[id];
        if (carrier != 0 && carrier != use->entity) {
            snprintf(reason, sizeof reason,
                     "entity %" PRIu64 " in slot %" PRIu32 " has it; replace it there, or remove it there first",
                     kin_entity_creation_index(carrier), kin_entity_slot(carrier));
            return kin__blueprint_use_report_error(context, use, KIN_ERROR_UNIQUE, i, reason);
        }
        if (context->info->components[id].is_unique && use->batch != NULL && use->batch->count > 1)
            return kin__blueprint_use_report_error(context, use, KIN_ERROR_UNIQUE, i,
                                                   "only one entity can have it; spawn one entity");
    }
    return KIN_OK;
}
