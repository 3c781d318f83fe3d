// Where lists may be, and what they may hold.
#include "read/private/reader.h"

static void report(reader *reader, const field *field, const char *what, const char *fault)
{
    diagnostic_error(reader->diagnostics, CODE_LIST, field->type.span, "field '%s' of %s cannot be a list: %s",
                     field->name, what, fault);
}

void refuse_lists(reader *reader, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].is_broken || !list->fields[i].type.is_list)
            continue;
        list->drafts[i].is_broken = true;
        report(reader, &list->fields[i], what, "only fields of components can");
        diagnostic_hint(reader->diagnostics, "write a number of elements, such as [16], or move it to a component");
    }
}

// Returns why a list cannot hold elements of the type; NULL if it can.
static const char *find_element_fault(reader *reader, const field_type *type)
{
    if (type->definition == NULL || !type->definition->has_drops)
        return NULL;
    return arena_format(reader->arena, "values of '%s' have a 'drop', so each belongs to one component",
                        type->definition->name);
}

void check_lists(reader *reader, const component *component, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (list->drafts[i].is_broken || !field->type.is_list)
            continue;
        const char *fault = find_element_fault(reader, &field->type);
        list->drafts[i].is_broken = fault != NULL || component->is_soa || component->is_shared;
        if (fault != NULL) {
            report(reader, field, what, fault);
            diagnostic_hint(reader->diagnostics, "make an entity for each value, and a list of entities");
        } else if (component->is_soa) {
            report(reader, field, what, "the component has 'layout: soa'");
            diagnostic_hint(reader->diagnostics, "remove 'layout', or move the list to a component of its own");
        } else if (component->is_shared) {
            report(reader, field, what, "the component has 'storage: shared'");
            diagnostic_hint(reader->diagnostics, "remove 'storage', or move the list to a component of its own");
        }
    }
}
