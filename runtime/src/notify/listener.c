#include "notify/notify.h"

#include <kin/generated/event_system.h>

#include <stdio.h>

uint32_t kin__listener_block_count(const kin_context *context, uint32_t event)
{
    const kin__array *blocks = context->core->listeners.blocks;
    return blocks == NULL ? 0 : blocks[event].capacity;
}

kin__listener_block *kin__listener_block_of(const kin_context *context, uint32_t event, uint32_t slot)
{
    if (slot / KIN__CHUNK_SLOTS >= kin__listener_block_count(context, event))
        return NULL;
    return ((kin__listener_block *const *)context->core->listeners.blocks[event].elements)[slot / KIN__CHUNK_SLOTS];
}

static kin__event_listeners *list_of(const kin_context *context, uint32_t event, uint32_t slot)
{
    kin__listener_block *block = kin__listener_block_of(context, event, slot);
    return block == NULL ? NULL : &block->lists[slot % KIN__CHUNK_SLOTS];
}

// Sets or clears the bit of the listener's slot.
static void set_occupied(const kin_context *context, const kin__event_listener *event_listener, bool on)
{
    kin__listener_block *block = kin__listener_block_of(context, event_listener->event, event_listener->slot);
    kin__bits_write(block->occupied, event_listener->slot % KIN__CHUNK_SLOTS, on);
}

// ---- adding

static size_t blocks_size(const kin_context *context)
{
    return context->info->event_count * sizeof(kin__array);
}

// Returns the list of a slot, allocated if it is missing; NULL when out of memory.
static kin__event_listeners *reserve_list(kin_context *context, uint32_t event, uint32_t slot)
{
    kin__memory *memory = &context->core->group_memory;
    kin__listeners *listeners = &context->core->listeners;
    uint32_t chunk = slot / KIN__CHUNK_SLOTS;
    if (listeners->blocks == NULL)
        listeners->blocks = kin__allocate_zero(memory, blocks_size(context));
    if (listeners->blocks == NULL || !kin__array_reserve_pointers(memory, &listeners->blocks[event], chunk + 1))
        return NULL;
    kin__listener_block **block = &((kin__listener_block **)listeners->blocks[event].elements)[chunk];
    if (*block == NULL)
        *block = kin__allocate_zero(memory, sizeof **block);
    return list_of(context, event, slot);
}

static bool append(kin_context *context, kin__event_listener wanted)
{
    kin__event_listeners *list = reserve_list(context, wanted.event, wanted.slot);
    kin__event_listener *event_listener =
        list == NULL ? NULL : kin__allocate(&context->core->group_memory, sizeof *event_listener);
    if (event_listener == NULL)
        return false;
    *event_listener = wanted;
    KIN_ASSERT(wanted.function != NULL && (list->first == NULL) == (list->last == NULL));
    event_listener->serial = ++context->core->listeners.serial;
    context->core->listeners.count++;
    if (list->last == NULL)
        list->first = event_listener;
    else
        list->last->next = event_listener;
    list->last = event_listener;
    set_occupied(context, event_listener, true);
    return true;
}

// Reports a refusal. `attempt` has the verb and the entity; the event gives the other names.
static kin_status report_error(const kin_context *context, kin_status status, kin__attempt attempt, uint32_t event)
{
    char verb[160];
    const kin_event_info *info = &context->info->events[event];
    snprintf(verb, sizeof verb, "%s a listener of %.100s for", attempt.verb, info->name);
    attempt.verb = verb;
    attempt.component = context->info->components[info->component].name;
    return kin__report_error(context, status, &attempt);
}

kin_status kin__event_listener_add(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                   void *user)
{
    kin__attempt attempt = {.verb = "add", .entity = listener, .preposition = "to"};
    KIN_ASSERT(event < context->info->event_count);
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, listener) == NULL)
        return report_error(context, KIN_ERROR_NOT_ALIVE, attempt, event);
    attempt.reason = "the function is NULL; pass a function";
    if (function == NULL)
        return report_error(context, KIN_ERROR_INVALID, attempt, event);
    attempt.reason = NULL;
    kin__event_listener wanted = {
        .function = function, .user = user, .event = event, .slot = kin_entity_slot(listener)};
    return append(context, wanted) ? KIN_OK : report_error(context, KIN_ERROR_NO_MEMORY, attempt, event);
}

// ---- ending

// Unlinks and frees a listener on which no delivery stands.
static void unlink_and_free(kin_context *context, kin__event_listener *event_listener)
{
    kin__event_listeners *list = list_of(context, event_listener->event, event_listener->slot);
    kin__event_listener *before = NULL;
    KIN_ASSERT(event_listener->serial == 0 && list != NULL);
    for (kin__event_listener *each = list->first; each != event_listener; each = each->next)
        before = each;
    if (before == NULL)
        list->first = event_listener->next;
    else
        before->next = event_listener->next;
    if (event_listener->next == NULL)
        list->last = before;
    set_occupied(context, event_listener, list->first != NULL);
    kin__release(&context->core->group_memory, event_listener, sizeof *event_listener);
}

// Ends a listener: frees it, now or with the outermost delivery.
static void end(kin_context *context, kin__event_listener *event_listener)
{
    kin__listeners *listeners = &context->core->listeners;
    KIN_ASSERT(event_listener->serial != 0 && listeners->count > 0);
    event_listener->serial = 0;
    listeners->count--;
    if (listeners->calls_under_way == 0) {
        unlink_and_free(context, event_listener);
        return;
    }
    event_listener->next_ended = listeners->ended;
    listeners->ended = event_listener;
}

// Whether a listener that has not ended has this function and user.
static bool is_of(const kin__event_listener *event_listener, kin_function *function, const void *user)
{
    return event_listener->serial != 0 && event_listener->function == function && event_listener->user == user;
}

kin_status kin__event_listener_remove(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                      void *user)
{
    kin__attempt attempt = {.verb = "remove", .entity = listener, .preposition = "from"};
    KIN_ASSERT(event < context->info->event_count);
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, listener) == NULL)
        return report_error(context, KIN_ERROR_NOT_ALIVE, attempt, event);
    const kin__event_listeners *list = list_of(context, event, kin_entity_slot(listener));
    kin__event_listener *event_listener = list == NULL ? NULL : list->first;
    while (event_listener != NULL && !is_of(event_listener, function, user))
        event_listener = event_listener->next;
    attempt.reason = "the entity has no listener with this function and user; remove a listener only once";
    if (event_listener == NULL)
        return report_error(context, KIN_ERROR_INVALID, attempt, event);
    end(context, event_listener);
    return KIN_OK;
}

void kin__listeners_end(kin_context *context, uint32_t slot)
{
    for (uint32_t event = 0; event < context->info->event_count; event++) {
        const kin__event_listeners *list = list_of(context, event, slot);
        for (kin__event_listener *event_listener = list == NULL ? NULL : list->first, *next = NULL;
             event_listener != NULL; event_listener = next) {
            next = event_listener->next;
            if (event_listener->serial != 0)
                end(context, event_listener);
        }
    }
}

static void release_list(kin_context *context, kin__event_listeners *list)
{
    for (kin__event_listener *event_listener = list->first, *next = NULL; event_listener != NULL;
         event_listener = next) {
        next = event_listener->next;
        kin__release(&context->core->group_memory, event_listener, sizeof *event_listener);
    }
}

static void release_blocks(kin_context *context, kin__array *blocks)
{
    kin__listener_block *const *elements = blocks->elements;
    for (uint32_t chunk = 0; chunk < blocks->capacity; chunk++) {
        for (uint32_t place = 0; elements[chunk] != NULL && place < KIN__CHUNK_SLOTS; place++)
            release_list(context, &elements[chunk]->lists[place]);
        kin__release(&context->core->group_memory, elements[chunk], sizeof(kin__listener_block));
    }
    kin__array_release(&context->core->group_memory, blocks, sizeof(kin__listener_block *));
}

void kin__listeners_release(kin_context *context)
{
    kin__listeners *listeners = &context->core->listeners;
    for (uint32_t event = 0; listeners->blocks != NULL && event < context->info->event_count; event++)
        release_blocks(context, &listeners->blocks[event]);
    kin__release(&context->core->group_memory, listeners->blocks, blocks_size(context));
    *listeners = (kin__listeners){0};
}

// ---- deliveries

void kin__delivery_begin(kin_context *context)
{
    context->core->listeners.calls_under_way++;
}

void kin__delivery_end(kin_context *context)
{
    kin__listeners *listeners = &context->core->listeners;
    KIN_ASSERT(listeners->calls_under_way > 0); // invariant 3 holds after the last delivery
    listeners->calls_under_way--;
    while (listeners->calls_under_way == 0 && listeners->ended != NULL) {
        kin__event_listener *event_listener = listeners->ended;
        listeners->ended = event_listener->next_ended;
        unlink_and_free(context, event_listener);
    }
}

// ---- validation

// Invariants 1 to 3 of one list. Adds its live listeners to `count`.
static bool list_is_valid(const kin_context *context, const kin__event_listeners *list, uint32_t *count)
{
    const kin__event_listener *last = NULL;
    uint64_t serial = 0;
    for (const kin__event_listener *event_listener = list->first; event_listener != NULL;
         event_listener = event_listener->next) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, event_listener->slot);
        bool alive = kin_entity_creation_index(chunk->ids[event_listener->slot % KIN__CHUNK_SLOTS]) != 0;
        if (event_listener->serial == 0 ? context->core->listeners.calls_under_way == 0
                                        : !alive || event_listener->serial <= serial)
            return false;
        *count += event_listener->serial != 0;
        serial = event_listener->serial != 0 ? event_listener->serial : serial;
        last = event_listener;
    }
    return last == list->last;
}

// Invariant 1: the bits.
static bool block_is_valid(const kin_context *context, const kin__listener_block *block, uint32_t *count)
{
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++) {
        bool occupied = kin__bits_have(block->occupied, place);
        if (occupied != (block->lists[place].first != NULL) || !list_is_valid(context, &block->lists[place], count))
            return false;
    }
    return true;
}

bool kin__listeners_are_valid(const kin_context *context)
{
    uint32_t count = 0;
    for (uint32_t event = 0; event < context->info->event_count; event++)
        for (uint32_t chunk = 0; chunk < kin__listener_block_count(context, event); chunk++)
            if (!block_is_valid(context, kin__listener_block_of(context, event, chunk * KIN__CHUNK_SLOTS), &count))
                return false;
    return count == context->core->listeners.count;
}

// Returns which slots of a word have an entity that is the same, and alive, before and after.
static uint64_t stays(const kin__chunk *chunk, uint32_t word, const kin_entity *ids, const uint64_t *alive)
{
    uint64_t same = ids == NULL ? 0 : chunk->alive[word] & alive[word];
    for (uint64_t bits = same; bits != 0; bits &= bits - 1) {
        uint32_t place = word * 64 + kin__lowest_bit(bits);
        if (chunk->ids[place] != ids[place])
            same &= ~(bits & (~bits + 1));
    }
    return same;
}

static void end_subscribers(kin_context *context, kin__subscriber_list *subscribers)
{
    for (kin__subscriber *each = subscribers->first, *next = NULL; each != NULL; each = next) {
        next = each->next;
        kin__event_subscriber_end(each);
        kin__subscriber_retire(context, each);
    }
}

static bool has_listeners(const kin_context *context, uint32_t chunk)
{
    for (uint32_t event = 0; context->core->listeners.count > 0 && event < context->info->event_count; event++)
        if (kin__listener_block_of(context, event, chunk * KIN__CHUNK_SLOTS) != NULL)
            return true;
    return false;
}

void kin__listeners_restore(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive)
{
    const kin__chunk *at = context->chunks[chunk];
    KIN_ASSERT(context->depth == 0 && context->core->listeners.calls_under_way == 0 && chunk < context->chunk_count);
    if (at->subscriber_lists == NULL && !has_listeners(context, chunk))
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = ~stays(at, word, ids, alive); bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            if (at->subscriber_lists != NULL)
                end_subscribers(context, &at->subscriber_lists[place]);
            kin__listeners_end(context, chunk * KIN__CHUNK_SLOTS + place);
        }
}
