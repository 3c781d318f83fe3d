// Spawns in bulk where nothing is notified (fast.h): run by run of free slots, bits by words and values by columns.
// Slots and handles are the same as from spawning one by one.

#include "base/base.h"
#include "change/fast.h"
#include "create/blueprint.h"

#include "notify/notify.h"
#include "store/store.h"

#include <string.h>

bool kin__spawn_is_fast(const kin_context *context, const kin__blueprint *blueprint)
{
    return (context->core->alive->watchers | blueprint->watchers) == 0;
}

static uint32_t place_of(kin__run run)
{
    return run.first % KIN__CHUNK_SLOTS;
}

static void set_bits(uint64_t *words, uint32_t place, uint32_t count)
{
    KIN_ASSERT(count > 0 && place + count <= KIN__CHUNK_SLOTS);
    for (uint32_t end = place + count; place < end;) {
        uint32_t bit = place % 64, most = 64 - bit, size = end - place < most ? end - place : most;
        words[place / 64] |= (~(uint64_t)0 >> (64 - size)) << bit;
        place += size;
    }
}

// ---- slots

// Handles of neighbouring slots differ by a constant, as creation indices ascend or descend with the slots.
static void write_handles(kin_context *context, kin__run run, kin_entity *entities)
{
    kin_entity *ids = kin__chunk_of_slot(context, run.first)->ids + place_of(run);
    uint64_t index = context->next_creation_index, one = (uint64_t)1 << 24;
    kin_entity id = (run.descends ? index + run.count - 1 : index) << 24 | run.first;
    for (uint32_t i = 0; i < run.count; i++, id += run.descends ? 1 - one : 1 + one)
        ids[i] = id;
    context->next_creation_index += run.count;
    if (entities != NULL && !run.descends)
        memcpy(entities, ids, run.count * sizeof *ids);
    for (uint32_t i = 0; entities != NULL && run.descends && i < run.count; i++)
        entities[i] = ids[run.count - 1 - i];
}

static void write_rows(kin_context *context, kin__run run, const uint64_t *row)
{
    uint32_t words = context->row_words;
    uint64_t *rows = kin__row_of(context, run.first);
    if (words == 1)
        for (uint32_t i = 0; i < run.count; i++)
            rows[i] = row[0];
    else
        for (uint32_t i = 0; i < run.count; i++)
            memcpy(rows + (size_t)i * words, row, words * sizeof *row);
}

// ---- values

// Copies the value to the first place, then all filled places to those after them, twice as many each time.
static void repeat(char *places, const void *value, size_t size, uint32_t count)
{
    memcpy(places, value, size);
    for (uint32_t done = 1, more; done < count; done += more) {
        more = done < count - done ? done : count - done;
        memcpy(places + done * size, places, more * size);
    }
}

static void copy_backward(char *places, const char *values, size_t size, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kin__value_copy(places + (count - 1 - i) * size, values + i * size, size);
}

// Writes values with one column a field, one value at a time.
static void scatter_part(kin_context *context, kin__run run, const kin__part *part, const char *given)
{
    for (uint32_t i = 0; i < run.count; i++) {
        uint32_t slot = run.first + (run.descends ? run.count - 1 - i : i);
        kin__value_overwrite(context, slot, part->id, given == NULL ? part->value : given + (size_t)i * part->size);
    }
}

// `given` are the values of the run; NULL: the blueprint's value for all.
static void write_part(kin_context *context, kin__run run, const kin__part *part, const char *given)
{
    kin__column *column = kin__column_of(context, run.first, part->id);
    KIN_ASSERT(column != context->empty);
    set_bits(column->has, place_of(run), run.count);
    if (part->size == 0)
        return;
    if (context->info->components[part->id].is_soa) {
        scatter_part(context, run, part, given);
        return;
    }
    char *places = kin__column_value(column, place_of(run), part->size);
    if (given == NULL)
        repeat(places, part->value, part->size, run.count);
    else if (run.descends)
        copy_backward(places, given, part->size, run.count);
    else
        memcpy(places, given, run.count * (size_t)part->size);
}

static const char *given_values(const kin__batch *batch, uint32_t part, size_t offset)
{
    return batch->values == NULL || batch->values[part] == NULL ? NULL : (const char *)batch->values[part] + offset;
}

void kin__spawn_many_fast(kin_context *context, kin__blueprint *blueprint, const kin__batch *batch)
{
    kin__run run;
    KIN_ASSERT(kin__spawn_is_fast(context, blueprint));
    for (uint32_t done = 0; done < batch->count; done += run.count) {
        run = kin__pool_take_run(context, &blueprint->pool, batch->count - done);
        set_bits(kin__chunk_of_slot(context, run.first)->alive, place_of(run), run.count);
        write_handles(context, run, batch->entities == NULL ? NULL : batch->entities + done);
        write_rows(context, run, blueprint->row);
        for (uint32_t i = 0; i < blueprint->part_count; i++) {
            const kin__part *part = &blueprint->parts[i];
            write_part(context, run, part, given_values(batch, i, (size_t)done * part->size));
        }
        KIN_VALIDATE(kin__slot_is_valid(context, run.first) && kin__slot_is_valid(context, run.first + run.count - 1));
    }
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        context->components[blueprint->parts[i].id].changes += batch->count;
}
