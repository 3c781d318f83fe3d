#include "mirror.h"

#include "entity/entity.h"
#include "lookup/lookup.h"

#include <check.h>
#include <kin/generated/iterator.h>
#include <string.h>

// ck_assert records every place that it passes, which would dominate the time of these loops.
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("not so: %s", #condition);                                                                    \
    } while (0)

enum { ALL_SLOTS = (MIRROR_SLOTS + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS * KIN__CHUNK_SLOTS };

// SplitMix64; Steele, Lea and Flood, 2014.
uint32_t mirror_random(mirror *mirror, uint32_t end)
{
    uint64_t z = mirror->seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) % end);
}

void mirror_begin(mirror *mirror, kin_context *context, uint64_t seed)
{
    memset(mirror, 0, sizeof *mirror);
    REQUIRE(context->info->component_count <= MIRROR_COMPONENTS);
    mirror->context = context;
    mirror->seed = seed;
    mirror->next_creation_index = 1;
}

// ---- changes

static size_t size_of(const mirror *mirror, uint32_t id)
{
    return mirror->context->info->components[id].size;
}

// The bytes of a value identify its owner.
static void fill_value(unsigned char *value, size_t size, kin_entity entity, uint32_t id)
{
    for (size_t i = 0; i < size; i++)
        value[i] = (unsigned char)(kin_entity_creation_index(entity) * 31 + id * 7 + i);
}

static void create(mirror *mirror)
{
    uint32_t slot = mirror->free_count > 0 ? mirror->free_slots[--mirror->free_count] : mirror->used++;
    kin_entity entity =
        kin__create(mirror->context, mirror->context->info->component_count, mirror->context->row_words);
    REQUIRE(entity == (mirror->next_creation_index++ << 24 | slot));
    mirror->entities[slot] = entity;
    mirror->living++;
}

static void forget(mirror *mirror, uint32_t slot)
{
    mirror->entities[slot] = 0;
    memset(mirror->has[slot], 0, sizeof mirror->has[slot]);
    mirror->free_slots[mirror->free_count++] = slot;
    mirror->living--;
}

static void destroy(mirror *mirror, uint32_t slot)
{
    REQUIRE(kin__entity_destroy_fast(mirror->context, mirror->entities[slot]) == KIN_OK);
    forget(mirror, slot);
}

// Changes as the generated accessors do.
static void add(mirror *mirror, uint32_t slot, kin_component_id id)
{
    unsigned char value[4096];
    size_t size = size_of(mirror, id);
    kin_entity entity = mirror->entities[slot];
    REQUIRE(size <= sizeof value);
    fill_value(value, size, entity, id);
    void *place = kin__add_fast(mirror->context, entity, id, mirror->context->row_words, size);
    if (place != NULL)
        memcpy(place, value, size);
    else
        REQUIRE(kin__component_add_fast(mirror->context, entity, id, value) == KIN_OK);
    mirror->has[slot][id] = true;
    mirror->places[slot][id] = kin__get(mirror->context, entity, id, size);
}

static bool wants(mirror *mirror, kin_component_id id)
{
    static const uint32_t percents[] = {97, 50, 50, 4};
    return mirror_random(mirror, 100) < percents[id % 4];
}

static void toggle(mirror *mirror, uint32_t slot)
{
    kin_component_id id = (kin_component_id)mirror_random(mirror, mirror->context->info->component_count);
    bool wanted = wants(mirror, id);
    if (wanted == mirror->has[slot][id])
        return;
    if (wanted) {
        add(mirror, slot, id);
        return;
    }
    REQUIRE(kin__remove(mirror->context, mirror->entities[slot], id, mirror->context->row_words) == KIN_OK);
    mirror->has[slot][id] = false;
}

static uint32_t random_living(mirror *mirror)
{
    uint32_t slot = mirror_random(mirror, mirror->used);
    while (mirror->entities[slot] == 0)
        slot = (slot + 1) % mirror->used;
    return slot;
}

void mirror_change(mirror *mirror)
{
    uint32_t dice = mirror_random(mirror, 100);
    if (mirror->living < 10 || (dice < 25 && mirror->living < MIRROR_LIVING))
        create(mirror);
    else if (dice < 5 || (dice < 25 && mirror->living == MIRROR_LIVING))
        destroy(mirror, random_living(mirror));
    else
        for (int i = 0; i < 6; i++)
            toggle(mirror, random_living(mirror));
}

void mirror_destroy_members(mirror *mirror, kin_group *group)
{
    static kin_entity members[MIRROR_SLOTS];
    uint32_t count = kin_group_copy_entities(group, members, MIRROR_SLOTS);
    REQUIRE(kin_group_destroy_entities(group) == KIN_OK);
    for (uint32_t i = 0; i < count; i++)
        forget(mirror, kin_entity_slot(members[i]));
}

// ---- comparing

static bool rule_holds(const mirror *mirror, const kin_rule *rule, uint32_t slot)
{
    bool named[MIRROR_COMPONENTS] = {false};
    for (uint32_t i = 0; i < rule->count; i++)
        named[rule->ids[i]] = true;
    uint32_t missing = 0, present = 0, others = 0;
    for (uint32_t id = 0; id < mirror->context->info->component_count; id++) {
        missing += named[id] && !mirror->has[slot][id];
        present += named[id] && mirror->has[slot][id];
        others += !named[id] && mirror->has[slot][id];
    }
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return missing == 0;
    case KIN_RULE_ANY:
        return present > 0;
    case KIN_RULE_NONE:
        return present == 0;
    case KIN_RULE_ONLY:
        return missing == 0 && others == 0;
    }
    return false;
}

bool mirror_matches(const mirror *mirror, const kin_matcher *matcher, uint32_t slot)
{
    bool holds = mirror->entities[slot] != 0;
    for (uint32_t i = 0; i < matcher->count && holds; i++)
        holds = rule_holds(mirror, &matcher->rules[i], slot);
    return holds;
}

// The members of one matcher, computed from the arrays; the slots after the last used one complete its chunk.
typedef struct expected {
    bool matches[ALL_SLOTS + 1];
    uint32_t count;
    kin_entity members[MIRROR_SLOTS];
} expected;

static void expect(const mirror *mirror, const kin_matcher *matcher, expected *expected)
{
    memset(expected, 0, sizeof *expected);
    for (uint32_t slot = 0; slot < mirror->used; slot++) {
        expected->matches[slot] = mirror_matches(mirror, matcher, slot);
        if (expected->matches[slot])
            expected->members[expected->count++] = mirror->entities[slot];
    }
}

static void compare_runs(const mirror *mirror, kin_group *group, const expected *expected)
{
    kin__iterator it = {.context = group->context, .group = group};
    uint32_t slot = 0;
    while (kin__iterator_step(&it)) {
        while (slot < ALL_SLOTS && !expected->matches[slot])
            slot++;
        REQUIRE(slot < ALL_SLOTS);
        for (uint32_t i = 0; i < it.count; i++) {
            REQUIRE(expected->matches[slot + i]);
            REQUIRE(kin__iterator_at(&it, i) == mirror->entities[slot + i]);
        }
        slot += it.count; // a run ends with the match or with the chunk
        REQUIRE(!expected->matches[slot] || slot % KIN__CHUNK_SLOTS == 0);
    }
    for (; slot < ALL_SLOTS; slot++)
        REQUIRE(!expected->matches[slot]);
}

static void compare_blocks(const mirror *mirror, kin_group *group, const expected *expected)
{
    kin__iterator it = {.context = group->context, .group = group};
    uint32_t found = 0, last = 0;
    while (kin__iterator_step_block(&it)) {
        REQUIRE(it.mask != 0);
        KIN_EACH_BIT(i, it.mask)
        {
            kin_entity entity = kin__iterator_at(&it, i);
            uint32_t slot = kin_entity_slot(entity);
            REQUIRE(entity == mirror->entities[slot] && expected->matches[slot]);
            REQUIRE(found == 0 || slot > last);
            last = slot;
            found++;
        }
    }
    REQUIRE(found == expected->count);
}

uint32_t mirror_compare_group(const mirror *mirror, kin_group *group, const kin_matcher *matcher)
{
    static expected expected;
    static kin_entity copy[MIRROR_SLOTS];
    expect(mirror, matcher, &expected);
    uint32_t count = 0;
    const kin_entity *entities = kin_group_entities(group, &count);
    REQUIRE(count == expected.count);
    REQUIRE(kin__group_is_empty(group) == (expected.count == 0));
    REQUIRE(kin_group_count(group) == expected.count);
    REQUIRE(kin_group_copy_entities(group, copy, MIRROR_SLOTS) == expected.count);
    if (count > 0) {
        REQUIRE(memcmp(entities, expected.members, count * sizeof *entities) == 0);
        REQUIRE(memcmp(copy, expected.members, count * sizeof *copy) == 0);
    }
    for (uint32_t slot = 0; slot < mirror->used; slot++)
        REQUIRE(kin_group_contains(group, mirror->entities[slot]) == expected.matches[slot]);
    compare_runs(mirror, group, &expected);
    compare_blocks(mirror, group, &expected);
    return expected.count;
}

static void compare_value(const mirror *mirror, uint32_t slot, kin_component_id id)
{
    unsigned char value[4096];
    size_t size = size_of(mirror, id);
    const void *place = kin__get(mirror->context, mirror->entities[slot], id, size);
    REQUIRE((place != NULL) == mirror->has[slot][id]);
    REQUIRE(kin_has(mirror->context, mirror->entities[slot], id) == mirror->has[slot][id]);
    if (place == NULL || size == 0)
        return;
    REQUIRE(place == mirror->places[slot][id]);
    fill_value(value, size, mirror->entities[slot], id);
    REQUIRE(memcmp(place, value, size) == 0);
}

void mirror_compare_values(const mirror *mirror)
{
    for (uint32_t slot = 0; slot < mirror->used; slot++)
        for (uint32_t id = 0; id < mirror->context->info->component_count; id++)
            compare_value(mirror, slot, (kin_component_id)id);
    REQUIRE(kin__entity_count(mirror->context) == mirror->living);
    REQUIRE(kin_context_reusable_count(mirror->context) == mirror->free_count);
    REQUIRE(kin__context_is_valid(mirror->context));
}
