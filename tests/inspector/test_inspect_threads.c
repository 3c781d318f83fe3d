// Threads: two worlds, each updated by a thread of its own with parallel systems, and four viewers that ask for
// everything meanwhile. Worlds end and begin anew, and the inspector ends, while requests are under way. The thread
// sanitizer runs this, too.
#include "http_case.h"
#include "suites.h"

#include "runtime/support/hive_case.h"

#include <kin/pool.h>

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORLDS = 2, VIEWERS = 4, LIVES = 3, UPDATES = 150, ANSWERS = 34, BEES = 2000 };

static atomic_uint answered, refused; // requests
static atomic_bool viewers_end;
static kin_executor *pool;

// ---- games

static void fly(hive_fly_job *job, hive_fly_iter *it)
{
    (void)job;
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->position[i].x += 1;
}

static hive_hive_world *create(void)
{
    hive_hive_world *world = hive_hive_world_create(NULL, NULL);
    ck_assert_ptr_nonnull(world);
    for (uint32_t i = 0; i < BEES; i++)
        hive_bees_spawn_bee(world->contexts->bees);
    hive_hive_world_set_executor(world, pool);
    return world;
}

static void *play(void *user)
{
    hive_hive_world **world = user;
    for (int life = 0; life < LIVES; life++) {
        for (int update = 0; update < UPDATES || atomic_load(&answered) < (uint32_t)(life + 1) * ANSWERS; update++) {
            hive_hive_world_update(*world, 0.01);
            wait_for(1);
        }
        hive_hive_world_destroy(*world); // with tasks that wait
        *world = create();
        if (kin_inspector_add_world(inspector, hive_hive_world_base(*world)) != KIN_OK)
            abort();
    }
    return NULL;
}

// ---- viewers

static const char *const requests[] = {
    "entities.query\",\"params\":{\"context\":\"%s\",\"query\":\"Position where x > 3 order by x\",\"limit\":20}",
    "entities.query\",\"params\":{\"context\":\"%s\",\"query\":\"in flyers\"}",
    "systems.list\",\"params\":{\"world\":\"%s\"}",
    "groups.list\",\"params\":{\"context\":\"%s\"}",
    "collectors.list\",\"params\":{\"context\":\"%s\"}",
    "timeline.start\",\"params\":{\"world\":\"%s\"}",
    "timeline.get\",\"params\":{\"world\":\"%s\"}",
    "journal.start\",\"params\":{\"context\":\"%s\",\"components\":[\"Energy\"],\"lives\":true,\"bytes\":65536}",
    "journal.read\",\"params\":{\"context\":\"%s\"}",
    "marks.take\",\"params\":{\"context\":\"%s\",\"query\":\"Position\"}",
    "memory.report\",\"params\":{\"context\":\"%s\"}",
    "plots.add\",\"params\":{\"context\":\"%s\",\"query\":\"Energy\",\"value\":\"count\"}",
    "plots.read\",\"params\":{\"context\":\"%s\"}",
    "time.pause\",\"params\":{\"world\":\"%s\"}",
    "time.step\",\"params\":{\"world\":\"%s\"}",
    "time.resume\",\"params\":{\"world\":\"%s\"}",
    "time.hold\",\"params\":{\"world\":\"%s\",\"system\":\"Fly\"}",
    "time.get\",\"params\":{\"world\":\"%s\"}",
    "entities.spawn\",\"params\":{\"context\":\"%s\",\"blueprint\":\"Bee\"}",
    "kin.hello\",\"params\":{}",
};

// Sends a request, and reads until the connection ends. Returns the bytes of the answer.
static size_t send_request(const char *text)
{
    char bytes[4096];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(http_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    size_t size = 0;
    ssize_t got;
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) {
        send_bytes(connection, text, strlen(text));
        while ((got = recv(connection, bytes, sizeof bytes, 0)) > 0)
            size += (size_t)got;
    }
    close(connection);
    return size;
}

static void ask(const char *method, const char *name)
{
    char body[512], head[512], filled[384];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(filled, sizeof filled, method, name);
#pragma GCC diagnostic pop
    int size = snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s}", filled);
    int length = snprintf(head, sizeof head,
                          POST "\r\n" HOST BEARER TYPE "Content-Length: %d\r\nConnection: close\r\n\r\n", size);
    char request[sizeof body + sizeof head];
    snprintf(request, sizeof request, "%.*s%s", length, head, body);
    if (send_request(request) > 0)
        atomic_fetch_add(&answered, 1);
    else
        atomic_fetch_add(&refused, 1);
}

static void *look(void *user)
{
    static const char *const contexts[] = {"bees", "bees#2", "smoke"}, *const worlds[] = {"hive", "hive#2"};
    unsigned state = *(unsigned *)user;
    while (!atomic_load(&viewers_end)) {
        state = state * 1664525u + 1013904223u;
        const char *method = requests[(state >> 16) % (sizeof requests / sizeof *requests)];
        bool is_of_world = strstr(method, "\"world\"") != NULL;
        ask(method, is_of_world ? worlds[state >> 8 & 1] : contexts[(state >> 8) % 3]);
    }
    return NULL;
}

// ---- the test

START_TEST(ins_01_worlds_on_two_threads_are_looked_at_by_four_viewers)
{
    static unsigned seeds[VIEWERS] = {11, 23, 37, 41};
    hive_hive_world *worlds[WORLDS];
    pthread_t games[WORLDS], viewers[VIEWERS];
    kin_inspector_options options = {.token = TOKEN, .quiet = true};
    hive_does = (hive_actions){.fly = fly};
    pool = kin_pool_create(2);
    inspector = kin_inspector_create(&options);
    ck_assert_ptr_nonnull(inspector);
    for (int i = 0; i < WORLDS; i++) {
        worlds[i] = create();
        ck_assert_int_eq(kin_inspector_add_world(inspector, hive_hive_world_base(worlds[i])), KIN_OK);
    }
    ck_assert_int_eq(sscanf(kin_inspector_address(inspector), "http://127.0.0.1:%hu/", &http_port), 1);
    for (int i = 0; i < VIEWERS; i++)
        pthread_create(&viewers[i], NULL, look, &seeds[i]);
    for (int i = 0; i < WORLDS; i++)
        pthread_create(&games[i], NULL, play, &worlds[i]);
    for (int i = 0; i < WORLDS; i++)
        pthread_join(games[i], NULL);
    kin_inspector_destroy(inspector); // with requests that wait
    atomic_store(&viewers_end, true);
    for (int i = 0; i < VIEWERS; i++)
        pthread_join(viewers[i], NULL);
    for (int i = 0; i < WORLDS; i++)
        hive_hive_world_destroy(worlds[i]);
    kin_pool_destroy(pool);
}
END_TEST

Suite *inspect_threads_suite(void)
{
    Suite *suite = suite_create("inspect_threads");
    TCase *tests = tcase_create("threads");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, ins_01_worlds_on_two_threads_are_looked_at_by_four_viewers);
    suite_add_tcase(suite, tests);
    return suite;
}
