#include "scout_make.h"

#include "base/base.h"
#include "file/file.h"

#include <scout/scout.h>
#include <scout/scout_save.h>

#include <check.h>
#include <string.h>

void hike_update(scout_world *world, hike_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (hike_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->place[i].x++;
}

static patrol_entity add(patrol_context *patrol, int32_t x, Health health, int8_t level)
{
    patrol_entity entity = patrol_create_entity(patrol);
    patrol_add_place(patrol, entity, (Place){x});
    patrol_add_health(patrol, entity, health);
    if (level != 0)
        patrol_add_rank(patrol, entity, (Rank){level});
    return entity;
}

static void change(patrol_context *patrol, scout_entities *made, uint32_t frame)
{
    patrol_entity a = {made->a}, b = {made->b}, c = {made->c};
    if (frame == 1)
        patrol_edit_health(patrol, a)->hp = 40;
    if (frame == 2)
        made->c = add(patrol, 20, (Health){70, 9}, 3).id;
    if (frame == 3)
        patrol_replace_rank(patrol, b, (Rank){7});
    if (frame == 4) {
        patrol_destroy_entity(patrol, a);
        made->d = add(patrol, 30, (Health){1, 1}, 0).id;
    }
    if (frame == 5)
        patrol_remove_rank(patrol, b);
    if (frame == 6)
        patrol_remove_rank(patrol, c);
}

static void rename_package(buffer *file)
{
    enum { NAME = KIN__BLOCK_HEAD + 18 };
    unsigned char *head = file->bytes + KIN__MAGIC_SIZE;
    ck_assert_int_eq(memcmp(head + NAME, "scout", 5), 0);
    memcpy(head + NAME, "guide", 5);
    kin__little_write_64(head + 8, kin__block_sum("HEAD", kin__little_read_32(head + 4), 0, head + KIN__BLOCK_HEAD));
}

scout_entities scout_make_recording(buffer *file, const kin_record_options *options)
{
    scout_world *world = scout_world_create(NULL, NULL);
    ck_assert_ptr_nonnull(world);
    patrol_context *patrol = world->contexts->patrol;
    scout_entities made = {.a = add(patrol, 1, (Health){50, 4}, 2).id};
    made.b = add(patrol, 10, (Health){60, 0}, 1).id;
    ck_assert_int_eq(scout_world_record(world, buffer_sink(file), options), KIN_OK);
    for (uint32_t frame = 0; frame < SCOUT_FRAMES; frame++) {
        change(patrol, &made, frame);
        scout_world_update(world, 1);
    }
    ck_assert_int_eq(scout_world_stop_recording(world), KIN_OK);
    scout_world_destroy(world);
    rename_package(file);
    return made;
}
