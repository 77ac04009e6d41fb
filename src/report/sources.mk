host_sources += src/report/xlsx.c src/report/xlsx.h
host_sources += \
	src/report/number.c \
	src/report/number.h \
	src/report/table.c \
	src/report/table.h

unit_tests += tests/check_table
host_sources += src/report/ablation.c src/report/ablation.def src/report/ablation.h
host_sources += src/report/validate.c src/report/validate.h
host_sources += src/report/comm_model_put.c src/report/comm_model_put.h src/report/json_echo.c src/report/json_echo.h
host_sources += src/report/plot.c src/report/plot.h
host_sources += src/report/topo.c src/report/topo.h
host_sources += src/report/export.c \
	src/report/export.h src/report/export_dot.c src/report/export_ib.c \
	src/report/export_lists.c src/report/export_sim.c src/report/export_slurm.c \
	src/report/exports.def
