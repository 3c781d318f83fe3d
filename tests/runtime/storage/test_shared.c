// Shared values: equal values of a component are stored once (SHR-01 to SHR-04).
#include "suites.h"

#include <check.h>

Suite *runtime_shared_suite(void)
{
    Suite *suite = suite_create("runtime_shared");
    return suite;
}
