// Advice on contexts, types, keys, messages, groups, layouts, relations, saves and spawns.
#include "generator/read/read.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <string.h>

// ---- groups

// Advice on groups that no entity can match: one rule requires what another forbids.

static const char *const rule_names[] = {
    [RULE_ALL] = "all",
    [RULE_ANY] = "any",
    [RULE_NONE] = "none",
    [RULE_ONLY] = "only",
};

static bool has_component(const rule *rule, const component *component)
{
    for (size_t i = 0; i < rule->count; i++)
        if (rule->components[i] == component)
            return true;
    return false;
}

// Returns the first rule that excludes entities with the component; NULL if there is none.
static const rule *forbidding_rule(const group *group, const component *component)
{
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        bool is_in = has_component(rule, component);
        if ((rule->kind == RULE_NONE && is_in) || (rule->kind == RULE_ONLY && !is_in))
            return rule;
    }
    return NULL;
}

static const rule *forbidding_of_all(const group *group, const rule *any)
{
    const rule *forbidding = NULL;
    for (size_t i = 0; i < any->count; i++) {
        forbidding = forbidding_rule(group, any->components[i]);
        if (forbidding == NULL)
            return NULL;
    }
    return forbidding;
}

static void report(diagnostics *diagnostics, const group *group, const rule *asking, const rule *forbidding)
{
    diagnostic_warning(diagnostics, CODE_NOTHING_MATCHES, asking->span,
                       "no entity can match %s '%s': '%s' contradicts '%s'",
                       group->is_of_system ? "the group of system" : "group", group->name, rule_names[asking->kind],
                       rule_names[forbidding->kind]);
    diagnostic_note(diagnostics, forbidding->span, "'%s' is declared here", rule_names[forbidding->kind]);
}

// `all` and `only` require each of their components, `any` one of them.
static bool advise_on_rule(diagnostics *diagnostics, const group *group, const rule *rule)
{
    if (rule->kind == RULE_NONE)
        return false;
    if (rule->kind == RULE_ANY) {
        const struct rule *forbidding = forbidding_of_all(group, rule);
        if (forbidding == NULL)
            return false;
        report(diagnostics, group, rule, forbidding);
        diagnostic_hint(diagnostics, "one of these is required, but all are forbidden");
        return true;
    }
    for (size_t i = 0; i < rule->count; i++) {
        const struct rule *forbidding = forbidding_rule(group, rule->components[i]);
        if (forbidding == NULL)
            continue;
        report(diagnostics, group, rule, forbidding);
        diagnostic_hint(diagnostics, "'%s' is both required and forbidden", rule->components[i]->name);
        return true;
    }
    return false;
}

// Entities of blueprints and prefabs have Origin, which no `only` has by itself.
static void advise_on_origin(diagnostics *diagnostics, const group *group)
{
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        bool has_origin = !group->context->has_content || rule->kind != RULE_ONLY;
        for (size_t k = 0; k < rule->count; k++)
            has_origin = has_origin || strcmp(rule->components[k]->name, "Origin") == 0;
        if (has_origin)
            continue;
        diagnostic_warning(diagnostics, CODE_ONLY_LACKS_ORIGIN, rule->span,
                           "no prefab is in %s '%s': 'only' lacks Origin, which all entities of content have",
                           group->is_of_system ? "the group of system" : "group", group->name);
        diagnostic_hint(diagnostics, "add Origin, or require components with 'all'");
    }
}

static void advise_on_group(diagnostics *diagnostics, const group *group)
{
    bool is_reported = false;
    for (size_t i = 0; i < group->rule_count && !is_reported; i++)
        is_reported = advise_on_rule(diagnostics, group, &group->rules[i]);
    if (!is_reported)
        advise_on_origin(diagnostics, group);
}

void advice_on_groups(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->group_count; i++)
        advise_on_group(diagnostics, package->groups[i]);
    for (size_t i = 0; i < package->system_group_count; i++)
        advise_on_group(diagnostics, package->system_groups[i]);
}

// ---- layouts

// Advice on memory layout: large values, and values with more padding than necessary.

enum { SAVED_BYTES = 4, SAVED_PART = 8, NAMED_FIELDS = 12, LARGEST_ALIGNMENT = 16, CHUNK_SLOTS = 512 };

// Lists the fields by descending alignment; those with the same alignment stay in schema order.
static const char *best_order(arena *arena, const field_list *list)
{
    if (list->count > NAMED_FIELDS)
        return "by alignment, 8 bytes first, then 4, 2 and 1";
    text order = text_create(arena);
    for (uint64_t alignment = LARGEST_ALIGNMENT; alignment > 0; alignment /= 2)
        for (size_t i = 0; i < list->count; i++)
            if (layout_of_type(&list->fields[i].type).alignment == alignment) {
                text_separate(&order, order.size, ", ");
                text_append_string(&order, list->fields[i].name);
            }
    return order.bytes;
}

// An element with fields, and the words for advice on it.
typedef struct holder {
    const char *what;
    span span;
    const field_list *fields;
    memory_layout layout;
} holder;

static void advise_on_padding(arena *arena, diagnostics *diagnostics, const holder *holder)
{
    if (holder->layout.is_guess || holder->layout.padding == 0)
        return;
    uint64_t best = layout_best_size(holder->fields);
    uint64_t saved = holder->layout.size - best;
    if (saved < SAVED_BYTES || saved * SAVED_PART < holder->layout.size)
        return;
    diagnostic_warning(diagnostics, CODE_PADDING, holder->span,
                       "%s takes %llu bytes; reordering its fields reduces it to %llu", holder->what,
                       (unsigned long long)holder->layout.size, (unsigned long long)best);
    diagnostic_hint(diagnostics, "reorder the fields: %s", best_order(arena, holder->fields));
}

static void advise_on_size(diagnostics *diagnostics, const component *component)
{
    bool is_in_column = !component->is_boxed && !component->is_shared && !component->is_soa;
    bool is_large = !component->layout.is_guess && component->layout.size > ADVICE_SIZE_LIMIT;
    if (!is_in_column || !is_large)
        return;
    unsigned long long size = (unsigned long long)component->layout.size;
    diagnostic_warning(diagnostics, CODE_LARGE_VALUE, component->span,
                       "a value of component '%s' takes %llu bytes; a chunk of %d values takes %llu KiB",
                       component->name, size, CHUNK_SLOTS, size * CHUNK_SLOTS / 1024);
    diagnostic_hint(diagnostics, "over %d bytes, add 'storage: boxed' to allocate each value separately",
                    ADVICE_SIZE_LIMIT);
}

void advice_on_layout(arena *arena, diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++) {
        const definition *definition = package->definitions[i];
        holder holder = {arena_format(arena, "type '%s'", definition->name), definition->span, &definition->fields,
                         definition->layout};
        if (definition->kind == DEFINITION_STRUCT)
            advise_on_padding(arena, diagnostics, &holder);
    }
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        holder holder = {arena_format(arena, "message '%s'", message->name), message->span, &message->fields,
                         message->layout};
        advise_on_padding(arena, diagnostics, &holder);
    }
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        holder holder = {arena_format(arena, "component '%s'", component->name), component->span, &component->fields,
                         component->layout};
        if (component->is_unique)
            continue; // a context has at most one value, outside of columns
        if (!component->is_soa)
            advise_on_padding(arena, diagnostics, &holder);
        advise_on_size(diagnostics, component);
    }
}

// ---- relations

// Advice on relations: a cleanup that a relation can refuse, and an index that answers what the reverse answers faster.

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
    bool has_one_field = index->key_count == 1 && index->rule_count == 0;
    return index->kind == INDEX_MULTI && has_one_field && index->key[0].field->reverse != NULL;
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

// ---- saves

// Advice on saves: components that cannot be in files, and entities that merging cannot always follow. It is given to
// packages with keys for saves; others may never save anything.

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

// ---- spawns

// Advice on blueprints whose entities match a group only while they are spawned: components are added one by one, in
// order of their names, and the group is notified that the entity enters and leaves.

static bool is_among(const blueprint_part *parts, size_t count, const component *component)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].component == component)
            return true;
    return false;
}

static bool holds(const rule *rule, const blueprint_part *parts, size_t count)
{
    size_t common = 0;
    for (size_t i = 0; i < rule->count; i++)
        common += is_among(parts, count, rule->components[i]);
    switch (rule->kind) {
    case RULE_ALL:
        return common == rule->count;
    case RULE_ANY:
        return common > 0;
    case RULE_NONE:
        return common == 0;
    case RULE_ONLY:
        return common == rule->count && common == count;
    }
    return false;
}

// Returns whether an entity with the first `count` components of the blueprint is in the group.
static bool matches(const group *group, const blueprint *blueprint, size_t count)
{
    for (size_t i = 0; i < group->rule_count; i++)
        if (!holds(&group->rules[i], blueprint->parts, count))
            return false;
    return true;
}

// A group that matches entities without components is left out: no blueprint can avoid it.
static void advise(diagnostics *diagnostics, const blueprint *blueprint, const group *group)
{
    if (matches(group, blueprint, 0) || matches(group, blueprint, blueprint->part_count))
        return;
    size_t count = blueprint->part_count - 1;
    while (count > 0 && !matches(group, blueprint, count))
        count--;
    if (count == 0)
        return;
    diagnostic_warning(diagnostics, CODE_PASSING_SPAWN, blueprint->span,
                       "each spawn of '%s' enters %s '%s' and leaves it when '%s' is added", blueprint->name,
                       group->is_of_system ? "the group of system" : "group", group->name,
                       blueprint->parts[count].component->name);
    diagnostic_note(diagnostics, group->span, "'%s' is declared here", group->name);
    diagnostic_hint(diagnostics,
                    "components are added in order of name; add to 'none' of the group a component of the blueprint "
                    "whose name comes before '%s'",
                    blueprint->parts[count - 1].component->name);
}

static void advise_on_groups(diagnostics *diagnostics, const blueprint *blueprint, const group *const *groups,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (groups[i]->context == blueprint->context && groups[i]->question_count == 0)
            advise(diagnostics, blueprint, groups[i]); // nothing is notified of a group with questions
}

void advice_on_spawns(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->blueprint_count; i++) {
        advise_on_groups(diagnostics, package->blueprints[i], package->groups, package->group_count);
        advise_on_groups(diagnostics, package->blueprints[i], package->system_groups, package->system_group_count);
    }
}

// ---- all advice

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
        bool is_refreshed = index->kind == INDEX_ORDERED || index->kind == INDEX_GRID;
        if (is_refreshed || !schema_has_floating_point(&part->field->type))
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
    advice_on_exclusions(arena, diagnostics, package);
    advice_on_parallel(diagnostics, package);
    advice_on_saves(diagnostics, package);
    advise_on_messages(arena, diagnostics, package);
}
