#include "visible.h"

#include "lookup/lookup.h"
#include "notify/notify.h"
#include "store/store.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EMPTY UINT64_C(14695981039346656037) // the digest of nothing

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
        ck_abort_msg("too much is visible"); // an assertion would dominate the time of these tests
}

// Returns one number for many bytes (FNV-1a), to keep the text short.
static uint64_t digest(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

// A string by its content; the value itself is compared by its bytes, so that it must not have moved either.
static uint64_t digest_texts(uint64_t hash, const kin_component_info *info, const void *value)
{
    for (uint32_t i = 0; info->has_strings && i < info->field_count; i++) {
        const char *text = NULL;
        if (info->fields[i].type == KIN_TYPE_STRING)
            memcpy(&text, (const char *)value + info->fields[i].offset, sizeof text);
        if (text != NULL)
            hash = digest(hash, text, strlen(text) + 1);
    }
    return hash;
}

// Lists by their elements, which contain nothing that is owned. Their addresses in the value become NULL, as a trim
// that was refused memory for one list may have moved another.
static uint64_t digest_lists(uint64_t hash, const kin_component_info *info, void *value)
{
    for (uint32_t i = 0; info->has_lists && i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (!field->is_list)
            continue;
        kin__list_field list = kin__list_field_read(value, field);
        hash = digest(hash, list.at, list.count * field->element_size);
        list.at = NULL;
        kin__list_field_write(value, field, list);
    }
    return hash;
}

// A subscription by its place in the order of all.
static uint64_t digest_subscribers(uint64_t hash, const kin__subscriber_list *subscribers)
{
    for (const kin__subscriber *each = subscribers->first; each != NULL; each = each->next)
        hash = digest(digest(hash, &each->serial, sizeof each->serial), &each->events, sizeof each->events);
    return hash;
}

static void add_entity(visible *visible, const kin_context *context, kin_entity entity)
{
    uint64_t hash = EMPTY;
    uint32_t slot = kin_entity_slot(entity);
    write(visible, "%" PRIx64 ":", entity);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin_component_info *info = &context->info->components[id];
        if (!kin_has(context, entity, (kin_component_id)id))
            continue;
        static max_align_t value[4096];
        ck_assert_uint_le(info->size, sizeof value);
        kin__value_read(context, slot, (kin_component_id)id, value);
        hash = digest_lists(hash, info, value);
        hash = digest(digest(hash, &id, sizeof id), value, info->size);
        hash = digest_texts(hash, info, value);
    }
    write(visible, "%" PRIx64 " ", hash);
}

static void add_group(visible *visible, kin_group *group)
{
    static kin_entity members[4096];
    uint32_t count = kin_group_copy_entities(group, members, 4096);
    ck_assert_uint_le(count, 4096);
    write(visible, "\ngroup %u: %u of %" PRIx64 ", %u subscribers %" PRIx64, group->number, count,
          digest(EMPTY, members, count * sizeof *members), group->subscriber_count,
          digest_subscribers(EMPTY, &group->subscribers));
}

// The entities of a multi index's key, in the index's order or any other.
static uint64_t sum_node(const kin_context *context, const kin__index *index, const kin__key_node *node)
{
    uint64_t sum = node->word + node->count;
    for (uint32_t at = node->first; at != 0;) {
        const kin__link *link = kin__index_slot_data(index, at - 1);
        kin_entity entity = kin__chunk_of_slot(context, at - 1)->ids[(at - 1) % KIN__CHUNK_SLOTS];
        sum += digest(node->word, &entity, sizeof entity);
        at = link->next;
    }
    return sum;
}

// Keys and their entities, independent of their places in the table.
static void add_index(visible *visible, const kin_context *context, const kin__index *index)
{
    const kin__table *table = kin__index_table(context, index);
    const kin__key_node *nodes = index->nodes.elements;
    uint64_t sum = 0;
    for (uint32_t i = 0; index->info->is_primary && i <= table->mask; i++)
        if (table->entries[i].value != 0)
            sum += digest(EMPTY, &table->entries[i], sizeof table->entries[i]);
    for (uint32_t i = 0; !index->info->is_primary && i < index->node_count; i++)
        if (nodes[i].count > 0)
            sum += sum_node(context, index, &nodes[i]);
    write(visible, "\nindex %u: %u of %" PRIx64, index->number, index->potential, sum);
}

// Holders and listeners of all slots in order, living or not.
static void add_holders(visible *visible, const kin_context *context)
{
    uint64_t holders = EMPTY, listeners = digest_subscribers(EMPTY, &context->core->events.subscribers);
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        uint32_t held = chunk->holders != NULL ? chunk->holders[slot % KIN__CHUNK_SLOTS] : 0;
        const kin__subscriber_list *subscribers = kin__subscribers_of(context, slot);
        holders = digest(holders, &held, held == 0 ? 0 : sizeof held) + held;
        listeners = subscribers != NULL && subscribers->first != NULL
                        ? digest_subscribers(listeners + slot, subscribers)
                        : listeners;
    }
    const kin__events *events = &context->core->events;
    write(visible, "\nholders %" PRIx64 ", %u owners; listeners %" PRIx64 ": %u %u %u %u %u %u", holders,
          context->core->owners.count, listeners, events->destroy_subscribers, events->will_destroy_subscribers,
          events->create_subscribers, events->groups, events->change_subscribers, events->any_change_subscribers);
}

static void add_tables(visible *visible, const kin_context *context)
{
    uint64_t watchers = EMPTY;
    size_t count = context->info->component_count;
    for (uint32_t id = 0; id <= count; id++) { // without journals, which begin and end unnoticed
        uint32_t watched = context->components[id].watchers - kin__journal_is_on(&context->core->watches[id]);
        watchers = digest(watchers, &watched, sizeof watched);
    }
    write(visible, "\ncarriers %" PRIx64 ", watchers %" PRIx64,
          digest(EMPTY, context->carriers, count * sizeof *context->carriers), watchers);
    for (uint32_t i = 0; i < context->info->index_count; i++)
        add_index(visible, context, &context->core->indices->indices[i]);
}

void visible_add_context(visible *visible, const kin_context *context)
{
    write(visible, "\n%s: %u counted, %u alive, %u reusable, %u retained, %u chunks given, next %" PRIu64 "\n",
          context->info->name, kin__entity_count(context), kin__living(context), kin_context_reusable_count(context),
          kin_context_retained_count(context), context->core->slots.assigned_chunks, context->next_creation_index);
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (kin_entity_creation_index(entity) != 0)
            add_entity(visible, context, entity);
    }
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < context->core->group_count; i++)
        add_group(visible, groups[i]);
    add_tables(visible, context);
    add_holders(visible, context);
}

void visible_add_collector(visible *visible, const kin_collector *collector)
{
    if (collector == NULL)
        return;
    uint64_t hash = EMPTY;
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        hash = digest(hash, source->entries.sides[KIN__COLLECTING].elements,
                      source->sides[KIN__COLLECTING].count * sizeof(kin_entity));
    }
    if (collector->source_count > 1)
        hash = digest(hash, collector->order.sides[KIN__COLLECTING].elements,
                      collector->counts[KIN__COLLECTING] * sizeof(uint16_t));
    write(visible, "\ncollector: %s, %u of %" PRIx64, collector->active ? "active" : "idle",
          kin_collector_count(collector), hash);
}
