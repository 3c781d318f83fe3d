"$KIN" generate -q -o "$T" camp.yaml
$CC -std=c17 -Wall -Wextra -Wpedantic -Werror $INCLUDE -I"$T" main.c "$T"/camp/*.c "$LIBRARY" -o "$T/main"
"$T/main"
for language in c++17 c++20; do
	echo '#include "camp/camp.h"' | g++ -std=$language -Wall -Werror $INCLUDE -I"$T" -fsyntax-only -x c++ -
done
