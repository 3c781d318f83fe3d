// Blueprints spawned with values of the caller in place of the blueprint's (CPY-09). If the call is refused, the caller
// still owns every value.
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

#include <string.h>

#define BLUEPRINTS(X)                                                                                                  \
    X(bare, Bare, BARE)                                                                                                \
    X(keyed, Keyed, KEYED)                                                                                             \
    X(plain, Plain, PLAIN)                                                                                             \
    X(rich, Rich, RICH)                                                                                                \
    X(richer, Richer, RICHER)                                                                                          \
    X(single, Single, SINGLE)                                                                                          \
    X(zealous, Zealous, ZEALOUS)                                                                                       \
    X(zoned, Zoned, ZONED)

#define BARE(X)    X(bit, BIT) X(vel, VEL)
#define KEYED(X)   X(cell, CELL) X(number, NUMBER)
#define PLAIN(X)   X(pos, POS) X(vel, VEL)
#define RICH(X)    X(crate, CRATE) X(name, NAME) X(pos, POS) X(slab, SLAB) X(spread, SPREAD)
#define RICHER(X)  RICH(X) X(hoard, HOARD) X(link, LINK) X(owner, OWNER) X(tag, TAG)
#define SINGLE(X)  X(sole, SOLE)
#define ZEALOUS(X) X(zeal, ZEAL) X(zip, ZIP) X(zone, ZONE)
#define ZONED(X)   X(zone, ZONE)

// Bits by member, in the order of the list. A member that is not given has bytes that are no value.
typedef game_entity spawn_with(game_context *game, uint32_t given, const attempt *attempt);

enum { NO_VALUE = 0xEE };

// ---- each member of a list

#define GIVE(NAME, ID)                                                                                                 \
    if ((left & 1) != 0) {                                                                                             \
        value.NAME = make_##NAME();                                                                                    \
        value.given.NAME = true;                                                                                       \
    }                                                                                                                  \
    left >>= 1;
#define SEE(NAME, ID)                                                                                                  \
    if (value.given.NAME)                                                                                              \
        CHECK(hash_shown(game, entity.id, GAME_##ID) == hash_value(game, GAME_##ID, &value.NAME));
#define DROP(NAME, ID)                                                                                                 \
    if (value.given.NAME)                                                                                              \
        drop_##NAME(&value.NAME);

#define DEFINE_SPAWN(NAME, TYPE, MEMBERS)                                                                              \
    static game_entity spawn_##NAME(game_context *game, uint32_t given, const attempt *attempt)                        \
    {                                                                                                                  \
        game_##NAME##_value value;                                                                                     \
        memset(&value, NO_VALUE, sizeof value);                                                                        \
        memset(&value.given, 0, sizeof value.given);                                                                   \
        uint32_t left = given;                                                                                         \
        MEMBERS(GIVE)                                                                                                  \
        game_entity entity = game_spawn_##NAME##_with(game, value);                                                    \
        if (entity.id == 0) {                                                                                          \
            MEMBERS(DROP)                                                                                              \
        } else if (attempt_is_alone(attempt)) {                                                                        \
            MEMBERS(SEE)                                                                                               \
        }                                                                                                              \
        return entity;                                                                                                 \
    }
BLUEPRINTS(DEFINE_SPAWN)

#define SPAWN(NAME, TYPE, MEMBERS) {#TYPE, spawn_##NAME},

static const struct {
    const char *name;
    spawn_with *spawn;
} spawns[] = {BLUEPRINTS(SPAWN)};

// ---- the operation

static uint32_t components_of(const char *name)
{
    uint32_t number = 0, components = 0;
    while (strcmp(game_info.blueprints[number].name, name) != 0)
        number++;
    const kin_blueprint_info *blueprint = &game_info.blueprints[number];
    for (uint32_t i = 0; i < blueprint->component_count; i++)
        components |= UINT32_C(1) << blueprint->components[i];
    return components;
}

static uint32_t count_components(uint32_t components)
{
    uint32_t count = 0;
    for (; components != 0; components &= components - 1)
        count++;
    return count;
}

// Each component is added once, and none is replaced.
void do_spawn_with(const place *at)
{
    if (at->game == NULL)
        return;
    uint32_t number = take_below(sizeof spawns / sizeof *spawns), given = take_byte();
    uint32_t components = components_of(spawns[number].name);
    mirror_sync(at->package);
    ledger_mark mark = ledger_begin(at->package);
    attempt attempt = attempt_begin();
    game_entity entity = spawns[number].spawn(at->game, given, &attempt);
    attempt_end_made(attempt, entity.id != 0);
    keep_handle(&here->game_handles[at->package], entity.id);
    ledger_compare(at->package, &attempt, mark, (ledger_mark){entity.id != 0 ? count_components(components) : 0, 0});
    if (entity.id != 0)
        mirror_create(at->package, &attempt, entity.id, components);
    else
        mirror_keep(at->package, &attempt);
}
