#include "storage/column.h"

#include "base/base.h"
#include "storage/canary.h"
#include "storage/last_value.h"
#include "storage/owned.h"
#include "storage/shared.h"
#include "storage/shelf.h"
#include "storage/slab.h"

#include <string.h>

// Returns the bytes that each slot needs in a column: of the value, and of the pointer to its owned block.
static size_t places_size(const kin_context *context, kin_component_id id)
{
    return kin__place_size(context, id) + (kin__is_owned(context, id) ? sizeof(kin__owned_block *) : 0);
}

static size_t column_size(const kin_context *context, kin_component_id id)
{
    size_t size = sizeof(kin__column) + KIN__CHUNK_SLOTS * places_size(context, id) + kin__canary_size(context, id);
    KIN_ASSERT(size % KIN__CACHE_LINE == 0);
    return size;
}

static void set_present(const kin_context *context, uint32_t chunk, kin_component_id id, bool on)
{
    const kin__slots *slots = &context->core->slots;
    KIN_ASSERT(chunk < context->chunk_count && chunk < slots->present_words * 64);
    kin__bits_write(slots->present + (size_t)id * slots->present_words, chunk, on);
    kin__bits_write(kin__chunk_present(context->chunks[chunk], context->row_words), id, on);
}

// Makes all places point at the spare value (slab.h).
static void point_at_spare(const kin_context *context, kin__column *column, kin_component_id id)
{
    void **places = kin__column_value(column, 0, sizeof(void *)), *spare = kin__slab_spare(context, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        places[place] = spare;
}

kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__column **columns = kin__chunk_columns(kin__chunk_of_slot(context, slot), context->row_words);
    KIN_ASSERT(id < context->info->component_count);
    if (columns[id] != context->empty)
        return columns[id];
    bool is_boxed = context->info->components[id].is_boxed;
    if (!kin__last_values_reserve(context, slot / KIN__CHUNK_SLOTS, id) ||
        (is_boxed && !kin__slab_reserve(context, id)))
        return NULL;
    kin__column *column = kin__shelf_take(context, id, column_size(context, id));
    if (column == NULL)
        return NULL;
    memset(column, 0, sizeof *column);
    kin__canary_write(context, column, id);
    if (is_boxed)
        point_at_spare(context, column, id);
    columns[id] = column;
    set_present(context, slot / KIN__CHUNK_SLOTS, id, true);
    KIN_ASSERT(column != context->empty && kin__column_is_empty(column));
    return column;
}

static void release_boxes(kin_context *context, const kin__column *column, kin_component_id id)
{
    void *const *boxes = kin__column_value(column, 0, sizeof(void *));
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place))
            kin__slab_put(context, id, boxes[place]);
}

static void release(kin_context *context, kin__column *column, kin_component_id id)
{
    KIN_VALIDATE(kin__canary_is_intact(context, column, id));
    if (kin__is_owned(context, id))
        kin__owned_release(context, column, id);
    if (context->info->components[id].is_boxed && !kin__is_shared(context, id))
        release_boxes(context, column, id);
    kin__shelf_return(context, id, column, column_size(context, id));
}

void kin__columns_release(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        for (uint32_t number = 0; number < context->chunk_count; number++) {
            kin__column *column = kin__chunk_columns(context->chunks[number], context->row_words)[id];
            if (column != context->empty)
                release(context, column, id);
        }
    }
}

bool kin__column_is_empty(const kin__column *column)
{
    uint64_t any = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        any |= column->has[word];
    return any == 0;
}

static void trim_chunk(kin_context *context, uint32_t number)
{
    kin__column **columns = kin__chunk_columns(context->chunks[number], context->row_words);
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (columns[id] == context->empty || !kin__column_is_empty(columns[id]))
            continue;
        KIN_ASSERT(context->depth == 0);
        release(context, columns[id], id);
        columns[id] = (kin__column *)(uintptr_t)context->empty;
        set_present(context, number, id, false);
    }
}

void kin__columns_trim(kin_context *context)
{
    for (uint32_t number = 0; number < context->chunk_count; number++)
        trim_chunk(context, number);
}

static size_t column_used(const kin_context *context, const kin__column *column, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    size_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(column->has[word]);
    return count == 0 ? 0 : sizeof *column + count * (places_size(context, id) + kin__cell_size(info));
}

void kin__column_measure(const kin_context *context, uint32_t chunk, kin_component_id id, kin_component_usage *usage)
{
    const kin__column *column = kin__column_of(context, chunk * KIN__CHUNK_SLOTS, id);
    if (column == context->empty)
        return;
    uint32_t values = kin__bits_count(column->has, KIN__CHUNK_WORDS);
    size_t boxes = values * kin__cell_size(&context->info->components[id]);
    usage->columns++;
    usage->values += values;
    usage->memory.used += column_used(context, column, id);
    usage->memory.allocated += column_size(context, id) + boxes;
}

size_t kin__columns_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        kin__column *const *columns = kin__chunk_columns(context->chunks[number], context->row_words);
        for (uint32_t id = 0; id < context->info->component_count; id++)
            used += column_used(context, columns[id], (kin_component_id)id);
    }
    return used;
}
