model65_FILES := build-san/generated/model65/model65.h build-san/generated/model65/model65_types.h build-san/generated/model65/model65_types_shared.h build-san/generated/model65/model65_types_plain.h build-san/generated/model65/model65_m65_types.h build-san/generated/model65/model65_m65.h build-san/generated/model65/model65_m65.c build-san/generated/model65/model65_contexts.h build-san/generated/model65/model65_contexts.c
build-san/generated/model65.stamp: tests/schemas/model65.yaml tests/schemas/shared/model.yaml

tests/schemas/shared/model.yaml:
