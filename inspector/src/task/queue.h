// Queue: tasks of a host, from the thread of the viewer to that of the host and back.
//
// A task that the viewer gives up while it waits is taken out at once; one of which a step is being made comes back as
// all others, by `done`, or waits again.
#ifndef KIN_INSPECT_QUEUE_H
#define KIN_INSPECT_QUEUE_H

#include "task/task.h"

// Queues a task that is not done. Returns false when its world has ended; the task has that as its mistake then.
bool kin__queue_push(kin__task *task);

// Takes a task back that waits. Returns false when a step of it is being made, or `done` was called.
bool kin__queue_take_back(kin__task *task);

// Makes steps until the deadline: of tasks that change the world first, then of others in turn. For the thread of the
// host.
void kin__queue_serve(kin__host *host, const kin__slice *slice);

// Ends all tasks of a host whose world ends. For the thread of the host.
void kin__queue_end(kin__host *host);

#endif
