#include "world/world.h"

#include <string.h>

// ---- nodes

static const char *name_of(const kin__node *node)
{
    return node->nested != NULL ? node->nested->name : node->name;
}

static uint32_t name_size(const kin__node *node)
{
    return name_of(node) == NULL ? 0 : (uint32_t)strlen(name_of(node)) + 1;
}

kin_collector *kin__node_collector(const kin__node *node, uint32_t number)
{
    uint32_t own = node->reactive.collector != NULL;
    if (number < own)
        return node->reactive.collector;
    return node->type == NULL || node->type->collector == NULL ? NULL
                                                               : node->type->collector(node->object, number - own);
}

bool kin__nodes_visit(kin_systems *systems, kin__state *state, bool (*function)(kin__node *node, kin__state *state))
{
    KIN_ASSERT(!systems->removing);
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (!function(node, state))
            return false;
        state->depth++;
        if (node->nested != NULL && !kin__nodes_visit(node->nested, state, function))
            return false;
        state->depth--;
    }
    return true;
}

static bool set_scope(kin__node *node, kin__state *state)
{
    kin_collector *collector = NULL;
    for (uint32_t i = 0; (collector = kin__node_collector(node, i)) != NULL; i++)
        kin__collector_set_scope(collector, state->node_count > 0);
    return true;
}

void kin__systems_set_scope(kin_systems *systems, bool is_in_scope)
{
    kin__nodes_visit(systems, &(kin__state){.node_count = is_in_scope}, set_scope);
}

// ---- clocks

void kin__clock_save(const kin_systems *systems, kin__saved_clock *saved)
{
    const kin__fixed_step *step = systems->fixed_step;
    *saved = (kin__saved_clock){.time = systems->time, .frame = systems->frame, .tick = systems->tick};
    if (step == NULL)
        return;
    KIN_ASSERT(step->due == 0); // only during a run
    saved->accumulated = step->accumulated;
    saved->origin = step->origin;
    saved->dropped = step->dropped;
    saved->steps = step->steps;
    saved->step_frame = step->frame;
}

void kin__clock_restore(kin_systems *systems, const kin__saved_clock *saved)
{
    kin__fixed_step *step = systems->fixed_step;
    systems->time = saved->time;
    systems->frame = saved->frame;
    systems->tick = saved->tick;
    if (step == NULL)
        return;
    step->accumulated = saved->accumulated;
    step->origin = saved->origin;
    step->dropped = saved->dropped;
    step->steps = saved->steps;
    step->frame = saved->step_frame;
    step->due = 0;
}

// ---- saving

// Returns the number of the part of a context; KIN__NOT_SAVED: the snapshot has none.
static uint64_t part_of(const kin__state *state, const kin_context *context)
{
    for (uint32_t i = 0; i < state->part_count; i++)
        if (state->parts[i]->context == context)
            return i;
    return KIN__NOT_SAVED;
}

// Writes which source collects in which context.
static uint64_t *save_sources(const kin_collector *collector, kin__state *state)
{
    kin__state_put_count(state, collector->source_count);
    uint64_t *parts = kin__state_take(state, collector->source_count * sizeof *parts);
    for (uint32_t i = 0; parts != NULL && i < collector->source_count; i++)
        parts[i] = part_of(state, collector->sources[i].context);
    return parts;
}

// Writes what is collected in contexts of the snapshot.
static void save_collector(kin_collector *collector, kin__state *state)
{
    uint32_t count = kin_collector_count(collector);
    uint32_t kept = 0;
    const uint64_t *parts = save_sources(collector, state);
    uint64_t *saved = kin__state_take(state, sizeof *saved);
    kin__saved_entry *entries = kin__state_take(state, count * sizeof *entries);
    if (saved == NULL)
        return;
    if (count > 0)
        kin__collector_save(collector, entries);
    for (uint32_t i = 0; i < count; i++)
        if (parts[entries[i].source] != KIN__NOT_SAVED)
            entries[kept++] = entries[i];
    state->size -= (count - kept) * sizeof *entries;
    *saved = kept;
}

static uint32_t flags_of(const kin__node *node)
{
    uint32_t flags = kin__node_is_wanted(node) ? KIN__SAVED_ENABLED : 0;
    flags |= node->reactive.deactivated ? KIN__SAVED_DEACTIVATED : 0;
    flags |= node->nested != NULL ? KIN__SAVED_COLLECTION : 0;
    return flags | (node->nested != NULL && node->nested->fixed_step != NULL ? KIN__SAVED_FIXED_STEP : 0);
}

static bool save_node(kin__node *node, kin__state *state)
{
    size_t begin = state->size;
    kin__saved_node saved = {.depth = state->depth, .flags = flags_of(node), .kind = kin__node_kind(node)};
    kin_collector *collector = NULL;
    unsigned char *place = kin__state_take(state, sizeof saved);
    saved.name_size = name_size(node);
    kin__state_put(state, name_of(node), saved.name_size);
    if (node->nested != NULL) {
        kin__saved_clock clock;
        kin__clock_save(node->nested, &clock);
        kin__state_put(state, &clock, sizeof clock);
    }
    for (; (collector = kin__node_collector(node, saved.collector_count)) != NULL; saved.collector_count++)
        save_collector(collector, state);
    saved.added = state->size - begin;
    if (node->type != NULL && node->type->save != NULL)
        node->type->save(node->object, &saved, state);
    saved.size = state->size - begin;
    if (place != NULL)
        memcpy(place, &saved, sizeof saved);
    state->node_count++;
    return true;
}

void kin__systems_save(kin_systems *systems, kin__state *state)
{
    kin__nodes_visit(systems, state, save_node);
}

// ---- restoring

static const kin__saved_node *saved_at(const kin__state *state)
{
    return (const kin__saved_node *)(const void *)(state->bytes + state->size);
}

static bool match_node(kin__node *node, kin__state *state)
{
    static const uint32_t shape = KIN__SAVED_COLLECTION | KIN__SAVED_FIXED_STEP;
    if (state->node_count == 0)
        return false;
    const kin__saved_node *saved = saved_at(state);
    state->node_count--;
    state->size += (size_t)saved->size;
    if (saved->depth != state->depth || saved->kind != (uint32_t)kin__node_kind(node))
        return false;
    if ((saved->flags & shape) != (flags_of(node) & shape) || saved->name_size != name_size(node))
        return false;
    return saved->name_size == 0 || memcmp(saved + 1, name_of(node), saved->name_size) == 0;
}

bool kin__systems_match(kin_systems *systems, kin__state *state)
{
    return kin__nodes_visit(systems, state, match_node) && state->node_count == 0;
}

static bool reserve_node(kin__node *node, kin__state *state)
{
    const kin__saved_node *saved = saved_at(state);
    kin__state added = *state;
    added.size += (size_t)saved->added;
    state->size += (size_t)saved->size;
    return node->type == NULL || node->type->reserve == NULL || node->type->reserve(node->object, saved, &added);
}

bool kin__systems_reserve(kin_systems *systems, kin__state *state)
{
    return kin__nodes_visit(systems, state, reserve_node);
}

static void restore_collectors(kin__node *node, kin__state *state)
{
    kin_collector *collector = NULL;
    for (uint32_t i = 0; (collector = kin__node_collector(node, i)) != NULL; i++) {
        kin__saved_collected saved = kin__state_take_collected(state);
        kin__collector_restore(collector, saved.entries, saved.count);
    }
}

static bool restore_node(kin__node *node, kin__state *state)
{
    const kin__saved_node *saved = saved_at(state);
    size_t end = state->size + (size_t)saved->size;
    kin__state_take(state, sizeof *saved);
    kin__state_take(state, saved->name_size);
    kin__node_set_enabled(node, (saved->flags & KIN__SAVED_ENABLED) != 0);
    node->reactive.deactivated = (saved->flags & KIN__SAVED_DEACTIVATED) != 0;
    if (node->nested != NULL)
        kin__clock_restore(node->nested, kin__state_take(state, sizeof(kin__saved_clock)));
    restore_collectors(node, state);
    if (node->type != NULL && node->type->restore != NULL)
        node->type->restore(node->object, saved, state);
    KIN_ASSERT(state->size == end);
    state->size = end;
    return true;
}

void kin__systems_restore(kin_systems *systems, kin__state *state)
{
    kin__nodes_visit(systems, state, restore_node);
}

// ---- identities and numbers

static uint32_t context_number(const kin_snapshot *snapshot, uint64_t part)
{
    uint32_t number = 0;
    if (snapshot->parts[part] == NULL)
        return UINT32_MAX; // its context has ended
    const char *identity = kin__context_identity(snapshot->parts[part]->info);
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        number += snapshot->parts[i] != NULL && strcmp(kin__context_identity(snapshot->parts[i]->info), identity) < 0;
    return number;
}

const char *kin__node_identity(const kin_world_info *info, const kin__saved_node *saved)
{
    const char *name = saved->name_size == 0 ? "" : (const char *)(saved + 1);
    for (uint32_t i = 0; info != NULL && i < info->system_count; i++)
        if (info->systems[i].identity != NULL && strcmp(info->systems[i].name, name) == 0)
            return info->systems[i].identity;
    return name;
}

// ---- the bytes of a node

static void encode_clock(kin__encoder *encoder, const kin__saved_clock *clock, bool has_step)
{
    kin__encode_double(encoder, clock->time);
    kin__encode_64(encoder, clock->frame);
    kin__encode_8(encoder, has_step);
    if (!has_step)
        return;
    kin__encode_double(encoder, clock->accumulated);
    kin__encode_double(encoder, clock->origin);
    kin__encode_double(encoder, clock->dropped);
    kin__encode_64(encoder, clock->steps);
    kin__encode_64(encoder, clock->step_frame);
}

static void encode_collected(kin__encoder *encoder, const kin_snapshot *snapshot, const kin__saved_collected *saved)
{
    kin__encode_32(encoder, saved->count);
    for (uint32_t i = 0; i < saved->count; i++) {
        kin__encode_32(encoder, context_number(snapshot, saved->parts[saved->entries[i].source]));
        kin__encode_64(encoder, saved->entries[i].entity);
    }
}

static void encode_words(kin__encoder *encoder, const uint64_t *words, uint32_t count)
{
    kin__encode_32(encoder, count);
    for (uint32_t i = 0; i < count; i++)
        kin__encode_64(encoder, words[i]);
}

static void encode_inbox(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state,
                         const kin__message_leaves *leaves)
{
    const kin__saved_inbox *saved = kin__state_take(state, sizeof *saved);
    const char *records = kin__state_take(state, (size_t)saved->count * saved->stride);
    kin__encode_32(encoder, snapshot->world_info == NULL ? saved->message
                                                         : kin__message_number(snapshot->world_info, saved->message));
    kin__encode_32(encoder, saved->count);
    for (uint32_t i = 0; i < saved->count; i++) {
        uint64_t serial;
        memcpy(&serial, records + (size_t)i * saved->stride, sizeof serial);
        kin__encode_64(encoder, serial);
        if (leaves != NULL && snapshot->world_info != NULL)
            kin__encode_value(encoder, &leaves->of[saved->message],
                              records + (size_t)i * saved->stride + sizeof serial);
    }
}

// Moves past the members that a node adds, to its inboxes.
static void skip_members(const kin__saved_node *saved, kin__state *added)
{
    if ((saved->flags & KIN__SAVED_MEMBERS) != 0)
        kin__state_take(added, kin__state_take_count(added) * sizeof(kin_entity));
}

// Appends whether each inbox has warned; only counts those that have without an encoder.
static uint32_t encode_warned(kin__encoder *encoder, const kin__saved_node *saved, kin__state added)
{
    uint32_t count = 0;
    skip_members(saved, &added);
    for (uint32_t i = 0; i < saved->inbox_count; i++) {
        const kin__saved_inbox *inbox = kin__state_take(&added, sizeof *inbox);
        kin__state_take(&added, (size_t)inbox->count * inbox->stride);
        count += inbox->is_warned;
        if (encoder != NULL)
            kin__encode_8(encoder, (uint8_t)inbox->is_warned);
    }
    return count;
}

// Appends the flags and the clock of a node, and moves past its name and clock.
static void encode_head(kin__encoder *encoder, kin__state *state, kin__state added)
{
    const kin__saved_node *saved = kin__state_take(state, sizeof *saved);
    kin__saved_clock none = {0};
    kin__state_take(state, saved->name_size);
    uint32_t flags = saved->flags & KIN__SAVED_HASHED;
    flags |= saved->collector_count > 1 ? KIN__ENCODED_MORE : 0;
    flags |= (saved->flags & KIN__SAVED_ORDER) != 0 ? KIN__ENCODED_ORDER : 0;
    flags |= encode_warned(NULL, saved, added) > 0 ? KIN__ENCODED_WARNED : 0;
    kin__encode_8(encoder, (uint8_t)flags);
    const kin__saved_clock *clock =
        (saved->flags & KIN__SAVED_COLLECTION) != 0 ? kin__state_take(state, sizeof none) : &none;
    encode_clock(encoder, clock, (saved->flags & KIN__SAVED_FIXED_STEP) != 0);
}

// Appends the entities in all collectors of a node but the first.
static void encode_more(kin__encoder *encoder, const kin_snapshot *snapshot, const kin__saved_node *saved,
                        kin__state *collected)
{
    if (saved->collector_count > 1)
        kin__encode_16(encoder, (uint16_t)(saved->collector_count - 1));
    for (uint32_t i = 1; i < saved->collector_count; i++) {
        kin__saved_collected more = kin__state_take_collected(collected);
        encode_collected(encoder, snapshot, &more);
    }
}

// Appends a node, and moves past it. Without leaves, messages are left out.
static void encode_node(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state,
                        const kin__message_leaves *leaves)
{
    const kin__saved_node *saved = (const void *)(state->bytes + state->size);
    kin__saved_collected first = {0};
    kin__state added = *state;
    kin__state pieces;
    added.size += (size_t)saved->added;
    pieces = added;
    encode_head(encoder, state, added);
    if (saved->collector_count > 0)
        first = kin__state_take_collected(state);
    encode_collected(encoder, snapshot, &first);
    uint32_t members = (saved->flags & KIN__SAVED_MEMBERS) != 0 ? (uint32_t)kin__state_take_count(&added) : 0;
    encode_words(encoder, kin__state_take(&added, members * sizeof(kin_entity)), members);
    kin__encode_16(encoder, (uint16_t)saved->inbox_count);
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        encode_inbox(encoder, snapshot, &added, leaves);
    encode_more(encoder, snapshot, saved, state);
    if ((saved->flags & KIN__SAVED_ORDER) != 0) {
        uint32_t size = (uint32_t)kin__state_take_count(&added);
        encode_words(encoder, kin__state_take(&added, size), size / (uint32_t)sizeof(uint64_t));
    }
    if (encode_warned(NULL, saved, pieces) > 0)
        encode_warned(encoder, saved, pieces);
    state->size = (size_t)((const unsigned char *)saved - state->bytes) + (size_t)saved->size;
}

static void encode_root(kin__encoder *encoder, const kin__saved_world *saved)
{
    kin__encode_8(encoder, saved->seed != 0 ? KIN__SAVED_ENABLED | KIN__ENCODED_SEED : KIN__SAVED_ENABLED);
    encode_clock(encoder, &saved->clock, false);
    kin__encode_32(encoder, 0); // collected
    kin__encode_32(encoder, 0); // members
    kin__encode_16(encoder, 0); // inboxes
    kin__encode_8(encoder, (uint8_t)saved->pushed_count);
    for (uint32_t i = 0; i < saved->pushed_count; i++) {
        kin__encode_double(encoder, saved->pushed[i].delta);
        kin__encode_double(encoder, saved->pushed[i].time);
        kin__encode_64(encoder, saved->pushed[i].frame);
    }
    kin__encode_64(encoder, saved->published);
    if (saved->seed != 0)
        kin__encode_64(encoder, saved->seed);
}

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

void kin__node_encode(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state,
                      const kin__message_leaves *leaves)
{
    if (state->size == 0)
        encode_root(encoder, kin__state_take(state, sizeof(kin__saved_world)));
    else
        encode_node(encoder, snapshot, state, leaves);
}

// Returns the hash of the bytes of the node at the state, or of the root before the first one; and moves past it.
static uint64_t hash_node(const kin_snapshot *snapshot, kin__state *state, const kin__message_leaves *leaves)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    kin__node_encode(&encoder, snapshot, state, leaves);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}

// ---- hashing

// Adds the name of a node to the path of the node around it, and returns the hash of its path.
static uint64_t hash_path(kin__xxh64 paths[KIN__PATH_DEPTH + 1], const kin_snapshot *snapshot,
                          const kin__saved_node *saved)
{
    uint32_t depth = saved->depth < KIN__PATH_DEPTH ? saved->depth : KIN__PATH_DEPTH - 1;
    const char *name = kin__node_identity(snapshot->world_info, saved);
    kin__xxh64 *path = &paths[depth + 1];
    *path = paths[depth];
    if (depth > 0)
        kin__xxh64_add(path, "/", 1);
    kin__xxh64_add(path, name, strlen(name));
    return kin__xxh64_end(path);
}

static void add_pair(kin__xxh64 *hash, uint64_t path, uint64_t bytes)
{
    unsigned char pair[16];
    kin__little_write_64(pair, path);
    kin__little_write_64(pair + 8, bytes);
    kin__xxh64_add(hash, pair, sizeof pair);
}

// Makes the leaves of the messages, which the snapshot keeps: hashing it again then needs no memory.
static bool make_leaves(kin_snapshot *snapshot, kin__message_leaves *leaves)
{
    if (snapshot->leaves != NULL && snapshot->leaves_info == snapshot->world_info) {
        *leaves = (kin__message_leaves){.block = snapshot->leaves, .of = snapshot->leaves};
        return true;
    }
    if (!kin__message_leaves_make(leaves, snapshot->world_info, snapshot->memory.allocator))
        return false;
    kin__message_leaves former = {
        .memory = kin__memory_of(snapshot->memory.allocator), .block = snapshot->leaves, .size = snapshot->leaves_size};
    former.memory.allocated = former.size;
    kin__message_leaves_release(&former);
    snapshot->leaves = leaves->block;
    snapshot->leaves_size = leaves->size;
    snapshot->leaves_info = snapshot->world_info;
    return true;
}

static bool add_to_hash(kin_snapshot *snapshot, kin__xxh64 *hash, kin__xxh64 *second)
{
    kin__xxh64 paths[KIN__PATH_DEPTH + 1];
    kin__message_leaves leaves;
    kin__state state = {.bytes = snapshot->systems};
    if (snapshot->systems_size > 0 && !make_leaves(snapshot, &leaves))
        return false;
    paths[0] = kin__xxh64_begin(0);
    while (state.size < snapshot->systems_size) {
        uint64_t path = state.size == 0 ? kin__xxh64_end(&paths[0])
                                        : hash_path(paths, snapshot, (const void *)(state.bytes + state.size));
        uint64_t bytes = hash_node(snapshot, &state, &leaves);
        add_pair(hash, path, bytes);
        if (second != NULL)
            add_pair(second, path, bytes);
    }
    return true;
}

// ---- comparing

static bool are_messages_equal(const kin_snapshot *snapshot, kin__state *one, kin__state *other)
{
    const kin__saved_inbox *saved = kin__state_take(one, sizeof *saved);
    const kin__saved_inbox *with = kin__state_take(other, sizeof *with);
    size_t size = (size_t)saved->count * saved->stride;
    const char *records = kin__state_take(one, size);
    const char *with_records = kin__state_take(other, size);
    const kin_world_info *info = snapshot->world_info;
    for (uint32_t i = 0; info != NULL && i < saved->count; i++) {
        size_t at = (size_t)i * saved->stride + sizeof(uint64_t);
        const kin_message_info *message = &info->messages[saved->message];
        if (!kin__fields_are_same(message->fields, message->field_count, records + at, with_records + at))
            return false;
    }
    return true;
}

// Returns whether two nodes, which are equal otherwise, have equal messages.
static bool are_inboxes_equal(const kin_snapshot *snapshot, kin__state one, kin__state other)
{
    const kin__saved_node *saved = (const void *)(one.bytes + one.size);
    const kin__saved_node *with = (const void *)(other.bytes + other.size);
    one.size += (size_t)saved->added;
    other.size += (size_t)with->added;
    skip_members(saved, &one);
    skip_members(with, &other);
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        if (!are_messages_equal(snapshot, &one, &other))
            return false;
    return true;
}

static bool are_names_equal(const kin__saved_node *one, const kin__saved_node *other)
{
    if (one->depth != other->depth || one->kind != other->kind)
        return false;
    return one->name_size == other->name_size && memcmp(one + 1, other + 1, one->name_size) == 0;
}

// Systems that only one snapshot has, and all following systems, count as one difference, as restores refuse such
// snapshots.
static uint64_t compare(const kin_snapshot *before, const kin_snapshot *after)
{
    kin__state one = {.bytes = before->systems};
    kin__state other = {.bytes = after->systems};
    if (before->systems_size == 0 || after->systems_size == 0)
        return before->systems_size != after->systems_size;
    uint64_t count = hash_node(before, &one, NULL) != hash_node(after, &other, NULL);
    while (one.size < before->systems_size && other.size < after->systems_size) {
        kin__state node = one;
        kin__state with = other;
        if (!are_names_equal((const void *)(one.bytes + one.size), (const void *)(other.bytes + other.size)))
            return count + 1;
        count +=
            hash_node(before, &one, NULL) != hash_node(after, &other, NULL) || !are_inboxes_equal(before, node, with);
    }
    return count + (one.size < before->systems_size || other.size < after->systems_size);
}

const kin__systems_functions kin__world_functions = {.add_to_hash = add_to_hash, .compare = compare};
