// inspector: the functions of kin/inspect.h
//
//   inspector.h    an inspector
//   environment.h  what KIN_INSPECT says
//   probe.h        what a world calls
//
// Cycle: inspector.c, probe.c: an inspector ends with its world, of which it has the probe
