#include "read/match.h"

#include "file/file.h"
#include "shape/identity.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 600 };

typedef struct match {
    const kin__matching *with;
    const kin__shape *shape;
    const kin_world_info *world; // NULL: only the own context is known
    bool drops_unknown;
    kin__unfit *unfit;
} match;

bool kin__is_given_up(const kin_package_info *package, const char *name)
{
    for (uint32_t i = 0; i < package->removed_count; i++) {
        size_t length = strlen(package->removed[i]);
        if (strncmp(name, package->removed[i], length) == 0 && (name[length] == '\0' || name[length] == '.'))
            return true;
    }
    return false;
}

// The same, also if it is removed from this context alone: "scene.Health".
static bool is_given_up(const kin_context_info *info, const char *name)
{
    char of_context[2 * NAME];
    snprintf(of_context, sizeof of_context, "%s.%s", kin__context_identity(info), name);
    return kin__is_given_up(info->package, name) || kin__is_given_up(info->package, of_context);
}

static void miss(match *match, const char *name)
{
    if (!match->drops_unknown && !is_given_up(match->shape->info, name))
        kin__unfit_add(match->unfit->unknown, name);
}

// ---- types

static bool is_integer(kin_type type)
{
    return type >= KIN_TYPE_INT8 && type <= KIN_TYPE_UINT64;
}

static bool is_floating(kin_type type)
{
    return type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE;
}

static bool is_string(kin_type type)
{
    return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING;
}

static bool is_number(kin_type type)
{
    return is_integer(type) || is_floating(type);
}

// Whether values of one type may become values of the other.
static bool may_convert(kin_type from, kin_type to)
{
    if (from == to)
        return true;
    if (is_string(from))
        return is_string(to);
    if (from == KIN_TYPE_BOOL || from == KIN_TYPE_ENUM)
        return is_number(to);
    if (is_floating(from))
        return is_floating(to);
    return is_integer(from) && (is_number(to) || to == KIN_TYPE_ENUM);
}

// Returns the name that saves have of a context.
static const char *identity_of(const match *match, const char *context)
{
    const kin_context_info *own = match->shape->info;
    for (uint32_t i = 0; match->world != NULL && i < match->world->context_count; i++)
        if (strcmp(match->world->contexts[i]->name, context) == 0)
            return kin__context_identity(match->world->contexts[i]);
    return strcmp(context, own->name) == 0 ? kin__context_identity(own) : context;
}

// Whether the handles are of the context that they must be of now.
static bool has_target(const match *match, const kin__file_leaf *leaf, const char *target)
{
    return leaf->value_count > 0 && strcmp(leaf->values[0].name, identity_of(match, target)) == 0;
}

static bool fits_target(const match *match, const kin__file_leaf *leaf, const kin__value_leaf *now)
{
    const char *target = now->field->target;
    return leaf->type != KIN_TYPE_ENTITY || target == NULL || has_target(match, leaf, target);
}

// ---- fields

static void match_values(match *match, const char *component, kin__file_leaf *leaf)
{
    const kin_type_info *type = leaf->now->field->of;
    char name[NAME];
    for (uint32_t i = 0; i < leaf->value_count; i++) {
        kin__file_value *value = &leaf->values[i];
        for (uint32_t k = 0; k < type->value_count && !value->is_known; k++)
            if (strcmp(kin__enum_value_identity(&type->values[k]), value->name) == 0) {
                value->now = type->values[k].value;
                value->is_known = true;
            }
        snprintf(name, sizeof name, "%s.%s.%s", component, leaf->path, value->name);
        value->is_given_up = !value->is_known && is_given_up(match->shape->info, name);
        leaf->is_converted |= !value->is_known || value->now != value->number;
    }
}

// Whether the length can be converted. Only that of the outermost array or list may differ: paths contain the others.
static bool fits_length(const kin__file_leaf *leaf, const kin__value_leaf *now)
{
    if (leaf->is_list && now->is_list)
        return leaf->elements == now->elements;
    if (now->is_list)
        return leaf->elements % now->elements == 0;
    return !leaf->is_list || now->elements % leaf->elements == 0;
}

// Whether a path is that of a field in the other one, which is a struct then.
static bool is_inside(const char *path, const char *other)
{
    size_t length = strlen(other);
    return strncmp(path, other, length) == 0 && path[length] == '.';
}

// Whether the component migrates, and the field was in a struct that is no struct now, or is one now.
static bool is_nested_anew(const kin__file_component *component, const kin__file_leaf *leaf)
{
    const kin__leaves *leaves = &component->now->leaves;
    for (uint32_t i = 0; component->now->info->migrates && i < leaves->count; i++)
        if (is_inside(leaf->path, leaves->leaves[i].path) || is_inside(leaves->leaves[i].path, leaf->path))
            return true;
    return false;
}

static void match_leaf(match *match, kin__file_component *component, kin__file_leaf *leaf)
{
    const kin__leaves *leaves = &component->now->leaves;
    char name[NAME];
    snprintf(name, sizeof name, "%s.%s", component->name, leaf->path);
    for (uint32_t i = 0; i < leaves->count && leaf->now == NULL; i++)
        if (strcmp(leaves->leaves[i].path, leaf->path) == 0)
            leaf->now = &leaves->leaves[i];
    if (leaf->now == NULL && is_nested_anew(component, leaf))
        return;
    if (leaf->now == NULL) {
        miss(match, name);
        component->is_dropped = true;
        return;
    }
    if (!fits_length(leaf, leaf->now) || !may_convert(leaf->type, leaf->now->field->type) ||
        !fits_target(match, leaf, leaf->now)) {
        if (!component->now->info->migrates)
            kin__unfit_add_type(match->unfit, name, leaf, leaf->now, fits_length(leaf, leaf->now));
        leaf->now = NULL;
        return;
    }
    leaf->is_converted = leaf->type != leaf->now->field->type || leaf->elements != leaf->now->elements ||
                         leaf->is_list != leaf->now->is_list;
    if (leaf->type == KIN_TYPE_ENUM && leaf->now->field->type == KIN_TYPE_ENUM)
        match_values(match, component->name, leaf);
    component->is_converted |= leaf->is_converted;
}

const kin__migration *kin__migration_of(const kin__matching *matching, kin_component_id id)
{
    const kin__migrations *migrations = matching->migrations;
    for (uint32_t i = 0; migrations != NULL && i < migrations->count; i++)
        if (migrations->migrations[i].context == matching->shape->info && migrations->migrations[i].component == id)
            return &migrations->migrations[i];
    return NULL;
}

// Whether numbers of values have moved, unless they are those from 0 on before and now: numbers that no value has may
// mean something else then.
static bool has_moved_numbers(const kin__file_leaf *leaf)
{
    const kin_type_info *now = leaf->now->field->of;
    bool has_moved = false, is_plain = true;
    for (uint32_t i = 0; i < leaf->value_count; i++) {
        const kin__file_value *value = &leaf->values[i];
        has_moved = has_moved || (value->is_known && value->number != value->now);
        is_plain = is_plain && value->number >= 0 && value->number < leaf->value_count;
    }
    for (uint32_t i = 0; i < now->value_count; i++)
        is_plain = is_plain && now->values[i].value >= 0 && (uint32_t)now->values[i].value < now->value_count;
    return has_moved && !is_plain;
}

static bool is_reshaped_leaf(const match *match, const kin__file_leaf *leaf)
{
    const kin__value_leaf *now = leaf->now;
    if (now == NULL || leaf->type != now->field->type || leaf->elements != now->elements ||
        leaf->is_list != now->is_list)
        return true;
    if (leaf->type == KIN_TYPE_ENTITY)
        return now->field->target == NULL ? leaf->value_count > 0 : !has_target(match, leaf, now->field->target);
    if (leaf->type != KIN_TYPE_ENUM)
        return false;
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (!leaf->values[i].is_known)
            return true;
    return leaf->value_count != now->field->of->value_count || has_moved_numbers(leaf);
}

static void match_component(match *match, kin__file_component *component)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < match->shape->count && component->now == NULL; i++)
        if (strcmp(match->shape->components[i].identity, component->name) == 0)
            component->now = &match->shape->components[i];
    if (component->now == NULL) {
        miss(match, component->name);
        return;
    }
    if (component->now->info->migrates)
        component->migration = kin__migration_of(match->with, component->now->id);
    for (uint32_t i = 0; i < component->leaf_count; i++) {
        match_leaf(match, component, &component->leaves[i]);
        known += component->leaves[i].now != NULL;
    }
    component->is_defaulted = known < component->now->leaves.count;
    component->is_reshaped = component->is_unique != component->now->info->is_unique ||
                             known != component->leaf_count || component->is_defaulted;
    for (uint32_t i = 0; i < component->leaf_count; i++)
        component->is_reshaped |= is_reshaped_leaf(match, &component->leaves[i]);
}

void kin__file_context_match(kin__file_context *context, const kin__matching *matching, kin__unfit *unfit)
{
    const kin_read_options *options = matching->options;
    match match = {.with = matching,
                   .shape = matching->shape,
                   .world = context->world,
                   .drops_unknown = options != NULL && options->drop_unknown,
                   .unfit = unfit};
    for (uint32_t i = 0; i < context->component_count; i++)
        match_component(&match, &context->components[i]);
}

void kin__file_message_match(kin__file_component *message, const kin__component_shape *now, const kin__shape *shape,
                             const kin_world_info *world)
{
    kin__unfit unfit;
    match match = {.shape = shape, .world = world, .drops_unknown = true, .unfit = &unfit};
    message->now = now;
    for (uint32_t i = 0; i < message->leaf_count; i++) {
        unfit.types[0] = '\0';
        match_leaf(&match, message, &message->leaves[i]);
        if (unfit.types[0] != '\0')
            message->leaves[i].now = NULL;
    }
}
