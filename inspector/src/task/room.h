// task: requests that need a world, and how they wait for it
//
//   task.h         a request from its parameters to its answer
//   parameters.h  what a request gives
//   queue.h       tasks that wait for the thread of their host
