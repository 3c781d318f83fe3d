// Checks the relations of `refuse` before a cascade: walks over all entities that it would destroy.
//
// The walk keeps its list in the marks (store/store.h): the mark of each entity found has the slot of the next one. The
// marks are cleared before any listener is called.
//
// In a listener, other cascades may be under way, whose entities have marks already. The walk leaves these out, with
// all that is destroyed with them. A holder that refuses is instead asked whether it will be destroyed: an ascent goes
// from it to the targets that it is destroyed with, until one of them is being destroyed. It keeps a list of its own.

#include "destroy/cascade.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>

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
    uint32_t slot = kin_entity_slot(entity), *mark = kin__ending_of(walk->context, slot);
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
    uint32_t slot = kin_entity_slot(target), *mark = kin__ending_of(ascent->context, slot);
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
    uint32_t first = kin_entity_slot(holder), *mark = kin__ending_of(context, first);
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
        uint32_t *mark = kin__ending_of(walk->context, slot), next = *mark;
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

bool kin__cascade_is_allowed(kin_context *context, kin_entity entity, const kin__relation *relation)
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
