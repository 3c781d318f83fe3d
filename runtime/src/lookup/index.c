#include "lookup/internal.h"

#include <kin/inventory.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool kin__index_find_plain(const kin__index *index)
{
    const kin_rule *rule = &index->matcher.rules[0];
    if (index->info->function != NULL || index->leaf_count != 1)
        return false;
    bool is_word = index->leaves->kind == KIN__LEAF_BYTES && index->key_size <= KIN__WORD_SIZE;
    bool names_one = index->matcher.count == 1 && rule->kind == KIN_RULE_ALL && rule->count == 1;
    return is_word && names_one && rule->ids[0] == index->leaves->component;
}

static uint64_t word_at(const kin__index *index, const void *part)
{
    uint64_t word = 0;
    KIN_ASSERT(index->key_size <= sizeof word);
    if (index->key_size == sizeof word)
        memcpy(&word, part, sizeof word);
    else
        memcpy(&word, part, index->key_size);
    return word;
}

static uint64_t new_word(const kin__index *index, const kin__step *step)
{
    return word_at(index, (const char *)step->value + index->leaves->offset);
}

static uint64_t old_word(const kin_context *context, const kin__index *index, kin_entity entity)
{
    const kin__leaf *leaf = index->leaves;
    return word_at(index, kin__value_part(context, kin_entity_slot(entity), leaf->component, leaf->offset));
}

// Reads ahead what the update of a multi index reads, which is most of its time in large tables.
static void prefetch(const kin_context *context, const kin__index *index, const kin__step *step)
{
    const kin__table *table = kin__index_table(context, index);
    if (step->value != NULL)
        kin__prefetch(&table->entries[kin__table_place(table, new_word(index, step))]);
    if (step->kind != KIN__STEP_ADD)
        kin__prefetch(kin__index_slot_data(index, kin_entity_slot(step->entity)));
}

// The parts of kin__indices_check, kin__indices_update and kin__indices_remove_entity for one plain index.
static kin_status plain_check(const kin_context *context, const kin__index *index, const kin__step *step,
                              kin_entity *other)
{
    if (!index->info->is_primary)
        prefetch(context, index, step);
    if (!index->info->is_primary || step->value == NULL)
        return KIN_OK;
    *other = kin__table_find(kin__index_table(context, index), new_word(index, step));
    return *other == 0 || *other == step->entity ? KIN_OK : KIN_ERROR_DUPLICATE_KEY;
}

static void update_primary(kin_context *context, kin__index *index, const kin__step *step)
{
    kin__table *table = kin__index_table(context, index);
    bool is_addition = step->kind == KIN__STEP_ADD;
    uint64_t before = is_addition ? 0 : old_word(context, index, step->entity);
    uint64_t after = step->value == NULL ? 0 : new_word(index, step);
    if (step->kind == KIN__STEP_REPLACE && before == after)
        return;
    if (!is_addition)
        kin__table_erase(table, before, step->entity);
    if (step->value != NULL)
        kin__table_insert(table, after, step->entity);
}

static void update_multi(kin_context *context, kin__index *index, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    if (step->kind == KIN__STEP_REPLACE && kin__list_word(index, slot) == new_word(index, step))
        return;
    if (step->kind != KIN__STEP_ADD)
        kin__list_erase(context, index, slot);
    if (step->value != NULL)
        kin__list_insert_word(context, index, slot, new_word(index, step));
}

// A touch, which has no value, changes no word.
static void plain_update(kin_context *context, kin__index *index, const kin__step *step)
{
    if (step->kind == KIN__STEP_REPLACE && step->value == NULL)
        return;
    index->potential += (uint32_t)(step->kind == KIN__STEP_ADD) - (uint32_t)(step->kind == KIN__STEP_REMOVE);
    if (index->info->is_primary)
        update_primary(context, index, step);
    else
        update_multi(context, index, step);
}

static void plain_remove_entity(kin_context *context, kin__index *index, kin_entity entity)
{
    KIN_ASSERT(index->potential > 0);
    index->potential--;
    if (index->info->is_primary)
        kin__table_erase(kin__index_table(context, index), old_word(context, index, entity), entity);
    else
        kin__list_erase(context, index, kin_entity_slot(entity));
}

static void insert_word(kin_context *context, kin__index *index, kin_entity entity, uint64_t word)
{
    if (index->info->is_primary)
        kin__table_insert(kin__index_table(context, index), word, entity);
    else
        kin__list_insert_word(context, index, kin_entity_slot(entity), word);
}

// Inserts an entity that is counted as a potential member.
static void plain_insert_entity(kin_context *context, kin__index *index, kin_entity entity)
{
    insert_word(context, index, entity, old_word(context, index, entity));
}

// The words are in no order, so that each place in a large table would be waited for.
void kin__plain_insert_places(kin_context *context, kin__index *index, const kin_entity *ids, uint64_t places)
{
    const kin__table *table = kin__index_table(context, index);
    uint64_t words[64], *last = words;
    for (uint64_t bits = places; bits != 0; bits &= bits - 1, last++) {
        *last = old_word(context, index, ids[kin__lowest_bit(bits)]);
        kin__prefetch(&table->entries[kin__table_place(table, *last)]);
    }
    last = words;
    for (uint64_t bits = places; bits != 0; bits &= bits - 1)
        insert_word(context, index, ids[kin__lowest_bit(bits)], *last++);
    index->potential += (uint32_t)(last - words);
}

// ---- checking steps

static kin__step_rows rows_of_step(const kin_context *context, const kin__step *step)
{
    size_t size = context->row_words * sizeof(uint64_t);
    uint64_t *before = context->core->indices->rows;
    uint64_t *after = before + context->row_words;
    KIN_ASSERT(step->id < context->info->component_count && (step->entity != 0 || step->kind == KIN__STEP_ADD));
    if (step->entity == 0)
        memset(before, 0, size);
    else
        memcpy(before, kin__row_of(context, kin_entity_slot(step->entity)), size);
    memcpy(after, before, size);
    if (step->kind != KIN__STEP_REPLACE)
        kin__bits_flip(after, step->id);
    return (kin__step_rows){before, after};
}

kin__step_rows kin__index_step_rows(const kin_context *context, const kin__step *step)
{
    return rows_of_step(context, step);
}

static kin__key new_key(const kin_context *context, const kin__index *index, const kin__step *step)
{
    return kin__key_read(context, kin_entity_slot(step->entity), index,
                         (kin__new_values){.id = step->id, .value = step->value}, index->keys[1]);
}

static kin__key old_key(const kin_context *context, const kin__index *index, kin_entity entity)
{
    return kin__key_read(context, kin_entity_slot(entity), index, (kin__new_values){0}, index->keys[0]);
}

static bool has_key(const kin_context *context, const kin__index *index, kin_entity entity, const unsigned char *key)
{
    uint32_t slot = kin_entity_slot(entity);
    if (index->has_strings)
        return kin__key_is_of_slot(context, slot, index, key);
    return index->slot_size == 0 || memcmp(kin__index_slot_data(index, slot), key, index->key_size) == 0;
}

static kin_entity find(const kin_context *context, const kin__index *index, const unsigned char *key)
{
    const kin__table *table = kin__index_table(context, index);
    uint64_t word = kin__key_word(context, index, key);
    uint32_t place = kin__table_place(table, word);
    KIN_ASSERT(index->info->is_primary && table->count <= table->mask / 2 + 1);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        const kin__entry *entry = &table->entries[place];
        if (entry->word == word && has_key(context, index, entry->value, key))
            return entry->value;
    }
    return 0;
}

static kin_status hash_check(const kin_context *context, const kin__index *index, const kin__step *step,
                             kin_entity *other)
{
    kin__step_rows rows = rows_of_step(context, step);
    if (!kin__index_holds(context, index, rows.after) ||
        (step->kind == KIN__STEP_REPLACE && !kin__index_is_key(index, step->id)))
        return KIN_OK;
    kin__key key = new_key(context, index, step);
    if (key.is_null)
        return KIN_OK;
    if (key.is_none)
        return KIN_ERROR_INVALID;
    *other = index->info->is_primary ? find(context, index, key.bytes) : 0;
    return *other == 0 || *other == step->entity ? KIN_OK : KIN_ERROR_DUPLICATE_KEY;
}

// The general path of the next function, apart from it so that plain indices save no registers for it.
static KIN__NOINLINE kin_status check_by_kind(const kin_context *context, const kin__index *index,
                                              const kin__step *step, kin_entity *other)
{
    return index->kind->check == NULL ? KIN_OK : index->kind->check(context, index, step, other);
}

// Whether an index allows the step. `*other` is the entity that has the key.
static kin_status check(const kin_context *context, const kin__index *index, const kin__step *step, kin_entity *other)
{
    return index->is_plain ? plain_check(context, index, step, other) : check_by_kind(context, index, step, other);
}

// Returns the first index that forbids the step, with the status and the entity that has the key; NULL if none does.
static const kin__index *find_conflict(const kin_context *context, const kin__step *step, kin_status *status,
                                       kin_entity *other)
{
    EACH_INDEX_OF(index, context, step->id)
    {
        *status = check(context, index, step, other);
        if (*status != KIN_OK)
            return index;
    }
    return NULL;
}

kin_status kin__indices_check(const kin_context *context, const kin__step *step)
{
    kin_status status = KIN_OK;
    kin_entity other = 0;
    if (context->core->indices == NULL || find_conflict(context, step, &status, &other) == NULL)
        return KIN_OK;
    return status;
}

void kin__index_describe_key(const kin_context *context, uint32_t slot, const kin__index *index,
                             kin__new_values new_values, char *text, size_t size)
{
    if (index->given != NULL)
        kin__given_keys_describe(index, text, size);
    else
        kin__key_describe(context, slot, index->info, new_values, text, size);
}

void kin__index_describe_invalid(const kin__index *index, const char *key, char *reason, size_t size)
{
    const char *name = index->info->name;
    if (index->given != NULL)
        snprintf(reason, size, "its function gives %" PRIu32 " keys in index %s; give at most %d", index->given->count,
                 name, KIN_INDEX_KEYS);
    else
        snprintf(reason, size, "its key %s in index %s has a NaN; use a number", key, name);
}

void kin__index_describe_taken(const kin_context *context, const kin__index *index, kin_entity holder, const char *key,
                               char *reason, size_t size)
{
    const kin_component_id *off = context->info->off;
    bool is_off = off != NULL && !kin__matcher_names(&index->matcher, *off) && kin_has(context, holder, *off);
    char ending[160] = "; look it up first";
    if (is_off)
        snprintf(ending, sizeof ending, ", and is switched off by %s; switch it on, or use a different key",
                 context->info->components[*off].name);
    snprintf(reason, size, "entity %" PRIu64 " in slot %" PRIu32 " has the key %s in index %s%s",
             kin_entity_creation_index(holder), kin_entity_slot(holder), key, index->info->name, ending);
}

kin_status kin__indices_describe(const kin_context *context, const kin__step *step, char reason[KIN__KEY_REASON_SIZE])
{
    char key[120];
    kin_status status = KIN_OK;
    kin_entity other = 0;
    const kin__index *index = find_conflict(context, step, &status, &other);
    KIN_ASSERT(index != NULL);
    kin__new_values new_values = {.id = step->id, .value = step->value};
    kin__index_describe_key(context, kin_entity_slot(step->entity), index, new_values, key, sizeof key);
    if (status == KIN_ERROR_INVALID)
        kin__index_describe_invalid(index, key, reason, KIN__KEY_REASON_SIZE);
    else
        kin__index_describe_taken(context, index, other, key, reason, KIN__KEY_REASON_SIZE);
    return status;
}

kin_status kin__indices_report_error(const kin_context *context, const kin__step *step, const char *verb,
                                     bool is_unique)
{
    char reason[KIN__KEY_REASON_SIZE];
    kin_status status = kin__indices_describe(context, step, reason);
    kin__attempt attempt = {.verb = verb,
                            .entity = is_unique ? 0 : step->entity,
                            .component = context->info->components[step->id].name,
                            .reason = reason,
                            .is_unique = is_unique};
    return kin__report_error(context, status, &attempt);
}

// ---- updating

// Whether the table has no more entries than invariant 4 allows.
static bool is_count_possible(const kin_context *context, const kin__index *index)
{
    return kin__index_table(context, index)->count <= (uint64_t)index->potential + index->pinned_count;
}

// Keeps the prefix of a string that is the whole key, filled up with zeros.
static void keep_string(const kin__index *index, uint32_t slot, const unsigned char *key)
{
    const char *string;
    memcpy(&string, key, sizeof string);
    KIN_ASSERT(string != NULL && index->leaf_count == 1 && index->slot_size == KIN__STRING_PREFIX);
    size_t size = strlen(string);
    char *kept = memset(kin__index_slot_data(index, slot), 0, KIN__STRING_PREFIX);
    memcpy(kept, string, kin__min_size(size, KIN__STRING_PREFIX));
}

static void insert_key(kin_context *context, kin__index *index, kin_entity entity, const unsigned char *key)
{
    uint32_t slot = kin_entity_slot(entity);
    if (!index->info->is_primary) {
        kin__list_insert(context, index, slot, key);
        return;
    }
    KIN_VALIDATE(find(context, index, key) == 0); // invariant 4
    kin__table_insert(kin__index_table(context, index), kin__key_word(context, index, key), entity);
    if (index->has_strings && index->slot_size > 0)
        keep_string(index, slot, key);
    else if (index->slot_size > 0)
        memcpy(kin__index_slot_data(index, slot), key, index->key_size);
}

static void erase_key(kin_context *context, kin__index *index, kin_entity entity, const unsigned char *key)
{
    if (index->info->is_primary)
        kin__table_erase(kin__index_table(context, index), kin__key_word(context, index, key), entity);
    else
        kin__list_erase(context, index, kin_entity_slot(entity));
}

// Whether an entity with the key is in the index. kin__indices_check refuses a step to a NaN, which only a file has.
static bool is_held(const kin__key *key)
{
    return !key->is_null && !key->is_none;
}

static void hash_update(kin_context *context, kin__index *index, const kin__step *step)
{
    kin__step_rows rows = rows_of_step(context, step);
    KIN_ASSERT(index->potential > 0 || !kin__index_may_hold(index, rows.before));
    bool matched_before = kin__index_holds(context, index, rows.before);
    bool matches_now = kin__index_holds(context, index, rows.after);
    kin__key before = {0};
    kin__key after = {0};
    index->potential +=
        (uint32_t)kin__index_may_hold(index, rows.after) - (uint32_t)kin__index_may_hold(index, rows.before);
    if (matched_before)
        before = old_key(context, index, step->entity);
    if (matches_now)
        after = new_key(context, index, step);
    bool had_key = matched_before && is_held(&before);
    bool has_key_now = matches_now && is_held(&after);
    if (had_key && has_key_now && kin__keys_are_equal(index, before.bytes, after.bytes))
        return;
    if (had_key)
        erase_key(context, index, step->entity, before.bytes);
    if (has_key_now)
        insert_key(context, index, step->entity, after.bytes);
}

static KIN__NOINLINE void update_by_kind(kin_context *context, kin__index *index, const kin__step *step)
{
    if (step->kind != KIN__STEP_REPLACE || kin__index_is_key(index, step->id))
        index->kind->update(context, index, step);
}

static void update(kin_context *context, kin__index *index, const kin__step *step)
{
    if (index->is_plain)
        plain_update(context, index, step);
    else
        update_by_kind(context, index, step);
}

void kin__indices_update(kin_context *context, const kin__step *step)
{
    if (context->core->indices == NULL)
        return;
    EACH_INDEX_OF(index, context, step->id)
    {
        update(context, index, step);
        KIN_ASSERT(index->kind != &kin__hash_index || is_count_possible(context, index)); // invariant 4
    }
}

static void hash_insert(kin_context *context, kin__index *index, kin_entity entity)
{
    kin__key key = old_key(context, index, entity);
    if (is_held(&key))
        insert_key(context, index, entity, key.bytes);
}

static void hash_remove(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row)
{
    KIN_ASSERT(index->potential > 0);
    index->potential--;
    if (!kin__index_holds(context, index, row))
        return;
    kin__key key = old_key(context, index, entity);
    if (is_held(&key))
        erase_key(context, index, entity, key.bytes);
    KIN_ASSERT(is_count_possible(context, index)); // invariant 4
}

void kin__index_insert_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row)
{
    if (!kin__index_may_hold(index, row))
        return;
    index->potential++;
    if (index->is_plain) {
        plain_insert_entity(context, index, entity);
        return;
    }
    if (kin__index_holds(context, index, row))
        index->kind->insert(context, index, entity);
}

void kin__index_remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row)
{
    if (!kin__index_may_hold(index, row))
        return;
    if (index->is_plain)
        plain_remove_entity(context, index, entity);
    else
        index->kind->remove(context, index, entity, row);
}

void kin__indices_remove_entity(kin_context *context, kin_entity entity, const uint64_t *lost)
{
    for (uint32_t i = 0; i < context->info->index_count; i++)
        kin__index_remove_entity(context, &context->core->indices->indices[i], entity, lost);
}

uint32_t kin__indices_count_reached(const kin_context *context, const uint64_t *row)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < context->info->index_count; i++)
        count += kin__index_may_hold(&context->core->indices->indices[i], row);
    return count;
}

// ---- clones

bool kin__indices_have_primary(const kin_context *context, kin_component_id id)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin_index_info *info = &context->info->indices[i];
        if (info->is_primary && !info->is_custom && info->key[0].component == id)
            return true;
    }
    return false;
}

const kin_index_info *kin__indices_find_clone_conflict(const kin_context *context, kin_entity source)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin__index *index = &context->core->indices->indices[i];
        uint32_t slot = kin_entity_slot(source);
        if (!index->info->is_primary || !index->info->is_custom ||
            !kin__index_holds(context, index, kin__row_of(context, slot)))
            continue;
        if (index->given != NULL ? kin__given_keys_have(index, slot) : !old_key(context, index, source).is_null)
            return index->info;
    }
    return NULL;
}

// Whether a clone can be in an index whose keys a function gives. Reads the values of the source, which the clone gets.
static kin_status check_given(const kin_context *context, const kin__index *index, kin_entity source,
                              const uint64_t *row)
{
    if (!kin__index_may_hold(index, row))
        return KIN_OK;
    if (!kin__given_keys_read(context, index, kin_entity_slot(source), (kin__new_values){0}))
        return KIN_ERROR_INVALID;
    bool is_taken = index->info->is_primary && kin__index_holds(context, index, row) &&
                    kin__given_keys_find_other(context, index, 0) != 0;
    return is_taken ? KIN_ERROR_DUPLICATE_KEY : KIN_OK;
}

// Whether a clone can get the component `id`. `row` is that of the clone, with that component.
static kin_status check_step(const kin_context *context, kin_entity source, const uint64_t *row, kin_component_id id)
{
    EACH_INDEX_OF(index, context, id)
    {
        if (index->kind->check == NULL)
            continue;
        kin_status status = index->given == NULL ? KIN_OK : check_given(context, index, source, row);
        if (status != KIN_OK)
            return status;
        if (index->given != NULL || !kin__index_holds(context, index, row))
            continue;
        kin__key key = old_key(context, index, source);
        if (key.is_null)
            continue;
        if (key.is_none)
            return KIN_ERROR_INVALID;
        if (index->info->is_primary && find(context, index, key.bytes) != 0)
            return KIN_ERROR_DUPLICATE_KEY;
    }
    return KIN_OK;
}

kin_status kin__indices_check_clone(const kin_context *context, kin_entity source, kin__is_cloned *is_cloned,
                                    kin_component_id *at)
{
    kin_status status = KIN_OK;
    if (context->core->indices == NULL)
        return KIN_OK;
    uint64_t *row = context->core->indices->rows;
    memset(row, 0, context->row_words * sizeof *row);
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (status != KIN_OK || !is_cloned(context, id))
            continue;
        *at = (kin_component_id)id;
        kin__bits_add(row, id);
        status = check_step(context, source, row, *at);
    }
    return status;
}

// ---- finding

kin_entity kin__index_find_bytes(const kin_context *context, uint32_t number, const unsigned char *bytes)
{
    KIN_ASSERT(number < context->info->index_count);
    return find(context, &context->core->indices->indices[number], bytes);
}

kin_entity kin__index_find_given(const kin_context *context, uint32_t number, const kin__key *key)
{
    return key->is_none ? 0 : kin__list_find(context, &context->core->indices->indices[number], key->bytes, 0);
}

// Finds by an inline string that is the whole key. The key would be the text filled up with zeros; it is not made.
kin_entity kin__index_find_text(const kin_context *context, uint32_t number, const char *text, size_t capacity)
{
    const kin__index *index = &context->core->indices->indices[number];
    const kin__table *table = &context->tables[number];
    size_t size = text != NULL ? strlen(text) : capacity;
    KIN_ASSERT(index->info->is_primary && index->leaf_count == 1 && index->key_size == capacity);
    if (size >= capacity)
        return 0;
    uint64_t word = kin__key_hash(table->factors, text, size);
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        kin_entity entity = table->entries[place].value;
        if (table->entries[place].word == word &&
            memcmp(kin__index_slot_data(index, kin_entity_slot(entity)), text, size + 1) == 0)
            return entity;
    }
    return 0;
}

// A string that is looked up, of any length.
typedef struct wanted_string {
    const char *letters;
    size_t size;
} wanted_string;

// Whether the key in a slot is the string. The prefix contains a short string completely, with its NUL.
static bool has_string(const kin_context *context, const kin__index *index, uint32_t slot, wanted_string wanted)
{
    bool is_short = wanted.size < KIN__STRING_PREFIX;
    if (memcmp(kin__index_slot_data(index, slot), wanted.letters, is_short ? wanted.size + 1 : KIN__STRING_PREFIX) != 0)
        return false;
    if (is_short)
        return true;
    const char *string, *value = kin__value_of(context, slot, index->leaves->component);
    memcpy(&string, value + index->leaves->offset, sizeof string);
    return strcmp(string + KIN__STRING_PREFIX, wanted.letters + KIN__STRING_PREFIX) == 0;
}

kin_entity kin__index_find_string(const kin_context *context, uint32_t number, const char *string)
{
    const kin__index *index = &context->core->indices->indices[number];
    const kin__table *table = &context->tables[number];
    KIN_ASSERT(index->info->is_primary && index->has_strings && index->leaf_count == 1);
    if (string == NULL)
        return 0;
    wanted_string wanted = {string, strlen(string)};
    uint64_t word = kin__key_hash(table->factors, string, wanted.size);
    uint32_t place = kin__table_place(table, word);
    for (; table->entries[place].value != 0; place = (place + 1) & table->mask) {
        kin_entity entity = table->entries[place].value;
        if (table->entries[place].word == word && has_string(context, index, kin_entity_slot(entity), wanted))
            return entity;
    }
    return 0;
}

// ---- validation

// Checks invariant 1 for one entity, and counts the entity if it is in the index.
static bool is_valid(const kin_context *context, const kin__index *index, kin_entity entity, uint32_t *members)
{
    if (!kin__index_holds(context, index, kin__row_of(context, kin_entity_slot(entity))))
        return true;
    kin__key key = old_key(context, index, entity);
    if (!is_held(&key))
        return true; // the exception of invariant 1
    ++*members;
    return index->info->is_primary ? find(context, index, key.bytes) == entity
                                   : kin__list_has(context, index, kin_entity_slot(entity), key.bytes);
}

// Checks invariants 1 to 3 of an index whose keys are made of fields.
static bool are_members_valid(const kin_context *context, const kin__index *index)
{
    uint32_t members = 0;
    uint32_t potential = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (kin_entity_creation_index(entity) == 0)
            continue;
        potential += kin__index_may_hold(index, kin__row_of(context, slot));
        if (!is_valid(context, index, entity, &members))
            return false;
    }
    uint32_t key_count = index->info->is_primary ? kin__index_table(context, index)->count : kin__list_count(index);
    bool has_room = index->info->is_primary ? potential <= kin__index_table(context, index)->mask / 2 + 1
                                            : potential <= index->nodes.capacity;
    return potential == index->potential && members == key_count && has_room;
}

bool kin__hash_table_is_valid(const kin_context *context, const kin__index *index)
{
    bool has_lists = !index->info->is_primary || index->given != NULL;
    return kin__table_is_valid(kin__index_table(context, index)) && is_count_possible(context, index) &&
           (!has_lists || kin__list_is_valid(context, index));
}

static bool hash_is_valid(const kin_context *context, const kin__index *index)
{
    return kin__hash_table_is_valid(context, index) && are_members_valid(context, index);
}

bool kin__indices_are_valid(const kin_context *context)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin__index *index = &context->core->indices->indices[i];
        if (!index->kind->is_valid(context, index))
            return false;
    }
    return true;
}

// Copies the entities of a key into an array of the caller, in order of slot, and writes nothing else: several threads
// may copy at once.
//
// The list of a key is in no order. The array is a heap with the highest slot first while the list is walked: an entity
// with a lower slot takes the place of the first when the array is full. Then the heap is sorted.
//
// Cost: the list, times the logarithm of the capacity; only a copy if the context has a current array of the key.

// Returns whether the first entity is after the second.
static bool is_above(kin_entity a, kin_entity b)
{
    return kin_entity_slot(a) > kin_entity_slot(b);
}

// Puts an entity into the free place at the top of a heap.
static void sink(kin_entity *heap, uint32_t count, kin_entity entity)
{
    uint32_t place = 0;
    uint32_t child;
    while ((child = place * 2 + 1) < count) {
        child += child + 1 < count && is_above(heap[child + 1], heap[child]);
        if (!is_above(heap[child], entity))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = entity;
}

// Appends an entity to a heap.
static void rise(kin_entity *heap, uint32_t count, kin_entity entity)
{
    uint32_t place = count;
    for (; place > 0 && is_above(entity, heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = entity;
}

static void sort_heap(kin_entity *heap, uint32_t count)
{
    for (uint32_t left = count; left > 1;) {
        kin_entity last = heap[--left];
        heap[left] = heap[0];
        sink(heap, left, last);
    }
}

static kin_entity entity_at(const kin_context *context, const kin__index *index, uint32_t at)
{
    uint32_t slot = index->given != NULL ? ((const kin__kept_key *)kin__index_slot_data(index, at))->slot : at;
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// Copies the entities with the lowest slots from the list that begins at `first`, counted from 1.
static void copy_lowest(const kin_context *context, const kin__index *index, uint32_t first, kin_entity *entities,
                        uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t at = first - 1; at != KIN__NO_SLOT && capacity > 0; at = kin__list_next(index, at)) {
        kin_entity entity = entity_at(context, index, at);
        if (count < capacity)
            rise(entities, count++, entity);
        else if (is_above(entities[0], entity))
            sink(entities, count, entity);
    }
    sort_heap(entities, count);
}

uint32_t kin__index_copy(const kin_context *context, uint32_t number, const kin__key *key, kin_entity *entities,
                         uint32_t capacity)
{
    const kin__index *index = &context->core->indices->indices[number];
    KIN_ASSERT(number < context->info->index_count && !index->info->is_primary);
    const kin__key_node *node = key->is_none ? NULL : kin__list_node(context, index, key->bytes);
    if (node == NULL || node->count == 0)
        return 0;
    if (!node->is_stale && capacity >= node->count)
        memcpy(entities, node->list.elements, node->count * sizeof *entities);
    else
        copy_lowest(context, index, node->first, entities, capacity);
    return node->count;
}

// Walks over the entities of an index (kin/inventory.h), in an order that depends on what is in it alone, and not on
// hashes or on earlier changes: of a primary index by slot; of others by key, keys by the lowest slot with them, and
// the entities of a key by slot.

enum { KEY_SIZE = 120 };

typedef struct walk {
    const kin_context *context;
    const kin__index *index;
    kin_index_visitor *visit;
    void *user;
} walk;

// `at` is a slot, or the number of a kept key.
static void visit_entry(const walk *walk, uint32_t at, uint32_t place, uint32_t count)
{
    char key[KEY_SIZE];
    const kin__kept_key *kept = walk->index->given != NULL ? kin__index_slot_data(walk->index, at) : NULL;
    uint32_t slot = kept != NULL ? kept->slot : at;
    kin_entity entity = kin__chunk_of_slot(walk->context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    if (kept != NULL)
        kin__kept_key_describe(walk->index, kept, key, sizeof key);
    else
        kin__key_describe(walk->context, slot, walk->index->info, (kin__new_values){0}, key, sizeof key);
    kin_index_entry entry = {.key = key, .entity = entity, .place = place, .count = count};
    walk->visit(&entry, walk->user);
}

// Whether the entity of a slot that has the first component of the key is in the primary index.
static bool is_in(const walk *walk, uint32_t slot)
{
    if (!kin__matcher_holds(&walk->index->matcher, kin__row_of(walk->context, slot), walk->context->row_words))
        return false;
    kin__key key = kin__key_read(walk->context, slot, walk->index, (kin__new_values){0}, walk->index->keys[0]);
    return is_held(&key);
}

static void walk_primary(const walk *walk)
{
    kin_component_id first = walk->index->info->key[0].component;
    for (uint32_t slot = 0; slot < walk->context->chunk_count * KIN__CHUNK_SLOTS; slot += 64) {
        const kin__column *column = kin__column_of(walk->context, slot, first);
        for (uint64_t bits = column->has[slot % KIN__CHUNK_SLOTS / 64]; bits != 0; bits &= bits - 1) {
            uint32_t at = slot + kin__lowest_bit(bits);
            if (is_in(walk, at))
                visit_entry(walk, at, 0, 1);
        }
    }
}

// Visits the list that begins with a slot or kept key, if one does.
static void walk_list_from(const walk *walk, uint32_t at)
{
    uint32_t count = kin__list_length_from(walk->index, at);
    for (uint32_t place = 0; place < count; place++, at = kin__list_next(walk->index, at))
        visit_entry(walk, at, place, count);
}

// Walks the lists of a multi index, or of an index whose keys a function gives.
void kin__lists_walk(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user)
{
    const walk *walk = &(struct walk){context, index, visit, user};
    kin__lists_sort(walk->index);
    for (uint32_t slot = 0; slot < walk->context->chunk_count * KIN__CHUNK_SLOTS; slot++)
        if (walk->index->given != NULL) {
            for (uint32_t at = kin__given_keys_first(walk->index, slot); at != KIN__NO_SLOT;
                 at = kin__given_keys_next(walk->index, at))
                walk_list_from(walk, at);
        } else if (kin__index_has_block(walk->index, slot)) {
            walk_list_from(walk, slot);
        } else {
            slot |= KIN__CHUNK_SLOTS - 1;
        }
}

static void hash_walk(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user)
{
    if (index->info->is_primary)
        walk_primary(&(walk){context, index, visit, user});
    else
        kin__lists_walk(context, index, visit, user);
}

static uint32_t hash_count(const kin_context *context, const kin__index *index)
{
    return index->info->is_primary ? kin__index_table(context, index)->count : kin__list_count(index);
}

uint32_t kin_index_count(const kin_context *context, uint32_t index)
{
    if (index >= context->info->index_count)
        return 0;
    const kin__index *found = &context->core->indices->indices[index];
    return found->kind->count(context, found);
}

uint32_t kin_index_lost(const kin_context *context, uint32_t index)
{
    if (index >= context->info->index_count || context->core->indices->indices[index].grid == NULL)
        return 0;
    return context->core->indices->indices[index].grid->lost;
}

uint32_t kin__index_refresh(kin_context *context, uint32_t number)
{
    kin__index *index = &context->core->indices->indices[number];
    KIN_ASSERT(number < context->info->index_count && index->kind->refresh != NULL);
    if (kin__context_is_shared(context)) {
        kin__refuse_shared(context);
        return 0;
    }
    uint32_t count = index->kind->refresh(context, index);
    KIN_VALIDATE(kin__indices_are_valid(context));
    return count;
}

void kin_index_walk(const kin_context *context, uint32_t index, kin_index_visitor *visit, void *user)
{
    if (index >= context->info->index_count || visit == NULL)
        return;
    if (kin__context_is_shared(context)) { // a walk sorts lists, and writes keys
        kin__refuse_shared(context);
        return;
    }
    const kin__index *found = &context->core->indices->indices[index];
    found->kind->walk(context, found, visit, user);
}

const kin__index_kind kin__hash_index = {
    .make = kin__hash_make,
    .release = kin__hash_release,
    .check = hash_check,
    .reserve = kin__hash_reserve,
    .update = hash_update,
    .remove = hash_remove,
    .insert = hash_insert,
    .restore_reserve = kin__hash_restore_reserve,
    .clear = kin__hash_clear,
    .fill = kin__index_fill,
    .count = hash_count,
    .walk = hash_walk,
    .trim = kin__hash_trim,
    .used = kin__hash_used,
    .is_valid = hash_is_valid,
};
