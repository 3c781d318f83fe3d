model63_FILES := build-san/generated/model63/model63.h build-san/generated/model63/model63_types.h build-san/generated/model63/model63_types_shared.h build-san/generated/model63/model63_types_plain.h build-san/generated/model63/model63_m63_types.h build-san/generated/model63/model63_m63.h build-san/generated/model63/model63_m63.c build-san/generated/model63/model63_contexts.h build-san/generated/model63/model63_contexts.c
build-san/generated/model63.stamp: tests/schemas/model63.yaml tests/schemas/shared/model.yaml

tests/schemas/shared/model.yaml:
