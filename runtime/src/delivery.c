#include <kin/delivery.h>

kin_status kin__event_listener_add(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                   void *user)
{
    (void)context, (void)listener, (void)event, (void)function, (void)user;
    return KIN_ERROR_INVALID;
}

kin_status kin__event_listener_remove(kin_context *context, kin_entity listener, uint32_t event, kin_function *function,
                                      void *user)
{
    (void)context, (void)listener, (void)event, (void)function, (void)user;
    return KIN_ERROR_INVALID;
}

kin_systems *kin__event_systems(kin_context *context)
{
    return kin__cleanup_systems(context, NULL, 0);
}
