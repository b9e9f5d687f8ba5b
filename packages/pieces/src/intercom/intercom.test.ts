import { type Credential, type JsonObject, type JsonValue, readAccount, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { intercom } from './index.js';

const description = readDescription('intercom');
/** Replaces the id of a contact in requests for notes by a number, because the description wrongly declares it as a number there. */
const described = by(description);
const check = (request: Recorded): string[] =>
  described({ ...request, url: request.url.replace(/[0-9a-f]{24}(?=\/notes)/, '1') });
const credential: Credential = { type: 'CUSTOM_AUTH', props: { host: 'api.eu', accessToken: 'canary' } };
const setting: Setting = { piece: intercom, credential, reply: () => json({ id: '7' }) };
const CONTACT = '6762f1261bb69f9f2193bbc1';
const conversation = { conversation_id: '471', admin_id: '3' };

const fields = {
  ...{ email: 'ada@x.example', external_id: 'e1', phone: '+49301', name: 'Ada', owner_id: '3' },
  custom_attributes: { plan: 'pro', seats: 5 },
};
const FIELDS =
  '"email":"ada@x.example","external_id":"e1","phone":"+49301","name":"Ada","owner_id":"3",' +
  '"custom_attributes":{"plan":"pro","seats":5}';
const searched = (value: object[], size = 20): string =>
  `POST /contacts/search ${JSON.stringify({ query: { operator: 'AND', value }, pagination: { per_page: size } })}`;

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_contact: [
      [{ role: 'lead' }, 'POST /contacts {"role":"lead"}'],
      [{ role: 'user', ...fields }, `POST /contacts {"role":"user",${FIELDS}}`],
    ],
    update_contact: [
      [{ contact_id: CONTACT }, `PUT /contacts/${CONTACT} {}`],
      [{ contact_id: CONTACT, ...fields }, `PUT /contacts/${CONTACT} {${FIELDS}}`],
    ],
    search_contacts: [
      [{}, searched([{ field: 'created_at', operator: '>', value: '0' }])],
      [
        { email: 'a@x.example', name: 'Ada', external_id: 'e1', phone: '555', role: 'user', limit: 500 },
        searched(
          [
            { field: 'email', operator: '=', value: 'a@x.example' },
            { field: 'name', operator: '~', value: 'Ada' },
            { field: 'external_id', operator: '=', value: 'e1' },
            { field: 'phone', operator: '=', value: '555' },
            { field: 'role', operator: '=', value: 'user' },
          ],
          100,
        ),
      ],
    ],
    get_conversation: [[{ conversation_id: '471' }, 'GET /conversations/471?display_as=plaintext']],
    reply: [
      [
        { ...conversation, text: 'Hi' },
        'POST /conversations/471/reply {"message_type":"comment","type":"admin","admin_id":"3","body":"Hi"}',
      ],
      [
        { ...conversation, text: 'Hi', type: 'note', attachment_urls: ['https://x.example/a.png'] },
        'POST /conversations/471/reply {"message_type":"note","type":"admin","admin_id":"3","body":"Hi",' +
          '"attachment_urls":["https://x.example/a.png"]}',
      ],
    ],
    send_message: [
      [
        { contact_id: CONTACT, role: 'user', admin_id: '3', type: 'in_app', text: 'Hi' },
        `POST /messages {"message_type":"in_app","body":"Hi","from":{"type":"admin","id":3},"to":{"type":"user","id":"${CONTACT}"}}`,
      ],
      [
        {
          contact_id: CONTACT,
          role: 'lead',
          admin_id: '3',
          type: 'email',
          text: 'Hi',
          subject: 'Tea',
          template: 'personal',
        },
        `POST /messages {"message_type":"email","body":"Hi","subject":"Tea","template":"personal",` +
          `"from":{"type":"admin","id":3},"to":{"type":"lead","id":"${CONTACT}"}}`,
      ],
    ],
    create_note: [
      [
        { contact_id: CONTACT, admin_id: '3', text: 'Hi' },
        `POST /contacts/${CONTACT}/notes {"body":"Hi","admin_id":"3"}`,
      ],
    ],
    assign: [
      [
        { ...conversation, to: 'team', assignee_id: '5' },
        'POST /conversations/471/parts {"message_type":"assignment","type":"team","admin_id":"3","assignee_id":"5"}',
      ],
    ],
    close: [
      [conversation, 'POST /conversations/471/parts {"message_type":"close","type":"admin","admin_id":"3"}'],
      [
        { ...conversation, text: 'Bye' },
        'POST /conversations/471/parts {"message_type":"close","type":"admin","admin_id":"3","body":"Bye"}',
      ],
    ],
    tag: [[{ ...conversation, tag_id: '9' }, 'POST /conversations/471/tags {"id":"9","admin_id":"3"}']],
    create_ticket: [
      [
        { ticket_type_id: '1', contact_id: CONTACT, title: 'Broken' },
        `POST /tickets {"ticket_type_id":"1","contacts":[{"id":"${CONTACT}"}],"ticket_attributes":{"_default_title_":"Broken"}}`,
      ],
      [
        {
          ...{ ticket_type_id: '1', contact_id: CONTACT, title: 'Broken', description: 'Text' },
          attributes: { severity: 'high' },
        },
        `POST /tickets {"ticket_type_id":"1","contacts":[{"id":"${CONTACT}"}],"ticket_attributes":{"severity":"high",` +
          '"_default_title_":"Broken","_default_description_":"Text"}}',
      ],
    ],
    search_articles: [
      [{ phrase: 'tea' }, 'GET /articles/search?phrase=tea&state=published'],
      [{ phrase: 'tea', state: 'draft', limit: 5 }, 'GET /articles/search?phrase=tea&state=draft'],
    ],
  });
});

it('sends requests to the region of the account, with the version', async () => {
  const { urls, received } = await runPiece(setting, 'get_conversation', { conversation_id: '471' });
  expect(urls).toEqual(['https://api.eu.intercom.io/conversations/471?display_as=plaintext']);
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer canary', 'intercom-version': '2.16' });
  const elsewhere: Credential = { type: 'OAUTH2', accessToken: 't', tokenType: 'Bearer', data: { host: 'evil.com' } };
  const refused = runPiece({ ...setting, credential: elsewhere }, 'get_conversation', { conversation_id: '471' });
  await expect(refused).rejects.toThrow("The connection's host");
});

it('returns a conversation with its parts', async () => {
  const found = {
    ...{
      id: '471',
      state: 'open',
      source: { body: 'Hi', author: { email: 'ada@x.example', id: 'c1' } },
      sla_applied: {},
    },
    ...{ contacts: { contacts: [{ id: 'c1' }] }, tags: { tags: [{ name: 'vip' }] } },
    conversation_parts: {
      conversation_parts: [{ id: '2', part_type: 'comment', body: 'Yes', author: { name: 'Bob', type: 'admin' } }],
    },
  };
  const { output } = await runPiece({ ...setting, reply: () => json(found) }, 'get_conversation', {
    conversation_id: '471',
  });
  expect(output).toEqual({
    ...{
      id: '471',
      state: 'open',
      body: 'Hi',
      author: 'ada@x.example',
      authorId: 'c1',
      contacts: ['c1'],
      tags: ['vip'],
    },
    parts: [{ id: '2', part_type: 'comment', body: 'Yes', author: 'Bob', authorType: 'admin' }],
  });
});

it('reads the pages of a search by a token in its body', async () => {
  const reply = ({ body }: Recorded): Reply =>
    body.includes('"starting_after":"t2"')
      ? json({ data: [{ id: '2' }] })
      : json({ data: [{ id: '1' }], pages: { next: { page: 2, starting_after: 't2' } } });
  const { output, received } = await runPiece({ ...setting, reply }, 'search_contacts', {});
  expect((output['items'] as JsonObject[]).map(({ id }) => id)).toEqual(['1', '2']);
  expect(received.flatMap(check)).toEqual([]);
});

it('returns the articles of a search', async () => {
  const reply = () => json({ data: { articles: [{ id: '1', title: 'Tea', body: '<p>long</p>' }] } });
  const { output } = await runPiece({ ...setting, reply }, 'search_articles', { phrase: 'tea' });
  expect(output).toEqual({ items: [{ id: '1', title: 'Tea' }] });
});

it.each<[string, JsonValue, string]>([
  ['a cursor', { starting_after: 't2' }, 'phrase=tea&state=published&starting_after=t2'],
  ['a URL', 'https://api.eu.intercom.io/articles/search?phrase=tea&page=2', 'phrase=tea&page=2'],
])('reads the pages of articles by %s', async (_, next, query) => {
  const reply = ({ url }: Recorded): Reply =>
    /page=2|t2/.test(url)
      ? json({ data: { articles: [{ id: '2' }] } })
      : json({ data: { articles: [{ id: '1' }] }, pages: { next } });
  const { output, urls } = await runPiece({ ...setting, reply }, 'search_articles', { phrase: 'tea' });
  expect(output).toEqual({ items: [{ id: '1' }, { id: '2' }] });
  expect(urls[1]).toBe(`https://api.eu.intercom.io/articles/search?${query}`);
});

it.each([
  ['reply', 'admin_id', { admins: [{ id: '1', name: 'A' }] }],
  ['tag', 'tag_id', { data: [{ id: '1', name: 'A' }] }],
  ['create_ticket', 'ticket_type_id', { data: [{ id: '1', name: 'A' }] }],
])('offers the options of %s.%s', async (action, property, body) => {
  const { output, received } = await optionsOf({ ...setting, reply: () => json(body) }, [action, property]);
  expect(output.options).toEqual([{ label: 'A', value: '1' }]);
  expect(received.flatMap(check)).toEqual([]);
});

it('reports the first error', async () => {
  const body = { type: 'error.list', errors: [{ code: 'not_found', message: 'Resource Not Found' }] };
  const failing = { ...setting, reply: () => json(body, 404) };
  await expect(runPiece(failing, 'get_conversation', { conversation_id: '1' })).rejects.toMatchObject({
    ...{ status: 404, code: 'not_found', message: 'Resource Not Found' },
  });
});

it('tests a credential and names the workspace', async () => {
  const me = { email: 'ada@x.example', app: { id_code: 'w1', name: 'Acme' } };
  const { received, send, close } = await startThirdParty(() => json(me));
  await testCredential(intercom, { credential, send });
  expect(await readAccount(intercom, { credential, send })).toEqual({ data: {}, label: 'Acme' });
  await close();
  expect(received.map(toLine)).toEqual(['GET /me', 'GET /me']);
  expect(checkResponse(description, 'GET /me', me)).toEqual([]);
});
