// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.time.Duration;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp with its defaults: retryOnConnectionFailure, and what it follows up by itself (408, 503
 * with Retry-After: 0). It has no backoff. */
final class UseOkHttp {
  public static void main(String[] arguments) {
    OkHttpClient client = new OkHttpClient.Builder()
        .readTimeout(Duration.ofSeconds(Contract.TIMEOUT_SECONDS)).build();
    RequestBody body = Contract.BODY == null ? null
        : RequestBody.create(Contract.BODY, MediaType.get("application/json"));
    Request.Builder request = new Request.Builder().url(Contract.URL).method(Contract.METHOD, body);
    if (Contract.KEY != null) request.header("Idempotency-Key", Contract.KEY);
    try (Response answer = client.newCall(request.build()).execute()) {
      answer.body().bytes();
      Contract.answered(answer.code());
    } catch (IOException error) {
      Contract.failed(error);
    }
  }
}
