// Shapes: local
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { blocksOf } from './support/guides.js';
import { provider } from './support/provider.js';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const FIRST_CALL = /<!-- first call: a test runs this block -->\s+```sh\n(.*?)```/s.exec(README)?.[1] ?? '';

describe('the README', () => {
  let product: Drawbridge;
  let github: FakeProvider;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
  });
  afterAll(() => github.stop());

  it('contains a first call that works as printed, also repeatedly', async () => {
    const { baseUrl: BASE_URL, key: DRAWBRIDGE_KEY } = product;
    github.on('POST /repos/you/your-repo/issues', { status: 201, body: { number: 1 } });
    const env = { ...process.env, BASE_URL, DRAWBRIDGE_KEY, GITHUB_TOKEN: 'ghp_readme', GITHUB_REPO: 'you/your-repo' };

    for (let run = 0; run < 2; run++) {
      const { stdout } = await promisify(execFile)('sh', ['-ec', FIRST_CALL], { env });
      expect(stdout).toContain('"success":true');
      expect(stdout).not.toContain('ghp_readme');
    }

    const call = ['Bearer ghp_readme', { title: 'Hello from Drawbridge' }];
    expect(github.requests.map(({ headers, body }) => [headers['authorization'], body])).toEqual([call, call]);
  });
});

const GUIDE = readFileSync(join(import.meta.dirname, '../docs/getting-started.md'), 'utf8');
const ALL = [...(GUIDE.split('a test runs these blocks in order')[1] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(
  ([, block]) => block!,
);
const isOfClaude = (block: string): boolean => block.startsWith('claude ');
/** The blocks after the marker. The test of docs/mcp.md runs the command of Claude Code. */
const BLOCKS = ALL.filter((block) => !isOfClaude(block));

describe('docs/getting-started.md', () => {
  it('leads from a first action to an approved call of an agent', async () => {
    const { baseUrl: BASE_URL, key: DRAWBRIDGE_KEY } = await drawbridge();
    const env = { ...process.env, BASE_URL, DRAWBRIDGE_KEY };
    const { stdout } = await promisify(execFile)('sh', ['-ec', BLOCKS.join('\n')], { env });
    expect(BLOCKS.length).toBeGreaterThan(5);
    expect(stdout).toContain('{"success":true');
    expect(stdout).toMatch(new RegExp(`${BASE_URL}/approvals/apr_\\S+\\?token=apr_link_`));
    expect(stdout.trimEnd()).toMatch(/\nCut once$/);
  });

  it('adds the server to Claude Code with the command of docs/mcp.md', () => {
    const inOneLine = (block = ''): string => block.replaceAll(/\\\n\s+/g, '');
    const [ofServer] = blocksOf('mcp').filter(({ text }) => isOfClaude(text));
    const named = inOneLine(ofServer?.text).replace('$MCP_URL', '$endpoint').replace('$MCP_TOKEN', '$token');
    expect(ALL.filter(isOfClaude).map(inOneLine)).toEqual([named]);
  });
});
