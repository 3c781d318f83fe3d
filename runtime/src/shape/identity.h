// Identities: the names that things have in hashes and files, and what is left out there.
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

// Whether a component is in hashes and files: the schema does not say `save: false`, and has functions that save and
// load each opaque type in it.
static inline bool kin__component_is_saved(const kin_component_info *info)
{
    return !info->is_unsaved && !info->is_unwritable;
}

#endif
