#include "tools/reference.h"

static const char introduction[] =
    "# The schema language\n"
    "\n"
    "All keys of a schema and their values. `make generated` writes this page from the tables that `kin` reads schemas "
    "with;\n"
    "`kin schema` prints the same as a JSON Schema for editors. `schemas/arena.yaml` is an example that uses most of "
    "them.\n"
    "\n"
    "A schema is a strict subset of YAML: one document in UTF-8 without anchors, aliases, merge keys, tags and "
    "duplicate\n"
    "keys. A string needs quotes only where YAML requires them, whatever it looks like: `yes`, `on` and `0o17` are "
    "strings,\n"
    "and only `true` and `false` are bools. Within braces a type with brackets needs quotes: `{ name: 'string[31]' }`. "
    "Lists and mappings must not be empty; write `{}` for a definition without\n"
    "content, such as a component without fields.\n"
    "\n"
    "All files of a package, the root file and its includes, form one set. The order of definitions does not matter.\n";

static void append_keys(text *out, const language_value *mapping)
{
    text_append_string(out, "\n| key | value | meaning |\n|---|---|---|\n");
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        text_append_format(out, "| `%s` | %s | %s%s |\n", key->name, reference_phrase(out->arena, key->value, true),
                           key->doc, reference_remark(out->arena, key));
    if (mapping->forms != NULL)
        text_append_format(out, "\n%s\n", reference_forms(out->arena, mapping));
}

void reference_append_markdown(text *out)
{
    text_append_string(out, introduction);
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        text_append_format(out, "\n## %s\n\n%s\n", (*value)->title, (*value)->doc);
        if ((*value)->kind == LANGUAGE_MAPPING)
            append_keys(out, *value);
        else if ((*value)->limit > 0)
            text_append_format(out, "\nAt most %zu bytes.\n", (*value)->limit);
    }
}
