// The visible state of the real world, queried in every way: contradicting results give MODEL_BROKEN.

#include "entity/entity.h"
#include "model/token.h"
#include "real.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void broken(const real *real, const char *what)
{
    model_log(real->side, (model_record){.kind = MODEL_ANSWER, .value = MODEL_BROKEN, .number = (int32_t)strlen(what)});
    fprintf(stderr, "broken: %s\n", what);
}

// Compares a typed value, NULL for none, with the one read by id: field by field, as padding need not be copied.
static void show_by_id(const real *real, kin_entity entity, int32_t number, const void *value)
{
    static max_align_t copy[64];
    kin_component_id id = real->port->parts[number].id;
    const kin_component_info *info = &real->port->info->components[id];
    if (kin_get(real->context, entity, id) != (info->is_soa ? NULL : value))
        broken(real, "kin_get");
    ck_assert_uint_le(info->size, sizeof copy);
    if (kin_look_read(real->context, entity, id, copy) != (value != NULL))
        broken(real, "kin_look_read");
    else if (value != NULL && !info->is_soa && real_read(real, number, copy) != real_read(real, number, value))
        broken(real, "a value read by id");
}

// Returns the tag, after has, get, get_unchecked, edit and kin_has.
static int32_t see(real *real, kin_entity entity, int32_t number, bool has)
{
    const model_port_part *part = &real->port->parts[number];
    if (kin_has(real->context, entity, part->id) != has)
        broken(real, "kin_has");
    if (part->get == NULL)
        return MODEL_NO_VALUE;
    const void *value = part->get(real->typed, entity);
    if ((value != NULL) != has || (has && part->get_unchecked(real->typed, entity) != value))
        broken(real, "get");
    show_by_id(real, entity, number, value);
    return real_read(real, number, value);
}

void real_show_entity(void *self, kin_entity entity)
{
    real *real = self;
    uint32_t parts = 0;
    for (int32_t i = 0; i < MODEL_PARTS; i++)
        if ((real->package->parts & model_bit(i)) != 0 && real->port->parts[i].has(real->typed, entity))
            parts |= model_bit(i);
    bool alive = real->port->is_alive(real->typed, entity);
    model_log(
        real->side,
        (model_record){
            .kind = MODEL_ENTITY, .entity = entity, .number = alive, .part = MODEL_NO_PART, .value = (int32_t)parts});
    for (int32_t i = 0; i < MODEL_PARTS; i++) {
        if ((real->package->parts & model_bit(i)) == 0)
            continue;
        bool has = (parts & model_bit(i)) != 0;
        int32_t tag = see(real, entity, i, has);
        if (has)
            model_log(real->side, (model_record){.kind = MODEL_ENTITY, .entity = entity, .part = i, .value = tag});
    }
}

// ---- groups

static void show_group(const real *real, int32_t number)
{
    kin_group *group = real->port->group(real->typed, real_matcher(real, number));
    uint32_t count = 0, again = 0;
    const kin_entity *members = kin_group_entities(group, &count);
    if (count != kin_group_count(group) || count != kin_group_copy_entities(group, NULL, 0))
        broken(real, "the count of a group");
    if (kin_group_entities(group, &again) != members || again != count) // GRP-03
        broken(real, "the array of a group");
    if (number < (int32_t)real->package->declared_count &&
        (real->port->groups[number].group(real->typed) != group ||
         real->port->groups[number].entities(real->typed, &again) != members || again != count))
        broken(real, "a declared group");
    for (uint32_t i = 0; i < count; i++) {
        if (!kin_group_contains(group, members[i]) ||
            !kin_matches(real->context, real_matcher(real, number), members[i]))
            broken(real, "contains");
        model_log(real->side, (model_record){.kind = MODEL_MEMBER, .number = number, .entity = members[i]});
    }
}

// ---- indices

static void show_key(const real *real, uint32_t index, int32_t first, int32_t second)
{
    const model_port_index *asked = &real->port->indices[index];
    uint32_t count = 0;
    const kin_entity *found = NULL;
    kin_entity only = 0;
    if (asked->find != NULL) {
        only = asked->find(real->typed, first, second);
        found = &only;
        count = only != 0;
    } else {
        found = asked->find_all(real->typed, first, second, &count);
    }
    for (uint32_t i = 0; i < count; i++)
        model_log(
            real->side,
            (model_record){
                .kind = MODEL_FOUND, .number = (int32_t)index, .part = first, .place = second, .entity = found[i]});
}

static void show_indices(const real *real)
{
    for (uint32_t index = 0; index < real->package->index_count; index++)
        for (int32_t first = 0; first < model_indices[index].ends[0]; first++)
            for (int32_t second = 0; second < model_indices[index].ends[1]; second++)
                show_key(real, index, first, second);
}

// ---- the rest

static void show_carriers(const real *real)
{
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        const model_port_part *each = &real->port->parts[part];
        if (each->has_unique == NULL)
            continue;
        kin_entity carrier = each->unique_entity(real->typed);
        const void *value = each->get_unique == NULL ? NULL : each->get_unique(real->typed);
        model_log(real->side, (model_record){.kind = MODEL_ANSWER,
                                             .part = part,
                                             .number = each->has_unique(real->typed),
                                             .entity = carrier,
                                             .value = real_read(real, part, value)});
    }
}

static void show_counts(real *real, bool coins_too)
{
    if (model_tokens_faults() != real->faults)
        broken(real, "something was dropped twice");
    real->faults = model_tokens_faults();
    model_log(real->side, (model_record){.kind = MODEL_COUNT,
                                         .number = (int32_t)kin_context_retained_count(real->context),
                                         .value = (int32_t)kin_context_reusable_count(real->context),
                                         .part = (int32_t)real->port->count(real->typed),
                                         .previous = coins_too ? (int32_t)model_tokens_count() : 0});
}

static void show_collectors(const real *real)
{
    for (int32_t c = 0; c < MODEL_COLLECTORS; c++) {
        const kin_entity *collected = NULL;
        kin_context *const *contexts = NULL;
        uint32_t of = 0;
        uint32_t count = 0;
        if (real->collectors[c] != NULL) {
            collected = kin_collector_entities(real->collectors[c], &count);
            contexts = kin_collector_contexts(real->collectors[c], &of);
        }
        for (uint32_t i = 0; i < count; i++) {
            if (of != count || contexts[i] != real->context)
                broken(real, "the contexts of a collector");
            model_log(real->side, (model_record){.kind = MODEL_COLLECTED, .number = c, .entity = collected[i]});
        }
    }
}

void real_show_all(void *self)
{
    real *real = self;
    uint32_t count = 0;
    const kin_entity *entities = real->port->entities(real->typed, &count);
    for (uint32_t i = 0; i < count; i++)
        real_show_entity(real, entities[i]);
    real_learn_groups(real);
    for (uint32_t i = 0; i < real->group_count; i++)
        show_group(real, real->matchers[i]);
    show_indices(real);
    show_carriers(real);
    show_collectors(real);
    show_counts(real, true);
    real_measure(real);
    if (real->shown++ % 16 == 0 && !kin__context_is_valid(real->context))
        broken(real, "the context is not valid");
}

kin_status real_ask(real *real, kin_entity entity)
{
    int32_t groups = 0;
    real_show_entity(real, entity);
    real_learn_groups(real);
    for (uint32_t i = 0; i < real->group_count; i++) {
        kin_matcher matcher = real_matcher(real, real->matchers[i]);
        const kin_group *group = real->port->group(real->typed, matcher);
        if (kin_group_contains(group, entity))
            groups |= (int32_t)model_bit((int32_t)i);
        if (real->context->info->off != NULL)
            matcher = kin_group_matcher(group); // kin_matches tests a matcher as it is written
        if (kin_matches(real->context, matcher, entity) != ((groups >> i & 1) != 0))
            broken(real, "kin_matches");
    }
    model_log(real->side, (model_record){.kind = MODEL_ANSWER, .entity = entity, .value = groups});
    bool alive = real->port->is_alive(real->typed, entity);
    for (uint32_t i = 0; i < real->package->index_count && alive; i++) {
        const model_index_trait *trait = &model_indices[i];
        int32_t tags[2] = {0, 0};
        bool is_in = true;
        for (int32_t part = 0; part < MODEL_PARTS; part++) {
            bool has = real->port->parts[part].has(real->typed, entity);
            is_in =
                is_in && (has || (trait->all & model_bit(part)) == 0) && (!has || (trait->none & model_bit(part)) == 0);
        }
        for (int k = 0; k < 2 && is_in; k++)
            if (trait->key[k] >= 0)
                tags[k] = real_read(real, trait->key[k], real->port->parts[trait->key[k]].get(real->typed, entity));
        if (is_in)
            show_key(real, i, tags[0], tags[1]);
    }
    show_carriers(real);
    show_collectors(real);
    show_counts(real, false);
    return KIN_OK;
}

// ---- walking

typedef struct walk {
    const real *real;
    const kin_group *group;
    int32_t matcher;
} walk;

static void begin(void *user, uint32_t count)
{
    const walk *walk = user;
    model_log(
        walk->real->side,
        (model_record){.kind = MODEL_VISITED, .part = MODEL_NO_PART, .number = walk->matcher, .value = (int32_t)count});
}

static void visit(void *user, kin_entity entity, int32_t tag)
{
    const walk *walk = user;
    model_call(walk->real->side, (model_record){.kind = MODEL_VISITED,
                                                .entity = entity,
                                                .number = walk->matcher,
                                                .value = kin_group_contains(walk->group, entity) ? tag : 0});
}

kin_status real_walk(real *real, int32_t matcher, bool by_blocks)
{
    const model_port_group *group = &real->port->groups[matcher];
    walk walk = {real, group->group(real->typed), matcher};
    real->walks++;
    group->walk(real->typed, by_blocks, &(model_walker){begin, visit, &walk});
    real->walks--;
    return KIN_OK;
}

// ---- describing

// Like snprintf: returns the whole length and writes what fits.
kin_status real_describe(real *real, kin_entity entity, int32_t matcher)
{
    char text[200], more[4000];
    size_t size = kin_describe_entity(real->context, entity, text, sizeof text);
    size_t again = kin_describe_entity(real->context, entity, more, sizeof more);
    if (size != again || strncmp(text, more, sizeof text - 1) != 0)
        broken(real, "the description of an entity");
    kin_matcher described = real_matcher(real, matcher);
    size = kin_describe_matcher(real->context, described, text, 20);
    if (strlen(text) > 19 || size != kin_describe_matcher(real->context, described, NULL, 0))
        broken(real, "the description of a matcher");
    return KIN_OK;
}
