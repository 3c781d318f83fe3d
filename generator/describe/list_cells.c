// The cells of the tables of a list.
#include "generator/describe/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { DEFAULT_WIDTH = 24 };

const char *list_size_text(arena *arena, memory_layout layout)
{
    if (layout.is_guess)
        return "?";
    return arena_format(arena, "%" PRIu64, layout.size);
}

const char *list_bytes_text(arena *arena, memory_layout layout)
{
    bool is_one = !layout.is_guess && layout.size == 1;
    return arena_format(arena, "%s byte%s", list_size_text(arena, layout), text_if(!is_one, "s"));
}

// Formats "x float, y float = 1 range [0, 9] inspect hidden (cells)".
const char *list_fields_text(arena *arena, const field_list *list)
{
    text text = text_create(arena);
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        assert(!field->has_default || field->default_value != NULL);
        text_separate(&text, i, ",\n");
        text_append_format(&text, "%s %s", field->name, schema_type_name(arena, &field->type));
        if (field->has_default)
            text_append_format(&text, " = %s",
                               table_cut(arena, list_constant_text(arena, field->default_value), DEFAULT_WIDTH));
        const char *range = list_range_text(arena, field);
        if (range != NULL)
            text_append_format(&text, "\nrange %s", range);
        list_facts facts = list_facts_begin(arena, &language_field, field, field->name);
        while (list_next_fact(&facts))
            if (!facts.key->member.has_own_table)
                text_append_format(&text, "\n%s %s", facts.key->name, facts.value);
        if (field->unit != NULL)
            text_append_format(&text, "\n(%s)", table_cut(arena, field->unit, DEFAULT_WIDTH));
    }
    return text.bytes;
}

// Appends a name of "writes Position, Velocity", a part of the text; the first one after what it is.
static void append_name(text *text, const char *what, size_t index, const char *name)
{
    assert(what[0] != '\0' && name[0] != '\0');
    if (index > 0) {
        text_append_format(text, ",\n%s", name);
        return;
    }
    text_append_item(text, ";\n", what);
    text_append_format(text, " %s", name);
}

static void append_components(text *text, const char *what, const component *const *components, size_t count)
{
    for (size_t i = 0; i < count; i++)
        append_name(text, what, i, components[i]->name);
}

// Formats "all Position, Velocity; none Frozen".
static void append_rules(text *text, const rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        append_components(text, list_rule_name(rules[i].kind), rules[i].components, rules[i].count);
}

// "int32 by cell_of(Position, Size)"
static void append_function(arena *arena, text *text, const entity_index *index)
{
    assert(index->of_count > 0);
    text_append_format(text, "%s\nby %s(", schema_type_name(arena, &index->key_type), index->function);
    for (size_t i = 0; i < index->of_count; i++) {
        text_separate(text, i, ",\n");
        text_append_string(text, index->of[i]->name);
    }
    text_append_string(text, ")");
}

const char *list_index_text(arena *arena, const entity_index *index)
{
    assert((index->function == NULL) == (index->key_count > 0));
    text text = text_create(arena);
    if (index->function != NULL)
        append_function(arena, &text, index);
    for (size_t i = 0; i < index->key_count; i++) {
        text_separate(&text, i, ",\n");
        const key_part *part = &index->key[i];
        text_append_format(&text, "%s%s.%s", text_if(part->is_descending, "-"), part->component->name,
                           part->field->name);
    }
    if (index->kind == INDEX_GRID)
        text_append_format(&text, ";\ncell %s", list_number_text(arena, index->cell));
    append_rules(&text, index->rules, index->rule_count);
    return text.bytes;
}

// Formats "Position {x: 3, y: 1}, Frozen": components with the values that the blueprint changes.
const char *list_parts_text(arena *arena, const blueprint_part *parts, size_t count)
{
    assert(count > 0);
    text text = text_create(arena);
    for (size_t i = 0; i < count; i++) {
        const blueprint_part *part = &parts[i];
        text_separate(&text, i, ",\n");
        text_append_string(&text, part->component->name);
        if (part->values == NULL)
            continue;
        text_append_string(&text, " {");
        for (size_t k = 0; k < part->component->fields.count; k++) {
            const char *value = table_cut(arena, list_constant_text(arena, part->values[k]), DEFAULT_WIDTH);
            text_separate(&text, k, ",\n");
            text_append_format(&text, "%s: %s", part->component->fields.fields[k].name, value);
        }
        text_append_string(&text, "}");
    }
    return text.bytes;
}

// ---- roles and accesses of a system

static void append_inboxes(text *text, const declared_system *system)
{
    for (size_t i = 0; i < system->inbox_count; i++) {
        const system_inbox *inbox = &system->inboxes[i];
        text_append_item(text, ",\n", arena_format(text->arena, "on %s", inbox->message->name));
        if (inbox->capacity > 0)
            text_append_format(text, " (%" PRIu32 ", %s)", inbox->capacity, language_word(&language_full, inbox->full));
    }
}

// Formats "initialize, leave, enter, on Damage (256, oldest), update" in the order in which they run.
const char *list_roles_text(arena *arena, const declared_system *system)
{
    static const system_role order[] = {ROLE_INITIALIZE,   ROLE_START,  ROLE_LEAVE,     ROLE_ENTER,
                                        ROLE_FIRST_UPDATE, ROLE_UPDATE, ROLE_FILTER,    ROLE_EXECUTE,
                                        ROLE_CLEANUP,      ROLE_DRAW,   ROLE_TEAR_DOWN, ROLE_DISPOSE};
    text text = text_create(arena);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (order[i] == ROLE_FIRST_UPDATE)
            append_inboxes(&text, system);
        if (system->roles[order[i]])
            text_append_item(&text, ",\n", schema_role_name(order[i]));
        if (order[i] == ROLE_UPDATE && schema_iterates_tree(system))
            text_append_format(&text, " (tree %s)", system->tree->field->reverse);
        bool has_order = order[i] == ROLE_UPDATE || order[i] == ROLE_EXECUTE;
        if (has_order && system->roles[order[i]] && schema_order_of(system) != NULL)
            text_append_format(&text, " (order %s)", schema_order_of(system)->name);
    }
    return text.bytes;
}

// Appends "holder_of PartOf (all Frozen)".
static void append_questions(text *text, const group *group)
{
    static const char *const kinds[] = {[QUESTION_HOLDER_OF] = "holder_of", [QUESTION_HELD_BY] = "held_by"};
    for (size_t i = 0; i < group->question_count; i++) {
        const question *question = &group->questions[i];
        struct text rules = text_create(text->arena);
        append_rules(&rules, question->rules, question->rule_count);
        text_append_item(text, ";\n",
                         arena_format(text->arena, "%s %s.%s", kinds[question->kind],
                                      question->relation->component->name, question->relation->field->name));
        if (question->rule_count > 0)
            text_append_format(text, " (%s)", rules.bytes);
    }
}

// Formats "all Position; maybe Velocity; order by_depth".
const char *list_group_text(arena *arena, const group *group)
{
    assert(group->rule_count > 0);
    text text = text_create(arena);
    append_rules(&text, group->rules, group->rule_count);
    append_components(&text, "maybe", group->maybe.components, group->maybe.count);
    append_questions(&text, group);
    if (group->order != NULL)
        append_name(&text, "order", 0, group->order->name);
    return text.bytes;
}

static void append_job(text *text, const system_job *job)
{
    const char *last = "";
    size_t count = 0;
    for (size_t i = 0; i < job->look_up_count; i++) {
        const char *name = job->looks_up[i]->name;
        if (strcmp(name, last) != 0) // an index of several contexts is named once: its entries are adjacent
            append_name(text, "looks up", count++, name);
        last = name;
    }
    append_components(text, "changes", job->changes, job->change_count);
    for (size_t i = 0; i < job->spawn_count; i++)
        append_name(text, "spawns", i, job->spawns[i]->name);
    if (job->destroys)
        text_append_item(text, ";\n", "destroys entities");
    for (size_t i = 0; i < job->publish_count; i++)
        append_name(text, "publishes", i, job->publishes[i]->name);
}

// The group that the system iterates is read: a write of its columns by another system meets it.
const char *list_access_text(arena *arena, const declared_system *system)
{
    text text = text_create(arena);
    append_components(&text, "writes", system->writes, system->write_count);
    append_components(&text, "reads", system->reads, system->read_count);
    append_job(&text, &system->job);
    return text.bytes;
}

const char *list_refreshes_text(arena *arena, const package *package, const declared_system *system,
                                const char *separator)
{
    index_list list = schema_refreshes(arena, package, system);
    text text = text_create(arena);
    for (size_t i = 0; i < list.count; i++) {
        text_append_string(&text, i == 0 ? "then refreshes " : separator);
        text_append_string(&text, list.indices[i]->name);
    }
    return text.bytes;
}

// Formats "parallel, grain 512".
static void append_parallel(text *text, const system_job *job)
{
    if (!job->is_parallel)
        return;
    text_append_item(text, ";\n", "parallel");
    if (job->grain == SCHEMA_GRAIN_ALL)
        text_append_string(text, ",\ngrain all");
    else if (job->grain > 0)
        text_append_format(text, ",\ngrain %" PRIu32, job->grain);
}

// Formats "group movers; writes Position; reads Velocity".
const char *list_works_on_text(arena *arena, const declared_system *system)
{
    assert(system->kind != SYSTEM_GROUP || system->group != NULL);
    assert(system->kind != SYSTEM_REACTIVE || system->trigger_count > 0);
    text text = text_create(arena);
    if (system->kind == SYSTEM_GROUP && system->group->is_of_system)
        text_append_string(&text, list_group_text(arena, system->group));
    else if (system->kind == SYSTEM_GROUP)
        text_append_format(&text, "group %s", system->group->name);
    for (size_t i = 0; i < system->trigger_count; i++)
        text_append_item(&text, ",\n",
                         arena_format(arena, "%s %s", language_word(&language_trigger_event, system->triggers[i].event),
                                      system->triggers[i].group->name));
    append_components(&text, "maybe", system->maybe.components, system->maybe.count);
    assert(system->tree != NULL || (!system->only_changed && system->order == TREE_DEPTH));
    if (system->tree != NULL)
        text_append_item(&text, ";\n", arena_format(arena, "tree %s", system->tree->field->reverse));
    if (system->only_changed)
        text_append_string(&text, ",\nonly changed");
    if (system->order != TREE_DEPTH)
        text_append_format(&text, ",\norder %s", language_word(&language_tree_order, system->order));
    if (system->index_order != NULL)
        append_name(&text, "order", 0, system->index_order->name);
    append_components(&text, "writes", system->writes, system->write_count);
    append_components(&text, "reads", system->reads, system->read_count);
    append_job(&text, &system->job);
    append_parallel(&text, &system->job);
    if (system->has_random)
        text_append_item(&text, ";\n", "random numbers");
    if (system->keeps_left)
        text_append_item(&text, ";\n", "keeps last values");
    const char *was = list_was(system->name, &system->saved);
    if (was != NULL)
        text_append_item(&text, ";\n", arena_format(arena, "was %s", was));
    return text.bytes;
}

void list_append_table(text *out, table table)
{
    if (table.first != NULL)
        text_append_string(out, "\n");
    table_print(&table, out);
}
