// Generations: what a pack says, as prefabs with nodes and values for the context.
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

typedef struct build {
    kin_content *content;
    kin__generation *generation;
    const kin_context_info *info;
    kin__why *why;
} build;

static bool no_memory(const build *build)
{
    return kin__refuse(build->why, KIN_ERROR_NO_MEMORY, "out of memory");
}

static void *take(const build *build, size_t size)
{
    return kin__arena_take(&build->generation->arena, size);
}

static const char *join(const build *build, const char *a, const char *dot, const char *b)
{
    size_t of_a = strlen(a), of_dot = strlen(dot), of_b = strlen(b);
    char *joined = take(build, of_a + of_dot + of_b + 1);
    if (joined != NULL) {
        memcpy(joined, a, of_a);
        memcpy(joined + of_a, dot, of_dot);
        memcpy(joined + of_a + of_dot, b, of_b + 1);
    }
    return joined;
}

// ---- looking

kin__live_node *kin__live_prefab_find(const kin__live_prefab *prefab, const char *path)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        if (strcmp(prefab->nodes[i]->path, path) == 0)
            return prefab->nodes[i];
    return NULL;
}

kin__live_node *kin__live_prefab_find_named(const kin__live_prefab *prefab, const char *name)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        if (strcmp(prefab->nodes[i]->name, name) == 0)
            return prefab->nodes[i];
    return NULL;
}

void **kin__node_value(const kin__live_node *node, kin_component_id id)
{
    for (uint32_t i = 0; i < node->count; i++)
        if (node->ids[i] == id)
            return &node->values[i];
    return NULL;
}

uint32_t kin__generation_index(const kin__generation *generation, uint32_t hash)
{
    const kin__live_hashed *hashed = generation->hashed;
    uint32_t low = 0;
    for (uint32_t high = generation->prefab_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (hashed[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < generation->prefab_count && hashed[low].hash == hash;
    return is_found ? hashed[low].index : UINT32_MAX;
}

const kin__live_prefab *kin__generation_find_hash(const kin__generation *generation, uint32_t hash)
{
    uint32_t index = kin__generation_index(generation, hash);
    bool is_found = index != UINT32_MAX && generation->prefabs[index].name != NULL;
    return is_found ? &generation->prefabs[index] : NULL;
}

const kin__live_prefab *kin__generation_find(const kin__generation *generation, const char *name)
{
    const kin__live_prefab *found = kin__generation_find_hash(generation, kin__name_hash(name));
    if (found != NULL && strcmp(found->name, name) == 0)
        return found;
    found = NULL; // a renamed one does not have the hash of its name
    for (uint32_t i = 0; found == NULL && generation->pack.rename_count > 0 && i < generation->prefab_count; i++)
        if (generation->prefabs[i].name != NULL && strcmp(generation->prefabs[i].name, name) == 0)
            found = &generation->prefabs[i];
    return found;
}

// ---- nodes

static kin__live_node *make_node(const build *build, const char *path, const char *name, uint32_t capacity)
{
    kin__live_node *node = take(build, sizeof *node);
    if (node == NULL || path == NULL || name == NULL)
        return NULL;
    uint32_t hash = path[0] == '\0' ? 0 : kin__name_hash(path);
    *node = (kin__live_node){.path = path, .name = name, .hash = hash, .of = UINT32_MAX};
    node->ids = take(build, capacity * sizeof *node->ids);
    node->values = take(build, capacity * sizeof *node->values);
    return node->ids == NULL || node->values == NULL ? NULL : node;
}

// Copies a node with its values. Strings and lists are shared.
static kin__live_node *copy_node(const build *build, const kin__live_node *from, const char *path, const char *name)
{
    kin__live_node *node = make_node(build, path, name, from->count + 1);
    if (node == NULL)
        return NULL;
    node->of = from->of;
    node->relation = from->relation;
    node->count = from->count;
    for (uint32_t i = 0; i < from->count; i++) {
        node->ids[i] = from->ids[i];
        if (from->values[i] == NULL)
            continue;
        node->values[i] =
            kin__arena_copy(&build->generation->arena, from->values[i], build->info->components[from->ids[i]].size);
        if (node->values[i] == NULL)
            return NULL;
    }
    return node;
}

// Adds a component with its default. Does nothing if the node has it. False when out of memory.
static bool add_component(const build *build, kin__live_node *node, kin_component_id id)
{
    const kin_component_info *info = &build->info->components[id];
    uint32_t place = 0;
    while (place < node->count && node->ids[place] < id)
        place++;
    if (place < node->count && node->ids[place] == id)
        return true;
    kin_component_id *ids = take(build, (node->count + 1) * sizeof *ids);
    void **values = take(build, (node->count + 1) * sizeof *values);
    void *value = info->size == 0 ? NULL : take(build, info->size);
    if (ids == NULL || values == NULL || (info->size > 0 && value == NULL))
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        ids[i + (i >= place)] = node->ids[i];
        values[i + (i >= place)] = node->values[i];
    }
    ids[place] = id;
    values[place] = value;
    if (value != NULL)
        info->write_default(value);
    node->ids = ids;
    node->values = values;
    node->count++;
    return true;
}

static void remove_component(kin__live_node *node, kin_component_id id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        node->ids[count] = node->ids[i];
        node->values[count] = node->values[i];
        count += node->ids[i] != id;
    }
    node->count = count;
}

// ---- lists of nodes and links

static bool insert_node(const build *build, kin__live_prefab *prefab, uint32_t place, kin__live_node *node)
{
    kin__live_node **nodes = take(build, (prefab->count + 1) * sizeof *nodes);
    if (nodes == NULL || node == NULL)
        return false;
    for (uint32_t i = 0; i < prefab->count; i++)
        nodes[i + (i >= place)] = prefab->nodes[i];
    nodes[place] = node;
    prefab->nodes = nodes;
    prefab->count++;
    for (uint32_t i = 0; i < prefab->count; i++)
        nodes[i]->number = i;
    return true;
}

static bool append_link(const build *build, kin__live_prefab *prefab, kin__live_link link)
{
    kin__live_link *links = take(build, (prefab->link_count + 1) * sizeof *links);
    if (links == NULL)
        return false;
    if (prefab->link_count > 0)
        memcpy(links, prefab->links, prefab->link_count * sizeof *links);
    links[prefab->link_count] = link;
    prefab->links = links;
    prefab->link_count++;
    return true;
}

static bool is_below(const kin__live_node *node, const kin__live_node *above)
{
    while (node != NULL && node != above)
        node = node->parent;
    return node != NULL;
}

static void remove_link(kin__live_prefab *prefab, uint32_t number)
{
    for (uint32_t i = number; i + 1 < prefab->link_count; i++)
        prefab->links[i] = prefab->links[i + 1];
    prefab->link_count--;
}

// Removes what is gone: links of nodes and components that the prefab has no more.
static void remove_dead_links(kin__live_prefab *prefab, const kin__live_node *gone)
{
    for (uint32_t i = prefab->link_count; i-- > 0;) {
        const kin__live_link *link = &prefab->links[i];
        bool is_dead = gone != NULL && (is_below(link->holder, gone) || is_below(link->target, gone));
        if (is_dead || kin__node_value(link->holder, link->id) == NULL)
            remove_link(prefab, i);
    }
}

static void remove_nodes(kin__live_prefab *prefab, const kin__live_node *gone)
{
    uint32_t count = 0;
    remove_dead_links(prefab, gone);
    for (uint32_t i = 0; i < prefab->count; i++) {
        prefab->nodes[count] = prefab->nodes[i];
        count += !is_below(prefab->nodes[i], gone);
    }
    prefab->count = count;
    for (uint32_t i = 0; i < count; i++)
        prefab->nodes[i]->number = i;
}

static const char *join_below(const build *build, const char *prefix, const char *path)
{
    return prefix[0] == '\0' ? path : join(build, prefix, ".", path);
}

// Copies all nodes and links of another prefab, below `parent`, with `prefix` before their paths, and `name` before
// those of the names now.
static bool copy_nodes(const build *build, kin__live_prefab *prefab, const kin__live_prefab *from,
                       kin__live_node *parent, const char *prefix, const char *name)
{
    uint32_t place = parent == NULL ? 0 : parent->number + 1;
    while (place < prefab->count && is_below(prefab->nodes[place], parent))
        place++;
    uint32_t first = place;
    for (uint32_t i = 0; i < from->count; i++, place++) {
        const kin__live_node *node = from->nodes[i];
        const char *path = i == 0 ? prefix : join_below(build, prefix, node->path);
        const char *named = path;
        if (name != prefix || node->name != node->path)
            named = i == 0 ? name : join_below(build, name, node->name);
        if (!insert_node(build, prefab, place, copy_node(build, node, path, named)))
            return false;
        prefab->nodes[place]->parent = i == 0 ? parent : prefab->nodes[first + node->parent->number];
    }
    for (uint32_t i = 0; i < from->link_count; i++) {
        kin__live_link link = from->links[i];
        link.holder = prefab->nodes[first + link.holder->number];
        link.target = prefab->nodes[first + link.target->number];
        if (!append_link(build, prefab, link))
            return false;
    }
    return true;
}

// ---- blueprints of the schema

// Allocates the values of a node and writes those of the schema.
static bool write_schema_values(const build *build, kin__live_node *node, const kin_blueprint_info *info)
{
    node->count = info->component_count;
    for (uint32_t i = 0; i < info->component_count; i++) {
        const kin_component_info *component = &build->info->components[info->components[i]];
        node->ids[i] = info->components[i];
        node->values[i] = component->size == 0 ? NULL : take(build, component->size);
        if (component->size > 0 && node->values[i] == NULL)
            return false;
    }
    if (info->write_values != NULL)
        info->write_values(node->values);
    return true;
}

static const char *path_of(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot == NULL ? "" : dot + 1;
}

// Makes the nodes of a blueprint as the schema has it.
static bool make_schema_nodes(const build *build, kin__live_prefab *prefab, uint32_t number)
{
    const kin_blueprint_info *info = &build->info->blueprints[number];
    for (uint32_t i = 0; i <= info->descendant_count; i++) {
        const kin_child_info *child = i == 0 ? NULL : &build->info->children[info->descendants[i - 1].child];
        const kin_blueprint_info *entity = child == NULL ? info : &child->entity;
        const char *path = child == NULL ? "" : path_of(entity->name);
        kin__live_node *node = make_node(build, path, path, entity->component_count + 1);
        if (!insert_node(build, prefab, i, node) || !write_schema_values(build, node, entity))
            return false;
        node->of = child == NULL ? number : child->of;
        node->relation = child == NULL ? 0 : child->relation;
        node->parent = child == NULL ? NULL : prefab->nodes[info->descendants[i - 1].parent];
    }
    for (uint32_t i = 0; i < info->slot_count; i++) {
        const kin_slot_info *slot = &info->slots[i];
        kin__live_link link = {prefab->nodes[slot->holder], prefab->nodes[slot->part], slot->component, slot->offset};
        if (!append_link(build, prefab, link))
            return false;
    }
    return true;
}

// The values of base and derived, in the schema and now.
typedef struct following {
    const char *schema_base, *base, *schema;
    char *now;
} following;

static bool are_fields_equal(const kin_type_info *type, const char *a, const char *b);

// Compares numbers by bits, and inline strings up to their ends.
static bool are_elements_equal(const kin_field_info *field, size_t size, const char *a, const char *b)
{
    if (field->type == KIN_TYPE_STRUCT)
        return are_fields_equal(field->of, a, b);
    return field->type == KIN_TYPE_INLINE_STRING ? strncmp(a, b, size) == 0 : memcmp(a, b, size) == 0;
}

// Bytes between fields do not count. Recursive, as structs are nested.
static bool are_fields_equal(const kin_type_info *type, const char *a, const char *b)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kin_field_info *field = &type->fields[i];
        uint32_t count = field->count == 0 ? 1 : field->count;
        size_t size = field->size / count;
        for (uint32_t k = 0; k < count; k++)
            if (!are_elements_equal(field, size, a + field->offset + k * size, b + field->offset + k * size))
                return false;
    }
    return true;
}

static bool are_lists_equal(const kin_field_info *field, const kin__list_field *a, const kin__list_field *b)
{
    size_t size = field->element_size;
    bool is_equal = a->count == b->count;
    if (is_equal && (a->count == 0 || memcmp(a->at, b->at, a->count * size) == 0))
        return true;
    for (uint32_t i = 0; is_equal && i < a->count; i++)
        is_equal = are_elements_equal(field, size, (const char *)a->at + i * size, (const char *)b->at + i * size);
    return is_equal;
}

static bool are_equal(const kin_field_info *field, size_t size, const char *a, const char *b)
{
    if (field->is_list) {
        kin__list_field x, y;
        memcpy(&x.at, a, sizeof x.at);
        memcpy(&y.at, b, sizeof y.at);
        memcpy(&x.count, a + offsetof(kin__list_field, count), sizeof x.count);
        memcpy(&y.count, b + offsetof(kin__list_field, count), sizeof y.count);
        return are_lists_equal(field, &x, &y);
    }
    if (field->type == KIN_TYPE_STRING) {
        const char *x, *y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
    }
    return are_elements_equal(field, size, a, b);
}

bool kin__leaf_is_equal(const kin_field_info *field, size_t size, const void *a, const void *b)
{
    return are_equal(field, size, a, b);
}

void kin__leaves_visit(const kin_field_info *fields, uint32_t count, size_t offset, kin__leaf_visit *visit, void *data)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        uint32_t elements = field->is_list || field->count == 0 ? 1 : field->count;
        size_t size = field->size / elements;
        for (uint32_t k = 0; k < elements; k++) {
            size_t at = offset + field->offset + k * size;
            if (field->type == KIN_TYPE_STRUCT && !field->is_list)
                kin__leaves_visit(field->of->fields, field->of->field_count, at, visit, data);
            else
                visit(data, field, at, size);
        }
    }
}

static void follow_leaf(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    const following *following = data;
    if (are_equal(field, size, following->schema_base + offset, following->schema + offset))
        memcpy(following->now + offset, following->base + offset, size);
}

// Gives the leaves of a node that have the base's value in the schema the base's value now.
static void follow_node(const build *build, kin__live_node *node, const kin__live_node *schema,
                        const kin__live_node *base, const kin__live_node *schema_base)
{
    for (uint32_t i = 0; i < node->count; i++) {
        kin_component_id id = node->ids[i];
        const kin_component_info *info = &build->info->components[id];
        void **of_base = kin__node_value(base, id);
        if (info->size == 0 || of_base == NULL || id == build->content->origin)
            continue;
        following following = {*kin__node_value(schema_base, id), *of_base, *kin__node_value(schema, id),
                               node->values[i]};
        kin__leaves_visit(info->fields, info->field_count, 0, follow_leaf, &following);
    }
}

typedef struct blueprints {
    kin__live_prefab *schema; // as the schema has them
    bool *is_done;
} blueprints;

static bool make_blueprint(const build *build, blueprints *all, uint32_t number);

// Follows the nodes of `base` from the node on.
static bool follow(const build *build, blueprints *all, kin__live_prefab *prefab, const kin__live_node *from,
                   uint32_t base)
{
    size_t prefix = strlen(from->path);
    if (!make_blueprint(build, all, base))
        return false;
    const kin__live_prefab *of = &build->generation->prefabs[base];
    for (uint32_t i = from->number; i < prefab->count; i++) {
        kin__live_node *node = prefab->nodes[i];
        if (!is_below(node, from))
            continue;
        const char *path = node == from ? "" : node->path + prefix + (prefix > 0);
        const kin__live_node *followed = kin__live_prefab_find(of, path);
        if (followed != NULL)
            follow_node(build, node, all->schema[prefab - build->generation->prefabs].nodes[i], followed,
                        all->schema[base].nodes[followed->number]);
    }
    return true;
}

static void *place_in_node(void *data, const kin__value_step *step)
{
    const kin__live_prefab *prefab = data;
    return *kin__node_value(prefab->nodes[step->node], step->to.component);
}

static bool set_overrides(const build *build, kin__live_prefab *prefab, const kin__overrides *overrides);

static bool apply_writes(const build *build, kin__live_prefab *prefab, const kin__pack_writes *writes)
{
    kin__arena *arena = &build->generation->arena;
    kin__overrides overrides = {NULL, 0, 0};
    kin__value_target target = {place_in_node, prefab, &overrides, arena};
    kin__value_steps steps;
    return kin__value_steps_make(build->content, build->generation, prefab, writes->keys, arena, &steps, build->why) &&
           kin__values_apply(&steps, writes->values, writes->size, &target, build->why) &&
           set_overrides(build, prefab, &overrides);
}

// Recursive along `extends` and `of`, which the schema limits.
static bool make_blueprint(const build *build, blueprints *all, uint32_t number)
{
    const kin_blueprint_info *info = &build->info->blueprints[number];
    kin__generation *generation = build->generation;
    kin__live_prefab *prefab = &generation->prefabs[number];
    if (all->is_done[number])
        return true;
    all->is_done[number] = true;
    *prefab = (kin__live_prefab){.name = info->name, .hash = kin__name_hash(info->name), .is_blueprint = true};
    if (!make_schema_nodes(build, prefab, number) || !make_schema_nodes(build, &all->schema[number], number))
        return no_memory(build);
    if (info->extends > 0 && !follow(build, all, prefab, prefab->nodes[0], info->extends - 1))
        return false;
    for (uint32_t i = 1; info->extends == 0 && i < prefab->count; i++)
        if (prefab->nodes[i]->of != UINT32_MAX && !follow(build, all, prefab, prefab->nodes[i], prefab->nodes[i]->of))
            return false;
    for (uint32_t i = 0; i < generation->pack.prefab_count; i++) {
        const kin__pack_prefab *said = &generation->pack.prefabs[i];
        bool is_this = said->kind == KIN__PACK_BLUEPRINT && strcmp(said->name, info->name) == 0 &&
                       said->context == generation->context;
        if (is_this)
            generation->of_pack[i] = number;
        if (is_this && !apply_writes(build, prefab, &said->writes))
            return false;
    }
    return true;
}

static bool read_schema_knobs(const build *build, kin__live_prefab *prefab, uint32_t number)
{
    const kin_blueprint_info *info = &build->info->blueprints[number];
    kin__live_knob *knobs = take(build, (info->knob_count + 1) * sizeof *knobs);
    if (knobs == NULL)
        return no_memory(build);
    for (uint32_t i = 0; i < info->knob_count; i++)
        knobs[i] = (kin__live_knob){info->knobs[i].name, info->knobs[i].paths, info->knobs[i].path_count};
    prefab->knobs = knobs;
    prefab->knob_count = info->knob_count;
    return true;
}

static bool make_blueprints(const build *build)
{
    uint32_t count = build->info->blueprint_count;
    blueprints all = {take(build, (count + 1) * sizeof *all.schema), take(build, count + 1)};
    if (all.schema == NULL || all.is_done == NULL)
        return no_memory(build);
    for (uint32_t i = 0; i < count; i++)
        if (!make_blueprint(build, &all, i) || !read_schema_knobs(build, &build->generation->prefabs[i], i))
            return false;
    return true;
}

// ---- prefabs of the pack

// Makes links of the references to parts of the prefab itself, in place of those of the base.
static bool set_overrides(const build *build, kin__live_prefab *prefab, const kin__overrides *overrides)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        const kin__override *override = &overrides->all[i];
        kin__live_link link = {prefab->nodes[override->node], NULL, override->id, override->offset};
        for (uint32_t k = prefab->link_count; k-- > 0;)
            if (prefab->links[k].holder == link.holder && prefab->links[k].id == link.id &&
                prefab->links[k].offset == link.offset)
                remove_link(prefab, k);
        if (override->part == NULL)
            continue;
        link.target = kin__live_prefab_find(prefab, override->part);
        if (link.target == NULL || override->instance != NULL)
            return kin__refuse(build->why, KIN_ERROR_SHAPE, "'%s' has no part '%s'", prefab->name, override->part);
        if (!append_link(build, prefab, link))
            return no_memory(build);
    }
    return true;
}

static uint32_t tree_of(const build *build, const kin__live_prefab *prefab)
{
    if (prefab->count > 1)
        return prefab->nodes[1]->relation;
    for (uint32_t i = 0; i < build->info->relation_count; i++)
        if (build->info->relations[i].is_tree)
            return i;
    return UINT32_MAX;
}

// Returns the path of a part with the names of now, below that of its parent.
static const char *name_part(const build *build, uint32_t number, const kin__live_node *parent, const char *path)
{
    const char *dot = strrchr(path, '.');
    const char *last = dot == NULL ? path : dot + 1;
    const char *now = kin__pack_name_now(&build->generation->pack, KIN__PACK_NAMED_PART, number, path, last);
    bool is_same = now == last && parent->name == parent->path;
    return is_same ? path : join_below(build, parent->name, now);
}

static bool add_part(const build *build, kin__live_prefab *prefab, uint32_t number, const kin__pack_part *part)
{
    const char *dot = strrchr(part->path, '.');
    const char *above =
        dot == NULL ? "" : kin__arena_copy(&build->generation->arena, part->path, (size_t)(dot - part->path));
    kin__live_node *parent = above == NULL ? NULL : kin__live_prefab_find(prefab, above);
    uint32_t tree = tree_of(build, prefab);
    if (parent == NULL || tree == UINT32_MAX)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "'%s' has no part '%s' or no tree", prefab->name, part->path);
    kin__live_node *empty[] = {make_node(build, "", "", 1)};
    kin__live_prefab nothing = {.nodes = empty, .count = 1};
    const kin__live_prefab *of =
        part->of == KIN__PACK_NONE ? &nothing : &build->generation->prefabs[build->generation->of_pack[part->of]];
    const char *name = name_part(build, number, parent, part->path);
    if (empty[0] == NULL || name == NULL || !copy_nodes(build, prefab, of, parent, part->path, name))
        return no_memory(build);
    kin__live_node *node = kin__live_prefab_find(prefab, part->path);
    node->relation = tree;
    return add_component(build, node, build->info->relations[tree].component) || no_memory(build);
}

static bool change_components(const build *build, kin__live_prefab *prefab, const kin__pack_prefab *said)
{
    for (uint32_t i = 0; i < said->gone_count; i++) {
        kin__live_node *node = kin__live_prefab_find(prefab, said->gone[i].part);
        if (node != NULL)
            remove_component(node, build->generation->components[said->gone[i].component]);
    }
    remove_dead_links(prefab, NULL);
    for (uint32_t i = 0; i < said->added_count; i++) {
        kin__live_node *node = kin__live_prefab_find(prefab, said->added[i].part);
        if (node == NULL)
            return kin__refuse(build->why, KIN_ERROR_SHAPE, "'%s' has no part '%s'", prefab->name, said->added[i].part);
        if (!add_component(build, node, build->generation->components[said->added[i].component]))
            return no_memory(build);
    }
    return true;
}

static const char *target_path(const build *build, const kin__live_prefab *prefab, const kin__pack_target *target)
{
    const char *component = build->info->components[build->generation->components[target->component]].name;
    const kin__live_node *node = kin__live_prefab_find(prefab, target->part);
    const char *path = join_below(build, node == NULL ? target->part : node->name, component);
    return target->field[0] == '\0' || path == NULL ? path : join(build, path, ".", target->field);
}

// Adds the knobs to those of the base, which they may replace.
static bool add_knobs(const build *build, kin__live_prefab *prefab, const kin__pack_prefab *said)
{
    kin__live_knob *knobs = take(build, (prefab->knob_count + said->knob_count + 1) * sizeof *knobs);
    if (knobs == NULL)
        return no_memory(build);
    uint32_t count = 0;
    for (uint32_t i = 0; i < said->knob_count; i++) {
        const kin__pack_knob *knob = &said->knobs[i];
        const char **paths = take(build, knob->target_count * sizeof *paths);
        for (uint32_t k = 0; paths != NULL && k < knob->target_count; k++)
            paths[k] = target_path(build, prefab, &knob->targets[k]);
        knobs[count++] = (kin__live_knob){knob->name, paths, paths == NULL ? 0 : knob->target_count};
    }
    for (uint32_t i = 0; i < prefab->knob_count; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < said->knob_count; k++)
            is_new = is_new && strcmp(prefab->knobs[i].name, said->knobs[k].name) != 0;
        if (is_new)
            knobs[count++] = prefab->knobs[i];
    }
    prefab->knobs = knobs;
    prefab->knob_count = count;
    return true;
}

static bool add_origins(const build *build, kin__live_prefab *prefab)
{
    kin_component_id id = build->content->origin;
    for (uint32_t i = 0; i < prefab->count; i++) {
        kin__live_node *node = prefab->nodes[i];
        if (!add_component(build, node, id))
            return no_memory(build);
        *(kin__live_origin *)*kin__node_value(node, id) = (kin__live_origin){prefab->hash, 0, node->hash};
    }
    return true;
}

static bool make_prefab(const build *build, uint32_t number, kin__live_prefab *prefab)
{
    const kin__pack_prefab *said = &build->generation->pack.prefabs[number];
    kin__live_node *empty[] = {make_node(build, "", "", 1)};
    kin__live_prefab nothing = {.nodes = empty, .count = 1};
    const kin__live_prefab *base =
        said->base == KIN__PACK_NONE ? &nothing : &build->generation->prefabs[build->generation->of_pack[said->base]];
    const char *name = kin__pack_name_now(&build->generation->pack, KIN__PACK_NAMED_PREFAB, number, "", said->name);
    *prefab = (kin__live_prefab){
        .name = name, .hash = kin__name_hash(said->name), .knobs = base->knobs, .knob_count = base->knob_count};
    const char *root = "";
    if (empty[0] == NULL || !copy_nodes(build, prefab, base, NULL, root, root))
        return no_memory(build);
    for (uint32_t i = 0; i < said->gone_part_count; i++) {
        const kin__live_node *gone = kin__live_prefab_find(prefab, said->gone_parts[i]);
        if (gone != NULL)
            remove_nodes(prefab, gone);
    }
    for (uint32_t i = 0; i < said->part_count; i++)
        if (!add_part(build, prefab, number, &said->parts[i]))
            return false;
    return change_components(build, prefab, said) && add_origins(build, prefab) &&
           apply_writes(build, prefab, &said->writes) && add_knobs(build, prefab, said);
}

static bool make_prefabs(const build *build)
{
    kin__generation *generation = build->generation;
    uint32_t count = build->info->blueprint_count;
    for (uint32_t i = 0; i < generation->pack.prefab_count; i++) {
        const kin__pack_prefab *said = &generation->pack.prefabs[i];
        if (said->context != generation->context)
            continue;
        if (said->kind == KIN__PACK_BLUEPRINT && generation->of_pack[i] == UINT32_MAX)
            return kin__refuse(build->why, KIN_ERROR_SHAPE, "the schema has no blueprint '%s'", said->name);
        if (said->kind == KIN__PACK_BLUEPRINT)
            continue;
        generation->of_pack[i] = count;
        if (!make_prefab(build, i, &generation->prefabs[count]))
            return false;
        count++;
    }
    generation->prefab_count = count;
    return true;
}

// ---- tables

static int compare_links(const void *a, const void *b)
{
    const kin__live_link *x = a, *y = b;
    if (x->holder->number != y->holder->number)
        return x->holder->number < y->holder->number ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static bool make_tables(const build *build, kin__live_prefab *prefab)
{
    uint32_t below = prefab->count - 1, parts = 0;
    kin_child_info *children = take(build, (below + 1) * sizeof *children);
    kin_descendant_info *descendants = take(build, (below + 1) * sizeof *descendants);
    kin_slot_info *slots = take(build, (prefab->link_count + 1) * sizeof *slots);
    for (uint32_t i = 0; i < prefab->count; i++)
        parts += prefab->nodes[i]->count;
    prefab->values = take(build, (parts + 1) * sizeof *prefab->values);
    if (children == NULL || descendants == NULL || slots == NULL || prefab->values == NULL)
        return no_memory(build);
    parts = 0;
    for (uint32_t i = 0; i < prefab->count; i++) {
        const kin__live_node *node = prefab->nodes[i];
        kin_blueprint_info info = {.components = node->ids, .component_count = node->count};
        info.name = i == 0 ? prefab->name : join(build, prefab->name, ".", node->name);
        if (info.name == NULL)
            return no_memory(build);
        for (uint32_t k = 0; k < node->count; k++)
            prefab->values[parts++] = node->values[k];
        if (i == 0) {
            prefab->tables.entity = info;
            continue;
        }
        children[i - 1] = (kin_child_info){info, node->of, node->relation};
        descendants[i - 1] = (kin_descendant_info){i - 1, node->parent->number};
    }
    if (prefab->link_count > 1)
        qsort(prefab->links, prefab->link_count, sizeof *prefab->links, compare_links);
    for (uint32_t i = 0; i < prefab->link_count; i++)
        slots[i] = (kin_slot_info){prefab->links[i].holder->number, prefab->links[i].target->number,
                                   prefab->links[i].id, prefab->links[i].offset};
    kin_blueprint_info *entity = &prefab->tables.entity;
    entity->extends = prefab->nodes[0]->of == UINT32_MAX ? 0 : prefab->nodes[0]->of + 1;
    entity->descendants = descendants;
    entity->descendant_count = below;
    entity->slots = slots;
    entity->slot_count = prefab->link_count;
    prefab->tables.children = children;
    prefab->tables.child_count = below;
    return true;
}

// ---- the pack

static bool is_name(const char *name, const char *identity, const char *wanted)
{
    return strcmp(identity == NULL ? name : identity, wanted) == 0;
}

static bool find_context(const build *build)
{
    const kin__pack *pack = &build->generation->pack;
    build->generation->context = KIN__PACK_NONE;
    if (build->info->package != NULL && strcmp(build->info->package->name, pack->package) != 0)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "the pack is of package '%s', and this is '%s'", pack->package,
                           build->info->package->name);
    if (build->info->package != NULL && pack->version > build->info->package->version)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "the pack is of version %u of the schema, and this is %u",
                           (unsigned)pack->version, (unsigned)build->info->package->version);
    for (uint32_t i = 0; i < pack->context_count; i++)
        if (is_name(build->info->name, build->info->identity, pack->contexts[i].name))
            build->generation->context = i;
    return true;
}

static bool find_components(const build *build)
{
    const kin__generation *generation = build->generation;
    if (generation->context == KIN__PACK_NONE)
        return true;
    const kin__pack_context *context = &generation->pack.contexts[generation->context];
    build->generation->components = take(build, (context->component_count + 1) * sizeof *generation->components);
    if (generation->components == NULL)
        return no_memory(build);
    for (uint32_t i = 0; i < context->component_count; i++) {
        uint32_t id = 0;
        while (id < build->info->component_count &&
               !is_name(build->info->components[id].name, build->info->components[id].identity,
                        context->components[i].name))
            id++;
        if (id == build->info->component_count)
            return kin__refuse(build->why, KIN_ERROR_SHAPE, "the schema has no component '%s'",
                               context->components[i].name);
        generation->components[i] = (kin_component_id)id;
    }
    return true;
}

static int compare_hashes(const void *a, const void *b)
{
    uint32_t x = ((const kin__live_hashed *)a)->hash, y = ((const kin__live_hashed *)b)->hash;
    return (x > y) - (x < y);
}

static bool make_hashed(const build *build)
{
    kin__generation *generation = build->generation;
    generation->hashed = take(build, (generation->prefab_count + 1) * sizeof *generation->hashed);
    if (generation->hashed == NULL)
        return no_memory(build);
    for (uint32_t i = 0; i < generation->prefab_count; i++)
        generation->hashed[i] = (kin__live_hashed){generation->prefabs[i].hash, i};
    qsort(generation->hashed, generation->prefab_count, sizeof *generation->hashed, compare_hashes);
    return true;
}

static bool make_all(const build *build)
{
    kin__generation *generation = build->generation;
    uint32_t most = build->info->blueprint_count + generation->pack.prefab_count;
    generation->prefabs = take(build, (most + 1) * sizeof *generation->prefabs);
    generation->of_pack = take(build, (generation->pack.prefab_count + 1) * sizeof *generation->of_pack);
    if (generation->prefabs == NULL || generation->of_pack == NULL)
        return no_memory(build);
    for (uint32_t i = 0; i < generation->pack.prefab_count; i++)
        generation->of_pack[i] = UINT32_MAX;
    if (!make_blueprints(build) || !make_prefabs(build) || !make_hashed(build))
        return false;
    for (uint32_t i = 0; i < generation->prefab_count; i++)
        if (!make_tables(build, &generation->prefabs[i]))
            return false;
    return true;
}

bool kin__generation_make_schema(kin_content *content, kin__generation *generation, kin__why *why)
{
    build build = {content, generation, content->info, why};
    generation->prefabs = take(&build, (content->info->blueprint_count + 1) * sizeof *generation->prefabs);
    return generation->prefabs == NULL ? no_memory(&build) : make_blueprints(&build);
}

kin__generation *kin__generation_make(kin_content *content, const void *bytes, size_t size, kin__why *why)
{
    kin__generation *generation = kin__allocate_zero(&content->memory, sizeof *generation);
    kin__pack_fault fault;
    build build = {content, generation, content->info, why};
    if (generation == NULL) {
        no_memory(&build);
        return NULL;
    }
    generation->arena.memory = &content->memory;
    generation->bytes = kin__arena_copy(&generation->arena, bytes, size);
    generation->size = size;
    bool is_read = generation->bytes != NULL &&
                   kin__pack_read(&generation->pack, &content->memory, generation->bytes, size, &fault);
    if (!is_read) {
        if (generation->bytes == NULL)
            no_memory(&build);
        else
            kin__refuse(why, fault.status, "%s", fault.text);
        kin__arena_release(&generation->arena);
        kin__release(&content->memory, generation, sizeof *generation);
        return NULL;
    }
    generation->version = generation->pack.content;
    if (find_context(&build) && find_components(&build) && make_all(&build))
        return generation;
    kin__generation_release(content, generation);
    return NULL;
}

void kin__level_instances_forget(kin__generation *generation)
{
    for (uint32_t i = 0; generation->listed != NULL && i < generation->pack.level_count; i++) {
        if (generation->listed[i].arena.memory != NULL)
            kin__arena_release(&generation->listed[i].arena);
        generation->listed[i] = (kin__instances){.all = NULL};
    }
}

void kin__generation_release(kin_content *content, kin__generation *generation)
{
    kin__level_instances_forget(generation);
    kin__pack_release(&generation->pack);
    kin__arena_release(&generation->arena);
    kin__release(&content->memory, generation, sizeof *generation);
}
