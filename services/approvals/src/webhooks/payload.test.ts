import { linkKeeper } from '../requests/approval-links.js';
import { notificationOf, payloadOf, type ToldRequest } from './payload.js';

const ID = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const BASE_URL = 'https://gateway.example/in/a/folder';
const occurredAt = new Date('2026-11-22T20:00:00.000Z');
const keeper = linkKeeper('internal');

const request: ToldRequest = {
  id: ID,
  workspaceId: 'w_1',
  source: 'rest',
  integrationName: 'http',
  integrationAlias: null,
  actionName: 'send_request',
  inputPreview: { text: '[redacted]' },
  redactedPaths: ['text'],
  riskReasons: ['every call'],
  idempotencyKey: 'k',
  expiresAt: new Date('2026-11-22T21:00:00.000Z'),
  receiptId: 'r_1',
  receiptExpiresAt: new Date('2026-11-22T22:00:00.000Z'),
  ...{ codeRunId: null, codeHash: null, toolSurfaceHash: null, batchTools: [] },
};

interface Body {
  event: string;
  createdAt: string;
  approval: Record<string, unknown>;
  receipt: unknown;
}

function told(fact: string, { mode = 'dashboard_and_hosted_link' } = {}): Body {
  const links = keeper.linksTo({ id: ID, approvalAccessMode: mode });
  return JSON.parse(payloadOf({ eventType: `approval.${fact}`, occurredAt }, request, links, BASE_URL)) as Body;
}

describe('payloadOf', () => {
  it('has the keys of the contract and no other, whatever the row holds beside them', () => {
    const row = {
      ...request,
      input: { text: 'raw' },
      orgId: 'o_1',
      approvers: [{ webhookUrl: 'https://x' }],
      inputHash: 'h',
    };
    const body = JSON.parse(payloadOf({ eventType: 'approval.requested', occurredAt }, row, {}, BASE_URL)) as Body;
    expect(Object.keys(body)).toEqual(['event', 'createdAt', 'approval', 'receipt']);
    expect(Object.keys(body.approval).sort()).toEqual(
      [
        ...['id', 'status', 'workspaceId', 'source', 'integrationName', 'integrationAlias', 'actionName'],
        ...['inputPreview', 'redactedPaths', 'riskReasons', 'approvalUrl', 'hostedApprovalUrl', 'api'],
        ...['idempotencyKey', 'expiresAt'],
      ].sort(),
    );
  });

  it.each([
    ['requested', 'pending', false],
    ['approved', 'approved', true],
    ['rejected', 'rejected', false],
    ['canceled', 'canceled', false],
    ['expired', 'expired', false],
  ])('approval.%s says %s, whatever became of the request since; a receipt: %s', (fact, status, hasReceipt) => {
    expect(told(fact)).toMatchObject({
      event: `approval.${fact}`,
      createdAt: '2026-11-22T20:00:00.000Z',
      approval: { id: `apr_${ID}`, status },
      receipt: hasReceipt ? { id: 'r_1', expiresAt: '2026-11-22T22:00:00.000Z' } : null,
    });
  });

  it.each([
    ['dashboard_only', true, false],
    ['dashboard_and_hosted_link', true, true],
    ['hosted_link_only', false, true],
  ])('of %s: a link for who signs in: %s, a hosted one: %s', (mode, approvalUrl, hostedApprovalUrl) => {
    const { approval } = told('requested', { mode });
    expect(typeof approval['approvalUrl'] === 'string').toBe(approvalUrl);
    expect(typeof approval['hostedApprovalUrl'] === 'string').toBe(hostedApprovalUrl);
    expect(JSON.stringify(approval).includes('apr_link_')).toBe(hostedApprovalUrl);
  });

  it('is the same at each attempt', () => {
    expect(told('requested')).toEqual(told('requested'));
  });
});

describe('a request of a run of Code Mode', () => {
  const ofRun = { ...request, source: 'mcp_code', codeRunId: ID, codeHash: 'c', toolSurfaceHash: 's' };
  const bodyOf = (row: ToldRequest, fact = 'requested') =>
    JSON.parse(payloadOf({ eventType: `approval.${fact}`, occurredAt }, row, {}, BASE_URL)) as Body;
  const approvalGroups = [{ policyId: 'p', tools: ['gh.create_issue'] }];
  const inputPreview = { analysisConfidence: 'partial', dynamicSignals: ['computed name'], approvalGroups };
  const batch = { ...ofRun, inputPreview, batchTools: ['gh.create_issue'] };
  const continuation = { tool: 'svc_execute', arguments: { approvalId: `apr_${ID}` } };
  const hashes = { codeRunId: ID, codeHash: 'c', toolSurfaceHash: 's' };

  it('has the analysis of a batch, and the call that continues the run', () => {
    expect(bodyOf(batch).approval['codeRun']).toEqual({
      ...{ type: 'mcp_code_batch_run', ...hashes, ...inputPreview, continuation },
    });
  });

  it('takes nothing of the input of a single call for the analysis', () => {
    expect(bodyOf({ ...ofRun, inputPreview }).approval['codeRun']).toEqual({
      ...{ type: 'mcp_code_call', ...hashes, continuation },
      ...{ approvalGroups: [], analysisConfidence: null, dynamicSignals: [] },
    });
  });

  it('says the same with each event and at each attempt', () => {
    const later = bodyOf({ ...batch, receiptId: null }, 'approved');
    expect(later.approval['codeRun']).toEqual(bodyOf(batch).approval['codeRun']);
  });
});

it('a notification has the same keys', () => {
  const call = { workspaceId: 'w_1', source: 'sdk', integrationName: 'http', actionName: 'a', riskReasons: ['x'] };
  const body = JSON.parse(notificationOf({ eventType: 'approval.notified', occurredAt }, call)) as Body;
  expect(Object.keys(body.approval).sort()).toEqual(Object.keys(told('requested').approval).sort());
  expect(body).toMatchObject({ event: 'approval.notified', approval: { id: null, riskReasons: ['x'] }, receipt: null });
});
