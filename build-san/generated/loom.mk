loom_FILES := build-san/generated/loom/loom.h build-san/generated/loom/loom_types.h build-san/generated/loom/loom_types_shared.h build-san/generated/loom/loom_loom_types.h build-san/generated/loom/loom_loom.h build-san/generated/loom/loom_loom.c build-san/generated/loom/loom_contexts.h build-san/generated/loom/loom_contexts.c
build-san/generated/loom.stamp: tests/schemas/loom.yaml
