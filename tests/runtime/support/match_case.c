#include "match_case.h"

#include "entity/entity.h"

#include <inttypes.h>

one_match_contexts *match;
one_game_context *match_game;
one_input_context *match_input;
kin_systems *match_systems;

static guard memory;

static void write_executed(const char *name, const kin_entity *entities, uint32_t count)
{
    log_write("%s(", name);
    for (uint32_t i = 0; i < count; i++)
        log_write("%s%" PRIu64, i == 0 ? "" : " ", kin_entity_creation_index(entities[i]));
    log_write(") ");
}

// ---- pieces

static one_game_entity create_piece(int32_t x, int32_t y)
{
    one_game_entity piece = one_game_create_entity(match_game);
    one_game_set_piece(match_game, piece, true);
    one_game_set_movable(match_game, piece, true);
    one_game_set_interactive(match_game, piece, true);
    one_game_add_position(match_game, piece, (one_Position){x, y});
    return piece;
}

static bool is_free(int32_t x, int32_t y)
{
    return one_game_entity_equals(one_game_entity_with_cell(match_game, x, y), ONE_GAME_NO_ENTITY);
}

// The place where a piece that falls from above `y` stops.
static int32_t landing(int32_t x, int32_t y)
{
    while (y > 0 && is_free(x, y - 1))
        y--;
    return y;
}

// ---- systems

static void process(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("process", entities, count);
    const one_Click *click = one_input_get_unique_click(match_input);
    one_game_entity piece = one_game_entity_with_cell(match_game, click->x, click->y);
    if (one_game_is_interactive(match_game, piece))
        one_game_set_destroyed(match_game, piece, true);
}

static void fill_board(void *self)
{
    (void)self;
    one_Board board = *one_game_get_unique_board(match_game);
    for (int32_t y = 0; y < board.height; y++)
        for (int32_t x = 0; x < board.width; x++)
            create_piece(x, y);
}

// Each marked entity leaves the group whose array is being walked.
static void cut_board(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("board", entities, count);
    one_Board board = *one_game_get_unique_board(match_game);
    uint32_t standing = 0;
    const one_game_entity *pieces = one_game_standing_entities(match_game, &standing);
    for (uint32_t i = 0; i < standing; i++) {
        const one_Position *at = one_game_get_position(match_game, pieces[i]);
        if (at->x < board.width && at->y < board.height)
            continue;
        uint32_t before = kin_group_count(one_game_standing_group(match_game));
        one_game_set_destroyed(match_game, pieces[i], true);
        ck_assert_uint_eq(kin_group_count(one_game_standing_group(match_game)), before - 1);
    }
}

static void fall(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("fall", entities, count);
    one_Board board = *one_game_get_unique_board(match_game);
    for (int32_t x = 0; x < board.width; x++)
        for (int32_t y = 1; y < board.height; y++) {
            one_game_entity piece = one_game_entity_with_cell(match_game, x, y);
            if (one_game_is_movable(match_game, piece) && is_free(x, y - 1))
                one_game_replace_position(match_game, piece, (one_Position){x, landing(x, y)});
        }
}

static void fill(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("fill", entities, count);
    one_Board board = *one_game_get_unique_board(match_game);
    for (int32_t x = 0; x < board.width; x++)
        for (int32_t y = landing(x, board.height); y < board.height; y++) {
            one_game_entity made = create_piece(x, y);
            log_write("+%" PRIu64 "@%" PRId32 ",%" PRId32 " ", kin_entity_creation_index(made.id), x, y);
        }
}

static bool is_destroyed_piece(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context;
    one_game_entity piece = one_game_entity_of(entity);
    return one_game_is_destroyed(match_game, piece) && one_game_is_piece(match_game, piece);
}

static void score(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("score", entities, count);
    one_Score score = *one_game_get_unique_score(match_game);
    one_game_replace_unique_score(match_game, (one_Score){score.value + (int32_t)count});
}

static void on_position(one_game_context *game, one_game_entity piece, const one_Position *position, void *user)
{
    (void)user;
    ck_assert_ptr_eq(game, match_game);
    log_write("%" PRIu64 "@%" PRId32 ",%" PRId32 " ", kin_entity_creation_index(piece.id), position->x, position->y);
}

static void view(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context;
    write_executed("view", entities, count);
    for (uint32_t i = 0; i < count; i++)
        one_game_add_position_listener(match_game, one_game_entity_of(entities[i]), on_position, NULL);
}

// ---- the whole

static kin_trigger added(kin_context *context, kin_component_id id)
{
    return (kin_trigger){kin_context_group(context, KIN_MATCHER(KIN_ALL(id))), KIN_ADDED};
}

static void add_reactive(kin_reactive_system system)
{
    ck_assert_int_eq(kin_systems_add_reactive(match_systems, system), KIN_OK);
}

static void add_systems(void)
{
    kin_context *game = &match_game->base, *input = &match_input->base;
    kin_trigger clicked = added(input, ONE_INPUT_CLICK), shown = added(game, ONE_GAME_PIECE);
    kin_trigger changed[] = {added(game, ONE_GAME_DESTROYED), added(game, ONE_GAME_BOARD)};
    add_reactive(
        (kin_reactive_system){.name = "process", .triggers = &clicked, .trigger_count = 1, .execute = process});
    add_reactive((kin_reactive_system){
        .name = "board", .triggers = &changed[1], .trigger_count = 1, .initialize = fill_board, .execute = cut_board});
    add_reactive((kin_reactive_system){.name = "fall", .triggers = changed, .trigger_count = 1, .execute = fall});
    add_reactive((kin_reactive_system){.name = "fill", .triggers = changed, .trigger_count = 2, .execute = fill});
    add_reactive((kin_reactive_system){
        .name = "score", .triggers = changed, .trigger_count = 1, .filter = is_destroyed_piece, .execute = score});
    add_reactive((kin_reactive_system){.name = "view", .triggers = &shown, .trigger_count = 1, .execute = view});
    kin_systems_add_systems(match_systems, one_game_event_systems(match_game));
    kin_systems_add_systems(match_systems, one_input_event_systems(match_input));
    kin_systems_add_systems(match_systems, one_game_cleanup_systems(match_game));
    kin_systems_add_systems(match_systems, one_input_cleanup_systems(match_input));
}

static void on_score(one_game_context *game, one_game_entity entity, const one_Score *score, void *user)
{
    (void)game, (void)entity, (void)user;
    log_write("score=%" PRId32 " ", score->value);
}

void match_start(void)
{
    one_game_set_unique_board(match_game, (one_Board){3, 3});
    one_game_set_unique_score(match_game, (one_Score){0});
    one_game_entity label = one_game_create_entity(match_game);
    one_game_add_any_score_listener(match_game, label, on_score, NULL);
    kin_systems_initialize(match_systems);
}

void match_begin(void)
{
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    log_begin();
    match = one_match_contexts_create(&options);
    ck_assert_ptr_nonnull(match);
    match_game = match->game;
    match_input = match->input;
    match_systems = kin_systems_create("match", &options);
    add_systems();
    match_start();
}

void match_end(void)
{
    ck_assert(kin__context_is_valid(&match_game->base) && kin__context_is_valid(&match_input->base));
    kin_systems_destroy(match_systems);
    one_match_contexts_destroy(match);
    guard_end(&memory);
}

void match_frame(void)
{
    kin_systems_execute(match_systems, 1.0);
    kin_systems_cleanup(match_systems);
}

void match_click(int32_t x, int32_t y)
{
    one_input_set_unique_click(match_input, (one_Click){x, y});
    match_frame();
}

one_game_entity match_piece(uint64_t creation_index, uint64_t slot)
{
    return one_game_entity_of(creation_index << 24 | slot);
}
