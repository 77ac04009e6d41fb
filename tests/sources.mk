dist_check_SCRIPTS += tests/golden.test tests/layers.test
TESTS += tests/golden.test tests/layers.test
EXTRA_DIST += tests/golden tests/fuzz-corpus tests/catalog catalog
EXTRA_DIST += tests/bench

## Fuzz targets: libFuzzer programs, or replays of the corpus.

check_PROGRAMS += tests/fuzz_quantity
tests_fuzz_quantity_LDADD = $(all_libs)
tests_fuzz_quantity_SOURCES = tests/fuzz_quantity.c
if ENABLE_FUZZER
tests_fuzz_quantity_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
tests_fuzz_quantity_SOURCES += tests/fuzz_replay.c
check-local: tests/fuzz_quantity
	$(AM_V_at)tests/fuzz_quantity $(srcdir)/tests/fuzz-corpus/*
endif
