// collect: collectors, which gather the entities that triggers notify
//
// Owns what a collector has collected and what a reactive system has taken from it. Each entry holds its entity.
//
//   buffer.h          arrays with a side that collects and a side that is read
//   collector_name.c  names of collectors, and lists of collectors for tools
//   gather.h          collecting the entity of a change that only collectors watch
//   collector.h       making collectors, collecting, taking and dropping
//   trace.h           which change collected each entity
//   collector_restore.h  what collectors hold after a restore of a snapshot
//
// Cycle: collect.c, collector.c, trace.c: a traced collector collects, and its filter is noted
