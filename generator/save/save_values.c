#include "save/save_values.h"

#include "base/base.h"
#include "file/file.h"

#include <kin/entity.h>
#include <kin/generated/list.h>

#include <string.h>

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
        value.text_size += length == SAVE_TEXT_NULL ? 0 : length;
    }
    leaf->letters += value.text_size;
    return value;
}

bool save_leaf_values_are_equal(const save_leaf_value *one, const save_leaf_value *other)
{
    size_t size = one->count * one->element_size;
    return one->leaf->type == other->leaf->type && one->leaf->is_list == other->leaf->is_list &&
           one->count == other->count && one->text_size == other->text_size &&
           memcmp(one->elements, other->elements, size) == 0 &&
           (one->text_size == 0 || memcmp(one->letters, other->letters, one->text_size) == 0);
}
