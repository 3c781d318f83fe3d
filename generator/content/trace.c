// What editors ask: the names in files, and what can be written at a place. Content is read as ever; where a name is
// read it is noted, and at the place of the question what could be there is offered.
#include "generator/content/internal.h"

#include <assert.h>
#include <string.h>

// ---- names

// Whether the question is about a place.
static bool is_here(const content_editor *editor, span place)
{
    if (place.source == NULL || editor->path == NULL)
        return false;
    bool has_offset = place.start <= editor->offset && editor->offset <= place.end;
    return has_offset && strcmp(place.source->path, editor->path) == 0;
}

bool is_asked(const compiler *compiler, const tree_node *node)
{
    const content_editor *editor = compiler->editor;
    return editor != NULL && editor->offer != NULL && is_here(editor, node->span);
}

static void note(compiler *compiler, content_name name)
{
    content_editor *editor = compiler->editor;
    assert(name.name != NULL);
    if (name.place.source == NULL || editor->note == NULL)
        return;
    editor->note(editor, &name);
    if (is_here(editor, name.place))
        editor->found = name;
}

void note_name(compiler *compiler, content_name name)
{
    if (compiler->editor != NULL)
        note(compiler, name);
}

// Returns what a part is in: a prefab, or the path of another part of it.
static const char *owner_of(compiler *compiler, const char *prefab, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL)
        return prefab;
    return arena_format(compiler->arena, "%s.%.*s", prefab, (int)(dot - path), path);
}

void note_part(compiler *compiler, const prefab *prefab, const part *part, span place, bool is_definition)
{
    content_name name = {.kind = CONTENT_PART, .place = place, .is_definition = is_definition};
    if (compiler->editor == NULL || part->declared_path == NULL)
        return;
    name.owner = owner_of(compiler, part->declared_by, part->declared_path);
    name.name = path_last(part->declared_path);
    name.prefab = prefab;
    name.part = part;
    note(compiler, name);
}

void note_knob(compiler *compiler, const prefab *prefab, const prefab_knob *knob, span place, bool is_definition)
{
    note_name(compiler, (content_name){.kind = CONTENT_KNOB,
                                       .owner = knob->owner,
                                       .name = knob->name,
                                       .place = place,
                                       .is_definition = is_definition,
                                       .prefab = prefab,
                                       .knob = knob});
}

void note_prefab(compiler *compiler, const prefab *prefab, span place, bool is_definition)
{
    note_name(compiler, (content_name){.kind = prefab->is_blueprint ? CONTENT_BLUEPRINT : CONTENT_PREFAB,
                                       .name = prefab->name,
                                       .place = place,
                                       .is_definition = is_definition,
                                       .prefab = prefab});
}

// Names the fields of a component, or those of a type.
static content_name field_of(const place *above, const char *field)
{
    if (above->field == NULL)
        return (content_name){.kind = CONTENT_FIELD, .owner = above->name, .name = field};
    assert(above->field->type == KIN_TYPE_STRUCT);
    return (content_name){.kind = CONTENT_MEMBER, .owner = above->field->of->name, .name = field};
}

void note_field(compiler *compiler, const place *above, const char *field, span place)
{
    content_name name = field_of(above, field);
    name.place = place;
    note_name(compiler, name);
}

// ---- paths: "head.Gun.interval", of a prefab

// What a path names so far.
typedef struct path_walk {
    compiler *compiler;
    const prefab *prefab;
    const part *part;
    struct place *place; // NULL: a part
} path_walk;

// Follows one name. Returns whether it names something; notes it at its place.
static bool step(path_walk *walk, const char *name, span place)
{
    assert(walk->place != NULL || walk->part != NULL);
    compiler *compiler = walk->compiler;
    if (walk->place != NULL) {
        struct place *found = place_find(compiler, walk->place, name);
        if (found != NULL)
            note_field(compiler, walk->place, name, place);
        walk->place = found;
        return found != NULL;
    }
    if (byte_is_upper(name[0])) {
        int64_t id = component_find(walk->prefab->info, name);
        if (id < 0)
            return false;
        note_name(compiler, (content_name){.kind = CONTENT_COMPONENT, .name = name, .place = place});
        walk->place = place_of_component(compiler, walk->prefab->context, (kin_component_id)id);
        return true;
    }
    walk->part = part_find(&walk->prefab->parts, path_join(compiler, walk->part->path, name));
    if (walk->part != NULL)
        note_part(compiler, walk->prefab, walk->part, place, false);
    return walk->part != NULL;
}

// Follows the names of a scalar from an offset up to another one. Returns whether all name something.
static bool walk_path(path_walk *walk, const tree_node *node, size_t at, size_t end)
{
    assert(end <= node->size);
    while (at < end) {
        size_t size = strcspn(node->text + at, ".");
        if (at + size > end)
            size = end - at;
        const char *name = arena_copy(walk->compiler->arena, node->text + at, size);
        if (size == 0 || !step(walk, name, tree_part(node, at, size)))
            return false;
        at += size + 1;
    }
    return true;
}

void note_path(compiler *compiler, const prefab *prefab, const tree_node *node, size_t offset)
{
    path_walk walk = {compiler, prefab, prefab->parts.first, NULL};
    if (compiler->editor == NULL || node->kind != TREE_SCALAR)
        return;
    if (prefab->parts.first != NULL)
        walk_path(&walk, node, offset, node->size);
}

// Recursive along levels in levels, which are limited.
static void note_instance_path(compiler *compiler, const level *level, const tree_node *node, size_t at)
{
    size_t size = strcspn(node->text + at, ".");
    const instance *found = dictionary_find(&level->names, arena_copy(compiler->arena, node->text + at, size));
    if (found == NULL)
        return;
    note_name(compiler, (content_name){.kind = CONTENT_INSTANCE,
                                       .owner = level->name,
                                       .name = found->name,
                                       .place = tree_part(node, at, size),
                                       .prefab = found->prefab});
    at += size;
    if (node->text[at] != '.')
        return;
    if (found->level != NULL)
        note_instance_path(compiler, found->level, node, at + 1);
    else if (found->prefab != NULL)
        note_path(compiler, found->prefab, node, at + 1);
}

void note_reference(compiler *compiler, const prefab *prefab, const level *level, const tree_node *node)
{
    if (compiler->editor == NULL)
        return;
    if (node->text[0] == '.')
        note_path(compiler, prefab, node, 1);
    else if (level != NULL)
        note_instance_path(compiler, level, node, 0);
}

// ---- offers

static void offer(compiler *compiler, content_kind kind, const char *owner, const char *name, const char *doc,
                  bool is_key)
{
    const content_name offered = {.kind = kind, .owner = owner, .name = name, .doc = doc, .is_key = is_key};
    assert(compiler->editor != NULL && compiler->editor->offer != NULL); // is_asked
    compiler->editor->offer(compiler->editor, &offered);
}

// Whether a mapping, which may be NULL, lacks a key.
static bool lacks(const tree_node *mapping, const char *key)
{
    return mapping == NULL || tree_find_key(mapping, key) == NULL;
}

void offer_words(compiler *compiler, const char *const *words, const tree_node *mapping)
{
    for (; *words != NULL; words++)
        if (lacks(mapping, *words))
            offer(compiler, CONTENT_WORD, NULL, *words, NULL, true);
}

void offer_prefabs(compiler *compiler, const kin_context_info *info, bool is_key)
{
    for (const prefab *each = compiler->declared; each != NULL; each = each->next_declared) {
        bool is_known = info != NULL && each->info != NULL;
        if (!is_known || each->info == info)
            offer(compiler, CONTENT_PREFAB, NULL, each->name, each->doc, is_key);
    }
    offer_blueprints(compiler, info, is_key);
}

void offer_blueprints(compiler *compiler, const kin_context_info *info, bool is_key)
{
    for (size_t i = 0; i < compiler->schema.count; i++) {
        const kin_context_info *context = compiler->schema.contexts[i];
        if (info != NULL && info != context)
            continue;
        for (uint32_t j = 0; j < context->blueprint_count; j++)
            offer(compiler, CONTENT_BLUEPRINT, NULL, context->blueprints[j].name, context->blueprints[j].doc, is_key);
    }
}

void offer_levels(compiler *compiler, const level *but)
{
    for (const level *each = compiler->levels; each != NULL; each = each->next)
        if (each != but)
            offer(compiler, CONTENT_LEVEL, NULL, each->name, NULL, true);
}

// Whether content may set a component.
static bool is_open(const kin_context_info *info, kin_component_id id)
{
    const kin_component_info *component = &info->components[id];
    if (component->is_not_content || component_is_of_content(component))
        return false;
    return !component_has_tree(info, id);
}

void offer_components(compiler *compiler, const kin_context_info *info, const part *having, bool is_unique,
                      const tree_node *mapping)
{
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin_component_info *component = &info->components[id];
        if (!is_open(info, (kin_component_id)id))
            continue;
        if (is_unique && !component->is_unique)
            continue;
        if (having != NULL && !part_has(having, (kin_component_id)id))
            continue;
        if (lacks(mapping, component->name))
            offer(compiler, CONTENT_COMPONENT, NULL, component->name, component->doc, mapping != NULL);
    }
}

static void offer_parts(compiler *compiler, const prefab *prefab, const part *above, const char *before,
                        const tree_node *mapping)
{
    for (const part *each = prefab->parts.first; each != NULL; each = each->next) {
        const char *name = path_last(each->path);
        if (each->parent != above || each->is_gone)
            continue;
        if (lacks(mapping, name))
            offer(compiler, CONTENT_PART, prefab->name, arena_format(compiler->arena, "%s%s", before, name), NULL,
                  mapping != NULL);
    }
}

void offer_body(const writing *writing, const tree_node *mapping, const part *part, bool is_instance,
                const char *const *words)
{
    compiler *compiler = writing->compiler;
    for (const prefab_knob *each = knobs_of(writing->prefab, part); each != NULL; each = each->next)
        if (lacks(mapping, each->name))
            offer(compiler, CONTENT_KNOB, each->owner, each->name, NULL, true);
    offer_parts(compiler, writing->prefab, part, "", mapping);
    offer_components(compiler, writing->info, is_instance ? part : NULL, false, mapping);
    offer_words(compiler, words, mapping);
}

void offer_fields(compiler *compiler, const place *above, const tree_node *mapping)
{
    for (uint32_t i = 0; i < above->field_count; i++) {
        const kin_field_info *field = &above->fields[i];
        const content_name name = field_of(above, field->name);
        if (field->is_not_content || field->type == KIN_TYPE_OPAQUE)
            continue;
        if (lacks(mapping, field->name))
            offer(compiler, name.kind, name.owner, field->name, field->doc, true);
    }
}

// Returns the offset in the scalar of the name that the question is in: after the last point before it.
static size_t word_start(const compiler *compiler, const tree_node *node)
{
    assert(is_asked(compiler, node));
    size_t at = size_min(compiler->editor->offset - node->span.start, node->size);
    while (at > 0 && node->text[at - 1] != '.')
        at--;
    return at;
}

static void offer_from(compiler *compiler, const prefab *prefab, const tree_node *node, size_t begin, bool has_fields)
{
    path_walk walk = {compiler, prefab, prefab->parts.first, NULL};
    size_t end = word_start(compiler, node);
    if (prefab->parts.first == NULL)
        return;
    if (end > begin && !walk_path(&walk, node, begin, end - 1))
        return;
    if (walk.place != NULL) {
        offer_fields(compiler, walk.place, NULL);
        return;
    }
    offer_parts(compiler, prefab, walk.part, "", NULL);
    if (has_fields)
        offer_components(compiler, prefab->info, walk.part, false, NULL);
}

void offer_path(compiler *compiler, const prefab *prefab, const tree_node *node)
{
    offer_from(compiler, prefab, node, 0, true);
}

// Recursive along levels in levels, which are limited.
static void offer_instances_at(compiler *compiler, const level *level, const tree_node *node, size_t at)
{
    size_t size = strcspn(node->text + at, ".");
    if (at >= word_start(compiler, node)) {
        for (const instance *each = level->first; each != NULL; each = each->next)
            if (each->name != NULL)
                offer(compiler, CONTENT_INSTANCE, level->name, each->name, NULL, false);
        return;
    }
    const instance *found = dictionary_find(&level->names, arena_copy(compiler->arena, node->text + at, size));
    if (found != NULL && found->level != NULL)
        offer_instances_at(compiler, found->level, node, at + size + 1);
    else if (found != NULL && found->prefab != NULL)
        offer_from(compiler, found->prefab, node, at + size + 1, false);
}

static void offer_references(const writing *writing, const tree_node *node)
{
    compiler *compiler = writing->compiler;
    if (node->text[0] == '.') {
        if (writing->prefab != NULL)
            offer_from(compiler, writing->prefab, node, 1, false);
        return;
    }
    if (writing->level != NULL)
        offer_instances_at(compiler, writing->level, node, 0);
    if (writing->prefab != NULL && word_start(compiler, node) == 0)
        offer_parts(compiler, writing->prefab, writing->prefab->parts.first, ".", NULL);
}

void offer_scalar(const writing *writing, const tree_node *node, const place *place)
{
    compiler *compiler = writing->compiler;
    kin_type type = place->field->type;
    if (!is_asked(compiler, node))
        return;
    if (type == KIN_TYPE_BOOL) {
        offer(compiler, CONTENT_WORD, NULL, "true", NULL, false);
        offer(compiler, CONTENT_WORD, NULL, "false", NULL, false);
    } else if (type == KIN_TYPE_ENUM) {
        for (uint32_t i = 0; i < place->field->of->value_count; i++)
            offer(compiler, CONTENT_VALUE, place->field->of->name, place->field->of->values[i].name, NULL, false);
    } else if (type == KIN_TYPE_ENTITY) {
        offer_references(writing, node);
    } else {
        offer(compiler, CONTENT_DEFAULT, NULL, place->name, NULL, false);
    }
}

// ---- descriptions

static void append_components(text *out, const kin_context_info *info, const part *part)
{
    size_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++) {
        if (!part_has(part, (kin_component_id)id) || strcmp(info->components[id].name, "Origin") == 0)
            continue;
        text_separate(out, count++, ", ");
        text_append_format(out, "`%s`", info->components[id].name);
    }
    text_append_string(out, text_if(count == 0, "no components"));
    text_append_string(out, "\n");
}

static void append_paths(text *out, const prefab_knob *knob)
{
    for (size_t i = 0; i < knob->target_count; i++) {
        const target *target = &knob->targets[i];
        const char *dot = text_if(target->part[0] != '\0', ".");
        text_separate(out, i, ", ");
        text_append_format(out, "`%s%s%s`", target->part, dot, target->place->name);
    }
}

static void append_prefab(text *out, const prefab *prefab)
{
    if (prefab->base != NULL)
        text_append_format(out, "\nExtends `%s`.\n", prefab->base->name);
    if (prefab->info == NULL || prefab->parts.first == NULL)
        return;
    text_append_format(out, "\nIn `%s`: ", prefab->info->name);
    append_components(out, prefab->info, prefab->parts.first);
    bool has_parts = false;
    for (const part *each = prefab->parts.first->next; each != NULL; each = each->next) {
        if (each->is_gone)
            continue;
        text_append_string(out, text_if(!has_parts, "\n| part | components |\n|---|---|\n"));
        has_parts = true;
        text_append_format(out, "| `%s` | ", each->path);
        append_components(out, prefab->info, each);
    }
    if (prefab->knobs != NULL)
        text_append_string(out, "\n| knob | sets |\n|---|---|\n");
    for (const prefab_knob *each = prefab->knobs; each != NULL; each = each->next) {
        text_append_format(out, "| `%s` | ", each->name);
        append_paths(out, each);
        text_append_string(out, " |\n");
    }
}

void content_describe(text *out, const content_name *name)
{
    const prefab *prefab = name->prefab;
    switch (name->kind) {
    case CONTENT_PREFAB:
    case CONTENT_BLUEPRINT:
        append_prefab(out, prefab);
        break;
    case CONTENT_PART:
        text_append_format(out, "\nPart `%s` of `%s`", name->part->path, prefab->name);
        if (name->part->of != NULL)
            text_append_format(out, ", of `%s`", name->part->of->name);
        text_append_string(out, ": ");
        append_components(out, prefab->info, name->part);
        break;
    case CONTENT_KNOB:
        text_append_string(out, "\nSets ");
        append_paths(out, name->knob);
        text_append_string(out, ".\n");
        break;
    case CONTENT_INSTANCE:
        if (prefab != NULL)
            text_append_format(out, "\nAn instance of `%s`.\n", prefab->name);
        break;
    default:
        break;
    }
}
