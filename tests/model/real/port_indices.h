// Included once by the port of each package that has all parts, after port_values.h: lookups in its indices, by tags.
// CONTEXT is defined. Without an include guard: every package includes it.
#include <kin/kin.h>

#define GLUED_(a, b) a##b
#define GLUED(a, b)  GLUED_(a, b)
#define ASK(name)    GLUED(CONTEXT, _##name)

static kin_entity find_cell(void *context, int32_t first, int32_t second)
{
    Cell cell = make_cell(first);
    return ASK(entity_with_cell)(context, cell.x, cell.y, make_floor(second).z).id;
}

static kin_entity find_name(void *context, int32_t first, int32_t second)
{
    (void)second;
    return ASK(entity_with_name_value)(context, make_name(first).value).id;
}

static kin_entity find_rank(void *context, int32_t first, int32_t second)
{
    (void)second;
    return ASK(entity_with_rank_number)(context, number_of(first)).id;
}

static const kin_entity *find_link(void *context, int32_t first, int32_t second, uint32_t *count)
{
    (void)second;
    return (const kin_entity *)(const void *)ASK(entities_with_link_target)(context, target_of(first), count);
}

static const kin_entity *find_spot(void *context, int32_t first, int32_t second, uint32_t *count)
{
    return (const kin_entity *)(const void *)ASK(entities_with_spot)(context, make_cell(first).x, side_of(second),
                                                                     count);
}

static const kin_entity *find_team(void *context, int32_t first, int32_t second, uint32_t *count)
{
    (void)second;
    return (const kin_entity *)(const void *)ASK(entities_with_team_side)(context, side_of(first), count);
}

static const kin_entity *find_book(void *context, int32_t first, int32_t second, uint32_t *count)
{
    (void)second;
    return (const kin_entity *)(const void *)ASK(entities_with_book_title)(context, title_of(first), count);
}

static kin_entity find_claim(void *context, int32_t first, int32_t second)
{
    (void)second;
    return ASK(entity_with_claim)(context, first % 31).id;
}

static const kin_entity *find_near(void *context, int32_t first, int32_t second, uint32_t *count)
{
    (void)second;
    return (const kin_entity *)(const void *)ASK(entities_with_near)(context, first % 9, count);
}

#define INDICES                                                                                                        \
    [INDEX_BOOK] = {.find_all = find_book}, [INDEX_CELL] = {.find = find_cell},                                        \
    [INDEX_LINK] = {.find_all = find_link}, [INDEX_NAME] = {.find = find_name}, [INDEX_RANK] = {.find = find_rank},    \
    [INDEX_SPOT] = {.find_all = find_spot}, [INDEX_CLAIM] = {.find = find_claim},                                      \
    [INDEX_NEAR] = {.find_all = find_near}, [INDEX_TEAM] = {.find_all = find_team}
