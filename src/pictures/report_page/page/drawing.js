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
  // `chose` gets {node} or {tensor}: an index.
  constructor(host, label, chose) {
    this.chose = chose;
    this.scale = 1;
    this.chosen = {};
    this.box = make('div', host, {class: 'drawing', tabindex: '0', role: 'group', 'aria-label': label});
    this.svg = draw('svg', this.box, {});
    this.box.addEventListener('scroll', () => this.fill(), {passive: true});
    this.box.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.003), event.clientX, event.clientY);
    }, {passive: false});
    new ResizeObserver(() => this.fill()).observe(this.box);
    this.#drag();
  }

  show(graph) {
    this.graph = graph;
    this.chosen = {};
    this.#resize(1);
    const first = graph.byRank.length ? graph.nodes[graph.byRank[0][0]] : {x: 0, rank: 0};
    this.#goTo(first.x, 0);
    this.box.scrollTop = 0;
  }

  choose(chosen) {
    this.chosen = chosen;
    this.fill(true);
  }

  // At a size that can be read.
  showNode(index) {
    const node = this.graph.nodes[index];
    if (this.scale < 0.6) this.#resize(1);
    this.#goTo(node.x, middleOf(node.rank));
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
    this.fill(true);
  }

  #resize(scale) {
    this.scale = scale;
    const width = this.graph.width + 2 * MARGIN, height = this.graph.ranks * PITCH + 2 * MARGIN;
    this.svg.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    this.svg.style.width = width * scale + 'px';
    this.svg.style.height = height * scale + 'px';
    this.fill(true);
  }

  #goTo(x, y) {
    this.box.scrollLeft = (x + MARGIN) * this.scale - this.box.clientWidth / 2;
    this.box.scrollTop = (y + MARGIN) * this.scale - this.box.clientHeight / 2;
    this.fill();
  }

  // The part in sight, wider by `more` of it on each side.
  #sight(more) {
    const {scrollLeft, scrollTop, clientWidth, clientHeight} = this.box;
    const at = (pixels) => pixels / this.scale - MARGIN;
    return {left: at(scrollLeft - more * clientWidth), right: at(scrollLeft + (1 + more) * clientWidth),
            top: at(scrollTop - more * clientHeight), bottom: at(scrollTop + (1 + more) * clientHeight)};
  }

  // Draws again if the reader sees the end of what is drawn.
  fill(again = false) {
    if (!this.graph) return;
    const sight = this.#sight(0), drawn = this.drawn;
    if (!again && sight.left >= drawn.left && sight.right <= drawn.right &&
        sight.top >= drawn.top && sight.bottom <= drawn.bottom) return;
    this.drawn = this.#sight(0.7);
    this.#draw(this.#within(this.drawn));
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

  #draw({nodes, edges}) {
    this.svg.replaceChildren();
    if (nodes.length > MANY || this.scale < 0.3) {
      draw('path', this.svg, {class: 'far-edges', d: edges.map((edge) => this.#path(edge)).join('')});
      const boxes = nodes.map((index) => {
        const {x, rank, width} = this.graph.nodes[index];
        return `M${x - width / 2} ${rank * PITCH}h${width}v${HEIGHT}h${-width}z`;
      });
      draw('path', this.svg, {class: 'far-nodes', d: boxes.join('')});
      if (this.chosen.node !== undefined) this.#node(this.chosen.node);
      return;
    }
    for (const edge of edges) this.#edge(edge);
    for (const index of nodes) this.#label(this.graph.nodes[index]);
    for (const index of nodes) this.#node(index);
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

  #edge(edge) {
    const path = this.#path(edge), chosen = this.chosen.tensor === edge.tensor;
    draw('path', this.svg, {class: `edge${edge.direct ? ' direct' : ''}${chosen ? ' chosen' : ''}`, d: path});
    const grip = draw('path', this.svg, {class: 'grip', d: path, 'data-tensor': edge.tensor});
    draw('title', grip, {}, tensorText(this.graph.tensors[edge.tensor]));
  }

  // The shape of a tensor, once, below the node that writes it.
  #label(node) {
    const tensor = node.outputs.length === 1 && this.graph.tensors[node.outputs[0]];
    if (tensor && tensor.shape && tensor.readers.length)
      draw('text', this.svg, {class: 'label', x: node.x + 5, y: node.rank * PITCH + HEIGHT + 12}, tensor.shape);
  }

  #node(index) {
    const node = this.graph.nodes[index], top = node.rank * PITCH;
    const classes = ['node', 'kind' + node.kind, node.group, node.inner.length ? 'inner' : '',
                     this.chosen.node === index ? 'chosen' : ''];
    const weights = node.inputs.map((tensor) => this.graph.tensors[tensor])
        .filter((tensor) => tensor.constant).map((tensor) => tensor.shape).filter(Boolean);
    const lines = [['op', node.op, 8], ['name', node.name, 6], ['weights', weights.join(' '), 6]]
        .filter(([, text]) => text);
    const group = draw('g', this.svg, {class: classes.join(' '), 'data-node': index});
    draw('rect', group, {x: node.x - node.width / 2, y: top, width: node.width, height: HEIGHT, rx: 5});
    lines.forEach(([kind, text, letter], i) =>
      draw('text', group, {class: kind, x: node.x, y: top + HEIGHT / 2 + 4 + 15 * (i - (lines.length - 1) / 2)},
           shortened(text, node.width, letter)));
  }

  // A point of the window. From afar, nodes have no elements of their own.
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
        grip = {x: event.clientX, y: event.clientY, moved: false, target: event.target};
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
      const {moved, target} = grip;
      grip = null;
      if (moved) return;
      const node = this.#nodeAt(event.clientX, event.clientY), tensor = target.dataset?.tensor;
      if (node !== undefined) this.chose({node});
      else if (tensor !== undefined) this.chose({tensor: Number(tensor)});
    });
  }
}
