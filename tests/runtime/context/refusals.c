#include "refusals.h"

#include <kin/share.h>
#include <string.h>

static commons_context *commons;
static commons_entity full, bare, lamb, ewe; // with most components; with few; a follower of the ewe; a leader
static kin_subscription subscription;
static kin_collector *collector, *idle;
static kin_snapshot *snapshot;
static const int owner, other_owner;

static void ignore_change(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
}

static void ignore_mood(commons_context *context, commons_entity entity, const Mood *value, void *user)
{
    (void)context;
    (void)entity;
    (void)value;
    (void)user;
}

static void ignore_other_mood(commons_context *context, commons_entity entity, const Mood *value, void *user)
{
    ignore_mood(context, entity, value, user);
}

static void ignore_archetype(const kin_archetype *archetype, void *user)
{
    (void)archetype;
    (void)user;
}

static void fill(void)
{
    int32_t grams[] = {1, 2, 3};
    char text[] = "Bo";
    full = commons_spawn_sheep(commons);
    bare = commons_create_entity(commons);
    ewe = commons_spawn_ewe(commons);
    lamb = commons_followers_first(commons, ewe);
    commons_add_trail(commons, full, (Trail){.age = 1});
    commons_add_fleece(commons, full, (Fleece){2});
    commons_add_breed(commons, full, (Breed){text});
    commons_add_name(commons, full, (Name){text});
    commons_add_number(commons, full, (Number){4});
    Bag bag = bag_default();
    bag.grams.at = grams;
    bag.grams.count = 3;
    commons_add_bag(commons, full, bag);
    commons_add_mood(commons, full, (Mood){5});
    commons_add_mood(commons, ewe, (Mood){6});
    commons_stash_mood(commons, ewe);
    commons_set_unique_bell(commons, (Bell){7});
}

void refusals_begin(commons_context *filled)
{
    commons = filled;
    fill();
    kin_trigger trigger = {commons_movers_group(commons), KIN_MODIFIED};
    subscription = kin_group_subscribe(commons_loose_group(commons), KIN_ADDED, ignore_change, NULL);
    collector = kin_collector_create(&trigger, 1);
    idle = kin_collector_create(&trigger, 1);
    kin_collector_deactivate(idle);
    commons_touch_stand(commons, full);
    commons_add_any_mood_listener(commons, bare, ignore_other_mood, NULL);
    commons_retain_entity(commons, full, &owner);
    kin_collector_clear(collector);
    commons_save(commons, &snapshot);
    commons_touch_stand(commons, full);
}

void refusals_end(void)
{
    kin_snapshot_destroy(snapshot);
    snapshot = NULL;
    kin_collector_destroy(collector);
    kin_collector_destroy(idle);
    collector = idle = NULL;
}

void refusals_watch_all(void)
{
    for (kin_component_id id = 0; id < COMMONS_COMPONENT_COUNT; id++) {
        kin_group *group = kin_context_group(&commons->base, KIN_MATCHER(KIN_ALL(id)));
        kin_group_subscribe(group, KIN_ADDED_OR_REMOVED, ignore_change, NULL);
        if (id % 2 == 0)
            kin_group_subscribe(group, KIN_MODIFIED, ignore_change, NULL);
    }
    kin_context_subscribe(&commons->base, KIN_ENTITY_CREATED, ignore_change, NULL);
    kin_context_subscribe(&commons->base, KIN_ENTITY_WILL_BE_DESTROYED, ignore_change, NULL);
}

// One function for each call: of a status, and of a result that is NULL or no entity when refused.
#define REFUSED(name, call)                                                                                            \
    static bool name(void)                                                                                             \
    {                                                                                                                  \
        return (call) == KIN_ERROR_INVALID;                                                                            \
    }
#define NO_ENTITY(name, call)                                                                                          \
    static bool name(void)                                                                                             \
    {                                                                                                                  \
        return commons_entity_equals(call, COMMONS_NO_ENTITY);                                                         \
    }
#define IS_NULL(name, call)                                                                                            \
    static bool name(void)                                                                                             \
    {                                                                                                                  \
        uint32_t count = 0;                                                                                            \
        (void)count;                                                                                                   \
        return (call) == NULL && count == 0;                                                                           \
    }

REFUSED(add_stand, commons_add_stand(commons, bare, (Stand){1, 2}))
REFUSED(add_follows, commons_add_follows(commons, bare, (Follows){full}))
REFUSED(add_number, commons_add_number(commons, bare, (Number){9}))
REFUSED(add_trail, commons_add_trail(commons, bare, (Trail){.age = 3}))
REFUSED(replace_stand, commons_replace_stand(commons, full, (Stand){3, 4}))
REFUSED(replace_missing, commons_replace_stand(commons, bare, (Stand){3, 4}))
REFUSED(replace_trail, commons_replace_trail(commons, full, (Trail){.age = 5}))
REFUSED(replace_fleece, commons_replace_fleece(commons, full, (Fleece){6}))
REFUSED(replace_breed, commons_replace_breed(commons, full, (Breed){NULL}))
REFUSED(replace_zone, commons_replace_zone(commons, full, (Zone){7}))
REFUSED(replace_name, commons_replace_name(commons, full, (Name){NULL}))
REFUSED(replace_number, commons_replace_number(commons, full, (Number){8}))
REFUSED(replace_bag, commons_replace_bag(commons, full, bag_default()))
REFUSED(replace_follows, commons_replace_follows(commons, lamb, (Follows){full}))
REFUSED(remove_pace, commons_remove_pace(commons, full))
REFUSED(remove_zone, commons_remove_zone(commons, full))
REFUSED(remove_follows, commons_remove_follows(commons, lamb))
REFUSED(readd_stand, commons_readd_stand(commons, full, (Stand){9, 9}))
REFUSED(readd_missing, commons_readd_stand(commons, bare, (Stand){9, 9}))
REFUSED(touch_stand, commons_touch_stand(commons, full))
REFUSED(touch_bag, commons_touch_bag(commons, full))
REFUSED(set_flag, commons_set_shorn(commons, full, true))
REFUSED(stash, commons_stash_mood(commons, full))
REFUSED(restore_stashed, commons_restore_mood(commons, ewe))
REFUSED(restore_or_add, commons_restore_or_add_mood(commons, bare, (Mood){1}))
IS_NULL(ensure, commons_ensure_stand(commons, bare))
REFUSED(push, commons_push_bag_grams(commons, full, 4))
REFUSED(insert, commons_insert_bag_grams(commons, full, 0, 4))
REFUSED(erase, commons_erase_bag_grams(commons, full, 0))
REFUSED(resize, commons_resize_bag_grams(commons, full, 9))
NO_ENTITY(create, commons_create_entity(commons))
NO_ENTITY(clone, commons_clone_entity(commons, bare))
NO_ENTITY(clone_sheep, commons_clone_entity(commons, lamb))
NO_ENTITY(clone_tree, commons_clone_with_followers(commons, ewe))
NO_ENTITY(spawn, commons_spawn_sheep(commons))
NO_ENTITY(spawn_rich, commons_spawn_named(commons))
NO_ENTITY(spawn_tree, commons_spawn_ewe(commons))
REFUSED(spawn_many, commons_spawn_many_sheep(commons, 3, NULL))
REFUSED(spawn_trees, commons_spawn_many_ewe(commons, 3, NULL))
REFUSED(apply, commons_apply_sheep(commons, bare))
REFUSED(apply_named, commons_apply_named(commons, bare))
REFUSED(copy, commons_copy_components(commons, full, bare, KIN_ALL(COMMONS_STAND), true))
REFUSED(destroy, commons_destroy_entity(commons, bare))
REFUSED(destroy_full, commons_destroy_entity(commons, full))
REFUSED(destroy_ewe, commons_destroy_entity(commons, ewe))
REFUSED(destroy_all, commons_destroy_all_entities(commons))
REFUSED(destroy_followers, commons_destroy_followers(commons, ewe))
REFUSED(destroy_group, kin_group_destroy_entities(commons_movers_group(commons)))
REFUSED(clear, commons_remove_all_components(commons, full))
REFUSED(remove_some, kin_remove_components(&commons->base, full.id, KIN_ALL(COMMONS_STAND, COMMONS_ZONE)))
REFUSED(place_before, commons_followers_place_before(commons, lamb, COMMONS_NO_ENTITY))
NO_ENTITY(replace_unique, commons_replace_unique_bell(commons, (Bell){1}))
REFUSED(remove_unique, commons_remove_unique_bell(commons))
REFUSED(set_unique_flag, commons_set_unique_night(commons, true))
REFUSED(retain, commons_retain_entity(commons, full, &other_owner))
REFUSED(release, commons_release_entity(commons, full, &owner))
REFUSED(add_listener, commons_add_any_mood_listener(commons, bare, ignore_mood, NULL))
REFUSED(remove_listener, commons_remove_any_mood_listener(commons, bare, ignore_other_mood, NULL))
REFUSED(save, commons_save(commons, &snapshot))
REFUSED(restore, commons_restore(commons, snapshot, KIN_RESTORE_EXACTLY))
REFUSED(merge, commons_merge(commons, snapshot, NULL))
REFUSED(merge_all, kin__contexts_merge(&(kin_context *){&commons->base}, 1, snapshot))
REFUSED(reset, commons_context_reset(commons))
IS_NULL(list_group, commons_movers_entities(commons, &count))
IS_NULL(list_any_group, kin_group_entities(commons_loose_group(commons), &count))
IS_NULL(list_all, commons_entities(commons, &count))
IS_NULL(list_index, commons_entities_with_zone_zone(commons, 3, &count))
IS_NULL(list_collector, kin_collector_entities(collector, &count))
IS_NULL(list_contexts, kin_collector_contexts(collector, &count))
IS_NULL(make_group, commons_group(commons, KIN_MATCHER(KIN_ALL(COMMONS_TRAIL, COMMONS_BELL))))
IS_NULL(subscribe, kin_group_subscribe(commons_movers_group(commons), KIN_ADDED, ignore_change, NULL).subscriber)
IS_NULL(subscribe_entity,
        kin_entity_subscribe(&commons->base, full.id, KIN_COMPONENT_ADDED, ignore_change, NULL).subscriber)
IS_NULL(subscribe_context, kin_context_subscribe(&commons->base, KIN_ENTITY_CREATED, ignore_change, NULL).subscriber)
REFUSED(name_collector, kin_collector_set_name(collector, "a name"))
REFUSED(archetypes, kin_context_archetypes(&commons->base, ignore_archetype, NULL))
REFUSED(write_field,
        kin_field_write(&commons->base, full.id, COMMONS_STAND, "x", (kin_field_value){KIN_TYPE_FLOAT, {.number = 3}}))
REFUSED(add_by_id, kin_add(&commons->base, bare.id, COMMONS_STAND, &(Stand){1, 2}))
REFUSED(replace_by_id, kin_replace(&commons->base, full.id, COMMONS_STAND, &(Stand){1, 2}))
REFUSED(remove_by_id, kin_remove(&commons->base, full.id, COMMONS_STAND))
REFUSED(flag_by_id, kin_set_flag(&commons->base, full.id, COMMONS_SHORN, true))
REFUSED(destroy_by_id, kin_destroy(&commons->base, bare.id))

static bool create_collector(void)
{
    kin_trigger trigger = {commons_movers_group(commons), KIN_ADDED};
    kin_collector *made = kin_collector_create(&trigger, 1);
    kin_collector_destroy(made);
    return made == NULL;
}

static void count_entry(const kin_index_entry *entry, void *user)
{
    (void)entry;
    ++*(uint32_t *)user;
}

static bool walk_index(void)
{
    uint32_t count = 0;
    kin_index_walk(&commons->base, 0, count_entry, &count);
    return count == 0;
}

// Of functions without a result, by what they leave.
static bool unsubscribe(void)
{
    uint32_t before = kin_group_listener_count(commons_loose_group(commons));
    kin_unsubscribe(subscription);
    return kin_group_listener_count(commons_loose_group(commons)) == before;
}

static bool clear_collector(void)
{
    kin_collector_clear(collector);
    return kin_collector_count(collector) > 0;
}

static bool deactivate(void)
{
    kin_collector_deactivate(collector);
    return kin_collector_is_active(collector);
}

static bool activate(void)
{
    kin_collector_activate(idle);
    return !kin_collector_is_active(idle);
}

static bool destroy_collector(void)
{
    uint32_t before = kin_context_collectors(&commons->base, NULL, 0);
    kin_collector_destroy(idle);
    bool is_refused = kin_context_collectors(&commons->base, NULL, 0) == before;
    if (!is_refused)
        idle = NULL; // threads that are refused write nothing
    return is_refused;
}

#define ENTRY(name)                                                                                                    \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

const refusal refusals[] = {
    ENTRY(add_stand),
    ENTRY(add_follows),
    ENTRY(add_number),
    ENTRY(add_trail),
    ENTRY(replace_stand),
    ENTRY(replace_missing),
    ENTRY(replace_trail),
    ENTRY(replace_fleece),
    ENTRY(replace_breed),
    ENTRY(replace_zone),
    ENTRY(replace_name),
    ENTRY(replace_number),
    ENTRY(replace_bag),
    ENTRY(replace_follows),
    ENTRY(remove_pace),
    ENTRY(remove_zone),
    ENTRY(remove_follows),
    ENTRY(readd_stand),
    ENTRY(readd_missing),
    ENTRY(touch_stand),
    ENTRY(touch_bag),
    ENTRY(set_flag),
    ENTRY(stash),
    ENTRY(restore_stashed),
    ENTRY(restore_or_add),
    ENTRY(ensure),
    ENTRY(push),
    ENTRY(insert),
    ENTRY(erase),
    ENTRY(resize),
    ENTRY(create),
    ENTRY(clone),
    ENTRY(clone_sheep),
    ENTRY(clone_tree),
    ENTRY(spawn),
    ENTRY(spawn_rich),
    ENTRY(spawn_tree),
    ENTRY(spawn_many),
    ENTRY(spawn_trees),
    ENTRY(apply),
    ENTRY(apply_named),
    ENTRY(copy),
    ENTRY(destroy),
    ENTRY(destroy_full),
    ENTRY(destroy_ewe),
    ENTRY(destroy_all),
    ENTRY(destroy_followers),
    ENTRY(destroy_group),
    ENTRY(clear),
    ENTRY(remove_some),
    ENTRY(place_before),
    ENTRY(replace_unique),
    ENTRY(remove_unique),
    ENTRY(set_unique_flag),
    ENTRY(retain),
    ENTRY(release),
    ENTRY(add_listener),
    ENTRY(remove_listener),
    ENTRY(save),
    ENTRY(restore),
    ENTRY(merge),
    ENTRY(merge_all),
    ENTRY(reset),
    ENTRY(list_group),
    ENTRY(list_any_group),
    ENTRY(list_all),
    ENTRY(list_index),
    ENTRY(list_collector),
    ENTRY(list_contexts),
    ENTRY(make_group),
    ENTRY(subscribe),
    ENTRY(subscribe_entity),
    ENTRY(subscribe_context),
    ENTRY(name_collector),
    ENTRY(archetypes),
    ENTRY(write_field),
    ENTRY(add_by_id),
    ENTRY(replace_by_id),
    ENTRY(remove_by_id),
    ENTRY(flag_by_id),
    ENTRY(destroy_by_id),
    ENTRY(create_collector),
    ENTRY(unsubscribe),
    ENTRY(clear_collector),
    ENTRY(deactivate),
    ENTRY(activate),
    ENTRY(destroy_collector),
    ENTRY(walk_index),
    {NULL, NULL},
};
