"$KIN" generate -q -o "$T" lanes.yaml
flags="-Wall -Wextra -Wpedantic -Wcast-qual -Wstrict-aliasing=2 -Werror $INCLUDE -I$T"

# The values that are written as one type are read as the other, whatever the compiler takes for apart.
for compiler in "gcc -O2" "gcc -O3" "clang -O2" "clang -O3"; do
	$compiler -std=c17 -fstrict-aliasing $flags main.c "$T"/lanes/*.c "$LIBRARY" -o "$T/main"
	"$T/main"
done

# What is a key, a relation or the context's own is const; and its neighbours are not.
compile() {
	printf '#include "lanes/lanes_world.h"\nvoid f(game_context *game, game_entity e, drive_iter *it, drift_iter *job, game_cars_iter *cars)
{ %s; (void)game; (void)e; (void)it; (void)job; (void)cars; }\n' "$1" > "$T/statement.c"
	for compiler in "gcc -std=c11 -x c" "clang -std=c11 -x c" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
		if $compiler -fsyntax-only $INCLUDE -I"$T" "$T/statement.c" 2> "$T/messages"; then
			[ "$2" = yes ] || echo "$compiler compiles $1"
		elif [ "$2" = yes ]; then
			echo "$compiler refuses $1"
			cat "$T/messages"
		fi
	done
}
while IFS='|' read -r answer statement; do
	compile "$statement" "$answer"
done < statements.txt
