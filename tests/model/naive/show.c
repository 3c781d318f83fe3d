#include "naive.h"

static int32_t shown(const naive_slot *slot, int32_t part)
{
    bool has = slot != NULL && (slot->parts & model_bit(part)) != 0;
    return has && !model_traits[part].is_flag ? slot->tags[part] : MODEL_NO_VALUE;
}

// ENT-07: nothing of a dead entity is visible.
void naive_show_entity(void *self, kin_entity entity)
{
    naive *naive = self;
    const naive_slot *slot = naive_find(naive, entity);
    model_log(naive->side, (model_record){.kind = MODEL_ENTITY,
                                          .entity = entity,
                                          .number = slot != NULL,
                                          .part = MODEL_NO_PART,
                                          .value = slot == NULL ? 0 : (int32_t)slot->parts});
    for (int32_t part = 0; part < MODEL_PARTS && slot != NULL; part++)
        if ((slot->parts & model_bit(part)) != 0)
            model_log(naive->side,
                      (model_record){.kind = MODEL_ENTITY, .entity = entity, .part = part, .value = shown(slot, part)});
}

static void show_groups(naive *naive)
{
    for (uint32_t g = 0; g < naive->group_count; g++)
        for (uint32_t i = 0; i < naive->touched; i++)
            if (naive->slots[i].alive &&
                model_matches(&naive->package->matchers[naive->groups[g]], naive->slots[i].parts))
                model_log(
                    naive->side,
                    (model_record){.kind = MODEL_MEMBER, .number = naive->groups[g], .entity = naive->slots[i].entity});
}

// IDX-04, IDX-05, IDX-08; FND-20: no index of the model names the flag of `off` in `all`.
static void show_key(naive *naive, model_index index, int32_t first, int32_t second)
{
    int64_t key = model_key(index, first, second);
    for (uint32_t i = 0; i < naive->touched && key >= 0; i++)
        if (naive->slots[i].alive && !naive_is_off(naive, &naive->slots[i]) &&
            naive_has_key(&naive->slots[i], index, key))
            model_log(naive->side, (model_record){.kind = MODEL_FOUND,
                                                  .number = (int32_t)index,
                                                  .part = first,
                                                  .place = second,
                                                  .entity = naive->slots[i].entity});
}

static void show_indices(naive *naive)
{
    for (uint32_t index = 0; index < naive->package->index_count; index++)
        for (int32_t first = 0; first < model_indices[index].ends[0]; first++)
            for (int32_t second = 0; second < model_indices[index].ends[1]; second++)
                show_key(naive, (model_index)index, first, second);
}

static void show_carriers(naive *naive)
{
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        if (!model_traits[part].is_unique || (naive->package->parts & model_bit(part)) == 0)
            continue;
        const naive_slot *carrier = naive_carrier(naive, part);
        model_log(naive->side, (model_record){.kind = MODEL_ANSWER,
                                              .part = part,
                                              .number = carrier != NULL,
                                              .entity = carrier == NULL ? 0 : carrier->entity,
                                              .value = shown(carrier, part)});
    }
}

// Reports the owners of coins only outside of changes and runs, as dropped coins are kept until then.
static void show_counts(naive *naive, bool coins_too)
{
    model_log(naive->side,
              (model_record){.kind = MODEL_COUNT,
                             .number = (int32_t)naive_count_held(naive),
                             .value = (int32_t)naive->freed_count,
                             .part = (int32_t)naive_count_alive(naive),
                             .previous = coins_too ? (int32_t)naive_count_coins(naive) : 0}); // CMP-13, CMP-14, SNP-09
}

static void show_collectors(const naive *naive)
{
    for (int32_t c = 0; c < MODEL_COLLECTORS; c++)
        for (uint32_t i = 0; naive->collectors[c].made && i < naive->collectors[c].collected.count; i++)
            model_log(naive->side, (model_record){.kind = MODEL_COLLECTED,
                                                  .number = c,
                                                  .entity = naive->collectors[c].collected.entries[i]});
}

void naive_show_all(void *self)
{
    naive *naive = self;
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && !naive->slots[i].leaving)
            naive_show_entity(naive, naive->slots[i].entity);
    show_groups(naive);
    show_indices(naive);
    show_carriers(naive);
    show_collectors(naive);
    show_counts(naive, true);
}

// Shows everything that a callback can query about one entity: the current state (DSP-03, GRP-02, IDX-01).
kin_status naive_ask(naive *naive, kin_entity entity)
{
    const naive_slot *slot = naive_find(naive, entity);
    int32_t groups = 0;
    naive_show_entity(naive, entity);
    for (uint32_t i = 0; i < naive->group_count; i++)
        if (slot != NULL && model_matches(&naive->package->matchers[naive->groups[i]], slot->parts))
            groups |= (int32_t)model_bit((int32_t)i);
    model_log(naive->side, (model_record){.kind = MODEL_ANSWER, .entity = entity, .value = groups});
    for (uint32_t i = 0; i < naive->package->index_count && slot != NULL; i++) {
        int32_t first = slot->tags[model_indices[i].key[0]];
        int32_t second = model_indices[i].key[1] < 0 ? 0 : slot->tags[model_indices[i].key[1]];
        if (naive_is_in(slot, (model_index)i))
            show_key(naive, (model_index)i, first, second);
    }
    show_carriers(naive);
    show_collectors(naive);
    show_counts(naive, false);
    return KIN_OK;
}

// ---- walking

static bool is_member(const naive *naive, int32_t matcher, uint32_t slot)
{
    return naive->slots[slot].alive && model_matches(&naive->package->matchers[matcher], naive->slots[slot].parts);
}

static int32_t tag_of(const naive *naive, int32_t matcher, uint32_t place)
{
    const naive_slot *slot = &naive->slots[place];
    int32_t part = matcher == 1 ? PART_PLAIN : matcher == 3 ? PART_TURN : MODEL_NO_PART;
    if (naive->package->declared_count == 1)
        part = PART_PLAIN;
    return part == MODEL_NO_PART || !slot->alive || (slot->parts & model_bit(part)) == 0 ? 0 : slot->tags[part];
}

static void visit(naive *naive, int32_t matcher, uint32_t slot)
{
    model_call(naive->side,
               (model_record){.kind = MODEL_VISITED,
                              .entity = naive->slots[slot].alive ? naive->slots[slot].entity : 0,
                              .number = matcher,
                              .value = is_member(naive, matcher, slot) ? tag_of(naive, matcher, slot) : 0});
}

// GRP-09, GRP-10: slots that match when the run is handed out; the walk then shows their current entities.
kin_status naive_walk(naive *naive, int32_t matcher, bool by_blocks)
{
    bool chosen[512];
    for (uint32_t start = 0, end = 0; start < naive->touched; start = end) {
        bool any = is_member(naive, matcher, start);
        end = start + (by_blocks ? 64 : 1);
        while (!by_blocks && any && end % 512 != 0 && is_member(naive, matcher, end))
            end++;
        for (uint32_t i = start; i < end; i++) {
            chosen[i - start] = is_member(naive, matcher, i);
            any = any || chosen[i - start];
        }
        if (any)
            model_log(naive->side, (model_record){.kind = MODEL_VISITED,
                                                  .part = MODEL_NO_PART,
                                                  .number = matcher,
                                                  .value = (int32_t)(end - start)});
        for (uint32_t i = start; i < end; i++)
            if (chosen[i - start])
                visit(naive, matcher, i);
    }
    return KIN_OK;
}
