// SPDX-License-Identifier: MIT
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Run as: mvn test, with retrylab on the PATH. */
class PayTest {
  @ParameterizedTest
  @ValueSource(strings = {"payment-survives-two-503s", "answer-lost-reset",
      "charge-once-though-the-answer-is-lost"})
  void aPaymentIsMadeOnce(String scenario) throws Exception {
    Process judged = new ProcessBuilder("retrylab", "run", scenario, "--",
        ProcessHandle.current().info().command().orElse("java"), "-cp", "target/classes",
        "shop.Pay", "{url}/v1/payments").redirectErrorStream(true).start();
    String report = new String(judged.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = judged.waitFor();
    assumeTrue(code != 5, () -> "the machine was too busy to judge by\n" + report);
    assertEquals(0, code, report);
  }
}
