'use strict';
// A part of a model around a node: the command that extracts it, or a file from the viewer's server.

// Tensors of outer graphs that the graphs inside of a node read.
const capturesOf = (graphs, node) => node.inner.flatMap(([, index]) => {
  const {nodes, tensors} = graphs[index];
  return nodes.flatMap((inner) => [...(inner.kind === 3 ? [tensors[inner.outputs[0]].name] : []),
                                   ...capturesOf(graphs, inner)]);
});

// Names of its tensors. `depth`: the greatest distance in edges from the node.
const partAround = ({graph, graphs}, start, depth) => {
  const inside = new Set([start]);
  for (let last = [start]; depth > 0; --depth) {
    last = last.map((index) => graph.nodes[index]).flatMap(({inputs, outputs}) =>
        [...inputs.flatMap((tensor) => graph.tensors[tensor].writers),
         ...outputs.flatMap((tensor) => graph.tensors[tensor].readers)])
        .filter((index) => graph.nodes[index].kind === 0 && !inside.has(index));
    for (const index of last) inside.add(index);
  }
  const nodes = [...inside].sort((a, b) => a - b).map((index) => graph.nodes[index]);
  const captured = new Set(nodes.flatMap((node) => capturesOf(graphs, node)));
  const read = [...nodes.flatMap(({inputs}) => inputs.map((tensor) => graph.tensors[tensor])),
                ...graph.tensors.filter(({name}) => captured.has(name))];
  const names = (tensors) => [...new Set(tensors.map(({name}) => name).filter(Boolean))];
  return {
    inputs: names(read.filter(({constant, writers}) =>
        !constant && !writers.some((index) => inside.has(index)))),
    outputs: names(nodes.flatMap(({outputs}) => outputs.map((tensor) => graph.tensors[tensor]))
        .filter(({readers}) => !readers.length || readers.some((index) => !inside.has(index)))),
  };
};

const word = (text) => /^[\w.\/:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const extractCommand = (path, {inputs, outputs}) =>
  ['polygraphy surgeon extract', word(path), '--inputs', ...inputs.map((name) => word(name + ':auto:auto')),
   '--outputs', ...outputs.map((name) => word(name + ':auto')), '-o part.onnx'].join(' ');

async function download(part, status) {
  status.textContent = 'Extracting …';
  const answer = await fetch('/extract', {method: 'POST', body: JSON.stringify(part),
                                          headers: {'Content-Type': 'application/json'}});
  if (!answer.ok) {
    status.textContent = await answer.text();
    return;
  }
  const file = URL.createObjectURL(await answer.blob());
  make('a', null, {href: file, download: 'part.onnx'}).click();
  URL.revokeObjectURL(file);
  status.textContent = 'part.onnx is downloaded.';
}

const drawExtract = (host, view, node) => {
  make('h3', host, {}, 'Extract');
  const label = make('label', host, {}, 'Edges around the node: ');
  const depth = make('input', label, {type: 'number', min: 0, max: 99, value: 0});
  const command = make('code', host, {class: 'command'});
  const part = () => partAround(view, node, Number(depth.value));
  const show = () => { command.textContent = extractCommand(view.path, part()); };
  depth.addEventListener('input', show);
  show();
  button(host, 'Copy', (event) => copyText(command, event.target));
  // The server lets its page send requests.
  if (!document.querySelector('meta[http-equiv]').content.includes('connect-src')) return;
  const status = make('span', host, {role: 'status', class: 'weak'});
  status.before(button(host, 'Download', () => download(part(), status)));
};
