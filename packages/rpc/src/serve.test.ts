import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Runs the script as a process, and sends SIGTERM to it when it prints "alive". Returns its exit code and output. */
async function ran(text: string): Promise<{ code: number; said: string }> {
  const script = `
    import { createLogger, endAll, handleUncaughtErrors, onShutdownSignal } from '@drawbridge/rpc';
    const log = createLogger('test', 'info');
    handleUncaughtErrors(log);
    const ends = [];
    onShutdownSignal(log, () => endAll(ends));
    setInterval(() => undefined, 1_000);
    ${text}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: PACKAGE });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  child.stdout.on('data', (chunk) => {
    said += chunk;
    if (said.includes('"alive"')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

describe('an unhandled error', () => {
  it('does not stop the process if it is a rejection', async () => {
    const { code, said } = await ran(`
      void Promise.reject(new Error('secret text'));
      setImmediate(() => setImmediate(() => log.info('alive')));`);
    expect(said).toContain('unhandled promise rejection');
    expect(said).not.toContain('secret');
    expect({ code, stopped: said.includes('"stopped"') }).toEqual({ code: 0, stopped: true });
  });

  it('stops the process cleanly with exit code 1 if it is an exception', async () => {
    const { code, said } = await ran(`setImmediate(() => { throw new Error('secret text'); });`);
    expect(said).toContain('uncaught exception');
    expect(said).not.toContain('secret');
    expect({ code, stopped: said.includes('"stopped"') }).toEqual({ code: 1, stopped: true });
  });
});

it('a part that fails to stop does not block the others, and the process exits with 1', async () => {
  const { code, said } = await ran(`
    ends.push(() => Promise.reject(new Error('secret text')), () => new Promise((end) => setTimeout(end, 100)), () => log.info('last'));
    log.info('alive');`);
  expect(said).toContain('"last"');
  expect(said).toContain('shutdown did not complete cleanly');
  expect(said).not.toContain('secret');
  expect({ code, stopped: said.includes('"stopped"') }).toEqual({ code: 1, stopped: false });
});
