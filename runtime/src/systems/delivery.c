#include "systems/delivery.h"

#include "group/group.h"
#include "notify/listener.h"
#include "notify/tell.h"
#include "report/error.h"
#include "storage/chunk.h"
#include "storage/keepsake.h"
#include "systems/systems.h"

#include <kin/delivery.h>

#include <string.h>

// ---- whom to tell

// A walk over those who listen to an event, on one slot or on all, in ascending slot and order of adding: those who
// hung there when it began, unless they have ended by the time it comes to them.
typedef struct walk {
    const kin_context *context;
    uint32_t event, next_slot, end_slot;
    uint64_t serial;
    const kin__hook *hook; // shown last; NULL: none yet
} walk;

static walk walk_begin(const kin__deliverer *deliverer, kin_entity entity)
{
    const kin_context *context = deliverer->context;
    walk walk = {.context = context, .event = deliverer->event, .serial = context->core->listeners.serial};
    bool is_any = context->info->events[deliverer->event].is_any;
    walk.next_slot = is_any ? 0 : kin_entity_slot(entity);
    walk.end_slot =
        is_any ? kin__perch_count(context, deliverer->event) * KIN__CHUNK_SLOTS : kin_entity_slot(entity) + 1;
    return walk;
}

// The first one of the next slot where somebody hangs; NULL when there is none.
static const kin__hook *next_slot(walk *walk)
{
    while (walk->next_slot < walk->end_slot) {
        uint32_t slot = walk->next_slot, place = slot % KIN__CHUNK_SLOTS;
        const kin__perch *perch = kin__perch_of(walk->context, walk->event, slot);
        uint64_t word = perch == NULL ? 0 : perch->occupied[place / 64] >> (place % 64);
        if ((word & 1) != 0) {
            walk->next_slot++;
            return perch->lists[place].first;
        }
        if (word != 0)
            walk->next_slot += kin__lowest_bit(word);
        else
            walk->next_slot += perch == NULL ? KIN__CHUNK_SLOTS - place : 64 - place % 64;
    }
    return NULL;
}

static const kin__hook *step(walk *walk)
{
    const kin__hook *next = walk->hook == NULL ? NULL : walk->hook->next;
    return next != NULL ? next : next_slot(walk);
}

static const kin__hook *walk_next(walk *walk)
{
    do
        walk->hook = step(walk);
    while (walk->hook != NULL && (walk->hook->serial == 0 || walk->hook->serial > walk->serial));
    return walk->hook;
}

// ---- telling

// Copies the value that is to be shown, and returns what belongs to it.
static kin__room copy_value(kin__deliverer *deliverer, kin_entity entity)
{
    const kin_context *context = deliverer->context;
    const kin_event_info *event = &context->info->events[deliverer->event];
    uint32_t slot = kin_entity_slot(entity);
    if (!event->is_removed) {
        kin__value_read(context, slot, event->component, deliverer->value);
        return kin__value_room(context, slot, event->component);
    }
    if (deliverer->keepsakes == NULL)
        return (kin__room){0};
    kin__room room = kin__keepsake_room(context, deliverer->keepsakes, slot);
    memcpy(deliverer->value, room.value, kin__value_size(context, event->component));
    return room;
}

static void call(kin__deliverer *deliverer, kin_entity entity, const kin__hook *hook)
{
    kin_context *context = deliverer->context;
    const kin_event_info *event = &context->info->events[deliverer->event];
    bool is_flag = kin__value_size(context, event->component) == 0;
    kin__room room = copy_value(deliverer, entity);
    kin__parcel_keep(room.parcel);
    event->deliver(context, entity, is_flag ? NULL : deliverer->value, hook->function, hook->user);
    kin__parcel_let_go(context, room.parcel);
}

// Whether the event is still true of the entity.
static bool holds(const kin__deliverer *deliverer, kin_entity entity)
{
    const kin_event_info *event = &deliverer->context->info->events[deliverer->event];
    return kin_has(deliverer->context, entity, event->component) != event->is_removed;
}

static void deliver(kin__deliverer *deliverer, kin_entity entity)
{
    walk walk = walk_begin(deliverer, entity);
    kin__listeners_hold(deliverer->context);
    for (const kin__hook *hook = walk_next(&walk); hook != NULL && holds(deliverer, entity); hook = walk_next(&walk))
        call(deliverer, entity, hook);
    kin__listeners_let_go(deliverer->context);
}

bool kin__deliverer_filter(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context, (void)entity;
    return true;
}

void kin__deliverer_execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count && context->core->listeners.count > 0; i++)
        deliver(self, entities[i]);
}

// ---- making and ending

kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        kin_status *status)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {id}}}};
    const char *reason = NULL;
    kin_trigger trigger = {kin__group_find_or_make(context, &matcher, status, &reason), event};
    if (trigger.group == NULL)
        return NULL;
    kin_collector *collector = kin__collector_make(&trigger, 1);
    *status = collector == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
    return collector;
}

static void forget(kin__follower *follower)
{
    kin__deliverer *deliverer = (kin__deliverer *)(void *)follower;
    deliverer->context = NULL;
    kin__memory_leave(&deliverer->memory);
}

static size_t used(const kin__follower *follower)
{
    return ((const kin__deliverer *)(const void *)follower)->size;
}

kin__deliverer *kin__deliverer_create(kin_context *context, uint32_t event, kin_status *status)
{
    const kin_event_info *info = &context->info->events[event];
    size_t value_size = kin__value_size(context, info->component), size = sizeof(kin__deliverer) + value_size;
    kin__memory memory = kin__memory_part(&context->core->collector_memory);
    kin__deliverer *deliverer = kin__allocate_zero(&memory, size);
    *status = KIN_ERROR_NO_MEMORY;
    if (deliverer == NULL)
        return NULL;
    *deliverer = (kin__deliverer){.follower = {.forget = forget, .used = used},
                                  .context = context,
                                  .memory = memory,
                                  .event = event,
                                  .size = size};
    kin__follow(context, &deliverer->follower);
    bool keeps = info->is_removed && value_size > 0;
    if (keeps)
        deliverer->keepsakes = kin__keepsakes_use(context, info->component);
    if (!keeps || deliverer->keepsakes != NULL)
        deliverer->collector =
            kin__component_collector(context, info->component, info->is_removed ? KIN_REMOVED : KIN_ADDED, status);
    if (deliverer->collector == NULL) {
        kin__deliverer_destroy(deliverer);
        return NULL;
    }
    if (info->is_removed)
        kin__collector_keep(deliverer->collector, deliverer->keepsakes);
    return deliverer;
}

// A context that has ended has taken its keepsakes along.
void kin__deliverer_destroy(kin__deliverer *deliverer)
{
    kin_collector_destroy(deliverer->collector);
    if (deliverer->context != NULL) {
        if (deliverer->keepsakes != NULL)
            kin__keepsakes_leave(deliverer->context, deliverer->keepsakes);
        kin__unfollow(deliverer->context, &deliverer->follower);
    }
    kin__memory memory = deliverer->memory;
    kin__release(&memory, deliverer, deliverer->size);
}

static kin_status fill(kin_systems *systems, kin_context *context)
{
    for (uint32_t event = 0; event < context->info->event_count; event++) {
        kin_status status = KIN_OK;
        kin__deliverer *deliverer = kin__deliverer_create(context, event, &status);
        if (deliverer == NULL)
            return status;
        if (!kin__systems_add_deliverer(systems, deliverer)) {
            kin__deliverer_destroy(deliverer);
            return KIN_ERROR_NO_MEMORY;
        }
    }
    return KIN_OK;
}

// Of groups that are made on the way somebody is told once nothing can fail any more.
kin_systems *kin__event_systems(kin_context *context)
{
    kin__core *core = context->core;
    kin_systems *systems = kin_systems_create("events", &core->options);
    if (systems == NULL)
        return NULL; // the error handler may have destroyed the context
    uint32_t count = core->group_count;
    kin__systems_belong(systems, context);
    kin_status status = fill(systems, context);
    if (status != KIN_OK) {
        kin__attempt attempt = {.verb = "make the event systems"};
        kin_systems_destroy(systems);
        kin__groups_unmake(context, count);
        kin__refuse(context, status, &attempt);
        return NULL;
    }
    for (uint32_t end = core->group_count; count < end; count++)
        if (core->events.groups > 0)
            kin__tell_group(((kin_group **)core->groups.elements)[count]);
    return systems;
}
