// Shapes: local
import { type Drawbridge } from './support/drawbridge.js';
import { REDIRECT, redeem } from './support/oauth.js';
import { newPair, newScene, sayYes, type Scene, sharedStage, type Stage, statusBy } from './support/oauth-stage.js';
import { newPerson, signIn } from './support/web-users.js';

let product: Drawbridge;
let stage: Stage;
let scene: Scene;

beforeAll(async () => void ({ product, stage, scene } = await sharedStage()));

describe('a program that is let in', () => {
  it.each(['a+b c&d=e%20"<>ü', 'x'.repeat(1_000), '//evil.example?code=mine#x', '0'])(
    'hears its state as it said it: %j',
    async (state) => {
      const { to } = await sayYes(stage.web, scene.its.query({ state }));
      expect(new URL(to!).searchParams.getAll('state')).toEqual([state]);
    },
  );

  it('hears no state where it said none', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ state: undefined }));
    expect([...new URL(to!).searchParams.keys()]).toEqual(['code', 'iss']);
  });

  it('is led to the port of this machine at which it listens now (RFC 8252, 7.3)', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ redirect_uri: REDIRECT.replace('7777', '52731') }));
    expect(to).toMatch(/^http:\/\/127\.0\.0\.1:52731\/callback\?code=mcpc_/);
  });

  it('is given as much of what it asks for as there is', async () => {
    const { to } = await sayYes(stage.web, scene.its.query({ scope: 'openid mcp:tools mcp:code' }));
    const { body } = await redeem(product.baseUrl, scene.its, new URL(to!).searchParams.get('code')!);
    expect(body.scope).toBe('mcp:tools');
  });

  it('is let in anew by each yes, and what is told is kept by nobody', async () => {
    const [first, second] = [await sayYes(stage.web, scene.its.query()), await sayYes(stage.web, scene.its.query())];
    expect(first.to).not.toBe(second.to);
    for (const { headers } of [first, second]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('is let in by whoever has an account, where the server is open', async () => {
    const open = await newScene(stage, { endUserAccess: 'open' });
    const web = await signIn(product.baseUrl, await newPerson(product.databaseUrl));
    const pair = await newPair({ ...stage, web }, open);
    expect(await statusBy(pair.access, open)).toBe(200);
    const again = await newPair({ ...stage, web }, open);
    expect(await statusBy(again.access, open)).toBe(200);
  });
});
