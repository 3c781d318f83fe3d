// Cascades by tables: a graph, the entity that is destroyed, what listeners do meanwhile, the log, and what is left.
//
// Entities are digits, components are letters (see `letters`). In a graph `C10` says that ChildOf of entity 1 names
// entity 0; `-` instead of a digit: it names none. A component with several relations has a digit for each: `K512`.
//
//   log        `!1` entity 1 will be destroyed, `x1` was destroyed; `+C1`, `-C1`, `=C1`: its component was added,
//              removed, replaced; `!` and a status: a call was refused
//   listeners  `!1:-C3,x2`: when the log gets `!1` for the first time, the listener removes ChildOf of entity 3 and
//              destroys entity 2. The other actions are `+C10`, which adds, `=C10`, which replaces, `*6`, which creates
//              entity 6, and `^`, which destroys all entities
#include "entity/entity.h"
#include "runtime/support/clan_case.h"
#include "store/store.h"
#include "suites.h"

#include <kin/reflect.h>

#include <stdio.h>
#include <string.h>

typedef struct cascade {
    const char *graph;
    int destroyed;
    const char *listeners, *log, *left;
} cascade;

enum { ENTITIES = 10, VALUE_SIZE = 128 };

static const struct {
    char letter;
    kin_component_id id;
} letters[] = {
    {'A', CLAN_AIM},      {'C', CLAN_CHILD_OF}, {'U', CLAN_CROWN},  {'O', CLAN_FLOCK},
    {'F', CLAN_FOLLOWS},  {'L', CLAN_LEASE},    {'K', CLAN_LIKES},  {'M', CLAN_MARKED},
    {'R', CLAN_RIDES_ON}, {'T', CLAN_ROUTE},    {'S', CLAN_SHADOW}, {'W', CLAN_WORKS_FOR},
};

enum { LETTERS = sizeof letters / sizeof *letters };

static clan_context *game;
static const kin_context_info *info;
static kin_entity entities[ENTITIES];
static char listeners[200]; // of the cascade that is played; those that have acted are spaces

// ---- names

static kin_component_id id_of(char letter)
{
    for (int i = 0; i < LETTERS; i++)
        if (letters[i].letter == letter)
            return letters[i].id;
    ck_abort_msg("no component '%c'", letter);
}

static char letter_of(kin_component_id id)
{
    for (int i = 0; i < LETTERS; i++)
        if (letters[i].id == id)
            return letters[i].letter;
    ck_abort_msg("no letter for component %u", id);
}

static char digit_of(kin_entity entity)
{
    for (int i = 0; i < ENTITIES; i++)
        if (entity != 0 && entities[i] == entity)
            return (char)('0' + i);
    return '-';
}

static kin_entity entity_of(char digit)
{
    return digit == '-' ? 0 : entities[digit - '0'];
}

// ---- actions

// Adds or replaces a component: `text` is its letter, the entity and the targets.
static void set(const char *text, bool replaces)
{
    _Alignas(max_align_t) char value[VALUE_SIZE];
    kin_component_id id = id_of(text[0]);
    const char *target = text + 2;
    info->components[id].write_default(value);
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (info->relations[i].component == id)
            memcpy(value + info->relations[i].field->offset, &(kin_entity){entity_of(*target++)}, sizeof(kin_entity));
    if (replaces)
        kin_replace(&game->base, entity_of(text[1]), id, value);
    else
        kin_add(&game->base, entity_of(text[1]), id, value);
}

static void act(const char *action)
{
    switch (action[0]) {
    case '+':
    case '=':
        set(action + 1, action[0] == '=');
        return;
    case '-':
        kin_remove(&game->base, entity_of(action[2]), id_of(action[1]));
        return;
    case 'x':
        kin_destroy(&game->base, entity_of(action[1]));
        return;
    case '*':
        entities[action[1] - '0'] = kin_create(&game->base);
        return;
    case '^':
        clan_destroy_all_entities(game);
        return;
    default:
        ck_abort_msg("no action '%s'", action);
    }
}

// Writes an entry into the log. If a listener waits for it, does its actions.
static void enter(const char *entry)
{
    char key[8], actions[40];
    log_write("%s ", entry);
    int length = snprintf(key, sizeof key, "%s:", entry);
    char *found = strstr(listeners, key);
    if (found == NULL)
        return;
    size_t size = strcspn(found, " ");
    snprintf(actions, sizeof actions, "%.*s", (int)size - length, found + length);
    memset(found, ' ', size);
    for (const char *action = actions; action != NULL; action = strchr(action, ',')) {
        action += *action == ',';
        act(action);
    }
}

// ---- one cascade

static void note(const kin_change *change, void *user)
{
    static const char signs[] = {
        [KIN_COMPONENT_ADDED] = '+', [KIN_COMPONENT_REMOVED] = '-', [KIN_COMPONENT_REPLACED] = '='};
    (void)user;
    enter((const char[]){signs[change->event], letter_of(change->component), digit_of(change->entity), '\0'});
}

static void note_life(const kin_change *change, void *user)
{
    enter((const char[]){*(const char *)user, digit_of(change->entity), '\0'});
}

// Creates the entities up to the highest digit of the graph.
static void build(const cascade *cascade)
{
    char highest = (char)('0' + cascade->destroyed);
    for (const char *at = cascade->graph; *at != '\0'; at++)
        highest = *at >= '0' && *at <= '9' && *at > highest ? *at : highest;
    memset(entities, 0, sizeof entities);
    for (int i = 0; i <= highest - '0'; i++)
        entities[i] = kin_create(&game->base);
    for (const char *at = cascade->graph; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        set(at, false);
}

static void write_component(kin_entity entity, kin_component_id id, char *text, size_t *size)
{
    char value[VALUE_SIZE];
    text[(*size)++] = letter_of(id);
    kin__value_read(&game->base, kin_entity_slot(entity), id, value);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        kin_entity target;
        memcpy(&target, value + info->relations[i].field->offset, sizeof target);
        if (info->relations[i].component == id)
            text[(*size)++] = digit_of(target);
    }
}

// Writes the living entities, each with its components.
static const char *write_left(void)
{
    static char text[200];
    size_t size = 0;
    for (int i = 0; i < ENTITIES; i++) {
        if (!kin_entity_is_alive(&game->base, entities[i]))
            continue;
        text[size++] = (char)('0' + i);
        for (int k = 0; k < LETTERS; k++)
            if (kin_has(&game->base, entities[i], letters[k].id))
                write_component(entities[i], letters[k].id, text, &size);
        text[size++] = ' ';
    }
    text[size - (size > 0)] = '\0';
    return text;
}

static void play(const cascade *cascade)
{
    char log[200];
    game = clan_context_create(&(kin_context_options){.on_error = log_error});
    info = kin_context_info_of(&game->base);
    listeners[0] = '\0';
    build(cascade);
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, note, NULL);
    kin_context_subscribe(&game->base, KIN_ENTITY_WILL_BE_DESTROYED, note_life, (void *)"!");
    kin_context_subscribe(&game->base, KIN_ENTITY_WAS_DESTROYED, note_life, (void *)"x");
    log_begin();
    snprintf(listeners, sizeof listeners, "%s", cascade->listeners);
    snprintf(log, sizeof log, "%s ", cascade->log);
    kin_destroy(&game->base, entities[cascade->destroyed]);
    if (strcmp(log, log_text()) != 0 || strcmp(cascade->left, write_left()) != 0)
        ck_abort_msg("%s, destroying %d, %s\n    log  %s\n    not  %s\n    left %s\n    not  %s", cascade->graph,
                     cascade->destroyed, cascade->listeners, log_text(), cascade->log, write_left(), cascade->left);
    if (strspn(listeners, " ") != strlen(listeners))
        ck_abort_msg("%s: a listener did not act: %s", cascade->graph, listeners);
    ck_assert(kin__context_is_valid(&game->base));
    listeners[0] = '\0';
    clan_context_destroy(game);
}

// ---- REL-08 to REL-10: without listeners that act

static const cascade cascades[] = {
    {"", 0, "", "!0 x0", ""},
    {"C10", 1, "", "!1 -C1 x1", "0"},
    {"C10", 0, "", "!0 !1 -C1 x1 x0", ""},
    // siblings in the order of the list, children before parents
    {"C10 C20 C30", 0, "", "!0 !1 -C1 x1 !2 -C2 x2 !3 -C3 x3 x0", ""},
    {"C30 C10 C20", 0, "", "!0 !3 -C3 x3 !1 -C1 x1 !2 -C2 x2 x0", ""},
    {"C10 C21 C32", 0, "", "!0 !1 !2 !3 -C3 x3 -C2 x2 -C1 x1 x0", ""},
    {"C10 C20 C31 C42", 0, "", "!0 !1 !3 -C3 x3 -C1 x1 !2 !4 -C4 x4 -C2 x2 x0", ""},
    {"C10 C21 C31", 1, "", "!1 !2 -C2 x2 !3 -C3 x3 -C1 x1", "0"},
    {"C10 C32", 0, "", "!0 !1 -C1 x1 x0", "2 3C2"},
    // one holder of each kind
    {"A10", 0, "", "!0 =A1 x0", "1A-"},
    {"R10", 0, "", "!0 -R1 x0", "1"},
    {"M10", 0, "", "!0 -M1 x0", "1"},
    {"U10", 0, "", "!0 =U1 x0", "1U-"},
    {"O10 O20", 0, "", "!0 -O1 -O2 x0", "1 2"},
    {"S10", 0, "", "!0 !1 -S1 x1 x0", ""},
    // those of `destroy` first, then the others in order of relation and list
    {"R10 A20 C30 S40 F50", 0, "", "!0 !3 -C3 x3 !4 -S4 x4 =A2 =F5 -R1 x0", "1 2A- 5F-"},
    {"R20 R10 A40 A30", 0, "", "!0 =A4 =A3 -R2 -R1 x0", "1 2 3A- 4A-"},
    {"C10 R10", 0, "", "!0 !1 -C1 -R1 x1 x0", ""},
    // what names a child is told before the child ends
    {"C10 R21 A30", 0, "", "!0 !1 -R2 -C1 x1 =A3 x0", "2 3A-"},
    {"R10 R21", 0, "", "!0 -R1 x0", "1 2R1"},
    {"W10 W20 W31", 0, "", "!0 =W1 =W2 x0", "1W- 2W- 3W1"},
    // circles, and entities that are reached twice
    {"S01 S10", 0, "", "!0 !1 =S0 -S1 x1 -S0 x0", ""},
    {"S01 S12 S20", 0, "", "!0 !2 !1 =S0 -S1 x1 -S2 x2 -S0 x0", ""},
    {"S00", 0, "", "!0 =S0 -S0 x0", ""},
    {"S01 S10 S21", 0, "", "!0 !1 !2 -S2 x2 =S0 -S1 x1 -S0 x0", ""},
    {"C10 C20 S21", 0, "", "!0 !1 !2 -C2 -S2 x2 -C1 x1 x0", ""},
    // components with several relations
    {"K301", 0, "", "!0 !3 -K3 x3 x0", "1 2"},
    {"K301", 1, "", "!1 !3 -K3 x3 x1", "0 2"},
    {"K100", 0, "", "!0 !1 -K1 x1 x0", ""},
    {"T1000", 0, "", "!0 !1 -T1 x1 x0", ""},
    {"T100-", 0, "", "!0 -T1 x0", "1"},
    {"T1-0-", 0, "", "!0 =T1 x0", "1T---"},
    {"T1203", 0, "", "!0 =T1 x0", "1T2-3 2 3"},
};

START_TEST(rel_10_cascades_end_in_the_order_of_the_rule)
{
    for (size_t i = 0; i < sizeof cascades / sizeof *cascades; i++)
        play(&cascades[i]);
}
END_TEST

static const cascade refusals[] = {
    {"L10", 0, "", "!REFERENCED", "0 1L0"},
    {"L10", 1, "", "!1 -L1 x1", "0"},
    {"L00", 0, "", "!0 =L0 -L0 x0", ""},
    {"L01 L10", 0, "", "!REFERENCED", "0L1 1L0"},
    {"C10 C21 L32", 0, "", "!REFERENCED", "0 1C0 2C1 3L2"},
    {"C10 C20 L32 A40", 0, "", "!REFERENCED", "0 1C0 2C0 3L2 4A0"},
    {"R10 L21", 0, "", "!0 -R1 x0", "1 2L1"},                    // the holder of `remove` lives on
    {"C10 C20 L12", 0, "", "!0 !1 -C1 -L1 x1 !2 -C2 x2 x0", ""}, // the holder of `refuse` is taken along
    {"C10 C20 L21", 0, "", "!0 !1 =L2 -C1 x1 !2 -C2 -L2 x2 x0", ""},
    {"C10 L01", 1, "", "!REFERENCED", "0L1 1C0"},
    {"C10 L01", 0, "", "!0 !1 =L0 -C1 x1 -L0 x0", ""},
    {"S01 S10 L21", 0, "", "!REFERENCED", "0S1 1S0 2L1"},
};

START_TEST(rel_09_a_holder_that_lives_on_refuses)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        play(&refusals[i]);
}
END_TEST

// A listener destroys 0 while 1 is being destroyed.
static const cascade nested_refusals[] = {
    // the holder of `refuse` is below 1, which holds a `destroy` of 0 or does not
    {"S10 C21 L20", 1, "!1:x0", "!1 !0 =L2 =S1 x0 !2 -C2 -L2 x2 -S1 x1", ""},
    {"S10 C21 C32 L30", 1, "!1:x0", "!1 !0 =L3 =S1 x0 !2 !3 -C3 -L3 x3 -C2 x2 -S1 x1", ""},
    {"C21 L20", 1, "!1:x0", "!1 !0 =L2 x0 !2 -C2 -L2 x2 x1", ""},
    {"C21 S32 L30", 1, "!1:x0", "!1 !0 =L3 x0 !2 !3 -L3 -S3 x3 -C2 x2 x1", ""},
    {"C21 C31 L30", 1, "!2:x0", "!1 !2 !0 =L3 x0 -C2 x2 !3 -C3 -L3 x3 x1", ""}, // 3 is not announced yet
    {"C21 C31 L30", 1, "x2:x0", "!1 !2 -C2 x2 !0 =L3 x0 !3 -C3 -L3 x3 x1", ""},
    {"C14 S10 C21 L20", 4, "!1:x0", "!4 !1 !0 =L2 =S1 x0 !2 -C2 -L2 x2 -C1 -S1 x1 x4", "3"},
    {"C14 S10 C21 L20", 4, "!4:x0", "!4 !0 !1 !2 -C2 -L2 x2 -C1 -S1 x1 x0 x4", "3"},
    {"C14 S10 C21 L20", 4, "!2:x0", "!4 !1 !2 !0 =L2 =S1 x0 -C2 -L2 x2 -C1 -S1 x1 x4", "3"},
    {"S23 S32 C31 L20", 1, "!1:x0", "!1 !0 =L2 x0 !3 !2 =S3 -L2 -S2 x2 -C3 -S3 x3 x1", ""}, // in a circle below 1
    {"L10", 1, "!1:x0", "!1 !0 =L1 x0 -L1 x1", ""},
    // or it lives on
    {"S10 C21 L30", 1, "!1:x0", "!1 !REFERENCED !2 -C2 x2 -S1 x1", "0 3L0"},
    {"S10 C21 L20", 1, "!1:-C2,x0", "!1 -C2 !REFERENCED -S1 x1", "0 2L0"},
    {"S23 S32 L20 C41", 1, "!1:x0", "!1 !REFERENCED !4 -C4 x4 x1", "0 2L0S3 3S2"},
    {"C21 R32 L30", 1, "!1:x0", "!1 !REFERENCED !2 -R3 -C2 x2 x1", "0 3L0"},
    {"C21 C30 L23 L43", 1, "!1:x0", "!1 !REFERENCED !2 -C2 -L2 x2 x1", "0 3C0 4L3"},
};

START_TEST(rel_09_a_holder_that_is_destroyed_with_another_entity_does_not_refuse)
{
    for (size_t i = 0; i < sizeof nested_refusals / sizeof *nested_refusals; i++)
        play(&nested_refusals[i]);
}
END_TEST

// ---- REL-11: listeners act in the middle

static const cascade disturbed[] = {
    // what is detached before its announcement lives on
    {"C10", 0, "!0:-C1", "!0 -C1 x0", "1"},
    {"C10 C20", 0, "!1:-C2", "!0 !1 -C2 -C1 x1 x0", "2"},
    {"C10 C20", 0, "x1:-C2", "!0 !1 -C1 x1 -C2 x0", "2"},
    {"C10 C21 C43", 0, "!1:=C23", "!0 !1 =C2 -C1 x1 x0", "2C3 3 4C3"},
    {"C10", 0, "!1:-C1", "!0 !1 -C1 x1 x0", ""}, // too late
    // what is attached is taken along
    {"C10", 0, "!1:*2,+C20", "!0 !1 +C2 -C1 x1 !2 -C2 x2 x0", ""},
    {"C10", 0, "!1:*2,+C21", "!0 !1 +C2 !2 -C2 x2 -C1 x1 x0", ""},
    {"C10", 0, "x1:*2,+C20", "!0 !1 -C1 x1 +C2 !2 -C2 x2 x0", ""},
    {"A10 R20", 0, "-R2:*3,+C30", "!0 =A1 -R2 +C3 !3 -C3 x3 x0", "1A- 2"},
    {"A10 R20", 0, "-R2:*3,+A30", "!0 =A1 -R2 +A3 =A3 x0", "1A- 2 3A-"},
    {"A10 R20", 0, "=A1:*3,+S30", "!0 =A1 +S3 !3 -S3 x3 -R2 x0", "1A- 2"},
    {"A10 A20 R30", 0, "=A1:*4,+C40", "!0 =A1 +C4 !4 -C4 x4 =A2 -R3 x0", "1A- 2A- 3"},
    {"R10 A20", 0, "-R1:+R10", "!0 =A2 -R1 +R1 -R1 x0", "1 2A-"},
    {"C10", 0, "!1:*2,+L20", "!0 !1 +L2 -C1 x1 =L2 x0", "2L-"}, // it is not asked any more
    {"S01 S10", 0, "=S0:=S01", "!0 !1 =S0 =S0 =S0 -S1 x1 -S0 x0", ""},
    // a new entity cannot name one that has ended
    {"C10", 0, "x1:*2,+C21", "!0 !1 -C1 x1 !NOT_ALIVE x0", "2"},
    {"C10", 1, "-C1:*2,+A21", "!1 -C1 !NOT_ALIVE x1", "0 2"},
    {"C10 C20 C32", 0, "x1:=C31", "!0 !1 -C1 x1 !NOT_ALIVE !2 !3 -C3 x3 -C2 x2 x0", ""},
    // entities are destroyed twice, or from several sides
    {"C10", 0, "!0:x0", "!0 !NOT_ALIVE !1 -C1 x1 x0", ""},
    {"C10", 0, "!1:x0", "!0 !1 !NOT_ALIVE -C1 x1 x0", ""},
    {"C10", 0, "!1:x1", "!0 !1 !NOT_ALIVE -C1 x1 x0", ""},
    {"C10", 0, "-C1:x0", "!0 !1 -C1 !NOT_ALIVE x1 x0", ""},
    {"C10 C20", 0, "!1:x2", "!0 !1 !2 -C2 x2 -C1 x1 x0", ""},
    {"C10 C20 C32", 0, "!1:x3", "!0 !1 !3 -C3 x3 -C1 x1 !2 -C2 x2 x0", ""},
    {"C10 C32", 0, "!1:x2", "!0 !1 !2 !3 -C3 x3 x2 -C1 x1 x0", ""},
    {"R10 R20", 0, "-R1:x2", "!0 -R1 !2 -R2 x2 x0", "1"},
    {"C10 C32", 0, "!1:^", "!0 !1 !2 !3 -C3 x3 x2 -C1 x1 x0", ""},
    // entities move from one subtree to another one
    {"C10 C20 C31", 0, "!1:=C32", "!0 !1 =C3 -C1 x1 !2 !3 -C3 x3 -C2 x2 x0", ""},
    {"C10 C20 C32", 0, "!1:=C31", "!0 !1 =C3 !3 -C3 x3 -C1 x1 !2 -C2 x2 x0", ""},
    {"C10 C20 C31", 0, "!3:=C12", "!0 !1 !3 =C1 -C3 x3 -C1 x1 !2 -C2 x2 x0", ""},
    {"C10", 0, "!1:*2,+C02", "!0 !1 +C0 -C1 x1 -C0 x0", "2"},
    {"C10", 0, "!1:=C01", "!0 !1 !CIRCLE -C1 x1 x0", ""},
    {"A10 A23", 0, "=A1:=A13", "!0 =A1 =A1 x0", "1A3 2A3 3"},
    // several listeners
    {"C10 C20 C31", 0, "!1:-C2 -C3:*4,+C40 x3:*5,+C54", "!0 !1 -C2 !3 -C3 +C4 x3 +C5 -C1 x1 !4 !5 -C5 x5 -C4 x4 x0",
     "2"},
};

START_TEST(rel_11_cascades_follow_what_listeners_change)
{
    for (size_t i = 0; i < sizeof disturbed / sizeof *disturbed; i++)
        play(&disturbed[i]);
}
END_TEST

Suite *runtime_relation_cascade_suite(void)
{
    Suite *suite = suite_create("runtime_relation_cascade");
    TCase *tests = tcase_create("cascades");
    tcase_add_test(tests, rel_10_cascades_end_in_the_order_of_the_rule);
    tcase_add_test(tests, rel_09_a_holder_that_lives_on_refuses);
    tcase_add_test(tests, rel_09_a_holder_that_is_destroyed_with_another_entity_does_not_refuse);
    tcase_add_test(tests, rel_11_cascades_follow_what_listeners_change);
    suite_add_tcase(suite, tests);
    return suite;
}
