//! Plays sounds and speaks text with programs that are installed on the system. No audio library is linked. A missing
//! program is not an error: Tabiya then stays silent.
//!
//! Separate threads start the programs. The screens only queue what to play or to speak.

use std::io::Write as _;
use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tabiya_store::settings::Settings;
use tabiya_text::Language;
use tabiya_types::Color;

/// The sample rate of the sounds, in samples per second.
const RATE: u32 = 22_050;
/// The highest value of a sample at full volume: quiet, as in a room where people play.
const LOUDEST: f32 = 9_000.0;
/// How many sounds, and how many sentences, may be queued.
const QUEUE: usize = 32;
/// How many of the queued sentences are spoken; older sentences are dropped.
const NEWEST: usize = 3;
/// The programs that can play sounds, in the order in which they are tried, each with the arguments for reading a sound
/// from standard input.
const PLAYERS: [(&str, &[&str]); 3] =
    [("pw-play", &["-"]), ("paplay", &["/dev/stdin"]), ("aplay", &["-q", "-"])];

/// A sound of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sound {
    /// The clock was pressed by this side.
    Press(Color),
    /// A clock's reading has fallen to one of the warning times.
    Warning,
    /// The next stage or period of a time control has begun.
    Stage,
    /// A flag fell.
    Flag,
    /// An input was refused.
    Refused,
    /// A game is over.
    Over,
    /// A card was turned over.
    Card,
    /// Chips went into the pot.
    Chips,
    /// Something waits for the arbiter, whose drawer is open.
    Bell,
}

impl Sound {
    /// All sounds, in the order of the settings.
    pub(super) const ALL: [Self; 10] = [
        Self::Press(Color::White),
        Self::Press(Color::Black),
        Self::Warning,
        Self::Stage,
        Self::Flag,
        Self::Refused,
        Self::Over,
        Self::Card,
        Self::Chips,
        Self::Bell,
    ];

    /// The word of the sound, for the id of the text that names it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Press(Color::White) => "press-white",
            Self::Press(Color::Black) => "press-black",
            Self::Warning => "warning",
            Self::Stage => "stage",
            Self::Flag => "flag",
            Self::Refused => "refused",
            Self::Over => "over",
            Self::Card => "card",
            Self::Chips => "chips",
            Self::Bell => "bell",
        }
    }

    /// The tones of the sound: the frequency in hertz (0 is a pause), and the length in milliseconds.
    fn tones(self) -> &'static [(f32, u32)] {
        match self {
            // Clicks, a third apart.
            Self::Press(Color::White) => &[(1_320.0, 25)],
            Self::Press(Color::Black) => &[(1_047.0, 25)],
            Self::Warning => &[(880.0, 90), (0.0, 60), (880.0, 90)],
            Self::Stage => &[(988.0, 120), (0.0, 40), (740.0, 180)],
            // One low tone.
            Self::Flag => &[(294.0, 450)],
            // Two knocks.
            Self::Refused => &[(185.0, 60), (0.0, 70), (185.0, 60)],
            Self::Over => &[(523.0, 120), (659.0, 120), (784.0, 240)],
            Self::Card => &[(420.0, 18), (0.0, 12), (560.0, 14)],
            Self::Chips => &[(2_100.0, 12), (0.0, 22), (2_350.0, 12), (0.0, 18), (2_220.0, 12)],
            Self::Bell => &[(1_760.0, 60), (1_568.0, 320)],
        }
    }

    /// The sound as a WAV file: 16 bits, one channel.
    fn wav(self, volume: u8) -> Vec<u8> {
        let samples: Vec<i16> =
            self.tones().iter().flat_map(|(hertz, millis)| tone(*hertz, *millis, volume)).collect();
        let bytes = u32::try_from(samples.len() * 2).unwrap_or(0);
        let mut wav = Vec::with_capacity(44 + samples.len() * 2);
        wav.extend(b"RIFF");
        wav.extend((36 + bytes).to_le_bytes());
        wav.extend(b"WAVEfmt ");
        for word in [16, 0x0001_0001, RATE, RATE * 2, 0x0010_0002] {
            wav.extend(u32::to_le_bytes(word));
        }
        wav.extend(b"data");
        wav.extend(bytes.to_le_bytes());
        wav.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
        wav
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "samples of a short tone")]
fn tone(hertz: f32, millis: u32, volume: u8) -> Vec<i16> {
    let count = RATE * millis / 1000;
    let loud = f32::from(volume.min(100)) / 100.0 * LOUDEST;
    let sample = |nth: u32| {
        let at = nth as f32 / RATE as f32;
        // The tone fades in and out, because an abrupt edge clicks.
        let edge = (nth.min(count - nth) as f32 / (RATE as f32 * 0.004)).min(1.0);
        ((at * hertz * std::f32::consts::TAU).sin() * loud * edge) as i16
    };
    (0..count).map(sample).collect()
}

/// The queues to the threads that play sounds and speak.
#[derive(Clone, Debug)]
pub(super) struct Aloud {
    sounds: Option<SyncSender<(Sound, u8)>>,
    words: Option<SyncSender<(String, Language)>>,
    /// Whether no program could play the last sound.
    mute: Arc<AtomicBool>,
}

impl Aloud {
    /// Starts a thread that plays sounds and a thread that speaks. If a thread cannot be started, there are no sounds
    /// or there is no speech.
    pub(super) fn start() -> Self {
        let (sounds, played) = sync_channel(QUEUE);
        let (words, spoken) = sync_channel(QUEUE);
        let thread = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.to_owned()).spawn(work).is_ok()
        };
        let mute = Arc::new(AtomicBool::new(false));
        let told = mute.clone();
        let playing = thread("sounds", Box::new(move || play_all(&played, &told)));
        let speaking = thread("speech", Box::new(move || speak_all(&spoken)));
        Self { sounds: playing.then_some(sounds), words: speaking.then_some(words), mute }
    }

    /// An instance that plays and speaks nothing; for tests.
    pub(super) fn silent() -> Self {
        Self { sounds: None, words: None, mute: Arc::default() }
    }

    /// Plays a sound, if sounds are on. Never blocks: if the queue is full, the sound is dropped, since it would come
    /// too late.
    pub(super) fn play(&self, sound: Sound, settings: &Settings) {
        if settings.sounds {
            self.try_out(sound, settings.volume);
        }
    }

    /// Plays a sound even if sounds are off, for somebody who wants to hear it. Never blocks.
    pub(super) fn try_out(&self, sound: Sound, volume: u8) {
        if let Some(sounds) = self.sounds.as_ref().filter(|_| volume > 0) {
            let _ = sounds.try_send((sound, volume));
        }
    }

    /// Whether no program of the system could play the last sound.
    pub(super) fn is_mute(&self) -> bool {
        self.mute.load(Ordering::Relaxed)
    }

    /// Speaks a text, if speech is on. Never blocks.
    pub(super) fn speak(&self, text: &str, settings: &Settings) {
        if let Some(words) = self.words.as_ref().filter(|_| settings.speech && !text.trim().is_empty()) {
            drop(words.try_send((text.to_owned(), settings.language)));
        }
    }
}

fn play_all(played: &Receiver<(Sound, u8)>, mute: &AtomicBool) {
    while let Ok((sound, volume)) = played.recv() {
        let wav = sound.wav(volume);
        let heard = PLAYERS.iter().any(|(player, arguments)| play(player, arguments, &wav));
        mute.store(!heard, Ordering::Relaxed);
    }
}

/// Speaks the queued sentences. If many sentences were queued while others were spoken, only the newest are spoken: old
/// sentences no longer help.
fn speak_all(spoken: &Receiver<(String, Language)>) {
    while let Ok(first) = spoken.recv() {
        let mut waiting: Vec<(String, Language)> = std::iter::once(first).chain(spoken.try_iter()).collect();
        let newest = waiting.split_off(waiting.len().saturating_sub(NEWEST));
        if let Some((_, language)) = newest.last() {
            let words: Vec<&str> = newest.iter().map(|(words, _)| words.as_str()).collect();
            speak(&words.join(". "), *language);
        }
    }
}

/// Plays a sound with one program. Returns whether the program exists and played it.
fn play(player: &str, arguments: &[&str], wav: &[u8]) -> bool {
    let started = Program::new(player)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut started) = started else { return false };
    let given = started.stdin.take().is_some_and(|mut input| input.write_all(wav).is_ok());
    started.wait().is_ok_and(|status| status.success()) && given
}

/// Speaks with a program of the system: Speech Dispatcher, or `say` on a Mac.
fn speak(words: &str, language: Language) {
    let speakers: [(&str, Vec<&str>); 2] =
        [("spd-say", vec!["--wait", "-l", language.tag(), "--", words]), ("say", vec![words])];
    for (speaker, arguments) in speakers {
        let spoken = Program::new(speaker)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if spoken.is_ok() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_is_a_whole_wav_file() {
        let wav = Sound::Warning.wav(80);
        assert_eq!(wav.get(..4), Some(b"RIFF".as_slice()));
        let said = u32::from_le_bytes([wav[40], wav[41], wav[42], wav[43]]);
        assert_eq!(usize::try_from(said).expect("small"), wav.len() - 44);
        assert_eq!(u16::from_le_bytes([wav[34], wav[35]]), 16);
        assert_eq!(u32::from_le_bytes([wav[24], wav[25], wav[26], wav[27]]), RATE);
        let loudest = |volume| {
            let wav = Sound::Flag.wav(volume);
            wav[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]).unsigned_abs()).max()
        };
        assert!(loudest(100) > loudest(20) && loudest(0) == Some(0));
    }

    #[test]
    fn sounds_are_short_and_quiet_and_differ() {
        let mut heard = Vec::new();
        for sound in Sound::ALL {
            let millis: u32 = sound.tones().iter().map(|(_, millis)| millis).sum();
            assert!(millis <= 500, "{sound:?} lasts {millis} ms");
            let wav = sound.wav(100);
            let loudest =
                wav[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]).unsigned_abs());
            assert!(loudest.max().is_some_and(|value| value <= 9_000), "{sound:?}");
            assert!(!heard.contains(&wav), "{sound:?} sounds like another");
            heard.push(wav);
        }
    }

    #[test]
    fn nothing_waits_for_a_queue_that_nobody_empties() {
        let ((sounds, played), (words, spoken)) = (sync_channel(2), sync_channel(2));
        let aloud = Aloud { sounds: Some(sounds), words: Some(words), ..Aloud::silent() };
        let settings = Settings { speech: true, ..Settings::default() };
        for _ in 0..1_000 {
            aloud.play(Sound::Press(Color::White), &settings);
            aloud.speak("White: press the clock", &settings);
        }
        assert_eq!((played.try_iter().count(), spoken.try_iter().count()), (2, 2));
    }

    #[test]
    fn what_is_switched_off_is_not_heard() {
        let ((sounds, played), (words, spoken)) = (sync_channel(2), sync_channel(2));
        let aloud = Aloud { sounds: Some(sounds), words: Some(words), ..Aloud::silent() };
        let settings = Settings { sounds: false, speech: false, ..Settings::default() };
        aloud.play(Sound::Flag, &settings);
        aloud.speak("White", &settings);
        assert_eq!((played.try_iter().count(), spoken.try_iter().count()), (0, 0));
    }
}
