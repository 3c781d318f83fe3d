// Host: the world that a request names, and the times of its systems.
#ifndef KIN_INSPECT_METHOD_HOST_H
#define KIN_INSPECT_METHOD_HOST_H

#include "site/timing.h"
#include "host/host.h"

// Finds the host of the parameter `world`; without it the only one, or the only one that has systems. Reports when
// there is none, or when it is not clear which.
bool kin__parameter_host(kin__task *task, bool has_systems);

// Makes a timing for the host, which the step gives to kin__timing_want. Leaves NULL if the host has one or no systems,
// and when out of memory: then nothing is timed.
void kin__timing_prepare(const kin__task *task, kin__timing **timing);

#endif
