import { findPiece } from '@drawbridge/pieces';
import { type Admission, type AdmitRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { previewer } from '../run-log/previewer.js';
import { NOTHING } from './connection.js';
import { openGated } from './gate.js';

const piece = findPiece('github')!;
const request = { integrationName: 'github', actionName: 'create_issue', workspaceId: 'w', input: { title: 'T' } };
const call = {
  request,
  who: { orgId: 'o' },
  invocation: { connectionTypes: [], connectionRequired: true },
  input: request.input,
  piece,
  action: piece.actions['create_issue'],
} as unknown as Parameters<typeof openGated>[1];
const selected = { connectionId: 'c', generation: 1, displayName: 'Acme' };

const APPROVED: Admission['admission'] = { $case: 'approved', value: { approvalId: 'apr_1', mustUse: true } };
const PENDING = { $case: 'pending', value: { id: 'apr_2' } } as Admission['admission'];
const FREE: Admission['admission'] = { $case: 'free', value: {} };

/**
 * Runs openGated. `opens` contains the generation of the credential each time the connection is opened. `admit` returns the result of the policies.
 */
async function run(opens: number[], admit: (asked: AdmitRequest) => Admission['admission'] | undefined) {
  const [gated, left]: [AdmitRequest[], number[]] = [[], [...opens]];
  const secret = () => ({
    type: 'SECRET_TEXT',
    credentialJson: '{}',
    version: 'v',
    renewable: false,
    displayName: 'Acme',
  });
  const pipeline = {
    redactorFor: () => NOTHING,
    previewer: previewer(),
    vault: { openConnection: async () => ({ ...secret(), generation: left.shift() }) },
    policies: {
      isGuarded: async () => true,
      admit: async (asked: AdmitRequest) => (gated.push(asked), { admission: admit(asked) }),
    },
  } as unknown as Parameters<typeof openGated>[0];
  const { pending, approval, opened } = await openGated(pipeline, call, selected);
  const generations = gated.map((asked) => asked.call?.connectionGeneration);
  return { generations, pending: pending?.id, approval: approval?.approvalId, opened: opened?.generation, gated };
}

const onlyFor = (generation: number) => (asked: AdmitRequest) =>
  asked.call?.connectionGeneration === generation ? APPROVED : PENDING;

describe('a call with an approval', () => {
  it('runs with the generation that was approved', async () => {
    expect(await run([1], onlyFor(1))).toMatchObject({ generations: [1], approval: 'apr_1', opened: 1 });
  });

  it('waits again where the connection is reconnected between the gate and its opening', async () => {
    expect(await run([2], onlyFor(1))).toMatchObject({ generations: [1, 2], pending: 'apr_2', opened: undefined });
  });

  it('runs where the generation that opens is approved as well', async () => {
    expect(await run([2, 2], () => APPROVED)).toMatchObject({ generations: [1, 2], approval: 'apr_1', opened: 2 });
  });
});

it('lets a call that needs no approval run with whichever generation opens', async () => {
  expect(await run([2], () => FREE)).toMatchObject({ generations: [1], approval: undefined, opened: 2 });
});

it('opens a request for the generation with the account label that the approver sees', async () => {
  const { gated, pending } = await run([2], ({ preview }) =>
    preview ? PENDING : { $case: 'wantsPreview', value: {} },
  );
  expect(pending).toBe('apr_2');
  expect(gated[1]).toMatchObject({
    call: { connectionGeneration: 2, account: 'Acme' },
    preview: { account: 'Acme' },
    requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
