build-san/tests/generator/faults.o: tests/generator/faults.c \
 tests/generator/faults.h
tests/generator/faults.h:
