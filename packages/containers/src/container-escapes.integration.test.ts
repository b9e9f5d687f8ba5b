import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Containers } from './containers.js';
import { describeWithDocker, type Engine, request, startEngine } from './testing/engine.js';
import { type Attempt, type Neighbour, startNeighbour } from './testing/neighbour.js';

const { pythonPrelude, attempts }: { pythonPrelude: string; attempts: Attempt[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/container-escapes.json'), 'utf8'),
);

describeWithDocker('code in a container', () => {
  let engine: Engine;
  let neighbour: Neighbour;
  let containers: Containers;

  beforeAll(async () => {
    engine = await startEngine();
    neighbour = await startNeighbour(engine);
    containers = engine.containers('escapes');
  });

  afterAll(async () => {
    await neighbour?.remove();
    await engine?.stop();
  });

  it('is attacked in at least 60 ways', () => {
    expect(attempts.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length);
  });

  it.each(attempts)('$kind: never $name, which it does without the limits', async ({ language, code }) => {
    const input = { outsideAddress: neighbour.outsideAddress };
    const prelude = language === 'python' ? pythonPrelude : '';
    const given = language === 'python' ? `input = ${JSON.stringify(input)}\n` : '';
    expect(await neighbour.runUnlimited(language, given + prelude + code)).toContain('REACHED');

    const result = await containers.run(request({ language, code: prelude + code, input, mount: { key: 'attacker' } }));
    expect(result.stdout).not.toContain('REACHED');
    expect(JSON.stringify(result)).not.toContain(neighbour.flag);
    const contents = result.files.map(({ base64 }) => Buffer.from(base64, 'base64').toString());
    expect(contents.join()).not.toContain(neighbour.flag);
    expect(result.outcome).toBe('exited');
  });
});
