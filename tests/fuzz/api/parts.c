#include "parts.h"

#include <kin/look.h>
#include <kin/reflect.h>
#include <string.h>

// ---- values

uint64_t hash_value(const game_context *game, kin_component_id id, const void *value)
{
    char text[PART_SIZE];
    size_t length = kin_component_describe(&game->base, id, value, text, sizeof text);
    return hash_bytes(1, text, length < sizeof text ? length : sizeof text - 1);
}

uint64_t hash_shown(const game_context *game, kin_entity entity, kin_component_id id)
{
    part_value value;
    return kin_look_read(&game->base, entity, id, &value) ? hash_value(game, id, &value) : 0;
}

// ---- components with fields

#define DEFINE_PART(TYPE, NAME, ID)                                                                                    \
    _Static_assert(sizeof(TYPE) <= PART_SIZE, #TYPE " does not fit");                                                  \
    static void part_make_##NAME(void *value)                                                                          \
    {                                                                                                                  \
        TYPE made = make_##NAME();                                                                                     \
        memcpy(value, &made, sizeof made);                                                                             \
    }                                                                                                                  \
    static void part_drop_##NAME(const void *value)                                                                    \
    {                                                                                                                  \
        drop_##NAME(value);                                                                                            \
    }                                                                                                                  \
    static kin_status part_add_##NAME(game_context *game, game_entity entity, const void *value)                       \
    {                                                                                                                  \
        return game_add_##NAME(game, entity, *(const TYPE *)value);                                                    \
    }                                                                                                                  \
    static kin_status part_replace_##NAME(game_context *game, game_entity entity, const void *value)                   \
    {                                                                                                                  \
        return game_replace_##NAME(game, entity, *(const TYPE *)value);                                                \
    }                                                                                                                  \
    static kin_status part_readd_##NAME(game_context *game, game_entity entity, const void *value)                     \
    {                                                                                                                  \
        return game_readd_##NAME(game, entity, *(const TYPE *)value);                                                  \
    }                                                                                                                  \
    static kin_status part_remove_##NAME(game_context *game, game_entity entity)                                       \
    {                                                                                                                  \
        return game_remove_##NAME(game, entity);                                                                       \
    }
COMPONENTS_WITH_FIELDS(DEFINE_PART)
COMPONENTS_GIVEN(DEFINE_PART)

// ---- flags

#define FLAGS(X) X(lit, LIT) X(chosen, CHOSEN) X(loud, LOUD) X(doomed, DOOMED)
#define DEFINE_FLAG(NAME, ID)                                                                                          \
    static kin_status part_set_##NAME(game_context *game, game_entity entity, bool on)                                 \
    {                                                                                                                  \
        return game_set_##NAME(game, entity, on);                                                                      \
    }
FLAGS(DEFINE_FLAG)

#define PART(TYPE, NAME, ID)                                                                                           \
    {.id = GAME_##ID,                                                                                                  \
     .make = part_make_##NAME,                                                                                         \
     .drop = part_drop_##NAME,                                                                                         \
     .add = part_add_##NAME,                                                                                           \
     .replace = part_replace_##NAME,                                                                                   \
     .readd = part_readd_##NAME,                                                                                       \
     .remove = part_remove_##NAME},
#define FLAG(NAME, ID) {.id = GAME_##ID, .set = part_set_##NAME},

const part parts[PARTS] = {COMPONENTS_WITH_FIELDS(PART) FLAGS(FLAG) COMPONENTS_GIVEN(PART)};

// ---- stashes

#define STASHED(X)                                                                                                     \
    X(Number, number, NUMBER)                                                                                          \
    X(Owner, owner, OWNER)                                                                                             \
    X(Hoard, hoard, HOARD)                                                                                             \
    X(Spread, spread, SPREAD) X(Sole, sole, SOLE) X(Slab, slab, SLAB) X(Zeal, zeal, ZEAL) X(Zip, zip, ZIP)
#define DEFINE_STASH(TYPE, NAME, ID)                                                                                   \
    static kin_status part_stash_##NAME(game_context *game, game_entity entity)                                        \
    {                                                                                                                  \
        return game_stash_##NAME(game, entity);                                                                        \
    }                                                                                                                  \
    static kin_status part_restore_##NAME(game_context *game, game_entity entity)                                      \
    {                                                                                                                  \
        return game_restore_##NAME(game, entity);                                                                      \
    }                                                                                                                  \
    static bool part_has_stashed_##NAME(const game_context *game, game_entity entity)                                  \
    {                                                                                                                  \
        return game_has_stashed_##NAME(game, entity);                                                                  \
    }                                                                                                                  \
    static kin_status part_restore_or_add_##NAME(game_context *game, game_entity entity, const void *value)            \
    {                                                                                                                  \
        return game_restore_or_add_##NAME(game, entity, *(const TYPE *)value);                                         \
    }
STASHED(DEFINE_STASH)

#define STASH(TYPE, NAME, ID)                                                                                          \
    {.id = GAME_##ID,                                                                                                  \
     .make = part_make_##NAME,                                                                                         \
     .drop = part_drop_##NAME,                                                                                         \
     .stash = part_stash_##NAME,                                                                                       \
     .restore = part_restore_##NAME,                                                                                   \
     .has_stashed = part_has_stashed_##NAME,                                                                           \
     .restore_or_add = part_restore_or_add_##NAME},

const part stashed_parts[STASHED_PARTS] = {STASHED(STASH)};
