import { type JsonObject, runAction, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, toLine, type Setting } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { asana } from './index.js';

const description = readDescription('asana');
// The description of the API mentions this parameter only in its text.
description.operations['GET /workspaces/{workspace_gid}/tasks/search']?.parameters.push({
  ...{ name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
});
const check = by(description);
const credential = { type: 'SECRET_TEXT', secretText: 'asana_canary' } as const;
const setting: Setting = { piece: asana, credential, reply: () => json({ data: { gid: '1' } }) };
const AT = '/api/1.0';

const LISTED =
  'name%2Cresource_subtype%2Ccompleted%2Ccompleted_at%2Ccreated_at%2Cmodified_at%2Cdue_on%2Cdue_at%2Cstart_on' +
  '%2Cassignee.name%2Cparent.name%2Cprojects.name%2Cmemberships.section.name%2Ctags.name%2Cpermalink_url';
const WHOLE =
  `?opt_fields=${LISTED}%2Cnotes%2Cnum_subtasks%2Cworkspace.name%2Cfollowers.name%2Ccreated_by` +
  '%2Ccustom_fields.name%2Ccustom_fields.display_value';
const PROJECT =
  '?opt_fields=name%2Cnotes%2Cdue_on%2Cstart_on%2Cdefault_view%2Cprivacy_setting%2Cteam.name%2Cpermalink_url';

const fields = {
  ...{ notes: 'Text', html_notes: '<body>Text</body>', assignee: 'me', due_on: '2026-01-31' },
  ...{ due_at: '2026-01-31T09:00:00Z', start_on: '2026-01-01', custom_fields: { 12: 'High' } },
};
const FIELDS =
  '"notes":"Text","html_notes":"<body>Text</body>","assignee":"me","due_on":"2026-01-31",' +
  '"due_at":"2026-01-31T09:00:00Z","start_on":"2026-01-01","custom_fields":{"12":"High"}';
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const UPLOAD = `POST ${AT}/attachments?opt_fields=name%2Cresource_subtype%2Csize%2Ccreated_at%2Cpermanent_url%2Cview_url`;

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_task: [
      [{ workspace: '1', name: 'Tea' }, `POST ${AT}/tasks${WHOLE} {"data":{"workspace":"1","name":"Tea"}}`],
      [
        {
          ...{ workspace: '1', name: 'Tea', projects: ['3'], ...fields, followers: ['ann@acme.example'], tags: ['4'] },
          resource_subtype: 'milestone',
        },
        `POST ${AT}/tasks${WHOLE} {"data":{"workspace":"1","name":"Tea","projects":["3"],${FIELDS},` +
          '"followers":["ann@acme.example"],"tags":["4"],"resource_subtype":"milestone"}}',
      ],
    ],
    update_task: [
      [{ task: '2' }, `PUT ${AT}/tasks/2${WHOLE} {"data":{}}`],
      [
        { workspace: '1', task: '2', name: 'Tea', ...fields, completed: false },
        `PUT ${AT}/tasks/2${WHOLE} {"data":{"name":"Tea",${FIELDS},"completed":false}}`,
      ],
    ],
    complete_task: [
      [{ task: '2' }, `PUT ${AT}/tasks/2${WHOLE} {"data":{"completed":true}}`],
      [{ workspace: '1', task: '2' }, `PUT ${AT}/tasks/2${WHOLE} {"data":{"completed":true}}`],
    ],
    get_task: [
      [{ task: '2' }, `GET ${AT}/tasks/2${WHOLE}`],
      [{ workspace: '1', task: '2' }, `GET ${AT}/tasks/2${WHOLE}`],
    ],
    search_tasks: [
      [{ workspace: '1' }, `GET ${AT}/workspaces/1/tasks/search?opt_fields=${LISTED}`],
      [
        {
          ...{ workspace: '1', text: 'Tea', assignee: 'me', project: '3', completed: false, due_after: '2026-01-01' },
          ...{ due_before: '2026-02-01', modified_after: '2026-01-31T09:00:00Z', sort_by: 'due_date' },
          ...{ sort_ascending: true, limit: 7 },
        },
        `GET ${AT}/workspaces/1/tasks/search?text=Tea&assignee.any=me&projects.any=3&completed=false` +
          '&due_on.after=2026-01-01&due_on.before=2026-02-01&modified_at.after=2026-01-31T09%3A00%3A00Z' +
          `&sort_by=due_date&sort_ascending=true&limit=7&opt_fields=${LISTED}`,
      ],
    ],
    list_tasks: [
      [{ workspace: '1' }, `GET ${AT}/tasks?assignee=me&workspace=1&limit=100&opt_fields=${LISTED}`],
      [
        { workspace: '1', assignee: '5', limit: 7 },
        `GET ${AT}/tasks?assignee=5&workspace=1&limit=7&opt_fields=${LISTED}`,
      ],
      [
        {
          workspace: '1',
          project: '3',
          completed_since: '2026-01-31T09:00:00Z',
          modified_since: '2026-01-01T09:00:00Z',
        },
        `GET ${AT}/tasks?project=3&completed_since=2026-01-31T09%3A00%3A00Z&modified_since=2026-01-01T09%3A00%3A00Z` +
          `&limit=100&opt_fields=${LISTED}`,
      ],
      [
        { workspace: '1', project: '3', section: '6', assignee: '5' },
        `GET ${AT}/tasks?section=6&limit=100&opt_fields=${LISTED}`,
      ],
    ],
    comment: [
      [
        { task: '2' },
        `POST ${AT}/tasks/2/stories?opt_fields=text%2Ccreated_at%2Ccreated_by.name%2Cis_pinned {"data":{}}`,
      ],
      [
        { workspace: '1', task: '2', text: 'Hi', html_text: '<body>Hi</body>', is_pinned: true },
        `POST ${AT}/tasks/2/stories?opt_fields=text%2Ccreated_at%2Ccreated_by.name%2Cis_pinned ` +
          '{"data":{"text":"Hi","html_text":"<body>Hi</body>","is_pinned":true}}',
      ],
    ],
    add_to_section: [
      [{ section: '6', task: '2' }, `POST ${AT}/sections/6/addTask {"data":{"task":"2"}}`],
      [
        { workspace: '1', project: '3', section: '6', task: '2', insert_before: '7', insert_after: '8' },
        `POST ${AT}/sections/6/addTask {"data":{"task":"2","insert_before":"7","insert_after":"8"}}`,
      ],
    ],
    create_subtask: [
      [{ task: '2', name: 'Tea' }, `POST ${AT}/tasks/2/subtasks${WHOLE} {"data":{"name":"Tea"}}`],
      [
        { workspace: '1', task: '2', name: 'Tea', ...fields, followers: ['me'] },
        `POST ${AT}/tasks/2/subtasks${WHOLE} {"data":{"name":"Tea",${FIELDS},"followers":["me"]}}`,
      ],
    ],
    create_project: [
      [{ workspace: '1', name: 'Tea' }, `POST ${AT}/projects${PROJECT} {"data":{"workspace":"1","name":"Tea"}}`],
      [
        {
          ...{ workspace: '1', team: '9', name: 'Tea', notes: 'Text', html_notes: '<body>Text</body>' },
          ...{ start_on: '2026-01-01', due_on: '2026-01-31', default_view: 'board', privacy_setting: 'private' },
        },
        `POST ${AT}/projects${PROJECT} {"data":{"workspace":"1","team":"9","name":"Tea","notes":"Text",` +
          '"html_notes":"<body>Text</body>","start_on":"2026-01-01","due_on":"2026-01-31","default_view":"board",' +
          '"privacy_setting":"private"}}',
      ],
    ],
    add_followers: [
      [{ task: '2', followers: ['me'] }, `POST ${AT}/tasks/2/addFollowers${WHOLE} {"data":{"followers":["me"]}}`],
      [
        { workspace: '1', task: '2', followers: ['me', '5'] },
        `POST ${AT}/tasks/2/addFollowers${WHOLE} {"data":{"followers":["me","5"]}}`,
      ],
    ],
    upload_attachment: [
      [{ task: '2', file }, `${UPLOAD} parent=2&file=@a.txt;text/plain;hi`],
      [
        { workspace: '1', task: '2', file: { ...file, filename: 'résumé.txt' } },
        `${UPLOAD} parent=2&file=@r%C3%A9sum%C3%A9.txt;text/plain;hi`,
      ],
    ],
  });
});

it.each(['create_task', 'get_task', 'search_tasks', 'upload_attachment'])(
  'returns the data of a response: %s',
  async (name) => {
    const input = { workspace: '1', task: '2', name: 'Tea', file };
    const data = name === 'search_tasks' ? [{ gid: '1' }] : { gid: '1' };
    const { output } = await runPiece({ ...setting, reply: () => json({ data }) }, name, input);
    expect(output).toEqual(name === 'search_tasks' ? { items: data } : data);
  },
);

/** Returns fake lists in pages of two items. */
const inPages =
  (items: JsonObject[]) =>
  ({ url }: Recorded): Reply => {
    const start = Number(new URL(url, 'http://asana').searchParams.get('offset') ?? 0);
    const isLast = start + 2 >= items.length;
    return json({ data: items.slice(start, start + 2), next_page: isLast ? null : { offset: String(start + 2) } });
  };

it('reads the pages of a list up to the limit', async () => {
  const items = ['1', '2', '3', '4', '5'].map((gid) => ({ gid }));
  const { output, received } = await runPiece({ ...setting, reply: inPages(items) }, 'list_tasks', {
    workspace: '1',
    limit: 3,
  });
  expect(output.items).toEqual(items.slice(0, 3));
  expect(received.map(({ url }) => new URL(url, 'http://asana').searchParams.get('offset'))).toEqual([null, '2']);
  expect(received.flatMap(check)).toEqual([]);
});

it('reads only fields that the description has', () => {
  const page = { data: [{ gid: '1', name: 'A' }], next_page: { offset: 'x' } };
  for (const name of ['GET /workspaces', 'GET /projects/{project_gid}/sections'])
    expect(checkResponse(description, name, page)).toEqual([]);
  expect(checkResponse(description, 'GET /workspaces/{workspace_gid}/typeahead', { data: page.data })).toEqual([]);
  expect(checkResponse(description, 'GET /tasks', { ...page, data: [{ gid: '1' }] })).toEqual([]);
  expect(checkResponse(description, 'POST /tasks', { data: { gid: '1' } })).toEqual([]);
});

describe('a form', () => {
  const items = ['Tea', 'Milk', 'Tea shop'].map((name, index) => ({ gid: String(index + 1), name }));
  const inForm = (request: Recorded): Reply =>
    request.url.includes('/typeahead') ? json({ data: items }) : inPages(items)(request);
  const offered = (operation: string, property: string, input: JsonObject, search?: string) =>
    optionsOf({ ...setting, reply: inForm }, [operation, property], input, search);

  it.each([
    ['create_task.workspace', 'GET /api/1.0/workspaces?limit=100'],
    ['add_to_section.section', 'GET /api/1.0/projects/3/sections?limit=100'],
  ])('lists all pages for %s', async (select, first) => {
    const [operation = '', property = ''] = select.split('.');
    const { output, asked, received } = await offered(operation, property, { project: '3' });
    expect(output).toEqual({ options: items.map(({ gid, name }) => ({ label: name, value: gid })), disabled: false });
    expect(asked).toEqual([first, `${first}&offset=2`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it.each([
    ['create_task.projects', 'project'],
    ['create_task.assignee', 'user'],
    ['create_task.tags', 'tag'],
    ['get_task.task', 'task'],
    ['create_project.team', 'team'],
  ])('finds objects of the workspace for %s', async (select, type) => {
    const [operation = '', property = ''] = select.split('.');
    const { output, asked, received } = await offered(operation, property, { workspace: '1' }, 'tea');
    expect(output.options.map(({ value }) => value)).toEqual(['1', '3']);
    expect(asked).toEqual([`GET /api/1.0/workspaces/1/typeahead?resource_type=${type}&query=tea&count=100`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it.each<JsonObject>([{}, { workspace: 1, project: 3 }, { workspace: '../x', project: 'a/b' }])(
    'sends nothing for %j',
    async (input) => {
      for (const property of ['task', 'section']) {
        const { output, received } = await offered('add_to_section', property, input);
        expect([output, received]).toEqual([{ options: [], disabled: true }, []]);
      }
    },
  );
});

describe('a failure', () => {
  it("has Asana's message", async () => {
    const reply = () => json({ errors: [{ message: 'project: Missing input', help: 'Read the docs' }] }, 400);
    await expect(runPiece({ ...setting, reply }, 'get_task', { task: '2' })).rejects.toMatchObject({
      ...{ name: 'ProviderError', status: 400, message: 'project: Missing input', retryable: false },
    });
  });

  it('of the rate limit is repeated after the time that Asana names', async () => {
    const { send, close } = await startThirdParty(() =>
      json({ errors: [{ message: 'Busy' }] }, 429, { 'retry-after': '3' }),
    );
    const delays: (number | undefined)[] = [];
    const run = runAction(asana, 'get_task', {
      ...{ input: { task: '2' }, credential, sendsDelayed: true },
      send: ({ delayMs, ...request }) => {
        delays.push(delayMs);
        return send(request);
      },
    });
    await expect(run).rejects.toMatchObject({ status: 429, message: 'Busy', retryAfter: 3 });
    await close();
    expect(delays).toEqual([undefined, 3_000, 3_000]);
  });
});

it('tests a credential by the user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ data: { gid: '1' } }));
  await testCredential(asana, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /api/1.0/users/me']);
  expect(received.flatMap(check)).toEqual([]);
  expect(received[0]?.headers.authorization).toBe('Bearer asana_canary');
});

it('declares OAuth as Asana documents it', () => {
  expect(asana.auth?.oauth2).toEqual({
    authUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    ...{ scopes: ['default'], pkce: true, revoke: { url: 'https://app.asana.com/-/oauth_revoke' } },
  });
});
