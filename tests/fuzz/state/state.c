#include "fuzz/state/state.h"

#include <stdarg.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

char last_error[512];
uint32_t error_count, executor_errors;
realm_world *world;
land_context *land;
bool has_refused_value;

// ---- choices

static const uint8_t *bytes_left;
static size_t left;
static land_entity handles[HANDLES];
static uint32_t handle_count;
static bool shows;

uint8_t take_byte(void)
{
    if (left == 0)
        return 0;
    left--;
    return *bytes_left++;
}

uint32_t take_below(uint32_t end)
{
    return take_byte() % end;
}

// An entity that was made by an operation, also a dead one, any living one, or none.
land_entity take_entity(void)
{
    uint8_t choice = take_byte();
    uint32_t words = kin_look_words(&land->base);
    if (choice < 2 * HANDLES)
        return handles[choice % HANDLES];
    if (choice >= 250 || words == 0)
        return LAND_NO_ENTITY;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = (choice + i) % words;
        uint64_t alive = kin_look_alive(&land->base, word) >> choice % 16 << choice % 16;
        if (alive != 0)
            return land_entity_of(kin_look_entity(&land->base, word * 64 + (uint32_t)__builtin_ctzll(alive)));
    }
    return LAND_NO_ENTITY;
}

void keep_entity(land_entity entity)
{
    if (entity.id != 0)
        handles[handle_count++ % HANDLES] = entity;
}

void show(const char *format, ...)
{
    va_list arguments;
    if (!shows)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

// ---- memory and errors

typedef struct memory_state {
    size_t size, blocks;
    uint32_t fail_in; // the next request that fails, counted from 1; 0: none
} memory_state;

static memory_state memory;

static void *allocate(size_t size, size_t alignment, void *user)
{
    void *block = NULL;
    CHECK(user == &memory && size > 0);
    if (memory.fail_in > 0 && --memory.fail_in == 0)
        return NULL;
    CHECK(posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0);
    memset(block, 0xA5, size);
    memory.size += size;
    memory.blocks++;
    return block;
}

static void release(void *block, size_t size, void *user)
{
    CHECK(user == &memory && block != NULL && memory.blocks > 0 && memory.size >= size);
    memset(block, 0x5A, size);
    memory.size -= size;
    memory.blocks--;
    free(block);
}

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    snprintf(last_error, sizeof last_error, "%s", error->message);
    show("    ! %s", error->message);
    error_count++;
    executor_errors += strstr(error->message, "executor") != NULL;
}

static kin_context_options options(void)
{
    return (kin_context_options){.allocator = {allocate, release, &memory}, .on_error = on_error, .hash_seed = 7};
}

// A refusal is reported once.
static uint32_t errors_before;

static void end_call(kin_status status)
{
    CHECK(error_count - errors_before == (status != KIN_OK));
}

// ---- states

static bool is_same_file(const buffer *one, const buffer *other)
{
    return one->size == other->size && (one->size == 0 || memcmp(one->bytes, other->bytes, one->size) == 0);
}

static bool write_state(const state *state, buffer *file)
{
    file->size = 0;
    kin_status status = realm_write(state->snapshot, buffer_sink(file), NULL);
    CHECK(status == KIN_OK || (status == KIN_ERROR_INVALID && has_refused_value));
    return status == KIN_OK;
}

static void save(state *state, bool is_whole)
{
    if (state->is_whole != is_whole) {
        kin_snapshot_destroy(state->snapshot);
        state->snapshot = NULL;
    }
    kin_status status = is_whole ? realm_world_save(world, &state->snapshot) : land_save(land, &state->snapshot);
    CHECK(status == KIN_OK || (status == KIN_ERROR_RETAINED && !is_whole));
    state->is_whole = is_whole;
    state->is_exact = status == KIN_OK;
    state->hash = kin_snapshot_hash(state->snapshot);
    state->model = model_now;
    state->has_file = write_state(state, &state->file);
}

void state_save(state *state)
{
    save(state, true);
}

void state_restore(const state *state)
{
    kin_status status = state->is_whole ? realm_world_restore(world, state->snapshot, KIN_RESTORE_EXACTLY)
                                        : land_restore(land, state->snapshot, KIN_RESTORE_EXACTLY);
    CHECK(status == KIN_OK);
    model_now = state->model;
    if (!state->is_whole)
        model_forget();
}

static bool show_difference(const kin_difference *difference, void *user)
{
    char text[256];
    kin_difference_describe(difference, text, sizeof text);
    fprintf(stderr, "  %s\n", text);
    return user == NULL;
}

static void write_aside(const state *state, const char *path)
{
    realm_write_path(state->snapshot, path, NULL);
    fprintf(stderr, "  written to %s\n", path);
}

void state_compare(const state *one, const state *other)
{
    bool is_same = kin_snapshot_compare(one->snapshot, other->snapshot, NULL, NULL) == 0 && one->hash == other->hash &&
                   (!one->has_file || is_same_file(&one->file, &other->file));
    if (!is_same && getenv("KIN_FUZZ_SHOW") != NULL) {
        kin_snapshot_compare(one->snapshot, other->snapshot, show_difference, NULL);
        write_aside(one, "one.kin");
        write_aside(other, "other.kin");
    }
    CHECK(kin_snapshot_compare(one->snapshot, other->snapshot, NULL, NULL) == 0);
    CHECK(one->hash == other->hash);
    CHECK(one->has_file == other->has_file);
    CHECK(!one->has_file || is_same_file(&one->file, &other->file));
}

void state_release(state *state)
{
    kin_snapshot_destroy(state->snapshot);
    buffer_release(&state->file);
    memset(state, 0, sizeof *state);
}

// ---- moments: states that are restored later

enum { MOMENTS = 4 };

static state moments[MOMENTS], now, again;

static void do_save(void)
{
    state *moment = &moments[take_below(MOMENTS)];
    save(moment, take_below(2) == 0);
}

// Without memory nothing changes.
static bool restore_with_little_memory(const state *moment)
{
    uint8_t choice = take_byte();
    if (choice < 200)
        return false;
    save(&now, true);
    memory.fail_in = choice - 199u;
    kin_status status = moment->is_whole ? realm_world_restore(world, moment->snapshot, KIN_RESTORE_EXACTLY)
                                         : land_restore(land, moment->snapshot, KIN_RESTORE_EXACTLY);
    memory.fail_in = 0;
    CHECK(status == KIN_OK || status == KIN_ERROR_NO_MEMORY);
    model_forget();
    if (status == KIN_OK)
        return true;
    save(&again, true);
    state_compare(&now, &again);
    return false;
}

static void do_restore(void)
{
    state *moment = &moments[take_below(MOMENTS)];
    if (moment->snapshot == NULL || restore_with_little_memory(moment))
        return;
    state_restore(moment);
    save(&now, moment->is_whole);
    if (moment->is_exact)
        state_compare(moment, &now);
}

static void do_restore_anew(void)
{
    state *moment = &moments[take_below(MOMENTS)];
    if (moment->snapshot == NULL || !moment->is_whole)
        return;
    CHECK(realm_world_restore(world, moment->snapshot, KIN_RESTORE_ANEW) == KIN_OK);
    model_forget();
}

// What is read has the hash and the bytes of what was written; so has the state after it is restored.
static void do_file(void)
{
    state *moment = &moments[take_below(MOMENTS)];
    if (moment->snapshot == NULL || !moment->has_file || !moment->is_exact)
        return;
    again.snapshot = (kin_snapshot_destroy(again.snapshot), NULL);
    again.is_whole = moment->is_whole;
    kin_source source = buffer_source(&moment->file);
    kin_status status = moment->is_whole ? realm_read(world, &again.snapshot, source, NULL, NULL)
                                         : land_read(land, &again.snapshot, source, NULL, NULL);
    CHECK(status == KIN_OK);
    again.hash = kin_snapshot_hash(again.snapshot);
    again.model = moment->model;
    again.has_file = write_state(&again, &again.file);
    state_compare(moment, &again);
    if (take_below(2) == 0)
        return;
    state_restore(&again);
    save(&now, moment->is_whole);
    state_compare(moment, &now);
}

// ---- recordings

enum { MOST_FRAMES = 40 };

static buffer recording;
static bool is_recording;
static uint32_t frames;
static uint64_t last_hash;

static void begin_recording(void)
{
    static const kin_record_options all[] = {{.states = false}, {.states = true}, {.states = true, .key_interval = 3}};
    recording.size = 0;
    frames = 0;
    kin_status status = realm_world_record(world, buffer_sink(&recording), &all[take_below(3)]);
    CHECK(status == KIN_OK || has_refused_value || status == KIN_ERROR_RETAINED);
    is_recording = status == KIN_OK;
}

static void play(realm_world *played)
{
    kin_player *player = realm_player_create(played, buffer_source(&recording));
    CHECK(player != NULL);
    for (uint32_t frame = 0; frame < frames; frame++) {
        CHECK(kin_player_step(player));
        const kin_divergence *divergence = kin_player_divergence(player);
        if (divergence != NULL)
            fprintf(stderr, "%s\n", divergence->text);
        CHECK(divergence == NULL);
    }
    CHECK(!kin_player_step(player));
    kin_snapshot *end = NULL;
    CHECK(realm_world_save(played, &end) == KIN_OK && kin_snapshot_hash(end) == last_hash);
    kin_snapshot_destroy(end);
    kin_player_destroy(player);
}

static void end_recording(void)
{
    if (!is_recording)
        return;
    is_recording = false;
    kin_status status = realm_world_stop_recording(world);
    if (has_refused_value || frames == 0 || status != KIN_OK) // it ended before, or has no end to compare
        return;
    kin_context_options same = options();
    realm_world *played = realm_world_create(&same, NULL);
    CHECK(played != NULL);
    play(played);
    realm_world_destroy(played);
}

static void do_recording(void)
{
    if (is_recording)
        end_recording();
    else
        begin_recording();
}

// ---- updates

static double take_seconds(void)
{
    static const double seconds[] = {0, 0.1, 0.25, 0.5, 1};
    return seconds[take_below(5)];
}

static executor_kind take_executor(void)
{
    executor_kind kind = (executor_kind)take_below(EXECUTORS);
    return is_recording && !executor_keeps_results(kind) ? BACKWARDS : kind;
}

static bool owes_late; // a call was made when no batch was open, which the next one reports

// An executor that breaks its contract is reported, and no other.
static void update(executor_kind kind, double seconds)
{
    uint32_t errors = executor_errors;
    CHECK(realm_world_set_executor(world, executor_of(kind)) == KIN_OK);
    realm_world_update(world, seconds);
    bool is_reported = executor_errors != errors, was_wrong = executor_was_wrong();
    if (!is_reported && was_wrong && kind != LATE)
        fprintf(stderr, "executor %d\n", (int)kind);
    CHECK(is_reported || !was_wrong || kind == LATE);
    CHECK(!is_reported || was_wrong || owes_late);
    owes_late = (owes_late || was_wrong) && !is_reported;
    if (take_below(4) == 0) {
        executor_call_late();
        owes_late |= executor_was_wrong();
    }
}

static void note_frame(void)
{
    if (!is_recording)
        return;
    save(&again, true);
    last_hash = again.hash;
    if (++frames == MOST_FRAMES)
        end_recording();
}

static void do_update(void)
{
    executor_kind kind = take_executor();
    update(kind, take_seconds());
    note_frame();
}

// The same update from the same state.
static void do_update_twice(void)
{
    static state before, once, twice;
    executor_kind first = take_executor(), second = take_executor();
    double seconds = take_seconds();
    if (is_recording || !executor_keeps_results(first) || !executor_keeps_results(second))
        return;
    state_save(&before);
    visits = 1;
    update(first, seconds);
    uint64_t first_visits = visits;
    state_save(&once);
    state_restore(&before);
    visits = 1;
    update(second, seconds);
    state_save(&twice);
    state_compare(&once, &twice);
    CHECK(first_visits == visits);
    state_release(&before);
    state_release(&once);
    state_release(&twice);
}

// ---- other operations

static void do_create(void)
{
    errors_before = error_count;
    land_entity made = land_create_entity(land);
    end_call(made.id == 0 ? KIN_ERROR_INVALID : KIN_OK);
    keep_entity(made);
}

static void do_spawn(void)
{
    errors_before = error_count;
    land_entity made = land_entity_of(kin_spawn(&land->base, take_below(5)));
    end_call(made.id == 0 ? KIN_ERROR_INVALID : KIN_OK);
    keep_entity(made);
}

static void do_spawn_many(void)
{
    static const uint32_t counts[] = {0, 1, 3, 40, 520};
    uint32_t count = counts[take_below(5)];
    land_entity made[520];
    errors_before = error_count;
    switch (take_below(4)) {
    case 0:
        end_call(land_spawn_many_seed(land, count, made));
        break;
    case 1:
        end_call(land_spawn_many_leaf(land, count, made));
        break;
    case 2:
        end_call(land_spawn_many_tree(land, count % 7, made));
        count %= 7;
        break;
    default:
        end_call(land_spawn_many_whole(land, count % 9, made));
        count %= 9;
        break;
    }
    if (count > 0)
        keep_entity(made[count - 1]);
}

static void do_destroy(void)
{
    errors_before = error_count;
    end_call(land_destroy_entity(land, take_entity()));
}

static void do_set(void)
{
    given given;
    take_value(&given, take_component());
    land_entity entity = take_entity();
    bool adds = take_below(2) == 0;
    errors_before = error_count;
    kin_status status = adds ? kin_add(&land->base, entity.id, given.id, &given.value)
                             : kin_replace(&land->base, entity.id, given.id, &given.value);
    CHECK(status != KIN_OK || !has_list_without_address(&given));
    end_call(status);
}

static void do_remove(void)
{
    kin_component_id id = take_component();
    errors_before = error_count;
    end_call(kin_remove(&land->base, take_entity().id, id));
}

static void do_flag(void)
{
    land_entity entity = take_entity();
    uint8_t choice = take_byte();
    errors_before = error_count;
    end_call(choice % 8 == 0 ? land_set_gone(land, entity, choice >= 128) : land_set_lit(land, entity, choice >= 128));
}

static void do_list(void)
{
    land_entity entity = take_entity();
    uint8_t choice = take_byte();
    uint32_t index = choice / 8;
    errors_before = error_count;
    switch (choice % 8) {
    case 0:
        end_call(land_push_bag_items(land, entity, take_entity()));
        break;
    case 1:
        end_call(land_insert_bag_counts(land, entity, index % 4, choice));
        break;
    case 2:
        end_call(land_erase_bag_items(land, entity, index % 3));
        break;
    case 3:
        end_call(land_resize_bag_points(land, entity, index));
        break;
    case 4:
        end_call(land_push_chest_counts(land, entity, choice));
        break;
    case 5:
        end_call(land_touch_bag(land, entity));
        break;
    case 6:
        end_call(land_touch_sum(land, entity));
        break;
    default:
        end_call(land_push_bag_counts(land, entity, choice));
        break;
    }
}

static void do_stash(void)
{
    land_entity entity = take_entity();
    errors_before = error_count;
    switch (take_below(6)) {
    case 0:
        end_call(land_stash_bag(land, entity));
        break;
    case 1:
        end_call(land_restore_bag(land, entity));
        break;
    case 2:
        end_call(land_stash_name(land, entity));
        break;
    case 3:
        end_call(land_restore_name(land, entity));
        break;
    case 4:
        end_call(land_stash_wide(land, entity));
        break;
    default:
        end_call(land_restore_wide(land, entity));
        break;
    }
}

static void do_tree(void)
{
    land_entity entity = take_entity(), other = take_entity();
    errors_before = error_count;
    switch (take_below(5)) {
    case 0:
        end_call(land_replace_child_of(land, entity, (ChildOf){other, 3}));
        break;
    case 1:
        end_call(land_replace_part_of(land, entity, (PartOf){other}));
        break;
    case 2:
        end_call(land_children_place_before(land, entity, other));
        break;
    case 3:
        end_call(land_destroy_children(land, entity));
        break;
    default:
        end_call(land_admirers_place_before(land, entity, other));
        break;
    }
}

static void do_copy(void)
{
    land_entity entity = take_entity(), other = take_entity();
    errors_before = error_count;
    switch (take_below(4)) {
    case 0:
        end_call(land_copy_components(land, entity, other, KIN_EVERY_COMPONENT, take_below(2) == 0));
        break;
    case 1:
        other = land_clone_entity(land, entity);
        end_call(other.id == 0 ? KIN_ERROR_INVALID : KIN_OK);
        break;
    case 2:
        other = land_clone_with_children(land, entity);
        end_call(other.id == 0 ? KIN_ERROR_INVALID : KIN_OK);
        break;
    default:
        end_call(land_apply_twig(land, entity));
        break;
    }
    keep_entity(other);
}

static void do_merge(void)
{
    const state *moment = &moments[take_below(MOMENTS)];
    if (moment->snapshot == NULL || land_entity_count(land) > 400)
        return;
    errors_before = error_count;
    end_call(land_merge(land, moment->snapshot, NULL));
}

static void do_rest(void)
{
    uint8_t choice = take_byte();
    switch (choice % 16) {
    case 0:
        land_destroy_all_entities(land);
        break;
    case 1:
        CHECK(realm_world_reset(world) == KIN_OK);
        model_restart();
        break;
    case 2:
        kin_context_trim(&land->base);
        break;
    case 3:
    case 4:
    case 5:
        realm_world_run_hand(world, 0.5);
        break;
    case 6:
        sea_add_spot(world->contexts->sea, sea_create_entity(world->contexts->sea), (Spot){choice, 1});
        break;
    case 7:
        sea_destroy_all_entities(world->contexts->sea);
        break;
    case 8:
        realm_world_draw(world);
        break;
    default:
        realm_publish_word(world, (Word){take_entity(), choice % 7, "word"});
        break;
    }
}

typedef struct operation {
    const char *name;
    uint32_t weight;
    void (*perform)(void);
} operation;

static const operation operations[] = {
    {"create", 6, do_create},      {"spawn", 14, do_spawn},      {"spawn many", 5, do_spawn_many},
    {"destroy", 6, do_destroy},    {"set", 26, do_set},          {"remove", 7, do_remove},
    {"flag", 4, do_flag},          {"list", 7, do_list},         {"stash", 6, do_stash},
    {"tree", 10, do_tree},         {"copy", 4, do_copy},         {"update", 20, do_update},
    {"twice", 4, do_update_twice}, {"commands", 6, do_commands}, {"save", 8, do_save},
    {"restore", 8, do_restore},    {"anew", 1, do_restore_anew}, {"file", 4, do_file},
    {"record", 5, do_recording},   {"merge", 1, do_merge},       {"rest", 6, do_rest},
};

static void perform(void)
{
    static const uint32_t all = 158; // the sum of the weights
    uint32_t choice = take_byte() % all, i = 0;
    while (choice >= operations[i].weight)
        choice -= operations[i++].weight;
    show("%s", operations[i].name);
    operations[i].perform();
}

// ---- one input

enum { OPERATION_LIMIT = 400, MOST_ENTITIES = 1500 };

static void begin(void)
{
    kin_context_options given = options();
    world = realm_world_create(&given, NULL);
    CHECK(world != NULL);
    land = world->contexts->land;
    memset(handles, 0, sizeof handles);
    handle_count = 0;
    has_refused_value = is_recording = owes_late = false;
    model_listen();
}

static void end(void)
{
    end_recording();
    executor_forget();
    for (uint32_t i = 0; i < MOMENTS; i++)
        state_release(&moments[i]);
    state_release(&now);
    state_release(&again);
    commands_release();
    buffer_release(&recording);
    realm_world_destroy(world);
    CHECK(memory.size == 0 && memory.blocks == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    bytes_left = bytes;
    left = size;
    shows = getenv("KIN_FUZZ_SHOW") != NULL;
    begin();
    for (uint32_t i = 0; left > 0 && i < OPERATION_LIMIT; i++) {
        perform();
        if (land_entity_count(land) > MOST_ENTITIES)
            land_destroy_all_entities(land);
    }
    end();
    return 0;
}
