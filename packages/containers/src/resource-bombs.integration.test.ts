import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Containers } from './containers.js';
import type { Language } from './driver.js';
import { LIMITS } from './limits.js';
import { describeWithDocker, type Engine, request, startEngine, until } from './testing/engine.js';
import { filesOf } from './testing/memory-mounts.js';

/** Less than the 10 s for which Docker waits by default when it stops a container. */
const LATE_SECONDS = 8;

const bombs: { name: string; language: Language; code: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/resource-bombs.json'), 'utf8'),
);
const TIMEOUT_SECONDS = 2;

describeWithDocker('a resource bomb', () => {
  let engine: Engine;
  let containers: Containers;

  beforeAll(async () => {
    engine = await startEngine();
    containers = engine.containers('bombs');
  });

  afterAll(() => engine?.stop());

  it('comes in at least 30 kinds', () => expect(bombs.length).toBeGreaterThanOrEqual(30));

  it.each(bombs)('that $name ends in time and leaves nothing', async ({ language, code }) => {
    const key = 'bomber';
    const run = containers.run(request({ language, code, timeoutSeconds: TIMEOUT_SECONDS, mount: { key } }));
    const result = await run.catch((error: unknown) => error);
    // The measured time excludes the start of the container, which depends on the machine.
    if (!(result instanceof Error)) {
      expect(['exited', 'timed_out', 'out_of_memory', 'failed']).toContain((result as { outcome: string }).outcome);
      expect((result as { durationMs: number }).durationMs).toBeLessThan((TIMEOUT_SECONDS + LATE_SECONDS) * 1000);
      expect((result as { stdout: string }).stdout.length).toBeLessThanOrEqual(LIMITS.outputBytes);
      expect((result as { stderr: string }).stderr.length).toBeLessThanOrEqual(LIMITS.outputBytes);
    } else {
      expect(result).toMatchObject({ code: 'MOUNT_LIMIT' });
    }
    await until(async () => (await engine.names()).length === 0);
    expect(filesOf(key).size).toBe(0);
  });
});
