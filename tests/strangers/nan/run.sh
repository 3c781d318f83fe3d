"$KIN" check frost.yaml
"$KIN" generate -q -o "$T" frost.yaml
strict='-Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Werror'
for compiler in gcc clang; do
	for flags in -std=c11 '-std=c17 -O2' '-std=c11 -O2 -ffast-math' '-std=c11 -Os -m32 -fsyntax-only'; do
		case $flags in
		*-m32*) echo '#include <stdint.h>' | $compiler -m32 -fsyntax-only -x c - 2> /dev/null || continue ;;
		esac
		for file in "$T"/frost/*.c; do
			$compiler $flags $strict $INCLUDE -I"$T" -c "$file" -o "$file.o"
		done
		case $flags in *-fsyntax-only*) continue ;; esac
		$compiler $flags $strict $INCLUDE -I"$T" main.c "$T"/frost/*.o "$LIBRARY" -o "$T/main"
		"$T/main" || echo "$compiler $flags: wrong values"
	done
	echo '#include "frost/frost.h"' | $compiler -x c++ -std=c++17 -ffast-math $strict $INCLUDE -I"$T" -fsyntax-only -
done

# Every other form that shows the constants has them, too.
"$KIN" list --json frost.yaml | python3 -c '
import json, sys
def refuse(name): raise ValueError(name + " is not JSON")
listed = json.load(sys.stdin, parse_constant=refuse)
fields = {c["name"] + "." + f["name"]: f for c in listed["components"] for f in c["fields"]}
assert fields["Clock.due"]["default"] == "inf", fields["Clock.due"]
assert fields["Clock.never"]["default"] == "-inf"
assert fields["Heat.samples"]["default"] == ["nan", 1.0, "-inf"]
assert fields["Heat.limit"]["range"] == [0.0, "inf"], fields["Heat.limit"]
'
"$KIN" list frost.yaml | grep -q '\.inf' || echo "kin list does not show .inf"
"$KIN" doc frost.yaml | grep -q '| \.nan |' || echo "kin doc does not show .nan"
cp frost.yaml "$T/frost.yaml"
"$KIN" lock > /dev/null "$T/frost.yaml"
"$KIN" check "$T/frost.yaml"

# What is nearly right gets advice that is right.
try() {
	printf 'kin: 1\npackage: p\ncontexts: { g: {} }\ncomponents: { C: { fields: { f: { type: %s, %s } } } }\n' "$1" "$2" > "$T/try.yaml"
	"$KIN" check "$T/try.yaml" > "$T/said" 2>&1 && status=0 || status=1
	if [ -n "$3" ]; then
		grep -qF -- "$3" "$T/said" || { echo "$1 $2:"; cat "$T/said"; }
	else
		[ $status = 0 ] || { echo "$1 $2:"; cat "$T/said"; }
	fi
}
try double 'default: .Inf' ''
try float 'default: +.inf' ''
try float 'default: -.INF' ''
try double 'default: inf' 'write .inf'
try double 'default: -Infinity' 'write -.inf'
try float 'default: nan' 'write .nan'
try float 'default: NaN' 'write .nan'
try float "default: 'nan'" 'write .nan, without quotes'
try float "default: '.nan'" 'write .nan, without quotes'
try float "default: 'abc'" 'write a number such as'
try int32 'default: .inf' 'write an integer from'
try int32 "default: 'abc'" 'write an integer from'
try int32 "default: '7'" 'remove the quotes'
try bool 'default: .nan' 'true'
try double 'range: [.nan, 1]' 'write ~ for no bound'
try double 'range: [0, 1], default: .nan' 'outside of the range'
try double 'range: [0, ~], default: .inf' ''
try double 'range: [0, 5], default: .inf' 'outside of the range'
try double 'range: [.inf, 5]' 'begins above its end'
try '"double[2]"' 'default: [.inf, .nan]' ''
