// Resolving what systems have collected: which source of which collector each entity goes to. Entities of contexts and
// triggers that are no more are left out, and so are those whose last value is missing.

#include "read/kept.h"
#include "read/slots.h"
#include "read/systems.h"
#include "store/store.h"
#include "world/world.h"

#include <string.h>

// One collector of now.
typedef struct target {
    kin__systems_reading *systems;
    kin_collector *collector;
    const uint64_t *kept; // by slot: last values, if the collector waits for them; else NULL
    bool is_on;           // it may have collected something
} target;

// Returns the number of the source that collects in a context; the count of sources if none does.
static uint32_t source_of(const kin_collector *collector, const kin_context *context)
{
    uint32_t number = 0;
    while (number < collector->source_count && collector->sources[number].context != context)
        number++;
    return number;
}

static kin__reading *reading_of(const kin__systems_reading *systems, uint32_t context)
{
    for (uint32_t i = 0; i < systems->context_count; i++)
        if (systems->contexts[i].file != NULL && systems->contexts[i].number == context)
            return &systems->contexts[i];
    return NULL;
}

// Marks the entity, whose slot was checked. False, with a fault noted, if the collector has it already.
static bool mark(kin__systems_reading *systems, const kin__reading *reading, kin_entity entity)
{
    uint32_t **marks = &systems->marks[reading - systems->contexts];
    if (*marks == NULL)
        *marks = kin__heap_take(&systems->heap, (size_t)reading->part->chunk_count * KIN__CHUNK_SLOTS, sizeof **marks);
    if (*marks == NULL)
        return false;
    uint32_t *at = &(*marks)[kin_entity_slot(entity)];
    if (*at == systems->collector_count)
        return kin__block_reader_fault(systems->blocks, 1308, "a system has collected an entity twice");
    *at = systems->collector_count;
    return true;
}

static bool add_entry(const target *target, kin__read_collected *collected, uint32_t i)
{
    kin__reading *reading = reading_of(target->systems, collected->contexts[i]);
    kin_entity entity = collected->entities[i];
    uint32_t source = reading == NULL ? 0 : source_of(target->collector, reading->context);
    if (reading == NULL || source == target->collector->source_count)
        return true;
    if (!target->is_on)
        return kin__block_reader_fault(target->systems->blocks, 1307, "a disabled system has collected an entity");
    if (!kin__slots_check_entity(reading, entity))
        return false;
    if (target->kept != NULL && !kin__bits_have(target->kept, kin_entity_slot(entity)))
        return true;
    collected->entries[collected->entry_count++] = (kin__saved_entry){entity, source};
    return mark(target->systems, reading, entity) && kin__slots_hold(reading, entity);
}

// Makes the bits of the last values that the collector waits for, if it does.
static bool make_kept(target *target)
{
    const kin__source *source = &target->collector->sources[0];
    const kin__reading *reading = target->systems->contexts;
    uint32_t left = target->systems->context_count;
    for (; left > 0 && reading->context != source->context; left--)
        reading++;
    if (source->last_values == NULL || left == 0)
        return true;
    size_t words = (size_t)reading->part->chunk_count * KIN__CHUNK_WORDS;
    uint64_t *bits = kin__heap_take(&target->systems->heap, words, sizeof *bits);
    if (bits == NULL)
        return false;
    kin__kept_mark(reading, source->last_values->id, bits);
    target->kept = bits;
    return true;
}

static bool resolve_collector(target *target, kin__read_collected *collected)
{
    target->systems->collector_count++;
    target->kept = NULL;
    if (collected->count == 0)
        return true;
    collected->entries = kin__heap_take(&target->systems->heap, collected->count, sizeof *collected->entries);
    if (collected->entries == NULL || !make_kept(target))
        return false;
    for (uint32_t i = 0; i < collected->count; i++)
        if (!add_entry(target, collected, i))
            return false;
    return true;
}

// If the system has another number of collectors now, only its own one is the same.
static bool resolve_node(kin__systems_reading *systems, kin__read_node *node, bool is_on)
{
    const kin__reactive *reactive = &node->node->reactive;
    bool is_deactivated = (node->flags & KIN__SAVED_DEACTIVATED) != 0;
    uint32_t count = node->saved->collector_count;
    if (count != node->collector_count)
        count = count > 0 && reactive->collector != NULL ? 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        target target = {.systems = systems, .collector = kin__node_collector(node->node, i)};
        target.is_on = is_on && !(target.collector == reactive->collector && is_deactivated);
        if (!resolve_collector(&target, &node->collected[i]))
            return false;
    }
    for (uint32_t i = 0; !is_on && i < node->inbox_count; i++)
        if (node->inboxes[i].count > 0)
            return kin__block_reader_fault(systems->blocks, 1307, "a disabled system has messages");
    return true;
}

bool kin__systems_resolve(kin__systems_reading *systems)
{
    bool *is_on = kin__heap_take(&systems->heap, (size_t)systems->node_count + 2, sizeof *is_on); // by depth
    if (!systems->has_root)
        return kin__fault_note(systems->fault, KIN_ERROR_SHAPE,
                               "it is the file of a context, without systems; read it in that context [K1305]");
    if (is_on == NULL)
        return false;
    is_on[0] = true;
    for (uint32_t i = 0; i < systems->node_count; i++) {
        kin__read_node *node = &systems->nodes[i];
        bool is_enabled = !node->is_read || (node->flags & KIN__SAVED_ENABLED) != 0;
        uint32_t depth = node->saved->depth;
        is_on[depth + 1] = is_on[depth] && is_enabled;
        if (node->is_read && !resolve_node(systems, node, is_on[depth + 1]))
            return false;
    }
    return true;
}
