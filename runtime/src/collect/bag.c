#include "collect/bag.h"

bool kin__bag_reserve(kin__memory *memory, kin__bag *bag, const kin_collector *collector, uint32_t least)
{
    kin__array *other = collector->taken ? &bag->waiting : &bag->sides[1 - collector->side];
    return kin__array_reserve(memory, &bag->sides[collector->side], least, bag->size) &&
           (least <= bag->sides[1 - collector->side].capacity || kin__array_reserve(memory, other, least, bag->size));
}

void kin__bag_settle(kin__memory *memory, kin__bag *bag, uint32_t other)
{
    if (bag->waiting.capacity == 0)
        return;
    kin__array_release(memory, &bag->sides[other], bag->size);
    bag->sides[other] = bag->waiting;
    bag->waiting = (kin__array){0};
}

void kin__bag_trim(kin__memory *memory, kin__bag *bag, uint32_t least)
{
    kin__array_trim(memory, &bag->sides[0], least, bag->size);
    kin__array_trim(memory, &bag->sides[1], least, bag->size);
}

void kin__bag_release(kin__memory *memory, kin__bag *bag)
{
    kin__array_release(memory, &bag->sides[0], bag->size);
    kin__array_release(memory, &bag->sides[1], bag->size);
    kin__array_release(memory, &bag->waiting, bag->size);
}
