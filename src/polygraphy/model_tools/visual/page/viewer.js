'use strict';
// Draws the graphs of the page's model. Only what can be seen is in the document; from afar, nodes
// and edges are one path each.

const SVG = 'http://www.w3.org/2000/svg';
const PITCH = 96, HEIGHT = 52;  // of ranks and of nodes, in the drawing's pixels
const MANY = 700;               // more nodes than this are drawn from afar
const MOST_FOUND = 200;

const model = JSON.parse(document.getElementById('model').textContent);

// Objects out of the lists that the page has.
const graphs = model.graphs.map((graph) => ({
  title: graph.title, width: graph.width, ranks: graph.ranks,
  tensors: graph.tensors.map(([name, type, shape, note, constant]) =>
    ({name, type, shape, note, constant, writers: [], readers: []})),
  nodes: graph.nodes.map(([kind, op, name, rank, x, width, inputs, outputs, attributes, inner, group]) =>
    ({kind, op, name, rank, x, width, inputs, outputs, attributes, inner, group})),
  edges: graph.edges.map(([tensor, from, to, bends]) => ({tensor, from, to, bends})),
}));

for (const graph of graphs) {
  graph.nodes.forEach((node, index) => {
    for (const tensor of node.outputs) graph.tensors[tensor].writers.push(index);
    for (const tensor of new Set(node.inputs)) graph.tensors[tensor].readers.push(index);
  });
  graph.byRank = Array.from({length: graph.ranks}, () => []);
  graph.nodes.forEach((node, index) => graph.byRank[node.rank].push(index));
  graph.crossing = Array.from({length: graph.ranks}, () => []);  // edges by rank
  graph.direct = [];                                             // those without bends
  graph.edges.forEach((edge, index) => {
    const from = graph.nodes[edge.from].rank, to = graph.nodes[edge.to].rank;
    edge.direct = to - from - 1 !== edge.bends.length;
    if (edge.direct) graph.direct.push(index);
    else for (let rank = from; rank <= to; ++rank) graph.crossing[rank].push(index);
  });
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.append(...children);
  return made;
}

// --- the frame of the page

const search = element('input', {type: 'search', placeholder: 'Search names and operators'});
const choice = element('select', {title: 'Graph'});
const whole = element('button', {textContent: 'Whole graph'});
const content = shape('g', {});
const drawing = shape('svg', {id: 'drawing'}, content);
const details = element('aside', {});
document.body.append(
  element('header', {}, element('h1', {textContent: model.title}), choice, search, whole),
  element('main', {}, drawing, details));
graphs.forEach((graph, index) =>
  choice.append(element('option', {value: index, textContent: graph.title || '(no name)'})));
choice.hidden = graphs.length < 2;

// --- what is shown: a graph, a part of it, and what was chosen in it

let graph = graphs[0];
let view = {x: 0, y: 0, scale: 1};  // the drawing's point in the upper left corner
let chosen = {};                    // {node} or {tensor}: an index

function yOf(rank) { return rank * PITCH + HEIGHT / 2; }
function screen() {
  return {width: drawing.clientWidth || 800, height: drawing.clientHeight || 600};
}

// --- drawing

function pathOf(edge) {
  const from = graph.nodes[edge.from], to = graph.nodes[edge.to];
  let x = from.x, y = yOf(from.rank) + HEIGHT / 2;
  let path = `M${x} ${y}`;
  const curveTo = (nextX, nextY) => {
    const middle = (y + nextY) / 2;
    path += nextX === x ? `V${nextY}` : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`;
    x = nextX;
    y = nextY;
  };
  edge.bends.forEach((bend, i) => {
    curveTo(bend, yOf(from.rank + 1 + i) - HEIGHT / 2);
    curveTo(bend, yOf(from.rank + 1 + i) + HEIGHT / 2);
  });
  curveTo(to.x, yOf(to.rank) - HEIGHT / 2);
  return path;
}

// Nodes and edges in the part of the drawing that can be seen.
function visible() {
  const {width, height} = screen();
  const left = view.x, right = view.x + width / view.scale;
  const first = Math.max(0, Math.floor(view.y / PITCH));
  const last = Math.min(graph.ranks - 1, Math.floor((view.y + height / view.scale) / PITCH));
  const nodes = [], edges = new Set();
  const reaches = (edge) => {
    const xs = [graph.nodes[edge.from].x, graph.nodes[edge.to].x, ...edge.bends];
    return Math.max(...xs) >= left && Math.min(...xs) <= right;
  };
  for (let rank = first; rank <= last; ++rank) {
    for (const index of graph.byRank[rank]) {
      const node = graph.nodes[index];
      if (node.x + node.width / 2 >= left && node.x - node.width / 2 <= right) nodes.push(index);
    }
    for (const index of graph.crossing[rank]) {
      if (!edges.has(index) && reaches(graph.edges[index])) edges.add(index);
    }
  }
  for (const index of graph.direct) {
    const edge = graph.edges[index];
    const ranks = [graph.nodes[edge.from].rank, graph.nodes[edge.to].rank];
    if (Math.max(...ranks) >= first && Math.min(...ranks) <= last) edges.add(index);
  }
  return {nodes, edges: [...edges]};
}

function shortened(text, width, letter) {
  const letters = [...text], room = Math.floor((width - 12) / letter);
  return letters.length <= room ? text : '…' + letters.slice(letters.length - room + 1).join('');
}

function nodeShape(index) {
  const node = graph.nodes[index];
  const left = node.x - node.width / 2, top = yOf(node.rank) - HEIGHT / 2;
  const classes = ['node', 'kind' + node.kind];
  if (node.group) classes.push(node.group);
  if (node.inner.length) classes.push('inner');
  if (chosen.node === index) classes.push('chosen');
  const weights = node.inputs.map((tensor) => graph.tensors[tensor])
      .filter((tensor) => tensor.constant).map((tensor) => tensor.shape).filter(Boolean);
  const lines = [['op', node.op, 8], ['name', node.name, 6], ['weights', weights.join(' '), 6]]
      .filter(([, text]) => text);
  const texts = lines.map(([kind, text, letter], i) =>
    shape('text', {class: kind, x: node.x, y: top + HEIGHT / 2 + 4 + 15 * (i - (lines.length - 1) / 2)},
          shortened(text, node.width, letter)));
  return shape('g', {class: classes.join(' '), 'data-node': index},
    shape('rect', {x: left, y: top, width: node.width, height: HEIGHT, rx: 5}), ...texts);
}

function edgeShapes(index) {
  const edge = graph.edges[index], path = pathOf(edge);
  const classes = ['edge'];
  if (edge.direct) classes.push('direct');
  if (chosen.tensor === edge.tensor) classes.push('chosen');
  return [shape('path', {class: classes.join(' '), d: path}),
          shape('path', {class: 'grip', d: path, 'data-tensor': edge.tensor},
                shape('title', {}, textOf(graph.tensors[edge.tensor])))];
}

// The shape of a tensor, once, below the node that writes it.
function labels(nodes) {
  const made = [];
  for (const index of nodes) {
    const node = graph.nodes[index];
    if (node.outputs.length !== 1) continue;
    const tensor = graph.tensors[node.outputs[0]];
    if (!tensor.shape || !tensor.readers.length) continue;
    made.push(shape('text', {class: 'label', x: node.x + 5, y: yOf(node.rank) + HEIGHT / 2 + 12},
                    tensor.shape));
  }
  return made;
}

function draw() {
  content.setAttribute('transform',
                       `scale(${view.scale}) translate(${-view.x} ${-view.y})`);
  const seen = visible();
  if (seen.nodes.length > MANY || view.scale < 0.2) {
    const boxes = seen.nodes.map((index) => {
      const node = graph.nodes[index];
      return `M${node.x - node.width / 2} ${yOf(node.rank) - HEIGHT / 2}` +
             `h${node.width}v${HEIGHT}h${-node.width}z`;
    });
    const parts = [
      shape('path', {class: 'far-edges', d: seen.edges.map((i) => pathOf(graph.edges[i])).join('')}),
      shape('path', {class: 'far-nodes', d: boxes.join('')})];
    if (chosen.node !== undefined) parts.push(nodeShape(chosen.node));
    content.replaceChildren(...parts);
    return;
  }
  content.replaceChildren(...seen.edges.flatMap(edgeShapes), ...labels(seen.nodes),
                          ...seen.nodes.map(nodeShape));
}

let asked = false;
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

// --- moving

function showWhole() {
  const {width, height} = screen();
  const most = Math.max(graph.width, 1), long = Math.max(graph.ranks * PITCH, 1);
  const scale = Math.min(width / (most + 40), height / (long + 40), 1.2);
  view = {scale, x: most / 2 - width / scale / 2, y: (long - PITCH + HEIGHT) / 2 - height / scale / 2};
  redraw();
}

// The beginning of the graph at a size that can be read.
function showBeginning() {
  const first = graph.nodes[graph.byRank.length ? graph.byRank[0][0] : 0];
  const {width} = screen();
  view = {scale: 1, x: (first ? first.x : 0) - width / 2, y: -30};
  redraw();
}

function showNode(index) {
  const node = graph.nodes[index], {width, height} = screen();
  const scale = Math.max(view.scale, 0.8);
  view = {scale, x: node.x - width / scale / 2, y: yOf(node.rank) - height / scale / 2};
  redraw();
}

function zoom(factor, atX, atY) {
  const scale = Math.min(4, Math.max(0.002, view.scale * factor));
  view = {scale, x: view.x + atX / view.scale - atX / scale,
          y: view.y + atY / view.scale - atY / scale};
  redraw();
}

let grip = null;
drawing.addEventListener('pointerdown', (event) => {
  grip = {x: event.clientX, y: event.clientY, moved: false, target: event.target};
});
window.addEventListener('pointermove', (event) => {
  if (!grip) return;
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  if (!grip.moved && Math.hypot(dx, dy) < 4) return;
  drawing.classList.add('moving');
  view = {...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale};
  grip = {...grip, x: event.clientX, y: event.clientY, moved: true};
  redraw();
});
window.addEventListener('pointerup', (event) => {
  if (!grip) return;
  drawing.classList.remove('moving');
  if (!grip.moved) choose(grip.target, event);
  grip = null;
});
drawing.addEventListener('wheel', (event) => {
  event.preventDefault();
  const box = drawing.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
}, {passive: false});
window.addEventListener('resize', redraw);
whole.addEventListener('click', showWhole);

// The node at a point of the drawing; from afar there are no elements to ask.
function nodeAt(x, y) {
  const rank = Math.floor(y / PITCH);
  if (rank < 0 || rank >= graph.ranks || y - rank * PITCH > HEIGHT) return undefined;
  return graph.byRank[rank].find(
    (index) => Math.abs(graph.nodes[index].x - x) <= graph.nodes[index].width / 2);
}

function choose(target, event) {
  const box = drawing.getBoundingClientRect();
  const node = nodeAt(view.x + (event.clientX - box.left) / view.scale,
                      view.y + (event.clientY - box.top) / view.scale);
  if (node !== undefined) return chooseNode(node);
  const tensor = target.getAttribute && target.getAttribute('data-tensor');
  if (tensor !== null && tensor !== undefined) chooseTensor(Number(tensor));
}

// --- details

function textOf(tensor) {
  if (!tensor.name) return '(left out)';
  const known = [tensor.type && 'dtype=' + tensor.type, tensor.shape && 'shape=' + tensor.shape,
                 tensor.note].filter(Boolean);
  return (tensor.constant ? 'Initializer | ' : '') + tensor.name +
         (known.length ? ' [' + known.join(', ') + ']' : '');
}

function link(text, action) {
  const made = element('button', {textContent: text});
  made.addEventListener('click', action);
  return made;
}

function section(title, items) {
  if (!items.length) return [];
  return [element('h3', {textContent: `${title} (${items.length})`}),
          element('ul', {}, ...items.map((item) => element('li', {}, item)))];
}

function tensorLinks(indices) {
  return indices.map((index) => {
    const tensor = graph.tensors[index];
    return tensor.name ? link(textOf(tensor), () => chooseTensor(index)) : textOf(tensor);
  });
}

function nodeLinks(indices) {
  return indices.map((index) => {
    const node = graph.nodes[index];
    return link(`${node.name || '(no name)'} [Op: ${node.op}]`, () => {
      showNode(index);
      chooseNode(index);
    });
  });
}

function chooseNode(index) {
  chosen = {node: index};
  const node = graph.nodes[index];
  details.replaceChildren(
    element('h2', {textContent: node.op}),
    element('p', {textContent: node.name || '(no name)'}),
    ...section('Subgraphs', node.inner.map(([attribute, inner]) =>
      link(attribute, () => showGraph(inner)))),
    ...section('Attributes', node.attributes.map(([name, value]) => `${name} = ${value}`)),
    ...section('Inputs', tensorLinks(node.inputs)),
    ...section('Outputs', tensorLinks(node.outputs)));
  redraw();
}

function chooseTensor(index) {
  chosen = {tensor: index};
  const tensor = graph.tensors[index];
  const facts = [['Type', tensor.type], ['Shape', tensor.shape], ['More', tensor.note]];
  details.replaceChildren(
    element('h2', {textContent: tensor.constant ? 'Initializer' : 'Tensor'}),
    element('p', {textContent: tensor.name}),
    ...facts.filter(([, value]) => value).map(([name, value]) =>
      element('p', {textContent: `${name}: ${value}`})),
    ...section('Written by', nodeLinks(tensor.writers)),
    ...section('Read by', nodeLinks(tensor.readers)));
  redraw();
}

function showGraph(index) {
  graph = graphs[index];
  choice.value = index;
  chosen = {};
  const count = graph.nodes.filter((node) => node.kind === 0).length;
  details.replaceChildren(
    element('h2', {textContent: graph.title || '(no name)'}),
    element('p', {className: 'weak', textContent: `${count} nodes. Drag to move, turn the ` +
             'wheel to zoom, click a node or an edge for its details.'}),
    ...section('Inputs', tensorLinks(graph.nodes.filter((node) => node.kind === 1)
                                       .flatMap((node) => node.outputs))),
    ...section('Outputs', tensorLinks(graph.nodes.filter((node) => node.kind === 2)
                                        .flatMap((node) => node.inputs))));
  showBeginning();
}

choice.addEventListener('change', () => showGraph(Number(choice.value)));

// --- search

function find(text) {
  const wanted = text.toLowerCase(), found = [];
  const matches = (name) => name.toLowerCase().includes(wanted);
  graphs.forEach((one, g) => one.nodes.forEach((node, n) => {
    const tensors = node.outputs.some((index) => matches(one.tensors[index].name));
    if (matches(node.op) || matches(node.name) || tensors) found.push([g, n]);
  }));
  return found;
}

function goTo([g, n]) {
  if (graph !== graphs[g]) showGraph(g);
  showNode(n);
  chooseNode(n);
}

search.addEventListener('input', () => {
  if (!search.value) return;
  const found = find(search.value);
  const shown = found.slice(0, MOST_FOUND).map(([g, n]) => {
    const node = graphs[g].nodes[n];
    const place = g === 0 ? '' : ` in ${graphs[g].title}`;
    return link(`${node.name || '(no name)'} [Op: ${node.op}]${place}`, () => goTo([g, n]));
  });
  details.replaceChildren(
    element('h2', {textContent: `${found.length} found`}),
    ...(found.length > MOST_FOUND
      ? [element('p', {className: 'weak', textContent: `The first ${MOST_FOUND} are listed.`})]
      : []),
    element('ul', {}, ...shown.map((item) => element('li', {}, item))));
});
search.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !search.value) return;
  const found = find(search.value);
  if (found.length) goTo(found[0]);
});

showGraph(0);
