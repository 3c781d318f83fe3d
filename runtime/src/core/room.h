// core: what a context consists of, and the changes whose notifications are running
//
// Owns the structs that all other rooms fill: kin__core, groups, subscribers, frames.
//
//   core.h     the parts of a context
//   frame.h    queries about the changes whose notifications are running
//   sharing.h  whether threads share the context
