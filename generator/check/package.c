#include "check/package.h"

#include "check/private/invariants.h"
#include "check/saves.h"
#include "check/spawns.h"
#include "check/symbols.h"

package *package_read(arena *arena, diagnostics *diagnostics, const source *root)
{
    return package_read_from(arena, diagnostics, root, &(schema_folders){NULL, 0});
}

package *package_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed)
{
    size_t errors = diagnostics_error_count(diagnostics);
    package *package = schema_read(arena, diagnostics, root, allowed);
    if (diagnostics_error_count(diagnostics) == errors)
        spawns_check(arena, diagnostics, package);
    saves_check(arena, diagnostics, package);
    if (package->name != NULL) // symbols begin with the package's name
        symbols_check(arena, diagnostics, package);
    if (diagnostics_error_count(diagnostics) > errors)
        return NULL;
    package_assert_invariants(package);
    return package;
}
