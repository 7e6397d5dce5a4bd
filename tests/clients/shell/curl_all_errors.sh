#!/bin/sh
# SPDX-License-Identifier: MIT
# curl --retry --retry-all-errors: the "sledgehammer" of its manual, which also retries what a
# reset or a cut answer left behind.
. "$(dirname "$0")/contract.sh"

# A file, not /dev/null: before a retry curl truncates its output, which fails on a device.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
set -- --silent --output "$answer" --write-out '%{http_code}' --max-time "$timeout" --request "$method"
[ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data "$body"
[ -z "$key" ] || set -- "$@" --header "Idempotency-Key: $key"
if [ "$method" != POST ] || [ -n "$key" ]; then set -- "$@" --retry 4 --retry-all-errors; fi
if status=$(curl "$@" "$url"); then answered "$status"; else answered 000; fi
