import { type Product } from '@drawbridge/testkit';
import { apiOf } from './api.js';
import { eventually } from './eventually.js';
import { type MailServer, mailServer, type Received } from './mail-server.js';
import { newScene, type Scene, newEndUser } from './oauth-stage.js';
import { ownProduct } from './own-product.js';
import { fresh } from './owned-resources.js';
import { type Shown, type Web, webOf } from './web.js';
import { newWorkspace } from './workspace-integrations.js';

/** A product that sends emails, an MCP server in it, and end users without an account. */
export interface EmailedCodes {
  product: Product;
  mail: MailServer;
  api: ReturnType<typeof apiOf>;
  workspaceId: string;
  scene: Scene;
  newScene(fields?: object): Promise<Scene>;
  /** Creates an end user. Returns their email address. */
  person(fields?: object): Promise<string>;
  /** Returns a browser without cookies. */
  browser(): Web;
  /** Submits the form that requests a code. */
  ask(web: Web, email: string, at?: Scene, headers?: Record<string, string>): Promise<Shown>;
  mailsTo(email: string): Received[];
  /** Waits for `mails` emails. Returns the code in the newest email. */
  codeOf(email: string, mails?: number): Promise<string>;
  enter(web: Web, code: string, at?: Scene): Promise<Shown>;
  stop(): Promise<void>;
}

/** Starts the product. `BASE_URL` is the URL of the product's pages. */
export async function emailedCodes(BASE_URL: string): Promise<EmailedCodes> {
  const mail = await mailServer();
  const env = { SMTP_URL: `smtp://ann:secret@${mail.host}`, MAIL_FROM: 'no-reply@acme.example', LOG_LEVEL: 'trace' };
  const product = await ownProduct({ env: { ...env, BASE_URL, PUBLIC_RATE_LIMIT: 'null', TRUST_PROXY: '1' } });
  const api = apiOf(product.baseUrl, product.key);
  const workspaceId = await newWorkspace(api);
  const place = { product, api, workspaceId };
  const scene = await newScene(place);
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
  return {
    ...{ ...place, mail, scene, mailsTo },
    newScene: (fields) => newScene(place, fields),
    async person(fields = {}) {
      const email = `${fresh()}@example.com`;
      await newEndUser(api, { workspaceId, email, ...fields });
      return email;
    },
    browser: () => withOrigin(webOf(product.baseUrl), new URL(BASE_URL).origin),
    ask: (web, email, { its } = scene, headers = {}) =>
      web.post(`/oauth/authorize/email?${its.query()}`, { email }, headers),
    codeOf: (email, mails = 1) =>
      eventually(async () => {
        expect(mailsTo(email)).toHaveLength(mails);
        return codeIn(mailsTo(email).at(-1)!);
      }),
    enter: (web, code, { its } = scene) => web.post(`/oauth/authorize/code?${its.query()}`, { code }),
    async stop() {
      await product.stop();
      await mail.stop();
    },
  };
}

export const codeIn = ({ text }: Received): string => /\b(\d{4} \d{4})\b/.exec(text)![1]!;

/** Returns a browser that sends the site's own Origin header. */
function withOrigin(web: Web, origin: string): Web {
  return { ...web, post: (path, fields, headers) => web.post(path, fields, { origin, ...headers }) };
}
