#include "play/replaced.h"

enum { MOST_CHUNKS = 1 << 15 };

static bool fault(kin__reading *reading, int code, const char *what)
{
    return kin__block_reader_fault(reading->blocks, code, "%s", what);
}

// ---- how many chunks

// Reads the kinds and chunks of all parts of the context, and finds its CTXT.
static bool look(kin__replaced *replaced, kin__reading *reading, const kin__frame_parts *parts)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__frame_part *part = &parts->parts[i];
        if (!kin__part_is_of(reading, part, &decoder))
            continue;
        if (kin__frame_part_is(part, "CTXT")) {
            if (replaced->context != NULL)
                return fault(reading, 1308, "a part is there twice");
            replaced->context = part;
            continue;
        }
        if (kin__frame_part_is(part, "SHAR"))
            continue;
        uint32_t chunk = kin__decode_32(&decoder);
        if (decoder.is_short || chunk >= MOST_CHUNKS)
            return fault(reading, 1307, "a part is of a chunk that there is not");
        replaced->chunk_count = chunk >= replaced->chunk_count ? chunk + 1 : replaced->chunk_count;
    }
    return true;
}

static bool make(kin__replaced *replaced, kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    size_t chunks = replaced->chunk_count;
    replaced->component_count = info->component_count;
    replaced->relation_count = info->relation_count;
    replaced->slots = kin__heap_take(&reading->heap, chunks, 1);
    replaced->columns = kin__heap_take(&reading->heap, chunks * info->component_count, 1);
    replaced->kept = kin__heap_take(&reading->heap, chunks * info->component_count, 1);
    replaced->links = kin__heap_take(&reading->heap, chunks * info->relation_count, 1);
    return replaced->slots != NULL && replaced->columns != NULL && replaced->kept != NULL && replaced->links != NULL;
}

// ---- marking

static bool mark(kin__reading *reading, unsigned char *bytes, size_t at)
{
    if (bytes[at] != 0)
        return fault(reading, 1308, "a part is there twice");
    bytes[at] = 1;
    return true;
}

static bool mark_component(kin__replaced *replaced, kin__reading *reading, const kin__frame_part *part,
                           kin__decoder *decoder, uint32_t chunk)
{
    uint32_t number = kin__decode_32(decoder);
    unsigned char *bytes = kin__frame_part_is(part, "COLM") ? replaced->columns : replaced->kept;
    if (decoder->is_short || number >= reading->file->component_count)
        return fault(reading, 1307, "there is no component with its number");
    const kin__component_shape *now = reading->file->components[number].now;
    return now == NULL || mark(reading, bytes, (size_t)chunk * replaced->component_count + now->id);
}

static bool mark_links(kin__replaced *replaced, kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    const kin_context_info *info = reading->context->info;
    uint32_t component = kin__decode_32(decoder);
    uint32_t number = 0;
    uint16_t leaf = kin__decode_16(decoder);
    if (decoder->is_short || component >= reading->file->component_count ||
        leaf >= reading->file->components[component].leaf_count)
        return fault(reading, 1307, "there is no field with its number");
    const kin__value_leaf *now = reading->file->components[component].leaves[leaf].now;
    while (number < info->relation_count && (now == NULL || info->relations[number].field != now->field))
        number++;
    return number == info->relation_count ||
           mark(reading, replaced->links, (size_t)chunk * info->relation_count + number);
}

static bool mark_part(kin__replaced *replaced, kin__reading *reading, const kin__frame_part *part,
                      kin__decoder *decoder)
{
    if (kin__frame_part_is(part, "CTXT"))
        return true;
    uint32_t chunk = kin__decode_32(decoder);
    if (kin__frame_part_is(part, "SLOT"))
        return mark(reading, replaced->slots, chunk);
    if (kin__frame_part_is(part, "COLM") || kin__frame_part_is(part, "KEEP"))
        return mark_component(replaced, reading, part, decoder, chunk);
    if (kin__frame_part_is(part, "SHAR"))
        return true; // its rows are replaced one by one
    if (kin__frame_part_is(part, "LINK"))
        return mark_links(replaced, reading, decoder, chunk);
    return fault(reading, 1309, "a part of its kind must not stand here");
}

bool kin__replaced_find(kin__replaced *replaced, kin__reading *reading, const kin__frame_parts *parts,
                        uint32_t chunk_count)
{
    kin__decoder decoder;
    *replaced = (kin__replaced){.chunk_count = chunk_count};
    if (!look(replaced, reading, parts) || !make(replaced, reading))
        return false;
    for (uint32_t i = 0; i < parts->count; i++)
        if (kin__part_is_of(reading, &parts->parts[i], &decoder) &&
            !mark_part(replaced, reading, &parts->parts[i], &decoder))
            return false;
    return true;
}
