build-san/tests/generator/language/test_language.o: \
 tests/generator/language/test_language.c generator/base/text.h \
 generator/base/arena.h tests/generator/program.h \
 tests/generator/scratch.h generator/language/language.h \
 generator/model/type.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/world.h tests/shell.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/program.h:
tests/generator/scratch.h:
generator/language/language.h:
generator/model/type.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
tests/shell.h:
tests/suites.h:
