arena_FILES := build-san/generated/arena/arena.h build-san/generated/arena/arena_types.h build-san/generated/arena/arena_types_shared.h build-san/generated/arena/arena_game_types.h build-san/generated/arena/arena_game.h build-san/generated/arena/arena_game.c build-san/generated/arena/arena_contexts.h build-san/generated/arena/arena_contexts.c
build-san/generated/arena.stamp: schemas/arena.yaml
