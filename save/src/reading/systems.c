#include "reading/internal.h"

#include "world/world.h"

#include <string.h>

// ---- decoding SYST

// Everything that can be checked without the slots of the contexts.

enum {
    KNOWN_FLAGS = KIN__SAVED_HASHED | KIN__ENCODED_MORE | KIN__ENCODED_ORDER | KIN__ENCODED_WARNED,
    ENTRY_SIZE = 12
};

static bool wrong(const kin__systems_reading *systems, const char *what)
{
    return kin__block_reader_fault(systems->blocks, 1307, "%s", what);
}

// Whether the block has so many elements of this size: few bytes do not claim much.
static bool has_room(const kin__systems_reading *systems, const kin__decoder *decoder, uint64_t count, size_t size)
{
    if (decoder->is_short || count > kin__decoder_left(decoder) / size)
        return wrong(systems, "it counts more than it has");
    return true;
}

static double decode_double(kin__decoder *decoder)
{
    uint64_t bits = kin__decode_64(decoder);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// ---- clocks

// Files do not have the last tick. Its time and frame follow from the clock.
static bool decode_clock(kin__systems_reading *systems, kin__decoder *decoder, kin__saved_clock *clock, bool *has_step)
{
    clock->time = decode_double(decoder);
    clock->frame = kin__decode_64(decoder);
    clock->tick = (kin_tick){.time = clock->time};
    if (clock->frame > 0)
        clock->tick.frame = clock->frame - 1;
    uint8_t step = kin__decode_8(decoder);
    *has_step = step == 1;
    if (step == 1) {
        clock->accumulated = decode_double(decoder);
        clock->origin = decode_double(decoder);
        clock->dropped = decode_double(decoder);
        clock->steps = kin__decode_64(decoder);
        clock->step_frame = kin__decode_64(decoder);
    }
    if (step > 1 || !kin__clock_is_finite(clock))
        return wrong(systems, "a clock shows no time");
    return true;
}

// ---- what was collected, and members

static bool decode_collected(kin__systems_reading *systems, kin__decoder *decoder, kin__read_collected *to)
{
    to->count = kin__decode_32(decoder);
    if (!has_room(systems, decoder, to->count, ENTRY_SIZE))
        return false;
    to->contexts = kin__heap_take(&systems->heap, to->count, sizeof *to->contexts);
    to->entities = kin__heap_take(&systems->heap, to->count, sizeof *to->entities);
    if (to->contexts == NULL || to->entities == NULL)
        return false;
    for (uint32_t i = 0; i < to->count; i++) {
        to->contexts[i] = kin__decode_32(decoder);
        to->entities[i] = kin__decode_64(decoder);
        if (to->contexts[i] >= systems->schema->context_count)
            return wrong(systems, "there is no context with its number");
        if (kin_entity_creation_index(to->entities[i]) == 0)
            return wrong(systems, "it has collected what is no entity");
    }
    return true;
}

// Members ascend by slot.
static bool decode_members(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    node->member_count = kin__decode_32(decoder);
    if (!has_room(systems, decoder, node->member_count, sizeof(kin_entity)))
        return false;
    node->members = kin__heap_take(&systems->heap, node->member_count, sizeof *node->members);
    for (uint32_t i = 0; node->members != NULL && i < node->member_count; i++) {
        node->members[i] = kin__decode_64(decoder);
        if (kin_entity_creation_index(node->members[i]) == 0)
            return wrong(systems, "a member is no entity");
        if (i > 0 && kin_entity_slot(node->members[i]) <= kin_entity_slot(node->members[i - 1]))
            return kin__block_reader_fault(systems->blocks, 1308, "a member is there twice, or in no order");
    }
    return node->members != NULL;
}

// ---- inboxes

static bool decode_serial(kin__systems_reading *systems, kin__decoder *decoder, kin__read_inbox *inbox, uint32_t i)
{
    inbox->serials[i] = kin__decode_64(decoder);
    if (decoder->is_short)
        return wrong(systems, "it counts more than it has");
    if (inbox->serials[i] >= systems->root.published)
        return wrong(systems, "a message has a number that was not given");
    if (i > 0 && inbox->serials[i] <= inbox->serials[i - 1])
        return kin__block_reader_fault(systems->blocks, 1308, "a message is there twice, or in no order");
    return true;
}

static bool decode_messages(kin__systems_reading *systems, kin__decoder *decoder, kin__read_inbox *inbox)
{
    const kin__file_component *message = &systems->schema->messages[inbox->number];
    size_t size = 1;
    uint32_t count = 0; // of messages that the schema has
    if (message->now != NULL) {
        size = kin__max_size(message->now->info->size, 1);
        count = inbox->count;
    }
    kin_read_report report = {0};
    inbox->shape = message->now;
    inbox->serials = kin__heap_take(&systems->heap, inbox->count, sizeof *inbox->serials);
    inbox->values = kin__heap_take(&systems->heap, count, size);
    if (inbox->serials == NULL || inbox->values == NULL)
        return false;
    for (uint32_t i = 0; i < inbox->count; i++) {
        kin__read_values values = {.reader = systems->blocks,
                                   .heap = &systems->heap,
                                   .component = message,
                                   .count = 1,
                                   .decoder = decoder,
                                   .report = &report};
        if (message->now != NULL)
            values.values = inbox->values + i * size;
        if (!decode_serial(systems, decoder, inbox, i) || !kin__values_decode_leaves(&values))
            return false;
    }
    return true;
}

static bool decode_inboxes(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    node->inbox_count = kin__decode_16(decoder);
    if (!has_room(systems, decoder, node->inbox_count, 2 * sizeof(uint32_t)))
        return false;
    node->inboxes = kin__heap_take(&systems->heap, node->inbox_count, sizeof *node->inboxes);
    for (uint32_t i = 0; node->inboxes != NULL && i < node->inbox_count; i++) {
        kin__read_inbox *inbox = &node->inboxes[i];
        inbox->number = kin__decode_32(decoder);
        inbox->count = kin__decode_32(decoder);
        if (decoder->is_short || inbox->number >= systems->schema->message_count)
            return wrong(systems, "there is no message with its number");
        for (uint32_t k = 0; k < i; k++)
            if (node->inboxes[k].number == inbox->number)
                return kin__block_reader_fault(systems->blocks, 1308, "an inbox is there twice");
        if (!has_room(systems, decoder, inbox->count, sizeof(uint64_t)) || !decode_messages(systems, decoder, inbox))
            return false;
    }
    return node->inboxes != NULL;
}

// ---- the rest

static bool decode_more(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node,
                        const kin__read_collected *first)
{
    bool has_more = (node->flags & KIN__ENCODED_MORE) != 0;
    uint32_t more = 0;
    if (has_more)
        more = kin__decode_16(decoder);
    if (!has_room(systems, decoder, more, sizeof(uint32_t)))
        return false;
    node->collected = kin__heap_take(&systems->heap, 1 + more, sizeof *node->collected);
    node->collector_count = 1 + more;
    if (node->collected == NULL)
        return false;
    node->collected[0] = *first;
    for (uint32_t i = 1; i <= more; i++)
        if (!decode_collected(systems, decoder, &node->collected[i]))
            return false;
    if (has_more && more == 0)
        return wrong(systems, "it counts no collectors");
    return true;
}

// Marks are whether all are marked, else one bit for each slot, up to the last one that is.
static bool decode_words(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    static const uint32_t most = 1 + (1 << 24) / 64;
    node->word_count = 0;
    if ((node->flags & KIN__ENCODED_ORDER) != 0)
        node->word_count = kin__decode_32(decoder);
    if (!has_room(systems, decoder, node->word_count, sizeof(uint64_t)))
        return false;
    node->words = kin__heap_take(&systems->heap, node->word_count, sizeof *node->words);
    for (uint32_t i = 0; node->words != NULL && i < node->word_count; i++)
        node->words[i] = kin__decode_64(decoder);
    if (node->words == NULL)
        return false;
    uint32_t count = node->word_count;
    if (count == 0)
        return true;
    bool is_right = node->words[0] <= 1;
    if (count > 1)
        is_right = node->words[0] == 0 && node->words[count - 1] != 0;
    if (!is_right || count > most)
        return wrong(systems, "its marks are out of range");
    return true;
}

static bool decode_warned(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    if ((node->flags & KIN__ENCODED_WARNED) == 0)
        return true;
    bool any = false;
    bool is_right = true;
    for (uint32_t i = 0; i < node->inbox_count; i++) {
        uint8_t warned = kin__decode_8(decoder);
        is_right = is_right && warned <= 1;
        any = any || warned != 0;
        node->inboxes[i].is_warned = warned != 0;
    }
    if (!any || !is_right)
        return wrong(systems, "it says of no inbox whether it has warned");
    return true;
}

static bool decode_node(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    kin__read_collected first = {0};
    KIN_ASSERT(!node->is_read && systems->has_root);
    node->flags = kin__decode_8(decoder);
    node->is_read = true;
    if ((node->flags & ~(uint32_t)KNOWN_FLAGS) != 0)
        return wrong(systems, "it has an unknown flag");
    if (!decode_clock(systems, decoder, &node->clock, &node->has_step))
        return false;
    if (!decode_collected(systems, decoder, &first) || !decode_members(systems, decoder, node))
        return false;
    if (!decode_inboxes(systems, decoder, node) || !decode_more(systems, decoder, node, &first))
        return false;
    if (!decode_words(systems, decoder, node) || !decode_warned(systems, decoder, node))
        return false;
    return kin__decoder_end(decoder, systems->blocks);
}

static bool decode_root(kin__systems_reading *systems, kin__decoder *decoder)
{
    kin__saved_world *root = &systems->root;
    bool has_step;
    uint8_t flags = kin__decode_8(decoder);
    if (!decode_clock(systems, decoder, &root->clock, &has_step))
        return false;
    uint64_t rest = kin__decode_32(decoder);
    rest |= kin__decode_32(decoder);
    rest |= kin__decode_16(decoder);
    root->pushed_count = kin__decode_8(decoder);
    bool has_seed = (flags & KIN__ENCODED_SEED) != 0;
    bool has_none =
        (flags & ~KIN__ENCODED_SEED) == KIN__SAVED_ENABLED && !has_step && rest == 0; // of what systems have
    if (!has_none || root->pushed_count > KIN__MAX_PUSHED)
        return wrong(systems, "the root has what only systems have, or too many ticks");
    for (uint32_t i = 0; i < root->pushed_count; i++) {
        root->pushed[i].delta = decode_double(decoder);
        root->pushed[i].time = decode_double(decoder);
        root->pushed[i].frame = kin__decode_64(decoder);
    }
    root->published = kin__decode_64(decoder);
    root->seed = has_seed ? kin__decode_64(decoder) : 0;
    systems->has_root = true;
    if (has_seed && root->seed == 0)
        return wrong(systems, "it has a seed of 0, which is not written");
    return kin__decoder_end(decoder, systems->blocks);
}

// ---- the nodes of now

// A walk over the nodes of the world and what they would save, side by side.
typedef struct walk {
    kin__state state; // first: the walk gets its address
    kin__systems_reading *systems;
    const char *paths[KIN__PATH_DEPTH + 1]; // by depth: of the nodes around
    size_t sizes[KIN__PATH_DEPTH + 1];
} walk;

static bool set_path(walk *walk, kin__read_node *to)
{
    uint32_t depth = kin__min_32(to->saved->depth, KIN__PATH_DEPTH - 1);
    const char *name = kin__node_identity(walk->systems->world->info->shown, to->saved);
    size_t begin = walk->sizes[depth];
    size_t length = strlen(name);
    char *path = kin__heap_take(&walk->systems->heap, begin + 1 + length, 1);
    if (path == NULL)
        return false;
    if (begin > 0)
        memcpy(path, walk->paths[depth], begin);
    if (depth > 0)
        path[begin++] = '/';
    memcpy(path + begin, name, length);
    to->path = walk->paths[depth + 1] = path;
    to->path_size = walk->sizes[depth + 1] = begin + length;
    return true;
}

static bool add_node(kin__node *node, kin__state *state)
{
    walk *at = (walk *)(void *)state;
    kin__read_node *to = &at->systems->nodes[at->systems->node_count++];
    KIN_ASSERT(to->node == NULL);
    to->node = node;
    to->saved = (const void *)(state->bytes + state->size);
    KIN_ASSERT(to->saved->size >= sizeof *to->saved);
    state->size += (size_t)to->saved->size;
    return set_path(at, to);
}

// Saves the systems, to learn which pieces their state has now. Of the parts only the contexts are asked for.
static bool save_now(kin__systems_reading *systems, kin__state *state)
{
    kin__context_snapshot *parts = kin__heap_take(&systems->heap, systems->context_count, sizeof *parts);
    kin__context_snapshot **pointers = kin__heap_take(&systems->heap, systems->context_count, sizeof *pointers);
    if (parts == NULL || pointers == NULL)
        return false;
    for (uint32_t i = 0; i < systems->context_count; i++) {
        parts[i].context = systems->contexts[i].context;
        pointers[i] = &parts[i];
    }
    kin__systems_save(systems->world->root, state);
    systems->now = kin__heap_take(&systems->heap, state->size, 1);
    *state = (kin__state){.bytes = systems->now, .parts = pointers, .part_count = systems->context_count};
    if (systems->now != NULL)
        kin__systems_save(systems->world->root, state);
    return systems->now != NULL;
}

static bool make_nodes(kin__systems_reading *systems)
{
    walk walk = {.systems = systems};
    if (!save_now(systems, &walk.state))
        return false;
    systems->nodes = kin__heap_take(&systems->heap, walk.state.node_count, sizeof *systems->nodes);
    walk.state = (kin__state){.bytes = systems->now};
    return systems->nodes != NULL && kin__nodes_visit(systems->world->root, &walk.state, add_node);
}

// ---- messages

static bool make_messages(kin__systems_reading *systems)
{
    const kin_world_info *info = systems->world->info->shown;
    kin_component_info *infos = kin__heap_take(&systems->heap, info->message_count, sizeof *infos);
    systems->messages = kin__heap_take(&systems->heap, info->message_count, sizeof *systems->messages);
    if (infos == NULL || systems->messages == NULL)
        return false;
    if (!kin__message_leaves_make(&systems->leaves, info, systems->world->memory.allocator))
        return kin__fault_note(systems->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its messages; free some and try again");
    for (uint32_t i = 0; i < info->message_count; i++) {
        infos[i] = (kin_component_info){.name = info->messages[i].name, .size = info->messages[i].size};
        systems->messages[i] = (kin__component_shape){.identity = kin__message_identity(&info->messages[i]),
                                                      .info = &infos[i],
                                                      .id = (kin_component_id)i,
                                                      .leaves = systems->leaves.of[i]};
    }
    return true;
}

bool kin__systems_match_schema(kin__systems_reading *systems, kin__file_schema *schema)
{
    const kin_world_info *info = systems->world->info->shown;
    systems->schema = schema;
    for (uint32_t i = 0; systems->context_count > 0 && i < schema->message_count; i++)
        for (uint32_t k = 0; k < info->message_count; k++)
            if (strcmp(schema->messages[i].name, systems->messages[k].identity) == 0)
                kin__file_message_match(&schema->messages[i], &systems->messages[k], systems->contexts[0].shape, info);
    return true;
}

// ---- all together

bool kin__systems_begin(kin__systems_reading *systems)
{
    systems->marks = kin__heap_take(&systems->heap, systems->context_count, sizeof *systems->marks);
    if (systems->marks == NULL)
        return false;
    return make_nodes(systems) && make_messages(systems);
}

void kin__systems_end(kin__systems_reading *systems)
{
    kin__message_leaves_release(&systems->leaves);
    kin__heap_release(&systems->heap);
}

static bool has_path(const kin__read_node *node, const char *path, size_t size)
{
    if (node->path_size != size)
        return false;
    return size == 0 || memcmp(node->path, path, size) == 0;
}

// Returns a node with this path that was not read; of several the first one. `*is_known`: there is one with this path.
static kin__read_node *find(kin__systems_reading *systems, const char *path, size_t size, bool *is_known)
{
    *is_known = false;
    for (uint32_t i = 0; i < systems->node_count; i++) {
        kin__read_node *node = &systems->nodes[i];
        if (!has_path(node, path, size))
            continue;
        *is_known = true;
        if (!node->is_read)
            return node;
    }
    return NULL;
}

bool kin__system_block_read(kin__systems_reading *systems, kin__decoder *decoder)
{
    kin__read_node none = {0};
    size_t size;
    bool is_known;
    const char *path = kin__decode_text(decoder, &size);
    if (decoder->is_short)
        return kin__block_reader_fault(systems->blocks, 1307, "it counts more than it has");
    if (!systems->has_root && size == 0)
        return decode_root(systems, decoder);
    if (!systems->has_root)
        return kin__block_reader_fault(systems->blocks, 1309, "it must follow the root");
    kin__read_node *node = find(systems, path, size, &is_known);
    if (node == NULL && is_known)
        return kin__block_reader_fault(systems->blocks, 1308, "its system is there twice");
    if (node == NULL)
        node = &none;
    return decode_node(systems, decoder, node);
}

// ---- what systems have collected

// Resolving what systems have collected: which source of which collector each entity goes to. Entities of contexts and
// triggers that are no more are left out, and so are those whose last value is missing.

// One collector of now.
typedef struct target {
    kin__systems_reading *systems;
    kin_collector *collector;
    const uint64_t *kept; // by slot: last values, if the collector waits for them; else NULL
    bool is_on;           // it may have collected something
} target;

// Returns the number of the source that collects in a context; the count of sources if none does.
static uint32_t source_of(const kin_collector *collector, const kin_context *context)
{
    uint32_t number = 0;
    while (number < collector->source_count && collector->sources[number].context != context)
        number++;
    return number;
}

static kin__reading *reading_of(const kin__systems_reading *systems, uint32_t context)
{
    for (uint32_t i = 0; i < systems->context_count; i++)
        if (systems->contexts[i].file != NULL && systems->contexts[i].number == context)
            return &systems->contexts[i];
    return NULL;
}

// Marks the entity, whose slot was checked. False, with a fault noted, if the collector has it already.
static bool mark(kin__systems_reading *systems, const kin__reading *reading, kin_entity entity)
{
    uint32_t **marks = &systems->marks[reading - systems->contexts];
    if (*marks == NULL)
        *marks = kin__heap_take(&systems->heap, (size_t)reading->part->chunk_count * KIN__CHUNK_SLOTS, sizeof **marks);
    if (*marks == NULL)
        return false;
    uint32_t *at = &(*marks)[kin_entity_slot(entity)];
    if (*at == systems->collector_count)
        return kin__block_reader_fault(systems->blocks, 1308, "a system has collected an entity twice");
    KIN_ASSERT(*at < systems->collector_count);
    *at = systems->collector_count;
    return true;
}

static bool add_entry(const target *target, kin__read_collected *collected, uint32_t i)
{
    kin__reading *reading = reading_of(target->systems, collected->contexts[i]);
    kin_entity entity = collected->entities[i];
    if (reading == NULL)
        return true;
    uint32_t source = source_of(target->collector, reading->context);
    if (source == target->collector->source_count)
        return true;
    if (!target->is_on)
        return kin__block_reader_fault(target->systems->blocks, 1307, "a disabled system has collected an entity");
    if (!kin__slots_check_entity(reading, entity))
        return false;
    if (target->kept != NULL && !kin__bits_have(target->kept, kin_entity_slot(entity)))
        return true;
    KIN_ASSERT(collected->entry_count < collected->count);
    collected->entries[collected->entry_count++] = (kin__saved_entry){entity, source};
    return mark(target->systems, reading, entity) && kin__slots_hold(reading, entity);
}

// Makes the bits of the last values that the collector waits for, if it does.
static bool make_kept(target *target)
{
    const kin__source *source = &target->collector->sources[0];
    const kin__reading *reading = target->systems->contexts;
    uint32_t left = target->systems->context_count;
    for (; left > 0 && reading->context != source->context; left--)
        reading++;
    if (source->last_values == NULL || left == 0)
        return true;
    size_t words = (size_t)reading->part->chunk_count * KIN__CHUNK_WORDS;
    uint64_t *bits = kin__heap_take(&target->systems->heap, words, sizeof *bits);
    if (bits == NULL)
        return false;
    kin__kept_mark(reading, source->last_values->id, bits);
    target->kept = bits;
    return true;
}

static bool resolve_collector(target *target, kin__read_collected *collected)
{
    target->systems->collector_count++;
    target->kept = NULL;
    if (collected->count == 0)
        return true;
    collected->entries = kin__heap_take(&target->systems->heap, collected->count, sizeof *collected->entries);
    if (collected->entries == NULL || !make_kept(target))
        return false;
    for (uint32_t i = 0; i < collected->count; i++)
        if (!add_entry(target, collected, i))
            return false;
    return true;
}

// If the system has another number of collectors now, only its own one is the same.
static bool resolve_node(kin__systems_reading *systems, kin__read_node *node, bool is_on)
{
    const kin__reactive *reactive = &node->node->reactive;
    bool is_deactivated = (node->flags & KIN__SAVED_DEACTIVATED) != 0;
    uint32_t count = node->saved->collector_count;
    if (count != node->collector_count)
        count = count > 0 && reactive->collector != NULL;
    for (uint32_t i = 0; i < count; i++) {
        target target = {.systems = systems, .collector = kin__node_collector(node->node, i)};
        bool is_off = is_deactivated && target.collector == reactive->collector;
        target.is_on = is_on && !is_off;
        if (!resolve_collector(&target, &node->collected[i]))
            return false;
    }
    for (uint32_t i = 0; !is_on && i < node->inbox_count; i++)
        if (node->inboxes[i].count > 0)
            return kin__block_reader_fault(systems->blocks, 1307, "a disabled system has messages");
    return true;
}

bool kin__systems_resolve(kin__systems_reading *systems)
{
    bool *is_on = kin__heap_take(&systems->heap, (size_t)systems->node_count + 2, sizeof *is_on); // by depth
    if (!systems->has_root)
        return kin__fault_note(systems->fault, KIN_ERROR_SHAPE,
                               "it is the file of a context, without systems; read it in that context [K1305]");
    if (is_on == NULL)
        return false;
    KIN_ASSERT(systems->collector_count == 0);
    is_on[0] = true;
    for (uint32_t i = 0; i < systems->node_count; i++) {
        kin__read_node *node = &systems->nodes[i];
        bool is_enabled = !node->is_read || (node->flags & KIN__SAVED_ENABLED) != 0;
        uint32_t depth = node->saved->depth;
        KIN_ASSERT(depth <= systems->node_count);
        is_on[depth + 1] = is_on[depth] && is_enabled;
        if (node->is_read && !resolve_node(systems, node, is_on[depth + 1]))
            return false;
    }
    return true;
}

// ---- the state in snapshots

// The state of the systems as snapshots have it (snapshot/snapshot.h): the pieces that the world has now, with
// what the file says; as in a new world where it says nothing.

enum { OF_NOW = KIN__SAVED_COLLECTION | KIN__SAVED_FIXED_STEP | KIN__SAVED_MEMBERS | KIN__SAVED_ORDER };

// ---- collectors

// Returns the number of the part of a context; KIN__NOT_SAVED: it is not saved.
static uint64_t part_of(const kin__systems_reading *systems, const kin_context *context)
{
    for (uint32_t i = 0; i < systems->context_count; i++)
        if (systems->contexts[i].context == context)
            return i;
    return KIN__NOT_SAVED;
}

static void put_collector(const kin__systems_reading *systems, const kin_collector *collector,
                          const kin__read_collected *collected, kin__state *state)
{
    uint32_t count = 0;
    const kin__saved_entry *entries = NULL;
    if (collected != NULL) {
        count = collected->entry_count;
        entries = collected->entries;
    }
    kin__state_put_count(state, collector->source_count);
    uint64_t *parts = kin__state_take(state, collector->source_count * sizeof *parts);
    for (uint32_t i = 0; parts != NULL && i < collector->source_count; i++)
        parts[i] = part_of(systems, collector->sources[i].context);
    kin__state_put_count(state, count);
    kin__state_put(state, entries, count * sizeof *entries);
}

// ---- inboxes

static const kin__read_inbox *inbox_of(const kin__read_node *node, uint32_t message)
{
    for (uint32_t i = 0; i < node->inbox_count; i++)
        if (node->inboxes[i].shape != NULL && node->inboxes[i].shape->id == message)
            return &node->inboxes[i];
    return NULL;
}

// Writes the messages that the inbox has room for now; as when it was full, the schema says which are lost.
static void put_inbox(const kin__inbox *inbox, const kin__read_inbox *from, kin__state *state)
{
    uint32_t count = 0;
    uint32_t first = 0;
    uint32_t most = inbox->info->capacity;
    if (from != NULL)
        count = from->count;
    if (most > 0 && count > most) {
        if (inbox->info->full == KIN__FULL_OLDEST)
            first = count - most;
        count = most;
    }
    kin__saved_inbox saved = {inbox->info->message, count, (uint32_t)inbox->stride, from != NULL && from->is_warned};
    kin__state_put(state, &saved, sizeof saved);
    char *record = kin__state_take(state, count * inbox->stride);
    for (uint32_t i = first; record != NULL && i < first + count; i++, record += inbox->stride) {
        memset(record, 0, inbox->stride);
        memcpy(record, &from->serials[i], sizeof from->serials[i]);
        if (inbox->size > 0)
            memcpy(record + sizeof from->serials[i], from->values + i * inbox->size, inbox->size);
    }
}

// ---- nodes

// Without marks in the file, all entities count as changed.
static void put_order(const kin__read_node *node, const kin__schema_system *system, kin__state *state)
{
    static const uint64_t all = 1;
    const uint64_t *words = node->words;
    uint32_t count = node->word_count;
    if (count == 0) {
        words = &all;
        count = 1;
    }
    if (kin__tree_order_saved_size(system->order) == 0)
        count = 0;
    kin__state_put_count(state, count * sizeof(uint64_t));
    kin__state_put(state, words, count * sizeof(uint64_t));
}

// Writes what a system of the schema adds.
static void put_added(const kin__read_node *node, kin__state *state)
{
    const kin__schema_system *system = node->node->object;
    if ((node->saved->flags & KIN__SAVED_MEMBERS) != 0) {
        kin__state_put_count(state, node->member_count);
        kin__state_put(state, node->members, node->member_count * sizeof(kin_entity));
    }
    for (uint32_t i = 0; i < node->saved->inbox_count; i++)
        put_inbox(&system->inboxes[i], inbox_of(node, system->inboxes[i].info->message), state);
    if ((node->saved->flags & KIN__SAVED_ORDER) != 0)
        put_order(node, system, state);
}

static uint32_t flags_of(const kin__read_node *node)
{
    uint32_t now = node->saved->flags & OF_NOW;
    uint32_t flags = KIN__SAVED_ENABLED;
    if (node->is_read)
        flags = node->flags & KIN__SAVED_HASHED;
    if ((now & KIN__SAVED_MEMBERS) == 0)
        flags &= ~(uint32_t)KIN__SAVED_CURRENT;
    return now | flags;
}

// A step that the file lacks, and what it has of one that is no more, is 0.
static void put_clock(const kin__read_node *node, kin__state *state)
{
    kin__saved_clock clock = node->clock;
    bool has_step = node->has_step && (node->saved->flags & KIN__SAVED_FIXED_STEP) != 0;
    if (!has_step)
        clock = (kin__saved_clock){.time = clock.time, .frame = clock.frame, .tick = clock.tick};
    kin__state_put(state, &clock, sizeof clock);
}

static void put_node(const kin__systems_reading *systems, const kin__read_node *node, kin__state *state)
{
    kin__saved_node saved = *node->saved;
    KIN_ASSERT(node->node != NULL);
    size_t begin = state->size;
    unsigned char *place = kin__state_take(state, sizeof saved);
    kin__state_put(state, node->saved + 1, saved.name_size);
    if (node->node->nested != NULL)
        put_clock(node, state);
    for (uint32_t i = 0; i < saved.collector_count; i++) {
        const kin__read_collected *collected = NULL;
        if (i < node->collector_count)
            collected = &node->collected[i];
        put_collector(systems, kin__node_collector(node->node, i), collected, state);
    }
    saved.added = state->size - begin;
    saved.flags = flags_of(node);
    if (node->node->type != NULL && node->node->type->save != NULL)
        put_added(node, state);
    saved.size = state->size - begin;
    if (place != NULL)
        memcpy(place, &saved, sizeof saved);
}

size_t kin__systems_write_state(const kin__systems_reading *systems, kin_snapshot *snapshot)
{
    kin__state state = {.bytes = NULL};
    if (snapshot != NULL)
        state.bytes = snapshot->systems;
    kin__saved_world root = systems->root;
    root.node_count = systems->node_count;
    kin__state_put(&state, &root, sizeof root);
    for (uint32_t i = 0; i < systems->node_count; i++)
        put_node(systems, &systems->nodes[i], &state);
    return state.size;
}
