#!/bin/sh
# SPDX-License-Identifier: MIT
# wget with --tries and --retry-on-http-error; its wait grows by one second each time
# (--waitretry). A POST without a key is sent once.
. "$(dirname "$0")/contract.sh"

set -- --quiet --output-document=/dev/null --server-response --timeout="$timeout"
[ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --post-data="$body"
[ -z "$key" ] || set -- "$@" --header "Idempotency-Key: $key"
tries=4
if [ "$method" = POST ] && [ -z "$key" ]; then tries=1; fi
set -- "$@" --tries="$tries" --waitretry=8 --retry-on-http-error=429,502,503,504
if head=$(wget "$@" "$url" 2>&1); then code=0; else code=$?; fi
status=$(printf '%s\n' "$head" | sed -n 's/^ *HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' | tail -n 1)
case $code in
  0 | 8) answered "$status" ;; # 8: the server's answer was an error
  *) answered 000 ;;
esac
