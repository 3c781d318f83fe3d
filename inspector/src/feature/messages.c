// Messages: the last ones that were published in a world, with frame and system.
//
//   [ head | value ][ head | value ] …     a ring of places, each as large as the largest message
//
// They are recorded from the first ask on, until no viewer has asked for ten seconds. Then publishing calls nothing, as
// the probe of the world has no function for it. All but making and destroying is for the thread of the host.
//
// Invariants:
//   1. calls are followed, and the probe of the world has `published`, exactly while the host has messages
//   2. message n is in place n % KIN__KEPT_MESSAGES, if it is one of the last
//
// Cost: a copy for each message.
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

enum { KIN__KEPT_OF_MESSAGE = 1024 }; // bytes

typedef struct message_record {
    uint64_t number;
    kin__moment moment;
    uint32_t message; // number in the world's info
    uint32_t size;    // of the value: its first bytes, KIN__KEPT_OF_MESSAGE at most
    char value[];
} message_record;

// ---- making

static uint32_t kept_size(const kin_message_info *info)
{
    return (uint32_t)kin__min_size(info->size, KIN__KEPT_OF_MESSAGE);
}

static size_t stride_of(const kin_world_info *info)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < info->message_count; i++)
        largest = kin__max_size(largest, kept_size(&info->messages[i]));
    return (sizeof(message_record) + largest + 7) & ~(size_t)7;
}

// Makes a recording for a world. NULL when out of memory.
static kin__messages *messages_create(kin__bounded_heap *heap, const kin_world_info *info)
{
    size_t stride = stride_of(info);
    size_t size = sizeof(kin__messages) + KIN__KEPT_MESSAGES * stride;
    kin__messages *messages = kin__bounded_allocate(heap, size);
    if (messages != NULL)
        *messages = (kin__messages){.heap = heap, .stride = stride, .size = size};
    return messages;
}

// Destroys one that does not record. NULL is allowed.
static void messages_destroy(kin__messages *messages)
{
    if (messages != NULL)
        kin__bounded_release(messages->heap, messages, messages->size);
}

// ---- recording

static message_record *place_of(const kin__messages *messages, uint64_t number)
{
    const char *at = (const char *)messages->places + number % KIN__KEPT_MESSAGES * messages->stride;
    return (message_record *)(uintptr_t)at;
}

// Returns the number of the oldest message that is there, which is `count` if there is none.
static uint64_t messages_first(const kin__messages *messages)
{
    return kin__oldest_kept(messages->count, KIN__KEPT_MESSAGES);
}

static const message_record *messages_at(const kin__messages *messages, uint64_t number)
{
    KIN_ASSERT(number >= messages_first(messages) && number < messages->count);
    KIN_ASSERT(place_of(messages, number)->number == number);
    return place_of(messages, number);
}

void kin__messages_note(kin__host *host, uint32_t message, const void *value)
{
    kin__messages *messages = host->messages;
    if (messages == NULL)
        return;
    message_record *record = place_of(messages, messages->count);
    record->number = messages->count++;
    record->moment = kin__moment_now(host);
    record->message = message;
    record->size = kept_size(&host->info->messages[message]);
    KIN_ASSERT(message < host->info->message_count && sizeof *record + record->size <= messages->stride);
    if (record->size > 0)
        memcpy(record->value, value, record->size);
}

// ---- its life

// Goes on for ten seconds more.
static void messages_want(kin__messages *messages)
{
    messages->until = kin__inspect_now() + kin__silence;
}

static bool messages_start(kin__host *host, kin__messages *messages)
{
    KIN_ASSERT(host->messages == NULL && messages->count == 0);
    messages->host = host;
    if (!kin__calls_follow(host, messages->heap, &messages->hook))
        return false;
    host->messages = messages;
    atomic_store(&host->keeps_messages, true);
    kin__host_set_probe(host, host->world);
    messages_want(messages);
    return true;
}

void kin__messages_expire(kin__host *host, uint64_t now)
{
    if (host->messages != NULL && now > host->messages->until)
        kin__messages_stop(host);
}

void kin__messages_stop(kin__host *host)
{
    kin__messages *messages = host->messages;
    if (messages == NULL)
        return;
    KIN_ASSERT(messages->host == host && atomic_load(&host->keeps_messages));
    atomic_store(&host->keeps_messages, false);
    host->messages = NULL;
    kin__host_set_probe(host, host->world);
    kin__calls_unfollow(host, &messages->hook);
    messages_destroy(messages);
}

// ---- methods

// messages.read: the last messages that were published in a world.

enum { STANDARD = 100, SYSTEM = 96, ANY = -1 };

typedef struct messages_task {
    kin__messages *made; // until the host takes it
    int64_t message;     // number in the world's info, or ANY
    char system[SYSTEM]; // that published; "" for any
    bool has_after;
    uint64_t after;
    json_int_t limit;
    bool is_new;
    uint64_t lost, next;
    uint32_t count;
    message_record *records[KIN__KEPT_MESSAGES]; // in the capture
} messages_task;

// ---- parameters

static int64_t find_message(const kin_world_info *info, const char *name)
{
    for (uint32_t i = 0; info != NULL && i < info->message_count; i++)
        if (strcmp(info->messages[i].name, name) == 0)
            return i;
    return ANY;
}

static bool parse_message(kin__task *task, messages_task *data)
{
    const kin_world_info *info = task->host->info;
    const char *name = kin__parameter_text(task, "message");
    data->message = ANY;
    if (name == NULL)
        return true;
    data->message = find_message(info, name);
    if (data->message != ANY)
        return true;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no message '%.60s'", task->host->name, name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; info != NULL && i < info->message_count; i++)
        kin__suggest_offer(&suggest, info->messages[i].name);
    return false;
}

// What is recorded already needs no memory.
static bool make(kin__task *task, messages_task *data)
{
    const kin_world_info *info = task->host->info;
    bool has_messages = info != NULL && info->message_count > 0;
    if (!has_messages || atomic_load(&task->host->keeps_messages))
        return true;
    data->made = messages_create(&task->service->heap, info);
    return data->made != NULL || kin__task_fail_memory(task);
}

static bool parse(kin__task *task)
{
    messages_task *data = task->data;
    data->limit = STANDARD;
    snprintf(data->system, sizeof data->system, "%s", kin__parameter_text_or_empty(task, "publisher"));
    return kin__parameter_integer(task, "limit", &data->limit) &&
           kin__parameter_after(task, &data->after, &data->has_after) && parse_message(task, data) &&
           make(task, data) && kin__task_make_capture(task, KIN__CAPTURE_SIZE, 0);
}

static void release(kin__task *task)
{
    messages_destroy(((messages_task *)task->data)->made);
}

// ---- capturing

static bool is_wanted(const kin__task *task, const message_record *record)
{
    const messages_task *data = task->data;
    bool is_of_type = data->message == ANY || record->message == data->message;
    if (record->number < data->after || !is_of_type)
        return false;
    return data->system[0] == '\0' || strcmp(kin__calls_name(task->host, record->moment.system), data->system) == 0;
}

// Hidden fields are not in the copy (INS-29).
static message_record *capture(kin__task *task, const message_record *record)
{
    const kin_message_info *info = &task->host->info->messages[record->message];
    message_record *copy = kin__capture_reserve(&task->capture, sizeof *copy + record->size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, record, sizeof *copy + record->size);
    for (uint32_t i = 0; i < info->field_count; i++)
        if (info->fields[i].offset + info->fields[i].size <= record->size)
            kin__capture_fields(&task->capture, &info->fields[i], 1, copy->value);
    return copy;
}

// What the capture has no room for is in the next answer.
static void capture_first(kin__task *task, const kin__messages *messages, const uint64_t *numbers, uint32_t count)
{
    messages_task *data = task->data;
    for (uint32_t i = 0; i < count; i++) {
        data->records[i] = capture(task, messages_at(messages, numbers[i]));
        if (data->records[i] == NULL) {
            data->next = numbers[i];
            return;
        }
        data->count++;
    }
}

// The oldest ones for which the capture has no room are left out.
static void capture_newest(kin__task *task, const kin__messages *messages, const uint64_t *numbers, uint32_t count)
{
    messages_task *data = task->data;
    uint32_t first = count;
    while (first > 0 && (data->records[first - 1] = capture(task, messages_at(messages, numbers[first - 1]))) != NULL)
        first--;
    data->count = count - first;
    memmove(data->records, data->records + first, data->count * sizeof *data->records);
}

// With `after` the first ones, without it the newest ones.
static void capture_all(kin__task *task, const kin__messages *messages)
{
    messages_task *data = task->data;
    uint64_t numbers[KIN__KEPT_MESSAGES];
    uint32_t found = 0;
    data->next = messages->count;
    for (uint64_t n = messages_first(messages); n < messages->count; n++) {
        if (!is_wanted(task, messages_at(messages, n)))
            continue;
        if (data->has_after && found == data->limit) {
            data->next = n;
            break;
        }
        numbers[found++] = n;
    }
    uint32_t first = (uint32_t)kin__oldest_kept(found, (uint64_t)data->limit);
    if (data->has_after)
        capture_first(task, messages, numbers, found);
    else
        capture_newest(task, messages, numbers + first, found - first);
}

static bool step(kin__task *task)
{
    messages_task *data = task->data;
    kin__host *host = task->host;
    if (!kin__task_needs_caller(task, data->system))
        return true;
    if (host->messages == NULL && data->made != NULL) {
        data->is_new = messages_start(host, data->made);
        if (!data->is_new)
            return kin__task_fail(task, KIN__CODE_LIMIT, "the calls of systems cannot be followed: no memory is left");
        data->made = NULL;
    }
    if (host->messages == NULL)
        return true;
    messages_want(host->messages);
    data->lost = messages_first(host->messages);
    capture_all(task, host->messages);
    return true;
}

// ---- the answer

static void show_readers(kin__json *json, const kin_world_info *info, uint32_t message)
{
    kin__json_begin_member(json, "readers", '[');
    for (uint32_t i = 0; i < info->system_count; i++)
        for (uint32_t inbox = 0; inbox < info->systems[i].inbox_count; inbox++)
            if (info->systems[i].inboxes[inbox].message == message)
                kin__json_string(json, info->systems[i].name);
    kin__json_end(json, ']');
}

// The contexts of the fields that are handles.
static void show_handles(kin__json *json, const kin_message_info *info)
{
    kin__json_begin_member(json, "handles", '{');
    for (uint32_t i = 0; i < info->field_count; i++)
        if (info->fields[i].type == KIN_TYPE_ENTITY && info->fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__json_put_string(json, info->fields[i].name, info->fields[i].target);
    kin__json_end(json, '}');
}

// Fields behind the bytes that are kept are left out.
static void show_fields(kin__json *json, const kin_message_info *info, const message_record *record)
{
    kin__json_begin_member(json, "fields", '{');
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->inspect == KIN_INSPECT_HIDDEN || field->offset + field->size > record->size)
            continue;
        kin__json_key(json, field->name);
        kin__show_field(json, field, record->value + field->offset);
    }
    kin__json_end(json, '}');
    kin__json_put_bool(json, "cut", info->size > record->size);
}

static void show_message(const kin__task *task, kin__json *json, const message_record *record)
{
    const kin_world_info *info = task->host->info;
    kin__json_begin(json, '{');
    kin__json_put_digits(json, "n", record->number);
    kin__show_moment(json, task->host, &record->moment, "publisher");
    kin__json_put_string(json, "message", info->messages[record->message].name);
    show_readers(json, info, record->message);
    show_fields(json, &info->messages[record->message], record);
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const messages_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_string(json, "world", task->host->name);
    kin__json_put_bool(json, "began", data->is_new);
    kin__show_next(json, data->lost, data->next);
    const kin_world_info *info = task->host->info;
    kin__json_begin_member(json, "types", '[');
    for (uint32_t i = 0; info != NULL && i < info->message_count; i++) {
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", info->messages[i].name);
        kin__json_put_string(json, "doc", info->messages[i].doc);
        show_handles(json, &info->messages[i]);
        show_readers(json, info, i);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_begin_member(json, "messages", '[');
    for (uint32_t i = 0; i < data->count; i++)
        if (data->records[i] != NULL)
            show_message(task, json, data->records[i]);
    kin__json_end(json, ']');
}

const kin__method kin__method_messages = {
    .name = "messages.read",
    .doc = "The last 1,024 messages that were published in a world, in order: by which system, for which ones, with "
           "their fields. They are recorded from the first ask on, until no viewer has asked for ten seconds; 'began' "
           "says that they were not recorded before. Without 'after' the newest ones.",
    .result = "frame, world, began, lost, next, types of name, doc, handles (field and context) and readers, messages "
              "of n, frame, step, publisher, "
              "role, message, readers, fields and cut: the first 1,024 bytes are kept",
    .parameters = {KIN__WORLD_PARAMETER,
                   {"message", "string", false, "of this type alone", 0, 0},
                   {"publisher", "string", false, "of this system alone", 0, 0},
                   {"after", "string", false, "the 'next' of an answer", 0, 0},
                   {"limit", "integer", false, "1 to 1024; 100 without it", 1, KIN__KEPT_MESSAGES}},
    .data_size = sizeof(messages_task),
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};
