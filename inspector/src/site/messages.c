#include "site/messages.h"

#include "host/host.h"

#include <string.h>

static const uint64_t kept_for = 10 * (uint64_t)1000000000;

// ---- making

static uint32_t kept_size(const kin_message_info *info)
{
    return info->size < KIN__KEPT_OF_MESSAGE ? (uint32_t)info->size : KIN__KEPT_OF_MESSAGE;
}

static size_t stride_of(const kin_world_info *info)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < info->message_count; i++)
        largest = kept_size(&info->messages[i]) > largest ? kept_size(&info->messages[i]) : largest;
    return (sizeof(kin__message_record) + largest + 7) & ~(size_t)7;
}

kin__messages *kin__messages_create(kin__bounded_heap *heap, const kin_world_info *info)
{
    size_t stride = stride_of(info), size = sizeof(kin__messages) + KIN__KEPT_MESSAGES * stride;
    kin__messages *messages = kin__bounded_allocate(heap, size);
    if (messages != NULL)
        *messages = (kin__messages){.heap = heap, .stride = stride, .size = size};
    return messages;
}

void kin__messages_destroy(kin__messages *messages)
{
    if (messages != NULL)
        kin__bounded_release(messages->heap, messages, messages->size);
}

// ---- recording

static kin__message_record *place_of(const kin__messages *messages, uint64_t number)
{
    const char *at = (const char *)messages->places + number % KIN__KEPT_MESSAGES * messages->stride;
    return (kin__message_record *)(uintptr_t)at;
}

const kin__message_record *kin__messages_at(const kin__messages *messages, uint64_t number)
{
    return place_of(messages, number);
}

uint64_t kin__messages_first(const kin__messages *messages)
{
    return messages->count > KIN__KEPT_MESSAGES ? messages->count - KIN__KEPT_MESSAGES : 0;
}

void kin__messages_note(kin__host *host, uint32_t message, const void *value)
{
    kin__messages *messages = host->messages;
    if (messages == NULL)
        return;
    kin__message_record *record = place_of(messages, messages->count);
    record->number = messages->count++;
    record->moment = kin__moment_now(host);
    record->message = message;
    record->size = kept_size(&host->info->messages[message]);
    if (record->size > 0)
        memcpy(record->value, value, record->size);
}

// ---- its life

bool kin__messages_start(kin__host *host, kin__messages *messages)
{
    messages->host = host;
    if (!kin__calls_follow(host, messages->heap, &messages->hook))
        return false;
    host->messages = messages;
    atomic_store(&host->keeps_messages, true);
    kin__host_set_probe(host, host->world);
    kin__messages_want(messages);
    return true;
}

void kin__messages_want(kin__messages *messages)
{
    messages->until = kin__inspect_now() + kept_for;
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
    atomic_store(&host->keeps_messages, false);
    host->messages = NULL;
    kin__host_set_probe(host, host->world);
    kin__calls_unfollow(host, &messages->hook);
    kin__messages_destroy(messages);
}
