#include "world_snapshot/world_encode.h"

#include "base/xxh64.h"
#include "compare/same.h"
#include "encode/encode_value.h"
#include "shape/identity.h"
#include "snapshot/systems_state.h"

#include <string.h>

// ---- identities and numbers

static const char *message_identity(const kin_message_info *info)
{
    return info->identity != NULL ? info->identity : info->name;
}

static uint32_t message_number(const kin_world_info *info, uint32_t message)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < info->message_count; i++)
        number += strcmp(message_identity(&info->messages[i]), message_identity(&info->messages[message])) < 0;
    return number;
}

static uint32_t context_number(const kin_snapshot *snapshot, uint64_t part)
{
    uint32_t number = 0;
    const char *identity = kin__context_identity(snapshot->parts[part]->info);
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        number += snapshot->parts[i] != NULL && strcmp(kin__context_identity(snapshot->parts[i]->info), identity) < 0;
    return number;
}

// Returns the name that saves have of a node.
static const char *node_identity(const kin_snapshot *snapshot, const kin__saved_node *saved)
{
    const kin_world_info *info = snapshot->world_info;
    const char *name = saved->name_size == 0 ? "" : (const char *)(saved + 1);
    for (uint32_t i = 0; info != NULL && i < info->system_count; i++)
        if (info->systems[i].identity != NULL && strcmp(info->systems[i].name, name) == 0)
            return info->systems[i].identity;
    return name;
}

// ---- the leaves of messages

typedef struct leaves {
    kin__memory memory;
    void *block;
    size_t size;
    kin__leaves *of; // by number of the message
} leaves;

// False when out of memory.
static bool make_leaves(leaves *leaves, const kin_snapshot *snapshot)
{
    const kin_world_info *info = snapshot->world_info;
    kin__leaf_room room = {0};
    for (uint32_t i = 0; info != NULL && i < info->message_count; i++)
        kin__leaves_measure(&room, info->messages[i].fields, info->messages[i].field_count);
    size_t table = kin__round_up((info == NULL ? 0 : info->message_count) * sizeof(kin__leaves) + 1);
    size_t values = kin__round_up(room.leaves * sizeof(kin__value_leaf));
    size_t dimensions = kin__round_up(room.dimensions * sizeof(kin__dimension));
    leaves->memory = kin__memory_of(snapshot->memory.allocator);
    leaves->size = table + values + dimensions + room.letters;
    leaves->of = leaves->block = kin__allocate(&leaves->memory, leaves->size);
    if (leaves->block == NULL)
        return false;
    char *at = leaves->block;
    kin__leaf_memory memory = {.leaves = (kin__value_leaf *)(void *)(at + table),
                               .dimensions = (kin__dimension *)(void *)(at + table + values),
                               .letters = at + table + values + dimensions};
    for (uint32_t i = 0; info != NULL && i < info->message_count; i++)
        leaves->of[i] = kin__leaves_make(&memory, info->messages[i].fields, info->messages[i].field_count);
    return true;
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

static void encode_inbox(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state, const leaves *leaves)
{
    const kin__saved_inbox *saved = kin__state_take(state, sizeof *saved);
    const char *records = kin__state_take(state, (size_t)saved->count * saved->stride);
    kin__encode_32(encoder, snapshot->world_info == NULL ? saved->message
                                                         : message_number(snapshot->world_info, saved->message));
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

// Appends the flags and the clock of a node, and moves behind its name and clock.
static void encode_head(kin__encoder *encoder, kin__state *state)
{
    const kin__saved_node *saved = kin__state_take(state, sizeof *saved);
    kin__saved_clock none = {0};
    kin__state_take(state, saved->name_size);
    kin__encode_8(encoder, (uint8_t)(saved->flags & KIN__SAVED_HASHED));
    const kin__saved_clock *clock =
        (saved->flags & KIN__SAVED_COLLECTION) != 0 ? kin__state_take(state, sizeof none) : &none;
    encode_clock(encoder, clock, (saved->flags & KIN__SAVED_FIXED_STEP) != 0);
}

// Appends what a node has collected besides its first collector.
static void encode_more(kin__encoder *encoder, const kin_snapshot *snapshot, const kin__saved_node *saved,
                        kin__state *collected)
{
    for (uint32_t i = 1; i < saved->collector_count; i++) {
        kin__saved_collected more = kin__state_take_collected(collected);
        encode_collected(encoder, snapshot, &more);
    }
}

// Appends a node, and moves behind it. Without leaves, messages are left out.
static void encode_node(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state, const leaves *leaves)
{
    const kin__saved_node *saved = (const void *)(state->bytes + state->size);
    kin__saved_collected first = {0};
    kin__state added = *state;
    added.size += saved->added;
    encode_head(encoder, state);
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
    state->size = (size_t)((const unsigned char *)saved - state->bytes) + saved->size;
}

static void encode_root(kin__encoder *encoder, const kin__saved_world *saved)
{
    kin__encode_8(encoder, KIN__SAVED_ENABLED);
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
}

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

// Returns the hash of the bytes of the node at the state, or of the root before the first one; and moves behind it.
static uint64_t hash_node(const kin_snapshot *snapshot, kin__state *state, const leaves *leaves)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    if (state->size == 0)
        encode_root(&encoder, kin__state_take(state, sizeof(kin__saved_world)));
    else
        encode_node(&encoder, snapshot, state, leaves);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}

// ---- hashing

enum { PATH_DEPTH = 64 }; // nodes that are nested deeper have the path of those at this depth

// Adds the name of a node to the path of the node around it, and returns the hash of its path.
static uint64_t hash_path(kin__xxh64 paths[PATH_DEPTH + 1], const kin_snapshot *snapshot, const kin__saved_node *saved)
{
    uint32_t depth = saved->depth < PATH_DEPTH ? saved->depth : PATH_DEPTH - 1;
    const char *name = node_identity(snapshot, saved);
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

static bool add_to_hash(const kin_snapshot *snapshot, kin__xxh64 *hash)
{
    kin__xxh64 paths[PATH_DEPTH + 1];
    leaves leaves = {0};
    kin__state state = {.bytes = snapshot->systems};
    if (snapshot->systems_size == 0)
        return true;
    if (!make_leaves(&leaves, snapshot))
        return false;
    paths[0] = kin__xxh64_begin(0);
    add_pair(hash, kin__xxh64_end(&paths[0]), hash_node(snapshot, &state, &leaves));
    while (state.size < snapshot->systems_size) {
        uint64_t path = hash_path(paths, snapshot, (const void *)(state.bytes + state.size));
        add_pair(hash, path, hash_node(snapshot, &state, &leaves));
    }
    kin__release(&leaves.memory, leaves.block, leaves.size);
    return true;
}

// ---- visiting

// The names from the collection at the top down to the node.
struct kin__node_block {
    const kin_snapshot *snapshot;
    const leaves *leaves;
    kin__state state; // at the node; size 0: the root
    const char *names[PATH_DEPTH];
    uint32_t depth; // number of names
};

static void add_name(kin__node_block *block)
{
    const kin__saved_node *saved = (const void *)(block->state.bytes + block->state.size);
    uint32_t depth = saved->depth < PATH_DEPTH ? saved->depth : PATH_DEPTH - 1;
    block->names[depth] = node_identity(block->snapshot, saved);
    block->depth = depth + 1;
}

static void skip_node(kin__state *state)
{
    state->size += state->size == 0 ? sizeof(kin__saved_world)
                                    : ((const kin__saved_node *)(const void *)(state->bytes + state->size))->size;
}

static bool visit_nodes(kin__node_block *block, kin__node_visitor *visit, void *user)
{
    while (block->state.size < block->snapshot->systems_size) {
        if (block->state.size > 0)
            add_name(block);
        if (!visit(block, user))
            return false;
        skip_node(&block->state);
    }
    return true;
}

bool kin__nodes_visit(const kin_snapshot *snapshot, kin__node_visitor *visit, void *user)
{
    leaves leaves = {0};
    if (snapshot->systems_size == 0)
        return true;
    if (!make_leaves(&leaves, snapshot))
        return false;
    kin__node_block block = {.snapshot = snapshot, .leaves = &leaves, .state = {.bytes = snapshot->systems}};
    bool is_done = visit_nodes(&block, visit, user);
    kin__release(&leaves.memory, leaves.block, leaves.size);
    return is_done;
}

size_t kin__node_offset(const kin__node_block *block)
{
    return block->state.size;
}

bool kin__node_is_at(const kin__node_block *block, const char *path, size_t size)
{
    for (uint32_t i = 0; i < block->depth; i++) {
        size_t length = strlen(block->names[i]);
        if (i > 0 && (size == 0 || *path++ != '/' || size-- == 0))
            return false;
        if (length > size || memcmp(path, block->names[i], length) != 0)
            return false;
        path += length;
        size -= length;
    }
    return size == 0;
}

void kin__node_encode_path(kin__encoder *encoder, const kin__node_block *block)
{
    size_t size = block->depth == 0 ? 0 : block->depth - 1;
    for (uint32_t i = 0; i < block->depth; i++)
        size += strlen(block->names[i]);
    kin__encode_16(encoder, (uint16_t)size);
    for (uint32_t i = 0; i < block->depth; i++) {
        if (i > 0)
            kin__encode_8(encoder, '/');
        kin__encode_bytes(encoder, block->names[i], strlen(block->names[i]));
    }
}

void kin__node_encode_content(kin__encoder *encoder, const kin__node_block *block)
{
    kin__state state = block->state;
    if (state.size == 0)
        encode_root(encoder, kin__state_take(&state, sizeof(kin__saved_world)));
    else
        encode_node(encoder, block->snapshot, &state, block->leaves);
}

// ---- comparing

static bool are_messages_equal(const kin_snapshot *snapshot, kin__state *one, kin__state *other)
{
    const kin__saved_inbox *saved = kin__state_take(one, sizeof *saved), *with = kin__state_take(other, sizeof *with);
    size_t size = (size_t)saved->count * saved->stride;
    const char *records = kin__state_take(one, size), *with_records = kin__state_take(other, size);
    const kin_world_info *info = snapshot->world_info;
    for (uint32_t i = 0; info != NULL && i < saved->count; i++) {
        size_t at = (size_t)i * saved->stride + sizeof(uint64_t);
        const kin_message_info *message = &info->messages[saved->message];
        if (!kin__fields_are_same(message->fields, message->field_count, records + at, with_records + at))
            return false;
    }
    return true;
}

// Returns whether the messages of nodes are equal whose other bytes are.
static bool are_inboxes_equal(const kin_snapshot *snapshot, kin__state one, kin__state other)
{
    const kin__saved_node *saved = (const void *)(one.bytes + one.size),
                          *with = (const void *)(other.bytes + other.size);
    one.size += saved->added;
    other.size += with->added;
    if ((saved->flags & KIN__SAVED_MEMBERS) != 0) {
        kin__state_take(&one, kin__state_take_count(&one) * sizeof(kin_entity));
        kin__state_take(&other, kin__state_take_count(&other) * sizeof(kin_entity));
    }
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        if (!are_messages_equal(snapshot, &one, &other))
            return false;
    return true;
}

static bool are_names_equal(const kin__saved_node *one, const kin__saved_node *other)
{
    return one->depth == other->depth && one->kind == other->kind && one->name_size == other->name_size &&
           memcmp(one + 1, other + 1, one->name_size) == 0;
}

// Systems that only one of them has, and those behind them, are one difference: restores refuse them anyway.
static uint64_t compare(const kin_snapshot *before, const kin_snapshot *after)
{
    kin__state one = {.bytes = before->systems}, other = {.bytes = after->systems};
    if (before->systems_size == 0 || after->systems_size == 0)
        return before->systems_size != after->systems_size;
    uint64_t count = hash_node(before, &one, NULL) != hash_node(after, &other, NULL);
    while (one.size < before->systems_size && other.size < after->systems_size) {
        kin__state node = one, with = other;
        if (!are_names_equal((const void *)(one.bytes + one.size), (const void *)(other.bytes + other.size)))
            return count + 1;
        count +=
            hash_node(before, &one, NULL) != hash_node(after, &other, NULL) || !are_inboxes_equal(before, node, with);
    }
    return count + (one.size < before->systems_size || other.size < after->systems_size);
}

const kin__systems_functions kin__world_functions = {.add_to_hash = add_to_hash, .compare = compare};
