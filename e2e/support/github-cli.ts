import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge, drawbridge } from './drawbridge.js';
import { type GithubWorkspace, githubWorkspace } from './github.js';
import { provider } from './provider.js';
import { type Cli, type CliOptions, type Ended, sdkCli } from './sdk-cli.js';

export const ISSUES = 'POST /repos/acme/app/issues';

export let product: Drawbridge;
export let github: FakeProvider;
export let own: GithubWorkspace;
/** The program `drawbridge` with the URL and the key of this file's organization. */
export let program: Cli;

/** Registers the hooks that install the program and create a workspace with github. The provider creates each issue with the number 7. */
export function useGithubCli(): void {
  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    own = await githubWorkspace(product.api);
    program = await sdkCli({ DRAWBRIDGE_URL: product.baseUrl, DRAWBRIDGE_KEY: product.key });
  });
  beforeEach(() => {
    github.reset();
    github.on(ISSUES, ({ body }) => ({ status: 201, body: { number: 7, title: (body as { title: string }).title } }));
  });
  afterAll(async () => {
    program?.stop();
    await github?.stop();
  });
}

/** Runs a command until it ends. */
export const cli = (args: string[], options?: CliOptions): Promise<Ended> => program.run(args, options);

/** Returns the JSON document of a command that succeeds. */
export async function json(args: string[], options?: CliOptions): Promise<any> {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout.trimEnd().split('\n').length).toBe(1);
  return JSON.parse(stdout);
}

/** Returns the flag that chooses the workspace. */
export const inWorkspace = (): string[] => ['--workspace', own.workspaceId];

/** Returns the command that creates an issue. */
export const issue = (...fields: string[]): string[] => [
  'run',
  'github.create_issue',
  ...inWorkspace(),
  '--repo',
  'acme/app',
  ...fields,
];
