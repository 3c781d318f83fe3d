#include "world/access.h"

#include "base/base.h"
#include "store/store.h"

#include <inttypes.h>
#include <kin/generated/list.h>
#include <stdio.h>
#include <string.h>

// ---- sums

// Returns the bytes of a field that its value is in: without the padding after a list.
static size_t bytes_of(const kin_field_info *field)
{
    return field->is_list ? offsetof(kin__list_field, count) + sizeof(uint32_t) : field->size;
}

static uint64_t sum_field(const kin_field_info *field, const char *at, uint64_t sum);

// Recursive over structs in structs, of which the schema allows 32 levels.
static uint64_t sum_struct(const kin_type_info *type, const char *at, uint64_t sum)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        sum = sum_field(&type->fields[i], at + type->fields[i].offset, sum);
    return sum;
}

static uint64_t sum_field(const kin_field_info *field, const char *at, uint64_t sum)
{
    uint32_t count = field->count == 0 ? 1 : field->count;
    if (field->type != KIN_TYPE_STRUCT || field->is_list)
        return kin__xxh64_of(at, bytes_of(field), sum);
    for (uint32_t i = 0; i < count; i++)
        sum = sum_struct(field->of, at + i * (field->size / count), sum);
    return sum;
}

static uint64_t sum_value(const kin_context *context, uint32_t slot, kin_component_id id, uint64_t sum)
{
    const kin_component_info *info = &context->info->components[id];
    for (uint32_t i = 0; i < info->field_count; i++)
        sum = sum_field(&info->fields[i], kin__value_part(context, slot, id, info->fields[i].offset), sum);
    return sum;
}

static uint64_t sum_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
    uint64_t sum = 0;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place))
            sum = sum_value(context, chunk * KIN__CHUNK_SLOTS + place, id, sum);
    return sum;
}

// ---- columns
//
//   sums   [ chunks of context 0 | chunks of context 1 | … | sum of column 0 | sum of column 1 | … ]
//
// Chunks are counted once, as a report may add some.

typedef struct place {
    const kin_context *context;
    uint32_t chunk;
    kin_component_id id;
    uint64_t *sum;
} place;

// Returns whether the column counts.
typedef bool visit_column(const place *place, void *data);

// Calls `visit` for every column that chunks could have, and returns whether one counts.
static bool for_each_column(const kin__world *world, visit_column *visit, void *data)
{
    uint64_t *counts = world->jobs->sums.elements;
    place place = {.sum = counts + world->info->context_count};
    bool found = false;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        place.context = world->contexts[i];
        for (place.chunk = 0; place.chunk < counts[i]; place.chunk++)
            for (uint32_t id = 0; id < place.context->info->component_count; id++, place.sum++) {
                place.id = (kin_component_id)id;
                found |= visit(&place, data);
            }
    }
    return found;
}

static bool store(const place *place, void *data)
{
    (void)data;
    *place->sum = sum_column(place->context, place->chunk, place->id);
    return true;
}

static bool reserve(kin__world *world)
{
    kin__array *sums = &world->jobs->sums;
    uint32_t count = world->info->context_count;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        count += world->contexts[i]->chunk_count * world->contexts[i]->info->component_count;
    if (!kin__array_reserve(&world->memory, sums, count, sizeof(uint64_t)))
        return false;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        ((uint64_t *)sums->elements)[i] = world->contexts[i]->chunk_count;
    return true;
}

void kin__access_begin(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    jobs->is_summed = false;
    if (!jobs->checks_access)
        return;
    jobs->is_summed = reserve(world);
    if (jobs->is_summed)
        for_each_column(world, store, NULL);
    else
        kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "check the access of systems of", world->info->name, NULL);
}

// ---- comparing

static bool is_in_batch(const kin__system_info *info, const kin__system_info *first)
{
    return info->node == first->node && info->batch == first->batch;
}

// Whether the system is in the batch and has the component of its group's context in `writes`.
static bool declares(const kin__schema_system *schema_system, const kin__schema_system *first, const place *place)
{
    const kin__world *world = schema_system->world;
    const kin__system_info *info = schema_system->info;
    const kin_system_info *shown = &world->info->shown->systems[info - world->info->systems];
    const char *name = place->context->info->components[place->id].name;
    if (!is_in_batch(info, first->info) || !info->has_group || world->contexts[info->group.context] != place->context)
        return false;
    for (uint32_t i = 0; i < shown->write_count; i++)
        if (strcmp(shown->writes[i], name) == 0)
            return true;
    return false;
}

static bool is_declared(const kin__schema_system *first, const place *place)
{
    const kin__world *world = first->world;
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL && declares(world->schema_systems[i], first, place))
            return true;
    return false;
}

// Replaces the sum by whether the column was written without a declaration. `data` is the first system of the batch.
static bool compare(const place *place, void *data)
{
    bool is_same = *place->sum == sum_column(place->context, place->chunk, place->id);
    *place->sum = !is_same && !is_declared(data, place);
    return *place->sum != 0;
}

bool kin__access_compare(kin__schema_system *first)
{
    return first->world->jobs->is_summed && for_each_column(first->world, compare, first);
}

// ---- reporting

static bool report(const place *place, void *culprit)
{
    char reason[160];
    uint32_t first = place->chunk * KIN__CHUNK_SLOTS;
    if (*place->sum == 0)
        return false;
    snprintf(reason, sizeof reason,
             "values in slots %" PRIu32 " to %" PRIu32 " changed, but no system of the batch has it in 'writes'", first,
             first + KIN__CHUNK_SLOTS - 1);
    kin__report_error(place->context, KIN_ERROR_INVALID,
                      &(kin__attempt){.verb = "write",
                                      .component = place->context->info->components[place->id].name,
                                      .reason = reason,
                                      .is_unique = true, // names no entity
                                      .culprit = culprit});
    return true;
}

void kin__access_report(const kin__world *world, char *culprit)
{
    for_each_column(world, report, culprit);
}

kin_status kin__world_check_access(kin__world *world, bool on)
{
    const char *verb = "check the access of systems of";
    if (kin__world_report_null(world, verb))
        return KIN_ERROR_INVALID;
    if (world->root->running > 0)
        return kin__world_report_error(world, KIN_ERROR_INVALID, verb, world->info->name,
                                       "it is running; call this after the run");
    if (world->jobs != NULL)
        world->jobs->checks_access = on;
    return KIN_OK;
}
