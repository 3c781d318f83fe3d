// What saves of a schema have.
#include "generator/save/save.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT = 8 }; // bytes of an element, of whatever type: only files have sizes here

typedef struct making {
    arena *arena;
    dictionary types; // names of definitions to kin_type_info
} making;

// The memory of the runtime's shapes is the arena's.
static void *allocate(size_t size, size_t alignment, void *user)
{
    char *bytes = arena_allocate(user, size + alignment);
    return bytes + (alignment - (uintptr_t)bytes % alignment) % alignment;
}

static void release(void *memory, size_t size, void *user)
{
    (void)memory;
    (void)size;
    (void)user;
}

static kin_type type_of(type_kind kind)
{
    static const kin_type types[] = {
        [TYPE_BOOL] = KIN_TYPE_BOOL,
        [TYPE_INT8] = KIN_TYPE_INT8,
        [TYPE_INT16] = KIN_TYPE_INT16,
        [TYPE_INT32] = KIN_TYPE_INT32,
        [TYPE_INT64] = KIN_TYPE_INT64,
        [TYPE_UINT8] = KIN_TYPE_UINT8,
        [TYPE_UINT16] = KIN_TYPE_UINT16,
        [TYPE_UINT32] = KIN_TYPE_UINT32,
        [TYPE_UINT64] = KIN_TYPE_UINT64,
        [TYPE_FLOAT] = KIN_TYPE_FLOAT,
        [TYPE_DOUBLE] = KIN_TYPE_DOUBLE,
        [TYPE_STRING] = KIN_TYPE_STRING,
        [TYPE_INLINE_STRING] = KIN_TYPE_INLINE_STRING,
        [TYPE_ENTITY] = KIN_TYPE_ENTITY,
        [TYPE_CONTEXT_ENTITY] = KIN_TYPE_ENTITY,
        [TYPE_ENUM] = KIN_TYPE_ENUM,
        [TYPE_STRUCT] = KIN_TYPE_STRUCT,
        [TYPE_OPAQUE] = KIN_TYPE_OPAQUE,
    };
    assert((size_t)kind < sizeof types / sizeof *types);
    return types[kind];
}

static kin_field_info make_field(const making *making, const field *field)
{
    const field_type *type = &field->type;
    size_t width = ELEMENT;
    if (type->kind == TYPE_INLINE_STRING)
        width = type->string_size + 1;
    return (kin_field_info){
        .name = field->name,
        .type = type_of(type->kind),
        .count = (uint32_t)type->array_count,
        .size = width * (type->array_count == 0 ? 1 : type->array_count),
        .of = type->definition == NULL ? NULL : dictionary_find(&making->types, type->definition->name),
        .target = type->context == NULL ? NULL : type->context->name,
        .is_list = type->is_list,
        .element_size = type->is_list ? width : 0,
        .identity = field->saved.identity,
        .is_unsaved = field->is_unsaved,
    };
}

static const kin_field_info *make_fields(const making *making, const field_list *list)
{
    kin_field_info *fields = arena_allocate(making->arena, list->count * sizeof *fields + 1);
    for (size_t i = 0; i < list->count; i++)
        fields[i] = make_field(making, &list->fields[i]);
    return fields;
}

// Structs come after the types of their fields.
static void make_type(making *making, const definition *definition)
{
    kin_type_info *info = arena_allocate(making->arena, sizeof *info);
    kin_enum_value_info *values = arena_allocate(making->arena, definition->enumerator_count * sizeof *values + 1);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        values[i] = (kin_enum_value_info){enumerator->name, enumerator->number, enumerator->saved.identity};
    }
    *info = (kin_type_info){.name = definition->name,
                            .fields = make_fields(making, &definition->fields),
                            .field_count = (uint32_t)definition->fields.count,
                            .values = values,
                            .value_count = (uint32_t)definition->enumerator_count};
    dictionary_add(&making->types, definition->name, info);
}

static kin_component_info make_component(const making *making, const component *component)
{
    const field *unwritable;
    return (kin_component_info){.name = component->name,
                                .fields = make_fields(making, &component->fields),
                                .field_count = (uint32_t)component->fields.count,
                                .is_unique = component->is_unique,
                                .identity = component->saved.identity,
                                .is_unsaved = component->is_unsaved,
                                .is_unwritable = !schema_is_writable(component, &unwritable)};
}

static kin__shape *make_context(const making *making, const context *context)
{
    kin_context_info *info = arena_allocate(making->arena, sizeof *info);
    kin_component_info *components = arena_allocate(making->arena, context->component_count * sizeof *components + 1);
    for (size_t i = 0; i < context->component_count; i++)
        components[i] = make_component(making, context->components[i]);
    *info = (kin_context_info){.name = context->name,
                               .components = components,
                               .component_count = (uint32_t)context->component_count,
                               .identity = context->saved.identity,
                               .is_unsaved = context->is_unsaved};
    kin__memory memory = kin__memory_of((kin_allocator){allocate, release, making->arena});
    return kin__shape_make(&memory, info);
}

static int compare_shapes(const void *a, const void *b)
{
    const kin__shape *one = *(kin__shape *const *)a;
    const kin__shape *other = *(kin__shape *const *)b;
    return strcmp(one->info->identity, other->info->identity);
}

static making begin(arena *arena, const package *package)
{
    making making = {arena, dictionary_create(arena)};
    for (size_t i = 0; i < package->definition_count; i++)
        make_type(&making, package->definitions[i]);
    return making;
}

kin__shape **save_shapes_make(arena *arena, const package *package)
{
    making making = begin(arena, package);
    kin__shape **shapes = arena_allocate(arena, (package->context_count + 1) * sizeof(kin__shape *));
    for (size_t i = 0; i < package->context_count; i++)
        shapes[i] = make_context(&making, package->contexts[i]);
    qsort(shapes, package->context_count, sizeof(kin__shape *), compare_shapes);
    return shapes;
}

const kin_world_info *save_messages_make(arena *arena, const package *package, kin__message_leaves *leaves)
{
    making making = begin(arena, package);
    kin_message_info *messages = arena_allocate(arena, package->message_count * sizeof *messages + 1);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        messages[i] = (kin_message_info){.name = message->name,
                                         .fields = make_fields(&making, &message->fields),
                                         .field_count = (uint32_t)message->fields.count,
                                         .identity = message->saved.identity};
    }
    kin_world_info *info = arena_allocate(arena, sizeof *info);
    *info = (kin_world_info){.messages = messages, .message_count = (uint32_t)package->message_count};
    kin__message_leaves_make(leaves, info, (kin_allocator){allocate, release, arena});
    return info;
}
