#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <kin/generated/list.h>
#include <kin/platform.h>

#include <string.h>

void kin__encoder_begin(kin__encoder *encoder, bool (*write)(const void *bytes, size_t size, void *user), void *user)
{
    encoder->write = write;
    encoder->user = user;
    encoder->has_failed = false;
    encoder->used = 0;
}

static void pass_on(kin__encoder *encoder, const void *bytes, size_t size)
{
    if (size > 0 && !encoder->has_failed)
        encoder->has_failed = !encoder->write(bytes, size, encoder->user);
}

bool kin__encoder_flush(kin__encoder *encoder)
{
    pass_on(encoder, encoder->bytes, encoder->used);
    encoder->used = 0;
    return !encoder->has_failed;
}

void kin__encode_bytes(kin__encoder *encoder, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (size > KIN__ENCODER_SIZE / 2) {
        kin__encoder_flush(encoder);
        pass_on(encoder, bytes, size);
        return;
    }
    memcpy(kin__encoder_room(encoder, size), bytes, size);
    kin__encoder_advance(encoder, size);
}

void kin__encode_double(kin__encoder *encoder, double number)
{
    uint64_t bits;
    _Static_assert(sizeof bits == sizeof number, "doubles of 64 bits");
    memcpy(&bits, &number, sizeof bits);
    kin__encode_64(encoder, bits);
}

// Appends the length of a name as 16 bits, and its letters.
static void encode_name(kin__encoder *encoder, const char *name)
{
    size_t length = strlen(name);
    KIN_ASSERT(length <= UINT16_MAX);
    kin__encode_16(encoder, (uint16_t)length);
    kin__encode_bytes(encoder, name, length);
}

enum { GROUP = 64 }; // numbers between two checks of the remaining room

typedef struct arrays {
    kin__numbers first;
    size_t count, distance;
} arrays;

// Copies one number. `width` is a constant where this is inlined.
static inline void copy_number(unsigned char *to, const unsigned char *from, size_t width)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case sizeof two:
        memcpy(&two, from, sizeof two);
        kin__little_write_16(to, two);
        break;
    case sizeof four:
        memcpy(&four, from, sizeof four);
        kin__little_write_32(to, four);
        break;
    case sizeof eight:
        memcpy(&eight, from, sizeof eight);
        kin__little_write_64(to, eight);
        break;
    default:
        KIN_ASSERT(width == 1);
        *to = *from;
    }
}

// `width` is a constant, here and below.
static inline void encode_group(kin__encoder *encoder, const kin__numbers *numbers, size_t count, size_t width)
{
    unsigned char *to = kin__encoder_room(encoder, GROUP * width);
    const unsigned char *from = numbers->first;
    size_t stride = numbers->stride;
    KIN_ASSERT(count <= GROUP);
    if (stride == width) // compilers turn this loop into a memcpy
        for (size_t i = 0; i < count; i++)
            copy_number(to + i * width, from + i * width, width);
    else
        for (size_t i = 0; i < count; i++)
            copy_number(to + i * width, from + i * stride, width);
    kin__encoder_advance(encoder, count * width);
}

static inline void encode_bits(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits, size_t width)
{
    unsigned char *to = kin__encoder_room(encoder, GROUP * width);
    unsigned char *begin = to;
    for (; bits != 0; bits &= bits - 1, to += width)
        copy_number(to, numbers->first + kin__lowest_bit(bits) * numbers->stride, width);
    kin__encoder_advance(encoder, (size_t)(to - begin));
}

static inline void encode_array(kin__encoder *encoder, kin__numbers numbers, size_t count, size_t width)
{
    for (; count > GROUP; count -= GROUP, numbers.first += GROUP * numbers.stride)
        encode_group(encoder, &numbers, GROUP, width);
    encode_group(encoder, &numbers, count, width);
}

// Appends `count` numbers.
static void kin__encode_numbers(kin__encoder *encoder, const kin__numbers *numbers, size_t count)
{
    switch (numbers->width) {
    case 1:
        encode_array(encoder, *numbers, count, 1);
        break;
    case 2:
        encode_array(encoder, *numbers, count, 2);
        break;
    case 4:
        encode_array(encoder, *numbers, count, 4);
        break;
    default:
        encode_array(encoder, *numbers, count, 8);
    }
}

// Appends those of the first 64 numbers whose bit is set.
static void encode_numbers_of_word(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits)
{
    if (bits == UINT64_MAX) {
        kin__encode_numbers(encoder, numbers, GROUP);
        return;
    }
    switch (numbers->width) {
    case 1:
        encode_bits(encoder, numbers, bits, 1);
        break;
    case 2:
        encode_bits(encoder, numbers, bits, 2);
        break;
    case 4:
        encode_bits(encoder, numbers, bits, 4);
        break;
    default:
        encode_bits(encoder, numbers, bits, 8);
    }
}

static inline void encode_arrays(kin__encoder *encoder, const arrays *arrays, uint64_t bits, size_t width)
{
    for (; bits != 0; bits &= bits - 1) {
        kin__numbers numbers = arrays->first;
        numbers.first += kin__lowest_bit(bits) * arrays->distance;
        encode_array(encoder, numbers, arrays->count, width);
    }
}

// The same for arrays of `count` numbers each, which begin `distance` bytes apart.
static void encode_arrays_of_word(kin__encoder *encoder, const kin__numbers *first, size_t count, size_t distance,
                                  uint64_t bits)
{
    arrays arrays = {*first, count, distance};
    switch (first->width) {
    case 1:
        encode_arrays(encoder, &arrays, bits, 1);
        break;
    case 2:
        encode_arrays(encoder, &arrays, bits, 2);
        break;
    case 4:
        encode_arrays(encoder, &arrays, bits, 4);
        break;
    default:
        encode_arrays(encoder, &arrays, bits, 8);
    }
}

enum {
    ENUM_WIDTH = 4,
    SAVED_SIZE = 1 << 16 // bytes that a `save` function may return
};

// Elements of a leaf at equal distances.
typedef struct run {
    const kin__value_leaf *leaf;
    const unsigned char *first;
    size_t stride, count;
} run;

typedef void encode_run(kin__encoder *encoder, const run *run);

// One pass over the values of a leaf.
typedef struct pass {
    kin__encoder *encoder;
    const kin__value_leaf *leaf;
    const kin__value_source *source;
    encode_run *encode;
} pass;

// ---- numbers

static bool is_narrow_enum(const kin__value_leaf *leaf)
{
    return leaf->field->type == KIN_TYPE_ENUM && leaf->width != ENUM_WIDTH;
}

static void encode_enums(kin__encoder *encoder, const run *run)
{
    for (size_t i = 0; i < run->count; i++)
        kin__encode_32(encoder, (uint32_t)kin__read_signed(run->first + i * run->stride, run->leaf->width));
}

static void encode_numbers(kin__encoder *encoder, const run *run)
{
    kin__numbers numbers = {run->first, run->stride, run->leaf->width};
    kin__encode_numbers(encoder, &numbers, run->count);
}

// ---- strings and opaque values

static bool is_text(const kin__value_leaf *leaf)
{
    kin_type type = leaf->field->type;
    return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING || type == KIN_TYPE_OPAQUE;
}

// Writes the bytes of an opaque value, or only counts them. A separate function, so that only opaque values need its
// buffer on the stack.
static void encode_opaque(kin__encoder *encoder, const kin__value_leaf *leaf, const void *value, bool is_length)
{
    unsigned char bytes[SAVED_SIZE];
    size_t size = leaf->field->of->save(value, bytes, sizeof bytes);
    bool is_saved = size <= sizeof bytes; // else the function broke its contract, and nothing can be saved
    if (is_length)
        kin__encode_32(encoder, is_saved ? (uint32_t)size : UINT32_MAX);
    else if (is_saved)
        kin__encode_bytes(encoder, bytes, size);
}

// Returns the letters of a string, or NULL.
static const char *string_of(const kin__value_leaf *leaf, const unsigned char *at, size_t *length)
{
    const char *string;
    *length = 0;
    if (leaf->field->type == KIN_TYPE_INLINE_STRING) {
        const unsigned char *end = memchr(at, 0, leaf->width);
        *length = end == NULL ? leaf->width : (size_t)(end - at);
        return (const char *)at;
    }
    memcpy(&string, at, sizeof string);
    if (string != NULL)
        *length = strlen(string);
    return string;
}

static void encode_texts(kin__encoder *encoder, const run *run, bool are_lengths)
{
    for (size_t i = 0; i < run->count; i++) {
        const unsigned char *at = run->first + i * run->stride;
        size_t length;
        if (run->leaf->field->type == KIN_TYPE_OPAQUE) {
            encode_opaque(encoder, run->leaf, at, are_lengths);
            continue;
        }
        const char *string = string_of(run->leaf, at, &length);
        if (are_lengths)
            kin__encode_32(encoder, string == NULL ? UINT32_MAX : (uint32_t)length);
        else
            kin__encode_bytes(encoder, string, length);
    }
}

static void encode_lengths(kin__encoder *encoder, const run *run)
{
    encode_texts(encoder, run, true);
}

static void encode_letters(kin__encoder *encoder, const run *run)
{
    encode_texts(encoder, run, false);
}

// ---- elements

// Recursive over arrays in arrays.
static void encode_elements(const pass *pass, const unsigned char *at, uint32_t dimension)
{
    const kin__value_leaf *leaf = pass->leaf;
    run run = {.leaf = leaf, .first = at, .count = 1};
    if (dimension + 1 < leaf->dimension_count) {
        const kin__dimension *outer = &leaf->dimensions[dimension];
        for (uint32_t i = 0; i < outer->count; i++)
            encode_elements(pass, at + i * outer->stride, dimension + 1);
        return;
    }
    if (leaf->dimension_count > 0) {
        run.count = leaf->dimensions[dimension].count;
        run.stride = leaf->dimensions[dimension].stride;
    }
    pass->encode(pass->encoder, &run);
}

static kin__list_field read_list(const pass *pass, const unsigned char *value)
{
    kin__list_field list;
    memcpy(&list.at, value + pass->leaf->top->offset - pass->source->begin, sizeof list.at);
    memcpy(&list.count, value + pass->leaf->top->offset - pass->source->begin + offsetof(kin__list_field, count),
           sizeof list.count);
    return list;
}

static void encode_list(const pass *pass, const unsigned char *value)
{
    const kin__value_leaf *leaf = pass->leaf;
    kin__list_field list = read_list(pass, value);
    if (list.count == 0)
        return;
    const unsigned char *first = (const unsigned char *)list.at + leaf->offset;
    if (leaf->dimension_count == 0) {
        run run = {leaf, first, leaf->top->element_size, list.count};
        pass->encode(pass->encoder, &run);
        return;
    }
    for (uint32_t i = 0; i < list.count; i++)
        encode_elements(pass, first + i * leaf->top->element_size, 0);
}

static void encode_element_count(const pass *pass, const unsigned char *value)
{
    kin__encode_32(pass->encoder, read_list(pass, value).count * pass->leaf->elements);
}

static void encode_value(const pass *pass, const unsigned char *value)
{
    encode_elements(pass, value + pass->leaf->offset - pass->source->begin, 0);
}

// ---- places

static const unsigned char *value_at(const kin__value_source *source, uint32_t place)
{
    const unsigned char *at = source->values + place * source->stride;
    void *pointer;
    if (!source->are_pointers)
        return at;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static void visit_places(const pass *pass, const uint64_t has[8],
                         void (*visit)(const struct pass *pass, const unsigned char *value))
{
    for (uint32_t word = 0; word < 8; word++)
        for (uint64_t bits = has[word]; bits != 0; bits &= bits - 1)
            visit(pass, value_at(pass->source, word * 64 + kin__lowest_bit(bits)));
}

// Encodes adjacent values together, if each has one element.
static void encode_runs(const pass *pass, const uint64_t has[8])
{
    const kin__value_source *source = pass->source;
    const unsigned char *first = source->values + pass->leaf->offset - source->begin;
    for (uint32_t word = 0; word < 8; word++)
        for (uint64_t bits = has[word]; bits != 0;) {
            uint32_t start = kin__lowest_bit(bits);
            uint32_t end = 64;
            uint64_t clear = ~bits & ~(((uint64_t)1 << start) - 1);
            if (clear != 0)
                end = kin__lowest_bit(clear);
            run run = {pass->leaf, first + (word * 64 + start) * source->stride, source->stride, end - start};
            pass->encode(pass->encoder, &run);
            bits = end == 64 ? 0 : bits & ~(((uint64_t)1 << end) - 1);
        }
}

static void encode_pass(kin__encoder *encoder, const kin__value_leaf *leaf, const kin__value_source *source,
                        const uint64_t has[8], encode_run *encode)
{
    pass pass = {encoder, leaf, source, encode};
    if (leaf->is_list)
        visit_places(&pass, has, encode_list);
    else if (leaf->dimension_count > 0 || source->are_pointers)
        visit_places(&pass, has, encode_value);
    else
        encode_runs(&pass, has);
}

// Encodes numbers in a column, or arrays of them: nearly all bytes of a hash.
static void encode_column(kin__encoder *encoder, const kin__value_leaf *leaf, const kin__value_source *source,
                          const uint64_t has[8])
{
    size_t stride = leaf->dimension_count == 0 ? source->stride : leaf->dimensions[0].stride;
    kin__numbers numbers = {source->values + leaf->offset - source->begin, stride, leaf->width};
    for (uint32_t word = 0; word < 8; word++, numbers.first += 64 * source->stride)
        if (leaf->dimension_count == 0)
            encode_numbers_of_word(encoder, &numbers, has[word]);
        else
            encode_arrays_of_word(encoder, &numbers, leaf->elements, source->stride, has[word]);
}

void kin__encode_leaf(kin__encoder *encoder, const kin__value_leaf *leaf, const kin__value_source *source,
                      const uint64_t has[8])
{
    if (leaf->is_list) {
        pass pass = {encoder, leaf, source, NULL};
        visit_places(&pass, has, encode_element_count);
    }
    if (is_text(leaf)) {
        encode_pass(encoder, leaf, source, has, encode_lengths);
        encode_pass(encoder, leaf, source, has, encode_letters);
    } else if (is_narrow_enum(leaf))
        encode_pass(encoder, leaf, source, has, encode_enums);
    else if (leaf->is_list || leaf->dimension_count > 1 || source->are_pointers)
        encode_pass(encoder, leaf, source, has, encode_numbers);
    else
        encode_column(encoder, leaf, source, has);
}

void kin__encode_value(kin__encoder *encoder, const kin__leaves *leaves, const void *value)
{
    static const uint64_t has[8] = {1};
    kin__value_source source = {.values = value};
    for (uint32_t i = 0; i < leaves->count; i++)
        kin__encode_leaf(encoder, &leaves->leaves[i], &source, has);
}

enum { NO_POOL = UINT16_MAX };

// A pool without a chunk has no slots.
static bool has_chunks(const kin__pool *pool)
{
    return pool->fresh_end > 0;
}

static uint32_t next_of(const kin__context_snapshot *part, uint32_t slot)
{
    const kin__image *head = kin__part_image(part, slot / KIN__CHUNK_SLOTS, kin__head_number(part->info));
    uint32_t row_words = part->info->component_count == 0 ? 1 : (part->info->component_count + 63) / 64;
    KIN_ASSERT(head != NULL);
    return (uint32_t)kin__image_row(head, row_words, slot % KIN__CHUNK_SLOTS)[0];
}

static void encode_free_slots(kin__encoder *encoder, const kin__context_snapshot *part, const kin__pool *pool)
{
    uint32_t count = 0;
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(part, slot))
        count++;
    kin__encode_32(encoder, count);
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(part, slot))
        kin__encode_32(encoder, slot);
}

static void encode_pool(kin__encoder *encoder, const kin__context_snapshot *part, uint32_t number)
{
    const kin__pool *pool = &part->pools[number];
    encode_name(encoder, number == 0 ? "" : part->info->blueprints[number - 1].name);
    kin__encode_32(encoder, pool->fresh);
    kin__encode_32(encoder, pool->fresh_end);
    if (pool->fresh_end % KIN__CHUNK_SLOTS != 0)
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            kin__encode_64(encoder, pool->usable[word]);
    encode_free_slots(encoder, part, pool);
}

// Returns how many pools with chunks come before pool `number`.
static uint32_t count_before(const kin__context_snapshot *part, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < number; i++)
        count += has_chunks(&part->pools[i]);
    return count;
}

void kin__encode_context(kin__encoder *encoder, const kin__context_snapshot *part)
{
    uint32_t pool_count = kin__part_pool_count(part->info);
    kin__encode_64(encoder, part->counts.next_creation_index);
    kin__encode_64(encoder, part->counts.first_creation_index);
    kin__encode_32(encoder, part->chunk_count);
    kin__encode_16(encoder, (uint16_t)count_before(part, pool_count));
    for (uint32_t number = 0; number < pool_count; number++)
        if (has_chunks(&part->pools[number]))
            encode_pool(encoder, part, number);
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        uint32_t number = kin__part_pool(part, chunk);
        bool has_pool = number != KIN__NO_POOL && chunk < part->counts.assigned_chunks;
        kin__encode_16(encoder, has_pool ? (uint16_t)count_before(part, number) : NO_POOL);
    }
}

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

uint64_t kin__hash_context(const kin__context_snapshot *part)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    kin__encode_context(&encoder, part);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}

// ---- in order

bool kin__block_has_content(const kin__block *block)
{
    uint64_t any = 0;
    if (block->image == NULL)
        return false;
    const uint64_t *words =
        block->kind == KIN__BLOCK_COLUMN ? kin__image_has(block->image) : kin__image_alive(block->image);
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        any |= words[i];
    return any != 0;
}

static bool visit_columns(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_COLUMN;
    for (block->component = 0; block->component < block->shape->count; block->component++) {
        block->image = kin__part_image(block->part, block->chunk, block->shape->components[block->component].id);
        if (kin__block_has_content(block) && !visit(block, user))
            return false;
    }
    return true;
}

static bool visit_kept(kin__block *block, kin__block_visitor *visit, void *user)
{
    uint64_t components[KIN__COMPONENT_WORDS];
    block->kind = KIN__BLOCK_KEPT;
    block->image = NULL;
    if (!kin__kept_components(block->part, block->chunk, components))
        return true;
    for (block->component = 0; block->component < block->shape->count; block->component++)
        if (kin__bits_have(components, block->shape->components[block->component].id) && !visit(block, user))
            return false;
    return true;
}

static bool visit_chunk(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_SLOTS;
    block->component = 0;
    block->image = kin__part_image(block->part, block->chunk, kin__head_number(block->shape->info));
    if (kin__block_has_content(block) && !visit(block, user))
        return false;
    return visit_columns(block, visit, user) && visit_kept(block, visit, user);
}

// Whether all fields are saved. If not, different values may be equal in a file, which then has no order for them.
static bool are_saved(const kin_field_info *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (fields[i].is_unsaved)
            return false;
        if (fields[i].type == KIN_TYPE_STRUCT && !are_saved(fields[i].of->fields, fields[i].of->field_count))
            return false;
    }
    return true;
}

uint32_t kin__shared_rows(const kin__context_snapshot *part, kin_component_id id)
{
    const kin_component_info *component = &part->info->components[id];
    kin__part_numbers numbers = kin__part_numbers_of(part, id);
    if (kin__part_numbers_are_sorted(&numbers) || !are_saved(component->fields, component->field_count))
        return 0;
    return (numbers.count + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS;
}

static bool visit_shared(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_SHARED;
    block->image = NULL;
    for (block->component = 0; block->component < block->shape->count; block->component++) {
        uint32_t rows = kin__shared_rows(block->part, block->shape->components[block->component].id);
        for (block->chunk = 0; block->chunk < rows; block->chunk++)
            if (!visit(block, user))
                return false;
    }
    return true;
}

bool kin__blocks_visit(const kin__blocks *blocks, kin__block_visitor *visit, void *user)
{
    kin__block block = {.part = blocks->part, .shape = blocks->shape, .context = blocks->context};
    KIN_ASSERT(blocks->part->info == blocks->shape->info);
    if (!visit(&block, user))
        return false;
    for (block.chunk = 0; block.chunk < blocks->part->chunk_count; block.chunk++)
        if (!visit_chunk(&block, visit, user))
            return false;
    return blocks->part->shared.size == 0 || visit_shared(&block, visit, user);
}

// ---- bytes

void kin__block_encode_numbers(kin__encoder *encoder, const kin__block *block)
{
    kin__encode_32(encoder, block->context);
    if (block->kind != KIN__BLOCK_CONTEXT)
        kin__encode_32(encoder, block->chunk);
    if (kin__block_kinds[block->kind].is_of_component)
        kin__encode_32(encoder, block->component);
}

static void encode_bits_block(kin__encoder *encoder, const uint64_t words[KIN__CHUNK_WORDS])
{
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        kin__encode_64(encoder, words[i]);
}

// Appends the 40 bits of each creation index.
static void encode_slots(kin__encoder *encoder, const kin__block *block)
{
    const kin_entity *ids = kin__image_ids(block->image);
    const uint64_t *alive = kin__image_alive(block->image);
    encode_bits_block(encoder, alive);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
            uint64_t index = kin_entity_creation_index(ids[word * 64 + kin__lowest_bit(bits)]);
            kin__encode_32(encoder, (uint32_t)index);
            kin__encode_8(encoder, (uint8_t)(index >> 32));
        }
}

// A soa component has an array for each of its fields.
static kin__value_source source_of(const kin__block *block, const kin__value_leaf *leaf)
{
    const kin_component_info *component = block->shape->components[block->component].info;
    kin__value_source source = {.values = block->image->bytes + sizeof(kin__column), .stride = component->size};
    if (component->is_soa) {
        uint32_t field = (uint32_t)(leaf->top - component->fields);
        source.values = kin__image_field(block->shape->info, block->image, field);
        source.stride = leaf->top->size;
        source.begin = leaf->top->offset;
    } else if (component->is_shared) {
        source.stride = sizeof(void *);
        source.are_pointers = true;
    }
    return source;
}

static void encode_column_block(kin__encoder *encoder, const kin__block *block)
{
    const kin__leaves *leaves = &block->shape->components[block->component].leaves;
    const uint64_t *has = kin__image_has(block->image);
    encode_bits_block(encoder, has);
    for (uint32_t i = 0; i < leaves->count; i++) {
        kin__value_source source = source_of(block, &leaves->leaves[i]);
        kin__encode_leaf(encoder, &leaves->leaves[i], &source, has);
    }
}

static void encode_kept(kin__encoder *encoder, const kin__block *block)
{
    const kin__component_shape *component = &block->shape->components[block->component];
    kin__kept kept;
    kin__value_source source = {(const unsigned char *)kept.values, sizeof *kept.values, 0, true};
    kin__kept_find(block->part, block->chunk, component->id, &kept);
    encode_bits_block(encoder, kept.has);
    encode_bits_block(encoder, kept.stashed);
    for (uint32_t i = 0; i < component->leaves.count; i++)
        kin__encode_leaf(encoder, &component->leaves.leaves[i], &source, kept.has);
}

static void encode_shared(kin__encoder *encoder, const kin__block *block)
{
    kin__part_numbers numbers = kin__part_numbers_of(block->part, block->shape->components[block->component].id);
    uint32_t first = block->chunk * KIN__CHUNK_SLOTS;
    for (uint32_t i = first; i < numbers.count && i < first + KIN__CHUNK_SLOTS; i++)
        kin__encode_32(encoder, numbers.first_uses[i]);
}

static void encode_context_block(kin__encoder *encoder, const kin__block *block)
{
    kin__encode_context(encoder, block->part);
}

const kin__block_traits kin__block_kinds[KIN__BLOCK_KINDS] = {
    [KIN__BLOCK_CONTEXT] = {.letters = "CTXT", .encode = encode_context_block},
    [KIN__BLOCK_SLOTS] = {.letters = "SLOT", .is_hashed_first = true, .encode = encode_slots},
    [KIN__BLOCK_COLUMN] = {.letters = "COLM",
                           .is_of_component = true,
                           .is_hashed_first = true,
                           .encode = encode_column_block},
    [KIN__BLOCK_KEPT] = {.letters = "KEEP", .is_of_component = true, .hashes_chunk = true, .encode = encode_kept},
    [KIN__BLOCK_SHARED] = {.letters = "SHAR", .is_of_component = true, .hashes_chunk = true, .encode = encode_shared},
};

void kin__block_encode_content(kin__encoder *encoder, const kin__block *block)
{
    kin__block_kinds[block->kind].encode(encoder, block);
}
