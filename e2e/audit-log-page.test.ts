// Shapes: none; in full: local
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/audit-log.md'), 'utf8');
const COMMANDS = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map(([, command = '']) => command);

const actionsOf = (lines: string): string[] =>
  [...lines.matchAll(/"action":"([^"]+)"/g)].map(([, action = '']) => action);

describe('docs/audit-log.md', () => {
  let product: Drawbridge;
  beforeAll(async () => {
    product = await drawbridge();
    await product.api.post('/api/v1/workspaces', { name: 'Read', slug: 'read' });
    await eventually(async () => expect((await product.api.get('/api/v1/audit-log')).body.entries).toHaveLength(2));
  });

  /** Runs a command of docs/audit-log.md. Replaces `npm run`, which would first check the build, with the program that it starts. */
  async function run(command: string, more: Record<string, string> = {}): Promise<string> {
    const { baseUrl: BASE_URL, key: DRAWBRIDGE_KEY, databaseUrl: DATABASE_URL, orgId: ORG_ID } = product;
    const env = { ...process.env, BASE_URL, DRAWBRIDGE_KEY, DATABASE_URL, ORG_ID, NODE_OPTIONS: '', ...more };
    const direct = command.replace('npm run -s admin --', 'node packages/cli/dist/main.js admin');
    const ran = promisify(execFile)('sh', ['-ec', direct], { env, cwd: ROOT });
    ran.catch((error: Error & { stdout?: string }) => (error.message += `\n${error.stdout}`)); // adds the output, which contains the cause
    return (await ran).stdout;
  }

  it('contains commands that work as printed', async () => {
    const [list = '', exporting = '', verify = '', verifyHead = ''] = COMMANDS;
    expect(JSON.parse(await run(list)).entries).toHaveLength(1);
    expect(actionsOf(await run(exporting))).toEqual(['workspace.create', 'organization.create']);
    const verified = JSON.parse(await run(verify));
    expect(verified).toMatchObject({ verified: true });
    const { head } = verified.organizations.find(({ orgId }: { orgId: string }) => orgId === product.orgId);
    expect(JSON.parse(await run(verifyHead, { HEAD: head }))).toMatchObject({ verified: true });
    await expect(run(verifyHead, { HEAD: `1:${'0'.repeat(64)}` })).rejects.toMatchObject({ code: 1 });
  });

  it('is right that a deleted organization does not verify, and that --head requires --org', async () => {
    const [, , verify = '', verifyHead = ''] = COMMANDS;
    const HEAD = `1:${'0'.repeat(64)}`;
    const problem = { stdout: expect.stringContaining('the organization has neither entries nor a chain head') };
    for (const command of [verifyHead, `${verify.trim()} --org "$ORG_ID"`]) {
      await expect(run(command, { HEAD, ORG_ID: randomUUID() })).rejects.toMatchObject({ code: 1, ...problem });
    }
    await expect(run(`${verify.trim()} --head "$HEAD"`, { HEAD })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"--org: is required with --head"'),
    });
  });
});
