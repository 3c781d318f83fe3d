#include "reading.h"

#include "generator/read/read.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static arena memory;
static diagnostics found;

void reading_begin(void)
{
    found = diagnostics_create(&memory);
}

void reading_end(void)
{
    arena_release(&memory);
}

arena *reading_arena(void)
{
    return &memory;
}

diagnostics *reading_diagnostics(void)
{
    return &found;
}

const source *reading_source(const char *text)
{
    return source_from_bytes(&memory, "test.yaml", text, strlen(text));
}

const tree_node *reading_tree(const char *text)
{
    return tree_parse(&memory, &found, reading_source(text));
}

package *reading_package(const char *text)
{
    return package_read(&memory, &found, reading_source(text));
}

package *reading_package_in_game(const char *rest)
{
    static const char head[] = "kin: 1\npackage: arena\ncontexts: { game: {} }\n";
    return reading_package(arena_format(reading_arena(), "%s%s", head, rest));
}

const field *reading_field(const char *field)
{
    const package *package =
        reading_package_in_game(arena_format(reading_arena(),
                                             "types:\n"
                                             "  Vec2: { fields: { x: float, y: { type: float, default: 1 } } }\n"
                                             "  Side: { values: { Red: 4, Blue: 0 } }\n"
                                             "components: { C: { fields: { f: %s } } }\n",
                                             field));
    reading_expect_nothing();
    return &package->components[0]->fields.fields[0];
}

const char *reading_print(const diagnostics *diagnostics)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(diagnostics_print(diagnostics, file), 0);
    fclose(file);
    const char *printed = arena_copy(diagnostics->arena, bytes, size);
    free(bytes);
    return printed;
}

const char *reading_printed(void)
{
    return reading_print(&found);
}

void reading_expect_nothing(void)
{
    ck_assert_str_eq(reading_printed(), "");
}
