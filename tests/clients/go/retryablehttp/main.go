// SPDX-License-Identifier: MIT

// go-retryablehttp with its defaults. It looks at no method; a POST without a key is therefore
// sent with RetryMax 0.
package main

import (
	"io"
	"strings"

	"github.com/hashicorp/go-retryablehttp"

	"retrylab/adapters/contract"
)

func main() {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.HTTPClient.Timeout = contract.Timeout
	if contract.Method == "POST" && contract.Key == "" {
		client.RetryMax = 0
	}
	request, _ := retryablehttp.NewRequest(contract.Method, contract.URL,
		strings.NewReader(contract.Body))
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
