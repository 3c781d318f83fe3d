// A road that two hosts share. Each updates its half, follows the border zone of the other's, and sends a save of each
// walker that crosses. Both keep files, so that either can be killed at any moment: no walker is lost or doubled.
//
//   regions demo FOLDER                    both regions in this process, for 20 seconds of their time
//   regions west|east FOLDER [URL]         one region over NATS, until it is ended; its file is in FOLDER
//   regions count FOLDER                   looks into both files while neither region runs
//
// A walker that crosses gets the next number of a parcel and waits. Once the file of its region has that, the parcel is
// sent, again and again, until the neighbour says that its own file has the walker. Then the walker is destroyed here.
// The neighbour opens parcels in the order of their numbers, each once, as the last number is in its file too.
#include <regions/regions_net.h>
#include <regions/regions_save.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef WITHOUT_NATS
#include <kin/nats.h>
#endif

enum { RATE = 30, WALKERS = 100, INNER = 0, BORDER = 1, WEST = 0, EAST = 1, REGIONS = 2 };

static const float road = 100; // metres; the border is in the middle
static const float sight = 10; // metres of the other region that one sees

// A world and its place in a network.
typedef struct process {
    kin_transport *transport;
    regions_world *world;
    kin_session *session;
} process;

typedef struct region {
    int number;         // WEST or EAST
    process here;       // the host of this region
    process beyond;     // the neighbour's border
    const char *path;   // the file that it keeps
    uint32_t kept_sent; // the last parcel whose walker waits in the file
    uint32_t asked;     // the parcel that was sent last
    uint32_t frame;
    Parcel arrived; // the last one that came; number 0: none
} region;

static const char *const names[REGIONS] = {"west", "east"};

static game_context *game_of(const process *process)
{
    return process->world->contexts->game;
}

// ---- parcels

typedef struct bytes {
    uint8_t *at;
    size_t size, capacity;
} bytes;

static bool append(const void *from, size_t size, void *user)
{
    bytes *to = user;
    if (size > to->capacity - to->size)
        return false;
    memcpy(to->at + to->size, from, size);
    to->size += size;
    return true;
}

static size_t take(void *to, size_t size, void *user)
{
    bytes *from = user;
    size_t taken = size < from->size ? size : from->size;
    memcpy(to, from->at, taken);
    from->at += taken;
    from->size -= taken;
    return taken;
}

// Copies what a walker has into a context of its own, whatever that is, but for the mark.
static bool pack(game_context *game, game_entity walker, Parcel *parcel)
{
    bytes bytes = {parcel->bytes, 0, sizeof parcel->bytes};
    kin_snapshot *snapshot = NULL;
    game_context *alone = game_context_create(NULL);
    if (alone == NULL)
        return false;
    game_entity copy = game_create_entity(alone);
    for (kin_component_id id = 0; id < GAME_COMPONENT_COUNT; id++)
        if (id != GAME_LEAVING && kin_has(&game->base, walker.id, id))
            kin_add(&alone->base, copy.id, id, kin_get(&game->base, walker.id, id));
    bool is_packed = game_save(alone, &snapshot) == KIN_OK &&
                     kin_snapshot_write(snapshot, (kin_sink){append, &bytes}, NULL) == KIN_OK;
    parcel->size = (uint32_t)bytes.size;
    kin_snapshot_destroy(snapshot);
    game_context_destroy(alone);
    return is_packed;
}

// Files are read between updates, so the parcel waits until then.
void open_on_parcel(regions_world *world, const Parcel *parcel)
{
    region *region = world->user;
    region->arrived = *parcel;
}

// Each parcel is opened once, and in order: another number came before, or the one before it has been lost.
static void open_parcel(region *region)
{
    game_context *game = game_of(&region->here);
    Post post = *game_get_unique_post(game);
    Parcel *parcel = &region->arrived;
    bytes bytes = {parcel->bytes, parcel->size, 0};
    kin_snapshot *snapshot = NULL;
    if (parcel->number != post.taken + 1 || parcel->size > sizeof parcel->bytes)
        return;
    kin_source source = {.read = take, .user = &bytes};
    if (game_read(game, &snapshot, source, NULL, NULL) == KIN_OK && game_merge(game, snapshot, NULL) == KIN_OK) {
        post.taken++;
        game_replace_unique_post(game, post);
    }
    kin_snapshot_destroy(snapshot);
}

// ---- the road

static int32_t zone_at(float x)
{
    return x > road / 2 - sight && x < road / 2 + sight ? BORDER : INNER;
}

void walk_update(regions_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)world;
    while (walk_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            float x = it->position[i].x + it->velocity[i].x * (float)tick->delta;
            if (x < 0 || x > road) {
                it->velocity[i].x = -it->velocity[i].x;
                continue;
            }
            it->position[i].x = x;
        }
}

void cross_update(regions_world *world, cross_iter *it, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    const region *region = world->user;
    (void)tick;
    while (cross_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            game_entity walker = cross_at(it, i);
            float x = it->position[i].x;
            if (zone_at(x) != it->cell[i].zone)
                game_replace_cell(game, walker, (Cell){zone_at(x)});
            if ((x < road / 2 ? WEST : EAST) == region->number)
                continue;
            Post post = *game_get_unique_post(game);
            post.sent++;
            game_replace_unique_post(game, post);
            game_add_leaving(game, walker, (Leaving){post.sent});
        }
}

// ---- a region

static void populate(game_context *game, int number)
{
    game_set_unique_post(game, (Post){0});
    for (uint32_t i = 0; i < WALKERS / REGIONS; i++) {
        float x = (float)i + (number == WEST ? 0 : road / 2);
        game_spawn_walker_with(game, (game_walker_value){
                                         .walker = {1 + i + (uint32_t)number * WALKERS / REGIONS},
                                         .position = {x},
                                         .velocity = {(float)(i % 5 + 3) * (i % 2 == 0 ? 1 : -1)},
                                         .cell = {zone_at(x)},
                                         .given = {true, true, true, true},
                                     });
    }
}

// Writes the file, and lets the neighbour know what is in it.
static bool keep(region *region)
{
    kin_snapshot *snapshot = NULL;
    game_context *game = game_of(&region->here);
    bool is_kept = regions_world_save(region->here.world, &snapshot) == KIN_OK &&
                   regions_write_path(snapshot, region->path, NULL) == KIN_OK;
    kin_snapshot_destroy(snapshot);
    if (!is_kept)
        return false;
    Post post = *game_get_unique_post(game);
    region->kept_sent = post.sent;
    post.kept = post.taken;
    game_replace_unique_post(game, post);
    return true;
}

static bool has_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

// Goes on from the file, or begins.
static bool load(region *region)
{
    kin_snapshot *snapshot = NULL;
    if (!has_file(region->path))
        populate(game_of(&region->here), region->number);
    else if (regions_read_path(region->here.world, &snapshot, region->path, NULL, NULL) != KIN_OK)
        return false;
    if (snapshot != NULL)
        regions_world_restore(region->here.world, snapshot, KIN_RESTORE_EXACTLY);
    kin_snapshot_destroy(snapshot);
    return keep(region);
}

// The transports are those of the host and of a replica of the neighbour.
static bool begin(region *region, int number, const char *folder, kin_transport *here, kin_transport *beyond)
{
    static const kin_zone border = {.zone = BORDER};
    static char paths[REGIONS][512];
    snprintf(paths[number], sizeof paths[number], "%s/%s.kin", folder, names[number]);
    *region = (struct region){.number = number, .here.transport = here, .beyond.transport = beyond};
    region->path = paths[number];
    if (here == NULL || beyond == NULL)
        return false;
    region->here.world = regions_world_create(NULL, region);
    region->beyond.world = regions_world_create(NULL, NULL);
    if (region->here.world == NULL || region->beyond.world == NULL || !load(region))
        return false;
    region->here.session = regions_world_host(region->here.world, here, NULL);
    region->beyond.session = regions_world_follow(region->beyond.world, beyond, NULL);
    return region->here.session != NULL && region->beyond.session != NULL &&
           kin_session_see(region->beyond.session, &border, 1) == KIN_OK;
}

static void end_process(process *process)
{
    regions_world_destroy(process->world);
    if (process->transport != NULL)
        process->transport->end(process->transport);
}

// Sends the parcel of a walker, now and then once more, as it may be lost.
static void send_parcel(region *region, game_entity walker, uint32_t number)
{
    Parcel parcel = {.number = number};
    bool is_due = number != region->asked || region->frame % RATE == 0;
    if (!is_due || !pack(game_of(&region->here), walker, &parcel))
        return;
    if (regions_send_parcel(region->beyond.world, parcel) == KIN_OK)
        region->asked = number;
}

// Destroys the walkers that the neighbour has in its file, and sends the parcel that it waits for.
static void deliver(region *region)
{
    game_context *game = game_of(&region->here);
    const Post *theirs = game_get_unique_post(game_of(&region->beyond));
    uint32_t count;
    const game_entity *leaving = game_leaving_entities(game, &count);
    if (theirs == NULL)
        return;
    for (uint32_t i = count; i > 0; i--) {
        uint32_t number = game_get_leaving(game, leaving[i - 1])->parcel;
        if (number == theirs->taken + 1 && number <= region->kept_sent)
            send_parcel(region, leaving[i - 1], number);
        if (number <= theirs->kept)
            game_destroy_entity(game, leaving[i - 1]);
    }
}

static bool step(region *region)
{
    kin_session_numbers numbers;
    regions_world_update(region->here.world, 1.0 / RATE);
    regions_world_update(region->beyond.world, 1.0 / RATE);
    open_parcel(region);
    deliver(region);
    kin_session_state(region->here.session, &numbers);
    bool is_due = ++region->frame % (RATE / 2) == 0 && numbers.role == KIN_HOST;
    return !is_due || keep(region);
}

static void print(const region *region)
{
    printf("%s: %" PRIu32 " walk, %" PRIu32 " wait to be taken, %" PRIu32 " in sight beyond the border\n",
           names[region->number], kin_group_count(game_walking_group(game_of(&region->here))),
           kin_group_count(game_leaving_group(game_of(&region->here))),
           kin_group_count(game_walking_group(game_of(&region->beyond))));
    fflush(stdout);
}

// ---- counting

// Counts each walker of a file, but not those that the other file has taken over.
static bool count_in(const char *path, uint32_t taken, uint8_t *found, Post *post)
{
    kin_snapshot *snapshot = NULL;
    game_context *game = game_context_create(NULL);
    bool is_read = game != NULL && game_read_path(game, &snapshot, path, NULL, NULL) == KIN_OK &&
                   game_restore(game, snapshot, KIN_RESTORE_EXACTLY) == KIN_OK;
    kin_snapshot_destroy(snapshot);
    if (is_read) {
        uint32_t count;
        const game_entity *entities = game_entities(game, &count);
        *post = *game_get_unique_post(game);
        for (uint32_t i = 0; i < count; i++) {
            const Walker *walker = game_get_walker(game, entities[i]);
            const Leaving *leaving = game_get_leaving(game, entities[i]);
            bool is_here = walker != NULL && (leaving == NULL || leaving->parcel > taken);
            if (is_here && walker->number <= WALKERS)
                found[walker->number]++;
        }
    }
    game_context_destroy(game);
    return is_read;
}

static int count(const char *folder)
{
    char paths[REGIONS][512];
    uint8_t found[WALKERS + 1] = {0};
    uint8_t ignored[WALKERS + 1];
    Post posts[REGIONS];
    uint32_t lost = 0;
    uint32_t doubled = 0;
    for (int i = 0; i < REGIONS; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s.kin", folder, names[i]);
        if (!count_in(paths[i], 0, ignored, &posts[i]))
            return EXIT_FAILURE;
    }
    count_in(paths[WEST], posts[EAST].taken, found, &(Post){0});
    count_in(paths[EAST], posts[WEST].taken, found, &(Post){0});
    for (uint32_t i = 1; i <= WALKERS; i++) {
        lost += found[i] == 0;
        doubled += found[i] > 1;
    }
    printf("%d walkers: %" PRIu32 " lost, %" PRIu32 " doubled; %" PRIu32 " went east, %" PRIu32 " went west\n", WALKERS,
           lost, doubled, posts[EAST].taken, posts[WEST].taken);
    return lost + doubled == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// ---- the program

static int demo(const char *folder)
{
    static region regions[REGIONS];
    static const kin_memory_options network = {.seed = 5, .delay = 2, .loss = 50, .most = 4096};
    kin_transport *hosts[REGIONS] = {kin_memory_transport_create(&network), kin_memory_transport_create(&network)};
    bool is_well = true;
    for (int i = 0; i < REGIONS; i++)
        is_well = begin(&regions[i], i, folder, hosts[i], kin_memory_transport_join(hosts[1 - i])) && is_well;
    for (int frame = 1; frame <= 20 * RATE && is_well; frame++)
        for (int i = 0; i < REGIONS && is_well; i++) {
            is_well = step(&regions[i]);
            kin_memory_transport_step(hosts[i]);
            if (frame % (5 * RATE) == 0)
                print(&regions[i]);
        }
    for (int i = 0; i < REGIONS; i++)
        end_process(&regions[i].beyond);
    for (int i = 0; i < REGIONS; i++)
        end_process(&regions[i].here);
    return is_well ? count(folder) : EXIT_FAILURE;
}

static kin_transport *connect_to(const char *url, int number)
{
#ifdef WITHOUT_NATS
    fprintf(stderr, "regions: cannot connect to %s for %s: it was built without libnats-dev\n", url, names[number]);
    return NULL;
#else
    return kin_nats_transport_create(&(kin_nats_options){.url = url, .app = "regions", .world = names[number]});
#endif
}

static volatile sig_atomic_t is_asked_to_end;

static void ask_to_end(int number)
{
    (void)number;
    is_asked_to_end = 1;
}

static int run(int number, const char *folder, const char *url)
{
    static region region;
    static const struct timespec rest = {.tv_nsec = 1000000000 / RATE};
    signal(SIGINT, ask_to_end);
    signal(SIGTERM, ask_to_end);
    bool is_well = begin(&region, number, folder, connect_to(url, number), connect_to(url, 1 - number));
    while (is_well && !is_asked_to_end) {
        is_well = step(&region);
        if (region.frame % RATE == 0)
            print(&region);
        nanosleep(&rest, NULL);
    }
    end_process(&region.beyond);
    end_process(&region.here);
    return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count_of_words, char **words)
{
    const char *url = count_of_words == 4 ? words[3] : "nats://127.0.0.1:4222";
    if (count_of_words == 3 && strcmp(words[1], "demo") == 0)
        return demo(words[2]);
    if (count_of_words == 3 && strcmp(words[1], "count") == 0)
        return count(words[2]);
    for (int i = 0; i < REGIONS && (count_of_words == 3 || count_of_words == 4); i++)
        if (strcmp(words[1], names[i]) == 0)
            return run(i, words[2], url);
    fputs("usage: regions demo FOLDER | west FOLDER [URL] | east FOLDER [URL] | count FOLDER\n", stderr);
    return 2;
}
