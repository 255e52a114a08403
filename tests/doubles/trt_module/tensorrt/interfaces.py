"""Classes of the double that scripts derive from: logging, streams, calibrators, selectors of
algorithms. Those of the extension cannot be used before their own constructor ran.
"""

from tensorrt import _VERSION, TensorFormat, enumeration, record

CalibrationAlgoType = enumeration(
    "CalibrationAlgoType",
    "LEGACY_CALIBRATION ENTROPY_CALIBRATION ENTROPY_CALIBRATION_2 MINMAX_CALIBRATION",
)


class ILogger:
    INTERNAL_ERROR, ERROR, WARNING, INFO, VERBOSE = Severity = enumeration(
        "Severity", "INTERNAL_ERROR ERROR WARNING INFO VERBOSE"
    )

    def __init__(self):
        self.constructed = True


class Logger(ILogger):
    def __init__(self, min_severity=ILogger.WARNING):
        super().__init__()
        self.min_severity = min_severity

    def log(self, severity, msg):
        record(f"logger: {severity} {msg}")


class IStreamReader:
    def __init__(self):
        self.constructed = True


class IStreamReaderV2:
    def __init__(self):
        self.constructed = True


class IInt8Calibrator:
    def __init__(self):
        self.constructed = True

    def get_algorithm(self):
        return self.algorithm


class IInt8LegacyCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.LEGACY_CALIBRATION


class IInt8EntropyCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.ENTROPY_CALIBRATION


class IInt8EntropyCalibrator2(IInt8Calibrator):
    algorithm = CalibrationAlgoType.ENTROPY_CALIBRATION_2


class IInt8MinMaxCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.MINMAX_CALIBRATION


class IAlgorithmSelector:
    def __init__(self):
        self.constructed = True


class IAlgorithmIOInfo:
    def __init__(self, dtype, strides, vectorized_dim=-1, components_per_element=1):
        self.dtype = dtype
        self.strides = strides
        self.vectorized_dim = vectorized_dim
        self.components_per_element = components_per_element
        self.tensor_format = TensorFormat.LINEAR


class IAlgorithmVariant:
    def __init__(self, implementation, tactic):
        self.implementation = implementation
        self.tactic = tactic


class IAlgorithm:
    """`infos`: those of the inputs, then those of the outputs."""

    def __init__(self, implementation, tactic, infos, timing_msec=1.0, workspace_size=0):
        self.algorithm_variant = IAlgorithmVariant(implementation, tactic)
        self.infos = infos
        self.timing_msec = timing_msec
        self.workspace_size = workspace_size

    def get_algorithm_io_info(self, index):
        return self.infos[index]


class IAlgorithmContext:
    def __init__(self, name, num_inputs, num_outputs):
        self.name = name
        self.num_inputs = num_inputs
        self.num_outputs = num_outputs


if _VERSION >= (11, 0):
    # Names that this version removed.
    for _name in (
        "CalibrationAlgoType IInt8Calibrator IInt8LegacyCalibrator IInt8EntropyCalibrator "
        "IInt8EntropyCalibrator2 IInt8MinMaxCalibrator IAlgorithmSelector IAlgorithm "
        "IAlgorithmContext IAlgorithmIOInfo IAlgorithmVariant IStreamReader"
    ).split():
        del globals()[_name]
elif _VERSION < (10, 5):
    del IStreamReaderV2
if _VERSION < (10, 0):
    del IStreamReader
