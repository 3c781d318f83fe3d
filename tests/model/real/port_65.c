// The generated functions of package model65, as a port (port.h).

#include <model65/model65.h>

#define CONTEXT m65
#define INFO    M65
#define PORT    model_port_65

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"
