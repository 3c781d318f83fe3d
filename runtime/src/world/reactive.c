// The run of a reactive node: takes the collected entities, filters them, executes, releases them. They are held
// throughout.
#include "world/world.h"

#include <kin/generated/event_system.h>

#include <string.h>

static bool passes(void *user, kin_context *context, kin_entity entity)
{
    const kin__node *node = user;
    if (node->reactive.filter == NULL)
        return kin_entity_is_alive(context, entity);
    return node->reactive.filter(node->self, context, entity);
}

// A context cannot be destroyed while it is busy.
static void set_busy(const kin_collector *collector, bool busy)
{
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin_context *context = collector->sources[i].context;
        KIN_ASSERT(busy || context == NULL || context->core->busy > 0);
        if (context != NULL)
            context->core->busy += busy ? 1u : (uint32_t)-1;
    }
}

// ---- sorting

// Reserves room for so many entities. Reports the error and returns false when out of memory.
static bool reserve_sorted(kin__sorter *sorter, uint32_t count)
{
    size_t size = kin__pick_sort_size(sorter->context, sorter->order);
    if (kin__array_reserve(sorter->memory, &sorter->copy, count, size))
        return true;
    kin__attempt attempt = {.verb = "sort the entities that a system reacts to"};
    kin__report_error(sorter->context, KIN_ERROR_NO_MEMORY, &attempt);
    return false;
}

static const kin_entity *sort(const kin__sorter *sorter, const kin_entity *entities, uint32_t count)
{
    KIN_ASSERT(count <= sorter->copy.capacity);
    return kin__pick_sort(sorter->context, sorter->order, entities, count, sorter->copy.elements);
}

// ---- runs

static void execute(const kin__node *node, const kin__source *source)
{
    uint32_t count = 0;
    const kin_entity *entities = kin__collector_taken(source, &count);
    if (count > 0 && node->reactive.sorter != NULL)
        entities = sort(node->reactive.sorter, entities, count);
    if (count > 0 && node->reactive.execute != NULL)
        node->reactive.execute(node->self, source->context, entities, count);
}

bool kin__reactive_begin(kin__node *node)
{
    kin_collector *collector = node->reactive.collector;
    KIN_ASSERT(collector != NULL);
    if (node->reactive.running || kin_collector_count(collector) == 0)
        return false;
    kin__sorter *sorter = node->reactive.sorter;
    if (sorter != NULL && !reserve_sorted(sorter, kin_collector_count(collector)))
        return false;
    node->reactive.running = true;
    set_busy(collector, true);
    kin__collector_take(collector);
    kin__collector_filter(collector, passes, node);
    return true;
}

void kin__reactive_end(kin__node *node)
{
    kin__collector_drop_taken(node->reactive.collector);
    set_busy(node->reactive.collector, false);
    node->reactive.running = false;
}

void kin__reactive_forget(kin__node *node)
{
    if (node->reactive.running)
        set_busy(node->reactive.collector, false);
    node->reactive.running = false;
}

void kin__reactive_run(kin__node *node)
{
    const kin_collector *collector = node->reactive.collector;
    if (!kin__reactive_begin(node))
        return;
    for (uint32_t i = 0; i < collector->source_count; i++)
        execute(node, &collector->sources[i]);
    kin__reactive_end(node);
}

kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        const kin_component_id *off, kin_status *status)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {id}}}};
    const char *reason = NULL;
    KIN_ASSERT(id < context->info->component_count);
    kin_trigger trigger = {kin__group_find_or_make(context, &matcher, off, status, &reason), event};
    if (trigger.group == NULL)
        return NULL;
    kin_collector *collector = kin__collector_make(&trigger, 1);
    *status = collector == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
    return collector;
}

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

// Returns NULL when out of memory.
static kin__cleanup_system *cleanup_system_create(kin_context *context, kin__cleanup cleanup)
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

// NULL is allowed.
static void cleanup_system_destroy(kin__cleanup_system *cleanup_system)
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
        const kin__column *column = kin__chunk_column(context, i, cleanup_system->cleanup.id);
        memcpy(cleanup_system->marked + (size_t)i * KIN__CHUNK_WORDS, column->has, sizeof column->has);
    }
    return context->chunk_count * KIN__CHUNK_WORDS;
}

// Returns whether `off` of the schema switches the entity off, unless the cleanup is that of the flag itself.
static bool is_off(const kin__cleanup_system *cleanup_system, kin_entity entity)
{
    const kin_component_id *off = cleanup_system->context->info->off;
    return off != NULL && *off != cleanup_system->cleanup.id && kin_has(cleanup_system->context, entity, *off);
}

// Cleans up one entity. Skips an entity that has died or lost the component since, one that is switched off, and one
// created since: creation indices from `end` on.
static void clean_up(const kin__cleanup_system *cleanup_system, uint32_t slot, uint64_t end)
{
    kin_context *context = cleanup_system->context;
    kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    bool is_left_out = kin_entity_creation_index(entity) >= end || is_off(cleanup_system, entity);
    if (is_left_out || !kin_has(context, entity, cleanup_system->cleanup.id))
        return;
    if (!cleanup_system->cleanup.destroys)
        kin__component_remove_fast(context, entity, cleanup_system->cleanup.id);
    else if (!kin__is_about_to_be_destroyed(context, entity))
        kin__entity_destroy_fast(context, entity);
}

// The `cleanup` of the node. `self` is the cleanup system.
static void cleanup_system_run(void *self)
{
    const kin__cleanup_system *cleanup_system = self;
    if (cleanup_system->context == NULL)
        return;
    uint64_t end = cleanup_system->context->next_creation_index;
    uint64_t epoch = cleanup_system->context->core->dispatch.epoch;
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
    cleanup_system_destroy(object);
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
    kin__cleanup_system *cleanup_system = cleanup_system_create(context, cleanup);
    const char *name = context->info->components[cleanup.id].name;
    kin__node *node = cleanup_system == NULL ? NULL : kin__node_create(systems, name);
    if (node == NULL) {
        cleanup_system_destroy(cleanup_system);
        return false;
    }
    node->type = &cleanup_type;
    node->object = node->self = cleanup_system;
    node->cleanup = cleanup_system_run;
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

// ---- finding the listeners

// A walk over the listeners of an event, on one slot or on all, in order of ascending slot, then in order of adding. It
// visits the listeners that existed when it began and have not ended when it reaches them.
typedef struct walk {
    const kin_context *context;
    uint32_t event, next_slot, end_slot;
    uint64_t serial;                           // later listeners have a larger one
    const kin__event_listener *event_listener; // visited last; NULL: none yet
} walk;

static walk walk_begin(const kin__event_system *event_system, kin_entity entity)
{
    const kin_context *context = event_system->context;
    walk walk = {.context = context, .event = event_system->event, .serial = context->core->listeners.serial};
    bool is_any = context->info->events[event_system->event].is_any;
    walk.next_slot = is_any ? 0 : kin_entity_slot(entity);
    walk.end_slot = is_any ? kin__listener_block_count(context, event_system->event) * KIN__CHUNK_SLOTS
                           : kin_entity_slot(entity) + 1;
    return walk;
}

// Returns the first listener of the next slot that has one, or NULL.
static const kin__event_listener *next_slot(walk *walk)
{
    while (walk->next_slot < walk->end_slot) {
        uint32_t slot = walk->next_slot;
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        const kin__listener_block *slots = kin__listener_block_of(walk->context, walk->event, slot);
        uint64_t word = slots == NULL ? 0 : slots->occupied[place / 64] >> (place % 64);
        if ((word & 1) != 0) {
            walk->next_slot++;
            return slots->lists[place].first;
        }
        if (word != 0)
            walk->next_slot += kin__lowest_bit(word);
        else
            walk->next_slot += slots == NULL ? KIN__CHUNK_SLOTS - place : 64 - place % 64;
    }
    return NULL;
}

static const kin__event_listener *step(walk *walk)
{
    const kin__event_listener *next = walk->event_listener == NULL ? NULL : walk->event_listener->next;
    return next != NULL ? next : next_slot(walk);
}

static const kin__event_listener *walk_next(walk *walk)
{
    do
        walk->event_listener = step(walk);
    while (walk->event_listener != NULL &&
           (walk->event_listener->serial == 0 || walk->event_listener->serial > walk->serial));
    return walk->event_listener;
}

// ---- delivering

// Copies the value for the listener. Returns where the original is, with its owned block.
static kin__value_storage copy_value(kin__event_system *event_system, kin_entity entity)
{
    const kin_context *context = event_system->context;
    const kin_event_info *event = &context->info->events[event_system->event];
    uint32_t slot = kin_entity_slot(entity);
    if (!event->is_removed) {
        kin__value_read(context, slot, event->component, event_system->value);
        return kin__value_storage_of(context, slot, event->component);
    }
    if (event_system->last_values == NULL)
        return (kin__value_storage){0};
    kin__value_storage storage = kin__last_value_storage(context, event_system->last_values, slot);
    KIN_ASSERT(storage.value != NULL);
    memcpy(event_system->value, storage.value, kin__value_size(context, event->component));
    return storage;
}

static void call(kin__event_system *event_system, kin_entity entity, const kin__event_listener *event_listener)
{
    kin_context *context = event_system->context;
    const kin_event_info *event = &context->info->events[event_system->event];
    bool is_flag = kin__value_size(context, event->component) == 0;
    kin__value_storage storage = copy_value(event_system, entity);
    kin__owned_block_pin(storage.owned_block);
    event->deliver(context, entity, is_flag ? NULL : event_system->value, event_listener->function,
                   event_listener->user);
    kin__owned_block_unpin(context, storage.owned_block);
}

// Returns whether the entity still has the component, or still lacks it, as the event says.
static bool holds(const kin__event_system *event_system, kin_entity entity)
{
    const kin_event_info *event = &event_system->context->info->events[event_system->event];
    return kin_has(event_system->context, entity, event->component) != event->is_removed;
}

static void deliver(kin__event_system *event_system, kin_entity entity)
{
    walk walk = walk_begin(event_system, entity);
    kin__delivery_begin(event_system->context);
    for (const kin__event_listener *event_listener = walk_next(&walk);
         event_listener != NULL && holds(event_system, entity); event_listener = walk_next(&walk))
        call(event_system, entity, event_listener);
    kin__delivery_end(event_system->context);
}

// Calls the listeners for each of the entities: the `execute` of the reactive node. `self` is the event system.
static void event_system_execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    KIN_ASSERT(((const kin__event_system *)self)->context == context);
    for (uint32_t i = 0; i < count && context->core->listeners.count > 0; i++)
        deliver(self, entities[i]);
}

// ---- creating and destroying

static void forget_event_context(kin__slot_extension *extension)
{
    kin__event_system *event_system = (kin__event_system *)(void *)extension;
    event_system->context = NULL;
    kin__memory_leave(&event_system->memory);
}

static size_t used_event_memory(const kin__slot_extension *extension)
{
    return ((const kin__event_system *)(const void *)extension)->size;
}

// Allocates an event system without a collector, and links it to the context. NULL when out of memory.
static kin__event_system *allocate(kin_context *context, uint32_t event)
{
    KIN_ASSERT(event < context->info->event_count);
    size_t size = sizeof(kin__event_system) + kin__value_size(context, context->info->events[event].component);
    kin__memory memory = kin__memory_part(&context->core->collector_memory);
    kin__event_system *event_system = kin__allocate_zero(&memory, size);
    if (event_system == NULL)
        return NULL;
    *event_system = (kin__event_system){.extension = {.forget = forget_event_context, .used = used_event_memory},
                                        .context = context,
                                        .memory = memory,
                                        .event = event,
                                        .size = size};
    kin__slot_extension_add(context, &event_system->extension);
    return event_system;
}

// Makes the collector, and the last values that it keeps. On failure the caller destroys the event system.
static kin_status make_collector(kin__event_system *event_system)
{
    kin_status status = KIN_OK;
    kin_context *context = event_system->context;
    const kin_event_info *info = &context->info->events[event_system->event];
    bool keeps_values = info->is_removed && kin__value_size(context, info->component) > 0;
    if (keeps_values)
        event_system->last_values = kin__last_values_add_user(context, info->component);
    if (keeps_values && event_system->last_values == NULL)
        return KIN_ERROR_NO_MEMORY;
    event_system->collector = kin__component_collector(
        context, info->component, info->is_removed ? KIN_REMOVED : KIN_ADDED, context->info->off, &status);
    if (event_system->collector != NULL && info->is_removed)
        kin__collector_keep_last_values(event_system->collector, event_system->last_values);
    KIN_ASSERT((event_system->last_values != NULL) == keeps_values); // invariant 1
    KIN_ASSERT((event_system->collector != NULL) == (status == KIN_OK));
    return status;
}

static void event_system_destroy(kin__event_system *event_system);

// Makes an event system that collects from now on. NULL when out of memory or when the context has no room for one more
// group: `status` has the error, which is not reported.
static kin__event_system *event_system_create(kin_context *context, uint32_t event, kin_status *status)
{
    kin__event_system *event_system = allocate(context, event);
    *status = event_system == NULL ? KIN_ERROR_NO_MEMORY : make_collector(event_system);
    if (*status == KIN_OK)
        return event_system;
    if (event_system != NULL)
        event_system_destroy(event_system);
    return NULL;
}

// A destroyed context has freed its last values.
static void event_system_destroy(kin__event_system *event_system)
{
    kin_collector_destroy(event_system->collector);
    if (event_system->context != NULL) {
        if (event_system->last_values != NULL)
            kin__last_values_remove_user(event_system->context, event_system->last_values);
        kin__slot_extension_remove(event_system->context, &event_system->extension);
    }
    kin__memory memory = event_system->memory;
    kin__release(&memory, event_system, event_system->size);
}

// ---- the node

static bool event_passes(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context, (void)entity;
    return true;
}

static void destroy_event_system(void *object)
{
    event_system_destroy(object);
}

static kin_system_kind kind_of_event_system(const kin__node *node)
{
    (void)node;
    return KIN_SYSTEM_EVENT;
}

static const kin__node_type event_type = {.kind = kind_of_event_system, .destroy = destroy_event_system};

// Adds an event system as a reactive node with the name of the event. Returns false when out of memory.
static bool add_event_system(kin_systems *systems, kin__event_system *event_system)
{
    const kin_event_info *event = &event_system->context->info->events[event_system->event];
    kin__node *node = kin__node_create(systems, event->name);
    if (node == NULL)
        return false;
    KIN_ASSERT(event_system->collector != NULL);
    node->type = &event_type;
    node->object = node->self = event_system;
    node->reactive =
        (kin__reactive){.collector = event_system->collector, .filter = event_passes, .execute = event_system_execute};
    event_system->collector = NULL;
    kin__collector_borrow_name(node->reactive.collector, node->name);
    kin__systems_append(systems, node);
    return true;
}

static kin_status add_all(kin_systems *systems, kin_context *context)
{
    for (uint32_t event = 0; event < context->info->event_count; event++) {
        kin_status status = KIN_OK;
        kin__event_system *event_system = event_system_create(context, event, &status);
        if (event_system == NULL)
            return status;
        if (!add_event_system(systems, event_system)) {
            event_system_destroy(event_system);
            return KIN_ERROR_NO_MEMORY;
        }
    }
    return KIN_OK;
}

// Subscribers are notified of new groups only once nothing can fail any more.
kin_systems *kin__event_systems(kin_context *context)
{
    kin__core *core = context->core;
    kin_systems *systems = kin_systems_create("events", &core->options);
    if (systems == NULL)
        return NULL; // the error handler may have destroyed the context
    uint32_t count = core->group_count;
    kin__systems_attach(systems, context);
    kin_status status = add_all(systems, context);
    if (status != KIN_OK) {
        kin__attempt attempt = {.verb = "create the event systems"};
        kin_systems_destroy(systems);
        kin__groups_truncate(context, count);
        kin__report_error(context, status, &attempt);
        return NULL;
    }
    for (uint32_t end = core->group_count; count < end; count++)
        if (core->events.groups > 0)
            kin__notify_group_created(((kin_group **)core->groups.elements)[count]);
    return systems;
}
