// The state of a context, copied as it stands in memory: the yardstick of snapshots. Each row of a chunk's head and
// each column is copied whole, into a ring of ten copies.

#include "moment.h"
#include "side.h"

#include <stdlib.h>
#include <string.h>

// What is done with each block of the context's memory and its place in a copy.
typedef void block_work(void *block, char *copy, size_t size);

static void save_block(void *block, char *copy, size_t size)
{
    memcpy(copy, block, size);
}

static void restore_block(void *block, char *copy, size_t size)
{
    memcpy(block, copy, size);
}

static void count_block(void *block, char *copy, size_t size)
{
    (void)block, (void)copy, (void)size;
}

// Returns the bytes of all blocks.
static size_t each_block(const kin_context *context, char *copy, block_work *work)
{
    size_t at = 0, ids = offsetof(kin__chunk, holders);
    size_t rows = (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t);
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        kin__chunk *chunk = context->chunks[number];
        work(chunk, copy + at, ids);
        work(kin__chunk_row(chunk, context->row_words, 0), copy + at + ids, rows);
        at += ids + rows;
        for (uint32_t id = 0; id < context->info->component_count; id++) {
            size_t size = sizeof(kin__column) + (size_t)KIN__CHUNK_SLOTS * context->info->components[id].size;
            kin__column *column = kin__chunk_column(context, number, id);
            if (column == context->empty)
                continue;
            work(column, copy + at, size);
            at += size;
        }
    }
    return at;
}

static void prepare_ring(moment *moment)
{
    size_t size = each_block(&moment->army->base, NULL, count_block);
    for (uint32_t i = 0; i < MOMENT_RING; i++) {
        moment->copies[i] = malloc(size);
        if (moment->copies[i] == NULL)
            abort();
        moment_change_all(moment);
        each_block(&moment->army->base, moment->copies[i], save_block);
    }
}

static void *create_units(uint32_t count)
{
    moment *made = moment_create_units(count);
    prepare_ring(made);
    return made;
}

static void *create_badges(uint32_t count)
{
    return moment_create_badges(count);
}

static void save(void *user)
{
    moment *moment = user;
    each_block(&moment->army->base, moment->copies[moment_next(moment)], save_block);
}

static void restore(void *user)
{
    moment *moment = user;
    each_block(&moment->army->base, moment->copies[0], restore_block);
}

static void change_half(void *user)
{
    moment_change_half(user);
}

static void change_all(void *user)
{
    moment_change_all(user);
}

static void roll_back(void *user)
{
    moment *moment = user;
    restore(user);
    moment->at = 1;
    for (uint32_t frame = 0; frame < MOMENT_FRAMES; frame++) {
        moment_march(moment);
        save(user);
    }
}

static void change_keys(void *user)
{
    moment_change_keys(user);
}

// Gives the keys back one by one, as a program without snapshots would.
static void change_keys_back(void *user)
{
    moment *moment = user;
    for (uint32_t i = 0; i < moment->count; i++)
        army_replace_badge(moment->army, moment->units[i], (Badge){i});
}

const side_work kin_copied_works[] = {
    {"v.idle", create_units, NULL, save, moment_sum, moment_destroy},
    {"v.half", create_units, change_half, save, moment_sum, moment_destroy},
    {"v.all", create_units, change_all, save, moment_sum, moment_destroy},
    {"v.restore", create_units, change_half, restore, moment_sum, moment_destroy},
    {"v.rollback", create_units, NULL, roll_back, moment_sum, moment_destroy},
    {"v.index", create_badges, change_keys, change_keys_back, moment_sum, moment_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
