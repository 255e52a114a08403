from polygraphy.backend.tf._tensorflow import register_logger_callback
from polygraphy.backend.tf.loader import *
from polygraphy.backend.tf.runner import *

register_logger_callback()
