// schema.get, and the shapes of all results, which rpc.discover shows.
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

// ---- shapes of results

#define FRAMES "frame:[int],"
#define TIME                                                                                                           \
    "{frame:int,paused:bool,by:text?,steps:int,speed:num,delta:num,time:num,update_nanoseconds:int,hold:text?,"        \
    "held:{system:text,role:text,place:int,step:int,after:bool}?,on_hold:bool,"                                        \
    "until:{state:text,frame:int,microseconds:int}?}"
#define CREATED "{entity:text?,frame:int}"
#define CHANGED "{frame:int,previous:any,value:any}"
#define TIMING  "{last:int,average:int,minimum:int,maximum:int,p99:int,count:int}"
#define SYSTEM                                                                                                         \
    "{name:text?,systems:int,place:int,depth:int,kind:text,enabled:bool,runs:bool,waiting~:int,created:int,"           \
    "destroyed:int,changed:int,doc~:text?,reads~:[text],writes~:[text],context~:text,group~:text,"                     \
    "triggers~:[{context:text,group:text,event:text}],inbox~:[text],parallel~:bool,batch~:int,looks_up~:[text],"       \
    "changes~:[text],spawns~:[text],publishes~:[text],destroys~:bool,nanoseconds:<" TIMING ">}"
#define SPAN                                                                                                           \
    "{system:text,role:text?,systems:int,place:int,depth:int,lane:int,began:int,nanoseconds:int,step:int,"             \
    "created:int,destroyed:int,changed:int}"
#define RECORD                                                                                                         \
    "{n:text,frame:int,step:int,system:text,role:text?,kind:text,e:text,component~:text,was~:<any>,is~:<any>}"
#define COLLECTION                                                                                                     \
    "{e:text,group:text?,event:text,component~:text,change:text,frame:int,step:int,system:text,role:text?,"            \
    "verdict:text}"
#define AUDITED                                                                                                        \
    "{system:text,declared:bool?,count:int,fields:[text],first:int,last:int,"                                          \
    "writes:[{e:text,frame:int,step:int,role:text?,was~:<any>,is~:<any>}]}"
#define KEPT       "count:int,every:int,keep:int,bytes:int,limit:int,microseconds:int,trouble:text?"
#define DIFFERENCE "{e:text,part:text,path:text,given:text,value:text?,left_out:text?}"
#define RELATED    "{e:text,label~:any,name~:text}"
#define NAMED      "{name:text,doc:text?}"
#define FIELD                                                                                                          \
    "{name:text,type:text,doc:text?,unit:text?,inspect:text,count~:int,list~:bool,target~:text,minimum~:any,"          \
    "maximum~:any,of~:text,values~:any,fields~:any}"

static const struct {
    const char *method, *shape;
} shapes[] = {
    {"kin.hello", "{version:text,name:text,read_only:bool,worlds:[{name:text,ended:bool,systems:bool,stamp~:text,"
                  "contexts:[text],running:{system:text,nanoseconds:int}?}],viewers:int,streams:int,limits:<int>,"
                  "cost:<int>}"},
    {"rpc.discover", "{openrpc:text,info:{title:text,version:text},methods:[{name:text,summary:text,params:[any],"
                     "result:{name:text,schema:any}}]}"},
    {"schema.get", "{context:text,package:text?,doc:text?,stamp:text,components:[{name:text,doc:text?,inspect:text,"
                   "flag:bool,unique:bool,fields~:[" FIELD "]}],groups:[" NAMED "],blueprints:[" NAMED "],"
                   "relations:[{name:text?,component:text,field:text,tree:bool}]}"},
    {"entities.query", "{" FRAMES "total:int,next:text?,rows:[{e:text,label~:text?,name~:text,v~:<any>}]}"},
    {"entities.get", "{" FRAMES "e:text,label~:text?,name~:text,components:<any>,groups:[text]}"},
    {"relations.list", "{" FRAMES "relations:[{name:text?,component:text,field:text,tree:bool,count:int,"
                       "holders:[" RELATED "],above:[" RELATED "]}]}"},
    {"entities.explain", "{" FRAMES "matches:bool,says:text,rules:[{kind:text,ok:bool,components:<bool>}]}"},
    {"entities.create", CREATED},
    {"entities.spawn", CREATED},
    {"entities.clone", CREATED},
    {"entities.destroy", CREATED},
    {"components.add", CHANGED},
    {"components.set", CHANGED},
    {"components.replace", CHANGED},
    {"components.remove", CHANGED},
    {"groups.list", "{" FRAMES "groups:[{name:text?,doc:text?,matcher:text,members:int,listeners:int}]}"},
    {"uniques.list", "{" FRAMES "uniques:[{component:text,carrier:text?,value:any}]}"},
    {"indices.list", "{" FRAMES "indices:[{name:text,doc:text?,primary:bool,ordered:bool,grid:bool,entities:int}]}"},
    {"collectors.list", "{" FRAMES "collectors:[{name:text?,active:bool,waiting:int,triggers:[{group:text?,"
                        "matcher:text,event:text}]}]}"},
    {"systems.list", "{" FRAMES "world:text,update_nanoseconds:int,systems:[" SYSTEM "]}"},
    {"systems.enable", "{frame:int,enabled:bool}"},
    {"memory.report", "{" FRAMES "chunks:int,components:[{component:text,columns:int,values:int,used:int,"
                      "allocated:int}],pools:[{blueprint:text?,chunks:int,entities:int,free:int}]}"},
    {"timeline.start", "{frame:int,frames:int}"},
    {"timeline.get", "{" FRAMES "world:text,frames:[{frame:int,nanoseconds:int,spans:[" SPAN "]}]}"},
    {"journal.start", "{frame:int,bytes:int,lives:bool,all_components:bool}"},
    {"journal.stop", "{frame:int}"},
    {"journal.read", "{" FRAMES "lost:int,count:int,first:text,next:text,records:[" RECORD "]}"},
    {"watches.add", "{frame:int,watch:int}"},
    {"watches.remove", "{frame:int,watch:int}"},
    {"watches.list", "{" FRAMES "watches:[{watch:int,e:text,path:text,value~:<any>,count:int,changes:[" RECORD "]}]}"},
    {"audit.start", "{frame:int,audit:int}"},
    {"audit.stop", "{frame:int,audit:int}"},
    {"audit.read", "{" FRAMES "audits:[{audit:int,component:text,slots:int,compared:int,cut:int,lost:int,other:int,"
                   "systems:[" AUDITED "]}]}"},
    {"collectors.why", "{" FRAMES "began:bool,lost:int,collections:[" COLLECTION "]}"},
    {"marks.take", "{" FRAMES "mark:int,count:int,complete:bool}"},
    {"marks.diff", "{" FRAMES "appeared:int,gone:int,changed:int,"
                   "rows:[{e:text,kind:text,component~:text,was~:<any>,is~:<any>}]}"},
    {"marks.drop", "{frame:int}"},
    {"plots.add", "{frame:int,plot:int}"},
    {"plots.remove", "{frame:int,plot:int}"},
    {"plots.read", "{" FRAMES "plots:[{plot:int,of:text,text:text,e~:text,samples:[[any]]}]}"},
    {"messages.read",
     "{" FRAMES "world:text,began:bool,lost:int,next:text,types:[{name:text,doc:text?,handles:<text?>,readers:[text]}],"
     "messages:[{n:text,frame:int,step:int,publisher:text,role:text?,message:text,readers:[text],"
     "fields:<any>,cut:bool}]}"},
    {"errors.read", "{" FRAMES "world:text,began:bool,lost:int,next:text,counts:<int>,errors:[{n:text,count:int,"
                    "frame:int,step:int,system:text,role:text?,status:text,sentence:text,context:text?,"
                    "component:text?,e:text?}]}"},
    {"time.get", TIME},
    {"time.pause", TIME},
    {"time.resume", TIME},
    {"time.step", TIME},
    {"time.speed", TIME},
    {"time.hold", TIME},
    {"time.until", TIME},
    {"snapshots.list", "{" FRAMES "available:bool,comparable:bool," KEPT ",standing:int?,"
                       "snapshots:[{snapshot:int,frame:int,time:num,entities:int,bytes:int}]}"},
    {"snapshots.take", "{frame:int,snapshot:int?," KEPT "}"},
    {"snapshots.restore", "{frame:int,snapshot:int,previous:int?}"},
    {"snapshots.diff", "{" FRAMES "appeared:int,gone:int,changed:int,"
                       "rows:[{context:text,e:text,kind:text,component~:text,was~:any,is~:any}]}"},
    {"snapshots.drop", "{frame:int,dropped:int}"},
    {"content.status", "{" FRAMES "content:bool,folder:text?,version:text,error:text?,errors:[any],files:[text],"
                       "prefabs:[text],levels:[text]}"},
    {"content.diff", "{" FRAMES "name:text?,level:text?,values:bool,differences:[" DIFFERENCE "]}"},
    {"content.save", "{frame:int,saved:int,left_out:[" DIFFERENCE "]}"},
    {"content.revert", "{frame:int,reverted:int}"},
    {"network.status",
     "{" FRAMES "network:bool,role~:text,transport~:text?,peer~:int,epoch~:int,number~:int,behind~:int,"
     "applied_us~:int,applied_us_p99~:int,bytes_in~:int,bytes_out~:int,queue_bytes~:int,"
     "queue_frames~:int,resyncs~:int,wrong~:int,predicted~:int,lease_ms~:int,refused~:<int>,"
     "cost~:int,costs~:[{context:text?,component:text?,field:text?,bytes:int}],"
     "peers~:[{peer:int,sees_all:bool,zones:int,number:int,behind:int,bytes_in:int,bytes_out:int,"
     "taken:int,dropped:int}]}"},
};

const char *kin__shape_of(const char *method)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].method, method) == 0)
            return shapes[i].shape;
    return "any";
}

// ---- as JSON Schema

static const struct {
    const char *word, *type;
} words[] = {{"int", "integer"}, {"num", "number"}, {"text", "string"}, {"bool", "boolean"}};

// Returns what follows a shape, without showing it.
static const char *skip(const char *shape)
{
    int depth = 0;
    for (; *shape != '\0'; shape++) {
        if (depth == 0 && strchr(",]>}", *shape) != NULL)
            return shape;
        depth += strchr("[<{", *shape) != NULL;
        depth -= strchr("]>}", *shape) != NULL;
    }
    return shape;
}

static void put_type(kin__json *json, const char *type, bool is_nullable)
{
    if (!is_nullable) {
        kin__json_put_string(json, "type", type);
        return;
    }
    kin__json_begin_member(json, "type", '[');
    kin__json_string(json, type);
    kin__json_string(json, "null");
    kin__json_end(json, ']');
}

static void show_name(kin__json *json, const char *name, size_t size, bool is_key)
{
    char text[64];
    size = kin__min_size(size, sizeof text - 1);
    memcpy(text, name, size);
    text[size] = '\0';
    if (is_key)
        kin__json_key(json, text);
    else
        kin__json_string(json, text);
}

static void show_members(kin__json *json, const char *members)
{
    kin__json_begin_member(json, "properties", '{');
    for (const char *at = members; *at != '}'; at += *at == ',') {
        size_t size = strcspn(at, "~:");
        show_name(json, at, size, true);
        at = kin__shape_show(json, strchr(at + size, ':') + 1);
    }
    kin__json_end(json, '}');
    kin__json_begin_member(json, "required", '[');
    for (const char *at = members; *at != '}'; at += *at == ',') {
        size_t size = strcspn(at, "~:");
        if (at[size] == ':')
            show_name(json, at, size, false);
        at = skip(strchr(at + size, ':') + 1);
    }
    kin__json_end(json, ']');
}

static void show_type(kin__json *json, const char *shape)
{
    bool is_nullable = skip(shape)[-1] == '?';
    if (*shape == '[') {
        put_type(json, "array", is_nullable);
        kin__json_key(json, "items");
        kin__shape_show(json, shape + 1);
    } else if (*shape == '<') {
        put_type(json, "object", is_nullable);
        kin__json_key(json, "additionalProperties");
        kin__shape_show(json, shape + 1);
    } else if (*shape == '{') {
        put_type(json, "object", is_nullable);
        show_members(json, shape + 1);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(shape, words[i].word, strlen(words[i].word)) == 0)
            put_type(json, words[i].type, is_nullable);
}

// Recursive in the depth of a shape, which is constant.
const char *kin__shape_show(kin__json *json, const char *shape)
{
    kin__json_begin(json, '{');
    show_type(json, shape);
    kin__json_end(json, '}');
    return skip(shape);
}

// ---- schema.get

// schema.get: what the schema says of a context.

static const char *const inspect_names[] = {"edit", "read_only", "hidden"};

static bool parse(kin__task *task)
{
    task->host = NULL;
    return true;
}

static void put_bound(kin__json *json, const char *key, kin_type type, kin_number bound)
{
    kin__json_key(json, key);
    if (type == KIN_TYPE_INT64)
        kin__json_digits(json, bound.integer);
    else if (type == KIN_TYPE_UINT64)
        kin__json_natural_digits(json, bound.natural);
    else if (kin__scalar_kind_of(type) == KIN__SCALAR_INTEGER)
        kin__json_integer(json, bound.integer);
    else if (kin__scalar_kind_of(type) == KIN__SCALAR_NATURAL)
        kin__json_natural(json, bound.natural);
    else
        kin__json_number(json, bound.number, type == KIN_TYPE_FLOAT);
}

static void show_fields(kin__json *json, const kin_field_info *fields, uint32_t count);

static void show_of(kin__json *json, const kin_field_info *field)
{
    kin__json_put_string(json, "of", field->of->name);
    if (field->type == KIN_TYPE_STRUCT)
        show_fields(json, field->of->fields, field->of->field_count);
    if (field->type != KIN_TYPE_ENUM)
        return;
    kin__json_begin_member(json, "values", '[');
    for (uint32_t i = 0; i < field->of->value_count; i++)
        kin__json_string(json, field->of->values[i].name);
    kin__json_end(json, ']');
}

static void show_field(kin__json *json, const kin_field_info *field)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", field->name);
    kin__json_put_string(json, "type", kin_type_name(field->type));
    kin__json_put_string(json, "doc", field->doc);
    kin__json_put_string(json, "unit", field->unit);
    kin__json_put_string(json, "inspect", inspect_names[field->inspect]);
    if (field->count > 0)
        kin__json_put_natural(json, "count", field->count);
    if (field->is_list)
        kin__json_put_bool(json, "list", true);
    if (field->target != NULL)
        kin__json_put_string(json, "target", field->target);
    if (field->range != NULL && field->range->has_min)
        put_bound(json, "minimum", field->type, field->range->min);
    if (field->range != NULL && field->range->has_max)
        put_bound(json, "maximum", field->type, field->range->max);
    if (field->of != NULL)
        show_of(json, field);
    kin__json_end(json, '}');
}

// Structs do not contain themselves, so this ends.
static void show_fields(kin__json *json, const kin_field_info *fields, uint32_t count)
{
    kin__json_begin_member(json, "fields", '[');
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].inspect != KIN_INSPECT_HIDDEN)
            show_field(json, &fields[i]);
    kin__json_end(json, ']');
}

static void show_component(kin__json *json, const kin_component_info *info)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", info->name);
    kin__json_put_string(json, "doc", info->doc);
    kin__json_put_string(json, "inspect", inspect_names[info->inspect]);
    kin__json_put_bool(json, "flag", info->field_count == 0);
    kin__json_put_bool(json, "unique", info->is_unique);
    if (info->inspect != KIN_INSPECT_HIDDEN)
        show_fields(json, info->fields, info->field_count);
    kin__json_end(json, '}');
}

// A field that is hidden is in no query, nor is its relation here.
static void show_relation(kin__json *json, const kin_context_info *info, const kin_relation_info *relation)
{
    const kin_component_info *component = &info->components[relation->component];
    if (component->inspect == KIN_INSPECT_HIDDEN || relation->field->inspect == KIN_INSPECT_HIDDEN)
        return;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", relation->name);
    kin__json_put_string(json, "component", component->name);
    kin__json_put_string(json, "field", relation->field->name);
    kin__json_put_bool(json, "tree", relation->is_tree);
    kin__json_end(json, '}');
}

static void show_named(kin__json *json, const char *name, const char *doc)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", name);
    kin__json_put_string(json, "doc", doc);
    kin__json_end(json, '}');
}

// Shows what a group asks about relations: `held_by PartOf.whole`.
static void show_questions(kin__json *json, const kin_context_info *info, const kin_group_info *group)
{
    char text[512];
    kin__json_begin_member(json, "asks", '[');
    for (uint32_t i = 0; i < group->question_count; i++) {
        const kin_question_info *question = &group->questions[i];
        const kin_relation_info *relation = &info->relations[question->relation];
        snprintf(text, sizeof text, "%s %s.%s", question->is_held_by ? "held_by" : "holder_of",
                 info->components[relation->component].name, relation->field->name);
        kin__json_string(json, text);
    }
    kin__json_end(json, ']');
}

static void show_group(kin__json *json, const kin_context_info *info, const kin_group_info *group)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", group->name);
    kin__json_put_string(json, "doc", group->doc);
    if (group->order != 0)
        kin__json_put_string(json, "order", info->indices[group->order - 1].name);
    if (group->question_count > 0)
        show_questions(json, info, group);
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const kin_context_info *info = task->site->info;
    kin__json_put_string(json, "context", task->site->name);
    kin__json_put_string(json, "package", info->package == NULL ? NULL : info->package->name);
    kin__json_put_string(json, "doc", info->doc);
    kin__json_put_digits(json, "stamp", info->stamp);
    kin__json_begin_member(json, "components", '[');
    for (uint32_t i = 0; i < info->component_count; i++)
        show_component(json, &info->components[i]);
    kin__json_end(json, ']');
    kin__json_begin_member(json, "groups", '[');
    for (uint32_t i = 0; i < info->group_count; i++)
        show_group(json, info, &info->groups[i]);
    kin__json_end(json, ']');
    kin__json_begin_member(json, "blueprints", '[');
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        show_named(json, info->blueprints[i].name, info->blueprints[i].doc);
    kin__json_end(json, ']');
    kin__json_begin_member(json, "relations", '[');
    for (uint32_t i = 0; i < info->relation_count; i++)
        show_relation(json, info, &info->relations[i]);
    kin__json_end(json, ']');
}

const kin__method kin__method_schema = {
    .name = "schema.get",
    .doc = "What the schema says of a context: components with their fields, groups, blueprints and relations.",
    .result = "context, package, doc, stamp, components, groups, blueprints, relations",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .parse = parse,
    .show = show,
};
