#!/bin/sh
# vendor.sh SOURCE SCRATCH: makes SOURCE/share/report/vendor from npm packages, once.
# Without npm, node or a network nothing is made: the report then has tables for charts.
# Exit status is 0 either way, so that a build never depends on it.
set -u
source=$1
scratch=$2/npm
vendor=$source/share/report/vendor
[ -s "$vendor/charts.js" ] && [ -s "$vendor/inter.woff2" ] && exit 0

without() {
    echo "report: $1; its page will show tables instead of charts" >&2
    exit 0
}
command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1 || without "no npm and node"
[ -w "$source/share/report" ] || without "cannot write to $source/share/report"
mkdir -p "$scratch" && cp "$source"/tools/report/package*.json "$source/tools/report/charts.mjs" "$scratch" ||
    without "cannot write to $scratch"
cd "$scratch" || exit 0
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 \
    --fetch-timeout=30000 >npm.log 2>&1 || without "npm could not fetch the chart library (see $scratch/npm.log)"
node_modules/.bin/esbuild charts.mjs --bundle --minify --format=iife --global-name=echarts \
    --target=es2020 --legal-comments=none --log-level=error \
    --define:process.env.NODE_ENV='"production"' --outfile=bundle.js ||
    without "esbuild failed"
made=$(mktemp -d "$vendor.XXXXXX") || without "cannot write to $source/share/report"
inter=node_modules/@fontsource-variable/inter
of=$(node -p 'require("./node_modules/echarts/package.json").version') &&
    {
        echo "/* Apache ECharts $of, Copyright 2017-2026 The Apache Software Foundation, Apache-2.0;"
        echo '   with zrender, Copyright (c) 2017 Baidu Inc., BSD-3-Clause */'
        sed 's|</script|<\\/script|g' bundle.js
    } >"$made/charts.js" &&
    cp "$inter/files/inter-latin-wght-normal.woff2" "$made/inter.woff2" &&
    cp "$inter/LICENSE" "$made/inter-LICENSE.txt" &&
    cp node_modules/echarts/LICENSE "$made/echarts-LICENSE.txt" &&
    cp node_modules/echarts/NOTICE "$made/echarts-NOTICE.txt" &&
    cp node_modules/zrender/LICENSE "$made/zrender-LICENSE.txt" || {
    rm -rf "$made"
    without "cannot write to $source/share/report"
}
chmod 755 "$made"
rm -rf "$vendor"
mv "$made" "$vendor"
rm -rf "$scratch"
