grid_FILES := build-san/generated/grid/grid.h build-san/generated/grid/grid_types.h build-san/generated/grid/grid_types_shared.h build-san/generated/grid/grid_game_types.h build-san/generated/grid/grid_game.h build-san/generated/grid/grid_game.c build-san/generated/grid/grid_contexts.h build-san/generated/grid/grid_contexts.c
build-san/generated/grid.stamp: examples/grid/grid.yaml
