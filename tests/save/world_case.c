#include "world_case.h"

#include "file/file.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

buffer file, again;
kin_snapshot *file_snapshot;
char reported[512]; // the last one that was reported

static void on_error(const kin_error *error, void *user)
{
    snprintf(reported, sizeof reported, "%s", error->message);
    log_error(error, user);
}

void world_case_begin(void)
{
    twice_begin();
    town->base_->options.on_error = people->base.core->options.on_error = houses->base.core->options.on_error =
        on_error;
    memset(&file, 0, sizeof file);
    memset(&again, 0, sizeof again);
    file_snapshot = NULL;
    town_random_retains = false;
}

void world_case_end(void)
{
    buffer_release(&file);
    buffer_release(&again);
    kin_snapshot_destroy(file_snapshot);
    twice_end();
}

void write_to(buffer *to, const kin_snapshot *from)
{
    to->size = 0;
    ck_assert_int_eq(town_write(from, buffer_sink(to), NULL), KIN_OK);
}

kin_status read_file(void)
{
    log_begin();
    return town_read(town, &file_snapshot, buffer_source(&file), NULL, NULL);
}

void save_and_read(void)
{
    save();
    write_to(&file, saved_town);
    ck_assert_msg(read_file() == KIN_OK, "%s", reported);
    ck_assert(kin_snapshot_hash(file_snapshot) == kin_snapshot_hash(saved_town));
    ck_assert(kin__little_read_64(file.bytes + file.size - 8) == kin_snapshot_hash(saved_town));
    ck_assert_uint_eq(kin_snapshot_compare(saved_town, file_snapshot, NULL, NULL), 0);
    write_to(&again, file_snapshot);
    ck_assert_uint_eq(again.size, file.size);
    ck_assert_int_eq(memcmp(again.bytes, file.bytes, file.size), 0);
}

void restore_read(void)
{
    log_begin();
    ck_assert_msg(town_world_restore(town, file_snapshot, KIN_RESTORE_EXACTLY) == KIN_OK, "%s", reported);
    ck_assert(kin__context_is_valid(&people->base) && kin__context_is_valid(&houses->base));
}

void update_twice(void)
{
    update();
    update();
}

void write_busy(void)
{
    named_citizen(1);
    people_entity dead = named_citizen(2);
    update();
    people_set_asleep(people, citizen_of(0), true);
    people_destroy_entity(people, dead);
    town_publish_gossip(town, (Gossip){5});
    town_publish_gossip(town, (Gossip){6});
    town_publish_greeting(town, (Greeting){.words = "hello"});
    save();
    write_to(&file, saved_town);
}

void repair(void)
{
    uint32_t number = 0;
    for (size_t at = KIN__MAGIC_SIZE; at + KIN__BLOCK_HEAD <= file.size; number++) {
        unsigned char *block = file.bytes + at;
        uint32_t size = kin__little_read_32(block + 4);
        if (size > file.size - at - KIN__BLOCK_HEAD)
            return;
        kin__little_write_64(block + 8, kin__block_sum((const char *)block, size, number, block + KIN__BLOCK_HEAD));
        at += KIN__BLOCK_HEAD + size;
    }
}
