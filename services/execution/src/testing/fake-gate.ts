import { ApiError, newId } from '@drawbridge/contracts';
import {
  type Admission,
  type AdmitCodeRunRequest,
  type AdmitRequest,
  type GateServiceDefinition,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Client } from '@drawbridge/rpc';

type Stored = Approval & { key?: string; paths: readonly string[] };

/** Stores approvals in memory, shared by all processes of a test. Actions in `gated` need an approval, and actions in `blocked` fail. */
export class FakeGate {
  readonly approvals: Stored[] = [];
  readonly admitted: (AdmitRequest | AdmitCodeRunRequest)[] = [];
  gated: readonly string[] = [];
  blocked: readonly string[] = [];
  /** The initial status of approvals. A status other than pending simulates an approver that decides immediately. */
  decidedAtOnce = 'pending';
  expiresAt = new Date(Date.now() + 3_600_000).toISOString();

  get client(): Client<GateServiceDefinition> {
    const getCodeRunApprovals: Client<GateServiceDefinition>['getCodeRunApprovals'] = async ({ codeRunId }) => ({
      approvals: this.approvals.filter((one) => one.codeRunId === codeRunId),
      blocked: [],
    });
    const client: Partial<Client<GateServiceDefinition>> = {
      getGate: async () => ({ guarded: true }),
      admit: async (request) => ({ admission: this.admit(request) }),
      useApproval: async ({ approvalId }) => (this.decide(approvalId, 'consumed'), {}),
      admitCodeRun: async (request) => this.admitRun(request),
      getCodeRunApprovals,
    };
    return client as Client<GateServiceDefinition>;
  }

  decide(id: string, status: string, decisionReason?: string): void {
    Object.assign(
      this.approvals.find((one) => one.id === id)!,
      { status, decisionReason },
    );
  }

  approveAll(): void {
    for (const { id, status } of this.approvals) if (status === 'pending') this.decide(id, 'approved');
  }

  private admit(request: AdmitRequest): Admission['admission'] {
    this.admitted.push(request);
    const { call, codeRun, idempotencyKey: key } = request;
    const path = `${call!.calledAlias}.${call!.actionName}`;
    if (this.blocked.includes(path)) throw refusal();
    if (!this.gated.includes(path)) return { $case: 'free', value: {} };
    const ofRun = this.approvals.filter((one) => one.codeRunId === codeRun?.id && one.status !== 'pending');
    const batch = ofRun.find((one) => one.paths.includes(path));
    if (batch) return { $case: 'approved', value: { approvalId: batch.id, mustUse: false } };
    const own = this.approvals.find((one) => one.key === key);
    if (own?.status === 'approved') return { $case: 'approved', value: { approvalId: own.id, mustUse: true } };
    if (own) return { $case: 'pending', value: own };
    if (!request.preview) return { $case: 'wantsPreview', value: {} };
    return { $case: 'pending', value: this.open({ key, codeRunId: codeRun?.id, paths: [] }) };
  }

  private admitRun(request: AdmitCodeRunRequest) {
    this.admitted.push(request);
    const paths = request.calls.map(({ path }) => path);
    const gated = paths.filter((path) => this.gated.includes(path));
    const blocked = paths.filter((path) => this.blocked.includes(path)).map((path) => ({ path, refusal: REFUSAL }));
    const approvals = gated.length > 0 ? [this.open({ codeRunId: request.run!.id, paths: gated })] : [];
    return { approvals, blocked };
  }

  private open(own: Pick<Stored, 'key' | 'codeRunId' | 'paths'>): Stored {
    const opened = {
      ...{
        id: `apr_${newId()}`,
        status: this.decidedAtOnce,
        createdAt: new Date().toISOString(),
        expiresAt: this.expiresAt,
      },
      ...own,
    } as Stored;
    this.approvals.push(opened);
    return opened;
  }
}

const REFUSAL = { status: 403, error: 'The policy P blocks it.', code: 'FORBIDDEN', details: { policyId: 'p' } };

function refusal(): ApiError {
  return new ApiError('FORBIDDEN', REFUSAL.error, { details: REFUSAL.details });
}
