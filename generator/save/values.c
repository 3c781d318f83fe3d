// The values of a block, and the entities of a chunk with all their values.
#include "generator/save/save.h"

#include "base/base.h"
#include "file/file.h"

#include <assert.h>
#include <kin/entity.h>
#include <kin/generated/list.h>
#include <string.h>

// ---- values

enum { LENGTH = 4 }; // bytes of a length, or of a count

bool save_leaf_is_text(const kin__file_leaf *leaf)
{
    return kin__file_width(leaf->type) == 0;
}

static size_t element_size(const kin__file_leaf *leaf)
{
    return save_leaf_is_text(leaf) ? LENGTH : kin__file_width(leaf->type);
}

// ---- checking

typedef struct check {
    save_file *file;
    const save_values *values;
    kin__decoder *decoder;
} check;

static bool wrong(const check *check, const save_leaf *leaf)
{
    return kin__block_reader_fault(&check->file->blocks, 1307, "%.80s.%.80s has what no value of its type is",
                                   check->values->component->name, leaf->leaf->path);
}

bool save_leaves_are_of_one_list(const kin__file_leaf *one, const kin__file_leaf *other)
{
    size_t size = strcspn(one->path, ".");
    return one->is_list && other->is_list && strcspn(other->path, ".") == size &&
           memcmp(one->path, other->path, size) == 0;
}

static bool has_length_of_previous(const save_leaf *leaf, uint32_t number, uint32_t count)
{
    const save_leaf *previous = leaf - 1;
    return !save_leaves_are_of_one_list(previous->leaf, leaf->leaf) ||
           kin__little_read_32(previous->counts + (size_t)number * LENGTH) / previous->leaf->elements ==
               count / leaf->leaf->elements;
}

// Reads how many elements there are of all values.
static bool read_counts(const check *check, save_leaf *leaf, uint64_t *sum)
{
    bool is_first = leaf == check->values->leaves;
    *sum = (uint64_t)check->values->count * leaf->leaf->elements;
    if (!leaf->leaf->is_list)
        return true;
    leaf->counts = kin__decode_bytes(check->decoder, (size_t)check->values->count * LENGTH);
    *sum = 0;
    for (uint32_t i = 0; leaf->counts != NULL && i < check->values->count; i++) {
        uint32_t count = kin__little_read_32(leaf->counts + (size_t)i * LENGTH);
        if (count % leaf->leaf->elements != 0 || count / leaf->leaf->elements > KIN__LIST_LIMIT)
            return save_file_wrong(check->file, 1307, "a list has a wrong length");
        if (!is_first && !has_length_of_previous(leaf, i, count))
            return save_file_wrong(check->file, 1307, "a list has several lengths");
        *sum += count;
    }
    return leaf->counts != NULL || save_file_wrong(check->file, 1307, "it counts more than it has");
}

static bool is_number_valid(const kin__file_leaf *leaf, const unsigned char *number)
{
    if (leaf->type == KIN_TYPE_BOOL)
        return kin__leaf_allows(leaf->type, *number);
    return leaf->type != KIN_TYPE_ENTITY || kin__leaf_allows(leaf->type, kin__little_read_64(number));
}

// Strings have no NUL; the bytes of opaque values may be any.
static bool check_texts(const check *check, save_leaf *leaf, uint64_t count)
{
    leaf->letters = check->decoder->at;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t length = kin__little_read_32(leaf->elements + i * LENGTH);
        if (length == SAVE_TEXT_NULL) {
            if (leaf->leaf->type != KIN_TYPE_STRING)
                return wrong(check, leaf);
            continue;
        }
        const unsigned char *letters = kin__decode_bytes(check->decoder, length);
        if (letters == NULL)
            return save_file_wrong(check->file, 1307, "it counts more than it has");
        if (leaf->leaf->type != KIN_TYPE_OPAQUE && length > 0 && memchr(letters, 0, length) != NULL)
            return wrong(check, leaf);
    }
    return true;
}

static bool check_leaf(const check *check, save_leaf *leaf)
{
    uint64_t sum;
    size_t size = element_size(leaf->leaf);
    if (!read_counts(check, leaf, &sum))
        return false;
    if (sum > kin__decoder_left(check->decoder) / size)
        return save_file_wrong(check->file, 1307, "it counts more than it has");
    leaf->elements = kin__decode_bytes(check->decoder, (size_t)sum * size);
    if (save_leaf_is_text(leaf->leaf))
        return check_texts(check, leaf, sum);
    for (uint64_t i = 0; i < sum; i++)
        if (!is_number_valid(leaf->leaf, leaf->elements + i * size))
            return wrong(check, leaf);
    return true;
}

bool save_values_begin(save_values *values, save_file *file, arena *arena, kin__decoder *decoder)
{
    check check = {file, values, decoder};
    uint32_t leaf_count = values->component->leaf_count;
    assert(values->component != NULL);
    values->leaves = arena_allocate(arena, leaf_count * sizeof *values->leaves + 1);
    values->next = arena_allocate(arena, leaf_count * sizeof *values->next + 1);
    for (uint32_t i = 0; i < leaf_count; i++) {
        values->leaves[i].leaf = &values->component->leaves[i];
        if (!check_leaf(&check, &values->leaves[i]))
            return false;
    }
    return true;
}

// ---- reading

save_leaf_value save_values_next(save_values *values, uint32_t number)
{
    save_leaf *leaf = &values->leaves[number];
    save_leaf_value value = {
        .leaf = leaf->leaf, .count = leaf->leaf->elements, .element_size = element_size(leaf->leaf)};
    assert(number < values->component->leaf_count);
    if (leaf->counts != NULL) {
        value.count = kin__little_read_32(leaf->counts);
        leaf->counts += LENGTH;
    }
    value.elements = leaf->elements;
    leaf->elements += value.count * value.element_size;
    if (!save_leaf_is_text(leaf->leaf))
        return value;
    value.letters = leaf->letters;
    for (uint32_t i = 0; i < value.count; i++) {
        uint32_t length = kin__little_read_32(value.elements + (size_t)i * LENGTH);
        if (length != SAVE_TEXT_NULL)
            value.text_size += length;
    }
    leaf->letters += value.text_size;
    return value;
}

bool save_leaf_values_are_equal(const save_leaf_value *one, const save_leaf_value *other)
{
    size_t size = one->count * one->element_size;
    bool is_same_type = one->leaf->type == other->leaf->type && one->leaf->is_list == other->leaf->is_list;
    bool is_same_size = one->count == other->count && one->text_size == other->text_size;
    if (!is_same_type || !is_same_size)
        return false;
    if (memcmp(one->elements, other->elements, size) != 0)
        return false;
    return one->text_size == 0 || memcmp(one->letters, other->letters, one->text_size) == 0;
}

// ---- chunks

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
    assert(file->place.kind == SAVE_SLOTS);
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
    assert(file->place.kind == SAVE_COLUMN && file->place.context == chunk->context);
    column->component = file->place.component;
    chunk->size += size + sizeof *column;
    if (chunk->size > MOST_BYTES)
        return save_file_wrong(file, 1307, "its chunk has more bytes than there can be");
    const unsigned char *bytes = (const unsigned char *)arena_copy(&chunk->arena, (const char *)file->decoder.at, size);
    kin__decoder decoder = {bytes, bytes + size, file->decoder.is_short};
    column->values.component = &file->schema.contexts[chunk->context].components[column->component];
    column->values.count = save_bits_read(&decoder, column->has);
    if (column->values.count == 0)
        return save_file_wrong(file, 1307, "it has no values");
    if (!is_of_entities(chunk, column->has))
        return save_file_wrong(file, 1307, "it has values of no entity");
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
    assert(walk->file.place.kind == SAVE_CONTEXT);
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
        if (!begin_context(walk))
            return SAVE_STEP_END;
        return SAVE_STEP_CONTEXT;
    case SAVE_SLOTS:
        if (!read_chunk(walk))
            return SAVE_STEP_END;
        return SAVE_STEP_CHUNK;
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
