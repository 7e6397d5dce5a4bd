#!/bin/sh
# SPDX-License-Identifier: MIT
# curl --retry: its exponential wait, Retry-After, and what it calls transient. --retry looks at no
# method; a POST without a key is therefore sent without it.
. "$(dirname "$0")/contract.sh"

# A file, not /dev/null: before a retry curl truncates its output, which fails on a device.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
set -- --silent --output "$answer" --write-out '%{http_code}' --max-time "$timeout" --request "$method"
[ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data "$body"
[ -z "$key" ] || set -- "$@" --header "Idempotency-Key: $key"
if [ "$method" != POST ] || [ -n "$key" ]; then set -- "$@" --retry 4; fi
# The body is cut or the connection was lost: curl's exit code, whatever the status was.
if status=$(curl "$@" "$url"); then answered "$status"; else answered 000; fi
