// notify: who is notified of a change: subscribers, listeners, journals, holds and collectors
//
// Owns subscriptions and their calls. A watch lists the groups that a component concerns; masks decide which of them a
// change concerns; the subscribers of these are called. Collectors gather entities and hold them.
//
//   notify  →  dispatch, watch  →  collect, note, event  →  retain
//
// Cycle: dispatch.c and watch.c. Settling ends subscribers, and a subscription is notified as a change.
// Cycle: collect.c and collector.c. A collector has triggers, and tells its name.
#ifndef KIN_SRC_NOTIFY_H
#define KIN_SRC_NOTIFY_H

#include "store/store.h"

#include <kin/generated/blueprint.h>

#include <string.h>

// One subscription in its list. `serial` grows with each subscription, and is 0 once it has ended: a change notifies
// only subscribers that began before it.
typedef struct kin__subscriber {
    uint64_t serial;
    uint32_t events; // a set of KIN__EVENT_…
    bool collects;   // the listener is a collector's: two calls for one change collect the entity once
    kin_listener *listener;
    void *user;
    struct kin__subscriber *next, *previous;
    kin_context *context;
    kin_group *group; // NULL: the subscriber of an entity or a context
    kin__subscriber_list *list;
    struct kin__subscriber *next_ended; // in the list of ended subscribers, or of spare ones
} kin__subscriber;

// Events of groups, in the order in which a replace notifies.
enum { KIN__EVENT_REMOVED = 1, KIN__EVENT_ADDED = 2, KIN__EVENT_MODIFIED = 4, KIN__EVENTS_OF_GROUPS = 7 };

// Added to KIN__EVENT_REMOVED when the component is removed, not replaced; and to KIN__EVENT_ADDED when the entity
// enters the group.
enum { KIN__EVENT_LOST = 1 << 12, KIN__EVENT_ENTERED = 1 << 14 };

// What the group needs to patch its array (lookup.h).
typedef struct kin__patching {
    uint64_t seen[KIN__PATCHED_COMPONENTS]; // changes of each named component when the array was made or patched
    uint32_t gap;                           // unused places of `list` before the array
    uint32_t calls;                         // calls in a row that found few changes
    bool compares;                          // a row matches if (row & compared) == expected; rows have one word
    uint64_t compared, expected;
} kin__patching;

struct kin_group {
    kin_context *context;
    uint32_t number;     // in order of creation
    uint64_t serial;     // of its creation, see kin__dispatch
    kin_matcher matcher; // normalised
    uint64_t hash;       // of the matcher
    struct kin_group *next_in_bucket;
    kin__subscriber_list subscribers;
    uint32_t subscriber_count; // not ended
    uint32_t listener_count;   // of these: those that are not collectors
    bool has_room;             // its watches have reserved room for it

    kin_component_id *named; // components whose changes can change the group, each once; NULL: all
    uint32_t named_count;
    bool counts_alive; // creating and destroying entities can change the group too

    uint64_t counted_at; // the stamp (kin__group_stamp) of `count`; KIN__NEVER at first
    uint32_t count;
    kin__members *members; // stored after the context for a declared group, else `own`
    kin__members own;
    kin__array list; // of kin_entity: the members' array
    kin__patching patching;
};

// Direct calls: for each component the subscriber that kin__replace_fast calls without the library, where one
// subscriber is all that a replace notifies (kin/generated/direct.h).
//
//   watches[id].direct            the change as that subscriber is shown it, its listener, and the rows that match
//   components[id].replace_path   0: no subscriber; KIN__PATH_LIBRARY; or the address of `direct` with flags
//
// A refresh follows each begin and end of a subscription. Inside a change it is deferred to kin__settle, since `direct`
// may be in use.
//
// Invariants, checked by kin__direct_is_valid():
//   1. replace_path is 0 exactly while the component has no watchers but its journal; that of being alive is always 0
//   2. replace_path leads to `direct` only while one group watches the component, its mask is exact, a replace calls
//      one live subscriber of the group once, or only subscribers of one collector, and no subscriber waits for changes
//      of one entity or of all entities
//   3. the component is then fast, its value fits into `direct`, and rows have one word
//   4. `direct` has that subscriber's listener, user and group, and the values of its event (previous, value or both)
//   5. at depth 0 replace_path leads to `direct` wherever 2 and 3 allow it and the group can have members
//
// Cost: a refresh is a walk over the subscribers of one group, up to the second one that a replace calls. `direct` is
// allocated by kin__direct_reserve, so a refresh needs no memory.

// Refreshes the direct call of a component. Does nothing for being alive: the number of components as `id`.
void kin__direct_refresh(kin_context *context, uint32_t id);

// Refreshes the direct call of every component.
void kin__direct_refresh_all(kin_context *context);

bool kin__direct_is_valid(const kin_context *context, uint32_t id);

// Dispatch: the changes that are being notified now, each within a listener of the next outer one.
//
//   depth 1   frame   rows[0] [ before | work ]      a frame is on the C stack of the call that makes the change
//   depth 2   frame   rows[1] [ before | work ]      each depth has two rows
//   …                                                frames: a list of those that were pushed, innermost first
//
// A frame holds the change that listeners are shown: the entity, the component, the values before and after. Its first
// row is a copy of the entity's row, so that listeners cannot alter which groups the change concerns. Its payload
// (store.h) is the previous value.
//
// Invariants:
//   1. depth is the number of frames that were entered and not left, at most KIN__MAX_DEPTH; only a destroyed or
//      released entity nests deeper
//   2. while depth is at the limit, every component is watched, so that each change calls the library, which refuses it
//   3. when depth returns to 0, kin__settle leaves no ended subscriber linked and no deferred refresh
//
// Cost: to enter and leave is a few stores; at the limit a walk over all components.

// Whether one more change may begin.
static inline bool kin__dispatch_may_nest(const kin_context *context)
{
    return context->depth < KIN__MAX_DEPTH;
}

// Returns the size of the rows of all depths, in bytes.
static inline size_t kin__rows_size(const kin_context *context)
{
    return (size_t)KIN__MAX_DEPTH * 2 * context->row_words * sizeof(uint64_t);
}

// Returns the first row of the frame that will be entered next. A destroy copies the entity's row to it beforehand.
static inline uint64_t *kin__dispatch_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH);
    return dispatch->rows + (size_t)context->depth * 2 * context->row_words;
}

// Adds a watcher to every component, or removes it again: invariant 2.
void kin__dispatch_watch_all(kin_context *context, bool on);

// Begins and ends the notification of a change. The caller has set the frame's entity, component and values.
static inline void kin__frame_enter(kin_context *context, kin__frame *frame)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH || frame->destroys);
    KIN_ASSERT(frame->change.context == context);
    frame->serial = dispatch->serial;
    frame->epoch = dispatch->epoch;
    frame->deaths = context->core->slots.deaths;
    if (++context->depth == KIN__MAX_DEPTH)
        kin__dispatch_watch_all(context, true);
}

static inline void kin__frame_leave(kin_context *context)
{
    KIN_ASSERT(context->depth > 0);
    if (context->depth-- == KIN__MAX_DEPTH)
        kin__dispatch_watch_all(context, false);
    if (context->depth == 0 && context->unsettled)
        kin__settle(context);
}

// Enters and leaves a frame that is also in the list of frames: of an entity that is or will be destroyed, whose other
// operations depend on it.
static inline void kin__frame_push(kin_context *context, kin__frame *frame)
{
    frame->outer = context->core->dispatch.frames;
    context->core->dispatch.frames = frame;
    kin__frame_enter(context, frame);
}

static inline void kin__frame_pop(kin_context *context, const kin__frame *frame)
{
    KIN_ASSERT(context->core->dispatch.frames == frame);
    context->core->dispatch.frames = frame->outer;
    kin__frame_leave(context);
}

// Returns the first row of the frame that was entered last.
static inline uint64_t *kin__frame_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth > 0 && context->depth <= KIN__MAX_DEPTH);
    return dispatch->rows + (size_t)(context->depth - 1) * 2 * context->row_words;
}

// Unlinks and recycles an ended subscriber, now or when the outermost change has finished.
void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber);

// Events of entities and contexts: their subscribers. notify.c calls them.
//
//   context   events.subscribers        one list for all events of the context
//   chunk     subscriber_lists[512]     one list a slot, for all events of its entity; allocated with the first one
//
// The list of a slot belongs to the entity in it: the one that is alive, or the dead one that is not released yet.
//
// Invariants:
//   1. while a subscriber waits for changes of one entity or of all, every component has one more watcher, and
//      payloads (store.h) have room for a value of any component
//   2. while a subscriber waits for new entities, being alive has one more watcher; while one waits for changes of all
//      entities, every blueprint has one more
//   3. an entity that is released has no subscribers
//   4. the counters of core.events count the live subscribers of their events
//
// Cost: to begin or end a subscription is constant, except for the first and last one for changes, which visit every
// component and, for changes of all entities, every blueprint.

// Bits that follow those of groups (KIN__EVENTS_OF_GROUPS).
enum {
    KIN__EVENT_COMPONENT_ADDED = 1 << 3,
    KIN__EVENT_COMPONENT_REMOVED = 1 << 4,
    KIN__EVENT_COMPONENT_REPLACED = 1 << 5,
    KIN__EVENT_DESTROYED = 1 << 6,
    KIN__EVENT_RELEASED = 1 << 7,
    KIN__EVENT_CREATED = 1 << 8,
    KIN__EVENT_WILL_BE_DESTROYED = 1 << 9,
    KIN__EVENT_WAS_DESTROYED = 1 << 10,
    KIN__EVENT_GROUP_CREATED = 1 << 11,
    KIN__EVENT_COMPONENT_CHANGED = 1 << 13, // bits 12 and 14 are those of groups, above
    KIN__EVENT_RESTORED = 1 << 15,
    KIN__EVENTS_OF_CHANGES = KIN__EVENT_COMPONENT_ADDED | KIN__EVENT_COMPONENT_REMOVED | KIN__EVENT_COMPONENT_REPLACED,
    KIN__EVENTS_OF_ENTITIES = KIN__EVENTS_OF_CHANGES | KIN__EVENT_DESTROYED | KIN__EVENT_RELEASED,
};

// Returns the subscribers of the entity in a slot; NULL when no entity of the chunk ever had one.
static inline kin__subscriber_list *kin__subscribers_of(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->subscriber_lists == NULL ? NULL : &chunk->subscriber_lists[slot % KIN__CHUNK_SLOTS];
}

// Whether changes of the entity in a slot may have subscribers besides those of groups.
static inline bool kin__has_change_subscribers(const kin_context *context, uint32_t slot)
{
    if (context->core->events.change_subscribers == 0)
        return false;
    if (context->core->events.any_change_subscribers > 0)
        return true;
    const kin__subscriber_list *subscribers = kin__subscribers_of(context, slot);
    return subscribers != NULL && subscribers->first != NULL;
}

// Ends a subscription to an entity or the context. The caller retires the subscriber.
void kin__event_subscriber_end(kin__subscriber *subscriber);

// Ends and retires the subscriptions to the entity in a slot, except those to an event of `except`. A change is being
// notified.
void kin__subscribers_end(kin_context *context, uint32_t slot, uint32_t except);

// Frees all memory of subscriptions to the context and its entities.
void kin__events_release(kin_context *context);

// Journals: for a component the slots of its last additions and removals, by which groups patch their arrays
// (lookup.h).
//
//   journals[id]   entries [ n = 32 | n = 33 | … | n = 31 ]   change n of the component is in entry n % 16
//
// A journal is on only while groups read it. While it is on, the component has one more watcher, so that accessors
// leave additions and removals to the library, which notes them. Nothing is notified, and no list of subscribers or
// watching groups has it. A journal that no group has read for 16 changes ends at the next one.
//
// Some changes are not noted, such as those of entities that are spawned inline. Their entries keep older numbers, so
// that a reader finds them missing.
//
// Invariants, checked by kin__journal_is_valid():
//   1. the entry of change n, if it has that number, has the slot of the entity that changed
//   2. a journal that is on accounts for one watcher
//   3. read_at is not greater than the number of changes
//
// Cost: to note a change is a store and a compare. 136 bytes, allocated when the first group wants the journal.

enum { KIN__JOURNAL_ENTRIES = 16, KIN__JOURNAL_SLOT_BITS = 24 };

typedef struct kin__journal {
    uint64_t read_at;                       // number of changes when a group last read the journal, or when it began
    uint64_t entries[KIN__JOURNAL_ENTRIES]; // the number of the change, then the slot
} kin__journal;

static inline bool kin__journal_is_on(const kin__watch *watch)
{
    return (watch->side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0;
}

// Begins the journal of a component if it is off, for a group that knows all changes until now. Does nothing when out
// of memory.
void kin__journal_begin(kin_context *context, kin_component_id id);

// Ends the journal of a component.
void kin__journal_end(kin_context *context, kin_component_id id);

// Notes the last change of a component whose journal is on: of the entity in the slot.
static inline void kin__journal_note(kin_context *context, kin_component_id id, uint32_t slot)
{
    kin__journal *journal = context->core->journals[id];
    uint64_t number = context->components[id].changes;
    KIN_ASSERT(kin__journal_is_on(&context->core->watches[id]) && journal->read_at < number); // invariant 3
    journal->entries[number % KIN__JOURNAL_ENTRIES] = number << KIN__JOURNAL_SLOT_BITS | slot;
    if (number - journal->read_at > KIN__JOURNAL_ENTRIES)
        kin__journal_end(context, id);
}

// Returns whether the journal is on and has all changes from `seen`, excluded, to `now`.
static inline bool kin__journal_has(const kin_context *context, kin_component_id id, uint64_t seen, uint64_t now)
{
    if (!kin__journal_is_on(&context->core->watches[id]) || now - seen > KIN__JOURNAL_ENTRIES)
        return false;
    for (uint64_t number = seen + 1; number <= now; number++)
        if (context->core->journals[id]->entries[number % KIN__JOURNAL_ENTRIES] >> KIN__JOURNAL_SLOT_BITS !=
            (number & (~(uint64_t)0 >> KIN__JOURNAL_SLOT_BITS)))
            return false;
    return true;
}

// Returns the slot of a change that the journal has.
static inline uint32_t kin__journal_slot(const kin__journal *journal, uint64_t number)
{
    return journal->entries[number % KIN__JOURNAL_ENTRIES] & (((uint64_t)1 << KIN__JOURNAL_SLOT_BITS) - 1);
}

// Frees all journals.
void kin__journals_release(kin_context *context);

// Returns the bytes of all journals.
size_t kin__journals_used(const kin_context *context);

bool kin__journal_is_valid(const kin_context *context, kin_component_id id);

// Listeners of generated events: the functions that were added to entities. reactive.c calls them.
//
//   core.listeners.blocks[event] → one kin__listener_block a chunk, allocated with its first listener
//     occupied[8]     a bit a slot: its list is not empty
//     lists[512]      listener → listener → …, in order of adding
//
// A listener ends when it is removed or its entity dies; this needs no memory. While an event is delivered, ended
// listeners stay linked, since a walk may be at one; the end of the outermost delivery unlinks and frees them. A
// listener that is added during a delivery has a higher serial number than the delivery, which skips it.
//
// Invariants, checked by kin__listeners_are_valid():
//   1. a slot's bit is set exactly while its list has a listener, and `last` is the last of the list
//   2. the live listeners of a list have ascending serial numbers, and their entity is alive
//   3. outside of deliveries no ended listener is in a list
//   4. `count` is the number of live listeners
//
// Cost: to add is constant; to remove is a walk over the entity's list; to call, a walk over the bits of each chunk.

typedef struct kin__event_listener {
    uint64_t serial; // 0: it has ended
    kin_function *function;
    void *user;
    uint32_t event, slot;
    struct kin__event_listener *next, *next_ended;
} kin__event_listener;

typedef struct kin__event_listeners {
    kin__event_listener *first, *last;
} kin__event_listeners;

typedef struct kin__listener_block {
    uint64_t occupied[KIN__CHUNK_WORDS];
    kin__event_listeners lists[KIN__CHUNK_SLOTS];
} kin__listener_block;

// Returns the lists of the slot's chunk; NULL when no entity of the chunk ever had a listener of the event.
kin__listener_block *kin__listener_block_of(const kin_context *context, uint32_t event, uint32_t slot);

// Returns the number of the first chunk from which on no chunk has listeners of the event.
uint32_t kin__listener_block_count(const kin_context *context, uint32_t event);

// Begins and ends a delivery, during which ended listeners stay linked.
void kin__delivery_begin(kin_context *context);
void kin__delivery_end(kin_context *context);

// Ends all listeners of the entity in a slot.
void kin__listeners_end(kin_context *context, uint32_t slot);

// Frees all memory of listeners.
void kin__listeners_release(kin_context *context);

bool kin__listeners_are_valid(const kin_context *context);

// Restoring listeners: subscriptions to an entity, and its listeners of generated events, stay where it is alive before
// and after a restore. All others end, and nobody is told.
//
// Cost: nothing for chunks without subscribers and listeners; else one visit to each slot that has them.

// Ends them in a chunk, whose head is still that of before. `ids` and `alive` are those of after; NULL: the chunk will
// have no entities. To be called for every chunk, also for those whose heads stay: dead entities that are held may have
// subscribers. No change and no delivery may be under way.
void kin__listeners_restore(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive);

// Masks: whether a change of a component concerns a group that watches it, as one compare with the entity's row.
//
//   mask    [ kind | compared, expected | compared, expected ]          `compared` and `expected` are one row each
//                    crossed              member
//
//   A row passes a part when (row & compared) == expected.
//
//   crossed   adding or removing the component changes whether the entity matches; the component's own bit in the row
//             is not compared
//   member    an entity with this row, which has the component, matches
//
// An `any` rule of several components does not fit into a compare: then the mask lets too many rows pass, never too
// few, and its kind has KIN__MASK_INEXACT: the matcher decides.
//
// Invariants, checked by kin__mask_is_valid() for a row:
//   1. the crossed part passes a row alike with and without the component's bit
//   2. a part passes every row for which its sentence above is true; without KIN__MASK_INEXACT, no other row
//   3. without KIN__MASK_INEXACT, a row that passes the crossed part matches with the component if the kind has
//      KIN__MASK_ENTERS, else without it

enum {
    KIN__MASK_ENTERS = 1,  // adding the component makes a crossing entity match; else removing it does
    KIN__MASK_INEXACT = 2, // rows may pass that the matcher does not match
};

typedef enum kin__mask_part { KIN__MASK_CROSSED, KIN__MASK_MEMBER } kin__mask_part;

// Returns the words of one mask.
static inline uint32_t kin__mask_words(uint32_t row_words)
{
    return 1 + 4 * row_words;
}

// Returns the mask of the group at a place of the list. The list has memory: adding to NULL is undefined.
static inline uint64_t *kin__mask_at(const kin__watch *watch, uint32_t place, uint32_t row_words)
{
    KIN_ASSERT(watch->masks.elements != NULL);
    return (uint64_t *)watch->masks.elements + (size_t)place * kin__mask_words(row_words);
}

// Computes the mask of a normalised matcher for a component that it watches. The number of components as `id` stands
// for being alive.
void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words);

// Checks the mask for a row, which it alters and restores.
bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row,
                        uint32_t row_words);

// Whether a row of any number of words passes a part.
bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words);

// Whether a row passes a part.
static inline bool kin__mask_passes(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    if (row_words > 1)
        return kin__mask_passes_wide(mask, part, row, row_words);
    return (row[0] & mask[1 + part * 2]) == mask[2 + part * 2];
}

// Notes: what the journal of a tool (kin/journal.h) is given of each change, before anything is notified.
//
//   ring   [ 0 … next | unused | first … end | unused ]     wrapped: the records of the end come first
//          [ unused | first … next | unused ]               not wrapped
//
// While a component is noted, it has one watcher more, and KIN__SIDE_EFFECT_NOTED: all its changes go through change.c
// or destroy.c. While a context has a journal, every blueprint has one watcher more. While lives are
// noted, so has being alive.
//
// Invariants, checked by kin__notes_are_valid():
//   1. a noted component has a watcher
//   2. no component is noted in a context without a journal
//
// Cost: a copy of the values into the ring.

static inline bool kin__is_noted(const kin_context *context, kin_component_id id)
{
    return (context->core->watches[id].side_effects & KIN__SIDE_EFFECT_NOTED) != 0;
}

// Notes a change of a component that is noted. The slot still has the value before; `value` is that after, NULL for a
// flag or a removal. A touch has the value before twice. `kind`: a kin_record_kind.
void kin__note_change(const kin_context *context, kin_entity entity, kin_component_id id, uint8_t kind,
                      const void *value);

// Notes that an entity was created; or destroyed, with the components of the row, whose values the slot still has. For
// a context with a journal.
void kin__note_created(const kin_context *context, kin_entity entity);
void kin__note_destroyed(const kin_context *context, kin_entity entity, const uint64_t *lost);

bool kin__notes_are_valid(const kin_context *context);

// Notifies the subscribers of a change.
//
//   notify.h   a component is added, removed or replaced: calls the groups that it concerns
//   notify.c   the same for callers outside of the fast path, and for rows of several words
//   notify.c      an entity is created, destroyed or released; a group is created
//
// Order: the groups that watch the component, in order of creation; the subscribers of each in order of subscription;
// then the subscribers of the entity, then those of KIN_COMPONENT_CHANGED. The change is complete before the first
// call, so all listeners see the same state. A change that a listener makes is notified within that listener. Once the
// entity is dead, the remaining calls are skipped.
//
// The functions do not allocate and cannot fail. Cost: one compare a group that watches the component, and the calls.

// A component was added (`previous` is NULL) or removed (`value` is NULL): notifies the groups that the entity enters
// or leaves.
void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous);

// A component was replaced: notifies the groups that name the component and contain the entity.
void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value);

// An entity without components was created: notifies the groups that it matches, then the subscribers of the context.
void kin__notify_created(kin_context *context, kin_entity entity);

// Notifies that an entity, which is alive, will be destroyed. False when a reset in a listener has destroyed it.
bool kin__notify_will_be_destroyed(kin_context *context, kin_entity entity);

// An entity is dead, and the caller has copied its row to kin__dispatch_row: notifies the loss of each component in
// ascending order, then of being alive, then that it was destroyed and, if it has no holder, that it is released.
void kin__notify_destroyed(kin_context *context, kin_entity entity);

// The last hold of a dead entity was removed, and its slot is not free yet. May nest deeper than other changes.
void kin__notify_released(kin_context *context, kin_entity entity);

// A group was created by its first use.
void kin__notify_group_created(kin_group *group);

// Notifies that a snapshot was restored. The context is not in a change.
void kin__notify_restored(kin_context *context);

// Calls the subscribers of one list (of a group, an entity or a context) in order of subscription.
//
// Skips a subscriber that began after the change did, or that has ended. Stops when the entity is dead, unless the
// change is a part of its own destruction.

// Whether the entity is still the one that was alive when the change began. After a reset another entity may have the
// same handle.
static inline bool kin__frame_is_current(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    const kin__core *core = context->core;
    return core->slots.deaths == frame->deaths || frame->destroys || frame->change.entity == 0 ||
           (frame->epoch == core->dispatch.epoch && kin__chunk_of(context, frame->change.entity) != NULL);
}

static inline void kin__notify_subscribers(kin__frame *frame, const kin__subscriber_list *subscribers, kin_group *group,
                                           uint32_t event)
{
    KIN_ASSERT(event != 0 && frame->change.context->depth > 0);
    frame->change.group = group;
    for (const kin__subscriber *subscriber = subscribers->first; subscriber != NULL; subscriber = subscriber->next) {
        KIN_ASSERT(subscriber->list == subscribers);
        if (subscriber->serial == 0 || subscriber->serial > frame->serial || (subscriber->events & event) == 0)
            continue;
        if (!kin__frame_is_current(frame))
            return;
        subscriber->listener(&frame->change, subscriber->user);
    }
}

// Calls the subscribers of the change's entity, then those of KIN_COMPONENT_CHANGED. `event` is one of
// KIN__EVENTS_OF_CHANGES.
void kin__notify_change_subscribers(kin__frame *frame, uint32_t event);

// A walk over the groups that watch a component, in order of creation.
//
// Listeners may add and remove watching groups meanwhile. The list's version then differs, and the walk goes on with
// the first group that was created after the last one visited. A walk does not allocate; each step is constant unless
// the list has changed.

typedef struct kin__walk {
    const kin__watch *watch;
    uint32_t index, version;
} kin__walk;

static inline kin__walk kin__walk_begin(const kin_context *context, kin_component_id id)
{
    const kin__watch *watch = &context->core->watches[id];
    return (kin__walk){.watch = watch, .version = watch->version};
}

// Moves to the group that follows `last`.
static inline void kin__walk_next(kin__walk *walk, const kin_group *last)
{
    walk->index++;
    if (walk->version == walk->watch->version)
        return;
    kin_group *const *groups = walk->watch->groups.elements;
    walk->version = walk->watch->version;
    for (walk->index = 0; walk->index < walk->watch->count; walk->index++)
        if (groups[walk->index]->number > last->number)
            return;
}

// Returns the current group; NULL at the end.
static inline kin_group *kin__walk_group(const kin__walk *walk)
{
    kin_group *const *groups = walk->watch->groups.elements;
    return walk->index < walk->watch->count ? groups[walk->index] : NULL;
}

// Notifies that one component was added, removed or replaced: calls the groups that this concerns, then the
// subscribers of the entity, then those of the context.
//
// Most contexts have rows of one word. For those the code is inlined where the change is made; notify.c has
// the code for wider rows. Both copy the row before the first call, so that listeners cannot alter which groups follow.

// For groups with an inexact mask: whether the row matches; and whether the change of the component alters that.
bool kin__frame_matches(const kin__frame *frame, const kin_group *group, const uint64_t *row);
bool kin__frame_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row);

// Moves to the first group, from the current one on, whose mask the row passes. Returns the mask; NULL at the end.
static inline const uint64_t *kin__walk_find(kin__walk *walk, kin__mask_part part, const uint64_t *row,
                                             uint32_t row_words)
{
    uint32_t index = walk->index;
    uint32_t count = walk->watch->count;
    if (index >= count)
        return NULL; // the list may have no memory
    const uint64_t *mask = kin__mask_at(walk->watch, index, row_words);
    while (index < count && !kin__mask_passes(mask, part, row, row_words)) {
        mask += kin__mask_words(row_words);
        index++;
    }
    walk->index = index;
    return index < count ? mask : NULL;
}

// Returns the events of a group that the entity enters or leaves because the component was added or removed.
static inline uint32_t kin__crossed_events(bool matches_now, bool added)
{
    if (matches_now)
        return KIN__EVENT_ADDED | KIN__EVENT_ENTERED;
    return added ? KIN__EVENT_REMOVED : KIN__EVENT_REMOVED | KIN__EVENT_LOST;
}

// Calls the groups that the entity enters or leaves because the component was added or removed.
static inline void kin__notify_crossed_groups(kin__frame *frame, bool added, uint64_t *row, uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_CROSSED, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        bool matches_now = ((mask[0] & KIN__MASK_ENTERS) != 0) == added;
        bool crosses = true;
        if ((mask[0] & KIN__MASK_INEXACT) != 0) {
            crosses = kin__frame_crosses(frame, group, row);
            matches_now = kin__frame_matches(frame, group, row);
        }
        uint32_t event = kin__crossed_events(matches_now, added);
        if (crosses && (group->subscribers.events & event) != 0)
            kin__notify_subscribers(frame, &group->subscribers, group, event);
        kin__walk_next(&walk, group);
    }
}

// The values of a replace, passed beside the frame. To read both of them from the frame right after they were written
// one by one is a store-forwarding stall: the wide load waits until the narrow stores have reached the cache.
typedef struct kin__replaced_values {
    const void *previous, *value;
} kin__replaced_values;

// Calls one group for each event that it has subscribers of: removed shows the previous value, added the new one,
// modified both.
static inline void kin__notify_group_of_replace(kin__frame *frame, kin_group *group, kin__replaced_values values)
{
    for (uint32_t events = group->subscribers.events & KIN__EVENTS_OF_GROUPS; events != 0; events &= events - 1) {
        uint32_t event = events & (0 - events);
        frame->change.previous = event == KIN__EVENT_ADDED ? NULL : values.previous;
        frame->change.value = event == KIN__EVENT_REMOVED ? NULL : values.value;
        kin__notify_subscribers(frame, &group->subscribers, group, event);
    }
    frame->change.previous = values.previous;
    frame->change.value = values.value;
}

// Calls the groups that contain the entity, whose component was replaced.
static inline void kin__notify_member_groups(kin__frame *frame, kin__replaced_values values, const uint64_t *row,
                                             uint32_t row_words)
{
    kin__walk walk = kin__walk_begin(frame->change.context, frame->change.component);
    for (;;) {
        const uint64_t *mask = kin__walk_find(&walk, KIN__MASK_MEMBER, row, row_words);
        if (mask == NULL)
            return;
        kin_group *group = kin__walk_group(&walk);
        if ((mask[0] & KIN__MASK_INEXACT) == 0 || kin__frame_matches(frame, group, row)) {
            if ((group->subscribers.events & KIN__EVENTS_OF_GROUPS) == KIN__EVENT_MODIFIED)
                kin__notify_subscribers(frame, &group->subscribers, group, KIN__EVENT_MODIFIED);
            else
                kin__notify_group_of_replace(frame, group, values);
        }
        kin__walk_next(&walk, group);
    }
}

// The same for rows of any number of words.
void kin__notify_crossed_groups_wide(kin__frame *frame, bool added);
void kin__notify_member_groups_wide(kin__frame *frame);

// Notifies an add or a remove. `row` is the entity's, after the change.
static inline void kin__notify_toggled(kin__frame *frame, const uint64_t *row, bool added)
{
    kin_context *context = frame->change.context;
    KIN_ASSERT(((row[frame->change.component / 64] >> (frame->change.component % 64) & 1) != 0) == added);
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_crossed_groups(frame, added, &only, 1);
    } else
        kin__notify_crossed_groups_wide(frame, added);
    if (context->core->events.change_subscribers > 0)
        kin__notify_change_subscribers(frame, added ? KIN__EVENT_COMPONENT_ADDED : KIN__EVENT_COMPONENT_REMOVED);
    kin__frame_leave(context);
}

// Notifies a replace. `row` is the entity's.
static inline void kin__notify_replacement(kin__frame *frame, kin__replaced_values values, const uint64_t *row)
{
    kin_context *context = frame->change.context;
    KIN_ASSERT((row[frame->change.component / 64] >> (frame->change.component % 64) & 1) != 0);
    kin__frame_enter(context, frame);
    if (context->row_words == 1) {
        uint64_t only = row[0];
        kin__notify_member_groups(frame, values, &only, 1);
    } else
        kin__notify_member_groups_wide(frame);
    if (context->core->events.change_subscribers > 0)
        kin__notify_change_subscribers(frame, KIN__EVENT_COMPONENT_REPLACED);
    kin__frame_leave(context);
}

// Differences: what a restore has changed, notified when all of it is in place (difference.c).
//
// A group is called once for an entity that enters or leaves it: with the first component that was added or removed and
// that the group names. Destroyed entities have no slot any more: collectors do not collect them, and their subscribers
// are remembered in a kin__leaving. Collectors of the scope, and those that keep last values, are not called.

typedef struct kin__leaving_subscriber {
    kin_entity entity;
    uint32_t events;
    kin_listener *listener;
    void *user;
} kin__leaving_subscriber;

typedef struct kin__leaving {
    kin__leaving_subscriber *subscribers; // in order of slot
    uint32_t count, capacity, next;
} kin__leaving;

// Remembers subscribers of a chunk's entities that are not in `ids` and `alive`; NULL: of all. False: out of memory.
bool kin__leaving_add(kin_context *context, kin__leaving *leaving, uint32_t chunk, const kin_entity *ids,
                      const uint64_t *alive);
void kin__leaving_release(kin_context *context, kin__leaving *leaving);

typedef struct kin__shown {
    kin_entity entity;
    const uint64_t *before, *after; // its rows, which stay; NULL: it is not alive
    kin__leaving *leaving;
} kin__shown;

// Notify of a component that was added, removed or replaced; that the entity came, before these, or went, after them.
void kin__notify_difference(kin_context *context, const kin__shown *shown, kin_component_id id, const void *previous,
                            const void *value);
void kin__notify_came(kin_context *context, const kin__shown *shown);
void kin__notify_went(kin_context *context, const kin__shown *shown);

// Marks the blueprints whose spawns must notify a subscriber or update an index. All others are spawned inline.
//
// A spawn adds the parts one by one, in order of their ids. It notifies a group when the entity matches after one of
// these steps, even if it does not match in the end. So a group that the entity never matches does not count, although
// it names a component of the blueprint. For an index see kin__matcher_may_hold.
//
// Invariant: blueprints[i].watchers is the number of parts that are special (kin__watch.is_fast is false for another
// reason than an index), of indices that the entity could be in, and of groups with subscribers that it passes through;
// and one more while KIN_COMPONENT_CHANGED has subscribers, and while the journal of a tool notes changes.
//
// Cost: for each blueprint, its parts times the rules of the group, when the group gets its first subscriber or loses
// its last one.

typedef struct kin__prefab {
    const struct kin_prefab_info *info;
    struct kin__blueprint *blueprints; // of the first entity, then of each descendant
    uint32_t count;
} kin__prefab;

typedef struct kin__prefabs {
    kin__array all;                      // of kin__prefab *, by number - 1; NULL: the number is free
    void *content;                       // of libkin-content; NULL: none
    const struct kin_content_face *face; // what tools ask of it; ends it before the prefabs
} kin__prefabs;

static inline kin__prefab **kin__prefab_at(const kin__prefabs *prefabs, uint32_t place)
{
    KIN_ASSERT(place < prefabs->all.capacity);
    return &((kin__prefab **)prefabs->all.elements)[place];
}

// Returns whether an entity matches at some moment while it is spawned.
bool kin__spawn_passes(const kin__blueprint *blueprint, const kin_matcher *normal);

// Adds or removes one watcher of every blueprint.
void kin__spawn_watch_all(kin_context *context, bool on);

// Subscribers: the listeners of one group, one entity or one context, in order of subscription.
//
//   list   first ⇄ … ⇄ last        events: the union of the subscribers' events
//
// A subscriber that ends stays linked while a change is notified, since a walk may be at it. When the outermost
// change has finished, it is unlinked and kept for the next subscription.
//
// Invariants, of which kin__context_is_valid() checks 1 and 2 for groups:
//   1. `events` of a list has at least the events of its subscribers
//   2. a linked subscriber names its list
//   3. an empty list has no events; serial numbers of live subscribers ascend
//
// Cost: constant, except that releasing visits each subscriber.

// Adds or removes one watcher of a component. While it has watchers, generated code leaves changes of the component to
// the library. The number of components as `id` stands for being alive.
void kin__component_watch(kin_context *context, uint32_t id, bool on);

// Returns an unused subscriber; NULL when out of memory, which the caller reports.
kin__subscriber *kin__subscriber_make(kin_context *context);

// Links a subscriber at the end of its list. It is notified of all changes that begin from now on.
void kin__subscriber_append(kin__subscriber *subscriber);

// Unlinks a subscriber from its list. No walk may be at it.
void kin__subscriber_unlink(kin__subscriber *subscriber);

// Frees the subscribers of a list; and those that were kept for the next subscription.
void kin__subscriber_list_release(kin_context *context, kin__subscriber_list *subscribers);
void kin__subscribers_release(kin_context *context);

// Watches: for each component the groups to notify when it changes.
//
//   watches[id]   groups [ g0 | g3 | g7 ]      in order of creation
//                 masks  [ m0 | m3 | m7 ]      one for each
//
// A group is in the lists of the components that it names: of all components, if it has an `only` rule; of being alive,
// if an entity without components matches. It enters the lists with its first subscriber and leaves them with its last.
//
// Most subscribers are collectors. A change that only they watch calls no listener: it needs no frame, and no copies of
// rows and values.
//
// Invariants, checked by kin__context_is_valid():
//   1. groups of a list have live subscribers, and ascending numbers
//   2. a component with groups has watchers, and context.watched has its bit exactly while it has watchers
//   3. `listened` is 0 exactly while all live subscribers of the groups of the list belong to collectors
//   4. count ≤ reserved; a group that has reserved room (has_room) enters each list without allocating
//
// Cost: the first and the last subscriber of a group move the later groups of each list; others change none.

// Whether only collectors, or nobody, must be notified of changes of the component. They keep no last values of it, and
// changes cannot be refused because of the depth of nesting.
static inline bool kin__only_collectors_watch(const kin_context *context, uint32_t id)
{
    const kin__core *core = context->core;
    return core->watches[id].listened == 0 && context->components[id].watchers == core->watches[id].count &&
           (core->last_values == NULL || core->last_values[id] == NULL);
}

// Reserves room for the group in the lists of its components. False when out of memory, which the caller reports.
bool kin__watch_reserve(kin_group *group);

// Frees all memory of a list.
void kin__watch_release(kin_context *context, kin__watch *watch);

// Gives back the room that was reserved for the group, which has no subscribers.
void kin__watch_unreserve(kin_group *group);

// Begins and ends a subscription to a group, which the subscriber names. kin__watch_reserve has reserved room.
void kin__group_subscriber_begin(kin__subscriber *subscriber);
void kin__group_subscriber_end(kin__subscriber *subscriber);

// Gives a subscriber of a group another listener, which is that of a collector or not.
void kin__group_subscriber_set_listener(kin__subscriber *subscriber, kin_listener *listener, bool collects);

// Returns the bits of an event; 0 for an unknown one.
uint32_t kin__event_bits(kin_group_event event);

// Holds: the slot of a held entity is not used again after the entity is destroyed, until its last hold is removed.
//
//   chunk.holders[slot]   holds of the entity by owners; once it is destroyed, also by entries of collectors
//
// Each entry of a collector holds its entity. While the entity lives or is being destroyed, the bit of its slot in the
// collector's marks is all that says so: collecting it and dropping it again write no count. When it is destroyed,
// kin__slot_free finds the marks and counts them. Later the entity is not collected any more.
//
// Removing the last hold of a destroyed entity notifies its KIN_ENTITY_RELEASED listeners and frees the slot.
//
// Invariants, of which kin__holds_are_valid() checks the first two:
//   1. holders of a destroyed entity are its owners and the entries that have it; holders of another are its owners
//   2. slots.held counts the destroyed entities that have holders
//   3. a held slot is living or pending, never free
//   4. the row of a dead, held slot stores the entity's handle, once its components are gone

// Returns whether removing a hold of the entity notifies listeners: the entity is dead, this is its last hold, and the
// context has listeners of ends.
bool kin__hold_is_last(const kin_context *context, kin_entity entity);

// Returns the dead entity in the lowest held slot; 0 if there is none. Looks at every slot.
kin_entity kin__hold_first(const kin_context *context);

// Adds the hold of an owner. The entity is alive, being destroyed, or dead and held.
static inline void kin__hold_add(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(context->core->slots.counts_holders);
    KIN_ASSERT(kin__chunk_of(context, entity) != NULL || kin__is_held(context, slot) ||
               kin__is_slot_being_destroyed(context, slot));
    kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS]++;
}

// The general case of kin__hold_remove: the entity may be dead, and this its last hold.
void kin__hold_remove_general(kin_context *context, uint32_t slot);

// The general case of kin__hold_remove_entry: the entity is dead.
void kin__hold_remove_entry_of_dead(kin_context *context, uint32_t slot);

// Removes the hold of an owner. Frees the slot if the entity is dead and this was its last hold.
static inline void kin__hold_remove(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (chunk->ids[place] == entity && chunk->holders[place] > 0)
        chunk->holders[place]--;
    else
        kin__hold_remove_general(context, slot);
}

// Removes the hold of an entry that a collector drops, after its mark is cleared. Frees the slot if the entity is dead
// and this was its last hold.
static inline void kin__hold_remove_entry(kin_context *context, uint32_t slot)
{
    if (context->core->slots.held > 0 &&
        !kin__chunk_is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS))
        kin__hold_remove_entry_of_dead(context, slot);
}

bool kin__holds_are_valid(const kin_context *context);

// Restoring holds: what a snapshot has of owners, and of the slots that dead entities keep.
//
//   owners   entity, owner | entity, owner | …    with fast_retain: entity, count
//   held     the dead entities whose slots are held, in ascending slot
//
// Counts of holders are computed, not saved: after a restore a slot is held by the owners of the snapshot, and by
// collectors of its scope (kin__slot_extension.in_scope). A held slot that nobody holds any more goes to the end of its
// pool's list.
//
// The name of an owner is the caller's string, and valid while it retains. So an owner that the restore brings back has
// no name; one that retains before and after keeps it.
//
// Cost: saving visits the table of owners, and all slots while one is held; restoring visits all slots.

typedef struct kin__saved_owner {
    kin_entity entity;
    const void *owner; // NULL with fast_retain
    uintptr_t count;   // with fast_retain: how often it is retained; else 1
} kin__saved_owner;

// Returns how many owners there are, and writes them, in any order.
uint32_t kin__owners_saved_count(const kin_context *context);
void kin__owners_save(const kin_context *context, kin__saved_owner *owners);

// Returns how many dead entities are held, and writes them. No change may be under way.
uint32_t kin__held_saved_count(const kin_context *context);
void kin__held_save(const kin_context *context, kin_entity *held);

// Returns a dead entity that a collector outside of the scope holds: after a restore it will not. 0: none.
kin_entity kin__held_from_outside(const kin_context *context);

// Reserves the table of owners, and counts in all chunks, which exist. False when out of memory.
bool kin__holds_restore_reserve(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count);

// Puts owners in place and counts all holders, pending and held slots. Heads, pools and the collectors of the scope are
// in place.
void kin__holds_restore(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count,
                        const kin_entity *held, uint32_t held_count);

// Owners: which owner retains which entity, besides the count of holds of each slot.
//
//   core.owners   table [ entity, owner | free | entity, owner | … ]   an open hash table
//                 names [ "view"        |      | NULL          | … ]   NULL before the first name
//
// An owner is an address that is compared and never read; its name is only shown in errors. With fast_retain there is
// no table but a count for each slot. Retaining and releasing take constant time on average.
//
// Invariants, checked by kin__owners_are_valid():
//   1. a pair of entity and owner is at most once in the table
//   2. each pair is one hold of the entity, whose slot is held
//   3. at most half of the table is in use, so that searches are short; its capacity is a power of two

// Releases the table.
void kin__owners_release(kin_context *context);

// Shrinks the table to what its pairs need.
void kin__owners_trim(kin_context *context);

// Returns the size of the pairs in the table, in bytes.
size_t kin__owners_used(const kin_context *context);

// Finds the owners of an entity, in any order: returns the first one from `*place` on, which is 0 at first, and moves
// `*place` after it. False when there is none. `*name` is NULL for an owner without a name. Cost: the size of the
// table.
bool kin__owners_next(const kin_context *context, kin_entity entity, uint32_t *place, const void **owner,
                      const char **name);

// Buffers: the growing arrays in which a collector gathers, each with two sides.
//
//   sides[KIN__COLLECTING]   [ e e e e . . . ]     collects
//   sides[KIN__TAKEN]        [ e e e . . . . ]     is read by a reactive system, and must not move meanwhile
//   waiting                  [ . . . . . . . . ]   replaces the side that is read, once it no longer is
//
// The collector swaps the sides when it takes what was collected, and counts the elements.
//
// Invariants:
//   1. both sides have room for the number of elements reserved last, where `waiting` counts instead of a side that is
//      read
//   2. `waiting` has memory only while a side is read
//
// Cost: reserving is that of kin__array_reserve for two arrays. A buffer never shrinks, unless it is trimmed.

enum { KIN__COLLECTING, KIN__TAKEN, KIN__SIDES };

typedef struct kin__buffer {
    kin__array sides[KIN__SIDES];
    kin__array waiting;
    size_t size; // of an element
} kin__buffer;

// Collectors: the entities that triggers collect, and how a reactive system takes them.
//
//   source (one a context)   marks: a bit a slot              entries: the entities, in order of collection
//   collector                order: with several contexts, the source of each entry
//
// Marks, entries and order have two sides: one collects while a reactive system reads what was taken from
// the other. Both have room for every slot of the contexts, so collecting and taking need no memory.
//
//   collect.c          collects an entity
//   collector.c        what was collected: clearing, taking, showing
//   collector.c   making, activating and ending a collector, and its contexts' changes of size
//   collect.c   names, and what tools list
//
// Invariants; kin__collector_is_valid() checks 1, 3 and 4:
//   1. an entity is among the entries of a side exactly once if its mark is set there, else not
//   2. each entry on either side is a holder of its entity, and waits for one last value if its source keeps
//      those
//   3. unless `taken`, that side is empty
//   4. with several contexts, counts[side] is the sum of sides[side].count of the sources; else it is 0
//   5. a trigger's subscriber has a group until the group's context ends, and is live exactly while `active`
//
// Cost: to collect, take or drop an entity is constant. To clear a collector visits its entries, and frees the slots of
// destroyed entities. Memory: 16 bytes and 2 bits a slot, 20 bytes with several contexts.

typedef struct kin__source {
    kin__slot_extension extension; // first, so that a pointer to it is one to the source
    kin__collected sides[KIN__SIDES];
    kin_collector *collector;
    kin_context *context; // NULL after the context has ended
    uint16_t number;
    uint32_t slot_count;                  // for which there is room
    kin__buffer entries;                  // of kin_entity
    uint32_t read[KIN__SIDES], kept;      // read: entries that a walk has passed; kept: entries that a filter has kept
    struct kin__last_values *last_values; // for which each entry waits; NULL: none
    bool is_simple;                       // the only source, and without last values
    bool stays;                           // the restore under way leaves what it has collected
} kin__source;

struct kin_collector {
    kin__memory memory;
    kin_context_options options; // where to report errors
    kin__source *sources;
    uint32_t source_count;
    kin__subscriber *subscribers; // one for each trigger
    uint32_t trigger_count;
    bool active, taken;
    uint32_t clearing; // clears in progress, in which listeners may be called
    bool ended;        // being destroyed, maybe in such a listener: the outermost clear frees the memory
    kin__buffer order; // of uint16_t: numbers of sources; unused with a single source
    uint32_t counts[KIN__SIDES];
    kin__array shown, shown_contexts;
    uint32_t shown_count, shown_context_count; // elements of the arrays returned last
    const char *name;                          // for tools; NULL: none
    char *owned_name;                          // NULL: the name belongs to another object
    size_t owned_name_size;                    // bytes
    struct kin_trace *trace;                   // notes how entities are collected; NULL: none
};

// Returns what is wrong with the triggers, as the reason of an error; NULL if they are valid.
const char *kin__collector_find_fault(const kin_trigger *triggers, size_t count);

// Makes a collector of valid triggers, and activates it. NULL when out of memory, not reported; the memory of the first
// trigger's context has the size that was refused.
kin_collector *kin__collector_make(const kin_trigger *triggers, size_t count);

// Names the collector by a string that lives as long as it does. NULL is allowed as the collector. (collect.c)
void kin__collector_borrow_name(kin_collector *collector, const char *name);

// Returns the source of an extension of slots; NULL if it is that of another object. (collector.c)
const kin__source *kin__source_of(const kin__slot_extension *extension);

// The listener of every trigger; `user` is its source (collect.c).
void kin__collect(const kin_change *change, void *user);

// Makes a new collector, whose one trigger is KIN_REMOVED, ignore removals that are part of a replace, and keep the
// last values of the component. `last_values` may be NULL: a flag has none.
void kin__collector_keep_last_values(kin_collector *collector, struct kin__last_values *last_values);

// Takes all that is collected, which leaves the collector empty. Nothing is taken yet.
void kin__collector_take(kin_collector *collector);

// Calls the filter for each taken entity, in order of collection; then drops those for which it returned false.
typedef bool kin__entity_filter(void *user, kin_context *context, kin_entity entity);
void kin__collector_filter(kin_collector *collector, kin__entity_filter *filter, void *user);

// Returns the taken entities of one source that are left, valid until they are dropped. NULL and 0 after its context
// has ended.
const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count);

// Drops all that was taken, which ends the take.
void kin__collector_drop_taken(kin_collector *collector);

// Returns whether threads share one of the contexts of the collector, which must not change then. Counts the call as
// refused.
bool kin__collector_refuses(const kin_collector *collector);

// Restoring collectors: those of the scope get what they held at the save, all others are emptied; nobody is told.
//
// The scope are the collectors of a world's systems. The room of worlds says which they are, for the time of a save or
// a restore; a snapshot of one context has none. Counts of holders are not followed: kin__holds_restore computes them
// from what is left.
//
//   kin__collectors_restore_clear    each source of the context, before heads are written
//   kin__collector_restore           each collector of the scope, behind heads and keepsakes
//
// Cost: linear in the entries.

typedef struct kin__saved_entry {
    kin_entity entity;
    uint64_t source; // the number of its source, whose context is that of the entity
} kin__saved_entry;

// Whether no reactive system reads what it took from the context.
bool kin__collectors_are_idle(const kin_context *context);

// Says whether the collector is in the scope of the save or restore that is under way. NULL is allowed.
void kin__collector_set_scope(kin_collector *collector, bool is_in_scope);

// Drops what collectors have collected in the context, those of the scope too. Their marks are clear then, but counts
// of holders, and of waiting last values, stay wrong.
void kin__collectors_restore_clear(kin_context *context);

// Lets those that a restore notifies keep what they have collected, or no longer; and drops dead entities from it.
void kin__collectors_restore_keep(kin_context *context, bool on);
void kin__collectors_restore_drop_dead(kin_context *context);

// Writes what is collected, in order; kin_collector_count says how much. Entries of contexts that are not saved are for
// the caller to leave out.
void kin__collector_save(kin_collector *collector, kin__saved_entry *entries);

// Appends entries. Their contexts have been cleared and have the slots; last values that they wait for are kept.
void kin__collector_restore(kin_collector *collector, const kin__saved_entry *entries, uint32_t count);

// Gathering: the collectors of a change collect its entity, where nobody else watches the change. They call no code of
// the user, so that nothing is kept for listeners: there is no frame, and no copy of a row or a value. The order in
// which collectors collect one entity cannot be seen.
//
// The caller has checked that only collectors watch (kin__watch.listened). The functions visit the same groups with the
// same events as notify.c.

// Gathers for the groups that contain, or contained, an entity with this row, which has the component. `events` is what
// they notify.
void kin__gather_members(const kin_context *context, kin_component_id id, const uint64_t *row, uint32_t events,
                         kin_entity entity);

// Gathers for the groups that the entity enters or leaves because the component was added or removed. The row is the
// entity's, after the change; it is changed for a moment and restored.
void kin__gather_crossed(const kin_context *context, kin_component_id id, uint64_t *row, bool added, kin_entity entity);

// Traces: which change collected each entity (kin/journal.h).
//
// The triggers of a traced collector have another listener, and count as listeners, not as collectors: all that
// collects then shows it the change. A collector that is not traced pays nothing, and a run one test.

#endif
