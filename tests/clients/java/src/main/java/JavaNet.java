// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** One attempt with java.net.http, for the libraries that bring only the loop around it. */
final class JavaNet {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  static int send() throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Contract.URL))
        .timeout(Duration.ofSeconds(Contract.TIMEOUT_SECONDS))
        .method(Contract.METHOD, Contract.BODY == null ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(Contract.BODY));
    if (Contract.BODY != null) request.header("Content-Type", "application/json");
    if (Contract.KEY != null) request.header("Idempotency-Key", Contract.KEY);
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()).statusCode();
  }

  private JavaNet() {}
}
