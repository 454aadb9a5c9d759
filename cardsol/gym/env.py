"""A game as a Gymnasium environment."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, Literal, SupportsIndex

import gymnasium
from gymnasium import error, spaces

from ..drawing import lines
from ..game import MOST_MOVES, Game, deal
from .observer import Observation, Observer
from .seen import SeenView
from .table import Table

REWARDS = ("score", "win")
DEFAULT_STEPS = 1_000
"""Random play of a game that can wander for ever is cut off here; lines that win are far shorter."""
SEEDS = 2**63
"""How many seeds `reset` chooses from where none is given."""


class CardsolEnv(gymnasium.Env[Observation, SupportsIndex]):
    """A game of solitaire, seen as its player sees it.

    `game` is the game's name, `options` are its options (`scoring="classic"`, `draw=3`), defaults filled in.
    `reward` is "score" for the change of the score, or "win" for 1.0 at the move that wins and 0.0 else;
    `illegal_reward` is what an action that is no legal move now is rewarded with. An episode is truncated after
    `max_steps` steps, 1 to 20,000, illegal ones too. `render_mode` is None or "ansi".

    Raises UnknownGame or BadOption as `cardsol.deal` does, and ValueError for other values.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        reward: Literal["score", "win"] = "score",
        illegal_reward: float = 0.0,
        max_steps: int = DEFAULT_STEPS,
        render_mode: str | None = None,
        **options: str | int,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"reward takes {' or '.join(REWARDS)}, not {reward!r}")
        if not 1 <= max_steps <= MOST_MOVES:
            raise ValueError(f"max_steps is 1 to {MOST_MOVES:,}, not {max_steps}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode takes None or 'ansi', not {render_mode!r}")
        self.table = Table(game, options)
        self.observation_space = self.table.observation_space()
        self.action_space = spaces.Discrete(len(self.table.tokens))
        self.render_mode = render_mode
        self._for_win = reward == "win"
        self._illegal_reward = float(illegal_reward)
        self._max_steps = max_steps
        self._game: Game | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The token of each action: the game's grammar, sorted as plain strings."""
        return self.table.tokens

    @property
    def game(self) -> Game:
        """A copy of the game so far, hidden cards, deck and seed included: for studies, not for a policy.

        Raises ResetNeeded before the first `reset`.
        """
        return self._up_to_date().copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals, and returns the first observation and its info.

        `seed` deals as `cardsol deal --seed` does with its decimal text, and seeds the choice of later deals:
        without it a seed is drawn from `np_random`. `options` may hold `seed`, any seed text or int, or `deck`,
        a deck order as `cardsol.deal` takes it; they decide the deal then.

        Raises ValueError for other keys of `options`, and BadSeed, BadDeck or BadOption as `cardsol.deal` does.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        if strange := given.keys() - {"seed", "deck"}:
            raise ValueError(f"options of reset are seed and deck, not {', '.join(sorted(strange))}")
        if not given:
            given["seed"] = int(self.np_random.integers(SEEDS)) if seed is None else seed
        self._game = deal(self.table.rules.NAME, options=self.table.options, **given)
        self._made: list[str] = []
        self._steps = 0
        state = self._game.state
        self._observer = Observer(self.table, self.table.seen(state), self.table.extra(state))
        self._arrive(state)
        return self._told()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes the move of an action, and returns observation, reward, terminated, truncated, info.

        An action that is no legal move now changes nothing, and `info["illegal"]` says why. Raises InvalidAction
        where the number is no action at all, TypeError for anything but a whole number (for True and False too),
        and ResetNeeded before the first `reset`.
        """
        if action.__class__ is bool:
            raise _not_whole(action)
        try:
            number = index(action)
        except TypeError:
            raise _not_whole(action) from None
        table = self.table
        if not 0 <= number < table.count:
            raise error.InvalidAction(f"actions are 0 to {table.count - 1}, not {number}")
        if self._game is None:
            raise _reset_needed()
        token = table.tokens[number]
        self._steps = steps = self._steps + 1
        reward = self._illegal_reward
        if legal := token in self._legal:
            state, score = self._state, self._score
            self._made.append(token)
            after = table.apply(state, token)
            self._observer.look(table.changes(state, token, after), table.extra(after))
            self._arrive(after)
            reward = float(self._won if self._for_win else self._score - score)
        observation, info = self._told()
        if not legal:
            info["illegal"] = self._up_to_date().why_not(token)
        terminated = not self._legal
        return observation, reward, terminated, steps >= self._max_steps and not terminated, info

    def render(self) -> str | None:
        """Returns the board as text, lines of up to 58 columns, with render_mode="ansi"; else None.

        It is what `cardsol show --hide-seed --style ascii` prints.

        Raises ResetNeeded before the first `reset`.
        """
        if self.render_mode is None:
            return None
        return "\n".join(lines(self._up_to_date(), hide_seed=True))

    def _arrive(self, state: Any) -> None:
        """Makes a position the present one."""
        # The rules are asked here, not a Game: that keeps every position and sorts out what a user may type.
        table = self.table
        self._state = state
        self._score = table.score(state)
        self._legal = legal = tuple(sorted(table.moves(state)))
        # A game that is won has no moves.
        self._won = not legal and table.is_won(state)

    def _told(self) -> tuple[Observation, dict[str, Any]]:
        """Returns what is seen of the present position: an observation and its info."""
        legal = self._legal
        status = "playing" if legal else "won" if self._won else "lost"
        view = SeenView(self.table, self._state, legal, len(self._made))
        observation = self._observer.arrays(self._score, self._steps, legal)
        return observation, {"legal": legal, "status": status, "view": view}

    def _up_to_date(self) -> Game:
        """Returns the library's game, after making the moves that were not made in it yet."""
        if self._game is None:
            raise _reset_needed()
        for token in self._made[len(self._game.moves) :]:
            self._game.push(token)
        return self._game


def _reset_needed() -> error.ResetNeeded:
    return error.ResetNeeded("reset has to be called first")


def _not_whole(action: object) -> TypeError:
    return TypeError(f"an action is a whole number, not {action!r}")
