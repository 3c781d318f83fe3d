/// Matchers say which entities a group contains: a conjunction of rules over components. They are plain values.
///
///     kin_matcher m = KIN_MATCHER(KIN_ALL(GAME_POSITION, GAME_VELOCITY), KIN_NONE(GAME_FROZEN));
///
/// A matcher holds when each of its rules does. Rules may repeat: several `KIN_ANY` hold each on its own, several
/// `KIN_ALL` or `KIN_NONE` are as good as one, two different `KIN_ONLY` match nothing. The order of rules and of ids
/// and repeated ids make no difference: such matchers are equal and give the same group.
#ifndef KIN_MATCHER_H
#define KIN_MATCHER_H

#include <kin/entity.h>

enum {
    KIN_MATCHER_MAX_RULES = 8, ///< rules of a matcher: more are refused with KIN_ERROR_LIMIT
    KIN_RULE_MAX_IDS = 30      ///< ids of a rule: likewise; with both, a matcher fits into 516 bytes
};

/// What a rule asks of an entity.
typedef enum kin_rule_kind {
    KIN_RULE_ALL = 1, ///< has all of these components
    KIN_RULE_ANY,     ///< has at least one of them
    KIN_RULE_NONE,    ///< has none of them
    KIN_RULE_ONLY     ///< has exactly these components and no others, flags counted
} kin_rule_kind;

/// One rule: KIN_ALL(…), KIN_ANY(…), KIN_NONE(…) or KIN_ONLY(…) make it.
typedef struct kin_rule {
    uint16_t kind;                          ///< a kin_rule_kind
    uint16_t count;                         ///< ids that were given; more than fit are noticed and refused
    kin_component_id ids[KIN_RULE_MAX_IDS]; ///< the first of them, in any order
} kin_rule;

/// A conjunction of rules: KIN_MATCHER(…) makes it.
typedef struct kin_matcher {
    uint32_t count;                        ///< rules that were given; more than fit are noticed and refused
    kin_rule rules[KIN_MATCHER_MAX_RULES]; ///< the first of them, in any order
} kin_matcher;

KIN_BEGIN_DECLARATIONS

/// What the macros below call: keeps the first ids or rules that fit, and the true count.
KIN_API kin_rule kin__rule_make(kin_rule_kind kind, size_t count, const kin_component_id *ids);
KIN_API kin_matcher kin__matcher_make(size_t count, const kin_rule *rules);

KIN_END_DECLARATIONS

/// A kin_rule that asks for all of the components.
#define KIN_ALL(...) KIN__RULE(KIN_RULE_ALL, __VA_ARGS__)
/// A kin_rule that asks for at least one of the components.
#define KIN_ANY(...) KIN__RULE(KIN_RULE_ANY, __VA_ARGS__)
/// A kin_rule that asks for none of the components.
#define KIN_NONE(...) KIN__RULE(KIN_RULE_NONE, __VA_ARGS__)
/// A kin_rule that asks for exactly the components, flags counted.
#define KIN_ONLY(...) KIN__RULE(KIN_RULE_ONLY, __VA_ARGS__)

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
/// A kin_matcher of such rules, all of which have to hold.
#define KIN_MATCHER(...) kin__matcher_of(__VA_ARGS__)

#else

#define KIN__RULE(kind, ...)                                                                                           \
    kin__rule_make(kind, sizeof((const kin_component_id[]){__VA_ARGS__}) / sizeof(kin_component_id),                   \
                   (const kin_component_id[]){__VA_ARGS__})
/// A kin_matcher of such rules, all of which have to hold.
#define KIN_MATCHER(...)                                                                                               \
    kin__matcher_make(sizeof((const kin_rule[]){__VA_ARGS__}) / sizeof(kin_rule), (const kin_rule[]){__VA_ARGS__})

#endif

#endif
