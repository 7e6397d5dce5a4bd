// SPDX-License-Identifier: MIT

// net/http in a loop of cenkalti/backoff, as the example of its manual has it: 400 is permanent,
// and a 429's Retry-After is handed to RetryAfter.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/cenkalti/backoff/v5"

	"retrylab/adapters/contract"
)

var client = http.Client{Timeout: contract.Timeout}

func send() (int, error) {
	request, _ := http.NewRequest(contract.Method, contract.URL, strings.NewReader(contract.Body))
	for name, value := range contract.Headers() {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err != nil {
		return 0, err
	}
	if answer.StatusCode == 429 {
		seconds, err := strconv.ParseInt(answer.Header.Get("Retry-After"), 10, 64)
		if err == nil {
			return 0, backoff.RetryAfter(int(seconds))
		}
	}
	switch answer.StatusCode {
	case 429, 502, 503, 504:
		return 0, fmt.Errorf("status %d", answer.StatusCode)
	}
	return answer.StatusCode, nil
}

func main() {
	if contract.Method == "POST" && contract.Key == "" {
		contract.Finish(send())
	}
	contract.Finish(backoff.Retry(context.Background(), send,
		backoff.WithBackOff(backoff.NewExponentialBackOff()), backoff.WithMaxTries(5)))
}
