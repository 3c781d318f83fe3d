# Each line is a prefix, a package and two contexts. Every two of them have file names, or prefixes and packages, that join
# to the same words as those of another line.
cat > "$T/packages" <<'END'
- sea port_game port
- sea_port game harbour
sea_ bay port_game anchor
SEA_ coast port_game shore
- sea_port_game h stamp
- s2 a_2 a
- s2_a x earth
- types game_types other
- storage game context
- bay_port game anchor
END
count=0
while read -r prefix package first second; do
	[ "$prefix" != - ] || prefix=
	count=$((count + 1))
	folder=$T/$count
	mkdir "$folder"
	cat > "$folder/schema.yaml" <<END
kin: 1
package: $package
prefix: "$prefix"
contexts: { $first: {}, $second: {} }
components: { C: { contexts: [$first, $second], fields: { x: float } } }
systems: { Run: {} }
schedule: { simulation: {} }
END
	"$KIN" generate -q -o "$folder" "$folder/schema.yaml"
done < "$T/packages"
cat "$T"/*/*/*.h | sed -n 's/^#ifndef \(KIN_GENERATED_[A-Za-z0-9_]*_H\)$/\1/p' | sort | uniq -d
cat "$T"/*/*/*.h | sed -n 's/^#define \(KIN_GENERATED_[A-Za-z0-9_]*_STAMP\) .*/\1/p' | sort | uniq -d

for schema in one two; do "$KIN" generate -q -o "$T/program" $schema.yaml; done
$CC -Wall -Wextra -Werror -I"$T/program" $INCLUDE main.c "$T"/program/*/*.c "$LIBRARY" -o "$T/main"
"$T/main"
