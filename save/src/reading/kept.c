#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

// ---- reading

static bool read_places(kin__reading *reading, kin__decoder *decoder, kin__kept_places *places)
{
    uint64_t any = 0;
    uint64_t wrong = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        any |= places->kept[word] = kin__decode_64(decoder);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        places->stashed[word] = kin__decode_64(decoder);
        wrong |= places->stashed[word] & ~places->kept[word];
    }
    if (any == 0 || wrong != 0)
        return kin__block_reader_fault(reading->blocks, 1307, "it stashes what it does not keep");
    return true;
}

// A value that is stashed is of an entity that is alive, and lacks the component.
static bool check_stashed(kin__reading *reading, const kin__kept_places *places, uint32_t place, kin_component_id id)
{
    const kin__image *head = kin__reading_head(reading, places->chunk);
    const kin__image *column = kin__part_image(reading->part, places->chunk, id);
    const kin__decided *decided = kin__decided_of(reading, id);
    bool is_read = column != NULL && kin__bits_have(kin__image_has(column), place);
    bool is_to_decide = decided != NULL && kin__bits_have(decided->has, place);
    bool is_alive = head != NULL && kin__bits_have(kin__image_alive(head), place);
    bool has = is_read || is_to_decide;
    if (!is_alive || has)
        return kin__block_reader_fault(reading->blocks, 1307, "it stashes a value of no entity, or of one that has it");
    return true;
}

static bool keep(kin__reading *reading, kin__kept_value value)
{
    const kin_component_info *info = &reading->context->info->components[value.id];
    kin__kept_value *kept = kin__heap_take(&reading->heap, 1, sizeof *kept);
    void *copy = kin__heap_take(&reading->heap, 1, info->size + 1);
    if (kept == NULL || copy == NULL)
        return false;
    KIN_ASSERT(value.slot / KIN__CHUNK_SLOTS < reading->chunk_count);
    if (info->size > 0)
        memcpy(copy, value.value, info->size);
    *kept = value;
    kept->next = reading->kept;
    kept->value = copy;
    kept->owns = info->has_drops;
    reading->kept = kept;
    reading->kept_count++;
    return true;
}

bool kin__kept_share(kin__reading *reading, kin__keepsake *keepsake)
{
    KIN_ASSERT(keepsake->id < reading->context->info->component_count);
    kin__kept_value *kept = kin__heap_take(&reading->heap, 1, sizeof *kept);
    if (kept == NULL)
        return false;
    void *value = kin__keepsake_value(keepsake);
    if (kin__is_shared(reading->context, keepsake->id))
        value = *(void **)value;
    *kept = (kin__kept_value){.next = reading->kept,
                              .id = keepsake->id,
                              .slot = keepsake->slot,
                              .is_stashed = keepsake->is_stashed != 0,
                              .value = value,
                              .taken = keepsake};
    reading->kept = kept;
    reading->kept_count++;
    return true;
}

// Takes the values of a component of now, of which `*taken` counts those that the reading has.
static bool keep_values(kin__reading *reading, const kin__kept_places *places, kin_component_id id, uint32_t *taken)
{
    const kin_component_info *info = &reading->context->info->components[id];
    bool has_chunk = places->chunk < reading->part->chunk_count; // otherwise a system waits, and none is read
    kin__decided *decided = kin__decided_of(reading, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(places->kept, place))
            continue;
        bool is_stashed = kin__bits_have(places->stashed, place);
        bool has_entity = is_stashed && has_chunk;
        if (has_entity && !check_stashed(reading, places, place, id))
            return false;
        bool has_place = reading->has_systems && kin__last_values_of(reading->context, id) != NULL;
        if (is_stashed)
            has_place = info->is_stashable;
        kin__kept_value value = {.id = id,
                                 .slot = places->chunk * KIN__CHUNK_SLOTS + place,
                                 .is_stashed = is_stashed,
                                 .is_refused = !has_place || !has_chunk,
                                 .value = reading->values + *taken * info->size};
        if (!keep(reading, value))
            return false;
        reading->report.dropped += has_entity && !has_place;
        if (has_entity && has_place && decided != NULL)
            decided->stashed[place] = reading->kept;
        ++*taken;
    }
    return true;
}

bool kin__kept_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    kin__kept_places places = {.chunk = chunk};
    kin_entity entities[KIN__CHUNK_SLOTS];
    uint32_t number = kin__decode_32(decoder);
    if (number >= reading->file->component_count)
        return kin__block_reader_fault(reading->blocks, 1307, "there is no component with its number");
    const kin__file_component *component = &reading->file->components[number];
    kin__read_values values = {.reader = reading->blocks,
                               .reading = reading,
                               .heap = &reading->heap,
                               .component = component,
                               .entities = entities,
                               .values = reading->values,
                               .decoder = decoder,
                               .report = &reading->report};
    if (!read_places(reading, decoder, &places) || !kin__migrating_keep_stashed(reading, number, &places, decoder))
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(places.kept, place))
            entities[values.count++] = chunk * KIN__CHUNK_SLOTS + place;
    uint32_t taken = 0;
    bool is_read = kin__values_decode(&values) &&
                   (component->now == NULL || keep_values(reading, &places, component->now->id, &taken));
    kin__values_drop(&values, taken);
    return is_read;
}

void kin__kept_mark(const kin__reading *reading, kin_component_id id, uint64_t *bits)
{
    for (const kin__kept_value *kept = reading->kept; kept != NULL; kept = kept->next)
        if (kept->id == id && !kept->is_refused)
            kin__bits_add(bits, kept->slot);
}

void kin__kept_forget(kin__reading *reading, uint32_t slot)
{
    for (kin__kept_value *kept = reading->kept; kept != NULL; kept = kept->next) {
        bool is_of_slot = kept->slot == slot && kept->is_stashed;
        if (is_of_slot && !kept->is_refused) {
            kept->is_refused = true;
            reading->report.dropped++;
        }
    }
}

void kin__kept_end(kin__reading *reading)
{
    const kin_component_info *components = reading->context->info->components;
    for (kin__kept_value *kept = reading->kept; kept != NULL; kept = kept->next)
        if (kept->owns)
            kin__opaque_drop_all(&components[kept->id], kept->value);
    reading->kept = NULL;
}

// ---- the part

static int compare_kept(const void *one, const void *other)
{
    const kin__kept_value *a = *(kin__kept_value *const *)one;
    const kin__kept_value *b = *(kin__kept_value *const *)other;
    if (a->id != b->id)
        return (a->id > b->id) - (a->id < b->id);
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static bool note_no_memory(kin__reading *reading)
{
    return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                           "no memory for stashed values; free some and try again");
}

static size_t value_size(const kin_context *context, kin_component_id id)
{
    if (kin__is_shared(context, id))
        return sizeof(void *);
    return kin__value_size(context, id);
}

// Appends a copy of a keepsake, and pins the memory that it owns.
static bool append_taken(kin__reading *reading, kin__kept_value *kept, char **lists)
{
    const kin_context *context = reading->context;
    kin__bytes *keepsakes = &reading->part->keepsakes;
    kin__keepsake *keepsake = (kin__keepsake *)(void *)((char *)keepsakes->at + keepsakes->size);
    size_t size = kin__round_up(sizeof *keepsake) + kin__round_up(value_size(context, kept->id));
    KIN_ASSERT(keepsakes->size + size <= keepsakes->capacity);
    memcpy(keepsake, kept->taken, size);
    if (kin__is_shared(context, kept->id))
        kin__shared_image_pin(kept->value);
    else
        kin__owned_block_pin(keepsake->owned_block);
    if (kin__is_owned(context, kept->id))
        *lists = kin__lists_detach(&context->info->components[kept->id], kin__keepsake_value(keepsake), *lists);
    keepsakes->size += size;
    return true;
}

// Appends a value to the part, which then pins it. Its elements are copied to `*lists`.
static bool append(kin__reading *reading, kin__kept_value *kept, char **lists)
{
    kin_context *context = reading->context;
    kin__bytes *keepsakes = &reading->part->keepsakes;
    const void *value = kept->value;
    kin__keepsake *keepsake = (kin__keepsake *)(void *)((char *)keepsakes->at + keepsakes->size);
    size_t size = kin__round_up(sizeof *keepsake) + kin__round_up(value_size(context, kept->id));
    KIN_ASSERT(keepsakes->size + size <= keepsakes->capacity && kept->taken == NULL);
    memset(keepsake, 0, size);
    *keepsake = (kin__keepsake){.slot = kept->slot, .id = kept->id, .is_stashed = kept->is_stashed};
    if (kin__is_shared(context, kept->id)) {
        const void *adopted = kin__shared_adopt(context, kept->id, value);
        if (adopted == NULL)
            return note_no_memory(reading);
        memcpy(kin__keepsake_value(keepsake), &adopted, sizeof adopted);
    } else if (kin__is_owned(context, kept->id)) {
        if (!kin__owned_block_make(context, kept->id, &value, &keepsake->owned_block))
            return note_no_memory(reading);
        kept->owns = false;
        memcpy(kin__keepsake_value(keepsake), value, value_size(context, kept->id));
        kin__owned_block_pin(keepsake->owned_block);
        kin__owned_block_retire(context, keepsake->owned_block);
        *lists = kin__lists_detach(&context->info->components[kept->id], kin__keepsake_value(keepsake), *lists);
    } else if (value_size(context, kept->id) > 0) {
        memcpy(kin__keepsake_value(keepsake), value, value_size(context, kept->id));
    }
    keepsakes->size += size;
    return true;
}

static bool reserve(kin__reading *reading, kin__kept_value *const *all, uint32_t count)
{
    kin_context *context = reading->context;
    size_t size = 0;
    size_t lists = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += kin__round_up(sizeof(kin__keepsake)) + kin__round_up(value_size(context, all[i]->id));
        lists += kin__lists_size(&context->info->components[all[i]->id], all[i]->value);
    }
    if (!kin__bytes_reserve(context, &reading->part->keepsakes, size) ||
        !kin__bytes_reserve(context, &reading->part->kept_lists, lists))
        return note_no_memory(reading);
    reading->part->kept_lists.size = lists;
    return true;
}

bool kin__kept_finish(kin__reading *reading)
{
    uint32_t count = 0;
    if (reading->kept_count == 0)
        return true;
    kin__kept_value **all = kin__heap_take(&reading->heap, reading->kept_count, sizeof *all);
    if (all == NULL)
        return false;
    for (kin__kept_value *kept = reading->kept; kept != NULL; kept = kept->next)
        if (!kept->is_refused && kept->slot / KIN__CHUNK_SLOTS < reading->part->chunk_count)
            all[count++] = kept;
    KIN_ASSERT(count <= reading->kept_count);
    qsort(all, count, sizeof *all, compare_kept);
    reading->part->keepsakes.size = 0;
    if (!reserve(reading, all, count))
        return false;
    char *lists = reading->part->kept_lists.at;
    for (uint32_t i = 0; i < count; i++) {
        bool is_appended;
        if (all[i]->taken != NULL)
            is_appended = append_taken(reading, all[i], &lists);
        else
            is_appended = append(reading, all[i], &lists);
        if (!is_appended)
            return false;
    }
    kin__owned_settle(reading->context);
    return true;
}
