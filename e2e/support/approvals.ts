import { type Answer, type Api } from './api.js';
import { rowsOf } from './database.js';

export const EXECUTE = '/api/v1/actions/execute';
export const POLICIES = '/api/v1/approval-policies';

let made = 0;
export const newKey = (): string => `approved-${process.pid}-${++made}`;

export const createPolicy = (api: Api, fields: object = {}): Promise<Answer> =>
  api.post(POLICIES, { name: `Policy ${++made}`, ...fields });

/** Creates a policy. By default, it requires an approval for each call of `workspaceId`, or of the organization without one. */
export async function newPolicy(api: Api, fields: object = {}): Promise<any> {
  const { status, body } = await createPolicy(api, fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.policy;
}

/** Makes a call that needs approval. Returns the approval of its 202 response. */
export async function waiting(api: Api, call: object): Promise<any> {
  const { status, body } = await api.post(EXECUTE, call);
  expect({ status, body }).toMatchObject({ status: 202, body: { success: false, status: 'approval_required' } });
  return body.approval;
}

export const decide = (api: Api, id: string, how: string, note: object = {}): Promise<Answer> =>
  api.post(`/api/v1/approvals/${id}/${how}`, note);

export async function approvalOf(api: Api, id: string): Promise<any> {
  const { status, body } = await api.get(`/api/v1/approvals/${id}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.approval;
}

/** Moves all times of a request into the past, because the shortest timeout of a policy is one minute. */
export async function letPass(databaseUrl: string, id: string, seconds: number): Promise<void> {
  const moved = ['expires_at', 'decided_at', 'receipt_expires_at', 'created_at']
    .map((column) => `${column} = ${column} - $2 * interval '1 second'`)
    .join(', ');
  await rowsOf(databaseUrl, `UPDATE approvals.approval_requests SET ${moved} WHERE id = $1`, [id.slice(4), seconds]);
}

/** Returns the types of a request's events, in order. */
export async function eventsOf(databaseUrl: string, id: string): Promise<string[]> {
  const told = `SELECT type FROM approvals.outbox
    WHERE type LIKE 'approval.%' AND position(convert_to($1, 'UTF8') in envelope) > 0 ORDER BY id`;
  return (await rowsOf<{ type: string }>(databaseUrl, told, [id])).map(({ type }) => type);
}
