#include "broker.h"

#include "../terminal/terminal.h"
#include "player.h"
#include "screen.h"

#include <plaza/plaza_net.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef WITHOUT_NATS
#include <kin/nats.h>

static kin_transport *connect_to_broker(const char *url)
{
    return kin_nats_transport_create(&(kin_nats_options){.url = url, .app = "arena", .world = "square"});
}
#else
static kin_transport *connect_to_broker(const char *url)
{
    fprintf(stderr, "arena-net: cannot connect to %s: it was built without libnats-dev\n", url);
    return NULL;
}
#endif

enum { PEERS = 32 }; // that a host over ENet allows

#ifndef WITHOUT_ENET
#include <kin/enet.h>

// Players say HOST:PORT, a host its port.
static kin_transport *connect_directly(const char *place, bool is_host)
{
    char address[256] = "";
    const char *colon = strrchr(place, ':');
    char *end = NULL;
    unsigned long port = strtoul(colon == NULL ? place : colon + 1, &end, 10);
    bool is_port = *end == '\0' && port > 0 && port <= UINT16_MAX;
    bool is_place = is_port && (colon != NULL) != is_host && strlen(place) < sizeof address;
    if (!is_place) {
        fprintf(stderr, "arena-net: '%s' is no place; give a host its PORT, and a player HOST:PORT\n", place);
        return NULL;
    }
    if (is_host)
        return kin_enet_host_transport((uint16_t)port, PEERS);
    memcpy(address, place, (size_t)(colon - place));
    return kin_enet_transport(address, (uint16_t)port);
}
#else
static kin_transport *connect_directly(const char *place, bool is_host)
{
    (void)is_host;
    fprintf(stderr, "arena-net: cannot use %s: it was built without libenet-dev\n", place);
    return NULL;
}
#endif

static kin_transport *connect_to(const char *url, bool is_host)
{
    size_t size = strlen(ENET_URL);
    return strncmp(url, ENET_URL, size) == 0 ? connect_directly(url + size, is_host) : connect_to_broker(url);
}

// ---- the host

static volatile sig_atomic_t is_asked_to_end;

static void ask_to_end(int number)
{
    (void)number;
    is_asked_to_end = 1;
}

static void say_role(kin_session *session, kin_session_role before, void *user)
{
    kin_session_numbers numbers;
    (void)user;
    kin_session_state(session, &numbers);
    if (numbers.role == KIN_HOST)
        printf("host of 'square', epoch %" PRIu32 ", from frame %" PRIu64 "\n", numbers.epoch, numbers.frame);
    else if (before == KIN_HOST)
        printf("not the host of 'square' any longer\n");
    if (numbers.lost > 0)
        printf("%" PRIu64 " frames of the host before are lost\n", numbers.lost);
    fflush(stdout);
}

static void wait_until(double time)
{
    double left = time - terminal_seconds();
    struct timespec rest = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
    if (left > 0)
        nanosleep(&rest, NULL);
}

// Where each peer of a host stood when it was shown the zones around it.
typedef struct shown {
    uint32_t peer;
    int32_t zone;
} shown;

static int32_t zone_of(const shown *list, uint32_t count, uint32_t peer)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].peer == peer)
            return list[i].zone;
    return -1;
}

// Over ENet the host says what a player sees. Who has left and comes back is shown its zones again.
static void show_players(process *host)
{
    static shown list[PEERS];
    static uint32_t count;
    shown now[PEERS] = {{0}};
    kin_peer_numbers peers[PEERS];
    uint32_t all = kin_session_peers(host->session, peers, PEERS);
    all = all < PEERS ? all : PEERS;
    for (uint32_t i = 0; i < all; i++) {
        now[i] = (shown){peers[i].peer, zone_of(list, count, peers[i].peer)};
        process_show(host, peers[i].peer, &now[i].zone);
    }
    memcpy(list, now, all * sizeof *now);
    count = all;
}

// Says once that the standby has the world of the host.
static void say_ready(kin_session *session, bool *is_said)
{
    kin_session_numbers numbers;
    kin_session_state(session, &numbers);
    if (!*is_said && numbers.is_ready)
        printf("stands by for the host of 'square', epoch %" PRIu32 ", at frame %" PRIu64 "\n", numbers.epoch,
               numbers.frame);
    *is_said = numbers.is_ready;
    fflush(stdout);
}

// Both keep history, so that a standby can follow whoever is the host. A signal ends the session, which gives the lease
// away.
static int run(const char *url, bool stands_by)
{
    process host = {.transport = connect_to(url, true)};
    kin_session_options options = {.keeps_history = true, .changed = say_role};
    bool is_said = false;
    if (host.transport == NULL)
        return EXIT_FAILURE;
    signal(SIGINT, ask_to_end);
    signal(SIGTERM, ask_to_end);
    host.world = plaza_world_create(NULL, &host.square);
    if (host.world != NULL && stands_by) {
        host.session = plaza_world_stand_by(host.world, host.transport, &options);
    } else if (host.world != NULL) {
        square_start(host.world);
        host.session = plaza_world_host(host.world, host.transport, &options);
    }
    double next = terminal_seconds();
    while (host.session != NULL && !is_asked_to_end) {
        plaza_world_update(host.world, 1.0 / RATE);
        say_ready(host.session, &is_said);
        if (!host.transport->is_shared)
            show_players(&host);
        wait_until(next += 1.0 / RATE);
    }
    bool is_begun = host.session != NULL;
    process_end(&host);
    return is_begun ? EXIT_SUCCESS : EXIT_FAILURE;
}

int broker_host(const char *url)
{
    return run(url, false);
}

int broker_stand_by(const char *url)
{
    return run(url, true);
}

// ---- players

// At a broker the player says what it sees: the zones around it, or those where it will begin.
static void look_around(process *player, bool is_here)
{
    kin_zone zones[NEAR];
    Vec2 at = is_here ? player_place(player) : square_entrance;
    bool is_told = square_zone(at) == player->zone || !player->transport->is_shared; // or shown, by the host
    if (is_told)
        return;
    player->zone = square_zone(at);
    kin_session_see(player->session, zones, square_near(at, zones));
}

// Returns whether the player is in the square.
static bool step(process *player, const char *name)
{
    plaza_world_update(player->world, 1.0 / RATE);
    bool is_here = player_is_here(player, name);
    look_around(player, is_here);
    return is_here;
}

static void show(process *player)
{
    screen screen;
    screen_draw(&screen, player->world, player->session, player->transport->peer);
    screen_show(&screen, player->square.said);
}

int broker_play(const char *url, const char *name)
{
    process player = {0};
    bool is_begun = player_begin(&player, connect_to(url, false)) && terminal_open();
    double next = terminal_seconds();
    uint32_t frame = 0;
    for (int key = KEY_NONE; is_begun && key != 'q' && key != KEY_END;) {
        key = terminal_read(next);
        if (key != KEY_NONE && player_is_here(&player, name))
            player_obey(&player, key);
        if (key != KEY_NONE)
            continue;
        next += 1.0 / RATE;
        step(&player, name);
        if (++frame % 3 == 0)
            show(&player);
    }
    if (is_begun)
        terminal_close();
    process_end(&player);
    return is_begun ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void print_state(const process *player, const char *name, bool is_here)
{
    kin_session_numbers numbers;
    game_context *game = player->world->contexts->game;
    game_entity own = square_player(game, player->transport->peer);
    const Purse *purse = is_here ? game_get_purse(game, own) : NULL;
    kin_session_state(player->session, &numbers);
    printf("%s: epoch %" PRIu32 ", %s, %" PRId32 " coins, %" PRIu32 " entities in sight, %" PRIu64 " wrong states\n",
           name, numbers.epoch, is_here ? "in the square" : "waiting", purse == NULL ? 0 : purse->coins,
           game_entity_count(game), numbers.wrong_hashes);
    fflush(stdout);
}

int broker_bot(const char *url, const char *name, int seconds)
{
    process player = {0};
    bool is_begun = player_begin(&player, connect_to(url, false));
    double next = terminal_seconds();
    for (int frame = 1; is_begun && frame <= seconds * RATE; frame++) {
        bool is_here = step(&player, name);
        if (is_here && frame % 6 == 0)
            player_walk_to_coin(&player);
        if (frame % RATE == 0)
            print_state(&player, name, is_here);
        wait_until(next += 1.0 / RATE);
    }
    process_end(&player);
    return is_begun ? EXIT_SUCCESS : EXIT_FAILURE;
}
