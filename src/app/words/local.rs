//! The words of play in German and Spanish: one table for each language, from what people say to the English word of the
//! grammar. The English words work in every language.
//!
//! A phrase is read only at the beginning of a line, or after the colour or the one name that it belongs to: what follows
//! may be a reason, a name or a card, and stays as it was typed.

use tabiya_text::Language;

/// A phrase in lower case, and the word of the grammar that it is.
type Phrase = (&'static str, &'static str);

/// What people say at a German table.
const GERMAN: &[Phrase] = &[
    ("geben", "deal"),
    ("gib", "deal"),
    ("austeilen", "deal"),
    ("passen", "fold"),
    ("passe", "fold"),
    ("ich passe", "fold"),
    ("aussteigen", "fold"),
    ("ich steige aus", "fold"),
    ("schieben", "check"),
    ("schiebe", "check"),
    ("ich schiebe", "check"),
    ("mitgehen", "call"),
    ("gehe mit", "call"),
    ("ich gehe mit", "call"),
    ("halten", "call"),
    ("setzen", "bet"),
    ("setze", "bet"),
    ("ich setze", "bet"),
    ("erhöhen auf", "raise to"),
    ("erhöhe auf", "raise to"),
    ("ich erhöhe auf", "raise to"),
    ("erhöhen um", "raise by"),
    ("erhöhe um", "raise by"),
    ("ich erhöhe um", "raise by"),
    ("erhöhen", "raise"),
    ("erhöhe", "raise"),
    ("ich erhöhe", "raise"),
    ("erhoehen auf", "raise to"),
    ("erhoehen um", "raise by"),
    ("erhoehen", "raise"),
    ("alles", "all-in"),
    ("ich setze alles", "all-in"),
    ("alles setzen", "all-in"),
    ("halber pot", "half pot"),
    ("aufdecken", "reveal"),
    ("stellen", "place"),
    ("ziehen", "move"),
    ("drücken", "press"),
    ("uhr", "press"),
    ("anhalten", "pause"),
    ("weiter", "resume"),
    ("fortsetzen", "resume"),
    ("weiterspielen", "resume"),
    ("zurücknehmen", "undo"),
    ("zurück", "undo"),
    ("wiederherstellen", "redo"),
    ("aufgeben", "resign"),
    ("ich gebe auf", "resign"),
    ("gebe auf", "resign"),
    ("remis", "draw"),
    ("remis anbieten", "draw"),
    ("ich biete remis", "draw"),
    ("ich biete remis an", "draw"),
    ("annehmen", "accept"),
    ("remis annehmen", "accept"),
    ("ablehnen", "decline"),
    ("remis ablehnen", "decline"),
    ("reklamieren", "claim"),
    ("remis reklamieren", "claim"),
    ("normale mittel reklamieren", "claim normal means"),
    ("zugabe verlangen", "claim increment"),
    ("ungültig", "fouled"),
    ("vergeben", "fouled"),
    ("nächste", "next"),
    ("nächstes", "next"),
    ("nächste partie", "next"),
    ("nächstes spiel", "next"),
    ("beenden", "end"),
    ("vertagen", "adjourn"),
    ("hängepartie", "adjourn"),
    ("abgegeben", "sealed"),
    ("abgabezug", "sealed"),
    ("ja", "yes"),
    ("nein", "no"),
    ("zeigen", "show"),
    ("zeige", "show"),
    ("brett", "show"),
    ("erlaubt", "legal"),
    ("vereinbarung", "sheet"),
    ("ergebnisse", "results"),
    ("ergebnis", "results"),
    ("bericht", "report"),
    ("hilfe", "help"),
    ("verlassen", "quit"),
];

/// What is said of a German player: `Weiß passt`.
const OF_A_GERMAN: &[Phrase] = &[
    ("passt", "folds"),
    ("steigt aus", "folds"),
    ("schiebt", "checks"),
    ("geht mit", "calls"),
    ("setzt alles", "all-in"),
    ("setzt", "bets"),
    ("erhöht auf", "raises to"),
    ("erhöht um", "raises by"),
    ("erhöht", "raises"),
    ("gibt auf", "resigns"),
    ("bietet remis", "draws"),
    ("bietet remis an", "draws"),
    ("nimmt an", "accepts"),
    ("lehnt ab", "declines"),
    ("reklamiert", "claims"),
    ("drückt", "presses"),
];

/// What people say at a Spanish table. `ver` looks, as in every program; `veo` is a bet.
const SPANISH: &[Phrase] = &[
    ("repartir", "deal"),
    ("reparto", "deal"),
    ("dar", "deal"),
    ("no voy", "fold"),
    ("me retiro", "fold"),
    ("retirarse", "fold"),
    ("me voy", "fold"),
    ("tirar", "fold"),
    ("paso", "check"),
    ("pasar", "check"),
    ("dejar pasar", "check"),
    ("voy", "call"),
    ("veo", "call"),
    ("lo veo", "call"),
    ("igualo", "call"),
    ("igualar", "call"),
    ("pedir ver", "call"),
    ("pido ver", "call"),
    ("apuesto", "bet"),
    ("apostar", "bet"),
    ("subo a", "raise to"),
    ("subir a", "raise to"),
    ("subo", "raise"),
    ("subir", "raise"),
    ("subo en", "raise by"),
    ("subir en", "raise by"),
    ("todo", "all-in"),
    ("voy con todo", "all-in"),
    ("apostarlo todo", "all-in"),
    ("lo apuesto todo", "all-in"),
    ("bote", "pot"),
    ("medio bote", "half pot"),
    ("descubrir", "reveal"),
    ("descubro", "reveal"),
    ("colocar", "place"),
    ("coloco", "place"),
    ("jugar", "move"),
    ("juego", "move"),
    ("pulsar", "press"),
    ("pulso", "press"),
    ("reloj", "press"),
    ("pausa", "pause"),
    ("parar", "pause"),
    ("seguir", "resume"),
    ("reanudar", "resume"),
    ("deshacer", "undo"),
    ("rehacer", "redo"),
    ("restablecer", "redo"),
    ("abandono", "resign"),
    ("abandonar", "resign"),
    ("me rindo", "resign"),
    ("tablas", "draw"),
    ("ofrezco tablas", "draw"),
    ("ofrecer tablas", "draw"),
    ("acepto", "accept"),
    ("aceptar", "accept"),
    ("rechazo", "decline"),
    ("rechazar", "decline"),
    ("reclamo", "claim"),
    ("reclamar", "claim"),
    ("reclamo tablas", "claim"),
    ("nulo", "fouled"),
    ("siguiente", "next"),
    ("siguiente partida", "next"),
    ("terminar", "end"),
    ("reclamar medios normales", "claim normal means"),
    ("pedir incremento", "claim increment"),
    ("aplazar", "adjourn"),
    ("aplazo", "adjourn"),
    ("sellada", "sealed"),
    ("jugada sellada", "sealed"),
    ("sí", "yes"),
    ("si", "yes"),
    ("mostrar", "show"),
    ("ver", "show"),
    ("tablero", "show"),
    ("permitido", "legal"),
    ("hoja", "sheet"),
    ("resultados", "results"),
    ("resultado", "results"),
    ("informe", "report"),
    ("ayuda", "help"),
    ("salir", "quit"),
];

/// What is said of a Spanish player: `blancas pasan`, `Ana sube a 8`.
const OF_A_SPANIARD: &[Phrase] = &[
    ("se retiran", "folds"),
    ("se retira", "folds"),
    ("no va", "folds"),
    ("pasan", "checks"),
    ("pasa", "checks"),
    ("dejan pasar", "checks"),
    ("van", "calls"),
    ("va", "calls"),
    ("igualan", "calls"),
    ("iguala", "calls"),
    ("ven", "calls"),
    ("ve", "calls"),
    ("apuestan", "bets"),
    ("apuesta", "bets"),
    ("suben a", "raises to"),
    ("sube a", "raises to"),
    ("suben", "raises"),
    ("sube", "raises"),
    ("va con todo", "all-in"),
    ("abandonan", "resigns"),
    ("abandona", "resigns"),
    ("ofrecen tablas", "draws"),
    ("ofrece tablas", "draws"),
    ("aceptan", "accepts"),
    ("acepta", "accepts"),
    ("rechazan", "declines"),
    ("rechaza", "declines"),
    ("reclaman", "claims"),
    ("reclama", "claims"),
    ("pulsan", "presses"),
    ("pulsa", "presses"),
];

/// The words for the colours.
const COLORS: &[(Language, &str, &str)] = &[
    (Language::German, "weiß", "white"),
    (Language::German, "weiss", "white"),
    (Language::German, "schwarz", "black"),
    (Language::Spanish, "blancas", "white"),
    (Language::Spanish, "blanco", "white"),
    (Language::Spanish, "negras", "black"),
    (Language::Spanish, "negro", "black"),
];

/// The words after which only their own form and free text stand: nothing is translated behind them.
const WITH_A_REASON: [&str; 10] =
    ["pause", "undo", "end", "fouled", "rule", "open", "vouch", "correct", "count", "keypads"];

/// The line with the words of play in English, each as (what was typed, what it is); `None` if it has none.
pub(super) fn in_english(line: &str, language: Language) -> Option<String> {
    let (phrases, of_a_player) = match language {
        Language::English => return None,
        Language::German => (GERMAN, OF_A_GERMAN),
        Language::Spanish => (SPANISH, OF_A_SPANIARD),
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let color = |word: &String| {
        COLORS.iter().find(|(of, known, _)| *of == language && known == word).map(|(.., english)| *english)
    };
    let first = lower.first()?;
    if WITH_A_REASON.contains(&first.as_str()) {
        return None;
    }
    let mut english = Vec::new();
    let mut rest = if let Some((verb, length)) = longest(phrases, &lower) {
        english.push(verb);
        length
    } else {
        // Whose word it is stands before the word.
        let (verb, length) = longest(of_a_player, lower.get(1..)?)
            .or_else(|| longest(phrases, lower.get(1..)?).filter(|_| color(first).is_some()))?;
        english.extend([color(first).unwrap_or(words[0]), verb]);
        length + 1
    };
    if let Some(owner) = lower.get(rest).and_then(color) {
        english.push(owner);
        rest += 1;
    }
    english.extend(words.get(rest..).unwrap_or_default());
    Some(english.join(" "))
}

/// The longest phrase with which these words begin, and how many words it has.
fn longest(phrases: &[Phrase], words: &[String]) -> Option<(&'static str, usize)> {
    (1..=words.len().min(5)).rev().find_map(|length| {
        let said = words.get(..length)?.join(" ");
        let said = said.trim_end_matches(['!', '.', '?']);
        phrases.iter().find(|(phrase, _)| *phrase == said).map(|(_, verb)| (*verb, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_german_and_a_spanish_club_bet_in_their_own_words() {
        let cases = [
            (Language::German, "mitgehen", Some("call")),
            (Language::German, "erhöhen auf 8", Some("raise to 8")),
            (Language::German, "Ich erhöhe um 4", Some("raise by 4")),
            (Language::German, "Weiß geht mit", Some("white calls")),
            (Language::German, "Bo erhöht auf 12", Some("Bo raises to 12")),
            (Language::German, "aufgeben Schwarz", Some("resign black")),
            (Language::German, "anhalten das Telefon", Some("pause das Telefon")),
            (Language::German, "call", None),
            (Language::German, "pause remis", None),
            (Language::Spanish, "voy", Some("call")),
            (Language::Spanish, "subo a 8", Some("raise to 8")),
            (Language::Spanish, "¡paso!", None),
            (Language::Spanish, "paso", Some("check")),
            (Language::Spanish, "No voy", Some("fold")),
            (Language::Spanish, "negras abandonan", Some("black resigns")),
            (Language::Spanish, "Ana sube a 8", Some("Ana raises to 8")),
            (Language::Spanish, "voy con todo", Some("all-in")),
            (Language::English, "voy", None),
        ];
        for (language, line, wanted) in cases {
            assert_eq!(in_english(line, language).as_deref(), wanted, "{line}");
        }
    }

    #[test]
    fn no_phrase_stands_twice_and_none_hides_a_piece() {
        for phrases in [GERMAN, OF_A_GERMAN, SPANISH, OF_A_SPANIARD] {
            for (nth, (phrase, _)) in phrases.iter().enumerate() {
                assert!(phrases[..nth].iter().all(|(other, _)| other != phrase), "{phrase}");
                assert!(phrase.chars().count() > 1 && *phrase == phrase.to_lowercase(), "{phrase}");
            }
        }
    }
}
