# shellcheck shell=sh
# What `./dev figures` measures; read by dev.  It prints doc/figures.md: what, command,
# figure, goal, date and kind of machine.  A command of the table can be typed as it stands;
# what picks the figure out of its output is here.

machine() {
    echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: *//p;s/^Model[^:]*: *//p' /proc/cpuinfo | head -n 1)"
}

heading() { # TITLE
    printf '\n## %s\n\n' "$1"
    echo '| what | figure | goal | command | date | machine |'
    echo '| --- | ---: | ---: | --- | --- | --- |'
}

# The output of a command, run once however many figures it has.
output_of() { # COMMAND
    kept=$kept_outputs/$(printf %s "$1" | cksum | cut -d' ' -f1)
    [ -e "$kept" ] || bash -c "$1" >"$kept" 2>&1 || :
    cat "$kept"
}

figure() { # WHAT GOAL COMMAND FILTER...
    what=$1 goal=$2 command=$3
    shift 3
    value=$(output_of "$command" | "$@" | paste -sd' ' -)
    printf '| %s | %s | %s | `%s` | %s | %s |\n' "$what" "${value:-not measured}" "$goal" \
        "$(printf %s "$command" | sed 's/|/\\|/g')" "$(date -u +%F)" "$(machine)"
    [ -n "$value" ] || missed=1
}

# Percent of a number of the JSON answer, to two places.
percent() { # JQ-PATH
    jq -r "$1 | if . == null then empty else (. * 10000 | round) / 100 | tostring + \" %\" end"
}
error_of() { # SOURCE
    percent ".sources[] | select(.path | endswith(\"$1\")) | .mape"
}
# Mean error of the rows whose name begins so.
error_of_rows() { # PREFIX
    percent "[.rows[] | select(.id | test(\"^$1\")) | .error | if . < 0 then -. else . end] | add / length"
}
worst_of_rows() { # PREFIX
    percent "[.rows[] | select(.id | test(\"^$1\")) | .error | if . < 0 then -. else . end] | max"
}
memory_of_rows() { # PREFIX
    percent "[.rows[] | select(.id | test(\"^$1\")) | select(.peak_bytes_measured and .peak_bytes_predicted)
        | .peak_bytes_predicted / .peak_bytes_measured - 1 | if . < 0 then -. else . end] | add / length"
}
mean_of_sources() {
    percent '[.sources[] | select(.used >= 3 and (.path | contains("single_node") | not)) | .mape] | add / length'
}
within() { # KIND
    jq -r "\"\(.overall.coverage_$1 * 1000 | round / 10) %, ±\(.overall.half_width_$1 * 1000 | round / 10) %\""
}
column() { # PATTERN FIELD
    awk -v pattern="$1" -v field="$2" '$0 ~ pattern { print $field; exit }'
}
percent_of_line() { # PATTERN N: the Nth percentage of its first line
    awk -v pattern="$1" -v nth="$2" '$0 ~ pattern { n = split($0, w, / +/)
        for (i = 2; i <= n; i++) if (w[i] == "%" && !--nth) { print w[i - 1], "%"; exit } exit }'
}
seconds() { # of bash's time
    sed -n 's/^real[^0-9]*\([0-9]*\)m\([0-9.]*\)s/\1 \2/p' | awk '{ printf "%.2f s\n", 60 * $1 + $2 }'
}
racked() { # FIGURE
    jq -r ".figures[] | select(.figure == \"$1\") | .value"
}
tap() {
    awk '/^ok/ { ok++ } /^not ok/ { no++ } END { if (ok + no) print ok + 0 " passed, " no + 0 " failed" }'
}

step_figures() {
    published='build/railyard validate tests/published --format json'
    measured='build/railyard validate tests/measured --format json'
    heading 'Step times and memory'
    figure 'mean over sources (three rows or more, without vTrain single node)' '6.5 %' "$published" mean_of_sources
    figure 'the same without what is tuned on steps' '' "$published --untuned" mean_of_sources
    figure 'rows used' '' "$published" jq -r .overall.used
    figure '95th percentile of the error' '20 %' "$published" percent .overall.p95
    figure 'measured H200 steps, dense' '3 %' "$measured" error_of h200x2/train-steps.json
    figure 'measured H200 steps, experts' '3 %' "$measured" error_of h200x2/train-steps-moe.json
    figure 'a second H200 host, dense' '' "$measured" error_of h200x2b/train-steps.json
    figure 'a second H200 host, experts' '' "$measured" error_of h200x2b/train-steps-moe.json
    figure 'peak memory of H200 steps' '3 %' "$measured" memory_of_rows .
    figure 'Korthikanti, table 5' '3 %' "$published" error_of korthikanti2022_recompute.json
    figure 'its worst' '7 %' "$published" worst_of_rows korthikanti
    figure 'Narayanan' '2.5 %' "$published" error_of narayanan2021_megatron_a100.json
    figure 'vTrain, several nodes' '6.5 %' "$published" error_of vtrain_a100_multi_node.json
    figure 'BLOOM' '5.5 %' "$published" error_of bloom_a100_chronicles.json
    figure 'LLM Foundry, A100' '4 %' "$published" error_of_rows foundry-a100
    figure 'LLM Foundry, H100' '6 %' "$published" error_of_rows foundry-h100
    figure 'SimuMax, B200' '4 %' "$published" error_of simumax_b200.json
    figure 'its memory' '2 %' "$published" memory_of_rows simumax
    figure 'DGX Cloud' '6.5 %' "$published" error_of nvidia_dgxc_benchmarking.json
    figure 'Megatron-Bridge' '6.5 %, experts 10 %' "$published" error_of megatron_bridge_perf.json
    figure 'NeMo 24.07' '6.5 %' "$published" error_of nemo_2407_h100.json
    figure 'NeMo on Blackwell' '6.5 %' "$published" error_of nemo_docs_25xx_blackwell.json
    figure 'MLPerf, pre-training' '6.5 %' "$published" error_of mlperf_pretrain.json
    figure 'MLPerf, LoRA' '6.5 %' "$published" error_of mlperf_lora.json
    figure 'torchtitan' '6.5 %' "$published" error_of torchtitan_h100_h200.json
    figure 'pairs in the right order' '90 %' "$published" percent .overall.pair_order
    figure 'mean regret of the predicted best' '1 %, one node 5 %' "$published" percent .overall.regret
    figure 'dense: in the 90 % interval, median half-width' '85-95 %, 8 %' "$published" within dense
    figure 'experts: the same' '85-95 %, 15 %' "$published" within experts
    figure 'LoRA: the same' '85-95 %' "$published" within lora
}

calibration_figures() {
    kernels='build/railyard calibrate kernels tests/measured/h200x2/kernels.json tests/measured/h200x2/kernels-more.json tests/measured/h200x2/power.json tests/measured/h200x2/overlap.json'
    heading 'Calibration'
    figure 'products over 1e11 FLOP' '4 %' "$kernels" percent_of_line '^gemm, over' 1
    figure 'the same, shapes not fitted' '4 %' "$kernels" percent_of_line '^gemm, over' 4
    figure 'attention over 1e11 FLOP' '5 %' "$kernels" percent_of_line '^attention, over' 1
    figure 'memory-bound over 64 MiB' '6 %' "$kernels" percent_of_line '^memory-bound, over' 1
    figure 'grouped products, even' '8 %' "$kernels" percent_of_line '^grouped, even' 1
    figure 'grouped products, uneven' '8 %' "$kernels" percent_of_line '^grouped, uneven' 1
    figure 'a node count left out of NDR tables, in its interval' '' \
        'build/railyard calibrate fit --facts models/facts/ib-ndr.json --leave-one-out' \
        sed -n 's/^\([0-9]* of [0-9]*\) points.*/\1/p'
}

fabric_figures() {
    bench='make -s -C build bench'
    heading 'Fabrics, room, cost'
    figure 'topology vectors' '' 'build/tests/vectors tests/topology' tail -n 1
    figure 'flows against SimGrid' 'equal' 'RAILYARD=$PWD/build/railyard RAILYARD_DATA=$PWD sh tests/simgrid.test' tap
    figure '65,536 GPUs: built, verified, memory' '' "$bench" \
        sed -n 's/^ *65536 GPUs.*build \([0-9.]* s\).*verify \([0-9.]* s\).*peak \(.*\)/\1, \2, \3/p'
    figure 'all-to-all of 16,384 GPUs' '' "$bench" \
        sed -n 's/^ *16384 GPUs.*all-to-all \([0-9.]* s\).*/\1/p'
    figure 'commands agree on 16 designs' 'equal' 'RAILYARD=$PWD/build/railyard RAILYARD_DATA=$PWD sh tests/agree.test' tap
    superpod='build/railyard racks tests/facility/superpod-h100-4su.json --format json'
    figure 'a SuperPOD of 127 nodes: racks' '38' "$superpod" racked racks
    figure 'its links' '2,040' "$superpod" racked links
    figure 'bill of 4,096 GPUs' '1 s' \
        'sed "s/\"nodes\": 32/\"nodes\": 512/" examples/h100-32-ndr-rail.json >build/512.json; time build/railyard bom build/512.json' seconds
}

search_figures() {
    bench='make -s -C build bench'
    heading 'Ranking and search'
    figure 'all examples, all workloads' '2 s' 'time build/railyard rank examples/*.json examples/workloads/*.json' seconds
    figure 'strategies timed a second on one core' '1,000,000' \
        'OMP_NUM_THREADS=1 build/railyard search examples/search-gpt3-175b.json --format json' \
        jq -r '.strategies_per_s | round'
    figure '10,000 designs' '' 'time build/railyard rank examples/spaces/space-1024.json -q' seconds
    figure 'the same on one thread' '' 'time OMP_NUM_THREADS=1 build/railyard rank examples/spaces/space-1024.json -q' seconds
    figure '14.5 M strategies' '' "$bench" awk '/14508400/ { print $9 " s"; exit }'
}

house_figures() {
    heading 'The house'
    figure 'lines of a function: median, nine in ten, most' '12, 40, 60' 'tests/sizes.test' \
        sed -n 's/.*function lines \([0-9]*\),\([0-9]*\),\([0-9]*\),.*/\1, \2, \3/p'
    figure 'over a limit of size' '0' 'tests/sizes.test --list' awk 'END { print NR }'
}

long_figures() {
    heading 'Long runs'
    sed -n 's/^| \(.*\) | \(20[0-9-]*\) | \(.*\) |$/| \1 | \3 | none | `.\/dev soak` | \2 | 2 cores |/p' doc/soak.md
}

# Its status is 1 where a figure could not be measured; the row says so.
all_figures() {
    missed=0
    kept_outputs=$(mktemp -d)
    cat <<'EOF'
# Figures

What was asked of this tool, what it reaches, and the command that shows it, in one table a
subject. `./dev figures >doc/figures.md` measures all of it again (some three minutes; times are
of a machine with nothing else to do); only the last table is carried over, from doc/soak.md. Where a
figure is short of its goal, doc/model.md ("Not explained, not modelled") says what is missing.
EOF
    step_figures
    calibration_figures
    fabric_figures
    search_figures
    house_figures
    long_figures
    rm -rf "$kept_outputs"
    return $missed
}
