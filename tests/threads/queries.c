// Every query that is allowed while a context is shared, from several threads at once: the answers are those of one
// thread, and the sanitizer sees that none writes.
#include "hostile.h"
#include "scenes.h"

#include <commons/commons.h>
#include <kin/share.h>
#include <stdlib.h>
#include <string.h>

enum { ASKERS = 8, SHEEP = 1500, MOST = 2048 };

typedef struct answers {
    commons_context *commons;
    uint64_t sums[ASKERS];
} answers;

static commons_entity ewe;

static commons_context *create(void)
{
    char ann[] = "Ann";
    int32_t grams[] = {3, 4};
    commons_context *commons = commons_context_create(NULL);
    commons_entity sheep[SHEEP];
    if (commons == NULL || commons_spawn_many_sheep(commons, SHEEP, sheep) != KIN_OK)
        exit(EXIT_FAILURE);
    ewe = commons_spawn_ewe(commons);
    commons_spawn_named(commons);
    Bag bag = {{grams, 2}};
    commons_add_bag(commons, ewe, bag);
    commons_add_breed(commons, ewe, (Breed){ann});
    commons_add_trail(commons, ewe, (Trail){.age = 2});
    commons_add_name(commons, ewe, (Name){ann});
    commons_set_unique_bell(commons, (Bell){5});
    for (uint32_t i = 0; i < SHEEP; i += 2)
        commons_add_mood(commons, sheep[i], (Mood){(int32_t)i});
    commons_stash_mood(commons, sheep[0]);
    return commons;
}

static uint64_t ask_values(const commons_context *commons)
{
    Trail trail = {0};
    kin_field_value value = {0};
    char text[400];
    uint64_t sum = commons_has_mood(commons, ewe) + 2u * commons_has_stashed_mood(commons, ewe) +
                   4u * commons_is_shorn(commons, ewe) + 8u * commons_entity_is_alive(commons, ewe);
    commons_read_trail(commons, ewe, &trail);
    kin_field_read(&commons->base, ewe.id, COMMONS_BAG, "grams[1]", &value);
    sum += commons_get_bag(commons, ewe)->grams.count + strlen(commons_get_breed(commons, ewe)->name);
    sum += (uint64_t)trail.age + (uint64_t)value.as.integer + (uint64_t)commons_get_unique_bell(commons)->pitch;
    sum += kin_describe_entity(&commons->base, ewe.id, text, sizeof text);
    return sum + commons_unique_bell_entity(commons).id + commons_entity_count(commons);
}

static uint64_t ask_indices(commons_context *commons)
{
    static const int32_t zones[] = {3, 4};
    commons_entity found[MOST];
    uint64_t sum = commons_entity_with_number_value(commons, 7).id + commons_entity_with_number_value(commons, 8).id;
    for (uint32_t i = 0; i < sizeof zones / sizeof *zones; i++)
        sum += commons_copy_entities_with_zone_zone(commons, zones[i], found, MOST);
    return sum + found[SHEEP - 1].id + commons_copy_entities_with_name_text(commons, "Ann", found, 1) + found[0].id;
}

static uint64_t ask_groups(commons_context *commons)
{
    kin_entity found[MOST], single;
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(COMMONS_STAND), KIN_NONE(COMMONS_MOOD));
    kin_group *group = commons_loose_group(commons);
    uint64_t sum = kin_group_count(group) + kin_group_copy_entities(group, found, MOST) + found[SHEEP - 1];
    sum += kin_group_contains(group, ewe.id) + 2u * kin_matches(&commons->base, matcher, ewe.id);
    sum += (uint64_t)kin_group_single(commons_trails_group(commons), &single) + single;
    sum += kin_context_group(&commons->base, kin_group_matcher(group)) == group;
    for (commons_ragged_iter it = commons_ragged_iterate(commons); commons_ragged_next(&it);)
        sum += it.count * (it.mood == NULL ? 1u : 3u);
    for (commons_loose_iter it = commons_loose_iterate_piece(commons, 1, 512); commons_loose_next_block(&it);)
        sum += it.mask;
    return sum;
}

static uint64_t ask_relations(const commons_context *commons)
{
    commons_entity found[4];
    commons_entity lamb = commons_followers_first(commons, ewe);
    uint64_t sum = commons_followers_count(commons, ewe) + lamb.id + commons_followers_last(commons, ewe).id;
    sum += commons_followers_next(commons, lamb).id + commons_followers_root(commons, lamb).id;
    sum += commons_followers_depth(commons, lamb) + commons_copy_followers(commons, ewe, found, 4) + found[0].id;
    for (commons_followers_walk walk = commons_followers_walk_from(commons, ewe); commons_followers_walk_next(&walk);)
        sum += walk.entity.id;
    return sum;
}

static void ask(void *work, uint32_t index)
{
    answers *answers = work;
    commons_context *commons = answers->commons;
    answers->sums[index] = 0;
    for (uint32_t i = 0; i < 5; i++)
        answers->sums[index] = answers->sums[index] * 31 + ask_values(commons) + ask_indices(commons) * 3 +
                               ask_groups(commons) * 5 + ask_relations(commons) * 7;
}

bool ask_in_threads(void)
{
    answers answers = {create(), {0}};
    bool same = kin_context_begin_shared(&answers.commons->base) == KIN_OK;
    ask(&answers, 0);
    uint64_t expected = answers.sums[0];
    run_tasks(&hostile_executors[HOSTILE_CROWD], ask, &answers, ASKERS);
    for (uint32_t i = 0; i < ASKERS; i++)
        same = same && answers.sums[i] == expected;
    kin_context_end_shared(&answers.commons->base);
    commons_context_destroy(answers.commons);
    return same;
}
