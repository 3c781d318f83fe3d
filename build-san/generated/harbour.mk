harbour_FILES := build-san/generated/harbour/harbour.h build-san/generated/harbour/harbour_types.h build-san/generated/harbour/harbour_types_shared.h build-san/generated/harbour/harbour_quay_types.h build-san/generated/harbour/harbour_quay.h build-san/generated/harbour/harbour_quay.c build-san/generated/harbour/harbour_ocean_types.h build-san/generated/harbour/harbour_ocean.h build-san/generated/harbour/harbour_ocean.c build-san/generated/harbour/harbour_contexts.h build-san/generated/harbour/harbour_contexts.c
build-san/generated/harbour.stamp: tests/schemas/harbour.yaml tests/schemas/shared/ships.yaml tests/schemas/shared/units.yaml

tests/schemas/shared/ships.yaml:

tests/schemas/shared/units.yaml:
