// A town square with a host and players, each with a world of its own. In one process, on a network in memory that is
// slow and loses packets:
//
//   arena-net [--lag MS] [--loss PERCENT]          you are Ada; Bob plays by himself
//   arena-net --demo [--lag MS] [--loss PERCENT]   both play by themselves, and what Ada sees is printed
//
// In several processes, over NATS at URL, or on this machine:
//
//   arena-net host [URL]            begins the square; of several hosts the others take over when it dies
//   arena-net standby [URL]         has the same square, and goes on with it when the host dies
//   arena-net play NAME [URL]       plays in this terminal
//   arena-net bot NAME SECONDS [URL]
//
// The same over ENet, without a broker, where others in the network can read and forge all:
//
//   arena-net host --enet PORT
//   arena-net play --enet HOST:PORT [NAME]
//   arena-net bot NAME SECONDS --enet HOST:PORT
#include "../terminal/terminal.h"
#include "broker.h"
#include "player.h"
#include "screen.h"

#include <plaza/plaza_net.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 2, ADA = 0, DEMO_SECONDS = 12 };

typedef struct game {
    process host, players[PLAYERS];
} game;

static const char *const names[PLAYERS] = {"Ada", "Bob"};

// ---- the network

static bool begin_host(process *host, const kin_memory_options *network)
{
    host->transport = kin_memory_transport_create(network);
    host->world = plaza_world_create(NULL, &host->square);
    if (host->transport == NULL || host->world == NULL)
        return false;
    square_start(host->world);
    host->session = plaza_world_host(host->world, host->transport, NULL);
    return host->session != NULL;
}

static void step(game *game, double delta)
{
    plaza_world_update(game->host.world, delta);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        process_show(&game->host, game->players[i].transport->peer, &game->players[i].zone);
        plaza_world_update(game->players[i].world, delta);
    }
    kin_memory_transport_step(game->host.transport);
}

// ---- the demo

// Returns how many entities a player sees, each as the host has it; 0 if one differs.
static uint32_t compare(const process *host, const process *player)
{
    game_context *theirs = host->world->contexts->game;
    game_context *own = player->world->contexts->game;
    uint32_t count;
    const game_entity *entities = game_entities(own, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Position *there = game_get_position(theirs, entities[i]);
        const Position *here = game_get_position(own, entities[i]);
        bool is_near =
            there != NULL && fabsf(there->at.x - here->at.x) < 0.01F && fabsf(there->at.y - here->at.y) < 0.01F;
        if (!is_near)
            return 0;
    }
    return count;
}

static void print_screen(const process *player)
{
    screen screen;
    screen_draw(&screen, player->world, NULL, player->transport->peer);
    for (uint32_t row = 0; row < SCREEN_ROWS; row++)
        printf("|%s|\n", screen.signs[row]);
    printf("%s\n%s\n\n", screen.state, player->square.said);
}

static void play_demo(game *game)
{
    for (int frame = 1; frame <= DEMO_SECONDS * RATE; frame++) {
        step(game, 1.0 / RATE);
        for (uint32_t i = 0; i < PLAYERS; i++)
            if (player_is_here(&game->players[i], names[i]) && frame % 6 == 0)
                player_walk_to_coin(&game->players[i]);
        if (frame % (4 * RATE) == 0)
            print_screen(&game->players[ADA]);
    }
    for (int frame = 0; frame < 2 * RATE; frame++)
        step(game, 0); // nothing moves while what is under way arrives
    for (uint32_t i = 0; i < PLAYERS; i++) {
        kin_session_numbers numbers;
        kin_session_state(game->players[i].session, &numbers);
        printf("%s sees %" PRIu32 " entities as the host has them; %" PRIu64 " wrong states\n", names[i],
               compare(&game->host, &game->players[i]), numbers.wrong_hashes);
    }
}

// ---- the player

static void play(game *game)
{
    process *ada = &game->players[ADA];
    process *bob = &game->players[ADA + 1];
    double next = terminal_seconds();
    uint32_t frame = 0;
    for (int key = KEY_NONE; key != 'q' && key != KEY_END;) {
        key = terminal_read(next);
        if (key != KEY_NONE && player_is_here(ada, names[ADA]))
            player_obey(ada, key);
        if (key != KEY_NONE)
            continue;
        next += 1.0 / RATE;
        step(game, 1.0 / RATE);
        player_is_here(ada, names[ADA]);
        if (player_is_here(bob, names[ADA + 1]) && frame % 6 == 0)
            player_walk_to_coin(bob);
        if (++frame % 3 == 0) {
            screen screen;
            screen_draw(&screen, ada->world, ada->session, ada->transport->peer);
            screen_show(&screen, ada->square.said);
        }
    }
}

// ---- the program

typedef struct options {
    kin_memory_options network;
    bool is_demo;
} options;

static bool read_number(const char *text, uint32_t most, uint32_t *number)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return end != text && *end == '\0' && value <= most;
}

// The lag is that of a packet there and back; the loss is in each direction.
static bool read_options(int count, char **arguments, options *options)
{
    uint32_t lag = 100;
    uint32_t loss = 5;
    for (int i = 1; i < count; i++) {
        bool has_value = i + 1 < count;
        if (strcmp(arguments[i], "--demo") == 0)
            options->is_demo = true;
        else if (strcmp(arguments[i], "--lag") == 0 && has_value && read_number(arguments[i + 1], 1000, &lag))
            i++;
        else if (strcmp(arguments[i], "--loss") == 0 && has_value && read_number(arguments[i + 1], 10, &loss))
            i++;
        else
            return false;
    }
    options->network = (kin_memory_options){.seed = 7, .delay = lag * RATE / 2000, .loss = loss * 10};
    return true;
}

static const char usage[] = "usage: arena-net [--demo] [--lag MS] [--loss PERCENT]\n"
                            "       arena-net host [URL] | standby [URL] | play NAME [URL] | bot NAME SECONDS [URL]\n"
                            "       arena-net host --enet PORT | play --enet HOST:PORT [NAME] |\n"
                            "                 bot NAME SECONDS --enet HOST:PORT\n";

// What follows a word: values, and where to meet.
typedef struct words {
    const char *values[2], *place;
    char url[300];
    int count;
} words;

static bool read_words(int count, char **arguments, words *words)
{
    *words = (struct words){.place = BROKER_URL};
    for (int i = 2; i < count; i++) {
        bool is_place = strcmp(arguments[i], "--enet") == 0 && i + 1 < count;
        bool is_url = strstr(arguments[i], "://") != NULL;
        if (is_place) {
            snprintf(words->url, sizeof words->url, ENET_URL "%s", arguments[++i]);
            words->place = words->url;
        } else if (is_url) {
            words->place = arguments[i];
        } else if (words->count < 2 && arguments[i][0] != '-') {
            words->values[words->count++] = arguments[i];
        } else {
            return false;
        }
    }
    return true;
}

// Does what a word asks for, in several processes. Returns the exit status, or -1 without such a word.
static int run_word(int count, char **arguments)
{
    words words;
    const char *word = count < 2 ? "" : arguments[1];
    if (!read_words(count, arguments, &words))
        return -1;
    if (strcmp(word, "host") == 0 && words.count == 0)
        return broker_host(words.place);
    if (strcmp(word, "standby") == 0 && words.count == 0)
        return broker_stand_by(words.place);
    bool has_name = words.count == 1 || (words.count == 0 && words.place == words.url);
    if (strcmp(word, "play") == 0 && has_name)
        return broker_play(words.place, words.count == 1 ? words.values[0] : names[ADA]);
    if (strcmp(word, "bot") == 0 && words.count == 2)
        return broker_bot(words.place, words.values[0], atoi(words.values[1]));
    return -1;
}

static int run(game *game, const options *options)
{
    bool is_begun = begin_host(&game->host, &options->network);
    for (uint32_t i = 0; i < PLAYERS && is_begun; i++)
        is_begun = player_begin(&game->players[i], kin_memory_transport_join(game->host.transport));
    if (!is_begun)
        return EXIT_FAILURE;
    if (options->is_demo) {
        play_demo(game);
        return EXIT_SUCCESS;
    }
    if (!terminal_open()) {
        fputs("arena-net: this is no terminal; `arena-net --demo` plays by itself and needs none\n", stderr);
        return EXIT_FAILURE;
    }
    play(game);
    terminal_close();
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    static game game;
    options options = {0};
    int status = run_word(count, arguments);
    if (status >= 0)
        return status;
    if (!read_options(count, arguments, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    status = run(&game, &options);
    for (uint32_t i = PLAYERS; i > 0; i--)
        process_end(&game.players[i - 1]);
    process_end(&game.host);
    return status;
}
