// The game of tower.yaml: two towers are ordered, four enemies march, and the screen gets each hit.
#include "tower/tower.h"

#include <stdio.h>

void place_tower_execute(tower_world *world, const ui_entity *entities, uint32_t count)
{
    game_context *game = world->contexts->game;
    ui_context *ui = world->contexts->ui;
    for (uint32_t i = 0; i < count; i++) {
        const Build *build = ui_get_build(ui, entities[i]);
        game_entity tower = game_create_entity(game);
        if (game_add_place(game, tower, (Place){build->cell}) == KIN_OK) {
            game_add_tower(game, tower, (Tower){build->kind, 3, 4});
            game_add_cooldown(game, tower, cooldown_default());
        } else
            game_destroy_entity(game, tower);
        ui_destroy_entity(ui, entities[i]);
    }
}

void spawn_execute(tower_world *world, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    const Wave *wave = game_get_unique_wave(game);
    if (wave->left == 0 || tick->frame % 10 != 1)
        return;
    if (wave->left % 3 == 0)
        game_spawn_ogre(game);
    else
        game_spawn_goblin(game);
    game_replace_unique_wave(game, (Wave){wave->number, wave->left - 1});
}

void march_update(tower_world *world, march_iter *it, const kin_tick *tick)
{
    while (march_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].x += it->speed[i].value * (float)tick->delta;
            if (it->position[i].x > 20)
                game_set_dead(world->contexts->game, march_at(it, i), true);
        }
}

static bool is_near(Cell cell, const Position *position, float range)
{
    float x = position->x - (float)cell.x, y = position->y - (float)cell.y;
    return x * x + y * y <= range * range;
}

static void shoot(tower_world *world, shoot_iter *it, uint32_t i)
{
    uint32_t count = 0;
    const game_entity *enemies = game_enemies_entities(world->contexts->game, &count);
    for (uint32_t e = 0; e < count; e++)
        if (is_near(it->place[i].cell, game_get_position(world->contexts->game, enemies[e]), it->tower[i].range)) {
            it->cooldown[i].wait = it->cooldown[i].seconds;
            tower_publish_shot(world, (Shot){enemies[e], it->tower[i].damage});
            return;
        }
}

void shoot_update(tower_world *world, shoot_iter *it, const kin_tick *tick)
{
    while (shoot_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->cooldown[i].wait -= (float)tick->delta;
            if (it->cooldown[i].wait <= 0)
                shoot(world, it, i);
        }
}

void hit_on_shot(tower_world *world, const Shot *message)
{
    game_context *game = world->contexts->game;
    const Health *health = game_get_health(game, message->target);
    if (health == NULL || game_is_dead(game, message->target))
        return;
    int32_t points = health->points - message->damage;
    game_replace_health(game, message->target, (Health){points});
    if (points <= 0) {
        game_set_dead(game, message->target, true);
        game_replace_unique_gold(game, (Gold){game_get_unique_gold(game)->amount + 5});
    }
}

void report_execute(tower_world *world, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    if (tick->frame % 40 == 0)
        printf("%u s: %u enemies, %d gold\n", (unsigned)tick->frame / 10, (unsigned)kin_group_count(game_enemies(game)),
               (int)game_get_unique_gold(game)->amount);
}

static void count_hit(game_context *game, game_entity entity, const Health *value, void *user)
{
    (void)game, (void)entity, (void)value;
    ++*(int *)user;
}

int main(void)
{
    tower_world *world = tower_world_create(NULL, NULL);
    if (world == NULL)
        return 1;
    game_context *game = world->contexts->game;
    ui_context *ui = world->contexts->ui;
    game_set_unique_gold(game, (Gold){10});
    game_set_unique_wave(game, (Wave){1, 4});
    int notified = 0;
    game_add_any_health_listener(game, game_create_entity(game), count_hit, &notified);
    for (int x = 3; x < 9; x += 3)
        ui_add_build(ui, ui_create_entity(ui), (Build){{x, 1}, x == 3 ? KIND_ARROW : KIND_CANNON});
    for (int i = 0; i < 120; i++)
        tower_world_update(world, 0.1);

    uint32_t arrows = 0, items = 0;
    game_entities_with_tower_kind(game, KIND_ARROW, &arrows);
    bool is_taken = game_entity_is_alive(game, game_entity_with_place_cell(game, (Cell){6, 1}));
    game_entity hero = game_create_entity(game), sword = game_create_entity(game);
    game_add_item(game, sword, (Item){"sword", hero, 1});
    game_entities_with_item_owner(game, hero, &items);
    printf("notified %d times, %u arrows, %s, %u items\n", notified, (unsigned)arrows, is_taken ? "taken" : "free",
           (unsigned)items);
    tower_world_destroy(world);
    return 0;
}
