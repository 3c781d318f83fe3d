// Record: one change of a journal or a watch as JSON, and what all records have.
#ifndef KIN_INSPECT_METHOD_RECORD_H
#define KIN_INSPECT_METHOD_RECORD_H

#include "host/host.h"
#include "site/notes.h"

// Writes the members of a record: its number, frame, step, system, role, kind, entity and component.
void kin__show_record(kin__json *json, const kin__site *site, const kin_record *record);

// Writes a key and the fields of a value of which only the first `size` bytes are known; nothing without bytes. Strings
// and lists, which may have changed since, are left out.
void kin__show_known(kin__json *json, const char *key, const kin_component_info *info, const void *value, size_t size);

// Writes the members frame, step, `system_key` and role of where something happened.
void kin__show_moment(kin__json *json, const kin__host *host, const kin__moment *moment, const char *system_key);

// Reads the parameter `after`, the `next` of an answer. Without it `*has_after` is false.
bool kin__parameter_after(kin__task *task, uint64_t *after, bool *has_after);

// Writes the members lost and next.
void kin__show_next(kin__json *json, uint64_t lost, uint64_t next);

// Returns whether a field has its value in its own bytes.
bool kin__field_is_flat(const kin_field_info *field);

// Returns the kind with the name; false if there is none.
bool kin__find_record_kind(const char *name, uint8_t *kind);

// Returns the name of the system that made the change.
const char *kin__record_system(const kin__site *site, const kin_record *record);

#endif
