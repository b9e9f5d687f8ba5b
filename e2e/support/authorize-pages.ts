import { type Page } from 'playwright-core';
import { type EmailedCodes, emailedCodes } from './emailed-codes.js';
import { type Front, front } from './front.js';
import { logo } from './logo.js';
import { register } from './oauth.js';
import { type Listening, listening } from './oauth-programs.js';
import { newEndUser, type Scene } from './oauth-stage.js';
import { fillSignIn } from './visitor.js';
import { newPerson, type Person } from './web-users.js';
import { newIntegration } from './workspace-integrations.js';

/** An OAuth client's authorization request, and the steps of a user in a real browser. */
export interface AuthorizePages {
  its: EmailedCodes;
  outside: Front;
  program: Listening;
  /** An end user with an account. */
  ada: Person;
  /** Returns the authorization URL of the client. */
  asks(changes?: Record<string, string>, scene?: Scene): string;
  /** Signs the user in. They return to the consent page. */
  signedIn(page: Page, person?: Person): Promise<void>;
  /** Requests a code as a user without an account. Returns the user's email address. */
  mailed(page: Page): Promise<string>;
  /** Enters a wrong code. */
  mistyped(page: Page): Promise<void>;
  /** Enters the correct code. */
  proven(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the product and a client. `name` is the client's name. */
export async function authorizePages(name: string): Promise<AuthorizePages> {
  const [outside, program] = await Promise.all([front(), listening()]);
  const its = await emailedCodes(outside.url);
  outside.leadTo(its.product.baseUrl);
  const { api, workspaceId, product } = its;
  await api.patch('/api/v1/organization', { name: 'Northwind Traders', color: '#0f766e', logo: logo() });
  await newIntegration(api, workspaceId, { alias: 'hash' });
  const ada = await newPerson(product.databaseUrl);
  await newEndUser(api, { workspaceId, email: ada.email, displayName: 'Ada Lovelace' });
  const { redirectUri } = program;
  const { client_id } = (await register(product.baseUrl, { client_name: name, redirect_uris: [redirectUri] })).body;
  const mailed: AuthorizePages['mailed'] = async (page) => {
    const email = await its.person({ displayName: 'Grace Hopper' });
    await page.getByLabel('Email').fill(email);
    await click(page, 'Email me a code');
    await page.getByLabel('Code').waitFor();
    return email;
  };
  return {
    ...{ its, outside, program, ada, mailed },
    asks: (changes = {}, scene = its.scene) =>
      `${outside.url}/oauth/authorize?${scene.its.query({ client_id, redirect_uri: redirectUri, ...changes })}`,
    signedIn: (page, person = ada) => signInFirst(page, person),
    async mistyped(page) {
      await mailed(page);
      await page.getByLabel('Code').fill('0000 0000');
      await click(page, 'Continue');
      await page.getByText('The code is wrong').waitFor();
    },
    async proven(page) {
      await page.getByLabel('Code').fill(await its.codeOf(await mailed(page)));
      await click(page, 'Continue');
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
    async stop() {
      await its.stop();
      program.stop();
      outside.stop();
    },
  };
}

/** Signs in from the consent page. The user returns to it. */
export async function signInFirst(page: Page, person: Person): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Deny' }).waitFor();
}

export const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Records every redirect of a page, also to addresses without a server on this machine, and the errors of its failed requests. */
export async function whereLed(page: Page): Promise<{ led: string[]; failed: string[] }> {
  const led: string[] = [];
  const failed: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceivedExtraInfo', ({ headers }) => {
    for (const [name, value] of Object.entries(headers)) if (name.toLowerCase() === 'location') led.push(value);
  });
  page.on('requestfailed', (request) => void failed.push(request.failure()!.errorText));
  return { led, failed };
}
