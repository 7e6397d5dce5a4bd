// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.Set;

/** The operation that the environment asks for, and how an adapter reports what became of it. See
 * docs/client-contract.md. */
final class Contract {
  static final int TIMEOUT_SECONDS = 10;  // per attempt
  static final Set<Integer> TRANSIENT = Set.of(429, 502, 503, 504);
  private static final Map<String, String> ENV = System.getenv();
  static final String METHOD = ENV.getOrDefault("RETRYLAB_METHOD", "GET");
  static final String URL = ENV.get("RETRYLAB_URL") + ENV.getOrDefault("RETRYLAB_PATH", "/");
  static final String KEY = ENV.get("RETRYLAB_KEY");  // may be null
  static final String BODY =  // null for GET
      METHOD.equals("GET") ? null : ENV.getOrDefault("RETRYLAB_BODY", "{\"amount\": 5}");
  /** Whether it may be sent twice: a read, or a write with a key. */
  static final boolean REPEATABLE = METHOD.equals("GET") || KEY != null;

  /** The operation ended with an answer of this status. Ends the process. */
  static void answered(int status) {
    boolean good = status >= 200 && status < 300;
    System.out.printf("{\"outcome\": \"%s\", \"status\": %d}%n", good ? "success" : "failure",
        status);
    System.exit(good ? 0 : 1);
  }

  /** The client gave up with this error. Ends the process. */
  static void failed(Throwable error) {
    String reason = String.valueOf(error).replaceAll("[\"\\\\\\p{Cntrl}]", " ");
    System.out.printf("{\"outcome\": \"failure\", \"reason\": \"%s\"}%n", reason);
    System.exit(1);
  }

  private Contract() {}
}
