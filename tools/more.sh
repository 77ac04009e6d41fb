# shellcheck shell=sh
# What `./dev check --more` adds to the tests; read by dev, which has configured(),
# step(), tested(), $build and $jobs.

# A build in a folder of its own; the target of make decides what is built.
built() { # FOLDER TARGET [CONFIGURE ARGUMENT...]
    folder=$1
    target=$2
    shift 2
    configured "$folder" "$@" && make -s -C "$folder" -j"$jobs" "$target"
}

# A test that speaks TAP, with variables before it; its status says whether it passed.
tapped() { # [NAME=VALUE...] TEST
    log_of_test=$(mktemp)
    ran=0
    env RAILYARD="$PWD/$build/railyard" srcdir="$PWD" "$@" >"$log_of_test" || ran=$?
    grep -E '^(not )?ok|^#' "$log_of_test"
    grep -qE '^not ok' "$log_of_test" && ran=1
    grep -qE '^ok' "$log_of_test" || ran=1
    rm -f "$log_of_test"
    return $ran
}

# Each target, as many at once as there are processors.
fuzz_each() { # FOLDER SECONDS
    for corpus in tests/fuzz-corpus/*; do echo "${corpus##*/}"; done |
        xargs -P "$jobs" -n 1 tools/fuzz "$1" "$2"
}

# Values never set, which the sanitizers do not see, and leaks.  Runs may end with an error,
# but not with valgrind's.
valgrinded() {
    RAILYARD_DATA=$PWD srcdir=$PWD CK_FORK=no OMP_NUM_THREADS=1
    export RAILYARD_DATA srcdir CK_FORK OMP_NUM_THREADS
    xargs -P "$jobs" -I LINE sh -c 'valgrind -q --error-exitcode=9 --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        '"$build"'/LINE </dev/null >/dev/null; [ $? -le 4 ]' <<'EOF'
tests/check_units
tests/check_json
tests/check_arch
tests/check_finance
railyard topo examples/h100-32-ndr-rail.json
railyard rank no-such-file.json
railyard step examples/h100x8.json --workload examples/workloads/llama3-8b-finetune.json --tp 2
railyard calibrate read tests/bench/layout-v2.0-all_reduce.txt
railyard catalog check --catalog tests/catalog/bad
railyard diagnose tests/nccl/socket-instead-of-ib-bond.log
EOF
    status=$?
    unset RAILYARD_DATA srcdir CK_FORK OMP_NUM_THREADS
    return $status
}

figures() { # RAILYARD: what two examples print
    for format in table json; do
        RAILYARD_DATA=$PWD "$1" rank examples/h100-32-ndr-rail.json \
            examples/gb200-nvl72x4.json \
            --workload examples/workloads/llama3-70b-pretrain.json --format $format
        RAILYARD_DATA=$PWD "$1" step examples/h100-32-ndr-rail.json \
            --workload examples/workloads/llama3-70b-pretrain.json --tp 8 --format $format
    done
}

same_figures() { # FOLDER...: of builds that print what $build does
    want=$(mktemp)
    status=0
    figures "$build/railyard" >"$want"
    [ -s "$want" ] || status=1
    for folder; do
        figures "$folder/railyard" | diff "$want" - || status=1
    done
    rm -f "$want"
    return $status
}

# What the analysers of clang-tidy, cppcheck and gcc read the sources with.
includes() {
    # shellcheck disable=SC2046 # flags
    echo -Isrc "-I$build" -std=c11 -D_GNU_SOURCE -DHAVE_CONFIG_H '-DRY_PKGDATADIR=""' \
        $(pkg-config --cflags gsl libcjson sqlite3 yaml-0.1 cairo smartcols xlsxwriter |
            sed 's/-I *\//-isystem \//g')
}

# All but what needs mpi.h, and without the slow analyser, which `./dev soak` runs;
# .clang-tidy says what is left out.
tidied() { # CHECKS of clang-tidy
    # shellcheck disable=SC2046 # flags
    find src -name '*.c' ! -name ranks_mpi.c | sort | xargs -P "$jobs" -n 40 sh -c \
        'checks=$1 flags=$2 && shift 2 && clang-tidy --quiet --checks="$checks" "$@" -- $flags' \
        sh "$1" "$(includes)" 2>/dev/null
}

# Only by the release that .clang-format names.
formatted() {
    clang-format --version | grep -qF ' 14.' || return 0
    make -s -C "$build" check-format
}

# tools/cppcheck.supp says what is no finding, and why.
cppchecked() {
    cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability \
        --error-exitcode=1 --library=tools/cppcheck.cfg --inline-suppr \
        --suppressions-list=tools/cppcheck.supp -Isrc '-DRY_PKGDATADIR=""' src
}

# Lines of the pure layers that the tests ran, by layer; below 90 % of all it fails.
coverage() {
    awk '!/^#/ && $2 == "pure" { print $1 }' src/LAYERS | while read -r layer; do
        find "build-cover/src/$layer" -name '*.gcda' -exec gcov -n {} + 2>/dev/null |
            awk -v layer="$layer" '
                /^File/ { ours = index($0, "src/" layer "/") && /[.]c.$/ }
                ours && /^Lines executed/ {
                    split($2, part, ":"); sub(/%/, "", part[2])
                    n += $4; hit += $4 * part[2] / 100; ours = 0
                }
                END { print layer, hit + 0, n + 0 }'
    done | awk '{ printf "%-10s %5.1f %% of %d lines\n", $1, $3 ? 100 * $2 / $3 : 0, $3
                  hit += $2; n += $3 }
        END { printf "%-10s %5.1f %% of %d lines\n", "pure", n ? 100 * hit / n : 0, n
              exit n == 0 || hit < 0.9 * n }'
}

# The tarball, but for how hard it is compressed.
packed() {
    XZ_OPT=-0 make -s -C "$build" dist >/dev/null
}

# A tarball, of files with other dates and another umask than the next one will have, left as
# PACKED; everything that is tracked is in it.
dist_whole() { # PACKED
    touch README.md
    (umask 077 && packed) && mv "$build"/railyard-*.tar.xz "$1" || return 1
    git rev-parse --is-inside-work-tree >/dev/null 2>&1 || return 0
    tar tf "$1" | sed 's|^[^/]*/||' | sort >"$build/dist.list"
    ! git ls-files | grep -v '^\.gitignore$' | sort | comm -13 "$build/dist.list" - | grep .
}

# From a tarball it builds, a part of the tests runs, installs and is removed; tarballs of one
# commit are the same bytes.
distchecked() { # PACKED
    XZ_OPT=-0 make -C "$build" -j"$jobs" distcheck DISTCHECK_CONFIGURE_FLAGS=CFLAGS=-O0 \
        TESTS='$(tarball_tests)' && cmp "$build"/railyard-*.tar.xz "$1" || return 1
    rm -f "$build"/railyard-*.tar.xz
}

# Debian packages of a tarball, made in a folder; noopt makes them sooner.
debs() { # TARBALL FOLDER [noopt]
    tar xf "$1" -C "$2" || return 1
    (cd "$2"/railyard-* && DEB_BUILD_OPTIONS="nocheck ${3:-} noautodbgsym parallel=$jobs" \
        dpkg-buildpackage -us -uc -b) >"$2/log" 2>&1 || {
        tail -n 30 "$2/log"
        return 1
    }
}

# They are made, free of lintian's errors, and what they install runs.
packaged() { # TARBALL
    folder=$(mktemp -d)
    debs "$1" "$folder" noopt || return 1
    lintian --fail-on error "$folder"/*.changes || return 1
    for package in "$folder"/*.deb; do
        dpkg-deb -x "$package" "$folder/unpacked" || return 1
    done
    LD_LIBRARY_PATH=$(dirname "$(find "$folder/unpacked" -name 'librailyard.so.0')") \
        RAILYARD_DATA=$folder/unpacked/usr/share/railyard "$folder/unpacked/usr/bin/railyard" \
        rank examples/h100x8.json -w examples/workloads/llama3-8b-finetune.json || return 1
    rm -rf "$folder"
}

# What is installed compiles and links a program, and is removed without a rest.
installed() {
    root=$(mktemp -d)
    status=0
    make -s -C "$build" install DESTDIR="$root" >/dev/null || return 1
    cat >"$root/use.c" <<'EOF'
#include <railyard.h>

int main(void)
{
    struct ry_arena *arena = ry_arena_create(0);
    ry_arena_destroy(arena);
    return arena ? 0 : 1;
}
EOF
    pc=$(find "$root" -name railyard.pc)
    library=$(dirname "$(find "$root" -name librailyard.so)")
    # shellcheck disable=SC2046 # flags
    cc -Wall -Wextra -Werror -o "$root/use" "$root/use.c" \
        $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config \
            --define-variable=prefix="$root$(sed -n 's/^prefix=//p' "$pc")" \
            --cflags --libs railyard) || status=1
    LD_LIBRARY_PATH=$library "$root/use" || status=1
    data=$(dirname "$(find "$root" -name catalog -type d)")
    RAILYARD_DATA=$data "$(find "$root" -name railyard -type f -perm /100 -path '*/bin/*')" \
        rank "$data"/examples/h100x8.json --workload \
        "$data"/examples/workloads/llama3-8b-finetune.json >/dev/null || status=1
    make -s -C "$build" uninstall DESTDIR="$root" >/dev/null || status=1
    rm -f "$root/use" "$root/use.c"
    ! find "$root" ! -type d | grep . || status=1
    rm -rf "$root"
    return $status
}

# The schemas by a validator that is not ours.
schemas_hold() {
    RY_MORE=1 RAILYARD=$PWD/$build/railyard RAILYARD_DATA=$PWD sh tests/schema.test >schema.out
    status=0
    grep -q '^ok 4 - an independent validator agrees$' schema.out || status=1
    cat schema.out
    rm -f schema.out
    return $status
}

# A step that runs beside those that follow, until `joined`.
aside() { # TITLE COMMAND...
    aside_log=$(mktemp)
    (
        passed=0 failed=0
        step "$@"
        echo "$passed $failed" >"$aside_log.count"
    ) >"$aside_log" 2>&1 &
    aside_pid=$!
}
joined() {
    wait "$aside_pid"
    cat "$aside_log"
    aside_passed=0 aside_failed=1
    read -r aside_passed aside_failed <"$aside_log.count"
    passed=$((passed + aside_passed))
    failed=$((failed + aside_failed))
    rm -f "$aside_log" "$aside_log.count"
}

# Programs of the sanitizers start slowly: there scripts make a part of their runs (TEST_SHARE),
# all of which `check` has made.
more() {
    shown=yes
    step 'build with clang -Werror, ASan and UBSan' built build-asan all \
        --enable-werror --enable-sanitizers --enable-fuzzer CC=clang CFLAGS='-O1 -g1'
    TEST_SHARE=5
    export TEST_SHARE
    tested build-asan check
    unset TEST_SHARE
    step 'fuzz each target 3 s' fuzz_each build-asan 3
    step 'build with gcc -O0 for coverage' built build-cover all \
        --enable-werror --enable-coverage CFLAGS=-O0
    tested build-cover check-pure
    step 'coverage of the pure layers' coverage
    step 'build with clang -O3 and MPI' built build-mpi railyard \
        --enable-werror --with-mpi CC=clang CFLAGS=-O3
    step 'the same figures from gcc and clang, -O0 to -O3' \
        same_figures build-asan build-mpi build-cover
    aside 'worked examples of CONTRIBUTING that compile' env CONTRIBUTING=all \
        RAILYARD="$build/railyard" srcdir="$PWD" sh -c \
        'out=$(tests/contributing.test) && echo "$out" && ! echo "$out" | grep "^not ok"'
    step 'mutated command lines' env OMP_THREAD_LIMIT=1 tests/mutate build-asan/railyard 300
    step 'the same results from 1 to 4 ranks' tapped RAILYARD="$PWD/build-mpi/railyard" \
        tests/mpi.test
    step 'valgrind' valgrinded
    step 'clang-format' formatted
    step 'clang-tidy' tidied '-clang-analyzer-*'
    step cppcheck cppchecked
    step 'schemas by python3-jsonschema' schemas_hold
    step 'install, compile against it, uninstall' installed
    joined
    step 'all tracked files are in the tarball' dist_whole "$build/packed.tar.xz"
    step 'Debian packages, without an error of lintian' packaged "$build/packed.tar.xz"
    step 'list of what it is made of (SPDX)' make -s -C "$build" sbom
    step 'distcheck, and the same tarball again' distchecked "$build/packed.tar.xz"
}
