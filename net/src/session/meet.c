// Programs of two versions of a schema that meet: they send each other their shapes, and map what they read.
#include "session/session.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 1 + 8 + 3 * KIN__MOST_NUMBER, LEAST_PIECE = 64 };

// ---- sending

bool kin__shape_send(kin_session *session, uint32_t peer)
{
    kin__bytes_out *shape = &session->shape;
    kin_topic topic = {.kind = KIN_TOPIC_OWN, .peer = peer};
    size_t piece = session->transport->most - HEAD;
    if (!session->is_host)
        topic = (kin_topic){.kind = KIN_TOPIC_IN, .peer = session->transport->peer};
    if (shape->size == 0)
        kin__shape_put(shape, session->info);
    if (shape->has_failed) { // it is made again
        shape->size = 0;
        shape->has_failed = false;
        return true;
    }
    if (shape->size > KIN__NET_SHAPE)
        return false;
    for (size_t at = 0; at < shape->size; at += piece) {
        size_t left = shape->size - at;
        kin__bytes_out *writer = kin__session_begin(session, 'S');
        kin__put_64(writer, session->hash);
        kin__put_number(writer, shape->size);
        kin__put_number(writer, piece);
        kin__put_number(writer, at / piece);
        kin__put_bytes(writer, shape->at + at, left < piece ? left : piece);
        kin__session_send(session, topic, peer, writer);
    }
    return true;
}

// ---- pieces

void kin__pieces_release(kin_session *session, kin__net_pieces *pieces)
{
    kin__release(session->memory, pieces->bytes, pieces->size);
    kin__release(session->memory, pieces->has, (pieces->count + 63) / 64 * sizeof *pieces->has);
    *pieces = (kin__net_pieces){0};
}

static bool begin_pieces(kin_session *session, kin__net_pieces *pieces, uint64_t hash, size_t size, size_t piece)
{
    kin__pieces_release(session, pieces);
    uint32_t count = (uint32_t)((size + piece - 1) / piece);
    pieces->bytes = kin__allocate(session->memory, size);
    pieces->has = kin__allocate_zero(session->memory, (count + 63) / 64 * sizeof *pieces->has);
    pieces->hash = hash;
    pieces->size = size;
    pieces->piece = piece;
    pieces->count = pieces->missing = count;
    if (pieces->bytes != NULL && pieces->has != NULL)
        return true;
    kin__pieces_release(session, pieces);
    return false;
}

kin__net_taken kin__pieces_take(kin_session *session, kin__net_pieces *pieces, kin__bytes_in *reader)
{
    uint64_t hash = kin__take_64(reader);
    size_t size = (size_t)kin__take_at_most(reader, KIN__NET_SHAPE);
    size_t piece = (size_t)kin__take_at_most(reader, (uint64_t)1 << 30);
    uint64_t index = kin__take_number(reader);
    if (reader->fault != NULL || size == 0 || piece < LEAST_PIECE || index >= (size + piece - 1) / piece)
        return KIN__TAKEN_BAD;
    size_t begin = (size_t)index * piece;
    size_t left = size - begin < piece ? size - begin : piece;
    if (kin__bytes_left(reader) != left)
        return KIN__TAKEN_BAD;
    bool is_same = pieces->bytes != NULL && pieces->hash == hash && pieces->size == size && pieces->piece == piece;
    if (!is_same && !begin_pieces(session, pieces, hash, size, piece))
        return KIN__TAKEN_PART;
    if (!kin__bits_have(pieces->has, (uint32_t)index)) {
        memcpy(pieces->bytes + begin, reader->at, left);
        kin__bits_add(pieces->has, (uint32_t)index);
        pieces->missing--;
    }
    return pieces->missing == 0 ? KIN__TAKEN_ALL : KIN__TAKEN_PART;
}

// ---- the other program

void kin__other_release(kin_session *session, kin__net_other *other)
{
    if (other == NULL)
        return;
    kin__heap_release(&other->heap);
    kin__release(session->memory, other, sizeof *other);
}

static const char advice[] = "which cannot be converted; run 'kin breaking --net' before a release";

kin__net_other *kin__other_make(kin_session *session, const kin__net_pieces *pieces, char reason[KIN__NET_REASON])
{
    char names[KIN__SHAPE_NAMES];
    kin__bytes_in in = kin__bytes_begin(pieces->bytes, pieces->size);
    kin__net_other *other = kin__allocate_zero(session->memory, sizeof *other);
    reason[0] = '\0';
    if (other == NULL)
        return NULL;
    other->hash = pieces->hash;
    other->fault = (kin__fault){KIN_OK, ""};
    other->heap = (kin__heap){.memory = session->memory, .fault = &other->fault};
    const kin__net_info *info = kin__shape_take(&in, &other->heap);
    bool meets = false;
    if (info == NULL && in.fault != kin__no_memory)
        snprintf(reason, KIN__NET_REASON, "it sends no shape of a schema: %s", in.fault);
    if (info != NULL && session->is_host)
        meets = kin__shapes_meet(session->info, info, names);
    else if (info != NULL)
        meets = kin__shapes_meet(info, session->info, names);
    if (info != NULL && !meets)
        snprintf(reason, KIN__NET_REASON, "it has another schema, with %s, %s", names, advice);
    if (meets)
        other->map = kin__shape_map_make(&other->heap, info, session->info, session->is_host);
    if (other->map != NULL)
        return other;
    kin__other_release(session, other);
    return NULL;
}

bool kin__other_has_owned(const kin__net_other *other)
{
    for (uint32_t i = 0; i < other->map->from->context_count; i++)
        for (uint32_t k = 0; k < other->map->from->contexts[i].component_count; k++)
            if (other->map->from->contexts[i].components[k].to == KIN__NET_TO_OWNER)
                return true;
    return false;
}
