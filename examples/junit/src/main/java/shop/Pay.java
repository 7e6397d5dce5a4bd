// SPDX-License-Identifier: MIT
package shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The shop's payment client: java shop.Pay URL makes one payment. */
public final class Pay {
  private static final int ATTEMPTS = 4;
  private static final long BASE_MILLIS = 250;
  private static final long CAP_MILLIS = 8000;
  private static final Set<Integer> TRANSIENT = Set.of(429, 502, 503, 504);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Milliseconds to wait before the attempt of this number; empty: longer than we can. */
  private static OptionalLong waitBefore(int attempt, Optional<String> retryAfter) {
    if (retryAfter.isPresent() && retryAfter.get().matches("[0-9]+")) {
      boolean longer = retryAfter.get().length() > 4
          || Long.parseLong(retryAfter.get()) * 1000 > CAP_MILLIS;
      return longer ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(retryAfter.get()) * 1000);
    }
    long ceiling = Math.min(CAP_MILLIS, BASE_MILLIS << (attempt - 2));
    return OptionalLong.of(ThreadLocalRandom.current().nextLong(ceiling));
  }

  /** The final answer's status; empty when the last attempt had no answer. */
  public static Optional<Integer> pay(String url, int amount) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10))
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", UUID.randomUUID().toString())  // one for all attempts
        .POST(HttpRequest.BodyPublishers.ofString("{\"amount\": " + amount + "}")).build();
    for (int attempt = 1;; attempt++) {
      Optional<HttpResponse<String>> answer = Optional.empty();
      try {
        answer = Optional.of(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()));
      } catch (IOException error) {
        // No answer, or a cut one: whether the payment was made is unknown, and the key is for that.
      }
      Optional<Integer> status = answer.map(HttpResponse::statusCode);
      if (status.isPresent() && !TRANSIENT.contains(status.get())) return status;
      OptionalLong wait =
          waitBefore(attempt + 1, answer.flatMap(a -> a.headers().firstValue("Retry-After")));
      if (attempt == ATTEMPTS || wait.isEmpty()) return status;
      Thread.sleep(wait.getAsLong());
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    System.exit(pay(arguments[0], 5).equals(Optional.of(201)) ? 0 : 1);
  }

  private Pay() {}
}
