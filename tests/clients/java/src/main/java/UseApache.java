// SPDX-License-Identifier: MIT
import java.io.IOException;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient 5 with its DefaultHttpRequestRetryStrategy, three retries a second apart. A
 * request with a key counts as idempotent, by the method that its manual gives for that. */
final class UseApache {
  private static final class Strategy extends DefaultHttpRequestRetryStrategy {
    Strategy() {
      super(3, TimeValue.ofSeconds(1));
    }

    @Override protected boolean handleAsIdempotent(HttpRequest request) {
      return Contract.KEY != null || super.handleAsIdempotent(request);
    }
  }

  public static void main(String[] arguments) {
    RequestConfig config = RequestConfig.custom()
        .setResponseTimeout(Timeout.ofSeconds(Contract.TIMEOUT_SECONDS)).build();
    ClassicRequestBuilder request =
        ClassicRequestBuilder.create(Contract.METHOD).setUri(Contract.URL);
    if (Contract.BODY != null) request.setEntity(Contract.BODY, ContentType.APPLICATION_JSON);
    if (Contract.KEY != null) request.setHeader("Idempotency-Key", Contract.KEY);
    ClassicHttpRequest built = request.build();
    try (CloseableHttpClient client = HttpClients.custom().setDefaultRequestConfig(config)
        .setRetryStrategy(new Strategy()).build()) {
      Contract.answered(client.execute(built, answer -> {
        if (answer.getEntity() != null) EntityUtils.toByteArray(answer.getEntity());
        return answer.getCode();
      }));
    } catch (IOException error) {
      Contract.failed(error);
    }
  }
}
