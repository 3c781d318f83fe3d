// threads: runs the tasks of jobs on a pool of threads
//
//   thread_pool.c    jobs: their shares, the threads that take from them, and the thread that waits
//   thread_system.h  threads, semaphores and the clock of the operating system
