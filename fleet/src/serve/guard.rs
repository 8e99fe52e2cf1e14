//! What holds for every request: by which name the server was called, and what browsers may do with what it sends.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::Server;

/// Nothing from elsewhere, no code or style within the page, in no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

pub(super) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let mut response = if is_called_so(&server, host.unwrap_or_default()) {
        next.run(request).await
    } else {
        // A page of another site can point its own name at this address, and would then read what is here.
        let why = "this server is not called so; `--name` gives it a name\n";
        (StatusCode::MISDIRECTED_REQUEST, why).into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn is_called_so(server: &Server, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let is_address = bare.parse::<std::net::IpAddr>().is_ok();
    // No name can be pointed elsewhere when it is an address.
    is_address
        || name.eq_ignore_ascii_case("localhost")
        || name == server.listens.ip().to_string()
        || server
            .settings
            .names
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
}
