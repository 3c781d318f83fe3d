#include "encode/encode_value.h"

#include "base/base.h"
#include "encode/encode_number.h"

#include <kin/generated/list.h>

#include <string.h>

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
            uint32_t start = kin__lowest_bit(bits), end = 64;
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
            kin__encode_numbers_of_word(encoder, &numbers, has[word]);
        else
            kin__encode_arrays_of_word(encoder, &numbers, leaf->elements, source->stride, has[word]);
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
