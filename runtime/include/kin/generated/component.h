/// The bodies of the functions of components, for generated code only. Changes with the interface version.
///
///     static inline bool game_has_position(const game_context *self, game_entity entity) KIN__HAS(GAME_POSITION)
///
/// Their parameters are `self`, `entity`, `value` and `on`, and a header defines KIN__WORDS for each context. A header
/// of 1,000 components has 10,000 of these functions: with macros as bodies it is a third as long. With -Wall gcc 12
/// compiles it in an eighth of the time, as it compares the indentation of each `if` that is in a file with that of its
/// neighbours.
#ifndef KIN_INTERNAL_COMPONENT_H
#define KIN_INTERNAL_COMPONENT_H

#include <kin/generated/direct.h>
#include <kin/generated/relation.h>
#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

// The default value of a type: a constant of a .c file, and the function that returns it.
#define KIN__DEFAULT(Type, function, owner)                                                                            \
    extern const Type kin__default_of_##owner##_##Type;                                                                \
    static inline Type function(void)                                                                                  \
    {                                                                                                                  \
        return kin__default_of_##owner##_##Type;                                                                       \
    }

// ---- add and replace
//
// The library gets the address of a copy, so that `value` can stay in registers.

#define KIN__CALL_ADD(Type, number)                                                                                    \
    {                                                                                                                  \
        Type copy = value;                                                                                             \
        return kin__component_add_fast(&self->base, entity.id, number, &copy);                                         \
    }

#define KIN__CALL_REPLACE(Type, number)                                                                                \
    {                                                                                                                  \
        Type copy = value;                                                                                             \
        return kin__component_replace_fast(&self->base, entity.id, number, &copy);                                     \
    }

#define KIN__ADD(Type, number)                                                                                         \
    {                                                                                                                  \
        Type *place = (Type *)kin__add_fast(&self->base, entity.id, number, KIN__WORDS, sizeof value);                 \
        if (place != NULL) {                                                                                           \
            *place = value;                                                                                            \
            return KIN_OK;                                                                                             \
        }                                                                                                              \
        KIN__CALL_ADD(Type, number)                                                                                    \
    }

#define KIN__REPLACE(Type, number)                                                                                     \
    {                                                                                                                  \
        if (kin__replace_fast(&self->base, entity.id, number, KIN__WORDS, &value, sizeof value))                       \
            return KIN_OK;                                                                                             \
        KIN__CALL_REPLACE(Type, number)                                                                                \
    }

#define KIN__READD(number)                                                                                             \
    {                                                                                                                  \
        return kin__component_readd(&self->base, entity.id, number, &value);                                           \
    }

// ---- a component whose only field of an entity is a relation

#define KIN__RELATED(Type, number, relation, field, is_tree)                                                           \
    const kin__related related = {number, KIN__WORDS, relation, sizeof(Type), offsetof(Type, field), is_tree};

#define KIN__RELATED_ADD(Type, number, relation, field, is_tree)                                                       \
    {                                                                                                                  \
        KIN__RELATED(Type, number, relation, field, is_tree)                                                           \
        if (kin__related_add(&self->base, entity.id, &related, &value))                                                \
            return KIN_OK;                                                                                             \
        KIN__CALL_ADD(Type, number)                                                                                    \
    }

#define KIN__RELATED_REPLACE(Type, number, relation, field, is_tree)                                                   \
    {                                                                                                                  \
        KIN__RELATED(Type, number, relation, field, is_tree)                                                           \
        if (kin__related_replace(&self->base, entity.id, &related, &value))                                            \
            return KIN_OK;                                                                                             \
        KIN__CALL_REPLACE(Type, number)                                                                                \
    }

#define KIN__RELATED_REMOVE(Type, number, relation, field, is_tree)                                                    \
    {                                                                                                                  \
        KIN__RELATED(Type, number, relation, field, is_tree)                                                           \
        if (kin__related_remove(&self->base, entity.id, &related))                                                     \
            return KIN_OK;                                                                                             \
        return kin__component_remove_fast(&self->base, entity.id, number);                                             \
    }

// ---- remove, touch, flags

#define KIN__REMOVE(number)                                                                                            \
    {                                                                                                                  \
        return kin__remove(&self->base, entity.id, number, KIN__WORDS);                                                \
    }

#define KIN__TOUCH(number)                                                                                             \
    {                                                                                                                  \
        return kin__touch(&self->base, entity.id, number, KIN__WORDS);                                                 \
    }

#define KIN__SET(number)                                                                                               \
    {                                                                                                                  \
        return kin__set(&self->base, entity.id, number, KIN__WORDS, on);                                               \
    }

// ---- queries

#define KIN__HAS(number)                                                                                               \
    {                                                                                                                  \
        return kin__has(&self->base, entity.id, number, KIN__WORDS);                                                   \
    }

#define KIN__GET(Type, number)                                                                                         \
    {                                                                                                                  \
        return (Type *)kin__get(&self->base, entity.id, number, sizeof(Type));                                         \
    }

#define KIN__GET_UNCHECKED(Type, number)                                                                               \
    {                                                                                                                  \
        return (Type *)kin__get_unchecked(&self->base, entity.id, number, sizeof(Type));                               \
    }

#define KIN__GET_BOXED(Type, number)                                                                                   \
    {                                                                                                                  \
        return (Type *)kin__get_boxed(&self->base, entity.id, number);                                                 \
    }

#define KIN__GET_BOXED_UNCHECKED(Type, number)                                                                         \
    {                                                                                                                  \
        return *(Type *const *)kin__get_unchecked(&self->base, entity.id, number, sizeof(Type *));                     \
    }

// ---- ensure

// Has the component, or adds its default.
#define KIN__IS_ENSURED(context, component, fallback)                                                                  \
    (context##_has_##component(self, entity) || context##_add_##component(self, entity, fallback()) == KIN_OK)

#define KIN__ENSURE(context, component, fallback)                                                                      \
    {                                                                                                                  \
        return KIN__IS_ENSURED(context, component, fallback) ? context##_get_##component(self, entity) : NULL;         \
    }

#define KIN__ENSURE_READ(context, component, fallback)                                                                 \
    {                                                                                                                  \
        return KIN__IS_ENSURED(context, component, fallback) && context##_read_##component(self, entity, value);       \
    }

// ---- stashed values

#define KIN__STASH(number)                                                                                             \
    {                                                                                                                  \
        return kin__component_stash(&self->base, entity.id, number);                                                   \
    }

#define KIN__RESTORE(number)                                                                                           \
    {                                                                                                                  \
        return kin__component_restore(&self->base, entity.id, number);                                                 \
    }

#define KIN__HAS_STASHED(number)                                                                                       \
    {                                                                                                                  \
        return kin__component_has_stashed(&self->base, entity.id, number);                                             \
    }

#define KIN__RESTORE_OR_ADD(context, component)                                                                        \
    {                                                                                                                  \
        return context##_has_stashed_##component(self, entity) ? context##_restore_##component(self, entity)           \
                                                               : context##_add_##component(self, entity, value);       \
    }

// ---- unique components

#define KIN__SET_UNIQUE(context, number)                                                                               \
    {                                                                                                                  \
        return context##_entity_of(kin__unique_set(&self->base, number, &value));                                      \
    }

#define KIN__REPLACE_UNIQUE(context, number)                                                                           \
    {                                                                                                                  \
        return context##_entity_of(kin__unique_replace(&self->base, number, &value));                                  \
    }

#define KIN__REMOVE_UNIQUE(number)                                                                                     \
    {                                                                                                                  \
        return kin__unique_remove(&self->base, number);                                                                \
    }

#define KIN__SWITCH_UNIQUE(number)                                                                                     \
    {                                                                                                                  \
        return kin__unique_switch(&self->base, number, on);                                                            \
    }

#define KIN__HAS_UNIQUE(number)                                                                                        \
    {                                                                                                                  \
        return self->base.carriers[number] != 0;                                                                       \
    }

#define KIN__UNIQUE_ENTITY(context, number)                                                                            \
    {                                                                                                                  \
        return context##_entity_of(self->base.carriers[number]);                                                       \
    }

#define KIN__GET_UNIQUE(get, carrier)                                                                                  \
    {                                                                                                                  \
        return get(self, carrier(self));                                                                               \
    }

KIN_END_DECLARATIONS

#endif
