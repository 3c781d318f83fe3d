#include "likes.h"

bool likes_set(town_context *town, town_entity who, town_entity whom, int32_t amount)
{
    if (town_entity_equals(who, whom))
        return false;
    const Likes likes = {who, whom, amount};
    town_entity pair = town_entity_with_likes_between(town, who, whom);
    if (town_entity_is_alive(town, pair))
        return town_replace_likes(town, pair, likes) == KIN_OK;
    pair = town_spawn_like_with(town, (town_like_value){.likes = likes, .given = {.likes = true}});
    return town_entity_is_alive(town, pair);
}
