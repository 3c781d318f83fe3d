build-san/examples/match_one/window/png.o: \
 examples/match_one/window/png.c examples/match_one/window/png.h
examples/match_one/window/png.h:
