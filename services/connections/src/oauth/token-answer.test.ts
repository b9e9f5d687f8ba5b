import { type OAuth2Provider } from '@drawbridge/piece-kit';
import { toTokenAnswer } from './token-answer.js';

const PROVIDER: OAuth2Provider = { authUrl: 'https://p.example/a', tokenUrl: 'https://p.example/t', scopes: [] };
const answer = (body: unknown, fields: Partial<OAuth2Provider> = {}, status = 200) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return toTokenAnswer({ ...PROVIDER, ...fields }, { status, body: new TextEncoder().encode(text) });
};

it.each<[string, unknown, Partial<OAuth2Provider>, object]>([
  [
    'as the standard has them',
    { access_token: 'a', token_type: 'Bearer', expires_in: 60, scope: 'x' },
    {},
    { expires_in: 60, scope: 'x' },
  ],
  ['of GitHub, as a form', 'access_token=a&scope=repo%2Cgist&token_type=bearer', {}, { scope: 'repo,gist' }],
  [
    'of Slack, a user’s',
    { ok: true, access_token: 'bot', authed_user: { access_token: 'a', scope: 'x' } },
    { tokenAt: 'authed_user' },
    { scope: 'x' },
  ],
  ['of who has no lifetime', { access_token: 'a', expires_in: 0, refresh_token: '' }, {}, {}],
  [
    'with a lifetime that the piece knows',
    { access_token: 'a', expires_in: null },
    { expiresIn: 7_200 },
    { expires_in: 7_200 },
  ],
  [
    'with a lifetime that is a text, or endless',
    { access_token: 'a', expires_in: '1e300' },
    {},
    { expires_in: 315_360_000 },
  ],
  ['with scopes as a list', { access_token: 'a', scope: ['x', 'y'] }, {}, { scope: 'x y' }],
  ['with an unrequested id token', { access_token: 'a', id_token: 'x' }, {}, {}],
])('reads tokens %s', (_, body, fields, wanted) => {
  expect(answer(body, fields)).toMatchObject({
    status: 200,
    body: { access_token: 'a', token_type: 'bearer', ...wanted },
  });
  expect(Object.keys(answer(body, fields).body).sort()).toEqual(
    ['access_token', 'token_type', ...Object.keys(wanted)].sort(),
  );
});

const SLACK = { failedWhen: { key: 'ok', value: false } };

it.each<[string, unknown, { fields?: Partial<OAuth2Provider>; status: number }, object]>([
  [
    'as the standard has it',
    { error: 'invalid_grant', error_description: 'no' },
    { status: 400 },
    { error: 'invalid_grant', error_description: 'no' },
  ],
  ['that came as a success', { error: 'bad_verification_code' }, { status: 200 }, { error: 'bad_verification_code' }],
  ['of Slack', { ok: false, error: 'invalid_code' }, { fields: SLACK, status: 200 }, { error: 'invalid_code' }],
  ['of Slack, without a word', { ok: false }, { fields: SLACK, status: 200 }, { error: 'invalid_request' }],
  ['as an object', { error: { code: 'x', message: 'secret' } }, { status: 401 }, { error: 'x' }],
  ['that is no answer at all', '<html>', { status: 302 }, {}],
])('reads a failure %s', (_, body, { fields, status }, wanted) => {
  const { status: said, body: failure } = answer(body, fields, status);
  expect([said >= 400, failure]).toEqual([true, wanted]);
});

it('stores only the fields that the piece needs', () => {
  const body = {
    access_token: 'a',
    team: { id: 'T1', name: 'x'.repeat(3_000) },
    instance_url: 'https://i.example',
    list: [1],
  };
  const keep = {
    teamId: 'team.id',
    name: 'team.name',
    origin: 'instance_url',
    list: 'list',
    none: 'a.b.c',
    proto: '__proto__.x',
  };
  expect(answer(body, { keep }).kept).toEqual({ teamId: 'T1', origin: 'https://i.example' });
});
