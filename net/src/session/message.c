// Messages as bytes: their leaves, each against nothing.
#include "session/session.h"

#include <string.h>

// ---- leaves

static int64_t signed_of(kin_type type, const char *at)
{
    switch (type) {
    case KIN_TYPE_INT8:
        return *(const int8_t *)(const void *)at;
    case KIN_TYPE_INT16:
        return *(const int16_t *)(const void *)at;
    case KIN_TYPE_INT64:
        return *(const int64_t *)(const void *)at;
    default:
        return *(const int32_t *)(const void *)at; // an enum too
    }
}

static uint64_t unsigned_of(kin_type type, const char *at)
{
    switch (type) {
    case KIN_TYPE_BOOL:
        return *(const bool *)(const void *)at;
    case KIN_TYPE_UINT8:
        return *(const uint8_t *)(const void *)at;
    case KIN_TYPE_UINT16:
        return *(const uint16_t *)(const void *)at;
    case KIN_TYPE_UINT32:
        return *(const uint32_t *)(const void *)at;
    default:
        return *(const uint64_t *)(const void *)at; // an entity too
    }
}

static void write_float(kin__bytes_out *writer, uint32_t size, const char *at)
{
    unsigned char bytes[8];
    uint32_t word = 0;
    uint64_t wide = 0;
    if (size == sizeof word) {
        memcpy(&word, at, sizeof word);
        kin__little_write_32(bytes, word);
    } else {
        memcpy(&wide, at, sizeof wide);
        kin__little_write_64(bytes, wide);
    }
    kin__put_bytes(writer, bytes, size);
}

static void write_one(kin__bytes_out *writer, const kin__net_leaf *leaf, const char *at);

static void write_leaves(kin__bytes_out *writer, const kin__net_leaf *leaves, uint32_t count, const char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_leaf *leaf = &leaves[i];
        uint32_t elements = leaf->count == 0 ? 1 : leaf->count;
        for (uint32_t k = 0; k < elements; k++)
            write_one(writer, leaf, value + leaf->offset + (size_t)k * leaf->size);
    }
}

// Recursive over arrays of structs in structs, of which the schema allows 32 levels.
static void write_one(kin__bytes_out *writer, const kin__net_leaf *leaf, const char *at)
{
    kin_type type = (kin_type)leaf->type;
    size_t length = 0;
    switch (type) {
    case KIN_TYPE_INT8:
    case KIN_TYPE_INT16:
    case KIN_TYPE_INT32:
    case KIN_TYPE_INT64:
    case KIN_TYPE_ENUM:
        kin__put_signed(writer, signed_of(type, at));
        break;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        write_float(writer, leaf->size, at);
        break;
    case KIN_TYPE_INLINE_STRING:
        while (length + 1 < leaf->size && at[length] != '\0')
            length++;
        kin__put_number(writer, length);
        kin__put_bytes(writer, at, length);
        break;
    case KIN_TYPE_STRUCT:
        write_leaves(writer, leaf->inner, leaf->inner_count, at);
        break;
    default:
        kin__put_number(writer, unsigned_of(type, at));
        break;
    }
}

static bool read_signed(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    int64_t number = kin__take_signed(reader);
    int64_t limit = leaf->size == 8 ? INT64_MAX : ((int64_t)1 << (8 * leaf->size - 1)) - 1;
    if (number > limit || number < -limit - 1)
        return false;
    kin__leaf_set_integer(leaf, at, (uint64_t)number);
    return reader->fault == NULL;
}

static bool read_unsigned(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    uint64_t number = kin__take_number(reader);
    uint64_t limit = leaf->size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * leaf->size) - 1;
    if (number > limit || (leaf->type == KIN_TYPE_BOOL && number > 1))
        return false;
    kin__leaf_set_integer(leaf, at, number);
    return reader->fault == NULL;
}

static bool read_enum(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    if (!read_signed(reader, leaf, at))
        return false;
    int32_t number;
    memcpy(&number, at, sizeof number);
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (leaf->values[i] == number)
            return true;
    return false;
}

static bool read_float(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    const unsigned char *bytes = kin__take_bytes(reader, leaf->size);
    if (bytes == NULL)
        return false;
    uint32_t word = leaf->size == sizeof word ? kin__little_read_32(bytes) : 0;
    uint64_t wide = leaf->size == sizeof wide ? kin__little_read_64(bytes) : 0;
    if (leaf->size == sizeof word)
        memcpy(at, &word, sizeof word);
    else
        memcpy(at, &wide, sizeof wide);
    return true;
}

static bool read_text(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    size_t length = (size_t)kin__take_at_most(reader, leaf->size - 1);
    const unsigned char *bytes = kin__take_bytes(reader, length);
    if (bytes == NULL)
        return false;
    memcpy(at, bytes, length);
    return kin__is_text(bytes, length);
}

static bool read_leaves(kin__bytes_in *reader, const kin__net_leaf *leaves, uint32_t count, char *value);

static bool read_one(kin__bytes_in *reader, const kin__net_leaf *leaf, char *at)
{
    switch ((kin_type)leaf->type) {
    case KIN_TYPE_INT8:
    case KIN_TYPE_INT16:
    case KIN_TYPE_INT32:
    case KIN_TYPE_INT64:
        return read_signed(reader, leaf, at);
    case KIN_TYPE_ENUM:
        return read_enum(reader, leaf, at);
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        return read_float(reader, leaf, at);
    case KIN_TYPE_INLINE_STRING:
        return read_text(reader, leaf, at);
    case KIN_TYPE_STRUCT:
        return read_leaves(reader, leaf->inner, leaf->inner_count, at);
    default:
        return read_unsigned(reader, leaf, at);
    }
}

static bool read_leaves(kin__bytes_in *reader, const kin__net_leaf *leaves, uint32_t count, char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_leaf *leaf = &leaves[i];
        uint32_t elements = leaf->count == 0 ? 1 : leaf->count;
        for (uint32_t k = 0; k < elements; k++)
            if (!read_one(reader, leaf, value + leaf->offset + (size_t)k * leaf->size))
                return false;
    }
    return true;
}

// ---- messages

const kin__net_message *kin__net_message_of(const kin__net_info *info, uint64_t number)
{
    for (uint32_t i = 0; i < info->message_count; i++)
        if (info->messages[i].number == number)
            return &info->messages[i];
    return NULL;
}

void kin__net_message_write(kin__bytes_out *writer, const kin__net_message *message, const void *value)
{
    write_leaves(writer, message->leaves, message->leaf_count, value);
}

bool kin__net_message_read(kin__bytes_in *reader, const kin__net_message *message, void *value)
{
    if (message->size > 0)
        memset(value, 0, message->size);
    return read_leaves(reader, message->leaves, message->leaf_count, value) && reader->fault == NULL;
}

// ---- messages of another schema

const kin__net_message kin__no_message;

const kin__message_map *kin__message_map_of(const kin__shape_map *map, uint64_t number)
{
    for (uint32_t i = 0; i < map->from->message_count; i++)
        if (map->messages[i].from->number == number)
            return &map->messages[i];
    return NULL;
}

static bool pass_over_text(kin__bytes_in *reader, const kin__net_leaf *leaf)
{
    size_t length = (size_t)kin__take_at_most(reader, leaf->size - 1);
    const unsigned char *bytes = kin__take_bytes(reader, length);
    return bytes != NULL && kin__is_text(bytes, length);
}

// Passes over a leaf as the sender writes it. Recursive over structs in structs.
static bool pass_over(kin__bytes_in *reader, const kin__net_leaf *leaf)
{
    char value[8];
    uint32_t elements = leaf->count == 0 ? 1 : leaf->count;
    for (uint32_t i = 0; i < elements; i++) {
        if (leaf->type == KIN_TYPE_STRUCT) {
            for (uint32_t k = 0; k < leaf->inner_count; k++)
                if (!pass_over(reader, &leaf->inner[k]))
                    return false;
        } else if (leaf->type == KIN_TYPE_INLINE_STRING) {
            if (!pass_over_text(reader, leaf))
                return false;
        } else if (!read_one(reader, leaf, value)) {
            return false;
        }
    }
    return true;
}

static bool convert_leaves(kin__bytes_in *reader, const kin__leaf_map *maps, uint32_t count, char *value);

static bool convert_one(kin__bytes_in *reader, const kin__leaf_map *map, char *value)
{
    char sent[8] = {0};
    if (map->from->type == KIN_TYPE_STRUCT)
        return convert_leaves(reader, map->inner, map->from->inner_count, value);
    if (map->from->type == KIN_TYPE_INLINE_STRING)
        return read_text(reader, &map->element, value);
    if (!read_one(reader, &map->element, sent))
        return false;
    kin__element_convert(map, sent, value);
    return true;
}

static bool convert_leaves(kin__bytes_in *reader, const kin__leaf_map *maps, uint32_t count, char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin__leaf_map *map = &maps[i];
        uint32_t elements = map->from->count == 0 ? 1 : map->from->count;
        if (map->to == NULL && !pass_over(reader, map->from))
            return false;
        for (uint32_t k = 0; map->to != NULL && k < elements; k++)
            if (!convert_one(reader, map, value + map->to->offset + (size_t)k * map->to->size))
                return false;
    }
    return true;
}

bool kin__net_message_convert(kin__bytes_in *reader, const kin__message_map *map, void *value)
{
    if (value != NULL && map->to != NULL && map->to->size > 0)
        memset(value, 0, map->to->size);
    return convert_leaves(reader, map->leaves, map->from->leaf_count, value) && reader->fault == NULL;
}

// ---- lists

kin__net_waiting *kin__waiting_make(kin_session *session, const kin__net_message *message)
{
    size_t size = sizeof(kin__net_waiting) + message->size;
    kin__net_waiting *waiting = kin__allocate_zero(session->memory, size);
    if (waiting == NULL)
        return NULL;
    waiting->message = message;
    waiting->size = size;
    return waiting;
}

void kin__waiting_release(kin_session *session, kin__net_waiting *waiting)
{
    kin__release(session->memory, waiting, waiting->size);
}

bool kin__waiting_insert(kin__net_list *list, kin__net_waiting *waiting)
{
    kin__net_waiting **link = &list->first;
    while (*link != NULL && (*link)->number < waiting->number)
        link = &(*link)->next;
    if (*link != NULL && (*link)->number == waiting->number)
        return false;
    waiting->next = *link;
    *link = waiting;
    list->count++;
    return true;
}

kin__net_waiting *kin__waiting_take(kin__net_list *list)
{
    kin__net_waiting *first = list->first;
    if (first == NULL)
        return NULL;
    list->first = first->next;
    list->count--;
    return first;
}

void kin__waiting_release_all(kin_session *session, kin__net_list *list)
{
    while (list->first != NULL)
        kin__waiting_release(session, kin__waiting_take(list));
}

// ---- events

void kin__events_write(kin__bytes_out *writer, const kin__net_list *events)
{
    kin__put_number(writer, events->count);
    for (const kin__net_waiting *event = events->first; event != NULL; event = event->next) {
        kin__put_number(writer, event->frame);
        kin__put_number(writer, event->message->number);
        kin__net_message_write(writer, event->message, event->value);
    }
}

// Reads an event, or passes over one that the schema lacks.
static bool read_event(kin_session *session, kin__bytes_in *reader, kin__net_list *events)
{
    uint64_t frame = kin__take_number(reader);
    uint64_t number = kin__take_number(reader);
    const kin__message_map *map = NULL;
    const kin__net_message *message = NULL;
    if (session->other != NULL)
        map = kin__message_map_of(session->other->map, number);
    else
        message = kin__net_message_of(session->info, number);
    if (map != NULL && map->to == NULL) {
        kin__session_count_refused(session, KIN_REFUSED_SHAPE);
        return kin__net_message_convert(reader, map, NULL);
    }
    if (map != NULL)
        message = map->to;
    if (message == NULL || !message->is_to_replica || reader->fault != NULL)
        return false;
    kin__net_waiting *event = kin__waiting_make(session, message);
    if (event == NULL)
        return false;
    event->frame = frame;
    event->number = events->count;
    bool is_read = map == NULL ? kin__net_message_read(reader, message, event->value)
                               : kin__net_message_convert(reader, map, event->value);
    if (is_read && kin__waiting_insert(events, event))
        return true;
    kin__waiting_release(session, event);
    return false;
}

bool kin__events_read(kin_session *session, kin__bytes_in *reader, kin__net_list *events)
{
    uint64_t count = kin__take_number(reader);
    for (uint64_t i = 0; i < count; i++)
        if (!read_event(session, reader, events))
            return false;
    return reader->fault == NULL;
}
