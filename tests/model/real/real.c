#include "real.h"
#include "notify/notify.h"
#include "store/store.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

int32_t real_part(const real *real, uint32_t id)
{
    if (id == real->port->info->component_count)
        return MODEL_NO_PART;
    for (int32_t part = 0; part < MODEL_PARTS; part++)
        if ((real->package->parts & model_bit(part)) != 0 && real->port->parts[part].id == id)
            return part;
    return MODEL_PARTS;
}

int32_t real_read(const real *real, int32_t part, const void *value)
{
    if (value == NULL || part < 0 || part >= MODEL_PARTS)
        return value == NULL ? MODEL_NO_VALUE : MODEL_BROKEN;
    return real->port->parts[part].read == NULL ? MODEL_BROKEN : real->port->parts[part].read(value);
}

// ERR-03: the names are those of the schema, or NULL.
static int32_t part_named(const char *name)
{
    for (int32_t part = 0; part < MODEL_PARTS && name != NULL; part++)
        if (strcmp(name, model_traits[part].name) == 0)
            return part;
    return name == NULL ? MODEL_NO_PART : MODEL_PARTS;
}

// RET-07: logs the held entity and the names of owners in the sentence, unless there are more owners than it shows.
static void log_holders(const real *real, const char *message)
{
    enum { MOST_SHOWN = 3 };
    kin_entity entity = kin__hold_first(real->context);
    const void *owner = NULL;
    const char *name = NULL;
    int32_t names = 0, owners = 0;
    for (uint32_t place = 0; kin__owners_next(real->context, entity, &place, &owner, &name);)
        owners++;
    for (int32_t i = 0; i < MODEL_OWNERS; i++)
        if (model_owner_names[i] != NULL && strstr(message, model_owner_names[i]) != NULL)
            names |= 1 << i;
    model_log(real->side,
              (model_record){.kind = MODEL_ANSWER, .entity = entity, .value = owners > MOST_SHOWN ? -1 : names});
}

static void on_error(const kin_error *error, void *user)
{
    real *real = user;
    if (error->message == NULL || strlen(error->message) < 10)
        ck_abort_msg("an error without a sentence");
    if (real->is_refusing && error->status == KIN_ERROR_NO_MEMORY)
        return;
    if (error->status == KIN_ERROR_RETAINED && error->entity == 0 && !real->is_refusing)
        log_holders(real, error->message);
    real_refuse_no_more(real); // it was not for the allocator
    model_call(real->side, (model_record){.kind = MODEL_ERROR,
                                          .number = (int32_t)error->status,
                                          .entity = error->entity,
                                          .part = part_named(error->component)});
}

// ---- groups

// Writes an equal matcher in another form (MAT-03): rules and ids in another order, some twice, a rule of `all` or
// `none` split into two.
static void write_rule(kin_matcher *matcher, const real *real, model_rule wanted)
{
    kin_rule rule = {.kind = (uint16_t)wanted.kind};
    for (int32_t part = MODEL_PARTS - 1; part >= 0; part--)
        if ((wanted.parts & model_bit(part)) != 0)
            rule.ids[rule.count++] = real->port->parts[part].id;
    if (rule.count < KIN_RULE_MAX_IDS)
        rule.ids[rule.count++] = rule.ids[0];
    matcher->rules[matcher->count++] = rule;
}

kin_matcher real_matcher(const real *real, int32_t number)
{
    const model_matcher *wanted = &real->package->matchers[number];
    kin_matcher matcher = {0};
    for (uint32_t i = wanted->count; i > 0; i--) {
        model_rule rule = wanted->rules[i - 1];
        uint32_t low = rule.parts & (~rule.parts + 1);
        bool splits = (rule.kind == KIN_RULE_ALL || rule.kind == KIN_RULE_NONE) && rule.parts != low;
        if (splits && matcher.count + i < KIN_MATCHER_MAX_RULES) {
            write_rule(&matcher, real, (model_rule){rule.kind, low});
            rule.parts &= ~low;
        }
        write_rule(&matcher, real, rule);
    }
    if (matcher.count < KIN_MATCHER_MAX_RULES)
        matcher.rules[matcher.count++] = matcher.rules[0];
    return matcher;
}

// MAT-04: an invalid matcher; `wrong` selects the fault.
static kin_status ask_wrongly(const real *real, kin_entity entity, int32_t number, int32_t wrong)
{
    kin_matcher matcher = real_matcher(real, number);
    kin_rule *rule = &matcher.rules[matcher.count - 1];
    switch (wrong) {
    case 0:
        matcher.count = 0;
        break;
    case 1:
        rule->count = 0;
        break;
    case 2:
        rule->ids[rule->count - 1] = (kin_component_id)real->port->info->component_count;
        break;
    case 3:
        matcher.count = KIN_MATCHER_MAX_RULES + 1;
        break;
    default:
        rule->count = KIN_RULE_MAX_IDS + 1;
        break;
    }
    bool known = kin_matches(real->context, matcher, entity);
    return known || real->port->group(real->typed, matcher) != NULL ? KIN_OK : KIN_ERROR_INVALID;
}

kin_group *real_group(const real *real, int32_t number)
{
    return real->port->group(real->typed, real_matcher(real, number));
}

void real_learn_groups(real *real)
{
    kin_group *const *groups = real->context->core->groups.elements;
    for (; real->group_count < real->context->core->group_count; real->group_count++) {
        int32_t number = 0;
        while (memcmp(&real->normal[number], &groups[real->group_count]->matcher, sizeof *real->normal) != 0)
            if (++number == (int32_t)real->package->matcher_count)
                ck_abort_msg("a group that was not requested");
        real->matchers[real->group_count] = number;
    }
}

static kin_status single(const real *real, int32_t matcher)
{
    kin_entity entity = 1;
    kin_group *group = real_group(real, matcher);
    if (group == NULL)
        return KIN_ERROR_LIMIT;
    uint32_t count = kin_group_count(group);
    kin_entity only = 0;
    kin_group_copy_entities(group, &only, 1);
    model_log(real->side, (model_record){.kind = MODEL_ANSWER, .entity = count == 1 ? only : 0});
    kin_status status = kin_group_single(group, &entity);
    if (entity != (count == 1 ? only : 0))
        model_log(real->side, (model_record){.kind = MODEL_ANSWER, .value = MODEL_BROKEN});
    return status;
}

// ---- operations

static kin_status spread(const real *real)
{
    kin_entity made[MODEL_SPREAD_COUNT];
    for (uint32_t i = 0; i < MODEL_SPREAD_COUNT; i++)
        made[i] = real->port->create_entity(real->typed);
    for (uint32_t i = 0; i < MODEL_SPREAD_COUNT; i++)
        real->port->destroy_entity(real->typed, made[model_spread_place(i)]);
    return KIN_OK;
}

static const void *owner_of(real *real, int32_t owner)
{
    return owner == 0 ? NULL : &real->owners[owner]; // RET-01: NULL is an owner too
}

static kin_status retain(real *real, kin_entity entity, int32_t owner)
{
    const char *name = model_owner_names[owner];
    return name == NULL ? real->port->retain(real->typed, entity, owner_of(real, owner))
                        : kin_retain_named(real->context, entity, owner_of(real, owner), name);
}

// If the call is refused before anything is created, `made` is zero.
static kin_status spawn_many(const real *real, const model_operation *operation)
{
    kin_entity made[MODEL_BATCH] = {0};
    int32_t tags[MODEL_BATCH];
    uint32_t count = (uint32_t)operation->owner;
    const model_port_blueprint *blueprint = &real->port->blueprints[operation->number];
    kin_status status = blueprint->spawn_many(real->typed, count, model_batch_tags(operation, tags), made);
    for (uint32_t i = 0; i < count; i++)
        model_made(real->side, made[i]);
    return status;
}

static kin_status change_world(real *real, const model_operation *operation)
{
    kin_entity entity = operation->entity;
    kin_group *group = NULL;
    switch (operation->code) {
    case MODEL_DESTROY:
        return real_is_by_id(operation) ? kin_destroy(real->context, entity)
                                        : real->port->destroy_entity(real->typed, entity);
    case MODEL_RETAIN:
        return retain(real, entity, operation->owner);
    case MODEL_RELEASE:
        return real->port->release(real->typed, entity, owner_of(real, operation->owner));
    case MODEL_DESTROY_ALL:
        return real->port->destroy_all(real->typed);
    case MODEL_RESET:
        return real->port->reset(real->typed);
    case MODEL_MAKE_GROUP:
        return real_group(real, operation->number) == NULL ? KIN_ERROR_LIMIT : KIN_OK;
    case MODEL_DESTROY_GROUP:
        group = real_group(real, operation->number);
        return group == NULL ? KIN_ERROR_LIMIT : kin_group_destroy_entities(group);
    case MODEL_SPAWN_MANY:
        return spawn_many(real, operation);
    case MODEL_ASK_WRONGLY:
        return ask_wrongly(real, entity, operation->number, operation->value % 5);
    case MODEL_SINGLE:
        return single(real, operation->number);
    case MODEL_WALK:
        return real_walk(real, operation->number, operation->owner != 0);
    case MODEL_ASK:
        return real_ask(real, entity);
    case MODEL_DESCRIBE:
        return real_describe(real, entity, operation->number);
    case MODEL_TRIM:
        return real_trim(real);
    case MODEL_SAVE:
        return real_save(real, operation);
    case MODEL_REWIND:
        return real_rewind(real, operation);
    case MODEL_END_SNAPSHOT:
        return real_end_snapshot(real, operation->number);
    default:
        return spread(real);
    }
}

static kin_entity spawn(const real *real, const model_operation *operation)
{
    int32_t tags[MODEL_BATCH];
    return real->port->blueprints[operation->number].spawn(real->typed, model_batch_tags(operation, tags));
}

// Every second new entity, unless its values are given.
static bool is_made_by_id(const real *real, const model_operation *operation)
{
    bool is_made = operation->code == MODEL_CREATE || operation->code == MODEL_CLONE ||
                   (operation->code == MODEL_SPAWN && operation->event == 0);
    return is_made && real->context->next_creation_index % 2 != 0;
}

static kin_entity make_by_id(const real *real, const model_operation *operation)
{
    if (operation->code == MODEL_CREATE)
        return kin_create(real->context);
    if (operation->code == MODEL_CLONE)
        return kin_clone(real->context, operation->entity);
    return kin_spawn(real->context, (uint32_t)operation->number);
}

static uint64_t apply(void *self, const model_operation *operation)
{
    real *real = self;
    const model_port_part *part = &real->port->parts[operation->part];
    if (is_made_by_id(real, operation))
        return make_by_id(real, operation);
    if (operation->code == MODEL_CREATE)
        return real->port->create_entity(real->typed);
    if (operation->code == MODEL_CLONE)
        return real->port->clone_entity(real->typed, operation->entity);
    if (operation->code == MODEL_SET_UNIQUE)
        return part->set_unique(real->typed, operation->value);
    if (operation->code == MODEL_REPLACE_UNIQUE)
        return part->replace_unique(real->typed, operation->value);
    if (operation->code == MODEL_SPAWN)
        return spawn(real, operation);
    if (operation->code >= MODEL_ADD && operation->code <= MODEL_SET_UNIQUE_FLAG)
        return real_change(real, operation);
    if (operation->code >= MODEL_LISTEN && operation->code <= MODEL_CLEAR_EVENTS)
        return real_event(real, operation);
    if (operation->code >= MODEL_ADD_SYSTEM && operation->code <= MODEL_CLEAR_ALL)
        return real_systems(real, operation);
    if (operation->code >= MODEL_SUBSCRIBE && operation->code <= MODEL_CLEAR)
        return real_watch(real, operation);
    return change_world(real, operation);
}

// ---- the world

static void *begin(model_side *side, const model_package *package, const model_options *options)
{
    real *made = calloc(1, sizeof *made);
    kin_context_options complete = {.allocator = guard_begin(&made->memory),
                                    .on_error = on_error,
                                    .error_user = made,
                                    .fast_retain = options->fast_retain,
                                    .first_creation_index = options->first_creation_index,
                                    .max_entities = options->max_entities};
    made->side = side;
    made->package = package;
    made->port = package->port;
    made->typed = made->port->create(&complete);
    made->context = made->typed; // the base is the first member of every context
    for (uint32_t i = 0; i < package->matcher_count; i++) {
        kin_matcher matcher = real_matcher(made, (int32_t)i);
        made->normal[i] = kin__matcher_normalise(&matcher);
        kin__matcher_leave_out(&made->normal[i], made->context->info->off, &(const char *){NULL});
    }
    made->systems = kin_systems_create("all", &complete);
    real_systems_begin(made);
    real_events_begin(made);
    return made;
}

// Destroys the context and the others in either order: systems, collectors and snapshots may outlive their context
// (CTX-09, SNP-11).
static void end(void *self)
{
    real *real = self;
    if (real->shown % 2 == 0)
        real->port->destroy(real->typed);
    kin_systems_destroy(real->systems);
    for (int i = 0; i < MODEL_SETS; i++)
        kin_systems_destroy(real->events[i]);
    for (int i = 0; i < MODEL_COLLECTORS; i++)
        kin_collector_destroy(real->collectors[i]);
    for (int i = 0; i < MODEL_SNAPSHOTS; i++)
        kin_snapshot_destroy(real->snapshots[i]);
    if (real->shown % 2 != 0)
        real->port->destroy(real->typed);
    guard_end(&real->memory);
    free(real);
}

static bool is_alive(const void *self, kin_entity entity)
{
    const real *real = self;
    return real->port->is_alive(real->typed, entity);
}

static bool has(const void *self, kin_entity entity, int32_t part)
{
    const real *real = self;
    return real->port->parts[part].has(real->typed, entity);
}

static uint32_t count(const void *self)
{
    const real *real = self;
    return real->port->count(real->typed);
}

const model_world model_real = {begin, end, apply, is_alive, has, count, real_show_entity, real_show_all};
