build-san/tests/generator/describe/test_list.o: \
 tests/generator/describe/test_list.c generator/base/utf8.h \
 generator/describe/list.h generator/base/text.h generator/base/arena.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/describe/private/table.h \
 tests/generator/program.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/yaml/tree.h tests/generator/scratch.h tests/shell.h \
 tests/suites.h
generator/base/utf8.h:
generator/describe/list.h:
generator/base/text.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/describe/private/table.h:
tests/generator/program.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/yaml/tree.h:
tests/generator/scratch.h:
tests/shell.h:
tests/suites.h:
