// Copies components from one entity to another: as if a blueprint had the values of the source (apply.c).

#include "base/base.h"
#include "store/store.h"
#include "create/blueprint.h"
#include "create/entity.h"

typedef struct copying {
    kin_context *context;
    kin_entity from, to;
    const kin_rule *components; // kind 0: all
    bool replaces;
} copying;

static bool is_named(const kin_rule *rule, uint32_t id)
{
    bool found = rule->kind == 0;
    for (uint32_t i = 0; !found && i < rule->count; i++)
        found = rule->ids[i] == id;
    return found;
}

static bool is_copied(const copying *copying, uint32_t id)
{
    return is_named(copying->components, id) && kin__entity_is_cloned(copying->context, id);
}

static const uint64_t *source_row(const copying *copying)
{
    return kin__row_of(copying->context, kin_entity_slot(copying->from));
}

// ---- before the first write

static kin_status check_entity(const copying *copying, kin_entity entity, const char *verb)
{
    kin__attempt attempt = {.verb = verb, .entity = entity};
    return kin__chunk_of(copying->context, entity) != NULL
               ? KIN_OK
               : kin__report_error(copying->context, KIN_ERROR_NOT_ALIVE, &attempt);
}

static kin_status check_rule(const copying *copying)
{
    kin_matcher matcher = {.count = 1, .rules = {*copying->components}};
    kin__attempt attempt = {.verb = "copy components to", .entity = copying->to};
    if (copying->components->kind == 0 && copying->components->count == 0)
        return KIN_OK;
    kin_status status = kin__matcher_check(&matcher, copying->context->info, &attempt.reason);
    if (status == KIN_ERROR_LIMIT)
        attempt.reason = "the rule has more than 30 ids, which is the limit; copy the others with a second call";
    return status == KIN_OK ? KIN_OK : kin__report_error(copying->context, status, &attempt);
}

// Unless the copy replaces, `to` must have none of the components. Counts them; `*size` is that of all their values.
static kin_status check_components(const copying *copying, uint32_t *count, size_t *size)
{
    kin_context *context = copying->context;
    EACH_OF_ROW(id, source_row(copying), context->row_words)
    {
        if (!is_copied(copying, id))
            continue;
        if (!copying->replaces && kin__has(context, copying->to, (kin_component_id)id, context->row_words))
            return kin__report_component_error(context, KIN_ERROR_HAS_COMPONENT, "copy", copying->to,
                                               (kin_component_id)id);
        *count += 1;
        *size += kin__round_up(kin__value_size(context, (kin_component_id)id));
    }
    return KIN_OK;
}

// ---- copying

// Makes parts of copies of the source's values.
static void list_parts(const copying *copying, kin__part *part, char *values)
{
    kin_context *context = copying->context;
    EACH_OF_ROW(id, source_row(copying), context->row_words)
    {
        if (!is_copied(copying, id))
            continue;
        size_t size = kin__value_size(context, (kin_component_id)id);
        *part++ = (kin__part){(kin_component_id)id, (uint32_t)size, size == 0 ? NULL : values};
        kin__value_read(context, kin_entity_slot(copying->from), (kin_component_id)id, values);
        values += kin__round_up(size);
    }
}

static kin_status copy(const copying *copying, uint32_t count, size_t size)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = copying->context, .steps = few, .epoch = copying->context->core->dispatch.epoch};
    size_t parts_size = kin__round_up(count * sizeof(kin__part)), items_size = kin__round_up(count * sizeof(kin__item));
    kin__blueprint source = {.part_count = count};
    kin__blueprint_use use = {.blueprint = &source, .entity = copying->to, .plan = &plan, .adds = !copying->replaces};
    char *room = NULL;
    if (!kin__plan_begin(&plan, count, parts_size + items_size + size, &room))
        return kin__blueprint_use_report_error(copying->context, &use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    source.parts = (const kin__part *)(const void *)room;
    source.items = (kin__item *)(void *)(room + parts_size);
    list_parts(copying, (kin__part *)(void *)room, room + parts_size + items_size);
    kin_status status = kin__apply_check(copying->context, &use);
    return status == KIN_OK ? kin__apply_parts(&use) : status;
}

kin_status kin_copy_components(kin_context *context, kin_entity from, kin_entity to, kin_rule components, bool replace)
{
    copying copying = {context, from, to, &components, replace};
    uint32_t count = 0;
    size_t size = 0;
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = check_entity(&copying, from, "copy components of");
    if (status == KIN_OK)
        status = check_entity(&copying, to, "copy components to");
    if (status == KIN_OK)
        status = check_rule(&copying);
    if (status == KIN_OK)
        status = check_components(&copying, &count, &size);
    return status != KIN_OK || count == 0 ? status : copy(&copying, count, size);
}
