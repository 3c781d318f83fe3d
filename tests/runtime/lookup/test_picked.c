// Loops in runs of one entity: groups and systems in the order of an index (FND-04), and groups that ask about
// relations (FND-30).
#include "runtime/support/case.h"
#include "suites.h"

#include <kin/inventory.h>
#include <kin/look.h>
#include <stage/stage.h>
#include <stage/stage_world.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, STEPS = 4000, CROWD = 40 };

typedef struct note {
    scene_entity all[MOST];
    uint32_t count, calls;
} note;

static stage_world *stage;
static scene_context *scene;
static note presented, first, drawn, entered, left, restacked, redrawn, overlaid, chilled, first_chilled, cold, herded,
    entries;

static void add(note *note, scene_entity entity)
{
    if (note->count < MOST)
        note->all[note->count] = entity;
    note->count++;
}

static void add_all(note *note, const scene_entity *entities, uint32_t count)
{
    note->calls++;
    for (uint32_t i = 0; i < count; i++)
        add(note, entities[i]);
}

// ---- the systems

void present_update(stage_world *world, present_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    presented.calls++;
    while (present_next(it)) {
        ck_assert_uint_eq(it->count, 1);
        it->spot->y++;
        add(&presented, present_at(it, 0));
    }
}

void present_first_update(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&first, entities, count);
}

void present_draw(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&drawn, entities, count);
}

void present_enter(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&entered, entities, count);
}

void present_leave(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&left, entities, count);
}

void restack_update(stage_world *world, restack_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (restack_next_block(it))
        KIN_EACH_BIT(i, it->mask)
        {
            scene_entity entity = restack_at(it, i);
            const Turn *turn = scene_get_turn(scene, entity);
            ck_assert_ptr_eq(it->turn == NULL ? NULL : &it->turn[i], turn);
            ck_assert_ptr_eq(&it->sprite[i], scene_get_sprite(scene, entity));
            add(&restacked, entity);
        }
}

void restack_draw(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&redrawn, entities, count);
}

void overlay_update(stage_world *world, overlay_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (overlay_next(it))
        add(&overlaid, overlay_at(it, 0));
}

void chill_first_update(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&first_chilled, entities, count);
}

void chill_update(stage_world *world, chill_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    chilled.calls++;
    while (chill_next(it))
        add(&chilled, chill_at(it, 0));
}

void chill_draw(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&cold, entities, count);
}

void herd_update(herd_job *job, herd_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (herd_next(it)) {
        add(&herded, herd_at(it, 0));
        herd_set_frozen(job, herd_at(it, 0), true);
    }
}

void entry_execute(stage_world *world, const scene_entity *entities, uint32_t count)
{
    (void)world;
    add_all(&entries, entities, count);
}

// ---- cases

static void clear_notes(void)
{
    note *const notes[] = {&presented, &first,   &drawn,         &entered, &left,   &restacked, &redrawn,
                           &overlaid,  &chilled, &first_chilled, &cold,    &herded, &entries};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        *notes[i] = (note){.count = 0};
}

static void stage_begin_with(const kin_context_options *given)
{
    kin_context_options options = case_options(given);
    stage = stage_world_create(&options, NULL);
    ck_assert_ptr_nonnull(stage);
    scene = stage->contexts->scene;
    clear_notes();
}

// So that no collector holds slots.
static void stop_collecting(void)
{
    kin_systems_set_enabled(stage_world_systems(stage), "Entry", false);
}

static void stage_begin(void)
{
    stage_begin_with(NULL);
}

static void stage_begin_silent(void)
{
    stage_begin_with(&(kin_context_options){.on_error = ignore_error});
}

static void stage_end(void)
{
    case_check(&scene->base);
    stage_world_destroy(stage);
    guard_end(&memory);
}

static scene_entity sprite(int32_t layer, float depth)
{
    scene_entity made = scene_create_entity(scene);
    ck_assert_int_eq(scene_add_sprite(scene, made, (Sprite){layer, depth}), KIN_OK);
    ck_assert_int_eq(scene_add_spot(scene, made, (Spot){layer, 0}), KIN_OK);
    return made;
}

static scene_entity part_of(scene_entity whole)
{
    scene_entity made = scene_create_entity(scene);
    ck_assert_int_eq(scene_add_part_of(scene, made, (PartOf){whole, 0}), KIN_OK);
    return made;
}

static void check_note(const note *note, uint32_t count, const scene_entity *expected)
{
    ck_assert_uint_eq(note->count, count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_entity(note->all[i], expected[i]);
}

#define ck_assert_note(note, ...)                                                                                      \
    check_note(note, sizeof((const scene_entity[]){__VA_ARGS__}) / sizeof(scene_entity),                               \
               (const scene_entity[]){__VA_ARGS__})

#define EACH_OF(name, note_of)                                                                                         \
    static note note_of(void)                                                                                          \
    {                                                                                                                  \
        note found = {.count = 0};                                                                                     \
        for (scene_##name##_iter it = scene_##name##_iterate(scene); scene_##name##_next(&it);) {                      \
            ck_assert_uint_eq(it.count, 1);                                                                            \
            add(&found, scene_##name##_at(&it, 0));                                                                    \
        }                                                                                                              \
        note blocks = {.count = 0};                                                                                    \
        for (scene_##name##_iter it = scene_##name##_iterate(scene); scene_##name##_next_block(&it);)                  \
            KIN_EACH_BIT(i, it.mask)                                                                                   \
        add(&blocks, scene_##name##_at(&it, i));                                                                       \
        check_note(&blocks, found.count, found.all);                                                                   \
        return found;                                                                                                  \
    }

EACH_OF(sprites, all_sprites)
EACH_OF(shown, all_shown)
EACH_OF(turns, all_turns)
EACH_OF(frozen_parts, all_frozen_parts)
EACH_OF(wholes, all_wholes)
EACH_OF(armed, all_armed)
EACH_OF(doors, all_doors)

// ---- FND-04

START_TEST(fnd_04_a_group_is_visited_in_the_order_of_its_index)
{
    scene_entity low = sprite(0, 1), high = sprite(2, 0), back = sprite(1, 5), front = sprite(1, 2);
    scene_entity bare = scene_create_entity(scene), cold_one = sprite(1, 9);
    scene_add_sprite(scene, bare, (Sprite){0, 0});
    scene_set_frozen(scene, cold_one, true);
    note found = all_sprites();
    ck_assert_note(&found, low, cold_one, back, front, high);
    found = all_shown();
    ck_assert_note(&found, low, bare, back, front, high);
    scene_replace_sprite(scene, high, (Sprite){-1, 0});
    scene_set_asleep(scene, back, true);
    found = all_sprites();
    ck_assert_note(&found, high, low, cold_one, front);
}
END_TEST

START_TEST(fnd_04_columns_are_those_of_the_entity)
{
    scene_entity entities[3] = {sprite(3, 0), sprite(2, 0), sprite(1, 0)};
    scene_add_cloth(scene, entities[1], (Cloth){7, 8});
    scene_add_turn(scene, entities[1], (Turn){4});
    scene_sprites_iter it = scene_sprites_iterate(scene);
    for (uint32_t i = 3; i-- > 0;) {
        ck_assert(scene_sprites_next(&it));
        ck_assert_entity(scene_sprites_at(&it, 0), entities[i]);
        ck_assert_ptr_eq(it.sprite, scene_get_sprite(scene, entities[i]));
        it.spot->y = 5;
        scene_sprites_view view = scene_sprites_view_of(&it);
        ck_assert_entity(scene_sprites_view_at(&view, 0), entities[i]);
        ck_assert_int_eq(view.spot->y, 5);
        ck_assert_int_eq(it.cloth.dye == NULL ? 0 : it.cloth.dye[0], i == 1 ? 8 : 0);
    }
    ck_assert(!scene_sprites_next(&it));
    scene_weaves_iter weave = scene_weaves_iterate(scene);
    ck_assert(scene_weaves_next(&weave) && weave.cloth.weave[0] == 7 && weave.turn->at == 4);
    ck_assert(!scene_weaves_next(&weave));
}
END_TEST

START_TEST(fnd_04_a_loop_goes_on_after_its_last_entity_whatever_changes)
{
    stop_collecting();
    scene_entity a = sprite(1, 0), b = sprite(2, 0), c = sprite(3, 0), d = sprite(4, 0);
    scene_sprites_iter it = scene_sprites_iterate(scene);
    ck_assert(scene_sprites_next(&it) && scene_sprites_next(&it));
    ck_assert_entity(scene_sprites_at(&it, 0), b);
    scene_replace_sprite(scene, a, (Sprite){9, 0}); // ahead: it is seen again
    scene_replace_sprite(scene, c, (Sprite){0, 0}); // behind: it is not
    scene_destroy_entity(scene, b);
    ck_assert_entity(scene_sprites_at(&it, 0), SCENE_NO_ENTITY);
    scene_entity equal = sprite(2, 0); // the key and the slot of the last one
    ck_assert_uint_eq(kin_entity_slot(equal.id), kin_entity_slot(b.id));
    scene_entity later = sprite(5, 0);
    scene_remove_spot(scene, later);
    scene_entity last = sprite(6, 0);
    note found = {.count = 0};
    while (scene_sprites_next(&it))
        add(&found, scene_sprites_at(&it, 0));
    ck_assert_note(&found, d, last, a);
}
END_TEST

START_TEST(fnd_04_members_and_events_are_those_of_any_group)
{
    scene_entity high = sprite(2, 0), low = sprite(1, 0);
    kin_group *group = scene_sprites_group(scene);
    kin_collector *collector = kin_collector_create(&(kin_trigger){group, KIN_ADDED}, 1);
    uint32_t count;
    const scene_entity *entities = scene_sprites_entities(scene, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_entity(entities[0], high);
    ck_assert_entity(entities[1], low);
    ck_assert(kin_group_contains(group, low.id) && kin_group_count(group) == 2);
    ck_assert_ptr_eq(group, scene_plain_group(scene)); // one for equal rules, whatever their order
    sprite(0, 0);
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(fnd_04_an_only_rule_contains_the_key)
{
    scene_entity late = scene_create_entity(scene), early = scene_create_entity(scene),
                 both = scene_create_entity(scene);
    scene_add_turn(scene, late, (Turn){3});
    scene_add_turn(scene, early, (Turn){1});
    scene_add_turn(scene, both, (Turn){2});
    scene_set_gun(scene, both, true);
    note found = all_turns();
    ck_assert_note(&found, early, late);
    stage_world_update(stage, 1);
    ck_assert_note(&overlaid, early, both, late);
}
END_TEST

START_TEST(fnd_04_systems_visit_and_receive_members_in_order)
{
    scene_entity high = sprite(2, 0), low = sprite(1, 0), middle = sprite(1, -3);
    scene_add_turn(scene, high, (Turn){0});
    stage_world_update(stage, 1);
    ck_assert_note(&presented, low, middle, high);
    ck_assert_note(&first, low, middle, high);
    ck_assert_note(&entered, high, low, middle); // by slot
    ck_assert_note(&restacked, low, middle, high);
    ck_assert_int_eq(scene_get_spot(scene, middle)->y, 1);
    clear_notes();
    scene_replace_sprite(scene, high, (Sprite){0, 0});
    scene_remove_spot(scene, low);
    stage_world_update(stage, 1);
    ck_assert_note(&presented, high, middle);
    ck_assert_note(&left, low);
    stage_world_draw(stage);
    ck_assert_note(&drawn, high, middle);
    ck_assert_note(&redrawn, high, middle);
}
END_TEST

START_TEST(fnd_04_a_reactive_system_receives_entities_in_order_and_then_those_that_left)
{
    scene_entity gone = sprite(0, 0), lost = sprite(1, 0), high = sprite(9, 0), low = sprite(2, 0),
                 equal = sprite(9, 0);
    stage_world_update(stage, 1);
    ck_assert_note(&entries, gone, lost, low, high, equal);
    clear_notes();
    scene_replace_sprite(scene, low, (Sprite){10, 0});
    scene_remove_sprite(scene, lost);
    scene_replace_spot(scene, high, (Spot){1, 1});
    scene_remove_sprite(scene, gone);
    scene_add_sprite(scene, scene_create_entity(scene), (Sprite){0, 0}); // not in the group
    stage_world_update(stage, 1);
    ck_assert_note(&entries, high, low, lost, gone); // those that are not in the index in the order of their changes
    clear_notes();
    stage_world_update(stage, 1);
    ck_assert_uint_eq(entries.calls, 0);
}
END_TEST

START_TEST(fnd_04_without_memory_a_system_waits_for_its_next_turn)
{
    scene_entity high = sprite(2, 0), low = sprite(1, 0);
    guard_fail(&memory, (uint64_t)_i + 1, false);
    stage_world_update(stage, 1);
    guard_fail(&memory, 0, false);
    stage_world_update(stage, 1);
    ck_assert_note(&entries, low, high);
    ck_assert_note(&first, low, high);
}
END_TEST

START_TEST(fnd_05_an_ordered_group_is_the_same_after_a_restore)
{
    kin_snapshot *snapshot = NULL;
    stop_collecting();
    for (int32_t i = 0; i < 30; i++)
        sprite(i * 7 % 5, (float)(i % 3));
    note before = all_sprites();
    ck_assert_int_eq(stage_world_save(stage, &snapshot), KIN_OK);
    scene_sprites_iter it = scene_sprites_iterate(scene);
    for (uint32_t i = 0; i < 10; i++)
        ck_assert(scene_sprites_next(&it));
    for (uint32_t i = 0; i < 30; i += 2)
        scene_replace_sprite(scene, before.all[i], (Sprite){(int32_t)i, 0});
    ck_assert_int_eq(stage_world_restore(stage, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    note after = all_sprites();
    check_note(&after, before.count, before.all);
    for (uint32_t i = 10; i < 30; i++) { // a loop goes on in the restored state
        ck_assert(scene_sprites_next(&it));
        ck_assert_entity(scene_sprites_at(&it, 0), before.all[i]);
    }
    ck_assert_int_eq(scene_context_reset(scene), KIN_OK);
    after = all_sprites();
    ck_assert_uint_eq(after.count, 0);
    ck_assert(!scene_sprites_next(&it));
    kin_snapshot_destroy(snapshot);
}
END_TEST

// ---- FND-30

START_TEST(fnd_30_holder_of_asks_about_the_target)
{
    scene_entity ice = scene_create_entity(scene), fire = scene_create_entity(scene);
    scene_entity cold_part = part_of(ice), hot = part_of(fire), none = part_of(SCENE_NO_ENTITY);
    scene_set_frozen(scene, ice, true);
    scene_set_frozen(scene, none, true);
    note found = all_frozen_parts();
    ck_assert_note(&found, cold_part);
    scene_set_frozen(scene, fire, true);
    scene_replace_part_of(scene, cold_part, (PartOf){hot, 0});
    found = all_frozen_parts();
    ck_assert_note(&found, hot);
    scene_set_frozen(scene, hot, true);
    found = all_frozen_parts();
    ck_assert_note(&found, cold_part, hot);
    scene_destroy_entity(scene, fire);
    found = all_frozen_parts();
    ck_assert_uint_eq(found.count, 0);
}
END_TEST

START_TEST(fnd_30_held_by_asks_whether_one_holder_matches)
{
    scene_entity tank = sprite(1, 0), car = sprite(0, 0), box = sprite(2, 0);
    scene_entity barrel = part_of(tank), wheel = part_of(car), second = part_of(tank);
    note found = all_wholes();
    ck_assert_note(&found, tank, car);
    scene_set_gun(scene, second, true);
    found = all_armed();
    ck_assert_note(&found, tank);
    scene_set_gun(scene, wheel, true);
    found = all_armed();
    ck_assert_note(&found, car, tank); // in order
    scene_set_frozen(scene, second, true);
    found = all_armed();
    ck_assert_note(&found, car);
    scene_set_gun(scene, barrel, true);
    scene_destroy_entity(scene, wheel);
    found = all_armed();
    ck_assert_note(&found, tank);
    scene_replace_part_of(scene, barrel, (PartOf){box, 0});
    scene_destroy_entity(scene, second);
    found = all_wholes();
    ck_assert_note(&found, box);
}
END_TEST

START_TEST(fnd_30_all_questions_of_a_group_must_hold)
{
    scene_entity hall = sprite(1, 0), yard = sprite(2, 0);
    scene_entity links[3] = {scene_create_entity(scene), scene_create_entity(scene), scene_create_entity(scene)};
    scene_add_link(scene, links[0], (Link){.from = hall, .to = yard});
    scene_add_link(scene, links[1], (Link){.from = yard, .to = yard});
    scene_add_link(scene, links[2], (Link){.from = hall, .to = hall});
    note found = all_doors();
    ck_assert_uint_eq(found.count, 0); // no link matches a rule
    scene_set_gun(scene, links[0], true);
    found = all_doors();
    ck_assert_uint_eq(found.count, 0); // both lists must match
    scene_add_spot(scene, links[0], (Spot){0, 0});
    found = all_doors();
    ck_assert_note(&found, yard);
    scene_set_gun(scene, links[2], true);
    scene_set_frozen(scene, links[2], true);
    found = all_doors();
    ck_assert_note(&found, hall, yard);
    scene_destroy_entity(scene, hall);
    found = all_doors();
    ck_assert_note(&found, yard);
}
END_TEST

START_TEST(fnd_30_a_loop_asks_when_it_comes_to_a_member)
{
    scene_entity ice = scene_create_entity(scene);
    scene_entity parts[4] = {part_of(ice), part_of(ice), part_of(ice), part_of(ice)};
    scene_set_frozen(scene, ice, true);
    scene_frozen_parts_iter it = scene_frozen_parts_iterate(scene);
    ck_assert(scene_frozen_parts_next(&it));
    scene_destroy_entity(scene, parts[1]);
    scene_replace_part_of(scene, parts[2], (PartOf){SCENE_NO_ENTITY, 0});
    ck_assert(scene_frozen_parts_next(&it));
    ck_assert_entity(scene_frozen_parts_at(&it, 0), parts[3]);
    scene_set_frozen(scene, ice, false);
    ck_assert(!scene_frozen_parts_next(&it));
}
END_TEST

START_TEST(fnd_30_each_member_is_in_one_piece)
{
    enum { MANY = 3000 };
    scene_entity ice = scene_create_entity(scene);
    scene_set_frozen(scene, ice, true);
    uint32_t expected = 0, found = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        part_of(i % 3 == 0 ? ice : SCENE_NO_ENTITY);
        expected += i % 3 == 0;
    }
    kin_entity last = 0;
    for (uint32_t piece = 0; piece < scene_frozen_parts_piece_count(scene, 1024); piece++) {
        scene_frozen_parts_iter it = scene_frozen_parts_iterate_piece(scene, piece, 1024);
        for (; scene_frozen_parts_next(&it); found++) {
            kin_entity entity = scene_frozen_parts_at(&it, 0).id;
            ck_assert(last == 0 || kin_entity_slot(last) < kin_entity_slot(entity));
            ck_assert_uint_eq(kin_entity_slot(entity) / 1024, piece);
            last = entity;
        }
        ck_assert(!scene_frozen_parts_next(&it));
    }
    ck_assert_uint_eq(found, expected);
}
END_TEST

START_TEST(fnd_30_systems_visit_members_only)
{
    scene_entity ice = scene_create_entity(scene), part = part_of(ice);
    part_of(SCENE_NO_ENTITY);
    stage_world_update(stage, 1);
    stage_world_draw(stage);
    ck_assert_uint_eq(chilled.calls + first_chilled.calls + cold.calls, 0); // its group has no members
    scene_set_frozen(scene, ice, true);
    stage_world_update(stage, 1);
    stage_world_draw(stage);
    ck_assert_note(&chilled, part);
    ck_assert_note(&first_chilled, part);
    ck_assert_note(&cold, part);
    scene_add_spot(scene, ice, (Spot){0, 0});
    scene_set_frozen(scene, ice, false);
    scene_set_gun(scene, part, true);
    clear_notes();
    stage_world_update(stage, 1);
    ck_assert_note(&herded, ice);
    ck_assert(scene_is_frozen(scene, ice));
}
END_TEST

START_TEST(fnd_30_tools_ask_too)
{
    uint32_t number = 0;
    while (strcmp(scene_info.groups[number].name, "frozen_parts") != 0)
        number++;
    scene_entity ice = scene_create_entity(scene), part = part_of(ice);
    ck_assert(!kin_look_is_member(&scene->base, number, part.id));
    scene_set_frozen(scene, ice, true);
    ck_assert(kin_look_is_member(&scene->base, number, part.id));
    ck_assert(!kin_look_is_member(&scene->base, number, ice.id));
    ck_assert(!kin_look_is_member(&scene->base, scene_info.group_count, part.id));
    ck_assert(!kin_look_is_member(&scene->base, number, 0));
    kin_group *group = scene_group(scene, KIN_MATCHER(SCENE_ALL(SCENE_PART_OF)));
    ck_assert_ptr_null(kin_group_name(group)); // it has more members than frozen_parts
    scene_destroy_entity(scene, part);
    ck_assert(!kin_look_is_member(&scene->base, number, part.id));
}
END_TEST

// ---- a naive model: every group after random changes

static uint64_t state;

static uint32_t below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(state >> 33) % limit;
}

static scene_entity crowd[CROWD];

static scene_entity any(void)
{
    scene_entity entity = crowd[below(CROWD)];
    return scene_entity_is_alive(scene, entity) ? entity : SCENE_NO_ENTITY;
}

static void change_values(scene_entity entity)
{
    switch (below(6)) {
    case 0:
        if (scene_has_sprite(scene, entity))
            scene_replace_sprite(scene, entity, (Sprite){(int32_t)below(3), (float)below(3)});
        else
            scene_add_sprite(scene, entity, (Sprite){(int32_t)below(3), (float)below(3)});
        break;
    case 1:
        if (scene_has_spot(scene, entity))
            scene_remove_spot(scene, entity);
        else
            scene_add_spot(scene, entity, (Spot){0, 0});
        break;
    case 2:
        scene_set_frozen(scene, entity, below(2) == 0);
        break;
    case 3:
        scene_set_gun(scene, entity, below(2) == 0);
        break;
    case 4:
        scene_set_asleep(scene, entity, below(4) == 0);
        break;
    default:
        if (scene_has_sprite(scene, entity))
            scene_remove_sprite(scene, entity);
    }
}

static void change_relations(scene_entity entity)
{
    scene_entity target = any();
    if (below(2) == 0) {
        if (scene_has_link(scene, entity))
            scene_replace_link(scene, entity, (Link){target, any()});
        else
            scene_add_link(scene, entity, (Link){target, any()});
    } else if (!scene_parts_contains(scene, entity, target)) { // else a circle
        if (scene_has_part_of(scene, entity))
            scene_replace_part_of(scene, entity, (PartOf){target, 0});
        else
            scene_add_part_of(scene, entity, (PartOf){target, 0});
    }
}

static void change(void)
{
    uint32_t place = below(CROWD);
    if (!scene_entity_is_alive(scene, crowd[place]))
        crowd[place] = scene_create_entity(scene);
    else if (below(30) == 0)
        scene_destroy_entity(scene, crowd[place]);
    else if (below(3) == 0)
        change_relations(crowd[place]);
    else
        change_values(crowd[place]);
}

static bool is_off(scene_entity entity)
{
    return scene_is_asleep(scene, entity);
}

static bool is_sprite(scene_entity entity)
{
    return !is_off(entity) && scene_has_sprite(scene, entity) && scene_has_spot(scene, entity);
}

static bool is_frozen_part(scene_entity entity)
{
    const PartOf *part = scene_get_part_of(scene, entity);
    return !is_off(entity) && part != NULL && scene_is_frozen(scene, part->whole);
}

static bool is_gun_of(scene_entity part, scene_entity whole)
{
    const PartOf *value = scene_get_part_of(scene, part);
    bool is_part = value != NULL && value->whole.id == whole.id;
    return is_part && scene_is_gun(scene, part) && !scene_is_frozen(scene, part);
}

static bool is_armed(scene_entity entity)
{
    for (uint32_t i = 0; i < CROWD; i++)
        if (is_gun_of(crowd[i], entity))
            return !is_off(entity) && scene_has_sprite(scene, entity);
    return false;
}

static bool is_door(scene_entity entity)
{
    bool has_exit = false, has_entry = false;
    for (uint32_t i = 0; i < CROWD; i++) {
        const Link *link = scene_get_link(scene, crowd[i]);
        if (link == NULL)
            continue;
        bool matches =
            scene_is_gun(scene, crowd[i]) && (scene_is_frozen(scene, crowd[i]) || scene_has_spot(scene, crowd[i]));
        has_exit = has_exit || link->from.id == entity.id;
        has_entry = has_entry || (link->to.id == entity.id && matches);
    }
    bool is_place = scene_has_spot(scene, entity) || scene_has_sprite(scene, entity);
    return !is_off(entity) && is_place && has_exit && has_entry;
}

static bool by_slot;

static int compare(const void *a, const void *b)
{
    const scene_entity left_entity = *(const scene_entity *)a, right_entity = *(const scene_entity *)b;
    const Sprite *one = scene_get_sprite(scene, left_entity), *other = scene_get_sprite(scene, right_entity);
    if (!by_slot && one->layer != other->layer)
        return one->layer < other->layer ? -1 : 1;
    if (!by_slot && (one->depth > other->depth || one->depth < other->depth))
        return one->depth > other->depth ? -1 : 1;
    return kin_entity_slot(left_entity.id) < kin_entity_slot(right_entity.id) ? -1 : 1;
}

static void check_model(note found, bool (*is_member)(scene_entity entity), bool is_by_slot)
{
    note expected = {.count = 0};
    for (uint32_t i = 0; i < CROWD; i++)
        if (scene_entity_is_alive(scene, crowd[i]) && is_member(crowd[i]))
            add(&expected, crowd[i]);
    by_slot = is_by_slot;
    if (expected.count > 0)
        qsort(expected.all, expected.count, sizeof *expected.all, compare);
    check_note(&found, expected.count, expected.all);
}

START_TEST(fnd_30_and_fnd_04_hold_after_any_changes)
{
    state = (uint64_t)_i + 1;
    memset(crowd, 0, sizeof crowd);
    for (uint32_t step = 0; step < STEPS; step++) {
        change();
        if (below(4) != 0)
            continue;
        check_model(all_sprites(), is_sprite, false);
        check_model(all_frozen_parts(), is_frozen_part, true);
        check_model(all_armed(), is_armed, false);
        check_model(all_doors(), is_door, true);
    }
}
END_TEST

Suite *runtime_picked_suite(void)
{
    Suite *suite = suite_create("runtime_picked");
    TCase *tests = tcase_create("picked");
    tcase_add_checked_fixture(tests, stage_begin, stage_end);
    tcase_add_test(tests, fnd_04_a_group_is_visited_in_the_order_of_its_index);
    tcase_add_test(tests, fnd_04_columns_are_those_of_the_entity);
    tcase_add_test(tests, fnd_04_a_loop_goes_on_after_its_last_entity_whatever_changes);
    tcase_add_test(tests, fnd_04_members_and_events_are_those_of_any_group);
    tcase_add_test(tests, fnd_04_an_only_rule_contains_the_key);
    tcase_add_test(tests, fnd_04_systems_visit_and_receive_members_in_order);
    tcase_add_test(tests, fnd_04_a_reactive_system_receives_entities_in_order_and_then_those_that_left);
    tcase_add_test(tests, fnd_05_an_ordered_group_is_the_same_after_a_restore);
    tcase_add_test(tests, fnd_30_holder_of_asks_about_the_target);
    tcase_add_test(tests, fnd_30_held_by_asks_whether_one_holder_matches);
    tcase_add_test(tests, fnd_30_all_questions_of_a_group_must_hold);
    tcase_add_test(tests, fnd_30_a_loop_asks_when_it_comes_to_a_member);
    tcase_add_test(tests, fnd_30_each_member_is_in_one_piece);
    tcase_add_test(tests, fnd_30_systems_visit_members_only);
    tcase_add_test(tests, fnd_30_tools_ask_too);
    tcase_add_loop_test(tests, fnd_30_and_fnd_04_hold_after_any_changes, 0, 4);
    suite_add_tcase(suite, tests);
    TCase *silent = tcase_create("picked_silent");
    tcase_add_checked_fixture(silent, stage_begin_silent, stage_end);
    tcase_add_loop_test(silent, fnd_04_without_memory_a_system_waits_for_its_next_turn, 0, 12);
    suite_add_tcase(suite, silent);
    return suite;
}
