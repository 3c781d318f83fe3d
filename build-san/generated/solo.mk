solo_FILES := build-san/generated/solo/solo.h build-san/generated/solo/solo_types.h build-san/generated/solo/solo_types_shared.h build-san/generated/solo/solo_solo_types.h build-san/generated/solo/solo_solo.h build-san/generated/solo/solo_solo.c build-san/generated/solo/solo_contexts.h build-san/generated/solo/solo_contexts.c
build-san/generated/solo.stamp: tests/schemas/solo.yaml
