'use strict';
// Graphs as objects, out of the lists of the data.

const graphOf = (data) => {
  const graph = {
    title: data.title || '(no name)', width: data.width, ranks: data.ranks,
    tensors: data.tensors.map(([name, type, shape, note, constant, values]) =>
        ({name, type, shape, note, constant, values, writers: [], readers: []})),
    nodes: data.nodes.map(([kind, op, name, rank, x, width, inputs, outputs, attributes, inner,
                            group, module = '', source = '']) =>
        ({kind, op, name, rank, x, width, inputs, outputs, attributes, inner, group, module, source})),
    edges: data.edges.map(([tensor, from, to, bends]) => ({tensor, from, to, bends})),
  };
  const lists = () => Array.from({length: graph.ranks}, () => []);
  graph.byRank = lists();    // nodes
  graph.crossing = lists();  // edges
  graph.direct = [];         // edges without bends
  graph.nodes.forEach((node, index) => {
    for (const tensor of node.outputs) graph.tensors[tensor].writers.push(index);
    for (const tensor of new Set(node.inputs)) graph.tensors[tensor].readers.push(index);
    graph.byRank[node.rank].push(index);
  });
  for (const edge of graph.edges) {
    const from = graph.nodes[edge.from].rank, to = graph.nodes[edge.to].rank;
    edge.direct = to - from - 1 !== edge.bends.length;
    const xs = [graph.nodes[edge.from].x, graph.nodes[edge.to].x, ...edge.bends];
    Object.assign(edge, {left: Math.min(...xs), right: Math.max(...xs),
                         first: Math.min(from, to), last: Math.max(from, to)});
    if (edge.direct) graph.direct.push(edge);
    else for (let rank = from; rank <= to; ++rank) graph.crossing[rank].push(edge);
  }
  return graph;
};

const tensorText = (tensor) => {
  if (!tensor.name) return '(left out)';
  const known = [tensor.type && 'dtype=' + tensor.type, tensor.shape && 'shape=' + tensor.shape,
                 tensor.note].filter(Boolean);
  return (tensor.constant ? 'Initializer | ' : '') + tensor.name +
         (known.length ? ' [' + known.join(', ') + ']' : '');
};

// Nodes of two graphs that make tensors which are `partners`. Maps in both directions.
const pairsOf = (a, b, partners) => {
  const there = new Map(), back = new Map(), byTensor = new Map();
  const each = (graph, use) => graph.nodes.forEach(({inputs, outputs}, index) => {
    const ends = outputs.length === 0;  // an output of the graph
    for (const tensor of ends ? inputs : outputs) use(ends, graph.tensors[tensor].name, index);
  });
  each(b, (ends, name, index) => byTensor.set(`${ends} ${name}`, index));
  each(a, (ends, name, index) => {
    const partner = byTensor.get(`${ends} ${partners.get(name)}`);
    if (partner === undefined || there.has(index) || back.has(partner)) return;
    there.set(index, partner);
    back.set(partner, index);
  });
  return [there, back];
};

// For each rank of `a`, that of the partners of its nodes in `b`; without any, as the rank before.
const ranksOf = (a, b, pairs) => {
  const ranks = Array(a.ranks + 1).fill(0);
  for (const [index, partner] of pairs)
    ranks[a.nodes[index].rank] = Math.max(ranks[a.nodes[index].rank], b.nodes[partner].rank);
  for (let rank = 1; rank <= a.ranks; ++rank) ranks[rank] = Math.max(ranks[rank], ranks[rank - 1]);
  return ranks;
};

const nodeText = (node) => `${node.name || '(no name)'} [Op: ${node.op}]`;

// Nodes of whose name, operator or outputs `text` is a part.
const nodesWith = (graph, text) => {
  const matches = (name) => name.toLowerCase().includes(text.toLowerCase());
  return [...graph.nodes.keys()].filter((index) => {
    const node = graph.nodes[index];
    return matches(node.op) || matches(node.name) ||
           node.outputs.some((tensor) => matches(graph.tensors[tensor].name));
  });
};
