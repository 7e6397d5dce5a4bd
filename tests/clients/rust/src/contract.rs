// SPDX-License-Identifier: MIT
//! The operation that the environment asks for, and how an adapter reports what became of it.
//! See docs/client-contract.md.
use std::{env, process, time::Duration};

/// Per attempt.
pub const TIMEOUT: Duration = Duration::from_secs(10);

pub struct Operation {
    pub method: String,
    pub url: String,
    pub body: Option<String>,
    pub key: Option<String>,
}

pub fn operation() -> Operation {
    let method = env::var("RETRYLAB_METHOD").unwrap_or("GET".into());
    let base = env::var("RETRYLAB_URL").expect("RETRYLAB_URL");
    let path = env::var("RETRYLAB_PATH").unwrap_or("/".into());
    let body = env::var("RETRYLAB_BODY").ok();
    Operation {
        body: body.or((method == "POST").then(|| r#"{"amount": 5}"#.into())),
        key: env::var("RETRYLAB_KEY").ok(),
        url: base + &path,
        method,
    }
}

/// Reports the final answer's status, or the error that the client gave up with.
pub fn finish(end: Result<u16, String>) -> ! {
    let good = matches!(end, Ok(200..=299));
    let outcome = if good { "success" } else { "failure" };
    match end {
        Ok(status) => println!(r#"{{"outcome": "{outcome}", "status": {status}}}"#),
        Err(reason) => println!(r#"{{"outcome": "{outcome}", "reason": {reason:?}}}"#),
    }
    process::exit(if good { 0 } else { 1 })
}
