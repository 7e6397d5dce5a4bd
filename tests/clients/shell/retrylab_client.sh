#!/bin/sh
# SPDX-License-Identifier: MIT
# Our own client with its default policy. It prints its outcome itself.
. "$(dirname "$0")/contract.sh"

set -- "$method" "$url"
[ -z "$body" ] || set -- "$@" --json "$body"
[ -z "$key" ] || set -- "$@" --key "$key"
exec "${RETRYLAB_CLIENT:-build/release/retrylab-client}" "$@"
