import { type FakeProvider, fakeProvider } from './fake-provider.js';

let provider: FakeProvider;

beforeEach(async () => {
  provider = await fakeProvider();
});
afterEach(() => provider.stop());

it('records what it was sent', async () => {
  await fetch(`${provider.url}/issues?x=1`, { method: 'POST', headers: { 'X-Test': 'yes' }, body: '{"title":"Ü"}' });
  expect(provider.requests).toMatchObject([
    { method: 'POST', url: '/issues?x=1', headers: { 'x-test': 'yes' }, text: '{"title":"Ü"}', body: { title: 'Ü' } },
  ]);
  expect(provider.connections()).toBe(1);
});

it('answers what the test says: by route, for everything else, from the request', async () => {
  provider.on('GET /one', { status: 418, headers: { 'x-so': 'it is' }, body: { tea: true } });
  provider.on('*', ({ url }) => ({ body: `you asked for ${url}` }));
  const one = await fetch(`${provider.url}/one?query`);
  expect([one.status, one.headers.get('x-so'), await one.json()]).toEqual([418, 'it is', { tea: true }]);
  expect(await (await fetch(`${provider.url}/two`)).text()).toBe('you asked for /two');
});

it('redirects, resets and hangs', async () => {
  provider.on('GET /moved', { status: 302, headers: { location: '/there' } });
  provider.on('GET /reset', { reset: true });
  provider.on('GET /hang', { hang: true });
  expect((await fetch(`${provider.url}/moved`)).url).toBe(`${provider.url}/there`);
  await expect(fetch(`${provider.url}/reset`)).rejects.toThrow();

  const hungUp = new AbortController();
  const hanging = fetch(`${provider.url}/hang`, { signal: hungUp.signal });
  await provider.received(({ url }) => url === '/hang');
  hungUp.abort();
  await expect(hanging).rejects.toThrow(/abort/);
});

it('waits until the test continues', async () => {
  let letGo = (): void => undefined;
  provider.on('*', { until: new Promise<void>((resolve) => (letGo = resolve)), body: 'late' });
  const answer = fetch(provider.url);
  await provider.received();
  letGo();
  expect(await (await answer).text()).toBe('late');
});
