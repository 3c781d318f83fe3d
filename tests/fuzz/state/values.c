#include "fuzz/state/state.h"

// ---- values

static const char *take_text(void)
{
    static const char *const texts[] = {NULL, "",    "a", "leaf", "bark", "a text of more than sixteen bytes",
                                        "b",  "made"};
    return texts[take_below(8)];
}

// Now and then a list without an address, or the list that an entity has.
static void take_lists(given *given)
{
    Bag *bag = &given->value.bag;
    uint8_t choice = take_byte();
    bool is_missing = choice % 16 == 15;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        given->items[i] = i < choice % 3u ? take_entity() : LAND_NO_ENTITY;
        given->counts[i] = choice + (int32_t)i;
        given->points[i] = (Point){(int16_t)i, choice};
    }
    memset(bag, 0, sizeof *bag);
    bag->items.at = given->items;
    bag->items.count = choice % 3u;
    bag->counts.at = given->counts;
    bag->counts.count = choice % ELEMENTS;
    bag->points.at = is_missing ? NULL : given->points;
    bag->points.count = choice % 5u + is_missing;
    bag->text = take_text();
    const Bag *existing = choice % 16 == 14 ? land_get_bag(land, take_entity()) : NULL;
    if (existing != NULL && existing->counts.count <= ELEMENTS)
        bag->counts.at = existing->counts.at, bag->counts.count = existing->counts.count;
}

static void take_chest(given *given)
{
    uint8_t choice = take_byte();
    for (uint32_t i = 0; i < ELEMENTS; i++)
        given->numbers[i] = (int64_t)choice << i * 8;
    memset(&given->value.chest, 0, sizeof given->value.chest);
    given->value.chest.counts.at = choice % 16 == 15 ? NULL : given->numbers;
    given->value.chest.counts.count = choice % ELEMENTS + 1;
    given->value.chest.hue = choice % 4 == 0 ? (Hue)77 : HUE_BLUE;
    given->value.chest.best = take_entity();
}

static void take_name(Name *name)
{
    uint8_t choice = take_byte();
    memset(name, choice == 255 ? 'x' : 0, sizeof *name); // 255: without a NUL
    name->value = take_text();
    if (choice != 255)
        memcpy(name->label, "label", choice % 6u);
    has_refused_value |= choice == 255;
}

static kin_entity take_any_entity(void)
{
    uint8_t choice = take_byte();
    if (choice < 250)
        return take_entity().id;
    has_refused_value = true;
    return (kin_entity)choice << 50 | 3; // a handle that Kin never made
}

void take_value(given *given, kin_component_id id)
{
    static const Hue hues[] = {HUE_RED, HUE_GREEN, HUE_BLUE, (Hue)12};
    memset(given, 0, sizeof *given);
    given->id = id;
    switch (id) {
    case LAND_BAG:
        take_lists(given);
        break;
    case LAND_CHEST:
        take_chest(given);
        break;
    case LAND_CHILD_OF:
        given->value.child_of = (ChildOf){take_entity(), take_byte() % 3};
        break;
    case LAND_CROWN:
        given->value.crown.weight = take_byte();
        break;
    case LAND_FLAG:
        given->value.flag = (Flag){take_entity(), hues[take_below(4)]};
        break;
    case LAND_LIKES:
        given->value.likes = (Likes){take_entity(), take_entity()};
        break;
    case LAND_NAME:
        take_name(&given->value.name);
        break;
    case LAND_PAINT:
        given->value.paint = (Paint){take_text(), take_byte() % 4};
        break;
    case LAND_PART_OF:
        given->value.part_of.whole = take_entity();
        break;
    case LAND_SPOT:
        given->value.spot = (Spot){take_byte() % 8, take_byte() % 8};
        break;
    case LAND_SUM:
        given->value.sum.value = take_byte();
        break;
    default:
        given->value.wide = (Wide){(float)take_byte(), take_byte(), take_any_entity()};
        break;
    }
}

kin_component_id take_component(void)
{
#define ID(NAME, CONSTANT) LAND_##CONSTANT,
    static const kin_component_id ids[] = {COMPONENTS(ID)};
    return ids[take_below(sizeof ids / sizeof *ids)];
}

bool has_list_without_address(const given *given)
{
    if (given->id == LAND_BAG)
        return given->value.bag.points.at == NULL && given->value.bag.points.count > 0;
    return given->id == LAND_CHEST && given->value.chest.counts.at == NULL;
}

// ---- commands

enum { MOST_COMMANDS = 24 };

typedef enum command_kind {
    CREATE,
    SPAWN_SEED,
    SPAWN_TWIG,
    DESTROY,
    ADD,
    REPLACE,
    REMOVE,
    LIGHT,
    COMMAND_KINDS
} command_kind;

typedef struct command {
    command_kind kind;
    land_entity entity; // to come, of one that makes an entity
    land_entity made;   // by the call
    given given;        // what the value points to is in it
} command;

static command script[MOST_COMMANDS];
static uint32_t script_size;

static bool makes(const command *command)
{
    return command->kind <= SPAWN_TWIG;
}

// Sometimes an entity to come of an earlier command.
static land_entity take_named(void)
{
    uint8_t choice = take_byte();
    const command *command = script_size == 0 ? NULL : &script[choice % script_size];
    return command != NULL && choice >= 100 && makes(command) ? command->entity : take_entity();
}

static void name_entities(given *given)
{
    if (given->id == LAND_CHILD_OF)
        given->value.child_of.parent = take_named();
    if (given->id == LAND_FLAG)
        given->value.flag.of = take_named();
    if (given->id == LAND_LIKES)
        given->value.likes.other = take_named();
    if (given->id == LAND_CHEST)
        given->value.chest.best = take_named();
    for (uint32_t i = 0; given->id == LAND_BAG && i < given->value.bag.items.count; i++)
        given->items[i] = take_named();
}

// Copies the list of another entity, which may be another one when the call is made.
static void own_lists(given *given)
{
    Bag *bag = &given->value.bag;
    if (given->id != LAND_BAG)
        return;
    if (bag->counts.count > 0)
        memmove(given->counts, bag->counts.at, bag->counts.count * sizeof *given->counts);
    bag->counts.at = given->counts;
    bag->items.at = given->items;
    bag->points.at = bag->points.at == NULL ? NULL : given->points;
}

static kin_status record_value(land_commands *commands, const command *command)
{
    const given *given = &command->given;
    bool adds = command->kind == ADD;
    switch (given->id) {
#define RECORD(NAME, CONSTANT)                                                                                         \
    case LAND_##CONSTANT:                                                                                              \
        return adds ? land_commands_add_##NAME(commands, command->entity, given->value.NAME)                           \
                    : land_commands_replace_##NAME(commands, command->entity, given->value.NAME);
        COMPONENTS(RECORD)
    default:
        return KIN_ERROR_INVALID;
    }
}

static kin_status record_removal(land_commands *commands, const command *command)
{
    switch (command->given.id) {
#define RECORD_REMOVAL(NAME, CONSTANT)                                                                                 \
    case LAND_##CONSTANT:                                                                                              \
        return land_commands_remove_##NAME(commands, command->entity);
        COMPONENTS(RECORD_REMOVAL)
    default:
        return KIN_ERROR_INVALID;
    }
}

static kin_status record(land_commands *commands, command *command)
{
    switch (command->kind) {
    case CREATE:
        command->entity = land_commands_create_entity(commands);
        return command->entity.id == 0 ? KIN_ERROR_NO_MEMORY : KIN_OK;
    case SPAWN_SEED:
        command->entity = land_commands_spawn_seed(commands);
        return command->entity.id == 0 ? KIN_ERROR_NO_MEMORY : KIN_OK;
    case SPAWN_TWIG:
        command->entity = land_commands_spawn_twig(commands);
        return command->entity.id == 0 ? KIN_ERROR_NO_MEMORY : KIN_OK;
    case DESTROY:
        return land_commands_destroy_entity(commands, command->entity);
    case REMOVE:
        return record_removal(commands, command);
    case LIGHT:
        return land_commands_set_lit(commands, command->entity, true);
    default:
        return record_value(commands, command);
    }
}

// Records one command, and keeps it if it was not refused.
static void take_command(land_commands *commands)
{
    command *command = &script[script_size];
    uint8_t choice = take_byte();
    memset(command, 0, sizeof *command);
    command->kind = (command_kind)(choice % COMMAND_KINDS);
    command->entity = take_named();
    command->given.id = KIN_NO_COMPONENT;
    if (command->kind == ADD || command->kind == REPLACE || command->kind == REMOVE) {
        take_value(&command->given, take_component());
        name_entities(&command->given);
    }
    uint32_t errors = error_count;
    bool records_value = command->kind == ADD || command->kind == REPLACE;
    bool is_refused = records_value && has_list_without_address(&command->given);
    kin_status status = record(commands, command);
    CHECK(status == (is_refused ? KIN_ERROR_INVALID : KIN_OK) && error_count == errors);
    own_lists(&command->given);
    script_size += status == KIN_OK;
}

// ---- the same by calls

// Replaces an entity to come by what the call has made.
static void resolve(land_entity *entity)
{
    for (uint32_t i = 0; i < script_size && entity->id != 0; i++)
        if (makes(&script[i]) && script[i].entity.id == entity->id) {
            *entity = script[i].made;
            return;
        }
}

static void resolve_value(given *given)
{
    Bag *bag = &given->value.bag;
    if (given->id == LAND_CHILD_OF)
        resolve(&given->value.child_of.parent);
    if (given->id == LAND_FLAG)
        resolve(&given->value.flag.of);
    if (given->id == LAND_LIKES)
        resolve(&given->value.likes.other);
    if (given->id == LAND_CHEST)
        resolve(&given->value.chest.best), given->value.chest.counts.at = given->numbers;
    for (uint32_t i = 0; given->id == LAND_BAG && i < bag->items.count; i++)
        resolve(&given->items[i]);
    if (given->id == LAND_BAG)
        bag->items.at = given->items, bag->counts.at = given->counts, bag->points.at = given->points;
}

static void call(command *command)
{
    land_entity entity = command->entity;
    resolve(&entity);
    given given = command->given;
    resolve_value(&given);
    switch (command->kind) {
    case CREATE:
        command->made = land_create_entity(land);
        break;
    case SPAWN_SEED:
        command->made = land_spawn_seed(land);
        break;
    case SPAWN_TWIG:
        command->made = land_spawn_twig(land);
        break;
    case DESTROY:
        land_destroy_entity(land, entity);
        break;
    case ADD:
        kin_add(&land->base, entity.id, given.id, &given.value);
        break;
    case REPLACE:
        kin_replace(&land->base, entity.id, given.id, &given.value);
        break;
    case REMOVE:
        kin_remove(&land->base, entity.id, given.id);
        break;
    default:
        land_set_lit(land, entity, true);
        break;
    }
}

static state before, played, called;

void commands_release(void)
{
    state_release(&before);
    state_release(&played);
    state_release(&called);
}

// Plays commands, and makes the same calls in the same state.
void do_commands(void)
{
    land_commands *commands = land_commands_create(land);
    CHECK(commands != NULL);
    script_size = 0;
    for (uint32_t left = take_below(MOST_COMMANDS) + 1; left > 0; left--)
        take_command(commands);
    state_save(&before);
    CHECK(land_commands_count(commands) == script_size);
    uint32_t errors = error_count;
    kin_status status = land_commands_play(commands);
    CHECK((status == KIN_OK) == (errors == error_count));
    state_save(&played);
    state_restore(&before);
    for (uint32_t i = 0; i < script_size; i++) {
        call(&script[i]);
        if (makes(&script[i]))
            CHECK(land_commands_made(commands, script[i].entity).id == script[i].made.id);
    }
    state_save(&called);
    state_compare(&played, &called);
    land_commands_destroy(commands);
}
