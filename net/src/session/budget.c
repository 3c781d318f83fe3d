// Budgets: which zones a peer gets with a frame, if it does not get all.
//
// A zone goes whole or not at all, and against the state that the peer has of it, so that nothing is lost by waiting.
// What a peer has must stay a state without contradictions: an entity that moved from one zone to another, or whose
// slot another entity has now, would be in both or in none. So such zones are a group, which goes together.
//
//   choices    the zones that the peer sees, each with its base, in groups
//   order      groups that waited KIN__NET_WAITED frames, whose base leaves the ring soon; then those with own entities,
//              in which entities ended, or which the peer never had for so long; then by weight × frames waited
//
// Groups go until the budget is used up. The first one always goes, so that each comes up in the end, and so do those
// whose base would leave the ring.
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

typedef struct choice {
    kin__net_key key;
    uint64_t base; // 0: the peer does not have the zone
    uint64_t waited;
    uint64_t score; // weight × frames waited
    uint8_t rank;   // which go first, from 0
    bool is_due;
    uint32_t parent; // in the forest of groups
    uint32_t group;  // the number of the group, once it is known
} choice;

enum { RANK_WAITED, RANK_FIRST, RANK_LAST };

enum { TICK_SIZE = 40, HASH_SIZE = 8, PART_SIZE = 20 }; // bytes, about

typedef struct choosing {
    kin__sending *sending;
    kin__net_peer *peer;
    kin__array list; // of choice, in the order of the keys, later of the groups
    uint32_t count;
    kin__bytes_out zones;
    uint32_t zone_count;
    bool has_none, has_sent; // a frame of what has no zone; any
    size_t bytes;            // of the tick and the frames that were sent
} choosing;

static choice *choices_of(const choosing *choosing)
{
    return choosing->list.elements;
}

// ---- what a peer has

static kin__net_held *find_held(const kin__net_peer *peer, kin__net_key key)
{
    kin__net_held *held = peer->held.elements;
    uint32_t low = 0;
    uint32_t high = peer->held_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (held[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < peer->held_count && held[low].key == key ? &held[low] : NULL;
}

static bool set_held(kin_session *session, kin__net_peer *peer, kin__net_key key, uint64_t base)
{
    kin__net_held *held = find_held(peer, key);
    uint32_t place = peer->held_count;
    if (held != NULL) {
        held->base = base;
        return true;
    }
    if (!kin__array_reserve(session->memory, &peer->held, peer->held_count + 1, sizeof *held))
        return false;
    held = peer->held.elements;
    for (; place > 0 && held[place - 1].key > key; place--)
        held[place] = held[place - 1];
    held[place] = (kin__net_held){key, base};
    peer->held_count++;
    return true;
}

static kin__net_sent *sent_of(const kin__net_peer *peer, uint64_t number)
{
    kin__net_sent *sent = &peer->history[number % KIN__NET_SENT];
    return number != 0 && sent->number == number ? sent : NULL;
}

// Finds what the peer has in the state of a number: of each zone the last frame in the ticks that led to it. False if
// that is not known any more.
static bool go_back(kin_session *session, kin__net_peer *peer, uint64_t number)
{
    peer->held_count = 0;
    for (uint64_t at = number; at != 0;) {
        const kin__net_sent *sent = sent_of(peer, at);
        if (sent == NULL)
            return number - at >= KIN__NET_WAITED; // each zone was in one of the ticks after it
        const kin__net_key *keys = sent->keys.elements;
        for (uint32_t i = 0; i < sent->count; i++)
            if (find_held(peer, keys[i]) == NULL && !set_held(session, peer, keys[i], at))
                return false;
        at = sent->parent;
    }
    return true;
}

static bool begin_peer(kin_session *session, kin__net_peer *peer)
{
    if (peer->history == NULL)
        peer->history = kin__allocate_zero(session->memory, KIN__NET_SENT * sizeof *peer->history);
    return peer->history != NULL;
}

// Notes that a zone goes with the tick.
static bool note_sent(const choosing *choosing, const choice *choice)
{
    kin_session *session = choosing->sending->session;
    kin__net_sent *sent = &choosing->peer->history[choosing->sending->number % KIN__NET_SENT];
    if (!kin__array_reserve(session->memory, &sent->keys, sent->count + 1, sizeof(kin__net_key)))
        return false;
    ((kin__net_key *)sent->keys.elements)[sent->count++] = choice->key;
    return set_held(session, choosing->peer, choice->key, choosing->sending->number);
}

// ---- moves between zones

static int order_of_pairs(const void *one, const void *other)
{
    const kin__net_pair *first = one;
    const kin__net_pair *second = other;
    if (first->from != second->from)
        return first->from < second->from ? -1 : 1;
    return (first->to > second->to) - (first->to < second->to);
}

static bool add_move(kin_session *session, kin__net_moves *moves, kin__net_key from, kin__net_key to)
{
    kin__net_pair *pairs = moves->pairs.elements;
    bool is_last = moves->count > 0 && pairs[moves->count - 1].from == from && pairs[moves->count - 1].to == to;
    if (is_last)
        return true;
    if (!kin__array_reserve(session->memory, &moves->pairs, moves->count + 1, sizeof *pairs))
        return false;
    pairs = moves->pairs.elements;
    pairs[moves->count++] = (kin__net_pair){from, to};
    return true;
}

static bool has_moved(const kin__context_snapshot *base, const kin__context_snapshot *now, uint32_t chunk)
{
    const kin__net_place *zone = &now->context->core->replicated->zone;
    if (kin__part_head(base, chunk) != kin__side_image(now, chunk, kin__head_number(now->info)))
        return true;
    return zone->component != KIN__NET_NO_COMPONENT &&
           kin__side_image(base, chunk, zone->component) != kin__side_image(now, chunk, zone->component);
}

static bool add_moves(kin_session *session, kin__net_moves *moves, const kin__context_snapshot *base,
                      const kin__context_snapshot *now)
{
    for (uint32_t chunk = 0; chunk < base->chunk_count; chunk++) {
        const kin__image *before = kin__part_head(base, chunk);
        const kin__image *after = kin__side_image(now, chunk, kin__head_number(now->info));
        if (!has_moved(base, now, chunk))
            continue;
        EACH_OF_ROW(place, kin__image_alive(before), KIN__CHUNK_WORDS)
        {
            kin__net_key from = kin__host_zone(base, chunk, place);
            kin__net_key to = KIN__NET_GONE;
            if (after != NULL && kin__bits_have(kin__image_alive(after), place))
                to = kin__host_zone(now, chunk, place);
            bool is_same = to == from && kin__image_ids(before)[place] == kin__image_ids(after)[place];
            if (!is_same && !add_move(session, moves, from, to))
                return false;
        }
    }
    return true;
}

static void sort_moves(kin__net_moves *moves)
{
    kin__net_pair *pairs = moves->pairs.elements;
    uint32_t kept = 0;
    if (moves->count > 1)
        qsort(pairs, moves->count, sizeof *pairs, order_of_pairs);
    for (uint32_t i = 0; i < moves->count; i++)
        if (kept == 0 || order_of_pairs(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    moves->count = kept;
}

// Returns the moves from a state to the present one, which all peers with this base share. NULL when out of memory.
static const kin__net_moves *moves_since(const kin__sending *sending, uint64_t base_number)
{
    kin_session *session = sending->session;
    const kin_snapshot *base = kin__host_state(session, base_number);
    if (session->moves == NULL)
        session->moves = kin__allocate_zero(session->memory, session->options.ring * sizeof *session->moves);
    if (session->moves == NULL || base == NULL)
        return NULL;
    kin__net_moves *moves = &session->moves[base_number % session->options.ring];
    if (moves->base == base_number && moves->number == sending->number)
        return moves;
    moves->count = 0;
    moves->number = 0;
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        const kin_context_info *info = session->world->contexts[i]->info;
        if (kin__session_context(session, i) == NULL)
            continue;
        const kin__context_snapshot *before = kin__snapshot_part(base, info);
        const kin__context_snapshot *now = kin__snapshot_part(sending->now, info);
        if (before != NULL && now != NULL && !add_moves(session, moves, before, now))
            return NULL;
    }
    sort_moves(moves);
    moves->base = base_number;
    moves->number = sending->number;
    return moves;
}

// ---- who owns what

static bool add_owners(kin_session *session, const kin__context_snapshot *part, const kin__net_place *peer)
{
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, peer->component);
        if (image == NULL)
            continue;
        EACH_OF_ROW(place, kin__image_has(image), KIN__CHUNK_WORDS)
        {
            kin__net_owner owner = {kin__host_field(part, image, peer, place), kin__host_zone(part, chunk, place)};
            if (!kin__array_reserve(session->memory, &session->owners, session->owner_count + 1, sizeof owner))
                return false;
            ((kin__net_owner *)session->owners.elements)[session->owner_count++] = owner;
        }
    }
    return true;
}

// Finds the owners of the present state, once for all peers.
static bool find_owners(const kin__sending *sending)
{
    kin_session *session = sending->session;
    if (session->owners_number == sending->number)
        return true;
    session->owner_count = 0;
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        const kin__net_context *context = kin__session_context(session, i);
        if (context == NULL || context->peer.component == KIN__NET_NO_COMPONENT)
            continue;
        const kin__context_snapshot *part = kin__snapshot_part(sending->now, session->world->contexts[i]->info);
        if (part != NULL && !add_owners(session, part, &context->peer))
            return false;
    }
    session->owners_number = sending->number;
    return true;
}

// ---- choices

static const kin_zone *find_wish(const kin__net_peer *peer, kin__net_key key)
{
    for (uint32_t i = 0; i < peer->zones.count; i++)
        if (peer->zones.at[i].zone == key)
            return &peer->zones.at[i];
    return NULL;
}

static bool add_choice(choosing *choosing, kin__net_key key)
{
    kin_session *session = choosing->sending->session;
    const kin__net_peer *peer = choosing->peer;
    const kin__net_held *held = find_held(peer, key);
    const kin_zone *wish = key == KIN__NET_NONE ? NULL : find_wish(peer, key);
    uint64_t every = wish == NULL || wish->every == 0 ? 1 : wish->every;
    uint64_t weight = wish == NULL || wish->weight == 0 ? 1 : wish->weight;
    uint64_t most = session->options.ring / 2 < KIN__NET_WAITED ? session->options.ring / 2 : KIN__NET_WAITED;
    choice choice = {.key = key, .rank = RANK_LAST, .parent = choosing->count};
    if (!kin__array_reserve(session->memory, &choosing->list, choosing->count + 1, sizeof choice))
        return false;
    choice.base = held == NULL ? 0 : held->base;
    choice.waited = choosing->sending->number - (held == NULL ? peer->began - 1 : held->base);
    choice.score = weight * choice.waited;
    if (choice.waited >= most)
        choice.rank = held == NULL ? RANK_FIRST : RANK_WAITED;
    choice.is_due = held == NULL || choice.waited >= every || choice.rank == RANK_WAITED;
    choices_of(choosing)[choosing->count++] = choice;
    return true;
}

// The keys are in ascending order: KIN__NET_NONE is the lowest.
static bool list_choices(choosing *choosing)
{
    kin_session *session = choosing->sending->session;
    const kin__net_zone *zones = session->zones.elements;
    bool is_listed = add_choice(choosing, KIN__NET_NONE);
    for (uint32_t i = 0; i < session->zone_count && is_listed; i++)
        if (kin__zones_have(&choosing->peer->zones, zones[i].zone))
            is_listed = add_choice(choosing, zones[i].zone);
    return is_listed;
}

static choice *find_choice(const choosing *choosing, kin__net_key key)
{
    uint32_t low = 0;
    uint32_t high = choosing->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (choices_of(choosing)[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < choosing->count && choices_of(choosing)[low].key == key ? &choices_of(choosing)[low] : NULL;
}

static uint32_t root_of(const choosing *choosing, uint32_t index)
{
    choice *list = choices_of(choosing);
    while (list[index].parent != index) {
        list[index].parent = list[list[index].parent].parent;
        index = list[index].parent;
    }
    return index;
}

static void put_first(choice *choice)
{
    if (choice->rank == RANK_LAST)
        choice->rank = RANK_FIRST;
}

// Joins the zones between which entities moved since the base of the one that they left.
static bool join_groups(const choosing *choosing)
{
    choice *list = choices_of(choosing);
    for (uint32_t i = 0; i < choosing->count; i++) {
        const kin__net_moves *moves = NULL;
        if (list[i].base == 0)
            continue;
        moves = moves_since(choosing->sending, list[i].base);
        if (moves == NULL)
            return false;
        const kin__net_pair *pairs = moves->pairs.elements;
        for (uint32_t k = 0; k < moves->count; k++) {
            if (pairs[k].from != list[i].key)
                continue;
            const choice *to = find_choice(choosing, pairs[k].to);
            put_first(&list[i]);
            if (to != NULL)
                list[root_of(choosing, i)].parent = root_of(choosing, (uint32_t)(to - list));
        }
    }
    return true;
}

static int order_of_choices(const void *one, const void *other)
{
    const choice *first = one;
    const choice *second = other;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    if (first->score != second->score)
        return first->score > second->score ? -1 : 1;
    if (first->group != second->group)
        return first->group < second->group ? -1 : 1;
    return (first->key > second->key) - (first->key < second->key);
}

// Gives each choice what its group has: the first rank, the highest score, and whether any is due.
static void order_groups(const choosing *choosing)
{
    choice *list = choices_of(choosing);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < choosing->count; i++) {
            choice *root = &list[root_of(choosing, i)];
            choice *from = pass == 0 ? &list[i] : root;
            choice *to = pass == 0 ? root : &list[i];
            to->rank = from->rank < to->rank ? from->rank : to->rank;
            to->score = from->score > to->score ? from->score : to->score;
            to->is_due = to->is_due || from->is_due;
            list[i].group = (uint32_t)(root - list);
        }
    qsort(list, choosing->count, sizeof *list, order_of_choices);
}

static bool choose(choosing *choosing)
{
    const kin_session *session = choosing->sending->session;
    if (!list_choices(choosing) || !find_owners(choosing->sending) || !join_groups(choosing))
        return false;
    const kin__net_owner *owners = session->owners.elements;
    for (uint32_t i = 0; i < session->owner_count; i++) {
        choice *own = owners[i].peer == choosing->peer->peer ? find_choice(choosing, owners[i].key) : NULL;
        if (own != NULL)
            put_first(own);
    }
    order_groups(choosing);
    return true;
}

// ---- sending

static kin_view view_of(const choosing *choosing, const choice *choice, bool is_owner)
{
    const kin_session *session = choosing->sending->session;
    uint64_t number = choosing->sending->number;
    uint64_t every = session->options.hash_every;
    return (kin_view){.zone = choice->key == KIN__NET_NONE ? 0 : (int32_t)choice->key,
                      .has_no_zone = choice->key == KIN__NET_NONE,
                      .epoch = session->numbers.epoch,
                      .number = number,
                      .base = choice->base,
                      .has_hash = number / every != choice->base / every,
                      .is_owner = is_owner,
                      .peer = is_owner ? choosing->peer->peer : 0};
}

static bool is_empty(const kin_session *session, const kin__net_made *made)
{
    kin__frame_in frame;
    kin__bytes_in in = kin__bytes_begin(session->made.at + made->begin, made->size);
    return kin__frame_head_take(&in, &frame) && *frame.contexts == 0;
}

// Makes the frames of a zone. Adds their bytes to `size`; 0 if nothing differs, and the zone may wait.
static bool measure(const choosing *choosing, const choice *choice, size_t *size)
{
    kin_session *session = choosing->sending->session;
    kin__net_made made;
    kin__net_made own;
    kin_view view = view_of(choosing, choice, false);
    kin_view owner = view_of(choosing, choice, true);
    view.has_hash = owner.has_hash = false; // which takes longer than the frame, and may not be needed
    if (!kin__host_make(choosing->sending, &view, &made))
        return false;
    *size = made.size;
    bool is_needed = choice->base == 0 || choice->rank == RANK_WAITED || !is_empty(session, &made);
    if (session->has_owned) {
        if (!kin__host_make(choosing->sending, &owner, &own))
            return false;
        is_needed = is_needed || !is_empty(session, &own);
        *size += own.size;
    }
    *size += HASH_SIZE + (*size / session->transport->most + 1) * PART_SIZE;
    if (!is_needed)
        *size = 0;
    return true;
}

static bool send_zone(choosing *choosing, const choice *choice)
{
    kin_session *session = choosing->sending->session;
    uint32_t peer = choosing->peer->peer;
    kin__net_made made;
    uint32_t frames = session->has_owned ? 2 : 1; // the second is of the owner's parts
    for (uint32_t is_owner = 0; is_owner < frames; is_owner++) {
        kin_view view = view_of(choosing, choice, is_owner);
        kin_topic topic = {.kind = KIN_TOPIC_FRAME, .zone = view.zone, .has_no_zone = view.has_no_zone};
        if (is_owner)
            topic = (kin_topic){.kind = KIN_TOPIC_OWN, .peer = peer};
        if (!kin__host_make(choosing->sending, &view, &made) ||
            !kin__host_send_frame(session, &view, topic, &made, peer))
            return false;
    }
    if (choice->key == KIN__NET_NONE)
        choosing->has_none = true;
    else {
        kin__put_signed(&choosing->zones, choice->key);
        choosing->zone_count++;
    }
    return note_sent(choosing, choice) && !choosing->zones.has_failed;
}

// Sends a group, from `begin` to `end`, if there is room. `is_full`: there was none. False: something failed.
static bool send_group(choosing *choosing, uint32_t begin, uint32_t end, bool *is_full)
{
    const choice *list = choices_of(choosing);
    size_t budget = choosing->sending->session->options.budget;
    size_t all = 0;
    for (uint32_t i = begin; i < end; i++) {
        size_t size;
        if (!measure(choosing, &list[i], &size))
            return false;
        all += size;
    }
    bool fits = budget == 0 || choosing->bytes + all <= budget;
    *is_full = !fits && choosing->has_sent && list[begin].rank != RANK_WAITED;
    if (*is_full || all == 0)
        return true;
    for (uint32_t i = begin; i < end; i++)
        if (!send_zone(choosing, &list[i]))
            return false;
    choosing->has_sent = true;
    choosing->bytes += all;
    return true;
}

static bool send_groups(choosing *choosing)
{
    const choice *list = choices_of(choosing);
    bool is_full = false;
    for (uint32_t begin = 0, end; begin < choosing->count && !is_full; begin = end) {
        for (end = begin + 1; end < choosing->count && list[end].group == list[begin].group;)
            end++;
        if (list[begin].is_due && !send_group(choosing, begin, end, &is_full))
            return false;
    }
    return true;
}

bool kin__budget_send(kin__sending *sending)
{
    kin_session *session = sending->session;
    kin__net_peer *peer = sending->peer;
    choosing choosing = {.sending = sending, .peer = peer, .bytes = TICK_SIZE};
    choosing.zones.memory = kin__memory_part(session->memory);
    bool is_sent = begin_peer(session, peer);
    if (sending->base == NULL) {
        peer->began = sending->number;
        peer->held_count = 0;
    } else if (peer->behind != 0) {
        is_sent = is_sent && go_back(session, peer, sending->base_number);
    }
    if (is_sent) {
        kin__net_sent *sent = &peer->history[sending->number % KIN__NET_SENT];
        sent->number = sending->number;
        sent->parent = sending->base_number;
        sent->count = 0;
    }
    is_sent = is_sent && choose(&choosing) && send_groups(&choosing) &&
              kin__host_send_tick(sending, &choosing.zones, choosing.zone_count, choosing.has_none);
    kin__bytes_out_release(&choosing.zones);
    kin__array_release(session->memory, &choosing.list, sizeof(choice));
    return is_sent;
}

void kin__budget_release_peer(kin_session *session, kin__net_peer *peer)
{
    for (uint32_t i = 0; peer->history != NULL && i < KIN__NET_SENT; i++)
        kin__array_release(session->memory, &peer->history[i].keys, sizeof(kin__net_key));
    kin__release(session->memory, peer->history, KIN__NET_SENT * sizeof *peer->history);
    kin__array_release(session->memory, &peer->held, sizeof(kin__net_held));
    peer->history = NULL;
}

void kin__budget_release(kin_session *session)
{
    for (uint32_t i = 0; session->moves != NULL && i < session->options.ring; i++)
        kin__array_release(session->memory, &session->moves[i].pairs, sizeof(kin__net_pair));
    kin__release(session->memory, session->moves, session->options.ring * sizeof *session->moves);
    kin__array_release(session->memory, &session->owners, sizeof(kin__net_owner));
    session->moves = NULL;
}
