import { ApiError } from '@drawbridge/contracts';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { LostCall } from '@drawbridge/rpc';
import { type Agent } from '../agents.js';
import { type Elicited } from '../results.js';
import { codeToolsCall } from './code-tools-call.js';

const ID = 'apr_01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const DOOR = { serverId: 's', workspaceId: 'w', approvalWaitSeconds: 7, mode: 'CODE' };
const agent = { door: DOOR, bearer: { endUserId: 'ann' }, offers: { tag: '', list: [] } } as unknown as Agent;
const NEVER_ASKS: Elicited = { mayAsk: false, isDeclined: false };

type Asked = [method: string, request: any, options: any];

/** A fake execution service. `answer` returns the result of each call. */
function execution(
  answer: (request: any) => Promise<CodeRunResult>,
  again = async (): Promise<Agent | undefined> => agent,
) {
  const asked: Asked[] = [];
  const on = (method: string) => (request: unknown, options: unknown) => {
    asked.push([method, request, options]);
    return answer(request);
  };
  const codeRuns = { executeCode: on('executeCode'), continueCode: on('continueCode') } as never;
  const surfaceOf = async () => ({ tools: new Map(), pages: [], tag: '', knownTag: '' });
  const send = (given: object, elicited = NEVER_ASKS, name = 'svc_execute') => {
    const call = {
      agent,
      name,
      given: { ...given },
      elicited,
      isLarge: false,
      address: (path: string) => `https://x${path}`,
      again,
    };
    return codeToolsCall({ surfaceOf, codeRuns }, call);
  };
  return { asked, send };
}

const completed = async (): Promise<CodeRunResult> => ({
  ...{ codeRunId: 'r', result: { $case: 'completed', value: { valueJson: '1' } }, console: [], calls: [] },
});
const approval: any = { id: ID, hostedApprovalUrl: '/h', approvalUrl: '/a', expiresAt: 'then' };
const waiting = async (): Promise<CodeRunResult> => ({
  ...{ codeRunId: 'r', console: [], calls: [] },
  result: { $case: 'waiting', value: { approvals: [approval], isNew: true } },
});
const failing = (error: Error) => async (): Promise<CodeRunResult> => {
  throw error;
};

it('runs a program with the surface of the server, for the end user', async () => {
  const { asked, send } = execution(completed);
  expect(await send({ code: 'return 1' })).toEqual({ content: [{ type: 'text', text: '1' }] });
  const surface = { workspaceId: 'w', mcpServerId: 's', endUserId: 'ann', tools: [] };
  expect(asked).toMatchObject([['executeCode', { code: 'return 1', surface }, { timeoutMs: 325_000 }]]);
});

it('continues a run, with more time than the service waits', async () => {
  const { asked, send } = execution(completed);
  await send({ approvalId: ID });
  await send({ approvalId: ID, waitForApprovalSeconds: 0 });
  expect(asked).toMatchObject([
    ['continueCode', { approvalId: ID, waitSeconds: 5 }, { timeoutMs: 330_000 }],
    ['continueCode', { approvalId: ID, waitSeconds: 0 }, { timeoutMs: 325_000 }],
  ]);
});

describe('a continuation that waits', () => {
  const { jest } = import.meta;
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const waitAll = async ({ waitSeconds }: { waitSeconds: number }): Promise<CodeRunResult> => {
    jest.advanceTimersByTime(1_000 * waitSeconds);
    return waiting();
  };
  const seconds = (asked: Asked[]): number[] => asked.map(([, request]) => request.waitSeconds);

  it('waits in parts of 5 s, and looks the token up before each', async () => {
    let looked = 0;
    const { asked, send } = execution(waitAll, async () => (looked++, agent));
    const result = await send({ approvalId: ID, waitForApprovalSeconds: 12 });
    expect(result).toHaveProperty('structuredJson', expect.stringContaining('"status":"approval_required"'));
    expect(seconds(asked)).toEqual([5, 5, 2]);
    expect(looked).toBe(2);
  });

  it('waits as long as its server says, unless the call says it', async () => {
    const { asked, send } = execution(waitAll);
    await send({ approvalId: ID });
    expect(seconds(asked)).toEqual([5, 2]);
  });

  it('ends as soon as its token is revoked', async () => {
    const { asked, send } = execution(waitAll, async () => undefined);
    await expect(send({ approvalId: ID, waitForApprovalSeconds: 60 })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(seconds(asked)).toEqual([5]);
  });

  it('ends as soon as its server has the mode TOOLS', async () => {
    const tools = { ...agent, door: { ...DOOR, mode: 'TOOLS' } } as unknown as Agent;
    const { asked, send } = execution(waitAll, async () => tools);
    const result = await send({ approvalId: ID, waitForApprovalSeconds: 60 });
    expect(result).toMatchObject({ isError: true, structuredJson: expect.stringContaining('INVALID_CODE_EXECUTE') });
    expect(seconds(asked)).toEqual([5]);
  });

  it('is authorized again after the decision, before the run continues', async () => {
    const ready = async (): Promise<CodeRunResult> => ({
      ...(await completed()),
      result: { $case: 'ready', value: {} },
    });
    let looked = 0;
    const answers = [ready, completed];
    const { asked, send } = execution(
      async () => answers.shift()!(),
      async () => (looked++, agent),
    );
    expect(await send({ approvalId: ID })).toEqual({ content: [{ type: 'text', text: '1' }] });
    expect(looked).toBe(1);
    expect(asked).toMatchObject([
      ['continueCode', { returnsReady: true }, {}],
      ['continueCode', { returnsReady: true }, {}],
    ]);
    const revoked = execution(ready, async () => undefined);
    await expect(revoked.send({ approvalId: ID })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(revoked.asked).toHaveLength(1);
  });

  it('does not repeat if the service does not wait', async () => {
    const { asked, send } = execution(waiting);
    await send({ approvalId: ID, waitForApprovalSeconds: 60 });
    expect(seconds(asked)).toEqual([5]);
  });
});

it('shows the page of an approval to the user of a client that can, then continues the stored run', async () => {
  const { asked, send } = execution(waiting);
  const shown = await send({ code: 'return 1' }, { mayAsk: true, isDeclined: false });
  expect(shown).toMatchObject({
    inputRequired: { requestState: ID, inputRequests: { page: { params: { url: 'https://x/h' } } } },
  });
  const again = await send({ code: 'return 1' }, { ...NEVER_ASKS, requestState: ID });
  expect(again).toHaveProperty('structuredJson', expect.stringContaining('"status":"approval_required"'));
  expect(asked.map(([method]) => method)).toEqual(['executeCode', 'continueCode']);
});

it.each<[string, Error]>([
  ['QUOTA_EXCEEDED', new ApiError('QUOTA_EXCEEDED', 'The plan allows 20')],
  ['NOT_FOUND', new ApiError('NOT_FOUND', 'Approval not found')],
  ['outcome_unknown', new LostCall('UNAVAILABLE', 'Lost', { mayHaveChanged: true })],
])('returns %s as a tool error', async (expected, error) => {
  const result = await execution(failing(error)).send({ code: 'return 1' });
  expect(result).toMatchObject({ isError: true, structuredJson: expect.stringContaining(expected) });
});

it('does not report a run as interrupted that was never handed over, or a continuation', async () => {
  const untouched = new LostCall('UNAVAILABLE', 'Away', { mayHaveChanged: false });
  const lost = new LostCall('UNAVAILABLE', 'Away', { mayHaveChanged: true });
  for (const [error, given] of [
    [untouched, { code: 'return 1' }],
    [lost, { approvalId: ID }],
  ] as const) {
    const result = await execution(failing(error)).send(given);
    expect(result).toMatchObject({ isError: true, structuredJson: expect.stringContaining('"code":"UNAVAILABLE"') });
  }
});

it('throws for an unknown tool', () => {
  const { send } = execution(completed);
  expect(() => send({}, NEVER_ASKS, 'svc_continue')).toThrow('Unknown tool: svc_continue');
});
