#include "describe.h"

#include "assertion.h"

#include <string.h>

// A text that is being written; `left` are the bytes behind `end`, that of its NUL counted.
typedef struct writer {
    char *end;
    size_t left;
    bool full;
} writer;

static void append(writer *writer, const char *text)
{
    size_t length = strlen(text);
    writer->full = writer->full || length >= writer->left;
    if (writer->full)
        return;
    memcpy(writer->end, text, length + 1);
    writer->end += length;
    writer->left -= length;
}

static const char *kind_of(const kin_rule *rule)
{
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return "all(";
    case KIN_RULE_ANY:
        return "any(";
    case KIN_RULE_NONE:
        return "none(";
    case KIN_RULE_ONLY:
        return "only(";
    }
    return "(";
}

void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size)
{
    static const char ellipsis[] = "...";
    KIN_ASSERT(size >= 8);
    writer writer = {.end = text, .left = size - strlen(ellipsis)};
    text[0] = '\0';
    for (uint32_t i = 0; i < normal->count; i++) {
        append(&writer, i == 0 ? "" : ", ");
        append(&writer, kind_of(&normal->rules[i]));
        for (uint32_t k = 0; k < normal->rules[i].count; k++) {
            append(&writer, k == 0 ? "" : ", ");
            append(&writer, info->components[normal->rules[i].ids[k]].name);
        }
        append(&writer, ")");
    }
    if (writer.full)
        memcpy(writer.end, ellipsis, sizeof ellipsis);
}
