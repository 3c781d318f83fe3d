// Reads prefabs: their bases, parts, knobs and values; and the values of blueprints of the schema.
//
// A prefab is read after its base and the prefabs of its parts, whichever file they are in.
#include "generator/content/internal.h"

#include <assert.h>
#include <string.h>

static const char *const reserved_keys[] = {"extends", "of",      "doc", "context", "knobs",
                                            "parts",   "without", "as",  "was"};

bool is_reserved_key(const char *key)
{
    for (size_t i = 0; i < sizeof reserved_keys / sizeof *reserved_keys; i++)
        if (strcmp(reserved_keys[i], key) == 0)
            return true;
    return false;
}

void report_key(compiler *compiler, const tree_node *key, const char *where)
{
    diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, key->span, "'%s' has no meaning in %s", key->text, where);
    if (strcmp(key->text, "extends") == 0)
        diagnostic_hint(compiler->diagnostics, "a part has 'of'; to change it further, name it as a prefab");
    else if (strcmp(key->text, "of") == 0)
        diagnostic_hint(compiler->diagnostics, "a prefab has 'extends'; 'of' is for new parts, below 'parts'");
    else
        diagnostic_hint(compiler->diagnostics, "remove it");
}

// ---- entities

static uint64_t *ids_create(compiler *compiler, const kin_context_info *info)
{
    return arena_allocate(compiler->arena, (info->component_count / 64 + 1) * sizeof(uint64_t));
}

static void add_id(part *part, kin_component_id id)
{
    part->has[id / 64] |= (uint64_t)1 << id % 64;
    assert(part_has(part, id));
}

static void remove_id(part *part, kin_component_id id)
{
    part->has[id / 64] &= ~((uint64_t)1 << id % 64);
}

part *part_find(const part_list *list, const char *path)
{
    return (part *)dictionary_find(&list->by_path, path);
}

static part *part_add(compiler *compiler, prefab *prefab, const char *path, part *parent)
{
    part *made = arena_allocate(compiler->arena, sizeof *made);
    part_list *list = &prefab->parts;
    assert((parent == NULL) == (list->count == 0) && (parent == NULL) == (path[0] == '\0'));
    assert(part_find(list, path) == NULL);
    made->path = path;
    made->first_path = path;
    made->parent = parent;
    made->has = ids_create(compiler, prefab->info);
    if (list->last == NULL)
        list->first = made;
    else
        list->last->next = made;
    list->last = made;
    list->count++;
    dictionary_add(&list->by_path, path, made);
    return made;
}

static void copy_ids(const kin_context_info *info, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, (info->component_count / 64 + 1) * sizeof *to);
}

const char *path_join(compiler *compiler, const char *path, const char *name)
{
    if (path[0] == '\0')
        return name;
    if (name[0] == '\0')
        return path;
    return arena_format(compiler->arena, "%s.%s", path, name);
}

// Returns the part of a name below another one; NULL if there is none.
static part *part_below(compiler *compiler, const prefab *prefab, const part *above, const char *name)
{
    return part_find(&prefab->parts, path_join(compiler, above->path, name));
}

static size_t depth_of(const part *part)
{
    size_t depth = 0;
    for (; part->parent != NULL; part = part->parent)
        depth++;
    return depth;
}

// Adds the entities of another prefab below a path. Its first entity is the part at that path, which packs know by
// `first_path`.
static void copy_parts(compiler *compiler, prefab *prefab, const struct prefab *from, const char *path,
                       const char *first_path, part *parent)
{
    bool is_renamed = from->is_renamed || strcmp(path, first_path) != 0;
    assert(from->info == prefab->info && from->state == ENTRY_DONE);
    prefab->is_renamed = prefab->is_renamed || is_renamed;
    for (const part *each = from->parts.first; each != NULL; each = each->next) {
        struct part *above = parent;
        if (each->parent != NULL)
            above = part_find(&prefab->parts, path_join(compiler, path, each->parent->path));
        part *made = part_add(compiler, prefab, path_join(compiler, path, each->path), above);
        if (is_renamed)
            made->first_path = path_join(compiler, first_path, each->first_path);
        copy_ids(prefab->info, made->has, each->has);
        made->of = each->of;
        made->declared_by = each->declared_by;
        made->declared_path = each->declared_path;
        made->is_gone = each->is_gone;
    }
}

static kin_component_id tree_of(const kin_context_info *info, bool *has_one)
{
    kin_component_id tree = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (info->relations[i].is_tree) {
            tree = info->relations[i].component;
            count++;
        }
    *has_one = count == 1;
    return tree;
}

// ---- blueprints of the schema

static void add_components(part *part, const kin_blueprint_info *info)
{
    for (uint32_t i = 0; i < info->component_count; i++)
        add_id(part, info->components[i]);
}

enum { NAME_SIZE = CONTENT_PATH_LIMIT };

// Copies the name before the next dot. Returns its size; 0 if it is empty or too long.
static size_t copy_name(char name[NAME_SIZE], const char *path)
{
    size_t size = strcspn(path, ".");
    if (size >= NAME_SIZE)
        return 0;
    memcpy(name, path, size);
    name[size] = '\0';
    return size;
}

// Returns the component in a path, which follows its parts: the first name with a capital letter.
static const char *skip_parts(const char *path)
{
    while (*path != '\0' && !byte_is_upper(*path)) {
        path += strcspn(path, ".");
        path += *path == '.';
    }
    return path;
}

// Returns the field of a component that ".at.x" names; the component if the path is empty. NULL if there is none.
static place *find_field(compiler *compiler, place *component, const char *path)
{
    char name[NAME_SIZE];
    place *found = component;
    while (*path == '.' && found != NULL) {
        size_t size = copy_name(name, path + 1);
        if (size == 0 || place_is_repeated(found))
            return NULL;
        found = place_find(compiler, found, name);
        path += 1 + size;
    }
    return found;
}

// Reads "head.Gun.interval" as a part, a component and fields. False if it names none.
static bool read_target(compiler *compiler, const prefab *prefab, const char *path, target *target)
{
    char name[NAME_SIZE];
    const char *component = skip_parts(path);
    size_t size = copy_name(name, component);
    if (size == 0)
        return false;
    int64_t id = component_find(prefab->info, name);
    target->part = "";
    if (component > path)
        target->part = arena_copy(compiler->arena, path, (size_t)(component - path) - 1);
    const part *part = part_find(&prefab->parts, target->part);
    if (id < 0 || !part_is_there(part))
        return false;
    if (!part_has(part, (kin_component_id)id))
        return false;
    place *place = place_of_component(compiler, prefab->context, (kin_component_id)id);
    target->place = find_field(compiler, place, component + size);
    return target->place != NULL;
}

static prefab *new_prefab(compiler *compiler, const char *name, const kin_context_info *info, size_t context)
{
    prefab *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (prefab){.name = name, .first_name = name, .doc = "", .info = info, .context = context};
    made->parts.by_path = dictionary_create(compiler->arena);
    return made;
}

static prefab *make_blueprint(compiler *compiler, size_t context, const kin_blueprint_info *info)
{
    const kin_context_info *table = compiler->schema.contexts[context];
    prefab *made = new_prefab(compiler, info->name, table, context);
    part **parts = arena_allocate(compiler->arena, (info->descendant_count + 1) * sizeof *parts);
    made->is_blueprint = true;
    made->state = ENTRY_DONE;
    made->doc = text_or_empty(info->doc);
    parts[0] = part_add(compiler, made, "", NULL);
    add_components(parts[0], info);
    for (uint32_t i = 0; i < info->descendant_count; i++) {
        const kin_child_info *child = &table->children[info->descendants[i].child];
        assert(info->descendants[i].parent <= i);
        part *above = parts[info->descendants[i].parent];
        const char *path = path_join(compiler, above->path, path_last(child->entity.name));
        parts[i + 1] = part_add(compiler, made, path, above);
        parts[i + 1]->declared_by = info->name;
        parts[i + 1]->declared_path = path;
        add_components(parts[i + 1], &child->entity);
    }
    content_add_knobs(compiler, made, info);
    return made;
}

static const kin_blueprint_info *find_info(const kin_context_info *context, const char *name)
{
    for (uint32_t i = 0; i < context->blueprint_count; i++)
        if (strcmp(context->blueprints[i].name, name) == 0)
            return &context->blueprints[i];
    return NULL;
}

static prefab *find_blueprint(compiler *compiler, const char *name)
{
    prefab *known = (prefab *)dictionary_find(&compiler->blueprint_names, name);
    if (known != NULL)
        return known;
    for (size_t i = 0; i < compiler->schema.count; i++) {
        const kin_blueprint_info *info = find_info(compiler->schema.contexts[i], name);
        if (info == NULL)
            continue;
        known = make_blueprint(compiler, i, info);
        dictionary_add(&compiler->blueprint_names, known->name, known);
        return known;
    }
    return NULL;
}

static void offer_blueprint_names(const compiler *compiler, name_search *search)
{
    for (size_t i = 0; i < compiler->schema.count; i++)
        for (uint32_t j = 0; j < compiler->schema.contexts[i]->blueprint_count; j++)
            name_search_offer(search, compiler->schema.contexts[i]->blueprints[j].name);
}

// ---- names of prefabs

static void append_prefab(compiler *compiler, prefab *prefab)
{
    if (compiler->last_prefab == NULL)
        compiler->prefabs = prefab;
    else
        compiler->last_prefab->next = prefab;
    compiler->last_prefab = prefab;
}

static void report_unknown(compiler *compiler, const tree_node *name)
{
    if (compiler->is_incomplete)
        return;
    name_search search = name_search_begin(name->text);
    offer_blueprint_names(compiler, &search);
    for (const prefab *each = compiler->declared; each != NULL; each = each->next_declared)
        name_search_offer(&search, each->name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_PREFAB, name->span, "no prefab or blueprint is named '%s'",
                     name->text);
    suggest(compiler, search.nearest);
}

static void read_prefab(compiler *compiler, prefab *prefab, size_t depth);

// Returns the prefab or blueprint, which need not be read.
static prefab *look_up(compiler *compiler, const tree_node *name)
{
    if (!node_expect_value(compiler->diagnostics, name, "the name of a prefab"))
        return NULL;
    prefab *found = (prefab *)dictionary_find(&compiler->prefab_names, name->text);
    if (found == NULL)
        found = find_blueprint(compiler, name->text);
    if (found == NULL) {
        report_unknown(compiler, name);
        return NULL;
    }
    note_prefab(compiler, found, name->span, false);
    if (found->is_blueprint && !found->is_used) {
        found->is_used = true;
        append_prefab(compiler, found);
    }
    return found;
}

prefab *find_prefab(compiler *compiler, const tree_node *name, size_t depth)
{
    prefab *found = look_up(compiler, name);
    if (found != NULL)
        read_prefab(compiler, found, depth);
    return found;
}

// Reports the way from a prefab that is being read back to itself.
static void report_circle(compiler *compiler, const prefab *first, const tree_node *last)
{
    const char *what = first->is_in_parts ? "would be below itself" : "extends itself";
    assert(first->state == ENTRY_ENTERED && first->used != NULL);
    diagnostic_error(compiler->diagnostics, CODE_PREFAB_CIRCLE, last->span, "'%s' %s", first->name, what);
    const prefab *each = first;
    do {
        const char *verb = each->is_in_parts ? "has a part of" : "extends";
        diagnostic_note(compiler->diagnostics, each->use->span, "'%s' %s '%s' here", each->name, verb, each->use->text);
        each = each->used;
    } while (each != first);
}

// Reads the prefab that another one needs, for its base or for a part. NULL after a report.
static prefab *read_used(compiler *compiler, prefab *prefab, const tree_node *name, bool is_in_parts, size_t depth)
{
    if (is_asked(compiler, name))
        offer_prefabs(compiler, NULL, false);
    struct prefab *found = look_up(compiler, name);
    if (found == NULL)
        return NULL;
    prefab->use = name;
    prefab->used = found;
    prefab->is_in_parts = is_in_parts;
    if (found->state == ENTRY_ENTERED)
        report_circle(compiler, found, name);
    else
        read_prefab(compiler, found, depth + 1);
    if (found->is_broken || found->state == ENTRY_ENTERED)
        return NULL;
    assert(found->state == ENTRY_DONE && found->info != NULL);
    return found;
}

// ---- bodies

static void report_child(compiler *compiler, const tree_node *key, const prefab *prefab, const part *part)
{
    name_search search = name_search_begin(key->text);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_PART, key->span, "'%s' has no part or knob '%s'",
                     part->parent == NULL ? prefab->name : part->path, key->text);
    for (const struct part *each = prefab->parts.first; each != NULL; each = each->next)
        if (each->parent == part && !each->is_gone)
            name_search_offer(&search, path_last(each->path));
    for (const prefab_knob *each = knobs_of(prefab, part); each != NULL; each = each->next)
        name_search_offer(&search, each->name);
    if (search.nearest != NULL)
        diagnostic_meant(compiler->diagnostics, search.nearest);
    else
        diagnostic_hint(compiler->diagnostics, "add a new part below 'parts', with 'of'");
}

static void note_added(compiler *compiler, prefab *prefab, part *part, place *place)
{
    component_at *made = arena_allocate(compiler->arena, sizeof *made);
    assert(place->field == NULL && !part_has(part, place->id));
    *made = (component_at){part->first_path, place, prefab->added};
    prefab->added = made;
    add_id(part, place->id);
}

static void report_component(compiler *compiler, const tree_node *key, const kin_context_info *info)
{
    name_search search = name_search_begin(key->text);
    for (uint32_t i = 0; i < info->component_count; i++)
        name_search_offer(&search, info->components[i].name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_COMPONENT, key->span,
                     "no component of context '%s' is named '%s'", info->name, key->text);
    suggest(compiler, search.nearest);
}

static void report_lacking(const writing *writing, const tree_node *key, const part *part)
{
    compiler *compiler = writing->compiler;
    const char *name = path_join(compiler, writing->prefab->name, part->path);
    diagnostic_error(compiler->diagnostics, CODE_INSTANCE_LACKS, key->span, "'%s' has no component '%s'", name,
                     key->text);
    if (writing->level == NULL)
        diagnostic_hint(compiler->diagnostics,
                        "'blueprints' changes values; add components in a prefab that extends it");
    else
        diagnostic_hint(compiler->diagnostics, "add it in a prefab that extends '%s'", writing->prefab->name);
}

static void read_component(writing *writing, const tree_pair *pair, part *part, bool is_instance)
{
    compiler *compiler = writing->compiler;
    int64_t id = component_find(writing->info, pair->key->text);
    if (id < 0) {
        report_component(compiler, pair->key, writing->info);
        return;
    }
    note_name(compiler, (content_name){.kind = CONTENT_COMPONENT, .name = pair->key->text, .place = pair->key->span});
    place *place = place_of_component(compiler, writing->context, (kin_component_id)id);
    if (!check_settable(compiler, writing->info, pair->key->span, place))
        return;
    if (!part_has(part, place->id)) {
        if (is_instance) {
            report_lacking(writing, pair->key, part);
            return;
        }
        note_added(compiler, writing->prefab, part, place);
    }
    read_value(writing, pair->value, place);
}

static const prefab_knob *find_knob(const prefab_knob *knobs, const char *name)
{
    while (knobs != NULL && strcmp(knobs->name, name) != 0)
        knobs = knobs->next;
    return knobs;
}

// The value is read for each target, as ranges may differ; after an error not again.
static void read_knob(writing *writing, const tree_pair *pair, const part *part, const prefab_knob *knob)
{
    compiler *compiler = writing->compiler;
    size_t errors = diagnostics_error_count(compiler->diagnostics);
    for (size_t i = 0; i < knob->target_count; i++) {
        struct writing inner = *writing;
        inner.part = path_join(compiler, part->path, knob->targets[i].part);
        bool may = check_settable(compiler, writing->info, pair->key->span, knob->targets[i].place);
        if (may && diagnostics_error_count(compiler->diagnostics) == errors)
            read_value(&inner, pair->value, knob->targets[i].place);
    }
}

static void read_new_values(writing *writing, const tree_node *node, part *above);

static void read_child(writing *writing, const tree_pair *pair, part *part, bool is_instance)
{
    compiler *compiler = writing->compiler;
    struct part *below = part_below(compiler, writing->prefab, part, pair->key->text);
    const prefab_knob *knob = find_knob(knobs_of(writing->prefab, part), pair->key->text);
    bool may_be_missing = compiler->is_incomplete && is_instance;
    if (part_is_there(below)) {
        struct writing inner = *writing;
        note_part(compiler, writing->prefab, below, pair->key->span, false);
        inner.part = below->path;
        if (node_expect_mapping(compiler->diagnostics, pair->value,
                                arena_format(compiler->arena, "part '%s'", below->path)))
            read_body(&inner, pair->value, below, is_instance);
    } else if (knob != NULL) {
        note_knob(compiler, writing->prefab, knob, pair->key->span, false);
        read_knob(writing, pair, part, knob);
    } else if (!writing->prefab->is_broken && !may_be_missing) {
        report_child(compiler, pair->key, writing->prefab, part);
    }
}

// What a body is for: the keys that are read elsewhere, and how messages name it.
typedef struct body_kind {
    const char *where;
    const char *keys[8];
} body_kind;

static const body_kind new_part_body = {"a new part", {"of", "parts", "was", "doc", NULL}};

static const body_kind *body_kind_of(const writing *writing, const part *part, bool is_instance)
{
    static const body_kind of_blueprint = {"a blueprint of the schema, whose values alone can change", {NULL}};
    static const body_kind instance = {"an instance", {"as", "was", NULL}};
    static const body_kind part_of_instance = {"a part", {NULL}};
    static const body_kind prefab = {"a prefab",
                                     {"extends", "doc", "context", "knobs", "parts", "without", "was", NULL}};
    static const body_kind part_of_prefab = {"a part", {"parts", NULL}};
    bool is_first = part->parent == NULL;
    if (!is_instance)
        return is_first ? &prefab : &part_of_prefab;
    if (writing->level == NULL)
        return &of_blueprint;
    return is_first ? &instance : &part_of_instance;
}

static bool is_key_here(const char *key, const char *const *keys)
{
    while (*keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

static void read_keys(writing *writing, const tree_node *node, part *part, bool is_instance, const body_kind *kind)
{
    compiler *compiler = writing->compiler;
    assert(strcmp(writing->part, part->path) == 0);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        const char *key = pair->key->text;
        if (is_asked(compiler, pair->key))
            offer_body(writing, node, part, is_instance, kind->keys);
        if (is_reserved_key(key)) {
            if (!is_key_here(key, kind->keys))
                report_key(compiler, pair->key, kind->where);
        } else if (name_is_pascal_case(key)) {
            read_component(writing, pair, part, is_instance);
        } else if (name_is_snake_case(key)) {
            read_child(writing, pair, part, is_instance);
        } else {
            diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, pair->key->span,
                             "'%s' is neither a component, a part nor a knob", key);
            diagnostic_hint(compiler->diagnostics, "components are in PascalCase, parts and knobs in snake_case");
        }
    }
}

// Recursive, as parts are nested.
void read_body(writing *writing, const tree_node *node, part *part, bool is_instance)
{
    read_keys(writing, node, part, is_instance, body_kind_of(writing, part, is_instance));
    if (!is_instance)
        read_new_values(writing, node, part);
}

// ---- new parts

// Returns the part that an entry of `parts` below a part has made; NULL if it was refused.
static part *find_made(const writing *writing, const tree_pair *pair, const part *above)
{
    part *found = part_below(writing->compiler, writing->prefab, above, pair->key->text);
    if (found == NULL || found->span.source != pair->key->span.source)
        return NULL;
    if (found->span.start != pair->key->span.start)
        return NULL;
    return found;
}

// Reads what the new parts of a body have. They can name all parts of the prefab, so these are made before.
static void read_new_values(writing *writing, const tree_node *node, part *above)
{
    const tree_node *parts = tree_find(node, "parts");
    if (parts == NULL)
        return;
    for (const tree_pair *pair = parts->pairs; pair != NULL; pair = pair->next) {
        part *made = find_made(writing, pair, above);
        if (made == NULL)
            continue;
        struct writing inner = *writing;
        inner.part = made->path;
        read_keys(&inner, pair->value, made, false, &new_part_body);
        read_new_values(&inner, pair->value, made);
    }
}

static void note_new_part(compiler *compiler, prefab *prefab, part *part)
{
    prefab->new_parts = arena_grow(compiler->arena, prefab->new_parts, prefab->new_count, &prefab->new_capacity,
                                   sizeof *prefab->new_parts);
    prefab->new_parts[prefab->new_count++] = part;
}

static bool check_part_name(writing *writing, const tree_node *key, const part *above)
{
    compiler *compiler = writing->compiler;
    const char *name = key->text;
    const part *known = part_below(compiler, writing->prefab, above, name);
    bool is_taken = is_reserved_key(name) || strcmp(name, "entity") == 0;
    if (!name_is_snake_case(name) || is_taken) {
        diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, key->span, "'%s' cannot be the name of a part", name);
        if (is_taken)
            diagnostic_hint(compiler->diagnostics, "add a word, such as 'my_%s'", name);
        else
            suggest(compiler, name_suggest_snake_case(compiler->arena, name));
        return false;
    }
    if (known != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_PLACED_TWICE, key->span, "'%s' has a part '%s' already",
                         writing->prefab->name, known->path);
        diagnostic_hint(compiler->diagnostics, "to change it, write '%s' outside of 'parts'", name);
        return false;
    }
    if (above->parent == NULL && find_knob(writing->prefab->knobs, name) != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_PLACED_TWICE, key->span, "'%s' is a knob of '%s'", name,
                         writing->prefab->name);
        return false;
    }
    return true;
}

static bool check_part_count(compiler *compiler, const prefab *prefab, const part *above, const struct prefab *of,
                             const tree_node *key)
{
    size_t deepest = 0;
    for (const part *each = of->parts.first; each != NULL; each = each->next)
        deepest = size_max(deepest, depth_of(each));
    if (depth_of(above) + 1 + deepest > CONTENT_DEPTH_LIMIT)
        diagnostic_error(compiler->diagnostics, CODE_CHILDREN, key->span,
                         "the parts of '%s' are more than %d levels deep", prefab->name, CONTENT_DEPTH_LIMIT);
    else if (prefab->parts.count + of->parts.count > CONTENT_PART_LIMIT)
        diagnostic_error(compiler->diagnostics, CODE_CHILDREN, key->span, "'%s' would spawn more than %d entities",
                         prefab->name, CONTENT_PART_LIMIT);
    else
        return true;
    return false;
}

static void make_new_parts(writing *writing, const tree_node *node, part *above);

// Reports a new part without `of`.
static void report_without_of(compiler *compiler, const tree_pair *pair)
{
    for (const tree_pair *each = pair->value->pairs; each != NULL; each = each->next)
        if (is_asked(compiler, each->key))
            offer_words(compiler, new_part_body.keys, pair->value);
    if (tree_find(pair->value, "extends") != NULL) {
        report_key(compiler, tree_find_key(pair->value, "extends"), new_part_body.where);
        return;
    }
    diagnostic_error(compiler->diagnostics, CODE_PART_WITHOUT_OF, pair->key->span, "new part '%s' has no 'of'",
                     pair->key->text);
    diagnostic_hint(compiler->diagnostics, "name the prefab or blueprint that it is of");
}

// Returns the prefab that a new part is of; NULL after a report.
static prefab *find_of(writing *writing, const tree_pair *pair, const part *above)
{
    compiler *compiler = writing->compiler;
    prefab *prefab = writing->prefab;
    const tree_node *of = tree_find(pair->value, "of");
    if (of == NULL) {
        report_without_of(compiler, pair);
        return NULL;
    }
    struct prefab *found = read_used(compiler, prefab, of, true, prefab->depth + 1);
    if (found == NULL) {
        prefab->is_broken = true;
        return NULL;
    }
    if (found->info != prefab->info) {
        diagnostic_error(compiler->diagnostics, CODE_BLUEPRINT_CONTEXT, of->span,
                         "'%s' is in context '%s', and '%s' in '%s'", found->name, found->info->name, prefab->name,
                         prefab->info->name);
        return NULL;
    }
    if (!check_part_count(compiler, prefab, above, found, pair->key))
        return NULL;
    return found;
}

static void make_new_part(writing *writing, const tree_pair *pair, part *above)
{
    compiler *compiler = writing->compiler;
    prefab *prefab = writing->prefab;
    const char *what = arena_format(compiler->arena, "part '%s'", pair->key->text);
    bool has_tree;
    if (!check_part_name(writing, pair->key, above))
        return;
    if (!node_expect_mapping(compiler->diagnostics, pair->value, what))
        return;
    struct prefab *found = find_of(writing, pair, above);
    if (found == NULL)
        return;
    const char *path = path_join(compiler, above->path, pair->key->text);
    part *last = prefab->parts.last;
    const char *owner = path_join(compiler, prefab->first_name, above->first_path);
    const char *was = name_read_was(compiler, pair->value);
    const char *first = name_first(compiler, NAMED_PART, owner, pair->key->text, was);
    copy_parts(compiler, prefab, found, path, path_join(compiler, above->first_path, first), above);
    part *made = (part *)last->next;
    assert(strcmp(made->path, path) == 0 && made->parent == above);
    made->span = pair->key->span;
    made->declared_by = prefab->name;
    made->declared_path = path;
    note_part(compiler, prefab, made, pair->key->span, true);
    kin_component_id tree = tree_of(prefab->info, &has_tree);
    if (has_tree)
        add_id(made, tree);
    made->of = found;
    note_new_part(compiler, prefab, made);
    make_new_parts(writing, pair->value, made);
}

static void make_listed_parts(writing *writing, const tree_node *node, part *above)
{
    compiler *compiler = writing->compiler;
    bool has_tree;
    if (!node_expect_mapping(compiler->diagnostics, node, "'parts'"))
        return;
    tree_of(writing->info, &has_tree);
    if (!has_tree) {
        diagnostic_error(compiler->diagnostics, CODE_NO_TREE, node->span,
                         "'parts' needs exactly one tree in context '%s'", writing->info->name);
        diagnostic_hint(compiler->diagnostics, "give the schema a field with 'tree: true'");
        return;
    }
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        make_new_part(writing, pair, above);
}

// Makes the new parts of a body, and those of the parts that it changes. Recursive, as parts are nested.
static void make_new_parts(writing *writing, const tree_node *node, part *above)
{
    const tree_node *parts = tree_find(node, "parts");
    if (parts != NULL)
        make_listed_parts(writing, parts, above);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        part *below = part_below(writing->compiler, writing->prefab, above, pair->key->text);
        if (part_is_there(below) && pair->value->kind == TREE_MAPPING)
            make_new_parts(writing, pair->value, below);
    }
}

// ---- knobs

static void add_knob(prefab *prefab, prefab_knob *knob)
{
    assert(knob->target_count > 0);
    knob->next = prefab->knobs;
    prefab->knobs = knob;
    if (prefab->last_own_knob == NULL)
        prefab->last_own_knob = knob;
}

static bool are_of_one_type(const place *a, const place *b)
{
    const kin_field_info *x = a->field;
    const kin_field_info *y = b->field;
    if (x == NULL || y == NULL)
        return x == y && a->id == b->id;
    if (x->type != y->type || x->of != y->of)
        return false;
    return x->count == y->count && x->is_list == y->is_list;
}

void content_add_knobs(compiler *compiler, prefab *prefab, const kin_blueprint_info *info)
{
    for (uint32_t i = 0; i < info->knob_count; i++) {
        const kin_knob_info *from = &info->knobs[i];
        prefab_knob *made = arena_allocate(compiler->arena, sizeof *made);
        *made = (prefab_knob){.name = from->name, .owner = prefab->name, .target_count = from->path_count};
        made->targets = arena_allocate(compiler->arena, from->path_count * sizeof *made->targets + 1);
        bool is_known = true;
        for (uint32_t j = 0; j < from->path_count; j++)
            is_known = read_target(compiler, prefab, from->paths[j], &made->targets[j]) && is_known;
        if (is_known)
            add_knob(prefab, made);
    }
    prefab->last_own_knob = NULL; // packs leave them out
}

static void report_target(compiler *compiler, const tree_node *node, const prefab *prefab)
{
    diagnostic_error(compiler->diagnostics, CODE_KNOB, node->span, "'%s' names no field or component of '%s'",
                     node->text, prefab->name);
    diagnostic_hint(compiler->diagnostics, "write a path such as Local.at or head.Gun.interval");
}

// Adds the field or component that an item names.
static bool add_target(compiler *compiler, const prefab *prefab, const tree_node *item, prefab_knob *knob)
{
    target *target = &knob->targets[knob->target_count];
    if (!node_expect_value(compiler->diagnostics, item, "a path such as Local.at"))
        return false;
    note_path(compiler, prefab, item, 0);
    if (is_asked(compiler, item))
        offer_path(compiler, prefab, item);
    if (!read_target(compiler, prefab, item->text, target)) {
        report_target(compiler, item, prefab);
        return false;
    }
    knob->target_count++;
    if (are_of_one_type(knob->targets[0].place, target->place))
        return true;
    diagnostic_error(compiler->diagnostics, CODE_KNOB, item->span, "'%s' and '%s' are not of one type",
                     knob->targets[0].place->name, target->place->name);
    return false;
}

// Reads one path, or a list of paths.
static bool read_targets(compiler *compiler, const prefab *prefab, const tree_node *node, prefab_knob *knob)
{
    if (node->kind != TREE_SEQUENCE) {
        knob->targets = arena_allocate(compiler->arena, sizeof *knob->targets);
        return add_target(compiler, prefab, node, knob);
    }
    if (node->count == 0 || node->count > CONTENT_TARGET_LIMIT) {
        diagnostic_error(compiler->diagnostics, CODE_KNOB, node->span, "a knob sets from 1 to %d fields",
                         CONTENT_TARGET_LIMIT);
        return false;
    }
    knob->targets = arena_allocate(compiler->arena, node->count * sizeof *knob->targets);
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        if (!add_target(compiler, prefab, item, knob))
            return false;
    return knob->target_count > 0;
}

static void read_new_knob(compiler *compiler, prefab *prefab, const tree_pair *pair)
{
    const char *name = pair->key->text;
    const prefab_knob *inherited = find_knob(prefab->knobs, name);
    prefab_knob *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (prefab_knob){.name = name, .owner = prefab->name, .span = pair->key->span};
    if (!name_is_snake_case(name) || is_reserved_key(name)) {
        diagnostic_error(compiler->diagnostics, CODE_KNOB, pair->key->span, "'%s' cannot be the name of a knob", name);
        diagnostic_hint(compiler->diagnostics, "write a name in snake_case that is none of the keys of content");
        return;
    }
    if (part_find(&prefab->parts, name) != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_KNOB, pair->key->span, "'%s' is a part of '%s'", name,
                         prefab->name);
        return;
    }
    if (!read_targets(compiler, prefab, pair->value, made)) {
        prefab->is_broken = true;
        return;
    }
    if (inherited != NULL && !are_of_one_type(inherited->targets[0].place, made->targets[0].place)) {
        diagnostic_error(compiler->diagnostics, CODE_KNOB, pair->key->span,
                         "knob '%s' is of another type than that which '%s' inherits", name, prefab->name);
        diagnostic_hint(compiler->diagnostics, "give it another name");
        return;
    }
    add_knob(prefab, made);
    note_knob(compiler, prefab, made, pair->key->span, true);
}

// Adds the components that a prefab gives itself and its parts, which knobs can name. Recursive, as parts are nested.
// `parts` is a body that has the new parts alone.
static void add_given(compiler *compiler, prefab *prefab, const tree_node *node, part *part)
{
    const tree_node *parts = tree_find(node, "parts");
    if (parts != NULL && parts->kind == TREE_MAPPING)
        add_given(compiler, prefab, parts, part);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        int64_t id = component_find(prefab->info, pair->key->text);
        struct part *below = part_below(compiler, prefab, part, pair->key->text);
        if (id >= 0 && !part_has(part, (kin_component_id)id))
            note_added(compiler, prefab, part, place_of_component(compiler, prefab->context, (kin_component_id)id));
        else if (part_is_there(below) && pair->value->kind == TREE_MAPPING)
            add_given(compiler, prefab, pair->value, below);
    }
}

// Knobs of new parts need the parts, and new parts may use knobs of their prefab: parts come first.
static void read_new_knobs(compiler *compiler, prefab *prefab)
{
    const tree_node *node = tree_find(prefab->node, "knobs");
    if (node == NULL || !node_expect_mapping(compiler->diagnostics, node, "'knobs'"))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        read_new_knob(compiler, prefab, pair);
}

// ---- without

static void drop_part(compiler *compiler, prefab *prefab, part *part)
{
    assert(part->parent != NULL && !part->is_gone);
    for (const struct part *each = part; each != NULL; each = each->next)
        if (path_is_within(each->path, part->path))
            ((struct part *)each)->is_gone = true;
    prefab->gone_parts = arena_grow(compiler->arena, prefab->gone_parts, prefab->gone_part_count,
                                    &prefab->gone_part_capacity, sizeof *prefab->gone_parts);
    prefab->gone_parts[prefab->gone_part_count++] = part->first_path;
}

static void drop_component(compiler *compiler, prefab *prefab, const tree_node *item, const target *target)
{
    if (!check_settable(compiler, prefab->info, item->span, target->place))
        return;
    part *part = part_find(&prefab->parts, target->part);
    component_at *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (component_at){part->first_path, target->place, prefab->gone};
    prefab->gone = made;
    remove_id(part, target->place->id);
}

static void report_nothing_to_drop(compiler *compiler, const prefab *prefab, const tree_node *item)
{
    name_search search = name_search_begin(item->text);
    for (const struct part *each = prefab->parts.first; each != NULL; each = each->next)
        if (each->parent != NULL && !each->is_gone)
            name_search_offer(&search, each->path);
    for (uint32_t i = 0; i < prefab->info->component_count; i++)
        if (part_has(prefab->parts.first, (kin_component_id)i))
            name_search_offer(&search, prefab->info->components[i].name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_PART, item->span, "'%s' has no component or part '%s'",
                     prefab->name, item->text);
    suggest(compiler, search.nearest);
}

static void drop(compiler *compiler, prefab *prefab, const tree_node *item)
{
    target target = {.part = ""};
    if (!node_expect_value(compiler->diagnostics, item, "a component or a part in 'without'"))
        return;
    note_path(compiler, prefab, item, 0);
    if (is_asked(compiler, item))
        offer_path(compiler, prefab, item);
    part *part = part_find(&prefab->parts, item->text);
    if (part_is_there(part) && part->parent != NULL)
        drop_part(compiler, prefab, part);
    else if (read_target(compiler, prefab, item->text, &target) && target.place->field == NULL)
        drop_component(compiler, prefab, item, &target);
    else if (!prefab->is_broken)
        report_nothing_to_drop(compiler, prefab, item);
}

static void read_without(compiler *compiler, prefab *prefab)
{
    const tree_node *node = tree_find(prefab->node, "without");
    if (node == NULL || node->kind == TREE_BROKEN)
        return;
    if (node->kind != TREE_SEQUENCE) {
        diagnostic_error(compiler->diagnostics, CODE_LIST_EXPECTED, node->span,
                         "expected a list for 'without', found %s", node_kind(node));
        if (tree_is_text(node))
            diagnostic_hint(compiler->diagnostics, "write [%s]", node->text);
        return;
    }
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        drop(compiler, prefab, item);
}

// ---- one prefab

static bool take_base(compiler *compiler, prefab *prefab, const tree_node *extends, size_t depth)
{
    struct prefab *base = read_used(compiler, prefab, extends, false, depth);
    if (base == NULL)
        return false;
    prefab->base = base;
    prefab->info = base->info;
    prefab->context = base->context;
    prefab->knobs = base->knobs;
    prefab->depth = base->depth + 1;
    if (prefab->depth > CONTENT_DEPTH_LIMIT) {
        diagnostic_error(compiler->diagnostics, CODE_BLUEPRINTS_TOO_DEEP, extends->span,
                         "prefabs extend each other too deep; at most %d levels are allowed", CONTENT_DEPTH_LIMIT);
        return false;
    }
    copy_parts(compiler, prefab, base, "", "", NULL);
    return true;
}

// Returns the index of the context that a node names; the count of all if there is none.
static size_t find_context(const content_schema *schema, const tree_node *node)
{
    if (node->kind != TREE_SCALAR)
        return schema->count;
    for (size_t i = 0; i < schema->count; i++)
        if (strcmp(schema->contexts[i]->name, node->text) == 0)
            return i;
    return schema->count;
}

static void report_context(compiler *compiler, const tree_node *node)
{
    if (!node_expect_value(compiler->diagnostics, node, "the name of a context"))
        return;
    name_search search = name_search_begin(node->text);
    for (size_t i = 0; i < compiler->schema.count; i++)
        name_search_offer(&search, compiler->schema.contexts[i]->name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_CONTEXT, node->span,
                     "no context with 'content: true' is named '%s'", node->text);
    suggest(compiler, search.nearest);
}

// Finds the context of a prefab without a base. It need not be named if there is one only.
static bool take_context(compiler *compiler, prefab *prefab)
{
    const tree_node *node = tree_find(prefab->node, "context");
    const content_schema *schema = &compiler->schema;
    size_t found = 0;
    if (node == NULL && schema->count > 1) {
        diagnostic_error(compiler->diagnostics, CODE_NO_DEFAULT_CONTEXT, prefab->key->span,
                         "prefab '%s' has no 'context'", prefab->name);
        diagnostic_hint(compiler->diagnostics, "add 'extends' or 'context'");
        return false;
    }
    if (node != NULL) {
        if (node->kind == TREE_SCALAR)
            note_name(compiler, (content_name){.kind = CONTENT_CONTEXT, .name = node->text, .place = node->span});
        found = find_context(schema, node);
    }
    if (found == schema->count) {
        report_context(compiler, node);
        return false;
    }
    prefab->info = schema->contexts[found];
    prefab->context = found;
    part_add(compiler, prefab, "", NULL);
    return true;
}

static bool read_structure(compiler *compiler, prefab *prefab, size_t depth)
{
    const tree_node *extends = tree_find(prefab->node, "extends");
    const tree_node *context = tree_find_key(prefab->node, "context");
    const tree_node *doc = tree_find(prefab->node, "doc");
    if (doc != NULL && node_expect_value(compiler->diagnostics, doc, "a text for 'doc'"))
        prefab->doc = doc->text;
    if (extends == NULL)
        return take_context(compiler, prefab);
    if (context != NULL)
        report_key(compiler, context, "a prefab that extends another");
    return take_base(compiler, prefab, extends, depth);
}

// Recursive along `extends` and `of`, which are limited.
static void read_prefab(compiler *compiler, prefab *prefab, size_t depth)
{
    if (prefab->state != ENTRY_UNSEEN)
        return;
    if (depth > 4 * CONTENT_DEPTH_LIMIT) {
        diagnostic_error(compiler->diagnostics, CODE_BLUEPRINTS_TOO_DEEP, prefab->key->span,
                         "prefabs use each other too deep; at most %d levels are allowed", CONTENT_DEPTH_LIMIT);
        prefab->is_broken = true;
        prefab->state = ENTRY_DONE;
        return;
    }
    assert(!prefab->is_blueprint && prefab->node != NULL && prefab->parts.count == 0);
    prefab->state = ENTRY_ENTERED;
    const char *what = arena_format(compiler->arena, "prefab '%s'", prefab->name);
    prefab->is_broken =
        !node_expect_mapping(compiler->diagnostics, prefab->node, what) || !read_structure(compiler, prefab, depth);
    if (!prefab->is_broken) {
        writing writing = {.compiler = compiler,
                           .prefab = prefab,
                           .writes = &prefab->writes,
                           .part = "",
                           .info = prefab->info,
                           .context = prefab->context};
        read_without(compiler, prefab);
        make_new_parts(&writing, prefab->node, prefab->parts.first);
        add_given(compiler, prefab, prefab->node, prefab->parts.first);
        read_new_knobs(compiler, prefab);
        read_body(&writing, prefab->node, prefab->parts.first, false);
        sort_writes(compiler, &prefab->writes);
        assert(prefab->parts.count <= CONTENT_PART_LIMIT && prefab->depth <= CONTENT_DEPTH_LIMIT);
        append_prefab(compiler, prefab);
    }
    prefab->state = ENTRY_DONE;
}

// ---- all

static void declare(compiler *compiler, const tree_pair *pair)
{
    const char *name = pair->key->text;
    prefab *made = new_prefab(compiler, name, NULL, 0);
    made->key = pair->key;
    made->node = pair->value;
    made->first_name = name_first(compiler, NAMED_PREFAB, "", name, name_read_was(compiler, pair->value));
    if (!name_is_pascal_case(name)) {
        diagnostic_error(compiler->diagnostics, CODE_NAME_CASE, pair->key->span,
                         "'%s' is not a valid name of a prefab; names of prefabs are in PascalCase", name);
        suggest(compiler, name_suggest_pascal_case(compiler->arena, name));
    }
    if (find_blueprint(compiler, name) != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_DUPLICATE_NAME, pair->key->span,
                         "prefab '%s' has the name of a blueprint of the schema", name);
        diagnostic_hint(compiler->diagnostics,
                        "give it another name, or set values of the blueprint below 'blueprints'");
        return;
    }
    const prefab *earlier = dictionary_add(&compiler->prefab_names, name, made);
    if (earlier == NULL) {
        made->next_declared = compiler->declared;
        compiler->declared = made;
        note_prefab(compiler, made, pair->key->span, true);
        return;
    }
    diagnostic_error(compiler->diagnostics, CODE_DUPLICATE_NAME, pair->key->span, "prefab '%s' is declared twice",
                     name);
    diagnostic_note(compiler->diagnostics, earlier->key->span, "first declared here");
}

const tree_pair *file_entries(compiler *compiler, const file *file, const char *key)
{
    const tree_node *node = tree_find(file->root, key);
    if (node == NULL || !node_expect_mapping(compiler->diagnostics, node, arena_format(compiler->arena, "'%s'", key)))
        return NULL;
    return node->pairs;
}

void declare_prefabs(compiler *compiler)
{
    for (const file *file = compiler->files; file != NULL; file = file->next)
        for (const tree_pair *pair = file_entries(compiler, file, "prefabs"); pair != NULL; pair = pair->next)
            declare(compiler, pair);
}

static void report_blueprint(compiler *compiler, const tree_node *key)
{
    if (compiler->is_incomplete)
        return;
    name_search search = name_search_begin(key->text);
    offer_blueprint_names(compiler, &search);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_BLUEPRINT, key->span, "the schema has no blueprint '%s'",
                     key->text);
    suggest(compiler, search.nearest);
}

// Values of a compiled blueprint.
static void read_blueprint(compiler *compiler, const tree_pair *pair)
{
    if (is_asked(compiler, pair->key))
        offer_blueprints(compiler, NULL, true);
    prefab *found = find_blueprint(compiler, pair->key->text);
    if (found == NULL) {
        report_blueprint(compiler, pair->key);
        return;
    }
    if (found->node != NULL) {
        diagnostic_error(compiler->diagnostics, CODE_DUPLICATE_NAME, pair->key->span,
                         "the values of blueprint '%s' are given twice", found->name);
        diagnostic_note(compiler->diagnostics, found->key->span, "first given here");
        return;
    }
    found->key = pair->key;
    found->node = pair->value;
    look_up(compiler, pair->key); // so that the pack has it
    if (!node_expect_mapping(compiler->diagnostics, pair->value,
                             arena_format(compiler->arena, "blueprint '%s'", found->name)))
        return;
    writing writing = {.compiler = compiler,
                       .prefab = found,
                       .writes = &found->writes,
                       .part = "",
                       .info = found->info,
                       .context = found->context};
    read_body(&writing, pair->value, found->parts.first, true);
    sort_writes(compiler, &found->writes);
}

void read_prefabs(compiler *compiler)
{
    for (const file *file = compiler->files; file != NULL; file = file->next) {
        for (const tree_pair *pair = file_entries(compiler, file, "blueprints"); pair != NULL; pair = pair->next)
            read_blueprint(compiler, pair);
        const tree_node *node = tree_find(file->root, "prefabs");
        if (node == NULL || node->kind != TREE_MAPPING)
            continue;
        for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
            prefab *found = (prefab *)dictionary_find(&compiler->prefab_names, pair->key->text);
            if (found != NULL)
                read_prefab(compiler, found, 0);
        }
    }
}
