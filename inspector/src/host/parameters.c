#include "host/host.h"

#include "query/query.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- mistakes

// The first mistake of a task counts.

void kin__task_refuse(kin__task *task, kin_status status)
{
    if (task->mistake.code != 0)
        return;
    task->status = kin_status_name(status);
    kin__task_fail(task, KIN__CODE_REFUSED - (int)status, "%s refuses this now, such as while threads share it",
                   task->site->name);
}

bool kin__task_needs_living(kin__task *task, kin_entity entity)
{
    if (kin_entity_is_alive(task->site->context, entity))
        return true;
    kin__task_fail(task, KIN__CODE_REFUSED - KIN_ERROR_NOT_ALIVE, "%s has no such living entity", task->site->name);
    task->status = kin_status_name(KIN_ERROR_NOT_ALIVE);
    return false;
}

bool kin__task_fail(kin__task *task, int code, const char *format, ...)
{
    va_list arguments;
    KIN_ASSERT(code != 0);
    if (task->mistake.code != 0)
        return false;
    task->mistake = (kin__mistake){.code = code};
    va_start(arguments, format);
    vsnprintf(task->mistake.message, sizeof task->mistake.message, format, arguments);
    va_end(arguments);
    return false;
}

bool kin__task_fail_memory(kin__task *task)
{
    return kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
}

bool kin__task_fail_systems(kin__task *task)
{
    return kin__task_fail(task, KIN__CODE_PARAMETERS,
                          "the game has given no systems: kin_inspector_add(inspector, context, systems)");
}

// ---- names of systems

bool kin__task_point(kin__task *task, const char *list)
{
    kin__mistake *mistake = &task->mistake;
    size_t size = strlen(mistake->message);
    KIN_ASSERT(mistake->code != 0);
    if (mistake->meant[0][0] == '\0')
        snprintf(mistake->message + size, sizeof mistake->message - size, "; %s has them", list);
    return false;
}

typedef struct search {
    const char *name;
    bool is_found;
    kin__suggest *suggest; // or NULL
} search;

static void compare_name(const kin_system_entry *entry, void *user)
{
    search *search = user;
    if (entry->name == NULL)
        return;
    if (search->suggest != NULL)
        kin__suggest_offer(search->suggest, entry->name);
    search->is_found = search->is_found || strcmp(entry->name, search->name) == 0;
}

static void walk_systems(const kin__host *host, search *search)
{
    uint32_t count = atomic_load(&host->system_count);
    for (uint32_t i = 0; i < count; i++)
        kin_systems_walk(host->systems[i], compare_name, search);
}

bool kin__task_needs_system(kin__task *task, const char *name)
{
    search search = {.name = name};
    walk_systems(task->host, &search);
    if (search.is_found)
        return true;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no system '%.60s'", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    search.suggest = &suggest;
    walk_systems(task->host, &search);
    return kin__task_point(task, "systems.list (kin-inspect systems)");
}

// What was removed may be in records.
bool kin__task_needs_caller(kin__task *task, const char *name)
{
    bool is_no_system = strcmp(name, "outside") == 0 || strcmp(name, "inspector") == 0;
    bool is_known = is_no_system || kin__calls_has_name(task->host, name);
    return name[0] == '\0' || is_known || kin__task_needs_system(task, name);
}

// ---- types

static bool has_type(const json_t *value, const char *type)
{
    static const char *const names[] = {
        [JSON_STRING] = "string", [JSON_INTEGER] = "integer", [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean",
        [JSON_ARRAY] = "array",   [JSON_OBJECT] = "object",   [JSON_REAL] = "real",    [JSON_NULL] = "null"};
    return strcmp(type, "any") == 0 || strcmp(type, names[json_typeof(value)]) == 0;
}

static const kin__parameter *find_parameter(const kin__method *method, const char *name)
{
    for (size_t i = 0; i < KIN__MAX_PARAMETERS && method->parameters[i].name != NULL; i++)
        if (strcmp(method->parameters[i].name, name) == 0)
            return &method->parameters[i];
    return NULL;
}

static bool check_known(kin__task *task)
{
    const char *name;
    json_t *value;
    json_object_foreach(task->parameters, name, value)
    {
        const kin__parameter *parameter = find_parameter(task->method, name);
        if (parameter == NULL) {
            kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no parameter '%.60s'", task->method->name, name);
            kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
            for (size_t i = 0; i < KIN__MAX_PARAMETERS && task->method->parameters[i].name != NULL; i++)
                kin__suggest_offer(&suggest, task->method->parameters[i].name);
            return false;
        }
        if (!has_type(value, parameter->type))
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be of type %s", name, parameter->type);
    }
    return true;
}

bool kin__parameters_check(kin__task *task)
{
    if (task->parameters != NULL && !json_is_object(task->parameters))
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'params' must be an object");
    if (!check_known(task))
        return false;
    for (size_t i = 0; i < KIN__MAX_PARAMETERS && task->method->parameters[i].name != NULL; i++) {
        const kin__parameter *parameter = &task->method->parameters[i];
        if (parameter->is_required && json_object_get(task->parameters, parameter->name) == NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' is missing: %s", parameter->name, parameter->doc);
    }
    return true;
}

// ---- values

const char *kin__parameter_text(const kin__task *task, const char *name)
{
    return json_string_value(json_object_get(task->parameters, name));
}

const char *kin__parameter_text_or_empty(const kin__task *task, const char *name)
{
    const char *text = kin__parameter_text(task, name);
    return text == NULL ? "" : text;
}

bool kin__parameter_bool(const kin__task *task, const char *name)
{
    return json_is_true(json_object_get(task->parameters, name));
}

json_t *kin__parameter_any(const kin__task *task, const char *name)
{
    return json_object_get(task->parameters, name);
}

bool kin__parameter_integer(kin__task *task, const char *name, json_int_t *value)
{
    const json_t *given = json_object_get(task->parameters, name);
    const kin__parameter *parameter = find_parameter(task->method, name);
    if (given == NULL)
        return true;
    KIN_ASSERT(parameter != NULL && parameter->least < parameter->most);
    *value = json_integer_value(given);
    if (*value >= parameter->least && *value <= parameter->most)
        return true;
    return kin__task_fail(task, KIN__CODE_LIMIT, "'%s' must be from %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT,
                          name, parameter->least, parameter->most);
}

bool kin__parameter_query(kin__task *task, kin__query *query)
{
    const char *text = kin__parameter_text_or_empty(task, "query");
    task->has_place = !kin__query_parse(query, task->site->info, text, &task->mistake);
    return !task->has_place;
}

bool kin__parameter_path(kin__task *task, kin__path *path)
{
    kin__path_scope scope = {.info = task->site->info, .component = KIN_NO_COMPONENT};
    kin__scan scan = kin__scan_begin(kin__parameter_text(task, "path"), &task->mistake);
    bool is_parsed = task->mistake.code == 0 && kin__path_parse(&scan, &scope, path);
    if (is_parsed && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of the path");
    task->has_place = task->mistake.code != 0;
    return !task->has_place;
}

bool kin__text_to_entity(const char *text, kin_entity *entity)
{
    uint64_t created, slot;
    int size = -1;
    if (!kin__is_digit(text[0]) || strlen(text) > 24)
        return false;
    if (sscanf(text, "%15" SCNu64 ":%9" SCNu64 "%n", &created, &slot, &size) != 2 || size != (int)strlen(text))
        return false;
    *entity = created << 24 | slot;
    return created < (uint64_t)1 << 40 && slot < 1 << 24;
}

bool kin__parameter_entity(kin__task *task, const char *name, kin_entity *entity)
{
    const char *text = kin__parameter_text(task, name);
    if (text != NULL && kin__text_to_entity(text, entity))
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be a handle, such as \"70002:1\"", name);
}

bool kin__find_component(kin__task *task, const char *name, kin_component_id *id)
{
    const kin_context_info *info = task->site->info;
    *id = kin_component_find(info, name);
    if (*id == KIN_NO_COMPONENT) {
        kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no component '%.60s'", info->name, name);
        kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
        for (uint32_t i = 0; i < info->component_count; i++)
            kin__suggest_offer(&suggest, info->components[i].name);
        return false;
    }
    if (info->components[*id].inspect == KIN_INSPECT_HIDDEN)
        return kin__task_fail(task, KIN__CODE_HIDDEN, "'%s' is hidden by its schema", name);
    return true;
}

bool kin__parameter_component(kin__task *task, const char *name, kin_component_id *id)
{
    return kin__find_component(task, kin__parameter_text(task, name), id);
}

// ---- what a request is about

static bool find_site(kin__task *task)
{
    const kin__sites *sites = &task->service->sites;
    const char *name = kin__parameter_text(task, "context");
    uint32_t count = atomic_load(&sites->site_count);
    if (name == NULL && count == 0)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "no context was added to the inspector");
    if (name == NULL && count > 1)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'context' is missing: there are several");
    task->site = &sites->sites[0];
    if (name != NULL)
        task->site = kin__sites_find(sites, name);
    if (task->site != NULL) {
        task->host = task->site->host;
        return true;
    }
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no context '%.60s'", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < count; i++)
        kin__suggest_offer(&suggest, sites->sites[i].name);
    return false;
}

static bool find_only_host(kin__task *task)
{
    kin__sites *sites = &task->service->sites;
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++) {
        kin__host *host = &sites->hosts[i];
        if (task->method->needs_systems && atomic_load(&host->system_count) == 0)
            continue;
        if (task->host != NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'world' is missing: there are several");
        task->host = host;
    }
    if (task->host != NULL)
        return true;
    if (task->method->needs_systems)
        return kin__task_fail_systems(task);
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "no world or context was added to the inspector");
}

static bool find_host(kin__task *task)
{
    kin__sites *sites = &task->service->sites;
    const char *name = kin__parameter_text(task, "world");
    if (name == NULL)
        return find_only_host(task);
    task->host = kin__sites_find_host(sites, name);
    if (task->host != NULL)
        return true;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no world '%.60s'", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        kin__suggest_offer(&suggest, sites->hosts[i].name);
    return false;
}

bool kin__parameters_find_subject(kin__task *task)
{
    KIN_ASSERT(task->site == NULL && task->host == NULL);
    bool takes_context = find_parameter(task->method, "context") != NULL;
    bool takes_world = find_parameter(task->method, "world") != NULL;
    bool is_of_context = takes_context && (!takes_world || kin__parameter_text(task, "context") != NULL);
    if (is_of_context)
        return find_site(task);
    return !takes_world || find_host(task);
}
