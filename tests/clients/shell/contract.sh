# SPDX-License-Identifier: MIT
# The operation that the environment asks for; source it. See docs/client-contract.md.
method=${RETRYLAB_METHOD:-GET}
url=$RETRYLAB_URL${RETRYLAB_PATH:-/}
body=${RETRYLAB_BODY-}
key=${RETRYLAB_KEY-}
if [ "$method" = POST ] && [ -z "$body" ]; then body='{"amount": 5}'; fi
timeout=10 # seconds per attempt

# answered STATUS: reports the final answer and ends the process; 000 when there was none.
answered() {
  case $1 in
    2??) printf '{"outcome": "success", "status": %s}\n' "$1"; exit 0 ;;
    000 | '') printf '{"outcome": "failure", "reason": "no answer"}\n'; exit 1 ;;
    *) printf '{"outcome": "failure", "status": %s}\n' "$1"; exit 1 ;;
  esac
}
