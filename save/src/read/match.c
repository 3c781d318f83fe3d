#include "read/match.h"

#include "frame/enum_value.h"
#include "shape/identity.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 300, NAME = 600 };

typedef struct match {
    const kin__shape *shape;
    const kin_world_info *world; // NULL: only the own context is known
    bool drops_unknown;
    char unknown[NAMES]; // names of what the schema does not know, and of what does not fit
    char unfit[NAMES];
} match;

static void add_name(char *names, const char *name)
{
    size_t length = strlen(names);
    snprintf(names + length, NAMES - length, "%s%s", length == 0 ? "" : ", ", name);
}

bool kin__is_given_up(const kin_package_info *package, const char *name)
{
    for (uint32_t i = 0; i < package->removed_count; i++) {
        size_t length = strlen(package->removed[i]);
        if (strncmp(name, package->removed[i], length) == 0 && (name[length] == '\0' || name[length] == '.'))
            return true;
    }
    return false;
}

// The same, also if it does so in this context alone: "scene.Health".
static bool is_given_up(const kin_context_info *info, const char *name)
{
    char of_context[2 * NAME];
    snprintf(of_context, sizeof of_context, "%s.%s", kin__context_identity(info), name);
    return kin__is_given_up(info->package, name) || kin__is_given_up(info->package, of_context);
}

static void miss(match *match, const char *name)
{
    if (!match->drops_unknown && !is_given_up(match->shape->info, name))
        add_name(match->unknown, name);
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

static bool fits_target(const match *match, const kin__file_leaf *leaf, const kin__value_leaf *now)
{
    const char *target = now->field->target;
    if (leaf->type != KIN_TYPE_ENTITY || target == NULL)
        return true;
    if (leaf->value_count == 0)
        return false;
    return strcmp(leaf->values[0].name, identity_of(match, target)) == 0;
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

// Whether the lengths can be those of now. Only the outermost array or list has another one: the paths say the others.
static bool fits_length(const kin__file_leaf *leaf, const kin__value_leaf *now)
{
    if (leaf->is_list && now->is_list)
        return leaf->elements == now->elements;
    if (now->is_list)
        return leaf->elements % now->elements == 0;
    return !leaf->is_list || now->elements % leaf->elements == 0;
}

static void match_leaf(match *match, kin__file_component *component, kin__file_leaf *leaf)
{
    const kin__leaves *leaves = &component->now->leaves;
    char name[NAME];
    snprintf(name, sizeof name, "%s.%s", component->name, leaf->path);
    for (uint32_t i = 0; i < leaves->count && leaf->now == NULL; i++)
        if (strcmp(leaves->leaves[i].path, leaf->path) == 0)
            leaf->now = &leaves->leaves[i];
    if (leaf->now == NULL) {
        miss(match, name);
        component->is_dropped = true;
        return;
    }
    if (!fits_length(leaf, leaf->now) || !may_convert(leaf->type, leaf->now->field->type) ||
        !fits_target(match, leaf, leaf->now)) {
        add_name(match->unfit, name);
        return;
    }
    leaf->is_converted = leaf->type != leaf->now->field->type || leaf->elements != leaf->now->elements ||
                         leaf->is_list != leaf->now->is_list;
    if (leaf->type == KIN_TYPE_ENUM && leaf->now->field->type == KIN_TYPE_ENUM)
        match_values(match, component->name, leaf);
    component->is_converted |= leaf->is_converted;
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
    for (uint32_t i = 0; i < component->leaf_count; i++) {
        match_leaf(match, component, &component->leaves[i]);
        known += component->leaves[i].now != NULL;
    }
    component->is_defaulted = known < component->now->leaves.count;
}

bool kin__file_context_match(kin__file_context *context, const kin__shape *shape, const kin_read_options *options,
                             kin__fault *fault)
{
    match match = {.shape = shape, .world = context->world, .drops_unknown = options != NULL && options->drop_unknown};
    for (uint32_t i = 0; i < context->component_count; i++)
        match_component(&match, &context->components[i]);
    if (match.unknown[0] != '\0')
        return kin__fault_note(fault, KIN_ERROR_SHAPE,
                               "it has %s, which the schema does not; say 'was' where it is now, or name it in "
                               "'removed' [K1305]",
                               match.unknown);
    if (match.unfit[0] != '\0')
        return kin__fault_note(fault, KIN_ERROR_SHAPE,
                               "the types that %s had cannot become those of now; give the new field another name "
                               "[K1306]",
                               match.unfit);
    return true;
}

void kin__file_message_match(kin__file_component *message, const kin__component_shape *now, const kin__shape *shape,
                             const kin_world_info *world)
{
    match match = {.shape = shape, .world = world, .drops_unknown = true};
    message->now = now;
    for (uint32_t i = 0; i < message->leaf_count; i++) {
        match.unfit[0] = '\0';
        match_leaf(&match, message, &message->leaves[i]);
        if (match.unfit[0] != '\0')
            message->leaves[i].now = NULL;
    }
}
