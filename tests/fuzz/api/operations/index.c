// Indices: an entity that is found by a key has the key, and the arrays of multi indices do not change.
#include "fuzz/api/values.h"

#include <math.h>
#include <string.h>

// The result of a lookup by one key of one index; `has` returns whether an entity belongs in it.
typedef struct found {
    uint32_t index;
    uint64_t key;
    const game_entity *entities;
    uint32_t count;
} found;

static snapshot_source source_of(const place *at, const found *found)
{
    return (snapshot_source){.owner = at->game, .kind = SHOWN_BY_INDEX, .index = found->index, .key = found->key};
}

static void keep(const place *at, const found *found)
{
    for (uint32_t i = 1; i < found->count; i++)
        CHECK(kin_entity_slot(found->entities[i - 1].id) < kin_entity_slot(found->entities[i].id));
    snapshot_keep(source_of(at, found), &at->game->base, found->entities, found->count * sizeof(game_entity));
}

// Looks up a multi index and compares the field of each entity that is found; `key` is the variable with the key.
#define SEE_FOUND(INDEX, KEY, CALL, TYPE, NAME, CONDITION)                                                             \
    do {                                                                                                               \
        found found = {.index = (INDEX), .key = (KEY)};                                                                \
        snapshot_forget(source_of(at, &found));                                                                        \
        found.entities = CALL;                                                                                         \
        for (uint32_t i = 0; i < found.count; i++) {                                                                   \
            const TYPE *value = game_get_##NAME(at->game, found.entities[i]);                                          \
            CHECK(value != NULL && (CONDITION));                                                                       \
        }                                                                                                              \
        keep(at, &found);                                                                                              \
    } while (0)

static void see_number(const place *at)
{
    int8_t m = (int8_t)take_below(4);
    SEE_FOUND(0, (uint64_t)m, game_entities_with_number_m(at->game, m, &found.count), Number, number, value->m == m);
}

static void see_tag_text(const place *at)
{
    uint32_t place = take_below(16);
    const char *text = text_at(place);
    SEE_FOUND(1, place, game_entities_with_tag_text(at->game, text, &found.count), Tag, tag,
              text != NULL && value->text != NULL && strcmp(value->text, text) == 0);
}

static void see_tag_label(const place *at)
{
    static const char *const labels[] = {"", "lab", "123456789", "x", "abcdefgh", "abcdefghij"};
    uint32_t place = take_below(6);
    const char *label = labels[place];
    SEE_FOUND(2, place, game_entities_with_tag_label(at->game, label, &found.count), Tag, tag,
              strcmp(value->label, label) == 0);
}

static void see_link(const place *at)
{
    game_entity to = {take_handle(&here->game_handles[at->package])};
    SEE_FOUND(3, to.id, game_entities_with_link_to(at->game, to, &found.count), Link, link, value->to.id == to.id);
}

// Both zeros are the same key.
static void see_real(const place *at)
{
    double d = take_seconds();
    bool is_negative_zero = d == 0 && take_below(2) == 1;
    uint64_t key = 0;
    if (d != 0)
        memcpy(&key, &d, sizeof key);
    SEE_FOUND(4, key, game_entities_with_real_d(at->game, is_negative_zero ? -0.0 : d, &found.count), Real, real,
              value->d == d);
}

static void see_badge(const place *at)
{
    SEE_FOUND(5, 0, game_entities_with_badge_s(at->game, SIDE_BLUE, &found.count), Badge, badge, value->s == SIDE_BLUE);
}

static void see_span(const place *at)
{
    uint32_t x = take_below(4), place = take_below(16), k = take_below(4);
    const char *text = text_at(place);
    SEE_FOUND(6, place * 64 + x * 8 + k,
              game_entities_with_span(at->game, (int8_t)x, text, (int16_t)((int)k - 1), &found.count), Cell, cell,
              value->x == (int8_t)x && game_has_name(at->game, found.entities[i]));
}

static void see_strip(const place *at)
{
    int16_t k = (int16_t)((int)take_below(4) - 1);
    found found = {.index = 7, .key = (uint64_t)k};
    snapshot_forget(source_of(at, &found));
    found.entities = game_entities_with_strip_k(at->game, k, &found.count);
    for (uint32_t i = 0; i < found.count; i++) {
        Strip value;
        CHECK(game_read_strip(at->game, found.entities[i], &value) && value.k == k);
    }
    keep(at, &found);
}

static void see_primary(const place *at)
{
    game_entity named = game_entity_with_name_value(at->game, take_text());
    CHECK(named.id == 0 || game_has_name(at->game, named));
    game_entity sided = game_entity_with_sides(at->game, SIDE_RED, (int8_t)take_below(4));
    CHECK(sided.id == 0 || (game_has_badge(at->game, sided) && !game_is_loud(at->game, sided)));
}

static void see_impossible(const place *at)
{
    CHECK(game_entity_with_tag_brief(at->game, "abcd").id == 0); // longer than the field
    CHECK(game_entity_with_tag_brief(at->game, NULL).id == 0);
    CHECK(game_entity_with_strip_l(at->game, "toolongkey").id == 0);
    CHECK(game_entity_with_real_f(at->game, NAN).id == 0);
}

static void see_entities(const place *at)
{
    snapshot_source source = {.owner = at->game, .kind = SHOWN_ENTITIES};
    snapshot_forget(source);
    uint32_t count = 0;
    const game_entity *entities = game_entities(at->game, &count);
    CHECK(entities == NULL || count == 0 || count == game_entity_count(at->game));
    snapshot_keep(source, &at->game->base, entities, count * sizeof *entities);
}

void do_index(const place *at)
{
    static void (*const kinds[])(const place *at) = {see_number,  see_tag_text,   see_tag_label, see_link,
                                                     see_real,    see_badge,      see_span,      see_strip,
                                                     see_primary, see_impossible, see_entities};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
