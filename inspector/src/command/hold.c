#include "command/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SOON = 100, PERIOD = 1000, MOST_SHOWN = 10 }; // milliseconds; entities

// ---- interruptions

static volatile sig_atomic_t is_interrupted;

static void interrupt(int number)
{
    (void)number;
    is_interrupted = 1;
}

// From now on these signals end the waiting, so that the game can be resumed; not those that nohup, or the shell for a
// command in the background, ignores.
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = interrupt};
    struct sigaction former;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

// A signal ends it.
static void wait_for(long milliseconds)
{
    KIN_ASSERT(milliseconds > 0);
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    if (!is_interrupted)
        nanosleep(&time, NULL);
}

// ---- the time of the game

typedef struct holding {
    const session *session;
    const json_t *parameters;
    json_t *world; // of the context that the parameters name, or NULL without one
} holding;

// Returns the result, which the caller releases; NULL with the status if there is none. The status is DONE when the
// game only does not update now.
static json_t *ask(const session *session, const char *method, json_t *parameters, int *status)
{
    json_t *answer = client_ask(&session->game, method, parameters);
    const json_t *error = json_object_get(answer, "error");
    json_t *result = json_incref(json_object_get(answer, "result"));
    *status = DONE;
    if (json_integer_value(json_object_get(error, "code")) != NOT_UPDATING)
        *status = show_refusal(answer, NULL);
    json_decref(answer);
    return result;
}

static json_t *find_world(const holding *holding)
{
    int status;
    const json_t *context = json_object_get(holding->parameters, "context");
    if (context == NULL)
        return NULL;
    json_t *hello = ask(holding->session, "kin.hello", NULL, &status);
    json_t *found = NULL;
    const json_t *worlds = json_object_get(hello, "worlds");
    for (size_t i = 0; i < json_array_size(worlds); i++) {
        const json_t *contexts = json_object_get(json_array_get(worlds, i), "contexts");
        for (size_t k = 0; k < json_array_size(contexts); k++)
            if (json_equal(json_array_get(contexts, k), context))
                found = json_object_get(json_array_get(worlds, i), "name");
    }
    json_incref(found);
    json_decref(hello);
    return found;
}

static json_t *ask_time(const holding *holding, const char *method, int *status)
{
    json_t *parameters = json_object();
    if (holding->world != NULL)
        json_object_set(parameters, "world", holding->world);
    return ask(holding->session, method, parameters, status);
}

static int resume(const holding *holding)
{
    int status;
    json_decref(ask_time(holding, "time.resume", &status));
    return status;
}

static bool is_held(const json_t *time)
{
    if (json_is_true(json_object_get(time, "paused")))
        return true;
    return json_is_string(json_object_get(time, "hold")) || json_is_object(json_object_get(time, "held"));
}

// ---- staying

static int stay(const holding *holding)
{
    KIN_ASSERT(holding->session->arguments->waits);
    int status = DONE;
    fputs("kin-inspect: it stays so until Ctrl-C, or kin-inspect resume in this terminal\n", stderr);
    while (!is_interrupted && status == DONE) {
        json_t *time = ask_time(holding, "time.get", &status);
        bool goes_on = time != NULL && !is_held(time);
        json_decref(time);
        if (goes_on)
            break;
        if (status == DONE)
            wait_for(PERIOD);
    }
    if (is_interrupted && status == DONE)
        status = resume(holding);
    if (status == DONE)
        fputs("kin-inspect: the game goes on\n", stderr);
    return status;
}

// Says how long the game stays as it is.
static int finish(const holding *holding, const char *state)
{
    fflush(stdout);
    fprintf(stderr, "kin-inspect: %s", state);
    if (holding->session->arguments->waits) {
        fputc('\n', stderr);
        return stay(holding);
    }
    fputs("; it goes on when no viewer has asked for 10 s; kin-inspect pause --wait keeps it until Ctrl-C\n", stderr);
    return DONE;
}

static int show_time(const session *session, json_t *time)
{
    if (session->arguments->is_json)
        show_json(time);
    else
        show_value(time);
    return DONE;
}

// ---- until

static const char *state_of(const json_t *time)
{
    return text_in(json_object_get(time, "until"), "state");
}

// Waits while the query is asked. Returns the time at the end, which the caller releases; NULL with the status.
static json_t *wait_until(const holding *holding, json_t *time, int *status)
{
    KIN_ASSERT(!holding->session->arguments->waits_not);
    while (*status == DONE && !is_interrupted) {
        if (time != NULL && strcmp(state_of(time), "asked") != 0)
            return time;
        json_decref(time);
        wait_for(SOON);
        time = ask_time(holding, "time.get", status);
    }
    if (!is_interrupted || *status != DONE)
        return time;
    json_decref(time);
    *status = resume(holding);
    if (*status == DONE) {
        fputs("kin-inspect: interrupted; the game goes on\n", stderr);
        *status = REFUSED;
    }
    return NULL;
}

static void show_matching(const holding *holding)
{
    static const char *const columns[] = {"e", "label", "v"};
    int status;
    json_t *asked = json_object();
    json_t *context = json_object_get(holding->parameters, "context");
    if (context != NULL)
        json_object_set(asked, "context", context);
    json_object_set(asked, "query", json_object_get(holding->parameters, "query"));
    json_object_set_new(asked, "named", json_true());
    json_object_set_new(asked, "limit", json_integer(MOST_SHOWN));
    if (json_object_get(holding->parameters, "fields") != NULL)
        json_object_set(asked, "fields", json_object_get(holding->parameters, "fields"));
    json_t *result = ask(holding->session, "entities.query", asked, &status);
    const json_t *rows = json_object_get(result, "rows");
    json_int_t left = json_integer_value(json_object_get(result, "total")) - (json_int_t)json_array_size(rows);
    show_table(rows, columns, sizeof columns / sizeof *columns);
    fflush(stdout);
    if (left > 0)
        fprintf(stderr, "kin-inspect: %lld more match\n", (long long)left);
    json_decref(result);
}

static int show_met(const holding *holding, json_t *time)
{
    char state[128];
    const arguments *arguments = holding->session->arguments;
    if (strcmp(state_of(time), "met") != 0) {
        if (strcmp(state_of(time), "refused") == 0)
            fputs("kin-inspect: asking takes too long: name more components\n", stderr);
        else
            fputs("kin-inspect: another viewer has resumed the game before it held\n", stderr);
        return REFUSED;
    }
    long long frame = json_integer_value(json_object_get(json_object_get(time, "until"), "frame"));
    if (arguments->is_json)
        show_json(time);
    else
        printf("frame\t%lld\n", frame);
    if (!arguments->is_json && !arguments->is_none)
        show_matching(holding);
    snprintf(state, sizeof state, "it held in frame %lld; the game is paused", frame);
    return finish(holding, state);
}

// ---- commands

static int run_until(const holding *holding, json_t *time)
{
    int status = DONE;
    if (holding->session->arguments->waits_not)
        return show_time(holding->session, time);
    json_t *end = wait_until(holding, json_incref(time), &status);
    if (end != NULL)
        status = show_met(holding, end);
    json_decref(end);
    return status;
}

static int run(const holding *holding, const char *method, json_t *time)
{
    if (strcmp(method, "time.until") == 0)
        return run_until(holding, time);
    int status = show_time(holding->session, time);
    if (!is_held(time))
        return status;
    if (strcmp(method, "time.pause") == 0)
        return finish(holding, "paused");
    return finish(holding, "held");
}

int hold_run(const session *session, const char *method, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters));
    KIN_ASSERT(!session->arguments->waits || !session->arguments->waits_not);
    holding holding = {.session = session, .parameters = parameters};
    bool waits_until = strcmp(method, "time.until") == 0 && !session->arguments->waits_not;
    if (session->arguments->waits || waits_until)
        catch_signals();
    holding.world = find_world(&holding);
    json_t *asked = json_copy(parameters);
    json_object_del(asked, "fields"); // of the entities that are shown then
    json_t *answer = client_ask(&session->game, method, asked);
    const char *query = json_string_value(json_object_get(parameters, "query"));
    int status = show_refusal(answer, query);
    if (status == DONE)
        status = run(&holding, method, json_object_get(answer, "result"));
    json_decref(answer);
    json_decref(holding.world);
    json_decref(parameters);
    return status;
}
