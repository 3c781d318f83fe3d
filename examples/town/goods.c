#include "goods.h"

// Returns the index of the kind in the list, or the number of items if the list lacks it.
static uint32_t find(const Inventory *inventory, Kind kind)
{
    uint32_t i = 0;
    while (i < inventory->items.count && inventory->items.at[i].kind != kind)
        i++;
    return i;
}

uint32_t goods_count(const town_context *town, town_entity person, Kind kind)
{
    const Inventory *inventory = town_get_inventory(town, person);
    uint32_t i = inventory == NULL ? 0 : find(inventory, kind);
    return inventory == NULL || i == inventory->items.count ? 0 : inventory->items.at[i].count;
}

static kin_status receive(town_context *town, town_entity person, Item received)
{
    const Inventory *inventory = town_get_inventory(town, person);
    if (inventory == NULL)
        return KIN_ERROR_NO_COMPONENT;
    uint32_t count, i = find(inventory, received.kind);
    if (i == inventory->items.count)
        return town_push_inventory_items(town, person, received);
    town_edit_inventory_items(town, person, &count)[i].count += received.count;
    return KIN_OK;
}

// The person must have at least that many.
static void take(town_context *town, town_entity person, Item taken)
{
    uint32_t count, i = find(town_get_inventory(town, person), taken.kind);
    Item *items = town_edit_inventory_items(town, person, &count);
    items[i].count -= taken.count;
    if (items[i].count == 0)
        town_erase_inventory_items(town, person, i);
}

kin_status goods_give(town_context *town, town_entity from, town_entity to, Item given)
{
    if (given.count == 0 || goods_count(town, from, given.kind) < given.count)
        return KIN_ERROR_INVALID;
    kin_status status = receive(town, to, given); // may fail without memory, so it comes first
    if (status != KIN_OK)
        return status;
    take(town, from, given);
    town_touch_inventory(town, from); // changes in place notify listeners only with a touch
    town_touch_inventory(town, to);
    return KIN_OK;
}
