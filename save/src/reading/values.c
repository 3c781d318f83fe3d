#include "reading/internal.h"

#include "store/store.h"

#include <string.h>

// One leaf of all values.
typedef struct pass {
    kin__read_values *values;
    const kin__file_leaf *leaf;
    kin__file_elements elements;
    size_t element;            // the number of the next one, among those of all values
    const unsigned char *next; // its number or its letters
} pass;

// Returns false with a fault noted; true if a migration decides, so that the default stays. `from` is that of
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
    KIN_ASSERT(number < pass->values->count);
    if (now->is_list) {
        kin__list_field list = kin__list_field_read(value, now->top);
        KIN_ASSERT(element / now->elements < list.count);
        value = (unsigned char *)list.at + element / now->elements * now->top->element_size;
        element %= now->elements;
    }
    if (element >= now->elements)
        return NULL;
    return element_at(now, value, element);
}

// ---- lists

// Reserves room for the elements of a list, or checks that an earlier leaf of the same list has as many.
static bool make_list(const pass *pass, uint32_t number, bool is_first)
{
    const kin__value_leaf *now = pass->leaf->now;
    uint32_t count = kin__file_elements_of(&pass->elements, number) / now->elements;
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

static bool make_lists(const pass *pass)
{
    const kin__file_leaf *leaf = pass->leaf;
    if (leaf->now == NULL || !leaf->now->is_list)
        return true;
    bool is_first = is_first_of_list(pass->values->component, leaf);
    for (uint32_t i = 0; i < pass->values->count; i++)
        if (!make_list(pass, i, is_first))
            return false;
    return true;
}

// Checks the number of elements of each value.
static bool check_counts(const pass *pass)
{
    uint32_t least = pass->leaf->elements;
    for (uint32_t i = 0; i < pass->values->count; i++) {
        uint32_t count = kin__file_elements_of(&pass->elements, i);
        if (count % least != 0 || count / least > KIN__LIST_LIMIT)
            return kin__block_reader_fault(pass->values->reader, 1307, "a list has a wrong length");
    }
    return true;
}

// Finds the elements, each of which has bytes of the block, before memory is taken for them.
static bool take_elements(pass *pass)
{
    const kin__file_leaf *leaf = pass->leaf;
    pass->elements = (kin__file_elements){.type = leaf->type, .is_list = leaf->is_list, .per_value = leaf->elements};
    bool is_whole = kin__file_elements_take(&pass->elements, pass->values->decoder, pass->values->count);
    bool has_counts = !leaf->is_list || pass->elements.counts != NULL;
    if (has_counts && !check_counts(pass))
        return false;
    pass->next = pass->elements.bytes;
    return is_whole || kin__block_reader_fault(pass->values->reader, 1307, "its counts exceed its size");
}

// ---- elements

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static bool read_number(pass *pass, uint32_t number, uint32_t element)
{
    size_t width = kin__file_width(pass->leaf->type);
    const unsigned char *from = pass->next;
    pass->next += width;
    if (pass->leaf->now == NULL)
        return true;
    unsigned char *to = target(pass, number, element);
    if (to == NULL)
        return is_zero(from, width) || refuse(pass, number, KIN__UNFIT);
    kin__conversion how = kin__convert(pass->leaf, from, to);
    if (how == KIN__CONVERTED || how == KIN__GIVEN_UP)
        return true;
    return refuse_value(pass, number, how, from);
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

static bool read_text(pass *pass, uint32_t number, uint32_t element)
{
    uint32_t length = kin__file_text_length(&pass->elements, pass->element);
    bool is_null = length == KIN__NO_TEXT;
    if (is_null)
        length = 0;
    const unsigned char *letters = pass->next;
    pass->next += length;
    if (pass->leaf->now == NULL)
        return true;
    unsigned char *to = target(pass, number, element);
    if (to == NULL)
        return length == 0 || refuse(pass, number, KIN__UNFIT);
    if (is_null) {
        const kin__value_leaf *now = pass->leaf->now;
        if (pass->leaf->type != KIN_TYPE_STRING)
            return refuse(pass, number, KIN__WRONG);
        memset(to, 0, now->width);
        return true;
    }
    return store_text(pass, number, to, letters, length);
}

static bool read_elements(pass *pass)
{
    for (uint32_t i = 0; i < pass->values->count; i++) {
        uint32_t count = kin__file_elements_of(&pass->elements, i);
        for (uint32_t k = 0; k < count; k++) {
            KIN_ASSERT(pass->element < pass->elements.total);
            bool is_read;
            if (pass->elements.lengths != NULL)
                is_read = read_text(pass, i, k);
            else
                is_read = read_number(pass, i, k);
            if (!is_read)
                return false;
            pass->element++;
        }
    }
    KIN_ASSERT(pass->element == pass->elements.total);
    return true;
}

// ---- all leaves

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
    KIN_ASSERT(values->count <= KIN__CHUNK_SLOTS);
    if (component->now != NULL) {
        const kin_component_info *info = values->component->now->info;
        for (uint32_t i = 0; info->write_default != NULL && i < values->count; i++)
            info->write_default(values->values + i * info->size);
    }
    for (uint32_t i = 0; i < component->leaf_count; i++) {
        pass pass = {.values = values, .leaf = &component->leaves[i]};
        bool has_room = take_elements(&pass) && make_lists(&pass);
        if (!has_room || !read_elements(&pass))
            return false;
    }
    if (component->is_converted)
        values->report->converted += values->count;
    if (component->now != NULL && component->is_defaulted)
        values->report->defaulted += values->count;
    if (component->now == NULL || component->is_dropped)
        values->report->dropped += values->count;
    return true;
}
