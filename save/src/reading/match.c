#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 600, TEXT = 700, VALUE = 120, PLACE = 300 }; // letters

// ---- names that do not fit

// Returns the bytes of the characters of UTF-8 that fit into so many.
static size_t whole_characters(const char *text, size_t size)
{
    while (size > 0 && (text[size] & 0xC0) == 0x80)
        size--;
    return size;
}

void kin__unfit_add(char names[KIN__UNFIT_NAMES], const char *name)
{
    static const char more[] = ", …";
    size_t used = strlen(names);
    const char *comma = "";
    if (used > 0)
        comma = ", ";
    size_t room = KIN__UNFIT_NAMES - sizeof more - used;
    bool is_full = used >= sizeof more && strcmp(names + used - strlen(more), more) == 0;
    KIN_ASSERT(used < KIN__UNFIT_NAMES);
    if (is_full)
        return;
    if (strlen(name) + strlen(comma) <= room)
        snprintf(names + used, KIN__UNFIT_NAMES - used, "%s%s", comma, name);
    else if (used > 0)
        memcpy(names + used, more, sizeof more);
    else
        snprintf(names, KIN__UNFIT_NAMES, "%.*s…", (int)whole_characters(name, 200), name);
}

static void add_unfit_type(kin__unfit *unfit, const char *name, const kin__file_leaf *leaf, const kin__value_leaf *now,
                           bool fits_length)
{
    char text[TEXT];
    const char *from = kin_type_name(leaf->type);
    const char *to = kin_type_name(now->field->type);
    if (leaf->type != now->field->type && strcmp(from, to) != 0)
        snprintf(text, sizeof text, "%s (was %s, is %s)", name, from, to);
    else if (!fits_length)
        snprintf(text, sizeof text, "%s (%s of another length)", name, from);
    else
        snprintf(text, sizeof text, "%s (%s of another context)", name, from);
    kin__unfit_add(unfit->types, text);
}

// ---- reports of them

static bool note_newer(kin__fault *fault, const char *what, const char *names, uint32_t version, uint32_t own,
                       const char *advice)
{
    return kin__fault_note(fault, KIN_ERROR_SHAPE,
                           "it has %s%s; the file is of version %" PRIu32 ", and this program of version %" PRIu32
                           "; use a newer program%s",
                           names, what, version, own, advice);
}

bool kin__unfit_report(const kin__unfit *unfit, kin__fault *fault, const kin_package_info *package, uint32_t version)
{
    if (unfit->unknown[0] != '\0') {
        if (version > package->version)
            return note_newer(fault, ", which the schema lacks", unfit->unknown, version, package->version,
                              ", or set drop_unknown [K1305]");
        return kin__fault_note(
            fault, KIN_ERROR_SHAPE,
            "it has %s, which the schema lacks; write 'was' for what was renamed, and 'removed' for what "
            "was removed [K1305]",
            unfit->unknown);
    }
    if (unfit->types[0] == '\0')
        return true;
    if (version > package->version)
        return note_newer(fault, ", whose types cannot be converted", unfit->types, version, package->version,
                          " [K1306]");
    return kin__fault_note(fault, KIN_ERROR_SHAPE,
                           "it has %s, whose types cannot be converted; keep the former type, or write 'migrate: true' "
                           "at the component [K1306]",
                           unfit->types);
}

// ---- values that do not fit

static const char *enum_name(const kin__file_leaf *leaf, int64_t number)
{
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (leaf->values[i].number == number)
            return leaf->values[i].name;
    return NULL;
}

// Writes what the value is, and what to do.
static void describe(const kin__file_leaf *leaf, const unsigned char *from, char value[VALUE], const char **advice)
{
    const char *name = NULL;
    kin__file_number number = {0};
    *advice = "does not fit its current type; make the type wider";
    if (leaf->now->field->type == KIN_TYPE_OPAQUE)
        *advice = "its load function refuses; read former values there, or write 'migrate: true' at the component";
    if (from != NULL)
        number = kin__file_number_read(leaf->type, from);
    if (from != NULL && leaf->type == KIN_TYPE_ENUM)
        name = enum_name(leaf, number.integer);
    if (from == NULL)
        snprintf(value, VALUE, "a value");
    else if (name != NULL)
        snprintf(value, VALUE, "the value '%.100s'", name);
    else if (number.is_floating)
        snprintf(value, VALUE, "the value %.17g", number.floating);
    else if (number.is_large)
        snprintf(value, VALUE, "the value %" PRIu64, (uint64_t)number.integer);
    else
        snprintf(value, VALUE, "the value %" PRId64, number.integer);
    if (name != NULL && leaf->now->field->type == KIN_TYPE_ENUM)
        *advice = "is not in its enum; write 'was' at its new name, list it in 'removed', or use a newer program";
    else if (from != NULL && leaf->now->field->type == KIN_TYPE_ENUM)
        *advice = "is the number of no value of its enum; add one";
}

bool kin__unfit_value(const kin__read_values *values, const kin__file_leaf *leaf, uint32_t number,
                      const unsigned char *from)
{
    char place[PLACE], value[VALUE];
    const char *advice;
    describe(leaf, from, value, &advice);
    if (values->entities == NULL)
        snprintf(place, sizeof place, "%.80s.%.80s of a message", values->component->name, leaf->path);
    else
        snprintf(place, sizeof place, "%.80s.%.80s of entity %" PRIu64 " in slot %" PRIu32, values->component->name,
                 leaf->path, kin_entity_creation_index(values->entities[number]),
                 kin_entity_slot(values->entities[number]));
    return kin__fault_note(values->reader->input->fault, KIN_ERROR_SHAPE, "%s has %s, which %s [K1306]", place, value,
                           advice);
}

// ---- matching

typedef struct match {
    const kin__matching *with;
    const kin__shape *shape;
    const kin_world_info *world; // NULL if only the own context is known
    bool drops_unknown;
    kin__unfit *unfit;
} match;

// Whether a path is that of something in the other one: "scene.Health" in "scene".
static bool is_inside(const char *path, const char *other)
{
    size_t length = strlen(other);
    return strncmp(path, other, length) == 0 && path[length] == '.';
}

bool kin__is_given_up(const kin_package_info *package, const char *name)
{
    for (uint32_t i = 0; i < package->removed_count; i++) {
        if (strcmp(name, package->removed[i]) == 0 || is_inside(name, package->removed[i]))
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
    bool may_become = is_number(to) || to == KIN_TYPE_ENUM;
    return is_integer(from) && may_become;
}

// Returns the name that saves have of a context.
static const char *identity_of(const match *match, const char *context)
{
    const kin_context_info *own = match->shape->info;
    for (uint32_t i = 0; match->world != NULL && i < match->world->context_count; i++)
        if (strcmp(match->world->contexts[i]->name, context) == 0)
            return kin__context_identity(match->world->contexts[i]);
    if (strcmp(context, own->name) == 0)
        return kin__context_identity(own);
    return context;
}

// Whether the handles are of the context that they must be of now.
static bool has_target(const match *match, const kin__file_leaf *leaf, const char *target)
{
    return leaf->value_count > 0 && strcmp(leaf->values[0].name, identity_of(match, target)) == 0;
}

static bool fits_target(const match *match, const kin__file_leaf *leaf, const kin__value_leaf *now)
{
    const char *target = now->field->target;
    if (leaf->type != KIN_TYPE_ENTITY || target == NULL)
        return true;
    return has_target(match, leaf, target);
}

// ---- fields

static void match_values(const match *match, const char *component, kin__file_leaf *leaf)
{
    const kin_type_info *type = leaf->now->field->of;
    char name[NAME];
    KIN_ASSERT(leaf->type == KIN_TYPE_ENUM && leaf->now->field->type == KIN_TYPE_ENUM);
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

// Whether the component migrates, and the field was in a struct that is no struct now, or is one now.
static bool is_nested_anew(const kin__file_component *component, const kin__file_leaf *leaf)
{
    const kin__leaves *leaves = &component->now->leaves;
    for (uint32_t i = 0; component->now->info->migrates && i < leaves->count; i++)
        if (is_inside(leaf->path, leaves->leaves[i].path) || is_inside(leaves->leaves[i].path, leaf->path))
            return true;
    return false;
}

// Whether a leaf has another type, length or number than now.
static bool is_reshaped_type(const kin__file_leaf *leaf)
{
    const kin__value_leaf *now = leaf->now;
    bool is_as_long = leaf->elements == now->elements && leaf->is_list == now->is_list;
    return leaf->type != now->field->type || !is_as_long;
}

static void match_leaf(match *match, kin__file_component *component, kin__file_leaf *leaf)
{
    const kin__leaves *leaves = &component->now->leaves;
    char name[NAME];
    KIN_ASSERT(component->now != NULL && leaf->now == NULL);
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
    bool has_length = fits_length(leaf, leaf->now);
    bool fits = has_length && may_convert(leaf->type, leaf->now->field->type);
    if (!fits || !fits_target(match, leaf, leaf->now)) {
        if (!component->now->info->migrates)
            add_unfit_type(match->unfit, name, leaf, leaf->now, has_length);
        leaf->now = NULL;
        return;
    }
    leaf->is_converted = is_reshaped_type(leaf);
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
    bool has_moved = false;
    bool is_plain = true;
    for (uint32_t i = 0; i < leaf->value_count; i++) {
        const kin__file_value *value = &leaf->values[i];
        if (value->is_known && value->number != value->now)
            has_moved = true;
        if (value->number < 0 || value->number >= leaf->value_count)
            is_plain = false;
    }
    for (uint32_t i = 0; i < now->value_count; i++)
        if (now->values[i].value < 0 || (uint32_t)now->values[i].value >= now->value_count)
            is_plain = false;
    return has_moved && !is_plain;
}

static bool is_reshaped_leaf(const match *match, const kin__file_leaf *leaf)
{
    const kin__value_leaf *now = leaf->now;
    if (now == NULL || is_reshaped_type(leaf))
        return true;
    if (leaf->type == KIN_TYPE_ENTITY && now->field->target == NULL)
        return leaf->value_count > 0;
    if (leaf->type == KIN_TYPE_ENTITY)
        return !has_target(match, leaf, now->field->target);
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
    KIN_ASSERT(component->now == NULL && component->migration == NULL);
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
    KIN_ASSERT(known <= component->leaf_count);
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
