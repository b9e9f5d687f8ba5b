import { fillSummary } from './summary.js';

const quoted = (name: string): string | undefined =>
  ({ channel: '“#general”', path: '“{repo}”', repo: '“acme/app”' })[name];

it.each([
  ['Send a message', 'Send a message'],
  ['Send a message to {channel}', 'Send a message to “#general”'],
  ['Write {path} in {repo}', 'Write “{repo}” in “acme/app”'],
  ['Send a message to {hidden}', undefined],
])('%s', (summary, filled) => expect(fillSummary(summary, quoted)).toBe(filled));
