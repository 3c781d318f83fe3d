#include "snapshot/snapshot.h"

#include <kin/generated/blueprint.h>
#include <kin/generated/direct.h>

#include <stdio.h>
#include <string.h>

// Returns whether the entity is in a group whose additions the collector collects.
static bool collects(const kin_collector *collector, const kin_context *context, kin_entity entity)
{
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        const kin__subscriber *trigger = &collector->subscribers[i];
        if ((trigger->events & KIN__EVENT_ADDED) != 0 && trigger->group != NULL && trigger->group->context == context &&
            kin_group_contains(trigger->group, entity))
            return true;
    }
    return false;
}

static void collect(kin__source *source)
{
    const kin_context *context = source->context;
    for (uint32_t i = 0; i < context->chunk_count; i++)
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            for (uint64_t bits = context->chunks[i]->alive[word]; bits != 0; bits &= bits - 1) {
                kin_entity entity = context->chunks[i]->ids[word * 64 + kin__lowest_bit(bits)];
                if (collects(source->collector, context, entity))
                    kin__collect_entity(source, entity);
            }
}

void kin__restore_anew(kin_context *context)
{
    context->core->dispatch.epoch++;
    for (kin__slot_extension *extension = context->core->slot_extensions; extension != NULL;
         extension = extension->next)
        if (kin__source_of(extension) != NULL && kin__source_of(extension)->collector->active)
            collect((kin__source *)(void *)extension);
}

// A column that is being restored.
typedef struct target {
    kin_context *context;
    kin_component_id id;
    const kin_component_info *info;
    kin__column *column;
    const uint64_t *has; // bits of the places that will have a value
    const kin__image *image;
} target;

static const kin__column nothing;

static bool will_have(const target *target, uint32_t place)
{
    return kin__bits_have(target->has, place);
}

static bool has_boxes(const kin_component_info *info)
{
    return info->is_boxed && !info->is_shared;
}

// Restores a column: the values of one component in one chunk.
//
// An entity that has the component before and after keeps its box, and its owned block if the image has the same one.

// Returns how many boxes restoring the image takes from the slab.
static uint32_t column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image)
{
    uint32_t count = 0;
    if (!has_boxes(&context->info->components[image->number]))
        return 0;
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[image->number];
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(kin__image_has(image)[word] & ~column->has[word]);
    return count;
}

// ---- owned blocks

// Retires outgoing blocks before it revives restored ones: one block may be both, if its value was stashed or put back
// after the save.
static void restore_owned(const target *target)
{
    kin__owned_block **now = kin__owned_blocks_of(target->context, target->column, target->id);
    kin__owned_block **saved =
        target->image == NULL ? NULL : kin__image_owned_blocks(target->context->info, target->image);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(target->column, place) && (!will_have(target, place) || now[place] != saved[place]))
            kin__owned_block_retire(target->context, now[place]);
    kin__owned_settle(target->context);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!will_have(target, place))
            continue;
        if (!kin__column_has(target->column, place) || now[place] != saved[place])
            kin__owned_block_revive(saved[place]);
        now[place] = saved[place];
    }
}

static void restore_lists(const target *target)
{
    kin__owned_block **owned_blocks = kin__owned_blocks_of(target->context, target->column, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (will_have(target, place)) {
            void *at =
                kin__column_value(target->column, place, target->info->is_boxed ? sizeof at : target->info->size);
            if (target->info->is_boxed)
                at = *(void **)at;
            kin__lists_attach(target->info, at, owned_blocks[place]);
        }
}

// ---- places

static void restore_boxes(const target *target)
{
    void **boxes = kin__column_value(target->column, 0, sizeof(void *));
    void *spare = kin__slab_spare(target->context, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(target->column, place) && !will_have(target, place)) {
            kin__slab_put(target->context, target->id, boxes[place]);
            boxes[place] = spare;
        }
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!will_have(target, place))
            continue;
        if (!kin__column_has(target->column, place))
            boxes[place] = kin__slab_take(target->context, target->id);
        KIN_ASSERT(boxes[place] != NULL && boxes[place] != spare); // it was reserved
        memcpy(boxes[place], kin__image_value(target->context->info, target->image, place, NULL), target->info->size);
    }
}

static void restore_shared(const target *target)
{
    const void **values = kin__column_value(target->column, 0, sizeof(void *));
    const void *spare = kin__slab_spare(target->context, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        const void *before = kin__column_has(target->column, place) ? values[place] : NULL;
        const void *after =
            will_have(target, place) ? kin__image_value(target->context->info, target->image, place, NULL) : NULL;
        if (before != after)
            kin__shared_restore_place(before, after);
        values[place] = after == NULL ? spare : after;
    }
}

static void restore_standing(const target *target)
{
    if (target->image != NULL)
        memcpy(target->column + 1, target->image->bytes + sizeof(kin__column),
               KIN__CHUNK_SLOTS * kin__place_size(target->context, target->id));
}

// Restores a column from its image. NULL: no entity of the chunk had the component. Unless the image is NULL, the
// column must exist and boxes must be reserved.
static void column_restore(kin_context *context, uint32_t chunk, kin_component_id id, const kin__image *image)
{
    kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
    target target = {context, id, &context->info->components[id], column, nothing.has, image};
    if (image != NULL)
        target.has = kin__image_has(image);
    if (column == context->empty)
        return;
    if (kin__is_owned(context, id))
        restore_owned(&target);
    if (target.info->is_shared)
        restore_shared(&target);
    else if (target.info->is_boxed)
        restore_boxes(&target);
    else
        restore_standing(&target);
    if (target.info->has_lists && kin__is_owned(context, id))
        restore_lists(&target);
    memcpy(column->has, target.has, sizeof column->has);
}

// Copies the state of a part to a context. Everything was reserved, so nothing here can fail.

static const kin__image *head_of(const kin__context_snapshot *part, uint32_t chunk)
{
    return kin__part_image(part, chunk, kin__head_number(part->info));
}

// ---- indices and groups, before blocks are written

// Marks the slots that have the component before and after the restore, with different values.
static void mark_values(kin_context *context, uint32_t chunk, const kin__image *image)
{
    kin_component_id id = (kin_component_id)image->number;
    const kin__column *column = kin__column_of(context, chunk * KIN__CHUNK_SLOTS, id);
    uint64_t differ[KIN__CHUNK_WORDS] = {0}, any = 0;
    if (kin__image_equals(context, chunk, image))
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t both = column->has[word] & kin__image_has(image)[word];
        for (uint64_t bits = both; bits != 0; bits &= bits - 1)
            if (!kin__image_value_equals(context, chunk, image, word * 64 + kin__lowest_bit(bits)))
                differ[word] |= bits & -bits;
        any |= differ[word];
    }
    if (any != 0)
        kin__indices_restore_mark(context, id, chunk, differ);
}

// Whether the head of a chunk equals its image.
static bool head_equals(const kin_context *context, uint32_t chunk, const kin__image *head, bool heads_stand)
{
    bool is_last = kin__store_last(context->core->store, chunk, head->number) == head;
    return (is_last && heads_stand) || kin__image_equals(context, chunk, head);
}

static void mark_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk, bool heads_stand)
{
    const kin__image *head = head_of(part, chunk);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        if (image != NULL && kin__indices_name(context, id))
            mark_values(context, chunk, image);
    }
    if (head == NULL)
        kin__indices_restore_mark_heads(context, chunk, NULL, NULL, NULL);
    else if (!head_equals(context, chunk, head, heads_stand))
        kin__indices_restore_mark_heads(context, chunk, kin__image_ids(head), kin__image_alive(head),
                                        kin__image_row(head, context->row_words, 0));
}

static void leave_indices(kin_context *context, const kin__context_snapshot *part)
{
    if (context->core->indices == NULL)
        return;
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        mark_chunk(context, part, chunk, heads_stand);
    kin__indices_restore_leave(context);
}

static void end_listeners(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++) {
        const kin__image *head = head_of(part, chunk);
        kin__listeners_restore(context, chunk, head == NULL ? NULL : kin__image_ids(head),
                               head == NULL ? NULL : kin__image_alive(head));
    }
}

// ---- blocks

// Empties a chunk that the snapshot does not contain.
static void clear_head(const kin_context *context, uint32_t number)
{
    kin__chunk *chunk = context->chunks[number];
    memset(chunk->ids, 0, sizeof chunk->ids);
    memset(chunk->alive, 0, sizeof chunk->alive);
    memset(kin__chunk_row(chunk, context->row_words, 0), 0,
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
    if (number == 0)
        chunk->ids[0] = kin__free_handle(0);
}

static void restore_head(kin_context *context, uint32_t number, const kin__image *head)
{
    kin__chunk *chunk = context->chunks[number];
    if (head == NULL) {
        clear_head(context, number);
        return;
    }
    memcpy(chunk->ids, kin__image_ids(head), sizeof chunk->ids);
    memcpy(chunk->alive, kin__image_alive(head), sizeof chunk->alive);
    memcpy(kin__chunk_row(chunk, context->row_words, 0), kin__image_row(head, context->row_words, 0),
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
}

// Restores a block unless it equals its image.
static void restore_block(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image, bool heads_stand)
{
    const kin_context_info *info = context->info;
    if (number == kin__head_number(info)) {
        if (image == NULL || !head_equals(context, chunk, image, heads_stand))
            restore_head(context, chunk, image);
    } else if (image == NULL
                   ? kin__block_exists(context, chunk, number)
                   : !kin__block_exists(context, chunk, number) || !kin__image_equals(context, chunk, image)) {
        if (number < info->component_count)
            column_restore(context, chunk, (kin_component_id)number, image);
        else
            kin__relations_restore_block(context, number - kin__links_number(info, 0), chunk,
                                         image == NULL ? NULL : kin__image_links(image));
    }
    kin__store_set_last(context, chunk, number, image);
}

static void restore_blocks(kin_context *context, const kin__context_snapshot *part)
{
    uint32_t numbers = kin__image_numbers(context->info);
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        for (uint32_t number = 0; number < numbers; number++)
            restore_block(context, chunk, number, kin__part_image(part, chunk, number), heads_stand);
}

// ---- counts and caches

// `created_before` depends on the first creation index, which may differ in this context.
static void restore_counts(kin_context *context, const kin__context_snapshot *part)
{
    kin__slots *slots = &context->core->slots;
    uint64_t stamp = kin__population_stamp(context);
    slots->assigned_chunks = part->counts.assigned_chunks;
    slots->created_before =
        part->counts.created_before + context->core->options.first_creation_index - part->counts.first_creation_index;
    slots->deaths = part->counts.deaths;
    slots->pending = part->counts.pending;
    context->next_creation_index = part->counts.next_creation_index;
    context->fast_end = 0;
    slots->rewinds = 0;
    slots->rewinds = stamp + 1 - kin__population_stamp(context);
    context->pool = part->pools[0];
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        context->blueprints[i].pool = part->pools[i + 1];
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        context->chunks[chunk]->pool =
            chunk < part->chunk_count ? kin__pool_at(context, kin__part_pool(part, chunk)) : NULL;
}

static void restore_carrier(kin_context *context, const kin__context_snapshot *part, uint32_t id)
{
    context->carriers[id] = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t word = 0; image != NULL && word < KIN__CHUNK_WORDS; word++)
            if (kin__image_has(image)[word] != 0)
                context->carriers[id] =
                    kin__image_ids(head_of(part, chunk))[word * 64 + kin__lowest_bit(kin__image_has(image)[word])];
    }
}

// Counts more changes than any journal has room for, so that every cache that was computed before is out of date.
static void forget_caches(kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t id = 0; id <= context->info->component_count; id++)
        context->components[id].changes += KIN__JOURNAL_ENTRIES + 1;
    for (uint32_t i = 0; i < context->core->group_count; i++) {
        groups[i]->counted_at = KIN__NEVER;
        groups[i]->members->listed_at = KIN__NEVER;
    }
    context->core->listed_at = KIN__NEVER;
}

// ---- state outside blocks

// Copies the lists of last values from the memory of the part to that of the values.
static void restore_kept_lists(kin_context *context, const kin__context_snapshot *part)
{
    size_t at = 0;
    for (kin__keepsake *each;
         (each = kin__keepsake_next(context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;) {
        const kin__last_values *last_values = kin__last_values_of(context, each->id);
        if (!context->info->components[each->id].has_lists || !kin__is_owned(context, each->id) || last_values == NULL)
            continue;
        kin__value_storage storage = kin__last_value_storage(context, last_values, each->slot);
        kin__lists_attach(&context->info->components[each->id], (void *)(uintptr_t)storage.value, storage.owned_block);
    }
}

static void restore_shared_values(kin_context *context, const kin__context_snapshot *part)
{
    const void *const *values = part->shared.at;
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++) {
        uint32_t limit = part->limits[id];
        if (kin__is_shared(context, (kin_component_id)id) &&
            (limit > 0 || kin__shared_limit(context, (kin_component_id)id) > 0))
            kin__shared_numbers_restore(context, (kin_component_id)id, values, limit);
        values = limit == 0 ? values : values + limit; // `values` is NULL if no value is shared
    }
}

// ---- the whole context

static const kin__context_snapshot *kin__adopted(const kin_context *context, const kin__context_snapshot *part);

static kin__index_plan restore_index_plan(const kin_context *context, const kin__context_snapshot *part);

void kin__restore_commit(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = kin__adopted(context, saved);
    KIN_ASSERT(context->depth == 0 && context->chunk_count >= part->chunk_count);
    kin__collectors_restore_clear(context);
    kin__keepsakes_clear(context);
    leave_indices(context, part);
    end_listeners(context, part);
    restore_blocks(context, part);
    restore_counts(context, part);
    kin__keepsakes_restore(context, part->keepsakes.at, part->keepsakes.size);
    restore_kept_lists(context, part);
    restore_shared_values(context, part);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (context->info->components[id].is_unique)
            restore_carrier(context, part, id);
    if (context->core->indices != NULL) {
        kin__index_plan plan = restore_index_plan(context, part);
        kin__indices_restore_enter(context, &plan);
    }
    kin__relations_restore_end(context);
    forget_caches(context);
    kin__store_note_heads(context);
}

static void adopted_release(kin_context *context);

void kin__restore_settle(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = kin__adopted(context, saved);
    kin__holds_restore(context, part->owners.at, kin__part_owner_count(part), part->held.at,
                       kin__part_held_count(part));
    kin__keepsakes_settle(context);
    adopted_release(context);
    KIN_VALIDATE(kin__context_is_valid(context));
}

void kin__restore_tell(kin_context *context)
{
    kin__notify_restored(context);
}

// ---- checking

// Returns a component of the part that has opaque values with a drop; NULL if no component has.
static const kin_component_info *find_opaque(const kin__context_snapshot *part)
{
    size_t at = 0;
    for (uint32_t id = 0; id < part->info->component_count; id++)
        for (uint32_t chunk = 0; part->info->components[id].has_drops && chunk < part->chunk_count; chunk++)
            if (kin__part_image(part, chunk, id) != NULL)
                return &part->info->components[id];
    for (kin__keepsake *each;
         (each = kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;)
        if (part->info->components[each->id].has_drops)
            return &part->info->components[each->id];
    return NULL;
}

const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE])
{
    const kin_component_info *opaque = find_opaque(part);
    if (part->owners.size > 0 && part->context->core->options.fast_retain != context->core->options.fast_retain)
        return "the snapshot is of another context, and only one of the two has fast_retain; give both the same "
               "options";
    if (opaque == NULL)
        return NULL;
    snprintf(reason, KIN__ADOPT_REASON_SIZE,
             "the snapshot is of another context, and opaque values of %s cannot be copied; restore it there",
             opaque->name);
    return reason;
}

// ---- blocks

static kin__image *copy_column(kin_context *context, const kin__image *image)
{
    kin__image *copy = kin__image_begin(context, (kin_component_id)image->number);
    bool copied = copy != NULL;
    for (uint32_t place = 0; copied && place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            copied = kin__image_set(context, copy, place,
                                    kin__image_value(context->info, image, place, context->core->store->scratch));
    if (copied && kin__image_end(context, copy))
        return copy;
    if (copy != NULL)
        kin__image_let_go(context, copy);
    return NULL;
}

// Returns a copy of the image. NULL when out of memory.
static kin__image *copy_image(kin_context *context, const kin__image *image)
{
    if (image->number < context->info->component_count)
        return copy_column(context, image);
    kin__image *copy = kin__store_take(context, image->number);
    if (copy != NULL)
        memcpy(copy->bytes, image->bytes, kin__image_size(context->info, image->number));
    return copy;
}

static bool copy_images(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t number = 0; number < kin__image_numbers(context->info); number++) {
            const kin__image *image = kin__part_image(part, chunk, number);
            kin__image *copy = image == NULL ? NULL : copy_image(context, image);
            if (copy != NULL)
                kin__part_put(own, chunk, copy);
            else if (image != NULL)
                return false;
        }
    return true;
}

// ---- state outside blocks

static bool copy_keepsake(kin_context *context, kin__keepsake *keepsake)
{
    void *value = kin__keepsake_value(keepsake);
    if (!kin__is_shared(context, keepsake->id))
        return kin__image_own(context, keepsake->id, value, &keepsake->owned_block);
    const void *shared = kin__shared_adopt(context, keepsake->id, *(void *const *)value);
    memcpy(value, &shared, sizeof shared);
    return shared != NULL;
}

// The size of `own` grows with each copied keepsake, so that releasing the part releases them.
static bool copy_keepsakes(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    size_t size = part->keepsakes.size, at = 0;
    if (!kin__bytes_reserve(context, &own->keepsakes, size) ||
        !kin__bytes_reserve(context, &own->kept_lists, part->kept_lists.size))
        return false;
    if (size > 0)
        memcpy(own->keepsakes.at, part->keepsakes.at, size);
    for (kin__keepsake *each; (each = kin__keepsake_next(context, own->keepsakes.at, size, &at)) != NULL;) {
        if (!copy_keepsake(context, each))
            return false;
        own->keepsakes.size = at;
    }
    char *elements = own->kept_lists.at;
    own->kept_lists.size = part->kept_lists.size;
    for (at = 0; at < size;) {
        kin__keepsake *each = kin__keepsake_next(context, own->keepsakes.at, size, &at);
        if (kin__is_owned(context, each->id))
            elements = kin__lists_detach(&context->info->components[each->id], kin__keepsake_value(each), elements);
    }
    return true;
}

static bool copy_shared(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    const void *const *value = part->shared.at;
    if (!kin__part_reserve_shared(own, kin__part_shared_count(part)))
        return false;
    if (part->shared.size > 0)
        memcpy(own->first_uses.at, part->first_uses.at, part->first_uses.size);
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        for (uint32_t i = 0; i < part->limits[id]; i++, value++) {
            const void *copy = *value == NULL ? NULL : kin__shared_adopt(context, (kin_component_id)id, *value);
            if (copy == NULL && *value != NULL)
                return false;
            ((const void **)own->shared.at)[kin__part_shared_count(own)] = copy;
            kin__part_append_shared(own, 1);
            own->limits[id]++;
        }
    return true;
}

static bool copy_bytes(kin_context *context, const kin__bytes *from, kin__bytes *to)
{
    if (!kin__bytes_reserve(context, to, from->size))
        return false;
    if (from->size > 0)
        memcpy(to->at, from->at, from->size);
    to->size = from->size;
    return true;
}

static bool copy_tables(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    own->counts = part->counts;
    memcpy(own->pools, part->pools, kin__part_pool_count(context->info) * sizeof(kin__pool));
    return copy_bytes(context, &part->chunk_pools, &own->chunk_pools) &&
           copy_bytes(context, &part->owners, &own->owners) && copy_bytes(context, &part->held, &own->held) &&
           copy_bytes(context, &part->keys, &own->keys);
}

// ---- the whole part

static kin__context_snapshot *copy_part(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = kin__store_reserve(context, part->chunk_count) ? kin__part_take(context) : NULL;
    if (own == NULL)
        return NULL;
    if (kin__part_reserve(own, part->chunk_count) && copy_tables(context, part, own) &&
        copy_images(context, part, own) && copy_shared(context, part, own) && copy_keepsakes(context, part, own))
        return own;
    kin__part_release(own);
    return NULL;
}

// Copies the part for the restore that follows. False when out of memory.
static bool adopt(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = copy_part(context, part);
    if (own != NULL)
        context->core->store->adopted = own;
    return own != NULL;
}

// Return the part itself if it belongs to the context, else the copy; and release the copy, if one exists.
static const kin__context_snapshot *kin__adopted(const kin_context *context, const kin__context_snapshot *part)
{
    KIN_ASSERT(part->context == context || context->core->store->adopted != NULL);
    return part->context == context ? part : context->core->store->adopted;
}

static void adopted_release(kin_context *context)
{
    kin__store *store = context->core->store;
    if (store == NULL)
        return;
    kin__part_release(store->adopted);
    store->adopted = NULL;
}

// ---- checking

kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb)
{
    kin__attempt attempt = {.verb = verb};
    if (part == NULL) {
        attempt.reason = "the snapshot has no such context, or its context has ended; save it again";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    if (part->info->stamp != context->info->stamp || strcmp(part->info->name, context->info->name) != 0) {
        attempt.reason = "the snapshot is of another schema; restore it in a context like the one that was saved";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    if (kin__part_count(part) > context->core->options.max_entities) {
        attempt.reason = "the snapshot has more entities than max_entities of the context; raise it";
        return kin__report_error(context, KIN_ERROR_LIMIT, &attempt);
    }
    char reason[KIN__ADOPT_REASON_SIZE];
    attempt.reason = part->context == context ? NULL : kin__adopt_find_fault(context, part, reason);
    return attempt.reason == NULL ? KIN_OK : kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

// ---- reserving

static bool reserve_column(kin_context *context, uint32_t chunk, const kin__image *image)
{
    return kin__column_reserve(context, chunk * KIN__CHUNK_SLOTS, (kin_component_id)image->number) != NULL;
}

static bool reserve_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk)
{
    const kin_context_info *info = context->info;
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        if (image != NULL && !reserve_column(context, chunk, image))
            return false;
    }
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (kin__part_image(part, chunk, kin__links_number(info, i)) != NULL &&
            !kin__relations_restore_reserve(context, i, chunk))
            return false;
    return true;
}

static bool reserve_chunks(kin_context *context, const kin__context_snapshot *part)
{
    while (context->chunk_count < part->chunk_count)
        if (!kin__chunk_append(context))
            return false;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        if (!reserve_chunk(context, part, chunk))
            return false;
    return true;
}

// Boxes that become free are not subtracted: their chunks may be restored later.
static bool reserve_boxes(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (!context->info->components[id].is_boxed || context->info->components[id].is_shared)
            continue;
        uint32_t count = kin__keepsakes_cells(context, part->keepsakes.at, part->keepsakes.size, id);
        for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            count += image == NULL ? 0 : column_restore_boxes(context, chunk, image);
        }
        if (count > 0 && !kin__slab_reserve_cells(context, id, count))
            return false;
    }
    return true;
}

static bool reserve_shared(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        if (part->limits[id] > 0 && !kin__shared_numbers_reserve(context, (kin_component_id)id, part->limits[id]))
            return false;
    return true;
}

// Counts the entities with each component, in a table of the store.
static void count_holders(const kin_context *context, const kin__context_snapshot *part)
{
    uint32_t *holders = context->core->store->holders;
    memset(holders, 0, context->info->component_count * sizeof *holders);
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t id = 0; id < context->info->component_count; id++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            holders[id] += image == NULL ? 0 : kin__count_chunk_bits(kin__image_has(image));
        }
}

static bool reserve(kin_context *context, const kin__context_snapshot *part)
{
    uint32_t chunk_count = context->chunk_count > part->chunk_count ? context->chunk_count : part->chunk_count;
    if (!kin__store_reserve(context, chunk_count) || !reserve_chunks(context, part) ||
        !kin__keepsakes_reserve(context, part->keepsakes.at, part->keepsakes.size) || !reserve_boxes(context, part) ||
        !reserve_shared(context, part) ||
        !kin__holds_restore_reserve(context, part->owners.at, kin__part_owner_count(part)))
        return false;
    if (context->core->indices == NULL)
        return true;
    count_holders(context, part);
    kin__index_plan plan = restore_index_plan(context, part);
    return kin__indices_restore_reserve(context, &plan);
}

bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *part)
{
    if (part->context != context && !adopt(context, part))
        return false;
    if (reserve(context, kin__adopted(context, part)))
        return true;
    kin__restore_cancel(context);
    return false;
}

void kin__restore_cancel(kin_context *context)
{
    adopted_release(context);
}

// Returns what indices need to know about the part, which must be reserved.
static kin__index_plan restore_index_plan(const kin_context *context, const kin__context_snapshot *part)
{
    return (kin__index_plan){context->core->store->holders, part->keys.size == 0 ? NULL : part->keys.at};
}
