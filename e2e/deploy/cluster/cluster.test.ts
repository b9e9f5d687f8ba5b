import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command } from '../support/command.js';
import { apiOf } from '../../support/api.js';
import { type Drawbridge, drawbridge } from '../../support/drawbridge.js';
import { readGuide } from '../../support/guides.js';
import { eventually } from '../../support/eventually.js';
import { KUBECTL, kubectl } from './kubectl.js';

const PRIVILEGED = JSON.stringify({
  spec: { containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }] },
});

describe('the overlay one-node on a cluster', () => {
  let product: Drawbridge;

  beforeAll(async () => {
    product = await drawbridge();
  });

  it('runs two pods of each service, and all of them are ready', async () => {
    const services = ['gateway', 'members', 'connections', 'catalog', 'approvals', 'execution', 'triggers', 'mcp'];
    const expected = [...services, ...services, 'kafka', 'postgres', 'redis'].sort();
    // Another file may have just killed containers, which Kubernetes restarts after a pause.
    await eventually(async () => {
      const { items } = JSON.parse(await kubectl('get', 'pods', '--output=json'));
      const pods = items.map(({ metadata, status }: any) => ({
        name: metadata.labels['app.kubernetes.io/name'],
        ready: status.containerStatuses[0].ready,
      }));
      expect(pods.sort((a: any, b: any) => (a.name < b.name ? -1 : 1))).toEqual(
        expected.map((name) => ({ name, ready: true })),
      );
    }, 120_000);
  }, 150_000);

  it('accepts BOOTSTRAP_API_KEY as the key of the first organization', async () => {
    const secrets: any[] = JSON.parse(await kubectl('get', 'secrets', '--output=json')).items;
    const key = Buffer.from(secrets[0].data.BOOTSTRAP_API_KEY, 'base64').toString();
    const { status, body } = await apiOf(product.baseUrl, key).get('/api/v1/organization');
    expect({ status, body }).toMatchObject({ status: 200, body: { organization: { slug: 'default' } } });
  });

  it('has the commands for operators', async () => {
    const [, block = ''] = /## Commands for operators[^]*?```sh\n([^]*?)```/.exec(readGuide('kubernetes'))!;
    const printed = await command(['sh', '-ec', block], {
      env: { ...process.env, PATH: `${dirname(KUBECTL[0]!)}:${process.env['PATH']}` },
    });
    const { organizations } = JSON.parse(printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1));
    expect(organizations).toContainEqual(expect.objectContaining({ slug: 'default' }));
  });

  it('refuses a pod with privileges in its namespace', async () => {
    const pod = kubectl('run', 'a', '--image=a', `--overrides=${PRIVILEGED}`);
    await expect(pod).rejects.toThrow('violates PodSecurity "restricted:latest"');
  });

  it.each(['dev', 'production'])('accepts the overlay %s, and warns of nothing in it', async (name) => {
    const overlays = join(dirname(process.env['KUBECONFIG']!), 'manifests/overlays');
    if (name === 'dev') cpSync(join(overlays, 'one-node/secrets.env'), join(overlays, 'dev/secrets.env'));
    const [kubectlAlone = ''] = KUBECTL;
    await command([kubectlAlone, 'apply', '--filename', join(overlays, name, 'namespace.yaml')]);
    const apply = ['apply', '--dry-run=server', '--warnings-as-errors', '--kustomize', join(overlays, name)];
    expect(await command([kubectlAlone, ...apply])).toContain('deployment.apps/gateway');
  });

  it('keeps its data when the database pod is replaced, and continues', async () => {
    const create = { name: 'Kept', slug: `kept-${Date.now()}` };
    const { workspace } = (await product.api.post('/api/v1/workspaces', create)).body;
    await kubectl('delete', 'pod', 'postgres-0');
    await eventually(async () => {
      const { body } = await product.api.get(`/api/v1/workspaces/${workspace.id}`);
      expect(body.workspace).toMatchObject({ name: 'Kept' });
    }, 120_000);
  });
});
