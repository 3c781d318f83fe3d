#include "check/advice.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <string.h>

// A file that -I allows may belong to other packages, which use what this one does not.
static bool is_of_package(const package *package, span place)
{
    return !source_leaves_folder(package->sources[0], place.source->path);
}

static void advise_on_contexts(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->context_count; i++) {
        const context *context = package->contexts[i];
        if (context->component_count > 0 || !is_of_package(package, context->span))
            continue;
        diagnostic_warning(diagnostics, CODE_UNUSED_CONTEXT, context->span, "context '%s' has no components",
                           context->name);
        diagnostic_hint(diagnostics, "remove it, or add 'contexts: [%s]' to a component", context->name);
    }
}

static void mark_type(dictionary *used, const field_type *type)
{
    if (type->definition != NULL)
        dictionary_add(used, type->definition->name, type->definition);
}

static void mark_types(dictionary *used, const field_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mark_type(used, &list->fields[i].type);
}

// Each type comes after the types of its fields, so the reverse order visits all users of a type before the type.
static void advise_on_types(arena *arena, diagnostics *diagnostics, const package *package)
{
    dictionary used = dictionary_create(arena);
    for (size_t i = 0; i < package->component_count; i++)
        mark_types(&used, &package->components[i]->fields);
    for (size_t i = 0; i < package->message_count; i++)
        mark_types(&used, &package->messages[i]->fields);
    for (size_t i = 0; i < package->index_count; i++)
        mark_type(&used, &package->indices[i]->key_type);
    for (size_t i = package->definition_count; i-- > 0;) {
        const definition *definition = package->definitions[i];
        if (dictionary_find(&used, definition->name) != NULL) {
            mark_types(&used, &definition->fields);
        } else if (is_of_package(package, definition->span)) {
            diagnostic_warning(diagnostics, CODE_UNUSED_TYPE, definition->span, "type '%s' is never used",
                               definition->name);
            diagnostic_hint(diagnostics, "remove it, or use it as the type of a field");
        }
    }
}

static void advise_on_key(diagnostics *diagnostics, const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++) {
        const key_part *part = &index->key[i];
        if (!schema_has_floating_point(&part->field->type))
            continue;
        diagnostic_warning(
            diagnostics, CODE_FLOATING_KEY, index->span,
            "%s '%s' has a floating-point key, field '%s' of component '%s'; only exactly equal values match",
            schema_index_title(index), index->name, part->field->name, part->component->name);
        diagnostic_hint(diagnostics, "use an integer, such as a cell number or hundredths");
        return;
    }
}

// The index of a field occurs once for each context of its component. An index over all fields is meant to find equal
// values only.
static void advise_on_indices(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        if (index->is_whole)
            continue;
        if (index->is_custom || index->context == index->key[0].component->contexts[0])
            advise_on_key(diagnostics, index);
    }
}

static void advise_on_messages(arena *arena, diagnostics *diagnostics, const package *package)
{
    bool *is_received = arena_allocate(arena, (package->message_count + 1) * sizeof *is_received);
    for (size_t i = 0; i < package->system_count; i++)
        for (size_t k = 0; k < package->systems[i]->inbox_count; k++)
            is_received[package->systems[i]->inboxes[k].message->number] = true;
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        if (is_received[i] || !is_of_package(package, message->span))
            continue;
        diagnostic_warning(diagnostics, CODE_UNHEARD_MESSAGE, message->span, "message '%s' is not in any inbox",
                           message->name);
        diagnostic_hint(diagnostics, "remove it, or add 'inbox: [%s]' to a system", message->name);
    }
}

void advice_give(arena *arena, diagnostics *diagnostics, const package *package)
{
    if (package == NULL)
        return;
    advise_on_contexts(diagnostics, package);
    advise_on_types(arena, diagnostics, package);
    advice_on_layout(arena, diagnostics, package);
    advise_on_indices(diagnostics, package);
    advice_on_relations(diagnostics, package);
    advice_on_groups(diagnostics, package);
    advice_on_spawns(diagnostics, package);
    advice_on_parallel(diagnostics, package);
    advice_on_saves(diagnostics, package);
    advise_on_messages(arena, diagnostics, package);
}
