// Checks the relations of `refuse` before a cascade: walks over all entities that it would destroy.
//
// The walk keeps its list in the marks (store/store.h): the mark of each entity found has the slot of the next one. The
// marks are cleared before any listener is called.
//
// In a listener, other cascades may be under way, whose entities have marks already. The walk leaves these out, with
// all that is destroyed with them. A holder that refuses is instead asked whether it will be destroyed: an ascent goes
// from it to the targets that it is destroyed with, until one of them is being destroyed. It keeps a list of its own.
#include "entity/entity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The mark of the last entity. The mark of any other entity is the slot of the next one + 1.
#define LAST UINT32_MAX

// The marks of an ascent: this bit, and the slot of the next entity + 1; 0 for the last one.
#define ASCENT ((uint32_t)1 << 31)

typedef struct walk {
    kin_context *context;
    uint32_t first, last; // slots
    uint32_t count;       // entities found
    kin_entity target, holder;
    const kin__relation *relation; // in which the holder names the target; NULL: no relation refuses
    uint32_t others;               // further holders that refuse
} walk;

// An entity whose chunk has no marks has no holders, so it need not be listed.
static void append(walk *walk, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    uint32_t *mark = kin__ending_of(walk->context, slot);
    if (mark == NULL || *mark != 0 || kin__is_about_to_be_destroyed(walk->context, entity))
        return;
    *mark = LAST;
    if (walk->count++ == 0)
        walk->first = slot;
    else
        *kin__ending_of(walk->context, walk->last) = slot + 1;
    walk->last = slot;
}

static void append_holders(walk *walk, const kin__relation *relation, uint32_t slot)
{
    for (kin_entity holder = kin__relation_first_of(walk->context, relation, slot); holder != 0;
         holder = kin__relation_next_of(walk->context, relation, kin_entity_slot(holder)))
        append(walk, holder);
}

static void find_taken(walk *walk, uint32_t slot)
{
    for (uint32_t i = 0; i < walk->context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(walk->context, i);
        if (relation->info->on_destroy == KIN_ON_DESTROY_DESTROY)
            append_holders(walk, relation, slot);
    }
}

// ---- holders that other cascades destroy

// The entities from which an ascent goes on, which are marked.
typedef struct ascent {
    const kin_context *context;
    uint32_t last; // slot
} ascent;

static bool is_in_ascent(uint32_t mark)
{
    return (mark & ASCENT) != 0 && mark != LAST;
}

// Adds a target to the ascent, unless it is in it. Returns whether the target is being destroyed, or in the walk.
static bool ascend(ascent *ascent, kin_entity target)
{
    uint32_t slot = kin_entity_slot(target);
    uint32_t *mark = kin__ending_of(ascent->context, slot);
    KIN_ASSERT(mark != NULL); // targets have marks
    if (is_in_ascent(*mark))
        return false;
    if (*mark != 0 || kin__is_about_to_be_destroyed(ascent->context, target))
        return true;
    *kin__ending_of(ascent->context, ascent->last) |= slot + 1;
    *mark = ASCENT;
    ascent->last = slot;
    return false;
}

static bool ascend_from(ascent *ascent, kin_entity holder)
{
    for (uint32_t i = 0; i < ascent->context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(ascent->context, i);
        kin_entity target = 0;
        if (relation->info->on_destroy == KIN_ON_DESTROY_DESTROY)
            target = kin__relation_target(ascent->context, relation, holder);
        if (target != 0 && ascend(ascent, target))
            return true;
    }
    return false;
}

// Returns whether an entity is destroyed with one that is being destroyed.
static bool is_below_ending(const kin_context *context, kin_entity holder)
{
    uint32_t first = kin_entity_slot(holder);
    uint32_t *mark = kin__ending_of(context, first);
    ascent ascent = {context, first};
    bool found = false;
    KIN_ASSERT(mark != NULL && *mark == 0); // holders have marks
    *mark = ASCENT;
    for (uint32_t slot = first, next = 1; next != 0 && !found; slot = next - 1) {
        found = ascend_from(&ascent, kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS]);
        next = *kin__ending_of(context, slot) & ~ASCENT;
    }
    for (uint32_t slot = first, next = 1; next != 0; slot = next - 1) {
        mark = kin__ending_of(context, slot);
        next = *mark & ~ASCENT;
        *mark = 0;
    }
    return found;
}

static bool will_be_destroyed(const kin_context *context, kin_entity holder)
{
    if (kin__is_ending(context, kin_entity_slot(holder)))
        return true;
    return context->core->slots.about_to_be_destroyed > 0 &&
           (kin__is_about_to_be_destroyed(context, holder) || is_below_ending(context, holder));
}

// ---- holders that refuse

static void find_refusals(walk *walk, const kin__relation *relation, uint32_t slot)
{
    for (kin_entity holder = kin__relation_first_of(walk->context, relation, slot); holder != 0;
         holder = kin__relation_next_of(walk->context, relation, kin_entity_slot(holder))) {
        if (will_be_destroyed(walk->context, holder))
            continue;
        if (walk->relation != NULL) {
            walk->others++;
            continue;
        }
        walk->relation = relation;
        walk->holder = holder;
        walk->target = kin__chunk_of_slot(walk->context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    }
}

// Calls `visit` for each entity found, and for those that `visit` appends.
static void visit_each(walk *walk, void (*visit)(struct walk *walk, uint32_t slot))
{
    for (uint32_t slot = walk->first; walk->count > 0;) {
        visit(walk, slot);
        uint32_t mark = *kin__ending_of(walk->context, slot);
        if (mark == LAST)
            return;
        slot = mark - 1;
    }
}

static void find_refusals_of(walk *walk, uint32_t slot)
{
    for (uint32_t i = 0; i < walk->context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(walk->context, i);
        if (relation->info->on_destroy == KIN_ON_DESTROY_REFUSE)
            find_refusals(walk, relation, slot);
    }
}

static void clear_marks(walk *walk)
{
    for (uint32_t slot = walk->first; walk->count > 0;) {
        uint32_t *mark = kin__ending_of(walk->context, slot);
        uint32_t next = *mark;
        *mark = 0;
        if (next == LAST)
            return;
        slot = next - 1;
    }
}

static void report(const walk *walk, kin_entity entity)
{
    char reason[400], others[48] = "";
    const kin_relation_info *info = walk->relation->info;
    const char *component = walk->context->info->components[info->component].name;
    if (walk->others > 0)
        snprintf(others, sizeof others, ", and %" PRIu32 " other%s too", walk->others,
                 walk->others == 1 ? " refuses" : "s refuse");
    snprintf(reason, sizeof reason,
             "entity %" PRIu64 " in slot %" PRIu32 " names %s in %s.%s%s; first destroy that entity, or replace its %s",
             kin_entity_creation_index(walk->holder), kin_entity_slot(walk->holder),
             walk->target == entity ? "it" : "an entity that would be destroyed with it", component, info->field->name,
             others, component);
    kin__report_error(walk->context, KIN_ERROR_REFERENCED,
                      &(kin__attempt){.verb = "destroy", .entity = entity, .reason = reason});
}

// Returns whether relations of `refuse` allow destroying the entity with its cascade; if `relation` is not NULL, all
// holders of the entity in that relation instead. If not, reports KIN_ERROR_REFERENCED.
static bool cascade_is_allowed(kin_context *context, kin_entity entity, const kin__relation *relation)
{
    walk walk = {.context = context};
    if (context->core->relations == NULL || !context->core->relations->can_refuse)
        return true;
    if (relation == NULL)
        append(&walk, entity);
    else
        append_holders(&walk, relation, kin_entity_slot(entity));
    visit_each(&walk, find_taken);
    visit_each(&walk, find_refusals_of);
    clear_marks(&walk);
    if (walk.relation != NULL)
        report(&walk, entity);
    return walk.relation == NULL;
}

// The mark of the first entity of a cascade. The mark of any other entity is the slot of its target + 1.
#define ROOT UINT32_MAX

static kin_entity entity_in(const kin_context *context, uint32_t slot)
{
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// Returns the first holder of the entity in a slot, in order of relation and list; 0 if it has none.
static kin_entity find_holder(const kin_context *context, uint32_t slot, const kin__relation **relation)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        *relation = kin__relation_at(context, i);
        kin_entity holder = kin__relation_first_of(context, *relation, slot);
        if (holder != 0)
            return holder;
    }
    return 0;
}

// ---- detaching

// Clears the field of a holder in place, which needs memory only for keys that functions return. False, with nothing
// changed, when out of memory or if an index forbids the value: another entity may have its primary key.
static bool clear_field(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    kin_component_id id = relation->info->component;
    uint32_t slot = kin_entity_slot(holder);
    void *value = kin__relations_scratch(context);
    kin__value_read(context, slot, id, value);
    memset((char *)value + relation->info->field->offset, 0, sizeof(kin_entity));
    kin__step step = {KIN__STEP_REPLACE, holder, id, value};
    if (kin__indices_check(context, &step) != KIN_OK || !kin__indices_reserve_replacement(context, slot, id))
        return false;
    kin__change_overwrite(context, &step);
    return true;
}

// Returns whether all indices allow the removal of the holder's component: the holder may then enter an index that has
// the component in `none`, in which another entity has its key.
static bool may_remove(const kin_context *context, kin_component_id id, kin_entity holder)
{
    kin__step step = {KIN__STEP_REMOVE, holder, id, NULL};
    return kin__indices_check(context, &step) == KIN_OK;
}

// Either clearing or removing is always possible: the generator refuses other schemas (K1408).
static void detach(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    kin_component_id id = relation->info->component;
    bool is_removed = relation->info->on_destroy == KIN_ON_DESTROY_REMOVE && may_remove(context, id, holder);
    if (!is_removed && clear_field(context, relation, holder))
        return;
    kin_status status = kin__component_remove(context, holder, id);
    KIN_ASSERT(status == KIN_OK);
    (void)status;
}

bool kin__cascade_detach_all(kin_context *context, kin_entity entity)
{
    uint64_t epoch = context->core->dispatch.epoch;
    const kin__relation *relation;
    kin_entity holder;
    while (context->core->dispatch.epoch == epoch &&
           (holder = find_holder(context, kin_entity_slot(entity), &relation)) != 0)
        detach(context, relation, holder);
    return context->core->dispatch.epoch == epoch;
}

// ---- walking

// Returns the first holder that is destroyed with the entity in a slot and is not marked yet; 0 if it has none.
static kin_entity find_taken_holder(const kin_context *context, uint32_t slot)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(context, i);
        if (!relation->takes)
            continue;
        kin_entity holder = kin__relation_first_of(context, relation, slot);
        while (holder != 0 && kin__is_about_to_be_destroyed(context, holder))
            holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
        if (holder != 0)
            return holder;
    }
    return 0;
}

// Notifies listeners that an entity will be destroyed. False if a listener has reset the context.
static inline bool announce(kin_context *context, kin_entity entity)
{
    return context->core->events.will_destroy_subscribers == KIN__RELATIONS_AS_SUBSCRIBERS ||
           kin__notify_will_be_destroyed(context, entity);
}

static inline void begin(kin_context *context, uint32_t slot, uint32_t mark)
{
    *kin__ending_of(context, slot) = mark;
    context->core->slots.about_to_be_destroyed++;
    context->core->slots.announced++;
}

// Destroys an entity without holders. Updates `*loud` if that may have called a listener.
static void strip(kin_context *context, uint32_t slot, kin__loud *loud)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (kin__holder_is_silent(context, chunk, slot, *loud)) {
        kin__holder_destroy_silently(context, chunk, slot, context->watched[0]);
    } else {
        kin__entity_destroy_announced(context, entity_in(context, slot));
        *loud = kin__loud_components(context);
    }
}

// The same for a marked entity. Returns its mark.
static inline uint32_t end_marked(kin_context *context, uint32_t slot, kin__loud *loud)
{
    uint32_t *mark = kin__ending_of(context, slot);
    uint32_t was = *mark;
    KIN_ASSERT(was != 0 && context->core->slots.about_to_be_destroyed > 0);
    *mark = 0;
    context->core->slots.about_to_be_destroyed--;
    strip(context, slot, loud);
    return was;
}

KIN__NOINLINE static uint32_t cascade_silently(kin_context *context, uint32_t slot, kin__loud loud);

// Makes all silent steps of a cascade, from the entity in `*slot` on, then one step that may notify. Sets `*slot` for
// the step that follows. False when the cascade has ended or a listener has reset the context. `*loud` must be current.
static bool step(kin_context *context, uint32_t *slot, kin__loud *loud)
{
    uint64_t epoch = context->core->dispatch.epoch;
    const kin__relation *relation;
    if (*loud != KIN__ALL_LOUD)
        *slot = cascade_silently(context, *slot, *loud);
    kin_entity taken = find_taken_holder(context, *slot);
    kin_entity holder = taken == 0 ? find_holder(context, *slot, &relation) : 0;
    if (taken != 0) {
        if (!announce(context, taken))
            return false;
        begin(context, kin_entity_slot(taken), *slot + 1);
        *slot = kin_entity_slot(taken);
    } else if (holder != 0) {
        detach(context, relation, holder);
        *loud = kin__loud_components(context);
    } else {
        uint32_t mark = end_marked(context, *slot, loud);
        if (mark == ROOT)
            return false;
        *slot = mark - 1;
    }
    return context->core->dispatch.epoch == epoch;
}

// Destroys an entity with its cascade, in the general case.
KIN__NOINLINE static void cascade_general(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__dispatch_may_nest(context) && !kin__is_about_to_be_destroyed(context, entity));
    if (!announce(context, entity))
        return;
    kin__loud loud = kin__loud_components(context);
    if (!kin__has_holders(context, slot)) {
        strip(context, slot, &loud);
        return;
    }
    begin(context, slot, ROOT);
    while (step(context, &slot, &loud))
        ;
}

// Most entities have no holders.
kin_status kin__cascade(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (kin__holder_is_silent(context, chunk, slot, kin__loud_components(context)) && !kin__has_holders(context, slot))
        kin__holder_destroy_silently(context, chunk, slot, context->watched[0]);
    else
        cascade_general(context, entity);
    return KIN_OK;
}

kin_status kin__cascade_if_allowed(kin_context *context, kin_entity entity)
{
    if (context->core->relations->can_refuse && !cascade_is_allowed(context, entity, NULL))
        return KIN_ERROR_REFERENCED;
    return kin__cascade(context, entity);
}

// The silent steps of a cascade. They are the general steps in the same order, but no listener can run between
// them. So an entity that has no holders, or no more holders, is destroyed without a mark, and a run of such entities
// in a list is destroyed before the list is relinked. Without this walk, destroying a tree takes 78 % more
// instructions.
//
// Invariant: on return, marks, lists and counts are as the general case leaves them between two steps. Marked entities
// that are not destroyed are on the path from the slot where it began to the slot that it returns.

typedef struct silent_walk {
    kin_context *context;
    kin__relation *relations, *end;
    uint32_t *const *marks; // by chunk: each chunk with holders or targets has them (store/store.h)
    kin__loud loud;
    uint32_t slot; // the target whose holders are destroyed
} silent_walk;

static inline uint32_t *mark_of(const silent_walk *walk, uint32_t slot)
{
    return &walk->marks[slot / KIN__CHUNK_SLOTS][slot % KIN__CHUNK_SLOTS];
}

static inline bool has_holders(const silent_walk *walk, uint32_t slot)
{
    for (const kin__relation *relation = walk->relations; relation < walk->end; relation++)
        if (kin__relation_has_holders(relation, slot))
            return true;
    return false;
}

// Returns the node of the first holder of the relation that is not marked; the node of the target if all are.
static inline uint32_t find_silent_holder(const silent_walk *walk, const kin__relation *relation)
{
    const kin__relation_block *block = kin__relation_block_of(relation, walk->slot);
    uint32_t at = block == NULL ? KIN__NO_NODE : block->nodes[KIN__CHUNK_SLOTS + walk->slot % KIN__CHUNK_SLOTS].next;
    while (kin__is_holder_node(at) && *mark_of(walk, kin__relation_slot_of(at)) != 0)
        at = kin__relation_node_at(relation, at)->next;
    return at;
}

static inline bool is_silent_leaf(const silent_walk *walk, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(walk->context, slot);
    return !has_holders(walk, slot) && kin__holder_is_silent(walk->context, chunk, slot, walk->loud) &&
           *mark_of(walk, slot) == 0;
}

// Destroys the holder with a node and those after it, while they are silent and have no holders. Returns the node of
// the first remaining holder. Stops at a holder whose component has several relations, as that is in several lists.
static inline uint32_t destroy_run(const silent_walk *walk, kin__relation *relation, uint32_t at)
{
    kin_context *context = walk->context;
    uint64_t others = context->watched[0] & ~relation->alone;
    uint32_t before = kin__relation_node_at(relation, at)->previous;
    uint32_t count = 0;
    for (uint32_t slot; kin__is_holder_node(at) && is_silent_leaf(walk, slot = kin__relation_slot_of(at)); count++) {
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        kin__relation_node *node = kin__relation_node_at(relation, at);
        at = node->next;
        node->next = node->previous = KIN__NO_NODE;
        kin__holder_destroy_silently(context, chunk, slot, others);
    }
    kin__relation_node_at(relation, before)->next = at;
    kin__relation_node_at(relation, at)->previous = before;
    kin__relation_block_at(relation, walk->slot)->counts[walk->slot % KIN__CHUNK_SLOTS] -= count;
    relation->moves += count;
    return at;
}

// Goes down to a holder that has holders itself.
static inline void descend(silent_walk *walk, uint32_t slot)
{
    *mark_of(walk, slot) = walk->slot + 1;
    walk->slot = slot;
    walk->context->core->slots.about_to_be_destroyed++;
    walk->context->core->slots.announced++;
}

// Goes back up from an entity without remaining holders. The next step destroys it.
static inline void ascend_silently(silent_walk *walk)
{
    uint32_t *mark = mark_of(walk, walk->slot);
    walk->slot = *mark - 1;
    *mark = 0;
    walk->context->core->slots.about_to_be_destroyed--;
}

// Destroys the holders of a relation. False at a holder that is not silent. Sets `*moved` after going down.
static inline bool take_along(silent_walk *walk, kin__relation *relation, bool *moved)
{
    uint32_t at = find_silent_holder(walk, relation);
    while (kin__is_holder_node(at)) {
        uint32_t slot = kin__relation_slot_of(at);
        if (has_holders(walk, slot)) {
            descend(walk, slot);
            *moved = true;
            return true;
        }
        uint32_t next = destroy_run(walk, relation, at);
        if (next == at)
            return false;
        at = next;
        if (kin__is_holder_node(at) && *mark_of(walk, kin__relation_slot_of(at)) != 0)
            at = find_silent_holder(walk, relation);
    }
    return true;
}

// Continues a cascade from the entity in a slot, as long as its steps are silent. Returns the slot to continue with.
KIN__NOINLINE static uint32_t cascade_silently(kin_context *context, uint32_t slot, kin__loud loud)
{
    silent_walk walk = {context,
                        context->relations,
                        context->relations + context->info->relation_count,
                        context->core->slots.endings.elements,
                        loud | context->core->relations->several,
                        slot};
    uint32_t root = slot;
    for (;;) {
        bool moved = false;
        for (kin__relation *relation = walk.relations; relation < walk.end && !moved; relation++)
            if (relation->takes && !take_along(&walk, relation, &moved))
                return walk.slot;
        if (moved)
            continue;
        if (walk.slot == root || has_holders(&walk, walk.slot))
            return walk.slot;
        ascend_silently(&walk);
    }
}

// The holders of one target in order: moves one, or destroys all.

// ---- moving

static kin_status refuse(const kin_context *context, const kin__relation *relation, kin_entity holder,
                         kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "move", .entity = holder, .reason = reason};
    attempt.component = context->info->components[relation->info->component].name;
    return kin__report_error(context, status, &attempt);
}

static kin_status check_move(const kin_context *context, const kin__relation *relation, kin_entity holder,
                             kin_entity sibling)
{
    kin_entity target = kin__relation_target(context, relation, holder);
    if (kin__chunk_of(context, holder) == NULL)
        return refuse(context, relation, holder, KIN_ERROR_NOT_ALIVE, NULL);
    if (!kin__has(context, holder, relation->info->component, context->row_words))
        return refuse(context, relation, holder, KIN_ERROR_NO_COMPONENT, NULL);
    if (target == 0)
        return refuse(context, relation, holder, KIN_ERROR_INVALID, "it names no entity; give it one first");
    if (sibling != 0 && kin__relation_target(context, relation, sibling) != target)
        return refuse(context, relation, holder, KIN_ERROR_INVALID,
                      "the other entity does not name the same one; move it there first");
    return KIN_OK;
}

kin_status kin__relation_place_before(kin_context *context, uint32_t number, kin_entity holder, kin_entity sibling)
{
    kin__relation *relation = kin__relation_at(context, number);
    kin_status status = check_move(context, relation, holder, sibling);
    if (status != KIN_OK || holder == sibling)
        return status;
    kin__step step = {KIN__STEP_REPLACE, holder, relation->info->component, NULL};
    status = kin__component_begin_touch(context, &step);
    if (status != KIN_OK)
        return kin__component_report_error(context, status, "move", &step);
    kin__relation_move(context, relation, kin_entity_slot(holder), sibling);
    kin__component_end_touch(context, holder, relation->info->component);
    return KIN_OK;
}

// ---- destroying

// Returns the first holder that is not being destroyed yet; 0 if no holder is left.
static kin_entity find_holder_of(const kin_context *context, const kin__relation *relation, kin_entity target)
{
    kin_entity holder = kin__relation_first_of(context, relation, kin_entity_slot(target));
    while (holder != 0 && kin__is_about_to_be_destroyed(context, holder))
        holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
    return holder;
}

kin_status kin__relation_destroy_holders(kin_context *context, uint32_t number, kin_entity target)
{
    const kin__relation *relation = kin__relation_at(context, number);
    kin__attempt attempt = {.verb = "destroy those that name", .entity = target};
    uint64_t epoch = context->core->dispatch.epoch;
    kin_entity holder;
    if (kin__chunk_of(context, target) == NULL || !kin__dispatch_may_nest(context))
        return kin__report_error(
            context, kin__chunk_of(context, target) == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_LIMIT, &attempt);
    if (!cascade_is_allowed(context, target, relation))
        return KIN_ERROR_REFERENCED;
    while (context->core->dispatch.epoch == epoch && kin__chunk_of(context, target) != NULL &&
           (holder = find_holder_of(context, relation, target)) != 0)
        kin__cascade(context, holder);
    return KIN_OK;
}
