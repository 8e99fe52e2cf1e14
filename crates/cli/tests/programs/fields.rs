//! Objects of which the debug information says what their fields are called: an option's, a string's, an enum's.

use std::sync::Arc;

pub enum Price {
    Open,
    Fixed(Box<[u8; 305]>),
}

pub struct Order {
    pub id: u64,
    pub note: String,
    pub next: Option<Box<[u8; 303]>>,
    pub price: Price,
}

#[inline(never)]
fn order(id: u64) -> Arc<Order> {
    Arc::new(Order {
        id,
        note: "n".repeat(401),
        next: id.is_multiple_of(2).then(|| Box::new([2; 303])),
        price: if id.is_multiple_of(2) {
            Price::Fixed(Box::new([3; 305]))
        } else {
            Price::Open
        },
    })
}

fn main() {
    let all: Vec<Arc<Order>> = (0..400).map(order).collect();
    std::hint::black_box(&all);
    std::process::exit(0);
}
