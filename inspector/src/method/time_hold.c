// time.hold and time.until: an update that stops at a system, and a world that is paused when a query holds.

#include "method/host.h"
#include "method/methods.h"
#include "method/time.h"
#include "site/pace.h"

#include <stdio.h>
#include <string.h>

// ---- holding

static bool parse_hold(kin__task *task)
{
    const char *name = kin__parameter_text(task, "system");
    if (!kin__parameter_host(task, true) || !kin__time_parse(task))
        return false;
    if (name == NULL || (name[0] != '\0' && strlen(name) < KIN__SITE_NAME))
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no system '%.60s'", name);
}

typedef struct search {
    const char *name;
    bool is_found;
} search;

static void compare_name(const kin_system_entry *entry, void *user)
{
    search *search = user;
    search->is_found = search->is_found || (entry->name != NULL && strcmp(entry->name, search->name) == 0);
}

static bool has_system(const kin__host *host, const char *name)
{
    search search = {.name = name};
    uint32_t count = atomic_load(&host->system_count);
    for (uint32_t i = 0; i < count; i++)
        kin_systems_walk(host->systems[i], compare_name, &search);
    return search.is_found;
}

static bool step_hold(kin__task *task, const kin__slice *slice)
{
    const char *name = kin__parameter_text(task, "system");
    kin__pace pace = task->host->pace;
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    if (name != NULL && !has_system(task->host, name)) {
        kin__task_fail(task, KIN__CODE_PARAMETERS,
                       "there is no system '%s'; systems.list (kin-inspect systems) has them", name);
        return true;
    }
    snprintf(pace.hold, sizeof pace.hold, "%s", name == NULL ? "" : name);
    kin__time_set_held_pace(task, pace);
    return kin__time_finish(task);
}

const kin__method kin__method_hold = {
    .name = "time.hold",
    .doc = "Holds each update before a system, until time.resume. The thread of the game waits there, answers, and "
           "makes changes unless the system has been given its entities already.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"system", "string", false,
                    "the name of a system or node; without it, updates are not held any more"}},
    .parse = parse_hold,
    .step = step_hold,
    .show = kin__time_show,
};

// ---- until a query holds

static bool is_one_of(kin__task *task, const char *name, const char *first, const char *second, bool *is_second)
{
    const char *given = kin__parameter_text(task, name);
    *is_second = given != NULL && strcmp(given, second) == 0;
    if (given == NULL || *is_second || strcmp(given, first) == 0)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be \"%s\" or \"%s\"", name, first, second);
}

static bool parse_until(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__time_parse(task))
        return false;
    kin__time_task *data = task->data;
    data->until = kin__until_create(&task->service->heap, task->site);
    if (data->until == NULL)
        return kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
    task->has_place =
        !kin__query_parse(&data->until->query, task->site->info, kin__parameter_text(task, "query"), &task->mistake);
    if (task->has_place || !is_one_of(task, "for", "any", "none", &data->until->wants_none) ||
        !is_one_of(task, "after", "update", "system", &data->until->each_system))
        return false;
    if (!data->until->each_system || atomic_load(&task->host->system_count) > 0)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS,
                          "the game has given no systems: kin_inspector_add(inspector, context, systems)");
}

// The world goes on, and is paused when the query holds.
static bool step_until(kin__task *task, const kin__slice *slice)
{
    kin__time_task *data = task->data;
    kin__pace pace = task->host->pace;
    (void)slice;
    if (!kin__time_may_change(task))
        return true;
    kin__until_answer answer = kin__until_ask(data->until);
    if (answer == KIN__UNTIL_TOO_LONG) {
        kin__task_fail(task, KIN__CODE_LIMIT, "asking took %u microseconds, and may take %d: name more components",
                       (unsigned)data->until->took, KIN__UNTIL_MICROSECONDS);
        return true;
    }
    pace.is_paused = answer == KIN__UNTIL_YES;
    pace.steps = pace.system_steps = 0;
    task->host->until_took = data->until->took;
    kin__pace_set_until(task->host, answer == KIN__UNTIL_YES ? NULL : data->until,
                        answer == KIN__UNTIL_YES ? KIN__UNTIL_MET : KIN__UNTIL_ASKED);
    if (answer != KIN__UNTIL_YES)
        data->until = NULL;
    task->host->held.goes_on = answer != KIN__UNTIL_YES;
    kin__time_set_held_pace(task, pace);
    return kin__time_finish(task);
}

static void release_until(kin__task *task)
{
    kin__time_task *data = task->data;
    if (data != NULL)
        kin__until_destroy(data->until);
}

const kin__method kin__method_until = {
    .name = "time.until",
    .doc = "Lets the world go on, and pauses it when a query comes to match an entity, or none.",
    .result = KIN__TIME_RESULT,
    .writes = true,
    .sets_pace = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"query", "string", true, "as of entities.query"},
                   {"for", "string", false, "\"any\", which is the default: until an entity matches; or \"none\""},
                   {"after", "string", false, "\"update\", which is the default: asked after each; or \"system\""}},
    .parse = parse_until,
    .step = step_until,
    .show = kin__time_show,
    .release = release_until,
};
