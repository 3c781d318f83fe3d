// Checks a context at any time: its structure is valid, and each entity is found by its keys.
#include "mirror.h"
#include "values.h"

bool kin__context_is_valid(const kin_context *context); // of the runtime's checked build

void verify_all(void)
{
    for (uint32_t i = 0; i < PACKAGES; i++) {
        if (game_of(i) != NULL)
            CHECK(kin__context_is_valid(&game_of(i)->base));
        if (other_of(i) != NULL)
            CHECK(kin__context_is_valid(&other_of(i)->base));
        mirror_compare(i);
    }
    snapshot_compare_all();
}

// ---- keys

static void verify_fields(const game_context *game, game_entity entity)
{
    Spread spread;
    Strip strip;
#define VERIFY_VALUE(TYPE, NAME)                                                                                       \
    do {                                                                                                               \
        const TYPE *value = game_get_##NAME(game, entity);                                                             \
        CHECK((value != NULL) == game_has_##NAME(game, entity));                                                       \
        if (value != NULL)                                                                                             \
            check_##NAME(value);                                                                                       \
    } while (0)
    VERIFY_VALUE(Pos, pos);
    VERIFY_VALUE(Vel, vel);
    VERIFY_VALUE(Slab, slab);
    VERIFY_VALUE(Crate, crate);
    VERIFY_VALUE(Owner, owner);
    VERIFY_VALUE(Hoard, hoard);
    VERIFY_VALUE(Sole, sole);
    VERIFY_VALUE(Link, link);
    VERIFY_VALUE(Zone, zone);
    VERIFY_VALUE(Zip, zip);
    if (game_read_spread(game, entity, &spread))
        check_spread(&spread);
    if (game_read_strip(game, entity, &strip))
        check_strip(&strip);
}

// Each primary key finds the entity that has it; a NULL string is not a key.
static void verify_keys(game_context *game, game_entity entity)
{
    const Name *name = game_get_name(game, entity);
    const Number *number = game_get_number(game, entity);
    const Tag *tag = game_get_tag(game, entity);
    const Real *real = game_get_real(game, entity);
    const Badge *badge = game_get_badge(game, entity);
    const Cell *cell = game_get_cell(game, entity);
    Strip strip;
    if (name != NULL && name->value != NULL)
        CHECK(game_entity_with_name_value(game, name->value).id == entity.id);
    if (number != NULL)
        CHECK(game_entity_with_number_p(game, number->p).id == entity.id);
    if (tag != NULL)
        CHECK(game_entity_with_tag_brief(game, tag->brief).id == entity.id);
    if (real != NULL)
        CHECK(game_entity_with_real_f(game, real->f).id == entity.id);
    if (badge != NULL)
        CHECK(game_entity_with_badge_k(game, badge->k).id == entity.id);
    if (cell != NULL && game_is_lit(game, entity) && !game_is_doomed(game, entity))
        CHECK(game_entity_with_cell(game, cell->x, cell->y).id == entity.id);
    if (game_read_strip(game, entity, &strip))
        CHECK(game_entity_with_strip_l(game, strip.l).id == entity.id);
}

// IDX-09: an entity is found by each key that the function gives for its values. Copies, as an array that was returned
// must stay as it is, and as there may be no memory for one.
static bool has_zone(const game_context *game, game_entity entity, int32_t key)
{
    static _Thread_local game_entity found[4096];
    uint32_t count = game_copy_entities_with_zones(game, key, found, sizeof found / sizeof *found);
    for (uint32_t i = 0; i < count && i < sizeof found / sizeof *found; i++)
        if (found[i].id == entity.id)
            return true;
    return false;
}

static void verify_given_keys(game_context *game, game_entity entity)
{
    const Zone *zone = game_get_zone(game, entity);
    const Zip *zip = game_get_zip(game, entity);
    int32_t zones[KIN_INDEX_KEYS];
    char zips[KIN_INDEX_KEYS][8];
    Spot spots[KIN_INDEX_KEYS];
    Zeal zeal;
    for (uint32_t i = 0, count = zone != NULL ? ordeal_zones(zone, zones) : 0; i < count; i++)
        CHECK(has_zone(game, entity, zones[i]));
    for (uint32_t i = 0, count = zip != NULL ? ordeal_zips(zip, zips) : 0; i < count; i++)
        CHECK(game_is_loud(game, entity) || game_entity_with_zips(game, zips[i]).id == entity.id);
    if (zone == NULL || !game_read_zeal(game, entity, &zeal) || !game_is_lit(game, entity) ||
        game_is_doomed(game, entity))
        return;
    for (uint32_t i = 0, count = ordeal_zeals(&zeal, zone, spots); i < count; i++)
        CHECK(game_entity_with_zeals(game, spots[i]).id == entity.id);
}

void verify_game(game_context *game)
{
    uint32_t count = 0;
    snapshot_forget((snapshot_source){.owner = game, .kind = SHOWN_ENTITIES});
    const game_entity *entities = game_entities(game, &count);
    CHECK(count == 0 || count == game_entity_count(game)); // 0: no memory for the array
    for (uint32_t i = 0; i < count; i++) {
        CHECK(i == 0 || kin_entity_slot(entities[i - 1].id) < kin_entity_slot(entities[i].id));
        CHECK(game_entity_is_alive(game, entities[i]));
        verify_fields(game, entities[i]);
        verify_keys(game, entities[i]);
        verify_given_keys(game, entities[i]);
    }
    verify_ordered(game);
}
