import { action, type Answer, dropdown, dynamic, piece, type Piece, shortText } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { inProcessWorkers } from '../testing/in-process-worker.js';
import { runPiece, type PieceRun } from './run-piece.js';

const LARGE = 'x'.repeat(100_000);
const NAMES = ['Ann', 'Bob'];

const tested: Piece = piece({
  ...{ name: 'looked-up', displayName: 'Looked up', description: 'Looked up', categories: ['UTILITIES'] },
  origin: 'https://x.example',
  actions: {
    act: action({
      ...{ displayName: 'Act', description: 'Acts', category: 'write' },
      props: {
        people: dropdown('People', {
          options: async ({ http }) => {
            const { names } = (await http.json({ method: 'POST', path: '/people', json: {} })) as { names: string[] };
            return names.map((name) => ({ label: name, value: name }));
          },
        }),
        fields: dynamic('Fields', {
          props: async ({ http, input }) => {
            const { names } = (await http.json({ method: 'GET', path: '/fields' })) as { names: string[] };
            return Object.fromEntries(names.map((name) => [name, shortText(`${name} of ${input.sheet}`)]));
          },
        }),
      },
      run: async () => ({}),
    }),
  },
});
(pieces as Record<string, Piece>)['looked-up'] = tested;

const operation = { actionName: 'act' };
const PEOPLE = { kind: 'options', operation, propertyName: 'people', search: 'bo' } as const;
const FIELDS = { kind: 'properties', operation, propertyName: 'fields' } as const;

const answered = (status: number, body: object) => async (): Promise<Answer> => {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, body: bytes, url: 'https://x.example/people' };
};

async function lookUp(run: Pick<PieceRun, 'work' | 'send'> & Partial<PieceRun>) {
  const { outputJson, ...ended } = await runPiece({
    ...{ piece: tested, input: { sheet: 'People' }, redact: redactor(['secret']) },
    runInWorker: inProcessWorkers(),
    ...run,
  });
  return { ...ended, output: outputJson && JSON.parse(outputJson) };
}

describe('a lookup', () => {
  it.each([
    ['here', ''],
    ['in a worker, where it is answered something large', LARGE],
  ])('answers what the kit does: %s', async (_where, padding) => {
    const send = answered(200, { names: NAMES, padding });
    const bob = { label: 'Bob', value: 'Bob' };
    expect((await lookUp({ work: PEOPLE, send })).output).toEqual({ options: [bob], disabled: false });
    const { output } = await lookUp({ work: FIELDS, send });
    expect(Object.keys(output.properties)).toEqual(NAMES);
    expect(output.properties.Ann.displayName).toBe('Ann of People');
  });

  it('takes the credential out of what it answers', async () => {
    const { output } = await lookUp({ work: PEOPLE, send: answered(200, { names: ['Bob is secret'] }) });
    expect(output.options).toEqual([{ label: 'Bob is [redacted]', value: 'Bob is [redacted]' }]);
  });

  it('changes nothing: it can be done again whatever it sent, also with another credential', async () => {
    const auth = { types: ['SECRET_TEXT'], required: true } as const;
    const { failure, isRefused, mayRepeat } = await lookUp({
      ...{ piece: { ...tested, auth }, work: PEOPLE, send: answered(401, { message: 'of secret' }) },
    });
    expect({ isRefused, mayRepeat, message: failure?.details?.provider.message }).toEqual({
      ...{ isRefused: true, mayRepeat: true, message: 'of [redacted]' },
    });
    const { failure: trouble } = await lookUp({ work: PEOPLE, send: answered(503, {}) });
    expect(trouble?.details).toMatchObject({ provider: { status: 503 }, retryable: true });
  });

  it('ends when its time is over, and when who asked has left', async () => {
    const timedOut = { code: 'ACTION_FAILED', details: { provider: { code: 'TIMEOUT' }, retryable: true } };
    let ended = 0;
    const never: PieceRun['send'] = ({ signal }) => {
      signal?.addEventListener('abort', () => (ended += 1));
      return new Promise(() => undefined);
    };
    expect((await lookUp({ work: PEOPLE, send: never, limitMs: 1 })).failure).toMatchObject(timedOut);
    const leaving = new AbortController();
    const left = lookUp({ work: FIELDS, send: never, leaving: leaving.signal });
    leaving.abort();
    expect((await left).failure).toMatchObject(timedOut);
    expect((await lookUp({ work: FIELDS, send: never, leaving: leaving.signal })).failure).toMatchObject(timedOut);
    expect(ended).toBe(2);
  });
});
