#include "frame/frame.h"

#include <kin/generated/list.h>

#include <float.h>

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 4503599627370496.0 // 2^52

// Results are rounded to their type on machines with wider registers too.
#if FLT_EVAL_METHOD == 0
#define ROUNDED
#else
#define ROUNDED volatile
#endif

// ---- numbers

static bool is_signed(const kin__net_leaf *leaf)
{
    return leaf->type == KIN_TYPE_INT8 || leaf->type == KIN_TYPE_INT16 || leaf->type == KIN_TYPE_INT32 ||
           leaf->type == KIN_TYPE_INT64 || leaf->type == KIN_TYPE_ENUM;
}

static bool is_float(const kin__net_leaf *leaf)
{
    return leaf->type == KIN_TYPE_FLOAT || leaf->type == KIN_TYPE_DOUBLE;
}

// Returns an integer of a width, extended to 64 bits.
uint64_t kin__leaf_integer(const kin__net_leaf *leaf, const void *at)
{
    switch (leaf->size) {
    case 1: {
        uint8_t number;
        memcpy(&number, at, sizeof number);
        return is_signed(leaf) ? (uint64_t)(int64_t)(int8_t)number : number;
    }
    case 2: {
        uint16_t number;
        memcpy(&number, at, sizeof number);
        return is_signed(leaf) ? (uint64_t)(int64_t)(int16_t)number : number;
    }
    case 4: {
        uint32_t number;
        memcpy(&number, at, sizeof number);
        return is_signed(leaf) ? (uint64_t)(int64_t)(int32_t)number : number;
    }
    default: {
        uint64_t number;
        memcpy(&number, at, sizeof number);
        return number;
    }
    }
}

void kin__leaf_set_integer(const kin__net_leaf *leaf, void *at, uint64_t number)
{
    uint8_t of_1 = (uint8_t)number;
    uint16_t of_2 = (uint16_t)number;
    uint32_t of_4 = (uint32_t)number;
    if (leaf->size == 1)
        memcpy(at, &of_1, sizeof of_1);
    else if (leaf->size == 2)
        memcpy(at, &of_2, sizeof of_2);
    else if (leaf->size == 4)
        memcpy(at, &of_4, sizeof of_4);
    else
        memcpy(at, &number, sizeof number);
}

static inline double number_at(kin_type type, const void *at)
{
    float single;
    double number;
    if (type == KIN_TYPE_DOUBLE) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    memcpy(&single, at, sizeof single);
    return (double)single;
}

static inline uint64_t bits_at(kin_type type, const void *at)
{
    uint64_t bits = 0;
    uint32_t half = 0;
    if (type == KIN_TYPE_DOUBLE) {
        memcpy(&bits, at, sizeof bits);
        return bits;
    }
    memcpy(&half, at, sizeof half);
    return half;
}

static double read_float(const kin__net_leaf *leaf, const void *at)
{
    return number_at((kin_type)leaf->type, at);
}

static uint64_t float_bits(const kin__net_leaf *leaf, const void *at)
{
    return bits_at((kin_type)leaf->type, at);
}

static inline void write_bits_at(kin_type type, void *at, uint64_t bits)
{
    uint32_t half = (uint32_t)bits;
    if (type == KIN_TYPE_DOUBLE)
        memcpy(at, &bits, sizeof bits);
    else
        memcpy(at, &half, sizeof half);
}

// Finds the number of whole steps that is nearest to a value, halves away from 0. False: it goes by its bits. Without
// branches on the value, which nothing predicts.
static inline bool find_steps(double value, double precision, int64_t *steps)
{
    ROUNDED double exact = value / precision;
    if (!(exact > -MOST_STEPS && exact < MOST_STEPS))
        return false;
    int64_t whole = (int64_t)exact;
    ROUNDED double rest = exact - (double)whole;
    *steps = whole + (rest >= 0.5) - (rest <= -0.5);
    return true;
}

// Returns the bits of so many steps.
static inline uint64_t bits_of_steps(kin_type type, double precision, int64_t steps)
{
    ROUNDED double number = (double)steps * precision;
    ROUNDED float single = (float)number;
    double whole = number;
    float half = single;
    return bits_at(type, type == KIN_TYPE_DOUBLE ? (const void *)&whole : (const void *)&half);
}

// Returns the bits that a replica has of a value.
static uint64_t bits_shown(const kin__net_leaf *leaf, double precision, const void *at)
{
    int64_t steps;
    if (precision > 0 && find_steps(read_float(leaf, at), precision, &steps))
        return bits_of_steps((kin_type)leaf->type, precision, steps);
    return float_bits(leaf, at);
}

// Returns the steps of the base, as the replica finds them in the value that it has; 0 if it goes by its bits.
static int64_t steps_of_base(const kin__net_leaf *leaf, double precision, const void *base)
{
    unsigned char shown[sizeof(double)];
    int64_t steps;
    int64_t exact = (int64_t)1 << (leaf->type == KIN_TYPE_DOUBLE ? 48 : 20); // up to here the value has the same steps
    if (!find_steps(read_float(leaf, base), precision, &steps))
        return 0;
    if (steps > -exact && steps < exact)
        return steps;
    write_bits_at((kin_type)leaf->type, shown, bits_of_steps((kin_type)leaf->type, precision, steps));
    return find_steps(read_float(leaf, shown), precision, &steps) ? steps : 0;
}

// ---- parts of a leaf

static double precision_of(const kin__net_leaf *inner, double outer)
{
    return inner->precision > 0 ? inner->precision : outer;
}

static kin__list_field list_at(const void *value)
{
    kin__list_field list;
    memcpy(&list.at, value, sizeof list.at);
    memcpy(&list.count, (const char *)value + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

static const char *string_at(const void *value)
{
    const char *string;
    memcpy(&string, value, sizeof string);
    return string;
}

// Returns the length of a string in place.
static size_t inline_length(const kin__net_leaf *leaf, const char *string)
{
    const char *end = memchr(string, '\0', leaf->size);
    return end == NULL ? leaf->size - 1 : (size_t)(end - string);
}

static bool is_plain(const kin__net_leaf *leaf, double precision)
{
    if (leaf->is_list || leaf->type == KIN_TYPE_STRING || leaf->type == KIN_TYPE_INLINE_STRING)
        return false;
    return leaf->type != KIN_TYPE_STRUCT && (precision == 0 || !is_float(leaf));
}

// ---- comparing

static bool are_same_steps(const kin__net_leaf *leaf, double precision, const void *one, const void *other)
{
    int64_t steps = 0;
    int64_t of_other = 0;
    return find_steps(read_float(leaf, one), precision, &steps) &&
           find_steps(read_float(leaf, other), precision, &of_other) && steps == of_other;
}

static bool is_same_element(const kin__net_leaf *leaf, double precision, const void *one, const void *other)
{
    switch (leaf->type) {
    case KIN_TYPE_STRING: {
        const char *first = string_at(one);
        const char *second = string_at(other);
        if (first == NULL || second == NULL)
            return first == second;
        return first == second || strcmp(first, second) == 0;
    }
    case KIN_TYPE_INLINE_STRING:
        return strncmp(one, other, leaf->size) == 0;
    case KIN_TYPE_STRUCT:
        for (uint32_t i = 0; i < leaf->inner_count; i++) {
            const kin__net_leaf *inner = &leaf->inner[i];
            if (!kin__leaf_is_same(inner, precision_of(inner, precision), (const char *)one + inner->offset,
                                   (const char *)other + inner->offset))
                return false;
        }
        return true;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        return float_bits(leaf, one) == float_bits(leaf, other) ||
               (precision > 0 && are_same_steps(leaf, precision, one, other));
    default:
        return memcmp(one, other, leaf->size) == 0;
    }
}

static bool are_same_elements(const kin__net_leaf *leaf, double precision, uint32_t count, const char *one,
                              const char *other)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_same_element(leaf, precision, one + (size_t)i * leaf->size, other + (size_t)i * leaf->size))
            return false;
    return true;
}

bool kin__leaf_is_same(const kin__net_leaf *leaf, double precision, const void *one, const void *other)
{
    uint32_t count = leaf->count == 0 ? 1 : leaf->count;
    if (is_plain(leaf, precision))
        return memcmp(one, other, (size_t)leaf->size * count) == 0;
    if (!leaf->is_list)
        return are_same_elements(leaf, precision, count, one, other);
    kin__list_field first = list_at(one);
    kin__list_field second = list_at(other);
    return first.count == second.count && are_same_elements(leaf, precision, first.count, first.at, second.at);
}

static bool is_zero_element(const kin__net_leaf *leaf, double precision, const void *value)
{
    if (leaf->type == KIN_TYPE_STRING)
        return string_at(value) == NULL;
    if (leaf->type == KIN_TYPE_INLINE_STRING)
        return *(const char *)value == '\0';
    if (is_float(leaf))
        return bits_shown(leaf, precision, value) == 0;
    if (leaf->type != KIN_TYPE_STRUCT)
        return kin__leaf_integer(leaf, value) == 0;
    for (uint32_t i = 0; i < leaf->inner_count; i++) {
        const kin__net_leaf *inner = &leaf->inner[i];
        if (!kin__leaf_is_zero(inner, precision_of(inner, precision), (const char *)value + inner->offset))
            return false;
    }
    return true;
}

bool kin__leaf_is_zero(const kin__net_leaf *leaf, double precision, const void *value)
{
    uint32_t count = leaf->count == 0 ? 1 : leaf->count;
    if (leaf->is_list)
        return list_at(value).count == 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_zero_element(leaf, precision, (const char *)value + (size_t)i * leaf->size))
            return false;
    return true;
}

// ---- writing

static void put_leaf(kin__bytes_out *out, const kin__leaf_at *at, const void *base, const void *value);

static void put_float(kin__bytes_out *out, const kin__leaf_at *at, const void *base, const void *value)
{
    const kin__net_leaf *leaf = at->leaf;
    uint64_t bits = float_bits(leaf, value);
    int64_t steps;
    if (at->precision > 0 && find_steps(read_float(leaf, value), at->precision, &steps)) {
        int64_t of_base = base == NULL ? 0 : steps_of_base(leaf, at->precision, base);
        kin__put_number(out, kin__zigzag((uint64_t)steps - (uint64_t)of_base));
        return;
    }
    if (at->precision > 0)
        kin__put_number(out, KIN__BY_BITS);
    if (leaf->type == KIN_TYPE_DOUBLE)
        kin__put_64(out, bits);
    else
        kin__put_32(out, (uint32_t)bits);
}

static void put_entity(kin__bytes_out *out, kin_entity entity, kin_entity holder)
{
    if (entity == 0) {
        kin__put_number(out, 0);
        return;
    }
    kin__put_number(out, kin__zigzag((uint64_t)kin_entity_slot(entity) - kin_entity_slot(holder)) + 1);
    kin__put_number(out, kin_entity_creation_index(entity));
}

static void put_string(kin__bytes_out *out, const char *string)
{
    size_t length = string == NULL ? 0 : strlen(string);
    kin__put_number(out, string == NULL ? 0 : length + 1);
    kin__put_bytes(out, string, length);
}

static void put_element(kin__bytes_out *out, const kin__leaf_at *at, const void *base, const void *value)
{
    const kin__net_leaf *leaf = at->leaf;
    switch (leaf->type) {
    case KIN_TYPE_STRING:
        put_string(out, string_at(value));
        break;
    case KIN_TYPE_INLINE_STRING: {
        size_t length = inline_length(leaf, value);
        kin__put_number(out, length);
        kin__put_bytes(out, value, length);
        break;
    }
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        put_float(out, at, base, value);
        break;
    case KIN_TYPE_ENTITY:
        put_entity(out, kin__leaf_integer(leaf, value), at->entity);
        break;
    case KIN_TYPE_STRUCT:
        for (uint32_t i = 0; i < leaf->inner_count; i++) {
            const kin__net_leaf *inner = &leaf->inner[i];
            kin__leaf_at inside = {inner, precision_of(inner, at->precision), at->entity};
            put_leaf(out, &inside, base == NULL ? NULL : (const char *)base + inner->offset,
                     (const char *)value + inner->offset);
        }
        break;
    default:
        kin__put_number(
            out, kin__zigzag(kin__leaf_integer(leaf, value) - (base == NULL ? 0 : kin__leaf_integer(leaf, base))));
        break;
    }
}

// Recursive over structs in structs, of which the schema allows 32 levels.
static void put_leaf(kin__bytes_out *out, const kin__leaf_at *at, const void *base, const void *value)
{
    const kin__net_leaf *leaf = at->leaf;
    uint32_t count = leaf->count == 0 ? 1 : leaf->count;
    const char *element = value;
    if (leaf->is_list) {
        kin__list_field list = list_at(value);
        kin__put_number(out, list.count);
        count = list.count;
        element = list.at;
        base = NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = (size_t)i * leaf->size;
        put_element(out, at, base == NULL ? NULL : (const char *)base + offset, element + offset);
    }
}

// ---- hashing

static void put_whole(kin__bytes_out *out, const kin__leaf_at *at, const void *value, bool is_shown);

static void put_whole_element(kin__bytes_out *out, const kin__leaf_at *at, const void *value, bool is_shown)
{
    const kin__net_leaf *leaf = at->leaf;
    if (is_float(leaf)) {
        kin__put_64(out, is_shown ? float_bits(leaf, value) : bits_shown(leaf, at->precision, value));
        return;
    }
    if (leaf->type != KIN_TYPE_STRUCT) {
        put_element(out, at, NULL, value);
        return;
    }
    for (uint32_t i = 0; i < leaf->inner_count; i++) {
        const kin__net_leaf *inner = &leaf->inner[i];
        kin__leaf_at inside = {inner, precision_of(inner, at->precision), at->entity};
        put_whole(out, &inside, (const char *)value + inner->offset, is_shown);
    }
}

static void put_whole(kin__bytes_out *out, const kin__leaf_at *at, const void *value, bool is_shown)
{
    const kin__net_leaf *leaf = at->leaf;
    uint32_t count = leaf->count == 0 ? 1 : leaf->count;
    const char *element = value;
    if (leaf->is_list) {
        kin__list_field list = list_at(value);
        kin__put_number(out, list.count);
        count = list.count;
        element = list.at;
    }
    for (uint32_t i = 0; i < count; i++)
        put_whole_element(out, at, element + (size_t)i * leaf->size, is_shown);
}

void kin__leaf_put_whole(kin__bytes_out *out, const kin__leaf_at *leaf, const void *value, bool is_shown)
{
    put_whole(out, leaf, value, is_shown);
}

// ---- reading

static void take_leaf(kin__bytes_in *in, const kin__leaf_at *at, void *value, kin__heap *heap, bool has_base);

static const unsigned char *take_text(kin__bytes_in *in, uint64_t length)
{
    if (length > (size_t)(in->end - in->at)) {
        kin__refuse(in, "a string is longer than the frame");
        return NULL;
    }
    const unsigned char *text = kin__take_bytes(in, (size_t)length);
    if (text != NULL && !kin__is_text(text, (size_t)length)) {
        kin__refuse(in, "a string is not UTF-8");
        return NULL;
    }
    return text;
}

static void take_string(kin__bytes_in *in, void *value, kin__heap *heap)
{
    uint64_t number = kin__take_number(in);
    char *copy = NULL;
    if (number > 0) {
        const unsigned char *text = take_text(in, number - 1);
        if (text == NULL || heap == NULL)
            return;
        copy = kin__heap_take(heap, (size_t)number, 1);
        if (copy == NULL) {
            kin__refuse(in, kin__no_memory);
            return;
        }
        memcpy(copy, text, (size_t)number - 1);
        copy[number - 1] = '\0';
    }
    if (heap != NULL && in->fault == NULL)
        memcpy(value, &copy, sizeof copy);
}

static void take_inline_string(kin__bytes_in *in, const kin__net_leaf *leaf, void *value, bool writes)
{
    uint64_t length = kin__take_number(in);
    if (length >= leaf->size) {
        kin__refuse(in, "a string is too long for its field");
        return;
    }
    const unsigned char *text = take_text(in, length);
    if (text == NULL || !writes)
        return;
    memset(value, 0, leaf->size);
    memcpy(value, text, (size_t)length);
}

// Reads the difference of steps to the value that is there. A constant `type` makes one function for each.
static inline void take_steps(kin__bytes_in *in, kin_type type, double precision, void *value, bool writes,
                              bool has_base)
{
    const int64_t most = (int64_t)1 << 52;
    int64_t base = 0;
    uint64_t number = kin__take_number(in);
    if (number == KIN__BY_BITS) {
        uint64_t bits = type == KIN_TYPE_DOUBLE ? kin__take_64(in) : kin__take_32(in);
        if (writes && in->fault == NULL)
            write_bits_at(type, value, bits);
        return;
    }
    int64_t difference = (int64_t)kin__unzigzag(number);
    if (difference > 2 * most || difference < -2 * most) {
        kin__refuse(in, "a value has too many steps");
        return;
    }
    if (!writes)
        return;
    if (has_base && !find_steps(number_at(type, value), precision, &base))
        base = 0;
    if (base + difference > most || base + difference < -most)
        kin__refuse(in, "a value has too many steps");
    else if (in->fault == NULL)
        write_bits_at(type, value, bits_of_steps(type, precision, base + difference));
}

static void take_float(kin__bytes_in *in, const kin__leaf_at *at, void *value, bool writes, bool has_base)
{
    const kin__net_leaf *leaf = at->leaf;
    if (at->precision > 0) {
        take_steps(in, (kin_type)leaf->type, at->precision, value, writes, has_base);
        return;
    }
    uint64_t bits = leaf->type == KIN_TYPE_DOUBLE ? kin__take_64(in) : kin__take_32(in);
    if (writes && in->fault == NULL)
        write_bits_at((kin_type)leaf->type, value, bits);
}

static void take_entity(kin__bytes_in *in, const kin__leaf_at *at, void *value, bool writes)
{
    kin_entity entity = 0;
    uint64_t number = kin__take_number(in);
    if (number > 0) {
        uint64_t slot = kin_entity_slot(at->entity) + kin__unzigzag(number - 1);
        uint64_t index = kin__take_number(in);
        if ((slot >= KIN__MAX_SLOTS && writes) || index == 0 || index > KIN__MAX_CREATION_INDEX) {
            kin__refuse(in, "a handle is out of range");
            return;
        }
        entity = index << 24 | (slot & (KIN__MAX_SLOTS - 1));
    }
    if (writes && in->fault == NULL)
        memcpy(value, &entity, sizeof entity);
}

// Tables without the values of an enum allow all.
static bool is_of_enum(const kin__net_leaf *leaf, uint64_t number)
{
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if ((uint64_t)(int64_t)leaf->values[i] == number)
            return true;
    return leaf->value_count == 0 && (uint64_t)(int64_t)(int32_t)number == number;
}

static void take_integer(kin__bytes_in *in, const kin__leaf_at *at, void *value, bool writes, bool has_base)
{
    const kin__net_leaf *leaf = at->leaf;
    uint64_t number = kin__unzigzag(kin__take_number(in));
    if (!writes || in->fault != NULL)
        return;
    if (has_base)
        number += kin__leaf_integer(leaf, value);
    unsigned char written[8];
    kin__leaf_set_integer(leaf, written, number);
    bool fits = kin__leaf_integer(leaf, written) == number;
    if (leaf->type == KIN_TYPE_BOOL)
        fits = number <= 1;
    if (leaf->type == KIN_TYPE_ENUM)
        fits = is_of_enum(leaf, number);
    if (fits)
        memcpy(value, written, leaf->size);
    else
        kin__refuse(in, "a number is out of the range of its field");
}

static void take_element(kin__bytes_in *in, const kin__leaf_at *at, void *value, kin__heap *heap, bool has_base)
{
    const kin__net_leaf *leaf = at->leaf;
    bool writes = heap != NULL;
    switch (leaf->type) {
    case KIN_TYPE_STRING:
        take_string(in, value, heap);
        break;
    case KIN_TYPE_INLINE_STRING:
        take_inline_string(in, leaf, value, writes);
        break;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        take_float(in, at, value, writes, has_base);
        break;
    case KIN_TYPE_ENTITY:
        take_entity(in, at, value, writes);
        break;
    case KIN_TYPE_STRUCT:
        for (uint32_t i = 0; i < leaf->inner_count && in->fault == NULL; i++) {
            const kin__net_leaf *inner = &leaf->inner[i];
            kin__leaf_at inside = {inner, precision_of(inner, at->precision), at->entity};
            take_leaf(in, &inside, writes ? (char *)value + inner->offset : NULL, heap, has_base);
        }
        break;
    default:
        take_integer(in, at, value, writes, has_base);
        break;
    }
}

// An element has at least one byte, unless it is a struct of which nothing is sent.
static void take_list(kin__bytes_in *in, const kin__leaf_at *at, void *value, kin__heap *heap)
{
    const kin__net_leaf *leaf = at->leaf;
    kin__list_field list = {NULL, 0};
    uint64_t count = kin__take_number(in);
    if (count > (size_t)(in->end - in->at) || count > INT32_MAX) {
        kin__refuse(in, "a list is longer than the frame");
        return;
    }
    list.count = (uint32_t)count;
    if (heap != NULL && count > 0) {
        list.at = kin__heap_take(heap, (size_t)count, leaf->size);
        if (list.at == NULL) {
            kin__refuse(in, kin__no_memory);
            return;
        }
    }
    for (uint32_t i = 0; i < list.count && in->fault == NULL; i++)
        take_element(in, at, heap == NULL ? NULL : (char *)list.at + (size_t)i * leaf->size, heap, false);
    if (heap == NULL || in->fault != NULL)
        return;
    memcpy(value, &list.at, sizeof list.at);
    memcpy((char *)value + offsetof(kin__list_field, count), &list.count, sizeof list.count);
}

static void take_leaf(kin__bytes_in *in, const kin__leaf_at *at, void *value, kin__heap *heap, bool has_base)
{
    uint32_t count = at->leaf->count == 0 ? 1 : at->leaf->count;
    if (at->leaf->is_list) {
        take_list(in, at, value, heap);
        return;
    }
    for (uint32_t i = 0; i < count && in->fault == NULL; i++)
        take_element(in, at, heap == NULL ? NULL : (char *)value + (size_t)i * at->leaf->size, heap, has_base);
}

void kin__leaf_take(kin__bytes_in *in, const kin__leaf_at *leaf, void *value, kin__heap *heap)
{
    take_leaf(in, leaf, value, heap, true);
}

// ---- steps

static kin__lane_kind kind_of(const kin__net_leaf *leaf)
{
    bool is_signed_one = is_signed(leaf);
    if (leaf->is_list || leaf->count > 0)
        return KIN__LANE_OTHER;
    switch (leaf->type) {
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
    case KIN_TYPE_STRUCT:
    case KIN_TYPE_ENTITY:
        return KIN__LANE_OTHER;
    case KIN_TYPE_FLOAT:
        return leaf->precision > 0 ? KIN__LANE_FLOAT_STEPS : KIN__LANE_FLOAT;
    case KIN_TYPE_DOUBLE:
        return leaf->precision > 0 ? KIN__LANE_DOUBLE_STEPS : KIN__LANE_DOUBLE;
    default:
        break;
    }
    if (leaf->size == 1)
        return is_signed_one ? KIN__LANE_SIGNED_8 : KIN__LANE_UNSIGNED_8;
    if (leaf->size == 2)
        return is_signed_one ? KIN__LANE_SIGNED_16 : KIN__LANE_UNSIGNED_16;
    if (leaf->size == 4)
        return is_signed_one ? KIN__LANE_SIGNED_32 : KIN__LANE_UNSIGNED_32;
    return KIN__LANE_64;
}

static kin__lane lane_of(const kin_component_info *info, const kin__net_leaf *leaf)
{
    kin__lane lane = {.leaf = leaf,
                      .column = sizeof(kin__column) + leaf->offset,
                      .stride = info->size,
                      .kind = (uint8_t)kind_of(leaf),
                      .is_shared = info->is_shared};
    if (info->is_shared) {
        lane.column = sizeof(kin__column);
        lane.stride = sizeof(void *);
    } else if (info->is_soa) {
        lane.column -= info->fields[leaf->field].offset;
        lane.stride = info->fields[leaf->field].size;
        for (uint32_t i = 0; i < leaf->field; i++)
            lane.column += KIN__CHUNK_SLOTS * info->fields[i].size;
    }
    return lane;
}

// Returns the places whose bytes differ, of values of one size in an image.
#define DIFFERING_BYTES(type)                                                                                          \
    for (uint64_t bits = places; bits != 0; bits &= bits - 1) {                                                        \
        type values[2];                                                                                                \
        memcpy(&values[0], kin__lane_at(lane, base->bytes, first + kin__lowest_bit(bits)), sizeof(type));              \
        memcpy(&values[1], kin__lane_at(lane, now->bytes, first + kin__lowest_bit(bits)), sizeof(type));               \
        differing |= values[0] != values[1] ? bits & (0 - bits) : 0;                                                   \
    }

#define NONZERO_BYTES(type)                                                                                            \
    for (uint64_t bits = places; bits != 0; bits &= bits - 1) {                                                        \
        type value;                                                                                                    \
        memcpy(&value, kin__lane_at(lane, now->bytes, first + kin__lowest_bit(bits)), sizeof(type));                   \
        differing |= value != 0 ? bits & (0 - bits) : 0;                                                               \
    }

static uint64_t nonzero_places(const kin__lane *lane, const kin__image *now, uint32_t first, uint64_t places)
{
    uint64_t differing = 0;
    switch (lane->kind) {
    case KIN__LANE_UNSIGNED_8:
    case KIN__LANE_SIGNED_8:
        NONZERO_BYTES(uint8_t)
        return differing;
    case KIN__LANE_UNSIGNED_16:
    case KIN__LANE_SIGNED_16:
        NONZERO_BYTES(uint16_t)
        return differing;
    case KIN__LANE_UNSIGNED_32:
    case KIN__LANE_SIGNED_32:
    case KIN__LANE_FLOAT:
        NONZERO_BYTES(uint32_t)
        return differing;
    case KIN__LANE_64:
    case KIN__LANE_DOUBLE:
        NONZERO_BYTES(uint64_t)
        return differing;
    default:
        break;
    }
    for (uint64_t bits = places; bits != 0; bits &= bits - 1)
        if (!kin__leaf_is_zero(lane->leaf, lane->leaf->precision,
                               kin__lane_at(lane, now->bytes, first + kin__lowest_bit(bits))))
            differing |= bits & (0 - bits);
    return differing;
}

// What differs by its bits may be of the same steps. A constant `type` makes one loop for each.
static inline uint64_t differing_steps(const kin__lane *lane, kin_type type, const kin__image *base,
                                       const kin__image *now, uint32_t first, uint64_t places)
{
    double precision = lane->leaf->precision;
    uint64_t differing = 0;
    for (uint64_t bits = places; bits != 0; bits &= bits - 1) {
        uint32_t place = first + kin__lowest_bit(bits);
        const char *one = kin__lane_at(lane, base->bytes, place);
        const char *other = kin__lane_at(lane, now->bytes, place);
        int64_t of_one = 0;
        int64_t of_other = 0;
        bool is_same = find_steps(number_at(type, one), precision, &of_one) &&
                       find_steps(number_at(type, other), precision, &of_other) && of_one == of_other;
        if (!is_same && bits_at(type, one) != bits_at(type, other))
            differing |= bits & (0 - bits);
    }
    return differing;
}

uint64_t kin__lane_differs(const kin__lane *lane, const kin__image *base, const kin__image *now, uint32_t first,
                           uint64_t places)
{
    uint64_t differing = 0;
    if (base == NULL)
        return nonzero_places(lane, now, first, places);
    switch (lane->kind) {
    case KIN__LANE_UNSIGNED_8:
    case KIN__LANE_SIGNED_8:
        DIFFERING_BYTES(uint8_t)
        return differing;
    case KIN__LANE_UNSIGNED_16:
    case KIN__LANE_SIGNED_16:
        DIFFERING_BYTES(uint16_t)
        return differing;
    case KIN__LANE_UNSIGNED_32:
    case KIN__LANE_SIGNED_32:
    case KIN__LANE_FLOAT:
        DIFFERING_BYTES(uint32_t)
        return differing;
    case KIN__LANE_64:
    case KIN__LANE_DOUBLE:
        DIFFERING_BYTES(uint64_t)
        return differing;
    case KIN__LANE_FLOAT_STEPS:
        return differing_steps(lane, KIN_TYPE_FLOAT, base, now, first, places);
    case KIN__LANE_DOUBLE_STEPS:
        return differing_steps(lane, KIN_TYPE_DOUBLE, base, now, first, places);
    default:
        break;
    }
    for (uint64_t bits = places; bits != 0; bits &= bits - 1) {
        uint32_t place = first + kin__lowest_bit(bits);
        if (!kin__leaf_is_same(lane->leaf, lane->leaf->precision, kin__lane_at(lane, base->bytes, place),
                               kin__lane_at(lane, now->bytes, place)))
            differing |= bits & (0 - bits);
    }
    return differing;
}

// Writes the number of steps, or the bits of what has none.
static inline unsigned char *write_steps(unsigned char *at, const kin__net_leaf *leaf, kin_type type, const void *base,
                                         const void *value)
{
    int64_t exact = (int64_t)1 << (type == KIN_TYPE_DOUBLE ? 48 : 20); // as in steps_of_base
    int64_t steps;
    int64_t of_base = 0;
    if (find_steps(number_at(type, value), leaf->precision, &steps)) {
        bool is_exact = base == NULL || (find_steps(number_at(type, base), leaf->precision, &of_base) &&
                                         of_base > -exact && of_base < exact);
        if (!is_exact)
            of_base = steps_of_base(leaf, leaf->precision, base);
        return kin__write_number(at, kin__zigzag((uint64_t)steps - (uint64_t)of_base));
    }
    at = kin__write_number(at, KIN__BY_BITS);
    if (type == KIN_TYPE_DOUBLE)
        kin__little_write_64(at, bits_at(type, value));
    else
        kin__little_write_32(at, (uint32_t)bits_at(type, value));
    return at + (type == KIN_TYPE_DOUBLE ? 8 : 4);
}

// Writes a leaf that is no KIN__LANE_OTHER, of at most KIN__MOST_NUMBER + 8 bytes, and returns where it ends.
static inline unsigned char *write_lane(unsigned char *at, const kin__lane *lane, const void *base, const void *value)
{
    const kin__net_leaf *leaf = lane->leaf;
    switch (lane->kind) {
    case KIN__LANE_FLOAT:
        kin__little_write_32(at, (uint32_t)bits_at(KIN_TYPE_FLOAT, value));
        return at + 4;
    case KIN__LANE_DOUBLE:
        kin__little_write_64(at, bits_at(KIN_TYPE_DOUBLE, value));
        return at + 8;
    case KIN__LANE_FLOAT_STEPS:
        return write_steps(at, leaf, KIN_TYPE_FLOAT, base, value);
    case KIN__LANE_DOUBLE_STEPS:
        return write_steps(at, leaf, KIN_TYPE_DOUBLE, base, value);
    default:
        return kin__write_number(
            at, kin__zigzag(kin__leaf_integer(leaf, value) - (base == NULL ? 0 : kin__leaf_integer(leaf, base))));
    }
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define GOES_AS_IT_IS true
#else
#define GOES_AS_IT_IS false
#endif

void kin__lanes_add(kin__lane_list *list, const kin__lane *lane, const kin__image *base, const kin__image *now)
{
    kin__lane_put put = {lane, base == NULL ? NULL : base->bytes, now->bytes, 0};
    kin__lane_put *last = list->count == 0 ? NULL : &list->at[list->count - 1];
    if (GOES_AS_IT_IS && !lane->is_shared && (lane->kind == KIN__LANE_FLOAT || lane->kind == KIN__LANE_DOUBLE))
        put.copied = lane->leaf->size;
    list->most += put.copied == 0 ? KIN__MOST_NUMBER + 8 : put.copied;
    bool continues = last != NULL && last->copied > 0 && put.copied > 0 && last->now == put.now &&
                     last->lane->stride == lane->stride && last->lane->column + last->copied == lane->column;
    if (continues)
        last->copied += put.copied;
    else
        list->at[list->count++] = put;
}

// Sizes that are constants take no call.
static inline void copy(unsigned char *to, const char *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

void kin__lanes_put(kin__bytes_out *out, const kin__lane_list *list, uint32_t begin, uint32_t end,
                    const kin_entity *ids)
{
    for (uint32_t place = begin; place < end && kin__bytes_out_reserve(out, list->most); place++) {
        unsigned char *at = out->at + out->size;
        for (const kin__lane_put *put = list->at; put < list->at + list->count; put++) {
            const kin__lane *lane = put->lane;
            const char *value = kin__lane_at(lane, put->now, place);
            if (put->copied > 0) {
                copy(at, value, put->copied);
                at += put->copied;
                continue;
            }
            const char *base = put->base == NULL ? NULL : kin__lane_at(lane, put->base, place);
            if (lane->kind != KIN__LANE_OTHER) {
                at = write_lane(at, lane, base, value);
                continue;
            }
            kin__leaf_at leaf = {lane->leaf, lane->leaf->precision, ids[place]};
            out->size = (size_t)(at - out->at);
            put_leaf(out, &leaf, base, value);
            if (!kin__bytes_out_reserve(out, list->most))
                return;
            at = out->at + out->size;
        }
        out->size = (size_t)(at - out->at);
    }
}

// ---- reading leaves of many entities

uint32_t kin__lanes_add_take(kin__lane_take *takes, uint32_t count, const kin__lane *lane, kin__image *image)
{
    kin__lane_take take = {lane, image->bytes, 0, 0};
    kin__lane_take *last = count == 0 || takes[count - 1].lane == NULL ? NULL : &takes[count - 1];
    if (GOES_AS_IT_IS && (lane->kind == KIN__LANE_FLOAT || lane->kind == KIN__LANE_DOUBLE))
        take.copied = lane->leaf->size;
    bool continues = last != NULL && last->copied > 0 && take.copied > 0 && last->image == take.image &&
                     last->lane->stride == lane->stride && last->lane->column + last->copied == lane->column;
    if (!continues) {
        takes[count] = take;
        return count + 1;
    }
    last->copied += take.copied;
    return count;
}

static inline void take_lane(kin__bytes_in *in, const kin__lane *lane, void *value, kin_entity entity, kin__heap *heap)
{
    const kin__net_leaf *leaf = lane->leaf;
    kin__leaf_at at = {leaf, leaf->precision, entity};
    switch (lane->kind) {
    case KIN__LANE_OTHER:
        kin__leaf_take(in, &at, value, heap);
        break;
    case KIN__LANE_FLOAT_STEPS:
        take_steps(in, KIN_TYPE_FLOAT, leaf->precision, value, true, true);
        break;
    case KIN__LANE_DOUBLE_STEPS:
        take_steps(in, KIN_TYPE_DOUBLE, leaf->precision, value, true, true);
        break;
    case KIN__LANE_FLOAT:
    case KIN__LANE_DOUBLE:
        take_float(in, &at, value, true, true);
        break;
    case KIN__LANE_MAPPED:
        kin__leaf_convert(in, lane->map, entity, value, heap);
        break;
    default:
        take_integer(in, &at, value, true, true);
        break;
    }
}

void kin__lane_take_value(kin__bytes_in *in, const kin__lane *lane, kin_entity entity, char *value, kin__heap *heap)
{
    const kin__net_leaf *leaf = lane->kind == KIN__LANE_MAPPED ? lane->map->to : lane->leaf;
    take_lane(in, lane, leaf == NULL ? value : value + leaf->offset, entity, heap);
}

void kin__lanes_take(kin__bytes_in *in, const kin__lane_take *takes, uint32_t count, uint32_t begin, uint32_t end,
                     const kin_entity *ids, kin__heap *heap)
{
    for (uint32_t place = begin; place < end; place++)
        for (const kin__lane_take *take = takes; take < takes + count; take++) {
            char *value = (char *)(uintptr_t)kin__lane_at(take->lane, take->image, place);
            if (take->copied > 0) {
                const unsigned char *bytes = kin__take_bytes(in, take->copied);
                if (bytes == NULL)
                    return;
                copy((unsigned char *)value, (const char *)bytes, take->copied);
                continue;
            }
            take_lane(in, take->lane, value, ids[place], heap);
            if (in->fault != NULL)
                return;
        }
}

static inline void skip_lane(kin__bytes_in *in, const kin__lane *lane)
{
    kin__leaf_at at = {lane->leaf, lane->leaf->precision, 0};
    switch (lane->kind) {
    case KIN__LANE_FLOAT:
    case KIN__LANE_DOUBLE:
        kin__take_bytes(in, lane->leaf->size);
        break;
    case KIN__LANE_FLOAT_STEPS:
    case KIN__LANE_DOUBLE_STEPS:
        if (kin__take_number(in) == KIN__BY_BITS)
            kin__take_bytes(in, lane->leaf->size);
        break;
    case KIN__LANE_OTHER:
    case KIN__LANE_MAPPED:
        kin__leaf_take(in, &at, NULL, NULL);
        break;
    default:
        kin__take_number(in);
        break;
    }
}

kin__skip kin__skip_make(const kin__layout *layout, const uint64_t *leaves)
{
    kin__skip skip = {.layout = layout, .leaves = leaves};
    bool has_size = true;
    for (uint32_t word = 0; word < layout->words; word++)
        for (uint64_t bits = leaves[word]; bits != 0; bits &= bits - 1) {
            const kin__lane *lane = &layout->lanes[word * 64 + kin__lowest_bit(bits)];
            has_size = has_size && (lane->kind == KIN__LANE_FLOAT || lane->kind == KIN__LANE_DOUBLE);
            skip.size += lane->leaf->size;
            if (skip.count < KIN__SKIPPED_LANES)
                skip.lanes[skip.count] = lane;
            skip.count++;
        }
    if (!has_size)
        skip.size = 0;
    return skip;
}

void kin__leaves_skip(kin__bytes_in *in, const kin__skip *skip, uint32_t entities)
{
    const kin__layout *layout = skip->layout;
    if (skip->count == 0)
        return;
    if (skip->size > 0) {
        kin__take_bytes(in, skip->size * entities);
        return;
    }
    for (uint32_t i = 0; i < entities && in->fault == NULL; i++) {
        for (uint32_t k = 0; skip->count <= KIN__SKIPPED_LANES && k < skip->count; k++)
            skip_lane(in, skip->lanes[k]);
        for (uint32_t bit = 0; skip->count > KIN__SKIPPED_LANES && bit < layout->bit_count; bit++)
            if (kin__bits_have(skip->leaves, bit))
                skip_lane(in, &layout->lanes[bit]);
    }
}

// ---- layouts

static bool goes_to(const kin__net_component *component, bool is_owner)
{
    return (component->to == KIN__NET_TO_OWNER) == is_owner;
}

// Returns the lane of a leaf of another shape. What is passed over is nowhere.
static kin__lane lane_of_map(const kin_component_info *info, const kin__leaf_map *map)
{
    if (map->is_same)
        return lane_of(info, map->to);
    kin__lane lane = {0};
    if (map->to != NULL)
        lane = lane_of(info, map->to);
    lane.leaf = map->from;
    lane.map = map;
    lane.kind = KIN__LANE_MAPPED;
    return lane;
}

// Makes room for the components and leaves of a context.
static bool reserve(kin__layout *layout, kin__memory *memory, const kin__net_context *context)
{
    size_t each = sizeof *layout->components + sizeof *layout->firsts;
    size_t leaves = 0;
    for (uint32_t i = 0; i < context->component_count; i++)
        leaves += context->components[i].leaf_count;
    layout->block_size = leaves * sizeof *layout->lanes + (context->component_count + 1) * each;
    layout->block = kin__allocate(memory, layout->block_size);
    if (layout->block == NULL)
        return false;
    layout->lanes = layout->block;
    layout->components = (const kin__net_component **)(void *)(layout->lanes + leaves);
    layout->firsts = (uint32_t *)(void *)(layout->components + context->component_count + 1);
    return true;
}

static void append_component(kin__layout *layout, const kin__net_component *component)
{
    layout->components[layout->component_count] = component;
    layout->firsts[layout->component_count++] = layout->bit_count;
}

static void count_words(kin__layout *layout)
{
    layout->words = layout->bit_count / 64 + 1; // one more bit says that a mask is special
    layout->component_words = layout->component_count / 64 + 1;
}

bool kin__layout_make(kin__layout *layout, kin__memory *memory, const kin__net_context *context, bool is_owner)
{
    *layout = (kin__layout){.context = context, .info = context->info, .is_owner = is_owner};
    if (!reserve(layout, memory, context))
        return false;
    for (uint32_t i = 0; i < context->component_count; i++) {
        const kin__net_component *component = &context->components[i];
        if (!goes_to(component, is_owner))
            continue;
        append_component(layout, component);
        for (uint32_t k = 0; k < component->leaf_count; k++)
            layout->lanes[layout->bit_count++] =
                lane_of(&context->info->components[component->id], &component->leaves[k]);
    }
    count_words(layout);
    return true;
}

bool kin__layout_map(kin__layout *layout, kin__memory *memory, const kin__context_map *map, bool is_owner)
{
    *layout = (kin__layout){.context = map->to, .info = map->to == NULL ? NULL : map->to->info, .is_owner = is_owner};
    if (!reserve(layout, memory, map->from))
        return false;
    for (uint32_t i = 0; i < map->from->component_count; i++) {
        const kin__net_component *component = &map->components[i];
        const kin_component_info *info = NULL;
        if (!goes_to(component, is_owner))
            continue;
        if (component->id != KIN__NET_NO_COMPONENT)
            info = &layout->info->components[component->id];
        append_component(layout, component);
        for (uint32_t k = 0; k < component->leaf_count; k++)
            layout->lanes[layout->bit_count++] = lane_of_map(info, &map->leaves[i][k]);
    }
    count_words(layout);
    return true;
}

void kin__layout_release(kin__layout *layout, kin__memory *memory)
{
    kin__release(memory, layout->block, layout->block_size);
    *layout = (kin__layout){0};
}
