// Enum values: their names in files.
#ifndef KIN_SRC_ENUM_VALUE_H
#define KIN_SRC_ENUM_VALUE_H

#include <kin/info.h>

static inline const char *kin__enum_value_identity(const kin_enum_value_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

#endif
