/// Rules of one context, for generated code only. Changes with the interface version.
///
///     struct game_ids_ { char GAME_FROZEN, GAME_POSITION; };     the ids of a context as members
///     GAME_ALL(GAME_POSITION)  →  KIN_ALL(offsetof(struct game_ids_, GAME_POSITION))
///
/// Enumerators of C have type int, so that a compiler cannot tell the ids of two contexts apart. It can with members:
/// the id of another context is not a member, which is an error. The offset of a member is the id.
///
/// The rule also carries a tag of its context, so that another context refuses it.
#ifndef KIN_INTERNAL_RULE_H
#define KIN_INTERNAL_RULE_H

#include <kin/matcher.h>

KIN_BEGIN_DECLARATIONS

enum { KIN__KIND_BITS = 3 }; // of kin_rule.kind; the others are the tag of a context, 0: of no context

// Returns the rule, tagged with the name of its context.
KIN_API kin_rule kin__rule_tag(kin_rule rule, const char *context);

// A rule of ids, which must be members of the struct.
#define KIN__RULE_IN(members, context, kind, ...)                                                                      \
    kin__rule_tag(KIN__RULE(kind, KIN__IDS(members, __VA_ARGS__)), context)

// The offset of each of 1 to 30 members. More do not compile.
#define KIN__IDS(members, ...)     KIN__JOIN(KIN__IDS_, KIN__COUNT(__VA_ARGS__))(members, __VA_ARGS__)
#define KIN__JOIN(left, right)     KIN__JOIN_NOW(left, right)
#define KIN__JOIN_NOW(left, right) left##right
#define KIN__COUNT(...)                                                                                                \
    KIN__COUNT_OF(__VA_ARGS__, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  \
                  8, 7, 6, 5, 4, 3, 2, 1, 0)
#define KIN__COUNT_OF(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20, _21,  \
                      _22, _23, _24, _25, _26, _27, _28, _29, _30, count, ...)                                         \
    count
#define KIN__ID(members, id)          (kin_component_id) offsetof(members, id)
#define KIN__IDS_1(members, id)       KIN__ID(members, id)
#define KIN__IDS_2(members, id, ...)  KIN__ID(members, id), KIN__IDS_1(members, __VA_ARGS__)
#define KIN__IDS_3(members, id, ...)  KIN__ID(members, id), KIN__IDS_2(members, __VA_ARGS__)
#define KIN__IDS_4(members, id, ...)  KIN__ID(members, id), KIN__IDS_3(members, __VA_ARGS__)
#define KIN__IDS_5(members, id, ...)  KIN__ID(members, id), KIN__IDS_4(members, __VA_ARGS__)
#define KIN__IDS_6(members, id, ...)  KIN__ID(members, id), KIN__IDS_5(members, __VA_ARGS__)
#define KIN__IDS_7(members, id, ...)  KIN__ID(members, id), KIN__IDS_6(members, __VA_ARGS__)
#define KIN__IDS_8(members, id, ...)  KIN__ID(members, id), KIN__IDS_7(members, __VA_ARGS__)
#define KIN__IDS_9(members, id, ...)  KIN__ID(members, id), KIN__IDS_8(members, __VA_ARGS__)
#define KIN__IDS_10(members, id, ...) KIN__ID(members, id), KIN__IDS_9(members, __VA_ARGS__)
#define KIN__IDS_11(members, id, ...) KIN__ID(members, id), KIN__IDS_10(members, __VA_ARGS__)
#define KIN__IDS_12(members, id, ...) KIN__ID(members, id), KIN__IDS_11(members, __VA_ARGS__)
#define KIN__IDS_13(members, id, ...) KIN__ID(members, id), KIN__IDS_12(members, __VA_ARGS__)
#define KIN__IDS_14(members, id, ...) KIN__ID(members, id), KIN__IDS_13(members, __VA_ARGS__)
#define KIN__IDS_15(members, id, ...) KIN__ID(members, id), KIN__IDS_14(members, __VA_ARGS__)
#define KIN__IDS_16(members, id, ...) KIN__ID(members, id), KIN__IDS_15(members, __VA_ARGS__)
#define KIN__IDS_17(members, id, ...) KIN__ID(members, id), KIN__IDS_16(members, __VA_ARGS__)
#define KIN__IDS_18(members, id, ...) KIN__ID(members, id), KIN__IDS_17(members, __VA_ARGS__)
#define KIN__IDS_19(members, id, ...) KIN__ID(members, id), KIN__IDS_18(members, __VA_ARGS__)
#define KIN__IDS_20(members, id, ...) KIN__ID(members, id), KIN__IDS_19(members, __VA_ARGS__)
#define KIN__IDS_21(members, id, ...) KIN__ID(members, id), KIN__IDS_20(members, __VA_ARGS__)
#define KIN__IDS_22(members, id, ...) KIN__ID(members, id), KIN__IDS_21(members, __VA_ARGS__)
#define KIN__IDS_23(members, id, ...) KIN__ID(members, id), KIN__IDS_22(members, __VA_ARGS__)
#define KIN__IDS_24(members, id, ...) KIN__ID(members, id), KIN__IDS_23(members, __VA_ARGS__)
#define KIN__IDS_25(members, id, ...) KIN__ID(members, id), KIN__IDS_24(members, __VA_ARGS__)
#define KIN__IDS_26(members, id, ...) KIN__ID(members, id), KIN__IDS_25(members, __VA_ARGS__)
#define KIN__IDS_27(members, id, ...) KIN__ID(members, id), KIN__IDS_26(members, __VA_ARGS__)
#define KIN__IDS_28(members, id, ...) KIN__ID(members, id), KIN__IDS_27(members, __VA_ARGS__)
#define KIN__IDS_29(members, id, ...) KIN__ID(members, id), KIN__IDS_28(members, __VA_ARGS__)
#define KIN__IDS_30(members, id, ...) KIN__ID(members, id), KIN__IDS_29(members, __VA_ARGS__)

KIN_END_DECLARATIONS

#endif
