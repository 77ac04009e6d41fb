host_sources += src/report/xlsx.c src/report/xlsx.h
host_sources += \
	src/report/number.c \
	src/report/number.h \
	src/report/table.c \
	src/report/table.h

unit_tests += tests/check_table
host_sources += src/report/ablation.c src/report/ablation.def src/report/ablation.h
host_sources += src/report/validate.c src/report/validate.h \
	src/report/validate_print.c src/report/validate_print.h
unit_tests += tests/check_validate
host_sources += src/report/comm_curves_put.c src/report/comm_curves_put.h
host_sources += src/report/comm_model_put.c src/report/comm_model_put.h src/report/json_echo.c src/report/json_echo.h
host_sources += src/report/plot.c src/report/plot.h
host_sources += src/report/topo.c src/report/topo.h
host_sources += src/report/export.c \
	src/report/export.h src/report/export_dot.c src/report/export_ib.c \
	src/report/export_lists.c src/report/export_sim.c src/report/export_slurm.c \
	src/report/exports.def
host_sources += src/report/html.c src/report/html.h src/report/say.c src/report/say.h \
	src/report/page.c src/report/page.h src/report/page_answer.c src/report/page_buy.c src/report/page_data.c \
	src/report/page_part.h src/report/page_ranking.c src/report/page_scaling.c \
	src/report/page_sites.c src/report/page_sources.c src/report/page_step.c
unit_tests += tests/check_page
host_sources += src/report/inks.def src/report/picture.c src/report/picture.h \
	src/report/pic_rack.c src/report/pic_rack.h \
	src/report/pic_room.c src/report/pic_room.h src/report/rack_groups.c src/report/rack_groups.h \
	src/report/pic_power.c src/report/pic_power.h src/report/pic_step.c src/report/pic_step.h \
	src/report/pic_topology.c src/report/pic_topology.h
host_sources += src/report/launch.c src/report/launch.h \
	src/report/launch_hosts.c src/report/launch_options.c src/report/launch_options.h
host_sources += src/report/page_decides.c src/report/page_sure.c
host_sources += src/report/table_fit.c src/report/table_fit.h
host_sources += src/report/pic_timeline.c src/report/pic_timeline.h
unit_tests += tests/check_picture
host_sources += src/report/bundle.c src/report/bundle.h src/report/bundle_diff.c src/report/bundle_diff.h
host_sources += src/report/formats.def src/report/page_write.c src/report/table_print.c src/report/table_rows.h
host_sources += src/report/export_netbox.c src/report/netbox_ports.def \
	src/report/netbox_types.c src/report/netbox_types.h
host_sources += src/report/free_ports.c src/report/free_ports.h
host_sources += src/report/diagnosis.c src/report/diagnosis.h
host_sources += src/report/catalog_table.c src/report/catalog_table.h
