#include "method/diff_row.h"

#include "query/query.h"

void kin__show_row(kin__json *json, kin__row_kind kind, kin_entity entity, const kin_component_info *component)
{
    static const char *const kinds[KIN__ROW_KINDS] = {"appeared", "gone", "got", "lost", "changed"};
    kin__json_key(json, "e");
    kin__json_entity(json, entity);
    kin__json_put_string(json, "kind", kinds[kind]);
    if (component != NULL)
        kin__json_put_string(json, "component", component->name);
}

void kin__show_row_counts(const kin__task *task, kin__json *json, const uint32_t counts[KIN__ROW_KINDS])
{
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "appeared", counts[KIN__ROW_APPEARED]);
    kin__json_put_natural(json, "gone", counts[KIN__ROW_GONE]);
    kin__json_put_natural(json, "changed", counts[KIN__ROW_GOT] + counts[KIN__ROW_LOST] + counts[KIN__ROW_CHANGED]);
}
