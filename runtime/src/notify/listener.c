#include "notify/listener.h"

#include "base/assertion.h"
#include "report/error.h"
#include "storage/chunk.h"

#include <kin/delivery.h>

#include <stdio.h>

uint32_t kin__perch_count(const kin_context *context, uint32_t event)
{
    const kin__array *perches = context->core->listeners.perches;
    return perches == NULL ? 0 : perches[event].capacity;
}

kin__perch *kin__perch_of(const kin_context *context, uint32_t event, uint32_t slot)
{
    if (slot / KIN__CHUNK_SLOTS >= kin__perch_count(context, event))
        return NULL;
    return ((kin__perch *const *)context->core->listeners.perches[event].elements)[slot / KIN__CHUNK_SLOTS];
}

static kin__hooks *list_of(const kin_context *context, uint32_t event, uint32_t slot)
{
    kin__perch *perch = kin__perch_of(context, event, slot);
    return perch == NULL ? NULL : &perch->lists[slot % KIN__CHUNK_SLOTS];
}

static void set_occupied(const kin_context *context, const kin__hook *hook, bool on)
{
    uint32_t place = hook->slot % KIN__CHUNK_SLOTS;
    uint64_t *word = &kin__perch_of(context, hook->event, hook->slot)->occupied[place / 64];
    *word = (*word & ~((uint64_t)1 << (place % 64))) | (uint64_t)on << (place % 64);
}

// ---- adding

static size_t perches_size(const kin_context *context)
{
    return context->info->event_count * sizeof(kin__array);
}

static kin__hooks *reserve_list(kin_context *context, uint32_t event, uint32_t slot)
{
    kin__memory *memory = &context->core->group_memory;
    kin__listeners *listeners = &context->core->listeners;
    uint32_t chunk = slot / KIN__CHUNK_SLOTS;
    if (listeners->perches == NULL)
        listeners->perches = kin__allocate_zero(memory, perches_size(context));
    if (listeners->perches == NULL || !kin__array_reserve_pointers(memory, &listeners->perches[event], chunk + 1))
        return NULL;
    kin__perch **perch = &((kin__perch **)listeners->perches[event].elements)[chunk];
    if (*perch == NULL)
        *perch = kin__allocate_zero(memory, sizeof **perch);
    return list_of(context, event, slot);
}

static bool append(kin_context *context, kin__hook wanted)
{
    kin__hooks *list = reserve_list(context, wanted.event, wanted.slot);
    kin__hook *hook = list == NULL ? NULL : kin__allocate(&context->core->group_memory, sizeof *hook);
    if (hook == NULL)
        return false;
    *hook = wanted;
    hook->serial = ++context->core->listeners.serial;
    context->core->listeners.count++;
    if (list->last == NULL)
        list->first = hook;
    else
        list->last->next = hook;
    list->last = hook;
    set_occupied(context, hook, true);
    return true;
}

// `attempt` has the verb and the entity; the event says the rest.
static kin_status refuse(const kin_context *context, kin_status status, kin__attempt attempt, uint32_t event)
{
    char verb[160];
    const kin_event_info *info = &context->info->events[event];
    snprintf(verb, sizeof verb, "%s a listener of %.100s about", attempt.verb, info->name);
    attempt.verb = verb;
    attempt.component = context->info->components[info->component].name;
    return kin__refuse(context, status, &attempt);
}

kin_status kin__event_listener_add(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                   void *user)
{
    kin__attempt attempt = {.verb = "add", .entity = listener, .preposition = "to"};
    KIN_ASSERT(event < context->info->event_count);
    if (kin__chunk_of(context, listener) == NULL)
        return refuse(context, KIN_ERROR_NOT_ALIVE, attempt, event);
    attempt.reason = "there is no function; give one";
    if (function == NULL)
        return refuse(context, KIN_ERROR_INVALID, attempt, event);
    attempt.reason = NULL;
    kin__hook wanted = {.function = function, .user = user, .event = event, .slot = kin_entity_slot(listener)};
    return append(context, wanted) ? KIN_OK : refuse(context, KIN_ERROR_NO_MEMORY, attempt, event);
}

// ---- ending

static void unhook(kin_context *context, kin__hook *hook)
{
    kin__hooks *list = list_of(context, hook->event, hook->slot);
    kin__hook *before = NULL;
    for (kin__hook *each = list->first; each != hook; each = each->next)
        before = each;
    if (before == NULL)
        list->first = hook->next;
    else
        before->next = hook->next;
    if (hook->next == NULL)
        list->last = before;
    set_occupied(context, hook, list->first != NULL);
    kin__release(&context->core->group_memory, hook, sizeof *hook);
}

static void end(kin_context *context, kin__hook *hook)
{
    kin__listeners *listeners = &context->core->listeners;
    hook->serial = 0;
    listeners->count--;
    if (listeners->deliveries == 0) {
        unhook(context, hook);
        return;
    }
    hook->next_ended = listeners->ended;
    listeners->ended = hook;
}

kin_status kin__event_listener_remove(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                      void *user)
{
    kin__attempt attempt = {.verb = "remove", .entity = listener, .preposition = "from"};
    KIN_ASSERT(event < context->info->event_count);
    if (kin__chunk_of(context, listener) == NULL)
        return refuse(context, KIN_ERROR_NOT_ALIVE, attempt, event);
    const kin__hooks *list = list_of(context, event, kin_entity_slot(listener));
    kin__hook *hook = list == NULL ? NULL : list->first;
    while (hook != NULL && (hook->serial == 0 || hook->function != function || hook->user != user))
        hook = hook->next;
    attempt.reason = "no such function hangs there with that user; remove what was added, and once";
    if (hook == NULL)
        return refuse(context, KIN_ERROR_INVALID, attempt, event);
    end(context, hook);
    return KIN_OK;
}

void kin__listeners_end(kin_context *context, uint32_t slot)
{
    for (uint32_t event = 0; event < context->info->event_count; event++) {
        const kin__hooks *list = list_of(context, event, slot);
        for (kin__hook *hook = list == NULL ? NULL : list->first, *next = NULL; hook != NULL; hook = next) {
            next = hook->next;
            if (hook->serial != 0)
                end(context, hook);
        }
    }
}

static void release_list(kin_context *context, kin__hooks *list)
{
    for (kin__hook *hook = list->first, *next = NULL; hook != NULL; hook = next) {
        next = hook->next;
        kin__release(&context->core->group_memory, hook, sizeof *hook);
    }
}

static void release_perches(kin_context *context, kin__array *perches)
{
    kin__perch *const *elements = perches->elements;
    for (uint32_t chunk = 0; chunk < perches->capacity; chunk++) {
        for (uint32_t place = 0; elements[chunk] != NULL && place < KIN__CHUNK_SLOTS; place++)
            release_list(context, &elements[chunk]->lists[place]);
        kin__release(&context->core->group_memory, elements[chunk], sizeof(kin__perch));
    }
    kin__array_release(&context->core->group_memory, perches, sizeof(kin__perch *));
}

void kin__listeners_release(kin_context *context)
{
    kin__listeners *listeners = &context->core->listeners;
    for (uint32_t event = 0; listeners->perches != NULL && event < context->info->event_count; event++)
        release_perches(context, &listeners->perches[event]);
    kin__release(&context->core->group_memory, listeners->perches, perches_size(context));
    *listeners = (kin__listeners){0};
}

// ---- deliveries

void kin__listeners_hold(kin_context *context)
{
    context->core->listeners.deliveries++;
}

void kin__listeners_let_go(kin_context *context)
{
    kin__listeners *listeners = &context->core->listeners;
    KIN_ASSERT(listeners->deliveries > 0);
    listeners->deliveries--;
    while (listeners->deliveries == 0 && listeners->ended != NULL) {
        kin__hook *hook = listeners->ended;
        listeners->ended = hook->next_ended;
        unhook(context, hook);
    }
}

// ---- validation

// Counts those that have not ended.
static bool list_is_valid(const kin_context *context, const kin__hooks *list, uint32_t *count)
{
    const kin__hook *last = NULL;
    uint64_t serial = 0;
    for (const kin__hook *hook = list->first; hook != NULL; hook = hook->next) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, hook->slot);
        bool alive = kin_entity_creation_index(chunk->ids[hook->slot % KIN__CHUNK_SLOTS]) != 0;
        if (hook->serial == 0 ? context->core->listeners.deliveries == 0 : !alive || hook->serial <= serial)
            return false;
        *count += hook->serial != 0;
        serial = hook->serial != 0 ? hook->serial : serial;
        last = hook;
    }
    return last == list->last;
}

static bool perch_is_valid(const kin_context *context, const kin__perch *perch, uint32_t *count)
{
    for (uint32_t place = 0; perch != NULL && place < KIN__CHUNK_SLOTS; place++) {
        bool occupied = (perch->occupied[place / 64] >> (place % 64) & 1) != 0;
        if (occupied != (perch->lists[place].first != NULL) || !list_is_valid(context, &perch->lists[place], count))
            return false;
    }
    return true;
}

bool kin__listeners_are_valid(const kin_context *context)
{
    uint32_t count = 0;
    for (uint32_t event = 0; event < context->info->event_count; event++)
        for (uint32_t chunk = 0; chunk < kin__perch_count(context, event); chunk++)
            if (!perch_is_valid(context, kin__perch_of(context, event, chunk * KIN__CHUNK_SLOTS), &count))
                return false;
    return count == context->core->listeners.count;
}
