#include "write/links.h"

#include "relation/relation.h"

#include <string.h>

// One relation of a context.
typedef struct relation {
    const kin__context_snapshot *part;
    uint32_t context, component, leaf, image; // its numbers in the file, and the number of the images of its links
} relation;

static const kin__relation_block *block_of(const relation *relation, uint32_t chunk)
{
    const kin__image *image = kin__part_image(relation->part, chunk, relation->image);
    return image == NULL ? NULL : kin__image_links(image);
}

static void write_target(kin__block_writer *writer, const relation *relation, uint32_t slot, uint32_t count)
{
    const kin__relation_block *block = block_of(relation, slot / KIN__CHUNK_SLOTS);
    uint32_t node = block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next;
    kin__write_32(writer, slot);
    kin__write_32(writer, count);
    for (uint32_t i = 0; i < count && kin__is_holder_node(node); i++) {
        uint32_t holder = kin__relation_slot_of(node);
        kin__write_32(writer, holder);
        node = block_of(relation, holder / KIN__CHUNK_SLOTS)->nodes[holder % KIN__CHUNK_SLOTS].next;
    }
}

static void write_chunk(kin__block_writer *writer, const relation *relation, uint32_t chunk)
{
    const kin__relation_block *block = block_of(relation, chunk);
    uint32_t targets = 0;
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
        targets += block->counts[place] > 1;
    if (targets == 0)
        return;
    kin__write_32(writer, relation->context);
    kin__write_32(writer, chunk);
    kin__write_32(writer, relation->component);
    kin__write_16(writer, (uint16_t)relation->leaf);
    kin__write_32(writer, targets);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (block->counts[place] > 1)
            write_target(writer, relation, chunk * KIN__CHUNK_SLOTS + place, block->counts[place]);
    kin__block_writer_put(writer, "LINK");
}

// Returns the number of the relation of a field; the count of relations if it has none.
static uint32_t relation_of(const kin_context_info *info, const kin_field_info *field)
{
    uint32_t number = 0;
    while (number < info->relation_count && info->relations[number].field != field)
        number++;
    return number;
}

void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context)
{
    const kin_context_info *info = part->part->info;
    for (uint32_t i = 0; i < part->shape->count; i++) {
        const kin__leaves *leaves = &part->shape->components[i].leaves;
        for (uint32_t k = 0; k < leaves->count; k++) {
            uint32_t number = relation_of(info, leaves->leaves[k].field);
            if (number == info->relation_count)
                continue;
            relation relation = {part->part, context, i, k, kin__links_number(info, number)};
            for (uint32_t chunk = 0; chunk < part->part->chunk_count; chunk++)
                write_chunk(writer, &relation, chunk);
        }
    }
}
