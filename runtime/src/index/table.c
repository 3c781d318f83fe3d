#include "index/table.h"

#include "base/base.h"

#include <string.h>

enum { FIRST_CAPACITY = 8 };

static size_t size_of(const kin__table *table)
{
    return ((size_t)table->mask + 1) * sizeof(kin__entry);
}

static kin__table sized(uint64_t capacity, const uint64_t *factors)
{
    KIN_ASSERT(capacity > 0 && (capacity & (capacity - 1)) == 0);
    kin__table table = {.mask = (uint32_t)(capacity - 1), .shift = 64, .factors = {factors[0], factors[1]}};
    for (; capacity > 1; capacity /= 2)
        table.shift--;
    return table;
}

// Moves the entries to a table of another capacity. False, with nothing changed, when out of memory.
static bool resize(kin__memory *memory, kin__table *table, uint64_t capacity)
{
    kin__table other = sized(capacity, table->factors);
    other.entries = kin__allocate_zero(memory, size_of(&other));
    if (other.entries == NULL)
        return false;
    for (uint64_t i = 0; table->entries != NULL && i <= table->mask; i++)
        if (table->entries[i].value != 0)
            kin__table_insert(&other, table->entries[i].word, table->entries[i].value);
    KIN_ASSERT(other.count == table->count); // invariant 3
    kin__table_release(memory, table);
    *table = other;
    return true;
}

kin__table kin__table_begin(const uint64_t *factors)
{
    return (kin__table){.factors = {factors[0], factors[1]}};
}

// Returns the capacity for `least` entries, at least `from`.
static uint64_t capacity_for(uint64_t from, uint32_t least)
{
    while (from / 2 < least)
        from *= 2;
    KIN_ASSERT((from & (from - 1)) == 0 && from / 2 >= least); // invariant 1
    return from;
}

bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least)
{
    uint64_t existing = table->entries == NULL ? 0 : (uint64_t)table->mask + 1;
    uint64_t capacity = capacity_for(existing == 0 ? FIRST_CAPACITY : existing, least);
    return capacity == existing || resize(memory, table, capacity);
}

void kin__table_trim(kin__memory *memory, kin__table *table, uint32_t least)
{
    KIN_ASSERT(least >= table->count);
    uint64_t capacity = capacity_for(FIRST_CAPACITY, least);
    if (capacity < (uint64_t)table->mask + 1)
        resize(memory, table, capacity);
}

void kin__table_release(kin__memory *memory, kin__table *table)
{
    if (table->entries != NULL)
        kin__release(memory, table->entries, size_of(table));
    *table = (kin__table){0};
}

void kin__table_insert(kin__table *table, uint64_t word, uint64_t value)
{
    KIN_ASSERT(value != 0 && table->count <= table->mask / 2);
    uint32_t place = kin__table_place(table, word);
    while (table->entries[place].value != 0)
        place = (place + 1) & table->mask;
    table->entries[place] = (kin__entry){word, value};
    table->count++;
}

void kin__table_erase(kin__table *table, uint64_t word, uint64_t value)
{
    KIN_ASSERT(table->count > 0);
    uint32_t hole = kin__table_place(table, word);
    while (table->entries[hole].word != word || table->entries[hole].value != value) {
        KIN_ASSERT(table->entries[hole].value != 0);
        hole = (hole + 1) & table->mask;
    }
    for (uint32_t place = (hole + 1) & table->mask; table->entries[place].value != 0;
         place = (place + 1) & table->mask) {
        uint32_t wanted = kin__table_place(table, table->entries[place].word);
        if (((place - wanted) & table->mask) < ((place - hole) & table->mask))
            continue; // the hole is before the place of its word
        table->entries[hole] = table->entries[place];
        hole = place;
    }
    table->entries[hole] = (kin__entry){0};
    table->count--;
}

void kin__table_clear(kin__table *table)
{
    if (table->entries != NULL)
        memset(table->entries, 0, size_of(table));
    table->count = 0;
}

// Invariant 2 for the entry at a place.
static bool is_reached(const kin__table *table, uint32_t at)
{
    for (uint32_t place = kin__table_place(table, table->entries[at].word); place != at;
         place = (place + 1) & table->mask)
        if (table->entries[place].value == 0)
            return false;
    return true;
}

bool kin__table_is_valid(const kin__table *table)
{
    uint64_t capacity = (uint64_t)table->mask + 1;
    uint32_t count = 0;
    if ((capacity & table->mask) != 0 || table->count > capacity / 2)
        return false; // invariant 1
    for (uint64_t at = 0; at < capacity; at++) {
        if (table->entries[at].value == 0)
            continue;
        count++;
        if (!is_reached(table, (uint32_t)at))
            return false;
    }
    return count == table->count;
}
