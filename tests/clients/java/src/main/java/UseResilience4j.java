// SPDX-License-Identifier: MIT
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;

/** java.net.http in a Retry of resilience4j with its exponential random interval. resilience4j
 * knows no HTTP; what is retried is the adapter's word. */
final class UseResilience4j {
  public static void main(String[] arguments) {
    RetryConfig config = RetryConfig.<Integer>custom().maxAttempts(Contract.REPEATABLE ? 4 : 1)
        .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(500L, 2.0, 0.5))
        .retryOnResult(Contract.TRANSIENT::contains).retryExceptions(IOException.class).build();
    try {
      Contract.answered(
          Retry.of("payments", config).executeCallable(JavaNet::send));
    } catch (Exception error) {
      Contract.failed(error);
    }
  }
}
