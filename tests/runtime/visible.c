#include "visible.h"

#include "chunk.h"
#include "collector.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void visible_begin(visible *visible)
{
    visible->size = 0;
    visible->text[0] = '\0';
}

static void write(visible *visible, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(visible->text + visible->size, VISIBLE_SIZE - visible->size, format, arguments);
    va_end(arguments);
    visible->size += (size_t)length;
    if (length < 0 || visible->size >= VISIBLE_SIZE)
        ck_abort_msg("too much is visible"); // asserting that it is not would take longer than all the rest
}

// One number for many bytes (FNV-1a), as the text is to stay short.
static uint64_t digest(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static void add_entity(visible *visible, const kin_context *context, kin_entity entity)
{
    uint64_t hash = 14695981039346656037u;
    write(visible, "%" PRIx64 ":", entity);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        size_t size = context->info->components[id].size;
        if (!kin_has(context, entity, (kin_component_id)id))
            continue;
        const void *value = kin__get(context, entity, (kin_component_id)id, context->row_words, size);
        hash = digest(digest(hash, &id, sizeof id), value, size);
    }
    write(visible, "%" PRIx64 " ", hash);
}

static void add_group(visible *visible, kin_group *group)
{
    static kin_entity members[4096];
    uint32_t count = kin_group_copy_entities(group, members, 4096);
    ck_assert_uint_le(count, 4096);
    write(visible, "\ngroup %u: %u of %" PRIx64 ", %u subscribers", group->number, count,
          digest(0, members, count * sizeof *members), group->subscriber_count);
}

void visible_add_context(visible *visible, const kin_context *context)
{
    write(visible, "\n%s: %u alive, %u reusable, %u retained, next %" PRIu64 "\n", context->info->name,
          kin__entity_count(context), kin_context_reusable_count(context), kin_context_retained_count(context),
          context->next_creation_index);
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (kin_entity_creation_index(entity) != 0)
            add_entity(visible, context, entity);
    }
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < context->core->group_count; i++)
        add_group(visible, groups[i]);
}

void visible_add_collector(visible *visible, const kin_collector *collector)
{
    if (collector == NULL)
        return;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        hash = digest(hash, source->entries.sides[collector->side].elements,
                      source->counts[collector->side] * sizeof(kin_entity));
    }
    if (collector->source_count > 1)
        hash = digest(hash, collector->order.sides[collector->side].elements,
                      collector->counts[collector->side] * sizeof(uint16_t));
    write(visible, "\ncollector: %u of %" PRIx64, kin_collector_count(collector), hash);
}
