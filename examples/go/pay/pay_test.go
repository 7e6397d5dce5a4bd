// SPDX-License-Identifier: MIT

package pay

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Run as: go test ./..., with retrylab on the PATH.
func TestAPaymentIsMadeOnce(t *testing.T) {
	payonce := filepath.Join(t.TempDir(), "payonce")
	if out, err := exec.Command("go", "build", "-o", payonce, "shop/cmd/payonce").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, scenario := range []string{
		"payment-survives-two-503s",
		"answer-lost-reset",
		"charge-once-though-the-answer-is-lost",
	} {
		t.Run(scenario, func(t *testing.T) {
			judged := exec.Command("retrylab", "run", scenario, "--", payonce)
			report, err := judged.CombinedOutput()
			if judged.ProcessState != nil && judged.ProcessState.ExitCode() == 5 {
				t.Skipf("the machine was too busy to judge by\n%s", report)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, report)
			}
		})
	}
}
