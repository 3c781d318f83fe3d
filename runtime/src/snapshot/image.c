#include "snapshot/snapshot.h"

#include <string.h>

// Returns the size in bytes of a value in the image of a column.
static size_t place_size(const kin_component_info *info)
{
    if (info->is_soa)
        return kin__fields_size(info);
    return info->is_shared ? sizeof(void *) : info->size;
}

static bool owns(const kin_component_info *info)
{
    bool has_memory = info->has_strings || info->has_drops || info->has_lists;
    return has_memory && !info->is_shared;
}

static size_t column_size(const kin_component_info *info)
{
    size_t place = place_size(info) + (owns(info) ? sizeof(kin__owned_block *) : 0);
    return sizeof(kin__column) + KIN__CHUNK_SLOTS * place;
}

static size_t head_size(const kin_context_info *info)
{
    size_t row_words = info->component_count == 0 ? 1 : (info->component_count + 63) / 64;
    return offsetof(kin__chunk, alive) + sizeof(uint64_t[KIN__CHUNK_WORDS]) +
           KIN__CHUNK_SLOTS * row_words * sizeof(uint64_t);
}

size_t kin__image_size(const kin_context_info *info, uint32_t number)
{
    if (number < info->component_count)
        return column_size(&info->components[number]);
    if (number == kin__head_number(info))
        return head_size(info);
    return sizeof(kin__relation_block);
}

const void *kin__image_field(const kin_context_info *info, const kin__image *image, uint32_t field)
{
    const kin_field_info *fields = info->components[image->number].fields;
    const unsigned char *at = image->bytes + sizeof(kin__column);
    for (uint32_t i = 0; i < field; i++)
        at += KIN__CHUNK_SLOTS * fields[i].size;
    return at;
}

// Compares 64 values whose size is a constant.
static inline uint64_t differing_values(const unsigned char *one, const unsigned char *other, size_t size)
{
    uint64_t differing = 0;
    for (uint32_t i = 0; i < 64; i++)
        differing |= (uint64_t)(memcmp(one + i * size, other + i * size, size) != 0) << i;
    return differing;
}

uint64_t kin__image_differing(const kin_component_info *component, const kin__image *one, const kin__image *other,
                              uint32_t word)
{
    size_t size = component->size;
    const unsigned char *first = one->bytes + sizeof(kin__column) + (size_t)word * 64 * size;
    const unsigned char *second = other->bytes + sizeof(kin__column) + (size_t)word * 64 * size;
    if (memcmp(first, second, 64 * size) == 0)
        return 0;
    switch (size) {
    case 4:
        return differing_values(first, second, 4);
    case 8:
        return differing_values(first, second, 8);
    case 16:
        return differing_values(first, second, 16);
    default:
        return differing_values(first, second, size);
    }
}

const void *kin__image_value(const kin_context_info *info, const kin__image *image, uint32_t place, void *scratch)
{
    const kin_component_info *component = &info->components[image->number];
    const unsigned char *at = image->bytes + sizeof(kin__column);
    if (component->is_shared)
        return ((void *const *)(const void *)at)[place];
    if (!component->is_soa || component->field_count == 0)
        return at + place * component->size;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const kin_field_info *field = &component->fields[i];
        memcpy((char *)scratch + field->offset, at + place * field->size, field->size);
        at += KIN__CHUNK_SLOTS * field->size;
    }
    return scratch;
}

kin__owned_block **kin__image_owned_blocks(const kin_context_info *info, const kin__image *image)
{
    size_t all = kin__image_size(info, image->number);
    return (kin__owned_block **)(void *)(image->bytes + all - KIN__CHUNK_SLOTS * sizeof(kin__owned_block *));
}

static void pin_shared(kin_context *context, const kin__image *image, bool on)
{
    const uint64_t *has = kin__image_has(image);
    EACH_OF_ROW(place, has, KIN__CHUNK_WORDS)
    {
        const void *value = kin__image_value(context->info, image, place, NULL);
        if (on)
            kin__shared_image_pin(value);
        else
            kin__shared_image_unpin(context, (kin_component_id)image->number, value);
    }
}

static void pin_owned(kin_context *context, const kin__image *image, bool on)
{
    const uint64_t *has = kin__image_has(image);
    kin__owned_block **owned_blocks = kin__image_owned_blocks(context->info, image);
    EACH_OF_ROW(place, has, KIN__CHUNK_WORDS)
    {
        if (on)
            kin__owned_block_pin(owned_blocks[place]);
        else
            kin__owned_block_unpin(context, owned_blocks[place]);
    }
}

static void pin(kin_context *context, const kin__image *image, bool on)
{
    if (image->number >= context->info->component_count)
        return;
    if (kin__is_shared(context, (kin_component_id)image->number))
        pin_shared(context, image, on);
    else if (kin__is_owned(context, (kin_component_id)image->number))
        pin_owned(context, image, on);
}

void kin__image_pin(kin_context *context, const kin__image *image)
{
    pin(context, image, true);
}

void kin__image_unpin(kin_context *context, const kin__image *image)
{
    pin(context, image, false);
}

// ---- lists

size_t kin__lists_size(const kin_component_info *info, const void *value)
{
    size_t size = 0;
    KIN__EACH_LIST(field, info)
    size += kin__round_up(kin__list_field_read(value, field).count * field->element_size);
    return size;
}

char *kin__lists_detach(const kin_component_info *info, void *value, char *to)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        size_t size = list.count * field->element_size;
        kin__list_field_write(value, field, (kin__list_field){size == 0 ? NULL : to, list.count});
        if (size == 0) // memcpy must not get `to`, which may be NULL
            continue;
        memcpy(to, list.at, size);
        to += kin__round_up(size);
    }
    return to;
}

void kin__lists_attach(const kin_component_info *info, void *value, kin__owned_block *owned_block)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        void *at = kin__list_field_read(kin__owned_block_value(owned_block), field).at;
        KIN_ASSERT(list.count <= kin__list_field_capacity(at));
        if (list.count > 0)
            memcpy(at, list.at, list.count * field->element_size);
        kin__list_field_write(value, field, (kin__list_field){at, list.count});
    }
}

kin__image *kin__image_begin(kin_context *context, kin_component_id id)
{
    kin__image *image = kin__store_take(context, id);
    if (image != NULL)
        memset(image->bytes, 0, kin__image_size(context->info, id));
    return image;
}

bool kin__image_own(kin_context *context, kin_component_id id, void *value, kin__owned_block **owned_block)
{
    const void *own = value;
    if (!kin__owned_block_make(context, id, &own, owned_block))
        return false;
    if (*owned_block == NULL)
        return true;
    memcpy(value, own, context->info->components[id].size);
    kin__owned_block_pin(*owned_block);
    kin__owned_block_retire(context, *owned_block); // only the image uses it
    kin__owned_settle(context);
    return true;
}

static void set_soa(const kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    const kin_component_info *info = &context->info->components[image->number];
    for (uint32_t i = 0; i < info->field_count; i++) {
        char *field = (char *)(uintptr_t)kin__image_field(context->info, image, i);
        memcpy(field + place * info->fields[i].size, (const char *)value + info->fields[i].offset,
               info->fields[i].size);
    }
}

static bool set_shared(kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    const void *shared = kin__shared_adopt(context, (kin_component_id)image->number, value);
    if (shared != NULL)
        ((const void **)(void *)(image->bytes + sizeof(kin__column)))[place] = shared;
    return shared != NULL;
}

bool kin__image_set(kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    kin_component_id id = (kin_component_id)image->number;
    const kin_component_info *info = &context->info->components[id];
    char *at = (char *)image->bytes + sizeof(kin__column) + place * info->size;
    KIN_ASSERT(!kin__bits_have(kin__image_has(image), place));
    if (info->is_shared) {
        if (!set_shared(context, image, place, value))
            return false;
    } else if (info->is_soa) {
        set_soa(context, image, place, value);
    } else if (info->size > 0) {
        memcpy(at, value, info->size);
        if (kin__is_owned(context, id) &&
            !kin__image_own(context, id, at, &kin__image_owned_blocks(context->info, image)[place]))
            return false;
    }
    kin__bits_add((uint64_t *)(void *)image->bytes, place);
    return true;
}

// Copies the elements of all lists into one block, one after the other. Until now lists point into the owned blocks.
bool kin__image_end(kin_context *context, kin__image *image)
{
    const kin_component_info *info = &context->info->components[image->number];
    size_t size = 0;
    if (!info->has_lists || info->is_shared)
        return true;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            size += kin__lists_size(info, kin__image_value(context->info, image, place, NULL));
    if (!kin__image_reserve_extra(context, image, size))
        return false;
    char *elements = image->extra;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            elements =
                kin__lists_detach(info, (char *)image->bytes + sizeof(kin__column) + place * info->size, elements);
    return true;
}

kin__image *kin__image_copy(kin_context *context, const kin__image *image)
{
    bool is_column = image->number < context->info->component_count;
    if (is_column && kin__is_shared(context, (kin_component_id)image->number) &&
        !kin__shared_images_reserve(context, (kin_component_id)image->number))
        return NULL;
    kin__image *copy = kin__store_take(context, image->number);
    if (copy == NULL)
        return NULL;
    memcpy(copy->bytes, image->bytes, kin__image_size(context->info, image->number));
    kin__image_pin(context, copy);
    return copy;
}

void kin__image_clear(kin_context *context, kin__image *image, uint32_t place)
{
    kin_component_id id = (kin_component_id)image->number;
    KIN_ASSERT(kin__bits_have(kin__image_has(image), place));
    if (kin__is_shared(context, id))
        kin__shared_image_unpin(context, id, kin__image_value(context->info, image, place, NULL));
    else if (kin__is_owned(context, id))
        kin__owned_block_unpin(context, kin__image_owned_blocks(context->info, image)[place]);
    kin__bits_remove((uint64_t *)(void *)image->bytes, place);
}

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
    return kin__chunk_column(context, chunk, id);
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
    EACH_OF_ROW(place, column->has, KIN__CHUNK_WORDS)
    {
        const void *value = value_at(context, image->number, column, place);
        const void *saved = kin__image_value(context->info, image, place, NULL);
        if (info->has_lists ? !equals_with_lists(context, info, value, saved) : memcmp(value, saved, info->size) != 0)
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
    EACH_OF_ROW(place, column->has, KIN__CHUNK_WORDS)
    {
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
        const char *now = kin__column_value(column, 0, 0);
        const char *saved = kin__image_field(context->info, image, 0);
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
    EACH_OF_ROW(place, column->has, KIN__CHUNK_WORDS)
    {
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
