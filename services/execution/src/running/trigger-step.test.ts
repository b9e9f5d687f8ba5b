import { type Answer, authorizationHeader, type Credential, piece, type Piece, trigger } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { inProcessWorkers } from '../testing/in-process-worker.js';
import { runPiece, type PieceRun } from './run-piece.js';

const tested: Piece = piece({
  ...{ name: 'stepped', displayName: 'Stepped', description: 'Stepped', categories: ['UTILITIES'] },
  origin: 'https://x.example',
  auth: { types: ['SECRET_TEXT'], required: true },
  http: { authorize: authorizationHeader },
  actions: {},
  triggers: {
    polled: trigger({
      ...{ kind: 'polling', displayName: 'Polled', description: 'Is polled.', props: {}, sample: {} },
      poll: async ({ http }) => {
        const { items } = (await http.json({ method: 'GET', path: '/items' })) as { items: { id: string }[] };
        return { events: items.map((item) => ({ id: item.id, data: item })), cursor: items.length };
      },
    }),
  },
});
(pieces as Record<string, Piece>)['stepped'] = tested;

const POLL = { kind: 'trigger', triggerName: 'polled', step: { kind: 'poll' } } as const;
const credential: Credential = { type: 'SECRET_TEXT', secretText: 'secret' };

const answered =
  (status: number, body: object, headers = {}) =>
  async (): Promise<Answer> => {
    const bytes = Buffer.from(JSON.stringify(body));
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes,
      url: 'https://x.example/items',
    };
  };

async function poll(send: PieceRun['send']) {
  const { outputJson, failure } = await runPiece({
    ...{ piece: tested, work: POLL, input: {}, credential, redact: redactor(['secret']), send },
    runInWorker: inProcessWorkers(),
  });
  return { failure, output: outputJson && JSON.parse(outputJson) };
}

describe('a step of a trigger', () => {
  it.each([
    ['here', ''],
    ['in a worker, where it is answered something large', 'x'.repeat(100_000)],
  ])('answers what the kit does: %s', async (_where, padding) => {
    const { output } = await poll(answered(200, { items: [{ id: 'one' }], padding }));
    expect(output).toEqual({ events: [{ id: 'one', data: { id: 'one' } }], cursor: 1 });
  });

  it('shows nothing of the credential', async () => {
    const { output } = await poll(answered(200, { items: [{ id: 'one', text: 'a secret' }] }));
    expect(JSON.stringify(output)).not.toContain('secret');
  });

  it('says what the third party says, and when to ask again', async () => {
    const { failure } = await poll(answered(400, { message: 'No secret' }));
    expect(failure).toMatchObject({ code: 'ACTION_FAILED', details: { provider: { status: 400 }, retryable: false } });
    expect(failure?.message).not.toContain('secret');
  });
});
