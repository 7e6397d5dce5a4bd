// SPDX-License-Identifier: MIT

// Package contract has the operation that the environment asks for, and how an adapter reports
// what became of it. See docs/client-contract.md.
package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const Timeout = 10 * time.Second // per attempt

var (
	Method = or(os.Getenv("RETRYLAB_METHOD"), "GET")
	URL    = os.Getenv("RETRYLAB_URL") + or(os.Getenv("RETRYLAB_PATH"), "/")
	Key    = os.Getenv("RETRYLAB_KEY")
	Body   = or(os.Getenv("RETRYLAB_BODY"), map[string]string{"POST": `{"amount": 5}`}[Method])
)

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// Headers returns those that the request needs.
func Headers() map[string]string {
	headers := map[string]string{}
	if Body != "" {
		headers["Content-Type"] = "application/json"
	}
	if Key != "" {
		headers["Idempotency-Key"] = Key
	}
	return headers
}

// Finish reports the final answer's status, or the error the client gave up with, and ends the
// process.
func Finish(status int, err error) {
	line := map[string]any{"outcome": "failure", "status": status}
	code := 1
	if err != nil {
		line = map[string]any{"outcome": "failure", "reason": err.Error()}
	} else if status >= 200 && status < 300 {
		line["outcome"], code = "success", 0
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
	os.Exit(code)
}
