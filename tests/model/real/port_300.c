// The port of package model300.

#include <model300/model300.h>

#define CONTEXT m300
#define INFO    M300
#define PORT    model_port_300

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"
