// SPDX-License-Identifier: MIT
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** java.net.http in a RetryPolicy of Failsafe with backoff and jitter. Failsafe knows no HTTP; what
 * is retried is the adapter's word. */
final class UseFailsafe {
  public static void main(String[] arguments) {
    RetryPolicy<Integer> policy = RetryPolicy.<Integer>builder().handle(IOException.class)
        .handleResultIf(Contract.TRANSIENT::contains).withBackoff(500, 8000, ChronoUnit.MILLIS)
        .withJitter(.25).withMaxRetries(Contract.REPEATABLE ? 3 : 0).build();
    try {
      Contract.answered(Failsafe.with(policy).get(JavaNet::send));
    } catch (FailsafeException error) {
      Contract.failed(error.getCause());
    }
  }
}
