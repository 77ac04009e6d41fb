# shellcheck shell=sh
# What `./dev soak` runs; read by dev, after tools/more.sh whose functions it uses.
# doc/soak.md has the last results.

# Properties of 20 times as many random networks, steps and designs, of another seed.
properties() { # SEED
    status=0
    for test in check_properties check_net_properties; do
        RAILYARD_DATA=$PWD PROPERTY_RUNS=20 PROPERTY_SEED=$1 "$build/tests/$test" >"$build/soak.tap" || status=1
        grep -qE '^ok' "$build/soak.tap" && ! grep -E '^not ok' "$build/soak.tap" || status=1
    done
    return $status
}

# Findings of an analyser, a file and the name of the check a line, but those of
# tools/fanalyzer.known, which says why they are none.
unknown_of() { # FOUND
    sed '/^#/d' tools/fanalyzer.known >"$build/fanalyzer.known"
    ! sort -u "$1" | grep -vxFf "$build/fanalyzer.known"
}

# What an analyser finds, if it looks.
canary() {
    echo 'int canary(int given) { int *p = 0; return given ? *p : 0; }' >"$build/canary.c"
}
clang_analysed() {
    canary
    clang-tidy --quiet --checks='clang-analyzer-*' "$build/canary.c" -- 2>/dev/null |
        grep -q NullDereference || return 1
    tidied '' | sed -n 's/^.*\(src\/[^:]*\):[0-9:]* error: .*\(\[[^],]*\),-warnings-as-errors\]$/\1 \2]/p' \
        >"$build/analysed"
    unknown_of "$build/analysed"
}
gcc_analysed() {
    canary
    gcc -fanalyzer -c -o /dev/null "$build/canary.c" 2>&1 | grep -q null-dereference || return 1
    # shellcheck disable=SC2046 # flags
    find src -name '*.c' | sort | xargs -P "$jobs" -n 1 gcc -fanalyzer -O1 $(includes) \
        -c -o /dev/null 2>&1 | sed -n 's/^\(src[^:]*\):.*\(warning\|error\):.*\(\[-W[^]]*\]\)$/\1 \3/p' \
        >"$build/analysed"
    unknown_of "$build/analysed"
}

# In a Debian of nothing but its base, apt installs the packages with what they need; the
# program ranks, and purged leaves no file.
bare_debian() {
    [ "$(id -u)" -eq 0 ] || { echo "not root: no chroot"; return 1; }
    folder=$(mktemp -d)
    root=$folder/root
    dist_whole "$folder/packed.tar.xz" && debs "$folder/packed.tar.xz" "$folder" &&
        debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" ||
        return 1
    mkdir "$root/debs" && cp "$folder"/*.deb "$root/debs" || return 1
    chroot "$root" sh -ec '
        ours() { find / -xdev -name "*railyard*" | grep -vE "^/(debs|proc|var/(lib/apt|cache|log))/"; }
        apt-get update -q
        ours >/debs/before || :
        apt-get install -q -y --no-install-recommends /debs/*.deb
        cd /usr/share/railyard && railyard rank examples/h100x8.json \
            -w examples/workloads/llama3-8b-finetune.json
        cd / && apt-get purge -q -y railyard librailyard0 librailyard-dev
        ours | diff /debs/before -' || return 1
    rm -rf "$folder"
}

soak_all() { # SECONDS of fuzzing a target
    shown=yes
    make -s -C "$build" tests/check_properties tests/check_net_properties
    step 'properties, 20 times as many' properties "$(date +%s)"
    step 'clang-tidy with its analyser' clang_analysed
    step 'gcc -fanalyzer' gcc_analysed
    step 'a hundred kills of each writer' tapped KILLS=100 JOB_KILLS=100 \
        tests/kill.test
    step 'each allocation of each place fails' tapped SITES=all tests/memory.test
    step 'installed by apt in a bare Debian, ranks, purged' bare_debian
    step 'build the fuzz targets' built build-fuzz fuzzers \
        --enable-fuzzer --enable-sanitizers CC=clang CFLAGS='-O1 -g'
    step "fuzz each target $1 s" fuzz_each build-fuzz "$1"
}
