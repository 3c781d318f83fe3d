#include "save/save_chunk.h"

#include "base/base.h"

#include <kin/entity.h>

#include <string.h>

enum { MOST_BYTES = 1 << 30, SLOT_BITS = 24 }; // bytes of a chunk, so that compressed files cannot claim all memory

uint32_t save_bits_read(kin__decoder *decoder, uint64_t words[SAVE_CHUNK_WORDS])
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < SAVE_CHUNK_WORDS; word++) {
        words[word] = kin__decode_64(decoder);
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1)
            count++;
    }
    return count;
}

// ---- slots

static bool begin_chunk(save_walk *walk)
{
    save_chunk *chunk = &walk->chunk;
    save_file *file = &walk->file;
    arena_release(&chunk->arena);
    *chunk =
        (save_chunk){.arena = arena_beside(file->arena), .context = file->place.context, .number = file->place.chunk};
    if (chunk->number >= walk->chunk_count)
        return save_file_wrong(file, 1307, "it is of a chunk that there is not");
    if (save_bits_read(&file->decoder, chunk->alive) == 0)
        return save_file_wrong(file, 1307, "it has no entities");
    for (uint32_t place = 0; place < SAVE_CHUNK_SLOTS; place++) {
        if (!save_has(chunk->alive, place))
            continue;
        uint64_t index = kin__decode_32(&file->decoder);
        index |= (uint64_t)kin__decode_8(&file->decoder) << 32;
        if (index < walk->first_index || index >= walk->next_index)
            return save_file_wrong(file, 1307, "a creation index is out of range");
        chunk->entities[place] = index << SLOT_BITS | (chunk->number * SAVE_CHUNK_SLOTS + place);
    }
    return kin__decoder_end(&file->decoder, &file->blocks);
}

// ---- columns

static bool is_of_entities(const save_chunk *chunk, const uint64_t has[SAVE_CHUNK_WORDS])
{
    uint64_t others = 0;
    for (uint32_t word = 0; word < SAVE_CHUNK_WORDS; word++)
        others |= has[word] & ~chunk->alive[word];
    return others == 0;
}

static bool add_column(save_walk *walk)
{
    save_chunk *chunk = &walk->chunk;
    save_file *file = &walk->file;
    size_t size = kin__decoder_left(&file->decoder);
    save_column *column = arena_allocate(&chunk->arena, sizeof *column);
    column->component = file->place.component;
    chunk->size += size + sizeof *column;
    if (chunk->size > MOST_BYTES)
        return save_file_wrong(file, 1307, "its chunk has more bytes than there can be");
    const unsigned char *bytes = (const unsigned char *)arena_copy(&chunk->arena, (const char *)file->decoder.at, size);
    kin__decoder decoder = {bytes, bytes + size, file->decoder.is_short};
    column->values.component = &file->schema.contexts[chunk->context].components[column->component];
    column->values.count = save_bits_read(&decoder, column->has);
    if (column->values.count == 0 || !is_of_entities(chunk, column->has))
        return save_file_wrong(file, 1307,
                               column->values.count == 0 ? "it has no values" : "it has values of no entity");
    if (chunk->last == NULL)
        chunk->first = column;
    else
        chunk->last->next = column;
    chunk->last = column;
    return save_values_begin(&column->values, file, &chunk->arena, &decoder) &&
           kin__decoder_end(&decoder, &file->blocks);
}

// Reads a chunk up to the block after it.
static bool read_chunk(save_walk *walk)
{
    if (!begin_chunk(walk))
        return false;
    while (save_file_next(&walk->file)) {
        if (walk->file.place.kind != SAVE_COLUMN || walk->file.place.chunk != walk->chunk.number) {
            walk->has_next = true;
            return true;
        }
        if (!add_column(walk))
            return false;
    }
    return !save_file_is_faulty(&walk->file);
}

// ---- steps

// The rest of the block is read by those that need it.
static bool begin_context(save_walk *walk)
{
    kin__decoder decoder = walk->file.decoder;
    walk->next_index = kin__decode_64(&decoder);
    walk->first_index = kin__decode_64(&decoder);
    walk->chunk_count = kin__decode_32(&decoder);
    if (decoder.is_short || walk->first_index == 0 || walk->next_index < walk->first_index ||
        walk->next_index > (uint64_t)1 << 40)
        return save_file_wrong(&walk->file, 1307, "its creation indices are out of range");
    return walk->chunk_count <= SAVE_CHUNK_LIMIT || save_file_wrong(&walk->file, 1307, "it has too many chunks");
}

save_step save_walk_next(save_walk *walk)
{
    if (!walk->has_next && (!save_file_next(&walk->file) || walk->file.is_done))
        return SAVE_STEP_END;
    walk->has_next = false;
    switch (walk->file.place.kind) {
    case SAVE_CONTEXT:
        return begin_context(walk) ? SAVE_STEP_CONTEXT : SAVE_STEP_END;
    case SAVE_SLOTS:
        return read_chunk(walk) ? SAVE_STEP_CHUNK : SAVE_STEP_END;
    case SAVE_COLUMN:
        save_file_wrong(&walk->file, 1307, "it has values of no entity");
        return SAVE_STEP_END;
    case SAVE_KEPT:
        return SAVE_STEP_KEPT;
    case SAVE_SHARED:
        return SAVE_STEP_SHARED;
    case SAVE_LINKS:
        return SAVE_STEP_LINKS;
    case SAVE_SYSTEM:
        return SAVE_STEP_SYSTEM;
    default:
        return SAVE_STEP_END;
    }
}

void save_walk_end(save_walk *walk)
{
    arena_release(&walk->chunk.arena);
    save_file_end(&walk->file);
}
