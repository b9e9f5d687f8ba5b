// Shapes: local
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';

const EXECUTE = '/api/v1/actions/execute';

describe('an expression of a caller', () => {
  let product: Drawbridge;
  let workspaceId: string;

  beforeAll(async () => {
    product = await drawbridge();
    const made = await product.api.post('/api/v1/workspaces', { name: 'Transforms', slug: 'transforms' });
    workspaceId = made.body.workspace.id;
  });

  const transform = (expression: string, data?: unknown) =>
    product.api.post(EXECUTE, {
      ...{ integrationName: 'data-transformer', actionName: 'transform', workspaceId },
      input: { expression, data },
    });

  it('returns its result', async () => {
    const data = { items: [{ price: 5 }, { price: 20 }] };
    expect((await transform('$sum(items.price)', data)).body).toMatchObject({ success: true, output: { result: 25 } });
  });

  it('is refused by its field name where it does not parse', async () => {
    expectInvalid(await transform('1 +'), 'input.expression');
  });

  it('is stopped when it exceeds its time or memory, without affecting other calls', async () => {
    // The first expression allocates so much memory in one step that a thread would crash its process. In the second, the library never checks the
    // time.
    const [large, slow, other] = await Promise.all([
      transform('$length($pad("x", 500000000))'),
      transform('$match($join([1..40].("a")) & "!", /^(a+)+$/)'),
      transform('1 + 1'),
    ]);
    for (const { body } of [large, slow])
      expect(body).toMatchObject({ code: 'ACTION_FAILED', details: { provider: { code: 'LIMIT_EXCEEDED' } } });
    expect(other.body).toMatchObject({ output: { result: 2 } });
    expect((await transform('1 + 1')).body).toMatchObject({ output: { result: 2 } });
  });

  it('can be the format of a date', async () => {
    const parse = (text: string, format: string) =>
      product.api.post(EXECUTE, {
        ...{ integrationName: 'datetime', actionName: 'parse', workspaceId },
        input: { text, format },
      });
    expectInvalid(await parse(`${'1'.repeat(99)}!`, 'dM'.repeat(33)), 'input.format');
    expect((await parse('5.11.2026', 'd.M.yyyy')).body.output).toMatchObject({ year: 2026, month: 11, day: 5 });
  });

  it('has no access to the process', async () => {
    for (const expression of ['$keys(process)', '$eval("process.env")', '$sum.constructor("return process.env")()']) {
      const answer = await transform(expression);
      if (answer.status === 200) expect(answer.body.output.result).toBeNull();
      else expectInvalid(answer, 'input.expression');
    }
  });
});
