// Checks that indices cannot keep a relation from ending. When the target of a relation is destroyed, the holder loses
// the component, or its field is cleared. An index can forbid either, since the holder would get a key that another
// entity has, or an invalid one; if indices can forbid both, the target could not be destroyed.
#include "read/private/reader.h"

// Returns whether the index can forbid a change because another entity has the key, or a function gives too many.
static bool can_forbid(const entity_index *index)
{
    return index->kind == INDEX_PRIMARY || index->function != NULL;
}

// Returns whether the index can forbid to clear the field.
static bool forbids_clearing(const entity_index *index, const relation *relation)
{
    for (size_t i = 0; can_forbid(index) && i < index->key_count; i++)
        if (index->key[i].field == relation->field)
            return true;
    for (size_t i = 0; i < index->of_count; i++)
        if (index->of[i] == relation->component)
            return true;
    return false;
}

// Returns whether the index can forbid to remove the component. A key with a floating-point number may be a NaN.
static bool forbids_removing(const entity_index *index, const component *component)
{
    bool forbids = can_forbid(index);
    for (size_t i = 0; i < index->key_count; i++)
        forbids = forbids || schema_has_floating_point(&index->key[i].field->type);
    for (size_t i = 0; forbids && i < index->rule_count; i++)
        for (size_t k = 0; index->rules[i].kind == RULE_NONE && k < index->rules[i].count; k++)
            if (index->rules[i].components[k] == component)
                return true;
    return false;
}

static void check_pair(reader *reader, const relation *relation, const entity_index *clearing,
                       const entity_index *removing)
{
    if (!forbids_clearing(clearing, relation) || !forbids_removing(removing, relation->component))
        return;
    const char *component = relation->component->name;
    diagnostic_error(reader->diagnostics, CODE_ENDLESS_RELATION, removing->span,
                     "indices could forbid to destroy what '%s' names in '%s': '%s' that '%s' is removed, and '%s' "
                     "that '%s' is cleared",
                     component, relation->field->name, removing->name, component, clearing->name,
                     relation->field->name);
    diagnostic_note(reader->diagnostics, clearing->span, "'%s' is declared here", clearing->name);
    diagnostic_hint(reader->diagnostics, "remove '%s' from 'none'; or exclude a flag that you set with it", component);
}

void check_index_relations(reader *reader)
{
    const package *package = reader->package;
    for (size_t i = 0; i < package->relation_count; i++)
        for (size_t k = 0; k < package->index_count; k++)
            for (size_t n = 0; n < package->index_count; n++)
                check_pair(reader, &package->relations[i], package->indices[k], package->indices[n]);
}
