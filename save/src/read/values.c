#include "read/values.h"

#include "file/file.h"
#include "read/reading.h"
#include "read/unfit.h"
#include "storage/list.h"

#include <string.h>

#define NULL_TEXT UINT32_MAX // the length of a NULL string

// One leaf of all values.
typedef struct pass {
    kin__read_values *values;
    const kin__file_leaf *leaf;
    uint32_t *counts;             // elements of each value in the file
    const unsigned char *lengths; // of strings and opaque values: the next length
} pass;

// Returns false with a fault noted; true if a migration decides, so that the default stays. `from`: as of
// kin__unfit_value.
static bool refuse_value(const pass *pass, uint32_t number, kin__conversion how, const unsigned char *from)
{
    const kin__read_values *values = pass->values;
    if (how == KIN__UNFIT && values->component->migration != NULL)
        return true;
    if (how == KIN__WRONG)
        return kin__block_reader_fault(values->reader, 1307, "%.80s.%.80s has an invalid value",
                                       values->component->name, pass->leaf->path);
    return kin__unfit_value(values, pass->leaf, number, from);
}

static bool refuse(const pass *pass, uint32_t number, kin__conversion how)
{
    return refuse_value(pass, number, how, NULL);
}

// ---- addresses of elements

// Returns the address of one element of a leaf. The element must exist.
static unsigned char *element_at(const kin__value_leaf *leaf, unsigned char *value, uint32_t number)
{
    unsigned char *at = value + leaf->offset;
    for (uint32_t i = leaf->dimension_count; i-- > 0;) {
        at += number % leaf->dimensions[i].count * leaf->dimensions[i].stride;
        number /= leaf->dimensions[i].count;
    }
    return at;
}

static unsigned char *value_of(const pass *pass, uint32_t number)
{
    return pass->values->values + number * pass->values->component->now->info->size;
}

// Returns the address to write an element to; NULL if the array is now too short for it.
static unsigned char *target(const pass *pass, uint32_t number, uint32_t element)
{
    const kin__value_leaf *now = pass->leaf->now;
    unsigned char *value = value_of(pass, number);
    if (now->is_list) {
        kin__list_field list = kin__list_field_read(value, now->top);
        value = (unsigned char *)list.at + element / now->elements * now->top->element_size;
        element %= now->elements;
    }
    return element < now->elements ? element_at(now, value, element) : NULL;
}

// ---- lists

// Reserves room for the elements of a list, or checks that an earlier leaf of the same list has as many.
static bool make_list(const pass *pass, uint32_t number, bool is_first)
{
    const kin__value_leaf *now = pass->leaf->now;
    uint32_t count = pass->counts[number] / now->elements;
    kin__list_field list = kin__list_field_read(value_of(pass, number), now->top);
    if (!is_first)
        return list.count == count || kin__block_reader_fault(pass->values->reader, 1307, "a list has several lengths");
    list = (kin__list_field){NULL, count};
    if (count > 0) {
        list.at = kin__heap_take(pass->values->heap, count, now->top->element_size);
        if (list.at == NULL)
            return false;
    }
    kin__list_field_write(value_of(pass, number), now->top, list);
    return true;
}

static bool is_first_of_list(const kin__file_component *component, const kin__file_leaf *leaf)
{
    for (const kin__file_leaf *other = component->leaves; other < leaf; other++)
        if (other->now != NULL && other->now->top == leaf->now->top)
            return false;
    return true;
}

// Each count announces bytes of the block, so a count is used only after checking that the block has them.
static bool read_counts(pass *pass)
{
    const kin__file_leaf *leaf = pass->leaf;
    size_t least = kin__file_width(leaf->type) == 0 ? sizeof(uint32_t) : kin__file_width(leaf->type);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < pass->values->count; i++) {
        pass->counts[i] = leaf->is_list ? kin__decode_32(pass->values->decoder) : leaf->elements;
        sum += pass->counts[i];
        if (pass->counts[i] % leaf->elements != 0 || pass->counts[i] / leaf->elements > KIN__LIST_LIMIT)
            return kin__block_reader_fault(pass->values->reader, 1307, "a list has a wrong length");
    }
    if (pass->values->decoder->is_short || sum > kin__decoder_left(pass->values->decoder) / least)
        return kin__block_reader_fault(pass->values->reader, 1307, "its counts exceed its size");
    bool is_list = leaf->now != NULL && leaf->now->is_list;
    bool is_first = is_list && is_first_of_list(pass->values->component, leaf);
    for (uint32_t i = 0; is_list && i < pass->values->count; i++)
        if (!make_list(pass, i, is_first))
            return false;
    return true;
}

// ---- elements

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static bool read_number(const pass *pass, uint32_t number, uint32_t element)
{
    size_t width = kin__file_width(pass->leaf->type);
    const unsigned char *from = kin__decode_bytes(pass->values->decoder, width);
    if (pass->leaf->now == NULL || from == NULL)
        return from != NULL;
    unsigned char *to = target(pass, number, element);
    if (to == NULL)
        return is_zero(from, width) || refuse(pass, number, KIN__UNFIT);
    kin__conversion how = kin__convert(pass->leaf, from, to);
    return how == KIN__CONVERTED || how == KIN__GIVEN_UP || refuse_value(pass, number, how, from);
}

// Asks the migration of the component about a value that its load function has refused. True if it decides.
static bool refuse_loaded(const pass *pass, uint32_t number)
{
    const kin__reading *reading = pass->values->reading;
    kin_component_id id = pass->values->component->now->id;
    if (reading != NULL && kin__decided_of(reading, id) != NULL)
        return true;
    if (reading != NULL && kin__migrating_ask(reading, id))
        return false;
    return kin__unfit_value(pass->values, pass->leaf, number, NULL);
}

static bool store_opaque(const pass *pass, uint32_t number, unsigned char *to, const unsigned char *bytes, size_t size)
{
    const kin_type_info *type = pass->leaf->now->field->of;
    kin__loaded_value *loaded = kin__heap_take(pass->values->heap, 1, sizeof *loaded);
    if (loaded == NULL)
        return false;
    if (!type->load(to, bytes, size)) {
        memset(to, 0, type->size);
        return refuse_loaded(pass, number);
    }
    *loaded = (kin__loaded_value){pass->values->loaded, type, to, number};
    pass->values->loaded = loaded;
    return true;
}

static bool store_text(const pass *pass, uint32_t number, unsigned char *to, const unsigned char *bytes, size_t size)
{
    const kin__value_leaf *now = pass->leaf->now;
    if (now->field->type == KIN_TYPE_OPAQUE)
        return store_opaque(pass, number, to, bytes, size);
    if (memchr(bytes, 0, size) != NULL)
        return refuse(pass, number, KIN__WRONG);
    if (now->field->type == KIN_TYPE_INLINE_STRING) {
        if (!kin__leaf_has_room(now, size))
            return refuse(pass, number, KIN__UNFIT);
        memset(to, 0, now->width);
        memcpy(to, bytes, size);
        return true;
    }
    char *text = kin__heap_take(pass->values->heap, size + 1, 1);
    if (text == NULL)
        return false;
    memcpy(text, bytes, size);
    memcpy(to, &text, sizeof text);
    return true;
}

static bool store_null(const pass *pass, uint32_t number, unsigned char *to)
{
    const kin__value_leaf *now = pass->leaf->now;
    if (pass->leaf->type != KIN_TYPE_STRING)
        return refuse(pass, number, KIN__WRONG);
    memset(to, 0, now->width);
    return true;
}

static bool read_text(pass *pass, uint32_t number, uint32_t element)
{
    uint32_t length = kin__little_read_32(pass->lengths);
    pass->lengths += sizeof length;
    const unsigned char *bytes = kin__decode_bytes(pass->values->decoder, length == NULL_TEXT ? 0 : length);
    if (pass->leaf->now == NULL || bytes == NULL)
        return bytes != NULL;
    unsigned char *to = target(pass, number, element);
    if (to == NULL)
        return length == NULL_TEXT || length == 0 || refuse(pass, number, KIN__UNFIT);
    return length == NULL_TEXT ? store_null(pass, number, to) : store_text(pass, number, to, bytes, length);
}

static bool read_elements(pass *pass)
{
    bool is_text = kin__file_width(pass->leaf->type) == 0;
    size_t sum = 0;
    for (uint32_t i = 0; i < pass->values->count; i++)
        sum += pass->counts[i];
    if (is_text)
        pass->lengths = kin__decode_bytes(pass->values->decoder, sum * sizeof(uint32_t));
    for (uint32_t i = 0; i < pass->values->count; i++)
        for (uint32_t k = 0; k < pass->counts[i]; k++)
            if (!(is_text ? read_text(pass, i, k) : read_number(pass, i, k)))
                return pass->values->decoder->is_short
                           ? kin__block_reader_fault(pass->values->reader, 1307, "its counts exceed its size")
                           : false;
    return true;
}

// ---- all leaves

static bool write_defaults(kin__read_values *values)
{
    const kin_component_info *info = values->component->now->info;
    for (uint32_t i = 0; info->write_default != NULL && i < values->count; i++)
        info->write_default(values->values + i * info->size);
    return true;
}

void kin__values_drop(const kin__read_values *values, uint32_t from)
{
    for (const kin__loaded_value *loaded = values->loaded; loaded != NULL; loaded = loaded->next)
        if (loaded->number >= from && loaded->type->drop != NULL)
            loaded->type->drop(loaded->value);
}

bool kin__values_decode(kin__read_values *values)
{
    return kin__values_decode_leaves(values) && kin__decoder_end(values->decoder, values->reader);
}

bool kin__values_decode_leaves(kin__read_values *values)
{
    const kin__file_component *component = values->component;
    uint32_t counts[KIN__CHUNK_SLOTS];
    if (component->now != NULL)
        write_defaults(values);
    for (uint32_t i = 0; i < component->leaf_count; i++) {
        pass pass = {.values = values, .leaf = &component->leaves[i], .counts = counts};
        if (!read_counts(&pass) || !read_elements(&pass))
            return false;
    }
    values->report->converted += component->is_converted ? values->count : 0;
    values->report->defaulted += component->now != NULL && component->is_defaulted ? values->count : 0;
    values->report->dropped += component->now == NULL || component->is_dropped ? values->count : 0;
    return true;
}
