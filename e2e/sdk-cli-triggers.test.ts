// Shapes: none; in full: local
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook } from '@drawbridge/sdk';
import { type FakeProvider, fakeProvider, type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { eventually } from './support/eventually.js';
import { UNKNOWN_ID } from './support/expect.js';
import { cli, inWorkspace, json, own, product, program, useGithubCli } from './support/github-cli.js';
import { blocksOf } from './support/guides.js';
import { type CliOptions, type Started } from './support/sdk-cli.js';
import { simulatedTrigger } from './support/triggers.js';

useGithubCli();

/** Returns the commands of the program in a page of docs/. */
const commandsOfProgram = (page: string): string[] =>
  blocksOf(page).flatMap(({ text }) => (text.startsWith('npx drawbridge ') ? [text] : []));

describe('drawbridge triggers', () => {
  it('lists the triggers of a workspace', async () => {
    const { id } = await simulatedTrigger(product.api, own);
    expect((await cli(['triggers', 'list', ...inWorkspace()])).stdout).toMatch(
      new RegExp(`^${id} {2}github\\.push `, 'm'),
    );
    expect((await json(['triggers', 'list', ...inWorkspace()])).triggers).toContainEqual(
      expect.objectContaining({ id }),
    );
  });
});

describe('drawbridge triggers listen', () => {
  const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  let receiver: FakeProvider;
  beforeAll(async () => {
    receiver = await fakeProvider();
    const { workspaceId } = own;
    await product.api.post(`/api/v1/workspaces/${workspaceId}/integrations`, { integrationName: 'http' });
  });
  beforeEach(() => {
    receiver.reset();
    receiver.on('POST /events', { status: 204 });
  });
  afterAll(() => receiver.stop());

  const OWN_TRIGGER = ['--integration', 'http', '--trigger-name', 'catch_hook'];
  const listen = (which: string[], options?: CliOptions) =>
    program.start(['triggers', 'listen', ...which, '--forward', `${receiver.url}/events`, '--json'], options);
  const listenToOwn = (options?: CliOptions) => listen([...OWN_TRIGGER, ...inWorkspace()], options);
  const linesOf = ({ stdout }: Started): any[] =>
    stdout()
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
  const post = async (url: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  };
  const ofTrigger = async (): Promise<string[]> =>
    (await json(['triggers', 'list', ...inWorkspace()])).triggers.map(({ id }: any) => id);
  const payloads = (): unknown[] => receiver.requests.map(({ body }) => (body as any).payload.body);

  it('enables a trigger, forwards its events signed and in order, and disables it at Ctrl+C', async () => {
    const started = listenToOwn();
    const [, id, webhook] = await started.until(/Enabled trigger (\S+) at (\S+)/);
    const [, secret] = await started.until(/SIGNING_SECRET=(whsec_\S+)/);
    await started.until(/Forwarding/);
    expect(await ofTrigger()).toContain(id);
    for (let order = 1; order <= 3; order++) await post(webhook!, { order });
    await eventually(async () => expect(linesOf(started).length).toBe(3));
    expect(payloads()).toEqual([{ order: 1 }, { order: 2 }, { order: 3 }]);
    expect(linesOf(started)).toEqual(Array(3).fill(expect.objectContaining({ status: 204, error: null })));
    for (const { headers, text } of receiver.requests) {
      const event = new Webhook(secret!).verify(text, headers as Record<string, string>) as any;
      expect(event).toMatchObject({ triggerSourceId: id, id: headers['webhook-id'] });
      const { 'x-svc-signature': ours } = headers;
      expect(await verifyWebhook({ headers: { 'x-svc-signature': ours }, body: text }, { secret: secret! })).toEqual(
        event,
      );
      expect(headers).toMatchObject({ 'x-svc-trigger': id, 'x-svc-attempt': '1', 'content-type': 'application/json' });
    }
    started.interrupt();
    expect(await started.ended).toMatchObject({ code: 130, stderr: expect.stringContaining(`Disabled trigger ${id}`) });
    expect(await ofTrigger()).not.toContain(id);
    expect(receiver.requests.length).toBe(3);
  });

  it('is started as docs/triggers.md shows', async () => {
    const { slug } = (await product.api.get(`/api/v1/workspaces/${own.workspaceId}`)).body.workspace;
    const [block = ''] = commandsOfProgram('triggers');
    const shown = block.replace('acme', slug).replace('http://localhost:4000', receiver.url);
    const started = program.start(shown.trim().split(/\s+/).slice(2));
    const [, webhook] = await started.until(/Enabled trigger \S+ at (\S+)[^]*Forwarding/);
    await post(webhook!, { order: 1347 });
    await started.until(/Z {2}\S+ {2}204\n/);
    expect(payloads()).toEqual([{ order: 1347 }]);
    started.interrupt();
    expect((await started.ended).code).toBe(130);
  });

  it('disables its trigger when the system ends it, and signs with SIGNING_SECRET', async () => {
    const started = listen(
      [
        '--integration',
        'github',
        '--trigger-name',
        'push',
        '--alias',
        'gh',
        '--simulate',
        ...inWorkspace(),
        '--input',
        '{"repo": "acme/app"}',
      ],
      {
        env: { SIGNING_SECRET },
      },
    );
    await eventually(async () => expect(linesOf(started).length).toBe(1));
    const [{ headers, text }] = receiver.requests as [RecordedRequest];
    new Webhook(SIGNING_SECRET).verify(text, headers as Record<string, string>);
    const [, id] = await started.until(/Enabled trigger (\S+)/);
    started.interrupt('SIGTERM');
    const { code, stderr } = await started.ended;
    expect([code, stderr.includes('whsec_')]).toEqual([130, false]);
    expect(await ofTrigger()).not.toContain(id);
  });

  it.each([
    ['stdout', ''],
    ['stdout and stderr', '2>&1'],
  ])('disables its trigger if the reader of its %s ends, as head does', async (_, redirection) => {
    const args = [...OWN_TRIGGER, ...inWorkspace(), '--forward', `${receiver.url}/events`, '--json'].join(' ');
    const file = join(program.folder, 'code');
    rmSync(file, { force: true });
    const started = program.startShell(
      `{ drawbridge triggers listen ${args} ${redirection}; echo $? > ${file}; } | head -1`,
    );
    const [, id, webhook] = await started.until(/Enabled trigger (\S+) at (\S+)/);
    // The program detects the closed pipe only when it writes, so the test sends events until the program exits.
    await eventually(async () => {
      await fetch(webhook!, { method: 'POST' });
      expect(existsSync(file)).toBe(true);
    });
    await started.ended;
    expect(await ofTrigger()).not.toContain(id);
    expect(readFileSync(file, 'utf8')).toBe('0\n');
  });

  it('forwards only new events of an enabled trigger, and says how the receiver answered', async () => {
    const call = {
      workspaceId: own.workspaceId,
      integrationName: 'http',
      triggerName: 'catch_hook',
      callbackUrl: null,
    };
    const { triggerSource } = (await product.api.post('/api/v1/triggers/enable', call)).body;
    await post(triggerSource.webhookUrl, { order: 'old' });
    await eventually(async () => {
      const { deliveries } = (await product.api.get(`/api/v1/triggers/${triggerSource.id}/deliveries`)).body;
      expect(deliveries.length).toBe(1);
    });
    receiver.on('POST /events', { status: 503 });
    const started = listen(['--trigger', triggerSource.id]);
    await started.until(/events are not signed[^]*Forwarding/);
    await post(triggerSource.webhookUrl, { order: 1 });
    await eventually(async () => expect(linesOf(started)).toMatchObject([{ status: 503, error: null }]));
    await receiver.stop();
    await post(triggerSource.webhookUrl, { order: 2 });
    await eventually(async () => expect(linesOf(started)[1]).toMatchObject({ status: null, error: 'ECONNREFUSED' }));
    expect(payloads()).toEqual([{ order: 1 }]);
    expect(receiver.requests[0]!.headers).not.toHaveProperty('webhook-signature');
    started.interrupt();
    expect((await started.ended).code).toBe(130);
    expect(await ofTrigger()).toContain(triggerSource.id);
    receiver = await fakeProvider();
  });

  it.each([
    [[], 'Pass either --trigger, or --integration'],
    [['--trigger', 'x', ...OWN_TRIGGER], 'Pass either --trigger, or --integration'],
    [['--integration', 'http'], '--trigger-name is missing'],
    [[...OWN_TRIGGER, '--forward', 'ftp://localhost'], '--forward was given twice'],
  ])('refuses %j as wrong usage', async (which, message) => {
    expect(await listen(which).ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('refuses a wrong secret without repeating it, and a receiver that is no URL', async () => {
    const wrong = await listenToOwn({ env: { SIGNING_SECRET: 'whsec_short' } }).ended;
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('SIGNING_SECRET must be') });
    expect(wrong.stderr).not.toContain('short');
    const forward = await cli(['triggers', 'listen', '--trigger', 'x', '--forward', 'localhost:3000']);
    expect(forward).toMatchObject({ code: 2, stderr: expect.stringContaining('--forward must be') });
  });

  it('is refused for an unknown trigger', async () => {
    expect((await listen(['--trigger', UNKNOWN_ID]).ended).code).toBe(1);
  });
});
