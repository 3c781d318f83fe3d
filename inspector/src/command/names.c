#include "command/names.h"

#include "command/client.h"
#include "command/show.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 16, NAME = 128 };

// Asks for a list of the context that the parameters name. Returns the answer, which the caller releases, or NULL; and
// the list, or NULL where the game refuses: then it also refuses the request itself, and says why.
static json_t *ask_list(const session *session, const char *method, const json_t *parameters, const char *key,
                        const json_t **list)
{
    json_t *asked = json_object(), *context = json_object_get(parameters, "context");
    if (context != NULL)
        json_object_set(asked, "context", context);
    json_t *answer = client_ask(&session->game, method, asked);
    *list = json_object_get(json_object_get(answer, "result"), key);
    return answer;
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static const json_t *find_named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(string_of(json_array_get(list, i), "name"), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

// ---- the components of a query

// Reads a query up to its condition and its order, or the text of a matcher, as words and marks.
typedef struct words {
    const char *at;
    char word[NAME]; // a name, or a mark
    bool is_quoted;
} words;

static bool next_word(words *words)
{
    words->at += strspn(words->at, " \t\r\n");
    words->is_quoted = *words->at == '`';
    const char *begin = words->at + words->is_quoted;
    size_t size = 0;
    while (words->is_quoted ? begin[size] != '`' && begin[size] != '\0'
                            : isalnum((unsigned char)begin[size]) || begin[size] == '_')
        size++;
    size_t whole = size == 0 && *begin != '\0' ? 1 : size;
    snprintf(words->word, sizeof words->word, "%.*s", (int)(whole < NAME ? whole : 0), begin);
    words->at = begin + whole + (words->is_quoted && begin[whole] == '`');
    return whole > 0;
}

static bool is_word(const words *words, const char *word)
{
    return !words->is_quoted && strcmp(words->word, word) == 0;
}

// Passes over an operand: a name, or what is in parentheses.
static void skip_operand(words *words)
{
    int level = 0;
    do {
        if (!next_word(words))
            return;
        level += is_word(words, "(") - is_word(words, ")");
    } while (level > 0 || is_word(words, "!") || is_word(words, "in") || is_word(words, "only"));
}

typedef struct naming {
    const session *session;
    const json_t *parameters, *components;
    json_t *fields;
} naming;

static void add_names(naming *naming, const char *text, bool is_matcher);

static void add_group(naming *naming, const char *name)
{
    const json_t *groups;
    json_t *answer = ask_list(naming->session, "groups.list", naming->parameters, "groups", &groups);
    add_names(naming, string_of(find_named(groups, name), "matcher"), true);
    json_decref(answer);
}

static void add_component(naming *naming, const char *name)
{
    const json_t *component = find_named(naming->components, name);
    for (size_t i = 0; i < json_array_size(naming->fields); i++)
        if (strcmp(json_string_value(json_array_get(naming->fields, i)), name) == 0)
            return;
    if (component != NULL && strcmp(string_of(component, "inspect"), "hidden") != 0 &&
        json_array_size(naming->fields) < MOST_FIELDS)
        json_array_append_new(naming->fields, json_string(name));
}

// Recursive in groups, whose matchers have none.
static void add_names(naming *naming, const char *text, bool is_matcher)
{
    words words = {.at = text};
    while (next_word(&words) && (is_matcher || (!is_word(&words, "where") && !is_word(&words, "order")))) {
        if (is_word(&words, "!") || (is_matcher && is_word(&words, "none")))
            skip_operand(&words);
        else if (!is_matcher && is_word(&words, "in") && next_word(&words))
            add_group(naming, words.word);
        else
            add_component(naming, words.word);
    }
}

int names_add_fields(const session *session, json_t *parameters)
{
    naming naming = {session, parameters, NULL, NULL};
    const char *query = json_string_value(json_object_get(parameters, "query"));
    if (query == NULL || json_object_get(parameters, "fields") != NULL)
        return DONE;
    json_t *answer = ask_list(session, "schema.get", parameters, "components", &naming.components);
    if (answer == NULL)
        return NO_GAME;
    naming.fields = json_array();
    add_names(&naming, query, false);
    if (json_array_size(naming.fields) > 0)
        json_object_set(parameters, "fields", naming.fields);
    json_decref(naming.fields);
    json_decref(answer);
    return DONE;
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
    const json_t *components;
    int status = DONE;
    const char *path = string_of(parameters, "path");
    if (strchr(path, '.') != NULL)
        return DONE;
    json_t *answer = ask_list(session, "schema.get", parameters, "components", &components);
    const json_t *fields = json_object_get(find_named(components, path), "fields");
    if (json_array_size(fields) > 0)
        status = say_which(path, string_of(json_array_get(fields, 0), "name"));
    for (size_t i = 0; status == DONE && i < json_array_size(components); i++)
        if (has_field(json_array_get(components, i), path))
            status = say_which(string_of(json_array_get(components, i), "name"), path);
    status = answer == NULL ? NO_GAME : status;
    json_decref(answer);
    return status;
}

// ---- systems and collectors

static int fail_system(const char *what, const char *name, const char *hint)
{
    fprintf(stderr, "kin-inspect: %s '", what);
    show_text(stderr, name);
    fprintf(stderr, "'; %s\n", hint);
    return REFUSED;
}

int names_find_place(const session *session, json_t *parameters)
{
    const json_t *systems, *row = NULL;
    const char *name = json_string_value(json_object_get(parameters, "place"));
    if (name == NULL)
        return DONE;
    json_t *answer = ask_list(session, "systems.list", parameters, "systems", &systems);
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(systems); i++)
        if (strcmp(string_of(json_array_get(systems, i), "name"), name) == 0) {
            row = json_array_get(systems, i);
            count++;
        }
    int status = answer == NULL ? NO_GAME : DONE;
    if (systems != NULL && count != 1)
        status = fail_system(count == 0 ? "there is no system" : "several systems are called", name,
                             "kin-inspect systems lists them with their places");
    if (row != NULL && status == DONE) {
        json_object_set(parameters, "systems", json_object_get(row, "systems"));
        json_object_set(parameters, "place", json_object_get(row, "place"));
    }
    json_decref(answer);
    return status;
}

int names_find_collector(const session *session, json_t *parameters)
{
    char *end;
    const char *word = string_of(parameters, "collector");
    long number = strtol(word, &end, 10);
    (void)session;
    if (!isdigit((unsigned char)word[0]) || *end != '\0')
        return DONE;
    json_object_set_new(parameters, "number", json_integer(number));
    json_object_del(parameters, "collector");
    return DONE;
}
