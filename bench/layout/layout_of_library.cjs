// node layout_of_library.cjs dagre|elkjs GRAPH.json: the layout that a library of npm makes of the graph, as JSON. Distances are ours.
'use strict';
const {readFileSync} = require('node:fs');

const HEIGHT = 52, BETWEEN_RANKS = 44, GAP = 24;

function byDagre({widths, edges}) {
  const dagre = require('@dagrejs/dagre');
  const graph = new dagre.graphlib.Graph({multigraph: true});
  graph.setGraph({rankdir: 'TB', nodesep: GAP, edgesep: GAP, ranksep: BETWEEN_RANKS});
  widths.forEach((width, node) => graph.setNode(String(node), {width, height: HEIGHT}));
  edges.forEach(([from, to], edge) => graph.setEdge(String(from), String(to), {}, String(edge)));
  dagre.layout(graph);
  return {
    nodes: widths.map((_, node) => { const {x, y} = graph.node(String(node)); return [x, y]; }),
    edges: edges.map(([from, to], edge) =>
      graph.edge(String(from), String(to), String(edge)).points.map(({x, y}) => [x, y])),
  };
}

async function byElk({widths, edges}) {
  const Elk = require('elkjs/lib/elk.bundled.js');
  const done = await new Elk().layout({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered', 'elk.direction': 'DOWN', 'elk.edgeRouting': 'POLYLINE',
      'elk.spacing.nodeNode': GAP, 'elk.spacing.edgeNode': GAP, 'elk.spacing.edgeEdge': GAP,
      'elk.layered.spacing.nodeNodeBetweenLayers': BETWEEN_RANKS,
    },
    children: widths.map((width, node) => ({id: `n${node}`, width, height: HEIGHT})),
    edges: edges.map(([from, to], edge) => ({id: `e${edge}`, sources: [`n${from}`], targets: [`n${to}`]})),
  });
  return {
    nodes: done.children.map(({x, y, width, height}) => [x + width / 2, y + height / 2]),
    edges: done.edges.map(({sections: [{startPoint, bendPoints = [], endPoint}]}) =>
      [startPoint, ...bendPoints, endPoint].map(({x, y}) => [x, y])),
  };
}

async function main([library, file]) {
  const graph = JSON.parse(readFileSync(file, 'utf8'));
  const start = process.cpuUsage();
  const layout = await (library === 'dagre' ? byDagre : byElk)(graph);
  const {user, system} = process.cpuUsage(start), seconds = (user + system) / 1e6;
  process.stdout.write(JSON.stringify({seconds, ...layout}));
}

main(process.argv.slice(2));
