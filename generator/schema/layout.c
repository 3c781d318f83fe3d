// Size, alignment and padding of values on 64-bit machines.
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

enum { POINTER_SIZE = 8, ENTITY_SIZE = 8, ENUM_SIZE = 4, LIST_SIZE = 16 };

static memory_layout layout_of_number(uint64_t size)
{
    assert(size > 0 && (size & (size - 1)) == 0);
    return (memory_layout){.size = size, .alignment = size};
}

memory_layout layout_of_definition(const definition *definition)
{
    assert(definition->kind != DEFINITION_STRUCT || definition->layout.alignment > 0);
    if (definition->kind == DEFINITION_STRUCT)
        return definition->layout;
    if (definition->kind == DEFINITION_ENUM)
        return layout_of_number(ENUM_SIZE);
    memory_layout layout = layout_of_number(POINTER_SIZE);
    layout.is_guess = definition->opaque == NULL || strchr(definition->opaque, '*') == NULL;
    return layout;
}

static memory_layout layout_of_element(const field_type *type)
{
    switch (type->kind) {
    case TYPE_STRING:
        return layout_of_number(POINTER_SIZE);
    case TYPE_INLINE_STRING:
        return (memory_layout){.size = type->string_size + 1, .alignment = 1};
    case TYPE_CONTEXT_ENTITY:
        return layout_of_number(ENTITY_SIZE);
    case TYPE_ENUM:
    case TYPE_STRUCT:
    case TYPE_OPAQUE:
        return layout_of_definition(type->definition);
    default:
        return layout_of_number(scalar_type_of(type->kind)->size);
    }
}

memory_layout layout_of_type(const field_type *type)
{
    if (type->is_list)
        return (memory_layout){.size = LIST_SIZE, .alignment = POINTER_SIZE};
    memory_layout layout = layout_of_element(type);
    layout.padding = 0;
    if (type->array_count > 0)
        layout.size *= type->array_count; // neither factor can overflow 64 bits
    return layout;
}

static uint64_t rounded(uint64_t size, uint64_t alignment)
{
    assert(alignment > 0);
    return (size + alignment - 1) / alignment * alignment;
}

memory_layout layout_begin(void)
{
    return (memory_layout){.alignment = 1};
}

uint64_t layout_append(memory_layout *layout, memory_layout field)
{
    assert(field.alignment > 0 && (field.alignment & (field.alignment - 1)) == 0);
    uint64_t offset = rounded(layout->size, field.alignment);
    layout->padding += offset - layout->size;
    layout->size = offset + field.size;
    if (layout->size > SCHEMA_VALUE_SIZE_LIMIT)
        layout->size = SCHEMA_VALUE_SIZE_LIMIT + 1;
    if (field.alignment > layout->alignment)
        layout->alignment = field.alignment;
    layout->is_guess = layout->is_guess || field.is_guess;
    return offset;
}

memory_layout layout_end(memory_layout layout)
{
    assert(layout.alignment > 0);
    uint64_t size = rounded(layout.size, layout.alignment);
    assert(size >= layout.size);
    layout.padding += size - layout.size;
    layout.size = size;
    return layout;
}

const uint64_t *layout_offsets(arena *arena, const field_list *fields)
{
    uint64_t *offsets = arena_allocate(arena, (fields->count + 1) * sizeof *offsets);
    memory_layout layout = layout_begin();
    for (size_t i = 0; i < fields->count; i++)
        offsets[i] = layout_append(&layout, layout_of_type(&fields->fields[i].type));
    offsets[fields->count] = layout.size;
    return offsets;
}

// Sizes are multiples of alignments, and alignments are powers of two, so descending alignment leaves padding only at
// the end.
uint64_t layout_best_size(const field_list *fields)
{
    memory_layout layout = layout_begin();
    for (size_t i = 0; i < fields->count; i++) {
        memory_layout field = layout_of_type(&fields->fields[i].type);
        layout.size += field.size;
        if (field.alignment > layout.alignment)
            layout.alignment = field.alignment;
    }
    return layout_end(layout).size;
}
