import { action, piece, shortText, trigger } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { partialProblems, type RequestedPartial } from './partial-problems.js';

function problems(wanted: Partial<RequestedPartial>): string[] {
  const issue = { integrationName: 'github', actionName: 'create_issue', values: {}, enforcedKeys: [], ...wanted };
  const { integrationName: name } = issue;
  return Object.keys(partialProblems(name === NEWS.name ? NEWS : findPiece(name), issue));
}

const facts = { displayName: 'D', description: 'D' };
const NEWS = piece({
  ...{ ...facts, name: 'news', categories: ['CORE'], origin: 'https://news.example' },
  actions: {
    read: action({
      ...facts,
      category: 'read',
      props: { page: shortText('Page') },
      call: { method: 'GET', path: '/' },
    }),
  },
  triggers: {
    told: trigger({
      ...{ ...facts, kind: 'polling', props: { topic: shortText('Topic') }, sample: {} },
      poll: async () => ({ events: [], cursor: null }),
    }),
  },
});
const told = { integrationName: 'news', actionName: undefined, triggerName: 'told' };

const ofAll = (values: RequestedPartial['values']) => ({ actionName: undefined, values });

describe('a partial', () => {
  it.each<[string, Partial<RequestedPartial>]>([
    ['nothing', {}],
    ['some of what its action takes', { values: { repo: 'acme/app', labels: ['bug'] } }],
    ['null, whatever the key takes', { values: { title: null, milestone: null } }],
    ['enforced values', { values: { repo: 'acme/app', title: null }, enforcedKeys: ['title', 'repo', 'repo'] }],
    ['what one action of all takes', ofAll({ repo: 'acme/app', path: 'README.md' })],
    ['a value that one of the actions with its key takes', ofAll({ body: '' })],
    ['what its trigger takes', { ...told, values: { topic: 'x' }, enforcedKeys: ['topic'] }],
    ['what actions and triggers take, of all', { ...told, triggerName: undefined, values: { topic: 'x', page: 'y' } }],
    ['what a trigger takes', { actionName: undefined, triggerName: 'push', values: { repo: 'acme/app' } }],
    ['64 kB', { actionName: undefined, values: { body: 'x'.repeat(64 * 1024 - '{"body":""}'.length) } }],
  ])('may hold %s', (_what, wanted) => {
    expect(problems(wanted)).toEqual([]);
  });

  it.each<[string, Partial<RequestedPartial>, string[]]>([
    ['an unknown integration', { integrationName: 'constructor' }, ['integrationName']],
    ['an unknown action', { actionName: 'toString' }, ['actionName']],
    ['a key that its trigger lacks', { ...told, values: { page: 'x' } }, ['values.page']],
    ['a trigger by a name of every object', { ...told, triggerName: 'toString' }, ['triggerName']],
    ['an unknown trigger', { actionName: undefined, triggerName: 'toString' }, ['triggerName']],
    ['both an action and a trigger', { triggerName: 'push' }, ['triggerName']],
    ['a key that its action lacks', { values: { repo: 'acme/app', path: 'x' } }, ['values.path']],
    ['a key that no action has', ofAll({ nothing: 1, toString: 1 }), ['values.nothing', 'values.toString']],
    ['a value of another type', { values: { milestone: 'x', labels: [1] } }, ['values.milestone', 'values.labels[0]']],
    ['a value that no action takes', ofAll({ state: 'ajar' }), ['values.state']],
    [
      'what is enforced without a value',
      { values: { repo: 'acme/app' }, enforcedKeys: ['repo', 'title'] },
      ['enforcedKeys[1]'],
    ],
    ['what is enforced by a name of every object', { enforcedKeys: ['constructor'] }, ['enforcedKeys[0]']],
    ['more than 64 kB', { values: { body: 'x'.repeat(64 * 1024) } }, ['values']],
    [
      'what is secret',
      { integrationName: 'hash-encode', actionName: 'hmac', values: { secret: 'x' } },
      ['values.secret'],
    ],
    [
      'what is secret in one action of all',
      { integrationName: 'hash-encode', ...ofAll({ secret: null }) },
      ['values.secret'],
    ],
  ])('may not name %s', (_what, wanted, paths) => {
    expect(problems(wanted)).toEqual(paths);
  });
});
