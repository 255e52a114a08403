from polygraphy.tools.run.run import Run
