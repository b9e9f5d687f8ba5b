import { openHttp } from './http.js';

const ORIGIN = 'https://api.example.com';

describe('an answer', () => {
  const ask = (status: number): Promise<unknown> => {
    const answer = { status, headers: {}, body: Buffer.from('{"a":1}'), url: `${ORIGIN}/x` };
    return openHttp({ origin: ORIGIN, send: async () => answer }).json({ method: 'GET', path: '/x' });
  };

  it.each([200, 201, 204, 299])('of %i is a success', async (status) => {
    expect(await ask(status)).toEqual({ a: 1 });
  });

  it.each([199, 300, 304, 400, 500])('of %i is a failure', async (status) => {
    await expect(ask(status)).rejects.toMatchObject({ name: 'ProviderError', status, answeredBy: ORIGIN });
  });
});
