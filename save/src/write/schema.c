#include "write/schema.h"

#include "frame/enum_value.h"
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Writes the length of a list. Notes a fault if files cannot have so many.
static void write_count(kin__block_writer *writer, uint32_t count, const char *what, const char *name)
{
    if (count > UINT16_MAX)
        kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                        "'%.80s' has %" PRIu32 " %s, and files have up to 65535; leave some out with 'save: false'",
                        name, count, what);
    kin__write_16(writer, (uint16_t)count);
}

// Writes the names of an enum, sorted. Searches for each next name, as enums have few.
static void write_names(kin__block_writer *writer, const kin_type_info *type)
{
    const char *previous = NULL;
    write_count(writer, type->value_count, "values", type->name);
    for (uint32_t i = 0; i < type->value_count; i++) {
        const kin_enum_value_info *next = NULL;
        for (uint32_t k = 0; k < type->value_count; k++) {
            const char *name = kin__enum_value_identity(&type->values[k]);
            if ((previous == NULL || strcmp(name, previous) > 0) &&
                (next == NULL || strcmp(name, kin__enum_value_identity(next)) < 0))
                next = &type->values[k];
        }
        if (next == NULL)
            return;
        previous = kin__enum_value_identity(next);
        kin__write_text(writer, previous);
        kin__write_64(writer, (uint64_t)next->value);
    }
}

// Contexts that are not in the snapshot have their current names.
static const char *identity_of(const kin__written_parts *parts, const char *context)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (strcmp(parts->parts[i].shape->info->name, context) == 0)
            return kin__context_identity(parts->parts[i].shape->info);
    return context;
}

static void write_leaf(kin__block_writer *writer, const kin__written_parts *parts, const kin__value_leaf *leaf)
{
    kin__write_text(writer, leaf->path);
    kin__write_8(writer, (uint8_t)(leaf->field->type | (leaf->is_list ? KIN__LEAF_IS_LIST : 0)));
    kin__write_32(writer, leaf->elements);
    if (leaf->field->type == KIN_TYPE_ENUM) {
        write_names(writer, leaf->field->of);
    } else if (leaf->field->type == KIN_TYPE_ENTITY && leaf->field->target != NULL) {
        kin__write_16(writer, 1);
        kin__write_text(writer, identity_of(parts, leaf->field->target));
        kin__write_64(writer, 0);
    } else {
        kin__write_16(writer, 0);
    }
}

static void write_leaves(kin__block_writer *writer, const kin__written_parts *parts, const kin__leaves *leaves,
                         const char *name)
{
    write_count(writer, leaves->count, "fields", name);
    for (uint32_t i = 0; i < leaves->count; i++)
        write_leaf(writer, parts, &leaves->leaves[i]);
}

static void write_component(kin__block_writer *writer, const kin__written_parts *parts,
                            const kin__component_shape *component)
{
    kin__write_text(writer, component->identity);
    kin__write_8(writer, component->info->is_unique ? KIN__COMPONENT_IS_UNIQUE : 0);
    write_leaves(writer, parts, &component->leaves, component->info->name);
}

// In the order of their numbers.
static void write_messages(kin__block_writer *writer, const kin__written_parts *parts)
{
    uint32_t count = parts->world == NULL ? 0 : parts->world->message_count;
    kin__write_32(writer, count);
    for (uint32_t number = 0; number < count; number++)
        for (uint32_t i = 0; i < count; i++)
            if (kin__message_number(parts->world, i) == number) {
                kin__write_text(writer, kin__message_identity(&parts->world->messages[i]));
                write_leaves(writer, parts, &parts->messages.of[i], parts->world->messages[i].name);
            }
}

void kin__schema_write(kin__block_writer *writer, const kin__written_parts *parts)
{
    uint64_t components = 0;
    kin__write_32(writer, parts->count);
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__shape *shape = parts->parts[i].shape;
        components += shape->count;
        kin__write_text(writer, kin__context_identity(shape->info));
        kin__write_32(writer, shape->count);
        for (uint32_t k = 0; k < shape->count; k++)
            write_component(writer, parts, &shape->components[k]);
    }
    if (components > KIN__FILE_COMPONENTS)
        kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                        "its contexts have %" PRIu64 " components, and a file has up to 65535; leave some out with "
                        "'save: false'",
                        components);
    write_messages(writer, parts);
    kin__block_writer_put(writer, "SHAP");
}
