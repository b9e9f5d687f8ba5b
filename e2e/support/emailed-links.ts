import { type Product } from '@drawbridge/testkit';
import { eventually } from './eventually.js';
import { type Front, front } from './front.js';
import { type MailServer, mailServer, type Received } from './mail-server.js';
import { ownProduct } from './own-product.js';
import { type Person } from './web-users.js';
import { type Shown, type Web, webOf } from './web.js';

export interface EmailedLinks {
  product: Product;
  outside: Front;
  /** Returns a browser without cookies. */
  browser(): Web;
  /** Submits the form that requests a link, which redirects to `next` later. */
  ask(email: string, next?: string, headers?: Record<string, string>): Promise<Shown>;
  mailsTo(email: string): Received[];
  /** Returns the link in the newest email to this address. */
  linkOf(email: string): Promise<{ path: string; token: string; next: string }>;
  newLink(person: Person): Promise<{ path: string; token: string }>;
  use(token: string, web?: Web, next?: string): Promise<Shown>;
  stop(): Promise<void>;
}

/** Starts a product that sends emails. With separate services, runs two replicas of members and gateway, so that replicas race for the same link. */
export async function emailedLinks(): Promise<EmailedLinks> {
  const [mail, outside] = await Promise.all([mailServer(), front()]);
  const product = await ownProduct({ replicas: { members: 2, gateway: 2 }, env: environment(mail, outside) });
  outside.leadTo(product.baseUrl);
  const browser = (): Web => webOf(outside.url);
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
  const ask: EmailedLinks['ask'] = (email, next = '/account', headers) =>
    browser().post(`/sign-in/email?next=${encodeURIComponent(next)}`, { email, password: '' }, headers);
  const linkOf: EmailedLinks['linkOf'] = async (email) => {
    const text = await eventually(async () => {
      expect(mailsTo(email)).not.toEqual([]);
      return mailsTo(email).at(-1)!.text;
    });
    const url = new URL(/: (http\S+)/.exec(text)![1]!);
    expect(url.origin).toBe(outside.url);
    const [token, next] = [url.searchParams.get('token')!, url.searchParams.get('next')!];
    return { path: url.pathname + url.search, token, next };
  };
  return {
    ...{ product, outside, browser, ask, mailsTo, linkOf },
    async newLink({ email }) {
      expect((await ask(email)).status).toBe(303);
      return linkOf(email);
    },
    use: (token, web = browser(), next = '/account') => web.post('/sign-in/link', { token, next }),
    async stop() {
      await product.stop();
      outside.stop();
      await mail.stop();
    },
  };
}

const environment = ({ host }: MailServer, { url }: Front) => ({
  SMTP_URL: `smtp://ann:secret@${host}`,
  MAIL_FROM: 'no-reply@acme.example',
  BASE_URL: url,
  LOG_LEVEL: 'trace',
  PUBLIC_RATE_LIMIT: 'null',
});
