// Systems of the towers: turrets aim, barrels spawn bullets, bullets hit creeps.
#include <defense/defense_world.h>

#include <math.h>

static const float BULLET_SPEED = 14, BULLET_SIZE = 0.6F;

static bool is_within(Position a, Position b, float range)
{
    float x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y <= range * range;
}

void lose_update(lose_job *job, lose_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (lose_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            const Position *target = lose_get_position(job, it->aim[i].at);
            if (!is_within(it->position[i], *target, it->turret[i].range))
                lose_remove_aim(job, lose_at(it, i));
        }
}

void seek_update(seek_job *job, seek_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (seek_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            game_entity best = GAME_NO_ENTITY;
            float done = -1;
            game_prey_iter near = seek_prey_near(job, it->position[i].x, it->position[i].y, it->turret[i].range);
            while (game_prey_next(&near)) {
                const March *march = seek_get_march(job, near.entity);
                if (march->done <= done)
                    continue;
                best = near.entity;
                done = march->done;
            }
            if (!game_entity_equals(best, GAME_NO_ENTITY))
                seek_add_aim(job, seek_at(it, i), (Aim){best});
        }
}

// Shoots at where the target is now, not quite straight.
static void shoot(fire_job *job, game_entity barrel, const Barrel *of)
{
    game_entity turret = fire_get_part_of(job, barrel)->whole;
    kin_random random = fire_random(job, barrel);
    Position from = *fire_get_position(job, turret);
    Position to = *fire_get_position(job, fire_get_aim(job, turret)->at);
    float x = to.x - from.x + kin_random_float(&random) - 0.5F;
    float y = to.y - from.y + kin_random_float(&random) - 0.5F;
    float length = sqrtf(x * x + y * y);
    if (length == 0)
        return;
    game_bullet_value value = {.given = {.bullet = true}};
    value.bullet = (Bullet){.x = from.x,
                            .y = from.y,
                            .along_x = x / length * BULLET_SPEED,
                            .along_y = y / length * BULLET_SPEED,
                            .left = 1,
                            .damage = of->damage,
                            .blast = of->blast};
    fire_spawn_bullet_with(job, value);
}

void fire_update(fire_job *job, fire_iter *it, const kin_tick *tick)
{
    while (fire_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            Barrel *barrel = &it->barrel[i];
            barrel->wait -= (float)tick->delta;
            if (barrel->wait > 0)
                continue;
            barrel->wait = barrel->pause;
            shoot(job, fire_at(it, i), barrel);
        }
}

static void hit(fly_job *job, const Bullet *bullet, game_entity first)
{
    if (bullet->blast == 0) {
        fly_publish_hit(job, (Hit){first, bullet->damage});
        return;
    }
    game_prey_iter near = fly_prey_near(job, bullet->x, bullet->y, bullet->blast);
    while (game_prey_next(&near))
        fly_publish_hit(job, (Hit){near.entity, bullet->damage});
}

void fly_update(fly_job *job, fly_iter *it, const kin_tick *tick)
{
    while (fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            Bullet *bullet = &it->bullet[i];
            game_entity first;
            bullet->x += bullet->along_x * (float)tick->delta;
            bullet->y += bullet->along_y * (float)tick->delta;
            bullet->left -= (float)tick->delta;
            bool hits = fly_prey_nearest(job, bullet->x, bullet->y, 1, BULLET_SIZE, &first) > 0;
            if (hits)
                hit(job, bullet, first);
            if (hits || bullet->left <= 0)
                fly_destroy_entity(job, fly_at(it, i));
        }
}

// Several bullets may hit one creep in a frame: the later ones find it dead.
void wound_on_hit(defense_world *world, const Hit *message)
{
    game_context *game = world->contexts->game;
    Health *health = game_edit_health(game, message->creep);
    if (health == NULL)
        return;
    health->points -= message->damage;
    if (health->points > 0)
        return;
    game_edit_unique_purse(game)->gold += game_get_creep(game, message->creep)->bounty;
    game_destroy_entity(game, message->creep);
}
