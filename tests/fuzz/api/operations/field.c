// Fields by path: read and written. Each value that a write leaves is one that the check of its component accepts.
#include "fuzz/api/mirror.h"
#include "fuzz/api/values.h"

#include <kin/reflect.h>
#include <string.h>

typedef struct path {
    kin_component_id id;
    const char *path;
    kin_type type;
} path;

// Fields that do not depend on others.
static const path free_paths[] = {
    {GAME_NAME, "value", KIN_TYPE_STRING},
    {GAME_NAME, "rest", KIN_TYPE_STRING},
    {GAME_TAG, "text", KIN_TYPE_STRING},
    {GAME_TAG, "label", KIN_TYPE_INLINE_STRING},
    {GAME_TAG, "brief", KIN_TYPE_INLINE_STRING},
    {GAME_NUMBER, "m", KIN_TYPE_INT8},
    {GAME_NUMBER, "p", KIN_TYPE_UINT8},
    {GAME_REAL, "f", KIN_TYPE_FLOAT},
    {GAME_REAL, "d", KIN_TYPE_DOUBLE},
    {GAME_OWNER, "text", KIN_TYPE_STRING},
    {GAME_HOARD, "text", KIN_TYPE_STRING},
    {GAME_CRATE, "inner.side", KIN_TYPE_ENUM},
    {GAME_CRATE, "inner.label", KIN_TYPE_INLINE_STRING},
    {GAME_CRATE, "inner.n[2]", KIN_TYPE_INT8},
    {GAME_STRIP, "l", KIN_TYPE_INLINE_STRING},
    {GAME_BADGE, "k.label", KIN_TYPE_INLINE_STRING},
    {GAME_BADGE, "k.side", KIN_TYPE_ENUM},
    {GAME_BADGE, "s", KIN_TYPE_ENUM},
    {GAME_BIT, "b", KIN_TYPE_BOOL},
    {GAME_CELL, "x", KIN_TYPE_INT8},
    {GAME_CELL, "y", KIN_TYPE_INT8},
    {GAME_ZONE, "x", KIN_TYPE_INT16},
    {GAME_ZONE, "y", KIN_TYPE_INT8},
    {GAME_ZONE, "n", KIN_TYPE_UINT8},
    {GAME_ZEAL, "a", KIN_TYPE_INT8},
    {GAME_ZEAL, "label", KIN_TYPE_INLINE_STRING},
    {GAME_ZIP, "text", KIN_TYPE_STRING},
    {GAME_ZIP, "n", KIN_TYPE_INT8},
};

// Paths that name no single value (RFL-05), and an id that the context does not have.
static const path wrong_paths[] = {
    {GAME_SLAB, "data", KIN_TYPE_UINT64},       {GAME_SLAB, "data[40]", KIN_TYPE_UINT64},
    {GAME_SLAB, "data[", KIN_TYPE_UINT64},      {GAME_SLAB, "data[4294967296]", KIN_TYPE_UINT64},
    {GAME_SLAB, "data[1]x", KIN_TYPE_UINT64},   {GAME_SLAB, "", KIN_TYPE_UINT64},
    {GAME_SLAB, NULL, KIN_TYPE_UINT64},         {GAME_HOARD, "first", KIN_TYPE_STRING},
    {GAME_HOARD, "first.a", KIN_TYPE_STRING},   {GAME_HOARD, "more[1].b[1]", KIN_TYPE_STRING},
    {GAME_HOARD, "more[2].a", KIN_TYPE_STRING}, {GAME_CRATE, "inner.at", KIN_TYPE_FLOAT},
    {GAME_CRATE, "inner.at.z", KIN_TYPE_FLOAT}, {GAME_SPREAD, "v.", KIN_TYPE_FLOAT},
    {GAME_SPREAD, "a[0]", KIN_TYPE_INT8},       {GAME_LIT, "x", KIN_TYPE_BOOL},
    {GAME_COMPONENT_COUNT, "x", KIN_TYPE_BOOL},
};

enum { FREE_PATHS = sizeof free_paths / sizeof *free_paths, WRONG_PATHS = sizeof wrong_paths / sizeof *wrong_paths };

// ---- values

// Small numbers, and some that the field's type does not have.
static int64_t take_integer(kin_type type)
{
    static const int64_t sides[] = {1, -4, 2000000000, 7}, far[] = {1000000, INT64_MAX, INT64_MIN, -70000};
    uint8_t choice = take_byte();
    if (type == KIN_TYPE_ENUM)
        return sides[choice % 4];
    return choice >= 252 ? far[choice - 252] : choice % 4;
}

static const char *take_string(kin_type type)
{
    static const char *const brief[] = {"", "a", "ab", "abc"};
    uint8_t choice = take_byte();
    if (type == KIN_TYPE_STRING)
        return text_at(choice);
    return choice >= 252 ? "longer than any field" : brief[choice % 4];
}

static kin_field_value take_value(kin_type type)
{
    kin_field_value value;
    memset(&value, 0, sizeof value);
    value.type = type;
    switch (type) {
    case KIN_TYPE_BOOL:
        value.as.boolean = take_below(2) == 1;
        break;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        value.as.number = take_seconds();
        break;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        value.as.string = take_string(type);
        break;
    default:
        value.as.integer = take_integer(type);
        break;
    }
    return value;
}

static bool is_same_string(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same(const kin_field_value *a, const kin_field_value *b)
{
    switch (a->type) {
    case KIN_TYPE_BOOL:
        return a->as.boolean == b->as.boolean;
    case KIN_TYPE_FLOAT:
        return (float)a->as.number == (float)b->as.number;
    case KIN_TYPE_DOUBLE:
        return a->as.number == b->as.number;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        return is_same_string(a->as.string, b->as.string);
    default:
        return a->as.integer == b->as.integer;
    }
}

// ---- operations

// The status of the first checks.
static kin_status expect(const place *at, kin_entity entity, const path *path)
{
    if (!mirror_is_alive(at->package, entity))
        return KIN_ERROR_NOT_ALIVE;
    return mirror_has(at->package, entity, path->id) ? KIN_OK : KIN_ERROR_NO_COMPONENT;
}

static bool may_refuse_write(kin_status status)
{
    return status == KIN_OK || status == KIN_ERROR_INVALID || status == KIN_ERROR_DUPLICATE_KEY ||
           status == KIN_ERROR_LIMIT || status == KIN_ERROR_NO_MEMORY;
}

static void compare_written(const place *at, kin_entity entity, const path *path, const kin_field_value *written)
{
    kin_field_value value;
    CHECK(kin_field_read(&at->game->base, entity, path->id, path->path, &value) == KIN_OK);
    CHECK(value.type == path->type && is_same(&value, written));
}

// Sometimes a value of a type that never fits.
static void write_field(const place *at, kin_entity entity)
{
    const path *path = &free_paths[take_below(FREE_PATHS)];
    kin_field_value value = take_value(path->type);
    bool is_other = take_below(16) == 0;
    if (is_other)
        value.type = KIN_TYPE_ENTITY;
    mirror_sync(at->package);
    bool is_known = mirror_is_known(at->package);
    kin_status expected = is_known ? expect(at, entity, path) : KIN_OK;
    attempt attempt = attempt_begin();
    kin_status status = kin_field_write(&at->game->base, entity, path->id, path->path, value);
    if (is_known)
        CHECK(expected != KIN_OK ? status == expected : may_refuse_write(status));
    CHECK(!is_other || status != KIN_OK);
    if (is_known && status == KIN_OK && here->operations == attempt.operations && !here->deep_nested)
        compare_written(at, entity, path, &value);
    attempt_end_quiet(attempt, status);
    mirror_keep(at->package, &attempt);
}

static void read_field(const place *at, kin_entity entity)
{
    const path *path = &free_paths[take_below(FREE_PATHS)];
    kin_field_value value = {.type = KIN_TYPE_OPAQUE};
    mirror_sync(at->package);
    bool is_known = mirror_is_known(at->package);
    attempt attempt = attempt_begin();
    kin_status status = kin_field_read(&at->game->base, entity, path->id, path->path, &value);
    if (is_known)
        CHECK(status == expect(at, entity, path));
    CHECK(value.type == (status == KIN_OK ? path->type : KIN_TYPE_OPAQUE));
    if (status == KIN_OK && path->type == KIN_TYPE_STRING)
        CHECK(text_is_known(value.as.string));
    attempt_end(attempt, status);
}

static void pass_wrong_path(const place *at, kin_entity entity)
{
    const path *path = &wrong_paths[take_below(WRONG_PATHS)];
    kin_field_value value = take_value(path->type);
    bool writes = take_below(2) == 1;
    attempt attempt = attempt_begin();
    kin_status status = writes ? kin_field_write(&at->game->base, entity, path->id, path->path, value)
                               : kin_field_read(&at->game->base, entity, path->id, path->path, &value);
    CHECK(status == KIN_ERROR_INVALID);
    attempt_end(attempt, status);
}

void do_field(const place *at)
{
    static void (*const kinds[])(const place *at, kin_entity entity) = {write_field, write_field, write_field,
                                                                        read_field, pass_wrong_path};
    if (at->game == NULL)
        return;
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    kinds[take_below(sizeof kinds / sizeof *kinds)](at, entity);
}
