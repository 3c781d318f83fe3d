// Makes a pack of what was read. Its tables are sorted by names, so that neither files nor the order in them show.
#include "generator/content/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct emitting {
    compiler *compiler;
    kin__pack *pack;
    dictionary keys_by_text; // to indices + 1
    kin__pack_keys *keys;
    size_t keys_count, keys_capacity;
    text key_text;
} emitting;

// ---- SHAP

static const char *component_name(const kin_component_info *info)
{
    return identity_of(info->identity, info->name);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_leaves(const void *a, const void *b)
{
    return strcmp((*(leaf *const *)a)->path, (*(leaf *const *)b)->path);
}

static void make_leaf(compiler *compiler, const leaf *from, kin__pack_leaf *to)
{
    const kin_field_info *field = from->field;
    *to =
        (kin__pack_leaf){.path = from->path, .type = field->type, .is_list = from->is_list, .elements = from->elements};
    const char **names = NULL;
    if (field->type == KIN_TYPE_ENUM) {
        names = arena_allocate(compiler->arena, (field->of->value_count + 1) * sizeof *names);
        for (uint32_t i = 0; i < field->of->value_count; i++) {
            const kin_enum_value_info *value = &field->of->values[i];
            names[i] = identity_of(value->identity, value->name);
        }
        to->name_count = field->of->value_count;
    } else if (field->type == KIN_TYPE_ENTITY && field->target != NULL) {
        names = arena_allocate(compiler->arena, sizeof *names);
        names[0] = field->target;
        to->name_count = 1;
    }
    to->names = names;
}

static void make_leaves(compiler *compiler, place *component, kin__pack_component *to)
{
    size_t count = 0;
    for (const leaf *each = component->first; each != NULL; each = each->next)
        count++;
    leaf **sorted = arena_allocate(compiler->arena, (count + 1) * sizeof *sorted);
    kin__pack_leaf *leaves = arena_allocate(compiler->arena, (count + 1) * sizeof *leaves);
    count = 0;
    for (leaf *each = component->first; each != NULL; each = each->next)
        sorted[count++] = each;
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_leaves);
    for (size_t i = 0; i < count; i++) {
        assert(i == 0 || strcmp(sorted[i - 1]->path, sorted[i]->path) < 0);
        sorted[i]->index = (uint32_t)i;
        make_leaf(compiler, sorted[i], &leaves[i]);
    }
    to->leaves = leaves;
    to->leaf_count = (uint32_t)count;
}

// The components of a context in the order of their identities. Those that no file names are in no pack.
static int compare_components(const void *a, const void *b)
{
    const kin_component_info *left = *(const kin_component_info *const *)a;
    const kin_component_info *right = *(const kin_component_info *const *)b;
    return strcmp(component_name(left), component_name(right));
}

static void make_context(emitting *emitting, size_t context, kin__pack_context *to)
{
    compiler *compiler = emitting->compiler;
    const kin_context_info *info = compiler->schema.contexts[context];
    const kin_component_info **used = arena_allocate(compiler->arena, (info->component_count + 1) * sizeof *used);
    kin__pack_component *components = arena_allocate(compiler->arena, (info->component_count + 1) * sizeof *components);
    size_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (compiler->places[context][id] != NULL)
            used[count++] = &info->components[id];
    if (count > 1)
        qsort(used, count, sizeof *used, compare_components);
    for (size_t i = 0; i < count; i++) {
        place *place = compiler->places[context][used[i] - info->components];
        place->pack_index = (uint32_t)i;
        components[i].name = component_name(used[i]);
        make_leaves(compiler, place, &components[i]);
    }
    *to = (kin__pack_context){identity_of(info->identity, info->name), components, (uint32_t)count};
}

// ---- keys and values

static int compare_keys(const void *a, const void *b)
{
    const write *left = *(const write *const *)a;
    const write *right = *(const write *const *)b;
    int order = strcmp(left->part, right->part);
    if (order == 0)
        order = compare_numbers(left->leaf->component->pack_index, right->leaf->component->pack_index);
    if (order == 0)
        order = compare_numbers(left->leaf->index, right->leaf->index);
    return order;
}

// Appends a text that only equal keys have.
static void append_key(text *out, const write *write)
{
    char numbers[] = ":........:........ ";
    for (int digit = 0; digit < 8; digit++) {
        numbers[1 + digit] = "0123456789abcdef"[write->leaf->component->pack_index >> 4 * digit & 15];
        numbers[10 + digit] = "0123456789abcdef"[write->leaf->index >> 4 * digit & 15];
    }
    if (write->is_append)
        numbers[18] = '+';
    text_append(out, "|", 1);
    text_append_string(out, write->part);
    text_append(out, numbers, sizeof numbers - 1);
}

// Returns the index of the keys of some writes, which are in order.
static uint32_t keys_of(emitting *emitting, size_t context, write *const *writes, size_t count)
{
    arena *arena = emitting->compiler->arena;
    text *name = &emitting->key_text;
    text_clear(name);
    text_append_format(name, "%zu", context);
    for (size_t i = 0; i < count; i++) {
        assert(i == 0 || compare_keys(&writes[i - 1], &writes[i]) < 0);
        append_key(name, writes[i]);
    }
    const uint32_t *known = dictionary_find(&emitting->keys_by_text, name->bytes);
    if (known != NULL)
        return *known;
    uint32_t *number = arena_allocate(arena, sizeof *number);
    *number = (uint32_t)emitting->keys_count;
    dictionary_add(&emitting->keys_by_text, arena_copy(arena, name->bytes, name->size), number);
    emitting->keys =
        arena_grow(arena, emitting->keys, emitting->keys_count, &emitting->keys_capacity, sizeof *emitting->keys);
    kin__pack_key *keys = arena_allocate(arena, count * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = (kin__pack_key){writes[i]->part, writes[i]->leaf->component->pack_index, writes[i]->leaf->index,
                                  writes[i]->is_append};
    emitting->keys[emitting->keys_count++] = (kin__pack_keys){(uint32_t)context, keys, (uint32_t)count};
    return *number;
}

// Gives writes the paths of parts that packs have.
static void use_first_paths(const prefab *prefab, const write_list *list)
{
    if (prefab == NULL || !prefab->is_renamed)
        return;
    for (write *each = list->first; each != NULL; each = each->next)
        each->part = part_find(&prefab->parts, each->part)->first_path;
}

// `prefab`: whose parts the writes name, or NULL.
static kin__pack_writes make_writes(emitting *emitting, size_t context, const prefab *prefab, const write_list *list)
{
    enum { SMALL = 16 };
    arena *arena = emitting->compiler->arena;
    write *few[SMALL];
    write **sorted = few;
    size_t count = 0;
    size_t size = 0;
    if (list->count == 0)
        return (kin__pack_writes){.keys = KIN__PACK_NONE};
    use_first_paths(prefab, list);
    if (list->count > SMALL)
        sorted = arena_allocate(arena, list->count * sizeof *sorted);
    for (write *each = list->first; each != NULL; each = each->next) {
        size += each->size;
        sorted[count++] = each;
    }
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_keys);
    unsigned char *values = arena_allocate(arena, size + 1);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (sorted[i]->size > 0)
            memcpy(values + at, sorted[i]->bytes, sorted[i]->size);
        at += sorted[i]->size;
    }
    assert(at == size && count == list->count);
    return (kin__pack_writes){keys_of(emitting, context, sorted, count), values, (uint32_t)size};
}

// ---- prefabs

// A prefab is listed after its base and the prefabs of its parts: then its rank is above theirs.
static void set_rank(prefab *prefab)
{
    assert(prefab->state == ENTRY_DONE && !prefab->is_broken);
    prefab->rank = 0;
    if (prefab->base != NULL)
        prefab->rank = prefab->base->rank + 1;
    for (size_t i = 0; i < prefab->new_count; i++)
        if (prefab->new_parts[i]->of->rank >= prefab->rank)
            prefab->rank = prefab->new_parts[i]->of->rank + 1;
}

static int compare_prefabs(const void *a, const void *b)
{
    const prefab *left = *(const prefab *const *)a;
    const prefab *right = *(const prefab *const *)b;
    int order = compare_numbers(left->rank, right->rank);
    if (order == 0)
        order = strcmp(left->first_name, right->first_name);
    return order;
}

static int compare_components_at(const void *a, const void *b)
{
    const kin__pack_component_at *left = a;
    const kin__pack_component_at *right = b;
    int order = strcmp(left->part, right->part);
    if (order == 0)
        order = compare_numbers(left->component, right->component);
    return order;
}

static const kin__pack_component_at *make_components_at(compiler *compiler, const component_at *list, uint32_t *count)
{
    *count = 0;
    for (const component_at *each = list; each != NULL; each = each->next)
        ++*count;
    kin__pack_component_at *made = arena_allocate(compiler->arena, (*count + 1) * sizeof *made);
    uint32_t number = 0;
    for (const component_at *each = list; each != NULL; each = each->next)
        made[number++] = (kin__pack_component_at){each->part, each->place->pack_index};
    if (number > 1)
        qsort(made, number, sizeof *made, compare_components_at);
    return made;
}

static int compare_knobs(const void *a, const void *b)
{
    return strcmp(((const kin__pack_knob *)a)->name, ((const kin__pack_knob *)b)->name);
}

static void make_knobs(compiler *compiler, const prefab *prefab, kin__pack_prefab *to)
{
    const prefab_knob *end = inherited_knobs(prefab);
    uint32_t count = 0;
    for (const prefab_knob *each = prefab->knobs; each != end; each = each->next)
        count++;
    kin__pack_knob *knobs = arena_allocate(compiler->arena, (count + 1) * sizeof *knobs);
    uint32_t number = 0;
    for (const prefab_knob *each = prefab->knobs; each != end; each = each->next) {
        kin__pack_target *targets = arena_allocate(compiler->arena, (each->target_count + 1) * sizeof *targets);
        for (size_t i = 0; i < each->target_count; i++) {
            const place *place = each->targets[i].place;
            const struct place *component = compiler->places[prefab->context][place->id];
            const part *part = part_find(&prefab->parts, each->targets[i].part);
            assert(part != NULL && component->pack_index < compiler->schema.contexts[prefab->context]->component_count);
            targets[i] = (kin__pack_target){part->first_path, component->pack_index, place->path};
        }
        knobs[number++] = (kin__pack_knob){each->name, targets, (uint32_t)each->target_count};
    }
    if (count > 1)
        qsort(knobs, count, sizeof *knobs, compare_knobs);
    to->knobs = knobs;
    to->knob_count = count;
}

static void make_prefab(emitting *emitting, const prefab *prefab, kin__pack_prefab *to)
{
    compiler *compiler = emitting->compiler;
    *to = (kin__pack_prefab){.name = prefab->first_name,
                             .doc = "",
                             .context = (uint32_t)prefab->context,
                             .kind = KIN__PACK_BLUEPRINT,
                             .base = KIN__PACK_NONE,
                             .gone_parts = prefab->gone_parts,
                             .gone_part_count = (uint32_t)prefab->gone_part_count};
    if (!prefab->is_blueprint) {
        to->doc = prefab->doc;
        to->kind = KIN__PACK_PREFAB;
        make_knobs(compiler, prefab, to);
    }
    if (prefab->base != NULL) {
        assert(prefab->base->index < prefab->index);
        to->base = prefab->base->index;
    }
    kin__pack_part *parts = arena_allocate(compiler->arena, (prefab->new_count + 1) * sizeof *parts);
    for (size_t i = 0; i < prefab->new_count; i++) {
        assert(prefab->new_parts[i]->of->index < prefab->index);
        parts[i] = (kin__pack_part){prefab->new_parts[i]->first_path, prefab->new_parts[i]->of->index};
    }
    to->parts = parts;
    to->part_count = (uint32_t)prefab->new_count;
    to->added = make_components_at(compiler, prefab->added, &to->added_count);
    to->gone = make_components_at(compiler, prefab->gone, &to->gone_count);
    to->writes = make_writes(emitting, prefab->context, prefab, &prefab->writes);
}

static void make_prefabs(emitting *emitting)
{
    compiler *compiler = emitting->compiler;
    size_t count = 0;
    for (prefab *each = compiler->prefabs; each != NULL; each = each->next) {
        set_rank(each);
        count++;
    }
    prefab **sorted = arena_allocate(compiler->arena, (count + 1) * sizeof *sorted);
    kin__pack_prefab *prefabs = arena_allocate(compiler->arena, (count + 1) * sizeof *prefabs);
    count = 0;
    for (prefab *each = compiler->prefabs; each != NULL; each = each->next)
        sorted[count++] = each;
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_prefabs);
    for (size_t i = 0; i < count; i++) {
        sorted[i]->index = (uint32_t)i;
        make_prefab(emitting, sorted[i], &prefabs[i]);
    }
    emitting->pack->prefabs = prefabs;
    emitting->pack->prefab_count = (uint32_t)count;
}

// ---- levels

typedef struct run_list {
    kin__pack_run *runs;
    size_t count, capacity;
    kin__pack_instance *instances; // of the last run
    size_t instance_capacity;
} run_list;

// Whether an instance of one run can be in the other one, which is before it. A level in a level has a run of its own.
static bool are_one_run(const kin__pack_run *a, const kin__pack_run *b)
{
    if (b->prefab == KIN__PACK_NONE || a->prefab != b->prefab)
        return false;
    return a->keys == b->keys && a->is_named == b->is_named;
}

// Returns the last run of the list, which is a new one unless the instance of `run` can be in the last one.
static kin__pack_run *continue_run(arena *arena, run_list *list, const kin__pack_run *run)
{
    if (list->count > 0 && are_one_run(&list->runs[list->count - 1], run))
        return &list->runs[list->count - 1];
    list->runs = arena_grow(arena, list->runs, list->count, &list->capacity, sizeof *list->runs);
    list->runs[list->count] = *run;
    list->instances = NULL;
    list->instance_capacity = 0;
    return &list->runs[list->count++];
}

static void append_instance(emitting *emitting, const level *level, const instance *instance, run_list *list)
{
    arena *arena = emitting->compiler->arena;
    kin__pack_writes writes = make_writes(emitting, level->context, instance->prefab, &instance->writes);
    kin__pack_run run = {.prefab = KIN__PACK_NONE, .keys = writes.keys, .is_named = instance->name != NULL};
    assert((instance->level == NULL) != (instance->prefab == NULL));
    if (instance->level == NULL) {
        run.prefab = instance->prefab->index;
    } else {
        assert(instance->level->index < level->index && run.is_named);
        run.level = instance->level->index;
    }
    kin__pack_run *last = continue_run(arena, list, &run);
    list->instances =
        arena_grow(arena, list->instances, last->count, &list->instance_capacity, sizeof *list->instances);
    list->instances[last->count++] = (kin__pack_instance){instance->first_name, writes.values, writes.size};
    last->instances = list->instances;
}

static int compare_levels(const void *a, const void *b)
{
    const level *left = *(const level *const *)a;
    const level *right = *(const level *const *)b;
    int order = compare_numbers(left->rank, right->rank);
    if (order == 0)
        order = strcmp(left->first_name, right->first_name);
    return order;
}

// Recursive along levels in levels, which are limited.
static uint32_t rank_level(level *level)
{
    if (level->rank > 0)
        return level->rank;
    uint32_t rank = 0;
    assert(level->state == ENTRY_DONE && !level->is_broken);
    for (const instance *each = level->first; each != NULL; each = each->next)
        if (each->level != NULL && rank_level(each->level) > rank)
            rank = each->level->rank;
    level->rank = rank + 1;
    return level->rank;
}

static void make_levels(emitting *emitting)
{
    compiler *compiler = emitting->compiler;
    size_t count = 0;
    for (level *each = compiler->levels; each != NULL; each = each->next) {
        rank_level(each);
        count++;
    }
    level **sorted = arena_allocate(compiler->arena, (count + 1) * sizeof *sorted);
    kin__pack_level *levels = arena_allocate(compiler->arena, (count + 1) * sizeof *levels);
    count = 0;
    for (level *each = compiler->levels; each != NULL; each = each->next)
        sorted[count++] = each;
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_levels);
    for (size_t i = 0; i < count; i++) {
        run_list list = {.runs = NULL};
        sorted[i]->index = (uint32_t)i;
        for (const instance *each = sorted[i]->first; each != NULL; each = each->next)
            append_instance(emitting, sorted[i], each, &list);
        levels[i] = (kin__pack_level){sorted[i]->first_name, (uint32_t)sorted[i]->context, list.runs,
                                      (uint32_t)list.count, (uint32_t)sorted[i]->instance_count};
    }
    emitting->pack->levels = levels;
    emitting->pack->level_count = (uint32_t)count;
}

// ---- values

static int compare_uniques(const void *a, const void *b)
{
    const kin__pack_unique *left = a;
    const kin__pack_unique *right = b;
    int order = compare_numbers(left->context, right->context);
    if (order == 0)
        order = compare_numbers(left->component, right->component);
    return order;
}

static void make_uniques(emitting *emitting)
{
    compiler *compiler = emitting->compiler;
    size_t count = 0;
    for (const unique *each = compiler->uniques; each != NULL; each = each->next)
        count++;
    kin__pack_unique *uniques = arena_allocate(compiler->arena, (count + 1) * sizeof *uniques);
    count = 0;
    for (const unique *each = compiler->uniques; each != NULL; each = each->next)
        uniques[count++] = (kin__pack_unique){(uint32_t)each->context, each->place->pack_index,
                                              make_writes(emitting, each->context, NULL, &each->writes)};
    if (count > 1)
        qsort(uniques, count, sizeof *uniques, compare_uniques);
    emitting->pack->uniques = uniques;
    emitting->pack->unique_count = (uint32_t)count;
}

// ---- names of now

typedef struct rename_list {
    kin__pack_rename *all;
    size_t count, capacity;
} rename_list;

static void add_rename(emitting *emitting, rename_list *list, kin__pack_rename rename, const char *first)
{
    if (strcmp(first, rename.name) == 0)
        return;
    list->all = arena_grow(emitting->compiler->arena, list->all, list->count, &list->capacity, sizeof *list->all);
    list->all[list->count++] = rename;
}

static int compare_renames(const void *a, const void *b)
{
    const kin__pack_rename *left = a;
    const kin__pack_rename *right = b;
    int order = compare_numbers(left->of, right->of);
    if (order == 0)
        order = compare_numbers(left->owner, right->owner);
    if (order == 0)
        order = strcmp(left->path, right->path);
    return order;
}

static void make_renames(emitting *emitting)
{
    const compiler *compiler = emitting->compiler;
    rename_list list = {.all = NULL};
    if (!compiler->has_renames)
        return;
    for (const prefab *each = compiler->prefabs; each != NULL; each = each->next) {
        add_rename(emitting, &list, (kin__pack_rename){KIN__PACK_NAMED_PREFAB, each->index, "", each->name},
                   each->first_name);
        for (size_t i = 0; i < each->new_count; i++) {
            const part *part = each->new_parts[i];
            add_rename(emitting, &list,
                       (kin__pack_rename){KIN__PACK_NAMED_PART, each->index, part->first_path, path_last(part->path)},
                       path_last(part->first_path));
        }
    }
    for (const level *each = compiler->levels; each != NULL; each = each->next) {
        add_rename(emitting, &list, (kin__pack_rename){KIN__PACK_NAMED_LEVEL, each->index, "", each->name},
                   each->first_name);
        for (const instance *instance = each->first; instance != NULL; instance = instance->next)
            if (instance->name != NULL)
                add_rename(
                    emitting, &list,
                    (kin__pack_rename){KIN__PACK_NAMED_INSTANCE, each->index, instance->first_name, instance->name},
                    instance->first_name);
    }
    if (list.count > 1)
        qsort(list.all, list.count, sizeof *list.all, compare_renames);
    emitting->pack->renames = list.all;
    emitting->pack->rename_count = (uint32_t)list.count;
}

// ---- all

// The contexts are in the order of their names.
static void make_contexts(emitting *emitting)
{
    compiler *compiler = emitting->compiler;
    kin__pack_context *contexts = arena_allocate(compiler->arena, (compiler->schema.count + 1) * sizeof *contexts);
    for (size_t i = 0; i < compiler->schema.count; i++)
        make_context(emitting, i, &contexts[i]);
    emitting->pack->contexts = contexts;
    emitting->pack->context_count = (uint32_t)compiler->schema.count;
}

kin__pack *make_pack(compiler *compiler)
{
    const kin_package_info *package = compiler->schema.contexts[0]->package;
    kin__pack *pack = arena_allocate(compiler->arena, sizeof *pack);
    emitting emitting = {.compiler = compiler, .pack = pack, .keys_by_text = dictionary_create(compiler->arena)};
    emitting.key_text = text_create(compiler->arena);
    pack->package = package->name;
    pack->version = package->version;
    make_contexts(&emitting);
    make_prefabs(&emitting);
    make_levels(&emitting);
    make_uniques(&emitting);
    make_renames(&emitting);
    pack->keys = emitting.keys;
    pack->keys_count = (uint32_t)emitting.keys_count;
    return pack;
}

static int compare_contexts(const void *a, const void *b)
{
    const kin_context_info *left = *(const kin_context_info *const *)a;
    const kin_context_info *right = *(const kin_context_info *const *)b;
    return strcmp(identity_of(left->identity, left->name), identity_of(right->identity, right->name));
}

// Reads and checks content. `editor` is NULL unless an editor asks.
static compiler *read_content(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths,
                              content_editor *editor)
{
    compiler *compiler = arena_allocate(arena, sizeof *compiler);
    size_t errors = diagnostics_error_count(diagnostics);
    const kin_context_info **contexts = arena_allocate(arena, (schema.count + 1) * sizeof *contexts);
    assert(schema.count > 0);
    memcpy(contexts, schema.contexts, schema.count * sizeof *contexts);
    qsort(contexts, schema.count, sizeof *contexts, compare_contexts);
    *compiler = (struct compiler){
        .arena = arena, .diagnostics = diagnostics, .schema = {contexts, schema.count}, .editor = editor};
    compiler->scalar = text_create(arena);
    compiler->identities = dictionary_create(arena);
    compiler->prefab_names = dictionary_create(arena);
    compiler->blueprint_names = dictionary_create(arena);
    compiler->level_names = dictionary_create(arena);
    compiler->places = arena_allocate(arena, schema.count * sizeof *compiler->places);
    for (size_t i = 0; i < schema.count; i++)
        compiler->places[i] = arena_allocate(arena, (contexts[i]->component_count + 1) * sizeof(place *));
    name_lock_load(compiler, paths);
    content_load(compiler, paths);
    declare_prefabs(compiler);
    read_prefabs(compiler);
    read_levels(compiler);
    read_uniques(compiler);
    if (diagnostics_error_count(diagnostics) == errors)
        check_placed(compiler);
    if (diagnostics_error_count(diagnostics) == errors)
        name_lock_check(compiler);
    compiler->has_errors = diagnostics_error_count(diagnostics) > errors;
    assert(editor != NULL || !compiler->is_incomplete || compiler->has_errors); // 3
    return compiler;
}

compiler *content_read(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths)
{
    return read_content(arena, diagnostics, schema, paths, NULL);
}

kin__pack *content_make(compiler *compiler)
{
    if (compiler->has_errors)
        return NULL; // 1
    return make_pack(compiler);
}

kin__pack *content_compile(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths)
{
    return content_make(content_read(arena, diagnostics, schema, paths));
}

bool content_lock_make(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths,
                       content_lock *lock)
{
    *lock = (content_lock){.path = name_lock_path(arena, paths), .text = text_create(arena)};
    if (lock->path == NULL) {
        diagnostic_error(diagnostics, CODE_LOCK, (span){0}, "the lock of content is in a folder; '%s' is none",
                         paths.paths[0]);
        diagnostic_hint(diagnostics, "name the folder of the content");
        return false;
    }
    compiler *compiler = content_read(arena, diagnostics, schema, paths);
    if (!compiler->has_errors)
        name_lock_append(compiler, lock);
    return !compiler->has_errors;
}

void content_explore(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths,
                     content_editor *editor)
{
    read_content(arena, diagnostics, schema, paths, editor);
}
