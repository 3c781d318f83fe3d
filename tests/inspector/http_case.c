#include "http_case.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

const char *http_token = TOKEN;
uint16_t http_port;
static pthread_t game_thread;
static atomic_bool game_ends;
static atomic_uint updates;
atomic_bool game_stands;
arena http_memory;

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void wait_for(uint64_t milliseconds)
{
    struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000 * 1000000)};
    nanosleep(&time, NULL);
}

void wait_for_updates(uint32_t count)
{
    uint32_t began = atomic_load(&updates);
    wait_until(atomic_load(&updates) - began >= count);
}

// The game: updates about 500 times a second.
static void *run_game(void *user)
{
    (void)user;
    while (!atomic_load(&game_ends)) {
        if (!atomic_load(&game_stands)) {
            town_world_update(town, 0.01);
            atomic_fetch_add(&updates, 1);
        }
        wait_for(2);
    }
    return NULL;
}

void game_start(void)
{
    atomic_store(&game_ends, false);
    atomic_store(&game_stands, false);
    pthread_create(&game_thread, NULL, run_game, NULL);
}

void game_stop(void)
{
    atomic_store(&game_ends, true);
    pthread_join(game_thread, NULL);
}

void http_begin_with(kin_inspector_options options)
{
    options.token = http_token;
    options.quiet = true;
    options.port = 0;
    town_begin();
    for (int32_t i = 0; i < 20; i++)
        houses_add_roof(town->contexts->houses, houses_create_entity(town->contexts->houses), (Roof){.tiles = i});
    inspector = kin_inspect(town_world_base(town), &options);
    ck_assert_ptr_nonnull(inspector);
    const char *address = kin_inspector_address(inspector);
    ck_assert_int_eq(sscanf(address, "http://127.0.0.1:%hu/#token=", &http_port), 1);
    ck_assert_str_eq(strchr(address, '=') + 1, http_token);
    game_start();
}

void http_begin(void)
{
    http_begin_with((kin_inspector_options){0});
}

void http_end(void)
{
    game_stop();
    town_end();
    arena_release(&http_memory);
}

// ---- requests of bytes

int connect_to(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(http_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 120};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ck_assert_int_eq(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

void send_bytes(int connection, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

// Reads until the connection ends.
const char *receive(int connection)
{
    static char response[RESPONSE_SIZE];
    size_t used = 0;
    ssize_t got;
    while (used + 1 < sizeof response && (got = recv(connection, response + used, sizeof response - used - 1, 0)) > 0)
        used += (size_t)got;
    response[used] = '\0';
    close(connection);
    return response;
}

const char *exchange(const char *request)
{
    int connection = connect_to();
    send_bytes(connection, request, strlen(request));
    return receive(connection);
}

int status_of(const char *response)
{
    int status = 0;
    return sscanf(response, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

const char *request_of(const char *line, const char *headers, const char *body)
{
    return arena_format(&http_memory, "%s\r\n%sContent-Length: %zu\r\nConnection: close\r\n\r\n%s", line, headers,
                        strlen(body), body);
}
