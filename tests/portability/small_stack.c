// Like tests/runtime/relation/small_stack.c, for machines without threads: the stack is that of the program.
#include "runtime/relation/small_stack.h"

void run_on_small_stack(void (*function)(void))
{
    function();
}
