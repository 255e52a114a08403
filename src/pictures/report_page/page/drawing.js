'use strict';
// A graph in a box that scrolls. Only what is near the part in sight is in the document; from afar,
// nodes and edges are one path each.

const PITCH = 96, HEIGHT = 52, MARGIN = 24;  // of ranks, nodes and the drawing, in its pixels
const MANY = 500;                            // more nodes than this are drawn from afar

const middleOf = (rank) => rank * PITCH + HEIGHT / 2;

const shortened = (text, width, letter) => {
  const letters = [...text], room = Math.floor((width - 12) / letter);
  return letters.length <= room ? text : '…' + letters.slice(letters.length - room + 1).join('');
};

class Drawing {
  // `told`: chose({node} or {tensor}), an index; moved(), by the reader; zoomed(factor).
  constructor(host, label, told) {
    Object.assign(this, {told, scale: 1, chosen: {}});
    const pane = make('div', host, {class: 'pane'});
    if (label) make('h3', pane, {}, label);
    this.box = make('div', pane, {class: 'drawing', tabindex: '0', role: 'group',
                                  'aria-label': label || 'Graph'});
    this.svg = draw('svg', this.box, {'aria-hidden': 'true'});
    this.layers = ['edges', 'labels', 'nodes'].map(() => ({group: draw('g', this.svg),
                                                           shown: new Map()}));
    this.strip = make('div', pane, {class: 'strip', 'aria-hidden': 'true'});
    this.bands = draw('svg', this.strip, {preserveAspectRatio: 'none'});
    this.window = make('div', this.strip);
    this.box.addEventListener('scroll', () => {
      const moved = !(Math.abs(this.box.scrollTop - this.led) <= 1);
      this.led = NaN;
      if (moved) told.moved();
      this.fill();
    }, {passive: true});
    this.box.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * 0.003);
      this.zoom(factor, event.clientX, event.clientY);
      told.zoomed(factor);
    }, {passive: false});
    new ResizeObserver(() => this.graph && this.#measure()).observe(this.box);
    this.#drag();
    this.#dragStrip();
  }

  show(graph, tones) {
    Object.assign(this, {graph, tones, chosen: {}});
    this.#resize(1);
    const first = graph.byRank.length ? graph.nodes[graph.byRank[0][0]] : {x: 0, rank: 0};
    this.#goTo(first.x, 0);
  }

  // `tones`: of each node.
  paint(tones) {
    this.tones = tones;
    this.#paintStrip();
    this.fill(true);
  }

  #paintStrip() {
    const {ranks, nodes} = this.graph;
    const bands = Math.max(1, Math.min(ranks, Math.round(this.high / 3)));
    const worst = Array(bands).fill('');
    nodes.forEach(({rank}, index) => {
      const band = Math.floor(rank * bands / ranks);
      worst[band] = worse(this.tones[index], worst[band]);
    });
    this.bands.setAttribute('viewBox', `0 0 1 ${bands}`);
    this.bands.replaceChildren();
    worst.forEach((tone, band) =>
      tone && draw('rect', this.bands, {...toned(tone), x: 0, y: band, width: 1, height: 1}));
  }

  // The rank at the upper side of the part in sight; between two ranks a fraction.
  get top() { return this.box.scrollTop / this.scale / PITCH; }

  // Without a call of moved().
  lead(top, left) {
    const {box} = this;
    box.scrollLeft = left * (box.scrollWidth - box.clientWidth);
    box.scrollTop = top * PITCH * this.scale;
    this.led = box.scrollTop;
  }

  choose(chosen) {
    this.chosen = chosen;
    this.fill(true);
  }

  // At a size that can be read.
  showNode(index) {
    const node = this.graph.nodes[index];
    if (this.scale < 0.6 || this.scale > 1.5) this.#resize(1);
    this.#goTo(node.x, middleOf(node.rank));
  }

  // The nearest node in the direction of an arrow, along an edge or in the same rank.
  beside(index, key) {
    const {nodes, tensors, byRank} = this.graph, {x, rank, inputs, outputs} = nodes[index];
    const far = (one) => Math.abs(nodes[one].x - x);
    const nearest = (indices) => indices.sort((a, b) => far(a) - far(b))[0];
    if (key === 'ArrowUp') return nearest(inputs.flatMap((tensor) => tensors[tensor].writers));
    if (key === 'ArrowDown') return nearest(outputs.flatMap((tensor) => tensors[tensor].readers));
    const sign = key === 'ArrowLeft' ? -1 : 1;
    return nearest(byRank[rank].filter((one) => (nodes[one].x - x) * sign > 0));
  }

  showWhole() {
    const {clientWidth, clientHeight} = this.box;
    this.#resize(Math.min(clientWidth / (this.graph.width + 2 * MARGIN), 1.2,
                          clientHeight / (this.graph.ranks * PITCH + 2 * MARGIN)));
  }

  // `x`, `y`: the point of the window that stays.
  zoom(factor, x, y) {
    const box = this.box.getBoundingClientRect();
    const left = x ?? box.left + box.width / 2, top = y ?? box.top + box.height / 2;
    const old = this.svg.getBoundingClientRect(), before = this.scale;
    this.#resize(Math.min(4, Math.max(0.002, this.scale * factor)));
    const now = this.svg.getBoundingClientRect(), grown = this.scale / before;
    this.box.scrollLeft += (left - old.left) * grown + now.left - left;
    this.box.scrollTop += (top - old.top) * grown + now.top - top;
    this.fill();
  }

  #resize(scale) {
    this.scale = scale;
    const width = this.graph.width + 2 * MARGIN, height = this.graph.ranks * PITCH + 2 * MARGIN;
    this.svg.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    this.svg.style.width = width * scale + 'px';
    this.svg.style.height = height * scale + 'px';
    this.#measure();
  }

  #goTo(x, y) {
    this.box.scrollLeft = (x + MARGIN) * this.scale - this.box.clientWidth / 2;
    this.box.scrollTop = (y + MARGIN) * this.scale - this.box.clientHeight / 2;
    this.led = this.box.scrollTop;
    this.fill();
  }

  // Sizes in pixels, which take the browser a layout.
  #measure() {
    const {clientWidth, clientHeight, scrollHeight} = this.box;
    Object.assign(this, {wide: clientWidth, high: clientHeight, whole: scrollHeight});
    this.window.style.height = Math.min(1, clientHeight / scrollHeight) * clientHeight + 'px';
    this.paint(this.tones);
  }

  // The part in sight, wider by `more` of it on each side.
  #sight(x, y, more) {
    const at = (pixels) => pixels / this.scale - MARGIN;
    return {left: at(x - more * this.wide), right: at(x + (1 + more) * this.wide),
            top: at(y - more * this.high), bottom: at(y + (1 + more) * this.high)};
  }

  // Draws again if the reader sees the end of what is drawn.
  fill(again = false) {
    if (!this.graph) return;
    const {scrollLeft, scrollTop} = this.box;
    const sight = this.#sight(scrollLeft, scrollTop, 0), drawn = this.drawn;
    this.window.style.transform = `translateY(${scrollTop / this.whole * this.high}px)`;
    if (!again && sight.left >= drawn.left && sight.right <= drawn.right &&
        sight.top >= drawn.top && sight.bottom <= drawn.bottom) return;
    this.drawn = this.#sight(scrollLeft, scrollTop, 0.4);
    this.#draw(this.#within(this.drawn), again);
  }

  #within({left, right, top, bottom}) {
    const {graph} = this, edges = new Set(), nodes = [];
    const first = Math.max(0, Math.floor(top / PITCH));
    const last = Math.min(graph.ranks - 1, Math.floor(bottom / PITCH));
    for (let rank = first; rank <= last; ++rank) {
      for (const index of graph.byRank[rank]) {
        const node = graph.nodes[index];
        if (node.x + node.width / 2 >= left && node.x - node.width / 2 <= right) nodes.push(index);
      }
      for (const edge of graph.crossing[rank])
        if (edge.right >= left && edge.left <= right) edges.add(edge);
    }
    for (const edge of graph.direct)
      if (edge.last >= first && edge.first <= last) edges.add(edge);
    return {nodes, edges: [...edges]};
  }

  #draw({nodes, edges}, again) {
    const far = nodes.length > MANY || this.scale < 0.3;
    if (again || far || this.far) {
      for (const {group, shown} of this.layers) {
        group.replaceChildren();
        shown.clear();
      }
    }
    this.far = far;
    if (far) return this.#drawFar(nodes, edges);
    const [lines, labels, boxes] = this.layers;
    this.#keep(lines, edges, (edge) => this.#edge(lines.group, edge));
    this.#keep(labels, nodes, (index) => this.#label(labels.group, this.graph.nodes[index]));
    this.#keep(boxes, nodes, (index) => this.#node(boxes.group, index));
  }

  // Makes what is new, and removes what is out of sight.
  #keep({shown}, keys, made) {
    const wanted = new Set(keys);
    for (const [key, element] of shown) {
      if (wanted.has(key)) continue;
      element?.remove();
      shown.delete(key);
    }
    for (const key of keys) if (!shown.has(key)) shown.set(key, made(key));
  }

  #drawFar(nodes, edges) {
    const [lines, , boxes] = this.layers.map(({group}) => group);
    draw('path', lines, {class: 'far-edges', d: edges.map((edge) => this.#path(edge)).join('')});
    const paths = new Map();  // by tone
    for (const index of nodes) {
      const {x, rank, width} = this.graph.nodes[index], tone = this.tones[index];
      const before = paths.get(tone) ?? '';
      paths.set(tone, `${before}M${x - width / 2} ${rank * PITCH}h${width}v${HEIGHT}h${-width}z`);
    }
    for (const [tone, d] of paths)
      draw('path', boxes, {class: 'far-nodes ' + tone, d, ...toned(tone)});
    if (this.chosen.node !== undefined) this.#node(boxes, this.chosen.node);
  }

  #path(edge) {
    const from = this.graph.nodes[edge.from], to = this.graph.nodes[edge.to];
    let x = from.x, y = from.rank * PITCH + HEIGHT;
    let path = `M${x} ${y}`;
    const curveTo = (nextX, nextY) => {
      const middle = (y + nextY) / 2;
      path += nextX === x ? `V${nextY}` : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`;
      x = nextX;
      y = nextY;
    };
    edge.bends.forEach((bend, i) => {
      curveTo(bend, (from.rank + 1 + i) * PITCH);
      curveTo(bend, (from.rank + 1 + i) * PITCH + HEIGHT);
    });
    curveTo(to.x, to.rank * PITCH);
    return path;
  }

  #edge(parent, edge) {
    const chosen = this.chosen.tensor === edge.tensor ? ' chosen' : '';
    return draw('path', parent, {class: `edge${edge.direct ? ' direct' : ''}${chosen}`,
                                 d: this.#path(edge), 'data-tensor': edge.tensor});
  }

  // The shape of a tensor, once, below the node that writes it.
  #label(parent, {outputs, x, rank}) {
    const tensor = outputs.length === 1 && this.graph.tensors[outputs[0]];
    if (!tensor || !tensor.shape || !tensor.readers.length) return null;
    const y = rank * PITCH + HEIGHT + 12;
    return draw('text', parent, {class: 'label', x: x + 5, y}, tensor.shape);
  }

  #node(parent, index) {
    const node = this.graph.nodes[index], top = node.rank * PITCH;
    const classes = ['node', this.tones[index], node.inner.length ? 'inner' : '',
                     node.kind === 3 ? 'outer' : '', this.chosen.node === index ? 'chosen' : ''];
    const weights = node.inputs.map((tensor) => this.graph.tensors[tensor])
        .filter((tensor) => tensor.constant).map((tensor) => tensor.shape).filter(Boolean);
    const lines = [['op', node.op, 8], ['name', node.name, 6], ['weights', weights.join(' '), 6]]
        .filter(([, text]) => text);
    const group = draw('g', parent, {class: classes.join(' '), 'data-node': index});
    draw('rect', group, {x: node.x - node.width / 2, y: top, width: node.width, height: HEIGHT,
                         rx: 5, ...toned(this.tones[index])});
    lines.forEach(([kind, text, letter], i) => {
      const y = top + HEIGHT / 2 + 4 + 15 * (i - (lines.length - 1) / 2);
      draw('text', group, {class: kind, x: node.x, y}, shortened(text, node.width, letter));
    });
    return group;
  }

  // At a point of the window. From afar, nodes have no elements.
  #nodeAt(clientX, clientY) {
    const {left, top} = this.svg.getBoundingClientRect();
    const x = (clientX - left) / this.scale - MARGIN, y = (clientY - top) / this.scale - MARGIN;
    const rank = Math.floor(y / PITCH);
    if (rank < 0 || rank >= this.graph.ranks || y - rank * PITCH > HEIGHT) return undefined;
    return this.graph.byRank[rank].find(
        (index) => Math.abs(this.graph.nodes[index].x - x) <= this.graph.nodes[index].width / 2);
  }

  // A mouse moves the drawing; a finger scrolls it.
  #drag() {
    let grip = null;
    this.box.addEventListener('pointerdown', (event) => {
      const inside = event.offsetX < this.box.clientWidth && event.offsetY < this.box.clientHeight;
      if (event.button === 0 && (inside || event.target !== this.box))
        grip = {x: event.clientX, y: event.clientY, moved: false};
    });
    addEventListener('pointermove', (event) => {
      if (!grip || event.pointerType !== 'mouse') return;
      const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
      if (!grip.moved && Math.hypot(dx, dy) < 4) return;
      this.box.classList.add('moving');
      this.box.scrollBy(-dx, -dy);
      Object.assign(grip, {x: event.clientX, y: event.clientY, moved: true});
    });
    addEventListener('pointercancel', () => { grip = null; });
    addEventListener('pointerup', (event) => {
      if (!grip) return;
      this.box.classList.remove('moving');
      const {moved} = grip;
      grip = null;
      if (moved) return;
      const node = this.#nodeAt(event.clientX, event.clientY);
      if (node !== undefined) return this.told.chose({node});
      const tensor = this.#tensorAt(event.clientX, event.clientY);
      if (tensor !== undefined) this.told.chose({tensor: Number(tensor)});
    });
  }

  // Lines are thin, and mostly vertical.
  #tensorAt(x, y) {
    return [0, 1, -1, 2, -2, 3, -3, 4, -4]
        .map((step) => document.elementFromPoint(x + step, y)?.dataset.tensor)
        .find((tensor) => tensor !== undefined);
  }

  #dragStrip() {
    const scroll = ({clientY}) => {
      const {top, height} = this.strip.getBoundingClientRect();
      this.box.scrollTop = (clientY - top) / height * this.whole - this.high / 2;
    };
    this.strip.addEventListener('pointerdown', (event) => {
      this.strip.setPointerCapture(event.pointerId);
      scroll(event);
    });
    this.strip.addEventListener('pointermove', (event) => { if (event.buttons) scroll(event); });
  }
}
