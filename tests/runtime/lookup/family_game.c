#include "family_game.h"

#include "entity/entity.h"
#include "family.h"
#include "family_typed.h"
#include "lookup/lookup.h"

#include <kin/reflect.h>
#include <kin/snapshot.h>
#include <kinship/kinship.h>

#include <check.h>
#include <string.h>

enum { VALUE_SIZE = 128, NESTING_LIMIT = 4, STEP_LIMIT = 60, LOG_LIMIT = 20000, STATUS = 100 };
enum { MOMENTS = 4, MOMENT_EVERY = 7 }; // snapshots, and the steps between two saves or restores
enum { BLOCK = 500, FEW = 3 };          // steps until all is destroyed; relations in every other block

typedef enum side { MODEL, REAL } side;

// What one side has done in this step.
typedef struct play {
    uint64_t state;             // of the generator
    size_t drawn;               // bytes
    bool used[FAMILY_ENTITIES]; // the number was of an entity in this step
    int nesting, operations;    // in listeners
    int log[LOG_LIMIT][3];      // event or STATUS; entity or status; component
    int size;
} play;

// What the model has at the moment of a snapshot.
typedef struct moment {
    kin_snapshot *snapshot; // NULL: none
    family model;
    kin_entity entities[FAMILY_ENTITIES];
} moment;

static family_game given;
static clan_context *clan;
static const kin_context_info *info;
static family model;
static kin_entity entities[FAMILY_ENTITIES];
static moment moments[MOMENTS];
static play plays[2], *now; // of the side that plays
static int creating;        // the number of the entity that is being created; FAMILY_NONE: none
static kin_status reported;
static bool listeners_act;
static bool is_typed; // changes of components go through the generated functions
static uint32_t calls;
static int few[FEW]; // the relations whose components are drawn; all if the first is FAMILY_NONE

// Like ck_assert, which is slow in the millions.
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("line %d: not %s", __LINE__, #condition);                                                     \
    } while (0)

static int draw(int below)
{
    if (given.bytes != NULL)
        return now->drawn < given.byte_count ? given.bytes[now->drawn++] % below : 0;
    now->state = now->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((now->state >> 33) % (uint64_t)below);
}

static void write_log(int event, int entity, int id)
{
    SAME(now->size < LOG_LIMIT);
    memcpy(now->log[now->size++], (int[]){event, entity, id}, sizeof *now->log);
}

// ---- listeners

static void operate(void);

static void notify(family_event event, int entity, kin_component_id id)
{
    if (event == FAMILY_CREATED)
        now->used[entity] = true;
    if (given.is_quiet)
        return;
    write_log((int)event, entity, id);
    if (!listeners_act || now->nesting >= NESTING_LIMIT || draw(100) >= 15)
        return;
    now->nesting++;
    operate();
    now->nesting--;
}

static int number_of(kin_entity entity)
{
    for (int i = 0; i < FAMILY_ENTITIES; i++)
        if (entities[i] == entity)
            return i;
    ck_abort_msg("a call for an unknown entity");
}

static void note_creation(const kin_change *change, void *user)
{
    (void)user;
    int number = creating;
    creating = FAMILY_NONE;
    SAME(number != FAMILY_NONE);
    entities[number] = change->entity;
    notify(FAMILY_CREATED, number, 0);
}

static void note_change(const kin_change *change, void *user)
{
    (void)user;
    if (calls++ % 16 == 0)
        SAME(kin__relations_are_valid(change->context));
    notify(change->event == KIN_COMPONENT_ADDED     ? FAMILY_ADDED
           : change->event == KIN_COMPONENT_REMOVED ? FAMILY_REMOVED
                                                    : FAMILY_REPLACED,
           number_of(change->entity), change->component);
}

static void note_beginning(const kin_change *change, void *user)
{
    (void)user;
    notify(FAMILY_BEGINS, number_of(change->entity), 0);
}

static void note_end(const kin_change *change, void *user)
{
    (void)user;
    notify(FAMILY_ENDED, number_of(change->entity), 0);
}

// ---- comparing

static int living_number_of(kin_entity entity)
{
    int number = number_of(entity);
    return model.entities[number].is_alive ? number : FAMILY_NONE;
}

static void compare_list(uint32_t relation, int target)
{
    const kin_context *context = &clan->base;
    kin_entity holders[FAMILY_ENTITIES], previous = 0;
    uint32_t count = kin__relation_copy(context, relation, entities[target], holders, FAMILY_ENTITIES);
    SAME((int)count == model.counts[relation][target]);
    SAME(kin__relation_count(context, relation, entities[target]) == count);
    for (uint32_t i = 0; i < count; i++) {
        SAME(living_number_of(holders[i]) == model.lists[relation][target][i]);
        SAME(kin__relation_previous(context, relation, holders[i]) == previous);
        previous = holders[i];
        SAME(kin__relation_next(context, relation, previous) == (i + 1 < count ? holders[i + 1] : 0));
    }
    SAME(kin__relation_first(context, relation, entities[target]) == (count == 0 ? 0 : holders[0]));
    SAME(kin__relation_last(context, relation, entities[target]) == previous);
}

static void compare_tree(uint32_t relation, int entity)
{
    uint32_t depth = 0;
    int root = entity;
    for (; model.entities[root].target[relation] != FAMILY_NONE; root = model.entities[root].target[relation])
        depth++;
    SAME(kin__relation_root(&clan->base, relation, entities[entity]) == entities[root]);
    SAME(kin__relation_depth(&clan->base, relation, entities[entity]) == depth);
    SAME(kin__relation_contains(&clan->base, relation, entities[root], entities[entity]));
}

static void compare_entity(int entity)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        SAME(kin_has(&clan->base, entities[entity], (kin_component_id)id) == model.entities[entity].has[id]);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        compare_list(i, entity);
        if (info->relations[i].is_tree)
            compare_tree(i, entity);
    }
}

static void compare_logs(void)
{
    int i = 0;
    while (i < plays[MODEL].size && i < plays[REAL].size &&
           memcmp(plays[MODEL].log[i], plays[REAL].log[i], sizeof *plays->log) == 0)
        i++;
    if (i < plays[MODEL].size || i < plays[REAL].size)
        ck_abort_msg("entry %d of the log is %d %d %d, not %d %d %d", i, plays[REAL].log[i][0], plays[REAL].log[i][1],
                     plays[REAL].log[i][2], plays[MODEL].log[i][0], plays[MODEL].log[i][1], plays[MODEL].log[i][2]);
}

static void compare(void)
{
    compare_logs();
    for (int entity = 0; entity < FAMILY_ENTITIES; entity++) {
        SAME(kin_entity_is_alive(&clan->base, entities[entity]) == model.entities[entity].is_alive);
        if (model.entities[entity].is_alive)
            compare_entity(entity);
    }
}

// ---- operations

static kin_component_id draw_component(void)
{
    int relation = few[0] == FAMILY_NONE ? draw((int)info->relation_count) : few[draw(FEW)];
    return info->relations[relation].component;
}

// Entities with few components are those that cascades take along silently.
static void choose_few(uint64_t block)
{
    now = &plays[MODEL];
    for (int i = 0; i < FEW; i++)
        few[i] = block % 2 == 0 ? FAMILY_NONE : draw((int)info->relation_count);
    plays[REAL].state = plays[MODEL].state;
    plays[REAL].drawn = plays[MODEL].drawn;
}

static int draw_target(void)
{
    return draw(8) == 0 ? FAMILY_NONE : draw(FAMILY_ENTITIES);
}

static kin_status set_component(int entity)
{
    kin_component_id id = draw_component();
    _Alignas(max_align_t) char value[VALUE_SIZE];
    int targets[FAMILY_RELATIONS];
    info->components[id].write_default(value);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        targets[i] = draw_target();
        if (info->relations[i].component == id && targets[i] != FAMILY_NONE)
            memcpy(value + info->relations[i].field->offset, &entities[targets[i]], sizeof(kin_entity));
    }
    if (now == &plays[MODEL])
        return family_set(&model, entity, id, targets);
    return is_typed ? family_typed_set(clan, entities[entity], id, value)
                    : kin_replace(&clan->base, entities[entity], id, value);
}

static kin_status remove_component(int entity)
{
    kin_component_id id = draw_component();
    if (now == &plays[MODEL])
        return family_remove(&model, entity, id);
    return is_typed ? family_typed_remove(clan, entities[entity], id) : kin_remove(&clan->base, entities[entity], id);
}

static kin_status place(int entity)
{
    int relation = draw((int)info->relation_count), sibling = draw_target();
    return now == &plays[MODEL] ? family_place_before(&model, relation, entity, sibling)
                                : kin__relation_place_before(&clan->base, (uint32_t)relation, entities[entity],
                                                             sibling == FAMILY_NONE ? 0 : entities[sibling]);
}

// What a listener of creations does otherwise.
static void name_made(int number, kin_entity made)
{
    if (!given.is_quiet || made == 0)
        return;
    entities[number] = made;
    notify(FAMILY_CREATED, number, 0);
}

static kin_status create(int number)
{
    creating = number;
    if (now == &plays[MODEL]) {
        family_create(&model, number);
        return KIN_OK;
    }
    kin_entity made = kin_create(&clan->base);
    SAME(made != 0);
    name_made(number, made);
    return KIN_OK;
}

static kin_status clone(int source, int number)
{
    if (now->used[number])
        return KIN_OK;
    if (now == &plays[MODEL])
        return family_clone(&model, source, number);
    creating = number;
    kin_entity made = kin_clone(&clan->base, entities[source]);
    creating = FAMILY_NONE;
    name_made(number, made);
    return made != 0 ? KIN_OK : reported;
}

static kin_status destroy_holders(int entity)
{
    int relation = draw((int)info->relation_count);
    return now == &plays[MODEL] ? family_destroy_holders(&model, relation, entity)
                                : kin__relation_destroy_holders(&clan->base, (uint32_t)relation, entities[entity]);
}

static kin_status operate_on(int entity)
{
    if (!now->used[entity])
        return create(entity);
    switch (draw(12)) {
    case 0:
        return now == &plays[MODEL] ? family_destroy(&model, entity, true) : kin_destroy(&clan->base, entities[entity]);
    case 1:
        return destroy_holders(entity);
    case 2:
        return clone(entity, draw(FAMILY_ENTITIES));
    case 3:
    case 4:
        return place(entity);
    case 5:
        return remove_component(entity);
    default:
        return set_component(entity);
    }
}

static void operate(void)
{
    if (now->operations++ < STEP_LIMIT)
        write_log(STATUS, (int)operate_on(draw(FAMILY_ENTITIES)), 0);
}

static void play_step(side side)
{
    now = &plays[side];
    now->size = now->operations = now->nesting = 0;
    for (int i = 0; i < FAMILY_ENTITIES; i++)
        now->used[i] = side == MODEL ? model.entities[i].is_alive : kin_entity_is_alive(&clan->base, entities[i]);
    operate();
}

// The order in which all entities are destroyed depends on their slots, which the model does not know.
static void destroy_all(void)
{
    listeners_act = false;
    ck_assert_int_eq(clan_destroy_all_entities(clan), KIN_OK);
    for (int i = 0; i < FAMILY_ENTITIES; i++)
        if (model.entities[i].is_alive)
            family_destroy(&model, i, false);
    listeners_act = true;
}

// Saves, or goes back to a snapshot, older or younger. Draws nothing, so that bytes keep their meaning.
static void take_moment(uint64_t step)
{
    uint64_t chosen = (step + given.seed) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    moment *moment = &moments[chosen % MOMENTS];
    if (chosen / MOMENTS % 2 == 0) {
        SAME(clan_save(clan, &moment->snapshot) == KIN_OK);
        moment->model = model;
        memcpy(moment->entities, entities, sizeof entities);
    } else if (moment->snapshot != NULL) {
        SAME(clan_restore(clan, moment->snapshot, KIN_RESTORE_EXACTLY) == KIN_OK);
        model = moment->model;
        memcpy(entities, moment->entities, sizeof entities);
        SAME(kin__relations_are_valid(&clan->base));
    }
}

static void end_moments(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        kin_snapshot_destroy(moments[i].snapshot);
        moments[i].snapshot = NULL;
    }
}

// ---- the game

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    reported = error->status;
}

static void subscribe(void)
{
    if (given.is_quiet)
        return;
    kin_context_subscribe(&clan->base, KIN_ENTITY_CREATED, note_creation, NULL);
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, note_change, NULL);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, note_beginning, NULL);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WAS_DESTROYED, note_end, NULL);
}

// Each number has a handle from the beginning, of a dead entity.
static void begin(void)
{
    clan = clan_context_create(&(kin_context_options){.on_error = note_error});
    info = kin_context_info_of(&clan->base);
    family_begin(&model, info);
    model.keyed = kin_component_find(info, "Likes");
    model.note = notify;
    memset(plays, 0, sizeof plays);
    creating = FAMILY_NONE;
    listeners_act = true;
    for (int i = 0; i < FAMILY_ENTITIES; i++)
        entities[i] = kin_create(&clan->base);
    clan_destroy_all_entities(clan);
    subscribe();
}

// The side that has drawn the last byte ends the game.
static bool has_ended(uint64_t step)
{
    return given.bytes == NULL ? step == given.steps : plays[MODEL].drawn >= given.byte_count;
}

void family_game_play(const family_game *game)
{
    given = *game;
    begin();
    plays[MODEL].state = plays[REAL].state = game->seed;
    for (uint64_t step = 0; !has_ended(step); step++) {
        if (step % BLOCK == 0)
            choose_few(step / BLOCK);
        is_typed = step % 2 == 0;
        play_step(MODEL);
        play_step(REAL);
        compare();
        SAME(plays[MODEL].state == plays[REAL].state && plays[MODEL].drawn == plays[REAL].drawn);
        if (step % BLOCK == BLOCK - 1) {
            kin_context_trim(&clan->base);
            destroy_all();
        }
        if (step % MOMENT_EVERY == 0)
            take_moment(step);
        if (step % 256 == 0)
            ck_assert(kin__context_is_valid(&clan->base));
    }
    clan_context_destroy(clan);
    end_moments();
}
