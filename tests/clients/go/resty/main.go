// SPDX-License-Identifier: MIT

// resty with its retries switched on as its manual shows; the statuses are the caller's condition.
package main

import (
	"time"

	"github.com/go-resty/resty/v2"

	"retrylab/adapters/contract"
)

func transient(answer *resty.Response, err error) bool {
	if err != nil {
		return true
	}
	status := answer.StatusCode()
	return status == 429 || status == 502 || status == 503 || status == 504
}

func main() {
	client := resty.New().SetTimeout(contract.Timeout)
	if contract.Method == "GET" || contract.Key != "" {
		client.SetRetryCount(3).SetRetryWaitTime(500 * time.Millisecond).
			SetRetryMaxWaitTime(20 * time.Second).AddRetryCondition(transient)
	}
	request := client.R().SetHeaders(contract.Headers())
	if contract.Body != "" {
		request.SetBody(contract.Body)
	}
	answer, err := request.Execute(contract.Method, contract.URL)
	contract.Finish(answer.StatusCode(), err)
}
