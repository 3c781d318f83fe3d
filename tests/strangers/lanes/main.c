// Components with keys, relations, strings and lists, whose other fields are written in place (FND-50).
#include "lanes/lanes.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool is_right, const char *what)
{
    failures += !is_right;
    if (!is_right)
        printf("not so: %s\n", what);
}

#define EXPECT(condition) expect(condition, #condition)

uint32_t near_of(const Road *road, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = (int32_t)road->length;
    return 1;
}

static float sum_of(game_cars_view view)
{
    float sum = 0;
    for (uint32_t i = 0; i < view.count; i++)
        sum += view.lane[i].progress + view.pier.water[i];
    return sum;
}

void drive_update(lanes_world *world, drive_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (drive_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            it->lane[i].progress += it->lane[i].speed * (float)it->lane[i].number;
            it->pier.water[i] = 1;
            it->pier.marks[i][1] = 2;
        }
        if (it->post != NULL)
            it->post[0].codes[1] = 3;
        if (it->ship != NULL)
            it->ship[0]->tons += (int32_t)it->ship[0]->cargo.count;
        *(float *)world->user += sum_of(drive_view(it));
    }
}

void drift_update(drift_job *job, drift_iter *it, const kin_tick *tick)
{
    game_entity found;
    (void)tick;
    while (drift_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->lane[i].progress += 0.5f;
            it->title[i].rank = (int32_t)drift_copy_entities_with_lane_number(job, it->lane[i].number, &found, 1);
        }
}

// The same bytes as two types: a compiler that took them for different objects would keep the first value.
static float write_and_read(LaneEdit *edited, const Lane *lane)
{
    float before = lane->progress;
    edited->progress = before + 1;
    return lane->progress - before;
}

static int32_t write_and_read_an_element(PostEdit *edited, const Post *post)
{
    int32_t before = post->codes[0];
    edited->codes[0] = (uint8_t)(before + 1);
    return post->codes[0] - before;
}

static float read_and_replace(game_context *game, game_entity car, const Lane *value)
{
    LaneEdit *edited = game_edit_lane(game, car);
    edited->progress = 20;
    game_replace_lane(game, car, *value);
    return edited->progress;
}

static void edit_all(game_context *game, game_entity road, game_entity car)
{
    int32_t cargo[] = {4, 5};
    uint32_t count;
    game_add_lane(game, car, (Lane){road, 2, 10, 1});
    game_add_post(game, car, (Post){{1, "ab"}, {7, 8}, "post", 5});
    game_add_ship(game, car, (Ship){"Ark", {cargo, 2}, road, 100});
    game_add_title(game, car, (Title){"Captain", 1});
    game_add_pier(game, car, (Pier){road, 0, {0, 0}});
    EXPECT(write_and_read(game_edit_lane(game, car), game_get_lane(game, car)) == 1);
    EXPECT(write_and_read_an_element(game_edit_post(game, car), game_get_post(game, car)) == 1);
    EXPECT(read_and_replace(game, car, &(Lane){road, 3, 30, 1}) == 30);
    EXPECT(game_entity_equals(game_entities_with_lane_number(game, 3, &count)[0], car) && count == 1);
    EXPECT(game_entity_equals(game_lanes_first(game, road), car));
    game_edit_ship(game, car)->tons = 50;
    game_edit_title(game, car)->rank = 9;
    EXPECT(strcmp(game_get_ship(game, car)->name, "Ark") == 0 && game_get_ship(game, car)->tons == 50);
    EXPECT(game_get_title(game, car)->rank == 9);
    EXPECT(game_edit_lane(game, road) == NULL && game_edit_unique_toll(game) == NULL);
    game_set_unique_toll(game, (Toll){4, 0});
    game_edit_unique_toll(game)->coins++;
    EXPECT(game_get_unique_toll(game)->coins == 1);
    game_edit_road(game, road)->length = 8;
    EXPECT(game_touch_road(game, road) == KIN_OK);
    EXPECT(game_entities_with_near(game, 8, &count) != NULL && game_entities_with_near(game, 5, &count) == NULL);
}

int main(void)
{
    float sum = 0;
    lanes_world *world = lanes_world_create(NULL, &sum);
    game_context *game = world->contexts->game;
    game_entity road = game_create_entity(game);
    game_entity car = game_create_entity(game);
    game_add_road(game, road, (Road){5, 1});
    edit_all(game, road, car);
    lanes_world_update(world, 1);
    EXPECT(sum == 34);
    EXPECT(game_get_lane(game, car)->progress == 33.5f);
    EXPECT(game_get_post(game, car)->codes[1] == 3);
    EXPECT(game_get_ship(game, car)->tons == 52);
    EXPECT(game_get_title(game, car)->rank == 1);
    Pier pier;
    EXPECT(game_read_pier(game, car, &pier) && pier.marks[1] == 2 && game_entity_equals(pier.road, road));
    lanes_world_destroy(world);
    return failures;
}
