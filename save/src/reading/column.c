#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <string.h>

// ---- storing values

static bool note_no_memory(kin__reading *reading)
{
    return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for %zu bytes; free some and try again",
                           reading->context->core->memory.refused);
}

static void store_struct(const kin_component_info *info, kin__image *image, uint32_t place, const void *value)
{
    unsigned char *at = image->bytes + sizeof(kin__column);
    if (!info->is_soa) {
        if (info->size > 0)
            memcpy(at + place * info->size, value, info->size);
        return;
    }
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        memcpy(at + place * field->size, (const char *)value + field->offset, field->size);
        at += KIN__CHUNK_SLOTS * field->size;
    }
}

static bool store_shared(kin__reading *reading, kin__image *image, uint32_t place, const void *value)
{
    const void *adopted = kin__shared_adopt(reading->context, (kin_component_id)image->number, value);
    if (adopted == NULL)
        return note_no_memory(reading);
    memcpy(image->bytes + sizeof(kin__column) + place * sizeof adopted, &adopted, sizeof adopted);
    return true;
}

// Retires the block, as no slot has it; the image pins it.
static bool store_owned(kin__reading *reading, kin__image *image, uint32_t place, const void *value)
{
    kin_context *context = reading->context;
    kin__owned_block *owned_block = NULL;
    if (!kin__owned_block_make(context, (kin_component_id)image->number, &value, &owned_block)) {
        context->core->value_error = KIN_OK;
        return note_no_memory(reading);
    }
    store_struct(&context->info->components[image->number], image, place, value);
    kin__image_owned_blocks(context->info, image)[place] = owned_block;
    kin__owned_block_pin(owned_block);
    kin__owned_block_retire(context, owned_block);
    return true;
}

// Moves the elements of lists to `extra` of the image.
static bool detach_lists(kin__reading *reading, kin__image *image)
{
    const kin_component_info *info = &reading->context->info->components[image->number];
    kin__memory *memory = &reading->context->core->snapshot_memory;
    size_t size = 0;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            size += kin__lists_size(info, kin__image_value(reading->context->info, image, place, NULL));
    if (size > image->extra_size) {
        void *extra = kin__allocate(memory, size);
        if (extra == NULL)
            return note_no_memory(reading);
        kin__release(memory, image->extra, image->extra_size);
        image->extra = extra;
        image->extra_size = size;
    }
    KIN_ASSERT(size <= image->extra_size);
    char *to = image->extra;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            to = kin__lists_detach(info, image->bytes + sizeof(kin__column) + place * info->size, to);
    return true;
}

// The bits of the image are those of the values that it has so far, so that it can be let go of at any time.
bool kin__column_store(kin__reading *reading, kin__image *image, uint32_t place, const void *value)
{
    const kin_context *context = reading->context;
    kin_component_id id = (kin_component_id)image->number;
    const kin_component_info *info = &context->info->components[id];
    bool is_stored = true;
    if (info->is_shared)
        is_stored = store_shared(reading, image, place, value);
    else if (kin__is_owned(context, id))
        is_stored = store_owned(reading, image, place, value);
    else
        store_struct(info, image, place, value);
    if (!is_stored)
        return false;
    KIN_ASSERT(!kin__bits_have(kin__image_has(image), place));
    kin__bits_add((uint64_t *)(void *)image->bytes, place);
    return true;
}

kin__image *kin__column_begin(kin__reading *reading, uint32_t chunk, kin_component_id id)
{
    KIN_ASSERT(kin__part_image(reading->part, chunk, id) == NULL);
    kin__image *image = kin__store_take(reading->context, id);
    if (image == NULL) {
        note_no_memory(reading);
        return NULL;
    }
    memset(image->bytes, 0, kin__image_size(reading->context->info, id));
    kin__part_put(reading->part, chunk, image);
    return image;
}

bool kin__column_end(kin__reading *reading, uint32_t chunk, kin__image *image)
{
    const kin_component_info *info = &reading->context->info->components[image->number];
    const kin__image *head = kin__reading_head(reading, chunk);
    KIN_ASSERT(head != NULL);
    kin__owned_settle(reading->context);
    bool owns_lists = info->has_lists && !info->is_shared;
    if (owns_lists && !detach_lists(reading, image))
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            kin__bits_add(kin__reading_row(reading, head, place), image->number);
    return true;
}

// ---- changes of what was stored

kin__image *kin__column_copy(kin__reading *reading, const kin__image *image, const uint64_t has[KIN__CHUNK_WORDS])
{
    kin_context *context = reading->context;
    kin__image *copy = kin__store_take(context, image->number);
    if (copy != NULL) {
        memcpy(copy->bytes, image->bytes, kin__image_size(context->info, image->number));
        memcpy(copy->bytes, has, KIN__CHUNK_WORDS * sizeof *has);
        kin__image_pin(context, copy);
        if (kin__image_end(context, copy))
            return copy;
        kin__image_let_go(context, copy);
    }
    note_no_memory(reading);
    return NULL;
}

static bool clear_shared(kin__reading *reading, kin__image *image, uint32_t place, const kin_field_info *field)
{
    kin_context *context = reading->context;
    kin_component_id id = (kin_component_id)image->number;
    const void **at = (const void **)(void *)(image->bytes + sizeof(kin__column)) + place;
    const void *before = *at;
    unsigned char *value = context->core->store->scratch;
    memcpy(value, before, context->info->components[id].size);
    memset(value + field->offset, 0, field->size);
    if (!store_shared(reading, image, place, value))
        return false;
    kin__shared_image_unpin(context, id, before);
    return true;
}

bool kin__column_clear(kin__reading *reading, kin__image *image, uint32_t place, const kin_field_info *field)
{
    const kin_component_info *info = &reading->context->info->components[image->number];
    unsigned char *at = image->bytes + sizeof(kin__column);
    if (info->is_shared)
        return clear_shared(reading, image, place, field);
    if (info->is_soa) {
        const void *values = kin__image_field(reading->context->info, image, (uint32_t)(field - info->fields));
        at = (unsigned char *)(uintptr_t)values + place * field->size;
    } else {
        at += place * info->size + field->offset;
    }
    memset(at, 0, field->size);
    return true;
}

// ---- COLM

// `*stored` counts the values whose opaque values the image owns.
static bool make_image(kin__reading *reading, uint32_t chunk, kin_component_id id, const uint64_t has[KIN__CHUNK_WORDS],
                       uint32_t *stored)
{
    const kin_component_info *info = &reading->context->info->components[id];
    kin__image *image = kin__column_begin(reading, chunk, id);
    for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(has, place))
            continue;
        if (!kin__column_store(reading, image, place, reading->values + *stored * info->size))
            return false;
        ++*stored;
    }
    return image != NULL && kin__column_end(reading, chunk, image);
}

// ---- reading

// Reads the bits of the places with values, and finds their entities. Returns their number; 0, with a fault noted, if
// they are invalid.
static uint32_t read_places(kin__reading *reading, kin__decoder *decoder, uint32_t chunk,
                            uint64_t has[KIN__CHUNK_WORDS], kin_entity entities[KIN__CHUNK_SLOTS])
{
    const kin__image *head = kin__reading_head(reading, chunk);
    uint32_t count = 0;
    bool is_wrong = head == NULL;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        has[word] = kin__decode_64(decoder);
        is_wrong = is_wrong || (has[word] & ~kin__image_alive(head)[word]) != 0;
    }
    for (uint32_t place = 0; !is_wrong && place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(has, place))
            entities[count++] = kin__image_ids(head)[place];
    if (is_wrong)
        kin__block_reader_fault(reading->blocks, 1307, "it has values of no entity");
    else if (count == 0)
        kin__block_reader_fault(reading->blocks, 1307, "it has no values");
    return count;
}

bool kin__column_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    uint64_t has[KIN__CHUNK_WORDS];
    kin_entity entities[KIN__CHUNK_SLOTS];
    uint32_t number = kin__decode_32(decoder);
    uint32_t stored = 0;
    if (number >= reading->file->component_count)
        return kin__block_reader_fault(reading->blocks, 1307, "there is no component with its number");
    const kin__file_component *component = &reading->file->components[number];
    kin__read_values values = {.reader = reading->blocks,
                               .reading = reading,
                               .heap = &reading->value_heap,
                               .component = component,
                               .entities = entities,
                               .values = reading->values,
                               .decoder = decoder,
                               .report = &reading->report};
    values.count = read_places(reading, decoder, chunk, has, entities);
    KIN_ASSERT(values.count <= KIN__CHUNK_SLOTS);
    if (values.count == 0 || !kin__migrating_keep_column(reading, number, has, decoder))
        return false;
    if (component->now != NULL && kin__decided_of(reading, component->now->id) != NULL)
        return kin__migrating_decode(reading, &values);
    bool is_read = kin__values_decode(&values) &&
                   (component->now == NULL || make_image(reading, chunk, component->now->id, has, &stored));
    if (!is_read)
        kin__values_drop(&values, stored);
    kin__heap_release(&reading->value_heap);
    return is_read;
}
