#include "query/query.h"

#include <kin/generated/relation.h>
#include <kin/inventory.h>
#include <kin/look.h>

#include <string.h>

enum { ALIGNMENT = 16 };

void *kin__capture_reserve(kin__capture *capture, size_t size)
{
    KIN_ASSERT(capture->size <= capture->capacity);
    KIN_ASSERT(capture->at != NULL || capture->capacity == 0);
    size_t begin = (capture->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (capture->is_full || begin > capture->capacity || size > capture->capacity - begin) {
        capture->is_full = true;
        return NULL;
    }
    capture->size = begin + size;
    return memset(capture->at + begin, 0, size);
}

// Returns a copy of the bytes behind their count, and with a NUL behind them.
static void *keep(kin__capture *capture, const void *bytes, size_t size, kin__captured_size count)
{
    KIN_ASSERT(count.kept <= count.whole);
    char *block = kin__capture_reserve(capture, ALIGNMENT + size + 1);
    if (block == NULL)
        return NULL;
    memcpy(block + ALIGNMENT - sizeof count, &count, sizeof count);
    if (size > 0)
        memcpy(block + ALIGNMENT, bytes, size);
    return block + ALIGNMENT;
}

kin__captured_size kin__captured_size_of(const void *captured)
{
    kin__captured_size size;
    memcpy(&size, (const char *)captured - sizeof size, sizeof size);
    KIN_ASSERT(size.kept <= size.whole);
    return size;
}

// Returns the most bytes up to `size` that end with a character of UTF-8.
static size_t cut_of(const char *text, size_t size)
{
    size_t cut = size;
    while (cut > 0 && size - cut < 3 && (text[cut] & 0xC0) == 0x80)
        cut--;
    if ((text[cut] & 0xC0) == 0x80) // it is no UTF-8
        return size;
    return cut;
}

const char *kin__capture_string(kin__capture *capture, const char *text)
{
    if (text == NULL)
        return NULL;
    size_t whole = strlen(text);
    size_t kept = kin__min_size(whole, capture->string_limit);
    if (kept < whole)
        kept = cut_of(text, kept);
    return keep(capture, text, kept, (kin__captured_size){(uint32_t)whole, (uint32_t)kept});
}

// ---- values

static bool capture_element(kin__capture *capture, const kin_field_info *field, char *at)
{
    if (field->type == KIN_TYPE_STRUCT)
        return kin__capture_fields(capture, field->of->fields, field->of->field_count, at);
    if (field->type != KIN_TYPE_STRING)
        return true;
    const char *text;
    memcpy(&text, at, sizeof text);
    text = kin__capture_string(capture, text);
    memcpy(at, &text, sizeof text);
    return !capture->is_full;
}

static bool capture_elements(kin__capture *capture, const kin_field_info *field, char *at, uint32_t count, size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (!capture_element(capture, field, at + i * size))
            return false;
    return true;
}

static bool capture_list(kin__capture *capture, const kin_field_info *field, char *at)
{
    struct {
        const void *at;
        uint32_t count;
    } list;
    memcpy(&list, at, sizeof list);
    uint32_t kept = kin__min_32(list.count, KIN__CAPTURED_ELEMENTS);
    char *elements = keep(capture, list.at, kept * field->element_size, (kin__captured_size){list.count, kept});
    if (elements == NULL)
        return false;
    list.at = elements;
    list.count = kept;
    memcpy(at, &list, sizeof list);
    if (field->type == KIN_TYPE_OPAQUE)
        memset(elements, 0, kept * field->element_size);
    return capture_elements(capture, field, elements, kept, field->element_size);
}

// Structs do not contain themselves, so this ends.
bool kin__capture_fields(kin__capture *capture, const kin_field_info *fields, uint32_t count, char *value)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        char *at = value + field->offset;
        uint32_t elements = kin__max_32(field->count, 1);
        bool is_opaque = field->type == KIN_TYPE_OPAQUE && !field->is_list;
        if (field->inspect == KIN_INSPECT_HIDDEN || is_opaque)
            memset(at, 0, field->size);
        else if (field->is_list)
            is_whole = capture_list(capture, field, at) && is_whole;
        else
            is_whole = capture_elements(capture, field, at, elements, field->size / elements) && is_whole;
    }
    return is_whole;
}

void *kin__capture_component(kin__capture *capture, const kin_context *context, kin_entity entity, kin_component_id id)
{
    KIN_ASSERT(id < kin_context_info_of(context)->component_count);
    const kin_component_info *info = &kin_context_info_of(context)->components[id];
    char *value = kin__capture_reserve(capture, kin__max_size(info->size, 1));
    if (value == NULL || !kin_look_read(context, entity, id, value))
        return NULL;
    if (info->inspect == KIN_INSPECT_HIDDEN)
        memset(value, 0, info->size);
    else if (!kin__capture_fields(capture, info->fields, info->field_count, value))
        return NULL;
    return value;
}

const void *kin__capture_label(kin__capture *capture, const kin_context *context, kin_entity entity)
{
    KIN_ASSERT(kin_entity_is_alive(context, entity));
    const kin_key_info *label = kin_context_info_of(context)->label;
    if (label == NULL || label->field->inspect == KIN_INSPECT_HIDDEN)
        return NULL;
    if (!kin_has(context, entity, label->component))
        return NULL;
    return kin__capture_component(capture, context, entity, label->component);
}

// ---- names of entities

// What an entity without a label is called: what it was spawned from.
//
// An entity does not know its blueprint, but its chunk does. A child without a blueprint of its own is found by its
// parent: the children of a blueprint are spawned in the order of the schema, below the entity of their parent.

enum { MOST_BLUEPRINTS = 512, MOST_LEVELS = 8, MOST_HOLDERS = 64 };

// The entity of a blueprint, or the one of its descendant `number - 1`.
typedef struct origin {
    const kin_blueprint_info *blueprint; // or NULL without a blueprint
    uint32_t number;
} origin;

// Returns the number of the blueprint from whose slots the entity is, or UINT32_MAX.
static uint32_t find_blueprint(const kin_context *context, kin_entity entity)
{
    const kin_context_info *info = kin_context_info_of(context);
    kin_pool_usage pools[MOST_BLUEPRINTS + 1];
    if (info->blueprint_count > MOST_BLUEPRINTS)
        return UINT32_MAX;
    for (uint32_t i = 0; i <= info->blueprint_count; i++)
        pools[i] = (kin_pool_usage){0};
    kin_context_pools(context, kin_entity_slot(entity) / KIN__CHUNK_SLOTS, 1, pools);
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        if (pools[i + 1].chunks > 0)
            return i;
    return UINT32_MAX;
}

// ---- children

static bool fits(const kin_context *context, kin_entity entity, const kin_child_info *child)
{
    if (child->of != find_blueprint(context, entity))
        return false;
    for (uint32_t i = 0; i < child->entity.component_count; i++)
        if (!kin_has(context, entity, child->entity.components[i]))
            return false;
    return true;
}

// Walks over the children that the schema has below an entity.
typedef struct children {
    const kin_context *context;
    origin above;
    kin_entity parent;
} children;

static const kin_child_info *child_of(const children *children, uint32_t place)
{
    const kin_descendant_info *descendant = &children->above.blueprint->descendants[place];
    if (descendant->parent != children->above.number)
        return NULL;
    return &kin_context_info_of(children->context)->children[descendant->child];
}

// Returns how many entities below the parent could be this child.
static uint32_t count_fits(const children *children, const kin_child_info *child)
{
    uint32_t count = 0;
    uint32_t seen = 0;
    kin_entity holder = kin__relation_first(children->context, child->relation, children->parent);
    for (; holder != 0 && seen < MOST_HOLDERS; seen++) {
        count += fits(children->context, holder, child);
        holder = kin__relation_next(children->context, child->relation, holder);
    }
    if (seen == MOST_HOLDERS)
        return MOST_HOLDERS;
    return count;
}

// Returns the place of the only child that the entity can be, or UINT32_MAX.
static uint32_t find_only(const children *children, kin_entity entity)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < children->above.blueprint->descendant_count; i++) {
        const kin_child_info *child = child_of(children, i);
        if (child == NULL || !fits(children->context, entity, child))
            continue;
        if (found != UINT32_MAX || count_fits(children, child) != 1)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

// Returns the place of the child, if all children are there in the order of the schema and no others; else UINT32_MAX.
static uint32_t find_in_order(const children *children, kin_entity entity, uint32_t relation)
{
    kin_entity holder = kin__relation_first(children->context, relation, children->parent);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < children->above.blueprint->descendant_count; i++) {
        const kin_child_info *child = child_of(children, i);
        if (child == NULL)
            continue;
        if (holder == 0 || !fits(children->context, holder, child))
            return UINT32_MAX;
        if (holder == entity)
            found = i;
        holder = kin__relation_next(children->context, relation, holder);
    }
    if (holder != 0)
        return UINT32_MAX;
    return found;
}

static kin_entity parent_in(const kin_context *context, uint32_t tree, kin_entity entity)
{
    const kin_relation_info *relation = &kin_context_info_of(context)->relations[tree];
    const kin_component_info *component = &kin_context_info_of(context)->components[relation->component];
    char value[1024] = {0};
    kin_entity parent = 0;
    if (component->size > sizeof value || !kin_look_read(context, entity, relation->component, value))
        return 0;
    memcpy(&parent, value + relation->field->offset, sizeof parent);
    if (!kin_entity_is_alive(context, parent))
        return 0;
    return parent;
}

// Finds the origins from the highest parent on down, so that each is below one that is known.
static origin find_origin(const kin_context *context, kin_entity entity)
{
    KIN_ASSERT(entity != 0);
    const kin_context_info *info = kin_context_info_of(context);
    kin_entity chain[MOST_LEVELS + 1] = {entity}; // a 0 is after the last one
    uint32_t length = 1;
    uint32_t tree = UINT32_MAX; // in which blueprints put their children
    if (info->child_count > 0)
        tree = info->children[0].relation;
    while (tree != UINT32_MAX && length < MOST_LEVELS) {
        chain[length] = parent_in(context, tree, chain[length - 1]);
        if (chain[length] == 0)
            break;
        length++;
    }
    origin found = {NULL, 0};
    for (uint32_t i = length; i-- > 0;) {
        uint32_t place = UINT32_MAX;
        const children below = {context, found, chain[i + 1]};
        if (found.blueprint != NULL && below.parent != 0) {
            place = find_in_order(&below, chain[i], tree);
            if (place == UINT32_MAX)
                place = find_only(&below, chain[i]);
        }
        if (place != UINT32_MAX) {
            found.number = place + 1;
            continue;
        }
        uint32_t blueprint = find_blueprint(context, chain[i]);
        found = (origin){NULL, 0};
        if (blueprint != UINT32_MAX)
            found.blueprint = &info->blueprints[blueprint];
    }
    return found;
}

// ---- the name

// Returns a unique component of the entity, or NULL.
static const char *find_unique(const kin_context *context, kin_entity entity)
{
    const kin_context_info *info = kin_context_info_of(context);
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin_component_info *component = &info->components[id];
        bool is_shown = component->is_unique && component->inspect != KIN_INSPECT_HIDDEN;
        if (is_shown && kin_context_carrier(context, (kin_component_id)id) == entity)
            return component->name;
    }
    return NULL;
}

const char *kin__name_of(const kin_context *context, kin_entity entity)
{
    KIN_ASSERT(kin_entity_is_alive(context, entity));
    origin origin = find_origin(context, entity);
    if (origin.blueprint == NULL)
        return find_unique(context, entity);
    if (origin.number == 0)
        return origin.blueprint->name;
    uint32_t child = origin.blueprint->descendants[origin.number - 1].child;
    return kin_context_info_of(context)->children[child].entity.name;
}

const char *kin__capture_name(kin__capture *capture, const kin_context *context, kin_entity entity)
{
    void *content;
    char name[256];
    const kin_content_face *face = kin_content_face_of(context, &content);
    if (face != NULL && face->name(content, entity, name, sizeof name) > 0)
        return kin__capture_string(capture, name);
    return kin__name_of(context, entity);
}
