from okgin_fast.core.action import Action
from okgin_fast.core.view import View

def archetype(view: View, name: str) -> Action: ...
