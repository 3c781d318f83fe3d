#include "query/query.h"

#include <math.h>
#include <string.h>

// ---- comparisons

// What a comparison of two values comes to: one of these bits. A NaN is UNORDERED, also beside itself.
enum { BEFORE = 1, SAME = 2, AFTER = 4, UNORDERED = 8 };

// Returns the bit without a branch: which one it is changes from entity to entity.
static int order(bool is_less, bool is_equal, bool is_greater)
{
    return is_less * BEFORE | is_equal * SAME | is_greater * AFTER;
}

static double as_real(const kin__scalar *scalar)
{
    if (scalar->kind == KIN__SCALAR_REAL)
        return scalar->as.real;
    if (scalar->kind == KIN__SCALAR_INTEGER)
        return (double)scalar->as.integer;
    return (double)scalar->as.natural;
}

static int compare_naturals(uint64_t left, uint64_t right)
{
    return order((left < right), left == right, (left > right));
}

static int compare_numbers(const kin__scalar *left, const kin__scalar *right)
{
    if (left->kind == KIN__SCALAR_REAL || right->kind == KIN__SCALAR_REAL) {
        double a = as_real(left);
        double b = as_real(right);
        int result = order((a < b), a == b, (a > b));
        return result | (result == 0) * UNORDERED;
    }
    bool is_left_negative = left->kind != KIN__SCALAR_NATURAL && left->as.integer < 0;
    bool is_right_negative = right->kind != KIN__SCALAR_NATURAL && right->as.integer < 0;
    if (is_left_negative != is_right_negative)
        return is_left_negative ? BEFORE : AFTER;
    // Of two numbers with the same sign, the order of the bits is theirs.
    return compare_naturals(left->as.natural, right->as.natural);
}

static int compare_texts(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return compare_naturals(left != NULL, right != NULL);
    int difference = strcmp(left, right);
    return order((difference < 0), difference == 0, (difference > 0));
}

static int compare(const kin__scalar *left, const kin__scalar *right)
{
    switch (left->kind) {
    case KIN__SCALAR_TEXT:
        return compare_texts(left->as.text, right->as.text);
    case KIN__SCALAR_BOOL:
        return compare_naturals(left->as.boolean, right->as.boolean);
    case KIN__SCALAR_ENTITY:
        return compare_naturals(left->as.entity, right->as.entity);
    default:
        return compare_numbers(left, right);
    }
}

// Returns what is behind the character of UTF-8 at `text`, or behind the byte if there is none.
static const char *after_character(const char *text, const char *end)
{
    for (text++; text < end && (*text & 0xC0) == 0x80; text++)
        continue;
    return text;
}

bool kin__compare_like(const char *text, const char *pattern)
{
    const char *star = NULL;
    const char *resume = NULL;
    const char *end = text + strnlen(text, KIN__LIKE_SIZE);
    while (text < end) {
        bool is_escaped = *pattern == '\\' && pattern[1] != '\0';
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == '?') {
            pattern++;
            text = after_character(text, end);
        } else if (pattern[is_escaped] == *text) {
            pattern += 1 + is_escaped;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = resume = after_character(resume, end);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool kin__compare_holds(kin__comparison comparison, const kin__scalar *left, const kin__scalar *right)
{
    static const int accepted[] = {
        [KIN__EQUAL] = SAME,    [KIN__UNEQUAL] = BEFORE | AFTER | UNORDERED,
        [KIN__LESS] = BEFORE,   [KIN__LESS_EQUAL] = BEFORE | SAME,
        [KIN__GREATER] = AFTER, [KIN__GREATER_EQUAL] = AFTER | SAME,
    };
    if (comparison == KIN__LIKE) {
        if (left->as.text == NULL || right->as.text == NULL)
            return false;
        return kin__compare_like(left->as.text, right->as.text);
    }
    KIN_ASSERT((size_t)comparison < sizeof accepted / sizeof *accepted);
    return (accepted[comparison] & compare(left, right)) != 0;
}

bool kin__compare_precedes(const kin__scalar *left, const kin__scalar *right)
{
    if (left->kind == KIN__SCALAR_REAL && isnan(left->as.real) != isnan(right->as.real))
        return isnan(right->as.real);
    return compare(left, right) == BEFORE;
}

// Matching: terms by words of 64 slots, conditions by entity.

// ---- terms

static uint64_t any_of(const kin_context *context, const kin_component_id *ids, uint32_t count, uint32_t word)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < count; i++)
        any |= kin_look_has(context, ids[i], word);
    return any;
}

static uint64_t all_of(const kin_context *context, const kin_component_id *ids, uint32_t count, uint32_t word)
{
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < count && all != 0; i++)
        all &= kin_look_has(context, ids[i], word);
    return all;
}

static bool contains(const kin_component_id *ids, uint32_t count, uint32_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

static uint64_t only_of(const kin_context *context, const kin_component_id *ids, uint32_t count, uint32_t word)
{
    uint64_t only = all_of(context, ids, count, word);
    uint32_t components = kin_context_info_of(context)->component_count;
    for (uint32_t id = 0; id < components && only != 0; id++)
        if (!contains(ids, count, id))
            only &= ~kin_look_has(context, (kin_component_id)id, word);
    return only;
}

static uint64_t rule_of(const kin_context *context, const kin_rule *rule, uint32_t word)
{
    switch (rule->kind & 7) {
    case KIN_RULE_ALL:
        return all_of(context, rule->ids, rule->count, word);
    case KIN_RULE_ANY:
        return any_of(context, rule->ids, rule->count, word);
    case KIN_RULE_NONE:
        return ~any_of(context, rule->ids, rule->count, word);
    default:
        return only_of(context, rule->ids, rule->count, word);
    }
}

static uint64_t group_of(const kin_context *context, const kin_group_info *group, uint32_t number, uint32_t word)
{
    uint64_t match = UINT64_MAX;
    for (uint32_t i = 0; i < group->matcher.count && match != 0; i++)
        match &= rule_of(context, &group->matcher.rules[i], word);
    if (group->question_count == 0)
        return match;
    uint64_t members = 0;
    for (match &= kin_look_alive(context, word); match != 0; match &= match - 1) {
        uint32_t bit = kin__lowest_bit(match);
        members |= (uint64_t)kin_look_is_member(context, number, kin_look_entity(context, 64 * word + bit)) << bit;
    }
    return members;
}

static uint64_t created_in(const kin_context *context, uint64_t created, uint32_t word)
{
    uint64_t match = 0;
    uint64_t alive = kin_look_alive(context, word);
    for (uint32_t i = 0; alive != 0 && i < 64; i++)
        if ((alive >> i & 1) != 0 && kin_entity_creation_index(kin_look_entity(context, 64 * word + i)) == created)
            match |= (uint64_t)1 << i;
    return match;
}

static uint64_t entity_in(const kin_context *context, kin_entity entity, uint32_t word)
{
    uint32_t slot = kin_entity_slot(entity);
    if (entity == 0 || slot / 64 != word)
        return 0;
    return (uint64_t)(kin_look_entity(context, slot) == entity) << slot % 64;
}

static uint64_t leaf_of(const kin__query *query, const kin__query_node *node, const kin_context *context, uint32_t word)
{
    switch (node->kind) {
    case KIN__QUERY_COMPONENT:
        return kin_look_has(context, node->number, word);
    case KIN__QUERY_ONLY:
        return only_of(context, query->ids + node->number, node->count, word);
    case KIN__QUERY_GROUP:
        return group_of(context, &query->info->groups[node->number], node->number, word);
    case KIN__QUERY_CREATED:
        return created_in(context, node->entity, word);
    case KIN__QUERY_ENTITY:
        return entity_in(context, node->entity, word);
    default:
        return UINT64_MAX;
    }
}

// ---- conditions

size_t kin__query_room(const kin_context_info *info, kin_component_id id)
{
    KIN_ASSERT(id < info->component_count);
    return (info->components[id].size + 15) / 16 * 16;
}

size_t kin__query_scratch(const kin_context_info *info)
{
    size_t most = 16;
    for (uint32_t i = 0; i < info->component_count; i++)
        most = kin__max_size(most, kin__query_room(info, (kin_component_id)i));
    return 2 * most;
}

typedef enum truth { NO, UNKNOWN, YES } truth; // in this order: & takes the smaller one, ! the one from the other end

typedef struct asked {
    const kin__query *query;
    const kin_context *context;
    kin_entity entity;
    void *scratch;
} asked;

const void *kin__query_value(const kin_context *context, kin_entity entity, kin_component_id id, void *scratch)
{
    KIN_ASSERT(id < kin_context_info_of(context)->component_count);
    const void *value = kin_get(context, entity, id);
    if (value == NULL && kin_look_read(context, entity, id, scratch))
        return scratch;
    return value;
}

static bool read_path(const asked *asked, const kin__path *path, kin__scalar *scalar)
{
    const void *value = kin__query_value(asked->context, asked->entity, path->component, asked->scratch);
    if (value == NULL)
        return false;
    const void *at = kin__path_address(path, value);
    if (at == NULL)
        return false;
    *scalar = kin__scalar_read(path->field, at);
    return true;
}

static bool is_null(const kin__scalar *scalar)
{
    if (scalar->kind == KIN__SCALAR_TEXT)
        return scalar->as.text == NULL;
    return scalar->as.entity == 0;
}

// A text of the left side may be in the scratch: the right side uses what is behind it.
static bool read_other(const asked *asked, const kin__query_test *test, kin__scalar *scalar)
{
    struct asked other = *asked;
    other.scratch = (char *)asked->scratch + kin__query_room(asked->query->info, test->left.component);
    return read_path(&other, &test->right, scalar);
}

static truth truth_of(bool holds)
{
    return holds ? YES : NO;
}

static truth test_of(const asked *asked, const kin__query_test *test)
{
    kin__scalar left;
    kin__scalar right = test->constant;
    if (!read_path(asked, &test->left, &left))
        return UNKNOWN;
    if (test->comparison == KIN__IS_NULL)
        return truth_of(is_null(&left));
    if (test->has_path && !read_other(asked, test, &right))
        return UNKNOWN;
    return truth_of(kin__compare_holds(test->comparison, &left, &right));
}

// ---- targets of relations

static bool is_target_in(const asked *asked, const kin__query_node *node);

// Whether the entity matches a term. Recursive in the nodes of the term, of which there are few.
static bool is_in(const asked *asked, uint16_t number)
{
    const kin__query_node *node = &asked->query->nodes[number];
    uint32_t slot = kin_entity_slot(asked->entity);
    KIN_ASSERT(number < asked->query->node_count);
    switch (node->kind) {
    case KIN__QUERY_AND:
        return is_in(asked, node->left) && is_in(asked, node->right);
    case KIN__QUERY_OR:
        return is_in(asked, node->left) || is_in(asked, node->right);
    case KIN__QUERY_NOT:
        return !is_in(asked, node->left);
    case KIN__QUERY_TARGET:
        return is_target_in(asked, node);
    default:
        return (leaf_of(asked->query, node, asked->context, slot / 64) >> slot % 64 & 1) != 0;
    }
}

// Whether the entity names a target that matches the term of the node.
static bool is_target_in(const asked *asked, const kin__query_node *node)
{
    kin__scalar target;
    struct asked other = *asked;
    if (!read_path(asked, &asked->query->tests[node->number].left, &target) || target.as.entity == 0)
        return false;
    other.entity = target.as.entity;
    return is_in(&other, node->left);
}

static uint64_t targets_in(const asked *asked, const kin__query_node *node, uint32_t word)
{
    const kin__path *path = &asked->query->tests[node->number].left;
    struct asked each = *asked;
    uint64_t match = 0;
    for (uint64_t left = kin_look_has(asked->context, path->component, word); left != 0; left &= left - 1) {
        uint32_t bit = kin__lowest_bit(left);
        each.entity = kin_look_entity(asked->context, 64 * word + bit);
        match |= (uint64_t)is_target_in(&each, node) << bit;
    }
    return match;
}

// Recursive in the nodes of the term, of which there are few.
static uint64_t term_of(const asked *asked, uint16_t number, uint32_t word)
{
    const kin__query_node *node = &asked->query->nodes[number];
    KIN_ASSERT(number < asked->query->node_count);
    switch (node->kind) {
    case KIN__QUERY_AND:
        KIN_ASSERT(node->left < number && node->right < number);
        return term_of(asked, node->left, word) & term_of(asked, node->right, word);
    case KIN__QUERY_OR:
        return term_of(asked, node->left, word) | term_of(asked, node->right, word);
    case KIN__QUERY_NOT:
        return ~term_of(asked, node->left, word);
    case KIN__QUERY_TARGET:
        return targets_in(asked, node, word);
    default:
        return leaf_of(asked->query, node, asked->context, word);
    }
}

// ---- words

// Recursive in the nodes of the condition, of which there are few.
static truth condition_of(const asked *asked, uint16_t number)
{
    const kin__query_node *node = &asked->query->nodes[number];
    KIN_ASSERT(number < asked->query->node_count);
    KIN_ASSERT(node->left < number || node->kind == KIN__QUERY_TEST);
    KIN_ASSERT(node->kind != KIN__QUERY_TEST || node->number < asked->query->test_count);
    if (node->kind == KIN__QUERY_TEST)
        return test_of(asked, &asked->query->tests[node->number]);
    truth left = condition_of(asked, node->left);
    if (node->kind == KIN__QUERY_NOT)
        return (truth)(YES - left);
    bool is_and = node->kind == KIN__QUERY_AND;
    if (left == truth_of(!is_and))
        return left;
    truth right = condition_of(asked, node->right);
    return is_and == (left < right) ? left : right; // the smaller one of &, the larger one of |
}

// Gathers bits instead of branching for each entity: half of such branches are predicted wrongly.
static uint64_t condition_in(const kin__query *query, const kin_context *context, uint32_t word, uint64_t match,
                             void *scratch)
{
    asked asked = {.query = query, .context = context, .scratch = scratch};
    uint64_t holds = 0;
    for (uint64_t left = match; left != 0; left &= left - 1) {
        uint32_t bit = kin__lowest_bit(left);
        asked.entity = kin_look_entity(context, 64 * word + bit);
        holds |= (uint64_t)(condition_of(&asked, query->condition) == YES) << bit;
    }
    return holds;
}

uint64_t kin__query_word(const kin__query *query, const kin_context *context, uint32_t word, void *scratch)
{
    KIN_ASSERT(query->info == kin_context_info_of(context) && query->term < query->node_count);
    KIN_ASSERT(scratch != NULL || !query->has_condition);
    uint64_t match = kin_look_alive(context, word);
    if (match != 0)
        match &= term_of(&(asked){.query = query, .context = context, .scratch = scratch}, query->term, word);
    if (match != 0 && query->has_condition)
        return condition_in(query, context, word, match, scratch);
    return match;
}

bool kin__query_key(const kin__query *query, const kin_context *context, kin_entity entity, void *scratch,
                    kin__scalar *key)
{
    KIN_ASSERT(query->has_order && scratch != NULL);
    asked asked = {query, context, entity, scratch};
    return read_path(&asked, &query->order, key);
}
