//! The page's files.

use axum::http::header;
use axum::response::{Html, IntoResponse};

pub(super) async fn index() -> Html<&'static str> {
    Html(include_str!("../../page/index.html"))
}

pub(super) async fn script() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("../../page/page.js"),
    )
}

pub(super) async fn style() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/css; charset=utf-8")],
        include_str!("../../page/page.css"),
    )
}
