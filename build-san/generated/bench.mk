bench_FILES := build-san/generated/bench/bench.h build-san/generated/bench/bench_types.h build-san/generated/bench/bench_types_shared.h build-san/generated/bench/bench_game_types.h build-san/generated/bench/bench_game.h build-san/generated/bench/bench_game.c build-san/generated/bench/bench_contexts.h build-san/generated/bench/bench_contexts.c
build-san/generated/bench.stamp: bench/bench.yaml
