// edit: values that viewers give, read from JSON, and changes that are made with them
//
//   read.h  values from JSON
//   edit.h  one change of one component
