// entities.explain: why an entity is in a group, or is not.

#include "method/methods.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

typedef struct explain_task {
    const kin_group_info *group;
    uint64_t *row; // in the capture: the components of the entity
    uint32_t words;
} explain_task;

static bool find_group(kin__task *task, explain_task *data)
{
    const char *name = kin__parameter_text(task, "group");
    const kin_context_info *info = task->site->info;
    for (uint32_t i = 0; i < info->group_count && data->group == NULL; i++)
        if (strcmp(info->groups[i].name, name) == 0)
            data->group = &info->groups[i];
    if (data->group != NULL)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS, "%s declares no group '%.60s'", info->name, name);
}

static bool parse(kin__task *task)
{
    return kin__parameter_context(task) && kin__parameter_entity(task, "entity", &task->entity) &&
           kin__task_make_data(task, sizeof(explain_task)) && find_group(task, task->data) &&
           kin__task_make_capture(task, 16 * 1024, 0);
}

static bool step(kin__task *task, const kin__slice *slice)
{
    explain_task *data = task->data;
    (void)slice;
    if (!kin__task_needs_living(task))
        return true;
    const uint64_t *row = kin_look_row(task->site->context, task->entity, &data->words);
    data->row = kin__capture_reserve(&task->capture, data->words * sizeof *row);
    if (data->row != NULL)
        memcpy(data->row, row, data->words * sizeof *row);
    return true;
}

// ---- the answer

static bool has(const explain_task *data, uint32_t id)
{
    return data->row != NULL && id / 64 < data->words && (data->row[id / 64] >> id % 64 & 1) != 0;
}

static bool names(const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] == id)
            return true;
    return false;
}

// Returns the component that decides that the rule does not hold, or KIN_NO_COMPONENT.
static kin_component_id find_reason(const kin__task *task, const explain_task *data, const kin_rule *rule)
{
    uint32_t kind = rule->kind & 7;
    for (uint32_t i = 0; i < rule->count; i++) {
        bool is_wanted = kind != KIN_RULE_NONE;
        if (kind == KIN_RULE_ANY && has(data, rule->ids[i]))
            return KIN_NO_COMPONENT;
        if (kind != KIN_RULE_ANY && has(data, rule->ids[i]) != is_wanted)
            return rule->ids[i];
    }
    for (uint32_t id = 0; kind == KIN_RULE_ONLY && id < task->site->info->component_count; id++)
        if (has(data, id) && !names(rule, id))
            return (kin_component_id)id;
    return kind == KIN_RULE_ANY && rule->count > 0 ? rule->ids[0] : KIN_NO_COMPONENT;
}

static void show_rule(const kin__task *task, kin__json *json, const kin_rule *rule, bool holds)
{
    static const char *const kinds[] = {"", "all", "any", "none", "only"};
    const explain_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "kind", kinds[(rule->kind & 7) % 5]);
    kin__json_put_bool(json, "ok", holds);
    kin__json_key(json, "components");
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < rule->count; i++)
        kin__json_put_bool(json, task->site->info->components[rule->ids[i]].name, has(data, rule->ids[i]));
    kin__json_end(json, '}');
    kin__json_end(json, '}');
}

static void describe(const kin__task *task, const kin_rule *rule, kin_component_id reason, char *text, size_t size)
{
    const explain_task *data = task->data;
    const char *name = task->site->info->components[reason].name, *group = data->group->name;
    if ((rule->kind & 7) == KIN_RULE_ANY)
        snprintf(text, size, "it has none of the components of which %s asks for any", group);
    else if (has(data, reason))
        snprintf(text, size, "it has %s, which %s excludes", name, group);
    else
        snprintf(text, size, "it lacks %s, which %s asks for", name, group);
}

static void show(const kin__task *task, kin__json *json)
{
    const explain_task *data = task->data;
    const kin_matcher *matcher = &data->group->matcher;
    char sentence[256];
    bool matches = true;
    snprintf(sentence, sizeof sentence, "it meets all rules of %s", data->group->name);
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_key(json, "rules");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < matcher->count; i++) {
        kin_component_id reason = find_reason(task, data, &matcher->rules[i]);
        show_rule(task, json, &matcher->rules[i], reason == KIN_NO_COMPONENT);
        if (reason != KIN_NO_COMPONENT && matches)
            describe(task, &matcher->rules[i], reason, sentence, sizeof sentence);
        matches = matches && reason == KIN_NO_COMPONENT;
    }
    kin__json_end(json, ']');
    kin__json_put_bool(json, "matches", matches);
    kin__json_put_string(json, "says", sentence);
    kin__json_end(json, '}');
}

const kin__method kin__method_explain = {
    .name = "entities.explain",
    .doc = "Why an entity is in a declared group or not: rule by rule, and in one sentence.",
    .result = "frame, rules of kind, ok and components, matches, says",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", true, "the handle, creation:slot"},
                   {"group", "string", true, "the name of the group in the schema"}},
    .parse = parse,
    .step = step,
    .show = show,
};
