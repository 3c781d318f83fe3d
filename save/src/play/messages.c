#include "play/messages.h"

#include "read/values.h"

#include <string.h>

static const char *identity_of(const kin_message_info *info)
{
    return info->identity != NULL ? info->identity : info->name;
}

// Returns the message with a number among the identities; `message_count` if there is none.
static uint32_t find_message(const kin_world_info *info, uint32_t number)
{
    for (uint32_t i = 0; i < info->message_count; i++) {
        uint32_t before = 0;
        for (uint32_t k = 0; k < info->message_count; k++)
            before += strcmp(identity_of(&info->messages[k]), identity_of(&info->messages[i])) < 0;
        if (before == number)
            return i;
    }
    return info->message_count;
}

// Returns the size of a message in inboxes.
static size_t size_of(const kin__world *world, uint32_t message)
{
    return world->info->messages[message].size;
}

// The shape of a message, as that of a component.
typedef struct shape {
    kin_component_info info;
    kin__component_shape now;
    kin__file_component component;
} shape;

static bool make_shape(shape *shape, const kin_message_info *message, size_t size, kin__heap *heap)
{
    kin__leaf_room room = {0};
    kin__leaves_measure(&room, message->fields, message->field_count);
    kin__leaf_memory memory = {.leaves = kin__heap_take(heap, room.leaves, sizeof *memory.leaves),
                               .dimensions = kin__heap_take(heap, room.dimensions, sizeof *memory.dimensions),
                               .letters = kin__heap_take(heap, room.letters, 1)};
    kin__file_leaf *leaves = kin__heap_take(heap, room.leaves, sizeof *leaves);
    if (memory.leaves == NULL || memory.dimensions == NULL || memory.letters == NULL || leaves == NULL)
        return false;
    shape->info.size = size;
    shape->now.info = &shape->info;
    shape->now.leaves = kin__leaves_make(&memory, message->fields, message->field_count);
    for (uint32_t i = 0; i < shape->now.leaves.count; i++) {
        const kin__value_leaf *leaf = &shape->now.leaves.leaves[i];
        leaves[i] = (kin__file_leaf){
            .path = leaf->path, .type = leaf->field->type, .elements = leaf->elements, .now = leaf};
    }
    shape->component = (kin__file_component){message->name, shape->now.leaves.count, leaves, &shape->now, false, false,
                                             false};
    return true;
}

static bool read_records(kin__read_inbox *inbox, const shape *shape, kin__recording *recording, kin__heap *heap,
                         kin__decoder *decoder)
{
    kin_read_report report = {0};
    kin_entity entity = 0;
    kin__read_values values = {.reader = &recording->reader,
                               .heap = heap,
                               .component = &shape->component,
                               .entities = &entity,
                               .count = 1,
                               .decoder = decoder,
                               .report = &report};
    for (uint32_t i = 0; i < inbox->count; i++) {
        inbox->serials[i] = kin__decode_64(decoder);
        values.values = inbox->values + (size_t)i * inbox->size;
        if (!kin__values_read(&values))
            return false;
    }
    return true;
}

bool kin__inbox_read(kin__read_inbox *inbox, kin__recording *recording, kin__heap *heap, kin__decoder *decoder)
{
    const kin_world_info *info = recording->world->info->shown;
    shape *shape = kin__heap_take(heap, 1, sizeof *shape);
    uint32_t number = kin__decode_32(decoder);
    inbox->count = kin__decode_32(decoder);
    inbox->message = find_message(info, number);
    if (decoder->is_short || inbox->message == info->message_count)
        return kin__block_reader_fault(&recording->reader, 1307, "there is no message with its number");
    if (inbox->count > kin__decoder_left(decoder) / sizeof(uint64_t))
        return kin__block_reader_fault(&recording->reader, 1307, "an inbox counts more than it has");
    inbox->size = size_of(recording->world, inbox->message);
    inbox->serials = kin__heap_take(heap, inbox->count, sizeof *inbox->serials);
    inbox->values = kin__heap_take(heap, inbox->count, inbox->size + 1);
    return shape != NULL && inbox->serials != NULL && inbox->values != NULL &&
           make_shape(shape, &info->messages[inbox->message], inbox->size, heap) &&
           read_records(inbox, shape, recording, heap, decoder);
}
