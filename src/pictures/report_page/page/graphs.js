'use strict';
// Graphs of models side by side, coloured by the page's tables, with details of what is chosen.

const MOST_FOUND = 200;

const button = (parent, text, action, attributes = {}) => {
  const made = make('button', parent, attributes, text);
  made.addEventListener('click', action);
  return made;
};

const titleOf = (index) => {
  const section = document.querySelector(`[data-section="${index}"]`).parentElement;
  return section.querySelector('h2')?.textContent ?? '';
};

class Graphs {
  constructor(host, section) {
    this.host = host;
    host.classList.add('graphs');
    this.tables = sections.filter((one) => one?.keys);
    for (const table of this.tables) table.title = titleOf(sections.indexOf(table));
    this.colourings = colouringsOf(this.tables);
    this.partners = new Map((section.partners || []).map((pair) =>
        typeof pair === 'string' ? [pair, pair] : pair));
    this.tools = make('div', host, {class: 'tools'});
    this.legend = make('div', host);
    const body = make('div', host, {class: 'body'});
    this.tree = make('nav', body, {'aria-label': 'Modules', tabindex: '0'});
    this.views = section.models.map(({title, path, graphs}) => {
      const view = new Drawing(body, section.models.length > 1 ? title : '', {
        chose: (chosen) => this.choose(view, chosen),
        moved: () => this.#lead(view),
        zoomed: (factor) => this.views.forEach((other) => other === view || other.zoom(factor)),
      });
      view.path = path;
      view.graphs = graphs.map(graphOf);
      view.box.addEventListener('keydown', (event) => this.#key(view, event));
      return view;
    });
    this.details = make('aside', body, {tabindex: '0', 'aria-label': 'Details',
                                        'aria-live': 'polite'});
    this.#makeTools();
    for (const view of [...this.views].reverse()) this.#show(view, view.graphs[0]);
    this.#follow();
    if (!this.#openAddress()) this.#openWorst();
  }

  #makeTools() {
    this.places = [...this.views].reverse().flatMap((view) =>
        view.graphs.map((graph, index) => ({view, graph, index})));
    this.graphList = this.#list('Graph', this.places.map(({graph}) => graph.title), () => {
      const {view, graph} = this.places[this.graphList.value];
      this.#show(view, graph);
    });
    this.graphList.hidden = this.places.every(({index}) => index === 0);
    const names = this.colourings.map(({name}) => 'Colours: ' + name);
    this.toneList = this.#list('Colours', names, () => this.#paint());
    this.toneList.hidden = this.colourings.length < 2;
    this.search = make('input', this.tools, {type: 'search', 'aria-label': 'Search the graph',
                                             placeholder: 'Search names and operators'});
    this.search.addEventListener('input', () => this.#listFound());
    this.search.addEventListener('keydown', (event) => {
      const [first] = event.key === 'Enter' ? this.#found() : [];
      if (first) first[1]();
    });
    button(this.tools, '+', () => this.#zoom(1.25), {'aria-label': 'Larger'});
    button(this.tools, '−', () => this.#zoom(0.8), {'aria-label': 'Smaller'});
    button(this.tools, 'Whole graph', () => this.#showWhole());
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target.matches('input, select')) return;
      event.preventDefault();
      this.search.focus();
    });
  }

  #zoom(factor) { this.views.forEach((view) => view.zoom(factor)); }
  #showWhole() { this.views.forEach((view) => view.showWhole()); }

  #list(label, texts, changed) {
    const list = make('select', this.tools, {'aria-label': label});
    texts.forEach((text, index) => make('option', list, {value: index}, text));
    list.addEventListener('change', changed);
    return list;
  }

  // --- what is shown

  get colouring() { return this.colourings[this.toneList.value]; }

  #show(view, graph) {
    view.show(graph, tonesOf(this.colouring, graph));
    this.graphList.value = this.places.findIndex((place) => place.graph === graph);
    this.#explain();
    this.#describe(view);
    const [one, other] = this.views;
    if (!one.graph || !other) return;
    [one.pairs, other.pairs] = pairsOf(one.graph, other.graph, this.partners);
    one.ranks = ranksOf(one.graph, other.graph, one.pairs);
    other.ranks = ranksOf(other.graph, one.graph, other.pairs);
  }

  #paint() {
    for (const view of this.views) view.paint(tonesOf(this.colouring, view.graph));
    this.#explain();
  }

  // The legend, and the tree of the last model.
  #explain() {
    const {tables, legend: all} = this.colouring;
    const occurs = ([tone]) => tables.length || this.views.some(({tones}) => tones?.includes(tone));
    const entries = all.filter(occurs).map(([tone, text]) => [toneColor(tone), text, true]);
    const line = legend(this.host, entries);
    line.classList.toggle('scale', entries.some(([, text]) => text === ''));
    this.legend.replaceWith(line);
    this.legend = line;
    const view = this.views.at(-1);
    if (!view.graph) return;
    this.tree.replaceChildren();
    this.tree.hidden = !modulesOf(view.graph).modules.size;
    make('h2', this.tree, {}, 'Modules');
    if (this.tree.hidden) return;
    const {figure} = this.colouring;
    if (figure) make('p', this.tree, {class: 'weak'}, 'Largest: ' + figure[0].columns[figure[1]][0]);
    new ModuleTree(this.tree, view.graph, view.tones, valuesOf(this.colouring, view.graph),
                   (node, chosen) => {
      view.showNode(node);
      if (chosen) this.choose(view, {node});
    });
  }

  #partner(view) { return this.views.find((other) => other !== view); }

  // The other drawing scrolls with this one.
  #lead(view) {
    const other = this.#partner(view), {box, ranks} = view;
    if (!other || !ranks) return;
    const rank = Math.min(Math.floor(view.top), ranks.length - 2), next = ranks[rank + 1];
    other.lead(ranks[rank] + (next - ranks[rank]) * (view.top - rank),
               box.scrollLeft / Math.max(1, box.scrollWidth - box.clientWidth));
  }

  // --- what is chosen

  goTo(view, graph, node, read = true) {
    if (view.graph !== graph) this.#show(view, graph);
    view.showNode(node);
    this.choose(view, {node}, read);
  }

  // `read`: the reader chose it, so the address names it.
  choose(view, chosen, read = true) {
    view.choose(chosen);
    const other = this.#partner(view), partner = view.pairs?.get(chosen.node);
    if (other) other.choose(partner === undefined ? {} : {node: partner});
    if (partner !== undefined) other.showNode(partner);
    else this.#lead(view);
    if (chosen.node === undefined && chosen.tensor === undefined) return this.#describe(view);
    if (chosen.node === undefined) return this.#describeTensor(view, chosen.tensor);
    this.#describeNode(view, chosen.node);
    for (const table of this.tables) table.choose?.(rowsOf(table, view.graph)[chosen.node]);
    const {name} = view.graph.nodes[chosen.node];
    if (read && name) history.replaceState(null, '', '#node=' + encodeURIComponent(name));
  }

  // Tables' rows show their nodes.
  #follow() {
    for (const table of this.tables) {
      table.shows = (row) => this.#showRow(table, row, true);
      table.reveals = () => this.host.scrollIntoView({block: 'nearest'});
    }
    addEventListener('hashchange', () => this.#openAddress());
  }

  // Whether the row has a node.
  #showRow(table, row, read) {
    for (const {view, graph} of this.places) {
      const node = rowsOf(table, graph).indexOf(row);
      if (node < 0) continue;
      this.goTo(view, graph, node, read);
      return true;
    }
    return false;
  }

  #openAddress() {
    const [, text] = location.hash.split('#node=');
    if (!text) return false;
    const name = decodeURIComponent(text);
    for (const {view, graph} of this.places) {
      const index = graph.nodes.findIndex((node) => node.name === name);
      if (index < 0) continue;
      this.goTo(view, graph, index);
      return true;
    }
    return false;
  }

  // The first row of the worst colour.
  #openWorst() {
    const {tables, toneOf} = this.colouring;
    const worst = tables.flatMap(({rows}) => rows.map(toneOf)).reduce(worse, '');
    if (worst === '') return;
    for (const table of tables)
      for (const [row, cells] of table.rows.entries())
        if (toneOf(cells) === worst && this.#showRow(table, row, false)) return;
  }

  #key(view, event) {
    const {node} = view.chosen;
    const actions = {'+': () => this.#zoom(1.25), '-': () => this.#zoom(0.8),
                     '0': () => this.#showWhole(), Escape: () => this.choose(view, {}, false)};
    if (node !== undefined && event.key.startsWith('Arrow')) {
      const next = view.beside(node, event.key);
      if (next !== undefined) this.goTo(view, view.graph, next);
    } else if (event.key in actions && !event.ctrlKey) {
      actions[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  }

  // --- details

  #items(title, items) {
    if (!items.length) return;
    make('h3', this.details, {}, `${title} (${items.length})`);
    const all = make('ul', this.details);
    for (const [text, action] of items) {
      if (action) button(make('li', all), text, action);
      else make('li', all, {}, text);
    }
  }

  #tensors(title, view, indices) {
    this.#items(title, indices.map((index) => {
      const tensor = view.graph.tensors[index];
      return [tensorText(tensor), tensor.name && (() => this.choose(view, {tensor: index}))];
    }));
  }

  #nodes(title, view, indices) {
    const {graph} = view;
    this.#items(title, indices.map((index) =>
        [nodeText(graph.nodes[index]), () => this.goTo(view, graph, index)]));
  }

  #describe(view) {
    const {nodes, title} = view.graph, of = (kind) => nodes.filter((node) => node.kind === kind);
    this.details.replaceChildren();
    make('h2', this.details, {}, title);
    make('p', this.details, {class: 'weak'},
         `${of(0).length} nodes. Drag or scroll to move, hold Ctrl and turn the wheel to zoom, ` +
         'click a node or an edge for its details; arrow keys move from node to node.');
    this.#tensors('Inputs', view, of(1).flatMap((node) => node.outputs));
    this.#tensors('Outputs', view, of(2).flatMap((node) => node.inputs));
  }

  #describeNode(view, index) {
    const node = view.graph.nodes[index];
    this.details.replaceChildren();
    make('h2', this.details, {}, node.op);
    make('p', this.details, {}, node.name || '(no name)');
    for (const [name, value] of [['Module', node.module], ['Source', node.source]])
      if (value) make('p', this.details, {}, `${name}: ${value}`);
    for (const table of this.tables)
      this.#figures(table, table.rows[rowsOf(table, view.graph)[index]]);
    this.#items('Subgraphs', node.inner.map(([attribute, inner]) =>
        [attribute, () => this.#show(view, view.graphs[inner])]));
    this.#items('Attributes', node.attributes.map(([name, value]) => [`${name} = ${value}`]));
    this.#tensors('Inputs', view, node.inputs);
    this.#tensors('Outputs', view, node.outputs);
    if (view.path && view.graph === view.graphs[0] && node.kind === 0)
      drawExtract(this.details, view, index);
  }

  // The figures of a node in a table.
  #figures(table, row) {
    if (!row) return;
    const list = make('dl', this.details, {class: MARKED[row[0]]});
    const rest = [...table.columns.keys()].filter((column) => !table.keys.includes(column));
    for (const column of table.figures.length ? [table.outcome, ...table.figures] : rest) {
      if ([undefined, null, ''].includes(row[column + 1])) continue;
      const figure = make('div', list);
      make('dt', figure, {}, table.columns[column][0]);
      make('dd', figure, {}, shown(row[column + 1]));
    }
  }

  #describeTensor(view, index) {
    const tensor = view.graph.tensors[index];
    this.details.replaceChildren();
    make('h2', this.details, {}, tensor.constant ? 'Initializer' : 'Tensor');
    make('p', this.details, {}, tensor.name);
    const facts = [['Type', tensor.type], ['Shape', tensor.shape], ['More', tensor.note]];
    for (const [name, value] of facts)
      if (value) make('p', this.details, {}, `${name}: ${value}`);
    this.#nodes('Written by', view, tensor.writers);
    this.#nodes('Read by', view, tensor.readers);
    if (tensor.values) drawValues(this.details, tensor.values);
  }

  // --- search

  #found() {
    return this.search.value === '' ? [] : this.places.flatMap(({view, graph, index}) =>
      nodesWith(graph, this.search.value).map((node) => [
        nodeText(graph.nodes[node]) + (index ? ` in ${graph.title}` : ''),
        () => this.goTo(view, graph, node)]));
  }

  #listFound() {
    const all = this.#found();
    this.details.replaceChildren();
    make('h2', this.details, {}, `${all.length} found`);
    if (all.length > MOST_FOUND)
      make('p', this.details, {class: 'weak'}, `The first ${MOST_FOUND} are listed.`);
    this.#items('Nodes', all.slice(0, MOST_FOUND));
  }
}

function graphs(host, section) {
  new Graphs(host, section);
}
