'use strict';
const sections = JSON.parse(document.getElementById('report').textContent);
const ROW = 26, TALL = 560;  // pixels of a row and of a table, as the style has them
const AROUND = 12;         // rows that are drawn above and below those in sight
const MARKED = ['none', 'good', 'warning', 'warning', 'bad', 'bad', 'skipped'];

const make = (name, parent, attributes = {}, content = '') => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (content !== '') element.textContent = content;
  if (parent) parent.append(element);
  return element;
};
const draw = (name, parent, attributes = {}, content = '') => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (content !== '') element.textContent = content;
  parent.append(element);
  return element;
};

// Numbers that JSON has not are texts.
const number = (value) => value === 'inf' ? Infinity : value === '-inf' ? -Infinity :
    value === 'NaN' || value === null ? NaN : value;
const shown = (value) => {
  if (value === null) return '';
  if (typeof value !== 'number') return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 2 ** 53) return String(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
};

// A table of which only the rows in sight are in the document.
const table = (host, section, title) => {
  const columns = section.columns.map(([name, isNumber, help, isChoice]) =>
      ({name, isNumber, help, isChoice}));
  const texts = [], keys = [];  // of rows, once they are shown or searched
  const textsOf = (index) => texts[index] ??= section.rows[index].slice(1).map(shown);
  const keyOf = (index) => keys[index] ??= textsOf(index).join('\n').toLowerCase();
  let order = section.rows.map((_, index) => index);
  let sorted = -1, rising = true, chosen = -1;

  const tools = make('div', host, {class: 'tools'});
  const search = make('input', tools, {type: 'search', placeholder: 'Search, such as conv -layer1',
                                       'aria-label': 'Search ' + (title || 'the table')});
  // One list for each column of few texts; '' chooses all of them.
  const choices = columns.map((column, c) => {
    if (!column.isChoice) return null;
    const list = make('select', tools, {'aria-label': column.name});
    make('option', list, {value: ''}, column.name + ': all');
    for (const text of [...new Set(section.rows.map((row) => shown(row[c + 1])))].sort())
      if (text !== '') make('option', list, {value: text}, text);
    list.addEventListener('change', () => arrange());
    return list;
  });
  const count = make('span', tools, {class: 'count', role: 'status'});
  const box = make('div', host, {class: 'rows', tabindex: '0', role: 'group',
                                 'aria-label': title || 'Table'});
  const grid = make('table', box, {'aria-rowcount': section.rows.length + 1});
  const group = make('colgroup', grid);
  const some = Math.ceil(section.rows.length / 500);  // rows are enough for the widths
  columns.forEach((column, c) => {
    let letters = column.name.length + 3;
    for (let i = 0; i < section.rows.length; i += some) letters = Math.max(letters, textsOf(i)[c].length);
    make('col', group, {style: `width: ${Math.min(letters, 60) * 0.58 + 1.8}em`});
  });
  const heads = make('tr', make('thead', grid));
  columns.forEach((column, c) => {
    const head = make('th', heads, {class: column.isNumber ? 'number' : '', title: column.help,
                                    scope: 'col'});
    make('button', head, {}, column.name).addEventListener('click', () => sort(c));
  });
  const body = make('tbody', grid);

  const fill = () => {
    // A table that is not laid out yet has no height.
    const height = Math.max(box.clientHeight, TALL);
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - AROUND);
    const last = Math.min(order.length, Math.ceil((box.scrollTop + height) / ROW) + AROUND);
    body.replaceChildren();
    const space = (rows) => {
      const cell = make('td', make('tr', body, {class: 'space', 'aria-hidden': 'true'}),
                        {colspan: columns.length});
      cell.style.height = rows * ROW + 'px';
    };
    if (first > 0) space(first);
    for (let i = first; i < last; ++i) {
      const index = order[i];
      const row = make('tr', body, {class: MARKED[section.rows[index][0]] +
                                           (i === chosen ? ' chosen' : ''),
                                    'aria-rowindex': i + 2});
      textsOf(index).forEach((text, c) => {
        const link = c === 0 && section.links ? section.links[index] : '';
        const cell = make('td', row, {class: columns[c].isNumber ? 'number' : '', title: text},
                          link ? '' : text);
        if (link) make('a', cell, {href: link}, text);
      });
      row.addEventListener('click', () => {
        choose(i);
        section.reveals?.();
      });
    }
    if (last < order.length) space(order.length - last);
    if (order.length === 0)
      make('td', make('tr', body), {class: 'empty', colspan: columns.length}, 'No row has this.');
    const all = section.rows.length, rows = all === 1 ? '1 row' : `${all} rows`;
    count.textContent = order.length === all ? rows : `${order.length} of ${rows}`;
  };
  // `told`: a drawing of nodes shows the row's one.
  const choose = (i, told = true) => {
    chosen = Math.max(0, Math.min(order.length - 1, i));
    const top = chosen * ROW, head = ROW;
    if (top < box.scrollTop) box.scrollTop = top;
    const bottom = top + ROW + head - box.clientHeight;
    if (bottom > box.scrollTop) box.scrollTop = bottom;
    fill();
    if (told) section.shows?.(order[chosen]);
  };
  section.choose = (index) => {
    if (order.includes(index)) choose(order.indexOf(index), false);
  };
  // Equal rows keep their order. Values that are not numbers come last.
  const arrange = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '' && word !== '-');
    order = [];
    for (let i = 0; i < section.rows.length; ++i) {
      const fits = words.every((word) => word[0] === '-' ? !keyOf(i).includes(word.slice(1))
                                                         : keyOf(i).includes(word));
      const chosen = choices.every((list, c) =>
          !list || list.value === '' || list.value === textsOf(i)[c]);
      if (fits && chosen) order.push(i);
    }
    if (sorted >= 0) {
      const sign = rising ? 1 : -1;
      if (columns[sorted].isNumber) {
        const values = section.rows.map((row) => number(row[sorted + 1]));
        order.sort((a, b) => {
          const x = values[a], y = values[b];
          if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
          return x === y ? 0 : x < y ? -sign : sign;
        });
      } else {
        const compare = new Intl.Collator('en', {numeric: true}).compare;
        order.sort((a, b) => sign * compare(textsOf(a)[sorted], textsOf(b)[sorted]));
      }
    }
    chosen = -1;
    box.scrollTop = 0;
    fill();
  };
  // A number's column begins with the largest; the third time, with the order of the report.
  const sort = (c) => {
    const begins = !columns[c].isNumber;
    if (sorted !== c) { sorted = c; rising = begins; }
    else if (rising === begins) rising = !begins;
    else sorted = -1;
    [...heads.children].forEach((head, i) => {
      if (i === sorted) head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
    arrange();
  };
  box.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.floor(box.clientHeight / ROW) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
                   Home: -order.length, End: order.length};
    if (event.target !== box || !(event.key in steps) || order.length === 0) return;
    event.preventDefault();
    choose(chosen + steps[event.key]);
  });
  search.addEventListener('input', arrange);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') { event.preventDefault(); box.focus(); choose(0); }
  });
  box.addEventListener('scroll', fill, {passive: true});
  addEventListener('resize', fill);
  fill();
};

const legend = (host, entries) => {
  const line = make('div', host, {class: 'legend'});
  for (const [color, name, wide] of entries) {
    const entry = make('span', line);
    const sample = make('i', entry, wide ? {class: 'wide'} : {});
    sample.style.background = color;
    entry.append(name);
  }
  return line;
};
const color = (i) => `var(--series${i % 4})`;

// The side of a plot: positions of values between 0 and 1, with their labels. Powers of ten, or a
// linear scale from 0 on.
const scale = (values, logarithmic) => {
  const least = values.length ? values.reduce((a, b) => Math.min(a, b)) : 1e-8;
  const most = values.length ? values.reduce((a, b) => Math.max(a, b)) : 1;
  const marks = [];
  if (!logarithmic) {
    const unit = 10 ** Math.floor(Math.log10(most)), step = most / unit > 5 ? unit : unit / 2;
    for (let value = 0; value <= most * 1.0001; value += step) marks.push([value, shown(value)]);
    return {marks, of: (value) => value / most};
  }
  const low = Math.floor(Math.log10(least)), high = Math.ceil(Math.log10(most) + 0.01);
  const step = Math.max(1, Math.ceil((high - low) / 8));
  for (let power = low; power <= high; power += step) marks.push([10 ** power, '1e' + power]);
  return {marks, of: (value) => (Math.log10(value) - low) / Math.max(1, high - low)};
};

const curve = (host, section) => {
  const count = section.places.length;
  const series = section.series.map(([name, values]) => ({name, values: values.map(number)}));
  const band = section.band.map(number);
  const positive = [...series.flatMap((one) => one.values), ...band]
      .filter((value) => value > 0 && Number.isFinite(value));
  const side = scale(positive, section.logarithmic);
  legend(host, [...series.map((one, i) => [color(i), one.name]),
                ...(band.length ? [['var(--band)', section.bandName, true]] : [])]);
  const plot = make('div', host, {class: 'plot'});
  const said = make('div', host, {class: 'said', role: 'status'});
  const HEIGHT = 320, LEFT = 52, BOTTOM = 34, TOP = 26;
  let at = -1;

  const render = () => {
    const width = Math.max(320, plot.clientWidth || 960);
    plot.replaceChildren();
    const svg = draw('svg', plot, {viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, tabindex: '0',
                                   role: 'img', 'aria-label': `${section.y} by ${section.x}`});
    const right = width - 12, bottom = HEIGHT - BOTTOM;
    const x = (place) => LEFT + (count > 1 ? place / (count - 1) : 0.5) * (right - LEFT);
    const yOf = (value) => value === Infinity ? TOP
        : value > 0 ? bottom - Math.max(0, Math.min(1, side.of(value))) * (bottom - TOP) : bottom;
    for (const [value, label] of side.marks) {
      draw('line', svg, {class: 'grid', x1: LEFT, x2: right, y1: yOf(value), y2: yOf(value)});
      draw('text', svg, {x: LEFT - 6, y: yOf(value) + 4, 'text-anchor': 'end'}, label);
    }
    draw('text', svg, {x: (LEFT + right) / 2, y: HEIGHT - 8, 'text-anchor': 'middle'}, section.x);
    draw('text', svg, {x: LEFT - 40, y: 14}, section.y);
    // Of the places in one column of pixels the smallest and the largest value are drawn.
    const columnsOf = (values, begin, end) => {
      const columns = new Map();
      for (let place = begin; place < end; ++place) {
        const column = Math.round(x(place)), top = yOf(values[place]);
        const known = columns.get(column);
        if (known) { known[0] = Math.min(known[0], top); known[1] = Math.max(known[1], top); }
        else columns.set(column, [top, top]);
      }
      return [...columns].sort((a, b) => a[0] - b[0]);
    };
    // The columns of each part without a gap.
    const partsOf = (values) => {
      const parts = [];
      for (let begin = 0; begin < count;) {
        let end = begin;
        while (end < count && !Number.isNaN(values[end])) ++end;
        if (end > begin) parts.push(columnsOf(values, begin, end));
        begin = end + 1;
      }
      return parts;
    };
    // A strip where a value stands alone.
    const shaded = (part) => {
      const beside = part.length > 1 ? 0 : 1.5;
      const tops = part.map(([column, [top]]) => [column, top]);
      const edges = [[tops[0][0] - beside, bottom], [tops[0][0] - beside, tops[0][1]], ...tops,
                     [tops.at(-1)[0] + beside, tops.at(-1)[1]], [tops.at(-1)[0] + beside, bottom]];
      return `M${edges.map(([left, top]) => `${left},${top.toFixed(1)}`).join('L')}Z`;
    };
    if (band.length) draw('path', svg, {class: 'band', d: partsOf(band).map(shaded).join('')});
    // A line over what is connected; a dot where a value stands alone.
    series.forEach((one, i) => partsOf(one.values).forEach((part) => {
      const points = part.flatMap(([column, [top, low]]) =>
          top === low ? [`${column},${top.toFixed(1)}`]
                      : [`${column},${low.toFixed(1)}`, `${column},${top.toFixed(1)}`]);
      if (points.length > 1) {
        draw('polyline', svg, {class: 'line', points: points.join(' '), style: `stroke: ${color(i)}`});
      } else {
        const [cx, cy] = points[0].split(',');
        draw('circle', svg, {cx, cy, r: 2.5, style: `fill: ${color(i)}`});
      }
    }));
    section.marked.forEach(([place, label], i) => {
      draw('line', svg, {class: 'mark', x1: x(place), x2: x(place), y1: TOP, y2: bottom});
      const value = series.length ? series[0].values[place] : NaN;
      draw('circle', svg, {class: 'point', cx: x(place), cy: Number.isNaN(value) ? TOP : yOf(value), r: 4});
      if (i < 3) {
        const late = x(place) > width * 0.7;
        // The ends of names differ more than their beginnings.
        const room = Math.floor((late ? x(place) - LEFT : right - x(place)) / 7);
        const short = label.length > room ? '…' + label.slice(1 - room) : label;
        draw('text', svg, {class: 'label', x: x(place) + (late ? -6 : 6), y: TOP + 12 + 14 * i,
                           'text-anchor': late ? 'end' : 'start'}, short);
      }
    });
    const cursor = draw('line', svg, {class: 'cursor', y1: TOP, y2: bottom, visibility: 'hidden'});
    const point = (place) => {
      if (count === 0) return;
      at = Math.max(0, Math.min(count - 1, place));
      cursor.setAttribute('x1', x(at));
      cursor.setAttribute('x2', x(at));
      cursor.setAttribute('visibility', 'visible');
      said.textContent = `${at}: ${section.places[at]}  ` +
          series.map((one) => `${one.name} ${shown(one.values[at])}`).join(', ') +
          (band.length ? `, ${section.bandName} ${shown(band[at])}` : '');
    };
    svg.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect();
      const place = ((event.clientX - box.left) / box.width * width - LEFT) / (right - LEFT) * (count - 1);
      point(Math.round(place));
    });
    svg.addEventListener('keydown', (event) => {
      const steps = {ArrowRight: 1, ArrowLeft: -1, Home: -count, End: count};
      if (!(event.key in steps)) return;
      event.preventDefault();
      point(at + steps[event.key]);
    });
  };
  render();
  addEventListener('resize', render);
};

const histogram = (host, section) => {
  const {edges, series} = section;
  let logarithmic = false;
  const tools = make('div', host, {class: 'tools'});
  legend(tools, series.map(([name], i) => [color(i), name, true]));
  const label = make('label', tools);
  const box = make('input', label, {type: 'checkbox'});
  label.append(' logarithmic');
  const plot = make('div', host, {class: 'plot'});
  const HEIGHT = 200, LEFT = 60, BOTTOM = 36, TOP = 10;
  const render = () => {
    const width = Math.max(320, plot.clientWidth || 960), right = width - 12, bottom = HEIGHT - BOTTOM;
    plot.replaceChildren();
    const svg = draw('svg', plot, {viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, role: 'img',
                                   'aria-label': `Histogram of ${section.x}`});
    const size = (n) => logarithmic ? Math.log10(n + 1) : n;
    const most = Math.max(1, ...series.flatMap(([, counts]) => counts));
    const bins = Math.max(1, edges.length - 1), wide = (right - LEFT) / bins / Math.max(1, series.length);
    for (const part of [0, 0.5, 1]) {
      const value = logarithmic ? Math.round((most + 1) ** part - 1) : Math.round(most * part);
      const top = bottom - size(value) / size(most) * (bottom - TOP);
      draw('line', svg, {class: 'grid', x1: LEFT, x2: right, y1: top, y2: top});
      draw('text', svg, {x: LEFT - 6, y: top + 4, 'text-anchor': 'end'}, shown(value));
    }
    series.forEach(([name, counts], i) => counts.forEach((n, bin) => {
      if (n <= 0) return;
      const height = Math.max(1, size(n) / size(most) * (bottom - TOP));
      const bar = draw('rect', svg, {x: LEFT + (bin * series.length + i) * wide + 0.5, y: bottom - height,
                                     width: Math.max(1, wide - 1), height, style: `fill: ${color(i)}`});
      draw('title', bar, {}, `${name}: ${n} from ${shown(number(edges[bin]))} to ${shown(number(edges[bin + 1]))}`);
    }));
    const labels = Math.min(bins, 5, Math.floor(width / 120));
    for (let i = 0; i <= labels; ++i) {
      const edge = Math.round(i * bins / labels);
      draw('text', svg, {x: LEFT + edge * (right - LEFT) / bins, y: bottom + 15,
                         'text-anchor': i === labels ? 'end' : i === 0 ? 'start' : 'middle'},
           shown(number(edges[edge])));
    }
    draw('text', svg, {x: (LEFT + right) / 2, y: HEIGHT - 5, 'text-anchor': 'middle'}, section.x);
  };
  box.addEventListener('change', () => { logarithmic = box.checked; render(); });
  render();
  addEventListener('resize', render);
};

const kinds = {table, curve, histogram, graphs: globalThis.graphs};
for (const host of document.querySelectorAll('.drawn')) {
  const section = sections[Number(host.dataset.section)];
  const title = host.parentElement.querySelector('h2');
  kinds[section.kind](host, section, title ? title.textContent : '');
}
