// Files of packs, and content shown to readers: as tables, as lines, as differences, and as a JSON Schema.
#include "generator/content/content.h"

#include "generator/save/save.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- files

void content_append_file(kin__pack *pack, text *out)
{
    kin__memory memory = kin__memory_of(schema_arena_allocator(out->arena));
    kin__pack_bytes bytes = {.memory = &memory};
    kin__pack_write(pack, &bytes);
    text_append(out, (const char *)bytes.at, bytes.size);
}

bool content_is_pack(const char *path)
{
    unsigned char head[8 + 16 + 4] = {0};
    if (strcmp(path, "-") == 0)
        return false;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    if (size != sizeof head || memcmp(head + 1, "KIN", 3) != 0)
        return false;
    return head[26] == KIN__PACK_WHAT && head[27] == 0;
}

static void report_unreadable(diagnostics *diagnostics, const char *path)
{
    diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", path, strerror(errno));
}

static bool read_bytes(arena *arena, diagnostics *diagnostics, const char *path, text *out)
{
    char part[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    *out = text_create(arena);
    if (file == NULL) {
        report_unreadable(diagnostics, path);
        return false;
    }
    do {
        size = fread(part, 1, sizeof part, file);
        text_append(out, part, size);
    } while (size == sizeof part);
    bool is_read = ferror(file) == 0;
    if (!is_read)
        report_unreadable(diagnostics, path);
    fclose(file);
    return is_read;
}

// The codes of faults are in their texts.
static diagnostic_code code_of(const char *fault)
{
    const char *code = strstr(fault, "[K");
    if (code == NULL)
        return CODE_SAVE_NUMBER;
    return (diagnostic_code)atoi(code + 2);
}

const kin__pack *content_read_file(arena *arena, diagnostics *diagnostics, const char *path)
{
    text bytes;
    kin__pack_fault fault;
    if (!read_bytes(arena, diagnostics, path, &bytes))
        return NULL;
    kin__memory *memory = arena_allocate(arena, sizeof *memory);
    kin__pack *pack = arena_allocate(arena, sizeof *pack);
    *memory = kin__memory_of(schema_arena_allocator(arena));
    if (kin__pack_read(pack, memory, bytes.bytes, bytes.size, &fault))
        return pack;
    size_t size = strcspn(fault.text, "[");
    assert(size > 0 && fault.status != KIN_OK);
    diagnostic_error(diagnostics, code_of(fault.text), (span){0}, "'%s' cannot be read: %.*s", path, (int)size - 1,
                     fault.text);
    diagnostic_about(diagnostics, path);
    return NULL;
}

// ---- values as JSON

static void append_reference(text *out, const kin__pack_element *element)
{
    if (element->part == NULL) {
        text_append_string(out, "null");
        return;
    }
    const char *instance = text_or_empty(element->text);
    bool is_instance = instance[0] != '\0' && element->part[0] == '\0';
    const char *dot = text_if(!is_instance, ".");
    save_append_quoted(out, arena_format(out->arena, "%s%s%s", instance, dot, element->part));
}

static int64_t signed_of(uint64_t bits, uint32_t width)
{
    assert(width >= 1 && width <= 8);
    unsigned shift = 64 - 8 * width;
    return (int64_t)(bits << shift) >> shift;
}

// The shortest digits that read back.
static void append_single(text *out, float number)
{
    char digits[32];
    int precision = 5;
    do {
        precision++;
        snprintf(digits, sizeof digits, "%.*g", precision, (double)number);
    } while (precision < 9 && strtof(digits, NULL) != number);
    text_append_string(out, digits);
}

static void append_double(text *out, double number)
{
    char digits[32];
    int precision = 14;
    do {
        precision++;
        snprintf(digits, sizeof digits, "%.*g", precision, number);
    } while (precision < 18 && strtod(digits, NULL) != number);
    text_append_string(out, digits);
}

static void append_element(text *out, const kin__pack_leaf *leaf, const kin__pack_element *element)
{
    float narrow;
    double wide;
    uint32_t bits = (uint32_t)element->bits;
    switch (leaf->type) {
    case KIN_TYPE_BOOL:
        text_append_string(out, element->bits != 0 ? "true" : "false");
        break;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        writer_append_quoted(out, element->text, element->size);
        break;
    case KIN_TYPE_ENTITY:
        append_reference(out, element);
        break;
    case KIN_TYPE_ENUM:
        assert(element->bits < leaf->name_count); // 4 of pack.h
        save_append_quoted(out, leaf->names[element->bits]);
        break;
    case KIN_TYPE_FLOAT:
        memcpy(&narrow, &bits, sizeof narrow);
        append_single(out, narrow);
        break;
    case KIN_TYPE_DOUBLE:
        memcpy(&wide, &element->bits, sizeof wide);
        append_double(out, wide);
        break;
    default:
        if (leaf->type <= KIN_TYPE_INT64)
            text_append_format(out, "%" PRId64, signed_of(element->bits, kin__pack_width(leaf->type)));
        else
            text_append_format(out, "%" PRIu64, element->bits);
    }
}

static void append_value(text *out, const kin__pack_leaf *leaf, kin__pack_cursor *cursor)
{
    bool is_one = !leaf->is_list && leaf->elements == 1;
    uint32_t count = kin__pack_next_count(cursor, leaf);
    if (!is_one)
        text_append(out, "[", 1);
    for (uint32_t i = 0; i < count; i++) {
        kin__pack_element element = kin__pack_next_element(cursor, leaf);
        text_separate(out, i, ",");
        append_element(out, leaf, &element);
    }
    if (!is_one)
        text_append(out, "]", 1);
}

// Appends the path of something in a component: "head.Gun.interval". `part` and `field` may be empty.
static void append_path(text *out, const char *part, const char *component, const char *field, const char *after)
{
    const char *first = text_if(part[0] != '\0', ".");
    const char *second = text_if(field[0] != '\0', ".");
    save_append_quoted(out, arena_format(out->arena, "%s%s%s%s%s%s", part, first, component, second, field, after));
}

static void append_values(text *out, const kin__pack *pack, uint32_t context, uint32_t number,
                          const unsigned char *values, uint32_t size)
{
    kin__pack_cursor cursor = kin__pack_cursor_of(values, size);
    if (number == KIN__PACK_NONE)
        return;
    const kin__pack_keys *keys = &pack->keys[number];
    text_append_string(out, ",\"set\":{");
    for (uint32_t i = 0; i < keys->count; i++) {
        const kin__pack_key *key = &keys->keys[i];
        const kin__pack_leaf *leaf = kin__pack_leaf_of(pack, context, key);
        text_separate(out, i, ",");
        append_path(out, key->part, pack->contexts[context].components[key->component].name, leaf->path,
                    text_if(key->is_append, "+"));
        text_append(out, ":", 1);
        append_value(out, leaf, &cursor);
    }
    assert(cursor.at == cursor.end && !cursor.is_short); // 4 of pack.h
    text_append(out, "}", 1);
}

// ---- names of now

static const char *prefab_now(const kin__pack *pack, uint32_t number)
{
    return kin__pack_name_now(pack, KIN__PACK_NAMED_PREFAB, number, "", pack->prefabs[number].name);
}

static const char *level_now(const kin__pack *pack, uint32_t number)
{
    return kin__pack_name_now(pack, KIN__PACK_NAMED_LEVEL, number, "", pack->levels[number].name);
}

// ---- lines

static void append_key(text *out, const char *key, const char *value)
{
    text_append_format(out, ",\"%s\":", key);
    save_append_quoted(out, value);
}

static void append_components_at(text *out, const kin__pack *pack, uint32_t context, const char *key,
                                 const kin__pack_component_at *list, uint32_t count)
{
    if (count == 0)
        return;
    text_append_format(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        append_path(out, list[i].part, pack->contexts[context].components[list[i].component].name, "", "");
    }
    text_append(out, "]", 1);
}

static void append_knobs(text *out, const kin__pack *pack, const kin__pack_prefab *prefab)
{
    if (prefab->knob_count == 0)
        return;
    text_append_string(out, ",\"knobs\":{");
    for (uint32_t i = 0; i < prefab->knob_count; i++) {
        const kin__pack_knob *knob = &prefab->knobs[i];
        text_separate(out, i, ",");
        save_append_quoted(out, knob->name);
        text_append_string(out, ":[");
        for (uint32_t j = 0; j < knob->target_count; j++) {
            const kin__pack_target *target = &knob->targets[j];
            const char *component = pack->contexts[prefab->context].components[target->component].name;
            text_separate(out, j, ",");
            append_path(out, target->part, component, target->field, "");
        }
        text_append(out, "]", 1);
    }
    text_append(out, "}", 1);
}

static void append_parts(text *out, const kin__pack *pack, const kin__pack_prefab *prefab)
{
    if (prefab->part_count == 0)
        return;
    text_append_string(out, ",\"parts\":{");
    for (uint32_t i = 0; i < prefab->part_count; i++) {
        uint32_t of = prefab->parts[i].of;
        text_separate(out, i, ",");
        save_append_quoted(out, prefab->parts[i].path);
        text_append(out, ":", 1);
        save_append_quoted(out, of == KIN__PACK_NONE ? "" : pack->prefabs[of].name);
    }
    text_append(out, "}", 1);
}

static void append_gone_parts(text *out, const kin__pack_prefab *prefab)
{
    if (prefab->gone_part_count == 0)
        return;
    text_append_string(out, ",\"lacks_parts\":[");
    for (uint32_t i = 0; i < prefab->gone_part_count; i++) {
        text_separate(out, i, ",");
        save_append_quoted(out, prefab->gone_parts[i]);
    }
    text_append(out, "]", 1);
}

static void append_prefab_line(text *out, const kin__pack *pack, const kin__pack_prefab *prefab)
{
    static const char *const kinds[] = {[KIN__PACK_PREFAB] = "prefab", [KIN__PACK_BLUEPRINT] = "blueprint"};
    text_append_format(out, "{\"%s\":", kinds[prefab->kind]);
    save_append_quoted(out, prefab->name);
    append_key(out, "context", pack->contexts[prefab->context].name);
    if (prefab->base != KIN__PACK_NONE)
        append_key(out, "extends", pack->prefabs[prefab->base].name);
    if (prefab->doc[0] != '\0')
        append_key(out, "doc", prefab->doc);
    append_parts(out, pack, prefab);
    append_components_at(out, pack, prefab->context, "adds", prefab->added, prefab->added_count);
    append_components_at(out, pack, prefab->context, "lacks", prefab->gone, prefab->gone_count);
    append_gone_parts(out, prefab);
    append_knobs(out, pack, prefab);
    append_values(out, pack, prefab->context, prefab->writes.keys, prefab->writes.values, prefab->writes.size);
    text_append_string(out, "}\n");
}

// Returns the name of what a run places.
static const char *placed_by(const kin__pack *pack, const kin__pack_run *run)
{
    if (run->prefab == KIN__PACK_NONE)
        return pack->levels[run->level].name;
    return pack->prefabs[run->prefab].name;
}

static void append_level_lines(text *out, const kin__pack *pack, const kin__pack_level *level)
{
    for (uint32_t i = 0; i < level->run_count; i++) {
        const kin__pack_run *run = &level->runs[i];
        for (uint32_t j = 0; j < run->count; j++) {
            const kin__pack_instance *instance = &run->instances[j];
            text_append_string(out, "{\"level\":");
            save_append_quoted(out, level->name);
            append_key(out, "place", placed_by(pack, run));
            if (instance->name != NULL)
                append_key(out, "as", instance->name);
            append_values(out, pack, level->context, run->keys, instance->values, instance->size);
            text_append_string(out, "}\n");
        }
    }
}

static void append_rename_lines(text *out, const kin__pack *pack)
{
    for (uint32_t i = 0; i < pack->rename_count; i++) {
        const kin__pack_rename *rename = &pack->renames[i];
        bool has_path = rename->path[0] != '\0';
        assert(has_path == (rename->of == KIN__PACK_NAMED_PART || rename->of == KIN__PACK_NAMED_INSTANCE));
        if (rename->of <= KIN__PACK_NAMED_PART) {
            text_append_string(out, "{\"prefab\":");
            save_append_quoted(out, pack->prefabs[rename->owner].name);
        } else {
            text_append_string(out, "{\"level\":");
            save_append_quoted(out, pack->levels[rename->owner].name);
        }
        if (has_path)
            append_key(out, rename->of == KIN__PACK_NAMED_PART ? "part" : "as", rename->path);
        append_key(out, "now", rename->name);
        text_append_string(out, "}\n");
    }
}

static void append_body(text *out, const kin__pack *pack)
{
    for (uint32_t i = 0; i < pack->prefab_count; i++)
        append_prefab_line(out, pack, &pack->prefabs[i]);
    for (uint32_t i = 0; i < pack->level_count; i++)
        append_level_lines(out, pack, &pack->levels[i]);
    for (uint32_t i = 0; i < pack->unique_count; i++) {
        const kin__pack_unique *unique = &pack->uniques[i];
        text_append_string(out, "{\"values\":");
        save_append_quoted(out, pack->contexts[unique->context].components[unique->component].name);
        append_key(out, "context", pack->contexts[unique->context].name);
        append_values(out, pack, unique->context, unique->writes.keys, unique->writes.values, unique->writes.size);
        text_append_string(out, "}\n");
    }
    append_rename_lines(out, pack);
}

void content_append_lines(text *out, const kin__pack *pack)
{
    text_append_string(out, "{\"content\":1");
    append_key(out, "package", pack->package);
    text_append_format(out, ",\"version\":%" PRIu32 ",\"hash\":\"%016" PRIx64 "\"}\n", pack->version, pack->content);
    append_body(out, pack);
}

// ---- differences

// How often a line is in a pack. The lines are cut in place.
static dictionary count_lines(text *lines)
{
    dictionary counts = dictionary_create(lines->arena);
    for (char *line = lines->bytes; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        assert(*end == '\n');
        *end = '\0';
        size_t *count = arena_allocate(lines->arena, sizeof *count);
        size_t *known = (size_t *)dictionary_add(&counts, line, count);
        if (known != NULL)
            count = known;
        ++*count;
        line = end + 1;
    }
    return counts;
}

static size_t append_missing(text *out, const kin__pack *pack, const kin__pack *other, const char *sign)
{
    text lines = text_create(out->arena);
    text others = text_create(out->arena);
    size_t total = 0;
    append_body(&lines, pack);
    append_body(&others, other);
    dictionary counts = count_lines(&others);
    for (const char *line = lines.bytes; *line != '\0';) {
        size_t size = strcspn(line, "\n");
        const char *key = arena_copy(out->arena, line, size);
        size_t *left = (size_t *)dictionary_find(&counts, key);
        if (left != NULL && *left > 0) {
            --*left;
        } else {
            text_append_format(out, "%s %s\n", sign, key);
            total++;
        }
        line += size + (line[size] == '\n');
    }
    return total;
}

size_t content_append_differences(text *out, const kin__pack *before, const kin__pack *after)
{
    size_t gone = append_missing(out, before, after, "-");
    return gone + append_missing(out, after, before, "+");
}

// ---- list

static void append_knob_names(text *out, const kin__pack *pack, const kin__pack_prefab *prefab)
{
    text names = text_create(out->arena);
    dictionary seen = dictionary_create(out->arena);
    for (;;) {
        for (uint32_t i = 0; i < prefab->knob_count; i++)
            if (dictionary_add(&seen, prefab->knobs[i].name, prefab) == NULL)
                text_append_item(&names, ", ", prefab->knobs[i].name);
        if (prefab->base == KIN__PACK_NONE)
            break;
        prefab = &pack->prefabs[prefab->base];
    }
    if (names.size > 0)
        text_append_format(out, "  knobs %s\n", names.bytes);
}

// Returns the path of a new part with the names of now. Its parents are new parts too, or those of the base.
static const char *part_now(arena *arena, const kin__pack *pack, uint32_t number, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL)
        return kin__pack_name_now(pack, KIN__PACK_NAMED_PART, number, path, path);
    const char *name = kin__pack_name_now(pack, KIN__PACK_NAMED_PART, number, path, dot + 1);
    return arena_format(arena, "%s.%s", part_now(arena, pack, number, arena_copy(arena, path, (size_t)(dot - path))),
                        name);
}

static void append_part_names(text *out, const kin__pack *pack, uint32_t number)
{
    const kin__pack_prefab *prefab = &pack->prefabs[number];
    text names = text_create(out->arena);
    for (uint32_t i = 0; i < prefab->part_count; i++) {
        const char *of = "";
        if (prefab->parts[i].of != KIN__PACK_NONE)
            of = prefab_now(pack, prefab->parts[i].of);
        const char *path = part_now(out->arena, pack, number, prefab->parts[i].path);
        text_append_item(&names, ", ", arena_format(out->arena, "%s (%s)", path, of));
    }
    if (names.size > 0)
        text_append_format(out, "  new parts %s\n", names.bytes);
}

void content_append_list(text *out, const kin__pack *pack)
{
    for (uint32_t i = 0; i < pack->prefab_count; i++) {
        const kin__pack_prefab *prefab = &pack->prefabs[i];
        if (prefab->kind == KIN__PACK_BLUEPRINT)
            continue;
        text_append_format(out, "prefab %s", prefab_now(pack, i));
        if (prefab->base != KIN__PACK_NONE)
            text_append_format(out, " extends %s", prefab_now(pack, prefab->base));
        text_append_string(out, "\n");
        if (prefab->doc[0] != '\0') {
            text_append_string(out, "  ");
            text_append_line(out, prefab->doc);
            text_append_string(out, "\n");
        }
        append_knob_names(out, pack, prefab);
        append_part_names(out, pack, i);
    }
    for (uint32_t i = 0; i < pack->level_count; i++) {
        text_append_format(out, "level %s\n  ", level_now(pack, i));
        text_append_count(out, pack->levels[i].instance_count, "instance", "instances");
        text_append_string(out, "\n");
    }
}

// ---- JSON Schema

// Recursive, as structs are nested.
static void write_type(json_writer *writer, const kin_field_info *field, bool is_element);

static void write_fields(json_writer *writer, const kin_field_info *fields, uint32_t count)
{
    writer_set_text(writer, "type", "object");
    writer_set_bool(writer, "additionalProperties", false);
    writer_set_open(writer, "properties", '{');
    for (uint32_t i = 0; i < count; i++)
        if (!fields[i].is_not_content && fields[i].type != KIN_TYPE_OPAQUE) {
            writer_key(writer, fields[i].name);
            write_type(writer, &fields[i], false);
        }
    writer_close(writer, '}');
}

static bool is_floating(kin_type type)
{
    return type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE;
}

// JSON has no infinite bounds.
static void write_bound(json_writer *writer, const char *key, kin_type type, kin_number bound)
{
    text number = text_create(writer->out->arena);
    if (is_floating(type))
        text_append_format(&number, "%.15g", bound.number);
    else if (type <= KIN_TYPE_INT64)
        text_append_format(&number, "%" PRId64, bound.integer);
    else
        text_append_format(&number, "%" PRIu64, bound.natural);
    if (number.bytes[strspn(number.bytes, "-0123456789.e+")] == '\0')
        writer_set_number(writer, key, number.bytes);
}

static void write_number(json_writer *writer, const kin_field_info *field)
{
    const kin_field_range *range = field->range;
    writer_set_text(writer, "type", is_floating(field->type) ? "number" : "integer");
    if (range == NULL)
        return;
    if (range->has_min)
        write_bound(writer, "minimum", field->type, range->min);
    if (range->has_max)
        write_bound(writer, "maximum", field->type, range->max);
}

static void write_scalar(json_writer *writer, const kin_field_info *field)
{
    if (field->type == KIN_TYPE_BOOL) {
        writer_set_text(writer, "type", "boolean");
    } else if (field->type == KIN_TYPE_ENUM) {
        writer_set_open_line(writer, "enum", '[');
        for (uint32_t i = 0; i < field->of->value_count; i++)
            writer_text(writer, field->of->values[i].name);
        writer_close(writer, ']');
    } else if (field->type == KIN_TYPE_ENTITY) {
        writer_set_open_line(writer, "type", '[');
        writer_text(writer, "string");
        writer_text(writer, "null");
        writer_close(writer, ']');
    } else if (field->type == KIN_TYPE_STRING || field->type == KIN_TYPE_INLINE_STRING) {
        writer_set_text(writer, "type", "string");
    } else {
        write_number(writer, field);
    }
}

static void write_array(json_writer *writer, const kin_field_info *field)
{
    writer_set_text(writer, "type", "array");
    writer_key(writer, "items");
    write_type(writer, field, true);
}

static void write_type(json_writer *writer, const kin_field_info *field, bool is_element)
{
    writer_open(writer, '{');
    if (field->doc != NULL && !is_element)
        writer_set_text(writer, "description", field->doc);
    if (field->is_list && !is_element) {
        writer_set_open(writer, "anyOf", '[');
        writer_open(writer, '{');
        write_array(writer, field);
        writer_close(writer, '}');
        writer_open(writer, '{');
        writer_set_text(writer, "type", "object");
        writer_set_bool(writer, "additionalProperties", false);
        writer_set_open(writer, "properties", '{');
        writer_set_open(writer, "append", '{');
        write_array(writer, field);
        writer_close(writer, '}');
        writer_close(writer, '}');
        writer_close(writer, '}');
        writer_close(writer, ']');
    } else if (field->count > 0 && !is_element) {
        write_array(writer, field);
    } else if (field->type == KIN_TYPE_STRUCT) {
        writer_set_open(writer, "anyOf", '[');
        writer_open(writer, '{');
        write_fields(writer, field->of->fields, field->of->field_count);
        writer_close(writer, '}');
        writer_open(writer, '{');
        writer_set_text(writer, "type", "array");
        writer_close(writer, '}');
        writer_close(writer, ']');
    } else {
        write_scalar(writer, field);
    }
    writer_close(writer, '}');
}

// Writes a key whose value is of a type, whatever is in it.
static void write_simple(json_writer *writer, const char *key, const char *type)
{
    writer_set_open_line(writer, key, '{');
    writer_set_text(writer, "type", type);
    writer_close(writer, '}');
}

static void write_reference(json_writer *writer, const char *key, const char *to)
{
    writer_set_open_line(writer, key, '{');
    writer_set_text(writer, "$ref", to);
    writer_close(writer, '}');
}

// Components may have one name in several contexts; the first one shows its fields.
static void write_components(json_writer *writer, content_schema schema)
{
    dictionary seen = dictionary_create(writer->out->arena);
    for (size_t i = 0; i < schema.count; i++)
        for (uint32_t j = 0; j < schema.contexts[i]->component_count; j++) {
            const kin_component_info *info = &schema.contexts[i]->components[j];
            if (info->is_not_content || dictionary_add(&seen, info->name, info) != NULL)
                continue;
            writer_set_open(writer, info->name, '{');
            if (info->doc != NULL)
                writer_set_text(writer, "description", info->doc);
            write_fields(writer, info->fields, info->field_count);
            writer_close(writer, '}');
        }
}

static void write_names(json_writer *writer, const char *key, content_schema schema, const kin__pack *pack)
{
    writer_set_open(writer, key, '{');
    writer_set_open_line(writer, "enum", '[');
    for (size_t i = 0; i < schema.count; i++)
        for (uint32_t j = 0; j < schema.contexts[i]->blueprint_count; j++)
            writer_text(writer, schema.contexts[i]->blueprints[j].name);
    uint32_t prefab_count = pack == NULL ? 0 : pack->prefab_count;
    for (uint32_t i = 0; i < prefab_count; i++)
        if (pack->prefabs[i].kind == KIN__PACK_PREFAB)
            writer_text(writer, prefab_now(pack, i));
    writer_close(writer, ']');
    writer_close(writer, '}');
}

static void write_body(json_writer *writer, content_schema schema, const kin__pack *pack)
{
    static const char *const texts[] = {"doc", "context", "was", "as"};
    writer_set_open(writer, "body", '{');
    writer_set_text(writer, "type", "object");
    writer_set_open(writer, "properties", '{');
    write_names(writer, "extends", schema, pack);
    write_names(writer, "of", schema, pack);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        write_simple(writer, texts[i], "string");
    write_simple(writer, "knobs", "object");
    write_simple(writer, "without", "array");
    writer_set_open(writer, "parts", '{');
    writer_set_text(writer, "type", "object");
    write_reference(writer, "additionalProperties", "#/definitions/body");
    writer_close(writer, '}');
    write_components(writer, schema);
    writer_close(writer, '}');
    writer_close(writer, '}');
}

static void write_bodies(json_writer *writer, const char *key)
{
    writer_set_open(writer, key, '{');
    writer_set_text(writer, "type", "object");
    write_reference(writer, "additionalProperties", "#/definitions/body");
    writer_close(writer, '}');
}

// The body of an instance, with the knobs of its prefab.
static void write_instance(json_writer *writer, const kin__pack *pack, uint32_t number)
{
    const kin__pack_prefab *prefab = &pack->prefabs[number];
    writer_set_open(writer, prefab_now(pack, number), '{');
    if (prefab->doc[0] != '\0')
        writer_set_text(writer, "description", prefab->doc);
    writer_set_open(writer, "properties", '{');
    dictionary seen = dictionary_create(writer->out->arena);
    for (uint32_t each = number; each != KIN__PACK_NONE; each = pack->prefabs[each].base)
        for (uint32_t i = 0; i < pack->prefabs[each].knob_count; i++) {
            const char *knob = pack->prefabs[each].knobs[i].name;
            if (dictionary_add(&seen, knob, prefab) == NULL) {
                writer_set_open_line(writer, knob, '{');
                writer_close(writer, '}');
            }
        }
    writer_close(writer, '}');
    writer_set_open(writer, "anyOf", '[');
    writer_open_line(writer, '{');
    writer_set_text(writer, "$ref", "#/definitions/body");
    writer_close(writer, '}');
    writer_open_line(writer, '{');
    writer_set_text(writer, "type", "array");
    writer_close(writer, '}');
    writer_close(writer, ']');
    writer_close(writer, '}');
}

static void write_levels(json_writer *writer, const kin__pack *pack)
{
    writer_set_open(writer, "levels", '{');
    writer_set_text(writer, "type", "object");
    writer_set_open(writer, "additionalProperties", '{');
    writer_set_text(writer, "type", "object");
    writer_set_bool(writer, "additionalProperties", false);
    writer_set_open(writer, "properties", '{');
    write_simple(writer, "doc", "string");
    write_simple(writer, "was", "string");
    writer_set_open(writer, "place", '{');
    writer_set_text(writer, "type", "array");
    writer_set_open(writer, "items", '{');
    writer_set_text(writer, "type", "object");
    writer_set_open(writer, "properties", '{');
    for (uint32_t i = 0; pack != NULL && i < pack->prefab_count; i++)
        write_instance(writer, pack, i);
    writer_close(writer, '}');
    for (int i = 0; i < 5; i++)
        writer_close(writer, '}');
}

void content_append_json_schema(text *out, content_schema schema, const kin__pack *pack)
{
    json_writer writer = writer_begin(out);
    writer_open(&writer, '{');
    writer_set_text(&writer, "$schema", "http://json-schema.org/draft-07/schema#");
    writer_set_text(&writer, "title", "Content of Kin");
    writer_set_text(&writer, "type", "object");
    writer_set_bool(&writer, "additionalProperties", false);
    writer_set_open(&writer, "properties", '{');
    writer_set_open_line(&writer, "content", '{');
    writer_set_count(&writer, "const", 1);
    writer_close(&writer, '}');
    write_simple(&writer, "include", "array");
    write_simple(&writer, "removed", "array");
    write_bodies(&writer, "prefabs");
    write_bodies(&writer, "blueprints");
    writer_set_open(&writer, "values", '{');
    writer_set_text(&writer, "type", "object");
    writer_set_open(&writer, "properties", '{');
    write_components(&writer, schema);
    writer_close(&writer, '}');
    writer_close(&writer, '}');
    write_levels(&writer, pack);
    writer_close(&writer, '}');
    writer_set_open(&writer, "definitions", '{');
    write_body(&writer, schema, pack);
    writer_close(&writer, '}');
    writer_close(&writer, '}');
    writer_end(&writer);
}
