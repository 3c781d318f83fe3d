#include "play/nodes.h"

#include "play/messages.h"
#include "world_snapshot/world_encode.h"

#include <string.h>

// A node of the snapshot on its way to the bytes.
typedef struct node {
    kin__made_nodes *made;
    kin__state before; // behind what was taken over of it
    kin__decoder decoder;
    size_t begin;        // in the bytes
    size_t begin_before; // in those of before
    kin__saved_node saved;
} node;

static bool wrong(const kin__made_nodes *made, const char *what)
{
    return kin__block_reader_fault(&made->recording->reader, 1307, "%s", what);
}

// ---- bytes

// Returns room for a piece, all zero; NULL when out of memory.
static void *append(kin__made_nodes *made, size_t size)
{
    size = (size + 7) / 8 * 8;
    if (made->size + size > made->capacity) {
        size_t capacity = 2 * (made->size + size);
        unsigned char *larger = kin__heap_take(made->heap, capacity, 1);
        if (larger == NULL)
            return NULL;
        if (made->size > 0)
            memcpy(larger, made->bytes, made->size);
        made->bytes = larger;
        made->capacity = capacity;
    }
    void *at = made->bytes + made->size;
    made->size += size;
    return at;
}

static bool copy(kin__made_nodes *made, const void *piece, size_t size)
{
    void *to = append(made, size);
    if (to != NULL && size > 0)
        memcpy(to, piece, size);
    return to != NULL;
}

// ---- clocks

static bool read_double(kin__decoder *decoder, double *number)
{
    uint64_t bits = kin__decode_64(decoder);
    memcpy(number, &bits, sizeof bits);
    return *number - *number == 0;
}

// The last tick is that of the clock, as files do not have it; its delta is not known.
static bool read_clock(kin__decoder *decoder, kin__saved_clock *clock)
{
    bool is_right = read_double(decoder, &clock->time);
    clock->frame = kin__decode_64(decoder);
    clock->tick.time = clock->time;
    clock->tick.frame = clock->frame == 0 ? 0 : clock->frame - 1;
    if (kin__decode_8(decoder) == 0)
        return is_right;
    is_right = read_double(decoder, &clock->accumulated) && is_right;
    is_right = read_double(decoder, &clock->origin) && is_right;
    is_right = read_double(decoder, &clock->dropped) && is_right;
    clock->steps = kin__decode_64(decoder);
    clock->step_frame = kin__decode_64(decoder);
    return is_right;
}

// Reads flags and clock; those of another kind of node are passed over.
static bool read_head(node *node)
{
    kin__saved_clock former = {0};
    const kin__saved_node *before = kin__state_take(&node->before, sizeof *before);
    const char *name = kin__state_take(&node->before, before->name_size);
    uint8_t flags = kin__decode_8(&node->decoder);
    node->saved = *before;
    node->saved.flags = (before->flags & ~(uint32_t)KIN__SAVED_HASHED) | (flags & KIN__SAVED_HASHED);
    if ((before->flags & KIN__SAVED_COLLECTION) != 0)
        former = *(const kin__saved_clock *)kin__state_take(&node->before, sizeof former);
    kin__saved_clock clock = former;
    if (!read_clock(&node->decoder, &clock) || flags > KIN__SAVED_HASHED)
        return wrong(node->made, "the flags or the clock of a system are out of range");
    if ((before->flags & KIN__SAVED_FIXED_STEP) == 0)
        clock.accumulated = clock.origin = clock.dropped = 0, clock.steps = clock.step_frame = 0;
    return copy(node->made, &node->saved, sizeof node->saved) && copy(node->made, name, before->name_size) &&
           ((before->flags & KIN__SAVED_COLLECTION) == 0 || copy(node->made, &clock, sizeof clock));
}

// ---- what was collected

// Returns the number of the source that collects in a context of the file; `count` if none does.
static uint64_t source_of(const node *node, const uint64_t *parts, uint64_t count, uint32_t context)
{
    const kin__recording *recording = node->made->recording;
    uint64_t source = 0;
    if (context >= recording->schema.context_count)
        return count;
    const kin_context_info *info = recording->contexts[context].context->info;
    while (source < count && (parts[source] == KIN__NOT_SAVED ||
                              node->made->before->parts[parts[source]]->info != info))
        source++;
    return source;
}

// Reads what a collector has collected, in place of what it had.
static bool read_collected(node *node)
{
    kin__made_nodes *made = node->made;
    uint64_t source_count = kin__state_take_count(&node->before);
    const uint64_t *parts = kin__state_take(&node->before, source_count * sizeof *parts);
    kin__state_take(&node->before, kin__state_take_count(&node->before) * sizeof(kin__saved_entry));
    uint32_t count = kin__decode_32(&node->decoder);
    if (node->decoder.is_short || count > kin__decoder_left(&node->decoder) / 12)
        return wrong(made, "a system counts more than it has");
    if (!copy(made, &source_count, sizeof source_count) || !copy(made, parts, source_count * sizeof *parts))
        return false;
    uint64_t *kept_at = append(made, sizeof *kept_at);
    size_t begin = made->size - sizeof *kept_at;
    uint64_t kept = 0;
    for (uint32_t i = 0; kept_at != NULL && i < count; i++) {
        uint32_t context = kin__decode_32(&node->decoder);
        kin__saved_entry entry = {kin__decode_64(&node->decoder), source_of(node, parts, source_count, context)};
        if (entry.source == source_count)
            continue;
        kept++;
        if (!copy(made, &entry, sizeof entry))
            return false;
    }
    if (kept_at != NULL)
        memcpy(made->bytes + begin, &kept, sizeof kept);
    return kept_at != NULL;
}

// Passes over what a system without collectors has.
static bool skip_collected(node *node)
{
    uint32_t count = kin__decode_32(&node->decoder);
    return kin__decode_bytes(&node->decoder, (size_t)count * 12) != NULL || wrong(node->made, "a system has too few bytes");
}

// ---- members, messages and marks

static bool read_members(node *node)
{
    uint64_t count = kin__decode_32(&node->decoder), slot = 0;
    const unsigned char *bytes = kin__decode_bytes(&node->decoder, (size_t)count * sizeof(uint64_t));
    if (bytes == NULL)
        return wrong(node->made, "a system counts more than it has");
    if ((node->saved.flags & KIN__SAVED_MEMBERS) == 0)
        return true;
    kin__state_take(&node->before, kin__state_take_count(&node->before) * sizeof(kin_entity));
    if (!copy(node->made, &count, sizeof count))
        return false;
    kin_entity *members = append(node->made, (size_t)count * sizeof *members);
    for (uint64_t i = 0; members != NULL && i < count; i++) {
        members[i] = kin__little_read_64(bytes + i * sizeof(uint64_t));
        if (members[i] == 0 || (i > 0 && kin_entity_slot(members[i]) <= slot))
            return wrong(node->made, "the members of a system are not in the order of their slots");
        slot = kin_entity_slot(members[i]);
    }
    return members != NULL;
}

// Writes an inbox with the messages that the block has for it; they must be in ascending order.
static bool read_inbox(node *node, const kin__read_inbox *inboxes, uint32_t count)
{
    kin__saved_inbox saved = *(const kin__saved_inbox *)kin__state_take(&node->before, sizeof saved);
    kin__state_take(&node->before, (size_t)saved.count * saved.stride);
    saved.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (inboxes[i].message == saved.message && inboxes[i].size == saved.stride - sizeof(uint64_t)) {
            saved.count = inboxes[i].count;
            if (!copy(node->made, &saved, sizeof saved))
                return false;
            unsigned char *records = append(node->made, (size_t)saved.count * saved.stride);
            for (uint32_t k = 0; records != NULL && k < saved.count; k++) {
                memcpy(records + (size_t)k * saved.stride, &inboxes[i].serials[k], sizeof(uint64_t));
                if (inboxes[i].size > 0)
                    memcpy(records + (size_t)k * saved.stride + sizeof(uint64_t),
                           inboxes[i].values + (size_t)k * inboxes[i].size, inboxes[i].size);
            }
            return records != NULL;
        }
    return copy(node->made, &saved, sizeof saved);
}

static bool read_inboxes(node *node)
{
    uint32_t count = kin__decode_16(&node->decoder);
    kin__read_inbox *inboxes = kin__heap_take(node->made->heap, count, sizeof *inboxes);
    for (uint32_t i = 0; inboxes != NULL && i < count; i++)
        if (!kin__inbox_read(&inboxes[i], node->made->recording, node->made->heap, &node->decoder))
            return false;
    for (uint32_t i = 0; inboxes != NULL && i < node->saved.inbox_count; i++)
        if (!read_inbox(node, inboxes, count))
            return false;
    return inboxes != NULL;
}

static bool read_marks(node *node)
{
    kin__made_nodes *made = node->made;
    if ((node->saved.flags & KIN__SAVED_ORDER) == 0)
        return true;
    kin__state_take(&node->before, (size_t)kin__state_take_count(&node->before));
    uint64_t count = kin__decode_32(&node->decoder), size = count * sizeof(uint64_t);
    const unsigned char *bytes = kin__decode_bytes(&node->decoder, (size_t)size);
    if (bytes == NULL || !copy(made, &size, sizeof size))
        return bytes != NULL ? false : wrong(made, "a system counts more than it has");
    uint64_t *words = append(made, (size_t)size);
    for (uint64_t i = 0; words != NULL && i < count; i++)
        words[i] = kin__little_read_64(bytes + i * sizeof(uint64_t));
    return words != NULL;
}

// ---- nodes

// What a node has collected comes before what its type adds. The block has that of the second collector and of those
// behind it at the end.
static bool read_content(node *node, kin__made_nodes *main, kin__made_nodes *side)
{
    kin__state added = node->before;
    added.size = node->begin_before + node->saved.added;
    kin__state collected = {.bytes = node->before.bytes};
    bool is_read = read_head(node) &&
                   (node->saved.collector_count > 0 ? read_collected(node) : skip_collected(node));
    collected.size = node->before.size;
    node->before = added;
    node->made = side;
    side->size = 0;
    is_read = is_read && read_members(node) && read_inboxes(node);
    added.size = node->before.size;
    node->before = collected;
    node->made = main;
    for (uint32_t i = 1; is_read && i < node->saved.collector_count; i++)
        is_read = read_collected(node);
    node->saved.added = main->size - node->begin;
    node->before = added;
    return is_read && copy(main, side->bytes, side->size) && read_marks(node);
}

static bool read_node(const kin__node_block *block, kin__made_nodes *made, kin__decoder decoder)
{
    kin__made_nodes side = *made;
    node node = {.made = made, .begin = made->size, .begin_before = kin__node_offset(block), .decoder = decoder};
    node.before = (kin__state){.bytes = made->before->systems, .size = node.begin_before};
    node.saved = *(const kin__saved_node *)(const void *)(node.before.bytes + node.before.size);
    side.bytes = NULL;
    side.size = side.capacity = 0;
    if (!read_content(&node, made, &side) || !kin__decoder_end(&node.decoder, &made->recording->reader))
        return false;
    node.saved.size = made->size - node.begin;
    memcpy(made->bytes + node.begin, &node.saved, sizeof node.saved);
    return true;
}

static bool read_root(kin__made_nodes *made, kin__decoder decoder)
{
    kin__saved_world saved = *(const kin__saved_world *)made->before->systems;
    kin__decode_8(&decoder);
    bool is_right = read_clock(&decoder, &saved.clock);
    kin__decode_bytes(&decoder, 10); // collected, members, inboxes
    saved.pushed_count = kin__decode_8(&decoder);
    if (saved.pushed_count > KIN__MAX_PUSHED)
        return wrong(made, "it has more times than can be pushed");
    memset(saved.pushed, 0, sizeof saved.pushed);
    for (uint32_t i = 0; i < saved.pushed_count; i++) {
        is_right = read_double(&decoder, &saved.pushed[i].delta) && is_right;
        is_right = read_double(&decoder, &saved.pushed[i].time) && is_right;
        saved.pushed[i].frame = kin__decode_64(&decoder);
    }
    saved.published = kin__decode_64(&decoder);
    if (!is_right)
        return wrong(made, "a time is not a finite number");
    return kin__decoder_end(&decoder, &made->recording->reader) && copy(made, &saved, sizeof saved);
}

// Takes a node over as it was.
static bool copy_node(const kin__node_block *block, kin__made_nodes *made)
{
    size_t at = kin__node_offset(block);
    const unsigned char *node = (const unsigned char *)made->before->systems + at;
    return copy(made, node, at == 0 ? sizeof(kin__saved_world) : ((const kin__saved_node *)(const void *)node)->size);
}

static bool make_node(const kin__node_block *block, void *user)
{
    kin__made_nodes *made = user;
    for (uint32_t i = 0; i < made->parts->count; i++) {
        kin__decoder decoder = made->parts->parts[i].decoder;
        size_t size = 0;
        const char *path = kin__frame_part_is(&made->parts->parts[i], "SYST") ? kin__decode_text(&decoder, &size) : NULL;
        if (path == NULL || !kin__node_is_at(block, path, size))
            continue;
        return kin__node_offset(block) == 0 ? read_root(made, decoder) : read_node(block, made, decoder);
    }
    return copy_node(block, made);
}

bool kin__nodes_make(kin__made_nodes *made)
{
    return kin__nodes_visit(made->before, make_node, made) ||
           kin__fault_note(made->heap->fault, KIN_ERROR_NO_MEMORY, "no memory for its systems; free some and try again");
}

// ---- slots that they hold

typedef struct holds {
    kin__made_nodes *made;
    kin__reading *reading;
    uint32_t part;         // number of the context in the snapshot
    kin_entity *entities;  // by slot: collected
    uint32_t slot_count;
} holds;

static bool hold_entry(const holds *holds, unsigned char *seen, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    if (slot >= holds->slot_count || seen[slot])
        return wrong(holds->made, "a system has collected an entity twice, or one that there is not");
    seen[slot] = 1;
    const kin__image *head = kin__reading_head(holds->reading, slot / KIN__CHUNK_SLOTS);
    kin_entity alive = head != NULL && kin__bits_have(kin__image_alive(head), place) ? kin__image_ids(head)[place] : 0;
    bool is_other = alive != 0 ? alive != entity : holds->entities[slot] != 0 && holds->entities[slot] != entity;
    if (is_other || kin_entity_creation_index(entity) >= holds->reading->part->next_creation_index ||
        kin_entity_creation_index(entity) == 0)
        return wrong(holds->made, "a system has collected an entity in a slot that another one has");
    if (alive == 0)
        holds->entities[slot] = entity;
    return true;
}

static bool hold_collected(const holds *holds, const kin__saved_collected *saved)
{
    unsigned char *seen = kin__heap_take(holds->made->heap, holds->slot_count, 1);
    for (uint32_t i = 0; seen != NULL && i < saved->count; i++)
        if (saved->parts[saved->entries[i].source] == holds->part &&
            !hold_entry(holds, seen, saved->entries[i].entity))
            return false;
    return seen != NULL;
}

static bool hold_nodes(const holds *holds)
{
    kin__state state = {.bytes = holds->made->bytes, .size = sizeof(kin__saved_world)};
    while (state.size < holds->made->size) {
        kin__state node = state;
        const kin__saved_node *saved = kin__state_take(&node, sizeof *saved);
        kin__state_take(&node, saved->name_size);
        if ((saved->flags & KIN__SAVED_COLLECTION) != 0)
            kin__state_take(&node, sizeof(kin__saved_clock));
        for (uint32_t i = 0; i < saved->collector_count; i++) {
            kin__saved_collected collected = kin__state_take_collected(&node);
            if (!hold_collected(holds, &collected))
                return false;
        }
        state.size += saved->size;
    }
    return true;
}

bool kin__nodes_list_held(kin__made_nodes *made, uint32_t part, kin__reading *reading)
{
    holds holds = {made, reading, part, NULL, reading->part->chunk_count * KIN__CHUNK_SLOTS};
    uint32_t count = 0;
    holds.entities = kin__heap_take(made->heap, holds.slot_count, sizeof *holds.entities);
    if (holds.entities == NULL || !hold_nodes(&holds))
        return false;
    for (uint32_t slot = 0; slot < holds.slot_count; slot++)
        if (holds.entities[slot] != 0)
            holds.entities[count++] = holds.entities[slot];
    reading->held = holds.entities;
    reading->held_count = count;
    return true;
}
