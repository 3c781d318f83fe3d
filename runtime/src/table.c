#include "table.h"

#include "assertion.h"

enum { FIRST_CAPACITY = 8 };

static size_t size_of(const kin__table *table)
{
    return ((size_t)table->mask + 1) * sizeof(kin__entry);
}

static kin__table sized(uint64_t capacity)
{
    kin__table table = {.mask = (uint32_t)(capacity - 1), .shift = 64};
    for (; capacity > 1; capacity /= 2)
        table.shift--;
    return table;
}

bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least)
{
    uint64_t capacity = table->entries == NULL ? FIRST_CAPACITY : (uint64_t)table->mask + 1;
    while (capacity / 2 < least)
        capacity *= 2;
    if (table->entries != NULL && capacity == (uint64_t)table->mask + 1)
        return true;
    kin__table grown = sized(capacity);
    grown.entries = kin__allocate_zero(memory, size_of(&grown));
    if (grown.entries == NULL)
        return false;
    for (uint64_t i = 0; table->entries != NULL && i <= table->mask; i++)
        if (table->entries[i].value != 0)
            kin__table_insert(&grown, table->entries[i].word, table->entries[i].value);
    kin__table_release(memory, table);
    *table = grown;
    return true;
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
    uint32_t hole = kin__table_place(table, word);
    while (table->entries[hole].word != word || table->entries[hole].value != value) {
        KIN_ASSERT(table->entries[hole].value != 0);
        hole = (hole + 1) & table->mask;
    }
    for (uint32_t place = (hole + 1) & table->mask; table->entries[place].value != 0;
         place = (place + 1) & table->mask) {
        uint32_t wanted = kin__table_place(table, table->entries[place].word);
        if (((place - wanted) & table->mask) < ((place - hole) & table->mask))
            continue; // it would stand before the place of its word
        table->entries[hole] = table->entries[place];
        hole = place;
    }
    table->entries[hole] = (kin__entry){0};
    table->count--;
}
