#include "town/town.h"

int part_is_ready(void);
int part_is_ready(void)
{
    return sizeof(Position) > 0;
}
