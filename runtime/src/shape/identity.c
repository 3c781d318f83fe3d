#include "shape/identity.h"

// Recursive over structs in structs, of which the schema allows 32 levels.
static bool can_be_saved(const kin_field_info *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        if (!kin__field_is_saved(field))
            continue;
        if (field->type == KIN_TYPE_OPAQUE && kin__save_function_of(field->of) == NULL)
            return false;
        if (field->type == KIN_TYPE_STRUCT && !can_be_saved(field->of->fields, field->of->field_count))
            return false;
    }
    return true;
}

bool kin__component_is_saved(const kin_component_info *info)
{
    return kin__component_is_compared(info) && can_be_saved(info->fields, info->field_count);
}
