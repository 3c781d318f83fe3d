#include "host/host.h"

#include <string.h>

// ---- what the schema hides

// Structs do not contain themselves.
static bool is_hidden(const kin_field_info *field)
{
    bool is_found = field->inspect == KIN_INSPECT_HIDDEN;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        is_found = is_found || is_hidden(&field->of->fields[i]);
    return is_found;
}

static bool is_hidden_component(const kin_component_info *component)
{
    bool is_found = component->inspect == KIN_INSPECT_HIDDEN;
    for (uint32_t i = 0; i < component->field_count; i++)
        is_found = is_found || is_hidden(&component->fields[i]);
    return is_found;
}

// Of an index whose keys a function computes from whole components.
static bool has_hidden_source(const kin_context_info *info, const kin_index_info *index, const char *component)
{
    bool is_of = false;
    bool has_hidden = false;
    for (uint32_t i = 0; index->function != NULL && i < index->of_count; i++) {
        const kin_component_info *part = &info->components[index->of[i]];
        is_of = is_of || strcmp(part->name, component) == 0;
        has_hidden = has_hidden || is_hidden_component(part);
    }
    return is_of && has_hidden;
}

static bool has_hidden_part(const kin_context_info *info, const kin_index_info *index, const char *component)
{
    bool is_of = false;
    bool has_hidden = false;
    for (uint32_t i = 0; index->key != NULL && i < index->key_count; i++) {
        const kin_component_info *part = &info->components[index->key[i].component];
        is_of = is_of || strcmp(part->name, component) == 0;
        if (part->inspect == KIN_INSPECT_HIDDEN || is_hidden(index->key[i].field))
            has_hidden = true;
    }
    return is_of && has_hidden;
}

bool kin__has_hidden_key(const kin_context_info *info, const char *component)
{
    for (uint32_t i = 0; component != NULL && i < info->index_count; i++)
        if (has_hidden_part(info, &info->indices[i], component) ||
            has_hidden_source(info, &info->indices[i], component))
            return true;
    return false;
}

// ---- tasks

enum { TOUCHED = 64 * 1024 };

static bool make_data(kin__task *task)
{
    if (task->method->data_size == 0)
        return true;
    task->data = kin__bounded_zeros(&task->service->heap, task->method->data_size);
    return task->data != NULL || kin__task_fail_memory(task);
}

bool kin__task_make_capture(kin__task *task, size_t size, size_t string_limit)
{
    KIN_ASSERT(task->capture.at == NULL);
    char *block = kin__bounded_allocate(&task->service->heap, size);
    if (block == NULL)
        return kin__task_fail_memory(task);
    // The first pages are touched here, so that the thread of the game need not wait for them.
    memset(block, 0, kin__min_size(size, TOUCHED));
    task->capture = (kin__capture){.at = block, .capacity = size, .string_limit = string_limit};
    return true;
}

static void parse(kin__task *task)
{
    if (!kin__parameters_check(task) || !kin__parameters_find_subject(task) || !make_data(task))
        return;
    if (task->method->parse != NULL)
        task->method->parse(task);
}

kin__task *kin__task_create(kin__service *service, const kin__method *method, json_t *parameters)
{
    KIN_ASSERT(method != NULL && method->show != NULL);
    KIN_ASSERT(method->release == NULL || method->data_size > 0);
    kin__task *task = kin__bounded_zeros(&service->heap, sizeof *task);
    if (task == NULL) {
        json_decref(parameters);
        return NULL;
    }
    task->service = service;
    task->method = method;
    task->parameters = parameters;
    if (method->writes && service->is_read_only)
        kin__task_fail(task, KIN__CODE_READ_ONLY, "the inspector is read-only");
    else
        parse(task);
    task->is_done = task->mistake.code != 0 || method->step == NULL;
    return task;
}

void kin__task_destroy(kin__task *task)
{
    if (task == NULL)
        return;
    kin__bounded_heap *heap = &task->service->heap;
    if (task->method->release != NULL && task->data != NULL)
        task->method->release(task);
    kin__bounded_release(heap, task->data, task->method->data_size);
    kin__bounded_release(heap, task->capture.at, task->capture.capacity);
    json_decref(task->parameters);
    kin__bounded_release(heap, task, sizeof *task);
}

bool kin__task_step(kin__task *task, uint64_t deadline)
{
    const kin__held *held = &task->host->held;
    bool is_open = task->site != NULL && held->is_open;
    bool changes = task->method->writes && !task->method->sets_pace;
    task->frame = kin__host_frame(task->host);
    task->deadline = deadline;
    if (held->is_held && changes && !is_open)
        return !kin__task_fail(task, KIN__CODE_NOT_UPDATING,
                               "%s is held %s %s of %s: change it when the update goes on", task->host->name,
                               held->is_after ? "after" : "before", kin__role_name(held->role), held->system);
    if (!task->has_began)
        task->first_frame = task->frame;
    task->has_began = true;
    KIN_ASSERT(!task->is_done && !task->host->is_edited);
    size_t used = task->capture.capacity;
    task->service->on_step(task, true);
    bool is_done = task->method->step(task) || task->mistake.code != 0;
    task->service->on_step(task, false);
    KIN_ASSERT(task->capture.capacity == used && !task->host->is_edited);
    (void)used;
    return is_done;
}

// ---- answers

void kin__task_show_frame(const kin__task *task, kin__json *json)
{
    kin__json_begin_member(json, "frame", '[');
    kin__json_natural(json, task->first_frame);
    kin__json_natural(json, task->frame);
    kin__json_end(json, ']');
}

static void show_meant(kin__json *json, const kin__mistake *mistake)
{
    if (mistake->meant[0][0] == '\0')
        return;
    kin__json_begin_member(json, "did_you_mean", '[');
    for (size_t i = 0; i < KIN__MEANT && mistake->meant[i][0] != '\0'; i++)
        kin__json_string(json, mistake->meant[i]);
    kin__json_end(json, ']');
}

void kin__show_mistake(kin__json *json, const kin__mistake *mistake, const char *status, bool has_place)
{
    kin__json_begin_member(json, "error", '{');
    kin__json_key(json, "code");
    kin__json_integer(json, mistake->code);
    kin__json_put_string(json, "message", mistake->message);
    if (status != NULL || has_place || mistake->meant[0][0] != '\0') {
        kin__json_begin_member(json, "data", '{');
        if (status != NULL) {
            kin__json_put_string(json, "status", status);
            kin__json_put_string(json, "sentence", mistake->message);
        }
        if (has_place) {
            kin__json_put_natural(json, "at", mistake->at);
            kin__json_put_natural(json, "length", mistake->length);
        }
        show_meant(json, mistake);
        kin__json_end(json, '}');
    }
    kin__json_end(json, '}');
}

void kin__task_show(const kin__task *task, kin__json *json)
{
    if (task->mistake.code != 0) {
        kin__show_mistake(json, &task->mistake, task->status, task->has_place);
        return;
    }
    kin__json_begin_member(json, "result", '{');
    task->method->show(task, json);
    kin__json_end(json, '}');
}

// ---- errors of the runtime

static void catch_error(const kin_error *error, void *user)
{
    kin__task *task = user;
    task->mistake = (kin__mistake){0};
    task->status = kin_status_name(error->status);
    int code = KIN__CODE_REFUSED - (int)error->status;
    const char *hidden = NULL; // what is said instead of a sentence that may show a hidden key
    if (error->status == KIN_ERROR_DUPLICATE_KEY)
        hidden = "another entity has the key of";
    if (error->status == KIN_ERROR_INVALID)
        hidden = "cannot change";
    if (hidden != NULL && kin__has_hidden_key(task->site->info, error->component))
        kin__task_fail(task, code, "%s: %s %s", task->site->info->name, hidden, error->component);
    else
        kin__task_fail(task, code, "%s", error->message);
    atomic_fetch_add_explicit(&task->service->refused, 1, memory_order_relaxed);
}

void kin__task_catch(kin__task *task)
{
    kin_context_catch_errors(task->site->context, catch_error, task);
}

void kin__task_release_errors(kin__task *task)
{
    kin_context_catch_errors(task->site->context, NULL, NULL);
}
