//! No state in which presses stop counting.

use tabiya_boards::BoardEvent;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Color, Observation, Role, Square};

use super::super::Session;
use super::{at, chess, moved, placing, put, told, whole, Switch};

fn button(session: &mut Session, millis: u64) {
    session.time(at(millis));
    let press = session.press_of(None);
    eprintln!("  {millis} button {press:?}");
    if let Some(press) = press {
        eprintln!("    -> {:?}", session.enter(&press, at(millis)));
    }
}

fn show(session: &mut Session, millis: u64) {
    session.pass(at(millis));
    eprintln!("  {millis} said: {} | q {:?} | waits {:?} | mover {:?} | clock {:?}", told(session), session.question(), session.watch().waiting_presses().collect::<Vec<_>>(), session.table().mover(), session.table().clock().turn());
}

#[test]
fn explore() {
    for terms in [r#""press":"clock""#, r#""voice":"event""#] {
        for presses in [1, 2, 3] {
            eprintln!("chess {terms} {presses}");
            let mut session = chess(&Switch::default(), terms);
            let start = session.table().physical();
            session.board(&whole(start), at(0));
            let press = Input::Common(Common::Press(Color::Black));
            session.enter(&press, at(500)).unwrap();
            session.board(&whole(moved(start, "e2", "e5")), at(2_000));
            for n in 0..presses {
                button(&mut session, 3_000 + n * 500);
                show(&mut session, 3_400 + n * 500);
            }
            show(&mut session, 8_000);
            session.board(&whole(moved(start, "e2", "e4")), at(9_000));
            show(&mut session, 10_000);
            button(&mut session, 10_500);
            show(&mut session, 12_000);
            button(&mut session, 13_000);
            show(&mut session, 25_000);
            for line in session.lines() { eprintln!("    {line}"); }
        }
    }
    for presses in [1, 2, 3] {
        eprintln!("choker {presses}");
        let mut session = placing();
        super::enter(&mut session, r#""do":"reveal","by":"white","card":"P""#, 1_000).expect("a card");
        put(&mut session, Role::Pawn, "d5", 1_200);
        for n in 0..presses {
            button(&mut session, 3_000 + n * 500);
            show(&mut session, 3_400 + n * 500);
        }
        show(&mut session, 8_000);
        let gone = Observation::Square("d5".parse::<Square>().unwrap(), None);
        session.board(&BoardEvent::Observed(gone), at(8_500));
        put(&mut session, Role::Pawn, "d3", 9_000);
        show(&mut session, 10_000);
        button(&mut session, 10_500);
        show(&mut session, 12_000);
        button(&mut session, 13_000);
        show(&mut session, 25_000);
        for line in session.lines() { eprintln!("    {line}"); }
    }
}
