// Entities that are switched off: what `off` of a context leaves out, and what it leaves as it is.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <inn/inn.h>
#include <inn/inn_world.h>

#include <string.h>

CASE(inn)

static inn_world *world;

// ---- the functions of the schema

uint32_t inn_square_of(const Seat *seat, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = seat->x / 10;
    keys[1] = seat->y / 10;
    return 2;
}

uint32_t inn_corner_of(const Seat *seat, const Coins *coins, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = seat->x * 100 + seat->y + coins->count * 0;
    return 1;
}

// Writes "enter(1,3) ".
static void write_call(const char *what, const inn_entity *entities, uint32_t count)
{
    log_write("%s(", what);
    for (uint32_t i = 0; i < count; i++)
        log_write("%s%u", i > 0 ? "," : "", (unsigned)kin_entity_creation_index(entities[i].id));
    log_write(") ");
}

void waiter_enter(inn_world *self, const inn_entity *entities, uint32_t count)
{
    (void)self;
    write_call("enter", entities, count);
}

void waiter_leave(inn_world *self, const inn_entity *entities, uint32_t count)
{
    write_call("leave", entities, count);
    for (uint32_t i = 0; i < count; i++)
        if (waiter_left_room(self, i) != NULL)
            log_write("left %d ", (int)waiter_left_room(self, i)->number);
}

void waiter_update(inn_world *self, waiter_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (waiter_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            inn_entity entity = waiter_at(it, i);
            write_call("update", &entity, 1);
        }
}

void adder_update(adder_job *job, adder_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (adder_next(it))
        for (uint32_t i = 0; i < it->count && it->coins != NULL; i++) {
            bool is_found = adder_entity_with_seat(job, 1, 1).id != 0;
            it->coins[i].count += 10 + is_found + 100 * (int32_t)adder_copy_entities_with_near(job, 0, NULL, 0);
        }
}

void sweeper_update(inn_world *self, sweeper_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (sweeper_next(it))
        write_call(it->parent_room == NULL ? "root" : "below", &it->entity, 1);
}

void dreamer_update(inn_world *self, dreamer_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (dreamer_next(it))
        write_call("dream", &it->entity, 1);
}

void greeter_execute(inn_world *self, const inn_entity *entities, uint32_t count)
{
    (void)self;
    write_call("greet", entities, count);
}

// ---- fixtures

static inn_entity create_room(int32_t number, int32_t floor)
{
    inn_entity made = inn_create_entity(inn);
    ck_assert_int_eq(inn_add_room(inn, made, (Room){number, floor}), KIN_OK);
    return made;
}

static void sleep_on(inn_entity entity, bool on)
{
    ck_assert_int_eq(inn_set_asleep(inn, entity, on), KIN_OK);
}

static uint32_t count_of(kin_group *group)
{
    uint32_t count = kin_group_count(group);
    uint32_t listed;
    kin_group_entities(group, &listed);
    ck_assert_uint_eq(listed, count);
    return count;
}

static bool has(kin_group *group, inn_entity entity)
{
    return kin_group_contains(group, entity.id);
}

static void begin_world(void)
{
    kin_context_options options = case_options(NULL);
    world = inn_world_create(&options, NULL);
    ck_assert_ptr_nonnull(world);
    inn = world->contexts->inn;
    log_begin();
}

static void end_world(void)
{
    case_check(&inn->base);
    inn_world_destroy(world);
    guard_end(&memory);
}

static void begin(void)
{
    inn_begin();
    log_begin();
}

// ---- groups

START_TEST(fnd_20_declared_groups_leave_out_entities_that_are_off)
{
    inn_entity room = create_room(1, 1);
    inn_add_seat(inn, room, (Seat){1, 1});
    inn_add_coins(inn, room, (Coins){1});
    inn_entity plain = create_room(2, 1);
    kin_group *groups[] = {inn_rooms_group(inn), inn_seated_group(inn), inn_holders_group(inn),
                           inn_nameless_group(inn)};
    for (uint32_t i = 0; i < 4; i++)
        ck_assert(has(groups[i], room));
    ck_assert(has(inn_alone_group(inn), plain));
    sleep_on(room, true);
    sleep_on(plain, true);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(count_of(groups[i]), 0);
    ck_assert_uint_eq(count_of(inn_alone_group(inn)), 0);
    sleep_on(room, false);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert(has(groups[i], room) && count_of(groups[i]) == 1);
}
END_TEST

START_TEST(fnd_20_typed_iterators_and_arrays_leave_them_out)
{
    enum { COUNT = 1200 };
    inn_entity rooms[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        rooms[i] = create_room(i, 0);
        sleep_on(rooms[i], i % 3 == 0);
    }
    uint32_t by_runs = 0, by_blocks = 0, listed;
    for (inn_rooms_iter it = inn_rooms_iterate(inn); inn_rooms_next(&it); by_runs += it.count)
        for (uint32_t i = 0; i < it.count; i++)
            ck_assert(it.room[i].number % 3 != 0);
    for (inn_rooms_iter it = inn_rooms_iterate(inn); inn_rooms_next_block(&it);)
        for (uint64_t bits = it.mask; bits != 0; bits &= bits - 1)
            by_blocks++;
    inn_rooms_entities(inn, &listed);
    ck_assert_uint_eq(by_runs, COUNT / 3 * 2);
    ck_assert_uint_eq(by_blocks, by_runs);
    ck_assert_uint_eq(listed, by_runs);
    sleep_on(rooms[1], true);
    sleep_on(rooms[3], false);
    const inn_entity *entities = inn_rooms_entities(inn, &listed);
    ck_assert_uint_eq(listed, by_runs);
    ck_assert_entity(entities[0], rooms[2]);
}
END_TEST

START_TEST(fnd_20_a_group_that_names_the_flag_has_them)
{
    inn_entity room = create_room(1, 1), other = create_room(2, 1);
    sleep_on(room, true);
    ck_assert(has(inn_sleepers_group(inn), room) && count_of(inn_sleepers_group(inn)) == 1);
    ck_assert_uint_eq(count_of(inn_all_rooms_group(inn)), 2);
    kin_group *only = inn_group(inn, KIN_MATCHER(INN_ONLY(INN_ROOM, INN_ASLEEP)));
    kin_group *without = inn_group(inn, KIN_MATCHER(INN_ALL(INN_ROOM), INN_NONE(INN_ASLEEP)));
    ck_assert_ptr_eq(inn_group(inn, KIN_MATCHER(INN_ALL(INN_ASLEEP, INN_ROOM))), inn_sleepers_group(inn));
    ck_assert(has(only, room) && count_of(only) == 1);
    ck_assert(has(without, other) && count_of(without) == 1);
}
END_TEST

START_TEST(fnd_20_a_group_that_is_made_at_run_time_leaves_them_out_too)
{
    inn_entity room = create_room(1, 1);
    sleep_on(room, true);
    kin_group *rooms = inn_group(inn, KIN_MATCHER(INN_ALL(INN_ROOM)));
    ck_assert_ptr_eq(rooms, inn_rooms_group(inn));
    ck_assert_ptr_eq(rooms, inn_group(inn, KIN_MATCHER(INN_NONE(INN_ASLEEP), INN_ALL(INN_ROOM))));
    ck_assert_uint_eq(count_of(inn_group(inn, KIN_MATCHER(INN_NONE(INN_GONE, INN_NAME)))), 0);
    ck_assert_uint_eq(count_of(inn_group(inn, KIN_MATCHER(INN_ONLY(INN_ROOM)))), 0);
    kin_matcher matcher = kin_group_matcher(rooms);
    ck_assert(matcher.count == 2 && matcher.rules[1].kind == KIN_RULE_NONE && matcher.rules[1].ids[0] == INN_ASLEEP);
    sleep_on(room, false);
    ck_assert_uint_eq(count_of(rooms), 1);
}
END_TEST

START_TEST(fnd_20_a_matcher_without_room_for_the_flag_is_refused)
{
    kin_matcher full = KIN_MATCHER(INN_ANY(INN_BADGE), INN_ANY(INN_COINS), INN_ANY(INN_GONE), INN_ANY(INN_HOST),
                                   INN_ANY(INN_KEY), INN_ANY(INN_NAME), INN_ANY(INN_RINGS), INN_ANY(INN_ROOM));
    ck_assert_ptr_null(inn_group(inn, full));
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "with 'off' of its context its matcher has more than 8"));
    ck_assert_reported(&errors, KIN_ERROR_LIMIT);
    full.rules[7] = INN_ANY(INN_ROOM, INN_ASLEEP);
    ck_assert_ptr_nonnull(inn_group(inn, full));
    full.rules[7] = full.rules[6]; // equal rules are one
    ck_assert_ptr_nonnull(inn_group(inn, full));
    full.rules[7] = INN_NONE(INN_ROOM);
    ck_assert_ptr_nonnull(inn_group(inn, full));
}
END_TEST

START_TEST(fnd_20_a_matcher_without_a_group_tests_what_it_says)
{
    inn_entity room = create_room(1, 1);
    sleep_on(room, true);
    ck_assert(kin_matches(&inn->base, KIN_MATCHER(INN_ALL(INN_ROOM)), room.id));
    ck_assert(!kin_matches(&inn->base, kin_group_matcher(inn_rooms_group(inn)), room.id));
}
END_TEST

START_TEST(fnd_20_setting_and_clearing_is_an_ordinary_change)
{
    call_log_clear();
    inn_entity room = create_room(7, 1);
    call_log_subscribe(inn_rooms_group(inn), KIN_ADDED, "in");
    call_log_subscribe(inn_rooms_group(inn), KIN_REMOVED, "out");
    call_log_subscribe(inn_sleepers_group(inn), KIN_ADDED_OR_REMOVED, "dream");
    call_log_subscribe(inn_all_rooms_group(inn), KIN_ADDED_OR_REMOVED, "never");
    sleep_on(room, true);
    ck_assert_str_eq(call_log_labels(), "out dream ");
    ck_assert_uint_eq(calls.calls[0].change.component, INN_ASLEEP);
    ck_assert_int_eq(inn_replace_room(inn, room, (Room){8, 1}), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "out dream never never dream dream ");
    sleep_on(room, true); // it is off already
    sleep_on(room, false);
    ck_assert_str_eq(call_log_labels(), "out dream never never dream dream in dream ");
    ck_assert_int_eq(inn_get_room(inn, room)->number, 8);
}
END_TEST

START_TEST(fnd_20_a_collector_delivers_what_leaves_and_collects_nothing_that_is_off)
{
    inn_entity room = create_room(7, 1), other = create_room(8, 1);
    kin_collector *left = kin_collector_create(&(kin_trigger){inn_rooms_group(inn), KIN_REMOVED}, 1);
    kin_collector *entered = kin_collector_create(&(kin_trigger){inn_rooms_group(inn), KIN_ADDED}, 1);
    sleep_on(room, true);
    ck_assert_uint_eq(kin_collector_count(left), 1);
    ck_assert_uint_eq(kin_collector_count(entered), 0);
    kin_collector_clear(left);
    inn_replace_room(inn, room, (Room){9, 1});
    inn_destroy_entity(inn, room);
    ck_assert_uint_eq(kin_collector_count(left), 0);
    ck_assert_uint_eq(kin_collector_count(entered), 0);
    sleep_on(other, true);
    sleep_on(other, false);
    ck_assert_uint_eq(kin_collector_count(left), 1);
    ck_assert_uint_eq(kin_collector_count(entered), 1);
    kin_collector_destroy(left);
    kin_collector_destroy(entered);
}
END_TEST

// ---- indices

START_TEST(fnd_20_a_multi_index_leaves_them_out)
{
    uint32_t count;
    inn_entity room = create_room(1, 4), other = create_room(2, 4), copy[2];
    sleep_on(room, true);
    const inn_entity *found = inn_entities_with_room_floor(inn, 4, &count);
    ck_assert(count == 1 && found[0].id == other.id);
    ck_assert_uint_eq(inn_copy_entities_with_room_floor(inn, 4, copy, 2), 1);
    found = inn_entities_with_dreams(inn, 4, &count); // it names the flag
    ck_assert(count == 1 && found[0].id == room.id);
    ck_assert_int_eq(inn_replace_room(inn, room, (Room){1, 5}), KIN_OK);
    inn_entities_with_room_floor(inn, 5, &count);
    ck_assert_uint_eq(count, 0);
    sleep_on(room, false);
    found = inn_entities_with_room_floor(inn, 5, &count);
    ck_assert(count == 1 && found[0].id == room.id);
}
END_TEST

START_TEST(fnd_20_indices_of_components_and_functions_leave_them_out)
{
    uint32_t count;
    inn_entity room = create_room(1, 4);
    inn_add_tray(inn, room, (Tray){2, 3});
    inn_add_seat(inn, room, (Seat){11, 25});
    inn_entities_with_tray(inn, (Tray){2, 3}, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(inn_copy_entities_with_near(inn, 2, NULL, 0), 1);
    sleep_on(room, true);
    inn_entities_with_tray(inn, (Tray){2, 3}, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(inn_copy_entities_with_near(inn, 2, NULL, 0), 0);
    inn_replace_seat(inn, room, (Seat){31, 45});
    sleep_on(room, false);
    ck_assert_uint_eq(inn_copy_entities_with_near(inn, 2, NULL, 0), 0);
    ck_assert_uint_eq(inn_copy_entities_with_near(inn, 4, NULL, 0), 1);
}
END_TEST

START_TEST(fnd_20_look_ups_in_primary_indices_leave_them_out)
{
    inn_entity room = create_room(1, 4);
    char name[] = "a name that is longer than a prefix", code[] = "B-1234567";
    inn_add_name(inn, room, (Name){name});
    inn_add_badge(inn, room, (Badge){"B-1234567"});
    inn_add_seat(inn, room, (Seat){3, 4});
    inn_add_coins(inn, room, (Coins){1});
    inn_add_tray(inn, room, (Tray){1, 1});
    for (int off = 0; off < 2; off++) {
        inn_entity expected = off ? INN_NO_ENTITY : room;
        sleep_on(room, off);
        ck_assert_entity(inn_entity_with_room_number(inn, 1), expected);
        ck_assert_entity(inn_entity_with_name_text(inn, name), expected);
        ck_assert_entity(inn_entity_with_badge_code(inn, code), expected);
        ck_assert_entity(inn_entity_with_seat(inn, 3, 4), expected);
        ck_assert_entity(inn_entity_with_square(inn, 304), expected);
        ck_assert_entity(inn_entity_with_open_seat(inn, 3), expected);
    }
    ck_assert_entity(inn_entity_with_room_number(inn, 2), INN_NO_ENTITY);
}
END_TEST

// ---- primary keys

static void check_taken(kin_status status, const char *index, const char *ending)
{
    ck_assert_int_eq(status, KIN_ERROR_DUPLICATE_KEY);
    const char *message = errors.entries[0].message;
    ck_assert_msg(strstr(message, index) != NULL && strstr(message, ending) != NULL, "%s", message);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
}

START_TEST(fnd_22_primary_keys_stay_taken_and_the_error_says_why)
{
    static const char off[] = "entity 1 in slot 0 has the key 1 in index Room.number, and is switched off by Asleep; "
                              "switch it on, or use a different key";
    inn_entity room = create_room(1, 4), other = inn_create_entity(inn);
    check_taken(inn_add_room(inn, other, (Room){1, 1}), "Room.number", "; look it up first");
    sleep_on(room, true);
    check_taken(inn_add_room(inn, other, (Room){1, 1}), "Room.number", off);
    ck_assert_entity(inn_spawn_guest_with(inn, (inn_guest_value){.room = {1, 1}, .given = {.room = true}}),
                     INN_NO_ENTITY);
    check_taken(KIN_ERROR_DUPLICATE_KEY, "Room.number", off);
    ck_assert_int_eq(inn_add_room(inn, other, (Room){2, 1}), KIN_OK);
    check_taken(inn_replace_room(inn, other, (Room){1, 1}), "Room.number", off);
    ck_assert_int_eq(inn_replace_room(inn, room, (Room){3, 1}), KIN_OK);
    ck_assert_int_eq(inn_replace_room(inn, other, (Room){1, 1}), KIN_OK);
    sleep_on(room, false);
    ck_assert_entity(inn_entity_with_room_number(inn, 3), room);
}
END_TEST

START_TEST(fnd_22_an_index_that_names_the_flag_frees_the_key)
{
    inn_entity room = create_room(1, 1), other = create_room(2, 1);
    for (inn_entity entity = room; entity.id != 0; entity = entity.id == room.id ? other : INN_NO_ENTITY) {
        inn_add_seat(inn, entity, (Seat){5, entity.id == room.id});
        sleep_on(entity, entity.id == room.id);
        inn_add_tray(inn, entity, (Tray){1, 1});
    }
    ck_assert_entity(inn_entity_with_open_seat(inn, 5), other);
    check_taken(inn_set_asleep(inn, room, false), "open_seat", "; look it up first");
    ck_assert(inn_is_asleep(inn, room));
}
END_TEST

START_TEST(fnd_22_an_index_of_what_is_off_finds_the_holder_of_a_key)
{
    inn_entity first = inn_create_entity(inn), second = inn_create_entity(inn);
    sleep_on(first, true);
    sleep_on(second, true);
    inn_add_seat(inn, first, (Seat){1, 8});
    ck_assert_entity(inn_entity_with_pillow(inn, 8), first);
    check_taken(inn_add_seat(inn, second, (Seat){2, 8}), "pillow", "; look it up first");
}
END_TEST

static void write_entry(const kin_index_entry *entry, void *user)
{
    (void)user;
    inn_entity entity = inn_entity_of(entry->entity);
    write_call(entry->key, &entity, 1);
}

START_TEST(fnd_22_tools_see_the_keys_that_are_taken)
{
    sleep_on(create_room(4, 9), true);
    for (uint32_t i = 0; i < inn_info.index_count; i++)
        if (strcmp(inn_info.indices[i].name, "Room.number") == 0 || strcmp(inn_info.indices[i].name, "Room.floor") == 0)
            kin_index_walk(&inn->base, i, write_entry, NULL);
    ck_assert_log("4(1) ");
    ck_assert_ptr_null(stable_info.off);
    ck_assert_uint_eq(*inn_info.off, INN_ASLEEP);
}
END_TEST

START_TEST(fnd_22_another_context_with_the_flag_leaves_nothing_out)
{
    stable_context *stable = stable_context_create(NULL);
    stable_entity barrel = stable_create_entity(stable);
    stable_add_barrel(stable, barrel, (Barrel){50});
    stable_set_asleep(stable, barrel, true);
    ck_assert_uint_eq(kin_group_count(stable_barrels_group(stable)), 1);
    ck_assert_uint_eq(kin_group_count(stable_group(stable, KIN_MATCHER(STABLE_NONE(STABLE_BARREL)))), 0);
    ck_assert_entity(stable_entity_with_barrel_litres(stable, 50), barrel);
    stable_context_destroy(stable);
}
END_TEST

// ---- handles, relations, trees and saves

START_TEST(fnd_21_handles_relations_and_unique_components_are_not_affected)
{
    inn_entity room = create_room(1, 1), key = inn_create_entity(inn), host = inn_set_unique_host(inn, (Host){2});
    inn_add_key(inn, key, (Key){room});
    sleep_on(room, true);
    sleep_on(key, true);
    sleep_on(host, true);
    ck_assert_int_eq(inn_get_room(inn, room)->number, 1);
    ck_assert_entity(inn_keys_first(inn, room), key);
    ck_assert_uint_eq(inn_keys_count(inn, room), 1);
    ck_assert_entity(inn_unique_host_entity(inn), host);
    ck_assert_int_eq(inn_get_unique_host(inn)->mood, 2);
    ck_assert_uint_eq(inn_entity_count(inn), 3);
    inn_entity clone = inn_clone_entity(inn, key);
    ck_assert(inn_is_asleep(inn, clone) && inn_keys_count(inn, room) == 2);
    inn_destroy_entity(inn, room);
    ck_assert(!inn_has_key(inn, key) && !inn_has_key(inn, clone));
}
END_TEST

START_TEST(fnd_21_saves_have_them)
{
    inn_entity room = create_room(1, 1);
    kin_snapshot *snapshot = NULL;
    sleep_on(room, true);
    ck_assert_int_eq(inn_save(inn, &snapshot), KIN_OK);
    sleep_on(room, false);
    ck_assert_int_eq(inn_restore(inn, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(inn_is_asleep(inn, room) && count_of(inn_rooms_group(inn)) == 0);
    ck_assert_entity(inn_entity_with_room_number(inn, 1), INN_NO_ENTITY);
    kin_snapshot_destroy(snapshot);
}
END_TEST

// A tree: 0 has 1 and 2, 1 has 3, 2 has 4; 5 is outside.
static inn_entity nodes[6];

static void make_tree(void)
{
    static const uint32_t places[] = {6, 0, 0, 1, 2, 6};
    for (uint32_t i = 0; i < 6; i++) {
        nodes[i] = inn_create_entity(inn);
        inn_add_within(inn, nodes[i], (Within){places[i] == 6 ? INN_NO_ENTITY : nodes[places[i]]});
    }
}

static void write_change(const kin_change *change, void *user)
{
    inn_entity entity = inn_entity_of(change->entity);
    write_call(user, &entity, 1);
}

static void watch_places(void)
{
    static char on[] = "on", off[] = "off";
    make_tree();
    kin_group *group = inn_group(inn, KIN_MATCHER(INN_ALL(INN_WITHIN)));
    kin_group_subscribe(group, KIN_ADDED, write_change, on);
    kin_group_subscribe(group, KIN_REMOVED, write_change, off);
}

START_TEST(fnd_21_below_sets_a_whole_tree_parents_first)
{
    watch_places();
    sleep_on(nodes[3], true);
    ck_assert_log("off(4) ");
    ck_assert_int_eq(inn_set_asleep_below(inn, nodes[0], true), KIN_OK);
    ck_assert_log("off(1) off(2) off(3) off(5) ");
    ck_assert(!inn_is_asleep(inn, nodes[5]) && inn_contents_depth(inn, nodes[4]) == 2);
    ck_assert_int_eq(inn_set_asleep_below(inn, nodes[1], false), KIN_OK);
    ck_assert_log("on(2) on(4) ");
    ck_assert_int_eq(inn_set_asleep_below(inn, nodes[0], false), KIN_OK);
    ck_assert_log("on(1) on(3) on(5) ");
    ck_assert_int_eq(inn_destroy_entity(inn, nodes[3]), KIN_OK);
    ck_assert_log("off(4) ");
    ck_assert_refused(&errors, inn_set_asleep_below(inn, nodes[3], true), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, inn_set_asleep_below(inn, INN_NO_ENTITY, true), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(fnd_21_below_is_of_one_tree_of_several)
{
    hayloft_context *loft = hayloft_context_create(NULL);
    hayloft_entity root = hayloft_create_entity(loft), bale = hayloft_create_entity(loft);
    hayloft_entity rope = hayloft_create_entity(loft);
    hayloft_add_bale(loft, bale, (Bale){root});
    hayloft_add_rope(loft, rope, (Rope){root});
    ck_assert_int_eq(hayloft_set_dozing_below_pile(loft, root, true), KIN_OK);
    ck_assert(hayloft_is_dozing(loft, root) && hayloft_is_dozing(loft, bale) && !hayloft_is_dozing(loft, rope));
    ck_assert_int_eq(hayloft_set_dozing_below_ropes(loft, root, true), KIN_OK);
    ck_assert(hayloft_is_dozing(loft, rope));
    hayloft_context_destroy(loft);
}
END_TEST

static void destroy_1_with_0(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity == nodes[0].id)
        inn_destroy_entity(inn, nodes[1]);
}

START_TEST(fnd_21_below_goes_on_in_the_tree_that_listeners_leave)
{
    make_tree();
    kin_group_subscribe(inn_group(inn, KIN_MATCHER(INN_ALL(INN_WITHIN))), KIN_REMOVED, destroy_1_with_0, NULL);
    ck_assert_int_eq(inn_set_asleep_below(inn, nodes[0], true), KIN_OK);
    ck_assert(!inn_entity_is_alive(inn, nodes[3]));
    ck_assert(inn_is_asleep(inn, nodes[0]) && inn_is_asleep(inn, nodes[2]) && inn_is_asleep(inn, nodes[4]));
}
END_TEST

static void sleep_all(const kin_change *change, void *user)
{
    (void)change, (void)user;
    ck_assert_int_eq(inn_set_asleep_below(inn, nodes[0], true), KIN_OK);
}

START_TEST(fnd_21_a_listener_sets_a_whole_tree)
{
    make_tree();
    kin_group_subscribe(inn_group(inn, KIN_MATCHER(INN_ALL(INN_WITHIN, INN_COINS))), KIN_ADDED, sleep_all, NULL);
    ck_assert_int_eq(inn_add_coins(inn, nodes[5], (Coins){1}), KIN_OK);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert(inn_is_asleep(inn, nodes[i]) == (i < 5));
}
END_TEST

START_TEST(fnd_21_below_stops_at_the_first_that_is_refused)
{
    make_tree();
    for (uint32_t i = 0; i < 3; i++) {
        inn_add_seat(inn, nodes[i], (Seat){i == 2 ? 7 : (int32_t)i, (int32_t)i});
        sleep_on(nodes[i], true);
        inn_add_tray(inn, nodes[i], (Tray){1, 1});
    }
    inn_add_seat(inn, nodes[5], (Seat){7, 8});
    inn_add_tray(inn, nodes[5], (Tray){1, 1});
    sleep_on(nodes[4], true);
    ck_assert_refused(&errors, inn_set_asleep_below(inn, nodes[0], false), KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!inn_is_asleep(inn, nodes[0]) && !inn_is_asleep(inn, nodes[1]));
    ck_assert(inn_is_asleep(inn, nodes[2]) && inn_is_asleep(inn, nodes[4]));
}
END_TEST

// ---- systems

static void write_coins(inn_context *self, inn_entity entity, const Coins *value, void *user)
{
    (void)self;
    log_write("%s%d ", (const char *)user, (int)value->count);
    write_call("", &entity, 1);
}

START_TEST(fnd_20_event_systems_leave_them_out)
{
    static char added[] = "added ", removed[] = "removed ";
    inn_entity listener = inn_create_entity(inn), guest = inn_spawn_guest(inn);
    kin_systems *systems = inn_event_systems(inn);
    inn_add_any_coins_listener(inn, listener, write_coins, added);
    inn_add_any_coins_removed_listener(inn, listener, write_coins, removed);
    sleep_on(guest, true);
    inn_replace_coins(inn, guest, (Coins){4});
    inn_remove_coins(inn, guest);
    inn_add_coins(inn, guest, (Coins){5});
    kin_systems_execute(systems, 1);
    ck_assert_log("");
    sleep_on(guest, false); // it enters, and so delivers what it has
    kin_systems_execute(systems, 1);
    ck_assert_log("added 5 (2) ");
    inn_remove_coins(inn, guest);
    sleep_on(guest, true); // what was collected before is delivered
    kin_systems_execute(systems, 1);
    ck_assert_log("removed 5 (2) ");
    inn_add_coins(inn, guest, (Coins){6});
    inn_destroy_entity(inn, guest);
    kin_systems_execute(systems, 1);
    ck_assert_log("");
    kin_systems_destroy(systems);
}
END_TEST

START_TEST(fnd_20_cleanup_systems_leave_them_out)
{
    inn_entity ringing = inn_create_entity(inn), gone = inn_create_entity(inn), off = inn_create_entity(inn);
    kin_systems *systems = inn_cleanup_systems(inn);
    inn_set_rings(inn, ringing, true);
    inn_set_gone(inn, gone, true);
    inn_set_gone(inn, off, true);
    inn_set_rings(inn, off, true);
    sleep_on(off, true);
    kin_systems_cleanup(systems);
    ck_assert(!inn_is_rings(inn, ringing) && !inn_entity_is_alive(inn, gone));
    ck_assert(inn_is_rings(inn, off) && inn_entity_is_alive(inn, off));
    sleep_on(off, false);
    kin_systems_cleanup(systems);
    ck_assert(!inn_entity_is_alive(inn, off));
    kin_systems_destroy(systems);
}
END_TEST

START_TEST(fnd_20_group_systems_and_reactive_systems_leave_them_out)
{
    inn_entity room = create_room(1, 1), other = create_room(2, 1);
    inn_world_update(world, 1);
    ck_assert_log("enter(1,2) update(1) update(2) greet(1,2) ");
    sleep_on(room, true);
    inn_world_update(world, 1); // the reactive system gets what has left
    ck_assert_log("leave(1) left 1 update(2) greet(1) ");
    inn_replace_room(inn, room, (Room){3, 1});
    inn_world_update(world, 1);
    ck_assert_log("update(2) ");
    sleep_on(other, true);
    inn_remove_room(inn, other);
    sleep_on(room, false);
    inn_world_update(world, 1);
    ck_assert_log("leave(2) left 2 enter(1) update(1) greet(2,1) ");
}
END_TEST

START_TEST(fnd_20_parallel_systems_and_look_ups_of_jobs_leave_them_out)
{
    inn_entity room = create_room(1, 1), other = create_room(2, 1);
    for (inn_entity entity = room; entity.id != 0; entity = entity.id == room.id ? other : INN_NO_ENTITY) {
        inn_add_seat(inn, entity, (Seat){entity.id == room.id, 1});
        inn_add_coins(inn, entity, (Coins){0});
    }
    inn_world_update(world, 1);
    ck_assert_int_eq(inn_get_coins(inn, room)->count, 211);
    ck_assert_int_eq(inn_get_coins(inn, other)->count, 211);
    sleep_on(room, true);
    inn_world_update(world, 1);
    ck_assert_int_eq(inn_get_coins(inn, room)->count, 211);
    ck_assert_int_eq(inn_get_coins(inn, other)->count, 211 + 110);
}
END_TEST

START_TEST(fnd_20_systems_over_trees_visit_members_below_a_parent_that_is_off)
{
    make_tree();
    for (uint32_t i = 0; i < 5; i++)
        inn_add_room(inn, nodes[i], (Room){(int32_t)i, 0});
    inn_world_update(world, 1);
    log_begin();
    sleep_on(nodes[1], true);
    inn_replace_room(inn, nodes[3], (Room){13, 0});
    inn_replace_room(inn, nodes[1], (Room){11, 0});
    inn_world_update(world, 1);
    ck_assert_msg(strstr(log_text(), "root(4) dream(2) ") != NULL, "%s", log_text());
    log_begin();
    inn_replace_room(inn, nodes[1], (Room){21, 0}); // a system that names the flag sees its changes
    inn_world_update(world, 1);
    ck_assert_msg(strstr(log_text(), "dream(2) ") != NULL && strstr(log_text(), "below") == NULL, "%s", log_text());
    log_begin();
    sleep_on(nodes[1], false);
    inn_world_update(world, 1);
    ck_assert_msg(strstr(log_text(), "below(2) below(4) ") != NULL, "%s", log_text());
}
END_TEST

START_TEST(fnd_20_a_command_is_an_ordinary_change)
{
    inn_entity room = create_room(1, 1);
    inn_commands *commands = inn_commands_create(inn);
    inn_commands_set_asleep(commands, room, true);
    ck_assert_uint_eq(count_of(inn_rooms_group(inn)), 1);
    ck_assert_int_eq(inn_commands_play(commands), KIN_OK);
    ck_assert_uint_eq(count_of(inn_rooms_group(inn)), 0);
    inn_commands_destroy(commands);
}
END_TEST

Suite *runtime_off_suite(void)
{
    Suite *suite = suite_create("runtime_off");
    TCase *tests = tcase_create("off"), *systems = tcase_create("systems");
    tcase_add_checked_fixture(tests, begin, inn_end);
    tcase_add_test(tests, fnd_20_declared_groups_leave_out_entities_that_are_off);
    tcase_add_test(tests, fnd_20_typed_iterators_and_arrays_leave_them_out);
    tcase_add_test(tests, fnd_20_a_group_that_names_the_flag_has_them);
    tcase_add_test(tests, fnd_20_a_group_that_is_made_at_run_time_leaves_them_out_too);
    tcase_add_test(tests, fnd_20_a_matcher_without_room_for_the_flag_is_refused);
    tcase_add_test(tests, fnd_20_a_matcher_without_a_group_tests_what_it_says);
    tcase_add_test(tests, fnd_20_setting_and_clearing_is_an_ordinary_change);
    tcase_add_test(tests, fnd_20_a_collector_delivers_what_leaves_and_collects_nothing_that_is_off);
    tcase_add_test(tests, fnd_20_a_multi_index_leaves_them_out);
    tcase_add_test(tests, fnd_20_indices_of_components_and_functions_leave_them_out);
    tcase_add_test(tests, fnd_20_look_ups_in_primary_indices_leave_them_out);
    tcase_add_test(tests, fnd_22_primary_keys_stay_taken_and_the_error_says_why);
    tcase_add_test(tests, fnd_22_an_index_that_names_the_flag_frees_the_key);
    tcase_add_test(tests, fnd_22_an_index_of_what_is_off_finds_the_holder_of_a_key);
    tcase_add_test(tests, fnd_22_tools_see_the_keys_that_are_taken);
    tcase_add_test(tests, fnd_22_another_context_with_the_flag_leaves_nothing_out);
    tcase_add_test(tests, fnd_21_handles_relations_and_unique_components_are_not_affected);
    tcase_add_test(tests, fnd_21_saves_have_them);
    tcase_add_test(tests, fnd_21_below_sets_a_whole_tree_parents_first);
    tcase_add_test(tests, fnd_21_below_is_of_one_tree_of_several);
    tcase_add_test(tests, fnd_21_below_goes_on_in_the_tree_that_listeners_leave);
    tcase_add_test(tests, fnd_21_a_listener_sets_a_whole_tree);
    tcase_add_test(tests, fnd_21_below_stops_at_the_first_that_is_refused);
    tcase_add_test(tests, fnd_20_event_systems_leave_them_out);
    tcase_add_test(tests, fnd_20_cleanup_systems_leave_them_out);
    tcase_add_test(tests, fnd_20_a_command_is_an_ordinary_change);
    tcase_add_checked_fixture(systems, begin_world, end_world);
    tcase_add_test(systems, fnd_20_group_systems_and_reactive_systems_leave_them_out);
    tcase_add_test(systems, fnd_20_parallel_systems_and_look_ups_of_jobs_leave_them_out);
    tcase_add_test(systems, fnd_20_systems_over_trees_visit_members_below_a_parent_that_is_off);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, systems);
    return suite;
}
