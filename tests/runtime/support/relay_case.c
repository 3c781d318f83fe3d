#include "relay_case.h"

#include "entity/entity.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

relay_context *relay;
guard relay_memory;

enum { LOG_SIZE = 1 << 16, WATCHER_LIMIT = 128 };

static char log_bytes[LOG_SIZE];
static size_t log_size;

// ---- the log

void log_begin(void)
{
    log_size = 0;
    log_bytes[0] = '\0';
}

void log_write(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(log_bytes + log_size, LOG_SIZE - log_size, format, arguments);
    va_end(arguments);
    log_size += (size_t)length;
    if (length < 0 || log_size >= LOG_SIZE)
        ck_abort_msg("the log is full");
}

const char *log_text(void)
{
    return log_bytes;
}

void log_error(const kin_error *error, void *user)
{
    (void)user;
    log_write("!%s ", kin_status_name(error->status) + strlen("KIN_ERROR_"));
}

// ---- the context

static void end_unless_ended(void)
{
    if (relay == NULL)
        return;
    ck_assert(kin__context_is_valid(&relay->base));
    relay_context_destroy(relay);
    relay = NULL;
}

static uint32_t watcher_count;

void relay_begin_with(const kin_context_options *options)
{
    kin_context_options complete = *options;
    complete.allocator = guard_begin(&relay_memory);
    if (complete.on_error == NULL)
        complete.on_error = log_error;
    watcher_count = 0;
    log_begin();
    relay = relay_context_create(&complete);
    ck_assert_ptr_nonnull(relay);
}

void relay_begin(void)
{
    relay_begin_with(&(kin_context_options){0});
}

void relay_end(void)
{
    end_unless_ended();
    guard_end(&relay_memory);
}

// ---- listeners

typedef struct watcher {
    const char *label;
    relay_act *act;
    uint32_t times;
} watcher;

static watcher watchers[WATCHER_LIMIT];

static void write_value(const void *value)
{
    if (value == NULL)
        log_write("-");
    else
        log_write("%" PRId32, ((const A *)value)->value); // each component begins with an int32
}

static void write_change(const kin_change *change, const char *label)
{
    char last = label[0] == '\0' ? '\0' : label[strlen(label) - 1];
    uint32_t count = change->context->info->component_count;
    log_write("%s", label);
    if (last == '#')
        log_write("%s",
                  change->component == count ? "none" : change->context->info->components[change->component].name);
    if (last == '@')
        log_write("%" PRIu64, kin_entity_creation_index(change->entity));
    if (last == '=') {
        write_value(change->previous);
        log_write(",");
        write_value(change->value);
    }
    log_write(" ");
}

static void listen(const kin_change *change, void *user)
{
    watcher *watcher = user;
    ck_assert(kin__context_is_valid(change->context));
    write_change(change, watcher->label);
    if (watcher->times == 0)
        return;
    watcher->times--;
    watcher->act(change);
}

static watcher *make_watcher(const char *label, relay_act *act, uint32_t times)
{
    ck_assert_uint_lt(watcher_count, WATCHER_LIMIT);
    watcher *made = &watchers[watcher_count++];
    *made = (watcher){label, act, times};
    return made;
}

kin_subscription relay_watch_and(kin_group *group, kin_group_event event, const char *label, relay_act *act,
                                 uint32_t times)
{
    return kin_group_subscribe(group, event, listen, make_watcher(label, act, times));
}

kin_subscription relay_watch_entity(relay_entity entity, kin_entity_event event, const char *label, relay_act *act)
{
    watcher *made = make_watcher(label, act, act == NULL ? 0 : 1);
    return kin_entity_subscribe(&relay->base, entity.id, event, listen, made);
}

kin_subscription relay_watch_context(kin_context_event event, const char *label, relay_act *act)
{
    watcher *made = make_watcher(label, act, act == NULL ? 0 : 1);
    return kin_context_subscribe(&relay->base, event, listen, made);
}

kin_subscription relay_watch(kin_group *group, kin_group_event event, const char *label)
{
    return relay_watch_and(group, event, label, NULL, 0);
}

relay_entity relay_changed_entity(const kin_change *change)
{
    return relay_entity_of(change->entity);
}

void destroy_it(const kin_change *change)
{
    relay_destroy_entity(relay, relay_changed_entity(change));
}

// ---- groups and entities

kin_group *relay_all(kin_component_id id)
{
    return kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(id)));
}

kin_group *relay_none(kin_component_id id)
{
    return kin_context_group(&relay->base, KIN_MATCHER(KIN_NONE(id)));
}

kin_group *relay_any(kin_component_id first, kin_component_id second)
{
    return kin_context_group(&relay->base, KIN_MATCHER(KIN_ANY(first, second)));
}

relay_entity relay_entity_with_a(int32_t value)
{
    relay_entity entity = relay_create_entity(relay);
    if (relay_add_a(relay, entity, (A){value}) != KIN_OK)
        ck_abort_msg("an entity could not be made");
    return entity;
}
