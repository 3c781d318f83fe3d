// entities.query: the entities that match, with the fields that a viewer wants to see.
//
// Words of 64 slots are combined, then the condition is asked of what is left. Rows are captured as they are found;
// with `order by` their keys are kept in a heap of the best, and the rows are captured at the end.

#include "method/column.h"
#include "method/methods.h"
#include "query/query.h"
#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000, ROWS = 50, KEY_TEXT = 64 };

typedef struct row {
    struct row *next;
    kin_entity entity;
    const void *label;
    const char *name;     // of an entity without a label; NULL: none
    const void *values[]; // by column
} row;

typedef struct ranked {
    kin_entity entity;
    kin__scalar key;
    char text[KEY_TEXT]; // of a text: its first bytes
} ranked;

typedef struct query_task {
    kin__query query;
    kin__view_columns columns;
    json_int_t limit;
    uint32_t after; // the first slot to show
    uint64_t total;
    uint32_t shown;
    row *first, **end;
    uint64_t next; // the slot to go on with; 0: no more
    size_t scratch_size;
    void *scratch;
    ranked *best; // a heap, the worst one first
    uint32_t best_count;
    bool is_cut; // rows of an order did not fit
    bool has_names;
} query_task;

// ---- parameters

static bool parse_query(kin__task *task, query_task *data)
{
    const char *text = kin__parameter_text(task, "query");
    if (kin__query_parse(&data->query, task->site->info, text == NULL ? "" : text, &task->mistake))
        return true;
    task->has_place = true;
    return false;
}

static bool parse_after(kin__task *task, query_task *data)
{
    const char *text = kin__parameter_text(task, "after");
    unsigned long slot = 0;
    int size = 0;
    if (text != NULL && (text[0] < '0' || text[0] > '9' || sscanf(text, "%9lu%n", &slot, &size) != 1 ||
                         text[size] != '\0' || slot >= 1 << 24))
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'after' must be the 'next' of an earlier answer");
    data->after = (uint32_t)slot;
    return true;
}

static bool make_room(kin__task *task, query_task *data)
{
    kin__bounded_heap *heap = &task->service->heap;
    data->scratch_size = kin__query_scratch(task->site->info);
    data->scratch = kin__bounded_allocate(heap, data->scratch_size);
    if (data->scratch != NULL && data->query.has_order)
        data->best = kin__bounded_allocate(heap, MOST_ROWS * sizeof *data->best);
    if (data->scratch == NULL || (data->query.has_order && data->best == NULL))
        return kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
    return kin__task_make_capture(task, KIN__CAPTURE_SIZE, 4096);
}

static bool parse_columns(kin__task *task, query_task *data)
{
    if (!kin__columns_parse(task, "fields", &data->columns))
        return false;
    if (data->columns.count == 0 && kin__parameter_bool(task, "named"))
        kin__columns_add(&data->columns, task->site->info, data->query.named, data->query.named_count);
    return true;
}

static bool parse(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(query_task)))
        return false;
    query_task *data = task->data;
    data->limit = ROWS;
    data->has_names = kin__parameter_bool(task, "names");
    data->end = &data->first;
    return parse_query(task, data) && parse_columns(task, data) && parse_after(task, data) &&
           kin__parameter_integer(task, "limit", 0, MOST_ROWS, &data->limit) && make_room(task, data);
}

static void release(kin__task *task)
{
    query_task *data = task->data;
    if (data == NULL)
        return;
    kin__bounded_release(&task->service->heap, data->scratch, data->scratch_size);
    kin__bounded_release(&task->service->heap, data->best, MOST_ROWS * sizeof *data->best);
}

// ---- rows

static bool capture_row(kin__task *task, query_task *data, kin_entity entity)
{
    size_t before = task->capture.size;
    row *row = kin__capture_reserve(&task->capture, sizeof *row + data->columns.count * sizeof row->values[0]);
    if (row != NULL && kin__columns_capture(task, &data->columns, entity, row->values)) {
        row->entity = entity;
        row->label = kin__capture_label(&task->capture, task->site->context, entity);
        if (data->has_names && row->label == NULL)
            row->name = kin__name_of(task->site->context, entity);
    }
    if (task->capture.is_full) {
        task->capture.size = before;
        return false;
    }
    *data->end = row;
    data->end = &row->next;
    data->shown++;
    return true;
}

static void take_row(kin__task *task, query_task *data, uint32_t slot)
{
    if (slot < data->after || data->limit == 0)
        return;
    if ((json_int_t)data->shown == data->limit)
        data->next = slot;
    else if (!capture_row(task, data, kin_look_entity(task->site->context, slot)))
        data->next = data->shown == 0 ? slot + 1 : slot; // a row that is too large alone is left out
}

// ---- the best rows

static bool is_nan(const kin__scalar *key)
{
    return key->kind == KIN__SCALAR_REAL && isnan(key->as.real);
}

// NaN comes last, also if the order is descending.
static bool is_before(const query_task *data, const ranked *a, const ranked *b)
{
    if (is_nan(&a->key) != is_nan(&b->key))
        return is_nan(&b->key);
    const ranked *left = data->query.is_descending ? b : a, *right = data->query.is_descending ? a : b;
    kin__scalar left_key = left->key, right_key = right->key;
    if (left_key.kind == KIN__SCALAR_TEXT && left_key.as.text != NULL)
        left_key.as.text = left->text;
    if (right_key.kind == KIN__SCALAR_TEXT && right_key.as.text != NULL)
        right_key.as.text = right->text;
    if (kin__compare_precedes(&left_key, &right_key))
        return true;
    return !kin__compare_precedes(&right_key, &left_key) && kin_entity_slot(a->entity) < kin_entity_slot(b->entity);
}

static void swap(ranked *a, ranked *b)
{
    ranked kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(query_task *data, uint32_t count)
{
    for (uint32_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(data, &data->best[child], &data->best[child + 1]))
            child++;
        if (!is_before(data, &data->best[i], &data->best[child]))
            return;
        swap(&data->best[i], &data->best[child]);
    }
}

static void sift_up(query_task *data, uint32_t i)
{
    for (; i > 0 && is_before(data, &data->best[(i - 1) / 2], &data->best[i]); i = (i - 1) / 2)
        swap(&data->best[(i - 1) / 2], &data->best[i]);
}

static void rank(const kin__task *task, query_task *data, kin_entity entity)
{
    ranked found = {.entity = entity};
    if (data->limit == 0 || !kin__query_key(&data->query, task->site->context, entity, data->scratch, &found.key))
        return;
    if (found.key.kind == KIN__SCALAR_TEXT && found.key.as.text != NULL)
        strncpy(found.text, found.key.as.text, KEY_TEXT - 1);
    if ((json_int_t)data->best_count < data->limit) {
        data->best[data->best_count] = found;
        sift_up(data, data->best_count++);
    } else if (is_before(data, &found, &data->best[0])) {
        data->best[0] = found;
        sift_down(data, data->best_count);
    }
}

// Sorts the heap, and captures what is still alive.
static void capture_best(kin__task *task, query_task *data)
{
    for (uint32_t count = data->best_count; count > 1; count--) {
        swap(&data->best[0], &data->best[count - 1]);
        sift_down(data, count - 1);
    }
    for (uint32_t i = 0; i < data->best_count && !data->is_cut; i++)
        data->is_cut = kin_entity_is_alive(task->site->context, data->best[i].entity) &&
                       !capture_row(task, data, data->best[i].entity);
}

// ---- steps

static void take_word(kin__task *task, query_task *data)
{
    uint64_t match = kin__query_word(&data->query, task->site->context, task->cursor, data->scratch);
    data->total += kin__count_bits(match);
    for (; match != 0 && data->next == 0; match &= match - 1) {
        uint32_t slot = 64 * task->cursor + kin__lowest_bit(match);
        if (data->query.has_order)
            rank(task, data, kin_look_entity(task->site->context, slot));
        else
            take_row(task, data, slot);
    }
}

static bool step(kin__task *task, const kin__slice *slice)
{
    query_task *data = task->data;
    uint32_t words = kin_look_words(task->site->context);
    for (uint32_t count = 1; task->cursor < words; count++) {
        take_word(task, data);
        task->cursor++;
        if (count % KIN__SLICE_WORDS == 0 && task->cursor < words && kin__inspect_now() >= slice->deadline)
            return false;
    }
    if (data->query.has_order)
        capture_best(task, data);
    return true;
}

// ---- the answer

static void show(const kin__task *task, kin__json *json)
{
    const query_task *data = task->data;
    char next[16];
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "total", data->total);
    snprintf(next, sizeof next, "%u", (unsigned)data->next);
    kin__json_put_string(json, "next", data->next == 0 ? NULL : next);
    if (data->is_cut)
        kin__json_put_bool(json, "cut", true);
    kin__json_key(json, "rows");
    kin__json_begin(json, '[');
    for (const row *row = data->first; row != NULL; row = row->next) {
        kin__json_begin(json, '{');
        kin__json_key(json, "e");
        kin__json_entity(json, row->entity);
        kin__show_label(json, task->site->info, row->label);
        if (row->name != NULL)
            kin__json_put_string(json, "name", row->name);
        kin__json_key(json, "v");
        kin__columns_show(task, json, &data->columns, row->values);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_query = {
    .name = "entities.query",
    .doc = "The entities that match a query, in order of slot, or the first of an order.",
    .result = "frame, total, next, cut if rows of an order did not fit, rows of e, label or name, and v",
    .has_rows = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"query", "string", false, "the query; without it, all entities"},
                   {"fields", "array", false, "components and fields to show, such as Position or Team.side"},
                   {"named", "boolean", false, "without 'fields' shows the components that the query asks for"},
                   {"names", "boolean", false, "names entities without a label by what they were spawned from"},
                   {"limit", "integer", false, "rows at most, 0 to 1000; 50 without it"},
                   {"after", "string", false, "the next of an earlier answer, to go on there"}},
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};
