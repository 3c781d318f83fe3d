#include "edit/same.h"

#include "query/query.h"

#include <math.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same_single(const kin_field_info *field, const char *given, const char *value)
{
    kin__scalar a = kin__scalar_read(field, given), b = kin__scalar_read(field, value);
    switch (a.kind) {
    case KIN__SCALAR_NONE:
        return true;
    case KIN__SCALAR_TEXT:
        return is_same_text(a.as.text, b.as.text);
    case KIN__SCALAR_BOOL:
        return a.as.boolean == b.as.boolean;
    case KIN__SCALAR_REAL:
        return isnan(a.as.real) ? isnan(b.as.real)
                                : a.as.real == b.as.real && !signbit(a.as.real) == !signbit(b.as.real);
    default:
        return a.as.natural == b.as.natural;
    }
}

static bool is_same_element(const kin_field_info *field, const char *given, const char *mask, const char *value)
{
    if (field->type != KIN_TYPE_STRUCT)
        return (mask != NULL && mask[0] == 0) || is_same_single(field, given, value);
    for (uint32_t i = 0; i < field->of->field_count; i++) {
        const kin_field_info *inner = &field->of->fields[i];
        size_t offset = inner->offset;
        if (!kin__same_field(inner, given + offset, mask == NULL ? NULL : mask + offset, value + offset, false))
            return false;
    }
    return true;
}

// A list that is given is given whole: all of its elements are compared.
static bool is_same_list(const kin_field_info *field, const char *given, const char *value)
{
    struct {
        const char *at;
        uint32_t count;
    } a, b;
    memcpy(&a, given, sizeof a);
    memcpy(&b, value, sizeof b);
    if (a.count != b.count)
        return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (!is_same_element(field, a.at + i * field->element_size, NULL, b.at + i * field->element_size))
            return false;
    return true;
}

bool kin__same_field(const kin_field_info *field, const char *given, const char *mask, const char *value,
                     bool is_element)
{
    if (field->is_list && !is_element)
        return (mask != NULL && mask[0] == 0) || is_same_list(field, given, value);
    uint32_t count = field->count > 0 && !is_element ? field->count : 1;
    size_t size = kin__element_size(field);
    for (uint32_t i = 0; i < count; i++)
        if (!is_same_element(field, given + i * size, mask == NULL ? NULL : mask + i * size, value + i * size))
            return false;
    return true;
}
