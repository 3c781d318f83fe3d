// Compares what two versions of a package send over the network. The runtime does the same with the tables of two
// programs (net/src/frame/shape.c).
#include "generator/evolve/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// A leaf that is sent, of a component of a context, or of a message.
typedef struct sent_leaf {
    const char *path;    // of identities: "Health.points"
    const char *name;    // of names: "Health.hits"
    const char *context; // its identity; NULL for a message
    const field *field;
    const lock_type *type;
    size_t around; // dimensions of the structs around the field
    double precision;
    bool is_from_replica, is_to_replica; // a component is sent to replicas
} sent_leaf;

typedef struct sent_list {
    arena *arena;
    sent_leaf *leaves;
    size_t count, capacity;
} sent_list;

// A comparison. What `from` writes, a program of `to` must read.
typedef struct meeting {
    arena *arena;
    diagnostics *diagnostics;
    const sent_list *before, *now;
    size_t apart; // leaves that could not be read
    size_t counts[3];
    text paths[3]; // of what is new, gone and changed
} meeting;

enum { NEW_LEAF, GONE_LEAF, CHANGED_LEAF };

// ---- what is sent

static void append_leaf(sent_list *list, const sent_leaf *leaf)
{
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        sent_leaf *larger = arena_allocate(list->arena, capacity * sizeof *larger);
        for (size_t i = 0; i < list->count; i++)
            larger[i] = list->leaves[i];
        list->leaves = larger;
        list->capacity = capacity;
    }
    list->leaves[list->count++] = *leaf;
}

// Recursive, as deep as structs are nested.
static void append_fields(sent_list *list, const field_list *fields, const sent_leaf *root, dimensions around)
{
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        sent_leaf leaf = *root;
        dimensions elements = dimensions_with(list->arena, around, &field->type);
        if (!schema_field_is_sent(field))
            continue;
        leaf.path = lock_path(list->arena, root->path, field->saved.identity);
        leaf.name = lock_path(list->arena, root->name, field->name);
        if (field->precision > 0)
            leaf.precision = field->precision;
        if (field->type.kind == TYPE_STRUCT) {
            append_fields(list, &field->type.definition->fields, &leaf, elements);
            continue;
        }
        leaf.field = field;
        leaf.type = shape_type_of(list->arena, &field->type, elements);
        leaf.around = around.count;
        append_leaf(list, &leaf);
    }
}

static void append_context(sent_list *list, const context *context)
{
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        sent_leaf root = {.path = component->saved.identity,
                          .name = component->name,
                          .context = context->saved.identity,
                          .is_to_replica = true};
        if (schema_is_sent(component))
            append_fields(list, &component->fields, &root, (dimensions){NULL, 0});
    }
}

static sent_list sent_by(arena *arena, const package *package)
{
    sent_list list = {.arena = arena};
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->is_replicated)
            append_context(&list, package->contexts[i]);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        sent_leaf root = {.path = message->saved.identity,
                          .name = message->name,
                          .is_from_replica = message->is_from_replica,
                          .is_to_replica = message->is_to_replica};
        if (message->is_from_replica || message->is_to_replica)
            append_fields(&list, &message->fields, &root, (dimensions){NULL, 0});
    }
    return list;
}

// ---- finding

static bool is_of_same(const sent_leaf *one, const sent_leaf *other)
{
    if (one->context == NULL || other->context == NULL)
        return one->context == other->context;
    return strcmp(one->context, other->context) == 0;
}

static const sent_leaf *find(const sent_list *list, const sent_leaf *wanted)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_of_same(&list->leaves[i], wanted) && strcmp(list->leaves[i].path, wanted->path) == 0)
            return &list->leaves[i];
    return NULL;
}

// Whether a path is that of something in the other one: "Health.at.x" in "Health.at".
static bool is_inside(const char *path, const char *other)
{
    size_t length = strlen(other);
    return strncmp(path, other, length) == 0 && path[length] == '.';
}

// Returns a leaf that was a struct, or has become one.
static const sent_leaf *find_nested(const sent_list *list, const sent_leaf *wanted)
{
    for (size_t i = 0; i < list->count; i++) {
        const sent_leaf *leaf = &list->leaves[i];
        bool is_nested = is_inside(leaf->path, wanted->path) || is_inside(wanted->path, leaf->path);
        if (is_nested && is_of_same(leaf, wanted))
            return leaf;
    }
    return NULL;
}

// ---- values

// Returns a value of an enum that the other one lacks; NULL if there is none.
static const char *lost_value(const sent_leaf *from, const sent_leaf *to)
{
    const definition *values = from->field->type.definition;
    const definition *known = to->field->type.definition;
    for (size_t i = 0; i < values->enumerator_count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < known->enumerator_count; k++)
            is_known =
                is_known || strcmp(values->enumerators[i].saved.identity, known->enumerators[k].saved.identity) == 0;
        if (!is_known)
            return values->enumerators[i].name;
    }
    return NULL;
}

static bool has_same_length(const field_type *one, const field_type *other)
{
    return one->array_count == other->array_count && one->is_list == other->is_list;
}

// Returns why values of one leaf cannot be read as those of the other; NULL if all can.
static const char *loss_between(arena *arena, const sent_leaf *from, const sent_leaf *to)
{
    static const char none[] = "its values could not be read";
    bool has_length = from->around == 0 || has_same_length(&from->field->type, &to->field->type);
    if (from->around != to->around || !has_length)
        return none;
    const char *loss = convert_loss(arena, from->type, to->type);
    if (loss != NULL || from->type->kind != TYPE_ENUM || to->type->kind != TYPE_ENUM)
        return loss;
    const char *value = lost_value(from, to);
    return value == NULL ? NULL : arena_format(arena, "the value '%s' could not be read", value);
}

// ---- comparing

static void note(meeting *meeting, int change, const char *path)
{
    text_separate(&meeting->paths[change], meeting->counts[change]++, ", ");
    text_append_string(&meeting->paths[change], path);
}

// Reports that values could not be read by programs of one version. `now` is the leaf of the later one.
static void report_apart(meeting *meeting, const sent_leaf *before, const sent_leaf *now, const char *loss,
                         const char *reader)
{
    arena *arena = meeting->arena;
    const char *was = convert_words(arena, before->type);
    const char *is = convert_words(arena, now->type);
    span place = now->field->span;
    if (now->field->type.span.source != NULL)
        place = now->field->type.span;
    meeting->apart++;
    if (strcmp(was, is) == 0)
        diagnostic_error(meeting->diagnostics, CODE_NET_APART, place, "'%s' has changed: %s by %s", now->name, loss,
                         reader);
    else
        diagnostic_error(meeting->diagnostics, CODE_NET_APART, place, "'%s' was %s and is %s: %s by %s", now->name, was,
                         is, loss, reader);
    diagnostic_hint(
        meeting->diagnostics,
        "programs of both versions would refuse each other; keep what was, and add a field for what is new");
}

// Checks one direction of a leaf that both versions send.
static void check_way(meeting *meeting, const sent_leaf *before, const sent_leaf *now, bool is_later)
{
    const sent_leaf *from = is_later ? now : before;
    const sent_leaf *to = is_later ? before : now;
    const char *loss = loss_between(meeting->arena, from, to);
    bool to_replica = from->is_to_replica && to->is_to_replica;
    bool to_host = from->is_from_replica && to->is_from_replica;
    const char *whose = is_later ? "the former version" : "this version";
    if (loss != NULL && to_replica)
        report_apart(meeting, before, now, loss, arena_format(meeting->arena, "replicas of %s", whose));
    else if (loss != NULL && to_host)
        report_apart(meeting, before, now, loss, arena_format(meeting->arena, "hosts of %s", whose));
}

static bool is_changed(meeting *meeting, const sent_leaf *before, const sent_leaf *now)
{
    text types[2] = {text_create(meeting->arena), text_create(meeting->arena)};
    lock_append_type(&types[0], before->type, LOCK_FORMAT);
    lock_append_type(&types[1], now->type, LOCK_FORMAT);
    bool is_same = strcmp(types[0].bytes, types[1].bytes) == 0 && before->around == now->around;
    if (is_same && now->type->kind == TYPE_ENUM)
        is_same = lost_value(before, now) == NULL && lost_value(now, before) == NULL;
    bool is_as_exact = !(before->precision < now->precision) && !(before->precision > now->precision);
    return !is_same || !is_as_exact;
}

static void check_leaf(meeting *meeting, const sent_leaf *now)
{
    static const char nested[] = "its values could not be read";
    const sent_leaf *before = find(meeting->before, now);
    const sent_leaf *other = before == NULL ? find_nested(meeting->before, now) : NULL;
    if (other != NULL) {
        report_apart(meeting, other, now, nested, "programs of the other version");
        return;
    }
    if (before == NULL) {
        note(meeting, NEW_LEAF, now->name);
        return;
    }
    size_t apart = meeting->apart;
    check_way(meeting, before, now, false);
    check_way(meeting, before, now, true);
    if (meeting->apart == apart && is_changed(meeting, before, now))
        note(meeting, CHANGED_LEAF, now->name);
}

// ---- zones and owners

// Returns the path, of identities, of the field that has `zone`, or `peer`; NULL if there is none.
static const char *place_of(arena *arena, const context *context, bool is_peer)
{
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        for (size_t k = 0; k < component->fields.count; k++) {
            const field *field = &component->fields.fields[k];
            if (is_peer ? field->is_peer : field->is_zone)
                return lock_path(arena, component->saved.identity, field->saved.identity);
        }
    }
    return NULL;
}

static bool has_owned(const context *context)
{
    for (size_t i = 0; i < context->component_count; i++)
        if (schema_is_sent(context->components[i]) && context->components[i]->replicate == REPLICATE_OWNER)
            return true;
    return false;
}

static void check_place(meeting *meeting, const context *before, const context *now, bool is_peer)
{
    const char *was = place_of(meeting->arena, before, is_peer);
    const char *is = place_of(meeting->arena, now, is_peer);
    bool is_same = was == NULL || is == NULL ? was == is : strcmp(was, is) == 0;
    bool matters = !is_peer || has_owned(before) || has_owned(now);
    if (is_same || !matters)
        return;
    meeting->apart++;
    diagnostic_error(meeting->diagnostics, CODE_NET_APART, now->span,
                     "context '%s' has '%s: true' at another field: it was at %s and is at %s", now->name,
                     is_peer ? "peer" : "zone", was == NULL ? "none" : was, is == NULL ? "none" : is);
    diagnostic_hint(meeting->diagnostics, "programs of both versions would refuse each other; keep the field");
}

static void check_contexts(meeting *meeting, const package *before, const package *now)
{
    for (size_t i = 0; i < now->context_count; i++)
        for (size_t k = 0; k < before->context_count; k++) {
            const context *of_now = now->contexts[i];
            const context *of_before = before->contexts[k];
            bool are_same = strcmp(of_now->saved.identity, of_before->saved.identity) == 0;
            if (!are_same || !of_now->is_replicated || !of_before->is_replicated)
                continue;
            check_place(meeting, of_before, of_now, false);
            check_place(meeting, of_before, of_now, true);
        }
}

// ---- the summary

static void append_meeting(text *summary, const meeting *meeting)
{
    static const char *const words[] = {"new", "gone", "changed"};
    const char *before = " (";
    if (meeting->apart > 0)
        text_append_format(summary, "kin: %zu change%s hosts and replicas of both versions apart", meeting->apart,
                           meeting->apart == 1 ? " keeps" : "s keep");
    else
        text_append_string(summary, "kin: hosts and replicas of both versions can meet");
    for (int change = NEW_LEAF; change <= CHANGED_LEAF; change++) {
        if (meeting->counts[change] == 0)
            continue;
        text_append_format(summary, "%s%s: %s", before, words[change], meeting->paths[change].bytes);
        before = "; ";
    }
    text_append_string(summary, before[0] == ';' ? ")\n" : "\n");
}

bool evolve_compare_net(diagnostics *diagnostics, const package *before, const package *now, text *summary)
{
    arena *arena = summary->arena;
    assert(strcmp(before->name, now->name) == 0);
    sent_list of_before = sent_by(arena, before);
    sent_list of_now = sent_by(arena, now);
    meeting meeting = {.arena = arena, .diagnostics = diagnostics, .before = &of_before, .now = &of_now};
    for (int change = NEW_LEAF; change <= CHANGED_LEAF; change++)
        meeting.paths[change] = text_create(arena);
    for (size_t i = 0; i < of_now.count; i++)
        check_leaf(&meeting, &of_now.leaves[i]);
    for (size_t i = 0; i < of_before.count; i++)
        if (find(&of_now, &of_before.leaves[i]) == NULL && find_nested(&of_now, &of_before.leaves[i]) == NULL)
            note(&meeting, GONE_LEAF, of_before.leaves[i].name);
    check_contexts(&meeting, before, now);
    append_meeting(summary, &meeting);
    return meeting.apart == 0;
}
