#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

// ---- which components are decided

static const kin__file_component *component_of(const kin__file_context *file, const kin__component_shape *now)
{
    for (uint32_t i = 0; i < file->component_count; i++)
        if (file->components[i].now == now)
            return &file->components[i];
    return NULL;
}

static int compare_ids(const void *one, const void *other)
{
    kin_component_id a = ((const kin__decided *)one)->now->id;
    kin_component_id b = ((const kin__decided *)other)->now->id;
    return (a > b) - (a < b);
}

// Whether values of the component have to meet conditions that are not in files.
static bool has_conditions(const kin_context *context, const kin__component_shape *now)
{
    const kin_context_info *info = context->info;
    kin_component_id id = now->id;
    bool has_any = info->components[id].is_unique;
    for (uint32_t i = 0; i < now->leaves.count; i++)
        has_any = has_any || now->leaves.leaves[i].field->type == KIN_TYPE_OPAQUE; // its load function takes it
    for (uint32_t i = 0; i < info->relation_count; i++)
        has_any = has_any || info->relations[i].component == id;
    for (uint32_t i = 0; i < info->index_count; i++) {
        const kin_index_info *index = &info->indices[i];
        for (uint32_t k = 0; k < index->key_count && index->is_primary; k++)
            has_any = has_any || index->key[k].component == id;
        for (uint32_t k = 0; k < index->of_count && index->is_primary; k++)
            has_any = has_any || index->of[k] == id;
    }
    return has_any;
}

static bool add_decided(kin__reading *reading, const kin__matching *matching, const kin__component_shape *now)
{
    kin__migrating *migrating = &reading->migrating;
    const kin__file_component *file = component_of(reading->file, now);
    const kin__migration *migration = kin__migration_of(matching, now->id);
    bool is_asked = reading->asking != NULL && reading->asking->is_asked;
    bool needs_answer = is_asked && has_conditions(reading->context, now);
    bool is_as_now = file != NULL && !file->is_reshaped;
    if (is_as_now && !needs_answer)
        return true;
    if (migration == NULL)
        return kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                               "it has another '%.100s', or none, and 'migrate: true' lets a function decide; read it "
                               "with the functions of %.60s_save.h [K1306]",
                               now->info->name, reading->context->info->package->name);
    KIN_ASSERT(migration->component == now->id);
    migrating->decided[migrating->count++] = (kin__decided){.now = now, .file = file, .migration = migration};
    return true;
}

bool kin__migrating_begin(kin__reading *reading, const kin__matching *matching)
{
    kin__migrating *migrating = &reading->migrating;
    const kin__shape *shape = reading->shape;
    uint32_t most = 0;
    for (uint32_t i = 0; i < shape->count; i++)
        most += shape->components[i].info->migrates;
    if (most == 0)
        return true;
    migrating->heap = (kin__heap){.memory = reading->heap.memory, .fault = reading->fault};
    migrating->decided = kin__heap_take(&reading->heap, most, sizeof *migrating->decided);
    for (uint32_t i = 0; migrating->decided != NULL && i < shape->count; i++)
        if (shape->components[i].info->migrates && !add_decided(reading, matching, &shape->components[i]))
            return false;
    if (migrating->count > 0)
        qsort(migrating->decided, migrating->count, sizeof *migrating->decided, compare_ids);
    return migrating->decided != NULL;
}

// ---- the values of the pending chunk

static bool keep(kin__reading *reading, kin__record_column *column, const kin__decoder *decoder)
{
    size_t size = kin__decoder_left(decoder);
    unsigned char *bytes = kin__heap_take(&reading->migrating.heap, size, 1);
    if (bytes == NULL)
        return false;
    memcpy(bytes, decoder->at, size);
    column->bytes = bytes;
    column->size = size;
    return true;
}

bool kin__migrating_keep_column(kin__reading *reading, uint32_t component, const uint64_t has[KIN__CHUNK_WORDS],
                                const kin__decoder *decoder)
{
    if (reading->migrating.count == 0)
        return true;
    KIN_ASSERT(component < reading->file->component_count);
    kin__record_column *column = &reading->migrating.columns[component];
    memcpy(column->has, has, sizeof column->has);
    memcpy(column->places, has, sizeof column->places);
    return keep(reading, column, decoder);
}

bool kin__migrating_keep_stashed(kin__reading *reading, uint32_t component, const kin__kept_places *places,
                                 const kin__decoder *decoder)
{
    const kin__migrating *migrating = &reading->migrating;
    bool is_pending = migrating->is_pending && migrating->chunk == places->chunk;
    if (migrating->count == 0 || !is_pending)
        return true;
    kin__record_column *column = &migrating->stashed[component];
    memcpy(column->has, places->stashed, sizeof column->has);
    memcpy(column->places, places->kept, sizeof column->places);
    return keep(reading, column, decoder);
}

bool kin__migrating_decode(kin__reading *reading, kin__read_values *values)
{
    kin__migrating *migrating = &reading->migrating;
    kin__decided *decided = kin__decided_of(reading, values->component->now->id);
    size_t number = (size_t)(values->component - reading->file->components);
    values->heap = &migrating->heap;
    values->values = kin__heap_take(&migrating->heap, values->count, decided->now->info->size);
    if (values->values == NULL)
        return false;
    KIN_ASSERT(decided->values.values == NULL && number < reading->file->component_count);
    memcpy(decided->has, migrating->columns[number].has, sizeof decided->has);
    bool is_read = kin__values_decode(values);
    decided->values = *values;
    return is_read;
}

// ---- values that are stashed

// Recursive over nested structs, of which the schema allows 32 levels.
static bool copy_strings(kin__heap *heap, const kin_field_info *fields, uint32_t count, char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        uint32_t elements = kin__max_32(field->count, 1);
        for (uint32_t k = 0; !field->is_list && k < elements; k++) {
            char *at = value + field->offset + k * (field->size / elements);
            const char *string = NULL;
            if (field->type == KIN_TYPE_STRUCT && !copy_strings(heap, field->of->fields, field->of->field_count, at))
                return false;
            if (field->type == KIN_TYPE_STRING)
                memcpy(&string, at, sizeof string);
            if (string == NULL)
                continue;
            char *copy = kin__heap_take(heap, strlen(string) + 1, 1);
            if (copy == NULL)
                return false;
            strcpy(copy, string);
            memcpy(at, &copy, sizeof copy);
        }
    }
    return true;
}

static bool copy_lists(kin__heap *heap, const kin_component_info *info, void *value)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.count == 0)
            continue;
        void *copy = kin__heap_take(heap, list.count, field->element_size);
        if (copy == NULL)
            return false;
        memcpy(copy, list.at, list.count * field->element_size);
        list.at = copy;
        kin__list_field_write(value, field, list);
    }
    return true;
}

// ---- deciding

// What is decided about at the moment.
typedef struct decision {
    kin__reading *reading;
    kin__decided *decided;
    kin__image *image; // of the column; NULL while no entity of the chunk has the component
    kin_record record;
} decision;

static const kin_component_info *info_of(const decision *decision)
{
    return decision->decided->now->info;
}

// Drops the opaque values of a value that nothing has.
static void drop(const decision *decision, const void *value)
{
    if (info_of(decision)->has_drops)
        kin__opaque_drop_all(info_of(decision), value);
}

// Begins the column with the values that stay.
static bool begin_column(decision *decision)
{
    kin__reading *reading = decision->reading;
    const kin__decided *decided = decision->decided;
    decision->image = kin__column_begin(reading, reading->migrating.chunk, decided->now->id);
    if (decision->image == NULL || decided->present == NULL)
        return decision->image != NULL;
    memcpy(decision->image->bytes, decided->present->bytes, kin__image_size(reading->context->info, decided->now->id));
    memcpy(decision->image->bytes, decided->kept, sizeof decided->kept);
    kin__image_pin(reading->context, decision->image);
    return true;
}

static bool store(decision *decision, const void *value)
{
    kin__reading *reading = decision->reading;
    if (decision->image == NULL)
        begin_column(decision);
    if (decision->image != NULL && kin__column_store(reading, decision->image, decision->record.place, value))
        return true;
    drop(decision, value);
    return false;
}

// Takes what a function has decided about a value that was stashed.
static bool put_aside(const decision *decision, kin__kept_value *kept, bool is_wanted)
{
    const kin_component_info *info = info_of(decision);
    kin__heap *heap = &decision->reading->heap;
    kept->is_refused = !is_wanted;
    if (!is_wanted)
        return true;
    return copy_strings(heap, info->fields, info->field_count, kept->value) && copy_lists(heap, info, kept->value);
}

// Returns the value that the function is called with: that of the entity, its stashed one, or the default.
static void *take_value(const decision *decision)
{
    kin__decided *decided = decision->decided;
    uint32_t place = decision->record.place;
    if (!kin__bits_have(decided->has, place)) {
        if (decided->stashed[place] != NULL)
            return decided->stashed[place]->value;
        const kin_component_info *info = info_of(decision);
        memset(decision->reading->values, 0, info->size);
        info->write_default(decision->reading->values);
        return decision->reading->values;
    }
    KIN_ASSERT(decided->done < decided->values.count && decided->stashed[place] == NULL);
    return decided->values.values + decided->done++ * info_of(decision)->size;
}

static bool decide(decision *decision)
{
    kin__reading *reading = decision->reading;
    kin__decided *decided = decision->decided;
    kin__kept_value *kept = decided->stashed[decision->record.place];
    bool had = kin__bits_have(decided->has, decision->record.place);
    void *value = take_value(decision);
    bool is_wanted = decided->migration->migrate(value, &decision->record);
    bool is_of_column = is_wanted || had;
    reading->report.migrated += kept != NULL || is_of_column;
    if (reading->fault->status != KIN_OK) {
        if (kept == NULL && is_of_column)
            drop(decision, value);
        return false;
    }
    if (is_wanted && kin__lists_check(info_of(decision), value) != KIN_OK) {
        if (kept == NULL)
            drop(decision, value);
        return kin__fault_note(decision->reading->fault, KIN_ERROR_INVALID,
                               "the function that migrates '%.100s' gave a list that is too long, or without elements",
                               info_of(decision)->name);
    }
    if (kept != NULL)
        return put_aside(decision, kept, is_wanted);
    if (is_wanted)
        return store(decision, value);
    if (had)
        drop(decision, value);
    return true;
}

static bool decide_component(kin__reading *reading, kin__decided *decided)
{
    const kin__migrating *migrating = &reading->migrating;
    const kin__image *head = kin__reading_head(reading, migrating->chunk);
    KIN_ASSERT(head != NULL);
    decision decision = {.reading = reading, .decided = decided};
    decision.record = (kin_record){.file = reading->file,
                                   .columns = migrating->columns,
                                   .stashed = migrating->stashed,
                                   .version = reading->version,
                                   .heap = &reading->migrating.heap};
    if (reading->options != NULL)
        decision.record.user = reading->options->user;
    if (decided->present != NULL && !begin_column(&decision))
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        decision.record.place = place;
        bool is_asked = kin__bits_have(decided->asked, place) && kin__bits_have(kin__image_alive(head), place);
        if (is_asked && !decide(&decision))
            return false;
    }
    KIN_ASSERT(decided->done <= decided->values.count);
    return decision.image == NULL || kin__column_end(reading, migrating->chunk, decision.image);
}

bool kin__migrating_finish(kin__reading *reading)
{
    kin__migrating *migrating = &reading->migrating;
    for (uint32_t i = 0; migrating->is_pending && i < migrating->count; i++)
        if (!decide_component(reading, &migrating->decided[i]))
            return false;
    kin__migrating_end(reading);
    return true;
}

bool kin__migrating_next(kin__reading *reading, uint32_t chunk)
{
    const kin__migrating *migrating = &reading->migrating;
    if (migrating->count == 0 || migrating->is_of_frame)
        return true;
    return kin__migrating_finish(reading) && kin__migrating_open(reading, chunk);
}

bool kin__migrating_open(kin__reading *reading, uint32_t chunk)
{
    kin__migrating *migrating = &reading->migrating;
    uint32_t count = reading->file->component_count;
    KIN_ASSERT(!migrating->is_pending);
    for (uint32_t i = 0; i < migrating->count; i++)
        memset(migrating->decided[i].asked, 0xff, sizeof migrating->decided[i].asked);
    migrating->columns = kin__heap_take(&migrating->heap, count, sizeof *migrating->columns);
    migrating->stashed = kin__heap_take(&migrating->heap, count, sizeof *migrating->stashed);
    migrating->chunk = chunk;
    migrating->is_pending = migrating->columns != NULL && migrating->stashed != NULL;
    return migrating->is_pending;
}

void kin__migrating_end(kin__reading *reading)
{
    kin__migrating *migrating = &reading->migrating;
    for (uint32_t i = 0; i < migrating->count; i++) {
        kin__decided *decided = &migrating->decided[i];
        kin__values_drop(&decided->values, decided->done);
        decided->values = (kin__read_values){.count = 0};
        decided->done = 0;
        memset(decided->has, 0, sizeof decided->has);
        memset(decided->stashed, 0, sizeof decided->stashed);
        decided->present = NULL;
    }
    migrating->is_pending = false;
    kin__heap_release(&migrating->heap);
}
