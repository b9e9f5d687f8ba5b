// Shapes: local
import { type Drawbridge } from './support/drawbridge.js';
import { REDIRECT, redeem } from './support/oauth.js';
import { newPair, newScene, sayYes, type Scene, sharedStage, type Stage, statusBy } from './support/oauth-stage.js';
import { newPerson, signIn } from './support/web-users.js';

let product: Drawbridge;
let stage: Stage;
let scene: Scene;

beforeAll(async () => void ({ product, stage, scene } = await sharedStage()));

describe('an authorized client', () => {
  it.each(['a+b c&d=e%20"<>ü', 'x'.repeat(1_000), '//evil.example?code=mine#x', '0'])(
    'receives its state unchanged: %j',
    async (state) => {
      const { to } = await sayYes(stage.web, scene.its.query({ state }));
      expect(new URL(to!).searchParams.getAll('state')).toEqual([state]);
    },
  );

  it('receives no state if it sent none', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ state: undefined }));
    expect([...new URL(to!).searchParams.keys()]).toEqual(['code', 'iss']);
  });

  it('is redirected to the current port of its loopback redirect URI (RFC 8252, 7.3)', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ redirect_uri: REDIRECT.replace('7777', '52731') }));
    expect(to).toMatch(/^http:\/\/127\.0\.0\.1:52731\/callback\?code=mcpc_/);
  });

  it('is granted the available part of the requested scopes', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ scope: 'openid mcp:tools mcp:code' }));
    const { body } = await redeem(product.baseUrl, scene.its, new URL(to!).searchParams.get('code')!);
    expect(body.scope).toBe('mcp:tools');
  });

  it('receives a new code for each consent, which is not cached', async () => {
    const [first, second] = [await sayYes(stage.web, scene.its.query()), await sayYes(stage.web, scene.its.query())];
    expect(first.to).not.toBe(second.to);
    for (const { headers } of [first, second]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('can be authorized by every account where the server is open', async () => {
    const open = await newScene(stage, { endUserAccess: 'open' });
    const web = await signIn(product.baseUrl, await newPerson(product.databaseUrl));
    const pair = await newPair({ ...stage, web }, open);
    expect(await statusBy(pair.access, open)).toBe(200);
    const again = await newPair({ ...stage, web }, open);
    expect(await statusBy(again.access, open)).toBe(200);
  });
});
