// Contexts: creating one from its tables and options, and destroying it with everything it owns.
#include "context/context.h"
#include "snapshot/snapshot.h"

#include <kin/memory.h>
#include <kin/share.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The column of a component that a chunk has no column for: no entity has it. All zero, and never written.
static const kin__column empty_column;

// The chunk of a context without chunks. The zero handle finds no entity there either.
static const kin__chunk no_chunk = {.ids = {1}};
static const kin__chunk *const no_chunks[] = {&no_chunk};

uint32_t kin_context_reusable_count(const kin_context *context)
{
    return kin__pools_reusable(context);
}

uint32_t kin_context_retained_count(const kin_context *context)
{
    return context->core->slots.held;
}

// Describes what is wrong with the options; NULL if nothing is.
static const char *find_option_fault(const kin_context_options *options)
{
    if (options->first_creation_index > KIN__MAX_CREATION_INDEX)
        return "first_creation_index is greater than 2^40 - 1, which is the limit; choose a smaller one";
    return kin__allocator_fault(&options->allocator);
}

// Describes what is wrong with the tables, then with the options; NULL if nothing is.
static const char *find_fault(const kin_context_info *info, const kin_context_options *options)
{
    if (info->interface_version < KIN_INTERFACE_VERSION)
        return "its generated code is older than this libkin; generate it again with the kin of this libkin, and "
               "compile "
               "it with its headers";
    if (info->interface_version > KIN_INTERFACE_VERSION)
        return "its generated code is newer than this libkin; install the libkin of the headers that it was compiled "
               "with";
    if (info->component_count > KIN__MAX_COMPONENTS)
        return "it has more than 65535 components, which is the limit; use several contexts";
    return find_option_fault(options);
}

// Bytes of the table of declared groups, which is never empty. Two entries may be one group.
static size_t groups_size(const kin_context *context)
{
    return ((size_t)context->info->group_count + 1) * sizeof(kin_group *);
}

static void release_watches(kin_context *context, size_t count)
{
    kin__core *core = context->core;
    for (size_t i = 0; core->watches != NULL && i < count; i++)
        kin__watch_release(context, &core->watches[i]);
    kin__release(&core->group_memory, core->watches, count * sizeof *core->watches);
}

static void release_tables(kin_context *context, size_t watch_count)
{
    kin__core *core = context->core;
    kin__release(&core->memory, context->carriers, watch_count * sizeof *context->carriers);
    kin__release(&core->memory, context->watched, kin__marks_size(context));
    kin__release(&core->group_memory, context->groups, groups_size(context));
    kin__array_release(&core->memory, &core->list, sizeof(kin_entity));
}

static void release_core(kin_context *context)
{
    kin__core *core = context->core;
    size_t watch_count = (size_t)context->info->component_count + 1;
    kin__groups_release(context);
    kin__events_release(context);
    kin__listeners_release(context);
    kin__last_values_release(context);
    kin__owners_release(context);
    kin__indices_release(context);
    kin__relations_release(context);
    kin__slots_release(context);
    kin__shelves_release(context);
    kin__blueprints_release(context);
    kin__shared_end(context);
    kin__slabs_release(context);
    kin__payload_release(context);
    kin__subscribers_release(context);
    kin__journals_release(context);
    kin__release(&core->group_memory, core->dispatch.rows, kin__rows_size(context));
    release_watches(context, watch_count);
    release_tables(context, watch_count);
    KIN_ASSERT(core->is_abandoned || core->memory.allocated == core->context_size + sizeof *core);
    kin__memory memory = core->memory;
    kin__release(&memory, core, sizeof *core);
}

static void mark_ownership(kin_context *context)
{
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin_component_info *info = &context->info->components[id];
        if (info->is_shared)
            context->core->watches[id].ownership = KIN__OWNERSHIP_SHARED;
        else if (info->has_strings || info->has_drops || info->has_lists)
            context->core->watches[id].ownership = KIN__OWNERSHIP_OWN;
    }
}

static bool make_tables(kin_context *context)
{
    kin__core *core = context->core;
    size_t count = (size_t)context->info->component_count + 1;
    core->watches = kin__allocate_zero(&core->group_memory, count * sizeof *core->watches);
    core->dispatch.rows = kin__allocate_zero(&core->group_memory, kin__rows_size(context));
    context->groups = kin__allocate_zero(&core->group_memory, groups_size(context));
    context->carriers = kin__allocate_zero(&core->memory, count * sizeof *context->carriers);
    context->watched = kin__allocate_zero(&core->memory, kin__marks_size(context));
    core->soa_row = context->watched == NULL ? NULL : context->watched + context->row_words;
    core->alive = context->components + count - 1;
    if (core->watches != NULL)
        mark_ownership(context);
    bool has_own_tables = core->watches != NULL && core->dispatch.rows != NULL;
    bool has_tables = context->groups != NULL && context->carriers != NULL && context->watched != NULL;
    return kin__shelves_make(context) && has_own_tables && has_tables;
}

// Puts the members of each declared group into the context's struct. Of two equal groups, the first has its members
// there.
static kin_status make_declared_groups(kin_context *context, const char **reason)
{
    kin__members *members = (kin__members *)(void *)(context->core->alive + 1);
    KIN_ASSERT((char *)(members + context->info->group_count) <= (char *)context + context->core->context_size);
    for (uint32_t i = 0; i < context->info->group_count; i++) {
        kin_status status = KIN_OK;
        context->groups[i] = kin__group_find_or_make(context, &context->info->groups[i].matcher, NULL, &status, reason);
        if (context->groups[i] == NULL)
            return status;
        members[i] = (kin__members){.listed_at = KIN__NEVER, .group = context->groups[i]};
        if (context->groups[i]->members == &context->groups[i]->own)
            context->groups[i]->members = &members[i];
    }
    return KIN_OK;
}

static bool is_keyed(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (watch->ownership != KIN__OWNERSHIP_NONE || info->is_boxed || info->is_soa)
        return false;
    return (watch->side_effects & KIN__SIDE_EFFECT_RELATION) == 0 && kin__indices_replace_in_place(context, id);
}

// Changes of a unique, boxed, owning or stashable component write more than bits: a watcher makes the accessors call
// the library. Changes of a component with one column a field are inlined unless it is watched, and never take a fast
// path.
static void watch_special(kin_context *context)
{
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin_component_info *info = &context->info->components[id];
        if (kin__is_special(context, (kin_component_id)id))
            kin__component_watch(context, id, true);
        context->components[id].plain_size = info->is_boxed || info->is_soa ? 0 : (uint32_t)info->size;
        context->core->watches[id].size = (uint32_t)info->size;
        context->core->watches[id].is_fast = context->components[id].watchers == 0 && !info->is_soa;
        context->core->watches[id].is_keyed = is_keyed(context, (kin_component_id)id);
        context->core->watches[id].side_effects |= info->is_unique ? KIN__SIDE_EFFECT_CARRIER : 0;
        context->core->watches[id].side_effects |= info->is_shared ? KIN__SIDE_EFFECT_SHARED : 0;
        kin__bits_write(context->core->soa_row, id, info->is_soa);
    }
}

// Fills a new context, or releases its core; then `memory->refused` is the size that could not be allocated.
static kin_status fill(kin_context *context, kin__memory *memory, const char **reason)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    if (make_tables(context) && kin__indices_make(context) && kin__relations_make(context) &&
        kin__blueprints_make(context)) {
        watch_special(context);
        kin__direct_refresh_all(context);
        status = make_declared_groups(context, reason);
    }
    if (status != KIN_OK) {
        memory->refused = context->core->memory.refused;
        release_core(context);
    }
    return status;
}

static kin__core *make_core(kin__memory *memory, const kin_context_options *options)
{
    kin__core *core = kin__allocate_zero(memory, sizeof *core);
    if (core == NULL)
        return NULL;
    kin__memory *const parts[] = {&core->column_memory, &core->group_memory,  &core->collector_memory,
                                  &core->index_memory,  &core->string_memory, &core->snapshot_memory};
    core->options = *options;
    core->memory = *memory;
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = kin__memory_part(&core->memory);
    core->listed_at = ~(uint64_t)0;
    return core;
}

static kin_context_options completed(const kin_context_options *options)
{
    kin_context_options complete = options != NULL ? *options : (kin_context_options){0};
    if (complete.first_creation_index == 0)
        complete.first_creation_index = 1;
    if (complete.max_entities == 0 || complete.max_entities > KIN__MAX_SLOTS)
        complete.max_entities = KIN__MAX_SLOTS;
    return complete;
}

static kin_context *make_context(const kin_context_info *info, const kin_context_options *options, size_t size,
                                 kin__memory *memory)
{
    kin_context *context = kin__allocate_zero(memory, size);
    if (context == NULL)
        return NULL;
    context->info = info;
    context->row_words = info->component_count == 0 ? 1 : (info->component_count + 63) / 64;
    context->components = kin__component_of(context, 0);
    context->empty = &empty_column;
    context->chunks = (kin__chunk **)(uintptr_t)no_chunks; // never written through: there is no slot
    context->pool.free_slot = KIN__NO_SLOT;
    context->next_creation_index = options->first_creation_index;
    context->core = make_core(memory, options);
    if (context->core == NULL) {
        kin__release(memory, context, size);
        return NULL;
    }
    context->core->context_size = size;
    KIN_ASSERT(context->row_words * 64 >= info->component_count && context->chunk_count == 0);
    kin__seed_spread(options->hash_seed != 0 ? options->hash_seed : kin__seed_make(context), context->core->factors);
    return context;
}

kin_context *kin__context_create(const kin_context_info *info, const kin_context_options *options, size_t size)
{
    KIN_ASSERT(size >= sizeof(kin_context) + sizeof(kin__component)); // being alive, a pseudo component
    kin_context_options complete = completed(options);
    char verb[96];
    snprintf(verb, sizeof verb, "create the context %s", info->name);
    kin__attempt attempt = {.verb = verb, .reason = find_fault(info, &complete)};
    if (attempt.reason != NULL) {
        kin__report_error_to(&complete, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    kin__memory memory = kin__memory_of(complete.allocator);
    kin_context *context = make_context(info, &complete, size, &memory);
    kin_status status = KIN_ERROR_NO_MEMORY;
    if (context != NULL) {
        status = fill(context, &memory, &attempt.reason);
        if (status == KIN_OK)
            return context;
        kin__release(&memory, context, size);
    }
    kin__report_error_to(&complete, status, &attempt, memory.refused);
    return NULL;
}

bool kin__context_may_end(const kin_context *context)
{
    kin__attempt attempt = {.verb = "destroy the context"};
    if (context->core->is_in_world)
        attempt.reason = "it belongs to a world; destroy the world first, which destroys the contexts that it created";
    else if (kin__context_is_in_use(context) && !context->core->is_abandoned)
        attempt.reason = "its listener, system or error handler is being called; destroy it after the call returns, or "
                         "call kin_context_abandon if an exception or longjmp left it";
    else
        return true;
    kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    return false;
}

// Ends what the abandoned calls would have ended, as far as destroying the context needs it. The frames were on a stack
// that is gone.
static void forget_calls(kin_context *context)
{
    kin__core *core = context->core;
    core->dispatch.frames = NULL;
    core->dispatch.loans = 0;
    core->slots.about_to_be_destroyed = 0;
    for (kin__slot_extension *extension = core->slot_extensions; extension != NULL; extension = extension->next) {
        const kin__source *source = kin__source_of(extension);
        if (source != NULL)
            source->collector->clearing = 0;
    }
}

void kin_context_abandon(kin_context *context)
{
    if (context == NULL)
        return;
    context->core->culprit = NULL; // it was on a stack too
    while (kin__context_is_shared(context))
        kin_context_end_shared(context);
    if (!kin__context_is_in_use(context) || context->core->is_abandoned)
        return;
    context->core->is_abandoned = true;
    forget_calls(context);
    context->depth = KIN__MAX_DEPTH;
    kin__dispatch_watch_all(context, true);
}

void kin__context_destroy(kin_context *context)
{
    if (context == NULL || !kin__context_may_end(context))
        return;
    kin__core *core = context->core;
#ifdef KIN_CHECKED
    if (core->events.scoped > 0)
        kin__report_error(context, KIN_ERROR_INVALID,
                          &(kin__attempt){.verb = "keep a subscription",
                                          .reason = "a kin::subscription outlives the context; declare it after the "
                                                    "context, or end it before"});
#endif
    if (core->is_abandoned)
        context->depth = 0;
    KIN_ASSERT(context->depth == 0 && core->dispatch.loans == 0);
    while (core->slot_extensions != NULL) {
        kin__slot_extension *extension = core->slot_extensions;
        core->slot_extensions = extension->next;
        extension->forget(extension);
    }
    kin__memory memory = core->memory;
    size_t size = core->context_size;
    kin__store_release(context);
    release_core(context);
    kin__release(&memory, context, size);
}

// ---- the contexts of a package
//
// They are in a generated struct of pointers, whose types differ: they are copied, not read as pointers to kin_context.
// The options follow it: the memory of the struct comes from their allocator.

static kin_context *context_at(const void *contexts, uint32_t number)
{
    kin_context *context;
    memcpy(&context, (const char *)contexts + number * sizeof context, sizeof context);
    return context;
}

static size_t size_of_contexts(uint32_t count)
{
    return count * sizeof(kin_context *) + sizeof(kin_context_options);
}

// Destroys the contexts, of which the last ones may be NULL.
static void release_contexts(void *contexts, uint32_t count)
{
    kin_context_options options;
    memcpy(&options, (const char *)contexts + count * sizeof(kin_context *), sizeof options);
    kin__memory memory = kin__memory_of(completed(&options).allocator);
    for (uint32_t i = 0; i < count; i++)
        kin__context_destroy(context_at(contexts, i));
    kin__release(&memory, contexts, size_of_contexts(count));
}

void *kin__contexts_create(const kin__context_kind *kinds, uint32_t count, const kin_context_options *options)
{
    kin_context_options complete = completed(options);
    kin__attempt attempt = {.verb = "create the contexts", .reason = find_option_fault(&complete)};
    if (attempt.reason != NULL) {
        kin__report_error_to(options, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    kin__memory memory = kin__memory_of(complete.allocator);
    char *contexts = kin__allocate_zero(&memory, size_of_contexts(count));
    if (contexts == NULL) {
        kin__report_error_to(options, KIN_ERROR_NO_MEMORY, &attempt, memory.refused);
        return NULL;
    }
    memcpy(contexts + count * sizeof(kin_context *), &complete, sizeof complete);
    for (uint32_t i = 0; i < count; i++) {
        kin_context *context = kin__context_create(kinds[i].info, options, kinds[i].size);
        if (context == NULL) {
            release_contexts(contexts, count);
            return NULL;
        }
        memcpy(contexts + i * sizeof context, &context, sizeof context);
    }
    return contexts;
}

void kin__contexts_destroy(void *contexts, uint32_t count)
{
    for (uint32_t i = 0; contexts != NULL && i < count; i++)
        if (!kin__context_may_end(context_at(contexts, i)))
            return;
    if (contexts != NULL)
        release_contexts(contexts, count);
}

kin_status kin__contexts_reset(void *contexts, uint32_t count)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; i < count; i++) {
        kin_status reset = kin__context_reset(context_at(contexts, i));
        status = reset != KIN_OK ? reset : status;
    }
    return status;
}

enum { MOST_SHOWN = 3 };

// Holders in words: what keeps the slot of a destroyed entity from being used again.

enum { KIN__HOLDERS_SIZE = 256 };

// The text so far; `count` counts also the holders that are not shown.
typedef struct holders {
    char *text;
    uint32_t count;
} holders;

// Appends " by …", ", …" with what holds the entity. A text that is full is cut.
static void append(holders *holders, const char *what, const char *name)
{
    char escaped[KIN__ESCAPED_SIZE] = "";
    size_t length = strlen(holders->text);
    if (name != NULL)
        kin__escape(escaped, name, strlen(name));
    if (holders->count++ < MOST_SHOWN)
        snprintf(holders->text + length, KIN__HOLDERS_SIZE - length, "%s%s%s", holders->count == 1 ? " by " : ", ",
                 what, escaped);
}

static void append_owners(holders *holders, const kin_context *context, kin_entity entity)
{
    const void *owner = NULL;
    const char *name = NULL;
    for (uint32_t place = 0; kin__owners_next(context, entity, &place, &owner, &name);) {
        char what[48];
        snprintf(what, sizeof what, "the owner %p%s", owner, name != NULL ? " " : "");
        append(holders, what, name);
    }
}

static void append_collectors(holders *holders, const kin_context *context, kin_entity entity)
{
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next) {
        const char *name = each->holder == NULL ? NULL : each->holder(each, entity);
        if (name != NULL && name[0] != '\0')
            append(holders, "the collector of ", name);
        else if (name != NULL)
            append(holders, "a collector", NULL);
    }
}

// Writes the holders of a destroyed entity, at most three of them: ` by the owner 0x5581 (view) and the collector of
// Score`. Empty if only a running system holds it. Cost: visits the owners of the context and the entries of its
// collectors.
static void holders_describe(const kin_context *context, kin_entity entity, char text[KIN__HOLDERS_SIZE])
{
    holders holders = {.text = text};
    text[0] = '\0';
    append_owners(&holders, context, entity);
    append_collectors(&holders, context, entity);
    if (holders.count == 0 && context->core->options.fast_retain)
        append(&holders, "an owner", NULL);
    size_t length = strlen(text);
    if (holders.count > MOST_SHOWN)
        snprintf(text + length, KIN__HOLDERS_SIZE - length, " and %" PRIu32 " more", holders.count - MOST_SHOWN);
}

// Destroys the entities that are alive now. Those that listeners make meanwhile have later creation indices, unless a
// listener resets the context, which ends the round.
static void destroy_round(kin_context *context)
{
    uint64_t last = context->next_creation_index;
    uint64_t epoch = context->core->dispatch.epoch;
    KIN_ASSERT(kin__dispatch_may_nest(context));
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (slot % 64 == 0 && chunk->alive[slot % KIN__CHUNK_SLOTS / 64] == 0) {
            slot += 63;
            continue;
        }
        uint64_t index = kin_entity_creation_index(chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (index != 0 && index < last && !kin__is_about_to_be_destroyed(context, chunk->ids[slot % KIN__CHUNK_SLOTS]))
            kin__entity_destroy_checked_fast(context, chunk->ids[slot % KIN__CHUNK_SLOTS]);
        if (context->core->dispatch.epoch != epoch)
            return;
    }
}

// Destroys the entities that outer cascades have not stripped yet. Those that name one of them do not live either.
static void destroy_ending(kin_context *context)
{
    for (uint32_t slot = 0; slot < context->core->slots.endings.capacity * KIN__CHUNK_SLOTS; slot++)
        if (kin__is_ending(context, slot)) {
            kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
            if (!kin__cascade_detach_all(context, entity))
                return;
            KIN_ASSERT(context->core->slots.about_to_be_destroyed > 0);
            *kin__ending_of(context, slot) = 0;
            context->core->slots.about_to_be_destroyed--;
            kin__entity_destroy_announced(context, entity);
        }
}

// Destroys the entities whose will-be-destroyed listeners are being called by outer changes: their handles must not
// outlive a reset. A reset by a listener of this destroys them all.
static void destroy_announced(kin_context *context)
{
    destroy_ending(context);
    for (kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->about_to_be_destroyed) {
            KIN_ASSERT(context->core->slots.about_to_be_destroyed > 0);
            if (!kin__cascade_detach_all(context, frame->change.entity))
                return;
            frame->about_to_be_destroyed = false;
            context->core->slots.about_to_be_destroyed--;
            kin__entity_destroy_announced(context, frame->change.entity);
        }
}

void kin__entities_destroy(kin_context *context)
{
    KIN_ASSERT(kin__dispatch_may_nest(context));
    while (kin__entity_count(context) > 0)
        destroy_round(context);
}

// Reports KIN_ERROR_RETAINED if dead entities are still held.
static kin_status report_held(const kin_context *context, const char *verb)
{
    char reason[160 + KIN__HOLDERS_SIZE], holders[KIN__HOLDERS_SIZE];
    uint32_t held = context->core->slots.held;
    if (held == 0)
        return KIN_OK;
    kin_entity first = kin__hold_first(context);
    KIN_ASSERT(first != 0 && held <= context->core->slots.pending);
    holders_describe(context, first, holders);
    snprintf(reason, sizeof reason,
             "%" PRIu32 " destroyed %s still held, the first of them entity %" PRIu64 " in slot %" PRIu32
             "%s; release them and clear collectors",
             held, held == 1 ? "entity is" : "entities are", kin_entity_creation_index(first), kin_entity_slot(first),
             holders);
    return kin__report_error(context, KIN_ERROR_RETAINED, &(kin__attempt){.verb = verb, .reason = reason});
}

kin_status kin__entity_destroy_all(kin_context *context)
{
    const char *verb = "release all entities";
    if (!kin__dispatch_may_nest(context))
        return kin__report_error(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    kin__entities_destroy(context);
    return report_held(context, verb);
}

// Reports held entities last, as on_error may already use the context again.
kin_status kin__context_reset(kin_context *context)
{
    const char *verb = "release all entities in a reset";
    if (!kin__dispatch_may_nest(context))
        return kin__report_error(context, KIN_ERROR_LIMIT, &(kin__attempt){.verb = verb});
    do {
        kin__entities_destroy(context);
        destroy_announced(context);
    } while (kin__entity_count(context) > 0);
    KIN_ASSERT(kin__living(context) == 0);
    context->core->dispatch.epoch++;
    kin__slots_reset(context);
    KIN_ASSERT(context->core->slots.assigned_chunks == 0 && context->core->slots.about_to_be_destroyed == 0);
    return report_held(context, verb);
}

// Trim: releases memory that a context does not need. Arrays that the user has stay, as they are valid until the next
// call, and so do ended subscribers, as a subscription may be ended twice.

static void trim_lists(kin_context *context)
{
    kin__core *core = context->core;
    kin_group *const *groups = core->groups.elements;
    if (core->listed == 0)
        kin__array_release(&core->memory, &core->list, sizeof(kin_entity));
    for (uint32_t i = 0; i < core->group_count; i++)
        if (groups[i]->members->count == 0)
            kin__array_release(&core->group_memory, &groups[i]->list, sizeof(kin_entity));
}

static void trim_subscriber_lists(kin_context *context, kin__chunk *chunk)
{
    for (uint32_t place = 0; chunk->subscriber_lists != NULL && place < KIN__CHUNK_SLOTS; place++)
        if (chunk->subscriber_lists[place].first != NULL)
            return;
    kin__release(&context->core->group_memory, chunk->subscriber_lists,
                 KIN__CHUNK_SLOTS * sizeof *chunk->subscriber_lists);
    chunk->subscriber_lists = NULL;
}

static void trim_listener_slots(kin_context *context, uint32_t event)
{
    for (uint32_t chunk = 0; chunk < kin__listener_block_count(context, event); chunk++) {
        kin__listener_block **slots = &((kin__listener_block **)context->core->listeners.blocks[event].elements)[chunk];
        uint64_t occupied = 0;
        for (uint32_t word = 0; *slots != NULL && word < KIN__CHUNK_WORDS; word++)
            occupied |= (*slots)->occupied[word];
        if (occupied != 0)
            continue;
        kin__release(&context->core->group_memory, *slots, sizeof **slots);
        *slots = NULL;
    }
}

// Does nothing while a change is under way: what a plan has reserved looks unused.
void kin_context_trim(kin_context *context)
{
    if (kin__context_is_shared(context))
        kin__refuse_shared(context);
    if (context->depth > 0)
        return;
    context->core->trims++; // command buffers give their memory back at the end of their next playback
    kin__store_trim(context);
    kin__columns_trim(context);
    kin__lists_trim(context);
    kin__last_values_trim(context);
    kin__shared_trim(context);
    kin__slabs_trim(context);
    kin__indices_trim(context);
    kin__relations_trim(context);
    kin__owners_trim(context);
    trim_lists(context);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        trim_subscriber_lists(context, context->chunks[i]);
    for (uint32_t event = 0; event < context->info->event_count; event++)
        trim_listener_slots(context, event);
    for (kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        if (each->trim != NULL)
            each->trim(each);
    KIN_VALIDATE(kin__context_is_valid(context));
}
