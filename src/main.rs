//! The command `tabiya`.
fn main() {}
