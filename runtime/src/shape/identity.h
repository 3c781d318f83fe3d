// Identities: the names that things have in hashes and files, and what is left out there.
#ifndef KIN_SRC_IDENTITY_H
#define KIN_SRC_IDENTITY_H

#include <kin/info.h>

static inline const char *kin__context_identity(const kin_context_info *info)
{
    return info->name;
}

static inline const char *kin__component_identity(const kin_component_info *info)
{
    return info->name;
}

static inline const char *kin__field_identity(const kin_field_info *info)
{
    return info->name;
}

static inline const char *kin__enum_value_identity(const kin_enum_value_info *info)
{
    return info->name;
}

// Writes the bytes of an opaque value, up to `capacity`, and returns their number.
typedef size_t kin__save_function(const void *value, void *bytes, size_t capacity);

// Returns the function that saves an opaque type; NULL: the schema has none.
static inline kin__save_function *kin__save_function_of(const kin_type_info *type)
{
    (void)type;
    return NULL;
}

// Whether a field is in hashes and files: the schema does not say `save: false`.
static inline bool kin__field_is_saved(const kin_field_info *info)
{
    (void)info;
    return true;
}

// Whether a component is in hashes and files: the schema does not say `save: false`, and has functions that save and
// load each opaque type in it.
bool kin__component_is_saved(const kin_component_info *info);

// Whether a comparison looks at a component: the schema does not say `save: false`.
static inline bool kin__component_is_compared(const kin_component_info *info)
{
    (void)info;
    return true;
}

#endif
