// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { hashToken } from '@drawbridge/contracts';
import { type Api, apiOf } from './support/api.js';
import { canary, findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { databaseContents } from './support/stored-contents.js';
import { type MailServer, mailServer, type Received } from './support/mail-server.js';
import { ownProduct } from './support/own-product.js';
import { webOf } from './support/web.js';

const PATH = '/api/v1/members';
const BASE_URL = 'https://drawbridge.example/in/a/folder';
/** The second attempt starts 5 s after a failed attempt, which can take 15 s. */
const RETRIED_MS = 40_000;
const password = canary();

let mail: MailServer;
let product: Product;
let api: Api;

beforeAll(async () => {
  mail = await mailServer();
  const env = {
    SMTP_URL: `smtp://ann:${encodeURIComponent(password.text)}@${mail.host}`,
    MAIL_FROM: 'Acme Bridges <no-reply@acme.example>',
    BASE_URL,
    LOG_LEVEL: 'trace',
  };
  product = await ownProduct({ env });
  api = apiOf(product.baseUrl, product.key);
});
afterAll(async () => {
  await product?.stop();
  await mail.stop();
});

async function invite(name: string): Promise<string> {
  const { status, body } = await api.post(`${PATH}/invite`, { email: `${name}@example.com` });
  expect(status).toBe(200);
  return body.invitation.id;
}

const sentTo = (name: string): Received[] => mail.received.filter(({ to }) => to.includes(`${name}@example.com`));

const arrived = (name: string, times = 1): Promise<Received[]> =>
  eventually(async () => {
    expect(sentTo(name)).toHaveLength(times);
    return sentTo(name);
  }, RETRIED_MS);

const MESSAGE_ID = /Message-ID: <invitation\.[0-9a-f-]{36}@acme\.example>/;

const linkIn = ({ text }: { text: string }): string =>
  /https:\/\/drawbridge\.example\/in\/a\/folder\/sign-up\?invitation=[\w-]{43}/.exec(text)![0];

/** Returns the status of the page behind a link. */
const statusOf = async (link: string): Promise<number> =>
  (await webOf(product.baseUrl).get(link.slice(BASE_URL.length))).status;

/** Returns the jobs of an invitation: none if the job is done, or a dead job if it failed. */
const jobsOf = (id: string): Promise<{ dead: boolean }[]> =>
  rowsOf(
    product.databaseUrl,
    `SELECT is_dead AS dead FROM members_queue.jobs WHERE task = 'invitationMail' AND key = $1 AND lease IS NULL`,
    [id],
  );

async function failedOnce(before: number): Promise<void> {
  await eventually(async () => expect(mail.attempts()).toBeGreaterThan(before), RETRIED_MS);
}

describe('the mail of an invitation', () => {
  afterEach(() => mail.behave('takes'));

  it('arrives once, with the link and the configured sender', async () => {
    const id = await invite('once');
    const [{ raw, text, from }] = (await arrived('once')) as [Received];
    expect(from).toBe('no-reply@acme.example');
    expect(raw).toContain('From: Acme Bridges <no-reply@acme.example>');
    expect(raw).toContain('To: once@example.com');
    expect(raw).toMatch(MESSAGE_ID);
    expect(raw).not.toContain(id);
    expect(raw).toMatch(/Subject: Join .+ on Drawbridge/);
    const link = linkIn({ text });
    expect(text).toContain(`Accept the invitation: ${link}`);
    expect(text).toContain(`href="${link}"`);
    await eventually(async () => expect(await jobsOf(id)).toEqual([]));
    expect(sentTo('once')).toHaveLength(1);
  });

  it('contains the only copy of the link: responses, logs, events and tables omit it', async () => {
    const { body } = await api.post(`${PATH}/invite`, { email: 'alone@example.com' });
    expect(body).toEqual({ invitation: expect.objectContaining({ email: 'alone@example.com' }), link: null });
    const [received] = await arrived('alone');
    const token = linkIn(received!).split('=')[1]!;
    expect(await statusOf(linkIn(received!))).toBe(200);
    await eventually(async () => expect(await jobsOf(body.invitation.id)).toEqual([]));
    const shown = ['members/invitations?limit=100', 'audit-log?limit=100'].map(async (list) =>
      JSON.stringify((await api.get(`/api/v1/${list}`)).body),
    );
    const kept = await databaseContents(product.databaseUrl);
    expect(kept).toContain(hashToken(token));
    for (const text of [...(await Promise.all(shown)), kept, product.logs()]) expect(text).not.toContain(token);
  });

  it.each(['refuses', 'echoes', 'hangs'] as const)(
    'is retried in the background where the server %s',
    async (manner) => {
      mail.behave(manner);
      const before = mail.attempts();
      await invite(manner);
      await failedOnce(before);
      expect(sentTo(manner)).toEqual([]);
      mail.behave('takes');
      await arrived(manner);
    },
  );

  it('keeps its Message-ID when the server disconnected before it acknowledged', async () => {
    mail.behave('drops');
    await invite('dropped');
    await arrived('dropped');
    mail.behave('takes');
    const [first, second] = (await arrived('dropped', 2)) as [Received, Received];
    expect(MESSAGE_ID.exec(first.raw)![0]).toBe(MESSAGE_ID.exec(second.raw)![0]);
    for (const one of [first, second]) expect(await statusOf(linkIn(one))).toBe(200);
  });

  it('is not retried where the recipient is unknown', async () => {
    mail.behave('knowsNobody');
    const id = await invite('unknown');
    await eventually(async () => {
      const [job] = await jobsOf(id);
      expect(job).toEqual({ dead: true });
    }, RETRIED_MS);
    expect(sentTo('unknown')).toEqual([]);
  });

  it('survives the kill of a process', async () => {
    mail.behave('refuses');
    const before = mail.attempts();
    await invite('killed');
    await failedOnce(before);
    const name = 'members' in product.processes() ? 'members' : 'drawbridge';
    await product.kill(name);
    mail.behave('takes');
    await product.restart(name);
    await arrived('killed');
  });

  it('is not sent once the invitation is canceled', async () => {
    mail.behave('refuses');
    const before = mail.attempts();
    const id = await invite('canceled');
    await failedOnce(before);
    expect((await api.delete(`${PATH}/invitations/${id}`)).status).toBe(200);
    mail.behave('takes');
    await eventually(async () => expect(await jobsOf(id)).toEqual([]), RETRIED_MS);
    expect(sentTo('canceled')).toEqual([]);
  });
});

it('the password of the mail server is never shown, whatever the server responds', async () => {
  expect(mail.passwords).toEqual(new Set([password.text]));
  const answers = JSON.stringify((await api.get(`${PATH}/invitations`)).body);
  const kept = await databaseContents(product.databaseUrl);
  expect(kept).toContain('The mail server refused the message');
  expect(product.logs()).toContain('invitationMail');
  for (const text of [answers, kept, product.logs()]) expect(findCanaries(text, { password })).toEqual([]);
});
