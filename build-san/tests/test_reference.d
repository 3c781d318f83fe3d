build-san/tests/test_reference.o: tests/test_reference.c \
 tests/generator/scratch.h generator/base/arena.h \
 generator/language/language.h tests/shell.h tests/suites.h \
 generator/verbs/verbs.h generator/verbs/command.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/output/output.h \
 generator/base/text.h generator/render/generated_file.h \
 generator/read/read.h generator/model/schema.h \
 generator/model/constant.h
tests/generator/scratch.h:
generator/base/arena.h:
generator/language/language.h:
tests/shell.h:
tests/suites.h:
generator/verbs/verbs.h:
generator/verbs/command.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/output/output.h:
generator/base/text.h:
generator/render/generated_file.h:
generator/read/read.h:
generator/model/schema.h:
generator/model/constant.h:
