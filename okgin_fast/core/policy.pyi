from typing import Any, Never

from typing_extensions import disjoint_base

from okgin_fast.core.action import Action
from okgin_fast.core.view import View

@disjoint_base
class Policy:
    def __init__(self, *args: Never, **weights: Any) -> None: ...
    @property
    def weights(self) -> dict[str, Any]: ...
    def act(self, view: View) -> Action: ...

FOR_GIN: Policy
