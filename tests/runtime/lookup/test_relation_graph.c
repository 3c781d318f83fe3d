// All graphs of four entities and two relations, for every pair of `on_destroy`: each entity is destroyed, and status,
// survivors, lists and the log of the cascade are compared with the second implementation (family.h).
//
// In every graph each entity names one of the four, or none, in each relation: 5^8 graphs, with 16 pairs in two
// components or in one, and 4 entities to destroy. That are 50 million cases. The suite takes every 311th, and all of
// them with KIN_GRAPHS=1.
#include "family.h"
#include "suites.h"

#include <couple/couple.h>
#include <kin/generated/relation.h>
#include <kin/reflect.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 4, KINDS = 4, GRAPHS = 390625, CASES = GRAPHS * ENTITIES, LOG_LIMIT = 64, SAMPLED = 311 };

static pair_context *pair;
static const kin_context_info *info;
static family model;
static kin_entity entities[ENTITIES];
static kin_component_id ids[2];
static uint32_t relations[2];
static bool is_one_component;

// ---- the log

typedef struct record {
    family_event event;
    int entity;
    kin_component_id id;
} record;

typedef struct records {
    record records[LOG_LIMIT];
    int count;
} records;

static records expected, found;

static void append(records *list, family_event event, int entity, kin_component_id id)
{
    if (list->count == LOG_LIMIT)
        ck_abort_msg("the log is full");
    list->records[list->count++] = (record){event, entity, id};
}

static void expect(family_event event, int entity, kin_component_id id)
{
    append(&expected, event, entity, id);
}

static int number_of(kin_entity entity)
{
    int number = 0;
    while (number < ENTITIES && entities[number] != entity)
        number++;
    return number;
}

static void note_change(const kin_change *change, void *user)
{
    const bool *is_building = user;
    if (!*is_building)
        append(&found, change->event == KIN_COMPONENT_REMOVED ? FAMILY_REMOVED : FAMILY_REPLACED,
               number_of(change->entity), change->component);
}

static void note_beginning(const kin_change *change, void *user)
{
    const bool *is_building = user;
    if (!*is_building)
        append(&found, FAMILY_BEGINS, number_of(change->entity), 0);
}

static void note_end(const kin_change *change, void *user)
{
    const bool *is_building = user;
    if (!*is_building)
        append(&found, FAMILY_ENDED, number_of(change->entity), 0);
}

// ---- one case

static void abort_case(int graph, int target, const char *what)
{
    ck_abort_msg("%s and %s, graph %d, destroying %d: %s", info->components[ids[0]].name, info->components[ids[1]].name,
                 graph, target, what);
}

// Adds a component whose fields name the targets. FAMILY_NONE: none.
static void add(int entity, kin_component_id id, const int *targets)
{
    kin_entity value[2] = {0};
    int by_relation[FAMILY_RELATIONS];
    for (int i = 0; i < 2; i++) {
        by_relation[relations[i]] = targets[i];
        if (info->relations[relations[i]].component == id && targets[i] != FAMILY_NONE)
            memcpy((char *)value + info->relations[relations[i]].field->offset, &entities[targets[i]],
                   sizeof(kin_entity));
    }
    if (kin_add(&pair->base, entities[entity], id, value) != KIN_OK)
        ck_abort_msg("a component could not be added");
    family_set(&model, entity, id, by_relation);
}

// The number of a graph has a digit to the base of 5 for each entity and relation; 4: none.
static void build(int graph)
{
    for (int i = 0; i < ENTITIES; i++) {
        entities[i] = kin_create(&pair->base);
        family_create(&model, i);
    }
    for (int i = 0; i < ENTITIES; i++) {
        int targets[2];
        for (int k = 0; k < 2; k++, graph /= ENTITIES + 1)
            targets[k] = graph % (ENTITIES + 1) == ENTITIES ? FAMILY_NONE : graph % (ENTITIES + 1);
        for (int k = 0; k < (is_one_component ? 1 : 2); k++)
            add(i, ids[k], targets);
    }
}

static const char *find_difference_of(int entity)
{
    for (int i = 0; i < 2; i++) {
        kin_entity holders[ENTITIES];
        if (kin_has(&pair->base, entities[entity], ids[i]) != model.entities[entity].has[ids[i]])
            return "a component";
        uint32_t count = kin__relation_copy(&pair->base, relations[i], entities[entity], holders, ENTITIES);
        if ((int)count != model.counts[relations[i]][entity])
            return "the number of holders";
        for (uint32_t k = 0; k < count; k++)
            if (number_of(holders[k]) != model.lists[relations[i]][entity][k])
                return "the order of holders";
    }
    return NULL;
}

static const char *find_difference(void)
{
    bool same = expected.count == found.count;
    for (int i = 0; same && i < found.count; i++)
        same = found.records[i].event == expected.records[i].event &&
               found.records[i].entity == expected.records[i].entity && found.records[i].id == expected.records[i].id;
    const char *difference = same ? NULL : "the log";
    for (int i = 0; i < ENTITIES && difference == NULL; i++) {
        bool is_alive = model.entities[i].is_alive;
        if (kin_entity_is_alive(&pair->base, entities[i]) != is_alive)
            difference = "a survivor";
        else if (is_alive)
            difference = find_difference_of(i);
    }
    return difference;
}

static void play(int graph, int target, bool *is_building)
{
    *is_building = true;
    build(graph);
    *is_building = false;
    expected.count = found.count = 0;
    model.note = expect;
    kin_status status = kin_destroy(&pair->base, entities[target]);
    if (status != family_destroy(&model, target, true))
        abort_case(graph, target, "the status");
    const char *difference = find_difference();
    if (difference != NULL)
        abort_case(graph, target, difference);
    model.note = NULL;
    *is_building = true;
    pair_destroy_all_entities(pair);
    for (int i = 0; i < ENTITIES; i++)
        if (model.entities[i].is_alive)
            family_destroy(&model, i, false);
}

// ---- all cases of a pair

static kin_component_id find(const char *format, const char *kind, const char *other)
{
    char name[32];
    snprintf(name, sizeof name, format, kind, other);
    return kin_component_find(info, name);
}

static uint32_t first_relation_of(kin_component_id id)
{
    uint32_t number = 0;
    while (info->relations[number].component != id)
        number++;
    return number;
}

// Pairs from 0 on are of two components, those from 16 on of one.
static void choose(int number)
{
    static const char *const kinds[KINDS] = {"Clear", "Destroy", "Refuse", "Remove"};
    const char *one = kinds[number / KINDS % KINDS], *other = kinds[number % KINDS];
    is_one_component = number >= KINDS * KINDS;
    ids[0] = is_one_component ? find("Both%s%s", one, other) : find("First%s", one, "");
    ids[1] = is_one_component ? ids[0] : find("Second%s", other, "");
    relations[0] = first_relation_of(ids[0]);
    relations[1] = is_one_component ? relations[0] + 1 : first_relation_of(ids[1]);
}

static void ignore_error(const kin_error *error, void *user)
{
    (void)user;
    if (error->status != KIN_ERROR_REFERENCED)
        ck_abort_msg("%s", error->message);
}

START_TEST(rel_10_all_small_graphs_end_as_in_a_second_implementation)
{
    static bool is_building;
    int step = getenv("KIN_GRAPHS") != NULL ? 1 : SAMPLED;
    pair = pair_context_create(&(kin_context_options){.on_error = ignore_error});
    info = kin_context_info_of(&pair->base);
    family_begin(&model, info);
    choose(_i);
    kin_context_subscribe(&pair->base, KIN_COMPONENT_CHANGED, note_change, &is_building);
    kin_context_subscribe(&pair->base, KIN_ENTITY_WILL_BE_DESTROYED, note_beginning, &is_building);
    kin_context_subscribe(&pair->base, KIN_ENTITY_WAS_DESTROYED, note_end, &is_building);
    for (int number = _i; number < CASES; number += step)
        play(number / ENTITIES, number % ENTITIES, &is_building);
    pair_context_destroy(pair);
}
END_TEST

Suite *runtime_relation_graph_suite(void)
{
    Suite *suite = suite_create("runtime_relation_graph");
    TCase *tests = tcase_create("graphs");
    tcase_set_timeout(tests, 7200);
    tcase_add_loop_test(tests, rel_10_all_small_graphs_end_as_in_a_second_implementation, 0, 2 * KINDS * KINDS);
    suite_add_tcase(suite, tests);
    return suite;
}
