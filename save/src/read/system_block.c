// Decoding SYST: everything that can be checked without the slots of the contexts.

#include "file/file.h"
#include "read/systems.h"
#include "read/values.h"
#include "world_snapshot/world_encode.h"

#include <string.h>

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
    return (!decoder->is_short && count <= kin__decoder_left(decoder) / size) ||
           wrong(systems, "it counts more than it has");
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
    clock->tick = (kin_tick){.time = clock->time, .frame = clock->frame == 0 ? 0 : clock->frame - 1};
    uint8_t step = kin__decode_8(decoder);
    *has_step = step == 1;
    if (step == 1) {
        clock->accumulated = decode_double(decoder);
        clock->origin = decode_double(decoder);
        clock->dropped = decode_double(decoder);
        clock->steps = kin__decode_64(decoder);
        clock->step_frame = kin__decode_64(decoder);
    }
    return (step <= 1 && kin__clock_is_finite(clock)) || wrong(systems, "a clock shows no time");
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
    return i == 0 || inbox->serials[i] > inbox->serials[i - 1] ||
           kin__block_reader_fault(systems->blocks, 1308, "a message is there twice, or in no order");
}

static bool decode_messages(kin__systems_reading *systems, kin__decoder *decoder, kin__read_inbox *inbox)
{
    const kin__file_component *message = &systems->schema->messages[inbox->number];
    size_t size = message->now == NULL || message->now->info->size == 0 ? 1 : message->now->info->size;
    kin_read_report report = {0};
    inbox->shape = message->now;
    inbox->serials = kin__heap_take(&systems->heap, inbox->count, sizeof *inbox->serials);
    inbox->values = kin__heap_take(&systems->heap, message->now == NULL ? 0 : inbox->count, size);
    if (inbox->serials == NULL || inbox->values == NULL)
        return false;
    for (uint32_t i = 0; i < inbox->count; i++) {
        kin__read_values values = {.reader = systems->blocks,
                                   .heap = &systems->heap,
                                   .component = message,
                                   .count = 1,
                                   .values = message->now == NULL ? NULL : inbox->values + i * size,
                                   .decoder = decoder,
                                   .report = &report};
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
    uint32_t more = (node->flags & KIN__ENCODED_MORE) == 0 ? 0 : kin__decode_16(decoder);
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
    return (node->flags & KIN__ENCODED_MORE) == 0 || more > 0 || wrong(systems, "it counts no collectors");
}

// Marks are whether all are marked, else one bit for each slot, up to the last one that is.
static bool decode_words(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    static const uint32_t most = 1 + (1 << 24) / 64;
    node->word_count = (node->flags & KIN__ENCODED_ORDER) == 0 ? 0 : kin__decode_32(decoder);
    if (!has_room(systems, decoder, node->word_count, sizeof(uint64_t)))
        return false;
    node->words = kin__heap_take(&systems->heap, node->word_count, sizeof *node->words);
    for (uint32_t i = 0; node->words != NULL && i < node->word_count; i++)
        node->words[i] = kin__decode_64(decoder);
    if (node->words == NULL)
        return false;
    uint32_t count = node->word_count;
    bool is_right = count == 0 || (count <= most && node->words[0] <= (count == 1 ? 1u : 0u) &&
                                   (count == 1 || node->words[count - 1] != 0));
    return is_right || wrong(systems, "its marks are out of range");
}

static bool decode_warned(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    if ((node->flags & KIN__ENCODED_WARNED) == 0)
        return true;
    bool any = false, is_right = true;
    for (uint32_t i = 0; i < node->inbox_count; i++) {
        uint8_t warned = kin__decode_8(decoder);
        is_right = is_right && warned <= 1;
        any = any || warned != 0;
        node->inboxes[i].is_warned = warned != 0;
    }
    return (any && is_right) || wrong(systems, "it says of no inbox whether it has warned");
}

bool kin__system_decode(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node)
{
    kin__read_collected first = {0};
    node->flags = kin__decode_8(decoder);
    node->is_read = true;
    if ((node->flags & ~(uint32_t)KNOWN_FLAGS) != 0)
        return wrong(systems, "it has an unknown flag");
    return decode_clock(systems, decoder, &node->clock, &node->has_step) &&
           decode_collected(systems, decoder, &first) && decode_members(systems, decoder, node) &&
           decode_inboxes(systems, decoder, node) && decode_more(systems, decoder, node, &first) &&
           decode_words(systems, decoder, node) && decode_warned(systems, decoder, node) &&
           kin__decoder_end(decoder, systems->blocks);
}

bool kin__root_decode(kin__systems_reading *systems, kin__decoder *decoder)
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
    if (flags != KIN__SAVED_ENABLED || has_step || rest != 0 || root->pushed_count > KIN__MAX_PUSHED)
        return wrong(systems, "the root has what only systems have, or too many ticks");
    for (uint32_t i = 0; i < root->pushed_count; i++) {
        root->pushed[i].delta = decode_double(decoder);
        root->pushed[i].time = decode_double(decoder);
        root->pushed[i].frame = kin__decode_64(decoder);
    }
    root->published = kin__decode_64(decoder);
    systems->has_root = true;
    return kin__decoder_end(decoder, systems->blocks);
}
