// Generations: what a pack says, as prefabs with nodes and values for the context.
#include "live/live.h"

#include "snapshot/snapshot.h"

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
    return kin__refuse_memory(build->why);
}

static void *take(const build *build, size_t size)
{
    return kin__arena_take(&build->generation->arena, size);
}

// Returns both with a dot between them; NULL when out of memory.
static const char *join(const build *build, const char *a, const char *b)
{
    size_t of_a = strlen(a);
    size_t of_b = strlen(b);
    char *joined = take(build, of_a + 1 + of_b + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, a, of_a);
    joined[of_a] = '.';
    memcpy(joined + of_a + 1, b, of_b + 1);
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

bool kin__live_node_is_within(const kin__live_node *node, const kin__live_node *above)
{
    while (node != NULL && node != above)
        node = node->parent;
    return node != NULL;
}

size_t kin__largest_value(const kin_context_info *info)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < info->component_count; i++)
        largest = kin__max_size(largest, info->components[i].size);
    return largest;
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
    if (index == UINT32_MAX)
        return NULL;
    KIN_ASSERT(index < generation->prefab_count && generation->prefabs[index].hash == hash);
    return &generation->prefabs[index];
}

const kin__live_prefab *kin__generation_find(const kin__generation *generation, const char *name)
{
    const kin__live_prefab *found = kin__generation_find_hash(generation, kin__name_hash(name));
    if (found != NULL && strcmp(found->name, name) == 0)
        return found;
    if (generation->pack.rename_count == 0)
        return NULL;
    for (uint32_t i = 0; i < generation->prefab_count; i++) // a renamed one does not have the hash of its name
        if (strcmp(generation->prefabs[i].name, name) == 0)
            return &generation->prefabs[i];
    return NULL;
}

// ---- nodes

static kin__live_node *make_node(const build *build, const char *path, const char *name, uint32_t capacity)
{
    kin__live_node *node = take(build, sizeof *node);
    if (node == NULL || path == NULL || name == NULL)
        return NULL;
    *node = (kin__live_node){.path = path, .name = name, .hash = kin__part_hash(path), .of = UINT32_MAX};
    node->ids = take(build, capacity * sizeof *node->ids);
    node->values = take(build, capacity * sizeof *node->values);
    if (node->ids == NULL || node->values == NULL)
        return NULL;
    return node;
}

// Returns an empty prefab, for one that has no base. `nodes` has its node, and lives as long. Without memory that is
// NULL.
static kin__live_prefab make_nothing(const build *build, kin__live_node *nodes[1])
{
    nodes[0] = make_node(build, "", "", 1);
    return (kin__live_prefab){.nodes = nodes, .count = 1};
}

// Returns the prefab that an index of the pack names, of those that are made.
static const kin__live_prefab *made_of(const build *build, uint32_t number)
{
    uint32_t index = build->generation->of_pack[number];
    KIN_ASSERT(index != UINT32_MAX); // a prefab comes after those that it needs
    return &build->generation->prefabs[index];
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
    void *value = NULL;
    if (info->size > 0) {
        value = take(build, info->size);
        if (value == NULL)
            return false;
    }
    if (ids == NULL || values == NULL)
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
    KIN_ASSERT(place <= prefab->count);
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

static void remove_link(kin__live_prefab *prefab, uint32_t number)
{
    KIN_ASSERT(number < prefab->link_count);
    for (uint32_t i = number; i + 1 < prefab->link_count; i++)
        prefab->links[i] = prefab->links[i + 1];
    prefab->link_count--;
}

// Whether a link is between nodes that stay, and its holder has the component. `gone` may be NULL: all nodes stay.
static bool is_link_alive(const kin__live_link *link, const kin__live_node *gone)
{
    if (kin__node_value(link->holder, link->id) == NULL)
        return false;
    if (gone == NULL)
        return true;
    return !kin__live_node_is_within(link->holder, gone) && !kin__live_node_is_within(link->target, gone);
}

// Removes what is gone: links of nodes and components that the prefab has no more.
static void remove_dead_links(kin__live_prefab *prefab, const kin__live_node *gone)
{
    for (uint32_t i = prefab->link_count; i-- > 0;)
        if (!is_link_alive(&prefab->links[i], gone))
            remove_link(prefab, i);
}

static void remove_nodes(kin__live_prefab *prefab, const kin__live_node *gone)
{
    uint32_t count = 0;
    remove_dead_links(prefab, gone);
    for (uint32_t i = 0; i < prefab->count; i++) {
        prefab->nodes[count] = prefab->nodes[i];
        count += !kin__live_node_is_within(prefab->nodes[i], gone);
    }
    prefab->count = count;
    for (uint32_t i = 0; i < count; i++)
        prefab->nodes[i]->number = i;
}

// Joins the path of a node below another one, which may be the first; "" stands for the upper one itself.
static const char *join_below(const build *build, const char *prefix, const char *path)
{
    if (prefix[0] == '\0')
        return path;
    if (path[0] == '\0')
        return prefix;
    return join(build, prefix, path);
}

// Copies all nodes and links of another prefab, below `parent`, with `prefix` before their paths, and `name` before
// those of the names now.
static bool copy_nodes(const build *build, kin__live_prefab *prefab, const kin__live_prefab *from,
                       kin__live_node *parent, const char *prefix, const char *name)
{
    uint32_t place = parent == NULL ? 0 : parent->number + 1;
    KIN_ASSERT(parent != NULL || prefab->count == 0);
    KIN_ASSERT(from->count > 0 && from->nodes[0]->parent == NULL);
    while (place < prefab->count && kin__live_node_is_within(prefab->nodes[place], parent))
        place++;
    uint32_t first = place;
    for (uint32_t i = 0; i < from->count; i++, place++) {
        const kin__live_node *node = from->nodes[i];
        const char *path = join_below(build, prefix, node->path);
        const char *named = path;
        if (name != prefix || node->name != node->path)
            named = join_below(build, name, node->name);
        if (!insert_node(build, prefab, place, copy_node(build, node, path, named)))
            return false;
        prefab->nodes[place]->parent = parent;
        if (i > 0)
            prefab->nodes[place]->parent = prefab->nodes[first + node->parent->number];
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
        KIN_ASSERT(i == 0 || info->components[i - 1] < info->components[i]); // 2
        node->ids[i] = info->components[i];
        if (component->size == 0)
            continue;
        node->values[i] = take(build, component->size);
        if (node->values[i] == NULL)
            return false;
    }
    if (info->write_values != NULL)
        info->write_values(node->values);
    return true;
}

// Returns the path of a child: its name, "Cannon.head.left", has that of its blueprint before it.
static const char *path_of(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot == NULL ? "" : dot + 1;
}

// Appends a node with the values of the schema; NULL when out of memory.
static kin__live_node *append_schema_node(const build *build, kin__live_prefab *prefab, const kin_blueprint_info *info,
                                          const char *path)
{
    kin__live_node *node = make_node(build, path, path, info->component_count + 1);
    if (!insert_node(build, prefab, prefab->count, node) || !write_schema_values(build, node, info))
        return NULL;
    return node;
}

// Makes the nodes of a blueprint as the schema has it.
static bool make_schema_nodes(const build *build, kin__live_prefab *prefab, uint32_t number)
{
    const kin_blueprint_info *info = &build->info->blueprints[number];
    kin__live_node *first = append_schema_node(build, prefab, info, "");
    if (first == NULL)
        return false;
    first->of = number;
    for (uint32_t i = 0; i < info->descendant_count; i++) {
        const kin_descendant_info *descendant = &info->descendants[i];
        const kin_child_info *child = &build->info->children[descendant->child];
        kin__live_node *node = append_schema_node(build, prefab, &child->entity, path_of(child->entity.name));
        if (node == NULL)
            return false;
        KIN_ASSERT(descendant->parent < node->number); // 2
        node->of = child->of;
        node->relation = child->relation;
        node->parent = prefab->nodes[descendant->parent];
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
    if (field->type == KIN_TYPE_INLINE_STRING)
        return strncmp(a, b, size) == 0;
    return memcmp(a, b, size) == 0;
}

// Bytes between fields do not count. Recursive, as structs are nested.
static bool are_fields_equal(const kin_type_info *type, const char *a, const char *b)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kin_field_info *field = &type->fields[i];
        uint32_t count = kin__max_32(field->count, 1);
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
    if (a->count != b->count)
        return false;
    if (a->count == 0 || memcmp(a->at, b->at, a->count * size) == 0)
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        if (!are_elements_equal(field, size, (const char *)a->at + i * size, (const char *)b->at + i * size))
            return false;
    return true;
}

static bool are_strings_equal(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a == b || strcmp(a, b) == 0;
}

static kin__list_field read_list(const char *at)
{
    kin__list_field list;
    memcpy(&list.at, at, sizeof list.at);
    memcpy(&list.count, at + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

static const char *read_string(const char *at)
{
    const char *string;
    memcpy(&string, at, sizeof string);
    return string;
}

bool kin__leaf_is_equal(const kin_field_info *field, size_t size, const void *a, const void *b)
{
    if (field->is_list) {
        const kin__list_field x = read_list(a);
        const kin__list_field y = read_list(b);
        return are_lists_equal(field, &x, &y);
    }
    if (field->type == KIN_TYPE_STRING)
        return are_strings_equal(read_string(a), read_string(b));
    return are_elements_equal(field, size, a, b);
}

void kin__leaves_visit(const kin_field_info *fields, uint32_t count, size_t offset, kin__leaf_visit *visit, void *data)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        uint32_t elements = field->is_list ? 1 : kin__max_32(field->count, 1);
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
    if (kin__leaf_is_equal(field, size, following->schema_base + offset, following->schema + offset))
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
        if (info->size == 0 || id == build->content->origin)
            continue;
        if (of_base == NULL)
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
    const kin__live_prefab *schema = &all->schema[prefab - build->generation->prefabs];
    for (uint32_t i = from->number; i < prefab->count; i++) {
        kin__live_node *node = prefab->nodes[i];
        if (!kin__live_node_is_within(node, from))
            continue;
        const char *path = "";
        if (node != from)
            path = node->path + prefix + (prefix > 0);
        const kin__live_node *followed = kin__live_prefab_find(of, path);
        if (followed != NULL)
            follow_node(build, node, schema->nodes[i], followed, all->schema[base].nodes[followed->number]);
    }
    return true;
}

// Follows the base of a blueprint; without one, the blueprints that its parts are of.
static bool follow_all(const build *build, blueprints *all, kin__live_prefab *prefab, uint32_t extends)
{
    if (extends > 0)
        return follow(build, all, prefab, prefab->nodes[0], extends - 1);
    for (uint32_t i = 1; i < prefab->count; i++) {
        const kin__live_node *node = prefab->nodes[i];
        if (node->of != UINT32_MAX && !follow(build, all, prefab, node, node->of))
            return false;
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
    if (!kin__value_steps_make(build->content, build->generation, prefab, writes->keys, arena, &steps, build->why))
        return false;
    if (!kin__values_apply(&steps, writes->values, writes->size, &target, build->why))
        return false;
    return set_overrides(build, prefab, &overrides);
}

static bool says_blueprint(const kin__pack_prefab *said, uint32_t context, const char *name)
{
    return said->kind == KIN__PACK_BLUEPRINT && said->context == context && strcmp(said->name, name) == 0;
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
    if (!follow_all(build, all, prefab, info->extends))
        return false;
    for (uint32_t i = 0; i < generation->pack.prefab_count; i++) {
        const kin__pack_prefab *said = &generation->pack.prefabs[i];
        if (!says_blueprint(said, generation->context, info->name))
            continue;
        generation->of_pack[i] = number;
        if (!apply_writes(build, prefab, &said->writes))
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

static bool are_of_one_field(const kin__live_link *a, const kin__live_link *b)
{
    bool is_same_component = a->holder == b->holder && a->id == b->id;
    return is_same_component && a->offset == b->offset;
}

// Makes links of the references to parts of the prefab itself, in place of those of the base.
static bool set_overrides(const build *build, kin__live_prefab *prefab, const kin__overrides *overrides)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        const kin__override *override = &overrides->all[i];
        KIN_ASSERT(override->node < prefab->count);
        kin__live_link link = {prefab->nodes[override->node], NULL, override->id, override->offset};
        for (uint32_t k = prefab->link_count; k-- > 0;)
            if (are_of_one_field(&prefab->links[k], &link))
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
    if (now == last && parent->name == parent->path)
        return path;
    return join_below(build, parent->name, now);
}

// Returns the node that a path is below; NULL if there is none, or when out of memory.
static kin__live_node *find_parent(const build *build, const kin__live_prefab *prefab, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL)
        return prefab->nodes[0];
    const char *above = kin__arena_copy(&build->generation->arena, path, (size_t)(dot - path));
    if (above == NULL)
        return NULL;
    return kin__live_prefab_find(prefab, above);
}

static bool add_part(const build *build, kin__live_prefab *prefab, uint32_t number, const kin__pack_part *part)
{
    kin__live_node *parent = find_parent(build, prefab, part->path);
    uint32_t tree = tree_of(build, prefab);
    if (parent == NULL || tree == UINT32_MAX)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "'%s' has no part '%s' or no tree", prefab->name, part->path);
    kin__live_node *empty[1];
    kin__live_prefab nothing = make_nothing(build, empty);
    const kin__live_prefab *of = part->of == KIN__PACK_NONE ? &nothing : made_of(build, part->of);
    const char *name = name_part(build, number, parent, part->path);
    if (empty[0] == NULL || name == NULL)
        return no_memory(build);
    if (!copy_nodes(build, prefab, of, parent, part->path, name))
        return no_memory(build);
    kin__live_node *node = kin__live_prefab_find(prefab, part->path);
    KIN_ASSERT(node != NULL);
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
    if (path == NULL)
        return NULL;
    return join_below(build, path, target->field);
}

static bool has_knob(const kin__pack_prefab *said, const char *name)
{
    for (uint32_t i = 0; i < said->knob_count; i++)
        if (strcmp(said->knobs[i].name, name) == 0)
            return true;
    return false;
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
    for (uint32_t i = 0; i < prefab->knob_count; i++)
        if (!has_knob(said, prefab->knobs[i].name))
            knobs[count++] = prefab->knobs[i];
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
    kin__live_node *empty[1];
    kin__live_prefab nothing = make_nothing(build, empty);
    const kin__live_prefab *base = said->base == KIN__PACK_NONE ? &nothing : made_of(build, said->base);
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
    if (!change_components(build, prefab, said) || !add_origins(build, prefab))
        return false;
    return apply_writes(build, prefab, &said->writes) && add_knobs(build, prefab, said);
}

static bool make_prefabs(const build *build)
{
    kin__generation *generation = build->generation;
    uint32_t count = build->info->blueprint_count;
    for (uint32_t i = 0; i < generation->pack.prefab_count; i++) {
        const kin__pack_prefab *said = &generation->pack.prefabs[i];
        if (said->context != generation->context)
            continue;
        if (said->kind == KIN__PACK_BLUEPRINT) {
            if (generation->of_pack[i] == UINT32_MAX)
                return kin__refuse(build->why, KIN_ERROR_SHAPE, "the schema has no blueprint '%s'", said->name);
            continue;
        }
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
    const kin__live_link *x = a;
    const kin__live_link *y = b;
    if (x->holder != y->holder)
        return x->holder->number < y->holder->number ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

// Invariant 2 of live.h: nodes are depth first, so each follows its parent, and its components ascend.
static bool is_in_order(const kin__live_prefab *prefab)
{
    for (uint32_t i = 0; i < prefab->count; i++) {
        const kin__live_node *node = prefab->nodes[i];
        if (node->number != i || (node->parent == NULL) != (i == 0))
            return false;
        if (i > 0 && !kin__live_node_is_within(prefab->nodes[i - 1], node->parent))
            return false;
        for (uint32_t k = 1; k < node->count; k++)
            if (node->ids[k - 1] >= node->ids[k])
                return false;
    }
    return true;
}

static bool make_values(const build *build, kin__live_prefab *prefab)
{
    uint32_t count = 0;
    prefab->values = take(build, (kin__live_part_count(prefab) + 1) * sizeof *prefab->values);
    if (prefab->values == NULL)
        return false;
    for (uint32_t i = 0; i < prefab->count; i++)
        for (uint32_t k = 0; k < prefab->nodes[i]->count; k++)
            prefab->values[count++] = prefab->nodes[i]->values[k];
    return true;
}

static bool make_slots(const build *build, kin__live_prefab *prefab)
{
    kin_slot_info *slots = take(build, (prefab->link_count + 1) * sizeof *slots);
    if (slots == NULL)
        return false;
    if (prefab->link_count > 1)
        qsort(prefab->links, prefab->link_count, sizeof *prefab->links, compare_links);
    for (uint32_t i = 0; i < prefab->link_count; i++) {
        const kin__live_link *link = &prefab->links[i];
        slots[i] = (kin_slot_info){link->holder->number, link->target->number, link->id, link->offset};
    }
    prefab->tables.entity.slots = slots;
    prefab->tables.entity.slot_count = prefab->link_count;
    return true;
}

static bool make_children(const build *build, kin__live_prefab *prefab)
{
    uint32_t below = prefab->count - 1;
    kin_child_info *children = take(build, (below + 1) * sizeof *children);
    kin_descendant_info *descendants = take(build, (below + 1) * sizeof *descendants);
    if (children == NULL || descendants == NULL)
        return false;
    for (uint32_t i = 0; i < below; i++) {
        const kin__live_node *node = prefab->nodes[i + 1];
        kin_blueprint_info info = {.components = node->ids, .component_count = node->count};
        info.name = join(build, prefab->name, node->name);
        if (info.name == NULL)
            return false;
        children[i] = (kin_child_info){info, node->of, node->relation};
        descendants[i] = (kin_descendant_info){i, node->parent->number};
    }
    prefab->tables.children = children;
    prefab->tables.child_count = below;
    prefab->tables.entity.descendants = descendants;
    prefab->tables.entity.descendant_count = below;
    return true;
}

static bool make_tables(const build *build, kin__live_prefab *prefab)
{
    const kin__live_node *first = prefab->nodes[0];
    kin_blueprint_info *entity = &prefab->tables.entity;
    KIN_VALIDATE(is_in_order(prefab)); // 2
    *entity = (kin_blueprint_info){.name = prefab->name, .components = first->ids, .component_count = first->count};
    entity->extends = first->of + 1; // none, UINT32_MAX, becomes 0
    if (!make_values(build, prefab) || !make_children(build, prefab) || !make_slots(build, prefab))
        return no_memory(build);
    return true;
}

// ---- the pack

static bool check_package(const build *build)
{
    const kin__pack *pack = &build->generation->pack;
    const kin_package_info *package = build->info->package;
    if (package == NULL)
        return true;
    if (strcmp(package->name, pack->package) != 0)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "the pack is of package '%s', and this is '%s'", pack->package,
                           package->name);
    if (pack->version > package->version)
        return kin__refuse(build->why, KIN_ERROR_SHAPE, "the pack is of version %u of the schema, and this is %u",
                           (unsigned)pack->version, (unsigned)package->version);
    return true;
}

// Finds this context in the pack, which may say nothing about it.
static void find_context(const build *build)
{
    const kin__pack *pack = &build->generation->pack;
    build->generation->context = KIN__PACK_NONE;
    for (uint32_t i = 0; i < pack->context_count; i++)
        if (strcmp(kin__context_identity(build->info), pack->contexts[i].name) == 0)
            build->generation->context = i;
}

// Returns the component with an identity; the count of all if there is none.
static uint32_t find_component(const kin_context_info *info, const char *identity)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        if (strcmp(kin__component_identity(&info->components[id]), identity) == 0)
            return id;
    return info->component_count;
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
        uint32_t id = find_component(build->info, context->components[i].name);
        if (id == build->info->component_count)
            return kin__refuse(build->why, KIN_ERROR_SHAPE, "the schema has no component '%s'",
                               context->components[i].name);
        generation->components[i] = (kin_component_id)id;
    }
    return true;
}

static int compare_hashes(const void *a, const void *b)
{
    uint32_t x = ((const kin__live_hashed *)a)->hash;
    uint32_t y = ((const kin__live_hashed *)b)->hash;
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
    KIN_ASSERT(generation->pack.prefab_count == 0);
    if (generation->prefabs == NULL)
        return no_memory(&build);
    return make_blueprints(&build);
}

// Reads the pack from a copy of its bytes, in which its texts and values stay.
static bool read_pack(kin__generation *generation, kin__memory *memory, const void *bytes, kin__why *why)
{
    kin__pack_fault fault;
    generation->bytes = kin__arena_copy(&generation->arena, bytes, generation->size);
    if (generation->bytes == NULL)
        return kin__refuse_memory(why);
    if (!kin__pack_read(&generation->pack, memory, generation->bytes, generation->size, &fault))
        return kin__refuse(why, fault.status, "%s", fault.text);
    return true;
}

kin__generation *kin__generation_make(kin_content *content, const void *bytes, size_t size, kin__why *why)
{
    kin__generation *generation = kin__allocate_zero(&content->memory, sizeof *generation);
    build build = {content, generation, content->info, why};
    if (generation == NULL) {
        kin__refuse_memory(why);
        return NULL;
    }
    generation->arena.memory = &content->memory;
    generation->size = size;
    if (!read_pack(generation, &content->memory, bytes, why)) {
        kin__arena_release(&generation->arena);
        kin__release(&content->memory, generation, sizeof *generation);
        return NULL;
    }
    generation->version = generation->pack.content;
    find_context(&build);
    if (check_package(&build) && find_components(&build) && make_all(&build))
        return generation;
    kin__generation_release(content, generation);
    return NULL;
}

void kin__level_instances_forget(kin__generation *generation)
{
    if (generation->listed == NULL)
        return;
    for (uint32_t i = 0; i < generation->pack.level_count; i++) {
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
