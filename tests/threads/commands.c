// Threads record commands into buffers of their own while the context is shared. What is played then depends on the
// pieces alone (CMD-12).
#include "hostile.h"
#include "scenes.h"

#include <army/army.h>
#include <kin/pool.h>
#include <kin/share.h>

enum { SOLDIERS = 3000, TURNS = 6, MOST_PIECES = 64 };

typedef struct battle {
    army_context *army;
    army_commands *buffers[MOST_PIECES];
    uint32_t turn;
} battle;

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

static void order_one(army_commands *commands, army_entity soldier, Post post, uint32_t number)
{
    char text[] = "Sir";
    if (number % 7 == 0)
        army_commands_add_title(commands, soldier, (Title){text});
    if (number % 11 == 0) {
        army_entity guard = army_commands_spawn_guard(commands);
        army_commands_replace_post(commands, guard, post);
        army_commands_add_aim(commands, guard, (Aim){soldier});
    }
    if (number % 13 == 0)
        army_commands_destroy_entity(commands, soldier);
    army_commands_set_burning(commands, soldier, number % 2 == 0);
}

static void order(void *work, uint32_t piece)
{
    battle *battle = work;
    army_posted_iter it = army_posted_iterate_piece(battle->army, piece, 512);
    while (army_posted_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            order_one(battle->buffers[piece], army_posted_at(&it, i), it.post[i], i + battle->turn);
}

static bool take_turn(battle *battle, const kin_executor *executor)
{
    uint32_t pieces = army_posted_piece_count(battle->army, 512);
    bool begun = pieces <= MOST_PIECES && kin_context_begin_shared(&battle->army->base) == KIN_OK;
    if (!begun)
        return false;
    run_tasks(executor, order, battle, pieces);
    kin_context_end_shared(&battle->army->base);
    for (uint32_t i = 0; i < pieces; i++)
        army_commands_play(battle->buffers[i]);
    return true;
}

static uint64_t fight(const kin_executor *executor)
{
    static battle battle;
    kin_context_options options = {.on_error = ignore};
    kin_snapshot *snapshot = NULL;
    battle.army = army_context_create(&options);
    for (uint32_t i = 0; i < MOST_PIECES; i++)
        battle.buffers[i] = army_commands_create(battle.army);
    bool done = army_spawn_many_guard(battle.army, SOLDIERS, NULL) == KIN_OK;
    for (battle.turn = 0; done && battle.turn < TURNS; battle.turn++)
        done = take_turn(&battle, executor);
    army_save(battle.army, &snapshot);
    uint64_t hash = done ? kin_snapshot_hash(snapshot) : 0;
    kin_snapshot_destroy(snapshot);
    for (uint32_t i = 0; i < MOST_PIECES; i++)
        army_commands_destroy(battle.buffers[i]);
    army_context_destroy(battle.army);
    return hash;
}

bool record_in_threads(void)
{
    kin_executor *pool = kin_pool_create(4);
    uint64_t expected = fight(NULL);
    bool same = expected != 0 && pool != NULL && fight(pool) == expected;
    for (uint32_t i = 0; i < HOSTILE_COUNT; i++)
        same = fight(&hostile_executors[i]) == expected && same;
    kin_pool_destroy(pool);
    return same;
}
