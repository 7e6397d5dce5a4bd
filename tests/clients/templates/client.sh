#!/bin/sh
# SPDX-License-Identifier: MIT
# Template of an adapter in shell: sh client.sh. Put your client where curl is.
set -- --silent --output /dev/null --max-time 10 --request "${RETRYLAB_METHOD:-GET}"
[ -z "${RETRYLAB_BODY-}" ] || set -- "$@" -H 'Content-Type: application/json' --data "$RETRYLAB_BODY"
[ -z "${RETRYLAB_KEY-}" ] || set -- "$@" -H "Idempotency-Key: $RETRYLAB_KEY"

# TODO: your client here, with all its retries. This one makes a single attempt.
if curl --fail "$@" "$RETRYLAB_URL${RETRYLAB_PATH:-/}"; then
  echo '{"outcome": "success"}'
else
  echo '{"outcome": "failure"}'
  exit 1
fi
