//! The terms of a new match in a few lines, each with a picture: what is played for, the rules of the game, the time, how
//! a turn ends, and who is told what. The sheet that is copied, printed or saved has every line by itself.

use egui::{Align, FontId, Layout, RichText, Sense, Ui, vec2};
use tabiya_engine::rules::{SheetLine, SheetTopic};
use tabiya_types::BySeat;

use crate::cx::Cx;
use crate::kit::icon::Icon;

/// The pictures in the order of their lines.
const ORDER: [Icon; 5] = [Icon::Coin, Icon::Sheet, Icon::Clock, Icon::Hand, Icon::Person];

/// The picture of a line of the match sheet; `None` if the screen says it elsewhere: the names stand at the clocks, the game
/// is chosen, and `time` says what the control means.
fn picture(line: &SheetLine, time: Option<&str>) -> Option<Icon> {
    match line.topic {
        SheetTopic::Players | SheetTopic::TimeMeaning => None,
        SheetTopic::SharedTime if time.is_some() => None,
        SheetTopic::Stacks(_) | SheetTopic::Stakes => Some(Icon::Coin),
        SheetTopic::SharedTime | SheetTopic::Time => Some(Icon::Clock),
        SheetTopic::Turn => Some(Icon::Hand),
        SheetTopic::Voice => Some(Icon::Person),
        SheetTopic::Rules => Some(Icon::Sheet),
    }
}

/// A line in words. Stacks have the names of their players.
fn told(cx: &Cx<'_>, line: &SheetLine, names: &BySeat<String>) -> String {
    let SheetTopic::Stacks(chips) = line.topic else { return cx.say(&line.says) };
    let (a, b) = (names.a.clone(), names.b.clone());
    let facts = [("a", a.into()), ("chips_a", chips.a.into()), ("b", b.into()), ("chips_b", chips.b.into())];
    cx.words.with("stacks-of", &facts)
}

/// The lines of the summary. `time` is what the control of both means, in a sentence; empty if the screen says it elsewhere.
pub(super) fn summary(
    cx: &Cx<'_>,
    sheet: &[SheetLine],
    names: &BySeat<String>,
    time: Option<&str>,
) -> Vec<(Icon, String)> {
    let of = |icon: Icon| {
        let said = time.filter(|time| icon == Icon::Clock && !time.is_empty()).map(str::to_owned);
        let lines = sheet.iter().filter(|line| picture(line, time) == Some(icon));
        let texts: Vec<String> = said.into_iter().chain(lines.map(|line| told(cx, line, names))).collect();
        (icon, texts.join(" · "))
    };
    ORDER.into_iter().map(of).filter(|(_, text)| !text.is_empty()).collect()
}

/// Draws the lines below one another.
pub(super) fn summary_ui(ui: &mut Ui, cx: &Cx<'_>, lines: &[(Icon, String)]) {
    ui.spacing_mut().item_spacing = vec2(cx.sizes.px(10.0), cx.sizes.px(5.0));
    let side = cx.sizes.px(18.0);
    let font =
        if ui.available_height() > cx.sizes.px(180.0) { cx.sizes.rem * 0.94 } else { cx.sizes.small() };
    for (icon, text) in lines {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            let (place, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
            icon.draw(ui.painter(), place, cx.theme.muted);
            let words = RichText::new(text).font(FontId::proportional(font));
            ui.add(egui::Label::new(words).wrap());
        });
    }
}
