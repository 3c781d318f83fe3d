"$KIN" generate -q -o "$T" yard.yaml
cp texture.h "$T"
flags="-fsyntax-only -Wall -Wextra -Wpedantic $INCLUDE -I$T"

# Without a wrong call it compiles with all warnings, and a call that is not made costs nothing.
for compiler in "gcc -std=c11 -Wstrict-prototypes" "clang -std=c17 -Wstrict-prototypes" "g++ -std=c++17 -x c++"; do
	$compiler $flags -Werror -DCALL='(void)0' main.c
done

while IFS='|' read -r call sentence; do
	for compiler in "gcc -std=c11" "clang -std=c17" "g++ -std=c++17 -x c++"; do
		if $compiler $flags -DCALL="$call" main.c 2> "$T/messages"; then
			echo "$compiler compiles $call"
		fi
		grep -qF "unavailable: $sentence" "$T/messages" || { echo "$compiler does not say: $sentence"; cat "$T/messages"; }
		! grep -q 'did you mean' "$T/messages" || echo "$compiler suggests another function for $call"
	done
done < calls.txt

# A program without keys, relations, flags or jobs has no such declaration.
mkdir "$T/plain"
printf 'kin: 1\npackage: plain\ncontexts: { game: { commands: true } }\ncomponents: { P: { fields: { x: float } } }\ngroups: { ps: { all: [P] } }\nsystems: { Walk: { group: ps, writes: [P] } }\n' > "$T/plain.yaml"
"$KIN" generate -q -o "$T" "$T/plain.yaml"
! grep -l KIN__NO_FUNCTION "$T"/plain/*
