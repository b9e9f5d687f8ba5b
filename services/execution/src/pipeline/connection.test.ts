import { findPiece } from '@drawbridge/pieces';
import { NOTHING, redactors, renew } from './connection.js';

describe('the redactor of a credential', () => {
  it('is built once for consecutive runs, and again for another credential', () => {
    const redactorFor = redactors();
    const first = redactorFor('a 1', () => ['secret-1']);
    expect(redactorFor('a 1', () => ['secret-1'])).toBe(first);
    expect(redactorFor('a 2', () => ['secret-2']).secrets).toEqual(['secret-2']);
    expect(redactorFor('b 1', () => ['secret-3']).secrets).toEqual(['secret-3']);
  });

  it('is dropped after its time, even while it is used', async () => {
    const redactorFor = redactors(20);
    const first = redactorFor('a 1', () => ['secret-1']);
    while (redactorFor('a 1', () => ['secret-1']) === first) await new Promise(setImmediate);
  });

  it('says the memory that it takes: more, the longer its secrets are', () => {
    const [short, long] = ['ab%41'.repeat(2), 'ab%41'.repeat(200)].map((secret) => redactors()('a', () => [secret]));
    expect(long!.bytes).toBeGreaterThan(10 * short!.bytes);
  });
});

const approval = { approvalId: 'apr_1', mustUse: true };

it.each([
  ['with an approval takes the token that a refresh brought', approval, 1, 'v2'],
  ['with an approval does not go on with the account of a reconnect', approval, 2, 'was reconnected'],
  ['without one takes the credential of a reconnect', undefined, 2, 'v2'],
])('a run %s', async (_what, approved, generation, outcome) => {
  const secret = {
    type: 'SECRET_TEXT',
    credentialJson: '{}',
    version: 'v2',
    renewable: true,
    displayName: '',
    generation,
  };
  const pipeline = { redactorFor: () => NOTHING, vault: { renewConnection: async () => secret } };
  const used = { request: { workspaceId: 'w' }, piece: findPiece('github')! };
  const opened = { connectionId: 'c', version: 'v1', generation: 1, redact: NOTHING, approval: approved };
  const renewed = renew(pipeline as unknown as Parameters<typeof renew>[0], used, opened);
  const came = await renewed.then(
    ({ version }) => version,
    ({ message }: Error) => message,
  );
  expect(came).toContain(outcome);
});
