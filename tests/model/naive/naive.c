#include "naive.h"

#include <stdlib.h>

static void *begin(model_side *side, const model_package *package, const model_options *options)
{
    naive *made = calloc(1, sizeof *made);
    made->side = side;
    made->package = &made->own_package;
    made->own_package = *package;
    made->own_package.matchers = made->own_matchers;
    for (uint32_t i = 0; i < package->matcher_count; i++) {
        made->own_matchers[i] = package->matchers[i];
        model_leave_out(package, &made->own_matchers[i]);
    }
    made->options = *options;
    naive_slots_begin(made);
    for (uint32_t i = 0; i < package->declared_count; i++) // CTX-01
        made->groups[made->group_count++] = (int32_t)i;
    naive_systems_begin(made);
    return made;
}

static kin_status single(naive *naive, int32_t matcher)
{
    uint32_t count = 0;
    kin_entity member = 0;
    if (!naive_make_group(naive, matcher))
        return KIN_ERROR_LIMIT;
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && model_matches(&naive->package->matchers[matcher], naive->slots[i].parts)) {
            member = naive->slots[i].entity;
            count++;
        }
    model_log(naive->side, (model_record){.kind = MODEL_ANSWER, .entity = count == 1 ? member : 0}); // GRP-04
    return count > 1 ? naive_refuse(naive, KIN_ERROR_NOT_SINGLE, 0, MODEL_NO_PART) : KIN_OK;
}

static kin_status destroy_group(naive *naive, int32_t matcher)
{
    if (!naive_make_group(naive, matcher))
        return KIN_ERROR_LIMIT;
    if (!naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
    naive_destroy_members(naive, matcher);
    return KIN_OK;
}

static kin_status spread(naive *naive)
{
    kin_entity made[MODEL_SPREAD_COUNT];
    for (uint32_t i = 0; i < MODEL_SPREAD_COUNT; i++)
        made[i] = naive_create(naive);
    for (uint32_t i = 0; i < MODEL_SPREAD_COUNT; i++)
        naive_destroy(naive, made[model_spread_place(i)]);
    return KIN_OK;
}

static kin_status change_part(naive *naive, const model_operation *operation)
{
    int32_t part = operation->part;
    kin_entity entity = operation->entity;
    switch (operation->code) {
    case MODEL_ADD:
        return naive_add(naive, entity, part, operation->value);
    case MODEL_REPLACE:
        return naive_replace(naive, entity, part, operation->value);
    case MODEL_REMOVE:
        return naive_remove(naive, entity, part);
    case MODEL_TOUCH:
        return naive_touch(naive, entity, part);
    case MODEL_EDIT:
        naive_edit(naive, entity, part, operation->value);
        return KIN_OK;
    case MODEL_READD:
        return naive_readd(naive, entity, part, operation->value);
    case MODEL_STASH:
        return naive_stash(naive, entity, part);
    case MODEL_RESTORE:
        return naive_restore(naive, entity, part);
    case MODEL_RESTORE_OR_ADD:
        return naive_restore_or_add(naive, entity, part, operation->value);
    case MODEL_ENSURE:
        return naive_ensure(naive, entity, part);
    case MODEL_SET:
        return naive_set(naive, entity, part, operation->owner != 0);
    case MODEL_REMOVE_UNIQUE:
        return naive_remove_unique(naive, part);
    case MODEL_SET_UNIQUE_FLAG:
        return naive_set_unique_flag(naive, part, operation->owner != 0);
    case MODEL_APPLY:
        return naive_apply(naive, operation->number, entity);
    case MODEL_COPY:
        return naive_copy(naive, operation);
    case MODEL_REMOVE_ALL:
        return naive_remove_all(naive, entity);
    default:
        return naive_remove_some(naive, entity, operation->mask);
    }
}

static kin_status change_world(naive *naive, const model_operation *operation)
{
    kin_entity entity = operation->entity;
    switch (operation->code) {
    case MODEL_DESTROY:
        return naive_destroy(naive, entity);
    case MODEL_RETAIN:
        return naive_retain(naive, entity, operation->owner);
    case MODEL_RELEASE:
        return naive_release(naive, entity, operation->owner);
    case MODEL_DESTROY_ALL:
        return naive_destroy_all(naive);
    case MODEL_RESET:
        return naive_reset(naive);
    case MODEL_MAKE_GROUP:
        return naive_make_group(naive, operation->number) ? KIN_OK : KIN_ERROR_LIMIT;
    case MODEL_DESTROY_GROUP:
        return destroy_group(naive, operation->number);
    case MODEL_SPAWN_MANY:
        return naive_spawn_many(naive, operation);
    case MODEL_ASK_WRONGLY: // MAT-04: too many rules or ids, or too few, or an id out of range
        naive_refuse(naive, operation->value % 5 < 3 ? KIN_ERROR_INVALID : KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
        return KIN_ERROR_INVALID;
    case MODEL_SINGLE:
        return single(naive, operation->number);
    case MODEL_WALK:
        return naive_walk(naive, operation->number, operation->owner != 0);
    case MODEL_ASK:
        return naive_ask(naive, entity);
    case MODEL_DESCRIBE:
    case MODEL_TRIM:
        return KIN_OK;
    case MODEL_SAVE:
        return naive_save(naive, operation->number);
    case MODEL_REWIND:
        return naive_rewind(naive, operation);
    case MODEL_END_SNAPSHOT:
        naive_end_snapshot(naive, operation->number);
        return KIN_OK;
    default:
        return spread(naive);
    }
}

static uint64_t apply(void *self, const model_operation *operation)
{
    naive *naive = self;
    kin_status status = KIN_OK;
    if (operation->code == MODEL_CREATE)
        return naive_create(naive);
    if (operation->code == MODEL_CLONE)
        return naive_clone(naive, operation->entity);
    if (operation->code == MODEL_SET_UNIQUE)
        return naive_set_unique(naive, operation->part, operation->value, &status);
    if (operation->code == MODEL_REPLACE_UNIQUE)
        return naive_replace_unique(naive, operation->part, operation->value);
    if (operation->code == MODEL_SPAWN)
        return naive_spawn(naive, operation);
    if (operation->code >= MODEL_ADD && operation->code <= MODEL_SET_UNIQUE_FLAG)
        return change_part(naive, operation);
    if (operation->code >= MODEL_LISTEN && operation->code <= MODEL_CLEAR_EVENTS)
        return naive_event(naive, operation);
    if (operation->code >= MODEL_ADD_SYSTEM && operation->code <= MODEL_CLEAR_ALL)
        return naive_systems(naive, operation);
    if (operation->code >= MODEL_SUBSCRIBE && operation->code <= MODEL_CLEAR)
        return naive_watch(naive, operation);
    return change_world(naive, operation);
}

static bool is_alive(const void *self, kin_entity entity)
{
    return naive_find((naive *)(uintptr_t)self, entity) != NULL;
}

static bool has(const void *self, kin_entity entity, int32_t part)
{
    const naive_slot *slot = naive_find((naive *)(uintptr_t)self, entity);
    return slot != NULL && (slot->parts & model_bit(part)) != 0;
}

static uint32_t count(const void *self)
{
    return naive_count_alive(self);
}

static void end(void *self)
{
    for (int32_t i = 0; i < MODEL_SNAPSHOTS; i++)
        naive_end_snapshot(self, i);
    free(self);
}

const model_world model_naive = {begin, end, apply, is_alive, has, count, naive_show_entity, naive_show_all};
