// Packets, subjects, errors and subscriptions of a broker.
#include "broker/broker.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- packets

kin__packet *kin__packet_make(kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    kin__packet *packet = malloc(sizeof *packet + size);
    if (packet == NULL)
        return NULL;
    *packet = (kin__packet){.topic = topic, .peer = peer, .size = size};
    if (size > 0)
        memcpy(packet->bytes, bytes, size);
    return packet;
}

void kin__packets_append(kin__packets *packets, kin__packet *packet)
{
    assert((packets->first == NULL) == (packets->last == NULL));
    packet->next = NULL;
    if (packets->last == NULL)
        packets->first = packet;
    else
        packets->last->next = packet;
    packets->last = packet;
    packets->bytes += sizeof *packet + packet->size;
}

kin__packet *kin__packets_take(kin__packets *packets)
{
    kin__packet *packet = packets->first;
    if (packet == NULL)
        return NULL;
    packets->first = packet->next;
    if (packets->first == NULL)
        packets->last = NULL;
    assert(packets->bytes >= sizeof *packet + packet->size);
    packets->bytes -= sizeof *packet + packet->size;
    assert(packets->first != NULL || packets->bytes == 0);
    return packet;
}

void kin__packets_release(kin__packets *packets)
{
    while (packets->first != NULL)
        free(kin__packets_take(packets));
}

void kin__packets_move(kin__packets *from, kin__packets *to)
{
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->bytes += from->bytes;
    *from = (kin__packets){0};
}

// ---- subjects

static const char *const kinds[] = {[KIN_TOPIC_FRAME] = "frame", [KIN_TOPIC_FULL] = "full",     [KIN_TOPIC_OWN] = "own",
                                    [KIN_TOPIC_TICK] = "tick",   [KIN_TOPIC_RECORD] = "record", [KIN_TOPIC_IN] = "in"};

bool kin__topic_covers(kin_topic listened, kin_topic topic)
{
    if (listened.kind != topic.kind)
        return false;
    switch (topic.kind) {
    case KIN_TOPIC_FRAME:
    case KIN_TOPIC_FULL:
        if (listened.has_no_zone || topic.has_no_zone)
            return listened.has_no_zone == topic.has_no_zone;
        if (listened.has_every_zone)
            return true;
        return !topic.has_every_zone && listened.zone == topic.zone;
    case KIN_TOPIC_OWN:
        return listened.peer == topic.peer;
    case KIN_TOPIC_IN:
        return listened.peer == 0 || listened.peer == topic.peer;
    case KIN_TOPIC_RECORD:
        return listened.epoch == 0 || listened.epoch == topic.epoch;
    default:
        return true;
    }
}

static bool has_zone(kin_topic topic)
{
    return kin__topic_has_zones(topic) && !topic.has_no_zone;
}

void kin__subject_write(const kin__broker *broker, kin_topic topic, uint32_t peer, char *subject)
{
    char rest[32] = "";
    char before[32] = "";
    bool is_for_one = peer != 0 && topic.kind != KIN_TOPIC_OWN;
    assert(topic.kind < sizeof kinds / sizeof *kinds);
    if (is_for_one)
        snprintf(before, sizeof before, "own.%" PRIu32 ".", peer);
    if (has_zone(topic) && topic.has_every_zone)
        snprintf(rest, sizeof rest, ".*");
    else if (has_zone(topic))
        snprintf(rest, sizeof rest, ".%" PRId32, topic.zone);
    else if (topic.kind == KIN_TOPIC_IN && topic.peer == 0)
        snprintf(rest, sizeof rest, ".*");
    else if (topic.kind == KIN_TOPIC_RECORD && topic.epoch == 0)
        snprintf(rest, sizeof rest, ".*");
    else if (topic.kind == KIN_TOPIC_RECORD)
        snprintf(rest, sizeof rest, ".%" PRIu32, topic.epoch);
    else if (topic.kind == KIN_TOPIC_IN || topic.kind == KIN_TOPIC_OWN)
        snprintf(rest, sizeof rest, ".%" PRIu32, topic.peer);
    snprintf(subject, KIN__BROKER_SUBJECT, "%s%s%s%s", broker->prefix, before, kinds[topic.kind], rest);
}

static bool ends_word(char byte)
{
    return byte == '\0' || byte == '.';
}

// Reads a whole number that ends at a dot or at the end, and moves on behind the dot.
static bool read_number(const char **at, int64_t least, int64_t most, int64_t *number)
{
    char *end = NULL;
    if (strchr("-0123456789", **at) == NULL || **at == '\0')
        return false;
    long long value = strtoll(*at, &end, 10);
    if (end == *at || !ends_word(*end))
        return false;
    if (value < least || value > most)
        return false;
    *number = value;
    *at = end + (*end == '.');
    return true;
}

// Reads the number of a peer or an epoch, which ends the subject. False, with 0, if it is none.
static bool read_last(const char *at, uint32_t *last)
{
    int64_t number = 0;
    bool is_read = read_number(&at, 1, UINT32_MAX, &number);
    *last = (uint32_t)number;
    return is_read && *at == '\0';
}

static bool read_kind(const char **at, kin_topic_kind *kind)
{
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t size = strlen(kinds[i]);
        if (strncmp(*at, kinds[i], size) != 0 || !ends_word((*at)[size]))
            continue;
        *kind = (kin_topic_kind)i;
        *at += size + ((*at)[size] == '.');
        return true;
    }
    return false;
}

bool kin__subject_read(const kin__broker *broker, const char *subject, kin_topic *topic, uint32_t *peer)
{
    size_t size = strlen(broker->prefix);
    int64_t number = 0;
    *topic = (kin_topic){0};
    *peer = 0;
    if (strncmp(subject, broker->prefix, size) != 0)
        return false;
    const char *at = subject + size;
    bool has_end = at[0] != '\0' && at[strlen(at) - 1] != '.';
    if (!has_end || !read_kind(&at, &topic->kind))
        return false;
    if (topic->kind == KIN_TOPIC_OWN) {
        if (!read_number(&at, 1, UINT32_MAX, &number))
            return false;
        topic->peer = (uint32_t)number;
        if (*at == '\0')
            return true;
        *topic = (kin_topic){0};
        if (!read_kind(&at, &topic->kind) || topic->kind == KIN_TOPIC_OWN)
            return false;
    }
    if (topic->kind == KIN_TOPIC_IN) {
        bool is_read = read_last(at, &topic->peer);
        *peer = topic->peer;
        return is_read;
    }
    if (topic->kind == KIN_TOPIC_RECORD)
        return read_last(at, &topic->epoch);
    topic->has_no_zone = kin__topic_has_zones(*topic) && *at == '\0';
    if (has_zone(*topic) && !read_number(&at, INT32_MIN, INT32_MAX, &number))
        return false;
    topic->zone = (int32_t)number;
    return *at == '\0';
}

// ---- time and errors

uint64_t kin__broker_clock(void)
{
#ifdef CLOCK_BOOTTIME
    const clockid_t clock = CLOCK_BOOTTIME; // it counts while the machine sleeps
#else
    const clockid_t clock = CLOCK_MONOTONIC;
#endif
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

// Remembers an error by its hash (FNV-1a), and returns whether it is none of the last ones. With the mutex.
static bool is_news(kin__broker *broker, const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = text; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    for (uint32_t i = 0; i < KIN__BROKER_FAULTS; i++)
        if (broker->faults[i] == hash)
            return false;
    broker->faults[broker->fault_count++ % KIN__BROKER_FAULTS] = hash;
    return true;
}

void kin__broker_note(kin__broker *broker, kin_status status, const char *format, ...)
{
    char text[sizeof broker->fault];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&broker->mutex);
    if (!broker->has_fault && is_news(broker, text)) {
        memcpy(broker->fault, text, sizeof text);
        broker->fault_status = status;
        broker->has_fault = true;
    }
    pthread_mutex_unlock(&broker->mutex);
}

const char *kin__broker_reason(natsStatus status)
{
    const char *text = nats_GetLastError(NULL);
    if (text == NULL || text[0] == '\0')
        return natsStatus_GetText(status);
    const char *behind = NULL;
    if (text[0] == '(') // the place in libnats
        behind = strstr(text, "): ");
    if (behind == NULL)
        return text;
    return behind + 3;
}

void kin__broker_report(const kin_nats_options *options, kin_status status, const char *message)
{
    kin_error error = {.status = status, .message = message};
    if (options != NULL && options->on_error != NULL)
        options->on_error(&error, options->error_user);
    else
        fprintf(stderr, "kin: %s\n", message);
}

// ---- what libnats calls

void kin__broker_refer(kin__broker *broker, int32_t number)
{
    pthread_mutex_lock(&broker->mutex);
    broker->references += (uint32_t)number;
    pthread_cond_broadcast(&broker->has_work);
    pthread_mutex_unlock(&broker->mutex);
}

static void on_complete(void *user)
{
    kin__broker_refer(user, -1);
}

natsSubscription *kin__broker_subscribe(kin__broker *broker, const char *subject, natsMsgHandler call)
{
    natsSubscription *subscription = NULL;
    natsStatus status = natsConnection_Subscribe(&subscription, broker->connection, subject, call, broker);
    if (status != NATS_OK) {
        kin__broker_note(broker, KIN_ERROR_STREAM, "cannot listen to %s: %s", subject, natsStatus_GetText(status));
        return NULL;
    }
    natsSubscription_SetPendingLimits(subscription, -1, -1);
    kin__broker_refer(broker, 1);
    if (natsSubscription_SetOnCompleteCB(subscription, on_complete, broker) != NATS_OK)
        kin__broker_refer(broker, -1);
    return subscription;
}
