from .dominance import Dominance

class ShortRanking:
    n: int
    tied_pairs: int
    total_pairs: int
    top: int
    def c_within(self) -> float: ...

class ShortPair:
    x: ShortRanking
    y: ShortRanking
    concordant: int
    discordant: int
    tied_pairs: int
    def c_above_in_x(self) -> float: ...
    def c_above_in_y(self) -> float: ...
    def c_above_in_y_permuted(self) -> float: ...

def pair_of(x: object, y: object, decreasing: bool, x_untied: bool, y_untied: bool) -> ShortPair | Dominance | None: ...
