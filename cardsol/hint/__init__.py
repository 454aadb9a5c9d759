"""A good next move from what a player has seen, and nothing else."""

from __future__ import annotations

from .adviser import WORLDS as WORLDS
from .adviser import Adviser as Adviser
from .adviser import Candidate as Candidate
from .adviser import Hint as Hint
from .adviser import History as History
from .adviser import hint as hint
from .adviser import history_of as history_of
from .knowledge import Snapshot as Snapshot
