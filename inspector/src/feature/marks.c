// Marks: copies of the entities that matched a query, to be compared with another moment.
//
//   [ entity, parts | part: id, size, bytes | part | entity, parts | … ]     in order of slots
//
// A part has the first 64 bytes of a component; a flag has none. Entities are in order of their slots, so that two
// marks are compared in one walk. For the thread of the host; a mark that does not fit is incomplete and says so.
#include "feature/internal.h"

#include <string.h>

enum { KIN__MAX_MARKS = 8, KIN__MARK_SIZE = 512 * 1024, KIN__MARKED_BYTES = 64 };

typedef struct marked_part {
    kin_component_id id;
    uint16_t size;
    uint32_t whole; // bytes with this header, rounded up
} marked_part;

typedef struct kin__marked {
    kin_entity entity;
    uint32_t part_count;
    uint32_t whole; // bytes with all parts
} kin__marked;

typedef struct site_mark {
    char *at; // from the heap, or NULL if the place is unused
    size_t size;
    uint32_t number;
    uint32_t count; // entities
    uint64_t frame;
    bool is_complete;
} site_mark;

typedef struct kin__site_marks {
    kin__bounded_heap *heap;
    uint32_t last_number;
    site_mark places[KIN__MAX_MARKS];
} kin__site_marks;

// ---- marks

enum { MOST_COMPONENTS = 1024, SCRATCH = 4096 };

static size_t round_up(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

// Copies the start of a component behind its header. Hidden ones are left out, and so are large ones without a struct.
static void copy_value(const kin_context *context, kin_entity entity, marked_part *part, uint32_t whole)
{
    const void *value = kin_get(context, entity, part->id);
    uint64_t scratch[SCRATCH / 8] = {0};
    bool can_be_read = value == NULL && whole <= SCRATCH;
    if (can_be_read && kin_look_read(context, entity, part->id, scratch))
        value = scratch;
    if (value == NULL)
        part->size = 0;
    if (part->size > 0)
        memcpy(part + 1, value, part->size);
}

static bool append_part(site_mark *mark, const kin_context *context, kin_entity entity, kin_component_id id)
{
    uint32_t whole = (uint32_t)kin_context_info_of(context)->components[id].size;
    uint16_t size = (uint16_t)kin__min_32(whole, KIN__MARKED_BYTES);
    size_t needed = sizeof(marked_part) + round_up(size);
    if (needed > KIN__MARK_SIZE - mark->size)
        return false;
    KIN_ASSERT(mark->size + needed <= KIN__MARK_SIZE && mark->size % 8 == 0);
    marked_part *part = (marked_part *)(void *)(mark->at + mark->size);
    *part = (marked_part){id, size, (uint32_t)needed};
    copy_value(context, entity, part, whole);
    mark->size += needed;
    return true;
}

// Appends an entity. Returns false, and the mark is then incomplete, when it does not fit.
static bool site_mark_append(site_mark *mark, const kin_context *context, kin_entity entity)
{
    kin_component_id ids[MOST_COMPONENTS];
    size_t begin = mark->size;
    uint32_t count = kin_entity_components(context, entity, ids, MOST_COMPONENTS);
    bool fits = count <= MOST_COMPONENTS && sizeof(kin__marked) <= KIN__MARK_SIZE - mark->size;
    if (fits)
        mark->size += sizeof(kin__marked);
    kin__marked marked = {.entity = entity};
    for (uint32_t i = 0; fits && i < count; i++) {
        if (kin_context_info_of(context)->components[ids[i]].inspect == KIN_INSPECT_HIDDEN)
            continue;
        fits = append_part(mark, context, entity, ids[i]);
        marked.part_count++;
    }
    if (!fits) {
        mark->size = begin;
        mark->is_complete = false;
        return false;
    }
    marked.whole = (uint32_t)(mark->size - begin);
    memcpy(mark->at + begin, &marked, sizeof marked);
    mark->count++;
    return true;
}

// Returns the entity after `marked`, or the first one for NULL. Returns NULL at the end.
static const kin__marked *site_mark_next(const site_mark *mark, const kin__marked *marked)
{
    const char *at = mark->at;
    if (marked != NULL)
        at = (const char *)marked + marked->whole;
    if (at == mark->at + mark->size)
        return NULL;
    KIN_ASSERT(at < mark->at + mark->size);
    return (const kin__marked *)(const void *)at;
}

// Returns the part after `part`, or the first one for NULL. Returns NULL at the end. The bytes of a part follow it.
static const marked_part *marked_next(const kin__marked *marked, const marked_part *part)
{
    const char *at = (const char *)(marked + 1);
    const char *end = (const char *)marked + marked->whole;
    if (part != NULL)
        at = (const char *)part + part->whole;
    if (at == end)
        return NULL;
    KIN_ASSERT(at < end);
    return (const marked_part *)(const void *)at;
}

static const marked_part *marked_find(const kin__marked *marked, kin_component_id id)
{
    const marked_part *part = marked_next(marked, NULL);
    while (part != NULL && part->id != id)
        part = marked_next(marked, part);
    return part;
}

static site_mark *site_marks_find(kin__site_marks *marks, uint32_t number)
{
    for (uint32_t i = 0; marks != NULL && i < KIN__MAX_MARKS; i++)
        if (marks->places[i].at != NULL && marks->places[i].number == number)
            return &marks->places[i];
    return NULL;
}

void kin__site_marks_release(kin__site_marks *marks)
{
    if (marks == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_MARKS; i++)
        kin__bounded_release(marks->heap, marks->places[i].at, KIN__MARK_SIZE);
    kin__bounded_release(marks->heap, marks, sizeof *marks);
}

// ---- methods

// marks.take, .diff and .drop: what differs between two moments.

enum { MOST_ROWS = 1000 };

typedef struct diff_row {
    kin__row_kind kind;
    kin_entity entity;
    kin_component_id component;
    uint16_t was_size, is_size;
    char was[KIN__MARKED_BYTES], is[KIN__MARKED_BYTES];
} diff_row;

typedef struct marks_task {
    kin__query query;
    size_t scratch_size;
    void *scratch;
    kin__site_marks *made;
    site_mark mark; // that is taken, or now
    json_int_t from, to, number, limit;
    uint32_t counts[KIN__ROW_KINDS], row_count;
    diff_row *rows; // in the capture
} marks_task;

// ---- parameters

static bool make_mark(kin__task *task, marks_task *data)
{
    kin__bounded_heap *heap = &task->service->heap;
    data->scratch_size = kin__query_scratch(task->site->info);
    data->scratch = kin__bounded_allocate(heap, data->scratch_size);
    data->mark = (site_mark){.at = kin__bounded_zeros(heap, KIN__MARK_SIZE), .is_complete = true};
    bool has_memory = data->scratch != NULL && data->mark.at != NULL;
    return has_memory || kin__task_fail_memory(task);
}

static bool parse_take(kin__task *task)
{
    marks_task *data = task->data;
    data->made = kin__bounded_zeros(&task->service->heap, sizeof *data->made);
    if (data->made == NULL)
        return kin__task_fail_memory(task);
    data->made->heap = &task->service->heap;
    return kin__parameter_query(task, &data->query) && make_mark(task, data);
}

static bool parse_diff(kin__task *task)
{
    marks_task *data = task->data;
    data->limit = 100;
    return kin__parameter_integer(task, "from", &data->from) && kin__parameter_integer(task, "to", &data->to) &&
           kin__parameter_integer(task, "limit", &data->limit) && kin__parameter_query(task, &data->query) &&
           make_mark(task, data) && kin__task_make_capture(task, (MOST_ROWS + 1) * sizeof(diff_row), 0);
}

static bool parse_drop(kin__task *task)
{
    return kin__parameter_integer(task, "mark", &((marks_task *)task->data)->number);
}

static void release(kin__task *task)
{
    marks_task *data = task->data;
    kin__bounded_release(&task->service->heap, data->scratch, data->scratch_size);
    kin__bounded_release(&task->service->heap, data->mark.at, KIN__MARK_SIZE);
    kin__site_marks_release(data->made);
}

// ---- taking

// Goes on with the copy until the deadline. Returns whether it is done.
static bool copy(kin__task *task)
{
    marks_task *data = task->data;
    uint32_t words = kin_look_words(task->site->context);
    while (task->cursor < words) {
        // Copies the entities of one word of slots that match.
        uint32_t word = task->cursor++;
        const kin_context *context = task->site->context;
        uint64_t match = kin__query_word(&data->query, context, word, data->scratch);
        for (; match != 0; match &= match - 1)
            site_mark_append(&data->mark, context, kin_look_entity(context, word * 64 + kin__lowest_bit(match)));
        if (kin__task_ends_slice(task, words))
            return false;
    }
    data->mark.frame = task->frame;
    return true;
}

static bool step_take(kin__task *task)
{
    marks_task *data = task->data;
    kin__site *site = (kin__site *)(uintptr_t)task->site; // only the thread of the host has its marks
    if (!copy(task))
        return false;
    if (site->marks == NULL) {
        site->marks = data->made;
        data->made = NULL;
    }
    uint32_t place = 0;
    while (place < KIN__MAX_MARKS && site->marks->places[place].at != NULL)
        place++;
    if (place == KIN__MAX_MARKS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "a context has at most %d marks; drop one", KIN__MAX_MARKS);
    data->mark.number = ++site->marks->last_number;
    site->marks->places[place] = data->mark;
    data->mark.at = NULL;
    return true;
}

static void show_take(const kin__task *task, kin__json *json)
{
    const marks_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "mark", data->mark.number);
    kin__json_put_natural(json, "count", data->mark.count);
    kin__json_put_bool(json, "complete", data->mark.is_complete);
}

// ---- comparing

static diff_row *add_row(marks_task *data, kin__row_kind kind, kin_entity entity)
{
    KIN_ASSERT(kind < KIN__ROW_KINDS);
    data->counts[kind]++;
    if (data->row_count >= data->limit)
        return NULL;
    diff_row *row = &data->rows[data->row_count++];
    row->kind = kind;
    row->entity = entity;
    return row;
}

static uint16_t copy_part(char *bytes, const marked_part *part)
{
    if (part == NULL)
        return 0;
    memcpy(bytes, part + 1, part->size);
    return part->size;
}

static void fill_row(diff_row *row, kin_component_id id, const marked_part *was, const marked_part *is)
{
    if (row == NULL)
        return;
    row->component = id;
    row->was_size = copy_part(row->was, was);
    row->is_size = copy_part(row->is, is);
}

// Whether a field that is whole in both differs. Texts and lists are not compared.
static bool differs(const kin_component_info *info, const marked_part *was, const marked_part *is)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (!kin__field_is_known(field, kin__min_32(was->size, is->size)))
            continue;
        if (memcmp((const char *)(was + 1) + field->offset, (const char *)(is + 1) + field->offset, field->size) != 0)
            return true;
    }
    return false;
}

static void compare_parts(const kin__task *task, marks_task *data, const kin__marked *before, const kin__marked *after)
{
    const marked_part *part = NULL;
    while ((part = marked_next(before, part)) != NULL) {
        const marked_part *now = marked_find(after, part->id);
        if (now == NULL)
            fill_row(add_row(data, KIN__ROW_LOST, before->entity), part->id, part, NULL);
        else if (differs(&task->site->info->components[part->id], part, now))
            fill_row(add_row(data, KIN__ROW_CHANGED, before->entity), part->id, part, now);
    }
    while ((part = marked_next(after, part)) != NULL)
        if (marked_find(before, part->id) == NULL)
            fill_row(add_row(data, KIN__ROW_GOT, before->entity), part->id, NULL, part);
}

// The end of a mark is after all slots.
static uint32_t slot_of(const kin__marked *marked)
{
    return marked == NULL ? UINT32_MAX : kin_entity_slot(marked->entity);
}

// Walks both in order of slots.
static void compare(const kin__task *task, marks_task *data, const site_mark *from, const site_mark *to)
{
    const kin__marked *before = site_mark_next(from, NULL);
    const kin__marked *after = site_mark_next(to, NULL);
    while (before != NULL || after != NULL) {
        uint32_t old_slot = slot_of(before);
        uint32_t new_slot = slot_of(after);
        bool is_same = old_slot == new_slot && before->entity == after->entity;
        if (is_same)
            compare_parts(task, data, before, after);
        if (old_slot <= new_slot) {
            if (!is_same)
                add_row(data, KIN__ROW_GONE, before->entity);
            before = site_mark_next(from, before);
        }
        if (new_slot <= old_slot) {
            if (!is_same)
                add_row(data, KIN__ROW_APPEARED, after->entity);
            after = site_mark_next(to, after);
        }
    }
}

static bool step_diff(kin__task *task)
{
    marks_task *data = task->data;
    const site_mark *from = site_marks_find(task->site->marks, (uint32_t)data->from);
    const site_mark *to = &data->mark;
    if (data->to != 0)
        to = site_marks_find(task->site->marks, (uint32_t)data->to);
    if (from == NULL || to == NULL)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such mark; marks.take makes one");
    if (data->to == 0 && !copy(task))
        return false;
    data->rows = kin__capture_reserve(&task->capture, ((size_t)data->limit + 1) * sizeof *data->rows);
    if (data->rows != NULL)
        compare(task, data, from, to);
    return true;
}

static bool step_drop(kin__task *task)
{
    const marks_task *data = task->data;
    site_mark *mark = site_marks_find(task->site->marks, (uint32_t)data->number);
    if (mark == NULL)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such mark; marks.take makes one");
    kin__bounded_release(task->site->marks->heap, mark->at, KIN__MARK_SIZE);
    mark->at = NULL;
    return true;
}

static void show_diff(const kin__task *task, kin__json *json)
{
    const marks_task *data = task->data;
    kin__show_row_counts(task, json, data->counts);
    kin__json_begin_member(json, "rows", '[');
    for (uint32_t i = 0; i < data->row_count; i++) {
        const diff_row *row = &data->rows[i];
        const kin_component_info *info = kin__row_component(task->site, row->kind, row->component);
        kin__json_begin(json, '{');
        kin__show_row(json, row->kind, row->entity, info);
        if (info != NULL) {
            if (row->was_size > 0)
                kin__show_known(json, "was", info, row->was, row->was_size);
            if (row->is_size > 0)
                kin__show_known(json, "is", info, row->is, row->is_size);
        }
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

static void show_drop(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
}

const kin__method kin__method_mark_take = {
    .name = "marks.take",
    .is_once = true,
    .doc = "Copies the entities that match a query, with 64 bytes of each component, to be compared later. A mark has "
           "512 KiB; 'complete' says whether all entities fitted.",
    .result = "frame, mark, count, complete",
    .parameters = {KIN__CONTEXT_PARAMETER, {"query", "string", false, "the entities; without it all", 0, 0}},
    .data_size = sizeof(marks_task),
    .parse = parse_take,
    .step = step_take,
    .show = show_take,
    .release = release,
};

const kin__method kin__method_mark_diff = {
    .name = "marks.diff",
    .doc = "What differs between two marks, or between a mark and now: entities that appeared or are gone, components "
           "that they got or lost, and values that changed. Texts and lists are not compared.",
    .result = "frame, appeared, gone, changed, rows of e, kind, component, was and is",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"from", "integer", true, "the earlier mark", 1, UINT32_MAX},
                   {"to", "integer", false, "the later mark; without it now", 1, UINT32_MAX},
                   {"query", "string", false, "the entities of now; without it all", 0, 0},
                   {"limit", "integer", false, "rows, 0 to 1000; 100 without it", 0, MOST_ROWS}},
    .data_size = sizeof(marks_task),
    .parse = parse_diff,
    .step = step_diff,
    .show = show_diff,
    .release = release,
};

const kin__method kin__method_mark_drop = {
    .name = "marks.drop",
    .is_once = true,
    .doc = "Forgets a mark.",
    .result = "frame",
    .parameters = {KIN__CONTEXT_PARAMETER, {"mark", "integer", true, "the number that marks.take gave", 1, UINT32_MAX}},
    .data_size = sizeof(marks_task),
    .parse = parse_drop,
    .step = step_drop,
    .show = show_drop,
    .release = release,
};
