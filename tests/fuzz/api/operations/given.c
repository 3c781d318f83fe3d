// Indices by function (IDX-09 to IDX-12): their components, edited and touched ones, and lookups.
#include "fuzz/api/change.h"
#include "fuzz/api/mirror.h"

#include <string.h>

// ---- changes

static void change_part(const place *at)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    const part *part = &parts[FIRST_PARTS + take_below(PARTS - FIRST_PARTS)];
    change_component(&(change){take_change_kind(part), part, entity, at->package, false}, at->game);
}

// IDX-10: a refused touch leaves the edited value under its old keys. The old value is put back, so that every value
// has its keys. No error handler may come between.
static void edit_zone(const place *at)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    Zone edited = make_zone();
    attempt attempt = attempt_begin();
    Zone *value = here->reenters_errors ? NULL : game_edit_zone(at->game, entity);
    if (value == NULL)
        return;
    Zone before = *value;
    *value = edited;
    kin_status status = game_touch_zone(at->game, entity);
    CHECK(edited.n <= KIN_INDEX_KEYS || status != KIN_OK);
    if (status != KIN_OK) {
        CHECK(memcmp(value, &edited, sizeof edited) == 0);
        *value = before;
    }
    attempt_end_quiet(attempt, status);
    mirror_keep(at->package, &attempt);
}

static void stash_part(const place *at)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    const part *part = &stashed_parts[FIRST_STASHED_PARTS + take_below(STASHED_PARTS - FIRST_STASHED_PARTS)];
    bool restores = take_below(2) == 1;
    attempt attempt = attempt_begin();
    attempt_end(attempt, (restores ? part->restore : part->stash)(at->game, entity));
}

static void apply_blueprint(const place *at)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    bool is_zoned = take_below(2) == 1;
    attempt attempt = attempt_begin();
    attempt_end(attempt, is_zoned ? game_apply_zoned(at->game, entity) : game_apply_zealous(at->game, entity));
}

// ---- spawns

enum { BATCH = 6 };

static void keep_spawned(const place *at, const game_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        keep_handle(&here->game_handles[at->package], entities[i].id);
}

static void spawn(const place *at)
{
    bool is_zoned = take_below(2) == 1;
    attempt attempt = attempt_begin();
    game_entity entity = is_zoned ? game_spawn_zoned(at->game) : game_spawn_zealous(at->game);
    attempt_end_made(attempt, entity.id != 0);
    keep_handle(&here->game_handles[at->package], entity.id);
}

static void spawn_zoned(const place *at)
{
    Zone zone[BATCH];
    game_entity entities[BATCH] = {{0}};
    uint32_t count = take_below(BATCH + 1);
    for (uint32_t i = 0; i < count; i++)
        zone[i] = make_zone();
    attempt attempt = attempt_begin();
    attempt_end(attempt, game_spawn_many_zoned_with(at->game, count, &(game_zoned_values){.zone = zone}, entities));
    keep_spawned(at, entities, count);
}

// Keys that other entities of the batch have are refused too.
static void spawn_zealous(const place *at)
{
    Zone zone[BATCH];
    Zeal zeal[BATCH];
    Zip zip[BATCH];
    game_entity entities[BATCH] = {{0}};
    uint32_t count = take_below(BATCH + 1);
    uint8_t given = take_byte();
    for (uint32_t i = 0; i < count; i++) {
        zone[i] = make_zone();
        zeal[i] = make_zeal();
        zip[i] = make_zip();
    }
    game_zealous_values values = {.zone = (given & 1) != 0 ? zone : NULL,
                                  .zeal = (given & 2) != 0 ? zeal : NULL,
                                  .zip = (given & 4) != 0 ? zip : NULL};
    attempt attempt = attempt_begin();
    attempt_end(attempt, game_spawn_many_zealous_with(at->game, count, &values, entities));
    keep_spawned(at, entities, count);
}

// ---- lookups: each entity that is found has the key

static bool gives_zone(const Zone *zone, int32_t key)
{
    int32_t keys[KIN_INDEX_KEYS];
    uint32_t count = ordeal_zones(zone, keys);
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] == key)
            return true;
    return false;
}

static void see_zones(const place *at)
{
    int32_t key = (int32_t)take_below(24);
    uint32_t count = 0;
    snapshot_source source = {.owner = at->game, .kind = SHOWN_BY_INDEX, .index = 8, .key = (uint64_t)key};
    snapshot_forget(source);
    const game_entity *entities = game_entities_with_zones(at->game, key, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Zone *zone = game_get_zone(at->game, entities[i]);
        CHECK(zone != NULL && gives_zone(zone, key));
        CHECK(i == 0 || kin_entity_slot(entities[i - 1].id) < kin_entity_slot(entities[i].id));
    }
    snapshot_keep(source, &at->game->base, entities, count * sizeof *entities);
}

static void see_zips(const place *at)
{
    Zip wanted = {take_text(), 3};
    char keys[KIN_INDEX_KEYS][8], found_keys[KIN_INDEX_KEYS][8];
    uint32_t count = ordeal_zips(&wanted, keys);
    if (count == 0)
        return;
    const char *key = keys[take_below(count)];
    game_entity entity = game_entity_with_zips(at->game, key);
    const Zip *zip = game_get_zip(at->game, entity);
    CHECK((zip != NULL) == (entity.id != 0));
    if (zip == NULL)
        return;
    CHECK(!game_is_loud(at->game, entity));
    bool is_given = false;
    for (uint32_t i = 0, found = ordeal_zips(zip, found_keys); i < found; i++)
        is_given = is_given || strcmp(found_keys[i], key) == 0;
    CHECK(is_given);
}

static void see_zeals(const place *at)
{
    Zeal wanted = make_zeal(), zeal;
    Spot keys[KIN_INDEX_KEYS];
    ordeal_zeals(&wanted, &(Zone){wanted.a, 0, 0}, keys);
    game_entity entity = game_entity_with_zeals(at->game, keys[0]);
    if (entity.id == 0)
        return;
    const Zone *zone = game_get_zone(at->game, entity);
    CHECK(zone != NULL && game_read_zeal(at->game, entity, &zeal));
    CHECK(game_is_lit(at->game, entity) && !game_is_doomed(at->game, entity));
    CHECK(strcmp(zeal.label, wanted.label) == 0 && (zeal.a == wanted.a || zone->x == wanted.a));
}

void do_given(const place *at)
{
    static void (*const kinds[])(const place *at) = {change_part, change_part,     change_part,  edit_zone,   edit_zone,
                                                     stash_part,  apply_blueprint, spawn,        spawn_zoned, see_zones,
                                                     see_zips,    see_zeals,       spawn_zealous};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
