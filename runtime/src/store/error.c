#include "store/internal.h"

#include <kin/probe.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 512, ENTITY_SIZE = 80, REASON_SIZE = 160 };

const char *kin_version(void)
{
    return KIN_VERSION;
}

// The names of the statuses, and their usual reasons with the fix.
static const struct {
    const char *name, *reason;
} statuses[] = {
    [KIN_OK] = {"KIN_OK", ""},
    [KIN_ERROR_NOT_ALIVE] = {"KIN_ERROR_NOT_ALIVE", "the entity is not alive; check that it is alive first"},
    [KIN_ERROR_HAS_COMPONENT] = {"KIN_ERROR_HAS_COMPONENT", "the entity already has it; replace it instead"},
    [KIN_ERROR_NO_COMPONENT] = {"KIN_ERROR_NO_COMPONENT", "the entity does not have it; test for it first, or add it"},
    [KIN_ERROR_UNIQUE] = {"KIN_ERROR_UNIQUE", "another entity has it; replace it there, or remove it there first"},
    [KIN_ERROR_DUPLICATE_KEY] = {"KIN_ERROR_DUPLICATE_KEY", "another entity has that key; look it up first"},
    [KIN_ERROR_NOT_SINGLE] = {"KIN_ERROR_NOT_SINGLE", "the group has several members; use its array of entities"},
    [KIN_ERROR_RETAINED] = {"KIN_ERROR_RETAINED",
                            "destroyed entities are still held; release them and clear collectors"},
    [KIN_ERROR_NOT_RETAINED] = {"KIN_ERROR_NOT_RETAINED",
                                "the owner does not retain it; retain it first, and release it once"},
    [KIN_ERROR_INVALID] = {"KIN_ERROR_INVALID", "an argument is invalid; see the description of the function"},
    [KIN_ERROR_LIMIT] = {"KIN_ERROR_LIMIT", "a limit would be exceeded; destroy or release some entities"},
    [KIN_ERROR_NO_MEMORY] = {"KIN_ERROR_NO_MEMORY", "out of memory; free some and try again"},
    [KIN_ERROR_REFERENCED] = {"KIN_ERROR_REFERENCED", "another entity names it; give that one another target first"},
    [KIN_ERROR_CIRCLE] = {"KIN_ERROR_CIRCLE", "the entity would be below itself; move the other one out first"},
    [KIN_ERROR_CORRUPT] = {"KIN_ERROR_CORRUPT", "it is not what was written; use another copy of it"},
    [KIN_ERROR_SHAPE] = {"KIN_ERROR_SHAPE",
                         "it does not fit the schema of this program; say in the schema what became of it"},
    [KIN_ERROR_STREAM] = {"KIN_ERROR_STREAM", "reading or writing failed; try again"},
    [KIN_ERROR_REPLICA] = {"KIN_ERROR_REPLICA",
                           "the world follows a host, which alone changes this context; send the host a message"},
    [KIN_ERROR_DIFFERS] = {"KIN_ERROR_DIFFERS", "it is not what the host has; the next full frame replaces it"},
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

const char *kin_status_name(kin_status status)
{
    return (uint32_t)status < STATUS_COUNT ? statuses[status].name : "unknown status";
}

// Returns why a handle is not alive, as far as the context knows.
static const char *reason_not_alive(const kin_context *context, kin_entity entity)
{
    if (entity == 0)
        return "the handle is 0, which is no entity; check the result of the call that created it";
    if (kin__is_being_destroyed(context, entity) || kin__is_about_to_be_destroyed(context, entity))
        return "the entity is being destroyed; check that it is alive first";
    bool was_alive = kin_entity_creation_index(entity) < context->next_creation_index &&
                     kin_entity_creation_index(entity) >= context->core->options.first_creation_index &&
                     kin_entity_slot(entity) / KIN__CHUNK_SLOTS < context->core->slots.assigned_chunks;
    return was_alive
               ? "the entity was destroyed; check that it is alive first"
               : "the handle was never an entity of this context; use a handle only in the context that created it";
}

static void describe_entity(const kin__attempt *attempt, char *text, size_t size)
{
    const char *preposition = attempt->preposition != NULL ? attempt->preposition : "of";
    bool has_component = attempt->component != NULL;
    text[0] = '\0';
    if (!attempt->is_unique && (attempt->entity != 0 || has_component))
        snprintf(text, size, "%s%s entity %" PRIu64 " in slot %" PRIu32, has_component ? " " : "",
                 has_component ? preposition : "", kin_entity_creation_index(attempt->entity),
                 kin_entity_slot(attempt->entity));
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

// The tool first: the handler may end what it watches.
static void call_handlers(const kin__receiver *receiver, const kin_error *error)
{
    const kin_context_options *options = receiver->options;
    if (receiver->watch != NULL && receiver->watch->refused != NULL)
        receiver->watch->refused(receiver->watch->user, error);
    if (options != NULL && options->on_error != NULL)
        options->on_error(error, options->error_user);
    else
        fprintf(stderr, "kin: %s\n", error->message);
}

static kin_status report_error(const kin__receiver *receiver, kin_status status, const kin__attempt *attempt)
{
    KIN_ASSERT(status > KIN_OK && (uint32_t)status < STATUS_COUNT);
    const char *context = receiver->context;
    const char *reason = attempt->reason != NULL ? attempt->reason : statuses[status].reason;
    char entity[ENTITY_SIZE];
    char message[MESSAGE_SIZE];
    KIN_ASSERT(attempt->verb != NULL);
    describe_entity(attempt, entity, sizeof entity);
    snprintf(message, sizeof message, "%s%s%scannot %s%s%s%s: %s", text_or_empty(context), context != NULL ? ": " : "",
             text_or_empty(attempt->culprit), attempt->verb, attempt->component != NULL ? " " : "",
             text_or_empty(attempt->component), entity, reason);
    kin_error error = {status, message, context, attempt->component, attempt->entity};
    call_handlers(receiver, &error);
    return status;
}

static void format_no_memory(char *reason, size_t size, size_t refused)
{
    snprintf(reason, size, "no memory for %zu byte%s; free some and try again", refused, refused == 1 ? "" : "s");
}

kin_status kin__report_error_to(const kin_context_options *options, kin_status status, const kin__attempt *attempt,
                                size_t refused)
{
    return kin__report_error_at(&(kin__receiver){.options = options}, status, attempt, refused);
}

kin_status kin__report_error_at(const kin__receiver *receiver, kin_status status, const kin__attempt *attempt,
                                size_t refused)
{
    char reason[REASON_SIZE];
    kin__attempt complete = *attempt;
    if (status == KIN_ERROR_NO_MEMORY && complete.reason == NULL) {
        format_no_memory(reason, sizeof reason, refused);
        complete.reason = reason;
    }
    return report_error(receiver, status, &complete);
}

// A value that could not be stored because of its lists was refused as if memory were missing.
static kin_status status_of_value(const kin_context *context, kin__attempt *attempt)
{
    kin_status status = context->core->value_error;
    context->core->value_error = KIN_OK;
    if (status == KIN_OK)
        return KIN_ERROR_NO_MEMORY;
    attempt->reason = status == KIN_ERROR_LIMIT
                          ? "a list has more than 16777216 elements, which is the limit; store fewer"
                          : "a list has a count and its elements are NULL; pass both, or neither";
    return status;
}

void kin_context_catch_errors(kin_context *context, void (*caught)(const kin_error *error, void *user), void *user)
{
    if (context == NULL)
        return;
    context->core->caught = caught;
    context->core->caught_user = user;
}

void kin_context_watch_errors(kin_context *context, void (*refused)(void *user, const kin_error *error), void *user)
{
    if (context != NULL)
        context->core->error_watch = (kin__error_watch){refused, user};
}

kin_status kin__refuse_shared(const kin_context *context)
{
    KIN_ASSERT(kin__context_is_shared(context));
    kin__counter_add(&context->core->sharing.refused);
    return KIN_ERROR_INVALID;
}

// Returns where an error goes while it is reported: to a tool that catches those of its own calls, to the handler of
// the context, or if that nests too deep to stderr.
static const kin_context_options *handler_of(const kin_context *context, const kin_context_options *caught)
{
    const kin__core *core = context->core;
    if (caught->on_error != NULL && !kin__context_is_inside(context))
        return caught;
    return core->reports <= KIN__MAX_DEPTH ? &core->options : NULL;
}

static void report_to_context(const kin_context *context, kin_status status, const kin__attempt *attempt)
{
    kin__core *core = context->core;
    kin_context_options caught = {.on_error = core->caught, .error_user = core->caught_user};
    kin__error_watch watch = core->error_watch;
    core->reports++; // so that the handler cannot destroy the context
    kin__receiver receiver = {handler_of(context, &caught), NULL, context->info->name};
    if (receiver.options != &caught)
        receiver.watch = &watch;
    report_error(&receiver, status, attempt);
    KIN_ASSERT(core->reports > 0);
    core->reports--;
    core->last_status = status;
}

const char *kin__nesting_reason(const kin_context *context)
{
    return context->core->is_abandoned
               ? "it was abandoned, as an exception or longjmp left a callback; destroy it"
               : "changes are nested 64 deep in listeners, which is the limit; make fewer changes inside listeners";
}

kin_status kin__report_error(const kin_context *context, kin_status status, const kin__attempt *attempt)
{
    char reason[REASON_SIZE];
    if (kin__context_is_shared(context)) {
        kin__refuse_shared(context);
        return status == KIN_ERROR_LIMIT ? KIN_ERROR_INVALID : status;
    }
    kin__attempt complete = *attempt;
    bool is_at_limit = status == KIN_ERROR_LIMIT && context->depth == KIN__MAX_DEPTH;
    if (is_at_limit && context->core->is_sealed)
        status = KIN_ERROR_REPLICA;
    if (status == KIN_ERROR_NO_MEMORY)
        status = status_of_value(context, &complete);
    if (complete.reason == NULL && status == KIN_ERROR_NOT_ALIVE)
        complete.reason = reason_not_alive(context, attempt->entity);
    if (complete.reason == NULL && status == KIN_ERROR_LIMIT && context->depth == KIN__MAX_DEPTH)
        complete.reason = kin__nesting_reason(context);
    if (complete.reason == NULL && status == KIN_ERROR_NO_MEMORY) {
        format_no_memory(reason, sizeof reason, context->core->memory.refused);
        complete.reason = reason;
    }
    if (complete.culprit == NULL && !kin__context_is_inside(context)) // a listener makes calls of its own
        complete.culprit = context->core->culprit;
    report_to_context(context, status, &complete);
    return status;
}

static kin_status report_component(const kin_context *context, kin_status status, kin__attempt attempt,
                                   kin_component_id id)
{
    char reason[REASON_SIZE];
    KIN_ASSERT(id < context->info->component_count);
    kin_entity carrier = context->carriers[id];
    attempt.component = context->info->components[id].name;
    if (status == KIN_ERROR_UNIQUE) {
        snprintf(reason, sizeof reason,
                 "entity %" PRIu64 " in slot %" PRIu32 " has it; replace it there, or remove it there first",
                 kin_entity_creation_index(carrier), kin_entity_slot(carrier));
        attempt.reason = reason;
    }
    return kin__report_error(context, status, &attempt);
}

kin_status kin__report_component_error(const kin_context *context, kin_status status, const char *verb,
                                       kin_entity entity, kin_component_id id)
{
    return report_component(context, status, (kin__attempt){.verb = verb, .entity = entity}, id);
}

kin_status kin__report_unique_error(const kin_context *context, kin_status status, const char *verb,
                                    kin_component_id id)
{
    kin__attempt attempt = {.verb = verb, .is_unique = true};
    if (status == KIN_ERROR_NO_COMPONENT)
        attempt.reason = "no entity has it; test for it first";
    return report_component(context, status, attempt, id);
}
