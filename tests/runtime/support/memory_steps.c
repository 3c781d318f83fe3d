#include "memory_steps.h"

bool memory_step_context(void)
{
    relay = relay_context_create(&made.options);
    return relay != NULL;
}

bool memory_step_entity(void)
{
    made.first = relay_create_entity(relay);
    return made.first.id != 0;
}

static bool add_small(void)
{
    return relay_add_a(relay, made.first, (A){1}) == KIN_OK;
}

static bool replace_missing(void)
{
    return relay_replace_big(relay, made.first, (Big){{1, 2, 3}}) == KIN_OK;
}

static bool set_flag(void)
{
    return relay_set_f(relay, made.first, true) == KIN_OK;
}

// Makes one more of eighteen different groups, so that the list and its buckets grow.
bool memory_step_group(void)
{
    uint32_t count = 0;
    while (made.groups[count] != NULL)
        count++;
    kin_component_id one = (kin_component_id)(count % 6), other = (kin_component_id)(count / 6);
    kin_matcher matcher = other == 0   ? KIN_MATCHER(KIN_ALL(one))
                          : other == 1 ? KIN_MATCHER(KIN_NONE(one))
                                       : KIN_MATCHER(KIN_ONLY(one));
    made.groups[count] = kin_context_group(&relay->base, matcher);
    return made.groups[count] != NULL;
}

static void listen(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
}

static bool subscribe(kin_group *group)
{
    kin_subscription place = kin_group_subscribe(group, KIN_ADDED_OR_REMOVED, listen, NULL);
    made.subscription = place.subscriber != NULL ? place : made.subscription;
    return place.subscriber != NULL;
}

static bool subscribe_to_all(void)
{
    return subscribe(made.groups[RELAY_A]);
}

static bool subscribe_to_the_large(void)
{
    return subscribe(made.groups[RELAY_BIG]);
}

static bool subscribe_to_none(void)
{
    return subscribe(made.groups[6 + RELAY_A]);
}

static bool subscribe_to_only(void)
{
    return subscribe(made.groups[12 + RELAY_A]);
}

static bool make_narrow_collector(void)
{
    made.narrow = kin_collector_create(&(kin_trigger){made.groups[0], KIN_ADDED}, 1);
    return made.narrow != NULL;
}

static bool make_broad_collector(void)
{
    kin_trigger triggers[] = {
        {made.groups[0], KIN_REMOVED}, {made.groups[7], KIN_MODIFIED}, {made.groups[14], KIN_ADDED}};
    made.broad = kin_collector_create(triggers, 3);
    return made.broad != NULL;
}

static bool list_entities(void)
{
    uint32_t count = 0;
    return relay_entities(relay, &count) != NULL && count == relay_entity_count(relay);
}

static bool list_group(void)
{
    uint32_t count = 0;
    return kin_group_entities(made.groups[6], &count) != NULL || kin_group_count(made.groups[6]) == 0;
}

static bool touch(void)
{
    return relay_touch_a(relay, made.first) == KIN_OK;
}

static bool list_collected(void)
{
    uint32_t count = 0;
    return kin_collector_entities(made.narrow, &count) != NULL && count == 1;
}

static bool list_contexts_of_collected(void)
{
    uint32_t count = 0;
    return kin_collector_contexts(made.narrow, &count) != NULL && count == 1;
}

// Creates entities until the next one needs another chunk.
static bool fill_chunk(void)
{
    while (relay_entity_count(relay) % 512 != 0)
        relay_create_entity(relay);
    return true;
}

static bool make_next_entity(void)
{
    return relay_create_entity(relay).id != 0;
}

static bool add_in_second_chunk(void)
{
    relay_entity last = relay_entity_of(relay->base.chunks[1]->ids[0]);
    return relay_add_a(relay, last, (A){1}) == KIN_OK;
}

static bool destroy_members(void)
{
    return kin_group_destroy_entities(made.groups[6]) == KIN_OK;
}

static bool make_contexts(void)
{
    made.contexts = links_contexts_create(&made.options);
    return made.contexts != NULL;
}

static bool make_dock_group(void)
{
    made.docked = kin_context_group(&made.contexts->dock->base, KIN_MATCHER(KIN_ALL(DOCK_CARGO)));
    return made.docked != NULL;
}

static bool make_sea_group(void)
{
    made.sailed = kin_context_group(&made.contexts->sea->base, KIN_MATCHER(KIN_ALL(SEA_CARGO)));
    return made.sailed != NULL;
}

static bool make_collector_across(void)
{
    kin_trigger triggers[] = {{made.sailed, KIN_ADDED}, {made.docked, KIN_ADDED_OR_REMOVED}};
    made.across = kin_collector_create(triggers, 2);
    return made.across != NULL;
}

static bool make_dock_entity(void)
{
    return dock_create_entity(made.contexts->dock).id != 0;
}

static bool make_sea_entity(void)
{
    return sea_create_entity(made.contexts->sea).id != 0;
}

static bool fill_chunks_of_contexts(void)
{
    while (dock_entity_count(made.contexts->dock) % 512 != 0)
        dock_create_entity(made.contexts->dock);
    while (sea_entity_count(made.contexts->sea) % 512 != 0)
        sea_create_entity(made.contexts->sea);
    return true;
}

static bool make_systems(void)
{
    made.root = kin_systems_create("root", &made.options);
    return made.root != NULL;
}

static bool make_nested_systems(void)
{
    made.nested = kin_systems_create(NULL, &made.options);
    return made.nested != NULL;
}

static bool add_system(void)
{
    return kin_systems_add(made.root, (kin_system){.name = "system"}) == KIN_OK;
}

static bool add_nested(void)
{
    return kin_systems_add_systems(made.root, made.nested) == KIN_OK;
}

static bool add_reactive(void)
{
    kin_trigger triggers[] = {{made.sailed, KIN_ADDED}, {made.groups[0], KIN_ADDED}};
    kin_reactive_system system = {.name = "reactive", .triggers = triggers, .trigger_count = 2};
    return kin_systems_add_reactive(made.nested, system) == KIN_OK;
}

memory_step *const memory_steps[] = {
    memory_step_context,
    memory_step_entity,
    add_small,
    replace_missing,
    set_flag,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    memory_step_group,
    subscribe_to_all,
    subscribe_to_all,
    subscribe_to_none,
    subscribe_to_only,
    make_narrow_collector,
    subscribe_to_the_large,
    make_broad_collector,
    list_entities,
    list_group,
    touch,
    list_collected,
    list_contexts_of_collected,
    fill_chunk,
    make_next_entity,
    add_in_second_chunk,
    list_entities,
    list_group,
    make_contexts,
    make_dock_group,
    make_sea_group,
    make_dock_entity,
    make_collector_across,
    make_sea_entity,
    fill_chunks_of_contexts,
    make_dock_entity,
    make_sea_entity,
    fill_chunks_of_contexts,
    make_sea_entity,
    make_dock_entity,
    make_systems,
    make_nested_systems,
    add_system,
    add_nested,
    add_reactive,
    destroy_members,
};

const uint32_t memory_step_count = sizeof memory_steps / sizeof *memory_steps;
