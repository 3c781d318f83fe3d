// Multi indices: a node for each key, the entities of a key as a list through their slots, and the arrays of entities
// that callers get, in order of slot.
//
//   table   word → number of a node           nodes[number - 1]   first, count, the array
//   block   a link for each slot: node, next, previous (slots and nodes counted from 1; 0: none)
//
// If a function gives the keys, lists are of kept keys (lookup.h) in place of slots: one for each key of an entity.
//
// Invariants, checked by kin__list_is_valid():
//   1. a node in the table has entities, or is pinned; others are in the list of free nodes
//   2. `marks` is all zeros between calls
//   3. `count` of a node is the length of its list, whose links name the node and the slot before
#include "lookup/lookup.h"

#include <string.h>

enum { FEW = 32 }; // entities that are sorted by insertion; more are sorted by marking their bits

static kin__key_node *node_at(const kin__index *index, uint32_t number)
{
    KIN_ASSERT(number > 0 && number <= index->node_count && number <= index->nodes.capacity);
    return (kin__key_node *)index->nodes.elements + (number - 1);
}

// Returns the link of a slot, or of a kept key, which begins with it.
static kin__link *link_at(const kin__index *index, uint32_t at)
{
    return kin__index_slot_data(index, at);
}

static uint32_t slot_of(const kin__index *index, uint32_t at, bool is_given)
{
    return is_given ? ((const kin__kept_key *)kin__index_slot_data(index, at))->slot : at;
}

static kin_entity entity_at(const kin_context *context, uint32_t slot)
{
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

static bool keeps_keys(const kin__index *index)
{
    return index->key_size > KIN__WORD_SIZE && !index->has_strings;
}

static unsigned char *key_at(const kin__index *index, uint32_t number)
{
    return (unsigned char *)index->node_keys.elements + (number - 1) * index->key_size;
}

// A node without entities is pinned, and has a copy of a key with strings.
static bool node_has_key(const kin_context *context, const kin__index *index, uint32_t number, const unsigned char *key)
{
    const kin__key_node *node = node_at(index, number);
    KIN_ASSERT(node->count > 0 || node->is_pinned); // invariant 1
    if (!index->has_strings)
        return !keeps_keys(index) || memcmp(key_at(index, number), key, index->key_size) == 0;
    return node->count > 0 ? kin__key_is_of_slot(context, node->first - 1, index, key)
                           : kin__keys_are_equal(index, node->key, key);
}

// Returns the number of the node of a key, 0 if there is none.
static uint32_t find(const kin_context *context, const kin__index *index, const unsigned char *key, uint64_t word)
{
    const kin__table *table = &context->tables[index->number];
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        const kin__entry *entry = &table->entries[place];
        uint32_t number = (uint32_t)entry->value;
        if (entry->word == word && node_has_key(context, index, number, key))
            return number;
    }
    return 0;
}

const kin__key_node *kin__list_node(const kin_context *context, const kin__index *index, const unsigned char *key)
{
    uint32_t number = find(context, index, key, kin__key_word(context, index, key));
    return number == 0 ? NULL : node_at(index, number);
}

// ---- changes

bool kin__list_reserve(kin_context *context, kin__index *index, uint32_t least)
{
    kin__memory *memory = &context->core->index_memory;
    return kin__array_reserve(memory, &index->nodes, least, sizeof(kin__key_node)) &&
           (!keeps_keys(index) || kin__array_reserve(memory, &index->node_keys, least, index->key_size)) &&
           kin__table_reserve(memory, &context->tables[index->number], least);
}

static uint32_t take_node(kin_context *context, kin__index *index, uint64_t word)
{
    uint32_t number = index->free_node;
    if (number != 0)
        index->free_node = node_at(index, number)->next_free;
    else
        number = ++index->node_count;
    KIN_ASSERT(number <= index->nodes.capacity);
    *node_at(index, number) = (kin__key_node){.word = word};
    kin__table_insert(&context->tables[index->number], word, number);
    return number;
}

static void free_node(kin_context *context, kin__index *index, uint32_t number)
{
    kin__key_node *node = node_at(index, number);
    KIN_ASSERT(node->count == 0 && node->first == 0);
    kin__table_erase(&context->tables[index->number], node->word, number);
    kin__array_release(&context->core->index_memory, &node->list, sizeof(kin_entity));
    kin__release(&context->core->index_memory, node->key, node->key_size);
    index->pinned_count -= node->is_pinned;
    *node = (kin__key_node){.next_free = index->free_node};
    index->free_node = number;
}

static void link_to(const kin__index *index, uint32_t at, uint32_t number)
{
    kin__key_node *node = node_at(index, number);
    KIN_ASSERT(link_at(index, at)->node == 0);
    *link_at(index, at) = (kin__link){.node = number, .next = node->first};
    if (node->first != 0)
        link_at(index, node->first - 1)->previous = at + 1;
    node->first = at + 1;
    node->count++;
    node->is_stale = true;
}

void kin__list_insert(kin_context *context, kin__index *index, uint32_t at, const unsigned char *key)
{
    uint64_t word = kin__key_word(context, index, key);
    uint32_t number = find(context, index, key, word);
    if (number == 0) {
        number = take_node(context, index, word);
        if (keeps_keys(index))
            memcpy(key_at(index, number), key, index->key_size);
    }
    KIN_ASSERT(node_at(index, number)->word == word);
    link_to(index, at, number);
}

void kin__list_insert_word(kin_context *context, kin__index *index, uint32_t at, uint64_t word)
{
    uint32_t number = (uint32_t)kin__table_find(&context->tables[index->number], word);
    KIN_ASSERT(!keeps_keys(index) && !index->has_strings);
    link_to(index, at, number != 0 ? number : take_node(context, index, word));
}

void kin__list_erase(kin_context *context, kin__index *index, uint32_t at)
{
    kin__link link = *link_at(index, at);
    kin__key_node *node = node_at(index, link.node);
    KIN_ASSERT(node->count > 0 && (link.previous != 0 || node->first == at + 1));
    if (link.previous != 0)
        link_at(index, link.previous - 1)->next = link.next;
    else
        node->first = link.next;
    if (link.next != 0)
        link_at(index, link.next - 1)->previous = link.previous;
    *link_at(index, at) = (kin__link){0};
    node->is_stale = true;
    KIN_ASSERT((node->count == 1) == (node->first == 0)); // invariant 3
    if (--node->count == 0 && !node->is_pinned)
        free_node(context, index, link.node);
}

// Releases what a node has that is not in use: a failed call may have left a copy of its key.
static void forget_node(kin_context *context, kin__index *index, uint32_t number)
{
    kin__key_node *node = node_at(index, number);
    kin__array_release(&context->core->index_memory, &node->list, sizeof(kin_entity));
    kin__release(&context->core->index_memory, node->key, node->key_size);
    *node = (kin__key_node){.next_free = index->free_node};
    index->free_node = number;
}

void kin__list_clear(kin_context *context, kin__index *index)
{
    void **blocks = index->blocks.elements;
    kin__table_clear(&context->tables[index->number]);
    index->free_node = 0;
    for (uint32_t number = index->node_count; number > 0; number--) {
        kin__key_node *node = node_at(index, number);
        if (!node->is_pinned) {
            forget_node(context, index, number);
            continue;
        }
        node->first = node->count = 0;
        node->is_stale = true;
        kin__table_insert(&context->tables[index->number], node->word, number);
    }
    for (uint32_t i = 0; i < index->block_count; i++)
        if (blocks[i] != NULL)
            memset(blocks[i], 0, KIN__CHUNK_SLOTS * index->slot_size);
}

uint64_t kin__list_word(const kin__index *index, uint32_t at)
{
    return node_at(index, link_at(index, at)->node)->word;
}

bool kin__list_has(const kin_context *context, const kin__index *index, uint32_t at, const unsigned char *key)
{
    uint32_t number = find(context, index, key, kin__key_word(context, index, key));
    return number != 0 && link_at(index, at)->node == number;
}

kin_entity kin__list_find(const kin_context *context, const kin__index *index, const unsigned char *key,
                          kin_entity except)
{
    uint32_t number = find(context, index, key, kin__key_word(context, index, key));
    for (uint32_t at = number == 0 ? 0 : node_at(index, number)->first; at != 0; at = link_at(index, at - 1)->next) {
        kin_entity entity = entity_at(context, slot_of(index, at - 1, index->given != NULL));
        if (entity != except)
            return entity;
    }
    return 0;
}

uint32_t kin__list_count(const kin__index *index)
{
    uint32_t count = 0;
    for (uint32_t number = 1; number <= index->node_count; number++)
        count += node_at(index, number)->count;
    return count;
}

void kin__list_release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    for (uint32_t number = 1; number <= index->node_count; number++) {
        kin__array_release(memory, &node_at(index, number)->list, sizeof(kin_entity));
        kin__release(memory, node_at(index, number)->key, node_at(index, number)->key_size);
    }
    kin__array_release(memory, &index->nodes, sizeof(kin__key_node));
    kin__array_release(memory, &index->node_keys, index->key_size);
    kin__array_release(memory, &index->marks, sizeof(uint64_t));
}

// ---- spare memory

// Trims nodes and marks. Arrays of pinned nodes stay, and so do free nodes between others.
void kin__list_trim(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t least = index->potential + index->pinned_count;
    if (context->tables[index->number].count == 0)
        index->node_count = index->free_node = 0;
    least = kin__max_32(least, index->node_count);
    kin__array_trim(memory, &index->nodes, least, sizeof(kin__key_node));
    kin__array_trim(memory, &index->node_keys, least, index->key_size);
    kin__array_release(memory, &index->marks, sizeof(uint64_t));
}

size_t kin__list_used(const kin__index *index)
{
    size_t used = 0;
    for (uint32_t number = 1; number <= index->node_count; number++) {
        const kin__key_node *node = node_at(index, number);
        bool is_used = node->count > 0 || node->is_pinned;
        size_t key_size = keeps_keys(index) ? index->key_size : 0;
        used += is_used ? sizeof *node + key_size + node->key_size + node->listed * sizeof(kin_entity) : 0;
    }
    return used;
}

// ---- arrays

static inline void list_few(const kin_context *context, const kin__index *index, kin__key_node *node, bool is_given)
{
    kin_entity *list = node->list.elements;
    for (uint32_t at = node->first; at != 0; at = link_at(index, at - 1)->next) {
        uint32_t place = node->listed++;
        uint32_t slot = slot_of(index, at - 1, is_given);
        for (; place > 0 && kin_entity_slot(list[place - 1]) > slot; place--)
            list[place] = list[place - 1];
        list[place] = entity_at(context, slot);
    }
    KIN_ASSERT(node->listed == node->count); // invariant 3
}

static inline void list_many(const kin_context *context, const kin__index *index, kin__key_node *node, bool is_given)
{
    kin_entity *list = node->list.elements;
    uint64_t *marks = index->marks.elements;
    for (uint32_t at = node->first; at != 0; at = link_at(index, at - 1)->next)
        kin__bits_add(marks, slot_of(index, at - 1, is_given));
    for (uint32_t word = 0; node->listed < node->count; word++)
        for (; marks[word] != 0; marks[word] &= marks[word] - 1)
            list[node->listed++] = entity_at(context, word * 64 + kin__lowest_bit(marks[word]));
    KIN_ASSERT(node->listed == node->count); // invariant 3, and so invariant 2
}

// The two kinds of lists have loops of their own, so that neither tests for each entity which it is.
static void list_entities(const kin_context *context, const kin__index *index, kin__key_node *node)
{
    if (index->given != NULL && node->count > FEW)
        list_many(context, index, node, true);
    else if (index->given != NULL)
        list_few(context, index, node, true);
    else if (node->count > FEW)
        list_many(context, index, node, false);
    else
        list_few(context, index, node, false);
}

static bool reserve_marks(kin_context *context, kin__index *index)
{
    uint32_t chunks = index->given != NULL ? context->chunk_count : index->block_count;
    uint32_t words = chunks * KIN__CHUNK_WORDS;
    if (words <= index->marks.capacity)
        return true;
    if (!kin__array_reserve(&context->core->index_memory, &index->marks, words, sizeof(uint64_t)))
        return false;
    memset(index->marks.elements, 0, index->marks.capacity * sizeof(uint64_t));
    return true;
}

// Reserves room for a node in addition to those of all entities, and a copy of a key with strings.
static bool reserve_pinned(kin_context *context, kin__index *index, uint32_t number, const unsigned char *key)
{
    if (!kin__list_reserve(context, index, index->potential + index->pinned_count + 1))
        return false;
    kin__key_node *node = node_at(index, number);
    if (index->has_strings && node->key == NULL)
        node->key = kin__key_copy(&context->core->index_memory, index, key, &node->key_size);
    return !index->has_strings || node->key != NULL;
}

// Lists the node's entities in its array, and pins it. False when out of memory.
static bool list_and_pin(kin_context *context, kin__index *index, uint32_t number, const unsigned char *key)
{
    if (!node_at(index, number)->is_pinned && !reserve_pinned(context, index, number, key))
        return false;
    kin__key_node *node = node_at(index, number);
    if (!kin__array_reserve(&context->core->index_memory, &node->list, node->count, sizeof(kin_entity)) ||
        (node->count > FEW && !reserve_marks(context, index)))
        return false;
    index->pinned_count += !node->is_pinned;
    node->is_pinned = true;
    node->is_stale = false;
    node->listed = 0;
    list_entities(context, index, node);
    return true;
}

const kin_entity *kin__index_entities(kin_context *context, uint32_t number, const kin__key *key, uint32_t *count)
{
    kin__index *index = &context->core->indices->indices[number];
    KIN_ASSERT(number < context->info->index_count && !index->info->is_primary);
    *count = 0;
    if (kin__context_is_shared(context)) {
        kin__refuse_shared(context);
        return NULL;
    }
    uint32_t at = key->is_none ? 0 : find(context, index, key->bytes, kin__key_word(context, index, key->bytes));
    if (at == 0)
        return NULL;
    if (node_at(index, at)->count == 0) {
        free_node(context, index, at);
        return NULL;
    }
    if (node_at(index, at)->is_stale && !list_and_pin(context, index, at, key->bytes)) {
        kin__attempt attempt = {.verb = "list the entities of an index"};
        kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
        return NULL;
    }
    KIN_ASSERT(node_at(index, at)->is_pinned && node_at(index, at)->listed == node_at(index, at)->count);
    *count = node_at(index, at)->listed;
    return node_at(index, at)->list.elements;
}

// ---- validation

// Invariant 3 for one node.
static bool is_node_valid(const kin__index *index, uint32_t number)
{
    const kin__key_node *node = node_at(index, number);
    uint32_t count = 0;
    uint32_t previous = 0;
    for (uint32_t at = node->first; at != 0; at = link_at(index, at - 1)->next) {
        const kin__link *link = link_at(index, at - 1);
        if (link->node != number || link->previous != previous || count++ == node->count)
            return false;
        previous = at;
    }
    return count == node->count;
}

// Counts the free nodes; more than there are nodes if the list is a circle or has a node in use.
static uint32_t count_free(const kin__index *index)
{
    uint32_t count = 0;
    for (uint32_t number = index->free_node; number != 0; number = node_at(index, number)->next_free)
        if (++count > index->node_count || node_at(index, number)->count > 0 || node_at(index, number)->is_pinned)
            return UINT32_MAX;
    return count;
}

bool kin__list_is_valid(const kin_context *context, const kin__index *index)
{
    const uint64_t *marks = index->marks.elements;
    uint32_t used = 0;
    uint32_t pinned = 0;
    for (uint32_t word = 0; word < index->marks.capacity; word++)
        if (marks[word] != 0)
            return false; // invariant 2
    for (uint32_t number = 1; number <= index->node_count; number++) {
        const kin__key_node *node = node_at(index, number);
        used += node->count > 0 || node->is_pinned;
        pinned += node->is_pinned;
        if (!is_node_valid(index, number))
            return false;
    }
    return used == context->tables[index->number].count && pinned == index->pinned_count &&
           count_free(index) == index->node_count - used;
}

// ---- walking

uint32_t kin__list_next(const kin__index *index, uint32_t at)
{
    uint32_t next = link_at(index, at)->next;
    return next != 0 ? next - 1 : KIN__NO_SLOT;
}

// Sorts the lists of a multi index by slot: merges lists of 1, 2, 4, … entities, without memory.

enum { MOST_LISTS = 32 }; // two to that power are more than all slots

static kin__link *link_of(const kin__index *index, uint32_t number)
{
    return kin__index_slot_data(index, number - 1);
}

// Links name slots and kept keys by numbers, counted from 1.
static uint32_t sorted_slot_of(const kin__index *index, uint32_t number)
{
    return index->given != NULL ? ((const kin__kept_key *)kin__index_slot_data(index, number - 1))->slot : number - 1;
}

// Returns two sorted lists as one. Follows only `next`.
static uint32_t merge(const kin__index *index, uint32_t a, uint32_t b)
{
    uint32_t first = 0;
    uint32_t *end = &first;
    while (a != 0 && b != 0) {
        uint32_t *lower = sorted_slot_of(index, a) < sorted_slot_of(index, b) ? &a : &b;
        *end = *lower;
        end = &link_of(index, *lower)->next;
        *lower = *end;
    }
    *end = a != 0 ? a : b;
    return first;
}

static bool is_sorted(const kin__index *index, uint32_t first)
{
    for (uint32_t at = first, next; at != 0; at = next) {
        next = link_of(index, at)->next;
        if (next != 0 && sorted_slot_of(index, next) < sorted_slot_of(index, at))
            return false;
    }
    return true;
}

static uint32_t sort(const kin__index *index, uint32_t first)
{
    uint32_t lists[MOST_LISTS] = {0}, sorted = 0;
    for (uint32_t at = first, next; at != 0; at = next) {
        uint32_t list = at;
        uint32_t size = 0;
        next = link_of(index, at)->next;
        link_of(index, at)->next = 0;
        for (; lists[size] != 0; lists[size++] = 0)
            list = merge(index, lists[size], list);
        lists[size] = list;
    }
    for (uint32_t size = 0; size < MOST_LISTS; size++)
        sorted = merge(index, lists[size], sorted);
    return sorted;
}

void kin__lists_sort(const kin__index *index)
{
    kin__key_node *nodes = index->nodes.elements;
    for (uint32_t i = 0; i < index->node_count; i++) {
        if (is_sorted(index, nodes[i].first))
            continue;
        nodes[i].first = sort(index, nodes[i].first);
        for (uint32_t at = nodes[i].first, previous = 0; at != 0; previous = at, at = link_of(index, at)->next)
            link_of(index, at)->previous = previous;
    }
}

uint32_t kin__list_length_from(const kin__index *index, uint32_t at)
{
    const kin__link *link = kin__index_slot_data(index, at);
    const kin__key_node *nodes = index->nodes.elements;
    return link->node != 0 && link->previous == 0 ? nodes[link->node - 1].count : 0;
}
