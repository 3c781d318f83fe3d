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

typedef enum kin_rule_kind {
    KIN_RULE_ALL = 1, ///< has all of these components
    KIN_RULE_ANY,     ///< has at least one of them
    KIN_RULE_NONE,    ///< has none of them
    KIN_RULE_ONLY     ///< has exactly these components and no others, flags counted
} kin_rule_kind;

/// `count` may be larger than the ids that are kept: it says how many were given, so that too many are noticed.
typedef struct kin_rule {
    uint16_t kind, count;
    kin_component_id ids[KIN_RULE_MAX_IDS];
} kin_rule;

typedef struct kin_matcher {
    uint32_t count;
    kin_rule rules[KIN_MATCHER_MAX_RULES];
} kin_matcher;

KIN_BEGIN_DECLARATIONS

/// What the macros below call: keeps the first ids or rules that fit, and the true count.
KIN_API kin_rule kin__rule_make(kin_rule_kind kind, size_t count, const kin_component_id *ids);
KIN_API kin_matcher kin__matcher_make(size_t count, const kin_rule *rules);

KIN_END_DECLARATIONS

#define KIN_ALL(...)  KIN__RULE(KIN_RULE_ALL, __VA_ARGS__)
#define KIN_ANY(...)  KIN__RULE(KIN_RULE_ANY, __VA_ARGS__)
#define KIN_NONE(...) KIN__RULE(KIN_RULE_NONE, __VA_ARGS__)
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
#define KIN_MATCHER(...)     kin__matcher_of(__VA_ARGS__)

#else

#define KIN__RULE(kind, ...)                                                                                           \
    kin__rule_make(kind, sizeof((const kin_component_id[]){__VA_ARGS__}) / sizeof(kin_component_id),                   \
                   (const kin_component_id[]){__VA_ARGS__})
#define KIN_MATCHER(...)                                                                                               \
    kin__matcher_make(sizeof((const kin_rule[]){__VA_ARGS__}) / sizeof(kin_rule), (const kin_rule[]){__VA_ARGS__})

#endif

#endif
