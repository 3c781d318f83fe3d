// Generates the list of all C names of a package, and reports those that collide.
#include "generator/read/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

// ---- collecting

void symbols_append(symbol_collector *collector, symbol symbol)
{
    symbol_list *list = &collector->list;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct symbol *symbols = arena_allocate(collector->arena, capacity * sizeof *symbols);
        if (list->count > 0)
            memcpy(symbols, list->symbols, list->count * sizeof *symbols);
        list->symbols = symbols;
        list->capacity = capacity;
    }
    list->symbols[list->count++] = symbol;
}

// The rows of each scope, as numbers from 1 on: the first one, and after each row the next one. Made by the first call,
// since a package asks for some scopes thousands of times.
enum { MOST_SCOPES = 128, MOST_ROWS = 1024 };

static uint16_t first_row[MOST_SCOPES], next_row[MOST_ROWS + 1];

static void link_rows(void)
{
    uint16_t last_row[MOST_SCOPES] = {0};
    for (uint16_t i = 1; symbol_patterns[i - 1].pattern != NULL; i++) {
        const size_t scope = symbol_patterns[i - 1].scope;
        assert(i <= MOST_ROWS && scope < MOST_SCOPES);
        *(last_row[scope] == 0 ? &first_row[scope] : &next_row[last_row[scope]]) = i;
        last_row[scope] = i;
    }
}

void symbols_collect(symbol_collector *collector, symbol_scope scope, symbol_subject subject, symbol_origin origin)
{
    subject.prefix = collector->package->prefix;
    subject.package = collector->package->name;
    subject.stem = schema_macro_stem(collector->arena, collector->package);
    symbol_words words = symbol_words_create(collector->arena, &subject);
    if (first_row[SCOPE_PACKAGE] == 0)
        link_rows();
    for (uint16_t i = first_row[scope]; i != 0; i = next_row[i]) {
        const symbol_pattern *row = &symbol_patterns[i - 1];
        bool is_macro = row->kind == SYMBOL_MACRO;
        symbols_append(collector, (symbol){.kind = is_macro ? SYMBOL_NAME : row->kind,
                                           .is_macro = is_macro,
                                           .name = symbol_expand(&words, row->pattern),
                                           .origin = origin.description,
                                           .span = origin.span});
    }
}

// ---- opaque types

const char *symbol_key(arena *arena, symbol_kind kind, const char *name)
{
    if (kind != SYMBOL_FILE)
        return name;
    char *key = arena_copy(arena, name, strlen(name));
    for (char *letter = key; *letter != '\0'; letter++)
        if (byte_is_upper(*letter))
            *letter = (char)(*letter - 'A' + 'a');
    return key;
}

// Finds a generated file that `#include "header"` could find. Quoted includes search the folder of the including file
// first, and the path may also lead through the package's folder.
static const symbol *find_file(const opaque_check *check, const package *package, const char *header)
{
    const char *slash = strrchr(header, '/');
    const char *name = slash == NULL ? header : slash + 1;
    const char *folder = arena_copy(check->arena, header, (size_t)(name - header));
    const char *own = arena_format(check->arena, "%s/", package->name);
    size_t size = strlen(folder);
    size_t own_size = strlen(own);
    bool is_same_folder = strspn(folder, "./") == size && strstr(folder, "..") == NULL;
    bool is_own = size >= own_size && strcmp(folder + size - own_size, own) == 0 &&
                  (size == own_size || folder[size - own_size - 1] == '/');
    return is_same_folder || is_own ? dictionary_find(check->files, symbol_key(check->arena, SYMBOL_FILE, name)) : NULL;
}

static void check_header(const opaque_check *check, const package *package, const definition *definition)
{
    const symbol *generated = definition->header == NULL ? NULL : find_file(check, package, definition->header);
    if (generated == NULL)
        return;
    diagnostic_error(check->diagnostics, CODE_OPAQUE, definition->header_span,
                     "'header' of type '%s' names a generated file", definition->name);
    diagnostic_hint(check->diagnostics, "name your own header that declares '%s'",
                    definition->opaque == NULL ? definition->name : definition->opaque);
    diagnostic_note(check->diagnostics, generated->span, "%s is declared here and generates '%s'", generated->origin,
                    generated->name);
}

// Allows a pointer to a struct that is declared later, and a type that already has its C name: its header declares it,
// and C accepts the repeated typedef.
static bool is_allowed(const definition *definition, const opaque_spelling *spelling, const symbol *generated)
{
    bool is_own = generated->span.source == definition->span.source && generated->span.start == definition->span.start;
    return is_own || (spelling->has_tag && spelling->stars > 0);
}

static void check_spelling(const opaque_check *check, const definition *definition)
{
    opaque_spelling spelling;
    if (definition->opaque == NULL || !opaque_spelling_read(check->arena, definition->opaque, &spelling) ||
        spelling.name == NULL)
        return;
    const symbol *generated = dictionary_find(check->names, spelling.name);
    if (generated == NULL || is_allowed(definition, &spelling, generated))
        return;
    diagnostic_error(check->diagnostics, CODE_OPAQUE, definition->opaque_span,
                     "'opaque' of type '%s' names a generated type: '%s' of %s", definition->name, spelling.name,
                     generated->origin);
    diagnostic_hint(check->diagnostics, "name a type of your own C code");
    diagnostic_note(check->diagnostics, generated->span, "%s is declared here", generated->origin);
}

void symbols_check_opaque(const opaque_check *check, const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++) {
        if (package->definitions[i]->kind != DEFINITION_OPAQUE)
            continue;
        check_header(check, package, package->definitions[i]);
        check_spelling(check, package->definitions[i]);
    }
}

// ---- jobs

// The symbols of the jobs of parallel systems: a function for each thing that they may do, in each of its contexts.

// The system whose functions are appended.
typedef struct job_symbols {
    symbol_collector *collector;
    const declared_system *system;
    symbol_origin origin;
} job_symbols;

// Appends "steer_contains", for a function "contains"; with several contexts one for each, "steer_contains_game".
static void append_function(const job_symbols *symbols, const char *name, system_contexts contexts)
{
    symbol_collector *collector = symbols->collector;
    arena *arena = collector->arena;
    const char *system = name_to_snake_case(arena, symbols->system->name);
    const char *function = arena_format(arena, "%s%s_%s", collector->package->prefix, system, name);
    for (size_t i = 0; i < (contexts.count < 2 ? 1 : contexts.count); i++) {
        symbol symbol = {.kind = SYMBOL_NAME, .origin = symbols->origin.description, .span = symbols->origin.span};
        symbol.name =
            contexts.count < 2 ? function : arena_format(arena, "%s_%s", function, contexts.contexts[i]->name);
        symbols_append(collector, symbol);
    }
}

// Appends "steer_get_position", for a name "Position".
static void append(const job_symbols *symbols, const char *verb, const char *name, system_contexts contexts)
{
    arena *arena = symbols->collector->arena;
    append_function(symbols, arena_format(arena, "%s%s", verb, name_to_snake_case(arena, name)), contexts);
}

static system_contexts contexts_of(const job_symbols *symbols, const component *component)
{
    system_contexts all = {component->contexts, component->context_count};
    return schema_job_contexts(symbols->collector->arena, symbols->system, all);
}

static void append_reverse(const job_symbols *symbols, const component *component, const field *field,
                           system_contexts contexts)
{
    static const char *const functions[] = {"count", "first", "last", "next", "previous"};
    static const char *const of_trees[] = {"root", "depth", "contains", "walk_from"};
    arena *arena = symbols->collector->arena;
    append_function(symbols, arena_format(arena, "copy_%s", field->reverse), contexts);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        append_function(symbols, arena_format(arena, "%s_%s", field->reverse, functions[i]), contexts);
    for (size_t i = 0; field->is_tree && i < sizeof of_trees / sizeof *of_trees; i++)
        append_function(symbols, arena_format(arena, "%s_%s", field->reverse, of_trees[i]), contexts);
    if (field->is_tree)
        append(symbols, "", arena_format(arena, "%s_find_above", component->name), contexts);
}

static void append_unique(const job_symbols *symbols, const component *component, system_contexts contexts)
{
    arena *arena = symbols->collector->arena;
    const char *name = name_to_snake_case(arena, component->name);
    bool is_flag = component->fields.count == 0;
    append_function(symbols, is_flag ? arena_format(arena, "%s_unique_%s", component->flag_prefix, name) : name,
                    contexts);
    append_function(symbols, arena_format(arena, "unique_%s_entity", name), contexts);
}

static void append_read(const job_symbols *symbols, const component *component)
{
    system_contexts contexts = contexts_of(symbols, component);
    if (component->is_unique)
        append_unique(symbols, component, contexts);
    if (component->fields.count == 0) {
        append(symbols, arena_format(symbols->collector->arena, "%s_", component->flag_prefix), component->name,
               contexts);
        return;
    }
    append(symbols, component->is_soa ? "read_" : "get_", component->name, contexts);
    append(symbols, "has_", component->name, contexts);
    for (size_t i = 0; i < component->fields.count; i++)
        if (component->fields.fields[i].reverse != NULL)
            append_reverse(symbols, component, &component->fields.fields[i], contexts);
}

// Appends the functions that change a component; those that the job cannot have are declared to say so.
static void append_change(const job_symbols *symbols, const component *component)
{
    static const char *const verbs[] = {"add_", "replace_", "remove_", "edit_"};
    system_contexts contexts = contexts_of(symbols, component);
    if (component->fields.count == 0)
        append(symbols, "set_", component->name, contexts);
    for (size_t i = 0; component->fields.count > 0 && i < sizeof verbs / sizeof *verbs; i++)
        append(symbols, verbs[i], component->name, contexts);
}

static void append_walks(const job_symbols *symbols, const entity_index *index, system_contexts contexts)
{
    static const char *const functions[] = {"begin",    "from",  "from_last", "range",      "next",
                                            "previous", "first", "last",      "count_below"};
    arena *arena = symbols->collector->arena;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        append_function(symbols, arena_format(arena, "%s_%s", index->symbol_name, functions[i]), contexts);
}

static void append_look_ups(const job_symbols *symbols)
{
    static const char *const of_grids[] = {"near", "in_box", "nearest", "pairs_within"};
    const system_job *job = &symbols->system->job;
    for (size_t i = 0; i < job->look_up_count; i++) {
        const entity_index *index = job->looks_up[i];
        system_contexts contexts = schema_job_index_contexts(symbols->collector->arena, job, index->name);
        if (contexts.contexts[0] != index->context)
            continue;
        for (size_t k = 0; index->kind == INDEX_GRID && k < sizeof of_grids / sizeof *of_grids; k++)
            append_function(symbols, arena_format(symbols->collector->arena, "%s_%s", index->symbol_name, of_grids[k]),
                            contexts);
        if (index->kind == INDEX_ORDERED)
            append_walks(symbols, index, contexts);
        if (index->kind == INDEX_PRIMARY || index->kind == INDEX_MULTI)
            append(symbols, index->kind == INDEX_PRIMARY ? "entity_with_" : "copy_entities_with_", index->symbol_name,
                   contexts);
    }
}

static void append_spawn(const job_symbols *symbols, const blueprint *blueprint)
{
    arena *arena = symbols->collector->arena;
    system_contexts none = {.count = 0};
    const char *name = arena_format(arena, "spawn_%s", name_to_snake_case(arena, blueprint->name));
    append_function(symbols, name, none);
    if (schema_has_values(blueprint))
        append_function(symbols, arena_format(arena, "%s_with", name), none);
    if (blueprint->children.count > 0)
        append_function(symbols, arena_format(arena, "%s_parts", name), none);
}

// What the job lacks is declared to say so.
static void append_lacking(const job_symbols *symbols)
{
    const package *package = symbols->collector->package;
    arena *arena = symbols->collector->arena;
    system_contexts none = {.count = 0};
    blueprint_list blueprints = schema_job_lacks_spawns(arena, package, symbols->system);
    index_list indices = schema_job_lacks_indices(arena, package, symbols->system);
    for (size_t i = 0; i < blueprints.count; i++)
        append(symbols, "spawn_", blueprints.blueprints[i]->name, none);
    for (size_t i = 0; i < indices.count; i++)
        append_function(symbols, schema_look_up_name(arena, indices.indices[i]), none);
    for (size_t i = 0; i < package->message_count; i++)
        if (!schema_publishes(&symbols->system->job, package->messages[i]))
            append(symbols, "publish_", package->messages[i]->name, none);
}

void symbols_collect_job(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    const package *package = collector->package;
    const system_job *job = &system->job;
    job_symbols symbols = {collector, system, origin};
    system_contexts none = {.count = 0};
    system_contexts all = {package->contexts, package->context_count};
    symbols_collect(collector, SCOPE_JOB, (symbol_subject){.system = system->name}, origin);
    component_list components = schema_job_components(collector->arena, package, system);
    for (size_t i = 0; i < components.count; i++) {
        append_read(&symbols, components.components[i]);
        append_change(&symbols, components.components[i]);
    }
    append_look_ups(&symbols);
    for (size_t i = 0; i < job->spawn_count; i++)
        append_spawn(&symbols, job->spawns[i]);
    append(&symbols, "destroy_", "entity", schema_job_contexts(collector->arena, system, all));
    append(&symbols, "create_", "entity", schema_job_contexts(collector->arena, system, all));
    for (size_t i = 0; i < job->publish_count; i++)
        append(&symbols, "publish_", job->publishes[i]->name, none);
    append_lacking(&symbols);
}

// Both jobs and the world have it: in parallel systems, and in others.
static void collect_random(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    system_contexts all = {collector->package->contexts, collector->package->context_count};
    append_function(&(job_symbols){collector, system, origin}, "random",
                    schema_job_contexts(collector->arena, system, all));
}

// ---- the world

// The symbols of the world of a package.

static void collect_manual_nodes(symbol_collector *collector)
{
    for (size_t i = 0; i < collector->package->node_count; i++) {
        const schedule_node *node = collector->package->nodes[i];
        symbol_origin origin = {arena_format(collector->arena, "node '%s'", node->name), node->span};
        if (node->is_manual)
            symbols_collect(collector, SCOPE_MANUAL_NODE, (symbol_subject){.node = node->name}, origin);
    }
}

static void collect_messages(symbol_collector *collector)
{
    for (size_t i = 0; i < collector->package->message_count; i++) {
        const message *message = collector->package->messages[i];
        symbol_origin origin = {arena_format(collector->arena, "message '%s'", message->name), message->span};
        symbol_subject subject = {.message = message->name};
        symbols_collect(collector, SCOPE_MESSAGE, subject, origin);
        if (message->fields.count > 0)
            symbols_collect(collector, SCOPE_MESSAGE_FIELDS, subject, origin);
    }
}

// A role has one function; roles of a reactive system that receive entities have one for each of its contexts.
static void collect_role(symbol_collector *collector, const declared_system *system, system_role role,
                         symbol_origin origin)
{
    symbol_subject subject = {.system = system->name, .role = schema_role_name(role)};
    symbols_collect(collector, SCOPE_SYSTEM_ROLE, subject, origin);
    bool is_of_contexts = system->kind == SYSTEM_REACTIVE && (role == ROLE_EXECUTE || role == ROLE_FILTER);
    system_contexts contexts = schema_contexts_of(collector->arena, system);
    if (!is_of_contexts || contexts.count < 2) {
        symbols_collect(collector, SCOPE_ROLE, subject, origin);
        return;
    }
    for (size_t i = 0; i < contexts.count; i++) {
        subject.context = contexts.contexts[i]->name;
        symbols_collect(collector, SCOPE_ROLE_OF_CONTEXT, subject, origin);
    }
}

// Collects the members of the system's iterator for a component.
static void collect_column(symbol_collector *collector, const declared_system *system, symbol_subject subject,
                           symbol_origin origin)
{
    if (system->roles[ROLE_UPDATE])
        symbols_collect(collector, SCOPE_SYSTEM_MEMBER, subject, origin);
    if (schema_iterates_tree(system))
        symbols_collect(collector, SCOPE_SYSTEM_PARENT, subject, origin);
}

static void collect_optional_columns(symbol_collector *collector, const declared_system *system, component_list list,
                                     symbol_origin origin)
{
    for (size_t i = 0; i < list.count; i++) {
        symbol_subject subject = {.system = system->name, .component = list.components[i]->name};
        collect_column(collector, system, subject, origin);
    }
}

// Collects the columns of the system's group, of which `on_leave: keep` stores those that are not optional.
static void collect_columns(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    for (size_t i = 0; i < system->group->rule_count; i++) {
        const rule *rule = &system->group->rules[i];
        for (size_t k = 0; rule->kind == RULE_ALL && k < rule->count; k++) {
            symbol_subject subject = {.system = system->name, .component = rule->components[k]->name};
            if (rule->components[k]->fields.count == 0)
                continue;
            collect_column(collector, system, subject, origin);
            if (system->keeps_left)
                symbols_collect(collector, SCOPE_SYSTEM_LEFT, subject, origin);
        }
    }
    collect_optional_columns(collector, system, system->group->maybe, origin);
    collect_optional_columns(collector, system, system->maybe, origin);
}

static void collect_iterator(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    symbol_subject subject = {.system = system->name};
    if (schema_iterates_tree(system)) {
        symbols_collect(collector, SCOPE_SYSTEM_TREE, subject, origin);
        return;
    }
    symbols_collect(collector, SCOPE_SYSTEM_ITERATOR, subject, origin);
    if (system->group != NULL && schema_is_inlined(system->group, system->group->maybe.count + system->maybe.count))
        symbols_collect(collector, SCOPE_SYSTEM_MATCH, subject, origin);
    if (system->group != NULL && !system->group->is_of_system)
        symbols_collect(collector, SCOPE_SYSTEM_VIEW, subject, origin);
}

static void collect_system(symbol_collector *collector, const declared_system *system)
{
    symbol_origin origin = {arena_format(collector->arena, "system '%s'", system->name), system->span};
    symbols_collect(collector, SCOPE_SYSTEM, (symbol_subject){.system = system->name}, origin);
    if (system->job.is_parallel)
        symbols_collect_job(collector, system, origin);
    if (system->has_random)
        collect_random(collector, system, origin);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            collect_role(collector, system, role, origin);
    if (system->roles[ROLE_UPDATE])
        collect_iterator(collector, system, origin);
    if (system->group != NULL)
        collect_columns(collector, system, origin);
    for (size_t i = 0; i < system->inbox_count; i++) {
        symbol_subject subject = {.system = system->name, .message = system->inboxes[i].message->name};
        symbols_collect(collector, SCOPE_SYSTEM_INBOX, subject, origin);
    }
}

void symbols_collect_world(symbol_collector *collector)
{
    const package *package = collector->package;
    symbol_origin origin = {arena_format(collector->arena, "world of package '%s'", package->name), package->span};
    if (!package->has_world)
        return;
    symbols_collect(collector, SCOPE_WORLD, (symbol_subject){.prefix = NULL}, origin);
    if (schema_has_jobs(package))
        symbols_collect(collector, SCOPE_WORLD_OF_JOBS, (symbol_subject){.prefix = NULL}, origin);
    if (schema_has_random(package))
        symbols_collect(collector, SCOPE_WORLD_OF_RANDOM, (symbol_subject){.prefix = NULL}, origin);
    collect_manual_nodes(collector);
    collect_messages(collector);
    for (size_t i = 0; i < package->system_count; i++)
        collect_system(collector, package->systems[i]);
}

// ---- the network

static void collect_blends(symbol_collector *collector, const context *context)
{
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        symbol_subject subject = {.context = context->name, .component = component->name};
        symbol_origin origin = {arena_format(collector->arena, "'blend' of component '%s'", component->name),
                                component->span};
        if (!schema_is_sent(component))
            continue;
        if (schema_is_blended(component))
            symbols_collect(collector, SCOPE_NET_BLEND, subject, origin);
    }
}

static bool is_replicated(const component *component)
{
    for (size_t i = 0; i < component->context_count; i++)
        if (component->contexts[i]->is_replicated)
            return true;
    return false;
}

static void collect_sent_message(symbol_collector *collector, const message *message)
{
    symbol_subject subject = {.message = message->name};
    symbol_origin origin = {arena_format(collector->arena, "message '%s'", message->name), message->span};
    if (message->is_from_replica || message->is_to_replica)
        symbols_collect(collector, SCOPE_NET_MESSAGE, subject, origin);
    if (message->is_from_replica)
        symbols_collect(collector, SCOPE_NET_SEND, subject, origin);
}

static void collect_net(symbol_collector *collector)
{
    const package *package = collector->package;
    symbol_origin origin = {arena_format(collector->arena, "network of package '%s'", package->name), package->span};
    if (!schema_replicates(package))
        return;
    symbols_collect(collector, SCOPE_NET, (symbol_subject){.prefix = NULL}, origin);
    if (package->has_world)
        symbols_collect(collector, SCOPE_NET_WORLD, (symbol_subject){.prefix = NULL}, origin);
    for (size_t i = 0; i < package->definition_count; i++)
        symbols_collect(collector, SCOPE_NET_TYPE, (symbol_subject){.type = package->definitions[i]->name}, origin);
    for (size_t i = 0; i < package->context_count; i++) {
        if (!package->contexts[i]->is_replicated)
            continue;
        symbols_collect(collector, SCOPE_NET_CONTEXT, (symbol_subject){.context = package->contexts[i]->name}, origin);
        collect_blends(collector, package->contexts[i]);
    }
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        symbol_subject subject = {.component = component->name};
        if (schema_is_sent(component) && is_replicated(component))
            symbols_collect(collector, SCOPE_NET_COMPONENT, subject, origin);
    }
    for (size_t i = 0; i < package->message_count; i++)
        collect_sent_message(collector, package->messages[i]);
}

// ---- all names

// ---- the package

// The header of the type declares the function, and the program defines it. Several types may share one.
static void collect_function(symbol_collector *collector, const definition *definition, const char *key,
                             const char *function)
{
    if (function == NULL || dictionary_add(&collector->functions, function, definition) != NULL)
        return;
    symbols_append(collector,
                   (symbol){.kind = SYMBOL_PRIVATE,
                            .name = function,
                            .origin = arena_format(collector->arena, "'%s' of type '%s'", key, definition->name),
                            .span = definition->span});
}

static void collect_definition(symbol_collector *collector, const definition *definition)
{
    symbol_subject subject = {.type = definition->name};
    symbol_origin origin = {arena_format(collector->arena, "type '%s'", definition->name), definition->span};
    symbols_collect(collector, SCOPE_TYPE, subject, origin);
    if (collector->package->has_world)
        symbols_collect(collector, SCOPE_WORLD_TYPE, subject, origin);
    for (size_t i = 0; i < collector->package->context_count; i++) {
        subject.context = collector->package->contexts[i]->name;
        symbols_collect(collector, SCOPE_CONTEXT_TYPE, subject, origin);
    }
    collect_function(collector, definition, "drop", definition->drop);
    collect_function(collector, definition, "save", definition->save);
    collect_function(collector, definition, "load", definition->load);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *value = &definition->enumerators[i];
        subject.value = value->name;
        origin.span = value->span;
        origin.description = arena_format(collector->arena, "value '%s' of type '%s'", value->name, definition->name);
        symbols_collect(collector, SCOPE_VALUE, subject, origin);
    }
}

static void collect_events(symbol_collector *collector, const component *component, symbol_subject subject)
{
    static const char *const targets[] = {[TARGET_ANY] = "any", [TARGET_SELF] = "self"};
    static const char *const types[] = {[EVENT_ADDED] = "added", [EVENT_REMOVED] = "removed"};
    for (size_t i = 0; i < component->event_count; i++) {
        const component_event *event = &component->events[i];
        symbol_origin origin = {arena_format(collector->arena, "event %s/%s of component '%s' of context '%s'",
                                             targets[event->target], types[event->type], component->name,
                                             subject.context),
                                event->span};
        subject.event = schema_event_name(collector->arena, component, event);
        symbols_collect(collector, SCOPE_EVENT, subject, origin);
    }
}

static void collect_lists(symbol_collector *collector, const component *component, symbol_subject subject)
{
    for (size_t i = 0; i < component->fields.count; i++) {
        const field *field = &component->fields.fields[i];
        symbol_origin origin = {arena_format(collector->arena, "list '%s' of component '%s' of context '%s'",
                                             field->name, component->name, subject.context),
                                field->span};
        subject.list = field->name;
        if (field->type.is_list)
            symbols_collect(collector, SCOPE_CONTEXT_LIST, subject, origin);
        if (field->element_default != NULL && !field->element_default->is_zero)
            symbols_collect(collector, SCOPE_CONTEXT_ELEMENT, subject, origin);
    }
}

// Returns whether a flag has no functions `add` and `remove`, which its prefix may be.
static bool lacks_changes(const component *component)
{
    return strcmp(component->flag_prefix, "add") != 0 && strcmp(component->flag_prefix, "remove") != 0;
}

static void collect_commands(symbol_collector *collector, const component *component, symbol_subject subject,
                             symbol_origin origin)
{
    if (component->fields.count == 0) {
        symbols_collect(collector, SCOPE_COMMANDS_FLAG, subject, origin);
        if (lacks_changes(component))
            symbols_collect(collector, SCOPE_COMMANDS_FLAG_CHANGES, subject, origin);
        return;
    }
    symbols_collect(collector, SCOPE_COMMANDS_FIELDS, subject, origin);
    if (component->is_stashable)
        symbols_collect(collector, SCOPE_COMMANDS_STASH, subject, origin);
}

// The functions that a flag cannot have, which are declared to say so.
static void collect_no_functions(symbol_collector *collector, const component *component, symbol_subject subject,
                                 symbol_origin origin)
{
    bool lacks_has = strcmp(component->flag_prefix, "has") != 0;
    if (lacks_changes(component))
        symbols_collect(collector, SCOPE_FLAG_CHANGES, subject, origin);
    if (lacks_has)
        symbols_collect(collector, SCOPE_FLAG_HAS, subject, origin);
    if (lacks_has && component->is_unique)
        symbols_collect(collector, SCOPE_UNIQUE_FLAG_HAS, subject, origin);
}

static void collect_component_in(symbol_collector *collector, const component *component, const context *context)
{
    bool has_fields = component->fields.count > 0;
    symbol_subject subject = {
        .component = component->name, .flag_prefix = component->flag_prefix, .context = context->name};
    symbol_origin origin = {
        arena_format(collector->arena, "component '%s' of context '%s'", component->name, context->name),
        component->span};
    symbols_collect(collector, SCOPE_CONTEXT_COMPONENT, subject, origin);
    symbols_collect(collector, has_fields ? SCOPE_CONTEXT_FIELDS : SCOPE_CONTEXT_FLAG, subject, origin);
    if (has_fields)
        symbols_collect(collector, component->is_soa ? SCOPE_CONTEXT_SOA : SCOPE_CONTEXT_GET, subject, origin);
    if (component->has_relations)
        symbols_collect(collector, SCOPE_CONTEXT_RELATION, subject, origin);
    if (!has_fields)
        collect_no_functions(collector, component, subject, origin);
    if (component->is_shared)
        symbols_collect(collector, SCOPE_CONTEXT_VALUES, subject, origin);
    if (component->is_stashable)
        symbols_collect(collector, SCOPE_CONTEXT_STASH, subject, origin);
    if (component->is_unique)
        symbols_collect(collector, has_fields ? SCOPE_UNIQUE_FIELDS : SCOPE_UNIQUE_FLAG, subject, origin);
    if (context->has_commands)
        collect_commands(collector, component, subject, origin);
    collect_lists(collector, component, subject);
    collect_events(collector, component, subject);
}

static void collect_component(symbol_collector *collector, const component *component)
{
    bool has_fields = component->fields.count > 0;
    symbol_subject subject = {.component = component->name, .flag_prefix = component->flag_prefix};
    symbol_origin origin = {arena_format(collector->arena, "component '%s'", component->name), component->span};
    if (has_fields)
        symbols_collect(collector, SCOPE_COMPONENT, subject, origin);
    if (has_fields && component->context_count > 1)
        symbols_collect(collector, SCOPE_SHARED, subject, origin);
    if (schema_has_edit_type(component))
        symbols_collect(collector, SCOPE_EDIT_TYPE, subject, origin);
    if (component->is_soa)
        symbols_collect(collector, SCOPE_SOA, subject, origin);
    if (component->migrates)
        symbols_collect(collector, SCOPE_MIGRATION, subject, origin);
    for (size_t i = 0; i < component->context_count; i++)
        collect_component_in(collector, component, component->contexts[i]);
}

// Collects the columns of a group for the components of its list `key`.
static void collect_members(symbol_collector *collector, const char *key, component_list list, symbol_subject subject)
{
    for (size_t i = 0; i < list.count; i++) {
        const component *component = list.components[i];
        symbol_origin origin = {
            arena_format(collector->arena, "component '%s' in '%s' of group '%s'", component->name, key, subject.group),
            component->span};
        subject.component = component->name;
        if (component->fields.count > 0)
            symbols_collect(collector, SCOPE_GROUP_MEMBER, subject, origin);
    }
}

static void collect_group(symbol_collector *collector, const group *group)
{
    if (group->context == NULL)
        return; // unknown context, already reported
    symbol_subject subject = {.context = group->context->name, .group = group->name};
    symbol_origin origin = {arena_format(collector->arena, "group '%s'", group->name), group->span};
    symbols_collect(collector, SCOPE_GROUP, subject, origin);
    if (schema_is_inlined(group, group->maybe.count))
        symbols_collect(collector, SCOPE_GROUP_MATCH, subject, origin);
    for (size_t i = 0; i < group->rule_count; i++)
        if (group->rules[i].kind == RULE_ALL)
            collect_members(collector, "all", (component_list){group->rules[i].components, group->rules[i].count},
                            subject);
    collect_members(collector, "maybe", group->maybe, subject);
}

static void collect_index(symbol_collector *collector, const entity_index *index)
{
    if (index->context == NULL)
        return; // unknown context, already reported
    symbol_subject subject = {.context = index->context->name, .index = index->symbol_name};
    const char *what = schema_index_title(index);
    symbol_origin origin = {arena_format(collector->arena, "%s '%s'", what, index->name), index->span};
    symbols_collect(collector, SCOPE_INDEX, subject, origin);
    if (index->kind == INDEX_MULTI)
        symbols_collect(collector, SCOPE_MULTI_INDEX, subject, origin);
    if (index->kind == INDEX_ORDERED)
        symbols_collect(collector, SCOPE_ORDERED_INDEX, subject, origin);
    if (index->kind == INDEX_GRID)
        symbols_collect(collector, SCOPE_GRID, subject, origin);
    if (index->function == NULL)
        return;
    symbols_collect(collector, SCOPE_INDEX_FUNCTION, subject, origin);
    symbols_append(collector,
                   (symbol){.kind = SYMBOL_NAME,
                            .name = index->function,
                            .origin = arena_format(collector->arena, "the function of index '%s'", index->name),
                            .span = index->function_span});
}

static void collect_relation(symbol_collector *collector, const relation *relation)
{
    const char *reverse = relation->field->reverse;
    symbol_subject subject = {
        .context = relation->context->name, .reverse = reverse, .component = relation->component->name};
    symbol_origin origin = {
        arena_format(collector->arena, "'reverse: %s' of component '%s'", reverse, relation->component->name),
        relation->field->reverse_span};
    if (reverse == NULL)
        return;
    symbols_collect(collector, SCOPE_REVERSE, subject, origin);
    if (!relation->field->is_tree)
        return;
    symbols_collect(collector, SCOPE_TREE, subject, origin);
    const component *off = relation->context->off;
    if (off == NULL)
        return;
    subject.component = off->name;
    bool is_only = schema_has_one_tree(collector->package, relation->context);
    symbols_collect(collector, is_only ? SCOPE_OFF_TREE : SCOPE_OFF_TREES, subject, origin);
}

static void collect_blueprint(symbol_collector *collector, const blueprint *blueprint)
{
    if (blueprint->context == NULL)
        return; // unknown context, already reported
    symbol_subject subject = {.context = blueprint->context->name, .blueprint = blueprint->name};
    symbol_origin origin = {arena_format(collector->arena, "blueprint '%s'", blueprint->name), blueprint->span};
    bool has_values = schema_has_values(blueprint);
    bool has_commands = blueprint->context->has_commands;
    symbols_collect(collector, SCOPE_BLUEPRINT, subject, origin);
    if (blueprint->context->has_content)
        symbols_collect(collector, SCOPE_CONTENT_BLUEPRINT, subject, origin);
    if (has_commands)
        symbols_collect(collector, SCOPE_COMMANDS_SPAWN, subject, origin);
    for (size_t i = 0; i < blueprint->part_count; i++) {
        subject.component = blueprint->parts[i].component->name;
        if (blueprint->parts[i].component->fields.count > 0 &&
            !schema_is_origin(blueprint->context, blueprint->parts[i].component))
            symbols_collect(collector, SCOPE_BLUEPRINT_MEMBER, subject, origin);
    }
    if (has_values)
        symbols_collect(collector, SCOPE_BLUEPRINT_VALUES, subject, origin);
    if (has_values && has_commands)
        symbols_collect(collector, SCOPE_COMMANDS_VALUES, subject, origin);
    if (blueprint->children.count > 0 && has_commands)
        symbols_collect(collector, SCOPE_COMMANDS_CHILDREN, subject, origin);
    if (schema_has_parts(blueprint))
        symbols_collect(collector, SCOPE_BLUEPRINT_PARTS, subject, origin);
    if (blueprint->children.count > 0)
        symbols_collect(collector, SCOPE_BLUEPRINT_CHILDREN, subject, origin);
}

// The function and the table that give a child its values.
static void collect_child(symbol_collector *collector, const blueprint_child *child)
{
    arena *arena = collector->arena;
    const char *base =
        arena_format(arena, "%s%s_child_%zu_", collector->package->prefix, child->context->name, child->number);
    symbol symbol = {.kind = SYMBOL_PRIVATE,
                     .name = arena_format(arena, "write_%s", base),
                     .origin = arena_format(arena, "child '%s'", child->path),
                     .span = child->span};
    symbols_append(collector, symbol);
    symbol.name = arena_format(arena, "values_of_%s", base);
    symbols_append(collector, symbol);
}

static void symbols_collect_blueprints(symbol_collector *collector)
{
    const package *package = collector->package;
    for (size_t i = 0; i < package->blueprint_count; i++)
        collect_blueprint(collector, package->blueprints[i]);
    for (size_t i = 0; i < package->child_count; i++)
        collect_child(collector, package->children[i]);
}

static void collect_context(symbol_collector *collector, const context *context)
{
    symbol_subject subject = {.context = context->name};
    symbol_origin origin = {arena_format(collector->arena, "context '%s'", context->name), context->span};
    symbols_collect(collector, SCOPE_CONTEXT, subject, origin);
    if (collector->package->context_count > 1)
        symbols_collect(collector, SCOPE_CONTEXT_FILES, subject, origin);
    if (context->has_content)
        symbols_collect(collector, SCOPE_CONTENT, subject, origin);
    if (context->has_commands)
        symbols_collect(collector, SCOPE_COMMANDS, subject, origin);
    if (!schema_reads_as_world(collector->package, context))
        symbols_collect(collector, SCOPE_READER, subject, origin);
}

symbol_list symbols_of(arena *arena, const package *package)
{
    symbol_collector collector = {.arena = arena, .package = package, .functions = dictionary_create(arena)};
    symbol_origin origin = {arena_format(arena, "package '%s'", package->name), package->span};
    symbols_collect(&collector, SCOPE_PACKAGE, (symbol_subject){.prefix = NULL}, origin);
    if (package->context_count > 1)
        symbols_collect(&collector, SCOPE_CONTEXTS, (symbol_subject){.prefix = NULL}, origin);
    if (schema_has_headers(package))
        symbols_collect(&collector, SCOPE_HEADERS, (symbol_subject){.prefix = NULL}, origin);
    if (schema_has_migrations(package))
        symbols_collect(&collector, SCOPE_MIGRATIONS, (symbol_subject){.prefix = NULL}, origin);
    bool has_content = false;
    for (size_t i = 0; i < package->context_count; i++)
        has_content = has_content || package->contexts[i]->has_content;
    if (has_content)
        symbols_collect(&collector, SCOPE_CONTENT_FILE, (symbol_subject){.prefix = NULL}, origin);
    for (size_t i = 0; i < package->context_count; i++)
        collect_context(&collector, package->contexts[i]);
    for (size_t i = 0; i < package->definition_count; i++)
        collect_definition(&collector, package->definitions[i]);
    for (size_t i = 0; i < package->component_count; i++)
        collect_component(&collector, package->components[i]);
    for (size_t i = 0; i < package->group_count; i++)
        collect_group(&collector, package->groups[i]);
    for (size_t i = 0; i < package->index_count; i++)
        collect_index(&collector, package->indices[i]);
    for (size_t i = 0; i < package->relation_count; i++)
        collect_relation(&collector, &package->relations[i]);
    symbols_collect_blueprints(&collector);
    symbols_collect_world(&collector);
    collect_net(&collector);
    return collector.list;
}

typedef struct checker {
    arena *arena;
    diagnostics *diagnostics;
    dictionary symbols[SYMBOL_PRIVATE]; // of each kind, by symbol_key; private names are among the other kinds
    dictionary reported;                // single origins and pairs: each is reported once, not once for every name
} checker;

static bool is_first_report(checker *checker, const symbol *later, const symbol *earlier)
{
    const char *key = arena_format(checker->arena, "%zu:%zu %zu:%zu", later->span.source->order, later->span.start,
                                   earlier->span.source->order, earlier->span.start);
    return dictionary_add(&checker->reported, key, later) == NULL;
}

static const char *verb_of(symbol_kind kind)
{
    static const char *const verbs[] = {"define", "require the member", "write the file", "define"};
    assert((size_t)kind < sizeof verbs / sizeof *verbs);
    return verbs[kind];
}

static void report_collision(checker *checker, const symbol *first, const symbol *second)
{
    const symbol *later = span_compare(second->span, first->span) >= 0 ? second : first;
    const symbol *earlier = later == second ? first : second;
    if (!is_first_report(checker, later, earlier))
        return;
    if (later->origin == earlier->origin) {
        diagnostic_error(checker->diagnostics, CODE_COLLISION, later->span, "%s would define '%s' twice", later->origin,
                         later->name);
        return;
    }
    diagnostic_error(checker->diagnostics, CODE_COLLISION, later->span, "%s collides with %s", later->origin,
                     earlier->origin);
    diagnostic_hint(checker->diagnostics, "both would %s '%s'", verb_of(later->kind), later->name);
    diagnostic_note(checker->diagnostics, earlier->span, "%s is declared here", earlier->origin);
}

// A name without prefix and underscore is a name from the schema, in which the reader has found reserved words.
static void check_reserved(checker *checker, const package *package, const symbol *symbol)
{
    bool is_of_schema = package->prefix[0] == '\0' && strchr(symbol->name, '_') == NULL;
    if (symbol->kind != SYMBOL_NAME)
        return;
    const char *reserved = is_of_schema ? NULL : name_reserved_as(symbol->name);
    if (reserved != NULL)
        diagnostic_error(checker->diagnostics, CODE_NAME_RESERVED, symbol->span, "%s would define '%s', which is %s",
                         symbol->origin, symbol->name, reserved);
    const char *header = name_header(symbol->name);
    if (header == NULL)
        return;
    diagnostic_warning(checker->diagnostics, CODE_NAME_OF_HEADERS, symbol->span,
                       "%s defines '%s', which %s also declares", symbol->origin, symbol->name, header);
    diagnostic_hint(checker->diagnostics, "including that header may break the build; rename it or add a prefix");
}

// Reports components whose columns have the name of a macro, which no prefix changes.
static void check_columns(checker *checker, const package *package)
{
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        const char *column = name_to_snake_case(checker->arena, component->name);
        const char *header = name_header(column);
        if (component->fields.count == 0 || header == NULL)
            continue;
        diagnostic_warning(checker->diagnostics, CODE_NAME_OF_HEADERS, component->span,
                           "columns of component '%s' have the name '%s', which %s also declares", component->name,
                           column, header);
        diagnostic_hint(checker->diagnostics, "including that header may break the build; rename it");
    }
}

// Reports a name that would make generated names look like those of the runtime.
static void check_runtime(checker *checker, const package *package, const char *name, span place)
{
    const char *prefix = name_to_snake_case(checker->arena, package->prefix);
    const char *snake = arena_format(checker->arena, "%s%s", prefix, name_to_snake_case(checker->arena, name));
    if (strcmp(snake, "kin") == 0 || strncmp(snake, "kin_", strlen("kin_")) == 0)
        diagnostic_error(checker->diagnostics, CODE_NAME_OF_RUNTIME, place,
                         "'%s' would define names that begin with 'kin_', which are reserved for the runtime", name);
}

// Reports package 'kin': whatever its prefix, its files would hide those of the runtime.
static void check_folder(checker *checker, const package *package)
{
    if (package->prefix[0] == '\0' || strcmp(package->name, "kin") != 0)
        return;
    diagnostic_error(checker->diagnostics, CODE_NAME_OF_RUNTIME, package->span,
                     "package 'kin' would put its headers into the folder 'kin', which is reserved for the runtime");
}

static void check_runtime_names(checker *checker, const package *package)
{
    check_folder(checker, package);
    check_runtime(checker, package, package->name, package->span);
    for (size_t i = 0; i < package->context_count; i++)
        check_runtime(checker, package, package->contexts[i]->name, package->contexts[i]->span);
    for (size_t i = 0; i < package->definition_count; i++)
        if (package->definitions[i]->kind == DEFINITION_ENUM)
            check_runtime(checker, package, package->definitions[i]->name, package->definitions[i]->span);
    for (size_t i = 0; i < package->component_count; i++)
        if (package->components[i]->fields.count > 0)
            check_runtime(checker, package, package->components[i]->name, package->components[i]->span);
    for (size_t i = 0; i < package->system_count; i++)
        check_runtime(checker, package, package->systems[i]->name, package->systems[i]->span);
}

void symbols_check(arena *arena, diagnostics *diagnostics, const package *package)
{
    symbol_list list = symbols_of(arena, package);
    checker checker = {.arena = arena, .diagnostics = diagnostics};
    for (size_t kind = 0; kind < SYMBOL_PRIVATE; kind++)
        checker.symbols[kind] = dictionary_create(arena);
    checker.symbols[SYMBOL_NAME] = dictionary_create_for(arena, list.count);
    checker.reported = dictionary_create(arena);
    check_runtime_names(&checker, package);
    check_columns(&checker, package);
    for (size_t i = 0; i < list.count; i++) {
        const symbol *symbol = &list.symbols[i];
        check_reserved(&checker, package, symbol);
        if (symbol->is_macro)
            continue;
        symbol_kind kind = symbol->kind == SYMBOL_PRIVATE ? SYMBOL_NAME : symbol->kind;
        const struct symbol *earlier =
            dictionary_add(&checker.symbols[kind], symbol_key(arena, symbol->kind, symbol->name), symbol);
        if (earlier != NULL)
            report_collision(&checker, earlier, symbol);
    }
    opaque_check opaque = {arena, diagnostics, &checker.symbols[SYMBOL_NAME], &checker.symbols[SYMBOL_FILE]};
    symbols_check_opaque(&opaque, package);
}
