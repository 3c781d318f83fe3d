/// Matchers. A matcher is a condition on the components of an entity, written as a list of rules. It is a plain value.
///
///     kin_matcher m = KIN_MATCHER(KIN_ALL(GAME_POSITION, GAME_VELOCITY), KIN_NONE(GAME_FROZEN));
///
/// An entity matches when every rule holds. A kind of rule may occur several times: each `KIN_ANY` must hold
/// separately, several `KIN_ALL` or `KIN_NONE` are equivalent to one with all ids, and two different `KIN_ONLY` match
/// no entity. KIN_ALL and the other general macros take ids as numbers, also from variables. GAME_ALL, GAME_ANY,
/// GAME_NONE and GAME_ONLY of a generated context take the names of its ids and refuse those of other contexts. Several
/// `KIN_ALL`, or several `KIN_NONE`, name more components than one rule can; an entity with one of more than 30
/// components cannot be matched by `KIN_ANY`: give these entities a flag. Matchers that differ only in the order of
/// rules, the order of ids or repeated ids are equal and share a group.
#ifndef KIN_MATCHER_H
#define KIN_MATCHER_H

#include <kin/entity.h>

enum {
    KIN_MATCHER_MAX_RULES = 8, ///< rules in a matcher; more are refused with KIN_ERROR_LIMIT
    KIN_RULE_MAX_IDS = 30      ///< ids in a rule; more are refused too. With both limits a matcher has 516 bytes
};

/// The condition of a rule.
typedef enum kin_rule_kind {
    KIN_RULE_ALL = 1, ///< the entity has all of the components
    KIN_RULE_ANY,     ///< the entity has at least one of them
    KIN_RULE_NONE,    ///< the entity has none of them
    KIN_RULE_ONLY     ///< the entity has exactly these components, flags included
} kin_rule_kind;

/// A rule. Make one with KIN_ALL(…), KIN_ANY(…), KIN_NONE(…) or KIN_ONLY(…).
typedef struct kin_rule {
    uint16_t kind;                          ///< a kin_rule_kind in the low 3 bits; above, a tag of GAME_ALL(…)
    uint16_t count;                         ///< number of ids given, which may exceed the limit; such a rule is refused
    kin_component_id ids[KIN_RULE_MAX_IDS]; ///< the ids that fit, in any order
} kin_rule;

/// A matcher. Make one with KIN_MATCHER(…).
typedef struct kin_matcher {
    uint32_t count; ///< number of rules given, which may exceed the limit; such a matcher is refused
    kin_rule rules[KIN_MATCHER_MAX_RULES]; ///< the rules that fit, in any order
} kin_matcher;

KIN_BEGIN_DECLARATIONS

/// Called by the macros below. Store the ids or rules that fit, and the number given.
KIN_API kin_rule kin__rule_make(kin_rule_kind kind, size_t count, const kin_component_id *ids);
KIN_API kin_matcher kin__matcher_make(size_t count, const kin_rule *rules);

/// Makes a kin_rule: the entity has all of the components.
#define KIN_ALL(...) KIN__RULE(KIN_RULE_ALL, __VA_ARGS__)
/// Makes a kin_rule: the entity has at least one of the components.
#define KIN_ANY(...) KIN__RULE(KIN_RULE_ANY, __VA_ARGS__)
/// Makes a kin_rule: the entity has none of the components.
#define KIN_NONE(...) KIN__RULE(KIN_RULE_NONE, __VA_ARGS__)
/// Makes a kin_rule: the entity has exactly the components, flags included.
#define KIN_ONLY(...) KIN__RULE(KIN_RULE_ONLY, __VA_ARGS__)

/// A kin_rule without ids, with which kin_copy_components copies every component.
#ifdef __cplusplus
#define KIN_EVERY_COMPONENT (kin_rule{})
#else
#define KIN_EVERY_COMPONENT ((kin_rule){0})
#endif

#ifdef __cplusplus

extern "C++" {
template <typename... Ids> inline kin_rule kin__rule_of(kin_rule_kind kind, Ids... ids)
{
    const kin_component_id list[] = {static_cast<kin_component_id>(ids)...};
    return kin__rule_make(kind, sizeof...(ids), list);
}

template <typename... Rules> inline kin_matcher kin__matcher_of(Rules... rules)
{
    const kin_rule list[] = {rules...};
    return kin__matcher_make(sizeof...(rules), list);
}
}

#define KIN__RULE(kind, ...) kin__rule_of(kind, __VA_ARGS__)
/// Makes a kin_matcher from rules, all of which must hold.
#define KIN_MATCHER(...) kin__matcher_of(__VA_ARGS__)

#else

#define KIN__RULE(kind, ...)                                                                                           \
    kin__rule_make(kind, sizeof((const kin_component_id[]){__VA_ARGS__}) / sizeof(kin_component_id),                   \
                   (const kin_component_id[]){__VA_ARGS__})
/// Makes a kin_matcher from rules, all of which must hold.
#define KIN_MATCHER(...)                                                                                               \
    kin__matcher_make(sizeof((const kin_rule[]){__VA_ARGS__}) / sizeof(kin_rule), (const kin_rule[]){__VA_ARGS__})

#endif

KIN_END_DECLARATIONS

#endif
