import { command } from '../support/command.js';
import { apiOf } from '../../support/api.js';
import { type Drawbridge, drawbridge } from '../../support/drawbridge.js';
import { eventually } from '../../support/eventually.js';

describe('docker-compose.yml', () => {
  let product: Drawbridge;

  beforeAll(async () => {
    product = await drawbridge();
  });

  /** Runs JavaScript in a container of a service. Returns what it prints. */
  const runIn = (container: string, code: string): Promise<string> =>
    command(['docker', 'exec', `drawbridge-${container}`, 'node', '--input-type=module', '--eval', code]);
  const ask =
    "await fetch('http://sandbox:2375/_ping').then((answer) => answer.text()).catch(({ cause }) => cause.code)";

  it('starts each container of a service with a port of its own on this machine', async () => {
    for (const baseUrl of product.baseUrls) {
      expect((await apiOf(baseUrl, product.key).get('/api/v1/workspaces')).status).toBe(200);
    }
  });

  it('lets execution alone reach the engine of advanced code', async () => {
    const answersOf = (...containers: string[]): Promise<string[]> =>
      Promise.all(containers.map((container) => runIn(container, `console.log(${ask})`)));
    expect(await answersOf('execution-1', 'execution-2')).toEqual(['OK\n', 'OK\n']);
    const unknown = expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)\n$/);
    expect(await answersOf('gateway-1', 'catalog-1', 'connections-1')).toEqual([unknown, unknown, unknown]);
  });

  it('has the commands for operators', async () => {
    const compose: string[] = JSON.parse(process.env['COMPOSE']!);
    const { organizations } = JSON.parse(await command([...compose, 'run', '--rm', 'admin', 'org', 'list']));
    expect(organizations).toContainEqual(expect.objectContaining({ slug: 'default' }));
  });

  it('keeps its data when the database is restarted, and continues', async () => {
    const create = { name: 'Kept', slug: `kept-${Date.now()}` };
    const { workspace } = (await product.api.post('/api/v1/workspaces', create)).body;
    await command(['docker', 'restart', 'drawbridge-postgres-1']);
    await eventually(async () => {
      const { body } = await product.api.get(`/api/v1/workspaces/${workspace.id}`);
      expect(body.workspace).toMatchObject({ name: 'Kept' });
    }, 60_000);
  });
});
