# The public names of cardsol: the one list of them, for type checkers, for `import`, and for readers.
# The line of a name says which module describes it.

from .asking import Answer as Answer
from .asking import BestWin as BestWin
from .asking import Candidate as Candidate
from .asking import Hint as Hint
from .asking import Limits as Limits
from .asking import Proof as Proof
from .asking import hint as hint
from .asking import solve as solve
from .cards import DECKS as DECKS
from .cards import Deck as Deck
from .errors import AmbiguousMove as AmbiguousMove
from .errors import BadDeck as BadDeck
from .errors import BadOption as BadOption
from .errors import BadRequest as BadRequest
from .errors import BadSave as BadSave
from .errors import BadSeed as BadSeed
from .errors import BadToken as BadToken
from .errors import BrokenGame as BrokenGame
from .errors import CardsolError as CardsolError
from .errors import FileTrouble as FileTrouble
from .errors import GameInTheWay as GameInTheWay
from .errors import IllegalMove as IllegalMove
from .errors import NoFile as NoFile
from .errors import NoGame as NoGame
from .errors import NoHint as NoHint
from .errors import NoSuchMove as NoSuchMove
from .errors import SealedDeal as SealedDeal
from .errors import UnknownGame as UnknownGame
from .game import Game as Game
from .game import LegalMoves as LegalMoves
from .game import deal as deal
from .moves import KINDS as KINDS
from .moves import Kind as Kind
from .moves import Move as Move
from .piles import Pile as Pile
from .registry import names as names
from .saves import dumps as dumps
from .saves import load as load
from .saves import loads as loads
from .saves import save as save
from .view import Shown as Shown
from .view import View as View

__version__: str
