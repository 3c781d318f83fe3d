model300_FILES := build-san/generated/model300/model300.h build-san/generated/model300/model300_types.h build-san/generated/model300/model300_types_shared.h build-san/generated/model300/model300_types_plain.h build-san/generated/model300/model300_m300_types.h build-san/generated/model300/model300_m300.h build-san/generated/model300/model300_m300.c build-san/generated/model300/model300_contexts.h build-san/generated/model300/model300_contexts.c
build-san/generated/model300.stamp: tests/schemas/model300.yaml tests/schemas/shared/model.yaml

tests/schemas/shared/model.yaml:
