#include "context_systems/event_system.h"

#include "base/base.h"
#include "context_systems/component_collector.h"
#include "lookup/lookup.h"
#include "notify/notify.h"
#include "store/store.h"
#include "systems/systems.h"

#include <kin/generated/event_system.h>

#include <string.h>

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
        uint32_t slot = walk->next_slot, place = slot % KIN__CHUNK_SLOTS;
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

void kin__event_system_execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    KIN_ASSERT(((const kin__event_system *)self)->context == context);
    for (uint32_t i = 0; i < count && context->core->listeners.count > 0; i++)
        deliver(self, entities[i]);
}

// ---- creating and destroying

static void forget_context(kin__slot_extension *extension)
{
    kin__event_system *event_system = (kin__event_system *)(void *)extension;
    event_system->context = NULL;
    kin__memory_leave(&event_system->memory);
}

static size_t used_memory(const kin__slot_extension *extension)
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
    *event_system = (kin__event_system){.extension = {.forget = forget_context, .used = used_memory},
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
    event_system->collector =
        kin__component_collector(context, info->component, info->is_removed ? KIN_REMOVED : KIN_ADDED, &status);
    if (event_system->collector != NULL && info->is_removed)
        kin__collector_keep_last_values(event_system->collector, event_system->last_values);
    KIN_ASSERT((event_system->last_values != NULL) == keeps_values); // invariant 1
    KIN_ASSERT((event_system->collector != NULL) == (status == KIN_OK));
    return status;
}

kin__event_system *kin__event_system_create(kin_context *context, uint32_t event, kin_status *status)
{
    kin__event_system *event_system = allocate(context, event);
    *status = event_system == NULL ? KIN_ERROR_NO_MEMORY : make_collector(event_system);
    if (*status == KIN_OK)
        return event_system;
    if (event_system != NULL)
        kin__event_system_destroy(event_system);
    return NULL;
}

// A destroyed context has freed its last values.
void kin__event_system_destroy(kin__event_system *event_system)
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

static bool passes(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context, (void)entity;
    return true;
}

static void destroy(void *object)
{
    kin__event_system_destroy(object);
}

static kin_system_kind kind_of(const kin__node *node)
{
    (void)node;
    return KIN_SYSTEM_EVENT;
}

static const kin__node_type event_type = {.kind = kind_of, .destroy = destroy};

// Adds an event system as a reactive node with the name of the event. Returns false when out of memory.
static bool add(kin_systems *systems, kin__event_system *event_system)
{
    const kin_event_info *event = &event_system->context->info->events[event_system->event];
    kin__node *node = kin__node_create(systems, event->name);
    if (node == NULL)
        return false;
    KIN_ASSERT(event_system->collector != NULL);
    node->type = &event_type;
    node->object = node->self = event_system;
    node->reactive =
        (kin__reactive){.collector = event_system->collector, .filter = passes, .execute = kin__event_system_execute};
    event_system->collector = NULL;
    kin__collector_borrow_name(node->reactive.collector, node->name);
    kin__systems_append(systems, node);
    return true;
}

static kin_status add_all(kin_systems *systems, kin_context *context)
{
    for (uint32_t event = 0; event < context->info->event_count; event++) {
        kin_status status = KIN_OK;
        kin__event_system *event_system = kin__event_system_create(context, event, &status);
        if (event_system == NULL)
            return status;
        if (!add(systems, event_system)) {
            kin__event_system_destroy(event_system);
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
