'use strict';
// Colours of nodes, by tables with a row per node. A tone is a class of the style; of nodes in one
// place, the one that comes last here shows.

const OPERATORS = {kind1: 'input', kind2: 'output', kind3: 'outer tensor', move: 'moves data',
                   constant: 'constant', reduce: 'reduction', activation: 'activation',
                   norm: 'normalization', quantize: 'quantization', heavy: 'Conv, MatMul'};
const HEAT = 8;
const TONES = ['', 'skipped', ...Object.keys(OPERATORS), 'good',
               ...Array.from({length: HEAT}, (_, i) => 'heat' + i), 'warning', 'bad'];
const WEIGHTS = new Map(TONES.map((tone, weight) => [tone, weight]));
const worse = (a, b) => WEIGHTS.get(a) > WEIGHTS.get(b) ? a : b;
const toneColor = (tone) => {
  if (!tone.startsWith('heat')) return `var(--${tone}-tone)`;
  const part = Math.round(100 * tone.slice(4) / (HEAT - 1));
  return `color-mix(in srgb, var(--heat-tone) ${part}%, var(--page))`;
};
const toned = (tone, property = 'fill') => tone ? {style: `${property}: ${toneColor(tone)}`} : {};

// The row of each node, its outputs or weights, or undefined.
const rowsOf = (table, graph) => {
  table.rowsOf ??= new Map();
  if (!table.rowsOf.has(graph)) table.rowsOf.set(graph, matched(table, graph));
  return table.rowsOf.get(graph);
};
const matched = (table, graph) => {
  const rows = new Map();
  table.rows.forEach((row, index) => {
    for (const name of table.keys.map((key) => row[key + 1]))
      if (name && !rows.has(name)) rows.set(name, index);
  });
  const rowOf = (tensor) => rows.get(graph.tensors[tensor].name);
  const first = (tensors) => tensors.map(rowOf).find((row) => row !== undefined);
  return graph.nodes.map(({kind, name, inputs, outputs}) => kind ? undefined : rows.get(name) ??
      first(outputs) ?? first(inputs.filter((tensor) => graph.tensors[tensor].constant)));
};

// Of all tables: the worst mark of a node.
const verdicts = (tables) => {
  const toneOf = (row) => row[0] === 0 ? '' : MARKED[row[0]];
  const outcomes = new Map();  // each with the names of its nodes
  for (const table of tables) {
    for (const row of table.rows) {
      const text = table.outcome === undefined ? table.title : row[table.outcome + 1];
      const tone = toneOf(row), key = tone + text;
      if (!outcomes.has(key)) outcomes.set(key, [tone, text, new Set()]);
      outcomes.get(key)[2].add(row[table.keys[0] + 1]);
    }
  }
  const entries = [...outcomes.values()].filter(([tone]) => tone !== '')
      .sort(([a], [b]) => WEIGHTS.get(b) - WEIGHTS.get(a));
  const legend = entries.map(([tone, text, {size}]) => [tone, `${text} (${size})`]);
  const telling = tables.find((table) => table.figures.length);
  return {name: 'Verdict', tables, toneOf, legend,
          figure: telling && [telling, telling.figures[0]]};
};

// From pale to red by powers of ten, because errors span many of them.
const figures = (table, column) => {
  const values = table.rows.map((row) => number(row[column + 1]))
      .filter((value) => value > 0 && value < Infinity);
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const part = (value) => high > low ? Math.log(value / low) / Math.log(high / low) : 1;
  const toneOf = (row) => {
    const value = number(row[column + 1]);
    if (Number.isNaN(value)) return '';
    return 'heat' + (value > 0 ? Math.min(HEAT - 1, Math.floor(part(value) * HEAT)) : 0);
  };
  const texts = {0: shown(low), [HEAT - 1]: shown(high)};
  const legend = Array.from({length: HEAT}, (_, i) => ['heat' + i, texts[i] ?? '']);
  return {name: table.columns[column][0], tables: [table], toneOf, legend, any: values.length > 0,
          figure: [table, column]};
};

const colouringsOf = (tables) => [
  ...(tables.some(({rows}) => rows.some(([mark]) => mark)) ? [verdicts(tables)] : []),
  ...tables.flatMap((table) => table.figures.map((column) => figures(table, column)))
      .filter(({any}) => any),
  {name: 'Operator', tables: [], legend: Object.entries(OPERATORS)}];

// The tone of each node.
const tonesOf = ({tables, toneOf}, graph) => {
  if (!tables.length) return graph.nodes.map(({kind, group}) => kind ? 'kind' + kind : group);
  const tones = graph.nodes.map(() => '');
  for (const table of tables) rowsOf(table, graph).forEach((row, index) => {
    if (row !== undefined) tones[index] = worse(toneOf(table.rows[row]), tones[index]);
  });
  return tones;
};

// The figure of each node: that of the colours, beside verdicts the most telling one; NaN without.
const valuesOf = ({figure}, graph) => {
  if (!figure) return graph.nodes.map(() => NaN);
  const [table, column] = figure;
  return rowsOf(table, graph).map((row) =>
      row === undefined ? NaN : number(table.rows[row][column + 1]));
};
