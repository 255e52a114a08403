from polygraphy.tools._main import main
from polygraphy.tools.base import Tool
from polygraphy.tools.registry import TOOL_REGISTRY
