//! Objects whose types follow from the functions on the way to the allocator.

use std::sync::Arc;

pub struct Order {
    pub id: u64,
    pub price: f64,
    pub parts: [u64; 4],
}

fn order(id: u64) -> Order {
    Order {
        id,
        price: 2.0,
        parts: [id; 4],
    }
}

#[inline(never)]
fn boxed(id: u64) -> Box<Order> {
    Box::new(order(id))
}

#[inline(never)]
fn shared(id: u64) -> Arc<Order> {
    Arc::new(order(id))
}

#[inline(never)]
fn list(id: u64) -> Vec<Order> {
    let mut made = Vec::with_capacity(11);
    made.extend((0..11).map(|more| order(id + more)));
    made
}

#[inline(never)]
fn text(id: u64) -> String {
    format!("the order that has number {id:06}")
}

fn main() {
    let mut all = Vec::new();
    for id in 0..5000 {
        all.push((boxed(id), shared(id), list(id), text(id)));
    }
    let sum: f64 = all.iter().map(|(boxed, ..)| boxed.price).sum();
    std::hint::black_box(&all);
    std::process::exit(i32::from(sum < 1.0));
}
