// Shapes: local
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';

const KIB_64 = 64 * 1024;

const props = (count: number, value = 'x'): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`prop-${index}`, value]));
const text = (length: number): string => 'x'.repeat(length);

describe('a credential', () => {
  let product: Drawbridge;
  let made = 0;

  beforeAll(async () => {
    product = await drawbridge();
  });

  const create = (type: string, fields: object) =>
    product.api.post('/api/v1/connections', {
      ...{ integrationName: 'http', externalId: `credential-${(made += 1)}`, displayName: 'Credential', type },
      ...fields,
    });

  it.each<[string, string, { fitting: object; tooLarge: object; field: string }]>([
    [
      'a key',
      'SECRET_TEXT',
      { fitting: { secretText: text(KIB_64) }, tooLarge: { secretText: text(KIB_64 + 1) }, field: 'secretText' },
    ],
    [
      'a user name and password together',
      'BASIC_AUTH',
      {
        fitting: { username: 'ann', password: text(KIB_64 - 3) },
        tooLarge: { username: 'anna', password: text(KIB_64 - 3) },
        field: 'password',
      },
    ],
    [
      'props',
      'CUSTOM_AUTH',
      {
        fitting: { props: props(1, text(KIB_64 - 13)) },
        tooLarge: { props: props(1, text(KIB_64 - 12)) },
        field: 'props',
      },
    ],
    ['100 props', 'CUSTOM_AUTH', { fitting: { props: props(100) }, tooLarge: { props: props(101) }, field: 'props' }],
    [
      'the data of a token response',
      'OAUTH2',
      {
        fitting: { accessToken: text(4), data: { token: text(1_000), more: props(98) } },
        tooLarge: { accessToken: text(4), data: { token: text(1_000), more: props(99) } },
        field: 'data',
      },
    ],
  ])('has a size limit: %s', async (_what, type, { fitting, tooLarge, field }) => {
    expect((await create(type, fitting)).status).toBe(201);
    expectInvalid(await create(type, tooLarge), field);
  });
});
