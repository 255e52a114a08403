from polygraphy.json.serde import *
