//! The boards: a card for the connected one and for each that was found, with a picture, the link and its signal, the
//! battery, and one button. The best board that is not connected has the gold button.

use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    pos2, vec2,
};
use tabiya_app::desk::{BoardWish, makers};
use tabiya_app::snapshot::{BoardFact, BoardSearch, BoardView, FoundBoard, FoundLink, LinkState};
use tabiya_types::{Board, Color, Millis, Square};

use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{rows, write};
use crate::theme::{PANEL_RADIUS, bold_font};
use crate::widgets::{label, name, translucent};

/// The height of a card, and the side of the picture in it.
const CARD: f32 = 112.0;
const PICTURE: f32 = 84.0;
/// The height of a button.
const BUTTON: f32 = 40.0;
/// A signal that is stronger than the first is good, one that is weaker than the second is weak, in dBm.
const GOOD: i16 = -65;
const WEAK: i16 = -82;

/// A line of a card: an icon, words and their colour.
struct Line {
    icon: Option<Icon>,
    text: String,
    ink: Color32,
    signal: Option<i16>,
    battery: Option<u8>,
}

impl Line {
    fn new(text: String, ink: Color32) -> Self {
        Self { icon: None, text, ink, signal: None, battery: None }
    }
}

/// What stands on a card.
struct Card {
    title: String,
    lines: Vec<Line>,
    edge: Stroke,
    /// What stands on the board, if that is known.
    stands: Option<Board>,
}

/// Draws all boards.
pub(super) fn boards_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    head_ui(ui, cx);
    let board = cx.snapshot.board.clone();
    if board.link != LinkState::None {
        connected_ui(ui, cx, &board);
    }
    let found = cx.snapshot.found.clone();
    let free = |found: &&FoundBoard| board.address.as_ref() != Some(&found.address);
    for (nth, found) in found.iter().filter(free).enumerate() {
        // While a board is being looked for, gold waits.
        let gold = nth == 0 && board.link != LinkState::Connecting;
        found_ui(ui, cx, found, gold);
    }
    nothing_ui(ui, cx, found.iter().filter(free).count());
    ui.add_space(cx.sizes.px(4.0));
}

/// Draws the heading, how the last search went, and the button that searches.
fn head_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let sizes = cx.sizes;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), sizes.px(BUTTON)), Sense::hover());
    let title = cx.t("boards");
    let font = (bold_font(sizes.title()), cx.theme.text);
    let title_end =
        write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &title, font, row.width() * 0.4);
    label(ui, row, "boards", &title);
    let text = cx.t("find-boards");
    let width = wide(ui, &text, sizes.rem) + sizes.px(28.0);
    let place = Rect::from_min_max(pos2(row.right() - width, row.top()), row.max);
    let running = cx.snapshot.search == BoardSearch::Running;
    let face = ButtonFace::new(Kind::Plain, &text).enabled(!running);
    if button_at(ui, cx, place, "find", &face).clicked() {
        cx.board(BoardWish::Discover);
    }
    let told = match cx.snapshot.search {
        BoardSearch::Never => return,
        BoardSearch::Running => cx.t("searching"),
        BoardSearch::Ended(at) => {
            let seconds = cx.now.since(at).0 / 1000;
            ui.ctx().request_repaint_after(std::time::Duration::from_secs(1));
            if seconds < 60 {
                cx.words.with("searched", &[("seconds", seconds.into())])
            } else {
                let ago = Millis(seconds / 60 * 60_000).to_string();
                cx.words.with("searched-at", &[("ago", ago.into())])
            }
        }
    };
    let at = pos2(place.left() - sizes.px(10.0), row.center().y);
    let room = at.x - title_end.right() - sizes.px(8.0);
    let small = FontId::proportional(sizes.small());
    write(ui.painter(), at, Align2::RIGHT_CENTER, &told, (small, cx.theme.muted), room);
    label(ui, row, "search", &told);
}

/// Says what a search found, if it found nothing, or what can be done before the first one.
fn nothing_ui(ui: &mut Ui, cx: &Cx<'_>, found: usize) {
    let none = cx.snapshot.board.link == LinkState::None;
    let text = match cx.snapshot.search {
        BoardSearch::Ended(_) if found == 0 && none => cx.t("found-nothing"),
        BoardSearch::Ended(_) if found == 0 => cx.t("found-no-other"),
        BoardSearch::Never if found == 0 && none => cx.t("boards-line"),
        _ => return,
    };
    ui.label(egui::RichText::new(text).color(cx.theme.muted));
}

fn wide(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), Color32::WHITE).size().x
}

/// The name of a maker by the prefix of an address.
fn maker_of(address: &str) -> Option<&'static str> {
    let prefix = address.strip_prefix("sim:").unwrap_or(address);
    let prefix = prefix.split(':').next()?;
    makers().into_iter().find(|maker| maker.prefix == prefix).map(|maker| maker.name)
}

/// Draws the board that is connected, or wanted.
fn connected_ui(ui: &mut Ui, cx: &mut Cx<'_>, board: &BoardView) {
    let theme = cx.theme;
    let fact = |wanted: BoardFact| {
        board.facts.iter().find(|(fact, _)| *fact == wanted).map(|(_, value)| value.clone())
    };
    let address = board.address.clone().unwrap_or_default();
    let maker = fact(BoardFact::Maker).or_else(|| maker_of(&address).map(str::to_owned));
    let title = match (maker, fact(BoardFact::Serial)) {
        (Some(maker), Some(number)) => format!("{maker} {number}"),
        (Some(maker), None) => maker,
        (None, _) => cx.t("board"),
    };
    let (state, ink, icon, edge) = match &board.link {
        LinkState::Connected => ("connected", theme.good, Icon::Check, Stroke::new(2.0, theme.good)),
        LinkState::Connecting | LinkState::None => {
            ("board-connecting", theme.text, Icon::Clock, Stroke::new(1.0, theme.line))
        }
        LinkState::Lost(_) if board.answered => {
            ("board-lost", theme.bad, Icon::Warning, Stroke::new(1.0, theme.bad))
        }
        LinkState::Lost(_) => ("board-not-found", theme.bad, Icon::Warning, Stroke::new(1.0, theme.bad)),
    };
    let mut lines = vec![Line { icon: Some(icon), ..Line::new(cx.t(state), ink) }];
    if let Some((percent, charging)) = board.battery {
        let charging = if charging { format!(", {}", cx.t("charging")) } else { String::new() };
        let text = format!("{percent} %{charging}");
        lines.push(Line { battery: Some(percent), ..Line::new(text, theme.text) });
    }
    if let Some(trouble) = &board.trouble {
        lines.push(Line::new(cx.say(trouble), theme.text));
    } else if let Some(clock) = fact(BoardFact::Clock) {
        let text = cx.words.with("clock-at-board", &[("clock", clock.into())]);
        lines.push(Line { icon: Some(Icon::Clock), ..Line::new(text, theme.muted) });
    } else if board.simulated.is_some() {
        lines.push(Line::new(cx.t("is-simulated"), theme.muted));
    }
    let connected = board.link == LinkState::Connected;
    let mut buttons = vec![("disconnect", BoardWish::Disconnect)];
    if connected {
        buttons.push(("read-board", BoardWish::Read));
    }
    if connected && fact(BoardFact::Clock).is_some() && cx.snapshot.table.is_some() {
        buttons.push(("turn-clock", BoardWish::TurnClock));
    }
    let buttons: Vec<_> = buttons.into_iter().map(|(id, wish)| (cx.t(id), Kind::Plain, wish)).collect();
    let stands = board.seen.filter(|_| connected);
    card_ui(ui, cx, &Card { title, lines, edge, stands }, &buttons);
}

/// Draws a board that was found.
fn found_ui(ui: &mut Ui, cx: &mut Cx<'_>, found: &FoundBoard, gold: bool) {
    let theme = cx.theme;
    let (icon, link, signal) = match found.link {
        FoundLink::Cable => (Icon::Cable, "USB".to_owned(), None),
        FoundLink::Bluetooth(signal) => (Icon::Bluetooth, "Bluetooth".to_owned(), signal),
        FoundLink::Program => (Icon::Board, cx.t("by-program"), None),
    };
    let strength = signal.map(|signal| match signal {
        GOOD.. => cx.t("signal-good"),
        WEAK..GOOD => cx.t("signal-fair"),
        _ => cx.t("signal-weak"),
    });
    let text = strength.map_or(link.clone(), |strength| format!("{link}, {strength}"));
    let mut lines = vec![Line { icon: Some(icon), signal, ..Line::new(text, theme.muted) }];
    if !found.sure {
        lines.push(Line::new(cx.t("may-be-a-board"), theme.muted));
    }
    let card = Card { title: found.name.clone(), lines, edge: Stroke::new(1.0, theme.line), stands: None };
    let kind = if gold { Kind::Gold } else { Kind::Plain };
    let buttons = [(cx.t("connect"), kind, BoardWish::Connect(found.address.clone()))];
    card_ui(ui, cx, &card, &buttons);
}

/// Draws a card with its buttons, and wishes what was clicked.
fn card_ui(ui: &mut Ui, cx: &mut Cx<'_>, card: &Card, buttons: &[(String, Kind, BoardWish)]) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let widest = buttons.iter().map(|(text, ..)| wide(ui, text, sizes.lead())).fold(0.0, f32::max) + px(30.0);
    let width = ui.available_width();
    let room = width - px(PICTURE + 12.0 * 4.0) - widest;
    let lines: Vec<_> = card
        .lines
        .iter()
        .map(|line| {
            let beside = if line.icon.is_some() || line.battery.is_some() { px(34.0) } else { 0.0 };
            let beside = beside + if line.signal.is_some() { px(34.0) } else { 0.0 };
            rows(ui.painter(), &line.text, (FontId::proportional(sizes.rem), line.ink), room - beside, 4)
        })
        .collect();
    let gap = px(7.0);
    #[expect(clippy::cast_precision_loss, reason = "three buttons")]
    let whole = px(BUTTON) * buttons.len() as f32 + px(6.0) * buttons.len().saturating_sub(1) as f32;
    let words: f32 = lines.iter().map(|line| line.size().y + gap).sum::<f32>() + sizes.name() * 1.4;
    let height = px(CARD).max(words.max(whole) + px(22.0));
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    ui.painter().rect(rect, CornerRadius::same(PANEL_RADIUS), cx.theme.panel, card.edge, StrokeKind::Inside);
    picture(
        ui.painter(),
        cx,
        pos2(rect.left() + px(14.0 + PICTURE / 2.0), rect.center().y),
        card.stands.as_ref(),
    );
    let mut at = pos2(rect.left() + px(PICTURE + 28.0), rect.center().y - words / 2.0);
    let font = (bold_font(sizes.lead()), cx.theme.text);
    write(ui.painter(), at, Align2::LEFT_TOP, &card.title, font, room);
    at.y += sizes.name() * 1.4;
    for (line, words) in card.lines.iter().zip(lines) {
        let high = words.size().y;
        let x = at.x + signs(ui.painter(), cx, pos2(at.x, at.y + sizes.rem * 0.6), line);
        ui.painter().galley(pos2(x, at.y), words, line.ink);
        at.y += high + gap;
    }
    let told: Vec<&str> = card.lines.iter().map(|line| line.text.as_str()).collect();
    name(&response, Role::Label, true, &format!("{}: {}", card.title, told.join(", ")));
    let mut y = rect.center().y - whole / 2.0;
    for (text, kind, wish) in buttons {
        let place = Rect::from_min_size(pos2(rect.right() - px(14.0) - widest, y), vec2(widest, px(BUTTON)));
        y += px(BUTTON + 6.0);
        let face = ButtonFace::new(*kind, text).said(format!("{text}: {}", card.title));
        if button_at(ui, cx, place, (text, &card.title, rect.top().to_bits()), &face).clicked() {
            cx.wish(tabiya_app::desk::Wish::Board(wish.clone()));
        }
    }
    ui.add_space(px(4.0));
}

/// Draws the signs before the words of a line: an icon, bars for a signal, a battery. Returns their width.
fn signs(painter: &Painter, cx: &Cx<'_>, at: Pos2, line: &Line) -> f32 {
    let px = |points: f32| cx.sizes.px(points);
    let mut width = 0.0;
    if let Some(icon) = line.icon {
        let mark = Rect::from_center_size(pos2(at.x + px(10.0), at.y), Vec2::splat(px(20.0)));
        icon.draw(painter, mark, line.ink);
        width += px(28.0);
    }
    if let Some(signal) = line.signal {
        let strong = match signal {
            GOOD.. => 4,
            WEAK..GOOD => 2,
            _ => 1,
        };
        for bar in 0..4_u8 {
            let high = px(5.0 + 3.5 * f32::from(bar));
            let left = at.x + width + px(6.5) * f32::from(bar);
            let bottom = at.y + px(9.0);
            let place = Rect::from_min_max(pos2(left, bottom - high), pos2(left + px(4.5), bottom));
            let ink = if bar < strong { cx.theme.text } else { cx.theme.line };
            painter.rect_filled(place, CornerRadius::same(1), ink);
        }
        width += px(34.0);
    }
    if let Some(percent) = line.battery {
        let place = Rect::from_min_size(pos2(at.x + width, at.y - px(7.0)), vec2(px(26.0), px(14.0)));
        painter.rect_stroke(
            place,
            CornerRadius::same(3),
            Stroke::new(1.5, cx.theme.text),
            StrokeKind::Inside,
        );
        let share = f32::from(percent.min(100)) / 100.0;
        let inner = place.shrink(px(3.0));
        let full = Rect::from_min_size(inner.min, vec2(inner.width() * share, inner.height()));
        let ink = if percent < 20 { cx.theme.bad } else { cx.theme.text };
        painter.rect_filled(full, CornerRadius::same(1), ink);
        width += px(34.0);
    }
    width
}

/// Draws a small board as it stands, or without pieces where nobody knows.
fn picture(painter: &Painter, cx: &Cx<'_>, center: Pos2, stands: Option<&Board>) {
    let whole = Rect::from_center_size(center, Vec2::splat(cx.sizes.px(PICTURE)));
    let [light, dark] = cx.theme.squares(cx.settings.board_colors);
    painter.rect_filled(whole, CornerRadius::same(6), cx.theme.well);
    let inner = whole.shrink(cx.sizes.px(4.0));
    let side = inner.width() / 8.0;
    let strength = if stands.is_some() { 255 } else { 110 };
    let [light, dark] = [light, dark].map(|ink| translucent(ink, strength));
    for square in Square::all() {
        let [file, rank] = [square.file(), square.rank()].map(f32::from);
        let from_left_top =
            if cx.below() == Color::White { vec2(file, 7.0 - rank) } else { vec2(7.0 - file, rank) };
        let place = Rect::from_min_size(inner.min + from_left_top * side, Vec2::splat(side));
        let paint = if (square.file() + square.rank()).is_multiple_of(2) { dark } else { light };
        painter.rect_filled(place, CornerRadius::ZERO, paint);
        if let Some(piece) = stands.and_then(|stands| stands[square]) {
            cx.art.piece(painter, place, piece, Color32::WHITE);
        }
    }
}
