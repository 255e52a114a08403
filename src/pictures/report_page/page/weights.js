'use strict';
// The values of a constant.

const drawValues = (host, values) => {
  make('h3', host, {}, 'Values');
  const facts = [['Minimum', values.min], ['Maximum', values.max], ['Mean', values.mean],
                 ['Standard deviation', values.std_dev], ['NaN', values.nan], ['Infinite', values.infinite]];
  for (const [name, value] of facts)
    if (value !== undefined) make('p', host, {}, `${name}: ${shown(value)}`);
  make('p', host, {}, `Zeros: ${shown(100 * values.zeros)} %`);
  if (values.bins) {
    const {min, max, bins} = values;
    const edges = [...bins, 0].map((_, i) => min + (max - min) * i / bins.length);
    histogram(host, {x: 'value', edges, series: [['elements', bins]]});
  }
  make('p', host, {class: 'weak'}, values.first.join(', ') + (values.bins ? ', …' : ''));
};
