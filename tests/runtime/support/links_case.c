#include "links_case.h"

#include "entity/entity.h"

dock_context *dock;
sea_context *sea;
guard links_memory;

static kin_allocator allocator;

kin_context_options links_options(void)
{
    return (kin_context_options){.allocator = allocator, .on_error = log_error};
}

void links_begin(void)
{
    allocator = guard_begin(&links_memory);
    kin_context_options options = links_options();
    log_begin();
    dock = dock_context_create(&options);
    sea = sea_context_create(&options);
    ck_assert(dock != NULL && sea != NULL);
}

void links_end(void)
{
    ck_assert(dock == NULL || kin__context_is_valid(&dock->base));
    ck_assert(sea == NULL || kin__context_is_valid(&sea->base));
    dock_context_destroy(dock);
    sea_context_destroy(sea);
    guard_end(&links_memory);
}

kin_group *dock_cargo(void)
{
    return kin_context_group(&dock->base, KIN_MATCHER(KIN_ALL(DOCK_CARGO)));
}

kin_group *sea_cargo(void)
{
    return kin_context_group(&sea->base, KIN_MATCHER(KIN_ALL(SEA_CARGO)));
}

dock_entity dock_entity_with_cargo(int32_t weight)
{
    dock_entity entity = dock_create_entity(dock);
    if (dock_add_cargo(dock, entity, (Cargo){weight}) != KIN_OK)
        ck_abort_msg("an entity could not be made");
    return entity;
}

sea_entity sea_entity_with_cargo(int32_t weight)
{
    sea_entity entity = sea_create_entity(sea);
    if (sea_add_cargo(sea, entity, (Cargo){weight}) != KIN_OK)
        ck_abort_msg("an entity could not be made");
    return entity;
}

void links_write(const kin_context *context, kin_entity entity)
{
    log_write("%c%u ", context->info->name[0], (unsigned)kin_entity_creation_index(entity));
}
