// Fuzzing edits that break what holds in a game: circles in trees, second unique entities, keys that are taken,
// relations to dead entities, and numbers out of their range. Each four bytes are an edit.
//
// An edit that is refused changes nothing; after one that is not, trees have no circle, targets are alive, keys find
// their entities, and numbers are in their ranges.
#include "inspect/game.h"

#include "entity/entity.h"

#include <estate/estate.h>
#include <kin/inspect.h>
#include <kin/reflect.h>
#include <kin/snapshot.h>

#include <jansson.h>

enum { ANSWER = 1 << 16, REQUEST = 512, MOST_EDITS = 64, EDIT_SIZE = 4, MOST_ENTITIES = 40, ENTITY_TEXT = 24 };

static kin_inspector *inspector;
static land_context *land;
static kin_context *game;
static char answer[ANSWER];

uint32_t estate_ranks(const Rank *rank, const Place *place, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = rank->number;
    keys[1] = place->cell;
    return 2;
}

// ---- the two games

static void begin(void)
{
    kin_inspector_options options = {.offline = true, .on_error = game_ignore_error};
    land = land_context_create(&(kin_context_options){.on_error = game_ignore_error});
    game = game_begin();
    inspector = kin_inspector_create(&options);
    REQUIRE(land != NULL && inspector != NULL && kin_inspector_add(inspector, &land->base, NULL) == KIN_OK);
    REQUIRE(kin_inspector_add(inspector, game, NULL) == KIN_OK);
    for (uint32_t i = 0; i < GAME_ENTITIES; i++)
        land_add_child_of(land, land_create_entity(land), (ChildOf){LAND_NO_ENTITY});
}

static uint64_t hash_of(kin_context *context)
{
    kin_snapshot *moment = NULL;
    REQUIRE(kin__context_save(context, &moment) == KIN_OK);
    uint64_t hash = kin_snapshot_hash(moment);
    kin_snapshot_destroy(moment);
    return hash;
}

// ---- requests

// A living entity, a dead one, or none.
static const char *entity_text(uint8_t choice, char *text)
{
    uint32_t count = 0;
    const land_entity *entities = land_entities(land, &count);
    if (choice >= 250)
        return "null";
    if (choice >= 240 || count == 0)
        snprintf(text, ENTITY_TEXT, "\"%u:%u\"", choice % 9u + 1, choice % 5u);
    else
        snprintf(text, ENTITY_TEXT, "\"%llu:%u\"",
                 (unsigned long long)kin_entity_creation_index(entities[choice % count].id),
                 (unsigned)kin_entity_slot(entities[choice % count].id));
    return text;
}

// Returns whether the edit was made.
static bool request(const char *method, const char *params)
{
    char text[REQUEST];
    int size =
        snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}", method, params);
    REQUIRE(size > 0 && size < REQUEST);
    size_t length = kin_inspector_request(inspector, text, (size_t)size, answer, sizeof answer);
    REQUIRE(length > 0 && length < sizeof answer);
    json_t *document = json_loadb(answer, length, 0, NULL);
    REQUIRE(document != NULL);
    bool is_made = json_object_get(document, "error") == NULL;
    if (getenv("KIN_FUZZ_SHOW") != NULL)
        fprintf(stderr, "%s\n    %s\n", text, answer);
    json_decref(document);
    return is_made;
}

// ---- what holds of the land

static bool finds_itself(land_entity entity, int32_t key)
{
    return land_entity_with_ranks_of(land, key).id == entity.id;
}

static void check_entity(land_entity entity, uint32_t count)
{
    uint32_t depth = 0;
    for (land_entity each = entity; each.id != 0; depth++) {
        const ChildOf *child = land_get_child_of(land, each);
        REQUIRE(land_entity_is_alive(land, each) && depth <= count);
        each = child == NULL ? LAND_NO_ENTITY : child->parent;
    }
    const Lease *lease = land_get_lease(land, entity);
    const Crown *crown = land_get_crown(land, entity);
    const Place *place = land_get_place(land, entity);
    const Rank *rank = land_get_rank(land, entity);
    REQUIRE(lease == NULL || lease->of.id == 0 || land_entity_is_alive(land, lease->of));
    REQUIRE(crown == NULL || land_unique_crown_entity(land).id == entity.id);
    if (place != NULL && !land_has_rides_on(land, entity))
        REQUIRE(land_entity_with_walkers(land, place->cell).id == entity.id);
    if (place != NULL && rank != NULL)
        REQUIRE(finds_itself(entity, rank->number) && finds_itself(entity, place->cell));
}

static void check_land(void)
{
    uint32_t count = 0;
    REQUIRE(kin__context_is_valid(&land->base));
    const land_entity *entities = land_entities(land, &count);
    for (uint32_t i = 0; i < count; i++)
        check_entity(entities[i], count);
}

// ---- edits of the land

static const char *const relations[] = {"ChildOf.parent", "RidesOn.mount", "Lease.of",   "Visit.of",
                                        "Claim.on",       "Deed.to",       "Crown.heir", "Rank.under"};
static const char *const numbers[] = {"Place.cell", "Rank.number"};

enum {
    RELATIONS = sizeof relations / sizeof *relations,
    NUMBERS = sizeof numbers / sizeof *numbers,
    ADD_OR_REPLACE = 2
};

static bool set_relation(const uint8_t *bytes, const char *entity, const char *target)
{
    char params[REQUEST / 2];
    const char *path = relations[bytes[2] % RELATIONS], *field = strchr(path, '.') + 1;
    int name = (int)(field - path) - 1;
    if (bytes[0] % 4 >= ADD_OR_REPLACE) {
        snprintf(params, sizeof params, "\"context\":\"land\",\"entity\":%s,\"path\":\"%s\",\"value\":%s%s", entity,
                 path, target, bytes[0] % 8 == 7 ? ",\"force\":true" : "");
        return request("components.set", params);
    }
    snprintf(params, sizeof params, "\"context\":\"land\",\"entity\":%s,\"component\":\"%.*s\",\"value\":{\"%s\":%s}",
             entity, name, path, field, target);
    return request(bytes[0] % 4 == 0 ? "components.add" : "components.replace", params);
}

static bool set_number(const uint8_t *bytes, const char *entity)
{
    char params[REQUEST / 2];
    const char *path = numbers[bytes[2] % NUMBERS], *field = strchr(path, '.') + 1;
    snprintf(params, sizeof params, "\"context\":\"land\",\"entity\":%s,\"component\":\"%.*s\",\"value\":{\"%s\":%u}",
             entity, (int)(field - path) - 1, path, field, bytes[3] % 6u);
    return request(bytes[0] % 2 == 0 ? "components.add" : "components.replace", params);
}

static bool remove_or_destroy(const uint8_t *bytes, const char *entity)
{
    char params[REQUEST / 2];
    const char *path = relations[bytes[2] % RELATIONS];
    if (bytes[0] % 2 == 0) {
        snprintf(params, sizeof params, "\"context\":\"land\",\"entity\":%s", entity);
        return request(bytes[3] % 4 == 0 ? "entities.clone" : "entities.destroy", params);
    }
    snprintf(params, sizeof params, "\"context\":\"land\",\"entity\":%s,\"component\":\"%.*s\"", entity,
             (int)(strchr(path, '.') - path), path);
    return request("components.remove", params);
}

static bool make(const uint8_t *bytes, const char *target)
{
    char params[REQUEST / 2];
    if (bytes[0] % 2 == 0)
        return request("entities.spawn", "\"context\":\"land\",\"blueprint\":\"Tenant\"");
    uint32_t count = land_entity_count(land);
    snprintf(params, sizeof params,
             "\"context\":\"land\",\"components\":{\"ChildOf\":{\"parent\":%s},\"Crown\":{\"heir\":%s},\"Place\":{"
             "\"cell\":%u}}",
             target, target, bytes[3] % 6u);
    bool is_made = request("entities.create", params);
    REQUIRE(land_entity_count(land) == count + is_made);
    return true; // the next entity has another handle after a refusal, too: one was made and destroyed
}

static bool edit_land(const uint8_t *bytes)
{
    char first[ENTITY_TEXT], second[ENTITY_TEXT];
    const char *entity = entity_text(bytes[1], first), *target = entity_text(bytes[3], second);
    switch (bytes[0] / 8 % 8) {
    case 0:
        return remove_or_destroy(bytes, entity);
    case 1:
        return land_entity_count(land) < MOST_ENTITIES && make(bytes, target);
    case 2:
    case 3:
        return set_number(bytes, entity);
    default:
        return set_relation(bytes, entity, target);
    }
}

// ---- edits of numbers with a range

typedef struct ranged {
    const char *component, *path;
    double min, max;
} ranged;

static void edit_range(const uint8_t *bytes)
{
    static const ranged all[] = {{"AllNumbers", "f32", -0.25, 0.1000001},
                                 {"AllNumbers", "u32", 16, 4294967295.0},
                                 {"AllNumbers", "f64", -1e308, 1e300},
                                 {"Arrays", "numbers[2]", -3, 4}};
    static const char *const values[] = {"0",       "-1",    "5",    "16", "1e301",
                                         "\"NaN\"", "-0.26", "0.11", "3",  "\"Infinity\""};
    const ranged *ranged = &all[bytes[2] % 4];
    const char *value = values[bytes[3] % 10];
    char params[REQUEST / 2];
    kin_entity entity = kin_look_entity(game, bytes[1] % GAME_ENTITIES);
    snprintf(params, sizeof params, "\"context\":\"game\",\"entity\":\"%llu:%u\",\"path\":\"%s.%s\",\"value\":%s",
             (unsigned long long)kin_entity_creation_index(entity), (unsigned)kin_entity_slot(entity),
             ranged->component, ranged->path, value);
    kin_field_value now;
    kin_component_id id = kin_component_find(kin_context_info_of(game), ranged->component);
    bool is_made = request("components.set", params);
    if (!is_made || kin_field_read(game, entity, id, ranged->path, &now) != KIN_OK)
        return;
    double number = now.type == KIN_TYPE_FLOAT || now.type == KIN_TYPE_DOUBLE ? now.as.number : (double)now.as.integer;
    REQUIRE(number >= ranged->min && number <= ranged->max);
}

// ---- one input

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    begin();
    for (uint32_t i = 0; i < MOST_EDITS && size >= EDIT_SIZE; i++, bytes += EDIT_SIZE, size -= EDIT_SIZE) {
        bool is_land = bytes[0] < 224;
        kin_context *context = is_land ? &land->base : game;
        uint64_t before = hash_of(context);
        bool is_made = false;
        if (is_land)
            is_made = edit_land(bytes);
        else
            edit_range(bytes), is_made = true;
        REQUIRE(is_made || hash_of(context) == before);
        check_land();
    }
    kin_inspector_destroy(inspector);
    land_context_destroy(land);
    kin__context_destroy(game);
    return 0;
}
