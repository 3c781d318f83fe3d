// Like tests/runtime/support/small_stack.c, for machines without threads: the stack is that of the program.
#include "runtime/support/small_stack.h"

void run_on_small_stack(void (*function)(void))
{
    function();
}
