#include "context_systems/cleanup_system.h"

#include "base/base.h"
#include "notify/notify.h"
#include "store/store.h"
#include "systems/systems.h"

#include <string.h>

// Makes room for so many slots. Returns false when out of memory.
static bool reserve(kin__slot_extension *extension, uint32_t slot_count)
{
    kin__cleanup_system *cleanup_system = (kin__cleanup_system *)(void *)extension;
    KIN_ASSERT(slot_count % KIN__CHUNK_SLOTS == 0);
    if (slot_count <= cleanup_system->slot_count)
        return true;
    uint32_t grown = slot_count < cleanup_system->slot_count * 2 ? cleanup_system->slot_count * 2 : slot_count;
    uint64_t *marked = kin__allocate(&cleanup_system->memory, grown / 64 * sizeof *marked);
    if (marked == NULL)
        return false;
    if (cleanup_system->slot_count > 0)
        memcpy(marked, cleanup_system->marked, cleanup_system->slot_count / 64 * sizeof *marked);
    kin__release(&cleanup_system->memory, cleanup_system->marked, cleanup_system->slot_count / 64 * sizeof *marked);
    cleanup_system->marked = marked;
    cleanup_system->slot_count = grown;
    KIN_ASSERT(grown >= slot_count && grown % 64 == 0);
    return true;
}

static void forget_context(kin__slot_extension *extension)
{
    kin__cleanup_system *cleanup_system = (kin__cleanup_system *)(void *)extension;
    cleanup_system->context = NULL;
    kin__memory_leave(&cleanup_system->memory);
}

static size_t used_memory(const kin__slot_extension *extension)
{
    const kin__cleanup_system *cleanup_system = (const kin__cleanup_system *)(const void *)extension;
    return sizeof *cleanup_system +
           cleanup_system->context->chunk_count * KIN__CHUNK_WORDS * sizeof *cleanup_system->marked;
}

kin__cleanup_system *kin__cleanup_system_create(kin_context *context, kin__cleanup cleanup)
{
    KIN_ASSERT(cleanup.id < context->info->component_count);
    kin__memory memory = kin__memory_part(&context->core->collector_memory);
    kin__cleanup_system *cleanup_system = kin__allocate_zero(&memory, sizeof *cleanup_system);
    if (cleanup_system == NULL)
        return NULL;
    *cleanup_system =
        (kin__cleanup_system){.extension = {.reserve = reserve, .forget = forget_context, .used = used_memory},
                              .memory = memory,
                              .context = context,
                              .cleanup = cleanup};
    if (!reserve(&cleanup_system->extension, context->chunk_count * KIN__CHUNK_SLOTS)) {
        memory = cleanup_system->memory;
        kin__release(&memory, cleanup_system, sizeof *cleanup_system);
        return NULL;
    }
    kin__slot_extension_add(context, &cleanup_system->extension);
    return cleanup_system;
}

void kin__cleanup_system_destroy(kin__cleanup_system *cleanup_system)
{
    if (cleanup_system == NULL)
        return;
    if (cleanup_system->context != NULL)
        kin__slot_extension_remove(cleanup_system->context, &cleanup_system->extension);
    kin__memory memory = cleanup_system->memory;
    kin__release(&memory, cleanup_system->marked, cleanup_system->slot_count / 64 * sizeof *cleanup_system->marked);
    kin__release(&memory, cleanup_system, sizeof *cleanup_system);
}

// Copies the component's bits of all chunks. Returns the number of words.
static uint32_t mark(const kin__cleanup_system *cleanup_system)
{
    const kin_context *context = cleanup_system->context;
    KIN_ASSERT(context->chunk_count * KIN__CHUNK_SLOTS <= cleanup_system->slot_count);
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        const kin__column *column =
            kin__chunk_columns(context->chunks[i], context->row_words)[cleanup_system->cleanup.id];
        memcpy(cleanup_system->marked + (size_t)i * KIN__CHUNK_WORDS, column->has, sizeof column->has);
    }
    return context->chunk_count * KIN__CHUNK_WORDS;
}

// Cleans up one entity. Skips an entity that has died or lost the component since, and one created since: creation
// indices from `end` on.
static void clean_up(const kin__cleanup_system *cleanup_system, uint32_t slot, uint64_t end)
{
    kin_context *context = cleanup_system->context;
    kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    if (kin_entity_creation_index(entity) >= end || !kin_has(context, entity, cleanup_system->cleanup.id))
        return;
    if (!cleanup_system->cleanup.destroys)
        kin__component_remove_fast(context, entity, cleanup_system->cleanup.id);
    else if (!kin__is_about_to_be_destroyed(context, entity))
        kin__entity_destroy_fast(context, entity);
}

void kin__cleanup_system_run(void *self)
{
    const kin__cleanup_system *cleanup_system = self;
    if (cleanup_system->context == NULL)
        return;
    uint64_t end = cleanup_system->context->next_creation_index, epoch = cleanup_system->context->core->dispatch.epoch;
    uint32_t words = mark(cleanup_system);
    KIN_ASSERT(words <= cleanup_system->slot_count / 64); // the invariant
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t bits = cleanup_system->marked[word]; bits != 0; bits &= bits - 1) {
            if (cleanup_system->context->core->dispatch.epoch != epoch)
                return; // a listener has reset the context: no marked entity exists any more
            clean_up(cleanup_system, word * 64 + kin__lowest_bit(bits), end);
        }
}

// ---- the node

static void destroy(void *object)
{
    kin__cleanup_system_destroy(object);
}

static kin_system_kind kind_of(const kin__node *node)
{
    (void)node;
    return KIN_SYSTEM_CLEANUP;
}

static const kin__node_type cleanup_type = {.kind = kind_of, .destroy = destroy};

// Adds a cleanup system with the name of its component. Returns false when out of memory.
static bool add(kin_systems *systems, kin_context *context, kin__cleanup cleanup)
{
    kin__cleanup_system *cleanup_system = kin__cleanup_system_create(context, cleanup);
    const char *name = context->info->components[cleanup.id].name;
    kin__node *node = cleanup_system == NULL ? NULL : kin__node_create(systems, name);
    if (node == NULL) {
        kin__cleanup_system_destroy(cleanup_system);
        return false;
    }
    node->type = &cleanup_type;
    node->object = node->self = cleanup_system;
    node->cleanup = kin__cleanup_system_run;
    kin__systems_append(systems, node);
    return true;
}

kin_systems *kin__cleanup_systems(kin_context *context, const kin__cleanup *cleanups, uint32_t count)
{
    kin_systems *systems = kin_systems_create("cleanup", &context->core->options);
    if (systems == NULL)
        return NULL; // the error handler may have destroyed the context
    kin__systems_attach(systems, context);
    for (uint32_t i = 0; i < count; i++)
        if (!add(systems, context, cleanups[i])) {
            kin__attempt attempt = {.verb = "create the cleanup systems"};
            kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
            kin_systems_destroy(systems);
            return NULL;
        }
    return systems;
}
