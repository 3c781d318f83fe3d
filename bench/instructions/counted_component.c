// Counted operations on components, listeners, collectors and indices.

#include "town.h"

void counted_get(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        const Health *health = game_get_health(town->game, town->entities[i]);
        town->sum += health == NULL ? 0 : (uint64_t)health->hp;
    }
}

void counted_get_by_id(town *town)
{
    kin_component_id id = town->health;
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++) {
        const Health *health = (const Health *)kin_get(&town->game->base, town->entities[i].id, id);
        town->sum += health == NULL ? 0 : (uint64_t)health->hp;
    }
}

void counted_get_unchecked(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += (uint64_t)game_get_health_unchecked(town->game, town->entities[i])->hp;
}

void counted_has(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_has_velocity(town->game, town->entities[i]);
}

void counted_add(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_add_health(town->game, town->entities[i], (Health){(int32_t)i});
}

void counted_remove(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_remove_health(town->game, town->entities[i]);
}

void counted_replace(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_replace_health(town->game, town->entities[i], (Health){(int32_t)i});
}

void counted_set_flag(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_set_frozen(town->game, town->entities[i], true);
}

void counted_clear_flag(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        game_set_frozen(town->game, town->entities[i], false);
}

// Reads the collected entities and clears the collector.
void counted_drain(town *town)
{
    uint32_t count = 0;
    const kin_entity *collected = kin_collector_entities(town->collector, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Health *health = game_get_health(town->game, game_entity_of(collected[i]));
        town->sum += health == NULL ? 0 : (uint64_t)health->hp;
    }
    kin_collector_clear(town->collector);
}

void counted_find_number(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_entity_with_number_value(town->game, i * 2654435761u).id;
}

void counted_find_text(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_entity_with_name_value(town->game, town->names[i]).id;
}

void counted_find_string(town *town)
{
    for (uint32_t i = 0; i < TOWN_ENTITIES; i++)
        town->sum += game_entity_with_title_value(town->game, town->names[i]).id;
}
