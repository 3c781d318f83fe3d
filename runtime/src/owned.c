#include "owned.h"

#include "value.h"

#include <string.h>

struct kin__parcel {
    kin__parcel *next; // among those that are gone
    kin_component_id id;
    bool is_over;     // its end has come, but for those who keep it
    bool is_disowned; // its opaque values have gone to another
    uint32_t keepers; // who show it
    size_t size;      // of all of it
    max_align_t value[];
};

// ---- parcels

static const char **string_of(void *value, const kin_field_info *field)
{
    return (const char **)(void *)((char *)value + field->offset);
}

// Bytes of all strings of a value that are not NULL, with their ends.
static size_t strings_size(const kin_component_info *info, const void *value)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const char *text = NULL;
        if (info->fields[i].type == KIN_TYPE_STRING)
            memcpy(&text, (const char *)value + info->fields[i].offset, sizeof text);
        if (text != NULL)
            size += strlen(text) + 1;
    }
    return size;
}

// Copies the strings of the parcel's value behind it and has the value point there.
static void take_strings(const kin_component_info *info, kin__parcel *parcel)
{
    char *end = (char *)parcel->value + info->size;
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (info->fields[i].type != KIN_TYPE_STRING)
            continue;
        const char **string = string_of(parcel->value, &info->fields[i]);
        if (*string == NULL)
            continue;
        size_t size = strlen(*string) + 1;
        *string = memcpy(end, *string, size);
        end += size;
    }
}

bool kin__parcel_make(kin_context *context, kin_component_id id, const void **value, kin__parcel **parcel)
{
    const kin_component_info *info = &context->info->components[id];
    *parcel = NULL;
    if (!kin__is_owned(context, id))
        return true;
    size_t strings = strings_size(info, *value);
    if (strings == 0 && !info->has_drops)
        return true;
    size_t size = sizeof **parcel + info->size + strings;
    kin__parcel *made = kin__allocate(&context->core->string_memory, size);
    if (made == NULL)
        return false;
    *made = (kin__parcel){.id = id, .size = size};
    memcpy(made->value, *value, info->size);
    take_strings(info, made);
    *value = made->value;
    *parcel = made;
    return true;
}

void kin__parcel_release(kin_context *context, kin__parcel *parcel)
{
    if (parcel != NULL)
        kin__release(&context->core->string_memory, parcel, parcel->size);
}

void kin__parcel_disown(kin__parcel *parcel)
{
    if (parcel != NULL)
        parcel->is_disowned = true;
}

// ---- dropping

// Recursive over structs in structs, which the schema has at most 32 deep.
static void drop_fields(const kin_field_info *fields, uint32_t count, const char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        if (field->type != KIN_TYPE_OPAQUE && field->type != KIN_TYPE_STRUCT)
            continue;
        uint32_t elements = field->count == 0 ? 1 : field->count;
        for (uint32_t k = 0; k < elements; k++) {
            const char *element = value + field->offset + k * field->of->size;
            if (field->of->drop != NULL)
                field->of->drop(element);
            drop_fields(field->of->fields, field->of->field_count, element);
        }
    }
}

static void finish(kin_context *context, kin__parcel *parcel)
{
    const kin_component_info *info = &context->info->components[parcel->id];
    parcel->is_over = true;
    if (parcel->keepers > 0)
        return;
    if (info->has_drops && !parcel->is_disowned)
        drop_fields(info->fields, info->field_count, (const char *)parcel->value);
    kin__parcel_release(context, parcel);
}

// ---- places

static kin__parcel **parcels_in(const kin_context *context, const kin__column *column, kin_component_id id)
{
    return kin__column_value(column, KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

static kin__parcel **parcel_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return parcels_in(context, kin__column_of(context, slot, id), id) + slot % KIN__CHUNK_SLOTS;
}

void kin__owned_put(kin_context *context, uint32_t slot, kin_component_id id, kin__parcel *parcel)
{
    if (kin__is_owned(context, id))
        *parcel_of(context, slot, id) = parcel;
}

kin__parcel *kin__owned_parcel(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__is_owned(context, id) ? *parcel_of(context, slot, id) : NULL;
}

void kin__owned_give_up(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__parcel_give_up(context, kin__owned_parcel(context, slot, id));
}

void kin__parcel_give_up(kin_context *context, kin__parcel *parcel)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    if (parcel == NULL)
        return;
    parcel->next = NULL;
    if (dispatch->first_gone == NULL)
        dispatch->first_gone = parcel;
    else
        dispatch->last_gone->next = parcel;
    dispatch->last_gone = parcel;
    context->unsettled = true;
}

void kin__owned_settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    while (context->depth == 0 && dispatch->first_gone != NULL) {
        kin__parcel *parcel = dispatch->first_gone;
        dispatch->first_gone = parcel->next;
        finish(context, parcel);
    }
}

void kin__parcel_keep(kin__parcel *parcel)
{
    if (parcel != NULL)
        parcel->keepers++;
}

void kin__parcel_let_go(kin_context *context, kin__parcel *parcel)
{
    if (parcel == NULL || --parcel->keepers > 0 || !parcel->is_over)
        return;
    kin__parcel_give_up(context, parcel);
    kin__owned_settle(context);
}

void kin__owned_release(kin_context *context, const kin__column *column, kin_component_id id)
{
    kin__parcel *const *parcels = parcels_in(context, column, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place) && parcels[place] != NULL)
            finish(context, parcels[place]);
}

// By fields, as padding holds anything; those of structs may have some inside.
static bool are_equal(const kin_component_info *info, const char *value, const char *other)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->type != KIN_TYPE_STRUCT && field->type != KIN_TYPE_OPAQUE &&
            memcmp(value + field->offset, other + field->offset, field->size) != 0)
            return false;
    }
    return true;
}

bool kin__owned_is_valid(const kin_context *context, uint32_t slot, kin_component_id id)
{
    if (!kin__is_owned(context, id))
        return true;
    const kin_component_info *info = &context->info->components[id];
    const kin__parcel *parcel = *parcel_of(context, slot, id);
    const void *value = kin__value_of(context, slot, id);
    if (parcel == NULL)
        return !info->has_drops && strings_size(info, value) == 0;
    return parcel->id == id && are_equal(info, (const char *)parcel->value, value);
}
