'use strict';
// The tree of a graph's modules, by the exporter's names, else by the parts of nodes' names.

const MOST_LISTED = 200;

const modulesOf = (graph) => graph.modules ??= moduleTree(graph);
const moduleTree = (graph) => {
  const moduleOf = (name) => ({name, modules: new Map(), nodes: [], size: 0});
  const root = moduleOf('');
  graph.nodes.forEach(({kind, name, module}, index) => {
    if (kind) return;
    let at = root;
    for (const part of module ? module.split(/[/.]/) : name.split('/').slice(0, -1)) {
      if (part === '') continue;
      ++at.size;
      if (!at.modules.has(part)) at.modules.set(part, moduleOf(part));
      at = at.modules.get(part);
    }
    ++at.size;
    at.nodes.push(index);
  });
  return root;
};

// A module that holds one module only has the names of both.
const inner = (module) => {
  const [only] = module.modules.values();
  if (module.nodes.length || module.modules.size !== 1) return module;
  const named = inner(only);
  return {...named, name: `${module.name}/${named.name}`};
};

class ModuleTree {
  // `values`: of the nodes; a module shows the largest. `shows` gets the node that the reader
  // chooses, or the first of a module.
  constructor(parent, graph, tones, values, shows) {
    Object.assign(this, {graph, tones, values, shows});
    const root = modulesOf(graph);
    this.worst = this.#worst(root);  // until it is shown
    this.#list(parent, root);
    if (this.first) parent.scrollTop = this.first.offsetTop - parent.clientHeight / 2;
  }

  #worst(module) {
    return [...module.nodes.map((index) => this.tones[index]),
            ...[...module.modules.values()].map((one) => this.#worst(one))].reduce(worse, '');
  }

  #largest(module) {
    return [...module.nodes.map((index) => this.values[index]),
            ...[...module.modules.values()].map((one) => this.#largest(one))]
        .reduce((a, b) => b > a || Number.isNaN(a) ? b : a, NaN);
  }

  #row(parent, tone, value, text, action) {
    const row = make('li', parent), name = button(row, '', action);
    make('i', name, {class: 'tone', ...toned(tone, 'background')});
    name.append(text);
    if (!Number.isNaN(value)) make('b', name, {}, shown(value));
    return [row, name];
  }

  #list(parent, module) {
    const list = make('ul', parent);
    for (const child of module.modules.values()) this.#module(list, inner(child));
    for (const index of module.nodes.slice(0, MOST_LISTED)) {
      const {name, op} = this.graph.nodes[index];
      const text = `${name.split('/').pop() || '(no name)'} (${op})`;
      const [row] = this.#row(list, this.tones[index], this.values[index], text,
                              () => this.shows(index, true));
      if (this.worst && this.worst === this.tones[index]) this.first ??= row;
    }
    const more = module.nodes.length - MOST_LISTED;
    if (more > 0) make('li', list, {class: 'weak'}, `${more} more`);
  }

  #module(list, module) {
    const first = ({nodes, modules}) =>
        nodes.length ? nodes[0] : first(modules.values().next().value);
    const worst = this.#worst(module), text = `${module.name} (${module.size})`;
    const [row, name] = this.#row(list, worst, this.#largest(module), text, () => {
      const unfolded = name.getAttribute('aria-expanded') === 'true';
      name.setAttribute('aria-expanded', !unfolded);
      if (unfolded) return row.lastChild.remove();
      this.#list(row, module);
      this.shows(first(module), false);
    });
    // At first, one module that has the worst colour is unfolded.
    const unfolded = worst !== '' && worst === this.worst;
    name.setAttribute('aria-expanded', unfolded);
    if (!unfolded) return;
    this.#list(row, module);
    this.worst = '';
  }
}
