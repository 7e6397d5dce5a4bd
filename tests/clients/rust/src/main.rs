// SPDX-License-Identifier: MIT
//! reqwest with reqwest-retry, the policy of its README. The middleware looks at no method; a
//! POST without a key is therefore sent without it.
mod contract;

use contract::{finish, operation, Operation, TIMEOUT};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware};
use reqwest_retry::{policies::ExponentialBackoff, RetryTransientMiddleware};

fn client(retries: u32) -> ClientWithMiddleware {
    let plain = reqwest::Client::builder().timeout(TIMEOUT).build().expect("a client");
    let policy = ExponentialBackoff::builder().build_with_max_retries(retries);
    ClientBuilder::new(plain).with(RetryTransientMiddleware::new_with_policy(policy)).build()
}

async fn send(operation: Operation) -> Result<u16, String> {
    let safe = operation.method == "GET" || operation.key.is_some();
    let method = operation.method.parse().expect("a method");
    let mut request = client(if safe { 3 } else { 0 }).request(method, &operation.url);
    if let Some(body) = operation.body {
        request = request.header("content-type", "application/json").body(body);
    }
    if let Some(key) = operation.key {
        request = request.header("idempotency-key", key);
    }
    let answer = request.send().await.map_err(|error| error.to_string())?;
    let status = answer.status().as_u16();
    answer.bytes().await.map_err(|error| error.to_string())?;
    Ok(status)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    finish(send(operation()).await)
}
