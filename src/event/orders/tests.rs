//! The order of the contract's page, as it is signed, judged, entered and put together again from its line.

use tabiya_engine::record::chain::Head;
use tabiya_store::signing::PublicKey;

use super::*;
use crate::lists::Staff;

const EVENT: &str = "34750f98bd59fcfc";
const AUTHORITY: &str = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const BOOT: &str = "b1b2b3b4b5b6b7b8";

fn has_signed(key: &str, text: &str, signature: &str) -> bool {
    PublicKey::from_digits(key).is_some_and(|key| key.has_signed(text, signature))
}

/// The messages of this name on the contract's page.
fn examples(name: &str) -> Vec<Value> {
    let page = include_str!("../../../docs/hall.md");
    let begin = format!(r#"{{"m":"{name}""#);
    let lines = page.lines().filter(|line| line.starts_with(&begin));
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn example() -> Value {
    examples("order").remove(0)
}

fn staff() -> Staff {
    Staff::read(&examples("staff")[0], EVENT, AUTHORITY, &has_signed).expect("the list of the page")
}

fn head() -> Head {
    Order::read(&example()).expect("an order").after.expect("a line").head
}

fn judge(order: &Value, change: impl FnOnce(&mut TableNow<'_>)) -> Result<Order, RefusalCode> {
    let (staff, head) = (staff(), head());
    let (head_at, later) = (|seq| Ok((seq == 3).then_some(head)), |_| Later::default());
    let mut now = TableNow {
        event: EVENT,
        table: 17,
        boot: BOOT,
        up: 816_000,
        on: Some(("r1-17", false)),
        staff: &staff,
        check: &has_signed,
        head_at: &head_at,
        later: &later,
    };
    change(&mut now);
    now.judge(order).map_err(|refusal| refusal.code)
}

#[test]
fn the_order_of_the_page_is_taken_and_its_line_tells_it_again() {
    let order = judge(&example(), |_| {}).expect("it is taken");
    assert_eq!(order.value(), example());
    let line = order.entered_line(|_| Some(305_000)).expect("its line");
    let kept = order.kept();
    let sent = examples("line").into_iter().find(|line| line["seq"] == 4).expect("the line of the page");
    assert_eq!(line["set"], sent["line"]["set"]);
    assert_eq!(kept.to_string(), sent["line"]["x-order"].to_string());
    let header = examples("line").into_iter().find(|line| line["seq"] == 0).expect("the header of the page");
    let again =
        from_line(&header["line"], "r1-17", &sent["line"]).expect("it came from an order").expect("whole");
    assert_eq!(again, order);
    assert!(is_signed(&again, EVENT, &has_signed));
    assert!(!is_signed(&again, "0000000000000000", &has_signed));
}

#[test]
fn a_corrected_number_of_illegal_moves_is_no_setting_of_the_line_and_is_kept_with_the_order() {
    let mut value = example();
    value["line"]["set"] = json!({"illegal": {"black": 0}});
    let order = Order::read(&value).expect("an order");
    assert_eq!(order.illegal().expect("it is whole"), Some((Color::Black, 0)));
    let mut line = order.entered_line(|_| Some(305_000)).expect("its line");
    assert_eq!(line["set"], json!({}), "the number stands in the table's own fields");
    let wanted = order.signed_text(EVENT);
    line.insert("t".to_owned(), 5_200.into());
    line.insert("id".to_owned(), order.id.as_str().into());
    line.insert(ORDER.to_owned(), order.kept());
    line.insert("x-illegal-withdrawn".to_owned(), json!(["black"]));
    let header = json!({"x-event": EVENT, "x-table": 17});
    let again =
        from_line(&header, "r1-17", &Value::Object(line)).expect("it came from an order").expect("whole");
    assert_eq!(again.signed_text(EVENT), wanted);
    for wrong in
        [json!({}), json!({"red": 1}), json!({"black": 100}), json!({"black": 1, "white": 1}), json!(1)]
    {
        value["line"]["set"] = json!({"illegal": wrong});
        let order = Order::read(&value).expect("an order");
        assert_eq!(order.illegal().expect_err("it is wrong").code, RefusalCode::Form, "{wrong}");
    }
    assert_eq!(Order::read(&example()).expect("an order").illegal().expect("whole"), None);
}

#[test]
fn the_hashes_of_the_page_follow_from_its_lines() {
    let lines = examples("line");
    let of = |seq: u64| lines.iter().find(|line| line["seq"] == seq).expect("a line");
    assert_eq!(of(0)["hash"], Head::of_header(&of(0)["line"]).to_string());
    assert_eq!(of(4)["hash"], head().then(&of(4)["line"]).to_string());
}

#[test]
fn each_question_refuses_with_its_own_word() {
    let changed = |name: &str, value: Value| {
        let mut order = example();
        order[name] = value;
        order
    };
    assert_eq!(judge(&changed("extra", 1.into()), |_| {}), Err(RefusalCode::Form));
    assert_eq!(judge(&changed("id", "o-1".into()), |_| {}), Err(RefusalCode::Form));
    assert_eq!(judge(&changed("key", AUTHORITY.into()), |_| {}), Err(RefusalCode::Key));
    assert_eq!(judge(&changed("arbiter", "Verdi".into()), |_| {}), Err(RefusalCode::Sig));
    assert_eq!(judge(&example(), |now| now.table = 18), Err(RefusalCode::Table));
    assert_eq!(judge(&example(), |now| now.boot = "0000000000000000"), Err(RefusalCode::Late));
    assert_eq!(judge(&example(), |now| now.up = 825_001), Err(RefusalCode::Late));
    assert_eq!(judge(&example(), |now| now.up = 814_999), Err(RefusalCode::Late));
    assert!(judge(&example(), |now| now.up = 825_000).is_ok());
    assert_eq!(judge(&example(), |now| now.on = Some(("r1-18", false))), Err(RefusalCode::Match));
    assert_eq!(judge(&example(), |now| now.on = None), Err(RefusalCode::Match));
    assert_eq!(
        judge(&example(), |now| now.later = &|_| Later { acts: true, rules: true }),
        Err(RefusalCode::Stale)
    );
    let moved = judge(&example(), |now| now.later = &|_| Later { acts: true, rules: false });
    assert!(moved.is_ok(), "a correction of the clock meets a move");
    assert_eq!(judge(&example(), |now| now.head_at = &|_| Ok(None)), Err(RefusalCode::Stale));
    let unread =
        judge(&example(), |now| now.head_at = &|_| Err(OrderRefusal::form(&"it cannot be read").says));
    assert_eq!(unread, Err(RefusalCode::Disk));
}

#[test]
fn an_order_that_a_role_does_not_allow_is_known() {
    let order = |line: Value| {
        let mut order = Order::read(&example()).expect("an order");
        order.line = line.as_object().expect("a line").clone();
        order
    };
    let result = order(json!({"do": "rule", "reason": "adjudicated", "set": {"winner": "white"}}));
    let clock = order(json!({"do": "rule", "reason": "7.5.5", "set": {"winner": "white", "clock_ms": {}}}));
    let nothing = order(json!({"do": "rule", "reason": "warned"}));
    assert!(result.is_allowed(StaffRole::Results, true));
    assert!(!clock.is_allowed(StaffRole::Results, true) && !nothing.is_allowed(StaffRole::Results, true));
    assert!(result.is_allowed(StaffRole::Results, false) && !result.is_allowed(StaffRole::Sector, false));
    assert!(clock.is_allowed(StaffRole::Sector, true) && clock.is_allowed(StaffRole::Deputy, false));
}

#[test]
fn a_refused_order_is_answered_as_before_until_it_would_be_late() {
    let mut book = OrderBook::default();
    let refusal = OrderRefusal::form(&"a member is missing");
    let order = example();
    book.remember(&order, &refusal, 816_000);
    let id = "o-00112233445566778899aabbccddeeff";
    assert_eq!(book.refused(id, 825_000), Some(&refusal));
    assert_eq!(book.refused(id, 825_001), None, "it is too late anyway");
    let mut other = order.clone();
    other["id"] = "o-ffffffffffffffffffffffffffffffff".into();
    book.remember(&other, &refusal, 825_001);
    assert_eq!(book.refused(id, 825_001), None);
    let mut forged = order.clone();
    forged["seen"] = u64::MAX.into();
    book.remember(&forged, &refusal, 900_000);
    assert_eq!(book.refused(id, 910_001), None, "what it says of itself pins nothing");
}

#[test]
fn a_correction_of_more_than_a_day_is_no_correction() {
    let corrected = |set: Value| {
        let mut order = Order::read(&example()).expect("an order");
        order.line.insert("set".to_owned(), set);
        order.entered_line(|_| Some(305_000)).map(|line| line["set"]["clock_ms"]["black"].clone())
    };
    assert_eq!(corrected(json!({"add_ms": {"black": 86_400_000}})), Ok(json!(86_705_000)));
    assert_eq!(corrected(json!({"add_ms": {"black": -86_400_000}})), Ok(json!(0)));
    for set in [
        json!({"add_ms": {"black": 86_400_001}}),
        json!({"add_ms": {"black": -86_400_001}}),
        json!({"add_ms": {"black": (1_u64 << 53) - 1}}),
        json!({"clock_ms": {"black": (1_u64 << 53) - 1}}),
    ] {
        let refused = corrected(set.clone()).expect_err("a day at most");
        assert_eq!(refused.code, RefusalCode::Form, "{set}");
    }
}
