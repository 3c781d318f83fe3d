// Hive case: a world of package hive, whose systems call functions that a test sets.
#ifndef KIN_TESTS_RUNTIME_HIVE_CASE_H
#define KIN_TESTS_RUNTIME_HIVE_CASE_H

#include "guard.h"
#include "support.h"

#include <hive/hive.h>

// What the systems do; NULL: nothing.
typedef struct hive_actions {
    void (*begin)(void);
    void (*fly)(hive_fly_job *job, hive_fly_iter *it);
    void (*drift)(hive_drift_job *job, hive_drift_iter *it);
    void (*look)(hive_look_job *job);
    void (*hatch)(hive_hatch_job *job, hive_bees_entity entity);
    void (*hatch_smoke)(hive_hatch_job *job, hive_smoke_entity entity);
    void (*rest)(hive_rest_job *job, hive_rest_iter *it);
    void (*winter)(hive_winter_job *job, hive_winter_iter *it);
    void (*middle)(void);
    void (*sum)(void);
} hive_actions;

extern hive_actions hive_does;
extern hive_hive_world *hive;
extern hive_bees_context *bees;
extern guard hive_memory;
extern error_log hive_errors;

// Creates a world without actions; checks that all memory is free and that no error is left unchecked, and destroys it.
void hive_begin(void);
void hive_end(void);
void hive_update(void);

// For `fly`: a command for each bee, which puts it to sleep.
void hive_rest_all(hive_fly_job *job, hive_fly_iter *it);

// Runs tasks on this thread, when they are waited for.
extern const kin_executor hive_late_executor;

// Returns what the last turn of a parallel system was.
kin_parallel hive_last_of(const char *system);

// Appends to a text that hive_log_text returns and clears.
void hive_log(const char *format, ...);
const char *hive_log_text(void);

// Makes so many entities that fly, each at place (0, 0), with velocity 1 and energy 10.
void hive_fill(uint32_t count);

// The last of them.
hive_bees_entity hive_bee(void);

#endif
