//! The time: chips for the usual time controls, and a panel in which any other is written or put together.

use egui::{
    Align, FontId, Layout, Rect, RichText, ScrollArea, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, pos2,
};
use tabiya_engine::clock::{GameSpeed, Stage, TimeControl, parse_spoken, to_spoken};
use tabiya_engine::table::control_in_words;

use super::form::{Form, Share};
use super::stages::{Method, stages_ui};
use super::{Cover, label_line, paragraph};
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::choices;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::group::TabGroup;
use crate::kit::panel::ground;
use crate::kit::{cut_bottom, cut_top, split};
use crate::theme::{BUTTON_RADIUS, GRID, bold_font};
use crate::widgets::{heading, select_all_on_entry};

/// The chips: what stands on them, and the control in the record's notation.
const USUAL: [(&str, &str, &str); 8] = [
    ("2", "", "120"),
    ("3+2", "", "180+2"),
    ("5", "", "300"),
    ("5+3", "", "300+3"),
    ("10+5", "", "600+5"),
    ("15+10", "", "900+10"),
    ("90+30", "", "5400+30"),
    ("40/90+30", "30+30", "40/5400+30:1800+30"),
];

/// The height of this part, for a rem of 16 points.
pub(super) const HEIGHT: f32 = 24.0 + 56.0 + 26.0;

/// What the panel for another time remembers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TimeDraft {
    /// The times before the panel was opened, which come back if it is left.
    before: (Share, [String; 2]),
    /// Which of two times the buttons change.
    which: usize,
}

/// Draws the chips and the sentence below them.
pub(super) fn times_ui(ui: &mut Ui, cx: &Cx<'_>, mut area: Rect, form: &mut Form, cover: &mut Option<Cover>) {
    let title = cut_top(&mut area, cx.sizes.px(20.0), cx.sizes.px(4.0));
    label_line(ui, cx, title, "time", &cx.t("time"));
    let row = cut_top(&mut area, cx.sizes.px(56.0), cx.sizes.px(2.0));
    let now = form.control();
    let narrow = row.width() / cx.sizes.rem < 44.0;
    let chips: Vec<_> = USUAL.into_iter().skip(usize::from(narrow)).collect();
    let chips = chips.iter().filter_map(|(text, then, record)| {
        let control = record.parse::<TimeControl>().ok()?;
        let under = if then.is_empty() { speed(cx, &control) } else { format!("+ {then}") };
        Some((*text, under, *record, control))
    });
    let chips: Vec<_> = chips.collect();
    // A chip is as wide as its words, and a little more where they are short.
    let letters = |text: &str, size: f32| {
        let font = bold_font(size);
        ui.painter().layout_no_wrap(text.to_owned(), font, cx.theme.text).size().x
    };
    let (large, small) = (cx.sizes.rem, cx.sizes.small());
    let wide = |text: &str, under: &str| letters(text, large).max(letters(under, small)) + cx.sizes.px(16.0);
    let least = cx.sizes.px(46.0);
    let custom = cx.t("time-custom");
    let shares: Vec<f32> = chips
        .iter()
        .map(|(text, under, ..)| wide(text, under).max(least))
        .chain([wide(&custom, "")])
        .collect();
    let places = split(row, &shares, GRID * 2.0);
    let of_now = chips.iter().position(|(.., control)| now.as_ref() == Some(control));
    let mut group = TabGroup::new(ui, "times", Some(of_now.unwrap_or(chips.len())));
    let any = of_now.is_some();
    for ((text, under, record, control), place) in chips.iter().zip(&places) {
        let chosen = now.as_ref() == Some(control);
        let face = ButtonFace::new(Kind::Choice(chosen), text).strong().under(under).stops(group.stops());
        if group.add(button_at(ui, cx, *place, ("time", *record), &face)).clicked() {
            form.share = Share::Both;
            form.time = [to_spoken(control), to_spoken(control)];
        }
    }
    let (text, said) = (custom.clone(), custom);
    let own = if any { String::new() } else { form.time[0].clone() };
    let face = ButtonFace::new(Kind::Choice(!any), &text).under(&own).said(said).stops(group.stops());
    if let Some(place) = places.last()
        && group.add(button_at(ui, cx, *place, "custom", &face)).clicked()
    {
        *cover = Some(Cover::Time(TimeDraft { before: (form.share, form.time.clone()), which: 0 }));
    }
    group.end(ui);
    let line = match (form.time_fault(), &now) {
        (Some(fault), _) => fault.to_string(),
        (None, Some(control)) => each_has(cx, control),
        (None, None) => cx.t(if form.share == Share::Seats { "share-seats" } else { "share-colors" }),
    };
    paragraph(ui, cx, area, "time-line", &line, cx.theme.text);
}

/// How fast a game with this control is, in a word.
fn speed(cx: &Cx<'_>, control: &TimeControl) -> String {
    GameSpeed::of(control).map(|speed| cx.words.word("speed", speed.word())).unwrap_or_default()
}

/// What the time of both players is, in a sentence; `None` if they have different times or none is agreed.
pub(super) fn time_in_words(cx: &Cx<'_>, form: &Form) -> Option<String> {
    form.control().filter(|control| *control != TimeControl::Untimed).map(|control| each_has(cx, &control))
}

fn each_has(cx: &Cx<'_>, control: &TimeControl) -> String {
    cx.words.with("each-has", &[("time", cx.say(&control_in_words(control)).into())])
}

/// Draws the panel. Returns whether it is closed.
pub(super) fn custom_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    area: Rect,
    form: &mut Form,
    draft: &mut TimeDraft,
) -> bool {
    ground(ui.painter(), cx.theme, area);
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let mut rest = area.shrink(px(18.0));
    let mut foot = cut_bottom(&mut rest, px(44.0), px(12.0));
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rest));
    inner.shrink_clip_rect(rest.expand(4.0));
    ScrollArea::vertical().id_salt("custom").auto_shrink(false).show(&mut inner, |ui| {
        heading(ui, &cx.t("time-custom-title"));
        written_ui(ui, cx, form, draft);
        unsure_ui(ui, cx, form);
        let control = form.time.get(draft.which).and_then(|text| parse_spoken(text.trim()).ok());
        methods_ui(ui, cx, form, draft, control.as_ref());
        if let Some(control) = control {
            if let Some(changed) = stages_ui(ui, cx, &control) {
                set(form, draft, &changed);
            }
            said_ui(ui, cx, form, &control);
        }
    });
    let can = form.time_fault().is_none();
    let wide = foot.width();
    let use_it = Rect::from_min_max(pos2(foot.right() - wide * 0.30, foot.top()), foot.max);
    foot.max.x = use_it.left() - px(8.0);
    let leave = Rect::from_min_max(pos2(foot.right() - wide * 0.2, foot.top()), foot.max);
    let text = cx.t("time-use");
    let face = ButtonFace::new(Kind::Gold, &text).key(cx.t("key-enter")).enabled(can);
    let enter = can && ui.input(|input| input.key_pressed(egui::Key::Enter) && !input.modifiers.command);
    let used = button_at(ui, cx, use_it, "use", &face).clicked() || enter;
    let text = cx.t("time-leave");
    let face = ButtonFace::new(Kind::Plain, &text).key("Esc".to_owned());
    if button_at(ui, cx, leave, "leave", &face).clicked() || cx.takes(Command::No) {
        (form.share, form.time) = draft.before.clone();
        return true;
    }
    used
}

/// Draws the control as it is written: one field, or one for each side.
fn written_ui(ui: &mut Ui, cx: &Cx<'_>, form: &mut Form, draft: &mut TimeDraft) {
    let options = [
        (Share::Both, cx.t("share-both")),
        (Share::Seats, cx.t("share-seats")),
        (Share::Colors, cx.t("share-colors")),
    ];
    choices(ui, cx, &mut form.share, &options);
    let names: &[&str] = match form.share {
        Share::Both => &["time-each"],
        Share::Seats => &["time-a", "time-b"],
        Share::Colors => &["time-white", "time-black"],
    };
    draft.which = draft.which.min(names.len() - 1);
    let (rect, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), cx.sizes.px(44.0)), egui::Sense::hover());
    let places = split(rect, &vec![1.0; names.len()], GRID * 2.0);
    for ((nth, id), place) in names.iter().enumerate().zip(places) {
        let chosen = names.len() > 1 && draft.which == nth;
        let edge = if chosen { Stroke::new(2.0, cx.theme.ivory) } else { Stroke::new(1.0, cx.theme.edge) };
        ui.painter().rect(place, BUTTON_RADIUS, cx.theme.input, edge, StrokeKind::Inside);
        let place = place.shrink2(egui::vec2(cx.sizes.px(12.0), 0.0));
        let mut inner =
            ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
        let label = inner.label(
            RichText::new(cx.t(id)).font(FontId::proportional(cx.sizes.small())).color(cx.theme.muted),
        );
        let Some(text) = form.time.get_mut(nth) else { continue };
        let edit = TextEdit::singleline(text)
            .frame(egui::Frame::NONE)
            .font(bold_font(cx.sizes.lead()))
            .align(egui::Align2::LEFT_CENTER);
        let size = egui::vec2(inner.available_width(), place.height());
        let response = inner.add_sized(size, edit).labelled_by(label.id);
        select_all_on_entry(&inner, &response, text.chars().count());
        if response.has_focus() {
            draft.which = nth;
        }
    }
}

/// What can mean two things is asked; what means nothing is told.
fn unsure_ui(ui: &mut Ui, cx: &Cx<'_>, form: &mut Form) {
    match form.time_fault() {
        None => {}
        Some(fault) if !fault.readings().is_empty() => {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(cx.t("time-unsure")).color(cx.theme.bad));
                for reading in fault.readings() {
                    if ui.button(to_spoken(reading)).clicked() {
                        form.set_unsure_time(reading);
                    }
                }
            });
        }
        Some(fault) => {
            ui.label(RichText::new(fault_in_words(cx, &fault)).color(cx.theme.bad));
            ui.label(RichText::new(cx.t("time-line")).color(cx.theme.muted));
        }
    }
}

/// Why a time is not taken, without positions and notation: what is not understood, or what it can mean.
pub(super) fn fault_in_words(cx: &Cx<'_>, fault: &tabiya_engine::clock::ParseControlError) -> String {
    let rest = fault.not_understood();
    match fault.readings() {
        [] if rest.is_empty() => cx.t("time-unfinished"),
        [] => cx.words.with("time-wrong", &[("rest", rest.to_owned().into())]),
        readings => {
            let spoken: Vec<String> = readings.iter().map(to_spoken).collect();
            format!("{} {}", cx.t("time-unsure"), spoken.join(" · "))
        }
    }
}

fn methods_ui(ui: &mut Ui, cx: &Cx<'_>, form: &mut Form, draft: &TimeDraft, now: Option<&TimeControl>) {
    let high = cx.sizes.px(60.0);
    for row in Method::ALL.chunks(5) {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), high), egui::Sense::hover());
        for (place, method) in split(rect, &[1.0; 5], GRID * 2.0).into_iter().zip(row) {
            let text = cx.words.word("method", method.word());
            let chosen = now.map(Method::of) == Some(*method);
            let face = ButtonFace::new(Kind::Choice(chosen), &text).under(method.example());
            if button_at(ui, cx, place, ("method", method.word()), &face).clicked() && !chosen {
                let base = now.cloned().unwrap_or_default();
                set(form, draft, &method.apply(&base));
            }
        }
    }
}

fn set(form: &mut Form, draft: &TimeDraft, control: &TimeControl) {
    let text = to_spoken(control);
    if let Some(time) = form.time.get_mut(draft.which) {
        *time = text;
    }
}

/// Says the control in words, what the clocks show at the start, and how long a game may take.
fn said_ui(ui: &mut Ui, cx: &Cx<'_>, form: &Form, control: &TimeControl) {
    ui.add_space(cx.sizes.px(8.0));
    ui.label(RichText::new(each_has(cx, control)).font(bold_font(cx.sizes.rem)));
    if let Some(Stage::Time { .. } | Stage::Hourglass(_)) = control.stages().first()
        && let Some(start) = form.starting_time(form.white, tabiya_types::Color::White)
    {
        let facts = [("time", cx.reading(Some(start), false).into())];
        ui.label(RichText::new(cx.words.with("clocks-show", &facts)).color(cx.theme.muted));
    }
    super::duration::duration_ui(ui, cx, control);
}
