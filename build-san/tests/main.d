build-san/tests/main.o: tests/main.c tests/suites.h
tests/suites.h:
