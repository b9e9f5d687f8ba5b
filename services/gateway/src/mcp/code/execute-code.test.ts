import { refused } from '@drawbridge/contracts';
import { requireCodeRequest } from './execute-code.js';

const ID = 'apr_01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const INVALID = 'INVALID_CODE_EXECUTE_REQUEST';

it.each<[object, object]>([
  [{ code: 'return 1' }, { code: 'return 1' }],
  [{ code: 'return 1', waitForApprovalSeconds: null }, { code: 'return 1' }],
  [{ approvalId: ID }, { approvalId: ID }],
  [
    { approvalId: ID.toUpperCase().replace('APR', 'apr'), waitForApprovalSeconds: 60 },
    { approvalId: ID, waitSeconds: 60 },
  ],
  [
    { approvalId: ID, waitForApprovalSeconds: 0 },
    { approvalId: ID, waitSeconds: 0 },
  ],
])('accepts %j', (given, request) => {
  expect(requireCodeRequest(given)).toEqual(request);
});

it.each<[object, string, RegExp]>([
  [{}, INVALID, /^code: is required: send code to run it, or approvalId to continue a run$/],
  [{ code: 'x', approvalId: ID }, INVALID, /^code: must be absent with approvalId/],
  [{ code: 'x', waitForApprovalSeconds: 61 }, INVALID, /must be an integer from 0 to 60 \(got 61\)$/],
  [{ approvalId: ID, waitForApprovalSeconds: -1 }, INVALID, /got -1/],
  [{ approvalId: ID, waitForApprovalSeconds: 1.5 }, INVALID, /got 1.5/],
  [{ approvalId: ID, waitForApprovalSeconds: '5' }, INVALID, /got 5/],
  [{ approvalId: ID, waitForApprovalSeconds: {} }, INVALID, /got an object/],
  [{ approvalId: 'apr_1' }, 'NOT_FOUND', /^Approval apr_1 not found$/],
])('refuses %j', async (given, code, message) => {
  const refusal = await refused(() => requireCodeRequest(given));
  expect([refusal?.code, refusal?.error]).toEqual([code, expect.stringMatching(message)]);
});
