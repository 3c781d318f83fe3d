// Reads levels, whose instances may name each other in any order, and values of unique components.
//
// The names of all instances of a level are known before the first body is read. A level in a level is read before it.
#include "generator/content/internal.h"

#include <assert.h>
#include <string.h>

// ---- names of instances

const instance *instance_find(const level *level, const char *path, const char **part)
{
    char name[CONTENT_PATH_LIMIT];
    size_t size = strcspn(path, ".");
    if (size >= sizeof name)
        return NULL;
    memcpy(name, path, size);
    name[size] = '\0';
    const instance *found = dictionary_find(&level->names, name);
    const char *rest = path + size + (path[size] == '.');
    if (found == NULL)
        return NULL;
    if (found->level == NULL) {
        *part = rest;
        return found;
    }
    if (rest[0] == '\0')
        return NULL;
    return instance_find(found->level, rest, part);
}

// Recursive along levels in levels, which are limited.
const char *instance_first_path(compiler *compiler, const level *level, const char *path)
{
    size_t size = strcspn(path, ".");
    const instance *found = dictionary_find(&level->names, arena_copy(compiler->arena, path, size));
    assert(found != NULL); // instance_find has found it
    if (found->level == NULL)
        return found->first_name;
    return arena_format(compiler->arena, "%s.%s", found->first_name,
                        instance_first_path(compiler, found->level, path + size + 1));
}

void offer_instances(name_search *search, const level *level)
{
    for (const instance *each = level->first; each != NULL; each = each->next)
        if (each->name != NULL)
            name_search_offer(search, each->name);
}

static void add_name(compiler *compiler, level *level, instance *instance)
{
    bool is_written = instance->name_span.start != instance->key->span.start;
    if (is_written)
        note_name(compiler, (content_name){.kind = CONTENT_INSTANCE,
                                           .owner = level->name,
                                           .name = instance->name,
                                           .place = instance->name_span,
                                           .is_definition = true,
                                           .prefab = instance->prefab});
    const struct instance *earlier = dictionary_add(&level->names, instance->name, instance);
    if (earlier == NULL)
        return;
    diagnostic_error(compiler->diagnostics, CODE_PLACED_TWICE, instance->name_span,
                     "level '%s' has two instances named '%s'", level->name, instance->name);
    diagnostic_note(compiler->diagnostics, earlier->name_span, "first named here");
}

// The name of a level in a level: without the name of the outer one before it.
static const char *name_in(const char *outer, const char *name)
{
    size_t size = strlen(outer);
    if (strncmp(name, outer, size) != 0 || name[size] != '_')
        return name;
    if (name[size + 1] == '\0')
        return name;
    return name + size + 1;
}

static void read_as(compiler *compiler, const tree_node *as, instance *instance)
{
    if (!node_expect_value(compiler->diagnostics, as, "a name for 'as'"))
        return;
    instance->name_span = as->span;
    if (name_is_snake_case(as->text)) {
        instance->name = as->text;
        return;
    }
    diagnostic_error(compiler->diagnostics, CODE_NAME_CASE, as->span,
                     "'%s' is not a valid name of an instance; such names are in snake_case", as->text);
    suggest(compiler, name_suggest_snake_case(compiler->arena, as->text));
}

// Reads `as`. A level in a level has a name without it, too.
static void read_name(compiler *compiler, level *level, instance *instance)
{
    assert(instance->node->kind == TREE_MAPPING && instance->name == NULL);
    const tree_node *as = tree_find(instance->node, "as");
    const struct level *inner = instance->level;
    instance->name_span = instance->key->span;
    const char *was = name_read_was(compiler, instance->node);
    if (as != NULL) {
        read_as(compiler, as, instance);
    } else if (inner != NULL) {
        instance->name = name_in(level->name, inner->name);
        if (was == NULL && inner->first_name != inner->name)
            was = name_in(level->first_name, inner->first_name);
    }
    if (instance->name == NULL && was != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, tree_find_key(instance->node, "was")->span,
                         "'was' of an instance needs 'as'");
        diagnostic_hint(compiler->diagnostics, "add 'as: NAME', or remove it");
    }
    if (instance->name == NULL)
        return;
    instance->first_name = name_first(compiler, NAMED_PLACE, level->first_name, instance->name, was);
    add_name(compiler, level, instance);
}

// ---- items of `place`

static void read_level(compiler *compiler, level *level, size_t depth);

static void report_level(compiler *compiler, const tree_node *key)
{
    name_search search = name_search_begin(key->text);
    if (compiler->is_incomplete)
        return;
    for (const level *each = compiler->levels; each != NULL; each = each->next)
        name_search_offer(&search, each->name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_PREFAB, key->span, "no level is named '%s'", key->text);
    suggest(compiler, search.nearest);
}

static level *find_level(compiler *compiler, const level *outer, const tree_node *key, size_t depth)
{
    level *found = (level *)dictionary_find(&compiler->level_names, key->text);
    if (found == NULL) {
        report_level(compiler, key);
        return NULL;
    }
    if (found->state == ENTRY_ENTERED) {
        diagnostic_error(compiler->diagnostics, CODE_PREFAB_CIRCLE, key->span, "level '%s' would be in itself",
                         found->name);
        if (found != outer)
            diagnostic_note(compiler->diagnostics, found->key->span, "it is declared here");
        return NULL;
    }
    note_name(compiler, (content_name){.kind = CONTENT_LEVEL, .name = found->name, .place = key->span});
    read_level(compiler, found, depth + 1);
    if (found->is_broken)
        return NULL;
    assert(found->state == ENTRY_DONE && found->info != NULL);
    return found;
}

// Whether an instance of this context can be in the level. The first instance says which context that is.
static bool check_context(compiler *compiler, level *level, const tree_node *key, const kin_context_info *info,
                          size_t context)
{
    if (level->info == NULL) {
        level->info = info;
        level->context = context;
    }
    if (level->info == info)
        return true;
    diagnostic_error(compiler->diagnostics, CODE_BLUEPRINT_CONTEXT, key->span,
                     "'%s' is in context '%s', and level '%s' in '%s'", key->text, info->name, level->name,
                     level->info->name);
    return false;
}

// Finds the prefab or level that an instance is of. Returns how many instances it counts for.
static size_t find_placed(compiler *compiler, level *level, instance *instance, size_t depth)
{
    const tree_node *key = instance->key;
    if (name_is_snake_case(key->text)) {
        struct level *inner = find_level(compiler, level, key, depth);
        instance->level = inner;
        if (inner == NULL)
            return 0;
        (void)check_context(compiler, level, key, inner->info, inner->context);
        return inner->instance_count;
    }
    prefab *found = find_prefab(compiler, key, 0);
    if (found == NULL || found->is_broken)
        return 1;
    if (check_context(compiler, level, key, found->info, found->context))
        instance->prefab = found;
    return 1;
}

static void add_instance(compiler *compiler, level *level, const tree_node *key, const tree_node *node, size_t depth)
{
    instance *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (instance){.key = key, .node = node};
    size_t count = find_placed(compiler, level, made, depth);
    bool was_within = level->instance_count <= CONTENT_INSTANCE_LIMIT;
    level->instance_count += count;
    if (was_within && level->instance_count > CONTENT_INSTANCE_LIMIT)
        diagnostic_error(compiler->diagnostics, CODE_TOO_MANY_INSTANCES, key->span,
                         "level '%s' has more than %d instances", level->name, CONTENT_INSTANCE_LIMIT);
    if (level->last == NULL)
        level->first = made;
    else
        level->last->next = made;
    level->last = made;
    read_name(compiler, level, made);
}

// Whether an editor asks what can be placed.
static bool is_asked_in(const compiler *compiler, const tree_node *item)
{
    if (item->kind == TREE_SCALAR)
        return is_asked(compiler, item);
    for (const tree_pair *pair = item->pairs; pair != NULL; pair = pair->next)
        if (is_asked(compiler, pair->key))
            return true;
    return false;
}

static void read_item(compiler *compiler, level *level, const tree_node *item, size_t depth)
{
    if (is_asked_in(compiler, item)) {
        offer_prefabs(compiler, level->info, true);
        offer_levels(compiler, level);
    }
    if (!node_expect_mapping(compiler->diagnostics, item, "an instance")) {
        if (tree_is_text(item))
            diagnostic_hint(compiler->diagnostics, "write { %s: {} }", item->text);
        return;
    }
    const tree_pair *pair = item->pairs;
    if (pair == NULL || item->count != 1) {
        span place = item->span;
        if (pair != NULL && pair->next != NULL)
            place = pair->next->key->span;
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, place, "an instance has one key, its prefab");
        diagnostic_hint(compiler->diagnostics, "begin each instance with '- '");
        return;
    }
    if (pair->value->kind != TREE_SEQUENCE) {
        if (pair->value->kind == TREE_MAPPING)
            add_instance(compiler, level, pair->key, pair->value, depth);
        else
            node_expect_mapping(compiler->diagnostics, pair->value,
                                arena_format(compiler->arena, "instance of '%s'", pair->key->text));
        return;
    }
    for (const tree_node *each = pair->value->items; each != NULL; each = each->next)
        if (node_expect_mapping(compiler->diagnostics, each, "an instance"))
            add_instance(compiler, level, pair->key, each, depth);
}

// ---- bodies

// The `at` of a level in a level: numbers that are added to the place of each of its entities.
static void read_offset(writing *writing, const tree_pair *pair)
{
    compiler *compiler = writing->compiler;
    const kin_key_info *placed_by = writing->info->placed_by;
    if (placed_by == NULL) {
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_VALUE, pair->key->span,
                         "'at' of a level needs 'placed_by' in context '%s'", writing->info->name);
        diagnostic_hint(compiler->diagnostics, "add 'placed_by: Local.at' to the context, or remove 'at'");
        return;
    }
    place *component = place_of_component(compiler, writing->context, placed_by->component);
    place *place = place_find(compiler, component, placed_by->field->name);
    assert(place != NULL);
    writing->is_offset = true;
    read_value(writing, pair->value, place);
}

static bool is_one_of(const char *key, const char *const *keys)
{
    while (*keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

static void read_nested(writing *writing, const instance *instance)
{
    compiler *compiler = writing->compiler;
    static const char *const keys[] = {"at", "as", "was", NULL};
    for (const tree_pair *pair = instance->node->pairs; pair != NULL; pair = pair->next) {
        if (is_asked(compiler, pair->key))
            offer_words(compiler, keys, instance->node);
        if (strcmp(pair->key->text, "at") == 0)
            read_offset(writing, pair);
        else if (!is_one_of(pair->key->text, keys))
            report_key(compiler, pair->key, "a level in a level, which has 'at', 'as' and 'was' only");
    }
}

static void read_instance_body(compiler *compiler, level *level, instance *instance)
{
    writing writing = {.compiler = compiler,
                       .prefab = instance->prefab,
                       .level = level,
                       .writes = &instance->writes,
                       .part = "",
                       .info = level->info,
                       .context = level->context};
    if (instance->level != NULL)
        read_nested(&writing, instance);
    else if (instance->prefab != NULL)
        read_body(&writing, instance->node, instance->prefab->parts.first, true);
    sort_writes(compiler, &instance->writes);
}

// ---- levels

static void read_keys(compiler *compiler, const level *level)
{
    static const char *const keys[] = {"place", "doc", "was", NULL};
    for (const tree_pair *pair = level->node->pairs; pair != NULL; pair = pair->next) {
        if (is_asked(compiler, pair->key))
            offer_words(compiler, keys, level->node);
        if (is_one_of(pair->key->text, keys))
            continue;
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, pair->key->span, "a level has no key '%s'",
                         pair->key->text);
        diagnostic_hint(compiler->diagnostics, "a level has 'place', a list, 'doc' and 'was'");
    }
}

static void read_place(compiler *compiler, level *level, const tree_node *place, size_t depth)
{
    if (place->kind == TREE_BROKEN)
        return;
    if (place->kind != TREE_SEQUENCE) {
        diagnostic_error(compiler->diagnostics, CODE_LIST_EXPECTED, place->span,
                         "expected a list for 'place', found %s", node_kind(place));
        return;
    }
    for (const tree_node *item = place->items; item != NULL; item = item->next)
        read_item(compiler, level, item, depth);
}

// Recursive along levels in levels, which are limited.
static void read_level(compiler *compiler, level *level, size_t depth)
{
    if (level->state != ENTRY_UNSEEN)
        return;
    level->state = ENTRY_ENTERED;
    const char *what = arena_format(compiler->arena, "level '%s'", level->name);
    if (depth > CONTENT_DEPTH_LIMIT) {
        diagnostic_error(compiler->diagnostics, CODE_BLUEPRINTS_TOO_DEEP, level->key->span,
                         "levels are in each other too deep; at most %d levels are allowed", CONTENT_DEPTH_LIMIT);
        level->is_broken = true;
    } else if (node_expect_mapping(compiler->diagnostics, level->node, what)) {
        read_keys(compiler, level);
        const tree_node *place = tree_find(level->node, "place");
        if (place != NULL)
            read_place(compiler, level, place, depth);
    }
    for (instance *each = level->first; each != NULL; each = each->next)
        read_instance_body(compiler, level, each);
    if (level->info == NULL && compiler->schema.count > 0)
        level->info = compiler->schema.contexts[0];
    level->state = ENTRY_DONE;
}

static void declare(compiler *compiler, const tree_pair *pair)
{
    const char *name = pair->key->text;
    level *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (level){.name = name, .key = pair->key, .node = pair->value};
    made->first_name = name_first(compiler, NAMED_LEVEL, "", name, name_read_was(compiler, pair->value));
    made->names = dictionary_create(compiler->arena);
    if (!name_is_snake_case(name)) {
        diagnostic_error(compiler->diagnostics, CODE_NAME_CASE, pair->key->span,
                         "'%s' is not a valid name of a level; names of levels are in snake_case", name);
        suggest(compiler, name_suggest_snake_case(compiler->arena, name));
    }
    const level *earlier = dictionary_add(&compiler->level_names, name, made);
    if (earlier != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_DUPLICATE_NAME, pair->key->span, "level '%s' is declared twice",
                         name);
        diagnostic_note(compiler->diagnostics, earlier->key->span, "first declared here");
        return;
    }
    note_name(compiler,
              (content_name){.kind = CONTENT_LEVEL, .name = name, .place = pair->key->span, .is_definition = true});
    if (compiler->last_level == NULL)
        compiler->levels = made;
    else
        compiler->last_level->next = made;
    compiler->last_level = made;
}

void read_levels(compiler *compiler)
{
    for (const file *file = compiler->files; file != NULL; file = file->next)
        for (const tree_pair *pair = file_entries(compiler, file, "levels"); pair != NULL; pair = pair->next)
            declare(compiler, pair);
    for (level *each = compiler->levels; each != NULL; each = each->next)
        read_level(compiler, each, 0);
}

// ---- values of unique components

static void report_unique(compiler *compiler, const tree_node *key, bool is_component)
{
    name_search search = name_search_begin(key->text);
    for (size_t i = 0; i < compiler->schema.count; i++)
        for (uint32_t j = 0; j < compiler->schema.contexts[i]->component_count; j++)
            if (compiler->schema.contexts[i]->components[j].is_unique)
                name_search_offer(&search, compiler->schema.contexts[i]->components[j].name);
    if (is_component) {
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_VALUE, key->span, "component '%s' is not unique",
                         key->text);
        diagnostic_hint(compiler->diagnostics, "'values' are of components with 'unique: true'");
        return;
    }
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_COMPONENT, key->span, "no unique component is named '%s'",
                     key->text);
    suggest(compiler, search.nearest);
}

static void add_unique(compiler *compiler, const tree_pair *pair, size_t context, kin_component_id id)
{
    unique *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (unique){.key = pair->key, .context = context, .place = place_of_component(compiler, context, id)};
    writing writing = {.compiler = compiler,
                       .prefab = NULL,
                       .writes = &made->writes,
                       .part = "",
                       .info = compiler->schema.contexts[context],
                       .context = context};
    for (const unique *each = compiler->uniques; each != NULL; each = each->next)
        if (each->context == context && each->place == made->place) {
            diagnostic_error(compiler->diagnostics, CODE_DUPLICATE_NAME, pair->key->span, "'%s' has values twice",
                             pair->key->text);
            diagnostic_note(compiler->diagnostics, each->key->span, "first given here");
            return;
        }
    note_name(compiler, (content_name){.kind = CONTENT_COMPONENT, .name = pair->key->text, .place = pair->key->span});
    if (!check_settable(compiler, writing.info, pair->key->span, made->place))
        return;
    read_value(&writing, pair->value, made->place);
    sort_writes(compiler, &made->writes);
    if (compiler->last_unique == NULL)
        compiler->uniques = made;
    else
        compiler->last_unique->next = made;
    compiler->last_unique = made;
}

static void read_unique(compiler *compiler, const tree_pair *pair)
{
    bool is_component = false;
    bool is_read = false;
    for (size_t i = 0; i < compiler->schema.count && !is_read; i++) {
        const kin_context_info *info = compiler->schema.contexts[i];
        int64_t id = component_find(info, pair->key->text);
        if (is_asked(compiler, pair->key))
            offer_components(compiler, info, NULL, true, pair->key);
        is_component = is_component || id >= 0;
        is_read = id >= 0 && info->components[id].is_unique;
        if (is_read)
            add_unique(compiler, pair, i, (kin_component_id)id);
    }
    if (!is_read)
        report_unique(compiler, pair->key, is_component);
}

void read_uniques(compiler *compiler)
{
    for (const file *file = compiler->files; file != NULL; file = file->next)
        for (const tree_pair *pair = file_entries(compiler, file, "values"); pair != NULL; pair = pair->next)
            read_unique(compiler, pair);
}
