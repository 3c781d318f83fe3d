// The generated functions of package model300, as a port (port.h).

#include <model300/model300.h>

#define CONTEXT m300
#define INFO    M300
#define PORT    model_port_300

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"
