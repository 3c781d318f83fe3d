#include "lookup/lookup.h"
#include "notify/notify.h"

#include <kin/generated/iterator.h>

#include <string.h>

// ---- marking

static void mark(const kin_change *change, void *user)
{
    kin__marks *marks = user;
    uint32_t slot = kin_entity_slot(change->entity);
    uint32_t word = slot / 64;
    uint32_t capacity = marks->words.capacity;
    if (word >= capacity) {
        if (!kin__array_reserve(marks->memory, &marks->words, word + 1, sizeof(uint64_t))) {
            marks->has_all = true;
            return;
        }
        memset((uint64_t *)marks->words.elements + capacity, 0, (marks->words.capacity - capacity) * sizeof(uint64_t));
    }
    kin__bits_add(marks->words.elements, slot);
}

// Removes all marks.
static void marks_clear(kin__marks *marks)
{
    marks->has_all = false;
    if (marks->words.capacity > 0)
        memset(marks->words.elements, 0, marks->words.capacity * sizeof(uint64_t));
}

// ---- beginning

static bool needs(const kin_matcher *matcher, kin_component_id id)
{
    for (uint32_t i = 0; i < matcher->count; i++)
        for (uint32_t j = 0; j < matcher->rules[i].count; j++)
            if (matcher->rules[i].kind == KIN_RULE_ALL && matcher->rules[i].ids[j] == id)
                return true;
    return false;
}

// False when out of memory.
static bool subscribe(kin__marks *marks, kin_group *group, uint32_t events)
{
    kin__subscriber *subscriber = kin__watch_reserve(group) ? kin__subscriber_make(group->context) : NULL;
    if (subscriber == NULL)
        return false;
    *subscriber = (kin__subscriber){.events = events, .listener = mark, .user = marks, .group = group};
    kin__group_subscriber_begin(subscriber);
    KIN_ASSERT(marks->subscription_count < marks->capacity);
    marks->subscriptions[marks->subscription_count++] = (kin_subscription){subscriber, subscriber->serial};
    return true;
}

static bool subscribe_component(kin__marks *marks, kin_context *context, kin_component_id id, kin_group_event event)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {id}}}};
    kin_status status;
    const char *reason;
    kin_group *group = kin__group_find_or_make(context, &matcher, NULL, &status, &reason);
    return group != NULL && subscribe(marks, group, kin__event_bits(event));
}

// A component that all members need changes only the group when it is added or removed.
static bool subscribe_read(kin__marks *marks, const kin_group *group, kin_component_id id)
{
    return subscribe_component(marks, group->context, id,
                               needs(&group->matcher, id) ? KIN_MODIFIED : KIN_ADDED_OR_REMOVED);
}

// Starts marking changes. False, not reported, when out of memory: the caller then releases the marks.
static bool marks_begin(kin__marks *marks, kin_group *group, const kin__tree_info *info, kin__memory *memory)
{
    kin_component_id holder = group->context->info->relations[info->relation].component;
    *marks = (kin__marks){.memory = memory, .has_all = true, .capacity = info->read_count + 2};
    marks->subscriptions = kin__allocate(memory, marks->capacity * sizeof *marks->subscriptions);
    bool begins = marks->subscriptions != NULL && subscribe(marks, group, KIN__EVENT_ENTERED) &&
                  subscribe_component(marks, group->context, holder, KIN_ADDED_OR_REMOVED);
    for (uint32_t i = 0; begins && i < info->read_count; i++)
        begins = info->reads[i] == holder || subscribe_read(marks, group, info->reads[i]);
    if (!begins && memory->refused == 0)
        memory->refused = group->context->core->memory.refused;
    return begins;
}

static void marks_release(kin__marks *marks)
{
    for (uint32_t i = 0; i < marks->subscription_count; i++)
        kin_unsubscribe(marks->subscriptions[i]);
    if (marks->memory == NULL)
        return;
    kin__release(marks->memory, marks->subscriptions, marks->capacity * sizeof *marks->subscriptions);
    kin__array_release(marks->memory, &marks->words, sizeof(uint64_t));
}

// Sorts the nodes of an order.

// Moves each node to its new number, in `numbers` by its present one.
static void tree_order_sort(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    const uint32_t *places = order->numbers.elements;
    kin__tree_node *sorted = order->sorted.elements;
    for (uint32_t i = 0; i < order->count; i++)
        sorted[places[i]] = nodes[i];
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t above = sorted[i].above & KIN__TREE_TOP;
        if (above != KIN__TREE_TOP)
            sorted[i].above = (sorted[i].above & KIN__TREE_DIRECT) | places[above];
    }
    kin__array former = order->nodes;
    order->nodes = order->sorted;
    order->sorted = former;
}

// Makes the order: walks over all trees, with roots in order of their slots, and lists the members that it meets.

typedef struct maker {
    kin__tree_order *order;
    const kin_context *context;
    const kin__relation *relation;
    const uint64_t *members;
    uint32_t above; // the number of the nearest member above the next node
} maker;

static kin_entity entity_in(const maker *maker, uint32_t slot)
{
    return kin__chunk_of_slot(maker->context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// ---- nodes

static void list(maker *maker, kin_entity entity, kin_entity parent, uint32_t depth)
{
    kin__tree_order *order = maker->order;
    kin__tree_node *nodes = order->nodes.elements;
    uint32_t above = maker->above;
    if (above != KIN__TREE_TOP && nodes[above].entity == parent)
        above |= KIN__TREE_DIRECT;
    maker->above = order->count;
    nodes[order->count++] = (kin__tree_node){entity, depth, above};
}

// Lists the members of one tree.
static void list_tree(maker *maker, kin_entity root)
{
    const kin__tree_node *nodes = maker->order->nodes.elements;
    kin_entity entity = root;
    kin_entity parent = 0;
    uint32_t depth = 0;
    for (;;) {
        if (kin__bits_have(maker->members, kin_entity_slot(entity)))
            list(maker, entity, parent, depth);
        kin_entity next = kin__relation_first_of(maker->context, maker->relation, kin_entity_slot(entity));
        if (next != 0) {
            parent = entity;
            depth++;
        }
        while (next == 0) {
            if (maker->above != KIN__TREE_TOP && nodes[maker->above].entity == entity)
                maker->above = nodes[maker->above].above & KIN__TREE_TOP;
            if (entity == root)
                return;
            next = kin__relation_next_of(maker->context, maker->relation, kin_entity_slot(entity));
            entity = parent;
            if (next == 0) {
                parent = kin__relation_target(maker->context, maker->relation, entity);
                depth--;
            }
        }
        entity = next;
    }
}

// A root has no parent, and is a member or has children.
static void list_trees(maker *maker)
{
    const kin_context *context = maker->context;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        if (slot % 64 == 0 && maker->members[slot / 64] == 0 && kin__relation_block_of(maker->relation, slot) == NULL) {
            slot += 63;
            continue;
        }
        if (!kin__bits_have(maker->members, slot) && !kin__relation_has_holders(maker->relation, slot))
            continue;
        kin_entity entity = entity_in(maker, slot);
        if (kin__relation_target(context, maker->relation, entity) == 0)
            list_tree(maker, entity);
    }
}

static void find_members(const kin__tree_order *order)
{
    uint64_t *words = order->members.elements;
    uint32_t chunk_count = order->group->context->chunk_count;
    if (chunk_count > 0)
        memset(words, 0, chunk_count * KIN__CHUNK_WORDS * sizeof *words);
    kin__iterator_block block = {0, 0};
    while ((block = kin__iterator_next_block(order->group, block.place)).mask != 0)
        words[(block.place >> 32) * KIN__CHUNK_WORDS + (block.place >> 16 & 0xFFFF) / 64] = block.mask;
}

// ---- level by level

// Computes the number of each node after sorting by depth. Nodes of the same depth keep their order.
static void find_places(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *places = order->numbers.elements;
    uint32_t *starts = order->starts.elements;
    uint32_t levels = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < order->count; i++) {
        while (levels <= nodes[i].depth)
            starts[levels++] = 0;
        starts[nodes[i].depth]++;
    }
    for (uint32_t depth = 0; depth < levels; depth++) {
        uint32_t size = starts[depth];
        starts[depth] = first;
        first += size;
    }
    for (uint32_t i = 0; i < order->count; i++)
        places[i] = starts[nodes[i].depth]++;
}

// ---- values and numbers of the nodes

static void *address_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__column *column = kin__column_of(context, slot, id);
    if (kin__bits_have(context->core->soa_row, id))
        return kin__column_value(column, 0, 0);
    return kin__column_value(column, slot % KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

// Looks up the addresses of the values of a node, whose entity is a member.
static void tree_order_find_values(const kin__tree_order *order, uint32_t number)
{
    const kin__tree_info *info = order->info;
    const kin__tree_node *nodes = order->nodes.elements;
    void **values = (void **)order->values.elements + (size_t)number * info->column_count;
    for (uint32_t column = 0; column < info->column_count; column++)
        values[column] =
            address_of(order->group->context, kin_entity_slot(nodes[number].entity), info->columns[column]);
}

static void number_nodes(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *numbers = order->numbers.elements;
    for (uint32_t slot = 0; slot < order->chunk_count * KIN__CHUNK_SLOTS; slot++)
        numbers[slot] = KIN__TREE_TOP;
    for (uint32_t i = 0; i < order->count; i++)
        numbers[kin_entity_slot(nodes[i].entity)] = i;
}

static void branches_sort(kin__tree_order *order);

static void branches_divide(kin__tree_order *order);

// Makes the order. Room must be reserved.
static void tree_order_make(kin__tree_order *order)
{
    const kin_context *context = order->group->context;
    maker maker = {order, context, kin__relation_at(context, order->info->relation), order->members.elements,
                   KIN__TREE_TOP};
    order->count = 0;
    find_members(order);
    list_trees(&maker);
    if (order->info->is_breadth) {
        find_places(order);
        tree_order_sort(order);
    }
    if (order->info->is_divided) {
        branches_sort(order);
        branches_divide(order);
    }
    if (order->info->is_changed)
        number_nodes(order);
    for (uint32_t i = 0; i < order->count; i++)
        tree_order_find_values(order, i);
}

enum {
    DEPTHS = 256,     // those below are not tried
    LEAST_NODES = 64, // of a piece: fewer take less time than a call of the system
};

// Returns the number of pieces that the nodes are enough for.
static uint32_t pieces_of(uint32_t nodes)
{
    uint32_t count = (nodes + LEAST_NODES - 1) / LEAST_NODES;
    return count < KIN__MOST_PIECES ? count : KIN__MOST_PIECES;
}

// Returns the smallest depth at which the node is a branch: below the nearest member above it.
static uint32_t highest_of(const kin__tree_node *nodes, const kin__tree_node *node)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above == KIN__TREE_TOP ? 0 : nodes[above].depth + 1;
}

// Branches: the order of a parallel system, divided into pieces.
//
//   nodes    [ above … | branch | branch | branch … ]
//   pieces   [ above   | piece 1         | piece 2 … ]      each of whole branches, of about as many nodes
//
// A branch is a node at some depth with all below it; at depth 0 branches are whole trees. The depth is the smallest at
// which as many pieces as are wanted, KIN__MOST_PIECES or fewer of few nodes, have a branch each, and none of these is
// larger than a piece. If there is no such depth, it is that with most pieces. The nodes above the branches are the
// first piece, which ends before the others begin.
//
// Cost: a few passes over the nodes when the order is made.

// Counts the members of each branch: those below a node, and itself.
static void measure(const kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *sizes = order->numbers.elements;
    for (uint32_t i = 0; i < order->count; i++)
        sizes[i] = 1;
    for (uint32_t i = order->count; i-- > 0;)
        if ((nodes[i].above & KIN__TREE_TOP) != KIN__TREE_TOP)
            sizes[nodes[i].above & KIN__TREE_TOP] += sizes[i];
}

// The branches at one depth.
typedef struct level {
    uint32_t count, largest;
} level;

// A node is a branch at each depth from its highest to its own.
static void measure_levels(const kin__tree_order *order, level levels[DEPTHS])
{
    const kin__tree_node *nodes = order->nodes.elements;
    const uint32_t *sizes = order->numbers.elements;
    memset(levels, 0, DEPTHS * sizeof *levels);
    for (uint32_t i = 0; i < order->count; i++)
        for (uint32_t depth = highest_of(nodes, &nodes[i]); depth < DEPTHS && depth <= nodes[i].depth; depth++) {
            levels[depth].count++;
            if (sizes[i] > levels[depth].largest)
                levels[depth].largest = sizes[i];
        }
}

// Returns about how many pieces the branches at a depth can be put into.
static uint32_t pieces_at(const kin__tree_order *order, const level *level)
{
    uint32_t even = level->largest == 0 ? 0 : order->count / level->largest;
    return even < level->count ? even : level->count;
}

static uint32_t choose_depth(const kin__tree_order *order)
{
    level levels[DEPTHS];
    uint32_t best = 0;
    uint32_t wanted = pieces_of(order->count);
    measure(order);
    measure_levels(order, levels);
    for (uint32_t depth = 0; depth < DEPTHS && pieces_at(order, &levels[best]) < wanted; depth++)
        if (pieces_at(order, &levels[depth]) > pieces_at(order, &levels[best]))
            best = depth;
    return best;
}

// ---- sorting

// Puts the nodes above the branches first.
static void branches_sort(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t *places = order->numbers.elements;
    uint32_t depth = choose_depth(order);
    uint32_t place = 0;
    for (uint32_t i = 0; i < order->count; i++)
        if (nodes[i].depth < depth)
            places[i] = place++;
    order->above_count = place;
    for (uint32_t i = 0; i < order->count; i++)
        if (nodes[i].depth >= depth)
            places[i] = place++;
    KIN_ASSERT(place == order->count);
    tree_order_sort(order);
}

// ---- dividing

static void end_piece(kin__tree_order *order, uint32_t end)
{
    KIN_ASSERT(order->piece_count < KIN__MOST_PIECES);
    order->piece_ends[order->piece_count++] = end;
}

// Whether a branch begins with the node: nothing above it is in a branch.
static bool begins_branch(const kin__tree_order *order, const kin__tree_node *node)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above == KIN__TREE_TOP || above < order->above_count;
}

// Divides the sorted nodes into pieces.
static void branches_divide(kin__tree_order *order)
{
    const kin__tree_node *nodes = order->nodes.elements;
    uint32_t begin = order->above_count;
    uint32_t most = KIN__MOST_PIECES - 1 - (begin > 0);
    uint32_t size = (order->count - begin + most - 1) / most; // of all pieces but the last, so that this one has room
    size = size < LEAST_NODES ? LEAST_NODES : size;
    order->piece_count = 0;
    if (begin > 0)
        end_piece(order, begin);
    for (uint32_t i = begin; i < order->count; i++)
        if (i - begin >= size && begins_branch(order, &nodes[i])) {
            end_piece(order, i);
            begin = i;
        }
    if (begin < order->count)
        end_piece(order, order->count);
}

// ---- creating and destroying

// Never 0, as generated code compares the address.
static size_t no_values_size(const kin__tree_info *info)
{
    return (1 + (size_t)info->column_count) * sizeof(void *);
}

static bool fill(kin__tree_order *order)
{
    const kin__tree_info *info = order->info;
    order->no_values = kin__allocate_zero(order->memory, no_values_size(info));
    return order->no_values != NULL &&
           (!info->is_changed || marks_begin(&order->marks, order->group, info, order->memory));
}

kin__tree_order *kin__tree_order_create(kin_group *group, const kin__tree_info *info, kin__memory *memory)
{
    kin__tree_order *order = kin__allocate_zero(memory, sizeof *order);
    if (order == NULL)
        return NULL;
    order->info = info;
    order->group = group;
    order->memory = memory;
    order->stamp = order->moves = KIN__NEVER;
    order->restores = group->context->core->relations->restores;
    if (fill(order))
        return order;
    kin__tree_order_destroy(order);
    return NULL;
}

void kin__tree_order_destroy(kin__tree_order *order)
{
    if (order == NULL)
        return;
    kin__memory *memory = order->memory;
    marks_release(&order->marks);
    kin__array_release(memory, &order->nodes, sizeof(kin__tree_node));
    kin__array_release(memory, &order->sorted, sizeof(kin__tree_node));
    kin__array_release(memory, &order->values, sizeof(void *));
    kin__array_release(memory, &order->members, sizeof(uint64_t));
    kin__array_release(memory, &order->starts, sizeof(uint32_t));
    kin__array_release(memory, &order->numbers, sizeof(uint32_t));
    kin__array_release(memory, &order->changed, sizeof(uint64_t));
    kin__array_release(memory, &order->states, sizeof(uint8_t));
    kin__release(memory, order->no_values, no_values_size(order->info));
    kin__release(memory, order, sizeof *order);
}

void kin__tree_order_reset(kin__tree_order *order)
{
    order->stamp = order->moves = KIN__NEVER;
    order->marks.has_all = true;
}

// ---- preparing

static bool reserve(kin__tree_order *order, uint32_t count)
{
    const kin__tree_info *info = order->info;
    uint32_t slots = order->chunk_count * KIN__CHUNK_SLOTS;
    kin__memory *memory = order->memory;
    bool sorts = info->is_breadth || info->is_divided;
    if (!kin__array_reserve(memory, &order->nodes, count, sizeof(kin__tree_node)) ||
        !kin__array_reserve(memory, &order->values, count * info->column_count, sizeof(void *)) ||
        !kin__array_reserve(memory, &order->members, slots / 64, sizeof(uint64_t)))
        return false;
    if (sorts && !kin__array_reserve(memory, &order->sorted, count, sizeof(kin__tree_node)))
        return false;
    if (info->is_breadth && (!kin__array_reserve(memory, &order->starts, slots, sizeof(uint32_t)) ||
                             !kin__array_reserve(memory, &order->states, count, sizeof(uint8_t))))
        return false;
    if ((sorts || info->is_changed) && !kin__array_reserve(memory, &order->numbers, slots, sizeof(uint32_t)))
        return false;
    return !info->is_changed || kin__array_reserve(memory, &order->changed, (count + 63) / 64, sizeof(uint64_t));
}

bool kin__tree_order_prepare(kin__tree_order *order)
{
    if (order->restores != order->group->context->core->relations->restores)
        kin__tree_order_reset(order);
    order->restores = order->group->context->core->relations->restores;
    const kin_context *context = order->group->context;
    uint64_t stamp = kin__group_stamp(order->group);
    uint64_t moves = kin__relation_at(context, order->info->relation)->moves;
    if (stamp == order->stamp && moves == order->moves && context->chunk_count == order->chunk_count)
        return true;
    order->stamp = order->moves = KIN__NEVER;
    order->count = 0;
    order->chunk_count = context->chunk_count;
    if (!reserve(order, kin_group_count(order->group)))
        return false;
    tree_order_make(order);
    KIN_ASSERT(order->count == kin_group_count(order->group));
    order->stamp = stamp;
    order->moves = moves;
    return true;
}

// ---- beginning a turn

static void find_changed(kin__tree_order *order)
{
    uint64_t *changed = order->changed.elements;
    const uint64_t *marked = order->marks.words.elements;
    const uint32_t *numbers = order->numbers.elements;
    uint32_t slot_words = order->chunk_count * KIN__CHUNK_WORDS;
    KIN_ASSERT(order->chunk_count == order->group->context->chunk_count);
    memset(changed, order->marks.has_all ? 0xFF : 0, (order->count + 63) / 64 * sizeof *changed);
    for (uint32_t word = 0; word < order->marks.words.capacity && word < slot_words; word++)
        for (uint64_t bits = marked[word]; bits != 0; bits &= bits - 1) {
            uint32_t number = numbers[word * 64 + kin__lowest_bit(bits)];
            if (number != KIN__TREE_TOP)
                kin__bits_add(changed, number);
        }
    marks_clear(&order->marks);
}

kin__tree_place kin__tree_order_begin(kin__tree_order *order)
{
    const kin__tree_info *info = order->info;
    kin__tree_place place = {.nodes = order->nodes.elements,
                             .values = order->values.elements,
                             .no_values = order->no_values,
                             .end = info->is_breadth || info->is_changed ? 0 : order->count,
                             .stamp = order->stamp,
                             .order = order};
    if (info->is_changed && order->count > 0)
        find_changed(order);
    return place;
}

kin__tree_place kin__tree_order_begin_piece(kin__tree_order *order, uint32_t piece)
{
    kin__tree_place place = kin__tree_order_begin(order);
    KIN_ASSERT(order->info->is_divided && piece < order->piece_count);
    place.next = piece == 0 ? 0 : order->piece_ends[piece - 1];
    place.end = order->piece_ends[piece];
    return place;
}

// The steps of a turn that generated code does not inline: in turns that leave out nodes, and after members have
// changed.

static bool is_member(const kin__tree_place *place, kin_entity entity)
{
    return kin__group_stamp(place->order->group) == place->stamp || kin_group_contains(place->order->group, entity);
}

// Returns the number after the last node of the turn, or of the piece.
static uint32_t limit_of(const kin__tree_place *place)
{
    return place->order->info->is_divided ? place->end : place->order->count;
}

// ---- depth first

// Returns whether a node is below the node `number`, which comes before it.
static bool is_below(const kin__tree_node *node, uint32_t number)
{
    uint32_t above = node->above & KIN__TREE_TOP;
    return above != KIN__TREE_TOP && above >= number;
}

// Returns the first changed node from `number` on; the count of nodes if none follows.
static uint32_t find_changed_below(const kin__tree_order *order, uint32_t number)
{
    const uint64_t *changed = order->changed.elements;
    while (number < order->count) {
        uint64_t bits = changed[number / 64] >> (number % 64);
        if (bits != 0) {
            number += kin__lowest_bit(bits);
            return number < order->count ? number : order->count;
        }
        number = (number / 64 + 1) * 64;
    }
    return order->count;
}

// Returns the number that follows the last node below a node.
static uint32_t find_end(const kin__tree_place *place, uint32_t number)
{
    uint32_t end = number + 1;
    while (end < place->order->count && is_below(&place->nodes[end], number))
        end++;
    return end;
}

// Returns the number of the next node to visit. With `only: changed`, `end` is the end of the current branch.
static uint32_t find_deep(kin__tree_place *place)
{
    if (place->next < place->end || !place->order->info->is_changed)
        return place->next;
    uint32_t number = find_changed_below(place->order, place->next);
    place->end = number < place->order->count ? find_end(place, number) : number;
    return number;
}

// ---- level by level

static uint32_t find_broad(const kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    uint8_t *states = order->states.elements;
    for (uint32_t next = place->next; next < order->count; next++) {
        uint32_t above = place->nodes[next].above & KIN__TREE_TOP;
        uint8_t state = above == KIN__TREE_TOP ? KIN__NODE_LEFT_OUT : states[above];
        bool visits = !order->info->is_changed || kin__bits_have(order->changed.elements, next);
        states[next] = state == KIN__NODE_LEFT_OUT && visits ? KIN__NODE_VISITED : state;
        if (states[next] == KIN__NODE_VISITED)
            return next;
    }
    return order->count;
}

// ---- steps

static kin__tree_step step_to(const kin__tree_place *place, uint32_t number)
{
    const kin__tree_node *node = &place->nodes[number];
    uint32_t columns = place->order->info->column_count;
    uint32_t above = node->above & KIN__TREE_TOP;
    bool has_parent = (node->above & KIN__TREE_DIRECT) != 0 && is_member(place, place->nodes[above].entity);
    if (kin__group_stamp(place->order->group) != place->stamp) {
        tree_order_find_values(place->order, number);
        if (has_parent)
            tree_order_find_values(place->order, above);
    }
    return (kin__tree_step){node, place->values + (size_t)number * columns,
                            has_parent ? place->values + (size_t)above * columns : place->no_values};
}

kin__tree_step kin__tree_move_checked(kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    for (;;) {
        uint32_t number = order->info->is_breadth ? find_broad(place) : find_deep(place);
        uint32_t limit = limit_of(place);
        place->next = number < limit ? number + 1 : limit;
        if (number >= limit)
            return (kin__tree_step){0};
        if (is_member(place, place->nodes[number].entity))
            return step_to(place, number);
    }
}

// The current node precedes the next one. Before the first step, there is no current node.
void kin__tree_skip(kin__tree_place *place)
{
    const kin__tree_order *order = place->order;
    if (place->next == 0)
        return;
    if (order->info->is_breadth)
        ((uint8_t *)order->states.elements)[place->next - 1] = KIN__NODE_SKIPPED;
    else
        place->next = find_end(place, place->next - 1);
}

// Saves and restores the marks of an order, for the snapshot of a world.
//
//   saved   has_all | words of marks, without trailing words that are 0

// Whether the next turn visits all members: a restore of the context alone is noticed when that turn is prepared.
static bool has_all(const kin__tree_order *order)
{
    return order->marks.has_all || order->restores != order->group->context->core->relations->restores;
}

static uint32_t word_count(const kin__tree_order *order)
{
    const uint64_t *words = order->marks.words.elements;
    uint32_t count = has_all(order) ? 0 : order->marks.words.capacity;
    while (count > 0 && words[count - 1] == 0)
        count--;
    return count;
}

size_t kin__tree_order_saved_size(const kin__tree_order *order)
{
    return order->info->is_changed ? (1 + (size_t)word_count(order)) * sizeof(uint64_t) : 0;
}

void kin__tree_order_save(const kin__tree_order *order, void *bytes)
{
    uint64_t saved_has_all = has_all(order);
    uint32_t count = word_count(order);
    if (!order->info->is_changed)
        return;
    memcpy(bytes, &saved_has_all, sizeof saved_has_all);
    if (count > 0)
        memcpy((char *)bytes + sizeof saved_has_all, order->marks.words.elements, count * sizeof(uint64_t));
}

static uint32_t words_of(size_t size)
{
    return size == 0 ? 0 : (uint32_t)(size / sizeof(uint64_t) - 1);
}

bool kin__tree_order_restore_reserve(kin__tree_order *order, size_t size)
{
    kin__marks *marks = &order->marks;
    uint32_t capacity = marks->words.capacity;
    if (words_of(size) <= capacity)
        return true;
    if (!kin__array_reserve(marks->memory, &marks->words, words_of(size), sizeof(uint64_t)))
        return false;
    memset((uint64_t *)marks->words.elements + capacity, 0, (marks->words.capacity - capacity) * sizeof(uint64_t));
    return true;
}

void kin__tree_order_restore(kin__tree_order *order, const void *bytes, size_t size)
{
    uint64_t saved_has_all = 1;
    kin__tree_order_reset(order);
    order->restores = order->group->context->core->relations->restores;
    if (size == 0 || !order->info->is_changed)
        return;
    marks_clear(&order->marks);
    memcpy(&saved_has_all, bytes, sizeof saved_has_all);
    order->marks.has_all = saved_has_all != 0;
    if (words_of(size) > 0)
        memcpy(order->marks.words.elements, (const char *)bytes + sizeof saved_has_all,
               words_of(size) * sizeof(uint64_t));
}
