#include "image/copy_block.h"

#include "base/base.h"
#include "image/pin.h"
#include "lookup/lookup.h"
#include "store/store.h"

#include <string.h>

// How the values of a column are copied to an image.
typedef enum copying {
    COPY_AS_IT_STANDS,
    COPY_BOXED,
    COPY_LISTS // value by value, with the elements of lists
} copying;

static copying copying_of(const kin_component_info *info)
{
    if (info->has_lists && !info->is_shared)
        return COPY_LISTS;
    return info->is_boxed && !info->is_shared ? COPY_BOXED : COPY_AS_IT_STANDS;
}

static const kin__column *column_of(const kin_context *context, uint32_t chunk, uint32_t id)
{
    return kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
}

// Returns the size in bytes of the `has` bits and the values of a column that is copied as one block.
static size_t standing_size(const kin_context *context, uint32_t id)
{
    return sizeof(kin__column) + KIN__CHUNK_SLOTS * kin__place_size(context, (kin_component_id)id);
}

static size_t ids_size(void)
{
    return offsetof(kin__chunk, alive) + sizeof(uint64_t[KIN__CHUNK_WORDS]);
}

static size_t rows_size(const kin_context *context)
{
    return (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t);
}

bool kin__block_exists(const kin_context *context, uint32_t chunk, uint32_t number)
{
    const kin_context_info *info = context->info;
    if (number < info->component_count) {
        const kin__column *column = column_of(context, chunk, number);
        return column != context->empty && !kin__column_is_empty(column);
    }
    return number == kin__head_number(info) ||
           kin__relation_saved_block(context, number - kin__links_number(info, 0), chunk) != NULL;
}

// ---- values one by one

// Returns the address of a value, boxed or not. Not for soa components.
static const void *value_at(const kin_context *context, uint32_t id, const kin__column *column, uint32_t place)
{
    const kin_component_info *info = &context->info->components[id];
    return info->is_boxed ? *(void *const *)kin__column_value(column, place, sizeof(void *))
                          : kin__column_value(column, place, info->size);
}

static bool is_list_equal(kin__list_field list, kin__list_field saved, size_t element_size)
{
    return list.count == saved.count && (list.count == 0 || memcmp(list.at, saved.at, list.count * element_size) == 0);
}

// Compares a value that has lists with a saved one: list elements by content, everything else by its bytes.
static bool equals_with_lists(const kin_context *context, const kin_component_info *info, const void *value,
                              const void *saved)
{
    void *scratch = memcpy(context->core->store->scratch, value, info->size);
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(saved, field);
        if (!is_list_equal(kin__list_field_read(value, field), list, field->element_size))
            return false;
        kin__list_field_write(scratch, field, list);
    }
    return memcmp(scratch, saved, info->size) == 0;
}

static bool are_values_equal(const kin_context *context, const kin__column *column, const kin__image *image)
{
    const kin_component_info *info = &context->info->components[image->number];
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = column->has[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            const void *value = value_at(context, image->number, column, place);
            const void *saved = kin__image_value(context->info, image, place, NULL);
            if (info->has_lists ? !equals_with_lists(context, info, value, saved)
                                : memcmp(value, saved, info->size) != 0)
                return false;
        }
    return true;
}

static bool are_owned_blocks_equal(const kin_context *context, const kin__column *column, const kin__image *image)
{
    kin_component_id id = (kin_component_id)image->number;
    if (!kin__is_owned(context, id))
        return true;
    kin__owned_block **now = kin__owned_blocks_of(context, column, id);
    kin__owned_block **saved = kin__image_owned_blocks(context->info, image);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = column->has[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            if (now[place] != saved[place])
                return false;
        }
    return true;
}

static bool column_equals(const kin_context *context, const kin__column *column, const kin__image *image)
{
    if (copying_of(&context->info->components[image->number]) == COPY_AS_IT_STANDS)
        return memcmp(column, image->bytes, standing_size(context, image->number)) == 0 &&
               are_owned_blocks_equal(context, column, image);
    return memcmp(column->has, image->bytes, sizeof column->has) == 0 &&
           are_owned_blocks_equal(context, column, image) && are_values_equal(context, column, image);
}

bool kin__image_equals(const kin_context *context, uint32_t chunk, const kin__image *image)
{
    const kin_context_info *info = context->info;
    if (image->number < info->component_count)
        return column_equals(context, column_of(context, chunk, image->number), image);
    if (image->number != kin__head_number(info)) {
        const kin__relation_block *block =
            kin__relation_saved_block(context, image->number - kin__links_number(info, 0), chunk);
        return memcmp(block, image->bytes, sizeof *block) == 0;
    }
    const kin__chunk *head = context->chunks[chunk];
    return memcmp(head, image->bytes, ids_size()) == 0 &&
           memcmp(kin__chunk_row(head, context->row_words, 0), image->bytes + ids_size(), rows_size(context)) == 0;
}

bool kin__image_value_equals(const kin_context *context, uint32_t chunk, const kin__image *image, uint32_t place)
{
    const kin_component_info *info = &context->info->components[image->number];
    const kin__column *column = column_of(context, chunk, image->number);
    if (info->is_soa) {
        const char *now = kin__column_value(column, 0, 0), *saved = kin__image_field(context->info, image, 0);
        for (uint32_t i = 0; i < info->field_count; i++) {
            size_t size = info->fields[i].size;
            if (memcmp(now + place * size, saved + place * size, size) != 0)
                return false;
            now += KIN__CHUNK_SLOTS * size;
            saved += KIN__CHUNK_SLOTS * size;
        }
        return true;
    }
    const void *value = value_at(context, image->number, column, place);
    const void *saved = kin__image_value(context->info, image, place, NULL);
    if (info->is_shared)
        return value == saved;
    return info->has_lists ? equals_with_lists(context, info, value, saved) : memcmp(value, saved, info->size) == 0;
}

// ---- making

static size_t elements_size(const kin_context *context, const kin__column *column, uint32_t id)
{
    size_t size = 0;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place))
            size += kin__lists_size(&context->info->components[id], value_at(context, id, column, place));
    return size;
}

static void copy_values(const kin_context *context, const kin__column *column, kin__image *image)
{
    const kin_component_info *info = &context->info->components[image->number];
    char *elements = image->extra;
    memcpy(image->bytes, column->has, sizeof column->has);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = column->has[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            void *copy = image->bytes + sizeof *column + place * info->size;
            memcpy(copy, value_at(context, image->number, column, place), info->size);
            if (info->has_lists)
                elements = kin__lists_detach(info, copy, elements);
        }
}

// False when out of memory.
static bool copy_column(kin_context *context, const kin__column *column, kin__image *image)
{
    kin_component_id id = (kin_component_id)image->number;
    copying copying = copying_of(&context->info->components[id]);
    if (copying == COPY_LISTS && !kin__image_reserve_extra(context, image, elements_size(context, column, id)))
        return false;
    if (kin__is_shared(context, id) && !kin__shared_images_reserve(context, id))
        return false;
    if (copying == COPY_AS_IT_STANDS)
        memcpy(image->bytes, column, standing_size(context, id));
    else
        copy_values(context, column, image);
    if (kin__is_owned(context, id))
        memcpy(kin__image_owned_blocks(context->info, image), kin__owned_blocks_of(context, column, id),
               KIN__CHUNK_SLOTS * sizeof(kin__owned_block *));
    kin__image_pin(context, image);
    return true;
}

static void copy_head(const kin_context *context, const kin__chunk *chunk, kin__image *image)
{
    memcpy(image->bytes, chunk, ids_size());
    memcpy(image->bytes + ids_size(), kin__chunk_row(chunk, context->row_words, 0), rows_size(context));
}

kin__image *kin__image_make(kin_context *context, uint32_t chunk, uint32_t number)
{
    const kin_context_info *info = context->info;
    kin__image *image = kin__store_take(context, number);
    if (image == NULL)
        return NULL;
    if (number == kin__head_number(info)) {
        copy_head(context, context->chunks[chunk], image);
    } else if (number > kin__head_number(info)) {
        memcpy(image->bytes, kin__relation_saved_block(context, number - kin__links_number(info, 0), chunk),
               sizeof(kin__relation_block));
    } else if (!copy_column(context, column_of(context, chunk, number), image)) {
        kin__store_return(context, image);
        return NULL;
    }
    return image;
}
