#include "inspect_case.h"

#include "runtime/support/town_case.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ANSWER_SIZE = 8 * 1024 * 1024, BUFFERS = 12 };

kin_inspector *inspector;
my_game_context *game;
my_input_context *input;
guard inspect_memory;
kin_error inspect_error;

static char *buffers[BUFFERS];
static uint32_t next_buffer;

static char *buffer(void)
{
    char **taken = &buffers[next_buffer++ % BUFFERS];
    if (*taken == NULL)
        *taken = malloc(ANSWER_SIZE);
    ck_assert_ptr_nonnull(*taken);
    return *taken;
}

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    inspect_error = *error;
}

uint64_t inspect_reading = 1000;
static atomic_uint_least64_t set_time; // nanoseconds; 0: the clock is that of the machine

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (set_time == 0 || (clock != CLOCK_MONOTONIC && clock != CLOCK_THREAD_CPUTIME_ID))
        return __real_clock_gettime(clock, time);
    uint64_t now = set_time += inspect_reading;
    *time = (struct timespec){(time_t)(now / 1000000000u), (long)(now % 1000000000u)};
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    if (set_time == 0)
        return __real_nanosleep(time, left);
    set_time += (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
    return 0;
}

kin_inspector_options inspect_live_options(void)
{
    return (kin_inspector_options){.allocator = guard_begin(&inspect_memory), .on_error = note_error};
}

kin_inspector_options inspect_options(void)
{
    kin_inspector_options options = inspect_live_options();
    options.offline = true;
    struct timespec now;
    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    set_time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return options;
}

void inspect_begin(void)
{
    kin_inspector_options options = inspect_options();
    inspect_error = (kin_error){0};
    game = my_game_context_create(NULL);
    input = my_input_context_create(NULL);
    inspector = kin_inspector_create(&options);
    ck_assert_ptr_nonnull(inspector);
    ck_assert_int_eq(kin_inspector_add(inspector, &game->base, NULL), KIN_OK);
    ck_assert_int_eq(kin_inspector_add(inspector, &input->base, NULL), KIN_OK);
}

void inspect_end(void)
{
    kin_inspector_destroy(inspector);
    guard_end(&inspect_memory);
    my_game_context_destroy(game);
    my_input_context_destroy(input);
    for (uint32_t i = 0; i < BUFFERS; i++) {
        free(buffers[i]);
        buffers[i] = NULL;
    }
}

void inspect_town_begin_with(const kin_inspector_options *options)
{
    inspect_error = (kin_error){0};
    town_begin();
    inspector = kin_inspect(town_world_base(town), options);
    ck_assert_ptr_nonnull(inspector);
}

void inspect_town_begin(void)
{
    kin_inspector_options options = inspect_options();
    inspect_town_begin_with(&options);
}

void inspect_town_end(void)
{
    town_end();
    guard_end(&inspect_memory);
}

const char *inspect_quoted(const char *text)
{
    char *quoted = buffer();
    snprintf(quoted, ANSWER_SIZE, "%s", text);
    for (char *at = quoted; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    return quoted;
}

const char *inspect_send(const char *request)
{
    char *answer = buffer();
    size_t size = kin_inspector_request(inspector, request, strlen(request), answer, ANSWER_SIZE);
    ck_assert_uint_eq(size, strlen(answer));
    return answer;
}

// Returns the JSON as text, which is compact.
static char *dump(const json_t *value)
{
    char *text = buffer();
    size_t size = value == NULL ? 0 : json_dumpb(value, text, ANSWER_SIZE, JSON_COMPACT | JSON_ENCODE_ANY);
    ck_assert_uint_lt(size, ANSWER_SIZE);
    text[size] = '\0';
    return text;
}

const char *inspect_ask(const char *method, const char *parameters)
{
    json_error_t error;
    char *request = buffer();
    snprintf(request, ANSWER_SIZE, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
             inspect_quoted(parameters));
    const char *answer = inspect_send(request);
    json_t *document = json_loads(answer, 0, &error);
    ck_assert_msg(document != NULL, "%s in %s", error.text, answer);
    ck_assert_str_eq(json_string_value(json_object_get(document, "jsonrpc")), "2.0");
    ck_assert_int_eq(json_integer_value(json_object_get(document, "id")), 1);
    json_t *result = json_object_get(document, "result"), *refusal = json_object_get(document, "error");
    ck_assert((result == NULL) != (refusal == NULL));
    const char *shown = dump(result);
    if (refusal != NULL) {
        char *text = buffer();
        snprintf(text, ANSWER_SIZE, "error %d: %s %s", (int)json_integer_value(json_object_get(refusal, "code")),
                 json_string_value(json_object_get(refusal, "message")), dump(json_object_get(refusal, "data")));
        shown = text;
    }
    json_decref(document);
    return shown;
}
