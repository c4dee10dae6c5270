//! Measures how long the program takes to lay out and tessellate one frame of each screen. Drawing the triangles is
//! not measured. The window draws one frame per second while a clock runs, and ten per second in the last seconds of
//! the clock.
//!
//! Goal: 99 of 100 frames within 4 ms.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]

mod support;

use std::hint::black_box;
use std::time::Instant as RealInstant;

use egui::{Context, Pos2, RawInput, Rect, Vec2};
use support::{Sample, head, rounds, row};
use tabiya_app::desk::{Desk, Environment, NewMatch, Wish};
use tabiya_app::hall::{HallRow, HallView, RowClock, RowMatch};
use tabiya_engine::rules::{Phase, presets};
use tabiya_types::{ByColor, BySeat, Color, Instant, Millis, Seat};
use tabiya_window::{HallShell, Page, Shell};

const FRAMES: usize = 2_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    head("a frame of the window, 1280×800");
    let mut desk = desk(folder.path());
    row("first screen", &frames(&mut desk, Page::Table), "4 ms");
    begin(&mut desk);
    row("table, betting", &frames(&mut desk, Page::Table), "4 ms");
    place(&mut desk);
    row("table, placing", &frames(&mut desk, Page::Table), "4 ms");
    play(&mut desk);
    row("table, chess", &frames(&mut desk, Page::Table), "4 ms");
    row("record", &frames(&mut desk, Page::Record), "4 ms");
    row("devices", &frames(&mut desk, Page::Devices), "4 ms");
    row("learn", &frames(&mut desk, Page::Learn), "4 ms");
    row("settings", &frames(&mut desk, Page::Settings), "4 ms");
    head("a frame of a console's desk, 1280×800");
    row("24 tables as large tiles", &hall_frames(24), "4 ms");
    row("120 tables as small tiles", &hall_frames(120), "4 ms");
    row("1,000 tables as rows", &hall_frames(1_000), "4 ms");
}

fn desk(folder: &std::path::Path) -> Desk {
    let around = Environment {
        date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
        coin: Box::new(|| Ok(Seat::A)),
        chance: Box::new(|_| Err("no chance is needed here".to_owned())),
        evenings: folder.to_owned(),
        settings: folder.join("settings.json"),
        documents: None,
        home: None,
        locale: "en_GB.UTF-8".to_owned(),
        features: &[],
    };
    Desk::new(around, None)
}

fn begin(desk: &mut Desk) {
    let terms = presets::terms(Some("slow"), "choker").expect("a preset");
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let new = NewMatch::usual("choker", players, Seat::A, terms);
    desk.wish(Wish::Begin(Box::new(new)), Instant::ZERO);
    typed(desk, &["deal"]);
}

fn place(desk: &mut Desk) {
    typed(desk, &["call", "check", "deal", "check", "check", "deal", "check", "check", "R"]);
}

fn play(desk: &mut Desk) {
    typed(desk, &["R h1", "press white"]);
    let rest = [
        ("R", "a8", "black"),
        ("N", "g1", "white"),
        ("N", "g8", "black"),
        ("B", "f1", "white"),
        ("B", "f8", "black"),
        ("N", "b1", "white"),
        ("N", "b8", "black"),
        ("P", "d2", "white"),
        ("P", "d7", "black"),
    ];
    for (card, at, by) in rest {
        typed(desk, &[card, &format!("{card} {at}"), &format!("press {by}")]);
    }
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
        typed(desk, &[uci]);
    }
}

fn typed(desk: &mut Desk, lines: &[&str]) {
    for line in lines {
        desk.wish(Wish::Typed((*line).to_owned()), Instant::from_millis(1_000));
        let refused = desk.snapshot(Instant::from_millis(1_000)).refused;
        assert!(refused.is_none(), "{line}: {refused:?}");
    }
}

const WARMING_UP: u32 = 20;

/// A hall with so many tables, all of which play.
fn hall(tables: u16, now: u64) -> HallView {
    let one = |table: u16| {
        let millis = u64::from(table) * 7_919 % 290_000 + 9_000;
        let playing = RowMatch {
            game: "choker",
            number: 1,
            phase: Phase::Chess,
            street: 2,
            turn: 12,
            names: ByColor { white: format!("White {table}"), black: format!("Black {table}") },
            to_act: Some(Color::White),
            chips: Some((u32::from(table % 90), ByColor { white: 190, black: 170 })),
            stopped: false,
            result: None,
            over: false,
            begun: true,
        };
        let left = ByColor { white: millis, black: millis / 2 };
        let clock = RowClock { left, runs: Some(Color::White), told: 0 };
        HallRow { playing: Some(playing), clock: Some(clock), ..HallRow::unknown(table) }
    };
    HallView { now, rows: std::sync::Arc::new((1..=tables).map(one).collect()), ..HallView::default() }
}

/// Lays out the desk of a console repeatedly, with a table chosen.
fn hall_frames(tables: u16) -> Sample {
    let ctx = Context::default();
    let mut shell = HallShell::default();
    let mut took = Sample::default();
    let mut view = hall(tables, 0);
    for nth in 0..u32::try_from(rounds(FRAMES)).expect("few") + WARMING_UP {
        view.now = u64::from(nth) * 500;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1280.0, 800.0))),
            time: Some(f64::from(nth) / 2.0),
            ..RawInput::default()
        };
        let began = RealInstant::now();
        let output = ctx.run_ui(input, |ui| drop(shell.ui(ui, &view)));
        let shapes = ctx.tessellate(output.shapes, output.pixels_per_point);
        let elapsed = began.elapsed();
        black_box(shapes);
        if nth >= WARMING_UP {
            took.add(elapsed);
        }
    }
    took
}

/// Lays out one screen repeatedly. The time of the match advances by 0.1 s from frame to frame.
fn frames(desk: &mut Desk, page: Page) -> Sample {
    let ctx = Context::default();
    let mut shell = Shell::default();
    shell.page = page;
    let mut took = Sample::default();
    for nth in 0..u32::try_from(rounds(FRAMES)).expect("few") + WARMING_UP {
        let now = Instant::from_millis(2_000) + Millis(u64::from(nth) * 100);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1280.0, 800.0))),
            time: Some(f64::from(nth) / 10.0),
            ..RawInput::default()
        };
        let snapshot = desk.snapshot(now);
        let began = RealInstant::now();
        let output = ctx.run_ui(input, |ui| drop(shell.ui(ui, &snapshot, now)));
        let shapes = ctx.tessellate(output.shapes, output.pixels_per_point);
        let elapsed = began.elapsed();
        black_box(shapes);
        // The first frames also load fonts and pictures, so their times are left out.
        if nth >= WARMING_UP {
            took.add(elapsed);
        }
    }
    took
}
