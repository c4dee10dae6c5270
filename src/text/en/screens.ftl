# The texts of the screens. The English of the table's own sentences is in the code; their translations are in
# sentences.ftl. Keep the names of the variables when you translate.

## Everywhere
white = White
black = Black
piece-king = king
piece-queen = queen
piece-rook = rook
piece-bishop = bishop
piece-knight = knight
piece-pawn = pawn
white-king = white king
white-queen = white queen
white-rook = white rook
white-bishop = white bishop
white-knight = white knight
white-pawn = white pawn
black-king = black king
black-queen = black queen
black-rook = black rook
black-bishop = black bishop
black-knight = black knight
black-pawn = black pawn
letter-king = K
letter-queen = Q
letter-rook = R
letter-bishop = B
letter-knight = N
letter-pawn = P
yes = Yes
answer-leave = Leave
answer-stay = Stay
answer-close = Close
answer-play-on = Play on
answer-end = End the match
answer-fold = Fold
answer-keep-cards = Keep the cards
answer-all-in = All in
answer-less = Bet less
answer-drawn = A draw
answer-new-game = New game
answer-not-yet = Not yet
no = No
copy = Copy
print = Print
save = Save
game-choker = Choker
game-chess = Chess
game-poker-chess = Poker Chess
game-pokerdrez = PokerDrez
game-chess-joker = Chess Joker
game-clock = Clock only

## The row above
page-table = Table
page-play = Play
page-record = Record
page-devices = Devices
page-decks = Decks
page-learn = Learn
page-settings = Settings
arbiter = Arbiter
second-window = Second window
clock-face = Clock face
board-none = No board
board-connecting = Looking for the board
board-connected = Board connected
board-differs = Board differs
board-lost = Board lost

broken = Tabiya has stopped working. Nothing that was played is lost: close the window and start Tabiya again.

## First screen
carry-on = Carry on
carry-it-on = Carry it on
more-matches = { $count } more
date-and-time = { $day } { $name } { $year }, { $time }
date-alone = { $day } { $name } { $year }
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December
put-aside = Do not offer this match again; it stays in the records
carry-on-match = { $game }, game { $number }, begun { $begun }
preset-club = Club
preset-tour = Tour
preset-blitz = Blitz
preset-slow = Slow
preset-line-club = 100 big blinds per player, fixed blinds, 2 minutes per player for placing and playing.
preset-line-tour = 10 big blinds per player, blinds rise after every game, 3 minutes per player.
preset-line-blitz = A short match without increment.
preset-line-slow = 15 minutes per player, and 10 seconds more for every move.
preset-line-own = Your own saved terms “{ $name }”.
preset-line-none = As you chose. Ready-made terms:
stacks-of = { $a } { $chips_a } chips, { $b } { $chips_b }
preset-name = Name for these terms
keep-preset = Keep
forget-preset = Forget “{ $name }”
known-names = Known names for { $seat }
toss = Toss a coin
coin-says = The coin says: { $name } has White
watch-demonstration = Watch a game
demonstration-line = New here? A short game plays itself in a minute.
demonstration = Demonstration
who-plays = Who plays?
swap-colors = Swap colours
time = Time
time-custom = Custom …
time-custom-title = Custom time
time-use = Use this time
time-leave = Leave
each-has = Each has { $time }.
clocks-show = At the start the clocks show { $time }.
sixty-moves = A game of 60 moves takes at most { $time }.
sixty-moves-title = A game of 60 moves takes at most
more-moves = { $count } more moves
time-for-each = { $time } each
their-seconds = their seconds
speed-standard = Classical
speed-rapid = Rapid
speed-blitz = Blitz
speed-bullet = Bullet
method-increment = Adds each move
method-delay = Delay
method-bronstein = Bronstein
method-byoyomi = Byo-yomi
method-hourglass = Hourglass
method-plain = No bonus
method-canadian = Canadian
method-per-move = Per move
method-count-up = Counts up
method-untimed = No clock
stage-nth = Stage { $number }
stage-moves = { $count } moves
stage-rest = all other moves
stage-periods = { $count } periods
stage-remove = Remove { $stage }
one-stage = A stage
part-less = { $what }: less
part-more = { $what }: more
part-moves = moves
part-time = time
part-seconds = seconds
part-periods = periods
game-line-choker = bet, place, play
game-line-chess = on a real board
game-line-poker-chess = five pieces, one hand
game-line-pokerdrez = cards move the pieces
game-line-chess-joker = a card can change it all
game-line-clock = two clocks, nothing else
more-rules = More rules
rules-usual = as usual
rules-changed = changed: { $count }
rules-of = Rules of { $game }
rules-done = Done
own-presets = Your own terms:
set-up = Set it up like this
try-simulated = Try a simulated one
save-as = Save …
time-each = Time for each
time-a = Time of A
time-b = Time of B
time-white = Time of White
time-black = Time of Black
share-both = same time for both
share-seats = time by player
share-colors = time by colour
time-line = Write minutes and seconds as people say them: 5+3, 90 plus 30, 15 min. Or write seconds as in the record: 40/5400+30:1800+30, 600:5x30. A single - means no limit.
stack-a = Chips of A
stack-b = Chips of B
small-blind = Small blind
rising = Blinds rise after every game
limit-no = no limit
limit-pot = pot limit
limit-fixed = limit
fixed-bet = Bet
raises = Raises per street
empress = Empress
empress-line = With three of a kind and a pair, the third of the three cards becomes a queen.
becket = Becket
becket-line = For sets with only two rooks: with RRPPP the third pawn becomes a bishop, not a rook.
castling = Castling
castling-line = A king and a rook placed on their home squares may castle.
from-usual = usual position
from-fen = from a FEN
from-board = position on the board
chess960 = Chess960
chess960-number = Position (0 to 959)
draw-position = Draw another position
deal-cards = Cards under the board: a deal by name, or a list
named-deals = Named deals
random-deal = Random deal
wipeout = Lead that wins at once
mate-bonus-agreed = Worth of a mate agreed
mate-bonus = Worth of a mate
choice-best = Best hand counts
choice-player = Players name their hands
decks-1 = One deck
decks-2 = Two decks
stuck-redraw = No card helps: new cards again and again
stuck-draw = No card helps: new cards once, then a draw
for-chips = Play for chips
least-stake = Least stake
highest-stake = Highest stake
row-of-cards = Row
stock-is = Stock: { $count }
holds = { $name } holds: { $card }
holds-hidden = { $count ->
    [one] { $name } holds one hidden card
   *[other] { $name } holds { $count } hidden cards
}
hand-of-cards = { $name }’s hand
lay-open = { $card } of the row
lay-own = { $card } of the hand
put-into-row = { $card } into the row
card-laid = { $name } laid: { $card }
die-of = { $name }’s die
die-shows = shows { $pips }
die-waits = still to be thrown
throw-was = Thrown: { $pips }
throw-the-die = Throw the die here
keep-pawns = Keep all pawns
remove-hint = or click the pawn that is taken off
pick-row = Open cards: { $cards }
pick-row-short = Open cards
deal-these = Deal these five
picked-none = none yet
exchange = Exchange a neutral card …
exchange-short = Exchange …
exchange-of = Neutral card of { $from ->
    [own] the hand
   *[common] the row
} for { $card }
exchange-stock = a card of the stock
exchange-open = an open card
exchange-which = Which card came?
exchange-opponent = a card of { $name }’s
exchange-card = { $card } ({ $with ->
    [stock] stock
    [common] row
   *[opponent] opponent
})
show-both = Show both cards: { $cards }
show-both-short = Both cards
show-these = Show these two
raise-by-one = Raise the stake to { $to }
moved-first = The piece that was moved needs:
fen = FEN
to-move = To move:
no-board-yet = No board is connected; connect one on the Devices page.
press-clock = a turn ends when its player presses the clock
press-auto = a turn ends when the board stops changing
voice-casual = casual: players see all messages
voice-event = event: only the arbiter sees claims and faults
games = Number of games (0: until a stack is empty)
bet-seconds = Seconds for a bet (0: no limit)
inventory = The pieces in your set
inventory-on = Agree on the number of pieces
count-board = Count the pieces on the board (all stand on it)
set-of = { $color } { $piece }
one-less = One { $what } less
one-more = One { $what } more
agree-becket = Agree on Becket
sheet-path = File for the match sheet
begin = Begin the match

## Table
stage-deal-2 = deal 2
stage-deal-1 = deal 1
stage-pawns = Pawns
stage-deal = Deal
stage-bet = bet
stage-bets = { $number ->
    [1] 1st bets
    [2] 2nd bets
    [3] 3rd bets
   *[other] { $number }th bets
}
stage-placement = Placing
stage-chess = Chess
stage-now = Stage: { $stage }
chips = { $count ->
    [one] { $count } chip
   *[other] { $count } chips
}
pot-is = Pot { $count }
hands-score = Hands: White { $white }, Black { $black }
hands-won = Hands won
hands-won-by = { $count ->
    [one] { $name } has won one hand
   *[other] { $name } has won { $count } hands
}
hands-win = { $name } wins
lead-level = level; { $lead } ahead wins at once
lead-is = { $name } leads by { $count }; { $lead } ahead wins at once
hand-level = This hand is level: { $both }
hand-leads = { $name } leads this hand: { $better } against { $worse }
hand-leads-same = { $name } leads this hand: { $better }, but higher
ranks-A = aces
ranks-K = kings
ranks-Q = queens
ranks-J = jacks
ranks-T = tens
ranks-9 = nines
ranks-8 = eights
ranks-7 = sevens
ranks-6 = sixes
ranks-5 = fives
ranks-4 = fours
ranks-3 = threes
ranks-2 = twos
named-pair = pair of { $first }
named-two-pair = two pairs, { $first } and { $second }
named-three = three { $first }
named-full-house = full house, { $first } and { $second }
named-four = four { $first }
hand-has = { $name }’s hand: { $card }
name-hand = { $name }: choose the hand
hand-missing = { $count ->
    [0] All its pieces are chosen; another one can still be clicked
    [one] One more piece: click it on the board
   *[other] { $count } more pieces: click them on the board
}
no-hands-yet = No hand has been decided yet
choose-hand = { $color }: name this hand
hand-line = { $number }. { $white } against { $black }: { $won }
learn-moves = Show what moves do to the hands:
move-line = { $move }: { $white } against { $black }: { $won }
study-hands = show what moves do to hands …
learn-agrees = { $name } agrees
lead-plot = White’s lead after each hand: { $leads }
seat-name = { $color }: { $name }, { $chips } chips
clock-running = { $color }’s clock runs: { $left }
clock-runs = a chess clock runs
arbiter-waits = The arbiter is needed: { $white } – { $black }
clock-standing = { $color }’s clock: { $left }
clock-paused = { $color }’s clock, paused: { $left }
clock-fallen = { $color }’s flag has fallen: { $left }
card-open = { $color }’s open card: { $card }
card-placed = { $color }’s { $card }, placed as { $piece } on { $square }
can-come = Can come: { $pieces }
mark-chosen = chosen
mark-lit = possible square
mark-last = last move
mark-check = in check
mark-wrong = wrong
mark-stand-in = stand-in
to-act = to act
board-cursor = Board, cursor on { $square }
way = { $number }: { $way }
announce-promoted = Promoted
announce-demoted = Demoted
announce-palace = Palace
announce-empress = Empress
announced = { $word }: { $piece }
deal = Cards are dealt
deal-again = Deal again
fold = Fold
fold-again = Fold: again
fold-loses = { $name } takes the pot of { $pot }.
armed-again = { $what }? { $key } again
armed-fold = Fold
armed-all-in = Whole stack
armed-raise = Raise to the whole stack
armed-draw = Offer a draw
check = Check
call = Call { $count }
raise-to = Raise to { $count }
bet-of = Bet { $count }
raise-adds = { $count } more
raise-slider = Raise
raise-range = { $least } to { $most }
amount = Amount
amount-least = least
amount-half-pot = ½ pot
amount-pot = pot
amount-most = all-in
amount-highest = highest
all-in = All-in
reveal = Turn over { $card }
place-as = Place the card as
promoting = { $name }: { $move }
promotion-hint = Click a piece or press its letter. Enter: queen. Esc: put the pawn back
promotion-back = Put the pawn back
place-it = { $name }: place the { $what }
press = { $color }: press the clock
pause = Stop the clocks
paused = The clocks are stopped
thinks-so-far = { $name } thinks, { $time } so far
thinks = { $name } thinks
is-to-press = { $name } is to press the clock
as-the-board-stands = As the board stands
is-to-move = { $name } is to move
pot-word = Pot
bets = { $name } bets { $count }
put-right = Put the board right
press-counts = { $name } pressed at { $left }; it counts once this is done.
fixes-more = + { $count } more
press-waits = press waits
press-now = { $name }: press the clock
stands-not-pressed = { $what } stands; not pressed yet
not-pressed-yet = not pressed yet
seen-not-pressed = seen: { $what }; not pressed yet
take-it-back = Take it back
leave-it = Leave it
clocks-after = Then { $name } is to act with { $left }; { $other } has { $rest }.
take-back-how-far = Take back how far?
take-back-asks = Take back …
why-stopped = Why? It can be left out
set-the-clocks = Set the clocks …
reason-other = Other …
has-white = { $name } has White
score-in-games = { $left } – { $right } in games
chips-word = chips
clock-waits = { $left } waits
fix-move = from { $from } to { $to }
fix-put = put it on { $to }
fix-off = take it off { $from }
fix-done = done
take-press-back = Take my press back
something-else = Type what was played …
key-space = Space
key-ctrl = Ctrl
key-shift = Shift
key-alt = Alt
key-escape = Esc
key-enter = Enter
key-tab = Tab
key-backspace = Backspace
key-delete = Delete
key-insert = Insert
key-home = Home
key-end = End
key-pageup = Page Up
key-pagedown = Page Down
key-up = Up
key-down = Down
key-left = Left
key-right = Right
resume = Go on
face-facing = Put the halves face to face
face-beside = Put the halves side by side
move-of = move { $count } of { $all }
swap-sides = Swap sides
half = { $name }: { $clock }. Press the clock
moves-made = { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
offer-draw = { $color } offers a draw
offer-draw-asks = ½ Offer a draw …
offer-draw-short = ½ Draw …
offer-draw-again = { $color } offers a draw: again
accept-draw = { $color } accepts the draw
decline-draw = { $color } declines
claim-draw = { $color } claims a draw
give-up = Resign …
resign = { $color } resigns
wins = { $name } wins
drawn = Drawn
change-result = Change it …
no-result = No result
takes = { $name } takes { $count } chips
bets-back = everybody takes his bets back
match-over = The match is over
agree-to-show = { $name } agrees: all cards may be shown
confirms-result = { $name } confirms the result
cards-may-be-shown = Both players agree: an export of the match shows all cards
next-game = Next game
leave-table = Leave the match …
leave-clock = Leave the clock …
leave-line = It stays as it is and can be carried on.
end-the-match = End the match …
end-line = For good: you say who gets what is in the pot.
ended-by-players = the players agreed to stop
menu = Menu
game-number = Game { $number }
type-a-line = Type a move or a word
open-line = Open the line for words
close-answer = Close the answer
lifted = Lifted: { $what }

## Why a button is off
off-amount = The amount must be from { $least } to { $most }
off-least = This is the least amount
off-most = This is the highest amount
off-stopped = The clocks stand already
off-over = The game is over
off-event = At events only the arbiter takes back
off-not-begun = Nothing has been done yet
off-hand = Choose the other pieces of the hand on the board first
off-row = Choose five cards first
off-stands-right = The board stands as the table expects
off-declare = Say first what the card does
off-card = Write the code of the card first
off-time = Write a time first, such as 1:30
off-counters = No number was changed
off-chips = No chips were changed
off-no-card = No card is open
off-square = Name the square first
off-fen = Write a position first
off-beginning = This is the beginning
off-end = This is the end
off-position = This game has no position to copy

## Arbiter
alerts = What was said
claim-flag = { $color } claims the flag
reason = Reason, may be left out
reason-illegal = Illegal move
reason-phone = Phone
reason-clock = Clock fault
reason-agreed = Agreed
reason-first = Without a reason the record names the act itself. The reason may follow when the clocks are stopped.
undo-ruling = Take back the last ruling
of-the-laws = Laws of Chess, { $articles }
no-ruling = No ruling
typed-as = Typed: { $line }
redo-inputs = Restore
rule-take-back = Take back
take-back-count = Take back { $count }
nothing-to-take-back = Nothing can be taken back now.
close-drawer = Close
rule-clocks = Clocks
clock-now = { $name } { $left } →
set-word = Set
set-clock = Set { $color }’s clock
time-by-arbiter = time given by the arbiter
rule-chips = Chips
stack-of = Chips of { $name }
put-in-by = In the pot from { $name }
chips-added = Chips were added to or taken off the table
count-chips = Compare the counted chips with the stacks
move-chips = Set the chips
rule-cards = Cards
wrong-card = The open card was read wrongly: take the card back
false-at = Wrong piece on
right-piece = Right piece
right-on = On another square
correct = Correct the piece
fouled = The deal is fouled
rule-position = Position
set-position = Set the position
gives-turn = { $color } is to act
voice-fixed = This was agreed for the whole match and cannot be changed.
rule-result = Result
end-match = End the match

## Record
this-match = This match
this-evening = This evening
no-match = No match is in progress.
back-to-now = Back to now
phase-bet = bet
phase-deal = deal
phase-place = placement
phase-chess = chess
phase-hand = choosing hands
phase-pawns = taking pawns off
phase-play = play
phase-confirm = waiting for a yes
phase-draw = drawing a card
phase-clock = clock
phase-over = over
phase-match-over = match over
game-at = Game { $number }: { $phase }
file-name = File
open-record = Look at a record …
record-file = Record file
look-at-record = Look at this file
drop-here = Drop a record here to look at it
write-pgn = Write PGN
write-jsonl = Write JSON Lines
write-sheet = Write match sheet
write-story = Write story
write-csv = Write CSV
export = Export
records = Records
open-match = Open
no-records-yet = No record has been kept yet.
no-matches-yet = Nobody has played this evening yet.
playing = playing
reason-at-move = { $reason }, move { $move }
score-sheet = Score sheet
tab-moves = Moves
tab-hands = Hands
tab-log = Log
tab-cards = Cards and bets
tab-all = Everything
thought = { $time } thought
clock-showed = the clock showed { $white } and { $black }
clock-differs = by the record { $color } had { $record }, { $seconds } s apart
to-beginning = To the beginning of the game
one-back = One back
one-on = One on
to-end = To the end of the game
copy-position = Copy position
street = { $number ->
    [1] 1st
    [2] 2nd
    [3] 3rd
   *[other] { $number }th
}
pot-after = Pot after the { $street } bets: { $count }
time-of-move = { $number }, { $color }: { $time }
export-pgn = PGN
export-pgn-line = for any chess program
export-sheet = Match sheet
export-sheet-line = to print and sign
export-story = Story
export-story-line = what happened, in words
export-record = Record
export-record-line = every line, as JSON Lines
export-csv = Results
export-csv-line = of the evening, as a table (CSV)
export-print = Print
export-print-line = the match sheet
print-sheet = Print the match sheet
goes-to = A name without a folder goes to { $folder }
open-folder = Open folder
games-count = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
stacks-over-games = Chips after each game
time-over-moves = Time for each move
evening-file = Saved in { $path }
standings = Standings
chips-over-evening = Chips over the evening
evening-empty = Begin a match: its games, chips and debts are added up here. Older matches are under “Records”.
evening-facts = { $count ->
    [one] 1 match
   *[other] { $count } matches
} · { $players } players
won = Won
draws = Drawn
lost = Lost
chips-won = Chips
chip-worth = What a chip is worth
chip-worth-form = write an amount such as 0.10
matches = Matches
match-line = { $game }: { $a } – { $b }, { $begun }
in-progress = in progress
no-moves = No chess moves yet.

## Devices
board = Board
boards = Boards
connected = connected
board-not-found = Board not found
searching = looking …
searched = looked { $seconds } s ago
searched-at = looked { $ago } ago
found-nothing = Nothing was found, neither at a USB port nor over Bluetooth (if it is on here). Plug a board in or switch it on, then look again.
found-no-other = No other board was found.
boards-line = Plug a board in or switch it on, then press “Find boards”.
clock-at-board = { $clock } at the board
turn-clock = The clock stands the other way round
is-simulated = simulated
by-program = by a program on this computer
signal-good = good
signal-fair = fair
signal-weak = weak: bring it nearer
may-be-a-board = This device may be such a board.
no-board-at-hand = No board at hand?
simulate-one = Choose a simulated one; the table treats it like a real board.
simulate-maker = Simulate { $maker }
for-experts = For experts
for-experts-line = address, what the board reports, raw bytes
sensor-anew = Begin anew
sensor-no-board = Connect a board to see its squares here.
squares-felt = { $count } of 64 felt
restless = { $square } has changed { $count } times, far more often than the others: clean its contact.
address = Address
address-line = auto, or a maker and a connection: dgt:/dev/ttyACM0, dgt:COM3, dgt:tcp:HOST:PORT, chessnut:ble, livechess:auto. Makers: { $makers }
connect = Connect
find-boards = Find boards
devices-and-test = Devices and sensor test …
disconnect = Let go
read-board = Read again
connect-to = Connect to { $what }
lost-because = Connection lost: { $why }
fact-address = Address
fact-maker = Maker
fact-version = Version
fact-serial = Serial number
fact-clock = Clock
charging = charging
monitor = Raw bytes
monitor-on = Show them
capture-file = File for the raw bytes
start-capture = Save them
stop-capture = Stop saving to { $path }
simulated-board = Simulated board
simulated-at-table = Move the pieces on the drawn board as a hand would; the table reads it like a real one.
simulated-no-lever = Move the pieces on the drawn board as a hand would. It has no clock of its own: press with the key of the clock.
presses-lever = { $name } presses
simulated-line = Drag the pieces as you would move them on a real board. Tabiya reads this board like a real one.
no-lever = This board has no clock of its own: press with the key of the clock.
pull-plug = Pull the plug
plug-in = Put the plug back
set-as-table = Set up as the table expects
from-box = From the box: { $piece }
put-piece = Put a { $piece }
box-line = Choose a piece, then click the squares to put it on. Click a square with the same piece to take it off.
sensor-test = Sensor test
sensor-line = Lift a piece and put it on every square once.
sensor-on = Begin the test
changed-times = { $square }: { $count } changes

## Learn
rules-in-short = The rules in short
choker-rules-1 = Choker is poker with chess cards, then chess with what you were dealt. The kings stand on e1 and e8, with a pawn in front of each. White posts the small blind, Black the big one.
choker-rules-2 = Each player gets two cards, and there is a round of betting. Two more cards and a second round follow, then one more card and a third round. White bets first in the first and third round, Black in the second.
choker-rules-3 = A player who folds gives up the pot. If nobody folds, the pot is fixed, and the cards become pieces on the board.
choker-rules-4 = The players take turns, and White begins: turn a card over, put its piece on the board, then press the clock. You choose the order of your cards.
choker-rules-5 = Put pawns on your second, third or fourth rank, and all other pieces on your first or second. Two bishops must stand on squares of different colours.
choker-rules-6 = You can have one queen and two each of rooks, bishops and knights. Any more of these become pawns. The third pawn that you were dealt becomes a rook; the fourth and the fifth become queens.
choker-rules-7 = Palace: with one card of each kind, the pawn becomes a queen. Empress: with three of a kind and a pair, the third of the three becomes a queen. Becket, if agreed: RRPPP becomes R R B P P. Say “promoted”, “demoted” or “Palace” when you place a changed piece.
choker-rules-8 = Then you play chess, and White moves first. Mate, time or resignation wins the pot. After a draw both players take their own chips back.
choker-rules-9 = Then the colours are swapped and the cards are dealt again. The match ends when one player has all the chips.
poker-chess-rules-1 = Poker Chess is chess, and each turn also a hand of poker. It was published by Ralph Betza in 2003.
poker-chess-rules-2 = A card of a deck of 52 lies under each square, open all game: red ones on White’s half, black ones mirrored on Black’s. Under twelve squares in the middle there is none.
poker-chess-rules-3 = After each move of Black’s both players form a hand: the cards under their four highest pieces (king, queen, rook, bishop, knight, pawn) and under one of the lowest.
poker-chess-rules-4 = Hands rank as in poker. A square without a card brings nothing, and a missing card is lower than any. Equal hands score for nobody.
poker-chess-rules-5 = Who leads by the agreed number of hands, usually five, wins at once.
poker-chess-rules-6 = Mate ends the game and is worth some hands, so who mates may still lose. Stalemate, repetition and fifty moves end it, too. Then the higher score wins.
poker-chess-rules-7 = Who resigns or runs out of time has lost, ahead or not.
pokerdrez-rules-1 = PokerDrez is chess in which every move uses up a card. Before the game each player may take one of his own pawns off, Black first.
pokerdrez-rules-2 = Each player has two cards, and five lie open. A card moves its piece, the joker any piece, and every card the king. Castling is a move of the rook.
pokerdrez-rules-3 = In your turn lay a card of your hand or of the row, move, and draw. If the card came from the row, one of your three takes its place.
pokerdrez-rules-4 = Cards of a kind that you have lost are jokers. A neutral card may be exchanged for one of the stock, an open one, or one of the opponent’s.
pokerdrez-rules-5 = Black has the die first. Throw it before you lay a card: 1 to 6 are pawn, knight, bishop, rook, queen, joker. Then the other has it.
pokerdrez-rules-6 = If nothing that you have moves anything, show your cards and draw two new ones; in check that is mate. When the stock is empty, plain chess is played.
pokerdrez-rules-7 = With stakes, a player may raise before his move; the other accepts, raises more, or has lost. Who raised last has to win.
chess-joker-rules-1 = Chess Joker is a game by Carl Chudyk (2025): chess with a card before each player. Who has 800 points wins, and so does who mates.
chess-joker-rules-2 = In your turn either make a move of chess, which discards your card, or use the whole effect of the card, which scores its Elo points. Then draw the next card and press.
chess-joker-rules-3 = White draws no card in his very first turn. The game is drawn when no card is left.
chess-joker-rules-4 = If a bold piece of your card is missing, any other may take its part (masquerade). The card then scores 25.
chess-joker-rules-5 = A card whose effect could capture your king gives check. Who is in check when his turn begins scores 25.
chess-joker-rules-6 = With three pieces or fewer at the beginning of your turn, your opponent scores 25 (Last Stand).
chess-joker-rules-7 = Cards are typed as they are printed, in a small language. A card that is not written is played by saying what it does, and the opponent says yes or no.
chess-joker-rules-8 = Texts, names and marks of the cards belong to their owners. Only the six cards of the rulebook come with Tabiya.
all-hands = All hands
search-hands = Find hands by card letters or rule name
lesson-begin = Play a first match, step by step
lesson-next = Next step
lesson-end = Back to Learn
lesson-leave = Leave the lesson
lesson-over = That was a match of Choker. Begin one with your own cards and board: Play.
hands-found = { $count ->
    [one] { $count } hand
   *[other] { $count } hands
}
hand-unchanged = Nothing changes.
hand-plain = Extra pieces become pawns. The third dealt pawn becomes a rook, the fourth and fifth become queens (Choker rules 8a, 8b).
hand-palace = Palace: with one card of each kind, the pawn becomes a queen (Choker rule 8d).
hand-empress = Empress: with three of a kind and a pair, the third of the three becomes a queen (Choker rule 8e).
hand-becket = Becket: the third pawn becomes a bishop (Choker rule 8c).

## Settings
look = Language and look
look-system = As the system
look-dark = Dark
look-light = Light
look-contrast = High contrast
reduced-motion = Reduced motion
board-brown = Brown board
board-green = Green board
board-blue = Blue board
board-grey = Grey board
below = { $color } at the bottom
settings-board = Board and words
settings-clock = Clock
text-size = Text size
sounds = Sounds
sounds-on = Play sounds
volume = Volume
hear = Hear
hear-sound = Hear: { $what }
no-player = No program of this system plays sounds: pw-play, paplay and aplay are tried.
sound-press-white = White presses the clock
sound-press-black = Black presses the clock
sound-warning = Little time left
sound-stage = The next stage or period
sound-flag = A flag falls
sound-refused = Something is refused
sound-over = A game is over
sound-card = A card is turned over
sound-chips = Chips go into the pot
sound-bell = The arbiter is needed
speech-on = Speak prompts, moves, lifted pieces and times
speech-line = Spoken by the system’s own voice (Speech Dispatcher), if one is installed.
second-copy = Second copy
copy-folder = Folder on another disk
copy-line = Every match is copied into this folder while it is recorded. It may be a USB stick or a network folder; if it is gone, the match goes on, and the copy catches up.
copy-complete = The copy is complete.
copy-behind = The copy lacks { $lines ->
    [one] one line
   *[other] { $lines } lines
}
warnings = Warn at (seconds left)
warnings-line = Up to five numbers, for example 30 10.
lever-side = White's lever on the physical clock, seen from its front
lever-guess = the table finds out
lever-left = left
lever-right = right
lever-line = The table compares the first presses with the board. In a match, “clock-side” exchanges the sides.
keys = Keys
keys-line = While you type in a field, these keys only type letters.
keys-clock-line = At the clock, the letters on the left half of the keyboard press for the player opposite you. The letters on the right half, all digits and signs, and Enter (also on a number pad) press for you.
press-a-key = Press the new key
change-key = Change { $what }
key-taken = { $key } is already used for “{ $what }”; choose another key.
usual-keys = Restore the usual keys
command-press = Press the clock
command-deal = Cards are dealt
command-fold = Fold
command-call = Check or call
command-raise = Raise to the chosen amount
command-least = Set the raise to the least
command-half-pot = Set the raise to half of the pot
command-pot = Set the raise to the pot
command-all-in = Set the raise to the whole stack
command-queen = A queen is turned over
command-rook = A rook is turned over
command-bishop = A bishop is turned over
command-knight = A knight is turned over
command-pawn = A pawn is turned over
command-draw = Offer a draw
command-next = Next game
command-sign = Confirm the result
command-pause = Stop the clocks, or go on
command-undo = Take back
command-redo = Restore
command-yes = Yes
command-no = No, or back to the table
command-type = Type a move or a word
command-turn = Turn the board around
command-arbiter = Arbiter’s drawer
command-face = Clock face
command-public = Second window
command-full-screen = Full screen
command-jump = Jump between board, middle and bar
command-open = Look at a record
command-help = This page
once-more = Once more
another-clock = Another clock
back-to-table = Table
another-match = Another match
counter-moves = moves
counter-periods = periods
set-counters = Set { $color }’s counters
time-unsure = This can mean several things. Is it
time-wrong = “{ $rest }” is not understood. Write 5+3 or 15 min, or choose a known time.
time-unfinished = This time is not finished. Write 5+3 or 15 min, or choose a known time.
run-on = The other clock runs on after a flag has fallen
first-increment = The clocks start with the first increment added
put-away = Close this match
look-at-it = Look at it
terms-wrong = These terms cannot be played yet:
flag-first = fell first
clock-stage = stage { $stage } of { $stages }
clock-periods = periods left: { $periods }
clock-free = { $seconds } s free
clock-block = moves left in this block: { $moves }
clock-up = counts up
tenths-below = Show tenths below (seconds; 0: never)
device-clock = The physical clock at the board keeps the time

## Cards with chips
readers = Card readers
readers-on = Look for card readers
readers-deals = Cards are also read while they are dealt: the record contains the sealed hands
readers-looking = Looking for card readers …
readers-none = No card reader is plugged in: plug one in, and Tabiya will find it.
reader-owned = This reader belongs to { $name }.
reader-shared = Shared: both players lay their cards on this reader.
reader-dealers = The dealer’s reader: cards are dealt over it.
reader-nobodys = Nobody’s reader yet: it will belong to the first player who lays a card on it in their turn.
reader-give = { $name }’s
reader-forget = Nobody’s
deck-in-use = Cards with chips:
deck-none = none
decks-none = There is no deck yet. Make one below, or import one from another computer.
pack-choker = Choker, { $count } cards
pack-pokerdrez = PokerDrez, { $count } cards
pack-pokerdrez-double = PokerDrez, two decks, { $count } cards
deck-written = { $pack } with written chips, made { $made }
deck-adopted = { $pack }, no chip written, made { $made }
deck-mixed = { $pack }, some chips written, made { $made }
deck-audit = Check the deck
deck-replace = Is a card damaged? Choose its face to replace it:
deck-replace-one = Replace a { $card }
deck-path = New file for the export
deck-export = Export
deck-remove = Remove …
deck-remove-sure = Once this deck is removed, nobody can know the faces of its cards any more. Remove this deck?
deck-new = Make a deck
deck-step-1 = 1. Name it, and choose its cards
deck-step-2 = 2. Print the cards, if you have none
deck-step-3 = 3. Give each card its chip
deck-busy = Finish or leave the deck at the right first.
deck-nameless = Type a name for the deck first.
deck-name = Name of the new deck
deck-write = Write a number to the chip of each card (NTAG213 or NTAG215)
deck-adopt = Only note the chips’ own numbers: any chip will do, but a copied card is harder to notice
deck-asked = Tabiya asks for the cards in a random order
deck-print = Cards to print and cut out (PDF):
deck-print-for = Print { $pack } on { $paper }
deck-begin = Begin the new deck
deck-take = Import a deck
deck-file = Deck file to import
deck-import = Import
decks-about = Cards with chips
decks-about-1 = The 44 cards of Choker and the 56 or 112 of PokerDrez can carry NFC chips. Then a reader on each side reports which card was turned over or laid, and nobody has to type it.
decks-about-2 = Shuffle the cards before you make a deck of them: chips from one roll have consecutive numbers, so the numbers of a sorted deck would give the cards away.
decks-about-3 = Chips make logging easy; they do not make cheating hard. A chip does not contain the face of its card: only the deck’s file on this computer says which card has which face. Anyone who reads this file knows the faces of all cards.
decks-about-4 = Keep telephones away from the table. For money or titles play with plain cards.
deck-progress = { $done } of { $all }
step-tap = Lay down the next card
step-tap-card = Lay down a { $card }
step-write = Leave the card on the reader until its chip is written
step-face = Which card is it?
step-keep = All { $count } cards are there. Save the deck
step-check = The deck is saved. Lay all cards down once more, as a check
step-audit = Lay all cards down, in any order
step-others = Lay down the other cards with this face ({ $card })
step-new = Lay down the new card
deck-undo = Take the last card back
deck-keep = Save the deck
deck-last = Last card: { $card }
audit-line = “Finish” shows which cards are missing.
audit-all = All { $count } cards are there. If you have other cards left over, lay them down too; then finish.
deck-finish = Finish
deck-leave = Leave this
deck-leave-sure = This deck is not complete. You can go on with it later. Leave it now?
deck-begun = { $name }: not finished, { $count } of { $all } cards
deck-go-on = Go on
deck-go-on-with = Go on with { $name }
deck-to-come = Cards still missing:
deck-close = Close
verdict-whole = The deck is complete
verdict-wrong = { $count ->
    [one] One card does not belong to the deck, or its chip was rewritten: take it out, or replace it.
   *[other] { $count } cards do not belong to the deck, or their chips were rewritten: take them out, or replace them.
}
verdict-missing = Cards are missing. Find them, or replace them:
replace-missing = Replace { $card } { $copy }
kiosk-line = Full screen without a bar. { $key } ends the program.

## The cards of Chess Joker
simple = Simple game: without the starred cards
deck = Cards in the deck (0: as many as the game has)
confirm-other = the opponent confirms what an unwritten card does
confirm-none = nobody has to confirm what an unwritten card does
card-file-none = No file of cards: codes are typed, and what a card does is said and confirmed.
card-file-is = Cards: { $file } ({ $count } cards, { $written } with an effect)
card-file-path = File of cards (TOML, JSON or CSV)
card-file-use = Use this file
card-file-leave = Use no file
card-file-hint = The first card that you write begins a file of your own.
choose-card-file = Choose a file of cards …
write-card = Write a card …
deck-left = { $count ->
    [one] One card left in the deck.
   *[other] { $count } cards left in the deck.
}
points-said = { $color }: { $points } of { $goal } points
points-ended = { $white } to { $black } points
no-card = no card
card-before = Before { $name }: { $card }. { $text }
card-before-none = Before { $name }: no card
card-hidden = a card that nobody read
card-unwritten = not written: say what it does
card-not-in-file = This card is not in your file. You can draw it as it is, or write it first.
may-masquerade = may masquerade: { $pieces }
show-uses = Show what { $code } could do
check-by-card = Check to { $name } by the card
check-by-piece = Check to { $name }
check-by-both = Check to { $name } by piece and card
check-cut-short = The opponent’s card has too many uses to try them all for a check here
last-stand = Last Stand: { $name } has three pieces or fewer
card-pile = { $name } scored: { $up } · face-down: { $down }
card-code = Code
card-elo = Elo
card-elo-number = Elo points
card-star = Starred
draw-card = Draw { $code }
draw-a-card = Draw a card
draw-unknown = A card that nobody read
play-card = Play the card { $code }
play-use = Play { $code }: { $what }
card-back = Back
card-next-step = Next: on the board, or from this list
card-uses-cut-short = The card has too many uses to show them all. The others count too: type play and the steps
card-no-step = nothing yet
as-printed = as printed
plays-as = { $piece } as { $as }
declare-card = Play the card { $code }: say what it does
declare-hint = Click on the board what the card does, step by step.
declare-this = This is what the card does
step-goes = goes
step-adds = new piece
step-takes = taken off
step-becomes = becomes
step-swaps = change places
card-confirm = { $name }: yes, the card says so
card-reject = { $name }: no
claims-of = { $name } claims …
claim-card-check = check by the card
claim-card-mate = mate by the card
mark-card = the card could use it
mark-card-chosen = used by the card
mark-card-threat = the card threatens the king
card-form = A card of Chess Joker
card-effect = What it does, in the words of the card; a star before what is printed bold
card-effect-hint = For example: warp *knight to empty center
card-text = What is printed: shown with the card, never recorded
card-save = Save the card
card-close = Close
card-played-by = played by { $color }
card-no-use = It can do nothing on this board.
card-uses-here = { $count ->
    [one] On this board it can begin in one way.
   *[other] On this board it can begin in { $count } ways.
}

## Something is wrong
something-is-wrong = Something is wrong …
fault-title = Something is wrong
fault-purpose = Tabiya writes one file about it. Whoever repairs Tabiya can play the match and the board again from that file, and makes a test of it.
fault-content = In the file:
fault-program = the version of Tabiya and of the operating system
fault-devices = which kinds of boards and card readers were there
fault-bytes = what the board and Tabiya have sent to each other in the last five minutes
fault-record = the record of the match, with A and B for the names and … for each reason
fault-never = Not in it:
fault-no-names = names, dates, and names of files and computers
fault-no-secrets = codes, keys, and cards that were not turned over
fault-no-numbers = the numbers of boards and of cards
fault-sends-nothing = Nothing is sent. Read the file if you like, and give it to whom you like.
fault-write = Write the file …
fault-close = Close

## The console of an event
hall-need-you = { $count ->
    [one] { $count } needs you
   *[other] { $count } need you
}
hall-next = next
hall-nothing = Nothing has to be looked after.
hall-sorted = Sorted by what cannot wait. Enter does the gold one.
hall-taken = { $name } looks after it
hall-laws = Laws { $articles }
hall-at-table = Table { $table }: { $what }
hall-table = Table { $table }
hall-all-tables = All tables
hall-all = All
hall-alerts = Alerts
hall-bets = Bets
hall-placing = Placing
hall-chess = Chess
hall-stopped = Stopped
hall-done = Done
hall-no-match = No match
hall-mine = Mine
hall-newer = Newer program
hall-done-word-one = done
hall-run = { $count ->
    [one] runs
   *[other] run
}
hall-stopped-word = { $count ->
    [one] stopped
   *[other] stopped
}
hall-alerts-word = { $count ->
    [one] alert
   *[other] alerts
}
hall-done-word = { $count ->
    [one] done
   *[other] done
}
hall-bell-on = Turn the bell on
hall-bell-off = Turn the bell off
hall-stop-all = Stop all …
hall-order-it = Order it
hall-stop-them = Stop all tables
hall-replace-it = Give it this place
hall-not = Don’t
hall-join = Join
hall-joining = { $count ->
    [one] { $count } waits
   *[other] { $count } wait
}
hall-more-filters = More filters
hall-table-waits = Table { $table } needs the arbiter
hall-console-waits = The console needs somebody
hall-tables = Tables
hall-as-rows = Tables as rows
hall-as-tiles = Tables as tiles
hall-search = Name or table
hall-no-tables = No table has joined yet. J admits one.
hall-none-fits = No table fits. Esc clears the search; another filter shows others.
hall-to-act = to act
hall-gone = no link
hall-column-table = Table
hall-column-stage = stage
hall-column-time = time
hall-column-pot = pot
hall-column-result = last
hall-column-illegal = illegal
hall-column-board = board
hall-column-heard = silent
hall-board-lost = board lost
hall-reader-lost = reader lost
hall-illegal = illegal moves: White { $white }, Black { $black }
hall-silent = silent for { $since }
hall-sort = Sort by { $column }
hall-move = move { $number }
hall-last-result = last { $result }
hall-choose = Choose a table, or press N and type its number.
hall-no-match-says = There is no match on this table.
hall-newer-says = A newer program plays here. Its record is kept; only stopping and going on can be ordered.
hall-stop-table = Stop table { $table }
hall-resume-table = Table { $table } goes on
hall-time = ±1 min …
hall-take-back = Take back …
hall-result = Result …
hall-other = Other …
hall-open = Open the table
hall-back = Close
hall-off-link = This table has no link now.
hall-off-match = There is no match on this table to order anything about.
hall-reason = Reason, for the record
hall-reason-missing = Without a reason nothing is ordered.
hall-side-missing = First choose a side.
hall-order = Order it
hall-minute-more = Table { $table }: a minute more
hall-minute-less = Table { $table }: a minute less
hall-result-of = Table { $table }: result
hall-take-back-at = Table { $table }: take back the last action
hall-other-at = Table { $table }: another ruling
hall-other-choose = Choose one: type its number, or click it.
hall-other-control = Another time control from now on
hall-other-goes-on = The game goes on as before its end
hall-other-void = The game counts nothing and begins again
hall-other-match-ends = The match ends here
hall-other-deal = The deal is void
hall-other-typed = In the table’s own words
hall-other-which-control = Minutes, and seconds for each move, such as 5+3
hall-other-which-words = Words as they are typed at the table, with their reason
hall-why-clock = the clock was set wrongly
hall-why-disturbed = disturbed by the opponent
hall-why-late = came late
hall-why-left = has left the game
hall-why-telephone = a telephone rang
hall-why-button = the wrong button was touched
hall-why-misread = something else was played
hall-why-control = wrong time control
hall-why-too-early = it was ended too early
hall-why-start = wrong start position
hall-why-evening = the evening is over
hall-why-card = a card was seen
hall-why-dealt = wrongly dealt
hall-joins = A table joins
hall-digits = Type the six digits that the table shows
hall-admit-as = Admit as table { $table }
hall-admit = Admit
hall-no-authority = This console may not admit: the event's authority is at another one.
hall-both-confirm = Leave the digits up until the person at the table has compared them and said yes. Both confirm, so that no false table gets in, and no false console gets a table.
hall-waiting = { $count ->
    [one] { $count } computer waits
   *[other] { $count } computers wait
}
hall-agreed = its people have said yes
hall-not-agreed = its people have not said yes yet
hall-digits-not-here = Their digits are not in this list: they must come from the table itself.
hall-wrong-digits = Wrong digits admit nobody and are counted: { $count } so far.
hall-refuse = Refuse
hall-refuse-one = Refuse { $name }
hall-number-taken = Table { $table } has a computer that is here.
hall-replace = Replace the computer of table { $table } …
hall-phone-code = A code for a telephone
hall-phone-for = The arbiter’s name, which every order carries
hall-phone-tables = Which tables, as 1-20, or results; all if empty
hall-phone-give = Give a code
hall-phone-holds = { $name } types this code, once, within { $left }
hall-phone-words = The telephone must show these six words:
hall-phone-nobody = No telephone is signed in.
hall-phone-signed-in = Signed in: { $names }
hall-key-next = Next alert
hall-key-enter = The proposed ruling; without an alert, open the table
hall-key-others = The other rulings
hall-key-take = I look after it
hall-key-number = Type a table's number
hall-key-search = Search
hall-key-stop = Stop the chosen table, or let it go on
hall-key-minute = A minute more or less, then whose, and why
hall-key-result = White wins, Black wins, a draw, and why
hall-key-undo = Take back the last action
hall-key-other = Another ruling
hall-key-open = Open the chosen table
hall-key-mine = My tables, or all
hall-key-join = Admit a table
hall-key-phone = A code for a telephone
hall-key-escape = One step back
hall-key-keys = Keys
hall-number-typed = Table { $number } …

## The rounds at the desk
page-desk = Desk
page-round = Round
page-standings = Standings
round-no-plan = This event has no rounds yet. Plan them, type or paste the names, pair, and start: the results come from the tables.
round-plan = Plan the rounds
round-plan-do = Plan
round-system-swiss = Swiss
round-system-round-robin = Round robin
round-system-knock-out = Knock-out
round-system-says-swiss = Players with equal points meet. It needs a pairing engine (bbpPairings) on this computer.
round-system-says-round-robin = Everybody meets everybody, by FIDE's Berger tables.
round-system-says-knock-out = Who loses is out. Byes go to the first in the list.
round-pairs-by-swiss = The pairing engine on this computer (bbpPairings) pairs, and the pairs are kept at once.
round-pairs-by-round-robin = The pairs follow the Berger table, and are kept at once.
round-pairs-by-knock-out = The winners go on, and the pairs are kept at once.
round-how-many = Rounds
round-how-many-wrong = 1 to 99 rounds.
round-players = Enter players
round-players-field = Names
round-players-says = First the names: typed, or pasted from a list.
round-players-hint = One player in each line; a rating may stand behind a semicolon: Ann Keller; 1850
round-players-do = { $count ->
    [one] Enter { $count } player
   *[other] Enter { $count } players
}
round-of = Round { $round } of { $rounds }
round-to-settle = { $count } to settle
round-no-pairs = No pairs yet. Enter the players, then pair the first round.
round-pair = Pair round { $round }
round-pair-says = Round { $round } of { $rounds } can be paired: no result is missing.
round-missing = { $count ->
    [one] { $count } result is missing
   *[other] { $count } results are missing
}
round-missing-word = Missing
round-start = { $count ->
    [one] Start { $count } table
   *[other] Start { $count } tables
}
round-start-says = { $count ->
    [one] { $count } table is ready. Its clocks start together with the round.
   *[other] { $count } tables are ready. They begin together.
}
round-time = Time control
round-time-hint = As you say it: 90+30, 5+3, 25 min. It counts for every table that starts now.
round-default = Default time, in minutes
round-default-hint = Who comes later loses, if the arbiter rules so (Laws 6.7.1). Empty: nobody may come late.
round-default-wrong = The default time is a number of minutes, 0 to 999.
round-unconfirmed = Board { $board }: the game is over. { $names } has not confirmed the result.
round-unconfirmed-short = { $board }  { $names } to confirm
round-record = Record { $score }
round-other-result = Other result …
round-choose = Show
round-no-table = no such table
round-not-here = no link
round-busy = another match there
round-unpaired = Not paired: { $count }
round-bye-pairing = bye, a win's points
round-bye-half = asked for, ½
round-bye-full = a point
round-bye-zero = out, 0
round-column-board = board
round-column-score = score
round-ready = ready
round-confirmed = confirmed
round-not-confirmed = to confirm
round-board = Board { $board }
round-points = { $points } points
round-points-before = { $points } points before
round-choose-says = Choose a board: its players, its result, and what can be done about it stand here.
round-change = Change the result
round-enter = Enter the result
round-by-default = By default …
round-open-table = Open the table
round-locks = A result counts once both players have confirmed it at the table, or once it is entered here.
round-locked = This result counts. To change it takes a reason, which is kept.
round-result-of = Result of board { $board }
round-result-do = It counts
round-away = { $name } did not come
round-both-away = Nobody came
round-chips-of = Chips of { $name }
round-chips-missing = Type the chips of both.
standings-empty = Nothing is played yet. Places stand here once players are entered.
standings-crosstable = Crosstable
standings-after = { $missing ->
    [0] after round { $round } of { $rounds }
    [one] round { $round } of { $rounds }, { $missing } result is missing
   *[other] round { $round } of { $rounds }, { $missing } results are missing
}
standings-edition = FIDE C.07, { $edition }
standings-chips = match points, then chips
standings-column-place = place
standings-column-number = no.
standings-column-name = name
standings-column-rating = rating
standings-column-points = points
standings-column-chips = chips
standings-place = Place { $place }
standings-of = no. { $number } · { $points } points
standings-choose = Choose a player: the rounds and the tie-breaks that make the place stand here.
standings-no-game = no game
standings-open = last game without a result
sheet-pairs = Pairs
sheet-names = Pairs by name
sheet-standings = Standings
sheet-crosstable = Crosstable
sheet-cards = Table cards
sheet-slips = Result slips
sheet-board = Board
sheet-colour = Colour
sheet-signature = Signature
sheet-arbiter = Arbiter
sheet-white-letter = w
sheet-black-letter = b
hall-key-pages = Desk, round, standings
hall-key-round = In the round: what is next, the next board, only missing ones

## The arbiters' telephones
phone-sign-in-as = Sign in as arbiter
phone-until = On this telephone for 12 hours, until you sign out, or until the chief does.
phone-same-words = Are these six words on the chief's screen, too?
phone-other-words = Other words: close this page and call the chief. It is another console.
phone-code = Code from the chief
phone-code-holds = Eight digits. They work once, for 5 minutes, with 5 tries.
phone-named = The chief has given the code your name and your rights. Every order carries your name.
phone-sign-in = Sign in
phone-how-to-check = How to check the certificate
phone-check-says = Your browser warned of an unknown certificate: it is the event's own. The words are made from it. A false page can show the right words, too; whoever wants to be sure opens the certificate in the browser (the sign before the address), and compares its SHA-256 fingerprint with the chief's screen:
phone-wrong = { $count ->
    [0] This is no code that holds. Ask the chief for a new one.
    [one] This is not the code. { $count } try left.
   *[other] This is not the code. { $count } tries left.
}
phone-over = The 12 hours are over. Sign in again.
phone-ended = The chief has signed this telephone out.
phone-all-tables = all tables
phone-some-tables = tables { $first } to { $last }
phone-results = results only
phone-live = live
phone-refresh = Refresh
phone-lost = The console is not heard. What you see is old, and nothing can be ordered.
phone-pages = Pages
phone-queue = Queue
phone-sorted = most urgent first
phone-other = Other …
phone-back = All tables
phone-time = Time …
phone-asks-once = What takes back or decides is asked once more.
phone-time-of = Table { $table }: time
phone-whose = Whose clock
phone-how-much = How much
phone-how-ended = How it ended
phone-leave-it = Leave it
phone-usual-reasons = Usual reasons
phone-sign-out = Sign out
phone-hours = { $count ->
    [one] Signed in for { $count } more hour at most.
   *[other] Signed in for { $count } more hours at most.
}

## The players' keypads
pad-title = Keypad for a table
pad-type-code = Type the four digits on the table’s screen
pad-code = Code of the table
pad-go-on = Go on
pad-where-code = They stand there on the page Devices; in a terminal type keypads.
pad-same-words = Do these six words stand on the table’s screen, too? If not, close this page: it is another table.
pad-check-says = Your browser warned of an unknown certificate: it is the table’s own. The words are made from it. Whoever wants to be sure opens the certificate in the browser (the sign before the address); its SHA-256 fingerprint is:
pad-wrong = { $count ->
    [one] This is not the code. 1 try left.
   *[other] This is not the code. { $count } tries left.
}
pad-waits = Too many wrong codes. The table shows another one in { $seconds } s.
pad-off = Keypads are off at this table: at an event the arbiter has to admit them.
pad-whose = Whose keypad is it?
pad-both = Clock for both
pad-taken = now “{ $name }”
pad-name = What shall the table call this telephone?
pad-connect = Ask the table
pad-table-asks = The table shows who asks, and must agree. Each player has one keypad.
pad-no-match = Nothing is played at this table yet. This page goes on by itself.
pad-asking = The table is asked
pad-asking-says = It says “{ $name }”. Once somebody there has said yes, this telephone is { $what }.
pad-stop-asking = Do not ask
pad-ended = This is no keypad
pad-refused = The table said no.
pad-removed = It was removed at the table.
pad-replaced = Another telephone has taken its place.
pad-other-match = Another match is on the table.
pad-again = Connect again
pad-lost = No answer from the table. Press the clock on the table.
pad-keep-on = Keep the screen on.
pad-own-chips = Your chips
pad-other-has = { $name } has { $count }
pad-other-bets = { $name } has bet { $count }
pad-remain = { $count } remain
pad-raise-to = Raise to
pad-bet = Bet
pad-hint = Fold asks twice. Your cards are never on this screen.
pad-reveal = Which card do you turn over?
pad-offered = A draw is offered.
pad-accept = Accept
pad-decline = Decline
pad-sign = Confirm the result
pad-press = Press the clock
pad-to-act = { $name } to act
pad-paused = The clocks stand
pad-called = The clocks stand. Somebody comes.
pad-call-arbiter = Call the arbiter
pad-arbiter = Arbiter
pad-stop = Stop
pad-more = More
pad-say = Say it in the words of the table
pad-say-it = Say it
pad-clock-face = Clock
pad-turned-face = By how it is held
pad-keys = Keys
pad-clock-of-table = The table’s clock counts
pad-leave = This is no keypad any more
pad-fold-sure = Do you fold?
pad-sent = press sent
pad-press-here = Press here
pad-runs = runs
pad-waits-turn = waits
pad-stands = stands
pad-moves = { $count ->
    [one] 1 move
   *[other] { $count } moves
}
keypads = Keypads
keypads-how = Players can use telephones as their own keys: start the table with tabiya play --keypads.
keypads-need-arbiter = At an event keypads are off until the arbiter admits them. He types: keypads on, and a reason (Laws 11.3.2.1).
keypads-code = Code { $code }
keypads-code-waits = Too many wrong codes were typed. Another code comes in half a minute.
keypads-other-code = Another code
keypads-six-words = The telephone must show these words: { $words }
keypads-square = Square with the address { $address }
keypads-remove = Remove
levers = Levers of the clock
levers-line = A USB keypad or one button presses the clock: choose, then press it. Its key then does nothing else in this window.
lever-of-white = White’s lever
lever-of-black = Black’s lever
lever-of-running = A lever for whoever’s clock runs
lever-press-now = press its button now
lever-none = none
lever-choose = Choose
lever-forget = Take away
several-tables = { $count ->
    [one] one table on this computer
   *[other] { $count } tables on this computer
}
several-trouble = { $count ->
    [one] needs a look
   *[other] need a look
}
several-broken = stopped working
several-asks = asks
several-stop = Stop
several-press = Press
several-close = Close the window
several-stay = Stay
several-close-asks = { $count ->
    [one] A game is running
   *[other] { $count } games are running
}
several-kept = The records are kept. Opened again, all tables go on where they were.
several-boards-asks = Several boards …
several-boards = Several boards on this computer
several-boards-line = Each board gets a table of its own, with its own players, clock and record, all in this window. Names and terms are set at each table, or stand in a file.
several-found-line = Boards on cables and over Bluetooth that are switched on are found.
several-open = Open a file of tables …
several-file = File of tables (TOML)
several-none = First find the boards, or open a file.
several-for-each = { $count ->
    [one] A table for this board
   *[other] A table for each of the { $count } boards
}
