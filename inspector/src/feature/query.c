// Columns: the components and fields of entities that a viewer wants to see.
#include "feature/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIN__MAX_COLUMNS = 32 };

typedef struct view_column {
    const char *name; // as the viewer wrote it
    kin__path path;   // without a field: the whole component
} view_column;

typedef struct view_columns {
    view_column columns[KIN__MAX_COLUMNS];
    uint32_t count;
} view_columns;

// ---- columns

// Parses a whole component or a path.
static bool parse_column(kin__task *task, const char *text, view_column *column)
{
    const kin_context_info *info = task->site->info;
    kin__path_scope scope = {info, KIN_NO_COMPONENT, NULL, 0, false};
    column->name = text;
    column->path.component = kin_component_find(info, text);
    column->path.field = NULL;
    if (column->path.component != KIN_NO_COMPONENT) {
        kin_component_id id;
        return kin__find_component(task, text, &id);
    }
    kin__scan scan = kin__scan_begin(text, &task->mistake);
    bool is_parsed = task->mistake.code == 0 && kin__path_parse(&scan, &scope, &column->path);
    if (is_parsed && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of '%.60s'", text);
    return task->mistake.code == 0;
}

// Reads the parameter, an array of paths. Returns false when one is wrong.
static bool columns_parse(kin__task *task, const char *parameter, view_columns *columns)
{
    const json_t *texts = kin__parameter_any(task, parameter);
    size_t count = json_array_size(texts);
    if (count > KIN__MAX_COLUMNS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "'%s' has at most %d elements", parameter, KIN__MAX_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (text == NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be an array of strings", parameter);
        if (!parse_column(task, text, &columns->columns[i]))
            return false;
        columns->count++;
    }
    return true;
}

// Adds whole components, without hidden ones, as far as there is room.
static void columns_add(view_columns *columns, const kin_context_info *info, const kin_component_id *ids,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count && columns->count < KIN__MAX_COLUMNS; i++)
        if (info->components[ids[i]].inspect != KIN_INSPECT_HIDDEN)
            columns->columns[columns->count++] =
                (view_column){.name = info->components[ids[i]].name, .path.component = ids[i]};
}

// Copies the components of a living entity. Each value is NULL when the entity lacks it; returns false when they do not
// fit.
static bool columns_capture(kin__task *task, const view_columns *columns, kin_entity entity, const void **values)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        kin_component_id id = columns->columns[i].path.component;
        values[i] = NULL;
        for (uint32_t k = 0; k < i && values[i] == NULL; k++)
            if (columns->columns[k].path.component == id)
                values[i] = values[k];
        if (values[i] == NULL && kin_has(task->site->context, entity, id))
            values[i] = kin__capture_component(&task->capture, task->site->context, entity, id);
    }
    return !task->capture.is_full;
}

static void show_column(const kin__task *task, kin__json *json, const view_column *column, const void *value)
{
    const kin__path *path = &column->path;
    if (path->field == NULL) {
        kin__json_key(json, column->name);
        kin__show_component(json, &task->site->info->components[path->component], value);
        return;
    }
    const void *at = kin__path_address(path, value);
    if (at == NULL)
        return;
    kin__json_key(json, column->name);
    if (path->is_element)
        kin__show_element(json, path->field, at);
    else
        kin__show_field(json, path->field, at);
}

// ---- entities.query

// entities.query: the entities that match, with the fields that a viewer wants to see.
//
// Words of 64 slots are combined, then the condition is asked of what is left. Rows are captured as they are found;
// with `order by` their keys are kept in a heap of the best, and the rows are captured at the end.

enum { MOST_ROWS = 1000, ROWS = 50, KEY_TEXT = 64 };

typedef struct row {
    struct row *next;
    kin_entity entity;
    const void *label;
    const char *name;     // of an entity without a label, or NULL
    const void *values[]; // by column
} row;

typedef struct ranked {
    kin_entity entity;
    kin__scalar key;
    char text[KEY_TEXT]; // the first bytes of a key that is a text
} ranked;

typedef struct query_task {
    kin__query query;
    view_columns columns;
    json_int_t limit;
    uint32_t after; // the first slot to show
    uint64_t total;
    uint32_t shown;
    row *first, **end;
    uint64_t next; // the slot to go on with, or 0 after the last one
    size_t scratch_size;
    void *scratch;
    ranked *best; // a heap, the worst one first
    uint32_t best_count;
    bool is_cut; // rows of an order did not fit
    bool has_names;
} query_task;

// ---- parameters

static bool parse_after(kin__task *task, query_task *data)
{
    const char *text = kin__parameter_text(task, "after");
    unsigned long slot = 0;
    int size = 0;
    if (text == NULL)
        return true;
    bool is_number = kin__is_digit(text[0]) && sscanf(text, "%9lu%n", &slot, &size) == 1;
    bool is_whole = is_number && text[size] == '\0';
    if (!is_whole || slot >= 1 << 24)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'after' must be the 'next' of an earlier answer");
    data->after = (uint32_t)slot;
    return true;
}

static bool make_room(kin__task *task, query_task *data)
{
    kin__bounded_heap *heap = &task->service->heap;
    data->scratch_size = kin__query_scratch(task->site->info);
    data->scratch = kin__bounded_allocate(heap, data->scratch_size);
    bool has_memory = data->scratch != NULL;
    if (has_memory && data->query.has_order) {
        data->best = kin__bounded_allocate(heap, MOST_ROWS * sizeof *data->best);
        has_memory = data->best != NULL;
    }
    if (!has_memory)
        return kin__task_fail_memory(task);
    return kin__task_make_capture(task, KIN__CAPTURE_SIZE, 4096);
}

static bool parse_columns(kin__task *task, query_task *data)
{
    if (!columns_parse(task, "fields", &data->columns))
        return false;
    if (data->columns.count == 0 && kin__parameter_bool(task, "named"))
        columns_add(&data->columns, task->site->info, data->query.named, data->query.named_count);
    return true;
}

static bool parse(kin__task *task)
{
    query_task *data = task->data;
    data->limit = ROWS;
    data->has_names = kin__parameter_bool(task, "names");
    data->end = &data->first;
    return kin__parameter_query(task, &data->query) && parse_columns(task, data) && parse_after(task, data) &&
           kin__parameter_integer(task, "limit", &data->limit) && make_room(task, data);
}

static void release(kin__task *task)
{
    query_task *data = task->data;
    kin__bounded_release(&task->service->heap, data->scratch, data->scratch_size);
    kin__bounded_release(&task->service->heap, data->best, MOST_ROWS * sizeof *data->best);
}

// ---- rows

static bool capture_row(kin__task *task, query_task *data, kin_entity entity)
{
    size_t before = task->capture.size;
    row *row = kin__capture_reserve(&task->capture, sizeof *row + data->columns.count * sizeof row->values[0]);
    if (row != NULL && columns_capture(task, &data->columns, entity, row->values)) {
        row->entity = entity;
        row->label = kin__capture_label(&task->capture, task->site->context, entity);
        if (data->has_names && row->label == NULL)
            row->name = kin__capture_name(&task->capture, task->site->context, entity);
    }
    if (task->capture.is_full) {
        task->capture.size = before;
        return false;
    }
    *data->end = row;
    data->end = &row->next;
    data->shown++;
    return true;
}

static void take_row(kin__task *task, query_task *data, uint32_t slot)
{
    if (slot < data->after || data->limit == 0)
        return;
    if ((json_int_t)data->shown == data->limit)
        data->next = slot;
    else if (!capture_row(task, data, kin_look_entity(task->site->context, slot)))
        data->next = slot + (data->shown == 0); // a row that is too large alone is left out
}

// ---- the best rows

static bool is_nan(const kin__scalar *key)
{
    return key->kind == KIN__SCALAR_REAL && isnan(key->as.real);
}

// The text of a key may have changed since it was read.
static kin__scalar key_of(const ranked *row)
{
    kin__scalar key = row->key;
    if (key.kind == KIN__SCALAR_TEXT && key.as.text != NULL)
        key.as.text = row->text;
    return key;
}

// NaN comes last, also if the order is descending.
static bool is_before(const query_task *data, const ranked *a, const ranked *b)
{
    if (is_nan(&a->key) != is_nan(&b->key))
        return is_nan(&b->key);
    kin__scalar key_a = key_of(a);
    kin__scalar key_b = key_of(b);
    bool a_precedes = kin__compare_precedes(&key_a, &key_b);
    bool b_precedes = kin__compare_precedes(&key_b, &key_a);
    if (!a_precedes && !b_precedes)
        return kin_entity_slot(a->entity) < kin_entity_slot(b->entity);
    return a_precedes != data->query.is_descending;
}

static void swap(ranked *a, ranked *b)
{
    ranked kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(query_task *data, uint32_t count)
{
    for (uint32_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(data, &data->best[child], &data->best[child + 1]))
            child++;
        if (!is_before(data, &data->best[i], &data->best[child]))
            return;
        swap(&data->best[i], &data->best[child]);
    }
}

static void sift_up(query_task *data, uint32_t i)
{
    for (; i > 0 && is_before(data, &data->best[(i - 1) / 2], &data->best[i]); i = (i - 1) / 2)
        swap(&data->best[(i - 1) / 2], &data->best[i]);
}

static void rank(const kin__task *task, query_task *data, kin_entity entity)
{
    ranked found = {.entity = entity};
    if (data->limit == 0 || !kin__query_key(&data->query, task->site->context, entity, data->scratch, &found.key))
        return;
    if (found.key.kind == KIN__SCALAR_TEXT && found.key.as.text != NULL)
        strncpy(found.text, found.key.as.text, KEY_TEXT - 1);
    KIN_ASSERT(data->best != NULL && data->best_count <= MOST_ROWS);
    if ((json_int_t)data->best_count < data->limit) {
        data->best[data->best_count] = found;
        sift_up(data, data->best_count++);
    } else if (is_before(data, &found, &data->best[0])) {
        data->best[0] = found;
        sift_down(data, data->best_count);
    }
}

// Sorts the heap, and captures what is still alive.
static void capture_best(kin__task *task, query_task *data)
{
    for (uint32_t count = data->best_count; count > 1; count--) {
        swap(&data->best[0], &data->best[count - 1]);
        sift_down(data, count - 1);
    }
    for (uint32_t i = 0; i < data->best_count && !data->is_cut; i++) {
        kin_entity entity = data->best[i].entity;
        bool is_alive = kin_entity_is_alive(task->site->context, entity);
        data->is_cut = is_alive && !capture_row(task, data, entity);
    }
}

// ---- steps

static bool step(kin__task *task)
{
    query_task *data = task->data;
    uint32_t words = kin_look_words(task->site->context);
    while (task->cursor < words) {
        uint64_t match = kin__query_word(&data->query, task->site->context, task->cursor, data->scratch);
        data->total += kin__count_bits(match);
        for (; match != 0 && data->next == 0; match &= match - 1) {
            uint32_t slot = 64 * task->cursor + kin__lowest_bit(match);
            if (data->query.has_order)
                rank(task, data, kin_look_entity(task->site->context, slot));
            else
                take_row(task, data, slot);
        }
        task->cursor++;
        if (kin__task_ends_slice(task, words))
            return false;
    }
    if (data->query.has_order)
        capture_best(task, data);
    return true;
}

// ---- the answer

static void show(const kin__task *task, kin__json *json)
{
    const query_task *data = task->data;
    char next[16] = "";
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "total", data->total);
    if (data->next > 0)
        snprintf(next, sizeof next, "%u", (unsigned)data->next);
    kin__json_put_text(json, "next", next);
    if (data->is_cut)
        kin__json_put_bool(json, "cut", true);
    kin__json_begin_member(json, "rows", '[');
    for (const row *row = data->first; row != NULL; row = row->next) {
        kin__json_begin(json, '{');
        kin__json_put_entity(json, "e", row->entity);
        kin__show_label(json, task->site->info, row->label);
        if (row->name != NULL)
            kin__json_put_string(json, "name", row->name);
        kin__json_key(json, "v");
        // Writes the captured values as an object.
        kin__json_begin(json, '{');
        for (uint32_t i = 0; i < data->columns.count; i++)
            if (row->values[i] != NULL)
                show_column(task, json, &data->columns.columns[i], row->values[i]);
        kin__json_end(json, '}');
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_query = {
    .name = "entities.query",
    .doc = "The entities that match a query, in order of slot, or the first of an order.",
    .result = "frame, total, next, cut if rows of an order did not fit, rows of e, label or name, and v",
    .has_rows = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"query", "string", false, "the query; without it, all entities", 0, 0},
                   {"fields", "array", false, "components and fields to show, such as Position or Team.side", 0, 0},
                   {"named", "boolean", false, "without 'fields' shows the components that the query asks for", 0, 0},
                   {"names", "boolean", false, "names entities without a label by what they were spawned from", 0, 0},
                   {"limit", "integer", false, "rows at most, 0 to 1000; 50 without it", 0, MOST_ROWS},
                   {"after", "string", false, "the next of an earlier answer, to go on there", 0, 0}},
    .data_size = sizeof(query_task),
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};

// ---- entities.get

// entities.get: all that is known of one entity.

enum { CAPTURE = 1024 * 1024, STRING = 64 * 1024, MOST_COMPONENTS = 4096 };

typedef struct held {
    kin_component_id id;
    const void *value; // NULL if it did not fit
} held;

typedef struct get_task {
    const void *label;
    const char *name; // for an entity without a label, or NULL
    held *components; // in the capture
    uint32_t component_count;
    bool *is_member; // by number of the group
} get_task;

static bool parse_get(kin__task *task)
{
    return kin__parameter_entity(task, "entity", &task->entity) && kin__task_make_capture(task, CAPTURE, STRING);
}

static bool step_get(kin__task *task)
{
    get_task *data = task->data;
    const kin_context *context = task->site->context;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    data->label = kin__capture_label(&task->capture, context, task->entity);
    if (data->label == NULL)
        data->name = kin__capture_name(&task->capture, context, task->entity);
    data->is_member = kin__capture_reserve(&task->capture, task->site->info->group_count + 1);
    for (uint32_t i = 0; data->is_member != NULL && i < task->site->info->group_count; i++)
        data->is_member[i] = kin_look_is_member(context, i, task->entity);
    kin_component_id ids[MOST_COMPONENTS];
    uint32_t count = kin_entity_components(task->site->context, task->entity, ids, MOST_COMPONENTS);
    count = kin__min_32(count, MOST_COMPONENTS);
    data->components = kin__capture_reserve(&task->capture, (count + 1) * sizeof *data->components);
    for (uint32_t i = 0; data->components != NULL && i < count; i++) {
        if (task->site->info->components[ids[i]].inspect == KIN_INSPECT_HIDDEN)
            continue;
        held *held = &data->components[data->component_count++];
        held->id = ids[i];
        held->value = kin__capture_component(&task->capture, task->site->context, task->entity, ids[i]);
        task->capture.is_full = false;
    }
    return true;
}

static void show_get(const kin__task *task, kin__json *json)
{
    const get_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_entity(json, "e", task->entity);
    kin__show_label(json, task->site->info, data->label);
    if (data->name != NULL)
        kin__json_put_string(json, "name", data->name);
    kin__json_begin_member(json, "components", '{');
    for (uint32_t i = 0; i < data->component_count; i++) {
        const kin_component_info *info = &task->site->info->components[data->components[i].id];
        kin__json_key(json, info->name);
        if (data->components[i].value == NULL)
            kin__json_null(json);
        else
            kin__show_component(json, info, data->components[i].value);
    }
    kin__json_end(json, '}');
    kin__json_begin_member(json, "groups", '[');
    for (uint32_t i = 0; data->is_member != NULL && i < task->site->info->group_count; i++)
        if (data->is_member[i])
            kin__json_string(json, task->site->info->groups[i].name);
    kin__json_end(json, ']');
}

const kin__method kin__method_get = {
    .name = "entities.get",
    .doc = "All components of an entity with their values, and the groups that it is in.",
    .result = "frame, e, label, or name of what it was spawned from, components, groups",
    .parameters = {KIN__CONTEXT_PARAMETER, {"entity", "string", true, "the handle, creation:slot", 0, 0}},
    .data_size = sizeof(get_task),
    .parse = parse_get,
    .step = step_get,
    .show = show_get,
};

// ---- entities.explain

// entities.explain: why an entity is in a group, or is not.

typedef struct explain_task {
    const kin_group_info *group;
    uint64_t *row; // in the capture: the components of the entity
    uint32_t words;
    bool is_member;
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
    kin__task_fail(task, KIN__CODE_PARAMETERS, "%s declares no group '%.60s'", info->name, name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < info->group_count; i++)
        kin__suggest_offer(&suggest, info->groups[i].name);
    return false;
}

static bool parse_explain(kin__task *task)
{
    return kin__parameter_entity(task, "entity", &task->entity) && find_group(task, task->data) &&
           kin__task_make_capture(task, 16 * 1024, 0);
}

static bool step_explain(kin__task *task)
{
    explain_task *data = task->data;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    const uint64_t *row = kin_look_row(task->site->context, task->entity, &data->words);
    data->row = kin__capture_reserve(&task->capture, data->words * sizeof *row);
    if (data->row != NULL)
        memcpy(data->row, row, data->words * sizeof *row);
    data->is_member =
        kin_look_is_member(task->site->context, (uint32_t)(data->group - task->site->info->groups), task->entity);
    return true;
}

// ---- the answer

static bool has(const explain_task *data, uint32_t id)
{
    if (data->row == NULL || id / 64 >= data->words)
        return false;
    return (data->row[id / 64] >> id % 64 & 1) != 0;
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
    if (kind == KIN_RULE_ANY) {
        for (uint32_t i = 0; i < rule->count; i++)
            if (has(data, rule->ids[i]))
                return KIN_NO_COMPONENT;
        if (rule->count > 0)
            return rule->ids[0];
        return KIN_NO_COMPONENT;
    }
    for (uint32_t i = 0; i < rule->count; i++)
        if (has(data, rule->ids[i]) == (kind == KIN_RULE_NONE))
            return rule->ids[i];
    for (uint32_t id = 0; kind == KIN_RULE_ONLY && id < task->site->info->component_count; id++)
        if (has(data, id) && !names(rule, id))
            return (kin_component_id)id;
    return KIN_NO_COMPONENT;
}

static void show_rule(const kin__task *task, kin__json *json, const kin_rule *rule, bool holds)
{
    static const char *const kinds[] = {"", "all", "any", "none", "only"};
    const explain_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "kind", kinds[(rule->kind & 7) % 5]);
    kin__json_put_bool(json, "ok", holds);
    kin__json_begin_member(json, "components", '{');
    for (uint32_t i = 0; i < rule->count; i++)
        kin__json_put_bool(json, task->site->info->components[rule->ids[i]].name, has(data, rule->ids[i]));
    kin__json_end(json, '}');
    kin__json_end(json, '}');
}

static void describe(const kin__task *task, const kin_rule *rule, kin_component_id reason, char *text, size_t size)
{
    const explain_task *data = task->data;
    const char *name = task->site->info->components[reason].name;
    const char *group = data->group->name;
    if ((rule->kind & 7) == KIN_RULE_ANY)
        snprintf(text, size, "it has none of the components of which %s asks for any", group);
    else if (has(data, reason))
        snprintf(text, size, "it has %s, which %s excludes", name, group);
    else
        snprintf(text, size, "it lacks %s, which %s asks for", name, group);
}

static void show_explain(const kin__task *task, kin__json *json)
{
    const explain_task *data = task->data;
    const kin_matcher *matcher = &data->group->matcher;
    char sentence[256];
    bool matches = true;
    snprintf(sentence, sizeof sentence, "it meets all rules of %s", data->group->name);
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, "rules", '[');
    for (uint32_t i = 0; i < matcher->count; i++) {
        kin_component_id reason = find_reason(task, data, &matcher->rules[i]);
        show_rule(task, json, &matcher->rules[i], reason == KIN_NO_COMPONENT);
        if (reason != KIN_NO_COMPONENT && matches)
            describe(task, &matcher->rules[i], reason, sentence, sizeof sentence);
        matches = matches && reason == KIN_NO_COMPONENT;
    }
    kin__json_end(json, ']');
    if (matches && !data->is_member)
        snprintf(sentence, sizeof sentence, "it meets all rules of %s, but not what it asks about a relation",
                 data->group->name);
    kin__json_put_bool(json, "matches", data->is_member);
    kin__json_put_string(json, "says", sentence);
}

const kin__method kin__method_explain = {
    .name = "entities.explain",
    .doc = "Why an entity is in a declared group or not: rule by rule, and in one sentence.",
    .result = "frame, rules of kind, ok and components, matches, says",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", true, "the handle, creation:slot", 0, 0},
                   {"group", "string", true, "the name of the group in the schema", 0, 0}},
    .data_size = sizeof(explain_task),
    .parse = parse_explain,
    .step = step_explain,
    .show = show_explain,
};
