#include "write/links.h"

#include "lookup/lookup.h"

#include <string.h>

static const kin__relation_block *block_of(const kin__link_block *links, uint32_t chunk)
{
    const kin__image *image = kin__part_image(links->part, chunk, links->image);
    return image == NULL ? NULL : kin__image_links(image);
}

static void write_target(kin__block_writer *writer, const kin__link_block *links, uint32_t slot, uint32_t count)
{
    const kin__relation_block *block = block_of(links, slot / KIN__CHUNK_SLOTS);
    uint32_t node = block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next;
    kin__write_32(writer, slot);
    kin__write_32(writer, count);
    for (uint32_t i = 0; i < count && kin__is_holder_node(node); i++) {
        uint32_t holder = kin__relation_slot_of(node);
        kin__write_32(writer, holder);
        node = block_of(links, holder / KIN__CHUNK_SLOTS)->nodes[holder % KIN__CHUNK_SLOTS].next;
    }
}

static uint32_t count_targets(const kin__link_block *links)
{
    const kin__relation_block *block = block_of(links, links->chunk);
    uint32_t targets = 0;
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
        targets += block->counts[place] > 1;
    return targets;
}

void kin__link_block_write(kin__block_writer *writer, const kin__link_block *links)
{
    const kin__relation_block *block = block_of(links, links->chunk);
    uint32_t targets = count_targets(links);
    kin__write_32(writer, links->context);
    kin__write_32(writer, links->chunk);
    kin__write_32(writer, links->component);
    kin__write_16(writer, (uint16_t)links->leaf);
    kin__write_32(writer, targets);
    for (uint32_t place = 0; targets > 0 && place < KIN__CHUNK_SLOTS; place++)
        if (block->counts[place] > 1)
            write_target(writer, links, links->chunk * KIN__CHUNK_SLOTS + place, block->counts[place]);
}

// Returns the number of the relation of a field; the count of relations if it has none.
static uint32_t relation_of(const kin_context_info *info, const kin_field_info *field)
{
    uint32_t number = 0;
    while (number < info->relation_count && info->relations[number].field != field)
        number++;
    return number;
}

bool kin__link_block_next(kin__link_block *links, const kin__shape *shape)
{
    for (; links->component < shape->count; links->component++, links->next_leaf = 0) {
        const kin__leaves *leaves = &shape->components[links->component].leaves;
        while (links->next_leaf < leaves->count) {
            links->leaf = links->next_leaf++;
            uint32_t number = relation_of(shape->info, leaves->leaves[links->leaf].field);
            links->image = kin__links_number(shape->info, number);
            if (number < shape->info->relation_count)
                return true;
        }
    }
    return false;
}

void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context)
{
    kin__link_block links = {.part = part->part, .context = context};
    while (kin__link_block_next(&links, part->shape))
        for (links.chunk = 0; links.chunk < part->part->chunk_count; links.chunk++) {
            if (count_targets(&links) == 0)
                continue;
            kin__link_block_write(writer, &links);
            kin__block_writer_put(writer, "LINK");
        }
}
