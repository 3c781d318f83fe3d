#include "fuzz/state/state.h"

model model_now;
uint64_t visits;

static void visit(uint64_t number)
{
    show("      visits %llx", (unsigned long long)number);
    visits = (visits ^ number) * UINT64_C(0x100000001B3);
}

static void visit_all(const land_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        visit(entities[i].id);
}

// ---- the model of `only: changed`

static land_entity above(land_entity entity, model_tree tree)
{
    const ChildOf *child = land_get_child_of(land, entity);
    const PartOf *part = land_get_part_of(land, entity);
    if (tree == CHILDREN)
        return child == NULL ? LAND_NO_ENTITY : child->parent;
    return part == NULL ? LAND_NO_ENTITY : part->whole;
}

static bool is_member(land_entity entity, model_tree tree)
{
    if (tree == CHILDREN)
        return land_has_child_of(land, entity) && land_has_spot(land, entity);
    return land_has_part_of(land, entity);
}

static void on_changed(const kin_change *change, void *user)
{
    uint32_t slot = kin_entity_slot(change->entity);
    (void)user;
    CHECK(slot < MOST_SLOTS);
    for (int tree = 0; tree < TREES; tree++)
        if (change->component == LAND_SPOT || change->component == (tree == CHILDREN ? LAND_CHILD_OF : LAND_PART_OF))
            model_now.trees[tree].marked[slot] = true;
}

void model_listen(void)
{
    kin_context_subscribe(&land->base, KIN_COMPONENT_CHANGED, on_changed, NULL);
    model_restart();
}

void model_restart(void)
{
    for (int tree = 0; tree < TREES; tree++)
        model_now.trees[tree].has_all = model_now.trees[tree].is_known = true;
}

void model_forget(void)
{
    for (int tree = 0; tree < TREES; tree++)
        model_now.trees[tree].is_known = false;
}

// ---- a turn over a tree

// BELOW: a member directly below it was visited.
enum { VISITED = 1, MUST = 2, MAY = 4, BELOW = 8 };

static uint8_t turn[MOST_SLOTS];

// A change of an entity above that is no member may be one of the members below it.
static uint8_t expect(land_entity entity, const tree_model *model, model_tree tree)
{
    uint8_t expected = 0;
    bool all_members = true;
    for (land_entity each = entity; each.id != 0; each = above(each, tree)) {
        all_members &= is_member(each, tree);
        if (model->marked[kin_entity_slot(each.id)])
            expected |= all_members ? MUST | MAY : MAY;
        if (!all_members)
            expected |= MAY;
    }
    return model->has_all ? MUST | MAY : expected;
}

static void begin_turn(const tree_model *model, model_tree tree)
{
    uint32_t count = 0;
    const land_entity *entities = land_entities(land, &count);
    memset(turn, 0, sizeof turn);
    for (uint32_t i = 0; i < count; i++)
        if (is_member(entities[i], tree))
            turn[kin_entity_slot(entities[i].id)] = expect(entities[i], model, tree);
}

static void see_member(land_entity entity, model_tree tree)
{
    uint8_t *seen = &turn[kin_entity_slot(entity.id)];
    land_entity parent = above(entity, tree);
    CHECK(land_entity_is_alive(land, entity) && is_member(entity, tree));
    CHECK((*seen & (VISITED | BELOW)) == 0); // once, and before those below it
    *seen |= VISITED;
    if (parent.id != 0)
        turn[kin_entity_slot(parent.id)] |= BELOW;
}

static void end_turn(tree_model *model)
{
    for (uint32_t slot = 0; model->is_known && slot < MOST_SLOTS; slot++) {
        CHECK((turn[slot] & (MUST | VISITED)) != MUST);
        CHECK((turn[slot] & (MAY | VISITED)) != VISITED);
    }
    *model = (tree_model){.is_known = true};
}

// ---- the systems

static bool is_main(const realm_world *other)
{
    return other->contexts->land == land;
}

void changed_enter(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    changed_enter");
    (void)own;
    visit_all(entities, count);
}

void changed_leave(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    changed_leave");
    (void)own;
    visit_all(entities, count);
}

void changed_update(realm_world *own, changed_iter *it, const kin_tick *tick)
{
    show("    changed_update");
    (void)tick;
    if (is_main(own))
        begin_turn(&model_now.trees[CHILDREN], CHILDREN);
    while (changed_next(it)) {
        visit(it->entity.id ^ (uint64_t)it->spot->x << 32);
        if (is_main(own))
            see_member(it->entity, CHILDREN);
    }
    if (is_main(own))
        end_turn(&model_now.trees[CHILDREN]);
}

void parts_update(realm_world *own, parts_iter *it, const kin_tick *tick)
{
    show("    parts_update");
    (void)tick;
    if (is_main(own))
        begin_turn(&model_now.trees[PARTS], PARTS);
    while (parts_next(it)) {
        visit(it->entity.id ^ (it->spot == NULL ? 1 : (uint64_t)it->spot->y << 32));
        if (is_main(own))
            see_member(it->entity, PARTS);
    }
    if (is_main(own))
        end_turn(&model_now.trees[PARTS]);
}

// Moves, spawns and destroys while it visits.
void levels_update(realm_world *own, levels_iter *it, const kin_tick *tick)
{
    show("    levels_update");
    land_context *context = own->contexts->land;
    while (levels_next(it)) {
        land_entity entity = it->entity;
        uint64_t chance = kin_entity_creation_index(entity.id) + tick->frame + it->depth;
        visit(entity.id + it->depth);
        if (chance % 37 == 0 && land_entity_count(context) < 900)
            land_replace_child_of(context, land_spawn_leaf(context), (ChildOf){entity, 1});
        else if (chance % 23 == 0)
            land_replace_child_of(context, entity, (ChildOf){LAND_NO_ENTITY, 2});
        else if (chance % 41 == 0)
            land_destroy_entity(context, entity);
        else if (chance % 11 == 0)
            land_replace_spot(context, entity, (Spot){it->spot->x + 1, it->spot->y});
        else if (chance % 13 == 0)
            levels_skip(it);
    }
}

void mixer_enter(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    mixer_enter");
    (void)own;
    visit_all(entities, count);
}

void mixer_leave(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    mixer_leave");
    (void)own;
    visit_all(entities, count);
}

// Depends on the order in which shared values are visited.
void mixer_update(realm_world *own, mixer_iter *it, const kin_tick *tick)
{
    show("    mixer_update");
    land_context *context = own->contexts->land;
    uint32_t mixed = 7;
    land_paint_values values = land_paint_values_iterate(context);
    while (land_paint_values_next(&values)) {
        const char *name = values.value->name == NULL ? "-" : values.value->name;
        mixed = mixed * 31 + (uint32_t)values.value->code + (uint8_t)name[0] + values.count;
    }
    land_flag_values flags = land_flag_values_iterate(context);
    while (land_flag_values_next(&flags))
        mixed = mixed * 33 + (uint32_t)flags.value->hue + kin_entity_slot(flags.value->of.id);
    while (mixer_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            mixed = mixed * 5 + (uint32_t)it->paint[i]->code;
    visit(mixed);
    land_set_unique_crown(context, (Crown){(int32_t)(mixed & 0xFFFF)});
    land_replace_unique_crown(context, (Crown){(int32_t)(mixed & 0xFFFF)});
    if (tick->frame % 5 == 4)
        land_remove_unique_crown(context);
}

static void record_commands(grind_job *job, land_entity entity, uint64_t chance)
{
    land_entity made = {0};
    int32_t counts[] = {(int32_t)chance, 2, 3};
    switch (chance % 23) {
    case 0:
        made = grind_spawn_seed(job);
        grind_replace_bag(job, made, (Bag){.items = {&made, 1}, .counts = {counts, 3}, .text = "made"});
        grind_publish_word(job, (Word){.to = made, .n = 3});
        break;
    case 1:
        made = grind_spawn_twig(job);
        grind_replace_chest(job, entity, (Chest){.hue = HUE_GREEN, .best = made});
        break;
    case 2:
        grind_destroy_entity(job, entity);
        break;
    case 3:
        grind_replace_spot(job, entity, (Spot){(int32_t)(chance % 91), 4});
        break;
    case 4:
        grind_add_bag(job, entity, (Bag){.items = {&entity, 1}});
        break;
    case 5:
        grind_remove_bag(job, entity);
        break;
    default:
        break;
    }
}

void grind_update(grind_job *job, grind_iter *it, const kin_tick *tick)
{
    while (grind_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            land_entity entity = grind_at(it, i);
            uint64_t chance = kin_entity_creation_index(entity.id) * 7 + tick->frame + it->sum[i].value % 3;
            it->sum[i].value = it->sum[i].value * 31 + chance + grind_piece(job);
            record_commands(job, entity, chance);
        }
}

void drift_update(drift_job *job, drift_iter *it, const kin_tick *tick)
{
    (void)job;
    while (drift_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->wide.b[i] += (int64_t)tick->frame + 1;
}

void clerk_on_word(realm_world *own, const Word *message)
{
    show("    clerk_on_word");
    land_context *context = own->contexts->land;
    visit(message->to.id + (uint64_t)message->n);
    if (land_entity_is_alive(context, message->to) && message->n == 5)
        land_set_lit(context, message->to, !land_is_lit(context, message->to));
}

void watch_execute(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    watch_execute");
    (void)own;
    visit_all(entities, count);
}

void tend_update(realm_world *own, tend_iter *it, const kin_tick *tick)
{
    show("    tend_update");
    (void)own, (void)tick;
    while (tend_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            for (uint32_t element = 0; element < it->bag[i].counts.count; element++)
                visit((uint64_t)it->bag[i].counts.at[element]);
}

void tend_leave(realm_world *own, const land_entity *entities, uint32_t count)
{
    show("    tend_leave");
    visit_all(entities, count);
    for (uint32_t i = 0; i < count; i++) {
        const Bag *left = tend_left_bag(own, i);
        for (uint32_t element = 0; left != NULL && element < left->counts.count; element++)
            visit((uint64_t)left->counts.at[element]);
    }
}
