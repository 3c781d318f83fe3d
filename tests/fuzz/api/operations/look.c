// Tools (RFL-08 to RFL-14): what they show agrees with the generated functions. Outside of callbacks only, because
// inside them a change may be half shown.
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

#include <kin/reflect.h>
#include <string.h>

static uint32_t count_bits(uint64_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

static void see_words(const place *at)
{
    const kin_context *context = &at->game->base;
    uint32_t count = 0;
    for (uint32_t word = 0; word < kin_look_words(context); word++) {
        uint64_t alive = kin_look_alive(context, word);
        count += count_bits(alive);
        for (uint32_t id = 0; id < GAME_COMPONENT_COUNT; id++)
            CHECK((kin_look_has(context, (kin_component_id)id, word) & ~alive) == 0);
        KIN_EACH_BIT(bit, alive)
        CHECK(kin_entity_slot(kin_look_entity(context, word * 64 + bit)) == word * 64 + bit);
    }
    CHECK(count == game_entity_count(at->game));
    CHECK(kin_look_alive(context, kin_look_words(context)) == 0);
}

static void see_value(const place *at, kin_entity entity, kin_component_id id)
{
    const kin_context *context = &at->game->base;
    part_value value;
    char text[64];
    bool has = kin_has(context, entity, id);
    CHECK(kin_look_read(context, entity, id, &value) == has);
    if (!has || game_info.components[id].size == 0)
        return;
    check_value(context, id, &value);
    size_t length = kin_component_describe(context, id, &value, text, sizeof text);
    CHECK(strlen(text) == (length < sizeof text ? length : sizeof text - 1));
    const void *shown = kin_get(context, entity, id);
    CHECK(shown == NULL || memcmp(shown, &value, game_info.components[id].size) == 0);
}

static void see_entity(const place *at)
{
    const kin_context *context = &at->game->base;
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    kin_component_id ids[GAME_COMPONENT_COUNT];
    uint32_t words = 0, components = 0;
    uint32_t count = kin_entity_components(context, entity, ids, GAME_COMPONENT_COUNT);
    const uint64_t *row = kin_look_row(context, entity, &words);
    CHECK((row != NULL) == game_entity_is_alive(at->game, (game_entity){entity}));
    for (uint32_t i = 0; i < count; i++)
        components |= UINT32_C(1) << ids[i];
    CHECK(row == NULL ? count == 0 : components == row[0] && words == 1);
    for (uint32_t id = 0; id < GAME_COMPONENT_COUNT; id++)
        see_value(at, entity, (kin_component_id)id);
}

static void add_archetype(const kin_archetype *archetype, void *user)
{
    uint32_t *count = user;
    CHECK(archetype->entities > 0 && archetype->chunks > 0);
    *count += archetype->entities;
}

static void see_archetypes(const place *at)
{
    uint32_t count = 0;
    attempt attempt = attempt_begin();
    kin_status status = kin_context_archetypes(&at->game->base, add_archetype, &count);
    CHECK(count == (status == KIN_OK ? game_entity_count(at->game) : 0));
    attempt_end(attempt, status);
}

typedef struct index_walk {
    const place *at;
    uint32_t count;
} index_walk;

static void on_entry(const kin_index_entry *entry, void *user)
{
    index_walk *walk = user;
    CHECK(game_entity_is_alive(walk->at->game, (game_entity){entry->entity}));
    CHECK(entry->key[0] != '\0' && entry->place < entry->count);
    walk->count++;
}

static void see_indices(const place *at)
{
    for (uint32_t i = 0; i <= game_info.index_count; i++) {
        index_walk walk = {at, 0};
        kin_index_walk(&at->game->base, i, on_entry, &walk);
        CHECK(walk.count == kin_index_count(&at->game->base, i));
    }
    CHECK(kin_context_carrier(&at->game->base, GAME_SOLE) == game_unique_sole_entity(at->game).id);
}

static void see_memory(const place *at)
{
    const kin_context *context = &at->game->base;
    kin_component_id id = take_component();
    uint32_t chunks = kin_context_chunk_count(context), middle = chunks / 2, entities = 0;
    kin_component_usage all = kin_component_memory(context, id, 0, chunks);
    kin_component_usage first = kin_component_memory(context, id, 0, middle);
    kin_component_usage rest = kin_component_memory(context, id, middle, chunks - middle + 7);
    CHECK(all.values == first.values + rest.values && all.columns == first.columns + rest.columns);
    CHECK(all.memory.allocated == first.memory.allocated + rest.memory.allocated);
    kin_pool_usage pools[32] = {{0}};
    CHECK(game_info.blueprint_count < 32);
    kin_context_pools(context, 0, middle, pools);
    kin_context_pools(context, middle, chunks, pools);
    for (uint32_t i = 0; i <= game_info.blueprint_count; i++)
        entities += pools[i].entities;
    CHECK(entities == game_entity_count(at->game));
    kin_counts counts = kin_context_counts(context);
    CHECK(counts.created - counts.destroyed == game_entity_count(at->game));
}

static void see_lists(const place *at)
{
    enum { MANY = 64 };
    kin_group *groups[MANY];
    kin_collector *collectors[MANY];
    uint32_t group_count = kin_context_groups(&at->game->base, groups, MANY);
    for (uint32_t i = 0; i < group_count && i < MANY; i++) {
        CHECK(i >= 1 || kin_group_name(groups[i]) != NULL);
        (void)kin_group_listener_count(groups[i]);
        CHECK(kin_group_context(groups[i]) == &at->game->base);
    }
    uint32_t count = kin_context_collectors(&at->game->base, collectors, MANY);
    for (uint32_t i = 0; i < count && i < MANY; i++) {
        kin_trigger triggers[4];
        CHECK(kin_collector_triggers(collectors[i], triggers, 4) > 0);
        (void)kin_collector_contains(collectors[i], &at->game->base, take_handle(&here->game_handles[at->package]));
    }
    if (count == 0)
        return;
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_collector_set_name(collectors[0], take_below(2) == 1 ? "named" : NULL));
}

void do_look(const place *at)
{
    static void (*const kinds[])(const place *at) = {see_words,   see_entity, see_entity, see_archetypes,
                                                     see_indices, see_memory, see_lists};
    if (at->game != NULL && here->level == 0)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
