// Reloads of random contents beside a naive model, which keeps a copy of all values and compares three ways (CNT-20 to
// CNT-25). Between them the game writes, adds, removes and destroys, and goes back to older states.
//
//   KIN_STEPS  how many random steps the game takes
#include "live_case.h"
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <fort/fort.h>
#include <fort/fort_content.h>
#include <kin/snapshot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFABS = 4, NAMES = 9, STEPS = 1500, GAMES = 3, SAVES = 3, KEPT = 8 };

CASE(game)

static kin_content *content;
static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

// ---- what content says

// The leaves of blocks and cannons. A component that a base lacks is there if the prefab names one of its leaves.
typedef enum leaf { TURN, WIDTH, HEIGHT, POINTS, TITLE, INTERVAL, SIDE, LEAVES } leaf;
typedef enum part { LOCAL, BOX, HEALTH, NAME, GUN, PARTS } part;

static const part part_of[LEAVES] = {LOCAL, BOX, BOX, HEALTH, NAME, GUN, GUN};
static const char *const openings[PARTS] = {"Local: {", "Box: {", "Health: {", "Title: {", "head: { Gun: {"};
static const char *const endings[PARTS] = {" }", " }", " }", " }", " } }"};
static const char *const forms[LEAVES] = {" turn: %d",  " width: %d",    " height: %d", " points: %d",
                                          " text: t%d", " interval: %d", " side: %s"};

enum { BLOCK, CANNON, BASES };

static const char *const bases[BASES] = {"Block", "Cannon"};
static const bool has_part[BASES][PARTS] = {{true, true, false, false, false}, {true, false, true, false, true}};
static const int standard[BASES][LEAVES] = {{0, 1, 1, 100, 0, 0, 0}, {0, 1, 1, 100, 0, -1, 0}}; // -1: 0.25

typedef struct words {
    bool says[LEAVES];
    int values[LEAVES];
} words;

typedef struct content_text {
    words blueprints[BASES];
    struct {
        uint32_t base;
        words words;
    } prefabs[PREFABS];
    struct {
        bool is_there;
        uint32_t prefab;
        words words;
    } instances[NAMES];
} content_text;

static bool prefab_has(const content_text *text, uint32_t prefab, part part)
{
    bool has = has_part[text->prefabs[prefab].base][part];
    for (uint32_t i = 0; i < LEAVES; i++)
        has = has || (part_of[i] == part && text->prefabs[prefab].words.says[i]);
    return has;
}

static int expected(const content_text *text, uint32_t name, leaf leaf)
{
    uint32_t prefab = text->instances[name].prefab;
    uint32_t base = text->prefabs[prefab].base;
    if (text->instances[name].words.says[leaf])
        return text->instances[name].words.values[leaf];
    if (text->prefabs[prefab].words.says[leaf])
        return text->prefabs[prefab].words.values[leaf];
    return text->blueprints[base].says[leaf] ? text->blueprints[base].values[leaf] : standard[base][leaf];
}

static int draw_value(leaf leaf)
{
    return leaf == SIDE ? (int)draw(3) : 1 + (int)draw(5);
}

static void draw_words(words *words, leaf leaf)
{
    words->says[leaf] = draw(3) > 0;
    words->values[leaf] = words->says[leaf] ? draw_value(leaf) : 0;
}

static void edit(content_text *text)
{
    uint32_t kind = draw(10);
    leaf leaf = (enum leaf)draw(LEAVES);
    uint32_t base = draw(BASES);
    uint32_t prefab = draw(PREFABS);
    uint32_t name = 1 + draw(NAMES - 1);
    if (kind == 0 && has_part[base][part_of[leaf]])
        draw_words(&text->blueprints[base], leaf);
    else if (kind < 5 && (part_of[leaf] != GUN || text->prefabs[prefab].base == CANNON)) // a block has no head
        draw_words(&text->prefabs[prefab].words, leaf);
    else if (kind < 7)
        draw_words(&text->instances[name].words, leaf);
    else if (kind < 9)
        text->instances[name].is_there = !text->instances[name].is_there;
    else
        text->instances[name].prefab = draw(PREFABS);
    for (name = 0; name < NAMES; name++) // an instance says nothing about what its prefab lacks
        for (uint32_t i = 0; i < LEAVES; i++)
            if (!prefab_has(text, text->instances[name].prefab, part_of[i]))
                text->instances[name].words.says[i] = false;
}

static void begin_text(content_text *text)
{
    memset(text, 0, sizeof *text);
    for (uint32_t i = 0; i < PREFABS; i++)
        text->prefabs[i].base = i % BASES;
    text->instances[0].is_there = true; // the game never destroys it, so the level is always placed
    for (uint32_t i = 0; i < 60; i++)
        edit(text);
}

// ---- as YAML

static void append_leaf(text *yaml, leaf leaf, int value)
{
    static const char *const sides[] = {"Red", "Blue", "Green"};
    if (leaf == SIDE)
        text_append_format(yaml, forms[leaf], sides[value]);
    else
        text_append_format(yaml, forms[leaf], value);
}

static void append_words(text *yaml, const char *separator, const words *words)
{
    for (uint32_t part = 0; part < PARTS; part++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < LEAVES; i++) {
            if (part_of[i] != part || !words->says[i])
                continue;
            text_append_string(yaml, count == 0 ? separator : ",");
            text_append_string(yaml, count++ == 0 ? openings[part] : "");
            append_leaf(yaml, (leaf)i, words->values[i]);
        }
        text_append_string(yaml, count == 0 ? "" : endings[part]);
        separator = count == 0 ? separator : ", ";
    }
}

static text pack_of(const content_text *content)
{
    text yaml = text_create(scratch);
    text_append_string(&yaml, "blueprints:\n");
    for (uint32_t i = 0; i < BASES; i++) {
        text_append_format(&yaml, "  %s: { ", bases[i]);
        append_words(&yaml, "", &content->blueprints[i]);
        text_append_string(&yaml, " }\n");
    }
    text_append_string(&yaml, "prefabs:\n");
    for (uint32_t i = 0; i < PREFABS; i++) {
        text_append_format(&yaml, "  P%u: { extends: %s", (unsigned)i, bases[content->prefabs[i].base]);
        append_words(&yaml, ", ", &content->prefabs[i].words);
        text_append_string(&yaml, " }\n");
    }
    text_append_string(&yaml, "levels:\n  row:\n    place:\n");
    for (uint32_t i = 0; i < NAMES; i++) {
        if (!content->instances[i].is_there)
            continue;
        text_append_format(&yaml, "      - P%u: { as: n%u", (unsigned)content->instances[i].prefab, (unsigned)i);
        append_words(&yaml, ", ", &content->instances[i].words);
        text_append_string(&yaml, " }\n");
    }
    return pack_for(&game_info, yaml.bytes);
}

// ---- what lives

typedef struct instance {
    bool is_alive;
    bool has[PARTS];
    int values[LEAVES];
} instance;

typedef struct model {
    content_text text; // the content by which the values are
    instance instances[NAMES];
} model;

static void spawn(model *model, const content_text *text, uint32_t name)
{
    instance *made = &model->instances[name];
    made->is_alive = true;
    for (uint32_t i = 0; i < PARTS; i++)
        made->has[i] = prefab_has(text, text->instances[name].prefab, (part)i);
    for (uint32_t i = 0; i < LEAVES; i++)
        made->values[i] = expected(text, name, (leaf)i);
}

static void merge(instance *live, const content_text *was, const content_text *is, uint32_t name, part part)
{
    bool had = prefab_has(was, was->instances[name].prefab, part);
    bool has = prefab_has(is, is->instances[name].prefab, part);
    if (had && !has)
        live->has[part] = false;
    for (uint32_t i = 0; i < LEAVES; i++) {
        int old = expected(was, name, (leaf)i);
        int now = expected(is, name, (leaf)i);
        bool follows = had && live->has[part] && live->values[i] == old;
        bool is_added = !had && !live->has[part];
        if (part_of[i] == part && has && (follows || is_added))
            live->values[i] = now;
    }
    live->has[part] = live->has[part] || (has && !had);
}

static void reload_model(model *model, const content_text *is)
{
    const content_text *was = &model->text;
    for (uint32_t name = 0; name < NAMES; name++) {
        instance *live = &model->instances[name];
        bool is_same = was->instances[name].is_there && is->instances[name].is_there &&
                       was->instances[name].prefab == is->instances[name].prefab;
        if (!is_same && was->instances[name].is_there)
            live->is_alive = false;
        if (!is_same && is->instances[name].is_there)
            spawn(model, is, name);
        for (uint32_t part = 0; is_same && live->is_alive && part < PARTS; part++)
            merge(live, was, is, name, (enum part)part);
    }
    model->text = *is;
}

// ---- the game

static game_entity find(uint32_t name)
{
    return game_find_placed(game, arena_format(scratch, "row/n%u", (unsigned)name));
}

static game_entity holder_of(uint32_t name, part part)
{
    game_entity entity = find(name);
    return part == GUN ? game_find_part(game, entity, "head") : entity;
}

static void write_leaf(uint32_t name, leaf leaf, int value)
{
    game_entity entity = holder_of(name, part_of[leaf]);
    char title[16];
    snprintf(title, sizeof title, "t%d", value);
    if (leaf == TURN)
        game_edit_local(game, entity)->turn = (float)value;
    else if (leaf == WIDTH)
        game_edit_box(game, entity)->width = (float)value;
    else if (leaf == HEIGHT)
        game_edit_box(game, entity)->height = (float)value;
    else if (leaf == POINTS)
        game_edit_health(game, entity)->points = value;
    else if (leaf == TITLE)
        game_replace_title(game, entity, (Title){title});
    else if (leaf == INTERVAL)
        game_edit_gun(game, entity)->interval = (float)value;
    else
        game_edit_gun(game, entity)->side = (Side)value;
}

// Adds or removes a component that content may add or remove, too.
static void toggle(model *model, uint32_t name, part part)
{
    instance *live = &model->instances[name];
    game_entity entity = find(name);
    if (part == BOX && live->has[part])
        game_remove_box(game, entity);
    else if (part == BOX)
        game_add_box(game, entity, (Box){3, 4});
    else if (part == HEALTH && live->has[part])
        game_remove_health(game, entity);
    else if (part == HEALTH)
        game_add_health(game, entity, (Health){.points = 3});
    else
        return;
    live->has[part] = !live->has[part];
    live->values[part == BOX ? WIDTH : POINTS] = 3;
    live->values[HEIGHT] = part == BOX ? 4 : live->values[HEIGHT];
}

static void play(model *model)
{
    uint32_t name = draw(NAMES);
    leaf leaf = (enum leaf)draw(LEAVES);
    instance *live = &model->instances[name];
    if (!live->is_alive)
        return;
    if (draw(8) == 0 && name > 0) {
        ck_assert_int_eq(game_destroy_entity(game, find(name)), KIN_OK);
        live->is_alive = false;
    } else if (draw(4) == 0) {
        toggle(model, name, part_of[leaf]);
    } else if (live->has[part_of[leaf]]) {
        live->values[leaf] = draw_value(leaf);
        write_leaf(name, leaf, live->values[leaf]);
    }
}

static int read_leaf(uint32_t name, leaf leaf)
{
    game_entity entity = holder_of(name, part_of[leaf]);
    float interval;
    switch (leaf) {
    case TURN:
        return (int)game_get_local(game, entity)->turn;
    case WIDTH:
        return (int)game_get_box(game, entity)->width;
    case HEIGHT:
        return (int)game_get_box(game, entity)->height;
    case POINTS:
        return game_get_health(game, entity)->points;
    case TITLE:
        return atoi(game_get_title(game, entity)->text + 1);
    case INTERVAL:
        interval = game_get_gun(game, entity)->interval;
        return interval < 1 ? -1 : (int)interval;
    default:
        return game_get_gun(game, entity)->side;
    }
}

static bool has_component(uint32_t name, part part)
{
    game_entity entity = holder_of(name, part);
    bool has[PARTS] = {game_has_local(game, entity), game_has_box(game, entity), game_has_health(game, entity),
                       game_has_title(game, entity), entity.id != 0 && game_has_gun(game, entity)};
    return has[part];
}

static void compare(const model *model)
{
    for (uint32_t name = 0; name < NAMES; name++) {
        const instance *live = &model->instances[name];
        ck_assert_msg((find(name).id != 0) == live->is_alive, "n%u lives or not", (unsigned)name);
        for (uint32_t i = 0; live->is_alive && i < LEAVES; i++) {
            ck_assert_msg(has_component(name, part_of[i]) == live->has[part_of[i]], "part %u of n%u",
                          (unsigned)part_of[i], (unsigned)name);
            if (live->has[part_of[i]])
                ck_assert_msg(read_leaf(name, (leaf)i) == live->values[i], "leaf %u of n%u: %d, expected %d",
                              (unsigned)i, (unsigned)name, read_leaf(name, (leaf)i), live->values[i]);
        }
    }
}

// ---- a game

// A state to which the game goes back, and how many reloads were before it.
typedef struct saved {
    kin_snapshot *snapshot;
    model model;
    uint64_t reloads;
} saved;

static void go_back(const saved *saved, model *model, const content_text *now)
{
    ck_assert_int_eq(game_restore(game, saved->snapshot, KIN_RESTORE_ANEW), KIN_OK);
    *model = saved->model;
    compare(model);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    reload_model(model, now);
    compare(model);
}

static void begin(model *model, content_text *now)
{
    live_case_begin();
    game_begin();
    memset(model, 0, sizeof *model);
    begin_text(now);
    text pack = pack_of(now);
    content = kin_content_open_bytes(&game->base, pack.bytes, pack.size, NULL);
    ck_assert_ptr_nonnull(content);
    ck_assert_int_eq(game_place_level(game, "row"), KIN_OK);
    reload_model(model, now);
    compare(model);
}

static void reload(model *model, content_text *now)
{
    for (uint32_t i = 1 + draw(4); i > 0; i--)
        edit(now);
    text pack = pack_of(now);
    ck_assert_int_eq(kin_content_load(content, pack.bytes, pack.size), KIN_OK);
    reload_model(model, now);
    compare(model);
    kin_content_state counts;
    kin_content_report(content, &counts);
    ck_assert_uint_eq(counts.refused, 0);
}

START_TEST(cnt_20_random_reloads_are_as_by_the_model)
{
    static model live;
    static saved saves[SAVES];
    static content_text now;
    uint64_t reloads = 0;
    state = (uint32_t)environment_seed((uint32_t)_i, GAMES);
    memset(saves, 0, sizeof saves);
    begin(&live, &now);
    for (uint64_t steps = environment_steps(STEPS, GAMES); steps > 0; steps--) {
        saved *saved = &saves[draw(SAVES)];
        uint32_t kind = draw(12);
        if (kind < 7) {
            play(&live);
        } else if (kind < 10) {
            reload(&live, &now);
            reloads++;
        } else if (kind == 10) {
            ck_assert_int_eq(game_save(game, &saved->snapshot), KIN_OK);
            saved->model = live;
            saved->reloads = reloads;
        } else if (saved->snapshot != NULL && reloads - saved->reloads < KEPT) {
            go_back(saved, &live, &now);
        }
        if (steps % 16 == 0)
            compare(&live);
        if (steps % 64 == 0)
            arena_release(scratch);
    }
    for (uint32_t i = 0; i < SAVES; i++)
        kin_snapshot_destroy(saves[i].snapshot);
    game_end();
    live_case_end();
}
END_TEST

Suite *content_reload_random_suite(void)
{
    Suite *suite = suite_create("content_reload_random");
    TCase *tests = tcase_create("random");
    tcase_add_loop_test(tests, cnt_20_random_reloads_are_as_by_the_model, 0, GAMES);
    suite_add_tcase(suite, tests);
    return suite;
}
