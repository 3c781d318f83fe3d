#include "notify/notify.h"

#include <string.h>

// One part of a mask while it is made.
typedef struct part {
    uint64_t *compared, *expected;
    bool never; // no row passes: two requirements exclude each other
} part;

// Requires that a row has the component, or that it lacks it.
static void require(part *part, uint32_t id, bool present)
{
    uint64_t *compared = &part->compared[id / 64];
    uint64_t *expected = &part->expected[id / 64];
    if ((*compared & kin__bit_of(id)) != 0 && ((*expected & kin__bit_of(id)) != 0) != present)
        part->never = true;
    *compared |= kin__bit_of(id);
    if (present)
        *expected |= kin__bit_of(id);
}

// Makes a part that no row passes: it expects a bit that it does not compare.
static void finish_part(part *part, uint32_t row_words)
{
    if (!part->never)
        return;
    memset(part->compared, 0, row_words * sizeof(uint64_t));
    part->expected[0] = 1;
}

static bool names(const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] == id)
            return true;
    return false;
}

static void require_rule(part *part, const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] != id)
            require(part, rule->ids[i], rule->kind == KIN_RULE_ALL);
}

// The occurrences of a component in the rules of a matcher.
typedef struct roles {
    bool in_all, in_none;
    bool has_other_choice;    // an `any` rule of several components does not name it
    uint32_t any_count;       // `any` rules that name it
    const kin_rule *last_any; // the last `any` rule that names it
} roles;

static roles find_roles(const kin_matcher *normal, uint32_t id)
{
    roles roles = {.in_all = false};
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        bool named = names(rule, id);
        roles.in_all = roles.in_all || (named && rule->kind == KIN_RULE_ALL);
        roles.in_none = roles.in_none || (named && rule->kind == KIN_RULE_NONE);
        if (rule->kind != KIN_RULE_ANY)
            continue;
        roles.has_other_choice = roles.has_other_choice || (!named && rule->count > 1);
        roles.any_count += named;
        if (named)
            roles.last_any = rule;
    }
    return roles;
}

// Requires the components of `all`, `none` and `any` rules, where an `any` rule names a single one. Both parts begin
// so.
static void require_rules(part *part, const kin_matcher *normal, uint32_t id)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if (rule->kind == KIN_RULE_ANY && rule->count == 1 && rule->ids[0] != id)
            require(part, rule->ids[0], true);
        else if (rule->kind != KIN_RULE_ANY)
            require_rule(part, rule, id);
    }
}

// Makes both parts for a matcher without an `only` rule. Returns the kind.
static uint64_t make_open(part *crossed, part *member, const kin_matcher *normal, uint32_t id)
{
    roles roles = find_roles(normal, id);
    require_rules(crossed, normal, id);
    require_rules(member, normal, id);
    crossed->never = crossed->never || (roles.in_all && roles.in_none);
    member->never = member->never || roles.in_none;
    bool is_lone_any = roles.any_count == 1 && !roles.in_all && !roles.in_none;
    for (uint32_t i = 0; is_lone_any && i < roles.last_any->count; i++)
        if (roles.last_any->ids[i] != id)
            require(crossed, roles.last_any->ids[i], false);
    bool undecided = roles.any_count > 0 && !roles.in_all && !is_lone_any;
    uint64_t enters = roles.in_none ? 0 : KIN__MASK_ENTERS;
    return enters | (roles.has_other_choice || undecided ? KIN__MASK_INEXACT : 0);
}

// A matcher with an `only` rule matches one row at most: that of the rule, if the other rules match it.
static uint64_t make_exact(part *crossed, part *member, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    const kin_rule *only = &normal->rules[normal->count - 1];
    KIN_ASSERT(only->kind == KIN_RULE_ONLY && id / 64 < row_words);
    for (uint32_t i = 0; i < only->count; i++)
        require(member, only->ids[i], true);
    crossed->never = member->never = !kin__matcher_holds(normal, member->expected, row_words);
    memset(member->compared, 0xFF, row_words * sizeof(uint64_t));
    memcpy(crossed->expected, member->expected, row_words * sizeof(uint64_t));
    memcpy(crossed->compared, member->compared, row_words * sizeof(uint64_t));
    crossed->compared[id / 64] &= ~kin__bit_of(id);
    crossed->expected[id / 64] &= ~kin__bit_of(id);
    return names(only, id) ? KIN__MASK_ENTERS : 0;
}

void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    KIN_ASSERT(row_words > 0);
    memset(mask, 0, kin__mask_words(row_words) * sizeof *mask);
    part crossed = {mask + 1, mask + 1 + row_words, false};
    part member = {mask + 1 + 2 * row_words, mask + 1 + 3 * row_words, false};
    mask[0] = kin__matcher_is_exact(normal) ? make_exact(&crossed, &member, normal, id, row_words)
                                            : make_open(&crossed, &member, normal, id);
    finish_part(&crossed, row_words);
    finish_part(&member, row_words);
}

bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row, uint32_t row_words)
{
    uint64_t *word = &row[id / 64];
    uint64_t kept = *word;
    *word = kept | kin__bit_of(id);
    bool matches_with = kin__matcher_holds(normal, row, row_words);
    bool member = kin__mask_passes(mask, KIN__MASK_MEMBER, row, row_words);
    bool crossed = kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept & ~kin__bit_of(id);
    bool matches_without = kin__matcher_holds(normal, row, row_words);
    bool ignores_own_bit = crossed == kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept;
    bool crosses = matches_with != matches_without;
    if (!ignores_own_bit)
        return false;
    if ((mask[0] & KIN__MASK_INEXACT) != 0)
        return (member || !matches_with) && (crossed || !crosses);
    if (member != matches_with || crossed != crosses)
        return false;
    return !crossed || matches_with == ((mask[0] & KIN__MASK_ENTERS) != 0);
}

bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    KIN_ASSERT(row_words > 0);
    const uint64_t *compared = mask + 1 + (size_t)part * 2 * row_words;
    const uint64_t *expected = compared + row_words;
    for (uint32_t word = 0; word < row_words; word++)
        if ((row[word] & compared[word]) != expected[word])
            return false;
    return true;
}

static bool are_of_one_collector(const kin__subscriber *left, const kin__subscriber *right)
{
    return left->collects && right->collects && left->user == right->user;
}

// Returns the first live subscriber that a replace calls, if it calls no other one and this one once; else NULL. A
// collector ignores the second call, also of another of its triggers.
static const kin__subscriber *find_single(const kin_group *group)
{
    const kin__subscriber *single = NULL;
    for (const kin__subscriber *each = group->subscribers.first; each != NULL; each = each->next) {
        if (each->serial == 0 || (each->events & KIN__EVENTS_OF_GROUPS) == 0)
            continue;
        if (single != NULL && !are_of_one_collector(single, each))
            return NULL;
        single = single == NULL ? each : single;
    }
    if (single == NULL)
        return NULL;
    return (single->events & (single->events - 1)) == 0 || single->collects ? single : NULL;
}

// Whether replaces must call the library: the component has watchers other than its journal.
static bool has_replace_watchers(const kin_context *context, uint32_t id)
{
    return context->components[id].watchers > (uint32_t)kin__journal_is_on(&context->core->watches[id]);
}

// Whether replaces of the component can ever be direct calls.
static bool allows_direct(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    if (id >= context->info->component_count || context->row_words > 1)
        return false;
    return watch->is_fast && watch->size <= sizeof watch->direct->value;
}

// Returns the only subscriber that a replace of the component notifies, if one compare of a word decides whether it
// does; else NULL.
static const kin__subscriber *direct_subscriber_of(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    const uint64_t *mask = watch->masks.elements;
    bool is_noted = (watch->side_effects & KIN__SIDE_EFFECT_NOTED) != 0;
    if (!allows_direct(context, id) || watch->count != 1 || (mask[0] & KIN__MASK_INEXACT) != 0)
        return NULL;
    if (context->core->events.change_subscribers > 0 || is_noted)
        return NULL;
    return find_single(*(kin_group *const *)watch->groups.elements);
}

// Sets the constant part of the change: the caller of a replace fills in entity and values.
static void prepare(kin__direct *direct, const kin__subscriber *subscriber)
{
    KIN_ASSERT(subscriber->serial != 0 && subscriber->group->context == direct->change.context);
    direct->change.group = subscriber->group;
    direct->change.previous = subscriber->events == KIN__EVENT_ADDED ? NULL : direct->previous;
    direct->change.value = subscriber->events == KIN__EVENT_REMOVED ? NULL : direct->value;
    direct->listener = subscriber->listener;
    direct->user = subscriber->user;
}

// Returns the replace path that leads to the subscriber, and sets the rows that match its group's mask.
static uintptr_t path_to(kin__direct *direct, const kin__subscriber *subscriber, const uint64_t *mask, uint32_t id)
{
    uint64_t compared = mask[1 + KIN__MASK_MEMBER * 2];
    uint64_t expected = mask[2 + KIN__MASK_MEMBER * 2];
    uint64_t bit = (uint64_t)1 << id;
    if ((expected & ~compared) != 0 || (compared & ~expected & bit) != 0)
        return KIN__PATH_LIBRARY; // no entity matches, or none that has the component
    direct->compared = compared | bit;
    direct->expected = expected | bit;
    uintptr_t collector = subscriber->collects ? KIN__PATH_COLLECTOR : 0;
    return (uintptr_t)direct | collector | (compared == 0 ? 0 : KIN__PATH_MEMBERS);
}

void kin__direct_refresh(kin_context *context, uint32_t id)
{
    kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (id == context->info->component_count)
        return;
    const kin__subscriber *subscriber = direct_subscriber_of(context, id);
    component->replace_path = has_replace_watchers(context, id) ? KIN__PATH_LIBRARY : 0;
    if (subscriber == NULL)
        return;
    if (context->depth > 0) { // a listener may be looking at the change in `direct`
        context->unsettled = context->core->dispatch.direct_waits = true;
        return;
    }
    KIN_ASSERT(watch->direct != NULL && component->watchers > 0);
    prepare(watch->direct, subscriber);
    component->replace_path = path_to(watch->direct, subscriber, watch->masks.elements, id);
}

void kin__direct_refresh_all(kin_context *context)
{
    context->core->dispatch.direct_waits = false;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__direct_refresh(context, id);
}

// Allocates `direct` of a component that can have a direct call. False when out of memory.
static bool direct_reserve(kin_context *context, uint32_t id)
{
    kin__watch *watch = &context->core->watches[id];
    if (watch->direct != NULL || !allows_direct(context, id))
        return true;
    watch->direct = kin__allocate_zero(&context->core->group_memory, sizeof *watch->direct);
    if (watch->direct == NULL)
        return false;
    watch->direct->change = (kin_change){.context = context, .component = (kin_component_id)id};
    return true;
}

static bool is_prepared(const kin__direct *direct, const kin__subscriber *subscriber)
{
    const kin_change *change = &direct->change;
    if (direct->listener != subscriber->listener || direct->user != subscriber->user)
        return false;
    bool has_previous = (change->previous != NULL) == (subscriber->events != KIN__EVENT_ADDED);
    bool has_value = (change->value != NULL) == (subscriber->events != KIN__EVENT_REMOVED);
    return change->group == subscriber->group && has_previous && has_value;
}

bool kin__direct_is_valid(const kin_context *context, uint32_t id)
{
    const kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    bool is_watched = has_replace_watchers(context, id);
    if (component->replace_path == 0)
        return !is_watched || id == context->info->component_count;
    if (!is_watched)
        return false;
    const kin__subscriber *subscriber = direct_subscriber_of(context, id);
    if (component->replace_path == KIN__PATH_LIBRARY)
        return subscriber == NULL || context->depth > 0 ||
               path_to(watch->direct, subscriber, watch->masks.elements, id) == KIN__PATH_LIBRARY;
    return subscriber != NULL && is_prepared(watch->direct, subscriber) &&
           path_to(watch->direct, subscriber, watch->masks.elements, id) == component->replace_path;
}

// ---- lists of watching groups

// Calls `visit` for each component that the group watches, being alive included; repeatedly for one that several rules
// name. Stops, and returns false, when a visit returns false.
static bool visit_watched(kin_group *group, bool (*visit)(kin_group *group, uint32_t id))
{
    const kin_matcher *matcher = &group->matcher;
    uint32_t count = group->context->info->component_count;
    if (kin__matcher_is_exact(matcher)) {
        for (uint32_t id = 0; id < count; id++)
            if (!visit(group, id))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < matcher->count; i++)
        for (uint32_t k = 0; k < matcher->rules[i].count; k++)
            if (!visit(group, matcher->rules[i].ids[k]))
                return false;
    return !kin__matcher_allows_empty(matcher) || visit(group, count);
}

static size_t mask_size(const kin_context *context)
{
    return kin__mask_words(context->row_words) * sizeof(uint64_t);
}

// Reserves as many places for groups as there can be visits: the matcher may name the component in each of its rules.
static bool reserve(kin_group *group, uint32_t id)
{
    const kin_context_info *info = group->context->info;
    kin__core *core = group->context->core;
    if (id < info->component_count && !kin__payload_reserve(group->context, info->components[id].size))
        return false;
    kin__watch *watch = &core->watches[id];
    uint32_t least = watch->reserved + KIN_MATCHER_MAX_RULES;
    return direct_reserve(group->context, id) &&
           kin__array_reserve(&core->group_memory, &watch->groups, least, sizeof(kin_group *)) &&
           kin__array_reserve(&core->group_memory, &watch->masks, watch->reserved + 1, mask_size(group->context));
}

static bool count_reserved(kin_group *group, uint32_t id)
{
    group->context->core->watches[id].reserved++;
    return true;
}

bool kin__watch_reserve(kin_group *group)
{
    if (group->has_room)
        return true;
    group->has_room = visit_watched(group, reserve) && visit_watched(group, count_reserved);
    return group->has_room;
}

void kin__watch_release(kin_context *context, kin__watch *watch)
{
    kin__array_release(&context->core->group_memory, &watch->groups, sizeof(kin_group *));
    kin__array_release(&context->core->group_memory, &watch->masks, mask_size(context));
    kin__release(&context->core->group_memory, watch->direct, sizeof *watch->direct);
}

static bool count_unreserved(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    KIN_ASSERT(watch->reserved > watch->count);
    watch->reserved--;
    return true;
}

void kin__watch_unreserve(kin_group *group)
{
    KIN_ASSERT(group->subscriber_count == 0);
    if (group->has_room)
        visit_watched(group, count_unreserved);
    group->has_room = false;
}

// Does nothing if the group is in the list: it may name a component twice.
static bool insert_group(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    kin_group **groups = watch->groups.elements;
    uint32_t place = watch->count;
    while (place > 0 && groups[place - 1]->number > group->number)
        place--;
    if (place > 0 && groups[place - 1] == group)
        return true;
    kin_context *context = group->context;
    KIN_ASSERT(group->has_room && watch->count < watch->reserved);
    KIN_ASSERT(watch->count < watch->groups.capacity && watch->count < watch->masks.capacity);
    uint32_t later_count = watch->count - place;
    memmove(groups + place + 1, groups + place, later_count * sizeof *groups);
    memmove(kin__mask_at(watch, place + 1, context->row_words), kin__mask_at(watch, place, context->row_words),
            later_count * mask_size(context));
    groups[place] = group;
    kin__mask_make(kin__mask_at(watch, place, context->row_words), &group->matcher, id, context->row_words);
    watch->count++;
    watch->version++;
    kin__component_watch(context, id, true);
    return true;
}

// Does nothing if the group is not in the list.
static bool remove_group(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    kin_group **groups = watch->groups.elements;
    uint32_t place = 0;
    while (place < watch->count && groups[place] != group)
        place++;
    if (place == watch->count)
        return true;
    kin_context *context = group->context;
    uint32_t later_count = watch->count - place - 1;
    memmove(groups + place, groups + place + 1, later_count * sizeof *groups);
    memmove(kin__mask_at(watch, place, context->row_words), kin__mask_at(watch, place + 1, context->row_words),
            later_count * mask_size(context));
    watch->count--;
    watch->version++;
    kin__component_watch(context, id, false);
    return true;
}

// ---- subscribers

uint32_t kin__event_bits(kin_group_event event)
{
    switch (event) {
    case KIN_ADDED:
        return KIN__EVENT_ADDED;
    case KIN_REMOVED:
        return KIN__EVENT_REMOVED;
    case KIN_ADDED_OR_REMOVED:
        return KIN__EVENT_ADDED | KIN__EVENT_REMOVED;
    case KIN_MODIFIED:
        return KIN__EVENT_MODIFIED;
    }
    return 0;
}

static bool refresh_direct(kin_group *group, uint32_t id)
{
    kin__direct_refresh(group->context, id);
    return true;
}

static bool count_listened(kin_group *group, uint32_t id)
{
    group->context->core->watches[id].listened++;
    return true;
}

static bool count_unlistened(kin_group *group, uint32_t id)
{
    kin__watch *watch = &group->context->core->watches[id];
    KIN_ASSERT(watch->listened > 0);
    watch->listened--;
    return true;
}

static void spawn_watch(kin_context *context, const kin_matcher *normal, bool on);

void kin__group_subscriber_begin(kin__subscriber *subscriber)
{
    kin_group *group = subscriber->group;
    KIN_ASSERT(group->has_room && subscriber->listener != NULL && subscriber->events != 0);
    subscriber->context = group->context;
    subscriber->list = &group->subscribers;
    kin__subscriber_append(subscriber);
    if (group->subscriber_count++ == 0) {
        visit_watched(group, insert_group);
        spawn_watch(group->context, &group->matcher, true);
    }
    if (!subscriber->collects && group->listener_count++ == 0)
        visit_watched(group, count_listened);
    visit_watched(group, refresh_direct);
}

void kin__group_subscriber_end(kin__subscriber *subscriber)
{
    KIN_ASSERT(subscriber->serial != 0 && subscriber->group->subscriber_count > 0);
    subscriber->serial = 0;
    if (!subscriber->collects && --subscriber->group->listener_count == 0)
        visit_watched(subscriber->group, count_unlistened);
    if (--subscriber->group->subscriber_count == 0) {
        visit_watched(subscriber->group, remove_group);
        spawn_watch(subscriber->context, &subscriber->group->matcher, false);
    }
    visit_watched(subscriber->group, refresh_direct);
}

void kin__group_subscriber_set_listener(kin__subscriber *subscriber, kin_listener *listener, bool collects)
{
    bool is_live = subscriber->serial != 0;
    bool changes = is_live && subscriber->collects != collects;
    if (changes && !collects && subscriber->group->listener_count++ == 0)
        visit_watched(subscriber->group, count_listened);
    if (changes && collects && --subscriber->group->listener_count == 0)
        visit_watched(subscriber->group, count_unlistened);
    subscriber->listener = listener;
    subscriber->collects = collects;
    if (is_live)
        visit_watched(subscriber->group, refresh_direct);
}

static kin_subscription report_error(const kin_group *group, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "subscribe to a group", .reason = reason};
    if (group == NULL)
        kin__report_error_to(NULL, status, &attempt, 0);
    else
        kin__report_error(group->context, status, &attempt);
    return (kin_subscription){0};
}

kin_subscription kin_group_subscribe(kin_group *group, kin_group_event event, kin_listener *listener, void *user)
{
    if (group == NULL)
        return report_error(NULL, KIN_ERROR_INVALID, "the group is NULL; check the result of the call that made it");
    if (listener == NULL)
        return report_error(group, KIN_ERROR_INVALID, "the listener is NULL; pass a function");
    if (kin__event_bits(event) == 0)
        return report_error(group, KIN_ERROR_INVALID, "the event is unknown; use one of kin_group_event");
    if (kin__context_is_shared(group->context))
        return report_error(group, KIN_ERROR_INVALID, NULL);
    kin__subscriber *subscriber = kin__watch_reserve(group) ? kin__subscriber_make(group->context) : NULL;
    if (subscriber == NULL)
        return report_error(group, KIN_ERROR_NO_MEMORY, NULL);
    *subscriber =
        (kin__subscriber){.events = kin__event_bits(event), .listener = listener, .user = user, .group = group};
    kin__group_subscriber_begin(subscriber);
    return (kin_subscription){subscriber, subscriber->serial};
}

// Returns how many ids of the rule are among the first `count` parts. Both are in ascending order.
static uint32_t count_common(const kin_rule *rule, const kin__part *parts, uint32_t count)
{
    uint32_t common = 0;
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < rule->count && k < count) {
        common += rule->ids[i] == parts[k].id;
        bool is_next = rule->ids[i] <= parts[k].id;
        k += rule->ids[i] >= parts[k].id;
        i += is_next;
    }
    return common;
}

static bool holds(const kin_rule *rule, const kin__part *parts, uint32_t count)
{
    uint32_t common = count_common(rule, parts, count);
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return common == rule->count;
    case KIN_RULE_ANY:
        return common > 0;
    case KIN_RULE_NONE:
        return common == 0;
    case KIN_RULE_ONLY:
        return common == rule->count && count == rule->count;
    }
    return true;
}

static bool matches(const kin_matcher *normal, const kin__part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < normal->count; i++)
        if (!holds(&normal->rules[i], parts, count))
            return false;
    return true;
}

bool kin__spawn_passes(const kin__blueprint *blueprint, const kin_matcher *normal)
{
    KIN_ASSERT(normal->count > 0);
    for (uint32_t count = 0; count <= blueprint->part_count; count++)
        if (matches(normal, blueprint->parts, count))
            return true;
    return false;
}

static void watch(kin__blueprint *blueprint, bool on)
{
    KIN_ASSERT(on || blueprint->watchers > 0);
    blueprint->watchers += on ? 1u : (uint32_t)-1;
}

static void watch_matching(kin__blueprint *blueprints, uint32_t count, const kin_matcher *normal, bool on)
{
    for (uint32_t i = 0; i < count; i++)
        if (normal == NULL || kin__spawn_passes(&blueprints[i], normal))
            watch(&blueprints[i], on);
}

// Adds or removes the group as a watcher of all blueprints whose spawns pass through it; without a group, of all.
static void spawn_watch(kin_context *context, const kin_matcher *normal, bool on)
{
    const kin__prefabs *prefabs = context->core->prefabs;
    watch_matching(context->blueprints, context->core->blueprint_count, normal, on);
    for (uint32_t i = 0; prefabs != NULL && i < prefabs->all.capacity; i++) {
        const kin__prefab *prefab = *kin__prefab_at(prefabs, i);
        if (prefab != NULL)
            watch_matching(prefab->blueprints, prefab->count, normal, on);
    }
}

void kin__spawn_watch_all(kin_context *context, bool on)
{
    spawn_watch(context, NULL, on);
}
