// SPDX-License-Identifier: MIT

// Go's own net/http, which has no retry loop. What it sends again by itself (on a connection that
// died while idle) is what this adapter is for.
package main

import (
	"io"
	"net/http"
	"strings"

	"retrylab/adapters/contract"
)

func main() {
	client := http.Client{Timeout: contract.Timeout}
	request, _ := http.NewRequest(contract.Method, contract.URL, strings.NewReader(contract.Body))
	for name, value := range contract.Headers() {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	if err != nil {
		contract.Finish(0, err)
	}
	_, err = io.ReadAll(answer.Body)
	contract.Finish(answer.StatusCode, err)
}
