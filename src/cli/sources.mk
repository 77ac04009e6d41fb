cli_sources += \
	src/cli/cmd.h \
	src/cli/cmd_units.c \
	src/cli/cmds.def \
	src/cli/main.c \
	src/cli/opt.c \
	src/cli/opt_files.c \
	src/cli/opt_files.h

cli_sources += \
	src/cli/cmd_bom.c \
	src/cli/cmd_cooling.c \
	src/cli/cmd_cost.c \
	src/cli/cmd_power.c \
	src/cli/cmd_racks.c \
	src/cli/cmd_storage.c \
	src/cli/cost_tables.c \
	src/cli/cost_tables.h \
	src/cli/facility_cmd.c \
	src/cli/facility_cmd.h \
	src/cli/facility_defaults.def \
	src/cli/facility_opts.def \
	src/cli/sections.c \
	src/cli/sections.h \
	src/cli/trained.c \
	src/cli/trained.h

cli_sources += src/cli/cmd_topo.c src/cli/topo_input.c src/cli/topo_input.h src/cli/topo_list.c src/cli/topo_list.h
cli_sources += src/cli/gather.c src/cli/gather.h src/cli/utc.c src/cli/utc.h
cli_sources += src/cli/cmd_export.c src/cli/cmd_flows.c src/cli/cmd_place.c

cli_sources += \
	src/cli/cmd_calibrate_read.c \
	src/cli/cmd_diagnose.c

cli_sources += \
	src/cli/catalog_opts.c \
	src/cli/catalog_opts.h \
	src/cli/cmd_catalog.c
cli_sources += src/cli/cmd_validate.c src/cli/validate_rows.c src/cli/validate_rows.h
cli_sources += src/cli/cmd_calibrate_fit.c src/cli/collective_input.c src/cli/collective_input.h

cli_sources += \
	src/cli/cmd_model.c
cli_sources += \
	src/cli/cmd_diff.c \
	src/cli/cmd_rank.c \
	src/cli/cmd_search.c \
	src/cli/cmd_step.c \
	src/cli/origin_table.c \
	src/cli/origin_table.h \
	src/cli/plan_cases.c \
	src/cli/plan_cases.h \
	src/cli/plan_run.c \
	src/cli/plan_run.h \
	src/cli/rank_columns.def \
	src/cli/rank_print.c \
	src/cli/rank_print.h \
	src/cli/rank_table.c \
	src/cli/rank_table.h \
	src/cli/step_print.c \
	src/cli/step_print.h
cli_sources += src/cli/net_input.c src/cli/net_input.h
cli_sources += src/cli/cmd_calibrate_judge.c
cli_sources += src/cli/fit_fabric.c src/cli/fit_fabric.h


cli_sources += src/cli/fit_plot.c src/cli/fit_plot.h src/cli/fitted.c src/cli/fitted.h
cli_sources += src/cli/cmd_runs.c src/cli/cmd_runs_import.c src/cli/cmd_runs_diff.c src/cli/store_opts.c src/cli/store_opts.h
cli_sources += \
	src/cli/cmd_man.c \
	src/cli/commands.c \
	src/cli/commands.h
cli_sources += src/cli/cmd_report.c src/cli/report_plan.c src/cli/report_plan.h
cli_sources += src/cli/cmd_import.c
cli_sources += src/cli/rank_more.c src/cli/rank_more.h src/cli/cmd_sensitivity.c src/cli/cmd_size.c
cli_sources += src/cli/cmd_runs_check.c
cli_sources += src/cli/cmd_launch.c src/cli/launch_print.c src/cli/launch_print.h \
	src/cli/launch_what_if.c src/cli/launch_what_if.h
cli_sources += src/cli/report_sure.c
cli_sources += src/cli/cmd_completion.c
cli_sources += src/cli/diagnose_cost.c src/cli/diagnose_cost.h
cli_sources += src/cli/bundle_pack.c src/cli/bundle_pack.h src/cli/bundle_words.c src/cli/bundle_words.h src/cli/bundle_run.c src/cli/cmd_bundle.c
cli_sources += src/cli/import_peer.c src/cli/import_peer.h
cli_sources += src/cli/progress.c src/cli/progress.h
cli_sources += src/cli/rank_prove.c src/cli/rank_prove.h
cli_sources += src/cli/cmd_breakeven.c
cli_sources += src/cli/rank_mix.c src/cli/rank_mix.h
cli_sources += src/cli/cmd_jobs.c
cli_sources += src/cli/inputs.c src/cli/inputs.h src/cli/opt_words.c src/cli/opt_words.h src/cli/work.c src/cli/work.h src/cli/work_shard.c
cli_sources += src/cli/cmd_merge.c src/cli/shard_file.c src/cli/shard_file.h
cli_sources += src/cli/runs_results.c src/cli/runs_results.h
cli_sources += src/cli/limit_opts.def
