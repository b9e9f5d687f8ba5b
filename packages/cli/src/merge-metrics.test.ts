import { mergeMetrics } from './merge-metrics.js';

const HEAD = '# HELP a_total Things.\n# TYPE a_total counter\n';

it('describes a metric once and labels each sample with its process', () => {
  const merged = mergeMetrics([
    ['1', `${HEAD}a_total 1\na_total{path="/{id}"} 2\n# HELP b B.\n# TYPE b gauge\nb 3\n`],
    ['2', `${HEAD}a_total 4\n`],
  ]);
  expect(merged).toBe(
    `${HEAD}a_total{process="1"} 1\na_total{process="1",path="/{id}"} 2\na_total{process="2"} 4\n# HELP b B.\n# TYPE b gauge\nb{process="1"} 3\n`,
  );
});

it('joins nothing to nothing', () => {
  expect(mergeMetrics([])).toBe('');
  expect(mergeMetrics([['1', '']])).toBe('');
});
