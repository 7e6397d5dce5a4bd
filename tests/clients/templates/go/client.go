// SPDX-License-Identifier: MIT

// Template of an adapter in Go: go run client.go. Put your client into call.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// call makes the operation, with all its retries, and returns the final status.
func call(request *http.Request) (int, error) {
	// TODO: your client here. This one makes a single attempt.
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.ReadAll(answer.Body)
	return answer.StatusCode, err
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	url := os.Getenv("RETRYLAB_URL") + environment("RETRYLAB_PATH", "/")
	body := os.Getenv("RETRYLAB_BODY")
	request, _ := http.NewRequest(environment("RETRYLAB_METHOD", "GET"), url, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key := os.Getenv("RETRYLAB_KEY"); key != "" {
		request.Header.Set("Idempotency-Key", key)
	}

	status, err := call(request)
	line, code := map[string]any{"outcome": "failure", "status": status}, 1
	if err != nil {
		line["reason"] = err.Error()
	} else if status >= 200 && status < 300 {
		line["outcome"], code = "success", 0
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
	os.Exit(code)
}
