// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Template of an adapter in Java: java Client.java. Put your client into call(). */
public final class Client {
  /** Makes the operation, with all its retries; returns the final status. */
  static int call(HttpRequest request) throws IOException, InterruptedException {
    // TODO: your client here. This one makes a single attempt.
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray())
        .statusCode();
  }

  static HttpRequest request(Map<String, String> env) {
    String body = env.get("RETRYLAB_BODY");
    HttpRequest.Builder request = HttpRequest
        .newBuilder(URI.create(env.get("RETRYLAB_URL") + env.getOrDefault("RETRYLAB_PATH", "/")))
        .timeout(Duration.ofSeconds(10))
        .method(env.getOrDefault("RETRYLAB_METHOD", "GET"), body == null
            ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) request.header("Content-Type", "application/json");
    if (env.containsKey("RETRYLAB_KEY")) request.header("Idempotency-Key", env.get("RETRYLAB_KEY"));
    return request.build();
  }

  public static void main(String[] arguments) throws InterruptedException {
    try {
      int status = call(request(System.getenv()));
      boolean good = status >= 200 && status < 300;
      System.out.printf("{\"outcome\": \"%s\", \"status\": %d}%n", good ? "success" : "failure",
          status);
      System.exit(good ? 0 : 1);
    } catch (IOException error) {
      System.out.printf("{\"outcome\": \"failure\", \"reason\": \"%s\"}%n",
          error.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " "));
      System.exit(1);
    }
  }
}
