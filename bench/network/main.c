// Measures frames beside a loop by hand that knows the game: bytes for each entity that changes, the CPU time of a save
// with a frame, of applying it with a restore, and of full frames. Units have five leaves; some move in each frame, and
// two are destroyed and made again.
//
//   network [COUNT]
#include <drove/drove.h>
#include <drove/drove_net.h>
#include <kin/frame.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 60, WARMING_UP = 8, RING = 4, CHURN = 2 };

typedef struct bytes {
    unsigned char *at;
    size_t size, capacity, read;
} bytes;

static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static float part(void)
{
    return (float)(draw() & 0xFFFF) / 65536;
}

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

// ---- bytes

static void need(bytes *bytes, size_t size)
{
    if (bytes->size + size <= bytes->capacity)
        return;
    bytes->capacity = 2 * (bytes->size + size);
    bytes->at = realloc(bytes->at, bytes->capacity);
    if (bytes->at == NULL)
        exit(EXIT_FAILURE);
}

static bool write_bytes(const void *from, size_t size, void *user)
{
    bytes *bytes = user;
    need(bytes, size);
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
    return true;
}

static size_t read_bytes(void *to, size_t size, void *user)
{
    bytes *bytes = user;
    size_t left = bytes->size - bytes->read;
    if (size > left)
        size = left;
    memcpy(to, bytes->at + bytes->read, size);
    bytes->read += size;
    return size;
}

static void put_number(bytes *bytes, uint64_t number)
{
    need(bytes, 10);
    for (; number >= 128; number >>= 7)
        bytes->at[bytes->size++] = (unsigned char)(number | 128);
    bytes->at[bytes->size++] = (unsigned char)number;
}

// ---- by hand: units in an array, and a copy of what was sent

typedef struct unit {
    uint32_t index;
    float x, y, speed_x, speed_y;
    int32_t points;
} unit;

static int32_t steps_of(float value)
{
    return (int32_t)(value * 256 + (value < 0 ? -0.5f : 0.5f));
}

static void put_step(bytes *out, float before, float now)
{
    int64_t difference = (int64_t)steps_of(now) - steps_of(before);
    put_number(out, (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63));
}

static unsigned mask_of(const unit *before, const unit *now, bool is_exact)
{
    unsigned mask = before->index != now->index ? 32 : 0;
    mask |= is_exact ? before->x != now->x : steps_of(before->x) != steps_of(now->x);
    mask |= (is_exact ? before->y != now->y : steps_of(before->y) != steps_of(now->y)) ? 2u : 0;
    mask |= before->speed_x != now->speed_x ? 4u : 0;
    mask |= before->speed_y != now->speed_y ? 8u : 0;
    return mask | (before->points != now->points ? 16u : 0);
}

static void put_unit(bytes *out, const unit *before, const unit *now, unsigned mask, bool is_exact)
{
    if ((mask & 32) != 0)
        put_number(out, now->index);
    need(out, 16);
    if ((mask & 1) != 0 && is_exact)
        memcpy(out->at + out->size, &now->x, 4), out->size += 4;
    else if ((mask & 1) != 0)
        put_step(out, before->x, now->x);
    if ((mask & 2) != 0 && is_exact)
        memcpy(out->at + out->size, &now->y, 4), out->size += 4;
    else if ((mask & 2) != 0)
        put_step(out, before->y, now->y);
    need(out, 16);
    if ((mask & 4) != 0)
        memcpy(out->at + out->size, &now->speed_x, 4), out->size += 4;
    if ((mask & 8) != 0)
        memcpy(out->at + out->size, &now->speed_y, 4), out->size += 4;
    if ((mask & 16) != 0)
        put_number(out, (uint64_t)(uint32_t)(now->points - before->points));
}

// Returns how many units have changed.
static uint32_t make_by_hand(bytes *out, unit *sent, const unit *units, uint32_t count, bool is_exact)
{
    uint32_t next = 0;
    uint32_t changed = 0;
    out->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned mask = mask_of(&sent[i], &units[i], is_exact);
        if (mask == 0)
            continue;
        put_number(out, i - next);
        need(out, 1);
        out->at[out->size++] = (unsigned char)mask;
        put_unit(out, &sent[i], &units[i], mask, is_exact);
        next = i + 1;
        changed++;
    }
    memcpy(sent, units, count * sizeof *sent);
    return changed;
}

// ---- both games

typedef struct game {
    drove_field_context *field, *replica;
    kin_snapshot *ring[RING], *shown;
    drove_field_entity *entities;
    unit *units, *sent;
    uint32_t count, made;
    bool is_exact;
    bytes frame, hand;
} game;

static void place(const game *game, uint32_t i)
{
    const unit *unit = &game->units[i];
    if (game->is_exact)
        drove_field_replace_spot(game->field, game->entities[i], (drove_Spot){unit->x, unit->y});
    else
        drove_field_replace_place(game->field, game->entities[i], (drove_Place){unit->x, unit->y});
}

static void make_unit(game *game, uint32_t i, uint32_t percent)
{
    bool moves = draw() % 1000 < percent * 10;
    game->units[i] = (unit){++game->made, part() * 1000, part() * 1000, 0, 0, 100};
    if (moves) {
        game->units[i].speed_x = part() - 0.5f;
        game->units[i].speed_y = part() - 0.5f;
    }
    game->entities[i] = game->is_exact ? drove_field_spawn_exact(game->field) : drove_field_spawn_unit(game->field);
    place(game, i);
    drove_field_replace_speed(game->field, game->entities[i],
                              (drove_Speed){game->units[i].speed_x, game->units[i].speed_y});
}

static void step(game *game, uint32_t percent)
{
    for (uint32_t i = 0; i < game->count; i++) {
        unit *unit = &game->units[i];
        if (unit->speed_x == 0 && unit->speed_y == 0)
            continue;
        unit->x += unit->speed_x;
        unit->y += unit->speed_y;
        place(game, i);
    }
    for (uint32_t i = 0; i < CHURN; i++) {
        uint32_t at = draw() % game->count;
        drove_field_destroy_entity(game->field, game->entities[at]);
        make_unit(game, at, percent);
    }
}

static void begin(game *game, uint32_t count, uint32_t percent, bool is_exact)
{
    *game = (struct game){.count = count, .is_exact = is_exact};
    game->field = drove_field_context_create(NULL);
    game->replica = drove_field_context_create(NULL);
    game->entities = calloc(count, sizeof *game->entities);
    game->units = calloc(count, sizeof *game->units);
    game->sent = calloc(count, sizeof *game->sent);
    kin_context *contexts[] = {&game->field->base, &game->replica->base};
    if (kin_frames_use(contexts, 2, &drove_drove_net_) != KIN_OK ||
        drove_field_save(game->replica, &game->shown) != KIN_OK)
        exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < count; i++)
        make_unit(game, i, percent);
}

static void end(game *game)
{
    for (uint32_t i = 0; i < RING; i++)
        kin_snapshot_destroy(game->ring[i]);
    kin_snapshot_destroy(game->shown);
    drove_field_context_destroy(game->field);
    drove_field_context_destroy(game->replica);
    free(game->entities);
    free(game->units);
    free(game->sent);
    free(game->frame.at);
    free(game->hand.at);
}

static void make(game *game, uint64_t number, uint64_t base)
{
    kin_view view = {.has_no_zone = true, .epoch = 1, .number = number, .base = base};
    game->frame.size = 0;
    if (kin_frame_make(base == 0 ? NULL : game->ring[base % RING], game->ring[number % RING], &view,
                       (kin_sink){write_bytes, &game->frame}) != KIN_OK)
        exit(EXIT_FAILURE);
}

static double apply(game *game)
{
    game->frame.read = 0;
    double began = cpu();
    if (kin_frame_apply(&game->shown, (kin_source){read_bytes, NULL, &game->frame}) != KIN_OK)
        exit(EXIT_FAILURE);
    return cpu() - began;
}

static double restore(const game *game)
{
    double began = cpu();
    drove_field_restore(game->replica, game->shown, KIN_RESTORE_NOTIFY);
    return cpu() - began;
}

static void measure(uint32_t count, uint32_t percent, bool is_exact)
{
    game game;
    double saving = 0, making = 0, applying = 0, restoring = 0, by_hand = 0, full = 0, full_applied = 0;
    size_t bytes = 0, bytes_by_hand = 0, full_bytes = 0;
    uint64_t changed = 0;
    begin(&game, count, percent, is_exact);
    for (uint64_t number = 1; number <= WARMING_UP + FRAMES; number++) {
        bool counts = number > WARMING_UP;
        step(&game, percent);
        double began = cpu();
        drove_field_save(game.field, &game.ring[number % RING]);
        double saved = cpu();
        make(&game, number, number - 1);
        double made = cpu();
        if (number == 1)
            full = made - saved, full_bytes = game.frame.size;
        double applied = apply(&game);
        if (number == 1)
            full_applied = applied;
        double restored = restore(&game);
        double hand_began = cpu();
        uint32_t differ = make_by_hand(&game.hand, game.sent, game.units, count, is_exact);
        double hand_ended = cpu();
        if (!counts)
            continue;
        saving += saved - began;
        making += made - saved;
        applying += applied;
        restoring += restored;
        by_hand += hand_ended - hand_began;
        bytes += game.frame.size;
        bytes_by_hand += game.hand.size;
        changed += differ;
    }
    printf("%7u %3u %% %-5s | n.size %5.2f, by hand %5.2f B | n.make %7.1f + %7.1f, by hand %7.1f us, ratio %5.2f | "
           "n.apply %7.1f + "
           "restore %7.1f us | n.full %6.1f KB, %7.1f, %7.1f us\n",
           count, percent, is_exact ? "exact" : "steps", (double)bytes / (double)changed,
           (double)bytes_by_hand / (double)changed, saving / FRAMES, making / FRAMES, by_hand / FRAMES,
           (saving + making) / by_hand, applying / FRAMES, restoring / FRAMES, (double)full_bytes / 1000, full,
           full_applied);
    end(&game);
}

int main(int argc, char **argv)
{
    static const uint32_t percents[] = {1, 10, 100};
    uint32_t most = argc > 1 ? (uint32_t)atoi(argv[1]) : 100000;
    for (uint32_t count = 1000; count <= most; count *= 10)
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t exact = 0; exact < 2; exact++)
                measure(count, percents[i], exact == 1);
    return 0;
}
