from polygraphy.tools.args.backend.tf.config import *
from polygraphy.tools.args.backend.tf.loader import *
from polygraphy.tools.args.backend.tf.runner import *
