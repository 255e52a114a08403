'use strict';
// Graphs of models side by side, with details of what is chosen.

const MOST_FOUND = 200;

const button = (parent, text, action, attributes = {}) => {
  const made = make('button', parent, attributes, text);
  made.addEventListener('click', action);
  return made;
};

function graphs(host, section) {
  const models = section.models.map(({title, graphs}) => ({title, graphs: graphs.map(graphOf)}));
  host.classList.add('graphs');
  const tools = make('div', host, {class: 'tools'});
  const choice = make('select', tools, {'aria-label': 'Graph'});
  const search = make('input', tools, {type: 'search', placeholder: 'Search names and operators',
                                       'aria-label': 'Search the graph'});
  button(tools, 'Whole graph', () => views.forEach((view) => view.showWhole()));
  const body = make('div', host, {class: 'body'});
  const views = models.map((model) =>
      new Drawing(body, model.title, (chosen) => choose(model, chosen)));
  const details = make('aside', body, {tabindex: '0', 'aria-label': 'Details'});
  const places = models.flatMap((model) => model.graphs.map((graph, index) => ({model, graph, index})));
  places.forEach(({graph}, index) => make('option', choice, {value: index}, graph.title));
  choice.hidden = places.every(({index}) => index === 0);

  const viewOf = (model) => views[models.indexOf(model)];
  const list = (title, items) => {
    if (!items.length) return;
    make('h3', details, {}, `${title} (${items.length})`);
    const all = make('ul', details);
    for (const [text, action] of items) {
      if (action) button(make('li', all), text, action);
      else make('li', all, {}, text);
    }
  };
  const tensors = (title, model, indices) => list(title, indices.map((index) => {
    const tensor = viewOf(model).graph.tensors[index];
    return [tensorText(tensor), tensor.name && (() => choose(model, {tensor: index}))];
  }));
  const nodes = (title, model, indices) => list(title, indices.map((index) =>
      [nodeText(viewOf(model).graph.nodes[index]), () => goTo(model, viewOf(model).graph, index)]));

  const choose = (model, chosen) => {
    const view = viewOf(model), {graph} = view;
    for (const other of views) other.choose(other === view ? chosen : {});
    details.replaceChildren();
    if (chosen.node !== undefined) {
      const node = graph.nodes[chosen.node];
      make('h2', details, {}, node.op);
      make('p', details, {}, node.name || '(no name)');
      list('Subgraphs', node.inner.map(([attribute, inner]) =>
          [attribute, () => showGraph(model, model.graphs[inner])]));
      list('Attributes', node.attributes.map(([name, value]) => [`${name} = ${value}`]));
      tensors('Inputs', model, node.inputs);
      tensors('Outputs', model, node.outputs);
    } else {
      const tensor = graph.tensors[chosen.tensor];
      make('h2', details, {}, tensor.constant ? 'Initializer' : 'Tensor');
      make('p', details, {}, tensor.name);
      for (const [name, value] of [['Type', tensor.type], ['Shape', tensor.shape], ['More', tensor.note]])
        if (value) make('p', details, {}, `${name}: ${value}`);
      nodes('Written by', model, tensor.writers);
      nodes('Read by', model, tensor.readers);
    }
  };

  const showGraph = (model, graph) => {
    viewOf(model).show(graph);
    choice.value = places.findIndex((place) => place.graph === graph);
    details.replaceChildren();
    make('h2', details, {}, graph.title);
    make('p', details, {class: 'weak'}, `${graph.nodes.filter((node) => node.kind === 0).length} nodes. ` +
         'Drag or scroll to move, hold Ctrl and turn the wheel to zoom, click a node or an edge for its details.');
    tensors('Inputs', model, graph.nodes.filter((node) => node.kind === 1).flatMap((node) => node.outputs));
    tensors('Outputs', model, graph.nodes.filter((node) => node.kind === 2).flatMap((node) => node.inputs));
  };

  const goTo = (model, graph, node) => {
    if (viewOf(model).graph !== graph) showGraph(model, graph);
    viewOf(model).showNode(node);
    choose(model, {node});
  };

  const found = () => search.value === '' ? [] : places.flatMap(({model, graph, index}) =>
      nodesWith(graph, search.value).map((node) => [
        nodeText(graph.nodes[node]) + (index ? ` in ${graph.title}` : ''),
        () => goTo(model, graph, node)]));
  search.addEventListener('input', () => {
    const all = found();
    details.replaceChildren();
    make('h2', details, {}, `${all.length} found`);
    if (all.length > MOST_FOUND)
      make('p', details, {class: 'weak'}, `The first ${MOST_FOUND} are listed.`);
    list('Nodes', all.slice(0, MOST_FOUND));
  });
  search.addEventListener('keydown', (event) => {
    const [first] = event.key === 'Enter' ? found() : [];
    if (first) first[1]();
  });
  choice.addEventListener('change', () => {
    const {model, graph} = places[choice.value];
    showGraph(model, graph);
  });
  for (const model of [...models].reverse()) showGraph(model, model.graphs[0]);
}
