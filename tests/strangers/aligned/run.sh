"$KIN" generate -q -o "$T" lens.yaml
cp vector.h "$T"
sentence='the type Vector of the schema needs a greater alignment than the values of Wide.shape, Pair.first are given; use a pointer to it'
for compiler in gcc clang; do
	$compiler -std=c17 -fsyntax-only -Wall -Werror $INCLUDE -I"$T" -DALIGNMENT=8 "$T/lens/lens.c"
	! $compiler -std=c17 -fsyntax-only $INCLUDE -I"$T" -DALIGNMENT=64 "$T/lens/lens.c" 2> "$T/messages"
	grep -qF "$sentence" "$T/messages" || { echo "$compiler does not say it:"; cat "$T/messages"; }
done
