import { type ConsentIntegration } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { render } from 'preact-render-to-string';
import { authorizeEn } from '../words/authorize-en.js';
import { type Words } from '../words/en.js';
import { ConsentTools } from './consent-body.js';

const words = { authorize: authorizeEn } as unknown as Words;
const group = (tools: number, fields: Partial<ConsentIntegration> = {}): ConsentIntegration => ({
  ...{ displayName: 'GitHub', alias: 'gh', accountKind: 'own' },
  tools: Array.from({ length: tools }, (_, n) => ({ name: `Tool ${n}`, category: n % 2 === 0 ? 'read' : 'delete' })),
  ...fields,
});
const shown = (...integrations: ConsentIntegration[]): string => render(ConsentTools({ integrations, words }));

it('counts 500 tools by effect, and closes their lists without losing one', () => {
  const html = shown(group(250), group(250, { alias: 'other' }));
  expect(html).toContain('500 tools of 2 integrations.');
  expect(html).toContain('125 deletes, 125 only reads');
  expect(html).not.toContain('<details open');
  expect(html.match(/<li>/g)).toHaveLength(500);
});

it('opens the lists of few tools, and shows first what is hard to undo', () => {
  const html = shown(group(2));
  expect(html).toContain('<details open');
  expect(html.indexOf('Tool 1')).toBeLessThan(html.indexOf('Tool 0'));
});

it.each<[string, Partial<ConsentIntegration>, string]>([
  ['a named account', { account: 'Bot' }, 'With the account Bot'],
  ['no account', { accountKind: 'none' }, 'Without an account'],
  ['an account that the person has yet to connect', {}, 'With your own account'],
  ['a shared account that is gone', { accountKind: 'shared' }, 'No account is connected'],
  ['deceptive names', { account: 'B\u043et\u202e' }, 'B⟨U+043E⟩t⟨U+202E⟩'],
])('says of an integration that it uses %s', (_what, fields, said) => {
  expect(shown(group(1, fields))).toContain(said);
});

it('says that a server has no tools', () => expect(shown()).toContain('No tools are available at the moment.'));
