import { CodeProcess, World } from '../testing/code-process.js';
import { query } from '../testing/spaces.js';

let world: World;
let process: CodeProcess;
beforeEach(() => {
  world = new World();
  process = new CodeProcess(world);
});
afterEach(() => process.stop());

const rowsOf = async (table: string): Promise<number> =>
  (await query(`SELECT FROM execution.${table} WHERE org_id = $1`, [world.orgId])).rowCount ?? 0;
const started = async () =>
  (await query(`SELECT FROM execution.outbox WHERE org_id = $1 AND type = 'code_run.started'`, [world.orgId])).rowCount;

describe('a program without approvals', () => {
  it('calls tools, and returns its value, its console and its calls', async () => {
    const code = `
      const answers = await Promise.all([1, 2].map((n) => svc.bank.read({ n })));
      console.log('read', answers.length);
      return answers`;
    const { result, console, calls, codeRunId } = await process.execute(code);
    expect(result).toEqual({ $case: 'completed', value: { valueJson: '[{"n":1},{"n":2}]' } });
    expect(console).toEqual([{ level: 'log', text: 'read 2' }]);
    const call = { path: 'bank.read', status: 'success', executionId: expect.any(String) };
    expect(calls).toEqual([call, call]);
    expect(codeRunId).toMatch(/^[0-9a-f-]{36}$/);
    expect(world.executed.sort()).toEqual(['read 1', 'read 2']);
  });

  it('stores no row, counts one sandbox run, and each call as an execution', async () => {
    await process.execute('await svc.bank.read({ n: 1 }); await svc.bank.pay({ n: 2 })');
    expect([await rowsOf('code_runs'), await rowsOf('executions'), await started(), world.quota]).toEqual([0, 2, 1, 1]);
    const { rows } = await query('SELECT source, input FROM execution.executions WHERE org_id = $1 ORDER BY id', [
      world.orgId,
    ]);
    expect(rows[1]).toEqual({ source: 'mcp_code', input: { currency: 'EUR', n: 2 } });
  });

  it('sends its calls to the policies with the run and the alias', async () => {
    const { codeRunId } = await process.execute('await svc.bank.read({ n: 1 })');
    expect(world.gate.admitted).toMatchObject([
      {
        call: { calledAlias: 'bank', mcpServerId: 'srv', endUserId: 'u' },
        idempotencyKey: `${codeRunId}:1`,
        codeRun: { id: codeRunId, codeHash: expect.stringMatching(/^[0-9a-f]{64}$/), toolSurfaceHash: 'surface' },
      },
    ]);
  });

  it('removes types, and returns nothing for a program without a return', async () => {
    const { result } = await process.execute('const n: number = 1; await svc.bank.read({ n })');
    expect(result).toEqual({ $case: 'completed', value: { valueJson: undefined } });
  });

  it.each(['const input = { n: 1 }', 'let input: { n: number } = { n: 1 }', 'function input() {} input.n = 1'])(
    'accepts a program that declares a variable named input: %s',
    async (declaration) => {
      const { result } = await process.execute(`${declaration}; return input.n // end`);
      expect(result).toEqual({ $case: 'completed', value: { valueJson: '1' } });
    },
  );

  it('continues after its caller disconnects', async () => {
    const leaving = new AbortController();
    world.onExecuted = () => leaving.abort();
    const code = 'await svc.bank.read({ n: 1 }); await svc.bank.pay({ n: 2 })';
    await process.execute(code, { signal: leaving.signal });
    expect(world.executed).toEqual(['read 1', 'pay 2']);
  });

  it('does not start for a caller that has hung up', async () => {
    const failing = process.execute('await svc.bank.read({ n: 1 })', { signal: AbortSignal.abort() });
    await expect(failing).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect([world.executed, world.quota]).toEqual([[], 0]);
  });
});

describe('errors', () => {
  it.each([
    ["await svc.bank.read({ n: '\\0' })", { code: 'VALIDATION_ERROR', message: 'n: must not contain a NUL character' }],
    ['let n = 1; for (let i = 0; i < 40; i++) n = [n]; await svc.bank.read({ n })', { code: 'VALIDATION_ERROR' }],
    [
      'await svc.bank.read({ n: Array(60_000).fill(1) })',
      { code: 'VALIDATION_ERROR', message: 'body: must have at most 50000 values' },
    ],
    ['return 1 +', { code: 'SYNTAX_ERROR', line: 1 }],
    ['throw new TypeError("no")', { code: 'RUNTIME_ERROR', line: 1, column: 11 }],
    ['\nthrow new TypeError("no")', { code: 'RUNTIME_ERROR', message: 'TypeError: no', line: 2 }],
    [
      'await svc.bank.raed({})',
      { code: 'UNKNOWN_TOOL', message: expect.stringContaining('Did you mean svc.bank.read') },
    ],
    [
      'await svc.bnak.read({})',
      { code: 'UNKNOWN_TOOL', message: expect.stringContaining('Did you mean svc.bank.read') },
    ],
    ['await svc.bank["re\u202ead"]({})', { message: expect.stringContaining('svc.bank.re⟨U+202E⟩ad does not exist') }],
    ['await svc.other()', { code: 'UNKNOWN_TOOL', message: expect.stringContaining('svc_search') }],
    ['await svc.bank.read(1)', { code: 'VALIDATION_ERROR', message: expect.stringContaining('(got a number)') }],
    ['await svc.bank.read([])', { code: 'VALIDATION_ERROR', message: expect.stringContaining('(got a list)') }],
    [
      'await svc.bank.read({}, {})',
      { code: 'VALIDATION_ERROR', message: expect.stringContaining('(got 2 arguments)') },
    ],
    [
      'await svc.bank.read({ wrong: 1 })',
      {
        code: 'VALIDATION_ERROR',
        message: 'wrong: is unknown; known keys: n, currency',
        details: { fields: { wrong: {} } },
      },
    ],
    ["await svc.bank.read({ n: 'the provider refused' })", { code: 'ACTION_FAILED' }],
  ])('ends %j with %j', async (code, failure) => {
    const { result } = await process.execute(code);
    expect(result).toMatchObject({ $case: 'failed', value: failure });
  });

  it('can be caught by the program, with code and details', async () => {
    const code = `
      try { await svc.bank.read({ wrong: 1 }) } catch ({ code, details }) { return { code, fields: Object.keys(details.fields) } }`;
    const { result, calls } = await process.execute(code);
    expect(result).toMatchObject({ value: { valueJson: '{"code":"VALIDATION_ERROR","fields":["wrong"]}' } });
    expect(calls).toEqual([{ path: 'bank.read', status: 'failed', executionId: undefined }]);
  });

  it('refuses code of more than 256 KiB and runs nothing', async () => {
    const failing = process.execute(`// ${'x'.repeat(256 * 1024)}`);
    await expect(failing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { fields: { code: {} } } });
    expect(world.quota).toBe(0);
  });

  it('counts a run that a limit ended, and not one that was refused', async () => {
    const { result } = await process.execute('while (true);');
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'TIMEOUT' } });
    expect(world.quota).toBe(1);
    world.quotaLeft = 1;
    await expect(process.execute('return 1')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect([world.quota, await started()]).toEqual([1, 1]);
  });
});

describe('policies', () => {
  it.each(['exact', 'partial'] as const)(
    'end a program with a blocked call of %s analysis before it starts',
    async (analysisConfidence) => {
      world.gate.blocked = ['bank.pay'];
      world.analysis = { analysisConfidence, predictedTools: ['bank.read', 'bank.pay'] };
      const { result } = await process.execute('await svc.bank.read({ n: 1 }); await svc.bank.pay({ n: 2 })');
      expect(result).toMatchObject({
        value: { code: 'FORBIDDEN', details: { policyId: 'p' }, message: expect.stringContaining('svc.bank.pay') },
      });
      expect([world.executed, world.quota, await started()]).toEqual([[], 0, 0]);
    },
  );

  it('end a program when its approval is refused before it is stored', async () => {
    world.analysis = { predictedTools: ['bank.pay'] };
    world.gate.gated = ['bank.pay'];
    world.gate.decidedAtOnce = 'rejected';
    const { result } = await process.execute('await svc.bank.read({ n: 1 }); return svc.bank.pay({ n: 2 })');
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'APPROVAL_REJECTED' } });
    expect([world.executed, world.quota]).toEqual([[], 0]);
  });

  it('refuse a blocked call of a dynamic program when it is made', async () => {
    world.gate.blocked = ['bank.pay'];
    world.analysis = { analysisConfidence: 'dynamic', predictedTools: ['bank.read', 'bank.pay'] };
    const { result } = await process.execute('await svc.bank.read({ n: 1 }); await svc.bank.pay({ n: 2 })');
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'FORBIDDEN', message: 'The policy P blocks it.' } });
    expect(world.executed).toEqual(['read 1']);
  });

  it('get a preview with all fields of a batch run', async () => {
    world.gate.gated = ['bank.pay'];
    world.analysis = { predictedTools: ['bank.pay'], externalDomains: ['a.example'], storageIndicators: ['kv'] };
    const code = 'await svc.bank.pay({ n: 1 })';
    const { codeRunId } = await process.execute(code);
    const [{ preview, calls, run }] = world.gate.admitted as unknown as [
      { preview: object; calls: object; run: object },
    ];
    expect(preview).toMatchObject({
      truncatedFields: [],
      input: {
        ...{
          type: 'mcp_code_batch_run',
          codeRunId,
          predictedTools: ['bank.pay'],
          availableApps: [{ alias: 'bank', displayName: 'Bank' }],
          predictedToolCount: 1,
          code,
        },
        ...{
          externalDomains: ['a.example'],
          storageIndicators: ['kv'],
          analysisConfidence: 'exact',
          dynamicSignals: [],
        },
        ...{ codeHash: expect.any(String), toolSurfaceHash: 'surface' },
        ...{ intentSummary: expect.any(String), impactSummary: expect.any(String) },
      },
    });
    expect(run).toMatchObject({ id: codeRunId, toolSurfaceHash: 'surface' });
    expect(calls).toMatchObject([
      { path: 'bank.pay', call: { category: 'payment', calledAlias: 'bank', mcpServerId: 'srv' } },
    ]);
  });

  it('get the beginning of the lists of a large surface, as lists', async () => {
    world.gate.gated = ['bank.pay'];
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      ...world.tools[0]!,
      actionName: `read_${at}`,
      alias: `a${at}`,
    }));
    world.tools.push(...many);
    world.analysis = {
      analysisConfidence: 'dynamic',
      predictedTools: world.tools.map((tool) => `${tool.alias}.${tool.actionName}`),
    };
    await process.execute(`// ${'x'.repeat(100_000)}`);
    const { input = {}, truncatedFields } = world.gate.admitted[0]!.preview!;
    expect([...truncatedFields].sort()).toEqual(['availableApps', 'code', 'predictedTools']);
    expect(input.predictedToolCount).toBe(5_004);
    expect(input.predictedTools.slice(0, 2)).toEqual(['bank.read', 'bank.pay']);
    expect(input.availableApps.length).toBeGreaterThan(50);
  });

  it('learn which fields of a large program are cut', async () => {
    world.gate.gated = ['bank.pay'];
    world.analysis = { predictedTools: ['bank.pay'] };
    await process.execute(`// ${'x'.repeat(100_000)}`);
    expect(world.gate.admitted[0]!.preview!.truncatedFields).toEqual(['code']);
  });
});
