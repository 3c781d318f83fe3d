#include "tools/reference.h"

static const char introduction[] =
    "# The schema language\n"
    "\n"
    "What may stand in a schema, key by key. `make generated` writes this page from the tables by which `kin` reads\n"
    "schemas; `kin schema` prints the same as a JSON Schema, for editors. `schemas/arena.yaml` shows most of it at "
    "work.\n"
    "\n"
    "A schema is YAML taken strictly: one document in UTF-8 without anchors, aliases, merge keys and tags, in which a "
    "key\n"
    "stands once. A text needs no quotes where YAML asks for none, whatever it looks like: `yes`, `on` and `0o17` are\n"
    "texts, and only `true` and `false` are a bool. Lists and mappings that a key holds are not empty; `{}` stands "
    "where a\n"
    "thing has nothing to add, as a component without fields.\n"
    "\n"
    "All files of a package, its root and those that it includes, form one set, in which the order of definitions does "
    "not\n"
    "matter.\n";

static void append_keys(text *out, const language_value *mapping)
{
    text_append_string(out, "\n| key | what stands there | what it says |\n|---|---|---|\n");
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
