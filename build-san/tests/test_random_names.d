build-san/tests/test_random_names.o: tests/test_random_names.c \
 generator/base/text.h generator/base/arena.h generator/check/package.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/read/read.h tests/random_schema.h \
 generator/render/render.h generator/render/generated_file.h \
 generator/template/set.h generator/template/mustache.h \
 generator/template/value.h generator/view/view.h tests/shell.h \
 tests/suites.h
generator/base/text.h:
generator/base/arena.h:
generator/check/package.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
tests/random_schema.h:
generator/render/render.h:
generator/render/generated_file.h:
generator/template/set.h:
generator/template/mustache.h:
generator/template/value.h:
generator/view/view.h:
tests/shell.h:
tests/suites.h:
