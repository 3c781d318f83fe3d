#include "command/command.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- requests

enum { MOST_BYTES = 16 * 1024 * 1024, PATIENCE = 10 };

typedef struct received {
    char *bytes;
    size_t size;
} received;

static size_t append(char *bytes, size_t size, size_t count, void *user)
{
    received *received = user;
    size *= count;
    KIN_ASSERT(received->size <= MOST_BYTES && (received->bytes != NULL || received->size == 0));
    if (size > MOST_BYTES - received->size)
        return 0;
    char *larger = realloc(received->bytes, received->size + size + 1);
    if (larger == NULL)
        return 0;
    memcpy(larger + received->size, bytes, size);
    received->bytes = larger;
    received->size += size;
    larger[received->size] = '\0';
    return size;
}

static char *make_request(const char *method, json_t *parameters)
{
    KIN_ASSERT(parameters == NULL || json_is_object(parameters));
    if (parameters == NULL)
        parameters = json_object();
    json_t *request =
        json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1, "method", method, "params", parameters);
    char *text = json_dumps(request, JSON_COMPACT);
    json_decref(request);
    return text;
}

// All commands in one terminal are one viewer.
static struct curl_slist *make_headers(const char *token)
{
    char line[200];
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    snprintf(line, sizeof line, "Authorization: Bearer %s", token);
    headers = curl_slist_append(headers, line);
    snprintf(line, sizeof line, "Kin-Viewer: kin-inspect in session %ld", (long)getsid(0));
    headers = curl_slist_append(headers, line);
    return curl_slist_append(headers, "Expect:");
}

// What is fetched, and what takes it.
typedef struct exchange {
    const char *path;
    const char *request; // that is posted; NULL to get the path
    curl_write_callback take;
    void *user;
    bool is_stream; // has no end
} exchange;

// A game that has answered before, or has begun to, has ended when it does not go on, unless it is only slow.
static bool has_answered;

static void say_that_it_ended(void)
{
    fputs("kin-inspect: the game has ended\n", stderr);
}

static void show_failure(const game *game, CURLcode code)
{
    bool has_begun =
        has_answered || code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR || code == CURLE_PARTIAL_FILE;
    if (has_begun && code != CURLE_OPERATION_TIMEDOUT)
        say_that_it_ended();
    else
        fprintf(stderr, "kin-inspect: the game at %s does not answer: %s\n", game->url, curl_easy_strerror(code));
}

// Posts a request, or gets a path, whatever proxies there are. Returns the status of HTTP, or 0. It is no failure when
// `take` ends it.
static long perform(const game *game, const exchange *exchange)
{
    KIN_ASSERT(exchange->path[0] == '/');
    KIN_ASSERT(exchange->take != NULL && (!exchange->is_stream || exchange->request != NULL));
    char url[300];
    long status = 0;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = make_headers(game->token);
    snprintf(url, sizeof url, "%.256s%s", game->url, exchange->path);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)PATIENCE);
    if (!exchange->is_stream)
        curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (exchange->request != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, exchange->request);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, exchange->take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, exchange->user);
    CURLcode code = curl_easy_perform(curl);
    bool was_ended = code == CURLE_WRITE_ERROR && exchange->is_stream;
    if (code == CURLE_OK || was_ended)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    else
        show_failure(game, code);
    has_answered = has_answered || status == 200;
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return status;
}

static long fetch(const game *game, const char *path, const char *request, received *received)
{
    exchange exchange = {.path = path, .request = request, .take = append, .user = received};
    return perform(game, &exchange);
}

static void show_answer(long status, const char *body)
{
    KIN_ASSERT(status != 0);
    if (status == 401 && has_answered) { // another game has its port now
        say_that_it_ended();
        return;
    }
    if (status == 401) {
        fputs("kin-inspect: the token is wrong; KIN_TOKEN must be that of the address which the game printed\n",
              stderr);
        return;
    }
    fprintf(stderr, "kin-inspect: the game answers %ld: ", status);
    show_text(stderr, body);
    fputc('\n', stderr);
}

json_t *client_ask(const game *game, const char *method, json_t *parameters)
{
    received received = {0};
    long status = 0;
    json_t *answer = NULL;
    char *request = make_request(method, parameters);
    if (request != NULL)
        status = fetch(game, "/rpc", request, &received);
    free(request);
    if (status == 200)
        answer = json_loadb(received.bytes, received.size, 0, NULL);
    if (status != 0 && answer == NULL)
        show_answer(status, received.bytes);
    free(received.bytes);
    return answer;
}

// ---- streams

typedef struct streamed {
    received rest; // what has come of an event that is not whole
    client_take *take;
    void *user;
    bool is_over; // the taker has ended it
} streamed;

// Gives the events that are whole to the taker.
static bool take_events(streamed *streamed)
{
    char *begin = streamed->rest.bytes;
    bool goes_on = true;
    if (begin == NULL)
        return true;
    for (char *end; goes_on && (end = strstr(begin, "\n\n")) != NULL; begin = end + 2) {
        const char *data = strstr(begin, "data: ");
        json_t *event = NULL;
        if (data != NULL && data < end)
            event = json_loadb(data + 6, (size_t)(end - data) - 6, 0, NULL);
        if (event != NULL)
            goes_on = streamed->take(event, streamed->user);
        json_decref(event);
    }
    if (begin != streamed->rest.bytes) {
        streamed->rest.size = strlen(begin);
        memmove(streamed->rest.bytes, begin, streamed->rest.size + 1);
    }
    return goes_on;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *user)
{
    streamed *streamed = user;
    if (append(bytes, size, count, &streamed->rest) != size * count)
        return 0;
    streamed->is_over = !take_events(streamed);
    if (streamed->is_over)
        return 0;
    return size * count;
}

json_t *client_stream(const game *game, const char *method, json_t *parameters, client_take *take, void *user)
{
    KIN_ASSERT(take != NULL && json_is_object(parameters));
    char name[64];
    streamed streamed = {.take = take, .user = user};
    snprintf(name, sizeof name, "%.50s+watch", method);
    char *request = make_request(name, parameters);
    exchange exchange = {
        .path = "/stream", .request = request, .take = take_bytes, .user = &streamed, .is_stream = true};
    long status = 0;
    json_t *refusal = NULL;
    if (request != NULL)
        status = perform(game, &exchange);
    free(request);
    if (status == 200 && streamed.rest.size > 0)
        refusal = json_loads(streamed.rest.bytes, 0, NULL);
    if (status == 200 && refusal == NULL) {
        if (!streamed.is_over)
            say_that_it_ended();
    } else if (status != 0 && status != 200) {
        show_answer(status, streamed.rest.bytes);
    }
    free(streamed.rest.bytes);
    return refusal;
}

char *client_get(const game *game, const char *path)
{
    received received = {0};
    long status = fetch(game, path, NULL, &received);
    if (status == 200 && received.bytes != NULL)
        return received.bytes;
    if (status != 0)
        show_answer(status, received.bytes);
    free(received.bytes);
    return NULL;
}

// ---- names

// Asks for a list of the context that the parameters name. Returns the answer, which the caller releases, or NULL; and
// the list, or NULL where the game refuses: then it also refuses the request itself, and says why.
static json_t *ask_list(const session *session, const char *method, const json_t *parameters, const char *key,
                        const json_t **list)
{
    json_t *asked = json_object();
    json_t *context = json_object_get(parameters, "context");
    if (context != NULL)
        json_object_set(asked, "context", context);
    json_t *answer = client_ask(&session->game, method, asked);
    *list = json_object_get(json_object_get(answer, "result"), key);
    return answer;
}

const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static const json_t *find_named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(text_in(json_array_get(list, i), "name"), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

// ---- paths

static bool has_field(const json_t *component, const char *name)
{
    return find_named(json_object_get(component, "fields"), name) != NULL;
}

static int say_which(const char *component, const char *field)
{
    fprintf(stderr, "kin-inspect: name a component and a field, such as ");
    show_text(stderr, component);
    fputc('.', stderr);
    show_text(stderr, field);
    fputc('\n', stderr);
    return USAGE;
}

int names_check_path(const session *session, json_t *parameters)
{
    KIN_ASSERT(json_is_string(json_object_get(parameters, "path")));
    const json_t *components;
    int status = DONE;
    const char *path = text_in(parameters, "path");
    if (strchr(path, '.') != NULL)
        return DONE;
    json_t *answer = ask_list(session, "schema.get", parameters, "components", &components);
    const json_t *fields = json_object_get(find_named(components, path), "fields");
    if (json_array_size(fields) > 0)
        status = say_which(path, text_in(json_array_get(fields, 0), "name"));
    for (size_t i = 0; status == DONE && i < json_array_size(components); i++)
        if (has_field(json_array_get(components, i), path))
            status = say_which(text_in(json_array_get(components, i), "name"), path);
    if (answer == NULL)
        return NO_GAME;
    json_decref(answer);
    return status;
}

// ---- systems and collectors

static int fail_system(const char *what, const char *name, const char *meant)
{
    fprintf(stderr, "kin-inspect: %s '", what);
    show_text(stderr, name);
    fputc('\'', stderr);
    if (meant != NULL)
        show_meant(meant);
    else
        fputs("; kin-inspect systems lists them with their places", stderr);
    fputc('\n', stderr);
    return REFUSED;
}

int names_find_place(const session *session, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters));
    const json_t *systems;
    const json_t *row = NULL;
    const char *name = json_string_value(json_object_get(parameters, "place"));
    if (name == NULL)
        return DONE;
    json_t *answer = ask_list(session, "systems.list", parameters, "systems", &systems);
    if (answer == NULL)
        return NO_GAME;
    size_t count = 0;
    guess guess = {0};
    for (size_t i = 0; i < json_array_size(systems); i++) {
        const char *other = text_in(json_array_get(systems, i), "name");
        guess_offer(&guess, name, other);
        if (strcmp(other, name) != 0)
            continue;
        row = json_array_get(systems, i);
        count++;
    }
    int status = DONE;
    if (count == 1) {
        json_object_set(parameters, "systems", json_object_get(row, "systems"));
        json_object_set(parameters, "place", json_object_get(row, "place"));
    } else if (systems != NULL && count == 0) {
        status = fail_system("there is no system", name, guess.word);
    } else if (systems != NULL) {
        status = fail_system("several systems are called", name, NULL);
    }
    json_decref(answer);
    return status;
}

int names_find_collector(const session *session, json_t *parameters)
{
    KIN_ASSERT(json_is_string(json_object_get(parameters, "collector")));
    char *end;
    const char *word = text_in(parameters, "collector");
    long number = strtol(word, &end, 10);
    (void)session;
    if (!isdigit((unsigned char)word[0]) || *end != '\0')
        return DONE;
    json_object_set_new(parameters, "number", json_integer(number));
    json_object_del(parameters, "collector");
    return DONE;
}
