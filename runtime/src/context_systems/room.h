// context_systems: the systems that a schema gives each context: event systems and cleanup systems
//
// Owns the delivery of generated events and the cleanup of components. Each is a node of a kin_systems, by a
// kin__node_type; generated code gets a collection of them.
//
//   event_system.h         calls the listeners of one generated event
//   cleanup_system.h       removes one component, or destroys the entities that have it
//   component_collector.h  a collector for one component
