// Identities: the names of contexts, components, fields and values in hashes and files, and which of them are left out.
#ifndef KIN_SRC_IDENTITY_H
#define KIN_SRC_IDENTITY_H

#include <kin/info.h>

static inline const char *kin__context_identity(const kin_context_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

static inline const char *kin__component_identity(const kin_component_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

static inline const char *kin__field_identity(const kin_field_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

// Whether a component is in hashes and files: it has no `save: false`, and each of its opaque types has functions for
// saving and loading.
static inline bool kin__component_is_saved(const kin_component_info *info)
{
    return !info->is_unsaved && !info->is_unwritable;
}

#endif
