// Host: the world that a request names.
#ifndef KIN_INSPECT_METHOD_HOST_H
#define KIN_INSPECT_METHOD_HOST_H

#include "task/parameters.h"

// Finds the host of the parameter `world`; without it the only one, or the only one that has systems. Reports when
// there is none, or when it is not clear which.
bool kin__parameter_host(kin__task *task, bool has_systems);

#endif
