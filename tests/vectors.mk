## Test vectors: build/tests/vectors DIR; `make check` runs those of tests/topology.

noinst_PROGRAMS += tests/vectors
tests_vectors_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -I$(srcdir)/tests
tests_vectors_LDADD = $(all_libs)
tests_vectors_SOURCES = \
	tests/vectors.c \
	tests/vectors.def \
	tests/vectors.h \
	tests/vectors_clos.c \
	tests/vectors_clusters.c \
	tests/vectors_cooling.c \
	tests/vectors_cost.c \
	tests/vectors_direct.c \
	tests/vectors_interop.c \
	tests/vectors_power.c \
	tests/vectors_racking.c \
	tests/vectors_storage.c \
	tests/vectors_superpod.c

EXTRA_DIST += tests/topology
dist_check_SCRIPTS += tests/vectors.test
TESTS += tests/vectors.test

dist_check_SCRIPTS += tests/export.test
TESTS += tests/export.test
