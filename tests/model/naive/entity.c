#include "naive.h"

#include <check.h>

// ---- creating

kin_status naive_check_create(naive *naive, uint32_t count)
{
    if (naive_may_nest(naive) && naive_slots_left(naive) >= count)
        return KIN_OK;
    return naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
}

// ENT-09; MAT-05: groups that match without components are notified first.
kin_entity naive_begin_entity(naive *naive, int32_t pool)
{
    kin_entity entity = naive_slots_take(naive, pool)->entity;
    naive_change change;
    naive_change_begin(naive, &change, entity, MODEL_NO_PART);
    for (uint32_t i = 0; i < naive->group_count; i++)
        if (model_matches(&naive->package->matchers[naive->groups[i]], 0))
            naive_find_group(naive, &change, naive->groups[i], KIN_ADDED);
    naive_notify(naive, &change);
    naive_find_context(naive, &change, KIN_ENTITY_CREATED);
    naive_notify(naive, &change);
    return entity;
}

kin_entity naive_create(naive *naive)
{
    return naive_check_create(naive, 1) == KIN_OK ? naive_begin_entity(naive, NAIVE_OTHERS) : 0;
}

// ---- destroying

// ENT-15: notifies the groups that contained the entity when the destruction began, have not reported its loss, and no
// longer match.
static void find_losses(naive *naive, naive_change *change, bool *contained, uint32_t left)
{
    for (uint32_t i = 0; i < MODEL_MATCHER_LIMIT; i++) {
        bool still = change->part != MODEL_NO_PART && contained[i] &&
                     model_matches(&naive->package->matchers[naive->groups[i]], left);
        if (contained[i] && !still)
            naive_find_group(naive, change, naive->groups[i], KIN_REMOVED);
        contained[i] = still;
    }
}

// ENT-16 to ENT-18.
static void notify_end(naive *naive, naive_change *change, const naive_slot *slot)
{
    naive_find_own(naive, change, KIN_ENTITY_DESTROYED);
    naive_notify(naive, change);
    naive_end_own(naive, change->entity, false);
    naive_find_context(naive, change, KIN_ENTITY_WAS_DESTROYED);
    naive_notify(naive, change);
    if (slot->holders > 0)
        return;
    naive_find_own(naive, change, KIN_ENTITY_RELEASED);
    naive_notify(naive, change);
    naive_end_own(naive, change->entity, true);
}

// ENT-13 to ENT-18. All calls are at the same depth.
static void destroy_slot(naive *naive, naive_slot *slot)
{
    bool contained[MODEL_MATCHER_LIMIT] = {false};
    uint32_t left = slot->parts;
    naive_change change;
    naive_change_begin(naive, &change, slot->entity, 0);
    change.is_destruction = true;
    for (uint32_t i = 0; i < naive->group_count; i++)
        contained[i] = model_matches(&naive->package->matchers[naive->groups[i]], left);
    slot->alive = slot->leaving = false;
    slot->destroying = true;
    slot->stashed = slot->moved = 0;
    naive_end_event_listeners(naive, slot->entity);
    for (int32_t part = 0; part < MODEL_PARTS; part++)
        if ((left & model_bit(part)) != 0)
            slot->last[part] = slot->tags[part];
    slot->last_coin = (left & model_bit(PART_COIN)) != 0 ? slot->coin : slot->last_coin;
    for (; change.part < MODEL_PARTS; change.part++) {
        if ((left & model_bit(change.part)) == 0)
            continue;
        left &= ~model_bit(change.part);
        change.previous = model_traits[change.part].is_flag ? MODEL_NO_VALUE : slot->tags[change.part];
        find_losses(naive, &change, contained, left);
        naive_find_changed(naive, &change, KIN_COMPONENT_REMOVED);
        naive_notify(naive, &change);
    }
    change.part = MODEL_NO_PART;
    change.previous = MODEL_NO_VALUE;
    find_losses(naive, &change, contained, left);
    naive_notify(naive, &change);
    notify_end(naive, &change, slot);
    slot->parts = 0;
    slot->destroying = false;
    naive_slots_free(naive, slot);
}

// ENT-12. A reset in one of these listeners has destroyed the entity, because its handle must not stay valid (CTX-08).
void naive_end_entity(naive *naive, naive_slot *slot)
{
    naive_change change;
    uint32_t place = naive->leaving_count++;
    if (place == NAIVE_RECURSION)
        ck_abort_msg("the model destroys too deep");
    naive->leaving[place] = slot;
    slot->leaving = true;
    naive_change_begin(naive, &change, slot->entity, MODEL_NO_PART);
    naive_find_context(naive, &change, KIN_ENTITY_WILL_BE_DESTROYED);
    naive_notify(naive, &change);
    naive->leaving_count--;
    if (naive->leaving[place] != NULL)
        destroy_slot(naive, slot);
}

// ENT-11.
kin_status naive_destroy(naive *naive, kin_entity entity)
{
    naive_slot *slot = naive_find(naive, entity);
    if (slot == NULL || slot->leaving)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, MODEL_NO_PART);
    if (!naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, entity, MODEL_NO_PART);
    naive_end_entity(naive, slot);
    return KIN_OK;
}

// GRP-11, and a round of CTX-05: in ascending slots, the members when it begins, skipping those that died or left
// meanwhile. After a reset there are none left.
void naive_destroy_members(naive *naive, int32_t matcher)
{
    kin_entity list[MODEL_SLOTS];
    uint32_t count = 0;
    uint64_t life = naive->life;
    const model_matcher *rules = matcher < 0 ? NULL : &naive->package->matchers[matcher];
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && (rules == NULL || model_matches(rules, naive->slots[i].parts)))
            list[count++] = naive->slots[i].entity;
    for (uint32_t i = 0; i < count && naive->life == life; i++) {
        naive_slot *slot = naive_find(naive, list[i]);
        if (slot != NULL && !slot->leaving && (rules == NULL || model_matches(rules, slot->parts)))
            naive_end_entity(naive, slot);
    }
}

static void end_all(naive *naive)
{
    while (naive_count_alive(naive) > 0)
        naive_destroy_members(naive, -1);
}

// CTX-06, RET-07: logs the first held entity and the named owners that the error shows.
static kin_status refuse_held(naive *naive, const naive_slot *first, int32_t names)
{
    model_log(naive->side, (model_record){.kind = MODEL_ANSWER, .entity = first->entity, .value = names});
    return naive_refuse(naive, KIN_ERROR_RETAINED, 0, MODEL_NO_PART);
}

// CTX-05, CTX-06.
kin_status naive_destroy_all(naive *naive)
{
    if (!naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
    end_all(naive);
    const naive_slot *held = naive_first_held(naive);
    return held != NULL ? refuse_held(naive, held, naive_shown_names(naive, held)) : KIN_OK;
}

static void end_leaving(naive *naive)
{
    for (uint32_t i = naive->leaving_count; i > 0; i--) {
        naive_slot *slot = naive->leaving[i - 1];
        naive->leaving[i - 1] = NULL;
        if (slot != NULL)
            destroy_slot(naive, slot);
    }
}

// CTX-07, CTX-08. The error is reported at the end (ERR-02).
kin_status naive_reset(naive *naive)
{
    if (!naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
    do {
        end_all(naive);
        end_leaving(naive);
    } while (naive_count_alive(naive) > 0);
    const naive_slot *held = naive_first_held(naive);
    int32_t names = held != NULL ? naive_shown_names(naive, held) : 0;
    naive->life++;
    naive_slots_reset(naive);
    return held != NULL ? refuse_held(naive, held, names) : KIN_OK;
}
