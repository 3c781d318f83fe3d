#include "frame/frame.h"

#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Shapes as bytes, and whether programs of two shapes can meet. All counts are numbers, and texts have their length.
//
//   shape      package; contexts: count, each; messages: count, each
//   context    name, number; components: count, each { name, flags: 1 owner; leaves }; the fields with `zone` and `peer`:
//              0, or the index of the component and 1, then that of the leaf
//   message    name, number, flags: 1 from replicas, 2 to replicas; leaves
//   leaves     count, each { path, type, flags: 1 list, 2 array, 4 precision, 8 target; the elements of an array; the
//              precision; the target; of a string in place its bytes; of an enum the values: count, each { name, number };
//              of a struct its leaves }
//
// What a peer sends is refused if it is not a shape, or too large for frames. What is taken of the heap is at most some
// multiple of its bytes.

enum { LIST = 1, ARRAY = 2, PRECISE = 4, TARGET = 8, FLAGS = 15, DEPTH = 32, MOST_ELEMENTS = 1 << 16 };

// ---- writing

static void put_text(kin__bytes_out *out, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text);
    kin__put_number(out, size);
    kin__put_bytes(out, text, size);
}

// Recursive over structs in structs, of which the schema allows 32 levels.
static void put_leaves(kin__bytes_out *out, const kin__net_leaf *leaves, uint32_t count)
{
    kin__put_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_leaf *leaf = &leaves[i];
        bool has_target = leaf->type == KIN_TYPE_ENTITY && leaf->target != NULL;
        put_text(out, leaf->path);
        kin__put_8(out, leaf->type);
        kin__put_8(out, (uint8_t)((leaf->is_list ? LIST : 0) | (leaf->count > 0 ? ARRAY : 0) |
                                  (leaf->precision > 0 ? PRECISE : 0) | (has_target ? TARGET : 0)));
        if (leaf->count > 0)
            kin__put_number(out, leaf->count);
        if (leaf->precision > 0)
            kin__put_double(out, leaf->precision);
        if (has_target)
            put_text(out, leaf->target);
        if (leaf->type == KIN_TYPE_INLINE_STRING)
            kin__put_number(out, leaf->size);
        if (leaf->type == KIN_TYPE_ENUM)
            kin__put_number(out, leaf->names == NULL ? 0 : leaf->value_count);
        for (uint32_t k = 0; leaf->type == KIN_TYPE_ENUM && leaf->names != NULL && k < leaf->value_count; k++) {
            put_text(out, leaf->names[k]);
            kin__put_signed(out, leaf->values[k]);
        }
        if (leaf->type == KIN_TYPE_STRUCT)
            put_leaves(out, leaf->inner, leaf->inner_count);
    }
}

// Returns the leaf of a field with `zone` or `peer`, and its component; NULL if the context has none, or does not send
// it.
static const kin__net_leaf *leaf_of(const kin__net_context *context, const kin__net_place *place,
                                    const kin__net_component **component)
{
    for (uint32_t i = 0; i < context->component_count; i++) {
        *component = &context->components[i];
        for (uint32_t k = 0; (*component)->id == place->component && k < (*component)->leaf_count; k++)
            if ((*component)->leaves[k].offset == place->offset)
                return &(*component)->leaves[k];
    }
    *component = NULL;
    return NULL;
}

static void put_place(kin__bytes_out *out, const kin__net_context *context, const kin__net_place *place)
{
    const kin__net_component *component;
    const kin__net_leaf *leaf = leaf_of(context, place, &component);
    kin__put_number(out, leaf == NULL ? 0 : (uint64_t)(component - context->components) + 1);
    if (leaf != NULL)
        kin__put_number(out, (uint64_t)(leaf - component->leaves));
}

static void put_context(kin__bytes_out *out, const kin__net_context *context)
{
    put_text(out, context->name);
    kin__put_number(out, context->number);
    kin__put_number(out, context->component_count);
    for (uint32_t i = 0; i < context->component_count; i++) {
        const kin__net_component *component = &context->components[i];
        put_text(out, component->name);
        kin__put_8(out, component->to == KIN__NET_TO_OWNER);
        put_leaves(out, component->leaves, component->leaf_count);
    }
    put_place(out, context, &context->zone);
    put_place(out, context, &context->peer);
}

void kin__shape_put(kin__bytes_out *out, const kin__net_info *info)
{
    put_text(out, info->package);
    kin__put_number(out, info->context_count);
    for (uint32_t i = 0; i < info->context_count; i++)
        put_context(out, &info->contexts[i]);
    kin__put_number(out, info->message_count);
    for (uint32_t i = 0; i < info->message_count; i++) {
        const kin__net_message *message = &info->messages[i];
        put_text(out, message->name);
        kin__put_number(out, message->number);
        kin__put_8(out, (uint8_t)(message->is_from_replica | message->is_to_replica << 1));
        put_leaves(out, message->leaves, message->leaf_count);
    }
}

// ---- reading

typedef struct shape_in {
    kin__bytes_in *in;
    kin__heap *heap;
    bool is_message; // values of messages own nothing
} shape_in;

// Returns memory for `count` elements; NULL, refused, when out of memory.
static void *take_room(const shape_in *shape, uint64_t count, size_t size)
{
    if (shape->in->fault != NULL)
        return NULL;
    void *at = kin__heap_take(shape->heap, (size_t)count + 1, size);
    if (at == NULL)
        kin__refuse(shape->in, kin__no_memory);
    return at;
}

// Takes a count of things, each of which has two bytes or more.
static uint32_t take_count(const shape_in *shape)
{
    return (uint32_t)kin__take_at_most(shape->in, kin__bytes_left(shape->in) / 2);
}

static const char *take_text(const shape_in *shape)
{
    enum { MOST = 1023 };
    size_t size = (size_t)kin__take_at_most(shape->in, MOST);
    const unsigned char *bytes = kin__take_bytes(shape->in, size);
    char *text = take_room(shape, size, 1);
    if (bytes == NULL || text == NULL)
        return "";
    if (size == 0 || !kin__is_text(bytes, size)) {
        kin__refuse(shape->in, "a name is empty, or not UTF-8");
        return "";
    }
    memcpy(text, bytes, size);
    return text;
}

static void take_values(const shape_in *shape, kin__net_leaf *leaf)
{
    leaf->value_count = take_count(shape);
    int32_t *values = take_room(shape, leaf->value_count, sizeof *values);
    const char **names = take_room(shape, leaf->value_count, sizeof *names);
    for (uint32_t i = 0; i < leaf->value_count && shape->in->fault == NULL; i++) {
        names[i] = take_text(shape);
        int64_t number = kin__take_signed(shape->in);
        values[i] = (int32_t)number;
        if (number != values[i])
            kin__refuse(shape->in, "a value of an enum is out of range");
    }
    if (leaf->value_count == 0)
        kin__refuse(shape->in, "an enum has no values");
    leaf->values = values;
    leaf->names = names;
}

static const kin__net_leaf *take_leaves(const shape_in *shape, uint32_t *count, uint32_t depth);

static void take_leaf(const shape_in *shape, kin__net_leaf *leaf, uint32_t depth)
{
    kin__bytes_in *in = shape->in;
    leaf->path = take_text(shape);
    leaf->type = kin__take_8(in);
    uint8_t flags = kin__take_8(in);
    bool is_owning = leaf->type == KIN_TYPE_STRING || (flags & LIST) != 0;
    bool is_both = (flags & LIST) != 0 && (flags & ARRAY) != 0;
    leaf->size = (uint32_t)kin__file_width((kin_type)leaf->type);
    leaf->is_list = (flags & LIST) != 0;
    if (leaf->type >= KIN_TYPE_OPAQUE || flags > FLAGS || is_both || (is_owning && shape->is_message))
        kin__refuse(in, "a leaf has a type that it cannot have");
    if ((flags & ARRAY) != 0)
        leaf->count = (uint32_t)kin__take_at_most(in, MOST_ELEMENTS);
    if ((flags & ARRAY) != 0 && leaf->count == 0)
        kin__refuse(in, "an array has no elements");
    if ((flags & PRECISE) != 0) {
        leaf->precision = kin__take_double(in);
        if (!(leaf->precision > 0 && leaf->precision < 1e300))
            kin__refuse(in, "a precision is not above 0");
    }
    if ((flags & TARGET) != 0)
        leaf->target = take_text(shape);
    if (leaf->type == KIN_TYPE_INLINE_STRING)
        leaf->size = (uint32_t)kin__take_at_most(in, MOST_ELEMENTS + 1);
    if (leaf->size == 0 && leaf->type != KIN_TYPE_STRING)
        kin__refuse(in, "a string has no room");
    if (leaf->type == KIN_TYPE_ENUM && in->fault == NULL)
        take_values(shape, leaf);
    if (leaf->type != KIN_TYPE_STRUCT || in->fault != NULL)
        return;
    leaf->inner = take_leaves(shape, &leaf->inner_count, depth + 1);
    if (leaf->inner_count == 0)
        kin__refuse(in, "a struct has no leaves");
}

// Recursive over structs in structs, of which the schema allows 32 levels. The places of leaves are their indices.
static const kin__net_leaf *take_leaves(const shape_in *shape, uint32_t *count, uint32_t depth)
{
    if (depth > DEPTH)
        kin__refuse(shape->in, "structs are nested too deeply");
    *count = take_count(shape);
    kin__net_leaf *leaves = take_room(shape, *count, sizeof *leaves);
    for (uint32_t i = 0; i < *count && shape->in->fault == NULL; i++) {
        leaves[i].offset = i;
        take_leaf(shape, &leaves[i], depth);
    }
    return leaves;
}

static kin__net_place take_place(const shape_in *shape, const kin__net_context *context, kin_type type)
{
    uint64_t number = kin__take_at_most(shape->in, context->component_count);
    if (number == 0 || shape->in->fault != NULL)
        return (kin__net_place){KIN__NET_NO_COMPONENT, 0, 0};
    const kin__net_component *component = &context->components[number - 1];
    uint64_t leaf = kin__take_number(shape->in);
    if (leaf >= component->leaf_count || component->leaves[leaf].type != type)
        kin__refuse(shape->in, "a zone or a peer is in no field that can have it");
    return (kin__net_place){component->id, 0, (uint32_t)leaf};
}

static void take_context(const shape_in *shape, kin__net_context *context)
{
    enum { MOST_LEAVES = 64 * KIN__MOST_LEAF_WORDS - 1, MOST_COMPONENTS = 64 * KIN__MOST_LEAF_WORDS };
    uint64_t leaves = 0;
    context->name = take_text(shape);
    context->number = (uint32_t)kin__take_at_most(shape->in, UINT32_MAX - 1);
    context->component_count = take_count(shape);
    if (context->component_count > MOST_COMPONENTS)
        kin__refuse(shape->in, "a context has too many components");
    kin__net_component *components = take_room(shape, context->component_count, sizeof *components);
    context->components = components;
    for (uint32_t i = 0; i < context->component_count && shape->in->fault == NULL; i++) {
        components[i].name = take_text(shape);
        components[i].id = (kin_component_id)i;
        components[i].to = kin__take_8(shape->in);
        components[i].leaves = take_leaves(shape, &components[i].leaf_count, 0);
        leaves += components[i].leaf_count;
        if (components[i].to > KIN__NET_TO_OWNER || leaves > MOST_LEAVES)
            kin__refuse(shape->in, "a component goes to nobody, or there are too many leaves");
    }
    context->zone = take_place(shape, context, KIN_TYPE_INT32);
    context->peer = take_place(shape, context, KIN_TYPE_UINT32);
}

static void take_message(const shape_in *shape, kin__net_message *message)
{
    message->name = take_text(shape);
    message->number = (uint32_t)kin__take_at_most(shape->in, UINT32_MAX - 1);
    uint8_t flags = kin__take_8(shape->in);
    message->is_from_replica = (flags & 1) != 0;
    message->is_to_replica = (flags & 2) != 0;
    message->peer = message->zone = KIN__NET_NO_OFFSET;
    message->leaves = take_leaves(shape, &message->leaf_count, 0);
    if (flags > 3)
        kin__refuse(shape->in, "a message goes where none does");
}

const kin__net_info *kin__shape_take(kin__bytes_in *in, kin__heap *heap)
{
    shape_in shape = {in, heap, false};
    kin__net_info *info = take_room(&shape, 1, sizeof *info);
    if (info == NULL)
        return NULL;
    info->package = take_text(&shape);
    info->context_count = take_count(&shape);
    kin__net_context *contexts = take_room(&shape, info->context_count, sizeof *contexts);
    for (uint32_t i = 0; i < info->context_count && in->fault == NULL; i++) {
        take_context(&shape, &contexts[i]);
        for (uint32_t k = 0; k < i; k++)
            if (contexts[k].number == contexts[i].number)
                kin__refuse(in, "two contexts have one number");
    }
    shape.is_message = true;
    info->message_count = take_count(&shape);
    kin__net_message *messages = take_room(&shape, info->message_count, sizeof *messages);
    for (uint32_t i = 0; i < info->message_count && in->fault == NULL; i++)
        take_message(&shape, &messages[i]);
    if (in->fault == NULL && kin__bytes_left(in) > 0)
        kin__refuse(in, "something follows the shape");
    info->contexts = contexts;
    info->messages = messages;
    return in->fault == NULL ? info : NULL;
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

static bool is_text(kin_type type)
{
    return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING;
}

// The numbers that a type has.
typedef struct range {
    int64_t least;
    uint64_t most;
} range;

static range range_of(const kin__net_leaf *leaf)
{
    range range = {0, 1};
    bool is_unsigned = leaf->type >= KIN_TYPE_UINT8 && leaf->type <= KIN_TYPE_UINT64;
    uint32_t bits = 8 * leaf->size - !is_unsigned;
    if (is_integer((kin_type)leaf->type)) {
        range.most = UINT64_MAX >> (64 - bits);
        range.least = is_unsigned ? 0 : -(int64_t)range.most - 1;
    }
    for (uint32_t i = 0; leaf->type == KIN_TYPE_ENUM && i < leaf->value_count; i++) {
        int32_t value = leaf->values[i];
        range.least = value < range.least ? value : range.least;
        range.most = value > 0 && (uint64_t)value > range.most ? (uint64_t)value : range.most;
    }
    return range;
}

// A float has all integers of 24 bits, a double those of 53.
static bool has_numbers(const kin__net_leaf *to, range wanted)
{
    uint64_t limit = to->type == KIN_TYPE_FLOAT ? (uint64_t)1 << 24 : (uint64_t)1 << 53;
    if (is_floating((kin_type)to->type))
        return wanted.most <= limit && wanted.least >= -(int64_t)limit;
    range has = range_of(to);
    return wanted.most <= has.most && wanted.least >= has.least;
}

static bool has_values(const kin__net_leaf *from, const kin__net_leaf *to)
{
    for (uint32_t i = 0; i < from->value_count; i++) {
        bool is_known = false;
        for (uint32_t k = 0; from->names != NULL && to->names != NULL && k < to->value_count && !is_known; k++)
            is_known = strcmp(from->names[i], to->names[k]) == 0;
        if (!is_known)
            return false;
    }
    return true;
}

// Whether elements of one leaf can be read as those of the other, all of them (EVO-04).
static bool has_element(const kin__net_leaf *from, const kin__net_leaf *to)
{
    kin_type type = (kin_type)from->type;
    kin_type wanted = (kin_type)to->type;
    if (type == KIN_TYPE_STRUCT || wanted == KIN_TYPE_STRUCT)
        return type == wanted;
    if (is_text(type) || is_text(wanted))
        return is_text(type) && (wanted == KIN_TYPE_STRING ||
                                 (type == KIN_TYPE_INLINE_STRING && wanted == type && from->size <= to->size));
    if (type == KIN_TYPE_ENTITY || wanted == KIN_TYPE_ENTITY) {
        bool is_target = to->target == NULL || (from->target != NULL && strcmp(from->target, to->target) == 0);
        return type == wanted && is_target;
    }
    if (type == wanted)
        return type != KIN_TYPE_ENUM || has_values(from, to);
    if (is_floating(type))
        return type == KIN_TYPE_FLOAT && wanted == KIN_TYPE_DOUBLE;
    return (is_integer(wanted) || is_floating(wanted)) && has_numbers(to, range_of(from));
}

static bool has_length(const kin__net_leaf *from, const kin__net_leaf *to, bool is_inside)
{
    if (is_inside || from->is_list)
        return from->is_list == to->is_list && from->count == to->count;
    return to->is_list || from->count == 0 || from->count <= to->count;
}

// ---- whether programs can meet

typedef struct meeting {
    char *names; // KIN__SHAPE_NAMES bytes
    bool is_apart;
} meeting;

static const char *type_text(const kin__net_leaf *leaf, char *text, size_t size)
{
    const char *name = leaf->type == KIN_TYPE_ENUM ? "enum" : kin_type_name((kin_type)leaf->type);
    int used = snprintf(text, size, "%s", name);
    if (leaf->type == KIN_TYPE_INLINE_STRING)
        used += snprintf(text + used, size - (size_t)used, "[%" PRIu32 "]", leaf->size - 1);
    if (leaf->count > 0)
        snprintf(text + used, size - (size_t)used, "[%" PRIu32 "]", leaf->count);
    else if (leaf->is_list)
        snprintf(text + used, size - (size_t)used, "[]");
    return text;
}

static void note_apart(meeting *meeting, const char *text)
{
    size_t used = strlen(meeting->names);
    bool is_full = used + strlen(text) + sizeof ", …" + 2 > KIN__SHAPE_NAMES;
    bool was_full = used > 3 && strcmp(meeting->names + used - 3, "…") == 0;
    meeting->is_apart = true;
    if (!was_full)
        snprintf(meeting->names + used, KIN__SHAPE_NAMES - used, "%s%s", used > 0 ? ", " : "", is_full ? "…" : text);
}

// Where leaves are: "Bag.items".
typedef struct leaf_place {
    const char *root, *inside;
    bool is_inside; // of elements
    bool from_host; // the host writes
} leaf_place;

static void note_leaf(meeting *meeting, const leaf_place *place, const kin__net_leaf *from, const kin__net_leaf *to)
{
    char text[300];
    char types[2][32];
    const char *dot = place->inside[0] == '\0' ? "" : ".";
    const char *host = type_text(place->from_host ? from : to, types[0], sizeof types[0]);
    const char *replica = type_text(place->from_host ? to : from, types[1], sizeof types[1]);
    int size = snprintf(text, sizeof text, "%.80s.%.80s%s%.80s", place->root, place->inside, dot, from->path);
    if (strcmp(host, replica) != 0)
        snprintf(text + size, sizeof text - (size_t)size, " (%s at the host, %s at the replica)", host, replica);
    else if (from->type == KIN_TYPE_ENUM)
        snprintf(text + size, sizeof text - (size_t)size, " (other values)");
    note_apart(meeting, text);
}

static bool is_inside(const char *path, const char *other)
{
    size_t length = strlen(other);
    return strncmp(path, other, length) == 0 && path[length] == '.';
}

static const kin__net_leaf *find_leaf(const kin__net_leaf *leaves, uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(leaves[i].path, path) == 0)
            return &leaves[i];
    return NULL;
}

// A struct that has become an array of it, or a number, is no leaf of that path.
static const kin__net_leaf *find_nested(const kin__net_leaf *leaves, uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_inside(leaves[i].path, path) || is_inside(path, leaves[i].path))
            return &leaves[i];
    return NULL;
}

typedef struct leaf_list {
    const kin__net_leaf *at;
    uint32_t count;
} leaf_list;

// Recursive over structs in structs.
static void check_leaves(meeting *meeting, leaf_list from, leaf_list to, const leaf_place *place)
{
    for (uint32_t i = 0; i < from.count; i++) {
        const kin__net_leaf *leaf = &from.at[i];
        const kin__net_leaf *own = find_leaf(to.at, to.count, leaf->path);
        const kin__net_leaf *nested = own == NULL ? find_nested(to.at, to.count, leaf->path) : NULL;
        if (nested != NULL)
            note_leaf(meeting, place, leaf, nested);
        if (own == NULL)
            continue;
        if (!has_element(leaf, own) || !has_length(leaf, own, place->is_inside)) {
            note_leaf(meeting, place, leaf, own);
            continue;
        }
        leaf_place inner = {place->root, leaf->path, true, place->from_host};
        if (leaf->type == KIN_TYPE_STRUCT)
            check_leaves(meeting, (leaf_list){leaf->inner, leaf->inner_count},
                         (leaf_list){own->inner, own->inner_count}, &inner);
    }
}

const kin__net_component *kin__shape_component(const kin__net_context *context, const char *name)
{
    for (uint32_t i = 0; i < context->component_count; i++)
        if (strcmp(context->components[i].name, name) == 0)
            return &context->components[i];
    return NULL;
}

const kin__net_context *kin__shape_context(const kin__net_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->context_count; i++)
        if (strcmp(info->contexts[i].name, name) == 0)
            return &info->contexts[i];
    return NULL;
}

const kin__net_message *kin__shape_message(const kin__net_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->message_count; i++)
        if (strcmp(info->messages[i].name, name) == 0)
            return &info->messages[i];
    return NULL;
}

const kin__net_leaf *kin__shape_leaf(const kin__net_leaf *leaves, uint32_t count, const char *path)
{
    return find_leaf(leaves, count, path);
}

static bool is_same_place(const kin__net_context *host, const kin__net_place *of_host, const kin__net_context *replica,
                          const kin__net_place *of_replica)
{
    const kin__net_component *one;
    const kin__net_component *other;
    const kin__net_leaf *leaf = leaf_of(host, of_host, &one);
    const kin__net_leaf *own = leaf_of(replica, of_replica, &other);
    if (leaf == NULL || own == NULL)
        return leaf == NULL && own == NULL;
    return strcmp(one->name, other->name) == 0 && strcmp(leaf->path, own->path) == 0;
}

static bool has_owned(const kin__net_context *context)
{
    for (uint32_t i = 0; i < context->component_count; i++)
        if (context->components[i].to == KIN__NET_TO_OWNER)
            return true;
    return false;
}

static void check_context(meeting *meeting, const kin__net_context *host, const kin__net_context *replica)
{
    char text[120];
    bool has_owner = has_owned(host) || has_owned(replica);
    bool has_zone = is_same_place(host, &host->zone, replica, &replica->zone);
    bool has_peer = !has_owner || is_same_place(host, &host->peer, replica, &replica->peer);
    if (!has_zone || !has_peer) {
        snprintf(text, sizeof text, "the field with '%s: true' of %.80s", has_zone ? "peer" : "zone", host->name);
        note_apart(meeting, text);
    }
    for (uint32_t i = 0; i < host->component_count; i++) {
        const kin__net_component *component = &host->components[i];
        const kin__net_component *own = kin__shape_component(replica, component->name);
        leaf_place place = {component->name, "", false, true};
        if (own != NULL)
            check_leaves(meeting, (leaf_list){component->leaves, component->leaf_count},
                         (leaf_list){own->leaves, own->leaf_count}, &place);
    }
}

static void check_message(meeting *meeting, const kin__net_message *host, const kin__net_message *replica)
{
    leaf_list of_host = {host->leaves, host->leaf_count};
    leaf_list of_replica = {replica->leaves, replica->leaf_count};
    leaf_place place = {host->name, "", false, true};
    if (host->is_to_replica && replica->is_to_replica)
        check_leaves(meeting, of_host, of_replica, &place);
    place.from_host = false;
    if (host->is_from_replica && replica->is_from_replica)
        check_leaves(meeting, of_replica, of_host, &place);
}

bool kin__shapes_meet(const kin__net_info *host, const kin__net_info *replica, char names[KIN__SHAPE_NAMES])
{
    meeting meeting = {names, false};
    char text[200];
    names[0] = '\0';
    if (strcmp(host->package, replica->package) != 0) {
        snprintf(text, sizeof text, "package %.80s at the host, %.80s at the replica", host->package, replica->package);
        note_apart(&meeting, text);
        return false;
    }
    for (uint32_t i = 0; i < host->context_count; i++) {
        const kin__net_context *context = kin__shape_context(replica, host->contexts[i].name);
        if (context != NULL)
            check_context(&meeting, &host->contexts[i], context);
    }
    for (uint32_t i = 0; i < host->message_count; i++) {
        const kin__net_message *message = kin__shape_message(replica, host->messages[i].name);
        if (message != NULL)
            check_message(&meeting, &host->messages[i], message);
    }
    return !meeting.is_apart;
}
