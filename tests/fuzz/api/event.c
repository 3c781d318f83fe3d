// Listeners of generated events: each checks its arguments, performs operations, and checks the arguments again.
#include "values.h"

#define DEFINE_FLAG_LISTENER(CONTEXT, TYPE, NAME)                                                                      \
    static void on_##CONTEXT##_##NAME(CONTEXT##_context *context, CONTEXT##_entity entity, void *user)                 \
    {                                                                                                                  \
        CHECK(context != NULL && entity.id != 0 && user == here);                                                      \
        perform_callback();                                                                                            \
    }

#define DEFINE_LISTENER(CONTEXT, TYPE, CHECKED, NAME)                                                                  \
    static void on_##CONTEXT##_##NAME(CONTEXT##_context *context, CONTEXT##_entity entity, const TYPE *value,          \
                                      void *user)                                                                      \
    {                                                                                                                  \
        CHECK(context != NULL && entity.id != 0 && user == here);                                                      \
        check_##CHECKED(value);                                                                                        \
        uint64_t before = hash_bytes(1, value, sizeof *value);                                                         \
        perform_callback();                                                                                            \
        check_##CHECKED(value);                                                                                        \
        CHECK(before == hash_bytes(1, value, sizeof *value));                                                          \
    }

#define FLAG_EVENTS(X)                                                                                                 \
    X(game, , any_loud)                                                                                                \
    X(game, , any_chosen)                                                                                              \
    X(game, , any_chosen_removed)                                                                                      \
    X(game, , chosen)                                                                                                  \
    X(game, , loud_removed)
#define GAME_EVENTS(X)                                                                                                 \
    X(game, Crate, crate, any_crate)                                                                                   \
    X(game, Crate, crate, any_crate_removed)                                                                           \
    X(game, Name, name, any_name_removed)                                                                              \
    X(game, Name, name, name)                                                                                          \
    X(game, Owner, owner, any_owner_removed)                                                                           \
    X(game, Owner, owner, owner_removed)                                                                               \
    X(game, Hoard, hoard, any_hoard_removed)                                                                           \
    X(game, Pos, pos, any_pos)                                                                                         \
    X(game, Spread, spread, any_spread)                                                                                \
    X(game, Spread, spread, any_spread_removed)                                                                        \
    X(game, Sole, sole, any_sole)                                                                                      \
    X(game, Sole, sole, sole_removed)
#define OTHER_EVENTS(X)                                                                                                \
    X(other, Pos, pos, any_pos)                                                                                        \
    X(other, Name, name, any_name_removed)                                                                             \
    X(other, Name, name, name)

FLAG_EVENTS(DEFINE_FLAG_LISTENER)
GAME_EVENTS(DEFINE_LISTENER)
OTHER_EVENTS(DEFINE_LISTENER)

// Adds a listener or removes one.
typedef kin_status game_switch(game_context *context, game_entity entity, bool adds);
typedef kin_status other_switch(other_context *context, other_entity entity, bool adds);

#define DEFINE_SWITCH(CONTEXT, NAME)                                                                                   \
    static kin_status switch_##CONTEXT##_##NAME(CONTEXT##_context *context, CONTEXT##_entity entity, bool adds)        \
    {                                                                                                                  \
        if (adds)                                                                                                      \
            return CONTEXT##_add_##NAME##_listener(context, entity, on_##CONTEXT##_##NAME, here);                      \
        return CONTEXT##_remove_##NAME##_listener(context, entity, on_##CONTEXT##_##NAME, here);                       \
    }
#define DEFINE_FLAG_SWITCH(CONTEXT, TYPE, NAME)           DEFINE_SWITCH(CONTEXT, NAME)
#define DEFINE_VALUE_SWITCH(CONTEXT, TYPE, CHECKED, NAME) DEFINE_SWITCH(CONTEXT, NAME)
FLAG_EVENTS(DEFINE_FLAG_SWITCH)
GAME_EVENTS(DEFINE_VALUE_SWITCH)
OTHER_EVENTS(DEFINE_VALUE_SWITCH)

#define FLAG_SWITCH(CONTEXT, TYPE, NAME)           switch_##CONTEXT##_##NAME,
#define VALUE_SWITCH(CONTEXT, TYPE, CHECKED, NAME) switch_##CONTEXT##_##NAME,

static game_switch *const game_switches[] = {FLAG_EVENTS(FLAG_SWITCH) GAME_EVENTS(VALUE_SWITCH)};
static other_switch *const other_switches[] = {OTHER_EVENTS(VALUE_SWITCH)};

enum {
    GAME_SWITCHES = sizeof game_switches / sizeof *game_switches,
    OTHER_SWITCHES = sizeof other_switches / sizeof *other_switches
};

void do_event(const place *at)
{
    uint8_t choice = take_byte();
    bool adds = choice < 128;
    uint32_t event = choice % (GAME_SWITCHES + OTHER_SWITCHES);
    attempt attempt = attempt_begin();
    kin_status status = KIN_OK;
    if (event < GAME_SWITCHES && at->game != NULL)
        status = game_switches[event](at->game, (game_entity){take_handle(&here->game_handles[at->package])}, adds);
    else if (event >= GAME_SWITCHES && at->other != NULL)
        status = other_switches[event - GAME_SWITCHES](
            at->other, (other_entity){take_handle(&here->other_handles[at->package])}, adds);
    attempt_end(attempt, status);
}
