//! A table at which nobody types.

use super::*;

#[test]
fn the_result_stays_while_people_press_and_lift_pieces_and_goes_once_the_pieces_are_set_up() {
    let mut session = chess(&Switch::default(), r#""press":"clock","games":1"#);
    session.leave_unattended();
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    enter(&mut session, r#""do":"press","by":"black""#, 500).expect("it starts the clock");
    session.board(&whole(moved(start, "e2", "e4")), at(1_000));
    session.board(&BoardEvent::Observed(Observation::Press(Color::White)), at(1_500));
    enter(&mut session, r#""do":"resign","by":"black""#, 2_000).expect("it is allowed");
    assert!(session.past().match_over() && !session.is_done());
    session.board(&BoardEvent::Observed(Observation::Press(Color::Black)), at(3_000));
    session.board(&whole(moved(start, "d2", "d4")), at(4_000));
    assert!(!session.is_done(), "people still look at the result");
    session.board(&whole(start), at(5_000));
    assert!(session.is_done());
}
