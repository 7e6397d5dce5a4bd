// SPDX-License-Identifier: MIT
//! Template of an adapter in Rust: cargo run --release. Put your client into call().
use std::{env, process, time::Duration};

/// Makes the operation, with all its retries; the final status.
async fn call(request: reqwest::RequestBuilder) -> Result<u16, reqwest::Error> {
    // TODO: your client here. This one makes a single attempt.
    let answer = request.timeout(Duration::from_secs(10)).send().await?;
    let status = answer.status().as_u16();
    answer.bytes().await?;
    Ok(status)
}

fn request() -> reqwest::RequestBuilder {
    let or = |name: &str, otherwise: &str| env::var(name).unwrap_or(otherwise.into());
    let url = or("RETRYLAB_URL", "") + &or("RETRYLAB_PATH", "/");
    let method = or("RETRYLAB_METHOD", "GET").parse().expect("a method");
    let mut request = reqwest::Client::new().request(method, url);
    if let Ok(body) = env::var("RETRYLAB_BODY") {
        request = request.header("content-type", "application/json").body(body);
    }
    if let Ok(key) = env::var("RETRYLAB_KEY") {
        request = request.header("idempotency-key", key);
    }
    request
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let end = call(request()).await;
    let good = matches!(end, Ok(200..=299));
    let outcome = if good { "success" } else { "failure" };
    match end {
        Ok(status) => println!(r#"{{"outcome": "{outcome}", "status": {status}}}"#),
        Err(error) => println!(r#"{{"outcome": "{outcome}", "reason": {:?}}}"#, error.to_string()),
    }
    process::exit(if good { 0 } else { 1 })
}
