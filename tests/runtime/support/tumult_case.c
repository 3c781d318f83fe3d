#include "tumult_case.h"

#include "world/world.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 1200, MOST = 3000, CELLS = 64, SYSTEMS = 13 };

static tumult_tumult_world *world;
static kin__world_info copied_world;
static kin__system_info copied_systems[SYSTEMS];
static uint64_t log_hash;
static tumult_counts counts;

static uint64_t frame; // the world's user: functions of reactive systems get no tick

// ---- chance, and the log

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29;
}

// Whether one case in `of` happens to the entity in this frame.
static bool happens(kin_entity entity, uint64_t now, uint32_t reason, uint32_t of)
{
    return (mix(mix(entity, now), reason) >> 16) % of == 0;
}

static void note(uint64_t a, uint64_t b)
{
    log_hash = mix(mix(log_hash, a), b);
}

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    for (const char *at = error->message; *at != '\0'; at++)
        note((uint64_t)(unsigned char)*at, 1);
    counts.errors++;
}

static void note_change(const kin_change *change, void *user)
{
    (void)user;
    note(change->entity, change->component);
    note(change->value == NULL, change->previous == NULL);
    counts.changes++;
}

// ---- the systems of the day

void tumult_refill_on_sting(tumult_tumult_world *self, const tumult_Sting *message)
{
    (void)self;
    note(message->target.id, (uint64_t)message->amount);
    counts.messages++;
}

void tumult_move_update(tumult_move_job *job, tumult_move_iter *it, const kin_tick *tick)
{
    while (tumult_move_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_move_at(it, i);
            it->position[i].x += it->velocity[i].x;
            it->position[i].y += it->velocity[i].y;
            if (happens(entity.id, tick->frame, 1, 4))
                tumult_move_replace_cell(job, entity, (tumult_Cell){(int32_t)((uint32_t)it->position[i].x % CELLS)});
        }
}

void tumult_turn_update(tumult_turn_job *job, tumult_turn_iter *it, const kin_tick *tick)
{
    while (tumult_turn_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_turn_at(it, i);
            kin_random random = tumult_turn_random(job, entity);
            it->velocity[i].x = it->position[i].x % 5 - 2;
            it->velocity[i].y = kin_random_between(&random, -3, 3);
            if (happens(entity.id, tick->frame, 2, 6))
                tumult_turn_set_marked(job, entity, it->position[i].y % 2 == 0);
        }
}

static void describe(tumult_breed_job *job, tumult_crowd_entity parent, tumult_crowd_entity child, const kin_tick *tick)
{
    static const int32_t grains[] = {1, 2, 3, 4};
    char name[16] = "child";
    name[0] = (char)('a' + parent.id % 26);
    tumult_breed_replace_load(job, child, (tumult_Load){.grains = {grains, (uint32_t)(parent.id % 5)}, .from = parent});
    tumult_breed_replace_name(job, child, (tumult_Name){name});
    tumult_breed_add_tag(job, child, (tumult_Tag){(uint32_t)(parent.id % 500)}); // may be taken
    if (happens(parent.id, tick->frame, 3, 2))
        tumult_breed_replace_follows(job, child, (tumult_Follows){parent});
    tumult_breed_publish_sting(job, (tumult_Sting){.target = child, .amount = 1});
}

// Children with values: a bug with a place beside its parent's, and the bug of a queen, which names both.
static void breed_with(tumult_breed_job *job, tumult_crowd_entity parent, const kin_tick *tick)
{
    tumult_crowd_queen_parts parts;
    int32_t number = (int32_t)(parent.id % 1000);
    tumult_crowd_bug_value bug = {.position = {number, 3}, .cell = {number % CELLS}, .given = {.position = true}};
    bug.given.cell = number % 2 > 0;
    describe(job, parent, tumult_breed_spawn_bug_with(job, bug), tick);
    if (number % 3 > 0)
        return;
    describe(job, parent, tumult_breed_spawn_queen_parts(job, &parts), tick);
    tumult_breed_replace_load(job, parts.bug.entity, (tumult_Load){.from = parts.entity});
}

void tumult_breed_update(tumult_breed_job *job, tumult_breed_iter *it, const kin_tick *tick)
{
    while (tumult_breed_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_breed_at(it, i);
            it->energy[i].value++;
            if (happens(entity.id, tick->frame, 4, 30))
                describe(job, entity, tumult_breed_spawn_bug(job), tick);
            if (happens(entity.id, tick->frame, 8, 60))
                breed_with(job, entity, tick);
            if (happens(entity.id, tick->frame, 5, 90))
                describe(job, entity, tumult_breed_spawn_queen(job), tick);
            if (happens(entity.id, tick->frame, 6, 10))
                tumult_breed_replace_puff(job, entity, (tumult_Puff){it->energy[i].value});
        }
}

// Hurts those with the next tags, and as many before them as a rank says.
static void bite_next(tumult_bite_job *job, tumult_crowd_entity entity)
{
    uint32_t number = (uint32_t)(entity.id % 500), rank = tumult_bite_by_tag_count_below(job, number);
    tumult_crowd_by_tag_iter ahead = tumult_bite_by_tag_from(job, number);
    for (uint32_t i = 0; i < 3 && tumult_bite_by_tag_next(&ahead); i++)
        tumult_bite_set_hurt(job, ahead.entity, rank % 2 > 0);
    tumult_crowd_by_tag_iter back = tumult_bite_by_tag_range(job, number / 2, number);
    for (uint32_t i = 0; i < rank % 4 && tumult_bite_by_tag_previous(&back); i++)
        tumult_bite_set_hurt(job, back.entity, true);
    if (rank == 0)
        tumult_bite_set_hurt(job, tumult_bite_by_tag_last(job), true);
}

void tumult_bite_update(tumult_bite_job *job, tumult_bite_iter *it, const kin_tick *tick)
{
    while (tumult_bite_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity near[4], entity = tumult_bite_at(it, i);
            if (happens(entity.id, tick->frame, 16, 6))
                bite_next(job, entity);
            uint32_t count = tumult_bite_copy_entities_with_cell_x(job, (int32_t)(entity.id % CELLS), near, 4);
            for (uint32_t k = 0; k < count && k < 4; k++)
                tumult_bite_set_hurt(job, near[k], happens(near[k].id, tick->frame, 7, 2));
            if (count > 0 && happens(entity.id, tick->frame, 15, 9))
                tumult_bite_destroy_entity(job, near[0]); // maybe bitten by several
            if (count > 0 && happens(entity.id, tick->frame, 8, 5))
                tumult_bite_publish_sting(job, (tumult_Sting){near[0], (int32_t)count});
        }
}

void tumult_cull_update(tumult_cull_job *job, tumult_cull_iter *it, const kin_tick *tick)
{
    while (tumult_cull_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_cull_at(it, i);
            if (it->energy[i].value <= 0 || happens(entity.id, tick->frame, 9, 25))
                tumult_cull_destroy_entity(job, entity);
            else if (happens(entity.id, tick->frame, 10, 40))
                tumult_cull_remove_tag(job, entity); // often not there
        }
}

// ---- the systems of the evening

void tumult_rename_update(tumult_rename_job *job, tumult_rename_iter *it, const kin_tick *tick)
{
    while (tumult_rename_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_rename_at(it, i);
            if (happens(entity.id, tick->frame, 11, 8))
                tumult_rename_replace_name(job, entity, (tumult_Name){it->name[i].value[0] == 'a' ? "anna" : "bob"});
            else if (happens(entity.id, tick->frame, 12, 20))
                tumult_rename_remove_name(job, entity);
        }
}

void tumult_unload_update(tumult_unload_job *job, tumult_unload_iter *it, const kin_tick *tick)
{
    while (tumult_unload_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            tumult_crowd_entity entity = tumult_unload_at(it, i), from = it->load[i].from;
            if (!tumult_unload_has_energy(job, from))
                tumult_unload_remove_load(job, entity);
            else if (happens(entity.id, tick->frame, 13, 10)) // a circle is refused
                tumult_unload_replace_follows(job, from, (tumult_Follows){entity});
        }
}

void tumult_heal_execute(tumult_heal_job *job, const tumult_crowd_entity *entities, uint32_t count)
{
    const uint64_t *now = tumult_heal_user(job);
    for (uint32_t i = 0; i < count; i++) {
        tumult_heal_replace_energy(job, entities[i], (tumult_Energy){(int32_t)(*now % 50)});
        tumult_heal_set_hurt(job, entities[i], false);
    }
}

void tumult_scan_execute(tumult_scan_job *job, const kin_tick *tick)
{
    for (uint32_t number = 0; number < 500; number += 1 + (uint32_t)(tick->frame % 7)) {
        tumult_crowd_entity found = tumult_scan_entity_with_tag_number(job, number);
        if (found.id != 0)
            tumult_scan_set_marked(job, found, true);
    }
    tumult_crowd_by_name_iter it = tumult_scan_by_name_from(job, tick->frame % 2 > 0 ? "bob" : "m");
    for (uint32_t i = 0; i < 20 && tumult_scan_by_name_next(&it); i++)
        tumult_scan_set_marked(job, it.entity, true);
    tumult_scan_spawn_cloud(job);
}

void tumult_blow_update(tumult_blow_job *job, tumult_blow_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (tumult_blow_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            if (--it->puff[i].strength <= 0)
                tumult_blow_destroy_entity(job, tumult_blow_at(it, i));
}

// ---- the systems of the night

void tumult_tire_update(tumult_tire_job *job, tumult_tire_iter *it, const kin_tick *tick)
{
    while (tumult_tire_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->energy[i].value -= 2;
            if (happens(tumult_tire_at(it, i).id, tick->frame, 14, 20))
                tumult_tire_set_hurt(job, tumult_tire_at(it, i), true);
        }
}

bool tumult_forget_filter(tumult_tumult_world *self, tumult_crowd_entity entity)
{
    return tumult_crowd_is_marked(self->contexts->crowd, entity) && entity.id % 3 > 0;
}

void tumult_forget_execute(tumult_forget_job *job, const tumult_crowd_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        tumult_forget_set_marked(job, entities[i], false);
}

// ---- the world

// The tables of the package are constant, so the systems get copies with another grain.
static void set_grain(uint32_t grain)
{
    kin__world *base = world->base_;
    copied_world = *base->info;
    ck_assert_uint_eq(base->info->system_count, SYSTEMS);
    memcpy(copied_systems, base->info->systems, sizeof copied_systems);
    copied_world.systems = copied_systems;
    base->info = &copied_world;
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        if (copied_systems[i].grain == 512)
            copied_systems[i].grain = grain;
        base->schema_systems[i]->info = &copied_systems[i];
    }
}

static void listen(kin_component_id id)
{
    kin_group *group = kin_context_group(&world->contexts->crowd->base, KIN_MATCHER(KIN_ALL(id)));
    ck_assert_ptr_nonnull(group);
    kin_group_subscribe(group, KIN_ADDED | KIN_REMOVED | KIN_MODIFIED, note_change, NULL);
}

tumult_tumult_world *tumult_begin(uint32_t grain, const kin_executor *executor)
{
    kin_context_options options = {.on_error = note_error};
    log_hash = frame = 0;
    counts = (tumult_counts){0};
    world = tumult_tumult_world_create(&options, &frame);
    ck_assert_ptr_nonnull(world);
    set_grain(grain);
    listen(TUMULT_CROWD_TAG);
    listen(TUMULT_CROWD_HURT);
    listen(TUMULT_CROWD_FOLLOWS);
    ck_assert_int_eq(tumult_tumult_world_set_executor(world, executor), KIN_OK);
    return world;
}

void tumult_end(void)
{
    tumult_tumult_world_destroy(world);
    world = NULL;
}

// Keeps the number of entities in bounds, between updates.
static void refill(void)
{
    tumult_crowd_context *crowd = world->contexts->crowd;
    uint32_t count = tumult_crowd_entity_count(crowd);
    for (; count < LEAST; count++)
        tumult_crowd_spawn_bug(crowd);
    const tumult_crowd_entity *all = tumult_crowd_entities(crowd, &count);
    for (uint32_t i = 0; count > MOST && i < count; i += 2)
        tumult_crowd_destroy_entity(crowd, all[i]);
}

static void count_commands(void)
{
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        const kin__schema_system *schema_system = world->base_->schema_systems[i];
        if (schema_system->parallel == NULL)
            continue;
        const kin_parallel *last = &schema_system->parallel->last;
        note(last->recorded, last->dropped);
        note(last->refused, 0);
        counts.recorded += last->recorded;
        counts.dropped += last->dropped;
        counts.refused += last->refused;
    }
}

uint64_t tumult_update(void)
{
    kin_snapshot *snapshot = NULL;
    frame++;
    refill();
    tumult_tumult_world_update(world, 0.4);
    count_commands();
    uint32_t count = 0;
    const tumult_crowd_entity *all = tumult_crowd_entities(world->contexts->crowd, &count);
    for (uint32_t i = 0; i < count; i++)
        note(all[i].id, 2);
    counts.alive = count;
    ck_assert_int_eq(tumult_tumult_world_save(world, &snapshot), KIN_OK);
    uint64_t hash = mix(kin_snapshot_hash(snapshot), log_hash);
    kin_snapshot_destroy(snapshot);
    return hash;
}

tumult_counts tumult_count(void)
{
    return counts;
}
