// Groups: declared, or written in a system.
#include "language/private/make.h"
#include "model/schema.h"

static const language_value component_sets = {
    .kind = LANGUAGE_LIST, .phrase = "a list of such lists", .items = COMPONENTS, .limit = SCHEMA_RULE_LIMIT};
static const language_value any_of = {.kind = LANGUAGE_EITHER, .names = COMPONENTS, .items = &component_sets};

const language_value language_group = {
    .kind = LANGUAGE_MAPPING,
    .name = "group",
    .title = "A group",
    .doc = "The entities of a context that match all rules.",
    .forms = NAMES("all", "any", "none", "only"),
    .keys =
        (const language_key[]){
            {.name = "context", .value = &language_snake_name, .doc = "The context. Default: the default context."},
            {.name = "doc", .value = &language_text, .doc = "A description. Becomes a comment in the generated C."},
            {.name = "all",
             .value = COMPONENTS,
             .doc = "Entities must have all of these components. They are columns of the iterator."},
            {.name = "any",
             .value = &any_of,
             .doc = "Entities must have at least one of these components. In a list of lists, at least one of each "
                    "inner list."},
            {.name = "none", .value = COMPONENTS, .doc = "Entities must not have any of these components."},
            {.name = "only", .value = COMPONENTS, .doc = "Entities must have all of these components and no others."},
            {.name = "maybe",
             .value = COMPONENTS,
             .doc =
                 "Components with fields that some entities have: optional columns of the iterator, which are `NULL` "
                 "in a run or block without the component. They do not change which entities match."},
            {0}},
};
