// Datagrams, queues of them, seats, time, chance and errors of a link.
#include "link/link.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { KIND_BITS = 7, HAS_ZONE = 8, HAS_NO_ZONE = 16, IS_FOR_ALL = 32 };

// ---- queues

void kin__link_append(kin__link_queue *queue, kin__link_item *item)
{
    assert((queue->first == NULL) == (queue->last == NULL));
    item->next = NULL;
    if (queue->last == NULL)
        queue->first = item;
    else
        queue->last->next = item;
    queue->last = item;
    queue->bytes += sizeof *item + item->packet->dataLength;
}

kin__link_item *kin__link_take(kin__link_queue *queue)
{
    kin__link_item *item = queue->first;
    if (item == NULL)
        return NULL;
    queue->first = item->next;
    if (queue->first == NULL)
        queue->last = NULL;
    queue->bytes -= sizeof *item + item->packet->dataLength;
    assert(queue->first != NULL || queue->bytes == 0);
    return item;
}

void kin__link_free(kin__link_item *item)
{
    if (item == NULL)
        return;
    if (item->packet != NULL && item->packet->referenceCount == 0)
        enet_packet_destroy(item->packet);
    free(item);
}

void kin__link_clear(kin__link_queue *queue)
{
    while (queue->first != NULL)
        kin__link_free(kin__link_take(queue));
}

// ---- datagrams

static void write_32(unsigned char *at, uint32_t number)
{
    for (uint32_t i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

static uint32_t read_32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool has_zones(kin_topic topic)
{
    return topic.kind == KIN_TOPIC_FRAME || topic.kind == KIN_TOPIC_FULL;
}

kin__link_item *kin__link_pack(kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    // A datagram that is larger than a peer's network allows is cut. What a peer begins with is many of them, which
    // would hardly all arrive; so these are sent again.
    enet_uint32 flags = ENET_PACKET_FLAG_UNSEQUENCED | ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT;
    if (topic.kind == KIN_TOPIC_FULL && peer != 0)
        flags = ENET_PACKET_FLAG_RELIABLE;
    bool has_zone = has_zones(topic) && !topic.has_no_zone;
    bool has_none = has_zones(topic) && topic.has_no_zone;
    size_t head = has_zone ? KIN__LINK_HEAD : 1;
    unsigned marks = topic.kind;
    assert(topic.kind <= KIN_TOPIC_IN && size <= KIN__LINK_MOST);
    if (has_zone)
        marks |= HAS_ZONE;
    if (has_none)
        marks |= HAS_NO_ZONE;
    if (peer == 0)
        marks |= IS_FOR_ALL;
    kin__link_item *item = calloc(1, sizeof *item);
    if (item == NULL)
        return NULL;
    item->peer = peer;
    item->packet = enet_packet_create(NULL, head + size, flags);
    if (item->packet == NULL) {
        free(item);
        return NULL;
    }
    unsigned char *at = item->packet->data;
    at[0] = (unsigned char)marks;
    if (has_zone)
        write_32(at + 1, (uint32_t)topic.zone);
    if (size > 0)
        memcpy(at + head, bytes, size);
    return item;
}

size_t kin__link_unpack(const ENetPacket *packet, kin_topic *topic, bool *is_for_all)
{
    size_t size = packet->dataLength;
    if (size == 0)
        return 0;
    unsigned head = packet->data[0];
    bool has_zone = (head & HAS_ZONE) != 0;
    *topic = (kin_topic){.kind = (kin_topic_kind)(head & KIND_BITS), .has_no_zone = (head & HAS_NO_ZONE) != 0};
    *is_for_all = (head & IS_FOR_ALL) != 0;
    if (topic->kind > KIN_TOPIC_IN || head >= 2 * IS_FOR_ALL)
        return 0;
    unsigned zone_marks = has_zone + topic->has_no_zone; // one of them, if it is of a kind with zones
    if (zone_marks != (has_zones(*topic) ? 1 : 0))
        return 0;
    if (!has_zone)
        return 1;
    if (size < KIN__LINK_HEAD)
        return 0;
    topic->zone = (int32_t)read_32(packet->data + 1);
    return KIN__LINK_HEAD;
}

ENetPacket *kin__link_hello(char kind, uint32_t number, uint64_t token)
{
    unsigned char bytes[KIN__LINK_HELLO] = {(unsigned char)kind};
    write_32(bytes + 1, number);
    write_32(bytes + 5, (uint32_t)token);
    write_32(bytes + 9, (uint32_t)(token >> 32));
    return enet_packet_create(bytes, sizeof bytes, ENET_PACKET_FLAG_RELIABLE);
}

bool kin__link_read_hello(const ENetPacket *packet, char kind, uint32_t *number, uint64_t *token)
{
    const unsigned char *bytes = packet->data;
    if (packet->dataLength != KIN__LINK_HELLO || bytes[0] != (unsigned char)kind)
        return false;
    *number = read_32(bytes + 1);
    *token = read_32(bytes + 5) | (uint64_t)read_32(bytes + 9) << 32;
    return true;
}

kin__link_seat *kin__link_find_seat(kin__link *link, uint32_t number)
{
    uint32_t index = number & ((1U << KIN__LINK_SEAT_BITS) - 1);
    if (number == 0 || index >= link->seat_count)
        return NULL;
    if (link->seats[index].number != number)
        return NULL;
    return &link->seats[index];
}

void kin__link_deliver(kin__link *link, uint32_t peer, ENetPacket *packet)
{
    kin__link_item *item = calloc(1, sizeof *item);
    kin__link_seat *seat = kin__link_find_seat(link, peer); // NULL at a replica
    assert((seat != NULL) == link->is_host);
    if (item == NULL) {
        enet_packet_destroy(packet);
        return;
    }
    *item = (kin__link_item){.packet = packet, .peer = peer};
    pthread_mutex_lock(&link->mutex);
    bool has_room = link->in.bytes + packet->dataLength <= KIN__LINK_QUEUE;
    if (seat != NULL && seat->waiting >= KIN__LINK_WAITING)
        has_room = false;
    if (has_room) {
        kin__link_append(&link->in, item);
        if (seat != NULL)
            seat->waiting++;
    }
    pthread_mutex_unlock(&link->mutex);
    if (!has_room)
        kin__link_free(item);
}

// ---- time, chance, errors

uint64_t kin__link_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t kin__link_draw(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number)
        return number;
    return kin__link_clock() * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(uintptr_t)&number;
}

void kin__link_note(kin__link *link, const char *format, ...)
{
    char text[sizeof link->fault];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&link->mutex);
    if (!link->has_fault)
        memcpy(link->fault, text, sizeof text);
    link->has_fault = true;
    pthread_mutex_unlock(&link->mutex);
}
