import { action } from './action.js';
import { piece } from './piece.js';
import { pieceProblems } from './piece-problems.js';
import { shortText } from './property-types.js';

const say = action({
  displayName: 'Say',
  description: 'Says it.',
  category: 'send',
  props: { text: shortText('Text') },
  call: { method: 'POST', path: '/say', body: ['text'] },
});
const declared = { displayName: 'Said', description: 'A user said it.', props: {}, sample: { text: 'x' } };
const polled = { ...declared, kind: 'polling', poll: async () => ({ events: [], cursor: null }) };
const inbound = { ...declared, verify: () => true, events: () => [] };
const hooked = { ...inbound, kind: 'webhook', enable: async () => ({ state: {} }), disable: async () => undefined };
const routed = { ...inbound, kind: 'app-webhook', route: () => 'team', subscribe: async () => 'team' };
const oauth2 = { authUrl: 'https://a.example/authorize', tokenUrl: 'https://a.example/token', scopes: [] };
const custom = (key: object) => ({ types: ['CUSTOM_AUTH'], required: true, props: { key } });
const prop = { displayName: 'Key', required: true, secret: true };
const whole = piece({
  name: 'acme-chat',
  displayName: 'Acme Chat',
  description: 'Talks.',
  categories: ['COMMUNICATION'],
  origin: 'https://api.acme.example',
  auth: { types: ['OAUTH2'], required: true, oauth2 },
  actions: { say },
});

it('finds nothing wrong with a piece', () => {
  expect(pieceProblems(whole)).toEqual([]);
  expect(pieceProblems({ ...whole, origin: undefined, auth: undefined, actions: {} })).toEqual([]);
  expect(pieceProblems({ ...whole, origins: ['https://files.acme.example'] })).toEqual([]);
  expect(pieceProblems({ ...whole, triggers: { polled, hooked, routed } })).toEqual([]);
  expect(pieceProblems({ ...whole, triggers: { said: { ...hooked, events: undefined, poll: polled.poll } } })).toEqual(
    [],
  );
});

it.each([
  'https://{subdomain}.acme.example',
  'https://api.acme.example/v1/{id}',
  '{instanceUrl}',
  { OAUTH2: 'https://api.acme.example/{id}', CUSTOM_AUTH: 'https://{host}' },
])('accepts the address %j', (origin) => {
  const account = { subdomain: { displayName: 'Subdomain', description: 'The first part of the address.' } };
  expect(pieceProblems({ ...whole, origin, auth: { ...whole.auth, account } })).toEqual([]);
});

it.each([
  ['https://{subdomain}.acme.example/token', true],
  ['https://{host}/token', false],
  ['https://{host}.example/token', false],
  ['https://acme.{host}/token', false],
  ['https://a{host}.acme.example/token', false],
])('accepts %s as the address of a token endpoint: %s', (tokenUrl, isAccepted) => {
  const field = { displayName: 'A', description: 'A' };
  const account = { subdomain: field, host: field };
  for (const at of [{ tokenUrl }, { authUrl: tokenUrl }, { revoke: { url: tokenUrl } }]) {
    const problems = pieceProblems({ ...whole, auth: { ...whole.auth, account, oauth2: { ...oauth2, ...at } } });
    expect(problems).toEqual(isAccepted ? [] : [expect.stringContaining('must have a fixed domain')]);
  }
});

it.each(['{instanceUrl}/revoke', 'https:///{host}/revoke', 'HTTPS://{host}/revoke', 'revoke/{host}', 7])(
  'refuses %j as the address that revokes a grant',
  (url) => {
    expect(pieceProblems({ ...whole, auth: { ...whole.auth, oauth2: { ...oauth2, revoke: { url } } } })).toEqual([
      expect.stringContaining('must have a fixed domain'),
    ]);
  },
);

it.each(['authUrl', 'tokenUrl'])('refuses a value in %s that is not declared', (name) => {
  const address = { [name]: 'https://{cloudId}.acme.example/x' };
  expect(pieceProblems({ ...whole, auth: { ...whole.auth, oauth2: { ...oauth2, ...address } } })).toEqual([
    expect.stringContaining('can only contain values of auth.account'),
  ]);
});

it.each([
  [undefined, 'is no piece'],
  [[], 'is no piece'],
  [{ ...whole, name: 'Acme' }, 'name must be'],
  [{ ...whole, displayName: ' ' }, 'displayName must be'],
  [{ ...whole, description: undefined }, 'description must be'],
  [{ ...whole, categories: ['CHAT'] }, 'categories must be a list of ACCOUNTING'],
  [{ ...whole, categories: [] }, 'categories must be'],
  [{ ...whole, origin: 'https://api.acme.example/v1/' }, 'origin must be'],
  [{ ...whole, origin: 'https://api.acme.example/v1?a=1' }, 'origin must be'],
  [{ ...whole, origin: { OAUTH3: 'https://api.acme.example' } }, 'origin must be'],
  [{ ...whole, origin: 'ftp://api.acme.example' }, 'origin must be'],
  [{ ...whole, origins: ['https://files.acme.example/'] }, 'origins must be'],
  [{ ...whole, origins: 'https://files.acme.example' }, 'origins must be'],
  [{ ...whole, http: 'x' }, 'http must be'],
  [{ ...whole, http: { authorize: {} } }, 'http.authorize must be'],
  [{ ...whole, http: { failedWhen: 'ok' } }, 'http.failedWhen must be'],
  [{ ...whole, http: { paging: { items: () => [] } } }, 'http.paging must have'],
  [{ ...whole, auth: true }, 'auth must be'],
  [{ ...whole, auth: { types: ['OAUTH'], required: true } }, 'auth.types must be a list of SECRET_TEXT'],
  [{ ...whole, auth: { types: ['SECRET_TEXT'] } }, 'auth.required must be'],
  [{ ...whole, auth: { types: ['SECRET_TEXT'], required: true, test: 'user' } }, 'auth.test must be'],
  [{ ...whole, auth: { types: ['OAUTH2'], required: true } }, 'auth.oauth2 must have'],
  [{ ...whole, auth: { ...whole.auth, afterConnect: 'x' } }, 'auth.afterConnect must be'],
  [{ ...whole, auth: { ...whole.auth, shares: 'all' } }, 'auth.shares must be'],
  [{ ...whole, auth: { ...whole.auth, keysUrl: 'javascript:alert(1)' } }, 'auth.keysUrl must be'],
  [{ ...whole, auth: { ...whole.auth, account: [] } }, 'auth.account must be'],
  [{ ...whole, auth: { ...whole.auth, account: { a: { displayName: 'A' } } } }, 'auth.account.a must have'],
  [
    { ...whole, auth: { ...whole.auth, account: { a: { displayName: 'A', description: 'A', pattern: '(' } } } },
    'auth.account.a must have',
  ],
  [{ ...whole, auth: { types: ['CUSTOM_AUTH'], required: true } }, 'auth.props must be'],
  [{ ...whole, auth: { types: ['CUSTOM_AUTH'], required: true, props: [] } }, 'auth.props must be'],
  [{ ...whole, auth: custom({}) }, 'auth.props.key must have'],
  [{ ...whole, auth: custom({ ...prop, multiline: 1 }) }, 'auth.props.key must have'],
  [{ ...whole, actions: undefined }, 'actions must be'],
  [{ ...whole, actions: { say: 1 } }, 'actions.say must be action'],
  [{ ...whole, actions: { Say: say } }, 'actions.Say must be named'],
  [{ ...whole, actions: { say: { ...say, description: 1 } } }, 'actions.say must have a displayName'],
  [{ ...whole, actions: { say: { ...say, category: 'talk' } } }, 'actions.say.category must be one of read'],
  [{ ...whole, actions: { say: { ...say, recipients: ['to'] } } }, 'actions.say.recipients must be'],
  [{ ...whole, actions: { say: { ...say, summary: 'Say {word}' } } }, 'actions.say.summary must be'],
  [{ ...whole, actions: { say: { ...say, recipients: 'text' } } }, 'actions.say.recipients must be'],
  [{ ...whole, actions: { say: { ...say, usesState: true } } }, 'state is for built-in pieces'],
  [{ ...whole, actions: { say: { ...say, run: undefined } } }, 'actions.say must be action'],
  [{ ...whole, actions: { say: { ...say, props: { text: 'x' } } } }, 'actions.say.props must be'],
  [{ ...whole, triggers: [] }, 'triggers must be'],
  [{ ...whole, triggers: { said: 1 } }, 'triggers.said must be trigger'],
  [{ ...whole, triggers: { Said: polled } }, 'triggers.Said must be named'],
  [{ ...whole, triggers: { said: { ...polled, displayName: '' } } }, 'triggers.said must have a displayName'],
  [{ ...whole, triggers: { said: { ...polled, props: undefined } } }, 'triggers.said.props must be'],
  [{ ...whole, triggers: { said: { ...polled, sample: undefined } } }, 'triggers.said.sample must be'],
  [{ ...whole, triggers: { said: { ...polled, kind: 'constructor' } } }, 'triggers.said.kind must be one of webhook'],
  [{ ...whole, triggers: { said: { ...polled, poll: undefined } } }, 'triggers.said.poll must be'],
  [{ ...whole, triggers: { said: { ...hooked, verify: undefined } } }, 'triggers.said.verify must be'],
  [{ ...whole, triggers: { said: { ...hooked, handshake: true } } }, 'triggers.said.handshake must be'],
  [{ ...whole, triggers: { said: { ...routed, route: 'team' } } }, 'triggers.said.route must be'],
  [{ ...whole, triggers: { said: { ...routed, events: undefined } } }, 'triggers.said must have either events or poll'],
  [{ ...whole, triggers: { said: { ...routed, poll: polled.poll } } }, 'triggers.said must have either events or poll'],
])('names the problem (%#)', (given, problem) => {
  expect(pieceProblems(given)).toEqual([expect.stringContaining(problem)]);
});

it('names all that is wrong at once', () => {
  expect(pieceProblems({})).toHaveLength(5);
});
