#include "read/unfit.h"

#include "file/file.h"

#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 700, VALUE = 120, PLACE = 300 };

// ---- names

// Returns the bytes of the characters of UTF-8 that fit into so many.
static size_t whole_characters(const char *text, size_t size)
{
    while (size > 0 && (text[size] & 0xC0) == 0x80)
        size--;
    return size;
}

void kin__unfit_add(char names[KIN__UNFIT_NAMES], const char *name)
{
    static const char more[] = ", …";
    size_t used = strlen(names), comma = used == 0 ? 0 : 2, room = KIN__UNFIT_NAMES - sizeof more - used;
    bool is_full = used >= sizeof more && strcmp(names + used - strlen(more), more) == 0;
    if (is_full)
        return;
    if (strlen(name) + comma <= room)
        snprintf(names + used, KIN__UNFIT_NAMES - used, "%s%s", comma == 0 ? "" : ", ", name);
    else if (used > 0)
        memcpy(names + used, more, sizeof more);
    else
        snprintf(names, KIN__UNFIT_NAMES, "%.*s…", (int)whole_characters(name, 200), name);
}

void kin__unfit_add_type(kin__unfit *unfit, const char *name, const kin__file_leaf *leaf, const kin__value_leaf *now,
                         bool fits_length)
{
    char text[NAME];
    const char *from = kin_type_name(leaf->type), *to = kin_type_name(now->field->type);
    if (leaf->type != now->field->type && strcmp(from, to) != 0)
        snprintf(text, sizeof text, "%s (was %s, is %s)", name, from, to);
    else if (!fits_length)
        snprintf(text, sizeof text, "%s (%s of another length)", name, from);
    else
        snprintf(text, sizeof text, "%s (%s of another context)", name, from);
    kin__unfit_add(unfit->types, text);
}

// ---- reports

static bool note_newer(kin__fault *fault, const char *what, const char *names, uint32_t version, uint32_t own,
                       const char *advice)
{
    return kin__fault_note(fault, KIN_ERROR_SHAPE,
                           "it has %s%s; the file is of version %" PRIu32 ", and this program of version %" PRIu32
                           "; use a newer program%s",
                           names, what, version, own, advice);
}

static bool note_unknown(const char *names, kin__fault *fault, const kin_package_info *package, uint32_t version)
{
    if (version > package->version)
        return note_newer(fault, ", which the schema lacks", names, version, package->version,
                          ", or set drop_unknown [K1305]");
    return kin__fault_note(
        fault, KIN_ERROR_SHAPE,
        "it has %s, which the schema lacks; write 'was' for what was renamed, and 'removed' for what "
        "was removed [K1305]",
        names);
}

bool kin__unfit_report(const kin__unfit *unfit, kin__fault *fault, const kin_package_info *package, uint32_t version)
{
    if (unfit->unknown[0] != '\0')
        return note_unknown(unfit->unknown, fault, package, version);
    if (unfit->types[0] == '\0')
        return true;
    if (version > package->version)
        return note_newer(fault, ", whose types cannot be converted", unfit->types, version, package->version,
                          " [K1306]");
    return kin__fault_note(fault, KIN_ERROR_SHAPE,
                           "it has %s, whose types cannot be converted; keep the former type, or write 'migrate: true' "
                           "at the component [K1306]",
                           unfit->types);
}

// ---- values

static const char *enum_name(const kin__file_leaf *leaf, int64_t number)
{
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (leaf->values[i].number == number)
            return leaf->values[i].name;
    return NULL;
}

// Writes what the value is, and what to do.
static void describe(const kin__file_leaf *leaf, const unsigned char *from, char value[VALUE], const char **advice)
{
    const char *name = NULL;
    kin__file_number number = {0};
    *advice = leaf->now->field->type == KIN_TYPE_OPAQUE
                  ? "its load function refuses; read former values there, or write 'migrate: true' at the component"
                  : "does not fit its current type; make the type wider";
    if (from != NULL)
        number = kin__file_number_read(leaf->type, from);
    if (from != NULL && leaf->type == KIN_TYPE_ENUM)
        name = enum_name(leaf, number.integer);
    if (from == NULL)
        snprintf(value, VALUE, "a value");
    else if (name != NULL)
        snprintf(value, VALUE, "the value '%.100s'", name);
    else if (number.is_floating)
        snprintf(value, VALUE, "the value %.17g", number.floating);
    else if (number.is_large)
        snprintf(value, VALUE, "the value %" PRIu64, (uint64_t)number.integer);
    else
        snprintf(value, VALUE, "the value %" PRId64, number.integer);
    if (name != NULL && leaf->now->field->type == KIN_TYPE_ENUM)
        *advice = "is not in its enum; write 'was' at its new name, list it in 'removed', or use a newer program";
    else if (from != NULL && leaf->now->field->type == KIN_TYPE_ENUM)
        *advice = "is the number of no value of its enum; add one";
}

bool kin__unfit_value(const kin__read_values *values, const kin__file_leaf *leaf, uint32_t number,
                      const unsigned char *from)
{
    char place[PLACE], value[VALUE];
    const char *advice;
    describe(leaf, from, value, &advice);
    if (values->entities == NULL)
        snprintf(place, sizeof place, "%.80s.%.80s of a message", values->component->name, leaf->path);
    else
        snprintf(place, sizeof place, "%.80s.%.80s of entity %" PRIu64 " in slot %" PRIu32, values->component->name,
                 leaf->path, kin_entity_creation_index(values->entities[number]),
                 kin_entity_slot(values->entities[number]));
    return kin__fault_note(values->reader->input->fault, KIN_ERROR_SHAPE, "%s has %s, which %s [K1306]", place, value,
                           advice);
}
