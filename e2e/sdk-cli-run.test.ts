// Shapes: none; in full: local
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide, newPolicy } from './support/approvals.js';
import { eventually } from './support/eventually.js';
import {
  cli,
  github,
  inWorkspace,
  issue,
  ISSUES,
  json,
  own,
  product,
  program,
  useGithubCli,
} from './support/github-cli.js';

useGithubCli();

const sent = (): any => github.requests.at(-1)?.body;

describe('drawbridge run', () => {
  it('lists the actions of an integration, and the fields of an action', async () => {
    const { stdout } = await cli(['run', 'github']);
    expect(stdout).toMatch(/^github\.create_issue {2,}\S/m);
    expect((await json(['run', 'github'])).actions).toContainEqual(
      expect.objectContaining({ action: 'github.create_issue' }),
    );
    const help = await cli(['run', 'github.create_issue', '--help']);
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/--title TEXT +Required\. .*\n.*\n +--labels VALUE … /),
    });
  });

  it('runs an action, and prints its output', async () => {
    const { code, stdout } = await cli(issue('--title', 'Broken'));
    expect({ code, output: JSON.parse(stdout) }).toMatchObject({ code: 0, output: { number: 7 } });
    expect(await json(issue('--title', 'Broken'))).toMatchObject({ success: true, output: { number: 7 } });
    expect(sent()).toMatchObject({ title: 'Broken' });
  });

  it('reads lists by repetition, objects as JSON, and inputs of files and stdin', async () => {
    await json(issue('--title=-- dashes', '--labels', 'a', '--labels', 'b'));
    expect(sent()).toMatchObject({ title: '-- dashes', labels: ['a', 'b'] });
    writeFileSync(join(program.folder, 'input.json'), '{"title": "File", "body": "Of the file"}');
    await json(issue('--input', '@input.json', '--input.title', 'Flag'));
    expect(sent()).toMatchObject({ title: 'Flag', body: 'Of the file' });
    await json(issue('--input', '-'), { input: '{"title": "Stdin"}' });
    expect(sent()).toMatchObject({ title: 'Stdin' });
  });

  it('accepts a field in kebab and in snake case', async () => {
    const settings = ['--workspace', own.workspaceId, '--text', 'hello', '--algorithm', 'sha256'];
    await product.api.post(`/api/v1/workspaces/${own.workspaceId}/integrations`, { integrationName: 'hash-encode' });
    const { output } = await json(['run', 'hash-encode.hash', ...settings]);
    expect(JSON.stringify(output)).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    github.on('PUT /repos/acme/app/pulls/1/merge', { body: { merged: true, sha: 'a' } });
    for (const flag of ['--merge-method', '--merge_method']) {
      const args = ['run', 'github.merge_pull_request', ...inWorkspace(), '--repo', 'acme/app', '--pull-number', '1'];
      await cli([...args, flag, 'squash']);
      expect(sent()).toMatchObject({ merge_method: 'squash' });
    }
  });

  it.each([
    [['--titel', 'x'], 'Unknown flag --titel. Did you mean --title?'],
    [[], '--title: is required'],
    [['--title', 'x', '--input', '[]'], '--input must be a JSON object'],
    [['--title', 'x', '--input', '@missing.json'], '--input cannot be read'],
    [['--title', 'x', '--title', 'y'], '--title was given twice'],
    [['x'], 'Unexpected argument x'],
  ])('refuses %j as wrong usage', async (fields, message) => {
    const { code, stderr } = await cli(issue(...fields));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(github.requests).toEqual([]);
  });

  it.each([
    ['githb.create_issue', 'The instance has no integration githb. Did you mean github?'],
    ['github.create_isue', 'github has no action create_isue. Did you mean create_issue?'],
    ['github.constructor', 'github has no action constructor'],
  ])('suggests a name for %s', async (target, message) => {
    expect(await cli(['run', target])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('prints what a provider says without control characters', async () => {
    const hostile = '\u001b[2J\u009b31m\u202eX';
    github.on(ISSUES, { status: 422, body: { message: `Refused ${hostile}` } });
    const refused = await cli(issue('--title', 'x'));
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Refused ⟨U+001B⟩[2J⟨U+009B⟩31m⟨U+202E⟩X'),
    });
    github.on(ISSUES, { status: 201, body: { number: 8, title: hostile, html_url: hostile } });
    const texts = [refused.stderr, (await cli(issue('--title', 'x'))).stdout];
    texts.push(
      (await cli(['logs', ...inWorkspace()])).stdout,
      (await cli(['logs', '--json', ...inWorkspace()])).stdout,
    );
    for (const text of texts) expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(texts.at(-1)).toContain('\\u009b');
  });

  describe('with an approval', () => {
    let policyId: string;
    beforeAll(async () => {
      policyId = (await newPolicy(product.api, { workspaceId: own.workspaceId })).id;
    });
    afterAll(() => product.api.delete(`/api/v1/approval-policies/${policyId}`));

    it.each([
      ['approve', 0],
      ['reject', 1],
    ])('prints the link and waits: %s ends with exit code %s', async (decision, code) => {
      const started = program.start([...issue('--title', 'Asked'), '--json']);
      const [link, id] = await started.until(/http\S+\/approvals\/(apr_[\w-]+)\?token=\S+/);
      expect(started.stdout()).toBe('');
      expect(link).toContain(product.baseUrl);
      await decide(product.api, id!, decision);
      const ended = await started.ended;
      expect(ended.code).toBe(code);
      expect(JSON.parse(ended.stdout)).toMatchObject(
        code === 0 ? { output: { number: 7 } } : { error: expect.stringContaining('rejected') },
      );
    });

    it('says that the approval stays valid if a policy blocks the call, and it does', async () => {
      const started = program.start(issue('--title', 'Blocked'));
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      const blocking = await newPolicy(product.api, { workspaceId: own.workspaceId, decision: 'block', priority: 1 });
      await decide(product.api, id!, 'approve');
      const { code, stderr } = await started.ended;
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('blocks this call') });
      const [flag, key] = /stays valid.* (--idempotency-key) (\S+)/.exec(stderr)!.slice(1) as [string, string];
      expect((await product.api.delete(`/api/v1/approval-policies/${blocking.id}`)).status).toBe(200);
      expect(await json(issue('--title', 'Blocked', flag, key))).toMatchObject({ output: { number: 7 } });
    });

    it('does not say that the approval stays valid after the action refused its input', async () => {
      github.on('GET /repos/acme/app/contents/docs', { body: [] });
      const started = program.start([
        'run',
        'github.get_file',
        ...inWorkspace(),
        '--repo',
        'acme/app',
        '--path',
        'docs',
      ]);
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      await decide(product.api, id!, 'approve');
      const { code, stderr } = await started.ended;
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a file') });
      expect(stderr).not.toContain('stays valid');
      const { body } = await product.api.get(`/api/v1/approvals/${id}`);
      expect(body.approval.status).toBe('consumed');
    });

    it('stops waiting at Ctrl+C, and says how to continue', async () => {
      const started = program.start(issue('--title', 'Later'));
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      started.interrupt();
      const { code, stderr } = await started.ended;
      expect(code).toBe(130);
      const [flag, key] = /(--idempotency-key) (\S+)/.exec(stderr)!.slice(1) as [string, string];
      await decide(product.api, id!, 'approve');
      expect(await json(issue('--title', 'Later', flag, key))).toMatchObject({ output: { number: 7 } });
    });
  });
});

describe('drawbridge logs', () => {
  const logs = (...more: string[]): string[] => ['logs', ...inWorkspace(), ...more];

  it('lists the newest executions last, by integration and status', async () => {
    await cli(issue('--title', 'First'));
    github.on(ISSUES, { status: 422, body: { message: 'No' } });
    await cli(issue('--title', 'Second'));
    const { executions } = await json(logs('--limit', '2'));
    expect(executions.map(({ status }: any) => status)).toEqual(['success', 'failed']);
    expect((await cli(logs('--limit', '1'))).stdout).toMatch(/^\S+Z {2}failed {3}github\.create_issue .+\n$/);
    for (const status of ['success', 'failed']) {
      const found = (await json(logs('--status', status, '--integration', 'github'))).executions;
      expect(new Set(found.map((one: any) => one.status))).toEqual(new Set([status]));
    }
    expect((await json(logs('--integration', 'slack'))).executions).toEqual([]);
    expect((await cli(logs('--integration', 'slak'))).stderr).toContain('Did you mean slack?');
  });

  it('continues with new executions, each on a line and once, until Ctrl+C', async () => {
    const started = program.start(logs('--follow', '--json', '--limit', '1'));
    await started.until(/\n/);
    const before = (await json(logs('--limit', '100'))).executions.length;
    for (const title of ['A', 'B', 'C']) await cli(issue('--title', title));
    const printed = (): any[] =>
      started
        .stdout()
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
    await eventually(async () => expect(printed().length).toBe(4));
    await cli(issue('--title', 'D'));
    await eventually(async () => expect(printed().length).toBe(5));
    started.interrupt();
    expect((await started.ended).code).toBe(130);
    const { executions } = await json(logs('--limit', '100'));
    expect(executions.length).toBe(before + 4);
    expect(
      printed()
        .slice(1)
        .map(({ id }) => id),
    ).toEqual(executions.slice(-4).map(({ id }: any) => id));
  });
});
