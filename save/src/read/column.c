#include "read/column.h"

#include "read/migrate.h"
#include "read/storing.h"
#include "read/values.h"

#include <string.h>

// `*stored` counts the values whose opaque values the image owns.
static bool make_image(kin__reading *reading, uint32_t chunk, kin_component_id id, const uint64_t has[KIN__CHUNK_WORDS],
                       uint32_t *stored)
{
    const kin_component_info *info = &reading->context->info->components[id];
    kin__image *image = kin__column_begin(reading, chunk, id);
    for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(has, place))
            continue;
        if (!kin__column_store(reading, image, place, reading->values + *stored * info->size))
            return false;
        ++*stored;
    }
    return image != NULL && kin__column_end(reading, chunk, image);
}

// ---- reading

// Reads the bits of the places with values, and finds their entities. Returns their number; 0, with a fault noted, if
// they are invalid.
static uint32_t read_places(kin__reading *reading, kin__decoder *decoder, uint32_t chunk,
                            uint64_t has[KIN__CHUNK_WORDS], kin_entity entities[KIN__CHUNK_SLOTS])
{
    const kin__image *head = kin__reading_head(reading, chunk);
    uint32_t count = 0;
    bool is_wrong = head == NULL;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        has[word] = kin__decode_64(decoder);
        is_wrong = is_wrong || (has[word] & ~kin__image_alive(head)[word]) != 0;
    }
    for (uint32_t place = 0; !is_wrong && place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(has, place))
            entities[count++] = kin__image_ids(head)[place];
    if (is_wrong || count == 0)
        kin__block_reader_fault(reading->blocks, 1307, is_wrong ? "it has values of no entity" : "it has no values");
    return is_wrong ? 0 : count;
}

bool kin__column_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    uint64_t has[KIN__CHUNK_WORDS];
    kin_entity entities[KIN__CHUNK_SLOTS];
    uint32_t number = kin__decode_32(decoder), stored = 0;
    if (number >= reading->file->component_count)
        return kin__block_reader_fault(reading->blocks, 1307, "there is no component with its number");
    const kin__file_component *component = &reading->file->components[number];
    kin__read_values values = {.reader = reading->blocks,
                               .reading = reading,
                               .heap = &reading->value_heap,
                               .component = component,
                               .entities = entities,
                               .values = reading->values,
                               .decoder = decoder,
                               .report = &reading->report};
    values.count = read_places(reading, decoder, chunk, has, entities);
    if (values.count == 0 || !kin__migrating_keep_column(reading, number, has, decoder))
        return false;
    if (component->now != NULL && kin__decided_of(reading, component->now->id) != NULL)
        return kin__migrating_decode(reading, &values);
    bool is_read = kin__values_decode(&values) &&
                   (component->now == NULL || make_image(reading, chunk, component->now->id, has, &stored));
    if (!is_read)
        kin__values_drop(&values, stored);
    kin__heap_release(&reading->value_heap);
    return is_read;
}
