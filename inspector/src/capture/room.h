// capture: copies of values, made by the thread of the game and shown as JSON by another one
//
//   capture.h  bytes in a block of fixed size, and values in them
//   number.h   single values of any type
//   show.h     values as JSON
