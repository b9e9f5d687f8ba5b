import { isCredentialRefused, ProviderError, testCredential, type JsonObject } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { twilio } from './index.js';

const sidOf = (prefix: string): string => `${prefix}${'0a'.repeat(16)}`;
const sid = sidOf('AC');
const credential = { type: 'BASIC_AUTH', username: sid, password: 'canary' } as const;
const check = by(readDescription('twilio'), readDescription('twilio', 'lookups'), readDescription('twilio', 'verify'));
const setting = { piece: twilio, credential };

const account = `/2010-04-01/Accounts/${sid}`;
const to = '+4915112345678';
const from = '+15005550006';
const [messagingService, service] = [sidOf('MG'), sidOf('VA')];
const media_urls = ['https://acme.example/a.jpg', 'https://acme.example/b.jpg'];
const between = { after: '2026-01-01T01:00:00+01:00', before: '2026-01-31T00:00:00.5Z' };
const dates = (name: string): string => `${name}%3E=2026-01-01T00%3A00%3A00Z&${name}%3C=2026-01-31T00%3A00%3A00Z`;

// The client twilio 6.2.0 sends the same fields for the same values.
describe('requests', () => {
  itIsAccepted(setting, check, {
    send_sms: [
      [{ to, from, body: 'Hi & bye' }, `POST ${account}/Messages.json To=${to}&From=${from}&Body=Hi & bye`],
      [
        {
          ...{ to, from: messagingService, body: 'Hi', media_urls },
          ...{ send_at: '2026-01-01T01:00:00+01:00', validity_period: 600 },
        },
        `POST ${account}/Messages.json To=${to}&MessagingServiceSid=${messagingService}&Body=Hi&MediaUrl=${media_urls[0]}` +
          `&MediaUrl=${media_urls[1]}&SendAt=2026-01-01T00:00:00Z&ScheduleType=fixed&ValidityPeriod=600`,
      ],
    ],
    send_whatsapp: [
      [{ to, from }, `POST ${account}/Messages.json To=whatsapp:${to}&From=whatsapp:${from}`],
      [
        { to, from: `whatsapp:${from}`, body: 'Hi', media_urls: media_urls.slice(0, 1) },
        `POST ${account}/Messages.json To=whatsapp:${to}&From=whatsapp:${from}&Body=Hi&MediaUrl=${media_urls[0]}`,
      ],
      [
        { to, from: messagingService, template: sidOf('HX'), variables: { 1: 'Ann' } },
        `POST ${account}/Messages.json To=whatsapp:${to}&MessagingServiceSid=${messagingService}` +
          `&ContentSid=${sidOf('HX')}&ContentVariables={"1":"Ann"}`,
      ],
    ],
    make_call: [
      [{ to, from }, `POST ${account}/Calls.json To=${to}&From=${from}`],
      [
        { to, from, say: 'A < B & C' },
        `POST ${account}/Calls.json To=${to}&From=${from}&Twiml=<Response><Say>A &lt; B &amp; C</Say></Response>`,
      ],
      [{ to, from, twiml: '<Response/>' }, `POST ${account}/Calls.json To=${to}&From=${from}&Twiml=<Response/>`],
      [
        {
          ...{ to, from, url: 'https://acme.example/twiml', timeout: 20, time_limit: 300, record: false },
          ...{ machine_detection: 'DetectMessageEnd', send_digits: 'W12#' },
        },
        `POST ${account}/Calls.json To=${to}&From=${from}&Url=https://acme.example/twiml&Timeout=20&TimeLimit=300&Record=false` +
          '&MachineDetection=DetectMessageEnd&SendDigits=W12#',
      ],
    ],
    list_messages: [
      [{}, `GET ${account}/Messages.json?PageSize=50`],
      [
        { to, from, ...between, limit: 1000 },
        `GET ${account}/Messages.json?To=%2B4915112345678&From=%2B15005550006&${dates('DateSent')}&PageSize=1000`,
      ],
    ],
    get_message: [[{ message: sidOf('SM') }, `GET ${account}/Messages/${sidOf('SM')}.json`]],
    list_calls: [
      [{}, `GET ${account}/Calls.json?PageSize=50`],
      [
        { to, from, ...between, status: 'no-answer', limit: 7 },
        `GET ${account}/Calls.json?To=%2B4915112345678&From=%2B15005550006&${dates('StartTime')}&Status=no-answer&PageSize=7`,
      ],
    ],
    lookup_number: [
      [{ number: to }, 'GET /v2/PhoneNumbers/%2B4915112345678'],
      [
        { number: '0151 1234', country: 'DE', fields: ['line_type_intelligence', 'sim_swap'] },
        'GET /v2/PhoneNumbers/0151%201234?Fields=line_type_intelligence%2Csim_swap&CountryCode=DE',
      ],
    ],
    send_verification: [
      [{ service, to, channel: 'sms' }, `POST /v2/Services/${service}/Verifications To=${to}&Channel=sms`],
      [
        { service, to: 'ann@acme.example', channel: 'email', locale: 'de', name: 'Acme' },
        `POST /v2/Services/${service}/Verifications To=ann@acme.example&Channel=email&Locale=de&CustomFriendlyName=Acme`,
      ],
    ],
    check_verification: [
      [{ service, to, code: '123456' }, `POST /v2/Services/${service}/VerificationCheck To=${to}&Code=123456`],
    ],
    list_numbers: [
      [{}, `GET ${account}/IncomingPhoneNumbers.json?PageSize=50`],
      [
        { number: '+1500*', name: 'Shop', limit: 5 },
        `GET ${account}/IncomingPhoneNumbers.json?PhoneNumber=%2B1500*&FriendlyName=Shop&PageSize=5`,
      ],
    ],
  });
});

it('sends each request to its own origin, with the credential in a header', async () => {
  const origins = async (action: string, input: JsonObject) => {
    const { urls, received } = await runPiece(setting, action, input);
    const basic = Buffer.from(`${sid}:canary`).toString('base64');
    expect(received.map(({ headers }) => headers['authorization'])).toEqual([`Basic ${basic}`]);
    return urls.map((url) => new URL(url).origin);
  };
  expect(await origins('list_numbers', {})).toEqual(['https://api.twilio.com']);
  expect(await origins('lookup_number', { number: to })).toEqual(['https://lookups.twilio.com']);
  expect(await origins('check_verification', { service, to, code: '1234' })).toEqual(['https://verify.twilio.com']);
  expect(await origins('send_verification', { service, to, channel: 'sms' })).toEqual(['https://verify.twilio.com']);
});

it.each<[string, string, JsonObject]>([
  ['send_sms', 'send_at', { to, from, body: 'Hi', send_at: '2026-01-01T00:00:00Z' }],
  ['make_call', 'twiml', { to, from, say: 'Hi', twiml: '<Response/>' }],
  ['make_call', 'url', { to, from, twiml: '<Response/>', url: 'https://acme.example' }],
])('refuses inputs of %s that Twilio would ignore: %s', async (action, property, input) => {
  await expect(runPiece(setting, action, input)).rejects.toMatchObject({ name: 'InputError', property });
});

describe('lists', () => {
  /** Returns pages of one item. The link to the next page is a path with the Account SID, as Twilio returns it. */
  const pages =
    (key: string, ...items: JsonObject[]) =>
    ({ url }: Recorded) => {
      const asked = new URL(url, 'http://twilio');
      const page = Number(asked.searchParams.get('Page') ?? 0);
      const next_page_uri = items[page + 1]
        ? `${asked.pathname}?PageSize=50&Page=${page + 1}&PageToken=PA${page}`
        : null;
      return json({ [key]: items.slice(page, page + 1), page, page_size: 50, next_page_uri });
    };

  it.each<[string, string, JsonObject]>([
    [
      'list_messages',
      'messages',
      {
        ...{ sid: sidOf('SM'), direction: 'inbound', from, to, body: 'Hi', status: 'received', error_code: null },
        ...{ error_message: null, num_media: '0', date_sent: 'Thu, 01 Jan 2026 00:00:00 +0000', price: '-0.00750' },
        price_unit: 'USD',
      },
    ],
    [
      'list_calls',
      'calls',
      {
        ...{ sid: sidOf('CA'), direction: 'outbound-api', from, to, status: 'completed', answered_by: null },
        ...{
          start_time: 'Thu, 01 Jan 2026 00:00:00 +0000',
          end_time: 'Thu, 01 Jan 2026 00:01:00 +0000',
          duration: '60',
        },
        ...{ price: '-0.01', price_unit: 'USD' },
      },
    ],
    [
      'list_numbers',
      'incoming_phone_numbers',
      { sid: sidOf('PN'), phone_number: from, friendly_name: 'Shop', capabilities: { sms: true, voice: false } },
    ],
  ])('of %s continue over pages and have the fields that matter', async (action, key, item) => {
    const reply = pages(key, { ...item, account_sid: sid, uri: 'x' }, { sid: 'second' }, { sid: 'third' });
    const { output, received } = await runPiece({ ...setting, reply }, action, { limit: 2 });
    expect(output.items).toEqual([item, expect.objectContaining({ sid: 'second' })]);
    expect(received.map(({ url }) => url.split('?')[1])).toEqual(['PageSize=2', 'PageSize=50&Page=1&PageToken=PA0']);
    expect(received.flatMap(check)).toEqual([]);
  });

  it.each<[string, string, string[][]]>([
    [
      'send_sms',
      'from',
      [
        ['Shop, +15005550006', from],
        ['+15005550007', '+15005550007'],
      ],
    ],
    ['make_call', 'from', [['Office, +15005550008', '+15005550008']]],
  ])('of numbers for %s have those that can do it', async (action, property, expected) => {
    const reply = pages(
      'incoming_phone_numbers',
      { phone_number: from, friendly_name: 'Shop', capabilities: { sms: true, voice: false } },
      { phone_number: '+15005550007', friendly_name: '', capabilities: { sms: true, voice: false } },
      { phone_number: '+15005550008', friendly_name: 'Office', capabilities: { sms: false, voice: true } },
    );
    const { output, received } = await optionsOf({ ...setting, reply }, [action, property]);
    expect(output.options.map(({ label, value }) => [label, value])).toEqual(expected);
    expect(received).toHaveLength(3);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of Verify services continue at the URL of the next page', async () => {
    const next_page_url = 'https://verify.twilio.com/v2/Services?PageSize=300&Page=1&PageToken=PA1';
    const reply = ({ url }: Recorded) =>
      url.includes('Page=1')
        ? json({ services: [{ sid: sidOf('VB'), friendly_name: 'Other' }], meta: { next_page_url: null } })
        : json({ services: [{ sid: service, friendly_name: 'Acme' }], meta: { next_page_url } });
    const { output, received, urls } = await optionsOf({ ...setting, reply }, ['send_verification', 'service']);
    expect(output.options.map(({ label }) => label)).toEqual(['Acme', 'Other']);
    expect(urls).toEqual(['https://verify.twilio.com/v2/Services?PageSize=300', next_page_url]);
    expect(received.flatMap(check)).toEqual([]);
  });
});

describe('a failure', () => {
  const failWith = async (status: number, code: number, message: string) => {
    const more_info = `https://www.twilio.com/docs/errors/${code}`;
    const reply = () => json({ code, message, more_info, status }, status);
    const thrown = await runPiece({ ...setting, reply }, 'send_sms', { to, from, body: 'Hi' }).catch(
      (error: unknown) => error,
    );
    if (!(thrown instanceof ProviderError)) throw thrown;
    return thrown;
  };

  it('has the message and code of Twilio, without the Account SID', async () => {
    const message = `The requested resource ${account}/Messages/${sidOf('SM')}.json was not found`;
    const thrown = await failWith(404, 20404, message);
    expect(thrown).toMatchObject({ status: 404, code: '20404', message: message.replace(sid, 'AC…') });
    expect(JSON.stringify([thrown.stack, { ...thrown }])).not.toContain(sid);
  });

  it('means a refused credential if Twilio does not authenticate it', async () => {
    expect(isCredentialRefused(twilio, await failWith(401, 20003, 'Authenticate'))).toBe(true);
    expect(isCredentialRefused(twilio, await failWith(400, 21211, "Invalid 'To' Phone Number"))).toBe(false);
  });

  it('can be retried if it is a limit', async () => {
    expect(await failWith(429, 20429, 'Too Many Requests')).toMatchObject({ retryable: true, retryAfter: 1 });
  });

  it('is not a message that Twilio could not deliver', async () => {
    const message = { sid: sidOf('SM'), status: 'failed', error_code: 30003, message: 'x' };
    const { output } = await runPiece({ ...setting, reply: () => json(message) }, 'get_message', {
      message: sidOf('SM'),
    });
    expect(output).toEqual(message);
  });

  it.each(['', '..', 'AC1/Messages', 'a b'])('is stated before a request for the user name "%s"', async (username) => {
    const asked: string[] = [];
    const reply = ({ url }: Recorded) => (asked.push(url), json({}));
    const broken = { piece: twilio, credential: { ...credential, username }, reply };
    await expect(runPiece(broken, 'list_numbers', {})).rejects.toThrow('must be the Account SID (AC…)');
    expect(asked).toEqual([]);
  });
});

it('checks a credential by the list of accounts', async () => {
  const { received, send, close } = await startThirdParty(() => json({ accounts: [] }));
  await testCredential(twilio, { credential, send }).finally(close);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /2010-04-01/Accounts.json?PageSize=1']);
  expect(received.flatMap(check)).toEqual([]);
});
