// Spawning: entities with the parts of a blueprint, each created and given its parts one by one.
//
// All that can fail is done first, for the whole batch. Then listeners may do anything, so each step is checked again.
// When a listener has made one impossible, the whole batch is undone: the entities made so far are destroyed, the last
// one first, and the opaque values that the caller gave belong to the caller again. Until the batch is complete, none
// is dropped (a loan, store.h). The refusal is reported last, as `on_error` may destroy the context.
#include "entity/entity.h"

#include <stdio.h>
#include <string.h>

// The plan has the parts of all entities if they need more than their values, else those of one entity at a time.
typedef struct spawning {
    kin_context *context;
    kin__blueprint *blueprint;
    kin__pool *pool; // the blueprint's; that of entities without a blueprint for the parts of a call
    kin__blueprint_use use;
    kin__plan plan;
    kin_entity *made;           // the entities so far
    kin_entity only;            // the array of a batch of one
    uint32_t count;             // the number of entities so far
    uint32_t first;             // the first of those made since the last reset of the context
    kin_entity incomplete;      // the entity to which a part could not be added; 0: the next one cannot be created
    kin__plan_failure *failure; // set with `incomplete`
    const char *reason;         // why it cannot be created
    char text[KIN__LIMIT_SIZE];
} spawning;

// ---- before the first write

// Reserves slots for the whole batch, with columns and index entries.
static kin_status reserve_slots(const spawning *spawning)
{
    kin_context *context = spawning->context;
    kin__pool_preview preview = kin__pool_preview_begin(context, spawning->pool);
    uint32_t count = spawning->use.batch->count;
    kin__run run;
    for (uint32_t done = 0; done < count; done += run.count) {
        kin_status status = kin__pool_preview_next(&preview, count - done, &run);
        for (uint32_t i = 0; i < spawning->blueprint->part_count && status == KIN_OK; i++)
            if (!kin__change_reserve_entries(context, run.first, spawning->blueprint->parts[i].id, done + run.count))
                status = KIN_ERROR_NO_MEMORY;
        if (status != KIN_OK)
            return status;
    }
    return KIN_OK;
}

static size_t made_size(const spawning *spawning)
{
    return spawning->use.batch->count * sizeof *spawning->made;
}

// Appends the parts of one entity. False when out of memory: the plan has ended.
static bool plan_entity(spawning *spawning, uint32_t number)
{
    bool planned = true;
    for (uint32_t i = 0; planned && i < spawning->blueprint->part_count; i++) {
        const void *value = kin__part_value(spawning->blueprint, spawning->use.batch, i, number);
        kin__step step = {KIN__STEP_ADD, 0, spawning->blueprint->parts[i].id, value};
        planned = kin__plan_append(&spawning->plan, &step, KIN__NO_SLOT);
    }
    return planned;
}

static void release(spawning *spawning)
{
    kin__plan_end(&spawning->plan);
    if (spawning->made != &spawning->only)
        kin__release(&spawning->context->core->memory, spawning->made, made_size(spawning));
}

// False when out of memory: everything is released.
static bool reserve_plan(spawning *spawning)
{
    uint32_t count = spawning->use.batch->count;
    uint32_t planned = spawning->blueprint->is_rich ? count : 1;
    spawning->made = &spawning->only;
    if (count > 1)
        spawning->made = kin__allocate(&spawning->context->core->memory, made_size(spawning));
    bool reserved = spawning->made != NULL &&
                    kin__plan_begin(&spawning->plan, (size_t)planned * spawning->blueprint->part_count, 0, NULL);
    for (uint32_t i = 0; reserved && spawning->blueprint->is_rich && i < count; i++)
        reserved = plan_entity(spawning, i);
    if (!reserved)
        release(spawning);
    return reserved;
}

static kin_status check(spawning *spawning)
{
    kin_status status = kin__blueprint_use_check_unique(spawning->context, &spawning->use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_relations(spawning->context, &spawning->use);
    return status == KIN_OK ? kin__blueprint_use_check_keys(spawning->context, &spawning->use) : status;
}

static kin_status reserve(spawning *spawning, bool is_fast)
{
    char text[KIN__LIMIT_SIZE];
    const char *limit = kin__entities_find_limit(spawning->context, spawning->use.batch->count, text);
    kin_status status = limit != NULL ? KIN_ERROR_LIMIT : reserve_slots(spawning);
    if (status == KIN_OK && !is_fast && !reserve_plan(spawning))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_ERROR_LIMIT && limit == NULL)
        limit = KIN__NO_SLOT_LEFT;
    return status == KIN_OK
               ? KIN_OK
               : kin__blueprint_use_report_error(spawning->context, &spawning->use, status, KIN__NO_PART, limit);
}

// ---- one by one

// Returns KIN_OK if the entity can still be created: listeners may have taken slots, or reached the limit, since all
// was reserved. Plans its parts unless they are planned already; this needs no memory.
static kin_status begin_one(spawning *spawning)
{
    kin_status status = KIN_OK;
    uint32_t slot;
    if (spawning->count > 0)
        status = kin__entity_find_slot(spawning->context, spawning->pool, &slot, spawning->text, &spawning->reason);
    if (status != KIN_OK || spawning->blueprint->is_rich)
        return status;
    kin__plan_restart(&spawning->plan);
    bool planned = plan_entity(spawning, spawning->count);
    KIN_ASSERT(planned);
    (void)planned;
    return KIN_OK;
}

// After a reset by a listener the handles made before it may be given out again.
static kin_status make_one(spawning *spawning)
{
    kin_status status = begin_one(spawning);
    if (status != KIN_OK)
        return status;
    if (spawning->count > 0 && spawning->plan.epoch != spawning->context->core->dispatch.epoch)
        spawning->first = spawning->count;
    KIN_ASSERT(spawning->count < spawning->use.batch->count);
    kin_entity *made = &spawning->made[spawning->count++];
    status = kin__plan_make(&spawning->plan, spawning->pool, spawning->blueprint->part_count, made);
    if (status != KIN_OK) {
        spawning->incomplete = *made;
        kin__plan_describe(&spawning->plan, *made, status, spawning->failure);
    }
    return status;
}

// ---- undoing

// Listeners of one destroy may destroy other entities, or reset the context.
static void end_entities(const spawning *spawning)
{
    kin_context *context = spawning->context;
    uint64_t epoch = spawning->plan.epoch;
    for (uint32_t i = spawning->count; i-- > spawning->first && context->core->dispatch.epoch == epoch;)
        if (kin__chunk_of(context, spawning->made[i]) != NULL)
            kin__entity_destroy_checked_fast(context, spawning->made[i]);
}

// Only values with an owned block have opaque values, so that their plan has all entities.
static void return_values(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    uint32_t part_count = spawning->blueprint->part_count;
    for (size_t i = 0; spawning->blueprint->is_rich && i < spawning->plan.done; i++)
        if (batch->values != NULL && batch->values[i % part_count] != NULL)
            kin__plan_return_opaque(&spawning->plan, i, spawning->made[i / part_count]);
}

static kin_status report_error(const spawning *spawning, kin_status status)
{
    char verb[112];
    kin__attempt creating = {.verb = "create an entity", .reason = spawning->reason};
    if (spawning->incomplete == 0)
        return kin__report_error(spawning->context, status, &creating);
    const kin_blueprint_info *info = spawning->blueprint->info;
    if (info == NULL)
        snprintf(verb, sizeof verb, "complete a created entity with");
    else
        snprintf(verb, sizeof verb, "complete a spawned %s with", info->name);
    return kin__plan_report_failure(spawning->context, status, spawning->failure,
                                    (kin__attempt){.verb = verb, .entity = spawning->incomplete});
}

static kin_status carry_out(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    kin_status status = KIN_OK;
    kin__loan_begin(spawning->context);
    while (spawning->count < batch->count && status == KIN_OK)
        status = make_one(spawning);
    KIN_ASSERT(status != KIN_OK || spawning->plan.done == spawning->plan.count);
    if (status != KIN_OK) {
        end_entities(spawning);
        return_values(spawning);
    } else if (batch->entities != NULL)
        memcpy(batch->entities, spawning->made, made_size(spawning));
    release(spawning);
    kin__loan_end(spawning->context);
    return status == KIN_OK ? KIN_OK : report_error(spawning, status);
}

// ---- values that own memory

bool kin__storages_begin(kin_context *context, kin__storages *storages, size_t capacity)
{
    bool is_few = capacity <= sizeof storages->few / sizeof *storages->few;
    storages->capacity = capacity;
    storages->count = storages->written = 0;
    storages->all = storages->few;
    if (!is_few)
        storages->all = kin__allocate(&context->core->memory, capacity * sizeof *storages->all);
    return storages->all != NULL;
}

void kin__storages_end(kin_context *context, kin__storages *storages)
{
    if (storages->all != storages->few)
        kin__release(&context->core->memory, storages->all, storages->capacity * sizeof *storages->all);
}

bool kin__storages_add(kin_context *context, kin__storages *storages, const kin__blueprint *blueprint,
                       const kin__batch *batch, uint32_t index)
{
    bool made = true;
    for (uint32_t i = 0; made && blueprint->owners > 0 && i < blueprint->part_count; i++) {
        if (!kin__has_storage(context, blueprint->parts[i].id))
            continue;
        kin__held_storage *held = &storages->all[storages->count];
        held->id = blueprint->parts[i].id;
        const void *value = kin__part_value(blueprint, batch, i, index);
        made = kin__value_storage_make(context, held->id, value, &held->storage);
        storages->count += made;
    }
    while (!made && storages->count > 0) {
        const kin__held_storage *held = &storages->all[--storages->count];
        kin__value_storage_release(context, held->id, &held->storage);
    }
    if (!made)
        kin__storages_end(context, storages);
    return made;
}

// ---- a batch

static bool spawn_is_fast(const kin_context *context, const kin__blueprint *blueprint);

static void spawn_many_fast(const spawning *spawning, const kin__held_storage *held);

// Spawns a batch for which all but the storage of values is reserved.
static kin_status spawn_fast(const spawning *spawning)
{
    kin_context *context = spawning->context;
    const kin__blueprint *blueprint = spawning->blueprint;
    const kin__batch *batch = spawning->use.batch;
    kin__storages storages;
    if (blueprint->owners == 0) {
        spawn_many_fast(spawning, NULL);
        return KIN_OK;
    }
    bool made = kin__storages_begin(context, &storages, (size_t)batch->count * blueprint->owners);
    for (uint32_t i = 0; made && i < batch->count; i++)
        made = kin__storages_add(context, &storages, blueprint, batch, i);
    if (!made)
        return kin__blueprint_use_report_error(context, &spawning->use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    spawn_many_fast(spawning, storages.all);
    kin__storages_end(context, &storages);
    return KIN_OK;
}

kin_status kin__blueprint_spawn_many(kin_context *context, kin__blueprint *blueprint, kin__pool *pool,
                                     const kin__batch *batch)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan_failure failure;
    spawning spawning = {.context = context, .blueprint = blueprint, .pool = pool, .failure = &failure};
    spawning.plan = (kin__plan){.context = context, .steps = few};
    spawning.use = (kin__blueprint_use){.blueprint = spawning.blueprint, .batch = batch};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    bool is_fast = spawn_is_fast(context, spawning.blueprint);
    kin_status status = is_fast ? KIN_OK : check(&spawning);
    if (status == KIN_OK)
        status = reserve(&spawning, is_fast);
    if (status != KIN_OK)
        return status;
    return is_fast ? spawn_fast(&spawning) : carry_out(&spawning);
}

static kin_status spawn(kin_context *context, uint32_t number, const kin__batch *batch)
{
    kin__blueprint *blueprint = &context->blueprints[number];
    return kin__blueprint_spawn_many(context, blueprint, &blueprint->pool, batch);
}

kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    kin_status status = batch->count == 0 ? KIN_OK : spawn(context, blueprint, batch);
    if (status != KIN_OK && batch->entities != NULL)
        memset(batch->entities, 0, batch->count * sizeof *batch->entities);
    return status;
}

kin_entity kin__spawn_with(kin_context *context, uint32_t blueprint, const void *const *values)
{
    kin_entity entity = 0;
    kin__spawn_many(context, blueprint, &(kin__batch){.count = 1, .values = values, .entities = &entity});
    return entity;
}

kin_entity kin__spawn(kin_context *context, uint32_t blueprint)
{
    return kin__spawn_with(context, blueprint, NULL);
}

// As if a blueprint without a name had these parts. It counts as watched, so that all is checked.
kin_entity kin__create_with(kin_context *context, uint32_t count, const kin__part *parts, const void *const *values)
{
    kin_entity entity = 0;
    kin__item few[KIN__FEW_STEPS];
    kin__batch batch = {.count = 1, .values = values, .entities = &entity};
    kin__blueprint blueprint = {.part_count = count, .watchers = 1, .is_rich = true, .parts = parts, .items = few};
    size_t size = count * sizeof *blueprint.items;
    if (count > KIN__FEW_STEPS)
        blueprint.items = kin__allocate(&context->core->memory, size);
    if (blueprint.items == NULL) {
        kin__attempt creating = {.verb = "create an entity"};
        kin__report_error(context, KIN_ERROR_NO_MEMORY, &creating);
        return 0;
    }
    kin_status status = kin__blueprint_spawn_many(context, &blueprint, &context->pool, &batch);
    if (count > KIN__FEW_STEPS)
        kin__release(&context->core->memory, blueprint.items, size);
    return status == KIN_OK ? entity : 0;
}

// Spawns in bulk where nothing is notified (entity.h): run by run of free slots, bits by words and values by columns.
// Slots and handles are the same as from spawning one by one.

// Whether a blueprint's entities can be spawned fast; then spawns a batch for which everything is reserved.
static bool spawn_is_fast(const kin_context *context, const kin__blueprint *blueprint)
{
    return (context->core->alive->watchers | (blueprint->watchers - blueprint->owners)) == 0;
}

static uint32_t place_of(kin__run run)
{
    return run.first % KIN__CHUNK_SLOTS;
}

static void set_bits(uint64_t *words, uint32_t place, uint32_t count)
{
    KIN_ASSERT(count > 0 && place + count <= KIN__CHUNK_SLOTS);
    for (uint32_t end = place + count; place < end;) {
        uint32_t bit = place % 64;
        uint32_t most = 64 - bit;
        uint32_t size = end - place < most ? end - place : most;
        words[place / 64] |= (~(uint64_t)0 >> (64 - size)) << bit;
        place += size;
    }
}

// ---- slots

// Handles of neighbouring slots differ by a constant, as creation indices ascend or descend with the slots.
static void write_handles(kin_context *context, kin__run run, kin_entity *entities)
{
    kin_entity *ids = kin__chunk_of_slot(context, run.first)->ids + place_of(run);
    uint64_t index = context->next_creation_index;
    uint64_t one = (uint64_t)1 << 24;
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

// Writes the values of a run that have storage, of which each entity has `stride`.
static void write_held(kin_context *context, kin__run run, const kin__part *part, const kin__held_storage *held,
                       uint32_t stride)
{
    set_bits(kin__column_of(context, run.first, part->id)->has, place_of(run), run.count);
    for (uint32_t i = 0; i < run.count; i++) {
        uint32_t slot = run.first + (run.descends ? run.count - 1 - i : i);
        kin__value_write(context, slot, part->id, &held[(size_t)i * stride].storage);
    }
}

static const char *given_values(const kin__batch *batch, uint32_t part, size_t offset)
{
    return batch->values == NULL || batch->values[part] == NULL ? NULL : (const char *)batch->values[part] + offset;
}

static void spawn_many_fast(const spawning *spawning, const kin__held_storage *held)
{
    kin_context *context = spawning->context;
    const kin__blueprint *blueprint = spawning->blueprint;
    const kin__batch *batch = spawning->use.batch;
    kin__run run;
    KIN_ASSERT(spawn_is_fast(context, blueprint));
    for (uint32_t done = 0; done < batch->count; done += run.count) {
        const kin__held_storage *next = held == NULL ? NULL : held + (size_t)done * blueprint->owners;
        run = kin__pool_take_run(context, spawning->pool, batch->count - done);
        set_bits(kin__chunk_of_slot(context, run.first)->alive, place_of(run), run.count);
        write_handles(context, run, batch->entities == NULL ? NULL : batch->entities + done);
        write_rows(context, run, blueprint->row);
        for (uint32_t i = 0; i < blueprint->part_count; i++) {
            const kin__part *part = &blueprint->parts[i];
            if (blueprint->owners > 0 && kin__has_storage(context, part->id))
                write_held(context, run, part, next++, blueprint->owners);
            else
                write_part(context, run, part, given_values(batch, i, (size_t)done * part->size));
        }
        KIN_VALIDATE(kin__slot_is_valid(context, run.first) && kin__slot_is_valid(context, run.first + run.count - 1));
    }
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        context->components[blueprint->parts[i].id].changes += batch->count;
}

// Applying a blueprint, or the values of another entity (clone.c), to an entity: part by part, each replaced where the
// entity has it, added where it lacks it.
//
// All parts are checked and planned first. Then listeners may do anything: where one has added or removed a part, that
// part is replaced or added as by the user, with all its checks.

kin_status kin__apply_check(kin_context *context, const kin__blueprint_use *use)
{
    KIN_ASSERT(kin__chunk_of(context, use->entity) != NULL);
    kin_status status = kin__blueprint_use_check_unique(context, use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_relations(context, use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_keys(context, use);
    if (status != KIN_OK || kin__dispatch_may_nest(context))
        return status;
    return kin__blueprint_use_report_error(context, use, KIN_ERROR_LIMIT, KIN__NO_PART, NULL);
}

static bool has(const kin_context *context, const kin__blueprint_use *use, size_t part)
{
    return kin__has(context, use->entity, use->blueprint->parts[part].id, context->row_words);
}

// False when out of memory: the plan has ended.
static bool reserve_blueprint(const kin__blueprint_use *use)
{
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < use->blueprint->part_count; i++) {
        const kin__part *part = &use->blueprint->parts[i];
        kin__step_kind kind = has(use->plan->context, use, i) ? KIN__STEP_REPLACE : KIN__STEP_ADD;
        kin__step step = {kind, use->entity, part->id, part->value};
        reserved = kin__plan_append(use->plan, &step, kin_entity_slot(use->entity));
    }
    return reserved;
}

// Makes a step that differs from the planned one. Its value is the planned copy, as listeners may have freed strings
// of the value that was copied. If refused, the plan still has the step and its value.
static kin_status make_unplanned(kin__plan *plan, kin__step *unplanned)
{
    kin_status status = kin__component_try_replace(plan->context, unplanned);
    if (status == KIN_OK)
        kin__plan_skip(plan);
    return status;
}

// Applies the next part. If a listener has added or removed its component since it was planned, `*unplanned` is the
// step that is made instead, else its entity is 0. A flag that the entity has is set already (FLG-02).
static kin_status apply_part(const kin__blueprint_use *use, kin__step *unplanned)
{
    kin__plan *plan = use->plan;
    kin_context *context = plan->context;
    const kin__plan_step *planned = &plan->steps[plan->done];
    bool alive = plan->epoch == context->core->dispatch.epoch && kin__chunk_of(context, use->entity) != NULL;
    bool has_now = alive && has(context, use, plan->done);
    bool is_flag = planned->storage.value == NULL;
    KIN_ASSERT(planned->id == use->blueprint->parts[plan->done].id);
    unplanned->entity = 0;
    if (!alive)
        return KIN_ERROR_NOT_ALIVE;
    bool is_set = has_now && is_flag;
    bool is_as_planned = has_now == planned->replaces && !is_set;
    if (use->adds || is_as_planned)
        return kin__plan_commit(plan, use->entity);
    if (is_set) {
        kin__plan_skip(plan);
        return KIN_OK;
    }
    *unplanned = (kin__step){KIN__STEP_ADD, use->entity, planned->id, planned->storage.value};
    return make_unplanned(plan, unplanned);
}

// Describes the refusal before it ends the plan, which has the value.
static kin_status report_unplanned(kin__plan *plan, kin_status status, const kin__step *step)
{
    char reason[KIN__CHANGE_REASON_SIZE];
    kin__attempt attempt = {.verb = "replace", .entity = step->entity};
    attempt.component = plan->context->info->components[step->id].name;
    attempt.reason = kin__change_describe(plan->context, status, step, reason) ? reason : NULL;
    kin__plan_end(plan);
    return attempt.reason != NULL
               ? kin__report_error(plan->context, status, &attempt)
               : kin__report_component_error(plan->context, status, attempt.verb, step->entity, step->id);
}

static kin_status report_part(const kin__blueprint_use *use, kin_status status, uint32_t part)
{
    kin__plan_failure failure;
    kin__plan_describe(use->plan, use->entity, status, &failure);
    return kin__blueprint_use_report_error(use->plan->context, use, status, part,
                                           failure.is_about_target ? failure.reason : NULL);
}

// Reports last, as `on_error` may call Kin.
kin_status kin__apply_parts(const kin__blueprint_use *use)
{
    kin__step unplanned = {0};
    uint32_t part = 0;
    kin_status status = KIN_OK;
    if (!reserve_blueprint(use))
        return kin__blueprint_use_report_error(use->plan->context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    for (; part < use->blueprint->part_count && status == KIN_OK; part++)
        status = apply_part(use, &unplanned);
    if (status != KIN_OK && unplanned.entity != 0)
        return report_unplanned(use->plan, status, &unplanned);
    if (status != KIN_OK)
        return report_part(use, status, part - 1);
    kin__plan_end(use->plan);
    return KIN_OK;
}

kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = context, .steps = few, .epoch = context->core->dispatch.epoch};
    kin__blueprint_use use = {.blueprint = &context->blueprints[blueprint], .entity = entity, .plan = &plan};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, entity) == NULL)
        return kin__blueprint_use_report_error(context, &use, KIN_ERROR_NOT_ALIVE, KIN__NO_PART, NULL);
    kin_status status = kin__apply_check(context, &use);
    if (status != KIN_OK)
        return status;
    if (!kin__plan_begin(&plan, use.blueprint->part_count, 0, NULL))
        return kin__blueprint_use_report_error(context, &use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    return kin__apply_parts(&use);
}
