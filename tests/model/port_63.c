// The port of package model63.

#include <model63/model63.h>

#define CONTEXT m63
#define INFO    M63
#define PORT    model_port_63

#include "port_values.h"

#include "port_indices.h"

#include "port_define.inc"
