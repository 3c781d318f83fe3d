// What the parts of the JSON of a list share: keys of the map that is open.
//
// The keys, their order and their meaning are in list.h; what is null there is null whatever it belongs to. A layout
// that is a guess is not told: size, alignment and padding are null.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_JSON_H
#define KIN_GENERATOR_DESCRIBE_LIST_JSON_H

#include "base/json_writer.h"
#include "model/schema.h"

void list_set_place(json_writer *writer, span span);
void list_set_layout(json_writer *writer, memory_layout layout);
void list_set_fields(json_writer *writer, const field_list *list);
void list_set_count_or_null(json_writer *writer, const char *key, size_t count); // 0: null

// A value of a field, after its key.
void list_append_constant(json_writer *writer, const field_type *type, const constant *constant);

// A map, as an item of the list that is open.
void list_append_definition(json_writer *writer, const definition *definition);

#endif
