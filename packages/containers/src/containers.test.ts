import { setTimeout as sleep } from 'node:timers/promises';
import { createContainers } from './containers.js';
import type { SandboxContainer } from './driver.js';
import { fakeContainer, fakeDriver, responding } from './testing/fake-container.js';
import { request } from './testing/engine.js';
import { EXIT, frame } from './testing/frames.js';

const COLD = { javascript: 0, python: 0, shell: 0 };

describe.each<[string, SandboxContainer['remove']]>([
  ['fails', () => Promise.reject(new Error('the engine is busy'))],
  ['never ends', () => new Promise(() => undefined)],
])('a removal that %s', (how, remove) => {
  const errors: unknown[] = [];
  const containersWith = (...answer: Buffer[]) =>
    createContainers({
      driver: fakeDriver(() => responding(fakeContainer({ remove }), answer)),
      warm: COLD,
      onRemovalFailed: (error) => errors.push(error),
    });
  afterEach(() => errors.splice(0));

  it('does not change the result of a run', async () => {
    const result = await containersWith(frame('o', 'hi'), EXIT).run(request({ code: 'true' }));
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'hi' });
    await sleep(10);
    expect(errors).toHaveLength(how === 'fails' ? 1 : 0);
  });

  it('does not change the result of a run that reaches its time limit', async () => {
    const result = await containersWith(frame('o', 'begun')).run(request({ code: 'true', timeoutSeconds: 1 }));
    expect(result).toMatchObject({ outcome: 'timed_out', stdout: 'begun' });
  });

  it('does not change the error of a run that is cancelled', async () => {
    const cancel = new AbortController();
    const { signal } = cancel;
    const run = containersWith(frame('o', 'x')).run(request({ signal, onOutput: () => cancel.abort() }));
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('idle persistent environments', () => {
  const removed: string[] = [];
  let started = 0;
  const driver = fakeDriver(() => {
    const name = String(started++);
    return { ...responding(fakeContainer({ remove: async () => void removed.push(name) }), [EXIT]), name };
  });
  const containers = createContainers({ driver, warm: COLD });
  const run = (tenant: string, key: string) => containers.run(request({ persistence: { key, tenant } }));

  it('of one tenant do not remove those of others', async () => {
    await run('small', 'kept'); // container 0
    for (let at = 1; at <= 20; at++) await run('large', String(at));
    await sleep(10);
    expect(removed).toEqual(Array.from({ length: 16 }, (_, at) => String(at + 1)));
    await run('small', 'kept');
    expect(started).toBe(21);
  });

  it('are at most 16 of all tenants', async () => {
    for (let at = 1; at <= 20; at++) await run(`tenant ${at}`, 'own');
    await sleep(10);
    expect(started - removed.length).toBe(16);
    await containers.close();
  });
});
