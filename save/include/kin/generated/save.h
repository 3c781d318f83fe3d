/// Reading files in generated code, which knows what its schema leaves to functions; for generated code only. Changes
/// with the interface version.
#ifndef KIN_INTERNAL_SAVE_H
#define KIN_INTERNAL_SAVE_H

#include <kin/save.h>

KIN_BEGIN_DECLARATIONS

struct kin_record;

// A component whose values a function of the program decides.
typedef struct kin__migration {
    const kin_context_info *context;
    kin_component_id component;
    bool (*migrate)(void *value, const struct kin_record *record);
} kin__migration;

// Those of a package. NULL stands for none.
typedef struct kin__migrations {
    const kin__migration *migrations;
    uint32_t count;
} kin__migrations;

// As the functions of <kin/save.h> without `kin__`, which pass no migrations.
KIN_API kin_status kin__context_read(struct kin_context *context, kin_snapshot **snapshot, kin_source source,
                                     const kin_read_options *options, kin_read_report *report,
                                     const kin__migrations *migrations);
KIN_API kin_status kin__context_read_path(struct kin_context *context, kin_snapshot **snapshot, const char *path,
                                          const kin_read_options *options, kin_read_report *report,
                                          const kin__migrations *migrations);
KIN_API kin_status kin__world_read(kin_world *world, kin_snapshot **snapshot, kin_source source,
                                   const kin_read_options *options, kin_read_report *report,
                                   const kin__migrations *migrations);
KIN_API kin_status kin__world_read_path(kin_world *world, kin_snapshot **snapshot, const char *path,
                                        const kin_read_options *options, kin_read_report *report,
                                        const kin__migrations *migrations);

KIN_END_DECLARATIONS

#endif
