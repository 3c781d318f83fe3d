/// Lists, for generated code only. Changes with the interface version.
///
/// A list is a field `struct { const T *at; uint32_t count; }` of a component. The context owns the elements, in one
/// block of memory for each list:
///
///   at → [ element 0 | element 1 | … | spare ]    NULL: no elements, capacity 0
///        ↑ the four bytes before: the capacity, in elements
///
/// A list moves when it needs more than its capacity, which then doubles.
#ifndef KIN_INTERNAL_LIST_H
#define KIN_INTERNAL_LIST_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__LIST_LIMIT = 1 << 24 // elements
};

// The bytes of a field that is a list.
typedef struct kin__list_field {
    void *at;
    uint32_t count;
} kin__list_field;

// Returns the capacity of a list, in elements.
static inline uint32_t kin__list_field_capacity(const void *at)
{
    return at == NULL ? 0 : ((const uint32_t *)at)[-1];
}

// The functions below name a list by its component and the index of its field. They call no listener.

// Insert a copy of the element at the end, or before the element with an index. `element` must not point into the list.
KIN_API kin_status kin__list_field_push(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                        const void *element);
KIN_API kin_status kin__list_field_insert(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                          uint32_t index, const void *element);

KIN_API kin_status kin__list_field_erase(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                         uint32_t index);

// New elements are copies of `element`; NULL: all their bytes are 0.
KIN_API kin_status kin__list_field_resize(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                          uint32_t count, const void *element);

KIN_END_DECLARATIONS

#endif
