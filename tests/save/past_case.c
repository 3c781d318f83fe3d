#include "past_case.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

past_context *past;
kin_snapshot *past_snapshot;
char past_case_error[512];

bool past_case_has_badges;
int past_case_badges, past_case_bad_badge = 1000000;

struct badge past_case_badge(int number)
{
    struct badge badge = {malloc(sizeof *badge.number)};
    *badge.number = number;
    past_case_badges++;
    return badge;
}

void badge_drop(struct badge badge)
{
    past_case_badges -= badge.number != NULL;
    free(badge.number);
}

size_t badge_save(struct badge badge, void *bytes, size_t capacity)
{
    size_t size = badge.number == NULL ? 0 : 1 + (size_t)*badge.number % 5; // of several lengths
    if (size > 0 && size <= capacity) {
        memset(bytes, 0, size);
        *(unsigned char *)bytes = (unsigned char)*badge.number;
    }
    return size;
}

bool badge_load(struct badge *badge, const void *bytes, size_t size)
{
    badge->number = NULL;
    if (size == 0)
        return true;
    int number = *(const unsigned char *)bytes;
    if (number >= past_case_bad_badge || size != 1 + (size_t)number % 5)
        return false;
    *badge = past_case_badge(number);
    return true;
}

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    snprintf(past_case_error, sizeof past_case_error, "%s", error->message);
}

kin_context_options past_case_options(void)
{
    return (kin_context_options){.on_error = note_error};
}

static void add_owned(past_entity entity, uint32_t i)
{
    static const Spot spots[3] = {{1, 2}, {3, 4}, {5, 6}};
    static const Side sides[2] = {SIDE_RED, SIDE_GREEN};
    char text[32];
    snprintf(text, sizeof text, "citizen %u", i);
    if (i % 3 == 0)
        past_add_name(past, entity, (Name){.value = i % 2 == 0 ? text : NULL, .code = "ab"});
    if (i % 4 == 0)
        past_add_grid(past, entity, (Grid){.cells = {(int32_t)i, 2, 3, 4}, .spots = {{1, 2}}, .label = text});
    if (i % 5 == 0)
        past_add_path(past, entity, (Path){.stops = {spots, i % 4}, .sides = {sides, i % 3}, .amount = 0.5});
    if (i % 2 == 0)
        past_add_look(past, entity, (Look){.model = i % 4 == 0 ? "house" : "tree", .size = (float)(i % 3)});
    if (i % 7 == 0)
        past_add_memo(past, entity, (Memo){.text = text, .number = i});
    if (i % 14 == 0)
        past_stash_memo(past, entity);
}

static void add_values(past_entity entity, uint32_t i, past_entity parent)
{
    past_add_place(past, entity, (Place){.at = {(float)i, -1}, .cell = (int16_t)i});
    past_set_frozen(past, entity, i % 3 == 1);
    if (i % 2 == 1)
        past_add_speed(past, entity, (Speed){.v = {(float)i / 2, 1}, .turns = (uint8_t)i});
    if (i % 6 != 0)
        past_ensure_health(past, entity);
    past_add_team(past, entity,
                  (Team){.side = i % 4 == 0   ? SIDE_BLUE
                                 : i % 4 == 1 ? SIDE_RED
                                              : SIDE_GREEN,
                         .ready = i % 2 == 0});
    if (i % 9 == 0)
        past_add_mana(past, entity, (Mana){3});
    if (i % 8 == 0)
        past_add_wide(past, entity, (Wide){-5 - (int64_t)i, i, 7});
    if (i % 10 == 0)
        past_add_cache(past, entity, (Cache){1});
    if (parent.id != 0)
        past_add_child_of(past, entity, (ChildOf){parent});
    if (past_case_has_badges && i % 11 == 0)
        past_add_worn(past, entity,
                      (Worn){.badge = past_case_badge((int)(i % 250)), .text = i % 2 == 0 ? "worn" : NULL});
    if (i == 4)
        past_add_crown(past, entity, (Crown){entity.id});
}

static void fill(uint32_t count)
{
    past_entity entities[3000], parent = {0};
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = i % 5 == 2 ? past_spawn_citizen(past) : past_create_entity(past);
        add_values(entities[i], i, parent);
        add_owned(entities[i], i);
        if (i % 10 == 0)
            parent = entities[i];
    }
    for (uint32_t i = 11; i < count; i += 13)
        if (i % 10 != 0)
            past_destroy_entity(past, entities[i]);
    for (uint32_t i = 9; i < count; i += 20) // the last child of each becomes the first
        if (past_entity_is_alive(past, entities[i]) && past_entity_is_alive(past, entities[i - 8]))
            past_children_place_before(past, entities[i], entities[i - 8]);
}

void past_case_begin(uint32_t count)
{
    kin_context_options options = past_case_options();
    past_case_error[0] = '\0';
    past = past_context_create(&options);
    past_snapshot = NULL;
    fill(count);
    ck_assert_str_eq(past_case_error, "");
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
}

void past_case_end(void)
{
    kin_snapshot_destroy(past_snapshot);
    past_context_destroy(past);
}

void past_case_write(buffer *file)
{
    ck_assert_int_eq(kin_snapshot_write(past_snapshot, buffer_sink(file), NULL), KIN_OK);
}
