#include "command/commands.h"

#include <stdio.h>
#include <string.h>

#define RECORD                                                                                                         \
    {                                                                                                                  \
        "n", "frame", "system", "role", "kind", "e", "component", "was", "is"                                          \
    }

#define WHY                                                                                                            \
    {                                                                                                                  \
        "e", "frame", "system", "component", "change", "group", "event", "verdict"                                     \
    }

#define MESSAGE                                                                                                        \
    {                                                                                                                  \
        "frame", "message", "publisher", "readers", "fields"                                                           \
    }

static const command commands[] = {
    {"query", "entities.query", {"?query"}, "rows", {"e", "label", "v"}, true},
    {"get", "entities.get", {"entity"}, NULL, {0}, true},
    {"set", "components.set", {"entity", "path", "=value"}, NULL, {0}, true},
    {"add", "components.add", {"entity", "component", "?=value"}, NULL, {0}, true},
    {"remove", "components.remove", {"entity", "component"}, NULL, {0}, true},
    {"create", "entities.create", {0}, NULL, {0}, true},
    {"spawn", "entities.spawn", {"blueprint"}, NULL, {0}, true},
    {"clone", "entities.clone", {"entity"}, NULL, {0}, true},
    {"destroy", "entities.destroy", {"entity"}, NULL, {0}, true},
    {"groups", "groups.list", {0}, "groups", {"name", "members", "listeners", "matcher", "doc"}, true},
    {"uniques", "uniques.list", {0}, "uniques", {"component", "carrier", "value"}, true},
    {"indices", "indices.list", {0}, "indices", {"name", "entities", "primary", "doc"}, true},
    {"collectors", "collectors.list", {0}, "collectors", {"name", "active", "waiting", "triggers"}, true},
    {"memory", "memory.report", {0}, "components", {"component", "columns", "values", "used", "allocated"}, true},
    {"schema", "schema.get", {0}, "components", {"name", "doc", "inspect", "fields"}, true},
    {"systems", "systems.list", {0}, "systems", {"place", "name", "kind", "enabled", "waiting", "nanoseconds"}, false},
    {"enable", "systems.enable", {"=place"}, NULL, {0}, false},
    {"disable", "systems.enable", {"=place"}, NULL, {0}, false},
    {"time", "time.get", {0}, NULL, {0}, false},
    {"pause", "time.pause", {0}, NULL, {0}, false},
    {"resume", "time.resume", {0}, NULL, {0}, false},
    {"step", "time.step", {"?=updates"}, NULL, {0}, false},
    {"record", "journal.start", {0}, NULL, {0}, true},
    {"record-end", "journal.stop", {0}, NULL, {0}, true},
    {"journal", "journal.read", {0}, "records", RECORD, true},
    {"messages", "messages.read", {"?message"}, "messages", MESSAGE, false},
    {"errors", "errors.read", {0}, "errors", {"frame", "system", "status", "sentence", "count"}, false},
    {"watch", "watches.add", {"entity", "path"}, NULL, {0}, true},
    {"watches", "watches.list", {0}, "watches", {"watch", "e", "path", "value", "count", "changes"}, true},
    {"unwatch", "watches.remove", {"=watch"}, NULL, {0}, true},
    {"why", "collectors.why", {"collector", "?entity"}, "collections", WHY, true},
    {"mark", "marks.take", {"?query"}, NULL, {0}, true},
    {"diff", "marks.diff", {"=from", "?=to"}, "rows", {"e", "kind", "component", "was", "is"}, true},
    {"speed", "time.speed", {"=speed"}, NULL, {0}, false},
    {"hold", "time.hold", {"?system"}, NULL, {0}, false},
    {"until", "time.until", {"query"}, NULL, {0}, true},
};

const command commands_explain = {"get", "entities.explain", {"entity"}, NULL, {0}, true};

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

// ---- parameters

// A value as JSON; what is none is a string.
static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value != NULL ? value : json_string(text);
}

static json_t *fields_of(const char *text)
{
    json_t *fields = json_array();
    for (const char *at = text; *at != '\0';) {
        size_t size = strcspn(at, ",");
        json_array_append_new(fields, json_stringn(at, size));
        at += size + (at[size] == ',');
    }
    return fields;
}

// Reads the words behind the command. Returns false, and says so, when there are too few or too many.
static bool read_words(const arguments *arguments, const command *command, json_t *parameters)
{
    int used = 1;
    for (size_t i = 0; i < 3 && command->words[i] != NULL; i++) {
        const char *name = command->words[i], *word = arguments->words[used];
        bool is_optional = name[0] == '?';
        name += is_optional;
        bool is_value = name[0] == '=';
        name += is_value;
        if (arguments->is_of_systems && strcmp(name, "updates") == 0)
            name = "systems";
        if (word == NULL && !is_optional) {
            fprintf(stderr, "kin-inspect: %s needs the %s; see kin-inspect --help\n", command->name, name);
            return false;
        }
        if (word == NULL)
            break;
        json_object_set_new(parameters, name, is_value ? value_of(word) : json_string(word));
        used++;
    }
    if (arguments->words[used] == NULL)
        return true;
    fprintf(stderr, "kin-inspect: there is nothing to do with '%s'; see kin-inspect --help\n", arguments->words[used]);
    return false;
}

// What a terminal starts goes on when it has its answer.
static void read_journal_options(const arguments *arguments, const command *command, json_t *parameters)
{
    bool starts = strcmp(command->method, "journal.start") == 0;
    if (starts || strcmp(command->method, "watches.add") == 0)
        json_object_set_new(parameters, "pinned", json_true());
    if (arguments->component != NULL && starts)
        json_object_set_new(parameters, "components", fields_of(arguments->component));
    if (arguments->component != NULL && !starts)
        json_object_set_new(parameters, "component", json_string(arguments->component));
    if (arguments->entity != NULL)
        json_object_set_new(parameters, "entity", json_string(arguments->entity));
    if (arguments->system != NULL)
        json_object_set_new(parameters, strcmp(command->name, "messages") == 0 ? "publisher" : "system",
                            json_string(arguments->system));
    if (arguments->kind != NULL)
        json_object_set_new(parameters, "kind", json_string(arguments->kind));
}

static void read_options(const arguments *arguments, const command *command, json_t *parameters)
{
    if (arguments->context != NULL && command->has_context)
        json_object_set_new(parameters, "context", json_string(arguments->context));
    if (arguments->fields != NULL)
        json_object_set_new(parameters, "fields", fields_of(arguments->fields));
    if (arguments->limit != NULL)
        json_object_set_new(parameters, "limit", value_of(arguments->limit));
    if (arguments->expect != NULL)
        json_object_set_new(parameters, "expect", value_of(arguments->expect));
    if (arguments->is_forced)
        json_object_set_new(parameters, "force", json_true());
    if (arguments->is_none)
        json_object_set_new(parameters, "for", json_string("none"));
    if (arguments->is_of_systems && strcmp(command->name, "until") == 0)
        json_object_set_new(parameters, "after", json_string("system"));
    read_journal_options(arguments, command, parameters);
    if (strcmp(command->method, "entities.query") == 0)
        json_object_set_new(parameters, "named", json_true());
    if (strcmp(command->method, "entities.explain") == 0)
        json_object_set_new(parameters, "group", json_string(arguments->explain));
    if (strcmp(command->method, "systems.enable") == 0)
        json_object_set_new(parameters, "enabled", json_boolean(strcmp(command->name, "enable") == 0));
}

bool commands_read(const arguments *arguments, const command *command, json_t *parameters)
{
    read_options(arguments, command, parameters);
    return read_words(arguments, command, parameters);
}
