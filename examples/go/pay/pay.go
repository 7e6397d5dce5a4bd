// SPDX-License-Identifier: MIT

// Package pay is the shop's payment client.
package pay

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	attempts = 4
	base     = 250 * time.Millisecond
	limit    = 8 * time.Second
)

var client = http.Client{Timeout: 10 * time.Second}

var errTooLong = errors.New("the server asks for a longer wait than we can afford")

// waitBefore returns the wait before the attempt of this number.
func waitBefore(attempt int, retryAfter string) (time.Duration, error) {
	if seconds, err := strconv.ParseUint(retryAfter, 10, 64); err == nil {
		if seconds > uint64(limit/time.Second) {
			return 0, errTooLong
		}
		return time.Duration(seconds) * time.Second, nil
	}
	ceiling := min(limit, base<<(attempt-2))
	return time.Duration(mathrand.Int63n(int64(ceiling))), nil
}

func newKey() string {
	var bytes [16]byte
	rand.Read(bytes[:])
	return fmt.Sprintf("%x", bytes)
}

func send(url string, amount int, key string) (status int, retryAfter string, err error) {
	body := strings.NewReader(fmt.Sprintf(`{"amount": %d}`, amount))
	request, err := http.NewRequest("POST", url, body)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	_, err = io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header.Get("Retry-After"), err
}

// Pay returns the final answer's status, or why the last attempt had none.
func Pay(url string, amount int) (int, error) {
	key := newKey() // one per payment, whatever happens
	for attempt := 1; ; attempt++ {
		status, retryAfter, err := send(url, amount, key)
		transient := status == 429 || status == 502 || status == 503 || status == 504
		if (err == nil && !transient) || attempt == attempts {
			return status, err
		}
		wait, tooLong := waitBefore(attempt+1, retryAfter)
		if tooLong != nil {
			return status, tooLong
		}
		time.Sleep(wait)
	}
}
