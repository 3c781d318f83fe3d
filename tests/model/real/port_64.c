// The generated functions of package model64, as a port (port.h).

#include <model64/model64.h>

#define CONTEXT m64
#define INFO    M64
#define PORT    model_port_64

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"
