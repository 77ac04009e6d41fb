host_sources += \
	src/store/compare.c \
	src/store/compare.h \
	src/store/store.c \
	src/store/store.h \
	src/store/store_runs.c \
	src/store/store_sql.h
unit_tests += tests/check_store
host_sources += src/store/jobs.c src/store/jobs.h src/store/jobs_list.c src/store/jobs_rank.c src/store/jobs_rank.h src/store/schema.c src/store/schema.h
unit_tests += tests/check_jobs
EXTRA_DIST += tests/store
