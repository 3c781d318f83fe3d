// Advice on relations: a cleanup that a relation can refuse, and an index that answers what the reverse answers faster.
#include "check/advice.h"

// A holder that another holder names cannot be destroyed, so the cleanup skips it. A unique component has one holder.
static void advise_on_cleanup(diagnostics *diagnostics, const relation *relation)
{
    const component *component = relation->component;
    if (component->cleanup != CLEANUP_DESTROY_ENTITY || component->is_unique ||
        relation->field->on_destroy != ON_DESTROY_REFUSE)
        return;
    diagnostic_warning(diagnostics, CODE_REFUSED_CLEANUP, relation->field->span,
                       "'cleanup' of component '%s' cannot destroy an entity that another '%s' names in '%s'",
                       component->name, component->name, relation->field->name);
    diagnostic_hint(diagnostics, "write 'cleanup: remove_component', or another 'on_destroy' than 'refuse'");
}

// Returns whether the index finds exactly the entities that the reverse of its only field finds.
static bool is_like_reverse(const entity_index *index)
{
    return index->kind == INDEX_MULTI && index->key_count == 1 && index->rule_count == 0 &&
           index->key[0].field->reverse != NULL;
}

static void advise_on_index(diagnostics *diagnostics, const entity_index *index)
{
    if (!is_like_reverse(index))
        return;
    const field *field = index->key[0].field;
    diagnostic_warning(diagnostics, CODE_SLOWER_INDEX, index->span,
                       "%s '%s' finds the same entities as 'reverse: %s', slower and not in their order",
                       schema_index_title(index), index->name, field->reverse);
    diagnostic_hint(diagnostics, "remove the index, and use '%s'", field->reverse);
    if (index->is_custom)
        diagnostic_note(diagnostics, field->reverse_span, "'%s' is declared here", field->reverse);
}

void advice_on_relations(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->relation_count; i++)
        advise_on_cleanup(diagnostics, &package->relations[i]);
    for (size_t i = 0; i < package->index_count; i++)
        advise_on_index(diagnostics, package->indices[i]);
}
