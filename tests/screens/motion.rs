//! What moves: that it ends as if nothing had moved, that it asks for frames only while it moves, and that everything can be
//! used from its first frame.

use std::time::Duration;

use egui::epaint::ClippedShape;
use egui::{Color32, Key, Rect, Shape, TextureId};
use egui_kittest::kittest::{NodeT, Queryable};
use tabiya_store::settings::Settings;
use tabiya_window::theme::{CARD_TURNS, CHIPS_TRAVEL, DRAWER_SLIDES, GHOSTS_BREATHE, GOLD_PASSES};

use crate::harness::Screens;
use crate::stories::at_the_placement;

const WINDOW: [f32; 2] = [1280.0, 800.0];
/// More than the harness expects a frame to take, and one frame of a motion.
const SOON: Duration = Duration::from_millis(300);

fn open(still: bool) -> Screens {
    let names = vec!["Ann".to_owned(), "Bo".to_owned()];
    Screens::with(WINDOW, &Settings { names, reduced_motion: Some(still), ..Settings::default() })
}

/// What is drawn, each shape in words. Left out is where fonts and pictures lie in the renderer's memory, which depends on the
/// order in which they were first drawn.
fn drawn(screens: &Screens) -> Vec<String> {
    let told = |drawn: &ClippedShape| {
        let shape = match drawn.shape.clone() {
            Shape::Text(text) => {
                let job = &text.galley.job;
                format!("{job:?} {:?} {:?} {}", text.pos, text.override_text_color, text.opacity_factor)
            }
            Shape::Rect(mut rect) => {
                if let Some(brush) = &mut rect.brush {
                    std::sync::Arc::make_mut(brush).fill_texture_id = TextureId::User(0);
                }
                format!("{rect:?}")
            }
            other => format!("{other:?}"),
        };
        format!("{:?} {shape}", drawn.clip_rect)
    };
    screens.harness.output().shapes.iter().map(told).collect()
}

/// The first thing that is drawn on one of two screens alone.
fn difference(one: &Screens, other: &Screens) -> Option<String> {
    let (one, other) = (drawn(one), drawn(other));
    if one.len() != other.len() {
        return Some(format!("{} and {} shapes", one.len(), other.len()));
    }
    let differ = one.iter().zip(&other).find(|(one, other)| one != other);
    differ.map(|(one, other)| format!("{one}\n{other}"))
}

/// How many discs are drawn: chips are discs.
fn discs(screens: &Screens) -> usize {
    fn count(shape: &Shape) -> usize {
        match shape {
            Shape::Circle(_) => 1,
            Shape::Vec(shapes) => shapes.iter().map(count).sum(),
            _ => 0,
        }
    }
    screens.harness.output().shapes.iter().map(|drawn| count(&drawn.shape)).sum()
}

/// The names and the places of everything that has a name.
fn places(screens: &Screens) -> Vec<(String, Rect)> {
    let all = screens.harness.query_all_by_label_contains("");
    all.filter_map(|node| Some((node.accesskit_node().label()?, node.rect()))).collect()
}

fn slipped_board(screens: &mut Screens) {
    let board = |text: &str| text.parse().unwrap();
    screens.board_shows(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    screens.board_shows(board("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R"));
    screens.wait(2_950);
}

/// Something that people do, with its name.
type Step = (&'static str, fn(&mut Screens));

/// What people do, one step after another, after the first deal.
const STEPS: [Step; 8] = [
    ("a call puts chips in", |screens| screens.click("Call 1")),
    ("a check passes the turn", |screens| screens.click("Check")),
    ("the drawer opens", |screens| screens.key(Key::F4)),
    ("the drawer closes", |screens| screens.key(Key::F4)),
    ("two streets", |screens| {
        for _ in 0..2 {
            screens.click("Cards are dealt");
            screens.click("Check");
            screens.click("Check");
        }
    }),
    ("a card is turned over", |screens| screens.key(Key::R)),
    ("it is placed and pressed", |screens| {
        screens.click("h1");
        screens.key(Key::Space);
    }),
    ("the pot goes to the winner", |screens| {
        screens.line("white resigns");
        screens.line("yes");
        screens.key(Key::Escape);
    }),
];

fn begun(still: bool) -> Screens {
    let mut screens = open(still);
    screens.click("Begin the match");
    screens.click("Cards are dealt");
    screens
}

#[test]
fn everything_ends_as_if_nothing_had_moved() {
    let (mut moving, mut still) = (begun(false), begun(true));
    for (what, step) in STEPS {
        for screens in [&mut moving, &mut still] {
            step(screens);
            screens.wait(1_000);
        }
        assert_eq!(difference(&moving, &still), None, "{what}");
    }
    for screens in [&mut moving, &mut still] {
        *screens = open(screens.settings().reduced_motion == Some(true));
        screens.click("Chess");
        screens.click("Begin the match");
        slipped_board(screens);
        screens.wait(GHOSTS_BREATHE.0);
    }
    assert_eq!(difference(&moving, &still), None, "ghosts stand still in the end");
}

#[test]
fn frames_are_asked_for_only_while_something_moves() {
    let mut screens = begun(false);
    screens.wait(1_000);
    for (what, step) in &STEPS[..4] {
        assert_eq!(screens.next_frame(), None, "before: {what}");
        step(&mut screens);
        assert!(screens.next_frame().is_some_and(|wait| wait <= SOON), "{what}: {:?}", screens.next_frame());
        screens.wait(CHIPS_TRAVEL.0.max(DRAWER_SLIDES.0).max(GOLD_PASSES.0));
        assert_eq!(screens.next_frame(), None, "after: {what}");
    }
    let mut screens = at_the_placement(open(false));
    screens.wait(1_000);
    screens.key(Key::R);
    screens.ctrl(Key::P);
    assert!(screens.next_frame().is_some_and(|wait| wait <= SOON), "a card turns");
    screens.wait(CARD_TURNS.0);
    assert_eq!(screens.next_frame(), None, "the card is turned over and the clocks are stopped");
    let mut screens = open(false);
    screens.click("Chess");
    screens.click("Begin the match");
    slipped_board(&mut screens);
    screens.wait(GHOSTS_BREATHE.0 - 1_500);
    assert!(screens.next_frame().is_some_and(|wait| wait <= SOON), "ghosts breathe");
    screens.wait(GHOSTS_BREATHE.0);
    assert_eq!(screens.next_frame(), None, "ghosts stand still");
}

#[test]
fn reduced_motion_asks_for_no_frames() {
    let mut screens = begun(true);
    for (what, step) in &STEPS[..5] {
        step(&mut screens);
        assert_eq!(screens.next_frame(), None, "{what}");
    }
    let mut screens = open(true);
    screens.click("Chess");
    screens.click("Begin the match");
    slipped_board(&mut screens);
    assert_eq!(screens.next_frame(), None, "ghosts");
}

#[test]
fn reduced_motion_follows_the_system_until_it_is_switched() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.harness.state_mut().shell.system_still = Some(true);
    screens.click("Cards are dealt");
    screens.click("Call 1");
    assert_eq!(screens.next_frame(), None, "the system asks for reduced motion");
    screens.harness.state_mut().shell.page = tabiya_window::Page::Settings;
    screens.harness.run();
    screens.click("Reduced motion");
    assert_eq!(screens.settings().reduced_motion, Some(false));
    screens.click("Reduced motion");
    assert_eq!(screens.settings().reduced_motion, Some(true));
}

#[test]
fn everything_can_be_used_from_its_first_frame() {
    let mut screens = begun(false);
    screens.wait(1_000);
    screens.harness.key_press(Key::F4);
    screens.harness.run();
    let first = places(&screens);
    screens.wait(DRAWER_SLIDES.0);
    assert_eq!(places(&screens), first, "nothing changes its place while the drawer opens");
    screens.key(Key::F4);
    screens.wait(1_000);
    screens.harness.key_press(Key::F4);
    screens.harness.run();
    screens.click("Close");
    assert!(screens.shows("Call 1"), "the drawer was closed again: {:?}", screens.labels());
    let first = places(&screens);
    screens.wait(DRAWER_SLIDES.0);
    assert_eq!(places(&screens), first, "nor while it closes");
}

#[test]
fn the_drawer_slides_over_what_stands_at_its_place() {
    let mut screens = begun(false);
    screens.wait(1_000);
    screens.harness.key_press(Key::F4);
    screens.harness.run();
    screens.wait(DRAWER_SLIDES.0 / 2);
    let middle = |screens: &Screens| {
        let edge = |drawn: &&ClippedShape| drawn.clip_rect.left() > 800.0 && drawn.clip_rect.height() > 500.0;
        let all = screens.harness.output().shapes.iter().filter(edge);
        all.map(|drawn| drawn.clip_rect.left()).fold(0.0_f32, f32::max)
    };
    let half = middle(&screens);
    assert!(half > 950.0, "the drawer is open as far as {half}");
    screens.wait(DRAWER_SLIDES.0);
    assert!(middle(&screens) < half, "it is open");
}

#[test]
fn chips_travel_to_the_pot_and_from_the_pot_to_the_winner() {
    let (mut moving, mut still) = (begun(false), begun(true));
    for screens in [&mut moving, &mut still] {
        screens.wait(1_000);
        screens.click("Call 1");
    }
    assert!(discs(&moving) > discs(&still), "a chip is on its way");
    for screens in [&mut moving, &mut still] {
        screens.wait(1_000);
        screens.line("fold");
        screens.line("yes");
    }
    assert!(discs(&moving) > discs(&still), "the pot is on its way");
    for screens in [&mut moving, &mut still] {
        screens.wait(1_000);
    }
    assert_eq!(discs(&moving), discs(&still));
}

#[test]
fn gold_passes_and_a_card_turns() {
    let gold = tabiya_window::theme::Theme::of(tabiya_store::settings::Appearance::Dark).gold;
    let plates = |screens: &Screens| {
        let filled = |drawn: &&ClippedShape| matches!(&drawn.shape, Shape::Rect(rect) if rect.fill == gold && rect.rect.height() > 90.0);
        screens.harness.output().shapes.iter().filter(filled).count()
    };
    let mut screens = begun(false);
    screens.wait(1_000);
    assert_eq!(plates(&screens), 1, "one player is to act");
    screens.click("Call 1");
    assert_eq!(plates(&screens), 0, "gold is on its way from one plate to the other");
    screens.wait(GOLD_PASSES.0);
    assert_eq!(plates(&screens), 1);
    let mut screens = at_the_placement(open(false));
    screens.wait(1_000);
    screens.key(Key::R);
    // The sheet of the large card; a card that is being turned over first shows its back.
    let whole = |screens: &Screens| {
        let sheet = |drawn: &&ClippedShape| matches!(&drawn.shape, Shape::Rect(rect) if rect.rect.height() > 80.0 && rect.rect.width() < 120.0 && rect.fill == Color32::from_rgb(250, 248, 242));
        screens.harness.output().shapes.iter().filter(sheet).count()
    };
    assert_eq!(whole(&screens), 0, "its back is seen");
    screens.wait(CARD_TURNS.0);
    assert_eq!(whole(&screens), 1);
}

#[test]
fn with_reduced_motion_the_line_that_burns_down_is_a_number() {
    let texts = |screens: &Screens| -> Vec<String> {
        let text = |drawn: &ClippedShape| match &drawn.shape {
            Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        screens.harness.output().shapes.iter().filter_map(text).collect()
    };
    let mut screens = begun(true);
    screens.key(Key::F);
    for (wait, seconds) in [(0, 3), (1_000, 2), (1_000, 1)] {
        screens.wait(wait);
        assert!(texts(&screens).contains(&format!("Fold: again · {seconds}")), "{:?}", texts(&screens));
        let next = screens.next_frame().expect("the number changes");
        assert!((Duration::from_millis(500)..Duration::from_millis(1_260)).contains(&next), "{next:?}");
    }
    screens.wait(1_000);
    // The desk has dropped the question, which the next frame shows.
    screens.wait(1);
    assert_eq!((texts(&screens).contains(&"Fold".to_owned()), screens.next_frame()), (true, None));
    let mut screens = begun(false);
    screens.key(Key::F);
    assert!(texts(&screens).contains(&"Fold: again".to_owned()), "{:?}", texts(&screens));
}
