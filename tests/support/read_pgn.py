"""Reads PGN files with python-chess and prints a JSON list: for each file, the list of its games."""

import json
import sys

import chess
import chess.pgn


def summary(game):
    board = game.board()
    moves, clocks = [], []
    for node in game.mainline():
        moves.append(board.uci(node.move))
        clocks.append(node.clock())
        board.push(node.move)
    return {
        "errors": [str(error) for error in game.errors],
        "headers": dict(game.headers),
        "variant": type(board).__name__,
        "chess960": board.chess960,
        "start": game.board().fen(),
        "moves": moves,
        "clocks": clocks,
        "end": board.board_fen(),
        "result": game.headers["Result"],
        "comment": game.comment,
        "valid": game.board().is_valid(),
    }


def games(path):
    with open(path, encoding="utf-8") as text:
        while (game := chess.pgn.read_game(text)) is not None:
            yield summary(game)


print(json.dumps([list(games(path)) for path in sys.argv[1:]]))
