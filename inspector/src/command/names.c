#include "command/names.h"

#include "command/client.h"
#include "command/show.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
