#include "commands_case.h"

#include "entity/entity.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { EVENT_BYTES = 65536 };

typedef struct event_list {
    char text[EVENT_BYTES];
    size_t size;
} event_list;

commands_case fixture;
static event_list events, other_events;

static army_context *create(error_log *errors, bool is_guarded)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = errors};
    if (is_guarded)
        options.allocator = guard_begin(&fixture.memory);
    army_context *army = army_context_create(&options);
    for (uint32_t i = 0; i < CASE_SOLDIERS; i++) {
        fixture.soldiers[i] = army_create_entity(army);
        army_add_post(army, fixture.soldiers[i], (Post){(float)i, 1});
        if (i % 3 == 0)
            army_add_mood(army, fixture.soldiers[i], (Mood){(int32_t)i});
    }
    return army;
}

void commands_case_begin(void)
{
    memset(&fixture, 0, sizeof fixture);
    events.size = other_events.size = 0;
    events.text[0] = other_events.text[0] = '\0';
    fixture.army = create(&fixture.errors, true);
    fixture.other = create(&fixture.other_errors, false);
    fixture.commands = army_commands_create(fixture.army);
}

void commands_case_end(void)
{
    ck_assert(kin__context_is_valid(&fixture.army->base));
    army_commands_destroy(fixture.commands);
    army_context_destroy(fixture.army);
    army_context_destroy(fixture.other);
    guard_end(&fixture.memory);
}

static void note(const kin_change *change, void *user)
{
    event_list *list = user;
    list->size += (size_t)snprintf(list->text + list->size, sizeof list->text - list->size, "%d %u %llu\n",
                                   (int)change->event, (unsigned)change->component, (unsigned long long)change->entity);
    ck_assert_uint_lt(list->size, sizeof list->text);
}

static void watch(army_context *army, event_list *list)
{
    kin_context_subscribe(&army->base, KIN_ENTITY_CREATED, note, list);
    kin_context_subscribe(&army->base, KIN_ENTITY_WAS_DESTROYED, note, list);
    kin_context_subscribe(&army->base, KIN_COMPONENT_CHANGED, note, list);
    kin_group_subscribe(army_burning_group(army), KIN_ADDED_OR_REMOVED, note, list);
}

void commands_case_watch(void)
{
    watch(fixture.army, &events);
    watch(fixture.other, &other_events);
}

static uint64_t hash(army_context *army)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(army_save(army, &snapshot), KIN_OK);
    uint64_t result = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return result;
}

void commands_case_compare(void)
{
    ck_assert_str_eq(events.text, other_events.text);
    ck_assert_uint_eq(fixture.errors.count, fixture.other_errors.count);
    for (uint32_t i = 0; i < fixture.errors.count && i < ERROR_LIMIT; i++) {
        ck_assert_int_eq(fixture.errors.entries[i].status, fixture.other_errors.entries[i].status);
        ck_assert_uint_eq(fixture.errors.entries[i].entity, fixture.other_errors.entries[i].entity);
    }
    ck_assert_uint_eq(fixture.army->base.next_creation_index, fixture.other->base.next_creation_index);
    ck_assert(hash(fixture.army) == hash(fixture.other));
    events.size = other_events.size = 0;
    events.text[0] = other_events.text[0] = '\0';
    error_log_clear(&fixture.errors);
    error_log_clear(&fixture.other_errors);
}
