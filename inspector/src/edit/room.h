// edit: values that viewers give, read from JSON, and changes that are made with them
//
//   refuse.h  what is said of values that are not set
//   read.h    values from JSON
//   edit.h    one change of one component
