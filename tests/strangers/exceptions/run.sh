"$KIN" generate -q -o "$T" town.yaml
for file in "$T"/town/*.c; do
	$CC -std=c17 $INCLUDE -I"$T" -c "$file" -o "$file.o"
done
$CC -std=c17 -Wall -Wextra -Wpedantic -Werror $INCLUDE -I"$T" main.c "$T"/town/*.o "$LIBRARY" -o "$T/main"
"$T/main"
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $INCLUDE -I"$T" -x c++ main.c -x none "$T"/town/*.o "$LIBRARY" -o "$T/main_cpp"
"$T/main_cpp"
