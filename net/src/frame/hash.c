#include "frame/frame.h"

#include <string.h>

// The hash of what a view shows: of each entity its handle, then the number of each component that is shown and its
// leaves. In order of slots, XXH64.
typedef struct hashing {
    const kin__layout *layout;
    const kin__context_snapshot *part;
    kin__bytes_out *out;
    void *scratch;
    bool is_shown;
} hashing;

static void add_component(const hashing *hashing, uint32_t chunk, uint32_t place, uint32_t component, kin_entity entity)
{
    const kin__net_component *shown = hashing->layout->components[component];
    const kin__image *image = kin__part_image(hashing->part, chunk, shown->id);
    if (image == NULL || !kin__bits_have(kin__image_has(image), place))
        return;
    kin__put_number(hashing->out, component + 1);
    if (shown->leaf_count == 0)
        return;
    const char *value = kin__image_value(hashing->layout->info, image, place, hashing->scratch);
    for (uint32_t i = 0; i < shown->leaf_count; i++) {
        const kin__net_leaf *leaf = &shown->leaves[i];
        kin__leaf_at at = {leaf, leaf->precision, entity};
        kin__leaf_put_whole(hashing->out, &at, value + leaf->offset, hashing->is_shown);
    }
}

static void add_chunk(const hashing *hashing, const kin__sight *sight, uint32_t chunk)
{
    uint64_t places[KIN__CHUNK_WORDS];
    kin__sight_see(sight, hashing->part, chunk, places);
    EACH_OF_ROW(place, places, KIN__CHUNK_WORDS)
    {
        kin_entity entity = kin__image_ids(kin__part_head(hashing->part, chunk))[place];
        kin__put_64(hashing->out, entity);
        for (uint32_t i = 0; i < hashing->layout->component_count; i++)
            add_component(hashing, chunk, place, i, entity);
        kin__put_8(hashing->out, 0);
    }
}

static size_t largest_value(const kin_context_info *info)
{
    size_t size = 1;
    for (uint32_t id = 0; id < info->component_count; id++)
        size = kin__max_size(size, info->components[id].size);
    return kin__round_up(size);
}

static bool add_part(const kin__hash_part *part, const kin_view *view, bool is_shown, kin__memory *memory,
                     kin__xxh64 *hash)
{
    size_t size = largest_value(part->layout->info);
    kin__bytes_out out = {.memory = *memory};
    kin__sight sight = kin__sight_of(part->layout->context, view);
    hashing hashing = {part->layout, part->part, &out, kin__allocate(memory, size), is_shown};
    for (uint32_t chunk = 0; hashing.scratch != NULL && chunk < part->part->chunk_count; chunk++) {
        out.size = 0;
        add_chunk(&hashing, &sight, chunk);
        if (out.size > 0)
            kin__xxh64_add(hash, out.at, out.size);
    }
    bool is_added = hashing.scratch != NULL && !out.has_failed;
    if (out.has_failed)
        memory->refused = out.memory.refused;
    kin__release(memory, hashing.scratch, size);
    kin__bytes_out_release(&out);
    return is_added;
}

bool kin__view_hash(const kin__hash_part *parts, uint32_t count, const kin_view *view, bool is_shown,
                    kin__memory *memory, uint64_t *hash)
{
    kin__xxh64 sum = kin__xxh64_begin(0);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char number[4];
        kin__little_write_32(number, parts[i].layout->context->number);
        kin__xxh64_add(&sum, number, sizeof number);
        if (!add_part(&parts[i], view, is_shown, memory, &sum))
            return false;
    }
    *hash = kin__xxh64_end(&sum);
    return true;
}
