import { type ConsoleLine } from '@drawbridge/piece-kit';
import { byLine } from './container-runner.js';

it('returns each complete line once', () => {
  const lines: ConsoleLine[] = [];
  const onOutput = byLine((line) => void lines.push(line));
  for (const text of ['a', 'b\nc', '\n\nd\n', 'e']) onOutput({ stream: 'stdout', text });
  onOutput({ stream: 'stderr', text: 'no\n' });
  expect(lines.map(({ level, text }) => `${level} ${text}`)).toEqual(['log ab', 'log c', 'log ', 'log d', 'error no']);
});

it('joins a long line of single characters in linear time', () => {
  const onOutput = byLine(() => undefined);
  const startedAt = performance.now();
  for (let at = 0; at < 256 * 1024; at++) onOutput({ stream: 'stdout', text: 'x' });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
