// SPDX-License-Identifier: MIT

// Command payonce makes one payment, for retrylab.
package main

import (
	"os"

	"shop/pay"
)

func main() {
	if status, err := pay.Pay(os.Getenv("RETRYLAB_URL")+"/v1/payments", 5); err != nil || status != 201 {
		os.Exit(1)
	}
}
