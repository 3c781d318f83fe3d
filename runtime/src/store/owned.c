#include "store/internal.h"

#include <string.h>

// Stored after the value in a block with opaque values. Blocks whose values replaced each other are linked until they
// are freed, so that a listener may put an opaque value of a retired block back into the component.
typedef struct opaque_record {
    kin__owned_block *older, *newer;
    unsigned char moved[];
} opaque_record;

// ---- blocks

// Returns the offset after the value: of the record, if the block has one, else of the strings.
static size_t value_end(const kin_component_info *info)
{
    return info->has_drops ? kin__round_up(info->size) : info->size;
}

static size_t record_size(const kin_component_info *info)
{
    return info->has_drops ? sizeof(opaque_record) + kin__opaque_moved_size(info) : 0;
}

static uint8_t flags_of(const kin_component_info *info)
{
    uint32_t flags = info->has_drops ? KIN__OWNED_OPAQUE : 0;
    flags |= info->has_lists ? KIN__OWNED_LISTS : 0;
    return (uint8_t)flags;
}

static opaque_record *record_of(const kin_component_info *info, kin__owned_block *owned_block)
{
    return (opaque_record *)(void *)((char *)owned_block->value + value_end(info));
}

static const char **string_of(void *value, const kin_field_info *field)
{
    return (const char **)(void *)((char *)value + field->offset);
}

size_t kin__strings_size(const kin_component_info *info, const void *value)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const char *string = NULL;
        if (info->fields[i].type == KIN_TYPE_STRING)
            memcpy(&string, (const char *)value + info->fields[i].offset, sizeof string);
        if (string != NULL)
            size += strlen(string) + 1;
    }
    return size;
}

void kin__strings_copy(const kin_component_info *info, void *value, char *end)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (info->fields[i].type != KIN_TYPE_STRING)
            continue;
        const char **string = string_of(value, &info->fields[i]);
        if (*string == NULL)
            continue;
        size_t size = strlen(*string) + 1;
        *string = memcpy(end, *string, size);
        end += size;
    }
}

// Returns whether the lists of a value can be copied; if not, sets the reason.
static bool accept_lists(kin_context *context, const kin_component_info *info, const void *value)
{
    kin_status status = kin__lists_check(info, value);
    if (status != KIN_OK)
        context->core->value_error = status;
    return status == KIN_OK;
}

// Returns a block with a copy of the value, whose strings have `strings` bytes in total. NULL when out of memory.
static kin__owned_block *copy_value(kin_context *context, kin_component_id id, const void *value, size_t strings)
{
    const kin_component_info *info = &context->info->components[id];
    size_t record = record_size(info);
    size_t size = sizeof(kin__owned_block) + value_end(info) + record + strings;
    kin__owned_block *made = kin__allocate(&context->core->string_memory, size);
    if (made == NULL)
        return NULL;
    *made = (kin__owned_block){.id = id, .flags = flags_of(info), .size = size};
    memcpy(made->value, value, info->size);
    memset((char *)made->value + value_end(info), 0, record);
    if ((made->flags & KIN__OWNED_LISTS) != 0 && !kin__lists_copy(context, made)) {
        kin__release(&context->core->string_memory, made, size);
        return NULL;
    }
    kin__strings_copy(info, made->value, (char *)made->value + value_end(info) + record);
    return made;
}

bool kin__owned_block_make(kin_context *context, kin_component_id id, const void **value,
                           kin__owned_block **owned_block)
{
    const kin_component_info *info = &context->info->components[id];
    uint8_t ownership = context->core->watches[id].ownership;
    *owned_block = NULL;
    if (ownership == KIN__OWNERSHIP_NONE)
        return true;
    if (ownership == KIN__OWNERSHIP_SHARED)
        return (*owned_block = kin__shared_take(context, id, value)) != NULL;
    uint8_t flags = flags_of(info);
    if ((flags & KIN__OWNED_LISTS) != 0 && !accept_lists(context, info, *value))
        return false;
    size_t strings = kin__strings_size(info, *value);
    if (strings == 0 && flags == 0)
        return true;
    *owned_block = copy_value(context, id, *value, strings);
    if (*owned_block == NULL)
        return false;
    *value = (*owned_block)->value;
    return true;
}

static void unlink_record(const kin_component_info *info, kin__owned_block *owned_block)
{
    const opaque_record *record = record_of(info, owned_block);
    KIN_ASSERT(record->older != owned_block && record->newer != owned_block);
    if (record->older != NULL)
        record_of(info, record->older)->newer = record->newer;
    if (record->newer != NULL)
        record_of(info, record->newer)->older = record->older;
}

void kin__owned_block_release(kin_context *context, kin__owned_block *owned_block)
{
    if (owned_block == NULL)
        return;
    KIN_ASSERT(owned_block->pins == 0);
    if ((owned_block->flags & KIN__OWNED_OPAQUE) != 0)
        unlink_record(&context->info->components[owned_block->id], owned_block);
    if ((owned_block->flags & KIN__OWNED_LISTS) != 0)
        kin__lists_release(context, owned_block);
    kin__release(&context->core->string_memory, owned_block, owned_block->size);
}

// ---- opaque values

static kin__opaque opaque_of(const kin_component_info *info, kin__owned_block *owned_block)
{
    return (kin__opaque){info, (const char *)owned_block->value, record_of(info, owned_block)->moved};
}

// Links a block to the block that it replaces, which may already have been replaced before a restore brought it back.
static void link_record(const kin_component_info *info, kin__owned_block *owned_block, kin__owned_block *replaced)
{
    opaque_record *record = record_of(info, owned_block);
    opaque_record *older = record_of(info, replaced);
    if (record->older == replaced)
        return;
    KIN_ASSERT(record->older == NULL && record->newer == NULL);
    record->older = replaced;
    record->newer = older->newer;
    if (older->newer != NULL)
        record_of(info, older->newer)->older = owned_block;
    older->newer = owned_block;
}

// Payloads show values of at most KIN__MAX_DEPTH nested changes, so older blocks than that cannot be put back.
void kin__owned_block_move_opaque(kin_context *context, kin__owned_block *owned_block, kin__owned_block *replaced)
{
    if (owned_block == NULL || replaced == NULL || !context->info->components[owned_block->id].has_drops)
        return;
    const kin_component_info *info = &context->info->components[owned_block->id];
    kin__opaque older[KIN__MAX_DEPTH];
    uint32_t count = 0;
    KIN_ASSERT(owned_block != replaced && owned_block->id == replaced->id);
    link_record(info, owned_block, replaced);
    for (kin__owned_block *each = record_of(info, owned_block)->newer; each != NULL && count < KIN__MAX_DEPTH / 2;
         each = record_of(info, each)->newer)
        older[count++] = opaque_of(info, each);
    for (kin__owned_block *each = replaced; each != NULL && count < KIN__MAX_DEPTH; each = record_of(info, each)->older)
        older[count++] = opaque_of(info, each);
    kin__opaque_move(opaque_of(info, owned_block), older, count);
}

void kin__loan_begin(kin_context *context)
{
    context->core->dispatch.loans++;
}

void kin__loan_end(kin_context *context)
{
    KIN_ASSERT(context->core->dispatch.loans > 0);
    context->core->dispatch.loans--;
    context->unsettled = context->unsettled || context->depth > 0;
    kin__owned_settle(context);
}

void kin__owned_block_clear_opaque(kin_context *context, kin__owned_block *owned_block, const kin__owned_block *shown,
                                   void *value)
{
    const kin_component_info *info = &context->info->components[owned_block->id];
    KIN_ASSERT(info->has_drops);
    for (kin__owned_block *each = owned_block; each != NULL; each = record_of(info, each)->newer)
        if (each == shown)
            kin__opaque_clear(opaque_of(info, owned_block), value);
}

void kin__owned_block_return_opaque(kin_context *context, kin__owned_block *owned_block)
{
    const kin_component_info *info = &context->info->components[owned_block->id];
    KIN_ASSERT(info->has_drops && context->core->dispatch.loans > 0);
    for (kin__owned_block *each = record_of(info, owned_block)->newer; each != NULL;
         each = record_of(info, each)->newer) {
        kin__opaque newer = opaque_of(info, each);
        kin__opaque_move(opaque_of(info, owned_block), &newer, 1);
    }
    memset(record_of(info, owned_block)->moved, 0xff, kin__opaque_moved_size(info));
}

// Moves the opaque values of a block that is about to be freed back to blocks from which they had moved and that
// snapshots keep.
static void hand_over(const kin_component_info *info, kin__owned_block *owned_block)
{
    const opaque_record *record = record_of(info, owned_block);
    for (kin__owned_block *each = record->older; each != NULL; each = record_of(info, each)->older)
        kin__opaque_hand_over(opaque_of(info, owned_block), opaque_of(info, each));
    for (kin__owned_block *each = record->newer; each != NULL; each = record_of(info, each)->newer)
        kin__opaque_hand_over(opaque_of(info, owned_block), opaque_of(info, each));
}

// Drops the opaque values of a block and frees it. For a pinned block, the last unpin does this instead.
static void finish(kin_context *context, kin__owned_block *owned_block)
{
    if ((owned_block->flags & KIN__OWNED_SHARED) != 0) {
        kin__shared_finish(context, owned_block);
        return;
    }
    owned_block->flags |= KIN__OWNED_FINISHED;
    if (owned_block->pins > 0)
        return;
    if ((owned_block->flags & KIN__OWNED_OPAQUE) != 0) {
        hand_over(&context->info->components[owned_block->id], owned_block);
        kin__opaque_drop(opaque_of(&context->info->components[owned_block->id], owned_block));
    }
    kin__owned_block_release(context, owned_block);
}

// ---- blocks of slots

kin__owned_block **kin__owned_blocks_of(const kin_context *context, const kin__column *column, kin_component_id id)
{
    KIN_ASSERT(kin__is_owned(context, id));
    size_t offset = KIN__CHUNK_SLOTS * kin__place_size(context, id) + kin__canary_size(context, id);
    return kin__column_value(column, 1, offset);
}

void *kin__owned_block_value(kin__owned_block *owned_block)
{
    return owned_block->value;
}

static kin__owned_block **owned_block_at(const kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(kin__column_of(context, slot, id) != context->empty);
    return kin__owned_blocks_of(context, kin__column_of(context, slot, id), id) + slot % KIN__CHUNK_SLOTS;
}

void kin__owned_put(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block)
{
    KIN_ASSERT(owned_block == NULL || owned_block->id == id);
    if (kin__is_owned(context, id))
        *owned_block_at(context, slot, id) = owned_block;
}

kin__owned_block *kin__owned_block_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__is_owned(context, id) ? *owned_block_at(context, slot, id) : NULL;
}

void kin__owned_replace(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block)
{
    kin__owned_block *replaced = kin__owned_block_of(context, slot, id);
    kin__owned_block_move_opaque(context, owned_block, replaced);
    kin__owned_block_retire(context, replaced);
    kin__owned_put(context, slot, id, owned_block);
}

void kin__owned_block_retire(kin_context *context, kin__owned_block *owned_block)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    if (owned_block == NULL)
        return;
    KIN_ASSERT(dispatch->first_retired == NULL || dispatch->last_retired != owned_block);
    owned_block->next = NULL;
    if (dispatch->first_retired == NULL)
        dispatch->first_retired = owned_block;
    else
        dispatch->last_retired->next = owned_block;
    dispatch->last_retired = owned_block;
    context->unsettled = true;
}

void kin__owned_settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    while (context->depth == 0 && dispatch->first_retired != NULL && dispatch->loans == 0) {
        kin__owned_block *owned_block = dispatch->first_retired;
        dispatch->first_retired = owned_block->next;
        finish(context, owned_block);
    }
}

void kin__owned_block_pin(kin__owned_block *owned_block)
{
    if (owned_block != NULL)
        owned_block->pins++;
}

void kin__owned_block_revive(kin__owned_block *owned_block)
{
    KIN_ASSERT(owned_block == NULL || owned_block->pins > 0);
    if (owned_block != NULL)
        owned_block->flags &= (uint8_t)~KIN__OWNED_FINISHED;
}

static void retire_outgrown(kin_context *context, kin__owned_block *owned_block)
{
    kin__owned_block *next = kin__lists_take_outgrown(context, owned_block);
    while (next != NULL) {
        kin__owned_block *outgrown = next;
        next = outgrown->next;
        kin__owned_block_retire(context, outgrown);
    }
}

void kin__owned_block_unpin(kin_context *context, kin__owned_block *owned_block)
{
    enum { NEEDS_MORE = KIN__OWNED_LISTS | KIN__OWNED_FINISHED | KIN__OWNED_SHARED };
    KIN_ASSERT(owned_block == NULL || owned_block->pins > 0);
    if (owned_block == NULL || --owned_block->pins > 0 || (owned_block->flags & NEEDS_MORE) == 0)
        return;
    if ((owned_block->flags & KIN__OWNED_SHARED) != 0)
        kin__shared_retire(context, owned_block);
    if ((owned_block->flags & KIN__OWNED_LISTS) != 0)
        retire_outgrown(context, owned_block);
    if ((owned_block->flags & KIN__OWNED_FINISHED) != 0)
        kin__owned_block_retire(context, owned_block);
    kin__owned_settle(context);
}

void kin__owned_release(kin_context *context, const kin__column *column, kin_component_id id)
{
    kin__owned_block *const *owned_blocks = kin__owned_blocks_of(context, column, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place) && owned_blocks[place] != NULL)
            finish(context, owned_blocks[place]);
}

// Compares only the strings: other fields may have been edited in place.
static bool are_strings_equal(const kin_component_info *info, const char *value, const char *other)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->type == KIN_TYPE_STRING && memcmp(value + field->offset, other + field->offset, field->size) != 0)
            return false;
    }
    return true;
}

bool kin__owned_is_valid(const kin_context *context, uint32_t slot, kin_component_id id, const void *value)
{
    const kin_component_info *info = &context->info->components[id];
    const kin__owned_block *owned_block = *owned_block_at(context, slot, id);
    if (owned_block == NULL)
        return flags_of(info) == 0 && kin__strings_size(info, value) == 0;
    return owned_block->id == id && kin__lists_are_valid(info, owned_block, value) &&
           are_strings_equal(info, (const char *)owned_block->value, value);
}
