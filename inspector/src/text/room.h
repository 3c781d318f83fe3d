// text: the memory of an inspector, and JSON as text
//
//   bounded_heap.h  memory up to a limit
//   json.h          a writer of JSON
//   folder.h        where games leave the files by which terminals find them
//   difference.h    what has changed between two results
