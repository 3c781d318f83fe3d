// Components that are added unless they are there (CMP-17), and the unique component edited through its context
// (UNI-08).
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

#include <kin/reflect.h>

// Writes the hash of the component that the call returned, and returns whether it returned one.
typedef bool ensure(game_context *game, game_entity entity, uint64_t *hash);

#define DEFINE_DEFAULT(TYPE, NAME, ID)                                                                                 \
    static uint64_t default_##NAME(const game_context *game)                                                           \
    {                                                                                                                  \
        TYPE value = NAME##_default();                                                                                 \
        return hash_value(game, GAME_##ID, &value);                                                                    \
    }
#define DEFINE_ENSURE(TYPE, NAME, ID)                                                                                  \
    static bool ensure_##NAME(game_context *game, game_entity entity, uint64_t *hash)                                  \
    {                                                                                                                  \
        const TYPE *value = game_ensure_##NAME(game, entity);                                                          \
        *hash = value != NULL ? hash_value(game, GAME_##ID, value) : 0;                                                \
        return value != NULL;                                                                                          \
    }
#define DEFINE_ENSURE_COLUMNS(TYPE, NAME, ID)                                                                          \
    static bool ensure_##NAME(game_context *game, game_entity entity, uint64_t *hash)                                  \
    {                                                                                                                  \
        TYPE value;                                                                                                    \
        bool made = game_ensure_##NAME(game, entity, &value);                                                          \
        *hash = made ? hash_value(game, GAME_##ID, &value) : 0;                                                        \
        return made;                                                                                                   \
    }

#define WITH_STRUCT(X)                                                                                                 \
    X(Pos, pos, POS)                                                                                                   \
    X(Vel, vel, VEL)                                                                                                   \
    X(Slab, slab, SLAB)                                                                                                \
    X(Crate, crate, CRATE)                                                                                             \
    X(Bit, bit, BIT)                                                                                                   \
    X(Throne, throne, THRONE)                                                                                          \
    X(Cell, cell, CELL)                                                                                                \
    X(Name, name, NAME)                                                                                                \
    X(Tag, tag, TAG)                                                                                                   \
    X(Number, number, NUMBER)                                                                                          \
    X(Real, real, REAL)                                                                                                \
    X(Sole, sole, SOLE)                                                                                                \
    X(Link, link, LINK)                                                                                                \
    X(Badge, badge, BADGE) X(Owner, owner, OWNER) X(Hoard, hoard, HOARD) X(Zone, zone, ZONE) X(Zip, zip, ZIP)
#define WITH_COLUMNS(X) X(Spread, spread, SPREAD) X(Strip, strip, STRIP) X(Zeal, zeal, ZEAL)
WITH_STRUCT(DEFINE_DEFAULT)
WITH_COLUMNS(DEFINE_DEFAULT)
WITH_STRUCT(DEFINE_ENSURE)
WITH_COLUMNS(DEFINE_ENSURE_COLUMNS)

#define ENSURE(TYPE, NAME, ID) {GAME_##ID, ensure_##NAME, default_##NAME},

static const struct {
    kin_component_id id;
    ensure *ensure;
    uint64_t (*hash_default)(const game_context *game);
} ensures[] = {WITH_STRUCT(ENSURE) WITH_COLUMNS(ENSURE)};

enum { ENSURES = sizeof ensures / sizeof *ensures };

static void ensure_component(const place *at)
{
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    uint32_t number = take_below(ENSURES);
    kin_component_id id = ensures[number].id;
    mirror_sync(at->package);
    bool had = kin_has(&at->game->base, entity, id);
    uint64_t before = hash_shown(at->game, entity, id), hash = 0;
    ledger_mark mark = ledger_begin(at->package);
    attempt attempt = attempt_begin();
    bool made = ensures[number].ensure(at->game, (game_entity){entity}, &hash);
    ledger_compare(at->package, &attempt, mark, (ledger_mark){made && !had ? 1 : 0, 0});
    if (attempt_is_alone(&attempt)) {
        CHECK(made ? hash == (had ? before : ensures[number].hash_default(at->game)) : !had);
        attempt_end_made(attempt, made);
    }
    if (made)
        mirror_set(at->package, &attempt, entity, mirror_components(at->package, entity) | UINT32_C(1) << id);
    else
        mirror_keep(at->package, &attempt);
}

static void edit_unique(const place *at)
{
    game_entity carrier = game_unique_throne_entity(at->game);
    ledger_mark mark = ledger_begin(at->package);
    attempt attempt = attempt_begin();
    Throne *value = game_edit_unique_throne(at->game);
    CHECK((value != NULL) == (carrier.id != 0) && value == game_edit_throne(at->game, carrier));
    if (value != NULL) {
        check_throne(value);
        *value = make_throne();
        CHECK(game_get_unique_throne(at->game)->value == value->value);
    }
    ledger_compare(at->package, &attempt, mark, (ledger_mark){0, 0}); // editing is no change
    attempt_end_quiet(attempt, KIN_OK);
    mirror_keep(at->package, &attempt);
}

void do_ensure(const place *at)
{
    if (at->game == NULL)
        return;
    if (take_below(8) == 0)
        edit_unique(at);
    else
        ensure_component(at);
}
