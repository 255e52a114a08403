"""`polygraphy mcp`: by lines of JSON, and by the protocol's own client for Python."""
import asyncio
import json
import os
import pathlib
import subprocess

import numpy as np
import onnx
import onnx.parser
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLYGRAPHY = os.environ.get("POLYGRAPHY", str(ROOT / "build" / "release" / "bin" / "polygraphy"))
STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
LAYERS = 5


def save(text, path, **weights):
    model = onnx.parser.parse_model(text)
    model.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.save(model, path)


def chain(middle, path, seed, **changed):
    """`middle` makes "m" of "h2" among layers that engines compute alike."""
    rng = np.random.default_rng(seed)
    weights = {f"w{i}": rng.standard_normal((16, 16)).astype(np.float32) / 4 for i in range(LAYERS)} | changed
    nodes = " ".join(f"[layer{i}] h{i + 1} = MatMul ({'m' if i == 2 else f'h{i}'}, w{i})" for i in range(LAYERS))
    first, rest = nodes.split("[layer2]")
    save(f"""<ir_version: 9, opset_import: ["": 18]> g (float[1,1,16,16] h0) => (float[1,1,16,16] h{LAYERS})
        <float[4] s = {{1, 1, 0.25, 0.25}}, float[4] t = {{1, 1, 4, 4}}> {{ {first} {middle} [layer2]{rest} }}""", path, **weights)
    return weights


@pytest.fixture
def folder(tmp_path):
    chain("m = Tanh (h2)", tmp_path / "good.onnx", 0)
    return tmp_path


class Server:
    def __init__(self, folder):
        self.process = subprocess.Popen([POLYGRAPHY, "mcp", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ids = 0

    def send(self, method, **params):
        self.ids += 1
        self.write({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return self.ids

    def write(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        number = self.send(method, **params)
        answer = self.read()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == number, answer
        return answer

    def call(self, tool, /, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]


@pytest.fixture
def server(folder):
    server = Server(folder)
    yield server
    server.process.stdin.close()
    assert server.process.wait(20) == 0
    assert server.process.stdout.read() == ""


def text_of(result):
    return result["content"][0]["text"]


BOTH = [{"runner": "onnxrt"}, {"runner": "openvino"}]


def test_handshake(server):
    for version, answer in [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")]:
        result = server.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "1"})["result"]
        assert result["protocolVersion"] == answer and result["serverInfo"]["name"] == "polygraphy"
        assert "resultType" not in result
    server.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert server.ask("ping")["result"] == {}


def test_without_a_handshake(server):
    result = server.ask("server/discover", _meta=STATELESS)["result"]
    assert result["supportedVersions"] == ["2026-07-28"] and result["resultType"] == "complete" and "ttlMs" in result
    assert server.ask("tools/list", _meta=STATELESS)["result"]["resultType"] == "complete"
    other = {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    assert server.ask("tools/list", _meta=other)["error"]["code"] == -32022


def test_tools_are_the_commands(server):
    tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
    assert set(tools) == {"inspect_model", "run", "locate", "reduce", "lint", "sanitize", "diff", "sensitivity", "consistency", "options"}
    schema = tools["locate"]["inputSchema"]
    assert schema["required"] == ["model_file"]
    assert "openvino" in schema["properties"]["runners"]["items"]["properties"]["runner"]["enum"]
    assert len(json.dumps(tools)) < 16000
    options = text_of(server.call("options", tool="run")).splitlines()
    assert all(len(line.partition(": ")[2]) > 10 for line in options), options
    assert "noise_runs: " in "\n".join(options)
    assert '"type": "integer"' in text_of(server.call("options", tool="locate", name="noise_runs"))


def test_answers_are_short_and_the_rest_is_in_files(server, folder):
    result = server.call("run", model_file="good.onnx", runners=BOTH)
    outcome = result["structuredContent"]
    assert outcome["passed"] and outcome["exit_code"] == 0 and not result["isError"]
    assert text_of(result).startswith("### ✅ Run of good.onnx") and len(text_of(result)) < 1000
    assert "PASSED" in pathlib.Path(outcome["folder"], "log.txt").read_text()
    assert "layer3" in text_of(server.call("inspect_model", model_file="good.onnx", options={"show": ["layers"]}))
    assert server.call("sanitize", model_file="good.onnx", options={"output": "clean.onnx", "fold_constants": True})["structuredContent"]["passed"]
    assert (folder / "clean.onnx").exists()


def test_results_of_locate_are_json(server):
    result = server.call("locate", model_file="good.onnx", runners=BOTH)
    document = json.loads(pathlib.Path(result["structuredContent"]["folder"], "results.json").read_text())
    assert document["answer"]["agreement"] == "agrees"


@pytest.mark.parametrize("tool, arguments, says", [
    ("run", {"model_file": "../other.onnx"}, "outside of"),
    ("run", {"model_file": "/etc/passwd"}, "outside of"),
    ("run", {"model_file": "link/passwd"}, "outside of"),
    ("run", {"model_file": "good.onnx", "options": {"save_outputs": "../out.json"}}, "outside of"),
    ("run", {"model_file": "good.onnx", "runners": [{"runner": "model_runner", "file": "x"}]}, "starts programs"),
    ("reduce", {"model_file": "good.onnx", "options": {"check": ["rm", "x"]}}, "starts programs"),
    ("run", {"model_file": "good.onnx", "options": {"on": "slurm"}}, "starts programs"),
    ("run", {"model_file": "good.onnx", "options": {"no_such": 1}}, "no_such"),
    ("run", {"model_file": ["good.onnx", 3, {}]}, "arguments"),
    ("run", {"model_file": "good.onnx", "options": {"save_outputs": "dangling"}}, "outside of"),
    ("run", {"model_file": "good.onnx", "runners": BOTH, "options": {"openvino_properties": ["CACHE_DIR=/tmp/x"]}}, "outside of"),
    ("run", {"model_file": "good.onnx", "options": {"providers": ["/tmp/x.so"]}}, "outside of"),
    ("run", {"model_file": "x" * 5000}, "x" * 50),
    ("run", {"model_file": "good.onnx", "options": {"summary": "s.txt"}}, "the answer of the server"),
    ("no_tool", {}, "Unknown tool no_tool"),
    ("/../../evil", {}, "Unknown tool"),
    ("options", {"tool": "rm"}, "Unknown tool rm"),
])
def test_what_agents_cannot_do(server, folder, tool, arguments, says):
    (folder / "link").symlink_to("/etc")
    (folder / "dangling").symlink_to("/tmp/nowhere/out.json")
    result = server.call(tool, **arguments)
    assert result["isError"] and says in text_of(result), result


def test_a_missing_model_is_an_error_that_says_so(server):
    for tool in ("lint", "run", "inspect_model", "locate"):
        result = server.call(tool, model_file="missing.onnx", **({} if tool in ("lint", "inspect_model") else {"runners": BOTH}))
        assert result["isError"] and "missing.onnx" in text_of(result), result


def test_nothing_compared_does_not_pass(server):
    result = server.call("run", model_file="good.onnx", runners=BOTH[:1])
    assert result["structuredContent"] | {"folder": ""} == {"passed": False, "exit_code": 0, "folder": ""}


def test_calls_behind_a_refused_one_run(server):
    first, second = (server.send("tools/call", name=name, arguments={"model_file": "good.onnx"}) for name in ("bogus", "lint"))
    assert server.read()["id"] == first and server.read()["result"]["structuredContent"]["passed"]


def test_damaged_messages(server):
    for line, code, number in [("{", -32700, None), ("[]", -32700, None), ('{"jsonrpc":"2.0","id":1}', -32600, 1),
                               ('{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}', -32600, "a")]:
        server.write(line)
        answer = server.read()
        assert answer["error"]["code"] == code and answer["id"] == number, answer
    assert server.ask("resources/list")["error"]["code"] == -32601
    server.write("")
    server.write({"jsonrpc": "2.0", "id": 7, "result": {}})
    assert server.ask("ping")["result"] == {}


def test_progress_and_cancellation(server, folder):
    slow = "m = Loop (n, , h2) {0}".format("<body = b (int64 i, bool c, float[1,1,16,16] x) => (bool d, float[1,1,16,16] y)"
                                           " { d = Identity (c) y = Sigmoid (x) }>")
    chain(slow, folder / "slow.onnx", 1, n=np.int64(10**12))
    number = server.send("tools/call", name="run", arguments={"model_file": "slow.onnx", "runners": BOTH[:1]}, _meta={"progressToken": "p"})
    told = server.read()
    assert told["method"] == "notifications/progress" and told["params"]["progressToken"] == "p", told
    later = server.read()["params"]["progress"]
    assert later > told["params"]["progress"]
    ping = server.send("ping")
    while (answer := server.read()).get("id") != ping:
        assert "method" in answer
    server.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    assert server.ask("ping")["result"] == {}
    assert server.call("lint", model_file="good.onnx")["structuredContent"]["passed"]


def faults(folder):
    """Twenty folders' worth of planted faults: (name, tool, arguments, a text of the right answer)."""
    for seed in range(8):
        layer = seed % LAYERS
        weights = chain("m = Tanh (h2)", folder / f"float{seed}.onnx", seed)
        wrong = weights[f"w{layer}"].copy()
        wrong[seed, 3] += 0.5
        chain("m = Tanh (h2)", folder / f"wrong{seed}.onnx", seed, **{f"w{layer}": wrong})
        yield "locate", {"model_file": f"wrong{seed}.onnx", "runners": BOTH[:1], "options": {"float_model": f"float{seed}.onnx"}}, f"layer{layer}"
    for seed in range(4):
        chain('[small] a = Resize <mode="linear", antialias=1> (h2, , s) m = Resize (a, , t)', folder / f"resize{seed}.onnx", seed)
        yield "locate", {"model_file": f"resize{seed}.onnx", "runners": BOTH}, "small"
    for seed in range(4):
        chain(f"[odd{seed}] m = Unknown{seed} (h2)", folder / f"unknown{seed}.onnx", seed)
        yield "lint", {"model_file": f"unknown{seed}.onnx"}, f"odd{seed}"
    for seed in range(4):
        chain("a = Sub (h2, h2) b = Div (a, a) m = Relu (b)", folder / f"nan{seed}.onnx", seed)
        yield "run", {"model_file": f"nan{seed}.onnx", "runners": BOTH, "options": {"validate": True}}, "NaN"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_of_the_protocol_finds_twenty_faults(tmp_path, mode):
    mcp = pytest.importorskip("mcp")

    async def solve():
        found = []
        started = mcp.StdioServerParameters(command=POLYGRAPHY, args=["mcp", str(tmp_path)], env=dict(os.environ))
        async with mcp.Client(started, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 10
            for tool, arguments, says in faults(tmp_path):
                result = await client.call_tool(tool, arguments)
                assert not result.structured_content["passed"], result
                assert says in result.content[0].text, (says, result.content[0].text)
                found.append(says)
        return found

    assert len(asyncio.run(solve())) == 20
