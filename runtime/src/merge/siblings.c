// The holders of one target stand in the order of the snapshot. A merge adds them by ascending slot, so that only lists
// in another order need moves: from the last holder to the first, each directly before the next one.
#include "merge/merging.h"

#include "entity/entity.h"
#include "notify/notify.h"
#include "lookup/lookup.h"
#include "store/store.h"

// The list of one target in the snapshot, at one of its nodes.
typedef struct walk {
    const kin__merging *merging;
    uint32_t relation;
    uint32_t node;
} walk;

// ---- the snapshot

// Returns the node before that of the walk. Its chunk has links, as it has a holder or the target.
static uint32_t previous_of(const walk *walk)
{
    const kin__context_snapshot *part = walk->merging->part;
    const kin__image *image =
        kin__part_image(part, walk->node / (2 * KIN__CHUNK_SLOTS), kin__links_number(part->info, walk->relation));
    return image == NULL ? KIN__NO_NODE : kin__image_links(image)->nodes[walk->node % (2 * KIN__CHUNK_SLOTS)].previous;
}

static bool is_ascending(walk walk)
{
    for (walk.node = previous_of(&walk); kin__is_holder_node(walk.node);) {
        uint32_t node = walk.node;
        walk.node = previous_of(&walk);
        if (kin__is_holder_node(walk.node) && walk.node > node)
            return false;
    }
    return true;
}

// Lists the moves of one target; `walk` is at its node.
static uint32_t list_target(walk walk, kin__merge_move *moves)
{
    const uint32_t *numbers = walk.merging->numbers;
    uint32_t count = 0, target = kin__relation_slot_of(walk.node);
    if (is_ascending(walk))
        return 0;
    for (walk.node = previous_of(&walk); kin__is_holder_node(walk.node);) {
        uint32_t sibling = kin__relation_slot_of(walk.node);
        walk.node = previous_of(&walk);
        if (!kin__is_holder_node(walk.node))
            break;
        uint32_t holder = kin__relation_slot_of(walk.node);
        if (moves != NULL)
            moves[count] =
                (kin__merge_move){walk.relation, numbers[target] - 1, numbers[holder] - 1, numbers[sibling] - 1};
        count++;
    }
    return count;
}

static uint32_t list_relation(const kin__merging *merging, uint32_t relation, kin__merge_move *moves)
{
    const kin__context_snapshot *part = merging->part;
    uint32_t count = 0;
    for (uint32_t i = 0; i < merging->count; i++) {
        uint32_t slot = merging->slots[i];
        const kin__image *image =
            kin__part_image(part, slot / KIN__CHUNK_SLOTS, kin__links_number(part->info, relation));
        if (image == NULL || kin__image_links(image)->counts[slot % KIN__CHUNK_SLOTS] < 2)
            continue;
        walk walk = {merging, relation, kin__relation_target_node(slot)};
        count += list_target(walk, moves == NULL ? NULL : moves + count);
    }
    return count;
}

uint32_t kin__merging_list_moves(const kin__merging *merging, kin__merge_move *moves)
{
    const kin_context_info *info = merging->context->info;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (kin__is_merged(info, info->relations[i].component))
            count += list_relation(merging, i, moves == NULL ? NULL : moves + count);
    return count;
}

// ---- the context

// Returns whether both still hold the target, and do not stand side by side.
static bool is_due(const kin__merging *merging, const kin__merge_move *move)
{
    const kin_context *context = merging->context;
    const kin__relation *relation = kin__relation_at(context, move->relation);
    kin_entity target = merging->entities[move->target], holder = merging->entities[move->holder],
               sibling = merging->entities[move->sibling];
    return merging->plan.epoch == context->core->dispatch.epoch &&
           kin__relation_target(context, relation, holder) == target &&
           kin__relation_target(context, relation, sibling) == target && kin__chunk_of(context, target) != NULL &&
           kin__relation_next_of(context, relation, kin_entity_slot(holder)) != sibling;
}

// Moves as kin__relation_place_before does, with its calls.
static kin_status move_holder(const kin__merging *merging, const kin__merge_move *move)
{
    kin_context *context = merging->context;
    kin__relation *relation = kin__relation_at(context, move->relation);
    kin_component_id id = relation->info->component;
    kin__step step = {KIN__STEP_REPLACE, merging->entities[move->holder], id, NULL};
    kin_status status = kin__component_begin_touch(context, &step);
    if (status != KIN_OK)
        return status;
    kin__relation_move(context, relation, kin_entity_slot(step.entity), merging->entities[move->sibling]);
    kin__component_end_touch(context, step.entity, id);
    return KIN_OK;
}

kin_status kin__merging_move_siblings(const kin__merging *merging, kin__merge_failure *failure)
{
    for (uint32_t i = 0; i < merging->move_count; i++) {
        const kin__merge_move *move = &merging->moves[i];
        if (!is_due(merging, move))
            continue;
        kin_status status = move_holder(merging, move);
        if (status == KIN_OK)
            continue;
        failure->entity = merging->entities[move->holder];
        failure->plan = (kin__plan_failure){.id = merging->context->info->relations[move->relation].component};
        return status;
    }
    return KIN_OK;
}
