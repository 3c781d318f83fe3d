#include "record_case.h"

#include "store/store.h"

#include <stdlib.h>

buffer recording;
uint64_t recorded_hashes[RECORD_MOST];
town_world *recorded, *played;
kin_player *player;

int32_t record_static;
bool record_is_quiet;

static uint32_t recorded_count;

// ---- a town that lives

static void grow_old(people_context *context, people_entity entity, uint64_t chance)
{
    const Age *age = people_get_age(context, entity);
    if (age != NULL && chance % 3 == 0)
        people_replace_age(context, entity, (Age){age->years + 1 + record_static});
    if (age != NULL && chance % 7 == 0 && people_has_purse(context, entity))
        people_edit_purse(context, entity)->coins += (int32_t)chance % 5;
    if (chance % 11 == 0)
        people_set_asleep(context, entity, !people_is_asleep(context, entity));
}

// Depends on the state and the number of the frame alone.
static void live(town_world *world)
{
    uint32_t count = 0;
    uint64_t frame = town_world_tick(world).frame;
    people_context *context = world->contexts->people;
    if (record_is_quiet)
        return;
    guard_fail(&town_memory, 0, false); // what is refused is refused before an update
    const people_entity *entities = people_entities(context, &count);
    for (uint32_t i = 0; i < count; i++)
        grow_old(context, entities[i], frame + kin_entity_creation_index(entities[i].id));
    if (frame % 4 == 0 && count > 2)
        people_destroy_entity(context, entities[frame % count]);
    if (frame % 5 == 0 && count < 900)
        people_add_age(context, people_create_entity(context), (Age){(int32_t)frame});
    if (frame % 6 == 0)
        town_publish_gossip(world, (Gossip){(int64_t)frame});
}

// ---- recording

void record_begin(void)
{
    memset(&recording, 0, sizeof recording);
    recorded = played = NULL;
    player = NULL;
    recorded_count = 0;
    record_static = 0;
    record_is_quiet = false;
    town_random_systems = town_random_updates = town_random_resets = town_random_retains = false;
    town_begin();
    town_do("Mayor:execute", live);
    recorded = town;
    people = town->contexts->people;
    houses = town->contexts->houses;
    town_random_number = 1;
}

static void use(town_world *world)
{
    town = world;
    people = world == NULL ? NULL : world->contexts->people;
    houses = world == NULL ? NULL : world->contexts->houses;
}

void record_end(void)
{
    kin_player_destroy(player);
    town_world_destroy(played);
    use(recorded);
    town_end();
    buffer_release(&recording);
}

void record_town(uint32_t citizens)
{
    use(recorded);
    for (uint32_t i = 0; i < citizens; i++)
        if (i % 3 == 0)
            named_citizen((int32_t)i % 90);
        else
            town_citizen((int32_t)i % 90);
}

kin_status record_start(const kin_record_options *options)
{
    return town_world_record(recorded, buffer_sink(&recording), options);
}

void record_stop(void)
{
    ck_assert_int_eq(town_world_stop_recording(recorded), KIN_OK);
}

uint64_t record_hash(town_world *world)
{
    kin_snapshot *moment = NULL;
    ck_assert_int_eq(town_world_save(world, &moment), KIN_OK);
    uint64_t hash = kin_snapshot_hash(moment);
    kin_snapshot_destroy(moment);
    return hash;
}

void record_update(uint32_t operations)
{
    static const double deltas[] = {0, 0.05, 0.1, 0.25, 1};
    use(recorded);
    if (operations > 0)
        town_random_go_on(town_random_below(operations + 1));
    log_begin();
    town_world_update(recorded, deltas[town_random_below(5)]);
    recorded_hashes[recorded_count++ % RECORD_MOST] = record_hash(recorded);
}

void record_frames(uint32_t count, uint32_t operations)
{
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_lt(recorded_count, RECORD_MOST);
        record_update(operations);
        log_begin();
    }
}

void record_forget(void)
{
    recording.size = 0;
    recorded_count = 0;
}

// ---- playing

void play_begin(void)
{
    kin_context_options options = recorded->contexts->people->base.core->options;
    kin_player_destroy(player);
    town_world_destroy(played);
    played = town_world_create(&options, NULL);
    ck_assert_ptr_nonnull(played);
    log_begin();
    player = town_player_create(played, buffer_source(&recording));
}

uint32_t play_frames(uint32_t first, uint32_t count)
{
    uint32_t i = 0;
    for (; i < count && kin_player_step(player); i++) {
        const kin_divergence *divergence = kin_player_divergence(player);
        ck_assert_msg(divergence == NULL, "%s", divergence == NULL ? "" : divergence->text);
        ck_assert_msg(record_hash(played) == recorded_hashes[first + i], "frame %u of %u", i, count);
        log_begin();
    }
    return i;
}
