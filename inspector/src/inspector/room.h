// inspector: the functions of kin/inspect.h
//
//   inspector.h  an inspector
