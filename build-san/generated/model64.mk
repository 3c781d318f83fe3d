model64_FILES := build-san/generated/model64/model64.h build-san/generated/model64/model64_types.h build-san/generated/model64/model64_types_shared.h build-san/generated/model64/model64_types_plain.h build-san/generated/model64/model64_m64_types.h build-san/generated/model64/model64_m64.h build-san/generated/model64/model64_m64.c build-san/generated/model64/model64_contexts.h build-san/generated/model64/model64_contexts.c
build-san/generated/model64.stamp: tests/schemas/model64.yaml tests/schemas/shared/model.yaml

tests/schemas/shared/model.yaml:
