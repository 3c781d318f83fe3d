// Values of a block: those of one component, read one entity after the other. All of them are checked before the first.
//
//   leaf   numbers, or the lengths of texts and then all letters; a list has its counts before them
#ifndef KIN_GENERATOR_SAVE_VALUES_H
#define KIN_GENERATOR_SAVE_VALUES_H

#include "save/save_file.h"

#define SAVE_TEXT_NULL UINT32_MAX // the length of a string that is NULL

// A leaf of one value.
typedef struct save_leaf_value {
    const kin__file_leaf *leaf;
    uint32_t count;                 // elements
    const unsigned char *elements;  // numbers, or the lengths of texts
    const unsigned char *letters;   // of texts; NULL for numbers
    size_t element_size, text_size; // bytes of one element, and of all letters
} save_leaf_value;

// Where the next value of a leaf is.
typedef struct save_leaf {
    const kin__file_leaf *leaf;
    const unsigned char *counts, *elements, *letters;
} save_leaf;

typedef struct save_values {
    const kin__file_component *component;
    save_leaf *leaves;
    save_leaf_value *next; // room for the leaves of one value
    uint32_t count;        // of values
} save_values;

// Checks the values that a decoder has next, and leaves it after them. The bytes must stay; the arena has the leaves.
// False, with a fault noted, if they are wrong.
bool save_values_begin(save_values *values, save_file *file, arena *arena, kin__decoder *decoder);

// Returns the next value of a leaf, of which there must be one.
save_leaf_value save_values_next(save_values *values, uint32_t leaf);

// Whether the elements of a leaf are texts.
bool save_leaf_is_text(const kin__file_leaf *leaf);

// Whether two leaves are of one list: their paths begin with the same name. Such leaves are side by side.
bool save_leaves_are_of_one_list(const kin__file_leaf *one, const kin__file_leaf *other);

// Whether two leaves have equal values of equal types.
bool save_leaf_values_are_equal(const save_leaf_value *one, const save_leaf_value *other);

#endif
