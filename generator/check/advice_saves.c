// Advice on saves: components that cannot be in files, and entities that merging cannot always follow. It is given to
// packages with keys for saves; others may never save anything.
#include "check/advice.h"

static bool is_saved(const component *component)
{
    for (size_t i = 0; i < component->context_count; i++)
        if (!component->contexts[i]->is_unsaved)
            return !component->is_unsaved;
    return false;
}

static void advise_on_opaque(diagnostics *diagnostics, const component *component)
{
    const field *field;
    if (schema_is_writable(component, &field))
        return;
    diagnostic_warning(diagnostics, CODE_NOT_IN_FILES, field->span,
                       "component '%s' cannot be in files: the opaque type of '%s' has no 'save' and 'load'",
                       component->name, field->name);
    diagnostic_hint(diagnostics, "add both to the type, or 'save: false' to the field or the component");
}

static const field *find_any_entity(const field_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        bool is_struct = field->type.kind == TYPE_STRUCT && field->type.definition != NULL;
        bool is_any =
            field->type.kind == TYPE_ENTITY || (is_struct && find_any_entity(&field->type.definition->fields) != NULL);
        if (is_any && !field->is_unsaved)
            return field;
    }
    return NULL;
}

static void advise_on_entities(diagnostics *diagnostics, const component *component)
{
    const field *field = find_any_entity(&component->fields);
    if (field == NULL)
        return;
    diagnostic_warning(
        diagnostics, CODE_ANY_ENTITY, field->span,
        "field '%s' of component '%s' can name an entity of any context, which a merge cannot always follow",
        field->name, component->name);
    diagnostic_hint(diagnostics, "write entity<%s> if they are all in one context", component->contexts[0]->name);
}

void advice_on_saves(diagnostics *diagnostics, const package *package)
{
    size_t saved_contexts = 0;
    for (size_t i = 0; i < package->context_count; i++)
        saved_contexts += !package->contexts[i]->is_unsaved;
    for (size_t i = 0; i < package->component_count && package->has_saves; i++) {
        if (!is_saved(package->components[i]))
            continue;
        advise_on_opaque(diagnostics, package->components[i]);
        if (saved_contexts > 1)
            advise_on_entities(diagnostics, package->components[i]);
    }
}
