import { isCredentialRefused, piece, ProviderError, type PieceAuth, type ProviderFailure } from './index.js';

const ORIGIN = 'https://api.example.com';

function isRefused(failure: ProviderFailure, auth?: Partial<PieceAuth>, origin: string | undefined = ORIGIN): boolean {
  const about = { name: 'example', displayName: 'Example', description: 'An example.', categories: ['CORE'] as const };
  const declared = auth && { types: ['SECRET_TEXT'] as const, required: true, ...auth };
  return isCredentialRefused(
    piece({ ...about, origin, origins: ['https://up.example.com'], auth: declared, actions: {} }),
    new ProviderError('No', failure),
  );
}

it.each<[ProviderFailure, boolean]>([
  [{ status: 401 }, true],
  [{ status: 401, code: 'expired', answeredBy: ORIGIN }, true],
  [{ status: 401, answeredBy: 'https://up.example.com' }, true],
  [{ status: 401, answeredBy: 'https://files.example.com' }, false],
  [{ status: 401, answeredBy: 'http://api.example.com' }, false],
  [{ status: 403 }, false],
  [{ status: 407 }, false],
  [{ status: 400, code: '401' }, false],
  [{}, false],
])('takes %j of a piece that says nothing for a refusal: %s', (failure, expected) => {
  expect(isRefused(failure, {})).toBe(expected);
});

it('takes nothing for one where a piece has no connections', () => {
  expect(isRefused({ status: 401 })).toBe(false);
});

it.each<[ProviderFailure, boolean]>([
  [{ status: 401, code: 'token_revoked' }, true],
  [{ status: 401, code: 'not_in_channel' }, false],
  [{ status: 401 }, false],
  [{ status: 200, code: 'invalid_auth' }, true],
  [{ code: 'invalid_auth' }, true],
])('takes %j by what a piece declares: %s', (failure, expected) => {
  const refusedWhen = [{ status: 401, code: 'token_revoked' }, { code: 'invalid_auth' }];
  expect(isRefused(failure, { refusedWhen })).toBe(expected);
});

it('takes no answer for one where a piece declares none', () => {
  expect(isRefused({ status: 401 }, { refusedWhen: [] }, '')).toBe(false);
});
