// Shared by the files that write the JSON of a list; functions add keys to the open map.
//
// The keys, their order and their meaning are in list.h. For a layout that is a guess, size, alignment and padding are
// null.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_JSON_H
#define KIN_GENERATOR_DESCRIBE_LIST_JSON_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"

void list_set_place(json_writer *writer, span span);
void list_set_saving(json_writer *writer, const saved_name *saved, bool is_unsaved);
void list_set_layout(json_writer *writer, memory_layout layout);
void list_set_fields(json_writer *writer, const field_list *list);
void list_set_components(json_writer *writer, const char *key, const component *const *components, size_t count);
void list_set_rules(json_writer *writer, const rule *rules, size_t count);

// Sets `messages`, `schedule` and `systems`.
void list_set_world(json_writer *writer, const package *package);
void list_set_count_or_null(json_writer *writer, const char *key, size_t count); // null for 0

// Appends the value of a field; the caller has written its key.
void list_append_constant(json_writer *writer, const field_type *type, const constant *constant);

// Append a map to the open list.
void list_append_group(json_writer *writer, const group *group);
void list_append_definition(json_writer *writer, const definition *definition);

#endif
