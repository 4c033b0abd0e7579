"""Analysis: a finished game gone over move by move.

Every decision is judged by what its seat knew then, every drawn card by what the stock was worth to
the drawer, and what is left is luck of the deal and of hidden cards; all adds up to the result.
docs/analysis.md says what each figure means.

=============  ===================================================================
`analyse`      deals, or text with their records, to an `Analysis`
`Study`        the same, in steps that can be interrupted and resumed
`read_records` the deals in a text: our records and OpenSpiel's serialised histories
`Analysis`     sums, ratings, and a `DealAnalysis` with a `Step` for every action
=============  ===================================================================
"""

from okgin_fast.analysis.records import Record, read_records
from okgin_fast.analysis.results import Analysis, DealAnalysis, Seat, Step
from okgin_fast.analysis.study import Study, analyse

__all__ = ["Analysis", "DealAnalysis", "Record", "Seat", "Step", "Study", "analyse", "read_records"]
